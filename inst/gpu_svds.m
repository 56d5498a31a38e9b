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
## @deftypefn  {} {@var{s} =} gpu_svds (@var{A})
## @deftypefnx {} {@var{s} =} gpu_svds (@var{A}, @var{k}, @var{sigma}, @var{opts})
## @deftypefnx {} {@var{s} =} gpu_svds (@var{fcn}, @var{dims}, @dots{})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}, @var{flag}] =} gpu_svds (@dots{})
## A few singular values and vectors of a large matrix, as by @code{svds}.
##
## @example
## @group
## gpu_svds (gallery ("poisson", 30), 2)
##   @result{} [7.979477; 7.948799]
## @end group
## @end example
##
## @var{A} is a full or sparse matrix, or one in a @code{gpu_array}, for which @code{svds} is this
## function.  The @var{k} singular values (default: 6) that @var{sigma} names are returned, in
## descending order: with @qcode{"L"} (default) or @qcode{"largest"} the largest, with 0 or
## @qcode{"smallest"} the smallest, with another number the closest to it.
##
## @code{@var{fcn} (x, "notransp")} returns @code{A*x}, @code{@var{fcn} (x, "transp")}
## @code{A'*x} with @var{A} of size @var{dims}; then only the largest are computed.  @code{x} is a
## column, of a @code{gpu_array} if there is a GPU and @var{A} has 5000 rows or columns or more.
##
## Fields of the struct @var{opts}: @code{tol} (default: @code{eps}), @code{maxit} (restarts, default:
## 1000), @code{p} (columns of the basis, default: @code{max (2*k, k+40)}), @code{v0} (first vector, of
## the smaller size or, as for @code{svds}, of both); and @code{sketch}: with a number q from 0 the
## largest are estimated by one random block of k+10 columns with q power iterations; @code{disp} has
## no effect.
##
## @strong{Outputs}
##
## @code{@var{U}*@var{S}*@var{V}'} is the best approximation of rank @var{k} if the values are the
## largest; the columns of @var{U} and @var{V} are orthonormal.  What has not converged is NaN, or with
## @code{sketch} an estimate; then @var{flag} is 1, or there is the warning
## @code{gpueig:no-convergence} if it is not asked for.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type}, @code{gpueig:nonfinite},
## @code{gpueig:bad-option}, @code{gpueig:bad-argument}.
##
## @strong{Algorithms}
##
## A small matrix, or many values, are a matter of @code{gpu_svd}.  Otherwise: the Lanczos method of
## @code{gpu_eigs} for @code{A'*A} or @code{A*A'}, never formed, whichever is smaller, and the singular
## value decomposition of @var{A} times the basis that it finds.  Values below about
## @code{norm (A) / 200} have lost digits by the square: they are computed again after the others have
## been projected out.  The smallest by the inverse of the triangular factor of a QR
## decomposition, those close to a number by @code{gpu_eigs} of @code{[0, A; A', 0]}.
##
## References: J. Baglama, L. Reichel, SIAM J. Sci. Comput. 27 (2005) 19--42; N. Halko,
## P.-G. Martinsson, J. A. Tropp, SIAM Rev. 53 (2011) 217--288.
##
## @strong{Accuracy}: @code{norm (A'*u - s*v)} and @code{norm (A*v - s*u)} are verified to be at most
## @code{max (tol, 200*eps) * norm (A)}; otherwise @var{flag} is 1.
##
## @seealso{svds, gpu_eigs, gpu_svd, gpu_array}
## @end deftypefn

function varargout = gpu_svds (varargin)

  if (nargin < 1 || nargout > 4)
    print_usage ();
  endif
  [P, k] = arguments (varargin{:});
  if (isfield (P, "sketch"))
    [U, s, V] = by_sketch (P, k);
  elseif (! P.is_function && nnz (P.A) == 0)
    [U, s, V] = deal (eye (P.m, k) + P.like, zeros (k, 1), eye (P.n, k) + P.like);
  elseif (3 * k > min (P.m, P.n) || min (P.m, P.n) <= 300)
    P = as_matrix (P);
    [U, s, V] = by_dense_solver (P, k);
  elseif (P.sigma > 0 && isfinite (P.sigma))
    [U, s, V] = by_augmented_matrix (P, k);
  else
    [U, s, V] = by_iteration (P, k);
  endif

  [s, at] = sort (s, "descend");
  [U, V] = deal (U(:,at), V(:,at));
  found = numel (s);
  is_good = residuals (P, U, s, V) <= 1;
  s = times_power_of (s, P.exponent);
  flag = ! (found == k && all (is_good));
  if (flag && nargout < 4)
    warning ("gpueig:no-convergence", "gpu_svds: only %d of the %d requested singular values converged", sum (is_good), k);
  endif
  s(end+1:k,1) = NaN;
  if (nargout < 2)
    varargout{1} = P.result (s);
    return;
  endif
  rest = k - found;
  if (rest > 0)
    U = [U, NaN(P.m, rest, "like", U)];
    V = [V, NaN(P.n, rest, "like", V)];
  endif
  varargout = {P.result(U), diag(P.result (s)), P.result(V), double(flag)};

