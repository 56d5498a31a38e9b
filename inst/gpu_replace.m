## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} gpu_replace ("on")
## @deftypefnx {} {} gpu_replace ("off")
## @deftypefnx {} {@var{state} =} gpu_replace ()
## Let programs that call @code{eig}, @code{inv}, @code{schur}, @code{svd}, @code{pinv},
## @code{sqrtm}, @code{logm} and @code{expm} use this package without a change to them.
##
## @example
## @group
## gpu_replace ("on");
## lambda = eig ([2 1; 1 2])
##   @result{} [1; 3]
## gpu_replace ("off");
## @end group
## @end example
##
## @code{gpu_replace ("on")} puts functions of these names in place of Octave's, until
## @code{gpu_replace ("off")} or the end of the session.  Each calls the function of this
## package where that is faster, and Octave's own for everything else: small matrices,
## other classes, sparse, diagonal and permutation matrices, other options, wrong
## arguments, with the same messages.  @code{builtin ("eig", @dots{})} is Octave's.
##
## @strong{What is replaced}
##
## @table @code
## @item eig
## Full matrices, and pairs of symmetric and Hermitian ones with @var{B} positive definite,
## by @code{gpu_eig}.
##
## @item inv
## Full tridiagonal matrices by @code{gpu_tdinv}, for one output.
##
## @item schur
## Full matrices by @code{gpu_schur}, without an order of the eigenvalues.
##
## @item svd
## @itemx pinv
## Full matrices of any shape by @code{gpu_svd} and @code{gpu_pinv}; after
## @code{svd_driver ("gejsv")}, which is for high accuracy, Octave's own.  Octave keeps the
## @code{svd} that it has called in the session, until @code{clear all}.
##
## @item sqrtm
## @itemx logm
## @itemx expm
## Full matrices by @code{gpu_sqrtm}, @code{gpu_logm} and @code{gpu_expm}, where there is nothing to
## warn of.
## @end table
##
## Eigenvalues of symmetric and Hermitian matrices ascend, as those of Octave's functions;
## other matrices may have them in another order.  Eigenvectors and singular vectors may have
## other signs, and those of equal values may be another basis.  Functions that call
## these, such as @code{roots} and @code{cond}, use them too.
##
## @strong{Output}
##
## @var{state} is @qcode{"on"} or @qcode{"off"}; with an argument, the state before the call.
## @code{gpu_replace ()} without an output prints it, and the file name of the program
## @code{gpueig-run}, which does the same for R, NumPy and other programs that call LAPACK.
## Any other argument is the error @code{Octave:invalid-fun-call}.
##
## @seealso{gpu_eig, gpu_tdinv, gpu_schur, gpu_info}
## @end deftypefn

function state = gpu_replace (wanted)

  if (nargin > 0 && ! (ischar (wanted) && any (strcmpi (wanted, {"on", "off"}))))
    print_usage ();
  endif
  if (nargin == 0)
    is_on = __array__ ("replaced");
  elseif (strcmpi (wanted, "off"))
    is_on = __array__ ("restore");
  else
    __gpueig__ ("machine");  # fails here, not in eig, if it cannot be loaded
    is_on = __array__ ("replace");
  endif
  if (nargout > 0)
    state = {"off", "on"}{1 + is_on};
  elseif (nargin == 0)
    printf ("gpu_replace is %s; for programs other than Octave: %s PROGRAM\n",
            {"off", "on"}{1 + is_on}, gpu_info ().gpueig_run);
  endif

endfunction

%!test
%! assert (gpu_replace (), "off");
%! unwind_protect
%!   gpu_replace ("on");
%!   assert (gpu_replace ("ON"), "on");
%!   rehash ();
%!   A = toeplitz ([4, 1, zeros(1, 62)]);
%!   [V, D] = eig (A);
%!   assert (norm (A*V - V*D, 1) < 10 * 64 * eps * norm (A, 1));
%!   assert (norm (A * inv (A) - eye (64), 1) < 10 * 64 * eps);
%!   X = sqrtm (A);
%!   assert (norm (X*X - A, 1) < 10 * 64 * eps * norm (A, 1));
%!   assert (norm (expm (logm (A)) - A, 1) < 100 * 64 * eps * norm (A, 1));
%!   [U, S] = schur (A(:,end:-1:1));
%!   assert (norm (U*S*U' - A(:,end:-1:1), 1) < 10 * 64 * eps * norm (A, 1));
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%! end_unwind_protect
%! assert (gpu_replace ("off"), "off");
%! assert ([exist("eig"), exist("expm")], [5, 2]);

## Calls that are handed back change neither the path nor what a folder of the user has.
%!test
%! before = path ();
%! folder = tempname ();
%! mkdir (folder);
%! f = fopen (fullfile (folder, "pinv.m"), "w");
%! fputs (f, "function r = pinv (varargin)\n  r = 'of the user';\nendfunction\n");
%! fclose (f);
%! warning ("off", "Octave:shadowed-function", "local");
%! unwind_protect
%!   gpu_replace ("on");
%!   addpath (folder);
%!   on = path ();
%!   for k = 1:2
%!     assert ({expm(2), logm(2)}, {exp(2), log(2)}, eps (8));
%!     fail ("expm ()", "Invalid call to expm");
%!     fail ("logm ()", "Invalid call to logm");
%!     assert (logm ([1 2; 0 3], 5), logm ([1 2; 0 3]), 1e-14);
%!     assert (pinv (2), "of the user");
%!   endfor
%!   assert (path (), on);
%!   for name = {"eig", "inv", "schur", "svd", "sqrtm", "logm", "expm"}
%!     assert (which (name{1}), which ("gpu_replace"), name{1});
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%!   rmpath (folder);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! assert (path (), before);

%!demo
%! gpu_replace ("on");
%! which eig
%! A = rand (300);
%! [V, D] = eig (A + A');     # as in a program that knows nothing of this package
%! residual = norm ((A + A')*V - V*D)
%! gpu_replace ("off");
%! which eig

%!test
%! text = evalc ("gpu_replace ()");
%! assert (strncmp (text, "gpu_replace is off", 18));
%! assert (! isempty (strfind (text, [gpu_info().gpueig_run, " PROGRAM"])));

%!error <Invalid call> gpu_replace ("maybe")
%!error <Invalid call> gpu_replace (1)
%!error <Invalid call> gpu_replace ({})
