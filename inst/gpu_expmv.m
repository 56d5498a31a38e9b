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
## @deftypefn  {} {@var{X} =} gpu_expmv (@var{A}, @var{B})
## @deftypefnx {} {@var{X} =} gpu_expmv (@var{A}, @var{B}, @var{t})
## The exponential of a large matrix times vectors, @code{expm (@var{t} * @var{A}) * @var{B}}, without
## the exponential.
##
## @example
## @group
## ## Heat in a rod after a time of 0.2, from one point.
## A = -gallery ("tridiag", 5);
## gpu_expmv (A, [0; 0; 1; 0; 0], 0.2)
##   @result{} [0.013541; 0.136761; 0.697402; 0.136761; 0.013541]
## @end group
## @end example
##
## @var{A} is a full or sparse square matrix, or one in a @code{gpu_array}, @var{B} a column or a matrix
## of columns, the number @var{t}, 1 if it is not given, may be negative or complex.  If one argument is a
## @code{gpu_array}, so is @var{X}.  An exponential that is too large has elements that are Inf or
## NaN.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type}, @code{gpueig:not-square},
## @code{Octave:nonconformant-args}, @code{gpueig:nonfinite}, @code{gpueig:bad-argument}.
##
## @strong{Algorithms}
##
## Taylor polynomials of degree m, at most 55, of @code{@var{t} * (@var{A} - c*I) / s}, with the mean c of
## the diagonal, applied s times.  m and s have the least number of products, by norms of
## powers of the matrix, which are estimated above order 100.  Terms that change nothing are left out.  If the
## exponential itself takes less time it is a matter of @code{gpu_expm}: of full matrices and, up to order
## 2000, sparse ones.  The number of products is proportional to the norm of @code{@var{t} * @var{A}} where
## that is large.
##
## Reference: A. H. Al-Mohy, N. J. Higham, SIAM J. Sci. Comput. 33 (2011) 488--511.
##
## @strong{Accuracy}: the error is that of a change of @code{@var{t} * @var{A}} by @code{eps} times
## its norm, and rounding errors of s m products.
##
## @seealso{expm, gpu_expm, gpu_eigs, gpu_array}
## @end deftypefn

function X = gpu_expmv (A, B, t = 1)

  if (nargin < 2)
    print_usage ();
  endif
  is_matrix = @(x) (isnumeric (x) || islogical (x)) && ndims (x) == 2;
  if (! (is_matrix (A) && is_matrix (B)))
    error ("gpueig:wrong-type", "gpu_expmv: A and B must be matrices");
  elseif (! issquare (A))
    error ("gpueig:not-square", "gpu_expmv: A must be a square matrix, not %s", sprintf ("%d-by-%d", size (A)));
  elseif (rows (A) != rows (B))
    error ("Octave:nonconformant-args", "gpu_expmv: A and B must have as many rows, not %d and %d", rows (A), rows (B));
  elseif (! (is_matrix (t) && isscalar (t)))
    error ("gpueig:bad-argument", "gpu_expmv: T must be a number");
  endif
  t = double (gather (t));
  [A, finite_A] = __floating__ (A);
  [B, finite_B] = __floating__ (B);
  if (! (finite_A && finite_B && isfinite (t)))
    error ("gpueig:nonfinite", "gpu_expmv: A, B or T has NaN or Inf elements");
  endif
  n = rows (A);
  is_single = any (strcmp ("single", {underlyingType(A), underlyingType(B)}));
  type = {"double", "single"}{1 + is_single};
  if (is_single && issparse (A))
    X = single (gpu_expmv (A, double (B), t));
    return;
  endif
  t = cast (t, type);
  like = B;
  if (isobject (A)), like = A; endif
  if (issparse (B)), B = full (B); endif
  [A, B] = deal (__in_array__ (A, like), __in_array__ (B, like));
  if (isempty (B) || n == 0)
    X = A * B;
    return;
  endif

  ## Powers of the matrix on the host, where their norms are cheap to estimate.
  M = gather (A);
  c = full (sum (diag (M))) / n;
  if (issparse (M))
    M -= c * speye (n);
  else
    M(1:n+1:end) -= c;
  endif
  [degree, s] = least_products (M, double (abs (t)), columns (B), type);
  products = s * degree * columns (B);
  if (products * nnz (M) > 15 * n ^ 3 && (! issparse (M) || n <= 2000))
    X = gpu_expm (t * full (A)) * B;
    return;
  elseif (! isfinite (s))
    error ("gpueig:nonfinite", "gpu_expmv: T * A is too large");
  endif

  tol = eps (type) / 2;
  factor = exp (t * c / s);
  X = B;
  for stage = 1:s
    before = norm (B, Inf);
    for j = 1:degree
      B = (A * B - B * c) * (t / (s * j));
      after = norm (B, Inf);
      X += B;
      if (before + after <= tol * norm (X, Inf))
        break;
      endif
      before = after;
    endfor
    X = B = X * factor;
  endfor

