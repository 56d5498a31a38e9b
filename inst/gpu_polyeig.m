## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.


## -*- texinfo -*-
## @deftypefn  {} {@var{z} =} gpu_polyeig (@var{C0}, @var{C1}, @dots{})
## @deftypefnx {} {[@var{V}, @var{z}] =} gpu_polyeig (@var{C0}, @var{C1}, @dots{})
## Eigenvalues z and eigenvectors v of a matrix polynomial, or of each page of stacks of them, as by
## @code{polyeig}: @code{(C0 + z*C1 + z^2*C2 + @dots{}) * v = 0}.
##
## @example
## @group
## gpu_polyeig ([8, 0; 0, 4], eye (2))
##   @result{} [-8; -4]
## @end group
## @end example
##
## The coefficients are full arrays or @code{gpu_array}s, n-by-n-by-N.  With the degree l @var{z} is
## n*l-by-1-by-N, and the columns of @var{V}, n-by-n*l-by-N, have a largest element of 1.  If the last
## coefficient is singular, some eigenvalues are infinite, up to rounding; their vectors are its null
## vectors.
##
## @strong{Accuracy}
##
## Every pair solves the polynomial up to about 100 n eps times the sum of
## @code{abs (z)^k * norm (Ck)}, also where the norms of the coefficients are far apart.  Residuals are
## computed; should one remain above 1e4 n eps, the warning @code{gpueig:inaccurate} is given.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type}, @code{gpueig:bad-argument},
## @code{gpueig:nonfinite}, and those of @code{gpu_eig}.
##
## @strong{Algorithms}
##
## The companion pair of order n*l by @code{gpu_eig}.  An eigenvector of it is v, z*v, z^2*v @dots{}:
## the largest of these is returned.  z and the polynomial are scaled by powers of two, if the norms
## of the coefficients are far apart once for each size that eigenvalues have (tropical roots), and for
## eigenvalues whose residuals are large.
##
## References: F. Tisseur, K. Meerbergen, The Quadratic Eigenvalue Problem, SIAM Review 43, 2001;
## S. Gaubert, M. Sharify, Tropical scaling of polynomial matrices, Lecture Notes in Control and
## Information Sciences 389, 2009.
##
## @seealso{polyeig, gpu_eig, gpu_roots}
## @end deftypefn

function [V, z] = gpu_polyeig (varargin)

  if (nargin < 1)
    print_usage ();
  elseif (! all (cellfun (@(C) (isnumeric (C) || islogical (C)) && ! issparse (C), varargin)))
    error ("gpueig:wrong-type", "gpu_polyeig: coefficients must be full arrays of numbers");
  endif
  dims = size (varargin{1});
  n = dims(1);
  l = nargin - 1;
  if (! all (cellfun (@(C) isequal (size (C), dims), varargin)) || n != dims(2))
    error ("gpueig:bad-argument",
           "gpu_polyeig: coefficients must be square matrices, or stacks of them, of the same size");
  endif
  if (l == 0 || isempty (varargin{1}))
    V = zeros ([n, n * l, dims(3:end)]);
    z = zeros ([n * l, 1, dims(3:end)]);
  else
    [V, z] = solve (varargin, n, l, dims(3:end));
  endif
  if (nargout < 2)
    V = z;
  endif

endfunction

