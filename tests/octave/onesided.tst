## gpu_onesided_eig on large pages with few distinct elements, and at all scales.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function A = stack (n, pages, class, is_complex)
%!  A = randn (n, n, pages, class);
%!  if (is_complex)
%!    A = complex (A, randn (n, n, pages, class));
%!  endif
%!  A = A + conj (permute (A, [2, 1, 3]));
%!endfunction

## Large pages, among them some with few distinct elements: cuSOLVER's vectors of
## those are not orthogonal.
%!test
%! randn ("twister", test_seed (4));
%! for is_complex = [false, true]
%!   for n = [130 200 300]
%!     A = stack (n, 12, "double", is_complex);
%!     A(:,:,2) = ones (n);
%!     A(:,:,4) = 0;
%!     A(:,:,5) = fliplr (eye (n));
%!     A(:,:,7) = A(:,:,1) * A(:,:,1)';
%!     A(:,:,8) = 1e-290 * A(:,:,1);
%!     A(:,:,9) = round (A(:,:,9) / 4);
%!     A(:,:,7) = (A(:,:,7) + A(:,:,7)') / 2;
%!     [V, lambda] = gpu_onesided_eig (A, "vector");
%!     for p = 1:12
%!       unit = 10 * n * eps ();
%!       a = A(:,:,p);
%!       assert (norm (a*V(:,:,p) - V(:,:,p) .* lambda(:,1,p).', 1)
%!               <= unit * norm (a, 1));
%!       assert (norm (V(:,:,p)'*V(:,:,p) - eye (n), 1) <= unit);
%!     endfor
%!     for p = [1 2 6]
%!       assert (lambda(:,1,p), eig (A(:,:,p)), unit * norm (A(:,:,p), 1));
%!     endfor
%!   endfor
%! endfor

## Scaling by a power of two scales the eigenvalues and keeps the vectors' bits.
%!test
%! A = stack (10, 12, "double", false);
%! [V, lambda] = gpu_onesided_eig (A, "vector");
%! for k = [-900 -3 4 900]
%!   [V2, lambda2] = gpu_onesided_eig (A * 2^k, "vector");
%!   assert (V2, V);
%!   assert (lambda2, lambda * 2^k);
%! endfor
