## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} pagelsqminnorm (@var{A}, @var{B})
## @deftypefnx {} {@var{X} =} pagelsqminnorm (@var{A}, @var{B}, @var{tol})
## @deftypefnx {} {@var{X} =} pagelsqminnorm (@dots{}, @var{rankWarn})
## The least-squares solutions of minimum norm of @code{A(:,:,k)*X(:,:,k) = B(:,:,k)}, as by
## @code{lsqminnorm}, which see for @var{tol} and @var{rankWarn}.
##
## @example
## @group
## pagelsqminnorm (cat (3, [1, 1], [2, 0]), 4)
##   @result{} cat (3, [2; 2], [2; 0])
## @end group
## @end example
##
## Further dimensions of 1 are repeated; without @var{tol} each page has its own.
##
## @seealso{lsqminnorm, pagepinv, pagemldivide}
## @end deftypefn

function X = pagelsqminnorm (A, B, varargin)

  if (nargin < 2 || nargin > 4)
    print_usage ();
  endif
  X = __least_norm__ ("pagelsqminnorm", A, B, varargin{:});

endfunction

%!test
%! A = reshape (sin ((1:72) .^ 2), 4, 3, 3, 2);
%! A(:,3,2,1) = A(:,1,2,1);
%! A(:,:,3,2) = 0;
%! B = reshape (cos (1:24), 4, 2, 3);
%! for X = {pagelsqminnorm(A, B), gather(pagelsqminnorm (gpu_array (A), B)), gather(pagelsqminnorm (A, gpu_array (B)))}
%!   assert (size (X{1}), [3, 2, 3, 2]);
%!   for p = 1:6
%!     assert (X{1}(:,:,p), lsqminnorm (A(:,:,p), B(:,:,mod(p-1,3)+1)), 1e-12);
%!   endfor
%! endfor
%! assert (size (pagelsqminnorm (zeros (2, 3, 0), ones (2, 1))), [3, 1, 0]);
%!warning id=gpueig:rank-deficient pagelsqminnorm (cat (3, eye (2), ones (2)), [1; 2], "warn");
%!error <Invalid call> pagelsqminnorm (1)
%!error <nonconformant> pagelsqminnorm (ones (2, 2, 3), ones (2, 1, 2))
