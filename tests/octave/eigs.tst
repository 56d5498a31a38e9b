## Claims: gpu_eigs and gpu_svds find every copy of multiple and clustered eigenvalues, and no other ones:
## Laplacians of squares and cubes, graphs of many components, Wilkinson's matrix, multiples of the identity,
## eigenvalues at small distances, which a polynomial of the matrix separates;
## eigenvalues of general matrices are those of eig, all residuals and angles are small.  Data on
## a GPU, a simulated one if there is none, has the results of host memory.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function list = symmetric_problems ()
%!  path = @(n) gallery ("tridiag", n);
%!  square = @(n) kron (path (n), speye (n)) + kron (speye (n), path (n));
%!  cube = @(n) kron (square (n), speye (n)) + kron (speye (n^2), path (n));
%!  cliques = kron (speye (50), sparse (ones (8) - eye (8)));
%!  cliques = diag (sum (cliques)) - cliques;
%!  n = 601;
%!  wilkinson = spdiags ([ones(n, 1), abs((1:n)' - 301), ones(n, 1)], -1:1, n, n);
%!  ring = gallery ("tridiag", 400);
%!  ring([400, 160000-399]) = -1;
%!  disorder = square (21) + spdiags (4 * sin ((1:441)' .^ 2), 0, 441, 441);
%!  list = {square(19), 8; cube(7), 20; cube(7) + 1e-9 * spdiags(sin ((1:343)'), 0, 343, 343), 14; cliques, 55; wilkinson, 12; ...
%!          3 * speye(400), 9; sparse(400, 400), 5; ring, 6; disorder, 6; full(square(18)), 8; ...
%!          square(18) + 1i * gallery("tridiag", 324, -1, 0, 1), 6; spdiags(double ((1:400)' > 380), 0, 400, 400), 25};
%!endfunction

## Both ends and the inside, with multiplicities 2, 3, 6, 8, 50 and more.
%!test
%! worst = turn = 0;
%! list = symmetric_problems ()';
%! if (strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
%!   list = list(:,1:3:end);   # its small dense problems take longer there
%! endif
%! for problem = list
%!   [A, k] = problem{:};
%!   all = eig (full (A));
%!   sigmas = {"la", "sm", full(A(1,1)), "sa", "lm", 2.9};
%!   if (isempty (getenv ("GPUEIG_TEST_LONG")))
%!     turn += 1;
%!     sigmas = sigmas([1, 2] + 2 * mod (turn, 3));
%!   endif
%!   for sigma = sigmas
%!     name = sprintf ("%d of %d", k, rows (A));
%!     worst = max (worst, eigs_ratio (name, A, [], k, sigma{1}, all, ones (size (all))));
%!   endfor
%! endfor
%! printf ("largest ratio of symmetric problems: %.3f\n", worst);

## One block of one column would miss copies: those of a projection, at each end.
%!test
%! for k = [1, 30]
%!   A = spdiags ([2 * ones(30, 1); sin((1:470)')], 0, 500, 500);
%!   assert (gpu_eigs (A, k), 2 * ones (k, 1), 1e-13);
%!   assert (gpu_eigs (-A, k, "sa"), -2 * ones (k, 1), 1e-13);
%! endfor

## General matrices: eigenvalues of eig, in pairs.
%!test
%! n = 350;
%! x = (1:n)';
%! S = spdiags (sin (x * (1:9)), [-90, -31, -7, -1, 0, 1, 5, 60, 200], n, n);
%! random_walk = spdiags (1 ./ sum (abs (S), 2), 0, n, n) * abs (S);
%! list = {S, full(S), S + 1i * S', random_walk, gallery("tridiag", n, -1, 2, -1.02), S + 5 * speye(n), blkdiag(S(1:175,1:175), S(1:175,1:175))};
%! if (strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
%!   list = list(1:3:end);
%! endif
%! worst = turn = 0;
%! for A = list
%!   A = A{1};
%!   [~, D, c] = condeig (full (A));
%!   c(! (c < 1e10)) = Inf;  # those of eig are no better
%!   sigmas = {"lm", 0.51, "lr", "sm", "sr", 0.3 + 1i};
%!   turn += 1;
%!   if (isempty (getenv ("GPUEIG_TEST_LONG")))
%!     sigmas = sigmas(1 + mod (turn, 6));
%!   endif
%!   for sigma = sigmas
%!     worst = max (worst, eigs_ratio (sprintf ("matrix %d", turn), A, [], 6, sigma{1}, diag (D), c));
%!   endfor
%! endfor
%! printf ("largest ratio of general problems: %.3f\n", worst);

## Arrays: sparse, full and complex ones, both ways of the iteration.
%!function on_arrays ()
%! [p, q] = deal (gallery ("poisson", 18), gallery ("tridiag", 324, -1, 2, -1.02));
%! for A = {p, p + 1i * gallery("tridiag", 324, -1, 0, 1), full(q)}
%!   A = A{1};
%!   for sigma = {"lm", 1.7}
%!     want = gpu_eigs (A, 5, sigma{1});
%!     [V, D, flag] = eigs (gpu_array (A), 5, sigma{1});
%!     assert ({flag, isgpuarray(V), isgpuarray(D)}, {0, true, true});
%!     [V, D] = gather (V, D);
%!     assert (norm (sort (abs (diag (D))) - sort (abs (want)), Inf) <= 1e-9 * norm (A, 1));
%!     assert (norm (A * V - V * D) <= 500 * eps * norm (A, 1));
%!   endfor
%!   [U, S, V, flag] = svds (gpu_array (A), 4);
%!   assert (flag, 0);
%!   assert (norm (A * gather (V) - gather (U * S)) <= 500 * eps * norm (A, 1));
%! endfor
%! ## Plain matrices of order 5000 and more go to the GPU, and their results come back.
%! A = spdiags ([(1:5000)', ones(5000, 1)], [0, 4999], 5000, 5000);
%! [V, D] = gpu_eigs (A, 3);
%! assert (! isobject (V) && ! isobject (D));
%! assert (diag (D), [5000; 4999; 4998], 1e-8);
%! assert (! isobject (gpu_svds (A, 2)));
%!endfunction
%!test on_arrays ();
%!test on_gpu (@on_arrays);

## The state of the random numbers is left alone.
%!test
%! randn ("state", 3);
%! a = randn ();
%! randn ("state", 3);
%! gpu_eigs (gallery ("poisson", 18), 2);
%! assert (randn (), a);

## Results do not depend on the random numbers that ARPACK takes when Krylov spaces end.
%!test
%! levels = @(d) spdiags (d, 0, 400, 400);
%! for problem = {levels(kron ((1:4)', ones (100, 1))), 3; levels([4; 3; 2; zeros(397, 1)]), 9}'
%!   [V, D] = gpu_eigs (problem{:}, "la");
%!   [W, E] = gpu_eigs (problem{:}, "la");
%!   assert ({W, E}, {V, D});
%! endfor

## All copies next to a double eigenvalue at SIGMA, whose vectors are in all others as errors of the inverse.
%!test
%! [Q, ~] = qr (reshape (sin ((1:250000) .^ 2), 500, 500));
%! A = Q * diag ([5 5 5 4 4 -5 -5, zeros(1, 493)]) * Q';
%! A = (A + A') / 2;
%! for sigma = [4, 4.0001, eig(A)(end-3)]
%!   assert (gpu_eigs (A, 13, sigma), [5; 5; 5; 4; 4; zeros(8, 1)], 1e-12);
%! endfor

## SIGMA is exactly an eigenvalue, and others are so close that which of them are next to it depends on where the matrix is
## no longer singular.
%!test
%! for width = [1e-8, 1e-9, 1e-10]
%!   d = [1 + width * [0, -1, 2, -3, 4, -5, 6.5], linspace(2, 10, 593)]';
%!   d = gpu_eigs (spdiags (d, 0, 600, 600), 4, 1);
%!   assert (sort (d), 1 + width * [-3; -1; 0; 2], 1e-2 * width);
%! endfor

## Gaps of less than 1e-5 of the spectrum at one end and at both, with multiplicities and isolated eigenvalues.  Of
## matrices of order 4100 the dense solver takes nothing over.
%!test
%! n = 1500;
%! d = 1 - ((n - (1:n)') / n) .^ 2;
%! d([n-1, n-4]) = d([n, n-3]);
%! worst = 0;
%! for problem = {[d; 100; 100; 50], "la"; -d, "sa"; [d; -d(2:2:end)], "lm"}'
%!   [d, sigma] = problem{:};
%!   d = [d; 0.5 * sin((1:4100-numel(d))' .^ 2)];
%!   worst = max (worst, eigs_ratio ("close", spdiags (d, 0, 4100, 4100), [], 8, sigma, d, ones (4100, 1)));
%! endfor
%! printf ("largest ratio of close eigenvalues: %.3f\n", worst);

## gpu_svds: matrices with many zero singular values, more rows than columns or fewer, single ones and
## those whose squares leave the range.
%!test
%! randn ("twister", 3);
%! A = randn (310, 325);
%! B = A;
%! B(:,1:2:end) = 0;
%! matrices = {A, B, eye(310, 325), zeros(310, 325), A(:,1:3) * A(1:3,:), B + 1i * [B(2:end,:); B(1,:)]};
%! for k = 1:numel (matrices)
%!   M = matrices{k};
%!   s = svd (M);
%!   for sigma = {"L", 0, 0.3 * s(1)}
%!     [~, at] = sort (merge (ischar (sigma{1}), -s, abs (s - sigma{1}(1))));
%!     want = sort (s(at(1:3)), "descend");
%!     types = {@(x) x, 1; @sparse, 1; @(x) single (x'), 1; @(x) x' * 1e-200, 1e-200; @(x) sparse (x) * 1e200, 1e200};
%!     for type = types.'
%!       [X, scale] = deal (type{1} (M), type{2});
%!       c = sigma{1};
%!       if (! ischar (c)), c *= scale; endif
%!       [U, S, V, flag] = gpu_svds (X, 3, c);
%!       unit = 1e4 * eps (class (U)) * max (s(1), realmin);
%!       assert (flag, 0);
%!       assert (diag (S) / scale, cast (want, class (S)), unit);
%!       assert (full (norm (double (X) / scale * V - U * S / scale)) <= unit);
%!       assert (full (norm (double (X)' / scale * U - V * S / scale)) <= unit);
%!       assert ([U' * U, V' * V], [eye(3), eye(3)], 1e3 * eps (class (U)));
%!     endfor
%!   endfor
%! endfor
%! A = A(:,1:310);
%! assert (gpu_svds (@(x, word) 1e-200 * {A' * x, A * x}{1 + strcmp(word, "notransp")}, [310, 310], 2), 1e-200 * svd (A)(1:2), -1e-12);
