## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} lsqminnorm (@var{A}, @var{B})
## @deftypefnx {} {@var{X} =} lsqminnorm (@var{A}, @var{B}, @var{tol})
## @deftypefnx {} {@var{X} =} lsqminnorm (@dots{}, @var{rankWarn})
## The least-squares solutions of @code{A*X = B} of minimum norm, for matrices of any shape and rank,
## as MATLAB's function.
##
## @example
## @group
## lsqminnorm ([1, 1; 1, 1], [2; 4])
##   @result{} [1.5; 1.5]
## @end group
## @end example
##
## Singular values of @var{A} up to @var{tol} count as zero; without it, or with a negative one, up
## to @code{max (size (A)) * eps * norm (A)}.  With @var{rankWarn} @qcode{"warn"} there is
## the warning @code{gpueig:rank-deficient} for @var{A} without full rank; the default is
## @qcode{"nowarn"}.
##
## @var{A} and @var{B} may be in a @code{gpu_array}; a sparse @var{A} is taken as a full matrix.
##
## The solution is that of the singular value decomposition by @code{gpu_svd}: G. H. Golub,
## C. F. Van Loan, Matrix Computations (2013), section 5.5.
##
## @seealso{pagelsqminnorm, gpu_pinv, gpu_svd, mldivide}
## @end deftypefn

function X = lsqminnorm (A, B, varargin)

  if (nargin < 2 || nargin > 4)
    print_usage ();
  endif
  if (ndims (A) > 2 || ndims (B) > 2)
    error ("Octave:invalid-input-arg", "lsqminnorm: A and B must be matrices; see pagelsqminnorm");
  endif
  X = __least_norm__ ("lsqminnorm", A, B, varargin{:});

endfunction

%!test
%! for size_of = {[7, 4], [4, 7], [6, 6], [1, 5], [5, 1]}
%!   [m, n] = num2cell (size_of{1}){:};
%!   for r = 1:min (m, n)
%!     A = cos ((1:m)' .^ 2 * (1:r)) * sin ((1:r)' * (1:n) .^ 2);
%!     for scale = [1, 1i, 1e150, 1e-150]
%!       B = reshape (sin (1:2*m), m, 2) + scale / abs (scale) * 0.5;
%!       X = lsqminnorm (scale * A, B);
%!       assert (X, pinv (A) * B / scale, 1e-12 * norm (pinv (A)) * norm (B) / abs (scale));
%!       G = lsqminnorm (gpu_array (scale * A), B);
%!       assert (isgpuarray (G));
%!       assert (gather (G), X, 1e-12 * norm (X));
%!     endfor
%!   endfor
%! endfor
%! assert (isgpuarray (lsqminnorm (gpu_array (5), [1, 2])));
%! assert (class (lsqminnorm (single ([1 2; 3 4]), [1; 2])), "single");
%! assert (lsqminnorm (sparse ([1 0; 0 0]), [2; 3]), [2; 0], 4*eps);

## The tolerance, the warning, empty matrices.
%!test
%! assert (lsqminnorm (diag ([2 1]), [2; 1], 1), [1; 0], 4*eps);
%! assert (lsqminnorm (diag ([2 1]), [2; 1], 0.5), [1; 1], 4*eps);
%! assert (lsqminnorm (diag ([2 1]), [2; 1], -1), [1; 1], 4*eps);
%! assert (lsqminnorm (zeros (3, 0), ones (3, 2)), zeros (0, 2));
%! assert (lsqminnorm (zeros (0, 3), ones (0, 2)), zeros (3, 2));
%! assert (lsqminnorm (zeros (3, 2), ones (3, 2)), zeros (2, 2));
%!warning id=gpueig:rank-deficient lsqminnorm (ones (2), [1; 2], "warn");
%!test
%! lastwarn ("");
%! lsqminnorm (ones (2), [1; 2], "nowarn");
%! lsqminnorm (eye (2), [1; 2], 1e-3, "warn");
%! assert (lastwarn (), "");
%!error <Invalid call> lsqminnorm (1)
%!error <nonconformant> lsqminnorm (ones (2), ones (3, 1))
%!error <RANKWARN> lsqminnorm (1, 2, "loud")
%!error <TOL> lsqminnorm (1, 2, [1 2])
%!error <pagelsqminnorm> lsqminnorm (ones (2, 2, 2), [1; 2])
