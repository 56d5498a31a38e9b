## Claims about the front door, gpu_eig: a page of a stack of pairs, of which some are general,
## has the answer that it has alone; badly scaled pairs are solved; parts of a spectrum that are
## empty or cannot be had; numbers that are not finite.  Stacks of matrices: test_mixed.c and
## session.m; parts, nearly singular B: stress.tst, test_pairs.c and test_tridiagonal.c.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function A = random_matrix (n, type, is_symmetric)
%!  A = randn (n);
%!  if (type > 2)
%!    A += 1i * randn (n);
%!  endif
%!  if (is_symmetric)
%!    A = (A + A') / 2;
%!    if (rand () < 0.5)
%!      ## Multiple eigenvalues, which rounding makes complex in a general solver.
%!      [Q, ~] = qr (A);
%!      A = Q * diag (randi (3, 1, n)) * Q';
%!      A = (A + A') / 2;
%!    endif
%!  endif
%!  if (mod (type, 2) == 0)
%!    A = single (A);
%!  endif
%!endfunction
%!
%!## Well-conditioned and definite.
%!function B = random_definite (n, type)
%!  G = double (random_matrix (n, type, false));
%!  B = G * G' + n * eye (n);
%!  B = (B + B') / 2;
%!  if (mod (type, 2) == 0)
%!    B = single (B);
%!  endif
%!endfunction
%!
%!## The largest columnwise backward error in n eps.
%!function e = column_error (A, B, V, lambda)
%!  unit = columns (A) * eps (class (V));
%!  A = double (A);
%!  B = double (B);
%!  V = double (V);
%!  lambda = double (lambda(:).');
%!  R = A*V - (B*V) .* lambda;
%!  size = (norm (A, 1) + abs (lambda) * norm (B, 1)) .* sum (abs (V), 1);
%!  e = max ([0, sum(abs (R), 1) ./ size]) / unit;
%!endfunction
%!
%!function e = b_orthogonality (B, V)
%!  V = double (V);
%!  e = norm (V' * double (B) * V - eye (columns (V)), 1) ...
%!      / (columns (B) * eps (class (B)) * cond (double (B)));
%!endfunction

## Stacks of pairs: definite ones, and, where QZ can be used, others beside them.
%!test
%! cuda = strcmp (getenv ("GPUEIG_BACKEND"), "cuda");
%! rand ("twister", test_seed (2));  randn ("twister", test_seed (2));
%! for k = 1:80
%!   n = randi (12) + 40 * (k > 72);
%!   type = randi (4);
%!   pages = randi (5);
%!   kind = randi (4, 1, pages);  # 1: general, 2: indefinite, 3 and 4: definite
%!   if (cuda || rand () < 0.3)
%!     kind(:) = 4;
%!   endif
%!   A = B = zeros (n, n, pages);
%!   for p = 1:pages
%!     A(:,:,p) = random_matrix (n, type, kind(p) > 1);
%!     B(:,:,p) = random_definite (n, type);
%!     if (kind(p) == 2)
%!       B(end,end,p) = -1;
%!     endif
%!   endfor
%!   if (mod (type, 2) == 0)
%!     A = single (A);
%!     B = single (B);
%!   endif
%!   [V, D, W] = gpu_eig (A, B, "vector");
%!   values = gpu_eig (A, B);
%!   for p = 1:pages
%!     a = A(:,:,p);
%!     b = B(:,:,p);
%!     v = V(:,:,p);
%!     d = D(:,1,p);
%!     unit = 10 * n * eps (class (a)) * norm (a, 1) * norm (inv (b), 1);
%!     assert (column_error (a, b, v, d) < 40);
%!     if (kind(p) > 2)
%!       assert (isreal (d) && issorted (d));
%!       assert (isreal (values(:,1,p)) && issorted (values(:,1,p)));
%!       assert (b_orthogonality (b, v) < 10);
%!       assert (values(:,1,p), d, unit);
%!       assert (W(:,:,p), v);
%!       assert (d, gpu_eig (a, b), unit);
%!     else
%!       d1 = gpu_eig (a, b);
%!       finite = abs (d) < 1e3;
%!       assert (d(finite), d1(finite), 1e-3 * max ([1; abs(d(finite))]));
%!       w = W(:,:,p);
%!       assert (column_error (a', b', w, conj (d)) < 40);
%!     endif
%!   endfor
%! endfor

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

%!test
%! [V, D] = gpu_eig (eye (3), "Range", [8, 9]);
%! assert ({size(V), size(D)}, {[3, 0], [0, 0]});

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
