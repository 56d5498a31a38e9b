## Families of small matrices, in one stack each, through the solvers and functions that
## tests/schur/test_families.c and tests/functions/test_function_families.c do not have.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Every residual, in units of n eps and of the norm of its page, is below 20: singular values,
## pseudoinverses, polar factors, Hermitian parts, other orders of Schur forms, tridiagonal parts.
%!test
%! families = stacks_of_families ();
%! for [A, name] = families
%!   for kind = {@double, @single, @(A) complex(A, A(:,:,end:-1:1)), @(A) single(complex(A, permute (A, [2 1 3])))}
%!     B = kind{1} (A);
%!     worst = residuals_of_stack (B);
%!     for [ratio, what] = worst
%!       assert (ratio < 20, "%s of %s, %s: %g", what, name, class (B), ratio);
%!     endfor
%!   endfor
%!   e = 900;
%!   worst = residuals_of_stack (A * 2^e, true);
%!   tiny = residuals_of_stack (A * 2^-e, true);
%!   assert (all ([struct2cell(worst){:}, struct2cell(tiny){:}] < 20), "%s by 2^+-900", name);
%! endfor

## Matrices that are triangular but for an element that changes nothing: balancing enlarges it.
%!test
%! warning ("off", "all", "local");
%! functions = {@gpu_sqrtm, @gpu_expm, @(A) gpu_mpower (A, 1.5), @(A) gpu_mpower (A, pi), @(A) gpu_mpower (A, 0.3)};
%! for n = [2, 3, 5, 8]
%!   for small = [1e-300, 1e-160, 1e-40]
%!     for first = [1e-3, 0]
%!       L = tril (reshape (cos ((1:n*n) .^ 2), n, n), -1) / 4 + diag ([first, 1:n-1]);
%!       L(n,n) *= 1 - 2 * (first == 0);
%!       for f = functions(1:end-(first == 0))
%!         for A = {L, L + 1i * tril(L, -1), single(L)}
%!           X = f{1} (A{1});
%!           d = zeros (n);
%!           d(1,n) = max (small, realmin (class (X)));
%!           most = 1e4 * n * eps (class (X)) * norm (X, 1);
%!           Y = f{1} (A{1} + d);
%!           assert (norm (X - Y, 1) < most, "%s: %g", func2str (f{1}), norm (X - Y, 1));
%!           S = f{1} (cat (3, A{1} + d, A{1}, A{1} + 2 * eye (n)));
%!           assert (norm (X - S(:,:,1), 1) < most);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! assert (gpu_sqrtm ([1e16 1e-16; 1e16 1]), 1e8 * [1 0; 1 0], 2);
%! assert (gpu_mpower ([0 1e-300; 1 -3], 1.5), [0 0; 1 -3] * 3^0.5 * 1i, 1e-14);
%! assert (gpu_mpower ([0 -1e-8; 1e160 1e160], 1.5), 1e240 * [0 0; 1 1], 1e226);
%! assert (gpu_expm ([0 0; -1 5e-324]), [1 0; -1 1]);
%! assert (gpu_expm ([1e-310 2; 0 0]), [1 2; 0 1]);

