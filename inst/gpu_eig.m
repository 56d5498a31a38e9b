## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {@var{lambda} =} gpu_eig (@var{A})
## @deftypefnx {} {@var{lambda} =} gpu_eig (@var{A}, @var{B})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_eig (@dots{}, "vector" | "matrix")
## @deftypefnx {} {[@dots{}] =} gpu_eig (@dots{}, "balance" | "nobalance")
## @deftypefnx {} {[@dots{}] =} gpu_eig (@dots{}, "chol" | "qz")
## @deftypefnx {} {[@dots{}] =} gpu_eig (@dots{}, @var{name}, @var{value}, @dots{})
## Eigenvalues and eigenvectors: a replacement for @code{eig} that chooses the fastest
## reliable solver for the properties of the matrix and the machine.
##
## @example
## @group
## A = [2 1; 1 2];
## lambda = gpu_eig (A)
##   @result{} [1; 3]
## @end group
## @end example
##
## Symmetric and Hermitian matrices (equal to their conjugate transpose to the last bit)
## have real ascending @var{lambda} and orthonormal columns of @var{V}.  Other matrices
## have their eigenvalues in the order in which the QR iteration finds them, as with
## @code{eig}, conjugate pairs together, and columns of @var{V} and @var{W} of 2-norm 1.
## The order depends on the method: it is that of @code{eig} for @qcode{"geev"} (CPU),
## which is what @qcode{"auto"} takes there for one small matrix.
##
## With a second matrix the problem is @var{A} @var{V} = @var{B} @var{V} @var{D}.
## For @var{A} symmetric and @var{B} symmetric positive definite @var{V}' @var{B} @var{V}
## is the identity.  Any other pair is solved on the CPU as by @code{eig}, by LAPACK's QZ
## iteration: @var{lambda} is Inf or NaN where @var{B} is singular.
##
## @var{A} may be a stack of pages, n-by-n-by-N: then @var{lambda} is n-by-1-by-N,
## @var{V} and @var{W} n-by-n-by-N, and @var{D} n-by-n-by-N (n-by-1-by-N with
## @qcode{"vector"}).  A single page gives @var{D} as a diagonal matrix.  Every page has
## the result of its kind: real and ascending eigenvalues and orthonormal vectors if it is
## symmetric, whatever the other pages are; the arrays are complex if one page needs it.
## @var{B} must have as many pages as @var{A}.  Arrays with more dimensions,
## n-by-n-by-N-by-M, are stacks too: the outputs have the dimensions of @var{A} from the
## third on.
##
## Single in gives single out, also if only one of @var{A} and @var{B} is single (@code{eig}
## goes by @var{A} alone); everything else is computed in double precision.
## Sparse matrices are made full, as @code{eig} does.
##
## @strong{Options}
##
## @table @asis
## @item "Backend": "auto" (default), "cpu", "cuda", "mpi"
## @qcode{"auto"} picks what is faster for the size, never @qcode{"mpi"}; the
## environment variable @env{GPUEIG_BACKEND} sets another default.  A backend that
## is named is never replaced.  @qcode{"mpi"}: see below.
##
## @item "Method": "auto" (default) or the name of a solver
## Symmetric: @qcode{"mrrr"}, @qcode{"syevd"}, @qcode{"shifted"}; on a GPU @qcode{"ql"} and
## @qcode{"dc"}; with @qcode{"mpi"} @qcode{"elpa1"}, @qcode{"elpa2"} and @qcode{"syevd"}.
## General: @qcode{"geev"} (CPU) and @qcode{"qr"}, which can be applied to a symmetric
## matrix too, but not to a pair.  See the algorithms below.
##
## @item "Accuracy": "normal" (default), "high"
## Of pairs only: @qcode{"high"} solves definite ones by @code{gpu_jacobi_eig}, with small backward errors
## that do not grow with the condition of @var{B}; if @var{B} is not definite that is an
## error.
##
## @item "vector", "matrix"
## The form of the eigenvalues; by default a vector if they are the only output.
##
## @item "balance" (default), "nobalance"; "chol" (default), "qz"
## As for @code{eig}: whether a general matrix is balanced; with @qcode{"qz"}, also as the
## @qcode{"Method"} of a pair, definite pairs are solved by the QZ iteration, too.
##
## @item "Index": [il iu]
## Eigenvalues number il to iu in ascending order only, and their vectors: @var{lambda}
## has @code{k = iu-il+1} rows, @var{V} k columns.  For symmetric and Hermitian matrices,
## definite pairs, and stacks of them.  After the reduction the work is proportional to k.
##
## @item "Range": [vl vu]
## Eigenvalues in the interval (vl, vu] only, for one matrix or pair; @var{V} is n-by-0
## where there is none.
##
## @item "Workers": positive integer
## With @qcode{"mpi"} the number of processes; one for each core of this machine by
## default.
##
## @item "Display": "off" (default), "iter"
## One line per stage while it runs.
##
## @item "Device": integer from 0, vector of integers, "all"
## The GPU or GPUs to use.  The pages of a stack are divided among several GPUs, with
## the same results, bit for bit; small stacks run on the first.  A symmetric or
## Hermitian matrix that does not fit in the memory of the first is solved by all of
## them together.  The environment variable @env{GPUEIG_DEVICE}
## (@qcode{"0,1"}, @qcode{"all"}) sets another default.
## @end table
##
## @strong{Processes}
##
## With @qcode{"Backend", "mpi"} a symmetric or Hermitian problem, or such a pair with
## @var{B} positive definite, is solved by MPI processes of the program
## @code{gpueig-worker}, by ELPA (A. Marek et al., J. Phys.: Condens. Matter 26,
## 2014, 213201), with reduction to tridiagonal form in one stage (@qcode{"elpa1"},
## the default) or in two (@qcode{"elpa2"}), or by ScaLAPACK's @qcode{"syevd"}, which is
## also used if a result of ELPA fails the verification.  Pages are solved one after
## the other.  The start takes about half a second, so this is for large matrices
## and for machines with many cores or hosts.  Three environment variables:
##
## @table @env
## @item GPUEIG_LAUNCH
## The launcher, a shell command with @code{%d} for the number of processes, which the
## program follows; by default @code{mpirun -n %d}, on many clusters @code{srun -n %d}.  Open MPI needs
## @code{mpirun --oversubscribe -n %d} for more processes than cores, and
## @code{--allow-run-as-root} for root.  Variables of an
## MPI job in which Octave itself runs (@env{OMPI_@dots{}}, @env{PMIX_@dots{}}) are not
## passed to it; use options of the launcher instead.
##
## @item GPUEIG_SCRATCH
## A folder that all hosts can access, for the matrices.  By default they are in shared
## memory, for processes on this host.
##
## @item GPUEIG_WORKER
## The file name of the program, if it is not the one installed with this package.
## @end table
##
## For matrices that do not fit in the memory of one host see @code{gpu_eig_file}.
##
## @strong{Outputs}
##
## @var{W} are the left eigenvectors, @code{@var{W}' * @var{A} = @var{D} *
## @var{W}'}.  @var{info} is a struct: @code{backend}, @code{device} (-1: the CPU),
## @code{method}, @code{converged}, @code{sweeps}, @code{off}, @code{fallback},
## @code{time} with @code{total}, @code{transfer} and @code{solve} in seconds
## (@code{solve} is measured by the device's clock on a GPU), and @code{memory}, the
## largest scratch memory in bytes, without the outputs.  Its fields are always the same;
## what does not apply is 0 or empty.  @code{method} is a word that @qcode{"Method"} takes:
## the same call with it returns the same bits.  It is @qcode{"auto"} where pages or their
## tridiagonal forms decided, and for definite pairs with @qcode{"Accuracy", "high"}.
## Further fields are those of @code{gpu_mrrr} and @code{gpu_schur}, @code{tangent}
## of @code{gpu_jacobi_eig}, and for @qcode{"mpi"} @code{workers}, the
## number of processes, @code{residual} and @code{orthogonality} of a sample of the
## vectors in units of n eps, and, in seconds,
## @code{read_time}, @code{check_time}, @code{write_time} and @code{start_time}.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:not-symmetric} (a method for symmetric matrices, but @var{A} is not),
## @code{gpueig:not-definite} (a method for definite pairs or a part of the spectrum, but
## @var{B} is not positive definite), @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:solver-failed} (a library's solver failed, and no other
## is left); the warnings @code{gpueig:device-lost} (an earlier fault made the GPU unusable, the
## CPU is used) and @code{gpueig:fallback} (another method than the named one finished).  With
## @qcode{"mpi"} @code{gpueig:bad-option} for matrices that are not symmetric,
## @code{gpueig:no-worker} (launcher or program not found), @code{gpueig:worker} (a
## process failed; the text has its output, of a long one begin and end),
## @code{gpueig:io} (files in @env{GPUEIG_SCRATCH}); the warning @code{gpueig:fallback} also if
## ELPA failed and ScaLAPACK was used.
##
## @strong{More examples}
##
## In place of @code{eigs (K, M, 5, "sa")} for full matrices, the five lowest modes of a
## structure, and in place of a shift, the modes in an interval of frequencies:
##
## @example
## @group
## K = 1e6 * toeplitz ([2, -1, zeros(1, 98)]);  # a chain of springs
## M = toeplitz ([4, 1, zeros(1, 98)]) / 6;
## [V, D] = gpu_eig (K, M, "Index", [1 5]);
## [V, D] = gpu_eig (K, M, "Range", (2*pi*[10 20]) .^ 2);
## @end group
## @end example
##
## The largest eigenvalue of each of many pages:
##
## @example
## @group
## n = rows (A);
## largest = gpu_eig (A, "Index", [n n]);
## @end group
## @end example
##
## @strong{Algorithms}
##
## One symmetric matrix: reduction to tridiagonal form, MRRR and back-transformation, as in
## @code{gpu_mrrr}; on the CPU also LAPACK's divide and conquer (@qcode{"syevd"};
## @code{eig} uses the QR iteration, which is several times slower).  Stacks of small pages:
## the one-sided Jacobi method of @code{gpu_onesided_eig} (@qcode{"shifted"}); on a GPU also @qcode{"ql"} and
## @qcode{"dc"}, tridiagonal form and implicit QL up to order 48 or divide and conquer up to
## order 256, for all pages at once (a page for which QL does not converge is solved by one-sided
## Jacobi, see @code{info.fallback}).  Times measured on such machines decide which one
## @qcode{"auto"} takes; @code{info.method} is its name.
##
## Other matrices: LAPACK's @code{geevx} (@qcode{"geev"}, on the CPU), or the multishift QR
## algorithm of this package (@qcode{"qr"}, see @code{gpu_schur}), of which on a GPU only
## small windows are solved on the host.
##
## A definite pair is reduced by the Cholesky factor of @var{B}.  Where rounding errors
## would be large because @var{B} is ill-conditioned, the factor is pivoted and the reduced
## matrix is solved on the CPU, by the QR iteration if divide and conquer is not accurate
## enough.
##
## @strong{Accuracy}: backward stable; @code{norm (A*V - V*D, 1)} stays below
## @code{10 * n * eps * norm (A, 1)} for symmetric matrices and @var{V} is
## orthonormal to @code{10 * n * eps}.
##
## The backward error of every column of a definite pair,
## @code{norm (A*v - lambda*B*v) / ((norm (A) + abs (lambda) * norm (B)) * norm (v))},
## is on the CPU of the order of that of @code{eig} or smaller, for any @var{B} that has a
## Cholesky factor.  On a GPU it may reach @code{100 * sqrt (n) * n * eps}; pairs for which
## it would be larger are left to the CPU.  From order 513 on that limit is @code{1e6} in
## place of 100.  With @qcode{"Accuracy", "high"} it is below @code{10 * n * eps}.  Where the
## diagonal of @var{B} spans many powers of ten, units are taken out first, such that the
## largest elements of all rows of @var{A} are about equal, and this is the error of the
## scaled pair.  If that diagonal still spans more than 1e30, in single precision 1e9, Jacobi's
## method on the CPU finds the eigenvalues, whatever their quotients are.  Those that are not
## representable are Inf or 0.
##
## @seealso{eig, gpu_jacobi_eig, gpu_onesided_eig, gpu_complex_eig, gpu_mrrr, gpu_schur, gpu_array, gpu_replace, gpu_eig_file, gpu_tune, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("eig", nargout, varargin{:});
  if (failed)
    if (failed < 0)
      print_usage ();
    endif
    __gpueig_raise__ ("gpu_eig");
  endif

