## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} pagenorm (@var{X})
## @deftypefnx {} {@var{r} =} pagenorm (@var{X}, @var{p})
## Norms of the pages of @var{X}, @code{r(1,1,k) = norm (X(:,:,k), p)}.
##
## @example
## @group
## pagenorm (cat (3, [3, 4], [6, 8]))
##   @result{} cat (3, 5, 10)
## @end group
## @end example
##
## @seealso{gpu_array, gpu_svd}
## @end deftypefn

function r = pagenorm (X, varargin)

  if (nargin < 1 || nargin > 2)
    print_usage ();
  endif
  r = __pages__ (@(x) norm_of_page (x, varargin{:}), X);

endfunction

## Octave's 2-norm of a matrix with NaN is an error in LAPACK.
function r = norm_of_page (x, p = 2)

  if (isequal (p, 2) && ! isvector (x) && ! all (isfinite (x(:))))
    r = NaN (class (x(1)));
  else
    r = norm (x, p);
  endif

endfunction

%!test
%! X = reshape (sin ((1:54) .^ 2), 3, 3, 3, 2);
%! for p = {{}, {1}, {"fro"}}
%!   for r = {pagenorm(X, p{1}{:}), gather(pagenorm (gpu_array (X), p{1}{:}))}
%!     assert (size (r{1}), [1 1 3 2]);
%!     assert (r{1}(5), norm (X(:,:,5), p{1}{:}), 1e-14);
%!   endfor
%! endfor
%! X(2,2,4) = NaN;
%! for r = {pagenorm(X), gather(pagenorm (gpu_array (X)))}
%!   assert (isnan (r{1}(:))', (1:6) == 4);
%! endfor
%! assert (class (pagenorm (single (X))), "single");
%!error <Invalid call> pagenorm ()
