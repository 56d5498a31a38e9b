## Claims: see pairs.m.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! [failures, calls] = pairs ();
%! report_count ("calls with pairs of argument classes", calls);
%! assert (isempty (failures), "%s", strjoin (failures, "\n"));
%! assert (calls > 2000);

## Indefinite A, and a diagonal of B over 1e32: where Newton's method does not make the
## errors small another solver of pairs follows.
%!function e = largest_error (A, B, V, lambda)
%!  sizes = (norm (A, 1) + abs (lambda') * norm (B, 1)) .* sum (abs (V), 1);
%!  e = max (sum (abs (A*V - B*V .* lambda'), 1) ./ sizes) / (rows (A) * eps);
%!endfunction

%!test
%! warning ("off", "gpueig:fallback", "local");
%! state = {rand("twister"), randn("twister")};
%! unwind_protect
%!   rand ("twister", test_seed (5));  randn ("twister", test_seed (5));
%!   count = 24 * (1 + 40 * ! isempty (getenv ("GPUEIG_TEST_LONG")));
%!   for k = 1:count
%!     n = 8 + ceil (30 * rand ());
%!     i = 1i * (rand () < 0.3);
%!     A = randn (n) + i * randn (n);
%!     A += A';
%!     s = 10 .^ (8 * (2 * rand (n, 1) - 1));
%!     M = randn (n) + i * randn (n);
%!     B = s .* (M * M' + n * eye (n)) .* s';
%!     B = (B + B') / 2;
%!     B(1:n+1:end) = real (diag (B));
%!     [V, lambda, ~, info] = gpu_jacobi_eig (A, B, "vector", "Accuracy", {"normal", "high"}{1 + mod (k, 2)});
%!     e = largest_error (A, B, V, lambda);
%!     assert (e < 10 && info.converged, "case %d, order %d: error %g n eps", k, n, e);
%!   endfor
%! unwind_protect_cleanup
%!   rand ("twister", state{1});  randn ("twister", state{2});
%! end_unwind_protect

## B positive definite by one factorization and not by another: the general problem is
## solved, also for one page of a stack.
%!test
%! A = diag (mod (0:12, 5) - 2);
%! alone = gpu_eig (A, hilb (13), "Backend", "auto");
%! both = gpu_eig (cat (3, A, A), cat (3, hilb (13), eye (13)), "Backend", "auto");
%! assert (numel (alone), 13);
%! assert (sort (real (both(:,1,2))), sort (diag (A)), 1e-13);