endfunction

## The problem P: A * x is P.times (x), A' * x is P.times_h (x), of size P.m and P.n.
function [P, k] = arguments (A, varargin)

  P = struct ("A", A, "sigma", Inf, "p", [], "tol", eps, "maxit", 1000, "v0", []);
  P.is_function = is_function_handle (A);
  if (P.is_function)
    if (nargin < 2)
      print_usage ("gpu_svds");
    endif
    dims = varargin{1};
    varargin(1) = [];
    if (! (isnumeric (dims) && numel (dims) == 2 && all (dims >= 1 & dims == fix (dims))))
      error ("gpueig:bad-argument", "gpu_svds: the second argument must be the two sizes of the operator");
    endif
    [P.m, P.n] = num2cell (dims){:};
  elseif (! (isnumeric (A) || islogical (A)) || ndims (A) > 2)
    error ("gpueig:wrong-type", "gpu_svds: A must be a matrix or a function handle");
  else
    [P.A, is_finite] = __floating__ (A);
    [P.m, P.n] = size (A);
    if (! is_finite)
      error ("gpueig:nonfinite", "gpu_svds: A has NaN or Inf elements");
    endif
  endif
  opts = struct ();
  if (! isempty (varargin) && isstruct (varargin{end}))
    opts = varargin{end};
    varargin(end) = [];
  endif
  k = 6;
  if (numel (varargin) > 0)
    k = varargin{1};
  endif
  if (numel (varargin) > 2 || ! (isnumeric (k) && isscalar (k) && k >= 1 && k == fix (k)))
    error ("gpueig:bad-option", "gpu_svds: K must be a positive whole number, and the last argument a struct of options");
  endif
  k = min ([k, P.m, P.n]);
  if (numel (varargin) > 1)
    P.sigma = varargin{2};
    if (ischar (P.sigma))
      at = strcmpi (P.sigma, {"L", "largest", "smallest"});
      P.sigma = [Inf, Inf, 0](at);
    endif
    if (! (isnumeric (P.sigma) && isscalar (P.sigma) && isreal (P.sigma) && P.sigma >= 0) || (P.is_function && P.sigma < Inf))
      error ("gpueig:bad-option", "gpu_svds: SIGMA must be \"L\", \"largest\" or, for a matrix, \"smallest\" or a number from 0");
    endif
  endif
  names = {"tol", "maxit", "p", "v0", "sketch", "disp"};
  for name = fieldnames (opts)'
    x = opts.(name{1});
    is_size = isscalar (x) && isnumeric (x) && isreal (x) && x >= 0;
    good = is_size && (strcmp (name{1}, "tol") || x == fix (x));
    if (strcmp (name{1}, "v0"))
      good = isnumeric (x) && any (numel (x) == [P.m, P.n, P.m + P.n]);
      x = x(:);
    endif
    if (! any (strcmp (name{1}, names)) || ! good)
      error ("gpueig:bad-option", "gpu_svds: bad option \"%s\" in OPTS; options are %s", name{1}, strjoin (names, ", "));
    endif
    P.(name{1}) = x;
  endfor

  array = [];
  if (isobject (P.A)), array = P.A; endif
  if (isobject (P.v0)), array = P.v0; endif
  P.result = @(x) __in_array__ (x, array);
  if (isempty (array) && max (P.m, P.n) >= 5000 && gpuDeviceCount () > 0 && ! strcmp (getenv ("GPUEIG_BACKEND"), "cpu"))
    array = gpu_array (0);
    P.result = @gather;
  endif
  type = "double";
  is_real = true;
  if (P.is_function)
    is_real = isreal (P.A (__in_array__ (zeros (P.n, 1), array), "notransp"));
    y = P.A (__random_block__ (P.n, 1, __in_array__ (0, array), 0), "notransp");
    [~, P.exponent] = times_power_of (gather (y), []);
    P.times = @(x) times_power_of (by_columns (P.A, x, "notransp"), -P.exponent);
    P.times_h = @(x) times_power_of (by_columns (P.A, x, "transp"), -P.exponent);
  else
    [P.A, P.exponent] = times_power_of (P.A, []);
    P.A = __in_array__ (P.A, array);
    type = underlyingType (P.A);
    is_real = isreal (P.A);
    A = P.A;
    P.times = @(x) A * x;
    P.times_h = @(x) A' * x;
    if (issparse (A) && ! isobject (A))
      Ah = A';
      P.times = @(x) __h_times__ (Ah, x);
      P.times_h = @(x) __h_times__ (A, x);
    endif
  endif
  P.like = cast (0, type);
  if (! is_real), P.like = complex (P.like, 0); endif
  P.like = __in_array__ (P.like, array);
  P.limit = max (P.tol, 200 * eps (type));
  P.sigma = times_power_of (P.sigma, -P.exponent);