endfunction

## Functions of the user that have the names of built-ins are not called.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! names = {"eig", "diag", "horzcat", "struct", "full", "zeros", "i", "times", ...
%!          "typeinfo", "OCTAVE_VERSION"};
%! for k = 1:numel (names)
%!   fid = fopen (fullfile (folder, [names{k} ".m"]), "w");
%!   fprintf (fid, "function varargout = %s (varargin)\n", names{k});
%!   if (k == 1)
%!     fprintf (fid, "  [varargout{1:nargout}] = gpu_eig (varargin{:});\n");
%!   else
%!     fprintf (fid, "  error ('%s of the user was called');\n", names{k});
%!   endif
%!   fprintf (fid, "endfunction\n");
%!   fclose (fid);
%! endfor
%! before = warning ();
%! unwind_protect
%!   warning ("off", "Octave:shadowed-function");
%!   addpath (folder);
%!   A = [2 1; 1 3];
%!   [V, D] = eig (A);
%!   assert (builtin ("typeinfo", D), "diagonal matrix");
%!   assert (A*V, V*D, 8*eps);
%!   [V, D, W, info] = gpu_eig ([1 2; 3 4], A, "Backend", "cpu");
%!   assert ([1 2; 3 4] * V, A*V*D, 16*eps);
%!   assert (info.method, "qz");
%!   n = 150;
%!   C = reshape (sin ((1:n^2) .^ 2), n, n) + 1i;
%!   [V, D] = eig (C, "vector");
%!   assert (norm (C*V - V .* D.', 1) / norm (C, 1) < 20 * n * eps);
%!   [~, ~, ~, info] = gpu_jacobi_eig ([2 1 0; 1 3 1; 0 1 5], "Backend", "cpu");
%!   assert (numel (info.off) > 0 && all (info.off >= 0) && all (info.off < 10));
%!   X = gpu_tdinv (speye (3));
%!   assert (X(2,2), 1);
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   warning (before);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Calling forms.
%!test
%! A = [2 1; 1 2];
%! assert (gpu_eig (A), [1; 3], 8*eps);
%! [V, D] = gpu_eig (A);
%! assert (typeinfo (D), "diagonal matrix");
%! assert (A*V, V*D, 8*eps);
%! [V, D, W] = gpu_eig (A);
%! assert (W, V);
%! [V, lambda] = gpu_eig (A, "vector");
%! assert (lambda, [1; 3], 8*eps);
%! D = gpu_eig (A, "matrix");
%! assert (typeinfo (D), "diagonal matrix");
%! [~, ~, ~, info] = gpu_eig (A);
%! assert (info.converged);
%! assert (isempty (info.fallback));
%! assert (fieldnames (info.time), {"total"; "transfer"; "solve"});

## General matrices as eig: order, scaling, left vectors.
%!test <a page's bits beside pages with clusters and without>
%! for n = [100, 129, 150, 200]
%!   [Q, ~] = qr (reshape (sin ((1:n^2) .^ 2), n, n));
%!   A = zeros (n, n, 4);
%!   A(:,:,1) = Q + Q';
%!   A(:,:,2) = Q * diag (1 + (1:n > n/2)) * Q';
%!   A(:,:,3) = toeplitz ([2, -1, zeros(1, n-2)]);
%!   A(:,:,4) = Q * diag (mod (1:n, 5)) * Q';
%!   for k = 1:4
%!     A(:,:,k) = (A(:,:,k) + A(:,:,k)') / 2;
%!   endfor
%!   order = [3, 2, 4, 1];
%!   for type = {@double, @single}
%!     B = type{1} (A);
%!     [V, D] = gpu_eig (B, "vector");
%!     [V2, D2] = gpu_eig (B(:,:,order), "vector");
%!     assert (V2, V(:,:,order));
%!     D = reshape (D, n, 4);
%!     assert (reshape (D2, n, 4), D(:,order));
%!     for k = 1:4
%!       limit = 10 * n * eps (class (B));
%!       assert (norm (B(:,:,k) * V(:,:,k) - V(:,:,k) .* D(:,k).', 1)
%!               <= limit * norm (B(:,:,k), 1));
%!       assert (norm (V(:,:,k)' * V(:,:,k) - eye (n), 1) <= limit);
%!     endfor
%!   endfor
%! endfor
%!test
%! A = [1 2 0; 3 4 1; 0 1 -2];
%! [V, D, W] = gpu_eig (A);
%! [V0, D0, W0] = eig (A);
%! assert (abs (dot (V, V0)), ones (1, 3), 32*eps);  # the signs are free
%! assert (full (D), full (D0), 32*eps);
%! assert (abs (dot (W, W0)), ones (1, 3), 32*eps);
%! assert (isreal (V));
%! [V, D] = gpu_eig ([0 1; -1 0]);
%! assert (full (D), diag ([1i, -1i]), eps);
%! assert (gpu_eig ([1 2; 3 4], "nobalance"), eig ([1 2; 3 4], "nobalance"),
%!         8*eps);
%! for B = {[1 1e150; -1e-150 1], [1 1e150i; 1e-150i 1]}
%!   for L = {gpu_eig(B{1}, "nobalance"), gpu_eig(repmat (B{1}, 1, 1, 2), "nobalance")(:,:,2)}
%!     assert (real (L{1}), [1; 1], 8*eps);
%!     assert (sort (imag (L{1})), [-1; 1], 8*eps);
%!   endfor
%! endfor

## Empty as eig.
%!test
%! assert (gpu_eig ([]), []);
%! [V, D] = gpu_eig ([]);
%! assert (V, []);
%! assert (D, []);
%! assert (size (gpu_eig (zeros (0, 0, 3))), [0, 1, 3]);
%! assert (size (gpu_eig (zeros (2, 2, 0))), [2, 1, 0]);
%! [V, D, W] = gpu_eig ([], [], "qz", "Backend", "cpu");
%! assert ({V, D, W}, {[], [], []});
%! for args = {{zeros(0, 3)}, {zeros(3, 0), "vector"}, {[], 1}, {1, []}, ...
%!             {[1 NaN; 2 3], zeros(0, 4)}, {sparse(0, 2)}}
%!   assert (gpu_eig (args{1}{:}), []);
%!   [V, D, W] = gpu_eig (args{1}{:});
%!   assert ({V, D, W}, {[], [], []});
%!   [V, D] = eig (args{1}{:});
%!   assert ({V, D}, {[], []});
%! endfor

## Pairs: definite by Cholesky, any other as eig.
%!test
%! A = [2 1; 1 3];
%! B = [4 1; 1 5];
%! [V, D, W] = gpu_eig (A, B);
%! assert (V' * B * V, eye (2), 8*eps);
%! assert (A*V, B*V*D, 8*eps);
%! assert (gpu_eig (A, B, "chol"), eig (A, B), 8*eps);
%! assert (sort (gpu_eig (A, B, "qz", "Backend", "cpu")), eig (A, B), 8*eps);
%! C = [4 1; 1 -5];
%! assert (gpu_eig (A, C, "Backend", "cpu"), eig (A, C, "qz"), 8*eps);
%! assert (gpu_eig ([1 2; 3 4], B, "Backend", "cpu"), eig ([1 2; 3 4], B), 8*eps);
%! [V, D, W] = gpu_eig (single ([1 2; 3 4]), single (B), "Backend", "cpu");
%! assert (class (W), "single");
%! assert (norm (W' * [1 2; 3 4] - D * W' * B) < 1e-5);
%! assert (gpu_eig (sparse (A), C, "Backend", "cpu"), eig (A, C, "qz"), 8*eps);
%! H = [2 1i; -1i 3];
%! [V, D] = gpu_eig (A, H, "Backend", "cpu");
%! assert (A*V, H*V*D, 16*eps);

## A matrix from an application: limits as in LAPACK's test programs.
%!test
%! n = 120;
%! A = cos ((1:n)' * (1:n) / 7);
%! A += A';
%! [V, D] = gpu_eig (A);
%! assert (norm (A*V - V*D, 1) / (norm (A, 1) * n * eps) < 10);
%! assert (norm (V'*V - eye (n), 1) / (n * eps) < 10);

%!demo
%! ## The lowest modes of a square drum, on a grid of 25 by 25 points.  The eigenvalues
%! ## of the drum itself are pi^2 times 2, 5, 5, 8, 10 and 10.
%! m = 25;
%! T = toeplitz ([2, -1, zeros(1, m-2)]) * (m + 1)^2;
%! A = kron (T, eye (m)) + kron (eye (m), T);
%! [V, lambda] = gpu_eig (A, "Index", [1 6], "vector");
%! for k = 1:6
%!   subplot (2, 3, k);
%!   surf (reshape (V(:,k), m, m));
%!   title (sprintf ("%.3f pi^2", lambda(k) / pi^2));
%! endfor

%!demo
%! ## Wigner's semicircle: the eigenvalues of 300 random symmetric matrices, in one call.
%! n = 40;
%! A = randn (n, n, 300);
%! lambda = gpu_eig ((A + permute (A, [2, 1, 3])) / sqrt (8*n));
%! [count, x] = hist (lambda(:), 50);
%! bar (x, count / sum (count) / (x(2) - x(1)));
%! hold on;
%! plot (x, 2/pi * sqrt (max (1 - x.^2, 0)), "r", "linewidth", 2);
%! hold off;

%!error <Invalid call> gpu_eig ()
%!error id=Octave:invalid-fun-call [a, b, c, d, e] = gpu_eig (1);
%!error id=gpueig:nonfinite gpu_eig ([1 Inf; 2 1])
%!error id=gpueig:nonfinite gpu_eig ([1 Inf; 2 1], [1 2; 3 4], "Backend", "cpu")
%!error id=gpueig:not-symmetric gpu_eig ([1 2; 3 4], "Method", "syevd")
%!error id=gpueig:not-symmetric gpu_eig ([1 2; 3 4], eye (2), "Method", "syevd")
%!error id=gpueig:not-symmetric gpu_eig (eye (2), [1 2; 3 4], "Method", "syevd")
%!error id=gpueig:not-definite gpu_eig (eye (2), [1 2; 2 1], "Method", "syevd")
%!error id=gpueig:bad-option gpu_eig ([2 1; 1 2], eye (2), "Method", "geev")
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], NaN (2), "Method", "geev")
%!error id=gpueig:bad-option gpu_eig ([2 1; 1 2], eye (2), "qz", "Method", "syevd")
%!error id=gpueig:bad-option gpu_eig (1, "Display", ["off"; "off"])
%!error id=gpueig:not-square gpu_eig (eye (2), eye (3))
%!error id=gpueig:wrong-type gpu_eig (eye (2), struct ())
%!error id=gpueig:bad-option gpu_eig (eye (2), "nonsense")
%!error id=gpueig:bad-option gpu_eig (eye (2), "Backend", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "vector", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", -1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 2^31)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 2^32)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 0:16)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [0, 0.5])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [0, NaN])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", {0})
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", "both")
%!error <device 1 is twice> gpu_eig (eye (2), "Device", [1, 0, 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), "chol")
%!error <"matrix" and "vector" exclude> gpu_eig (eye (2), "matrix", "Vector")
%!error <"balance" and "nobalance" exclude> gpu_eig (eye (2), "balance", "nobalance")
%!error <"qz" and "chol" exclude> gpu_eig (eye (2), eye (2), "qz", "CHOL")
%!error id=gpueig:not-square gpu_eig (ones (2, 3), [])
%!error id=gpueig:not-square gpu_eig (ones (2, 2, 3), [])
%!error id=gpueig:wrong-type gpu_eig (cell (0, 1))
%!error id=gpueig:bad-option gpu_eig (eye (2), eye (2), "balance")
%!error <there are backend> gpu_eig (eye (2), "nonsense", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Workers", 2, "Backend", "cpu")
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], "Backend", "mpi")
%!error <"auto", "cpu", "cuda", "mpi"> gpu_eig (eye (2), "Backend", "tpu")
%!error <2-by-3> gpu_eig ([1 2 3; 4 5 6])
%!error <\(1, 2\)> gpu_eig ([1 NaN; 2 1])
