## Claims about gpu_complex_eig that need more than one call: triangular pages, "Display",
## counts in info; defective and badly scaled ones: test_accuracy.c, test_general_hard.c.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

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