endfunction

## A times 2^E; without E it is that for which elements are near 1, so that no square leaves the range.
function [A, e] = times_power_of (A, e)
  if (isempty (e))
    x = A;
    if (issparse (x)), x = nonzeros (gather (x)); endif
    e = -nextpow2 (double (gather (max ([abs(x(:)); 0]))));
    A = times_power_of (A, e);
    e = -e;
  elseif (e != 0)
    A = A * 2 ^ fix (e / 2) * 2 ^ (e - fix (e / 2));
  endif
endfunction

function y = by_columns (f, x, word)
  y = f (x(:,1), word);
  for j = 2:columns (x)
    y(:,j) = f (x(:,j), word);
  endfor
endfunction

function r = lengths (x)
  r = sqrt (gather (sumsq (x, 1)))';
endfunction

## Residuals in units of what is permitted.
function r = residuals (P, U, s, V)
  size_of_A = max (s);
  if (! P.is_function && isfinite (P.sigma)), size_of_A = full (norm (P.A, "fro")); endif
  size_of_A = max (double (size_of_A), double (realmin ("single")));
  s = reshape (s, 1, []);
  r = max (lengths (P.times (V) - U .* s), lengths (P.times_h (U) - V .* s)) / (P.limit * size_of_A);
endfunction

## A function is applied to the columns of the smaller identity.
function P = as_matrix (P)
  if (P.is_function)
    if (P.n <= P.m)
      P.A = P.times (__in_array__ (eye (P.n), P.like));
    else
      P.A = P.times_h (__in_array__ (eye (P.m), P.like))';
    endif
    P.is_function = false;
  endif
endfunction

function [U, s, V] = by_dense_solver (P, k)
  [U, s, V] = gpu_svd (full (P.A), "econ", "vector");
  s = gather (s);
  [~, at] = sort (s, "descend");
  if (P.sigma < Inf)
    [~, at] = sort (abs (s - P.sigma));
  endif
  at = at(1:k);
  [U, s, V] = deal (U(:,at), s(at), V(:,at));
endfunction