endfunction

## The degree and the number of stages with the fewest products for T * M times COLS columns.
function [degree, s] = least_products (M, t, cols, type)
  degrees = 5:5:55;
  ## Largest norms for which the backward error of the polynomial is at most eps/2: table 3.1.
  if (strcmp (type, "double"))
    theta = [0.0024, 0.144, 0.641, 1.43, 2.42, 3.54, 4.72, 5.96, 7.24, 8.54, 9.86];
  else
    theta = [0.13, 0.995, 2.21, 3.55, 4.92, 6.32, 7.72, 9.13, 10.5, 11.9, 13.3];
  endif
  size_of = double (full (norm (M, 1)));
  alpha = t * size_of * ones (1, 11);
  if (alpha(1) > 63 / cols && size_of > 0 && isfinite (alpha(1)))
    d = norms_of_powers (M / size_of, 9) .^ (1 ./ (1:9));
    for p = 2:8
      at = degrees + 1 >= p * (p - 1);
      alpha(at) = min (alpha(at), t * size_of * max (d(p), d(p+1)));
    endfor
  endif
  s = max (ceil (alpha ./ theta), 1);
  [~, at] = min (s .* degrees);
  [degree, s] = deal (degrees(at), s(at));
endfunction

## The 1-norms of M^1 to M^COUNT, or estimates of them.
function d = norms_of_powers (M, count)
  d = zeros (1, count);
  P = 1;
  for p = 1:count
    if (rows (M) <= 100)
      P = P * M;
      d(p) = norm (P, 1);
    else
      d(p) = estimated_norm (M, p);
    endif
  endfor
endfunction