## Powers above 1 do not divide by eigenvalues next to zero.
%!test
%! warning ("off", "all", "local");
%! given = {[0 0 0; .5 0 0; 2 3 3], [-1 0 -3; .5 0 1; 0 0 0], [0 0 1; 2 2 3; 0 0 0], [1 0 0; -1 0 0; 2 2 0], [2 2 3; 0 0 1; 0 0 0], ...
%!          [0 1 0 2; 0 0 0 1; 0 0 3 1; 0 0 0 0]};
%! for A = given
%!   n = rows (A{1});
%!   for small = [1e-100, 1e-40, 1e-20]
%!     for p = [1.5, 2.2, 2.5, pi, 7.1](1 + (n > 3):end)
%!       for order = perms (1:n)'
%!         B = A{1}(order,order);
%!         D = small * diag (cos (1:n));
%!         D(order == 3,order == 1) += small ^ 2;
%!         for C = {B, single(B)}
%!           X = gpu_mpower (C{1} + D, p);
%!           Y = gpu_mpower (C{1}, p);
%!           assert (norm (X - Y, 1) < 1e4 * eps (class (X)) * norm (Y, 1) + 20 * small ^ (p - 1 - (n > 3)), "%s ^ %g: %g", mat2str (B + D), p, norm (X - Y, 1));
%!         endfor
%!         assert (norm (Y * B - B * Y, 1) < 1e4 * eps ("single") * norm (B, 1) * norm (Y, 1));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## [2^a, 2^c; 0, 2^b], and transposed, over the whole range: powers and logarithms, alone and in a stack, against quotients of
## differences whose parts are scaled apart; elements beyond the range are Inf and 0.
## Powers above 1 take eigenvalues that are negligible beside the norm for zero.
%!test
%! warning ("off", "all", "local");
%! ends = [-1074, -1050, -1022, -700, -30, 0, 1, 500, 1021, 1023];
%! scaled = @(x, e) x .* 2 .^ fix (e / 2) .* 2 .^ (e - fix (e / 2));
%! for a = ends
%!   for b = ends(ends != a)
%!     for c = [-1074, -1000, -20, 0, 700, 1023]
%!       A = [2^a, 2^c; 0, 2^b];
%!       for p = [0.5, 0.25, -0.25, -0.5, 0.75, 1.25, 1.5]
%!         most = max (p * a, p * b);
%!         quotient = (2 ^ (p * b - most) - 2 ^ (p * a - most)) / (2 ^ max (b - max (a, b), -1074) - 2 ^ max (a - max (a, b), -1074));
%!         corner = scaled (quotient * 2 ^ (most - fix (most)), max (min (fix (most) + c - max (a, b), 2100), -2100));
%!         X = gpu_mpower (A, p);
%!         Y = [2 ^ (p * a), corner; 0, 2 ^ (p * b)];
%!         most = 40 * eps (Y) + (p > 1) * eps * 2 ^ (p * c);
%!         assert (all ((abs (X - Y) <= most | X == Y)(:)), "[2^%d 2^%d; 0 2^%d] ^ %g: %s for %s", a, c, b, p, mat2str (X), mat2str (Y));
%!         X = gpu_mpower (A', p)';
%!         assert (all ((abs (X - Y) <= most | X == Y)(:)), "[2^%d 0; 2^%d 2^%d] ^ %g: %s for %s", a, c, b, p, mat2str (X'), mat2str (Y'));
%!         X = gpu_mpower (A, p);
%!         assert (isequaln (gpu_mpower (cat (3, A, [4 1; 0 1]), p)(:,:,1), X));
%!       endfor
%!       for p = [0.5 + 0.1i, 1.5 + 0.1i, -0.75 + 0.25i]
%!         X = gpu_mpower (A, p);
%!         most = max (real (p) * a, real (p) * b);
%!         turn = exp (1i * imag (p) * log (2) * [a, b]);
%!         quotient = (2 ^ (real (p) * b - most) * turn(2) - 2 ^ (real (p) * a - most) * turn(1)) / (2 ^ max (b - max (a, b), -1074) - 2 ^ max (a - max (a, b), -1074));
%!         e = max (min (fix (most) + c - max (a, b), 2100), -2100);
%!         corner = complex (scaled (real (quotient) * 2 ^ (most - fix (most)), e), scaled (imag (quotient) * 2 ^ (most - fix (most)), e));
%!         assert (abs (X(1,2) - corner) <= 1e-12 * abs (corner) + realmin || isinf (corner) || abs (corner) < 2 ^ -200 * 2 ^ (c * real (p)), ...
%!                 "[2^%d 2^%d; 0 2^%d] ^ (%g + %gi): %s for %s", a, c, b, real (p), imag (p), num2str (X(1,2)), num2str (corner));
%!       endfor
%!       L = gpu_logm (A);
%!       corner = scaled ((b - a) * log (2) / (2 ^ max (b - max (a, b), -1074) - 2 ^ max (a - max (a, b), -1074)), c - max (a, b));
%!       assert (abs (L(1,2) - corner) <= 40 * eps (corner) || L(1,2) == corner, "log of [2^%d 2^%d; 0 2^%d]: %g for %g", a, c, b, L(1,2), corner);
%!     endfor
%!   endfor
%! endfor

## Powers of triangular matrices whose eigenvalues differ much: squares of smaller powers cancel.  [a 1 0 0; 0 b 1 0; 0 0 c 1; 0 0 0 d]: divided differences of z^0.5 and z^1.5 in the roots of the eigenvalues, without differences; of z^0.75 and others by 600 digits.
%!function X = chain_power (p, lambda)
%!  r = sqrt (lambda);
%!  X = diag (lambda .^ p);
%!  for k = 1:3
%!    for i = 1:4-k
%!      v = num2cell (r(i:i+k));
%!      pairs = nchoosek (1:k+1, 2);
%!      q = prod (r(i - 1 + pairs(:,1)) + r(i - 1 + pairs(:,2)));
%!      if (p == 0.5)
%!        X(i,i+k) = (-1) ^ (k + 1) * ifelse (k == 3, sum ([v{:}]), 1) / q;
%!      else
%!        sums = {@(a, b) a^2 + a*b + b^2, @(a, b, c) a*b + b*c + c*a, @(a, b, c, d) -(a*b*c + a*b*d + a*c*d + b*c*d)};
%!        X(i,i+k) = sums{k} (v{:}) / q;
%!      endif
%!    endfor
%!  endfor
%!endfunction
%!test
%! warning ("off", "all", "local");
%! for type = {"double", "single"}
%!   e = [0, -20, -45, 30] / ifelse (type{1}(1) == "s", 4, 1);
%!   [i, j, k, l] = ndgrid (2 .^ round (e));
%!   lambda = [i(:), j(:), k(:), l(:)];
%!   most = 4e3 * eps (type{1});
%!   A = zeros (4, 4, rows (lambda), type{1});
%!   for m = 1:rows (lambda)
%!     A(:,:,m) = diag (lambda(m,:)) + diag (ones (1, 3), 1);
%!   endfor
%!   for p = [0.5, 1.5]
%!     for turn = [1, exp(0.5i)]
%!       X = gpu_mpower (turn * A, p);
%!       for m = 1:rows (lambda)
%!         Y = turn ^ p * chain_power (p, lambda(m,:));
%!         ratio = max ((abs (X(:,:,m) - Y) ./ (abs (Y) + (Y == 0)))(:));
%!         assert (ratio <= most, "%s, p = %g, turn %g: %s: %g", type{1}, p, turn, mat2str (lambda(m,:)), ratio);
%!         if (mod (m, 17) == 0)
%!           assert (gpu_mpower (turn * A(:,:,m), p), X(:,:,m));
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! endfor
%!test
%! A = [2^-35, 1, 2, 1; 0, 2^-24, 1, 3; 0, 0, 1, 1; 0, 0, 0, 2^25];
%! B = [1, 1, 0, 0; 0, 2^-60, 1, 0; 0, 0, 2^-60, 1; 0, 0, 0, 1];
%! p = [0.75, 0.3, 3.3];
%! of_A = [0.013135115014980003, 0.039416990054038432, 0.013138977077588933, -60.82094224571948; -0.0061083218656151627, 1.6154182282224686e-5, 5.3649944468960338e-6, -102566.65695087067; 2.0380968389082964e+17, 6.1142896663647455e+17, 2.0380965959482528e+17, 3.0000000596919598];
%! of_B = [24574.75, -24575.0, 0.99999999999997158, -24575.0; 1319413953329.5006, -1319413953330.2006, 0.99999618530273438, -1319413953330.2006; 1.3, 1.0, 1.0, 1.0];
%! for k = 1:3
%!   X = gpu_mpower (A, p(k));
%!   assert (X([13, 14, 15, 9]), of_A(k,:), -1e-13);
%!   X = gpu_mpower (B, p(k));
%!   assert (X([13, 14, 15, 9]), of_B(k,:), -1e-13);
%! endfor

## The same with complex eigenvalues in real matrices: a + b i stands for a block of order 2 in two bases, and errors are those of blocks.
%!test
%! warning ("off", "all", "local");
%! image = @(Z) kron (real (Z), eye (2)) + kron (imag (Z), [0, 1; -1, 0]);
%! size_of = @(X) squeeze (max (max (reshape (permute (reshape (abs (X), 2, 4, 2, 4), [1, 3, 2, 4]), 2, 2, 4, 4), [], 1), [], 2));
%! [i, j, k, l] = ndgrid (2 .^ [0, -20, -45, 30]);
%! lambda = [i(:), j(:), k(:), l(:)] .* exp (1i * [0.3, 1.5, 2, 1]);
%! for basis = {eye(2), [1, 3; 0, 1]}
%!   D = kron (eye (4), basis{1});
%!   A = zeros (8, 8, rows (lambda));
%!   for m = 1:rows (lambda)
%!     A(:,:,m) = D * image (diag (lambda(m,:)) + diag (ones (1, 3), 1)) / D;
%!   endfor
%!   for p = [0.5, 1.5]
%!     X = gpu_mpower (A, p);
%!     for m = 1:rows (lambda)
%!       Y = D * image (chain_power (p, lambda(m,:))) / D;
%!       ratio = max ((size_of (X(:,:,m) - Y) ./ (size_of (Y) + (size_of (Y) == 0)))(:));
%!       assert (ratio <= 1e-11, "p = %g: %s: %g", p, mat2str (lambda(m,:), 4), ratio);
%!     endfor
%!     assert (gpu_mpower (A(:,:,7), p), X(:,:,7));
%!   endfor
%! endfor

## Triangular matrices in another order of rows, of elements far apart: the functions of the triangular ones, in that order.
%!test
%! warning ("off", "all", "local");
%! saved = rand ("twister");
%! unwind_protect
%!   rand ("twister", test_seed (5));
%!   functions = {@gpu_sqrtm, @gpu_logm, @(A) gpu_mpower (A, 0.3), @(A) gpu_mpower (A, 1.5), @(A) gpu_mpower (A, -1.5), @(A) gpu_mpower (A, 0.5 + 0.2i)};
%!   for k = 1:300
%!     n = 2 + mod (k, 4);
%!     f = functions{1 + mod (k, 6)};
%!     A = triu ((rand (n) + 0.5) .* 2 .^ round (80 * rand (n) - 40) .* (rand (n) > 0.2));
%!     A(1:n+1:end) = (rand (1, n) + 0.5) .* 2 .^ round (80 * rand (1, n) - 40);
%!     if (mod (k, 3) == 0)
%!       A = A .* exp (1i * rand (n));
%!     endif
%!     p = randperm (n);
%!     X = f (A)(p,p);
%!     most = 1e4 * eps * max (abs (X(:)));
%!     Y = {f(A(p,p)), f(cat (3, eye (n), A(p,p)))(:,:,2)};
%!     assert (max (abs (Y{1}(:) - X(:))) <= most && max (abs (Y{2}(:) - X(:))) <= most, "%s of %s: %g", func2str (f), mat2str (A(p,p)), ...
%!             max (abs (Y{1}(:) - X(:))) / max (abs (X(:))));
%!   endfor
%! unwind_protect_cleanup
%!   rand ("twister", saved);
%! end_unwind_protect

## Squares, computed exactly, of matrices that are triangular but for blocks of order 2, in any order of rows, with elements far apart: roots and 1.5th powers.
%!test
%! warning ("off", "all", "local");
%! saved = rand ("twister");
%! unwind_protect
%!   rand ("twister", test_seed (6));
%!   for t = 1:600
%!     n = randi ([3, 6]);
%!     least = 12 - 8 * (mod (t, 4) == 3); # squares of single precision have 24 bits
%!     any_power = @(varargin) 2 .^ randi ([-least, least], varargin{:});
%!     B = triu (any_power (n)) .* (2 * (rand (n) < 0.5) - 1) .* (rand (n) < 0.8);
%!     B(1:n+1:end) = any_power (1, n);
%!     for j = 1:2:n-1
%!       if (rand () < 0.5)
%!         above = any_power (1);
%!         below = -any_power (1);
%!         ## Real eigenvalues, if they are positive then.
%!         real_below = 2 ^ max (-least, min (least, floor (log2 (B(j,j) * B(j+1,j+1) / above)) - 1));
%!         if (rand () < 0.5 && real_below * above < B(j,j) * B(j+1,j+1))
%!           below = real_below;
%!         endif
%!         B([j, j+1],[j, j+1]) = [B(j,j), above; below, B(j+1,j+1)];
%!       endif
%!     endfor
%!     p = randperm (n);
%!     B = B(p,p);
%!     limit = 1e-7;
%!     if (mod (t, 4) == 2)
%!       B = B .* (1i .^ ((1:n)' - (1:n)));
%!     elseif (mod (t, 4) == 3)
%!       B = single (B);
%!       limit = 0.02;
%!     endif
%!     A = B * B;
%!     X = {gpu_sqrtm(A), gpu_sqrtm(cat (3, eye (n), A))(:,:,2), gpu_mpower(A, 1.5)};
%!     Y = {B, B, double(A) * double(B)};
%!     for k = 1:3
%!       ratio = norm (X{k} - Y{k}, 1) / norm (Y{k}, 1);
%!       assert (ratio <= limit, "%s: %d: %g", mat2str (double (B)), k, ratio);
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   rand ("twister", saved);
%! end_unwind_protect
