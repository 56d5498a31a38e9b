## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} pagemrdivide (@var{B}, @var{A})
## Solutions of systems for each page, @code{X(:,:,k) = B(:,:,k) / A(:,:,k)}.
##
## @example
## @group
## pagemrdivide ([8, 3], cat (3, [2, 0; 0, 1], [4, 0; 0, 1]))
##   @result{} cat (3, [4, 3], [2, 3])
## @end group
## @end example
##
## Further dimensions of 1 are repeated.
##
## @seealso{gpu_array, pagemldivide, pageinv}
## @end deftypefn

function X = pagemrdivide (B, A)

  if (nargin != 2)
    print_usage ();
  endif
  X = __pages__ (@mrdivide, B, A);

endfunction

%!test
%! A = reshape (sin ((1:54) .^ 2), 3, 3, 3, 2);
%! B = reshape (1:12, 2, 3, 1, 2);
%! for X = {pagemrdivide(B, A), gather(pagemrdivide (gpu_array (B), A)), gather(pagemrdivide (B, gpu_array (A)))}
%!   assert (size (X{1}), [2 3 3 2]);
%!   assert (X{1}(:,:,2,2), B(:,:,1,2) / A(:,:,2,2), 1e-12);
%! endfor
%! C = randn (130) + 20 * eye (130);
%! assert (gather (pagemrdivide (gpu_array (ones (1, 130)), cat (3, C, 2 * C)))(:,:,2), ones (1, 130) / (2 * C), 1e-12);
%!error <Invalid call> pagemrdivide (1)
