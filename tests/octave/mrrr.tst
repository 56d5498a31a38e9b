## gpu_mrrr in Octave: against eig, across forms, classes, parts and methods.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function check_pairs (A, V, lambda)
%!  n = rows (A);
%!  unit = n * eps (class (V));
%!  A = double (full (A));
%!  V = double (V);
%!  lambda = double (lambda);
%!  assert (norm (A*V - V .* lambda.', 1) <= 10 * unit * norm (A, 1));
%!  assert (norm (V'*V - eye (columns (V)), 1) <= 10 * unit);
%!  assert (issorted (lambda));
%!endfunction

## All forms of one matrix give the same bits.
%!test
%! n = 150;
%! d = cos ((1:n)');
%! e = sin (3 * (1:n-1)');
%! T = diag (d) + diag (e, 1) + diag (e, -1);
%! for class = {"double", "single"}
%!   [V, lambda] = gpu_mrrr (cast (d, class{1}), cast (e, class{1}), "vector");
%!   check_pairs (cast (T, class{1}), V, lambda);
%!   [V2, lambda2] = gpu_mrrr (cast (T, class{1}), "vector");
%!   assert (V2, V);
%!   assert (lambda2, lambda);
%! endfor
%! [V3, lambda3] = gpu_mrrr (sparse (T), "vector");
%! [V, lambda] = gpu_mrrr (d', e', "vector");
%! assert (V3, V);
%! assert (lambda3, lambda);
%! assert (lambda, eig (T), 10 * n * eps * norm (T, 1));

## Hermitian tridiagonal matrices, with zeros off the diagonal too.
%!test
%! for n = [2 3 40]
%!   e = exp (1i * (1:n-1).^2) .* (mod (1:n-1, 5) > 0);
%!   H = diag (cos (1:n)) + diag (e, -1) + diag (conj (e), 1);
%!   for A = {H, single(H), sparse(H)}
%!     [V, lambda] = gpu_mrrr (A{1}, "vector");
%!     check_pairs (A{1}, V, lambda);
%!   endfor
%! endfor

## Dense matrices, all classes, whole and in parts; pages.
%!test
%! for n = [3 10 61]
%!   for complex_too = [false true]
%!     A = randn (n) + complex_too * 1i * randn (n);
%!     A += A';
%!     for class = {"double", "single"}
%!       B = cast (A, class{1});
%!       [V, lambda] = gpu_mrrr (B, "vector");
%!       check_pairs (B, V, lambda);
%!       [V, part] = gpu_mrrr (B, "vector", "Index", [2 3]);
%!       assert (part, lambda(2:3), 10 * n * eps (class{1}) * norm (B, 1));
%!       check_pairs_of = norm (double (B * V - V .* part.'), 1);
%!       assert (check_pairs_of <= 10 * n * eps (class{1}) * norm (B, 1));
%!       middle = mean (lambda(1:2));
%!       [V, part] = gpu_mrrr (B, "vector", "Range", [middle, Inf]);
%!       assert (numel (part), n - 1);
%!     endfor
%!   endfor
%! endfor
%! P = randn (6, 6, 2, 2);
%! P += permute (P, [2 1 3 4]);
%! [V, lambda] = gpu_mrrr (P, "vector", "Index", [1 4]);
%! assert (size (V), [6 4 2 2]);
%! assert (size (lambda), [4 1 2 2]);

## Matrices for which LAPACK's MRRR fails: pairs of eigenvalues that agree to all
## digits, glued matrices.
%!test
%! n = 1200;
%! k = (0:n-1)';
%! d = abs (mod (k, 21) - 10);
%! for glue = [1e-2 1e-7 1e-14]
%!   e = ones (n - 1, 1);
%!   e(21:21:end) = glue;
%!   [V, lambda, ~, info] = gpu_mrrr (d, e, "vector");
%!   check_pairs (spdiags ([[e; 0], d, [0; e]], -1:1, n, n), V, lambda);
%!   assert (info.fallbacks <= 5);
%! endfor

## A result larger than the memory of the machine is an error before any allocation,
## also if the kernel overcommits memory.
%!test
%! [~, ~] = __gpueig__ ("testing", "allocation", 0);
%! try
%!   [V, D] = gpu_mrrr (4*ones (3e6, 1), ones (3e6-1, 1));
%!   id = "";
%! catch err
%!   id = err.identifier;
%! end_try_catch
%! assert (id, "gpueig:out-of-memory");
%! assert (! isempty (regexp (err.message, "MiB needed for .* MiB available")));
%! [~, allocations] = __gpueig__ ("testing", "allocation", 0);
%! assert (allocations <= 1, "%d allocations", allocations);
