## Claims about gpu_complex_eig that need more than one call: triangular
## and defective pages, balancing, "Display", counts in info.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function r = ratio (A, V, lambda)
%!  r = norm (A*V - V .* lambda(:).', 1) / (norm (A, 1) * norm (V, 1) * rows (A) * eps (class (A)));
%!endfunction

%!function A = stack (n, pages)
%!  A = reshape (sin ((1:n*n*pages) .^ 2) + 1i * cos ((1:n*n*pages) .^ 1.5), n, n, pages);
%!endfunction

## One matrix, for evalc.
%!function A = stack_of_one ()
%!  A = sin ((1:12)' .^ 2 * (1:12)) + 1i * cos ((1:12)' * (1:12) .^ 2);
%!endfunction

## Triangular pages: eigenvalues and vectors however small they are.
%!test
%! A = [1 0 0; 0 1e-18 1e-18; 0 0 2e-18];
%! for f = {@(x) x, @(x) x.', @single, @(x) complex (x, 0)}
%!   B = f{1} (A);
%!   for pages = [1 8]
%!     [V, lambda] = gpu_complex_eig (repmat (B, [1 1 pages]), "vector", "Method", "shroff");
%!     assert (double (lambda(:,end)), [1e-18; 2e-18; 1], -eps ("single"));
%!     error = B * V(:,1:2,end) - V(:,1:2,end) .* lambda(1:2,1,end).';
%!     assert (norm (error, 1) < 1e-24);
%!     assert (gpu_complex_eig (repmat (B, [1 1 pages]), "Method", "shroff"), lambda);
%!   endfor
%! endfor

## Defective pages whose pairs have small residuals: the eigenvalues sum to the trace.
%!test
%! warning ("off", "gpueig:fallback", "local");
%! saved = randn ("twister");
%! randn ("twister", test_seed (3));
%! for k = 1:80
%!   n = 3 + mod (k, 8);
%!   J = diag (randn (n, 1));
%!   J(1:2,1:2) = [1 1; 0 1];
%!   [Q, ~] = qr (randn (n));
%!   A = repmat (Q * J * Q', [1 1 9]);
%!   unit = n * eps * norm (A(:,:,1), 1);
%!   lambda = gpu_complex_eig (A, "Method", "shroff");
%!   assert (abs (sum (lambda(:,1,9)) - trace (A(:,:,9))) < 100 * unit);
%!   [~, lambda] = gpu_complex_eig (A(:,:,1), "vector", "Method", "shroff");
%!   assert (abs (sum (lambda) - trace (A(:,:,1))) < 100 * unit);
%! endfor
%! randn ("twister", saved);

## A badly scaled matrix: balanced or not, the residual is small; balanced the
## small eigenvalues are right.
%!test
%! d = 10 .^ [-8 -4 0 4 8];
%! B = [5 1 0 1 0; 1 4 1 0 1; 0 1 3 1 0; 1 0 2 2 1; 0 1 0 1 1];
%! A = diag (d) * B * diag (1 ./ d);
%! [V, lambda] = gpu_complex_eig (A, "vector", "Method", "shroff");
%! assert (ratio (A, V, lambda) < 20);
%! assert (lambda, gpu_complex_eig (B), 1e-12);
%! [V, lambda] = gpu_complex_eig (A, "vector", "Method", "shroff", "nobalance");
%! assert (ratio (A, V, lambda) < 20);

## fallback_pages counts; other pages stay as they are without the bad one.
%!test
%! warning ("off", "gpueig:fallback", "local");
%! A = stack (8, 12);
%! [V0, ~] = gpu_complex_eig (A, "Method", "shroff");
%! A(:,:,3) = diag (ones (1, 7), 1);
%! [V, ~, ~, info] = gpu_complex_eig (A, "Method", "shroff");
%! assert (info.fallback_pages, 1);
%! assert (info.fallback, "geev");
%! assert (V(:,:,[1:2 4:12]), V0(:,:,[1:2 4:12]));

## One line per sweep.
%!test
%! text = evalc ("[~, ~, ~, info] = gpu_complex_eig (stack_of_one (), \"Method\", \"shroff\", \"Display\", \"iter\", \"Backend\", \"cpu\");");
%! assert (numel (strfind (text, "sweep ")) >= 5);
%! assert (! isempty (regexp (text, "off [0-9.]+e-")));
