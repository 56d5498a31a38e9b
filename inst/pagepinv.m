## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{Y} =} pagepinv (@var{X})
## @deftypefnx {} {@var{Y} =} pagepinv (@var{X}, @var{tol})
## Pseudoinverses of the pages of @var{X}, @code{Y(:,:,k) = pinv (X(:,:,k), tol)}.
##
## @example
## @group
## pagepinv (cat (3, [2, 0; 0, 0], [4, 0; 0, 1]))(1,1,:)
##   @result{} cat (3, 0.5, 0.25)
## @end group
## @end example
##
## This is @code{gpu_pinv}.
##
## @seealso{gpu_pinv, pageinv}
## @end deftypefn

function Y = pagepinv (X, varargin)

  if (nargin < 1 || nargin > 2)
    print_usage ();
  endif
  Y = gpu_pinv (X, varargin{:});

endfunction

%!test
%! X = reshape (sin ((1:36) .^ 2), 3, 2, 3, 2);
%! for Y = {pagepinv(X), gather(pagepinv (gpu_array (X))), pagepinv(X, 1e-10)}
%!   assert (size (Y{1}), [2 3 3 2]);
%!   assert (Y{1}(:,:,5), pinv (X(:,:,5)), 1e-12);
%! endfor
%!error <Invalid call> pagepinv ()
%!error <Invalid call> pagepinv (1, 2, 3)
