## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{Y} =} pagefun (@var{f}, @var{A})
## @deftypefnx {} {@var{Y} =} pagefun (@var{f}, @var{A}, @var{B})
## The results of the function @var{f} for each page of @var{A}, or of @var{A} and @var{B}:
## @code{Y(:,:,k) = f (A(:,:,k), B(:,:,k))}.
##
## @example
## @group
## pagefun (@@mtimes, cat (3, 2, 3), [1, 1])
##   @result{} cat (3, [2, 2], [3, 3])
## @end group
## @end example
##
## Further dimensions of 1 are repeated.  @code{@@mtimes}, @code{@@mldivide}, @code{@@mrdivide},
## @code{@@inv}, @code{@@pinv}, @code{@@norm}, @code{@@transpose}, @code{@@ctranspose}, @code{@@eig} and
## @code{@@svd} are @code{pagemtimes}, @code{pagemldivide} and so on; any other @var{f} is called for one
## page after the other.
##
## @seealso{pagemtimes, pagemldivide, pageinv, arrayfun}
## @end deftypefn

function varargout = pagefun (f, varargin)

  if (nargin < 2 || ! (is_function_handle (f) || ischar (f)))
    print_usage ();
  endif
  name = f;
  if (is_function_handle (f))
    name = func2str (f);
  endif
  of_pages = {"mtimes", "mldivide", "mrdivide", "inv", "pinv", "norm", "transpose", "ctranspose", "eig", "svd"};
  if (any (strcmp (name, of_pages)))
    [varargout{1:max (nargout, 1)}] = feval (["page", name], varargin{:});
  elseif (nargin < 4 && nargout < 2)
    varargout{1} = __pages__ (@(varargin) feval (f, varargin{:}), varargin{:});
  else
    error ("Octave:invalid-fun-call", "pagefun: a function of two arrays with one result, or one of @%s", strjoin (of_pages, ", @"));
  endif

endfunction

%!test
%! A = reshape (sin ((1:54) .^ 2), 3, 3, 3, 2);
%! B = reshape (cos (1:18), 3, 2, 3);
%! for on = {@(x) x, @gpuArray}
%!   a = on{1} (A);
%!   b = on{1} (B);
%!   for f = {@mtimes, @mldivide, @(x, y) x * y + 1}
%!     Y = gather (pagefun (f{1}, a, b));
%!     assert (Y(:,:,2,2), f{1} (A(:,:,2,2), B(:,:,2)), 1e-12);
%!   endfor
%!   for f = {@inv, @pinv, @transpose, @ctranspose, @(x) x(1:2,:), @det}
%!     Y = gather (pagefun (f{1}, a));
%!     assert (Y(:,:,3,2), f{1} (A(:,:,3,2)), 1e-12);
%!   endfor
%!   Y = gather (pagefun (@mrdivide, pagetranspose (b), a));
%!   assert (Y(:,:,2,2), B(:,:,2)' / A(:,:,2,2), 1e-12);
%!   assert (gather (pagefun (@plus, a, 1)), A + 1);
%!   [U, S, V] = pagefun (@svd, a);
%!   assert (gather (U(:,:,4) * S(:,:,4) * V(:,:,4)'), A(:,:,4), 1e-12);
%! endfor
%!error <Invalid call> pagefun (@mtimes)
%!error <Invalid call> pagefun (1, 2)
%!error <one result> pagefun (@plus, 1, 2, 3)
