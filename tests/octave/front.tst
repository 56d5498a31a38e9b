## Claims about the front door, gpu_eig: badly scaled pairs are solved; parts of a spectrum that
## are empty or cannot be had; numbers that are not finite; eigenvalues of general matrices have
## the order of eig; and about single functions, at the end.  Stacks, parts, pairs, values without
## vectors: C tests.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Badly scaled pairs: a congruence by D leaves the eigenvalues.
%!test
%! s = @single;
%! ## LAPACK keeps the smallest eigenvalue; the accuracy of a GPU is that of the largest one.
%! pairs = {s(diag ([1e-14 1])), s(diag ([3e-14 1e30])), s([1e-30; 1/3]), 4;
%!          eye(2), diag([1e-10 1e305]), [1e-305; 1e10], 4;
%!          s([2 1; 1 2]), s(diag ([1e-20 1e20])), s([1.5e-20; 2e20]), 8};
%! for p = pairs.'
%!   [A, B, want, units] = p{:};
%!   [~, D, ~, info] = gpu_eig (A, B, "vector");
%!   for d = {gpu_eig(A, B), D}
%!     unit = merge (strcmp (info.backend, "cuda"), max (want), -1) * eps (class (A));
%!     assert (d{1}, want, units * unit);
%!   endfor
%! endfor
%! assert (gpu_eig (ones (2), diag ([1e-300 1e300])), [0; 1e300], 1e288);