## By one scaling for every size that eigenvalues have, and by others for those whose residuals are
## then still large: between sizes there may be some if coefficients are ill-conditioned.
function [V, z] = solve (C, n, l, pages)

  size_of = cell2mat (cellfun (@(x) exponent_of (x)(:).', C(:), "UniformOutput", false));
  E = zeros (l, columns (size_of));
  for p = 1:columns (size_of)
    E(:,p) = exponents_of_roots (size_of(:,p));
  endfor
  [V, z] = solve_pair (C, size_of, E(1,:), n, l, pages);
  r = residuals (C, V, z);
  for p = 1:columns (size_of)
    page = cellfun (@(x) x(:,:,p), C, "UniformOutput", false);
    e = unique (E(2:end,p));
    e(e == E(1,p)) = [];
    for repeats = 1:numel (e) + 4
      if (repeats <= numel (e))
        next = e(repeats);
      else
        [most, k] = max (r(:,p));
        next = round (log2 (double (gather (abs (z(k,1,p))))));
        if (! (most > 100 * n) || ! isfinite (next))
          break;
        endif
      endif
      [X, w] = solve_pair (page, size_of(:,p), next, n, l, []);
      [V(:,:,p), z(:,1,p), r(:,p)] = better (V(:,:,p), z(:,1,p), r(:,p), X, w, residuals (page, X, w));
    endfor
  endfor
  if (any (r(:) > 1e4 * n))
    warning ("gpueig:inaccurate",
             "gpu_polyeig: %d of %d eigenvalues have residuals of up to %.1e eps",
             sum (r(:) > 1e4 * n), numel (r), max (r(:)));
  endif

endfunction

## Of two solutions, in the order of absolute values, the eigenvalues with smaller residuals.
function [V, z, r] = better (V, z, r, X, w, q)

  [~, i] = sortrows (order_of (z));
  [~, j] = sortrows (order_of (w));
  V = V(:,i);
  z = z(i);
  r = r(i);
  k = q(j) < r | isnan (r);
  V(:,k) = X(:,j(k));
  z(k) = w(j(k));
  r(k) = q(j(k));

endfunction

## Conjugate pairs, whose absolute values may differ by rounding, are in one order.
function order = order_of (z)

  z = double (gather (z));
  order = [round(2 ^ 20 * log2 (abs (z))), arg(z)];

endfunction

## Of every pair, in units of eps times the sum of abs (z)^k norm (C_k), by columns for pages.
function r = residuals (C, V, z)

  l = numel (C) - 1;
  unit = eps (class (gather (V(1))));
  r = zeros (rows (z), prod (size (z)(3:end)));
  for p = 1:columns (r)
    w = double (gather (z(:,1,p))).';
    X = double (gather (V(:,:,p)));
    large = abs (w) > 1;
    total = bound = 0;
    for k = 0:l
      page = double (gather (C{k+1}(:,:,p)));
      factor = w .^ k;
      factor(large) = (1 ./ w(large)) .^ (l - k);
      total += page * (X .* factor);
      bound += norm (page, 1) * abs (factor);
    endfor
    r(:,p) = max (abs (total), [], 1) ./ max (bound, realmin) / unit;
  endfor

endfunction

## The polynomial of w, z = 2^E w, with norms of at most about 1: the companion pair.
function [V, z] = solve_pair (C, size_of, e, n, l, pages)

  most = max (size_of + (0:l)' * e, [], 1);
  most(! isfinite (most)) = 0;
  for k = 0:l
    C{k+1} = times_power (C{k+1}, reshape (k * e - most, [1, 1, pages]));
  endfor
  above = zeros ([n * (l - 1), n, pages]);
  left = zeros ([n, n * (l - 1), pages]);
  one = repmat (eye (n * (l - 1)), [1, 1, pages]);
  A = [above, one; -cat(2, C{1:l})];
  B = [one, above; left, C{end}];
  [X, z] = gpu_eig (A, B, "vector", "Backend", "auto");
  V = largest_blocks (X, n);
  z = times_power (z, reshape (e, [1, 1, pages]));

endfunction

## E: about log2 of the absolute values of the roots of a polynomial with coefficients of the sizes
## 2^A, from the upper convex hull of A.  Roots that are not far apart get the same E.
function e = exponents_of_roots (a)

  l = numel (a) - 1;
  k = find (isfinite (a));
  e = zeros (l, 1);
  from = 1;
  while (from < numel (k))
    slope = (a(k(from+1:end)) - a(k(from))) ./ (k(from+1:end) - k(from));
    to = from + find (slope == max (slope))(end);
    e(k(from):k(to)-1) = -max (slope);
    from = to;
  endwhile
  ## Roots 0 and Inf.
  if (! isempty (k) && k(1) < k(end))
    e(1:k(1)-1) = e(k(1));
    e(k(end):l) = e(k(end)-1);
  endif
  from = 1;
  while (from <= l)
    group = from - 1 + find (e(from:l) <= e(from) + 7);
    e(group) = round (mean (e(group)));
    from = group(end) + 1;
  endwhile

endfunction

## Of the largest element of every page; -Inf for zero.
function e = exponent_of (C)

  [f, e] = log2 (max (max (abs (double (gather (C))), [], 1), [], 2));
  e(f == 0) = -Inf;

endfunction

## X times 2^P, in two steps and in double precision: 2^P can be beyond the range.
function y = times_power (x, p)

  y = x;
  if (any (p(:)))
    half = fix (p / 2);
    y = double (x) .* 2 .^ half .* 2 .^ (p - half);
    if (isaUnderlying (x, "single"))
      y = single (y);
    endif
  elseif (! isfloat (x))
    y = double (x);
  endif

endfunction

## Of every column of X the block of N rows with the largest norm, its largest element 1.
function V = largest_blocks (X, n)

  dims = size (X);
  blocks = dims(1) / n;
  X = reshape (X, [n, blocks, dims(2:end)]);
  V = reshape (X(:,1,:), [n, dims(2:end)]);
  most = max (abs (V), [], 1);
  for k = 2:blocks
    next = reshape (X(:,k,:), [n, dims(2:end)]);
    size_of_next = max (abs (next), [], 1);
    better = size_of_next > most;
    V = V .* ! better + next .* better;
    most = max (most, size_of_next);
  endfor
  [~, i] = max (abs (V), [], 1);
  at = (0:prod (dims(2:end))-1) * n;
  V ./= reshape (V(at(:) + i(:)), size (i));

endfunction

## The residual of every pair, in units of eps times the sum of abs (z)^k norm (C_k).
%!function r = residual (C, V, z)
%!  r = 0;
%!  for j = 1:numel (z)
%!    for k = 0:numel (C)-1
%!      s(k+1) = power_of (z(j), k, numel (C) - 1);
%!    endfor
%!    p = 0;
%!    m = 0;
%!    for k = 1:numel (C)
%!      p += s(k) * double (C{k}) * double (V(:,j));
%!      m += abs (s(k)) * norm (double (C{k}));
%!    endfor
%!    r = max (r, norm (p) / m / norm (V(:,j)) / eps (class (V)));
%!  endfor
%!endfunction
## Z^K, divided by Z^L where Z is large.
%!function s = power_of (z, k, l)
%!  z = double (z);
%!  if (abs (z) > 1)
%!    s = (1 / z) ^ (l - k);
%!  else
%!    s = z ^ k;
%!  endif
%!endfunction
%!test
%! for n = [1, 2, 5]
%!   for l = 1:4
%!     C = arrayfun (@(k) reshape (sin ((1:n*n*6) .^ 2 * (k + 0.3)), n, n, 3, 2), 0:l, "UniformOutput", false);
%!     C{1}(:,:,2) *= 1e6;
%!     C{end}(:,:,3) *= 1e4;
%!     for type = {@double, @single, @(x) complex(x, flip (x, 3)), @(x) gpu_array(x)}
%!       D = cellfun (type{1}, C, "UniformOutput", false);
%!       [V, z] = gpu_polyeig (D{:});
%!       assert (isobject (z), isobject (D{1}));
%!       assert (gather (gpu_polyeig (D{:})), gather (z), 1e-2);
%!       [V, z] = gather (V, z);
%!       assert (size (z), [n*l, 1, 3, 2]);
%!       assert (size (V), [n, n*l, 3, 2]);
%!       for p = 1:6
%!         page = cellfun (@(x) gather (x(:,:,p)), D, "UniformOutput", false);
%!         assert (residual (page, V(:,:,p), z(:,:,p)) < 100 * n * l);
%!         assert (max (abs (V(:,:,p)), [], 1), ones (1, n*l, class (V)), 4 * eps (class (V)));
%!         assert (prod (z(:,:,p)) * det (page{end}), (-1)^(n*l) * det (page{1}), -1e5 * eps (class (V)) * n * l);
%!       endfor
%!     endfor
%!   endfor
%! endfor
## As polyeig, with a mass, a damping and a stiffness matrix in other units.
%!test
%! n = 6;
%! K = toeplitz ([2, -1, zeros(1, n - 2)]);
%! M = diag (1:n);
%! D = 0.1 * eye (n);
%! want = sort (polyeig (K, D, M));
%! for u = [1, 1e-120, 1e140]
%!   for t = [1, 1e-60, 1e65]
%!     [V, z] = gpu_polyeig (u * K, u * t * D, u * t ^ 2 * M);
%!     assert (abs (poly (z * t) - poly (want)) ./ abs (poly (want)) < 1e-10);
%!     assert (residual ({K, D, M}, V, z * t) < 1000);
%!   endfor
%! endfor
## Damping from weak to strong: eigenvalues of two sizes.
%!test
%! n = 4;
%! K = reshape (sin ((1:16) .^ 2), n, n);
%! M = reshape (cos ((1:16) .^ 2), n, n);
%! D = reshape (sin ((1:16) .^ 3), n, n);
%! d = [1, 1e3, 1e6, 1e9];
%! [V, z] = gpu_polyeig (K .* ones (1, 1, 4), D .* reshape (d, 1, 1, 4), M .* ones (1, 1, 4));
%! for p = 1:4
%!   assert (residual ({K, d(p) * D, M}, V(:,:,p), z(:,:,p)) < 100);
%!   assert (prod (z(:,:,p)) * det (M), det (K), -1e-11);
%! endfor
%! assert (sort (abs (z(1:4,1,4))), sort (abs (eig (-K, 1e9 * D))), -1e-10);
## Eigenvalues of which the norms of these singular coefficients tell nothing.
%!warning <residuals> gpu_polyeig ([0, 1e79; 1e79, 0], [0, 0; 1e107, 1e107], [0, 0; 0, 1e103], [-1e-90, 1e-90; 1e-90, 1e-90]);
## Singular last coefficients have infinite eigenvalues with their null vectors.
%!test
%! [V, z] = gpu_polyeig ([1, 2; 3, 4], [1, 0; 0, 1], [1, 0; 0, 0]);
%! [~, i] = sort (abs (z));
%! assert (abs (z(i(4))) > 1e12);
%! assert (abs (V(:,i(4))), [0; 1], 1e-12);
%! assert (residual ({[1, 2; 3, 4], eye(2), [1, 0; 0, 0]}, V(:,i(1:3)), z(i(1:3))) < 100);
%! [V, z] = gpu_polyeig (zeros (2), eye (2), eye (2));
%! assert (sort (real (z)), [-1; -1; 0; 0], 1e-14);
%! assert (gpu_polyeig ([8, 0; 0, 4], eye (2)), [-8; -4], 1e-14);
%! assert (gpu_polyeig (int8 ([8, 0; 0, 4]), int8 (eye (2))), [-8; -4], 1e-14);
%! assert (size (gpu_polyeig (eye (3))), [0, 1]);
%! [V, z] = gpu_polyeig (zeros (2, 2, 0, 3), zeros (2, 2, 0, 3), zeros (2, 2, 0, 3));
%! assert ({size(V), size(z)}, {[2, 4, 0, 3], [4, 1, 0, 3]});
%! [V, z] = gpu_polyeig (zeros (0, 0, 2), zeros (0, 0, 2));
%! assert (size (z), [0, 1, 2]);

%!demo
%! ## Frequencies and damping of a chain of masses, springs and dampers.
%! K = toeplitz ([2, -1, zeros(1, 18)]);
%! z = gpu_polyeig (K, 0.2 * K, eye (20));
%! plot (real (z), imag (z), "x");
%! axis ("equal");

%!error <Invalid call> gpu_polyeig ()
%!error id=gpueig:wrong-type gpu_polyeig ({1})
%!error id=gpueig:wrong-type gpu_polyeig (eye (2), speye (2))
%!error id=gpueig:bad-argument gpu_polyeig (ones (2, 3))
%!error id=gpueig:bad-argument gpu_polyeig (ones (2), ones (3))
%!error id=gpueig:nonfinite gpu_polyeig ([1, NaN; 0, 1], eye (2))