## N. J. Higham, ACM Trans. Math. Softw. 14 (1988) 381--396, algorithm 4.1 for M^P.
function e = estimated_norm (M, p)
  n = rows (M);
  x = ((-1) .^ (0:n-1) .* (1 + (0:n-1) / (n - 1)))';
  e = 2 * norm (power_times (M, p, x), 1) / (3 * n);
  x = ones (n, 1) / n;
  last = 0;
  for step = 1:5
    y = power_times (M, p, x);
    e = max (e, norm (y, 1));
    y(y == 0) = 1;
    z = power_times (M', p, y ./ abs (y));
    [largest, j] = max (abs (z));
    if (largest <= real (z' * x) || j == last)
      break;
    endif
    x = zeros (n, 1);
    x(j) = 1;
    last = j;
  endfor
endfunction

function x = power_times (M, p, x)
  for i = 1:p
    x = M * x;
  endfor
endfunction

## Errors are in units of what rounding errors of T*A, in some direction, and of the exponential E make.
%!function check_expmv (A, B, t, unit = eps)
%!  X = double (gather (gpu_expmv (A, B, t)));
%!  [F, B] = deal (full (double (gather (A))) * t, full (double (gather (B))));
%!  E = gpu_expm (F);
%!  h = 1e-9;
%!  G = norm (F, 1) / rows (F) * reshape (sin ((1:numel (F)) .^ 2), size (F));
%!  bound = (norm (gpu_expm (F + h * G) - E, 1) / h + norm (E, 1)) * norm (B, 1) * unit;
%!  ratio = norm (X - E * B, 1) / bound;
%!  assert (ratio <= 100, "order %d, t = %s: %g", rows (A), num2str (t), ratio);
%!endfunction

%!shared P, list
%! P = gallery ("poisson", 18);
%! list = {-P, P - 4 * speye(324), gallery("tridiag", 324, -1, 0, 1), gallery("tridiag", 150, -3, 2, 1), ...
%!         sparse(gallery ("grcar", 200)), gallery("lesp", 110), sparse(triu (reshape (sin ((1:150^2) .^ 2), 150, 150), 1)), ...
%!         P + 1i * gallery("tridiag", 324, -1, 0.5, 1), spdiags([-(1:60)', 30 * ones(60, 1)], 0:1, 60, 60), ...
%!         sparse([0, 1e4; 0, 0]), sparse([-49, 24; -64, 31]), magic(12) / 10, hilb(9), ...
%!         1e-9 * magic(4), sparse(3, 3), 5 * speye(7), 2};
%!test
%! for A = list
%!   B = sin ((1:rows (A{1}))' .* [1, 2]);
%!   for t = {1, -0.3, 0.1, 0.2 - 0.7i}
%!     check_expmv (A{1}, B(:,1), t{1});
%!   endfor
%!   check_expmv (A{1}, B + 1i * flip (B), 0.5);
%!   check_expmv (full (A{1}), B, 0.1);
%!   check_expmv (single (full (A{1})), B, 0.1, eps ("single"));
%! endfor
%!test
%! ## Many stages, and large numbers of which only the mean of the diagonal is large.
%! A = -gallery ("tridiag", 2100);
%! X = gpu_expmv (A, sin ((1:2100)' * pi / 2101), 40);
%! assert (X, sin ((1:2100)' * pi / 2101) * exp (-40 * (2 - 2 * cos (pi / 2101))), 1e-13);
%! A = -gallery ("poisson", 50) - 1e4 * speye (2500);
%! assert (gpu_expmv (A, ones (2500, 1), 1), zeros (2500, 1));
%! assert (gpu_expmv (speye (2500), ones (2500, 1), 710), Inf (2500, 1));
%!test
%! A = P(1:40,1:40);
%! B = sin ((1:40)');
%! X = gpu_expmv (A, B, -2);
%! assert (X, expm (full (-2 * A)) * B, 1e-14);
%! assert (gpu_expmv (A, B), gpu_expmv (A, B, 1));
%! assert (gpu_expmv (A, B, -2), X);  # bits
%! assert (gpu_expmv (A, B, 0), B);
%! for G = {gpu_array(A), gpu_array(full (A)), A}
%!   Y = gpu_expmv (G{1}, gpu_array (B), -2);
%!   assert (isgpuarray (Y));
%!   assert (gather (Y), X, 1e-13);
%! endfor
%! assert (class (gpu_expmv (A, single (B))), "single");
%! assert (gpu_expmv (int8 ([0, 1; 0, 0]), [true; true]), [2; 1]);
%! assert (size (gpu_expmv (zeros (0), zeros (0, 3))), [0, 3]);
%! assert (size (gpu_expmv (A, zeros (40, 0))), [40, 0]);
%! assert (gpu_expmv (2, 3, -1), 3 * exp (-2), 1e-15);

%!demo
%! ## Heat in a square plate with a cold border spreads from two points.
%! n = 60;
%! u = zeros (n);
%! u(15,20) = u(45,30) = 1;
%! u = gpu_expmv (-gallery ("poisson", n), u(:), 40);
%! imagesc (reshape (u, n, n));

%!error <Invalid call> gpu_expmv (1)
%!error id=gpueig:wrong-type gpu_expmv ({1}, 1)
%!error id=gpueig:wrong-type gpu_expmv (ones (2, 2, 2), [1; 1])
%!error id=gpueig:not-square gpu_expmv (ones (2, 3), [1; 1])
%!error id=Octave:nonconformant-args gpu_expmv (ones (2), 1)
%!error id=gpueig:nonfinite gpu_expmv (NaN, 1)
%!error id=gpueig:nonfinite gpu_expmv (1, 1, Inf)
%!error id=gpueig:bad-argument gpu_expmv (1, 1, [1, 2])
