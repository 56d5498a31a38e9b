## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} pagemldivide (@var{A}, @var{B})
## Solutions of systems of linear equations, @code{X(:,:,k) = A(:,:,k) \ B(:,:,k)}.
##
## @example
## @group
## pagemldivide (cat (3, [2, 0; 0, 1], [4, 0; 0, 1]), [8; 3])
##   @result{} cat (3, [4; 3], [2; 3])
## @end group
## @end example
##
## Further dimensions of 1 are repeated.
##
## @seealso{gpu_array, pagemtimes, pageinv}
## @end deftypefn

function X = pagemldivide (A, B)

  if (nargin != 2)
    print_usage ();
  endif
  X = __pages__ (@mldivide, A, B);

endfunction

%!test
%! A = reshape (sin ((1:54) .^ 2), 3, 3, 3, 2);
%! B = reshape (1:12, 3, 2, 1, 2);
%! for X = {pagemldivide(A, B), gather(pagemldivide (gpu_array (A), B)), gather(pagemldivide (A, gpu_array (B)))}
%!   assert (size (X{1}), [3 2 3 2]);
%!   assert (X{1}(:,:,2,2), A(:,:,2,2) \ B(:,:,1,2), 1e-12);
%! endfor
%! assert (size (pagemldivide (zeros (2, 2, 0), ones (2, 3))), [2 3 0]);
%! S = sparse ([2, 1; 0, 4]);
%! assert (pagemldivide (S, ones (2, 1, 3))(:,:,3), S \ [1; 1], eps);
%! assert (pageinv (S), inv (S));
%!error <Invalid call> pagemldivide (1)
%!error <nonconformant> pagemldivide (ones (2, 2, 3), ones (2, 1, 2))
