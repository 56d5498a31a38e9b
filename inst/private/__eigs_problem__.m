## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{P} =} __eigs_problem__ (@var{P})
## Complete the problem @var{P} of @code{gpu_eigs}, whose fields @code{A}, a matrix or a function,
## @code{n}, @code{B}, @code{has_factor}, @code{permutation}, @code{sigma}, @code{symmetric},
## @code{like} and @code{tol} are set, by @code{op}: the operator whose extreme eigenvalues are
## iterated, @code{back}: eigenvectors of it to those of the pair, @code{value}: eigenvalues
## accordingly, @code{errors}: residuals of the pair in units of what is permitted, @code{is_singular}: the
## inverse is no operator, not even next to @code{sigma}, and @code{noise} and
## @code{ritz}, @code{correction}, see @code{__krylov__} and @code{__refined__}.
##
## Without a number @code{sigma} the operator is @code{A} or, with @code{B = R'*R}, @code{R' \ A / R}, otherwise
## @code{R * inv (A - sigma*B) * R'}.  Sparse matrices are factored by Octave in host memory, full ones
## where they are.
## @end deftypefn

function P = __eigs_problem__ (P)

  is_inverse = isnumeric (P.sigma);
  is_function = is_function_handle (P.A);
  [to, from, P.back] = deal (@(x) x);
  if (! isempty (P.B))
    [to, from, P.back, B] = definite_factor (P);
  endif
  P.relative = is_inverse;
  P.scale = @(theta, largest) largest;
  if (is_inverse)
    P.scale = @(theta, largest) abs (theta);
  endif
  P.value = @(nu) nu;
  P.noise = @(theta) 0;
  P.is_singular = false;
  if (is_function)
    middle = @(x) by_columns (P.A, x, P.is_real);
  elseif (is_inverse)
    if (isempty (P.B))
      B = speye (P.n);
      if (! issparse (P.A)), B = eye (P.n); endif
    endif
    [middle, P.sigma, P.is_singular] = inverse_of (P.A, B, P);
  else
    middle = product_with (P.A, P.symmetric);
    if (issparse (P.A) && isempty (P.B))
      [A, I] = deal (P.A, speye (P.n));
      P.shifted = @(c, factor) product_with ((A - c * I) * factor, true);
    endif
  endif
  if (is_inverse)
    sigma = P.sigma;
    P.value = @(nu) sigma + 1 ./ nu;
    P.op = @(x) to (middle (from (x)));
  else
    P.op = @(x) from (middle (to (x)));
  endif
  if (isempty (P.B))
    P.op = middle;
  endif

  unit = eps (underlyingType (P.like));
  tol = max (P.tol, 200 * unit);
  if (is_function)
    op = P.op;
    ## The wanted eigenvalues may be small ones of the operator.
    size_of = 0;
    if (! is_inverse)
      size_of = lengths (op (__random_block__ (P.n, 1, P.like, 0)));
    endif
    P.errors = @(y, nu) lengths (op (y) - y .* nu.') ./ (tol * max ([abs(nu); size_of]));
    P.ritz = @(y) ritz (y, op (y), P.symmetric);
    P.correction = @(y, nu) op (op (y) - y .* nu.');
  else
    scale = [full(gather (norm (P.A, 1))), 1];
    if (isempty (P.B))
      B = 1;
    else
      scale(2) = norm (gather (B), 1);
    endif
    [A, back, value] = deal (P.A, P.back, P.value);
    residual = @(y, nu) A * back (y) - (B * back (y)) .* value (nu).';
    size_of = @(nu) scale(1) + abs (value (nu)) * scale(2);
    P.errors = @(y, nu) lengths (residual (y, nu)) ./ max (tol * size_of (nu) .* lengths (back (y)), realmin);
    if (is_inverse)
      P.correction = @(y, nu) to (middle (residual (y, nu)));
      P.ritz = @(y) shifted_ritz (A, back (y), P.symmetric, sigma);
      size_of_shifted = scale(1) / scale(2) + abs (sigma);
      P.noise = @(theta) unit * size_of_shifted * abs (theta) .^ 2;
    endif
  endif

endfunction

## A function of X: A * X.
function f = product_with (A, is_hermitian)
  f = @(x) A * x;
  if (issparse (A) && ! isobject (A))
    if (! is_hermitian), A = A'; endif
    f = @(x) __h_times__ (A, x);
  endif
endfunction

## Eigenvectors and eigenvalues of Y'*Z.
function [X, d] = ritz (y, z, symmetric)
  H = gather (y' * z);
  if (symmetric)
    H = (H + H') / 2;
  endif
  [X, d] = eig (H, "vector");
endfunction

## As ritz, of A in the space of X; eigenvalues as of the inverse.
function [Y, nu] = shifted_ritz (A, x, symmetric, sigma)
  [Y, d] = ritz (x, A * x, symmetric);
  gap = d - sigma;
  gap(gap == 0) = eps (class (d)) * max ([abs(d); abs(sigma)]);
  nu = 1 ./ gap;
endfunction

## The 2-norms of the columns of X, in a column.
function r = lengths (x)
  r = sqrt (gather (sumsq (x, 1)))';
endfunction

## The function F, which Octave's eigs calls with a vector, of all columns of X.
function y = by_columns (f, x, is_real)
  if (columns (x) == 1)
    y = f (x);
    return;
  endif
  y = x;
  for j = 1:columns (x)
    z = f (x(:,j));
    if (is_real && iscomplex (z) && ! iscomplex (x))
      error ("gpueig:bad-argument", "gpu_eigs: the function returned complex numbers; OPTS.isreal must be false");
    endif
    y(:,j) = z;
  endfor
endfunction

## B = R'*R up to a permutation: TO (x) is R * x, or inv (R') * x if sigma is no number; FROM is the
## conjugate transpose of TO; BACK (x) = inv (R) * x.
function [to, from, back, B] = definite_factor (P)
  B = P.B;
  place = @(x) __in_array__ (x, P.like);
  q = 1:P.n;
  if (P.has_factor)
    R = B = gather (B);
    q = P.permutation;
    B = R' * R;
    B(q,q) = B;
  elseif (issparse (B))
    [R, failed, q] = chol (gather (B), "vector");
  else
    [R, failed] = chol (B);
  endif
  if (! P.has_factor && failed)
    error ("gpueig:not-definite", "gpu_eigs: B must be symmetric positive definite");
  endif
  inverse(q) = 1:P.n;
  if (isobject (R) && ! issparse (R))
    ## An array has no solver for triangular matrices; products with the inverse take as long.
    S = inv (R);
    times = @(x) R * x;
    times_h = @(x) R' * x;
    over = @(x) S * x;
    over_h = @(x) S' * x;
  else
    R = gather (R);
    Rh = R';
    times = @(x) place (__h_times__ (Rh, gather (x)(q,:)));
    times_h = @(x) place (__h_times__ (R, gather (x))(inverse,:));
    over = @(x) place ((R \ gather (x))(inverse,:));
    over_h = @(x) place (Rh \ gather (x)(q,:));
  endif
  back = over;
  if (isnumeric (P.sigma))
    to = times;
    from = times_h;
  else
    to = over;
    from = over_h;
  endif
endfunction

## SOLVE (x) = inv (A - sigma*B) * x.  A singular matrix gets another sigma, at a distance that is
## small to the norm of A: eigenvalues at sigma are then large ones of the inverse, and no
## longer infinite.
function [solve, sigma, is_singular] = inverse_of (A, B, P)
  sigma = P.sigma;
  is_array = isobject (A) && ! issparse (A);
  if (! is_array)
    A = gather (A);
    B = gather (B);
  endif
  warning ("off", "Octave:singular-matrix", "local");
  warning ("off", "Octave:nearly-singular-matrix", "local");
  ## Not smaller: the inverse must have digits left.  Not larger: which eigenvalues are next to SIGMA is known
  ## up to this distance.
  unit = eps (underlyingType (P.like));
  step = min (1e-2 * sqrt (unit), 1e4 * unit) * full (norm (A, 1)) / full (norm (B, 1));
  for attempt = 1:4
    M = A - sigma * B;
    if (issparse (M))
      solve = by_sparse_factors (M, P.symmetric, P.like);
    else
      solve = by_inverse (M, P.symmetric, P.like);
    endif
    is_singular = ! is_regular (solve, full (gather (norm (M, 1))), P);
    if (! is_singular)
      return;
    endif
    sigma -= step;
    step *= 3;
  endfor
endfunction

## Whether the matrix of norm SIZE_OF, of which SOLVE is the inverse, has no singular value like a
## rounding error.
function is = is_regular (solve, size_of, P)
  x = __random_block__ (P.n, 1, P.like, 0);
  for k = 1:2
    x = solve (x / lengths (x));
  endfor
  is = lengths (x) * size_of < 1e-3 / eps (underlyingType (x));  # false if it is NaN
endfunction

## A product with the inverse is as accurate as two triangular solutions, and faster than them.
function solve = by_inverse (M, symmetric, like)
  X = __in_array__ (inv (M), like);
  if (symmetric)
    X = (X + X') / 2;
  endif
  solve = @(x) X * x;
endfunction

function solve = by_sparse_factors (M, symmetric, like)
  inverse = 1:rows (M);
  ## A definite matrix has its largest elements on the diagonal.
  d = real (diag (M));
  if (symmetric && all (d > 0) && max (d) >= max (abs (nonzeros (M))))
    [R, failed, q] = chol (M, "vector");
    if (! failed)
      inverse(q) = inverse;
      Rh = matrix_type (R', "lower");
      R = matrix_type (R, "upper");
      solve = @(x) __in_array__ ((R \ (Rh \ gather (x)(q,:)))(inverse,:), like);
      return;
    endif
  endif
  [L, U, p, q] = lu (M, [0.1, 0.01], "vector");
  if (! all (diag (U)))
    solve = @(x) Inf * x;  # Octave would return solutions of least squares
    return;
  endif
  inverse(q) = inverse;
  L = matrix_type (L, "lower");
  U = matrix_type (U, "upper");
  solve = @(x) (U \ (L \ x(p,:)))(inverse,:);
  ## Pivots are chosen for sparsity as well; if that costs digits, solutions are refined.
  b = sin ((1:rows (M))' .^ 2);
  x = solve (b);
  if (norm (M * x - b) > 20 * eps * norm (M, 1) * norm (x))
    times = product_with (M, symmetric);
    solve = @(b) refined (times, solve, b);
  endif
  solve = @(x) __in_array__ (solve (gather (x)), like);
endfunction

function x = refined (times, solve, b)
  x = solve (b);
  x += solve (b - times (x));
endfunction