## The singular values of A in the space of the columns of V, which is as [V, ~] = qr (V, 0) leaves it.
function [U, s, V] = within (P, V)
  V = __orthonormal__ (V);
  W = P.times (V);
  U = __orthonormal__ (W);
  [u, s, v] = gpu_svd (gather (U' * W), "vector");
  U = U * u;
  V = V * v;
endfunction

function [U, s, V] = by_sketch (P, k)
  V = __random_block__ (P.n, min (k + 10, P.n), P.like, 0);
  for q = 0:P.sketch
    U = __orthonormal__ (P.times (V));
    V = __orthonormal__ (P.times_h (U));
  endfor
  [U, s, V] = within (P, V);
  [U, s, V] = deal (U(:,1:k), s(1:k), V(:,1:k));
endfunction

## The largest by A'*A, the smallest by its inverse.
function [U, s, V] = by_iteration (P, k)
  is_wide = P.n > P.m;
  if (is_wide)
    [P.times, P.times_h, P.m, P.n] = deal (P.times_h, P.times, P.n, P.m);
    if (! P.is_function), P.A = P.A'; endif
  endif
  [times, times_h, limit] = deal (P.times, P.times_h, P.limit);
  o = struct ("symmetric", true, "k", k, "tol", P.tol, "maxit", P.maxit, "merit", @(t) t, "relative", P.sigma == 0, ...
              "noise", @(t) 0);
  o.p = min (max ([P.p, k + 3, merge(isempty (P.p), max (2 * k, k + 40), 0)]), P.n - 3);
  if (P.sigma == 0)
    op = __inverse_square__ (P, 0);
    o.scale = @(t, largest) abs (t);
    size_of_A = full (norm (P.A, "fro"));
    o.errors = @(y, t) square_errors (times, times_h, y, limit, size_of_A);
    o.ritz = @(y) inverse_square_ritz (times (y));
    o.correction = @(y, t) op (times_h (times (y)) - y ./ t.');
    unit = eps (underlyingType (P.like)) * size_of_A;
    o.noise = @(t) unit * abs (t) .^ 1.5;
  else
    op = @(x) times_h (times (x));
    o.scale = @(t, largest) sqrt (largest * max (t, 0)) + eps * largest;
    o.errors = @(y, t) zeros (size (t));
  endif
  x = P.v0;
  if (numel (x) == P.m + P.n)
    x = x(end-P.n+1:end);
  elseif (numel (x) != P.n)
    x = __random_block__ (P.n, 1, P.like, 0);
  endif
  x = x + 0 * P.like;
  [U, s, V] = extended (P, x(:,[]), op, x, o);
  is_good = residuals (P, U, s, V) <= 1;
  if (P.sigma == 0 && ! all (is_good))
    ## Rounding errors of A*V are not small to small values.  U becomes the shortest solution of A'*U = V*S
    ## or, of zeros, orthogonal to the columns of A, but for new errors in all directions, of the
    ## precision times the condition, which the second operator removes.  Zeros begin with random
    ## vectors: A*V may be in the space of the columns.
    bad = ! is_good & s <= 10 * eps (underlyingType (V)) * size_of_A;
    U(:,bad) = __random_block__ (P.m, sum (bad), P.like, 1);
    coarse = __inverse_square__ (P, sqrt (eps (underlyingType (V))) * size_of_A);
    for op = {op, op, coarse, coarse, coarse, coarse}
      bad = residuals (P, U, s, V) > 1;
      if (! any (bad))
        break;
      endif
      U(:,bad) += times (op{1} (V(:,bad) .* s(bad)' - times_h (U(:,bad))));
      U = __orthonormal__ (U);
      [u, s, v] = gpu_svd (gather (U' * times (V)), "vector");
      [U, V] = deal (U * u, V * v);
    endfor
  elseif (P.sigma)
    ## Small values have lost digits by the square: the vectors that are good are projected out,
    ## then A is smaller.
    unit = 4 * eps (underlyingType (V)) * max (s);
    o.noise = @(t) unit * (unit + sqrt (abs (t)));
    for stage = 1:9
      known = find ([is_good; 0] == 0, 1) - 1;
      if (known < stage || known == numel (s))
        break;
      endif
      [U1, V1, s1] = deal (U(:,1:known), V(:,1:known), s(known+1));
      left = @(x) x - U1 * __h_times__ (U1, x);
      right = @(x) x - V1 * __h_times__ (V1, x);
      op = @(x) right (times_h (left (times (right (x))))) - V1 * (s1 ^ 2 * __h_times__ (V1, x));
      o.k = k - known;
      [U, s, V] = extended (P, V1, op, right (x), o);
      is_good = residuals (P, U, s, V) <= 1;
    endfor
  endif
  if (is_wide)
    [U, V] = deal (V, U);
  endif
endfunction

## The singular values of A in the space of V and the O.k best eigenvectors of OP.
function [U, s, V] = extended (P, V, op, x, o)
  [W, T] = __krylov__ (op, x, o);
  [~, at] = sort (real (diag (T)), "descend");
  [U, s, V] = within (P, [V, W(:,at(1:min (o.k, end)))]);
endfunction

function r = square_errors (times, times_h, y, limit, size_of_A)
  w = times (y);
  s = lengths (w);
  ## Products with A have rounding errors of the size of A.
  r = lengths (times_h (w) - y .* (s' .^ 2)) ./ (limit * size_of_A * max (s, size_of_A / 100));
endfunction

## Eigenvectors of W'*W, and the inverse of its eigenvalues.
function [X, t] = inverse_square_ritz (W)
  [~, s, X] = svd (gather (W), 0);
  t = diag (s) .^ -2;
endfunction

function X = unit_columns (X)
  X = X ./ sqrt (sumsq (X, 1));
endfunction

## As eigenvalues of [0, R; R', 0] next to P.sigma, where R is A, or, since that has zeros besides if
## A is not square, a square matrix with its values.  Negative ones are left out, and every second zero.
function [U, s, V] = by_augmented_matrix (P, k)
  is_wide = P.n > P.m;
  if (is_wide)
    [P.times, P.times_h, P.m, P.n, P.A] = deal (P.times_h, P.times, P.n, P.m, P.A');
  endif
  n = P.n;
  [R, p, Q] = deal (P.A, 1:n, 1);
  opts = struct ("tol", P.tol);
  if (P.maxit < 1000), opts.maxit = P.maxit; endif
  if (! isempty (P.p)), opts.p = P.p; endif
  for may_be_others = [P.m > n, false]
    m = rows (R);
    if (issparse (R)), R = gather (R); endif
    H = [zeros(m, m, "like", R), R; R', zeros(n, n, "like", R)];
    [X, D, ~] = gpu_eigs (H, min (2 * k, m + n), P.sigma, opts);
    X = __in_array__ (X, P.like);
    s = gather (diag (D));
    [~, at] = sort (abs (s - P.sigma));
    is_zero = abs (s(at)) <= n * eps (underlyingType (P.like)) * full (gather (norm (R, "fro")));
    if (! (may_be_others && any (is_zero))), break; endif
    [R, p, Q] = __triangle_of__ (R);
  endfor
  keep = (s(at) > 0 & ! is_zero) | (is_zero & mod (cumsum (is_zero), 2));  # not NaN
  keep &= cumsum (keep) <= k;
  zeros_of = sum (keep & is_zero);
  at = at(keep & ! is_zero);
  s = s(at);
  V = X(m+1:m+n,at);
  V(p,:) = unit_columns (V);
  if (isempty (Q))
    warning ("off", "Octave:singular-matrix", "local");
    W(p,:) = __in_array__ (R \ gather (X(1:m,at)), P.like);
    [U, W] = deal (unit_columns (P.times (V)), unit_columns (P.times (W)));
    better = residuals (P, W, s, V) < residuals (P, U, s, V);
    U(:,better) = W(:,better);
  else
    U = unit_columns (Q * X(1:m,at));
  endif
  if (! all (s > sqrt (eps (underlyingType (P.like))) * max (s))), [U, s, V] = within (P, V); endif
  if (zeros_of > 0)
    ## Vectors of zeros are any two of the null spaces.
    P.sigma = 0;
    [U0, s0, V0] = by_iteration (P, zeros_of);
    [U, s, V] = deal ([U, U0], [s; s0], [V, V0]);
  endif
  if (is_wide)
    [U, V] = deal (V, U);
  endif
endfunction

%!function check_triplets (A, U, S, V, want)
%!  [A, U, S, V] = gather (A, U, S, V);
%!  A = full (double (A));
%!  k = numel (want);
%!  eps_n = 300 * eps (class (U));
%!  unit = eps_n * norm (A);
%!  assert (diag (S), cast (want, class (S)), unit);
%!  assert (norm (A * V - U * S) <= unit && norm (A' * U - V * S) <= unit);
%!  assert (norm (U' * U - eye (k)) <= eps_n && norm (V' * V - eye (k)) <= eps_n);
%!endfunction

## The largest, smallest and closest values of matrices of all kinds.
%!test
%! m = 420; n = 330;
%! A = spdiags (sin ((1:m)' * (1:7)), -60:17:42, m, n) + spdiags (2 + cos ((1:m)'), 0, m, n);
%! for M = {A, A', A + 1i * A(:,end:-1:1), full(A), gpu_array(A), gpu_array(full (A')), gpu_array(single (full (A)))}
%!   M = M{1};
%!   s = svd (double (full (gather (M))));
%!   [U, S, V, flag] = gpu_svds (M, 5);
%!   assert ({flag, isgpuarray(U), isgpuarray(S)}, {0, isgpuarray(M), isgpuarray(M)});
%!   check_triplets (M, U, S, V, s(1:5));
%!   [U, S, V, flag] = gpu_svds (M, 5, 0);
%!   assert (flag, 0);
%!   check_triplets (M, U, S, V, s(end-4:end));
%!   [~, at] = sort (abs (s - 2.001));
%!   [U, S, V, flag] = gpu_svds (M, 3, 2.001);
%!   assert (flag, 0);
%!   check_triplets (M, U, S, V, sort (s(at(1:3)), "descend"));
%! endfor

## Multiple values, zeros, values far apart.
%!test
%! [Q, ~] = qr (reshape (sin ((1:400*400) .^ 2), 400, 400));
%! for s = {[4 3 3 3 0 0 0 0], logspace(0, -12, 8), ones(1, 8), zeros(1, 8)}
%!   [Q8, ~] = qr (Q(1:330,21:28), 0);
%!   A = Q(:,1:8) * diag (s{1}) * Q8';
%!   [U, S, V, flag] = gpu_svds (A, 8);
%!   assert (flag, 0);
%!   check_triplets (A, U, S, V, s{1}');
%! endfor
%! ## Left vectors of small values, and of none.
%! [Q, ~] = qr (sin ((1:400)' .^ 2 .* sqrt (1:360)), 0);
%! for s = {[logspace(0, -1, 340), logspace(-9, -14, 10)], [ones(1, 345), 1e-12, 1e-12, 0, 0, 0]}
%!   [R, ~] = qr (Q(1:350,11:360));
%!   A = Q(:,1:350) * diag (s{1}) * R';
%!   [U, S, V, flag] = gpu_svds (A, 8, 0);
%!   assert (flag, 0);
%!   check_triplets (A, U, S, V, s{1}(end-7:end)');
%!   [V, S, U, flag] = gpu_svds (A', 8, 0);
%!   assert (flag, 0);
%!   check_triplets (A, U, S, V, s{1}(end-7:end)');
%! endfor

%!function y = product (A, x, word)
%!  if (strcmp (word, "transp"))
%!    y = A' * x;
%!  else
%!    y = A * x;
%!  endif
%!endfunction

## Functions, sketches, options.
%!test
%! A = spdiags (sin ((1:400)' * (1:3)), [0 3 50], 400, 350);
%! f = @(x, word) product (A, x, word);
%! s = svd (full (A));
%! [U, S, V, flag] = gpu_svds (f, [400, 350], 3);
%! assert (flag, 0);
%! check_triplets (A, U, S, V, s(1:3));
%! [U, S, V, flag] = gpu_svds (A * A', 3, "largest", struct ("sketch", 3, "tol", 0.1));
%! assert (flag, 0);
%! assert (diag (S), s(1:3) .^ 2, 0.1 * s(1) ^ 2);
%! [U, S, V, flag] = gpu_svds (A, 3, "L", struct ("sketch", 0));
%! assert (flag, 1);
%! assert (gpu_svds (A, 3, "L", struct ("v0", ones (750, 1), "p", 30, "maxit", 300)), s(1:3), 1e-12);
%! assert (gather (svds (gpu_array (A), 2)), s(1:2), 1e-12);
%! assert (gpu_svds ([3 0; 0 4]), [4; 3], 8*eps);
## Small functions, and all values.
%!test
%! A = full (spdiags (sin ((1:30)' * (1:3)), [0 3 9], 30, 20));
%! for B = {A, A', complex(A, 2 * A)}
%!   s = svd (B{1});
%!   for k = [1, 6, 18, 20]
%!     [U, S, V, flag] = gpu_svds (@(x, word) product (B{1}, x, word), size (B{1}), k);
%!     assert (flag, 0);
%!     check_triplets (B{1}, U, S, V, s(1:k));
%!   endfor
%! endfor

%!demo
%! ## A picture of few dominant patterns.
%! [x, y] = meshgrid (1:400, 1:500);
%! A = exp (-((x - 200) / 80) .^ 2 - ((y - x) / 90) .^ 2);
%! s = gpu_svds (A, 4)'

%!error <Invalid call> gpu_svds ()
%!error <Invalid call> gpu_svds (@sin)
%!error id=gpueig:wrong-type gpu_svds ({1})
%!error id=gpueig:nonfinite gpu_svds ([1 NaN])
%!error id=gpueig:bad-option gpu_svds (eye (3), 0)
%!error id=gpueig:bad-option gpu_svds (eye (3), 1, "xx")
%!error id=gpueig:bad-option gpu_svds (eye (3), 1, -1)
%!error id=gpueig:bad-option gpu_svds (@sin, [3, 3], 1, 0)
%!error id=gpueig:bad-option gpu_svds (eye (3), 1, 0, struct ("p", -1))
%!error id=gpueig:bad-option gpu_svds (eye (3), 1, 0, 1)
%!error id=gpueig:bad-argument gpu_svds (@sin, 3)