## Small pairs with ill-conditioned B, whose eigenvalues are far apart and of both signs: residuals in
## units of n*eps*(|A| + |d| |B|)*|v|.
%!test
%! randn ("seed", 3);
%! worst = 0;
%! for n = [2 3 5]
%!   J = fliplr (eye (n));
%!   for A = {J, J - eye(n)/2, 1i*(triu (J, 1) - tril (J, -1)), J(:,1)*J(1,:)}
%!     A = (A{1} + A{1}') / 2;
%!     for c = 4:0.25:14.5
%!       [U, ~] = qr (randn (n) + 1i * randn (n) * iscomplex (A));
%!       B = U * diag (10 .^ linspace (0, -c, n)) * U';
%!       B = (B + B') / 2;
%!       [V, D] = gpu_eig (A, B);
%!       size = (norm (A) + abs (diag (D)') * norm (B)) .* norm (V, "columns");
%!       worst = max ([worst, norm(A*V - B*V*D, "columns") ./ size / (n * eps)]);
%!     endfor
%!   endfor
%! endfor
%! report_count ("residuals of small ill-conditioned pairs, of 1000", ceil (worst));
%! assert (worst < 1000);

## Units far apart, and eigenvalues: right and without a warning.
%!test
%! A = [1 2 1; 2 -1 1; 1 1 2];  B = [2 1 .5; 1 2 1; .5 1 3];
%! lastwarn ("");
%! for n = 2:3
%!   want = eig (A(1:n,1:n), B(1:n,1:n));
%!   for k = [10 79 80 81 120 140 150]
%!     d = 10 .^ [-k; k; 0](1:n);
%!     pair = {d .* A(1:n,1:n) .* d', d .* B(1:n,1:n) .* d'};
%!     for p = {pair, cellfun(@(x) cat (3, x, x), pair, "uniformoutput", false)}
%!       for f = {@gpu_eig, @(x, y) gpu_eig(x, y, "Accuracy", "high"), @gpu_jacobi_eig}
%!         assert (f{1} (p{1}{:})(:,:,end), want, 1e-13);
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! for sign = [1 -1]
%!   for f = {@gpu_eig, @(x, y) gpu_eig(x, y, "Accuracy", "high"), @gpu_jacobi_eig}
%!     assert (f{1} ([2 1; 1 2*sign], diag ([1e-200 1e200])), [2*sign - 0.5; 2] .* [1e-200; 1e200], -1e-15);
%!     assert (f{1} ([0 1; 1 0], diag ([1e-200 1e200])), [-1; 1], 1e-15);
%!     assert (f{1} ([2 1; 1 2*sign], diag ([1e-308 1e300])), [2*sign - 0.5; 2] .* [1e-300; Inf], -1e-15);
%!   endfor
%! endfor
%! if (! strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
%!   assert (lastwarn (), "");
%! endif

## A 2^EA, B 2^EB: the scaled eigenpairs, with Inf where eigenvalues are beyond the range.
%!test
%! x = (1:9)' * (1:9);
%! for type = {"double", "single"; 1000, 110; 1024, 128}
%!   big = [-1, 0, 1] * type{2};
%!   for A = {cos(x / 3), cos(x / 3) + 1i * (sin ((1:9)' * (1:9).^2) - sin ((1:9).^2' * (1:9)))}
%!     A = cast (A{1} + A{1}', type{1});
%!     B = cast (36 * eye (9) + cos (x), type{1});
%!     [V, lambda] = gpu_eig (A, B, "vector");
%!     for e = [kron(big, [1 1 1]), 30; repmat(big, 1, 3), -30]
%!       pair = {A * 2 ^ e(1), B * 2 ^ e(2)};
%!       [U, mu] = gpu_eig (pair{:}, "vector");
%!       if (e(1) - e(2) > type{3} + 10)
%!         assert (mu, sign (lambda) * Inf);
%!         assert (abs (U) * 2 ^ (e(2) / 2), abs (V), 900 * eps (type{1}));
%!       elseif (abs (e(1) - e(2)) < type{3})
%!         assert (mu * 2 ^ floor ((e(2) - e(1)) / 2) * 2 ^ ceil ((e(2) - e(1)) / 2), lambda, 90 * eps (type{1}) * max (abs (lambda)));
%!         assert (abs (U) * 2 ^ (e(2) / 2), abs (V), 900 * eps (type{1}));
%!       endif
%!     endfor
%!   endfor
%! endfor

%!test
%! [V, D] = gpu_eig (eye (3), "Range", [8, 9]);
%! assert ({size(V), size(D)}, {[3, 0], [0, 0]});

## Bounds are compared exactly with eigenvalues that are: of (vl, vu] vu alone belongs to it.
%!test
%! least = [-1e-290, -1e-153, -1e-30, -5e-324];
%! for d = {[0 1 2 3], [0 1 2 1e300], single([0 1 2 3]), [1e-300 1 2 3], [-1e-310 -1e-300 0 1e-290]}
%!   d = d{1};
%!   s = sort (d).';
%!   bounds = unique (double ([least, -least, 0, d, -Inf, Inf]));
%!   for vl = bounds
%!     for vu = bounds(bounds > vl)
%!       want = double (s(s > vl & s <= vu));
%!       for f = {@() gpu_eig(diag (d), "Range", [vl vu]), @() gpu_mrrr(d, [0 0 0], "Range", [vl vu]), ...
%!                @() gpu_eig(diag (d), eye (4), "Range", [vl vu])}
%!         assert (double (f{1} ()), want, -4 * eps (class (d)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## Large matrices with small elements are not scaled down so far that small eigenvalues lose digits.
%!testif ; ! strcmp (getenv ("GPUEIG_BACKEND"), "cuda")
%! for r = {[-6.4341e7 -2.2729e5 -3236.7 -.15059 4.7316e-7 276.18 1661.8], [-3.6958e6 -3.2222e-8 1.1405e-3 2.8146e6]}
%!   A = compan (poly (r{1}));
%!   assert (gpu_eig (A), eig (A), -1e-13);
%! endfor

## Small eigenvalues that are products of elements over the largest one, at both ends of the range.
%!test
%! for e = [0 130 138 140 300]
%!   for d = [100 140 150](1:2+(e > 0))
%!     A = [-10^e, -10^(e-d); 10^(e-d), 0];
%!     assert (gpu_eig (A), [-10^e; -10^(e-2*d)], -8*eps);
%!   endfor
%! endfor

%!assert (gpu_eig ([], "Index", [1 1]), [])
%!assert (size (gpu_eig (zeros (3), "Range", [1, 2])), [0, 1])
%!assert (gpu_eig (eye (3), 2 * eye (3), "Range", [0, Inf]), [.5; .5; .5], eps)
%!error <parts? of the spectrum> gpu_eig ([1 2; 3 4], "Index", [1 1])
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], "Index", [1 1])
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], eye (2), "Range", [0 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), [1 2; 3 4], "Range", [0 1])
%!error id=gpueig:not-definite gpu_eig (eye (2), -eye (2), "Index", [1 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), eye (2), "qz", "Index", [1 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Index", [1 3])
%!error id=gpueig:bad-option gpu_eig (eye (2), eye (2), "Index", [2 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Index", [1 2], "Range", [0 1])
%!error id=gpueig:bad-option gpu_eig (cat (3, eye (2), eye (2)), "Range", [0 1])
%!error id=gpueig:bad-option gpu_eig (cat (3, eye (2), eye (2)), cat (3, eye (2), eye (2)), "Range", [0 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Index", [1 1], "Method", "syevd")
%!error id=gpueig:nonfinite gpu_eig ([1 NaN; NaN 1], "Index", [1 1])
%!error <"Index" must be .il iu.> gpu_mrrr (eye (3), "Index", [0 1])
%!error <expected the name of an option> gpu_eig (eye (2), reshape ("device", 1, 3, 2), 0)
%!error <C must be a vector> gpu_tdinv (ones (1, 1, 2), ones (1, 3), ones (1, 2))
%!error <element .1, 3. is NaN> gpu_tdinv (sparse ([1, 1, 2, 3], [1, 3, 2, 3], [1, complex(1, NaN), 1, 1]))

## Numbers that are not finite are told before what a backend lacks.
%!test
%! for backend = {"auto", "cpu", "cuda"}
%!   for value = [NaN, Inf, -Inf]
%!     for pair = {{[1 2; 3 4], [1 0; 0 value]}, {[value 2; 3 4], eye(2)}, ...
%!                 {eye(2), [1 value; value 1]}, {single([1 2; 2 value]), eye(2)}, ...
%!                 {cat(3, eye (2), [1 2; 3 4]), cat(3, eye (2), [value 0; 0 1])}}
%!       id = "";
%!       try
%!         gpu_eig (pair{1}{:}, "Backend", backend{1});
%!       catch err
%!         id = err.identifier;
%!       end_try_catch
%!       assert (id, "gpueig:nonfinite");
%!     endfor
%!   endfor
%! endfor

## One page in the middle of a large stack is not symmetric, or not finite: found while the
## stack is solved, with the results of a small stack.
%!test
%! randn ("twister", test_seed (12));
%! A = randn (20, 20, 4000);
%! A += permute (A, [2, 1, 3]);
%! A(1,2,1234) += 1;
%! some = gpu_eig (A(:,:,1230:1240));
%! [V, lambda, W, info] = gpu_eig (A, "vector");
%! assert (info.method, "auto");
%! assert (lambda(:,:,1230:1240), some, 1000*eps);
%! assert (gpu_eig (A), lambda, 1000*eps);
%! for p = [1, 1234, 4000]
%!   X = V(:,:,p);
%!   assert (A(:,:,p) * X, X .* lambda(:,1,p).', 2000*eps);
%!   assert (A(:,:,p)' * W(:,:,p), W(:,:,p) .* lambda(:,1,p)', 2000*eps);
%! endfor
%! A(1,2,1234) = NaN;
%! fail ("gpu_eig (A)", "element \\(1, 2\\) of page 1234");
%! A(1,2,1234) = A(2,1,1234);
%! assert (isreal (gpu_eig (A)));

## One page of a large stack of general matrices needs scaling, or is not finite: found where
## the stack is solved, and the other pages have the same bits.
%!test
%! backends = {"cpu", "cuda"}(1:1 + ! isempty (gpu_info ().devices));
%! randn ("twister", test_seed (13));
%! A = randn (3, 3, 240000);
%! for f = {@gpu_eig, @gpu_complex_eig}
%!   for b = backends
%!     lambda = f{1} (A, "Backend", b{1});
%!     B = A;
%!     B(:,:,1234) *= 2 ^ 40;
%!     scaled = f{1} (B, "Backend", b{1});
%!     assert (sum (scaled(:,:,1234)), trace (B(:,:,1234)), 1e-13 * 2 ^ 40);
%!     scaled(:,:,1234) = lambda(:,:,1234);
%!     assert (isequal (scaled, lambda));
%!     B(2,1,1234) = NaN;
%!     fail ('f{1} (B, "Backend", b{1})', "element \\(2, 1\\) of page 1234");
%!   endfor
%! endfor

## General matrices of any scale: the order of eig, where rounding errors, which differ between
## versions of LAPACK, cannot move two eigenvalues past each other.
%!test
%! randn ("twister", test_seed (7));  rand ("twister", test_seed (7));
%! compared = 0;
%! for k = 1:1000
%!   n = randi ([2, 12]);
%!   A = randn (n) + 1i * (rand () < 0.5) * randn (n);
%!   A .*= {1, 10 .^ (10 * (rand (n, 1) - 0.5)), 10 .^ (-16 * (rand (n) < 0.3))}{randi (3)};
%!   A = {A * 10 ^ (250 * (2 * rand () - 1)), single(A * 10 ^ (20 * (2 * rand () - 1)))}{randi (2)};
%!   lambda = gpu_eig (A, "Backend", "cpu");
%!   [V, D, W] = gpu_eig (A, "Backend", "cpu", "vector");
%!   reference = eig (A);
%!   size_of = norm (A, 1);
%!   moved = 10 * n * eps (class (A)) * size_of / min (abs (sum (conj (W) .* V, 1)));
%!   gap = min (abs (reference - reference.' + diag (Inf (1, n)))(:));
%!   compared += moved < gap;
%!   assert (moved >= gap || max (abs ([lambda; D] - [reference; reference])) <= 1e-2 * size_of, "matrix %d", k);
%! endfor
%! assert (compared > 400, "%d compared", compared);

## Equal pairs of eigenvalues stay together; Hermitian pages have a real largest component.
%!test
%! backends = {"cpu", "cuda"}(1:1 + ! isempty (gpu_info ().devices));
%! randn ("twister", test_seed (6));
%! for b = backends
%!   for Q = {eye(2), orth(magic (4)(1:2,1:2))}
%!     A = kron (eye (3), Q{1} * [1, 2; -2, 1] / Q{1});
%!     for B = {A, cat(3, A, 2 * A, A', A, A)}
%!       for f = {@gpu_eig, @gpu_complex_eig}
%!         [~, lambda] = f{1} (B{1}, "Backend", b{1}, "vector");
%!         for l = {f{1}(B{1}, "Backend", b{1}), lambda}
%!           assert (sign (imag (l{1}(:,:))), repmat ([1; -1], 3, size (B{1}, 3)));
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%!   A = randn (6, 6, 50) + 1i * randn (6, 6, 50);
%!   [V, ~] = gpu_complex_eig (A + conj (permute (A, [2, 1, 3])), "Backend", b{1}, "vector");
%!   [~, at] = max (abs (V), [], 1);
%!   assert (imag (V(sub2ind (size (V), at(:)', kron (ones (1, 50), 1:6), kron (1:50, ones (1, 6))))), zeros (1, 300));
%! endfor

## B positive definite by one factorization and not by another: the general problem is
## solved, also for one page of a stack.
%!test
%! A = diag (mod (0:12, 5) - 2);
%! alone = gpu_eig (A, hilb (13), "Backend", "auto");
%! both = gpu_eig (cat (3, A, A), cat (3, hilb (13), eye (13)), "Backend", "auto");
%! assert (numel (alone), 13);
%! assert (sort (real (both(:,1,2))), sort (diag (A)), 1e-13);

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

## Vectors of eigenvalues far below eps times the norm are those of their block.
%!function list = general_solvers ()
%!  list = {"gpu_eig", "auto"; "gpu_eig", "qr"; "gpu_complex_eig", "auto"; "gpu_complex_eig", "qr"}.';
%!endfunction
%!test
%! warning ("off", "gpueig:fallback", "local");
%! randn ("twister", test_seed (3));
%! for f = general_solvers ()
%!   for n = [7, 12, 40, 150]
%!     for digits = [-(4:4:24), 40:40:240]
%!       type = {"double", "single"}{1 + (digits < 0)};
%!       small = 10 ^ -abs (digits);
%!       k = floor (n / 2)+1:n;
%!       X = triu (randn (n) + 1i * mod (digits / 4, 2) * randn (n), 1) + diag ([1:k(1)-1, 1:numel(k)]);
%!       A = cast (blkdiag (X(1:k(1)-1,1:k(1)-1), small * X(k,k)), type);
%!       B = double (A(k,k)) / small;
%!       for pages = [1, 9 * ones(1, n < 100)]
%!         [V, lambda, W] = feval (f{1}, repmat (A, [1, 1, pages]), "vector", "Method", f{2});
%!         tiny = find (abs (lambda(:,1,end)) < 2 * n * small);
%!         mu = double (lambda(tiny,1,end)) / small;
%!         [v, w] = deal (double (V(k,tiny,end)), double (W(k,tiny,end)));
%!         errors = [sum(abs (B * v - v .* mu.')) ./ sum(abs (v)), sum(abs (B' * w - w .* mu')) ./ sum(abs (w))];
%!         assert (numel (tiny) == numel (k) && all (errors <= 20 * n ^ 2 * eps (type)), ...
%!                 "%s, %s, order %d, %s, 1e-%d: %g", f{:}, n, type, abs (digits), max (errors) / (n ^ 2 * eps (type)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## Eigenvalues of matrices far from their balanced form are those of eig, also small ones, and vectors
## have small residuals, which LAPACK's do not.
%!testif ; ! strcmp (getenv ("GPUEIG_BACKEND"), "cuda")
%! for k = 1:60
%!   n = 3 + mod (k, 8);
%!   r = 10 .^ (8 * sin (k * (1:n) .^ 2)) .* sign (cos (k * (1:n)));
%!   A = compan (poly (r));
%!   m = 5 + 5 * mod (k, 7);
%!   B = sin (k * (1:m)' .^ 2 * (1:m)) .* 10 .^ (-16 * (mod ((3 * (1:m)' + k) .^ 2 * (1:m), 11) < 4));
%!   for X = {A, A.', complex(A, 0), B, B.', B + 1i * B.'}
%!     X = X{1};
%!     [V, lambda, W] = gpu_eig (X, "vector");
%!     assert (isequal (gpu_eig (X), lambda));
%!     want = eig (X);
%!     for x = lambda.'
%!       [distance, at] = min (abs (want - x));
%!       assert (distance <= 1e-6 * abs (x) || rows (X) > n && distance <= 1e-12 * norm (X));
%!       want(at) = Inf;
%!     endfor
%!     limit = 10 * rows (X) * eps * norm (X, 1);
%!     assert (norm (X * V - V .* lambda.', 1) <= limit && norm (X' * W - W .* lambda', 1) <= limit);
%!     assert (norm (V, "columns"), ones (1, rows (X)), 1e-13);
%!   endfor
%! endfor

## Vectors near Jordan blocks, without balancing, overflow in back-substitution.
%!test
%! for f = general_solvers ()
%!   for k = 2:2:40
%!     n = 8 + 8 * mod (k / 2, 5);
%!     A = eye (n) + diag (ones (n - 1, 1), 1);
%!     A(n,1) = 10 ^ -k;
%!     for B = {A, single(A), complex(A, 0), complex(single (A), 0)}
%!       [V, lambda, W] = feval (f{1}, B{1}, "vector", "Method", f{2}, "nobalance");
%!       [V, lambda, W, limit] = deal (double (V), double (lambda), double (W), 20 * n * eps (class (V)) * norm (A, 1));
%!       assert (norm (A * V - V .* lambda.', 1) <= limit * norm (V, 1) && norm (A' * W - W .* lambda', 1) <= limit * norm (W, 1));
%!     endfor
%!   endfor
%! endfor

## Badly scaled triangular matrices, of which LAPACK's eigenvalues are exact: relative errors.  The
## Jacobi-like method of a GPU is only backward stable.
%!test
%! spans = [33, -99; 39, -120; 25, -60; -40, -110; 10, -20; 60, 0; 431, -631; 431, -697; 458, -1000; -300, -1000];
%! for f = {"gpu_eig", "gpu_complex_eig"}(1:2 - strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
%!   for span = spans.'
%!     for n = [2, 5]
%!       d = 1.25 * 2 .^ (span(1) + fix ((span(2) - span(1)) * (0:n-1)' / (n - 1)));
%!       A = diag (d) + diag (max (d(1:end-1), d(2:end)), 1);
%!       for B = {A, complex(A, 0), single(A), complex(single (A), 0)}(1:4 - 2 * any (abs (span) > 200))
%!         [~, lambda] = feval (f{1}, B{1}, "vector");
%!         assert (sort (abs (lambda)), sort (cast (d, class (lambda))), -4 * eps (class (lambda)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## fallback_pages counts; other pages stay as they are without the bad one.
%!test
%! warning ("off", "gpueig:fallback", "local");
%! A = reshape (sin ((1:768) .^ 2) + 1i * cos ((1:768) .^ 1.5), 8, 8, 12);
%! [V0, ~] = gpu_complex_eig (A, "Method", "shroff");
%! A(:,:,3) = diag (ones (1, 7), 1);
%! [V, ~, ~, info] = gpu_complex_eig (A, "Method", "shroff");
%! assert (info.fallback_pages, 1);
%! assert (info.fallback, "geev");
%! assert (V(:,:,[1:2 4:12]), V0(:,:,[1:2 4:12]));

## The bits of a page do not depend on the kinds of the other pages.
%!test
%! pair = @(A) nthargout (1:2, @gpu_eig, A, A .^ 2 + 2 * rows (A) ^ 3 * full (eye (rows (A))), "vector", "Backend", "auto");
%! calls = {@(A) nthargout(1:3, @gpu_eig, A), pair, @gpu_sqrtm, @gpu_logm, @gpu_expm, ...
%!          @(A) nthargout(1:2, @gpu_complex_eig, A, "Backend", "cpu")};
%! page = @(out, p) cellfun (@(x) x(:,:,p), out, "UniformOutput", false);
%! for n = [3, 23, 40, 130]
%!   x = cos ((1:n)' * (1:n) .^ 2);
%!   kinds = cat (3, x * x' + eye (n), x + 2 * n * eye (n));
%!   for call = calls
%!     for k = 0:5
%!       out = call{1} (kinds(:,:,[ones(1, k), 2 * ones(1, 5 - k)]));
%!       if (! iscell (out))
%!         out = {out};
%!       endif
%!       symmetric{k+1} = page (out, 1);
%!       general{k+1} = page (out, 5);
%!     endfor
%!     what = sprintf ("%s, order %d", func2str (call{1}), n);
%!     assert (isequal (symmetric{2:6}), "%s: symmetric", what);
%!     assert (isequal (general{1:5}), "%s: general", what);
%!   endfor
%! endfor

## A matrix with a full last column is not treated as tridiagonal, at any order.
%!test
%! for n = [3 4 100 1001]
%!   T = full (gallery ("tridiag", n));
%!   T(1,n) = 1e-300;
%!   ok = false;
%!   try
%!     gpu_tdinv (T);
%!   catch err
%!     ok = strcmp (err.identifier, "gpueig:not-tridiagonal");
%!     assert (! isempty (strfind (err.message, sprintf ("(1, %d)", n))));
%!   end_try_catch
%!   assert (ok);
%! endfor

## The default backend from the environment; a bad one is reported.
%!test
%! old = getenv ("GPUEIG_BACKEND");
%! unwind_protect
%!   setenv ("GPUEIG_BACKEND", "cpu");
%!   [~, ~, info] = gpu_tdinv ([2 1; 1 2]);
%!   assert (info.backend, "cpu");
%!   setenv ("GPUEIG_BACKEND", "abacus");
%!   fail ("gpu_tdinv ([2 1; 1 2])", "abacus");
%! unwind_protect_cleanup
%!   setenv ("GPUEIG_BACKEND", old);
%! end_unwind_protect

## Hermitian tridiagonal matrices, with zeros off the diagonal too.
%!test
%! for n = [2 3 40]
%!   e = exp (1i * (1:n-1).^2) .* (mod (1:n-1, 5) > 0);
%!   H = diag (cos (1:n)) + diag (e, -1) + diag (conj (e), 1);
%!   for A = {H, single(H), sparse(H)}
%!     [V, lambda] = gpu_mrrr (A{1}, "vector");
%!     [residual, orthogonality] = eigen_errors (A{1}, [], V, lambda);
%!     assert (residual <= 10 && orthogonality <= 10 && issorted (lambda));
%!   endfor
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

## Solvers of arrays need no copies in host memory: pairs, guesses, parts, stacks with D; QZ refuses.
%!test
%! A = cat (3, [4 1; 1 3], [2 1; 1 5]);
%! G = gpu_array (A);
%! one = gpu_array (A(:,:,1));
%! general = gpu_array ([1 2; 3 4]);
%! for c = {{"gpu_eig", G, "matrix"}, {"gpu_eig", G, G}, {"gpu_eig", one, "Range", [0 4]}, ...
%!          {"gpu_jacobi_eig", G, G}, {"gpu_jacobi_eig", G, "Guess", G}, {"gpu_svd", G}, {"gpu_svd", G(:,1,:)}, {"gpu_eig", G, single(G)}}
%!   [failed, V, D] = __gpueig__ (strrep (c{1}{1}, "gpu_", ""), 2, c{1}{2:end});
%!   assert (isempty (failed) && isa (V, "int64") && isa (D, "int64"));
%! endfor
%! for c = {{general, one}, {G, -G}, {one, A(:,:,1)}, {one, "Range", gpu_array([0 4])}}
%!   [refused, V] = __gpueig__ ("eig", 2, c{1}{:});
%!   assert (refused == 2 && isempty (V));
%! endfor

## Complex Hermitian matrices so large that the way back works on planes of real numbers
## (cuda/base/three_products.cuh), all columns at once or, with little memory, a part of them at
## a time: A V x is V (lambda .* x), V' V x is x.
%!testif ; strcmp (getenv ("GPUEIG_BACKEND"), "cuda")
%! rand ("twister", test_seed (46));
%! n = 8003;
%! for kind = {"double", "single"; "", "3.6e9"}
%!   A = complex (rand (n, kind{1}), rand (n, kind{1})) - 0.5;
%!   A += A';
%!   x = complex (rand (n, 1), rand (n, 1)) - complex (0.5, 0.5);
%!   [~, ~] = __gpueig__ ("testing", "trim");
%!   unwind_protect
%!     if (! isempty (kind{2}))
%!       setenv ("GPUEIG_DEVICE_MEMORY", kind{2});
%!     endif
%!     [V, lambda] = gpu_eig (A, "vector", "Method", "mrrr");
%!   unwind_protect_cleanup
%!     unsetenv ("GPUEIG_DEVICE_MEMORY");
%!     [~, ~] = __gpueig__ ("testing", "trim");
%!   end_unwind_protect
%!   unit = n * eps (kind{1}) * norm (x);
%!   [A, V, lambda] = deal (double (A), double (V), double (lambda));
%!   y = V * x;
%!   assert (norm (A * y - V * (lambda .* x)) <= unit * max (abs (lambda)));
%!   assert (norm (V' * y - x) <= unit);
%! endfor

## A pair for which xGGEV fails, but not for the transposed one.  In single precision the last rows
## of B are rounding errors beside the first, so that all but two eigenvalues may be infinite.
%!test
%! a = [0.512, -0.512, -0.48828125, -0.48828125, -4.6566128730773927e-12, -4.6566128730773927e-12
%!      -0.512, -0.51200512000000009, -0.48828125, -0.537109375, -4.6566128730773927e-12, 4.656659439206124e-12];
%! A = [zeros(4, 2), eye(4); a];
%! B = blkdiag (eye (4), [4.4408920985006262e-10, 4.4408920985006262e-10; 4.4408920985006262e-10, 4.8849813083506888e-10]);
%! for z = [1, 1i]
%!   for pair = {{A, B}, {A.', B.'}, {single(A), single(B)}, {cat(3, A, A.', B), cat(3, B, B.', A)}}
%!     [X, Y] = pair{1}{:};
%!     X *= z;
%!     [V, D, W] = gpu_eig (X, Y, "Backend", "auto");
%!     unit = 100 * eps (class (V));
%!     for p = 1:size (X, 3)
%!       x = double (X(:,:,p));
%!       y = double (Y(:,:,p));
%!       v = double (V(:,:,p));
%!       w = double (W(:,:,p));
%!       d = double (diag (D(:,:,p)));
%!       finite = isfinite (d);
%!       assert (sum (finite) >= merge (isa (V, "single"), 2, 3));
%!       [v, w, d] = deal (v(:,finite), w(:,finite), d(finite));
%!       size_of = norm (x) + abs (d).' * norm (y);
%!       assert (vecnorm (x * v - y * v .* d.') ./ vecnorm (v) <= unit * size_of);
%!       assert (vecnorm (x' * w - y' * w .* d') ./ vecnorm (w) <= unit * size_of);
%!     endfor
%!   endfor
%! endfor
