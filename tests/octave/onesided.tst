## Interface tests of gpu_onesided_eig across functions.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## A stack and its pages one by one agree, for every class.
%!function A = stack (n, pages, class, is_complex)
%!  A = randn (n, n, pages, class);
%!  if (is_complex)
%!    A = complex (A, randn (n, n, pages, class));
%!  endif
%!  A = A + conj (permute (A, [2, 1, 3]));
%!endfunction

%!test
%! randn ("twister", test_seed (3));
%! for is_complex = [false, true]
%!   for class = {"double", "single"}
%!     for n = [1 2 5 8 17 33 66]
%!       A = stack (n, 9, class{1}, is_complex);
%!       [V, lambda] = gpu_onesided_eig (A, "vector");
%!       for p = 1:9
%!         unit = 10 * n * eps (class{1});
%!         a = A(:,:,p);
%!         assert (norm (a*V(:,:,p) - V(:,:,p) .* lambda(:,1,p).', 1)
%!                 <= unit * norm (a, 1));
%!         assert (norm (V(:,:,p)'*V(:,:,p) - eye (n), 1) <= unit);
%!         assert (lambda(:,1,p), gpu_eig (a), unit * norm (a, 1));
%!       endfor
%!     endfor
%!   endfor
%! endfor

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

## gpu_eig and gpu_onesided_eig agree on stacks.
%!test
%! A = stack (12, 30, "double", true);
%! assert (gpu_onesided_eig (A), gpu_eig (A), 1e-12);

## Every eigenvalue of a graded matrix, where eig finds one digit or none: the
## Cholesky factor of A = D*B*D with a tridiagonal B gives exact determinants.
%!test
%! n = 12;
%! B = eye (n) + 0.3 * (diag (ones (n-1, 1), 1) + diag (ones (n-1, 1), -1));
%! d = 2 .^ -(0:5:5*(n-1))';
%! A = B .* (d * d');
%! lambda = gpu_onesided_eig (A, "Accuracy", "high");
%! exact = sum (2 * log (d)) + log (det (B));
%! assert (sum (log (lambda)), exact, 1e-13 * abs (exact));
%! assert (all (diff (lambda) > 0));

## Scaling by a power of two scales the eigenvalues and keeps the vectors' bits.
%!test
%! A = stack (10, 12, "double", false);
%! [V, lambda] = gpu_onesided_eig (A, "vector");
%! for k = [-900 -3 4 900]
%!   [V2, lambda2] = gpu_onesided_eig (A * 2^k, "vector");
%!   assert (V2, V);
%!   assert (lambda2, lambda * 2^k);
%! endfor

## Display prints a line per sweep and changes nothing.
%!test
%! A = stack (70, 1, "double", false);
%! text = evalc ("gpu_onesided_eig (A, \"Display\", \"iter\", \"Method\", \"hestenes\", \"Backend\", \"cpu\");");
%! assert (! isempty (strfind (text, "largest cosine")));
