## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{T}] =} __krylov__ (@var{op}, @var{x}, @var{o})
## Orthonormal columns @var{V} and a matrix @var{T} with @code{op (V) = V*T}, among whose eigenvalues are
## the @code{o.k} of the linear operator @var{op} with the largest @code{o.merit (eigenvalues)}; fewer if
## they did not converge, and some more where pairs or better ones were found later.
##
## @var{x} is the first vector; all vectors have its class and place.  The other fields
## of @var{o} are @code{symmetric}, @code{relative}: of an inverse, @code{p}: columns of the basis,
## @code{tol}: of residuals, relative to @code{o.scale (eigenvalues, largest)}, @code{noise}: a function of
## eigenvalues, with the rounding errors of @var{op}, if they are larger, @code{maxit}: restarts, and
## @code{errors}: a function of eigenvectors and eigenvalues, with the residuals in units of
## what is permitted; see also @code{__refined__}.
##
## Symmetric: thick-restart Lanczos with full reorthogonalization (K. Wu, H. Simon, SIAM
## J. Matrix Anal. Appl. 22 (2000) 602--616).
## Where many restarts are to come, it goes on with a polynomial of @var{op}, see @code{__filtered__};
## @code{o.shifted (c, factor)}, if it is there, is the operator @code{(@var{op} - c) * factor}.
## General: Krylov--Schur (G. W. Stewart, SIAM J. Matrix Anal. Appl. 23 (2001) 601--614).
## Differences: a direction that vanishes is replaced by a random one;
## Ritz vectors of equal values are chosen such that as many as possible have converged;
## after the last pair has converged, random vectors orthogonal to all converged ones are
## iterated until nothing better has been found, because from one vector the iteration finds one copy of
## a multiple eigenvalue.
## @end deftypefn

function [V, T] = __krylov__ (op, x, o)

  type = underlyingType (x);
  o.tol = max (o.tol, 4 * eps (type));
  s = struct ("V", zeros (rows (x), o.p, "like", x), "T", zeros (o.p + 1, o.p, type), "locked", 0, ...
              "norm", 0, "cycles", 0, "ends", [Inf, -Inf], "filter", []);
  o.op = op;
  [o.degree, o.value, o.inverse] = deal (1, @(t) t, @(t) t);
  o.base = o;
  if (isfield (o, "has_p") && o.relative && o.symmetric && strcmp (class (x), "double") && isreal (x))
    [V, d] = __arpack__ (op, x, o);
    s.locked = numel (d);
    s.V(:,1:s.locked) = V;
    s.T(1:s.locked,1:s.locked) = diag (d);
  endif
  if (s.locked == 0)
    [s, o] = iterated (x, s, o, Inf);
  endif
  corrections = 0;
  is_filtered = o.degree > 1;
  while (s.locked > 0 && s.cycles < o.maxit)
    least = sort (o.merit (eigenvalues (s)), "descend");
    least = [least; Inf](min (o.k, s.locked + 1));
    before = s.locked;
    x = [];
    if (corrections < 2)
      [s, x] = corrected (o.op, s, o);
    endif
    if (isempty (x))
      ## With 0 it might be the first vector, which has nothing of the copies that are missing.
      x = __random_block__ (rows (s.V), 1, s.V, s.cycles + 1);
    else
      corrections += 1;
      least = Inf;
      x = x(:,1);
      if (o.degree > 1)
        ## The polynomial magnifies errors too much: without it, until there is another one.
        o = setfield (o.base, "base", o.base);
        l = s.locked;
        if (l > 0)
          [s.T(1:l,1:l), X] = rayleigh_ritz (o.op, s.V * eye (columns (s.V), l));
          s.V = rotated (s.V, X);
        endif
      endif
    endif
    if (isfinite (least) && is_complete (o.op, x, s, o, least))
      break;
    endif
    [s, o] = iterated (x, s, o, least);
    if (s.locked == before && isfinite (least))
      break;
    endif
  endwhile
  V = s.V(:,1:s.locked);
  T = s.T(1:s.locked,1:s.locked);
  if (is_filtered && s.cycles >= o.maxit)
    ## Copies may be missing: that counts as one that did not converge.
    [~, at] = sort (o.merit (diag (T)), "descend");
    at = at(1:min (o.k - 1, end));
    V = V(:,at);
    T = T(at,at);
  endif
  if (o.degree > 1)
    [T, X] = rayleigh_ritz (o.base.op, V);
    V = V * X;
  endif

endfunction

## Iterate from X, with a polynomial of the operator as soon as that promises fewer restarts; O are then its options.
function [s, o] = iterated (x, s, o, least)
  [s, x] = passed (o.op, x, s, o, least);
  while (! isempty (s.filter))
    filter = s.filter;
    if (o.degree == 1 && s.locked > 0)
      ## Isolated eigenvalues: the polynomial is to have none of their copies that are missing.
      y = __random_block__ (rows (s.V), 1, s.V, s.cycles);
      s = passed (o.op, y, s, o, min (o.merit (eigenvalues (s))));
    endif
    l = s.locked;
    if (l > 0)
      [d, X] = rayleigh_ritz (o.base.op, s.V * eye (columns (s.V), l));
      s.V = rotated (s.V, X);
      s.T(1:l,1:l) = diag (filter.value (diag (d)));
      filter.op = filter.without (s.V * eye (columns (s.V), l), diag (d));
    endif
    o = filter;
    [s, x] = passed (o.op, x, s, o, least);
  endwhile
endfunction

## The eigenvalues T of the Hermitian operator OP in the space of the orthonormal columns of V, and its vectors V*X.
function [T, X] = rayleigh_ritz (op, V)
  H = gather (V' * op (V));
  [X, d] = eig ((H + H') / 2, "vector");
  T = diag (d);
endfunction

## Whether 300 products, from X on, show that no eigenvector of a symmetric operator that is orthogonal to all
## locked ones has more merit than LEAST.  Lanczos without reorthogonalization: Ritz values have more copies
## then, but their residuals remain right (C. C. Paige, J. Inst. Math. Appl. 18 (1976) 341--349).
function is = is_complete (op, x, s, o, least)

  is = false;
  if (! o.symmetric)
    return;
  endif
  V = s.V(:,1:s.locked);
  x = orthonormal (V, s.locked, x, 0, 0);
  last = 0 * x;
  a = b = zeros (300, 1);
  before = largest = 0;
  next = 16;
  for j = 1:300
    w = op (x);
    w -= last * before;
    a(j) = real (gather (x' * w));
    w -= x * a(j);
    w -= V * (V' * w);
    b(j) = sqrt (real (gather (w' * w)));
    largest = max ([largest, norm([before, a(j), b(j)])]);
    if (! (b(j) > sqrt (eps (underlyingType (x))) * largest))
      return;
    endif
    [last, before] = deal (x, b(j));
    x = w * (1 / before);
    if (j == next)
      next += max (10, round (j / 5));
      theta = residual = zeros (2, 1);
      for i = 1:2
        [y, theta(i)] = gpu_mrrr (a(1:j), b(1:j-1), "vector", "Index", [1, 1] * [1, j](i));
        residual(i) = before * abs (y(j));
      endfor
      [best, i] = max (o.merit (theta));
      largest = max ([largest; abs(theta)]);
      slack = o.tol * largest + o.noise (largest) + 1e3 * o.tol * o.scale (theta, largest)(min (i, end));
      is = best + 10 * residual(i) <= least + slack;
      if (is || best - 10 * residual(i) > least + slack)
        return;
      endif
    endif
  endfor

endfunction

## Iterate from X until O.k vectors are locked or, with a finite LEAST, there is no
## eigenvalue of more merit than LEAST left.  If S.filter is then not empty, the options that it is
## promise fewer restarts from X on.
function [s, x] = passed (op, x, s, o, least)

  m = s.locked;
  s.filter = [];
  age = 0;
  ## In variables of their own, so that an assignment of columns copies nothing.
  [V, T] = deal (s.V, s.T);
  s.V = s.T = [];
  room = max (o.p, m + 21) - columns (V);
  if (room > 0)
    V = [V, zeros(rows (V), room, "like", V)];
    T(end+room,end+room) = 0;
  endif
  x = orthonormal (V, m, x, 0, 0);
  s.norm = 0;
  last = [];
  idle = 0;
  is_done = least == Inf && s.locked >= o.k;
  ## Ritz values are computed before V is full where few products may do: after those that show that nothing
  ## is left, of inverses, and next to convergence.
  next = columns (V);
  if (m > 0)
    next = m + 16;
  elseif (o.relative)
    next = 2 * o.k + 20;
  endif
  while (! is_done && s.cycles < o.maxit)
    full = min (next, columns (V));
    ## An operation is a product with all columns, or a few with a vector; those of V that are not
    ## set are 0.
    while (m < full)
      m += 1;
      V(:,m) = x;
      w = op (x);
      a = 0;
      if (o.symmetric)
        ## The known coefficients are subtracted first: one product with V then suffices.
        if (! isempty (last))
          w -= last * r;
          T(m-1,m) = r;
        endif
        a = x' * w;
        w -= x * a;
        a = gather (a);
        s.norm = max (s.norm, abs (a));
      endif
      last = x;
      [x, h, r, s.norm] = orthonormal (V, m, w, s.norm, 1e5 * (s.cycles + 1) + 10 * m);
      h(m) += a;
      T(1:m,m) += h;
      T(m+1,m) = r;
    endwhile

    l = s.locked;
    active = l+1:m;
    [Y, S, theta] = ritz (T(active,active), o);
    C = T(m+1,active) * Y;
    size_of = abs (C).';
    s.norm = max ([s.norm; abs(theta)]);
    merit = o.merit (theta);
    limit = o.tol * o.scale (theta, s.norm) .* ones (size (theta));
    slack = o.tol * s.norm + o.noise (s.norm);
    if (idle > 3)
      limit += o.noise (theta);
    endif
    if (o.symmetric)
      [Y, S, C] = separated (Y, theta, C, limit);
      size_of = abs (C).';
    endif
    if (least == Inf)
      wanted = 1:numel (theta) <= o.k - l;
    else
      wanted = merit' > least + slack;
    endif
    q = find (! (wanted' & size_of <= limit), 1) - 1;
    if (isempty (q))
      q = numel (theta);
    endif
    q = whole_blocks (S, q, size_of <= limit);
    if (least == Inf)
      is_done = l + q >= o.k;
    elseif (q < numel (theta))
      is_done = merit(q+1) + 10 * size_of(q+1) <= least + slack + 1e3 * limit(q+1);
    endif
    ## Next to an eigenvalue an inverse has large rounding errors in all directions but
    ## its vectors: the others are iterated anew without them.
    is_done = is_done || (o.relative && q > 0 && q < numel (theta) && abs (theta(1)) > 1e4 * abs (theta(q+1)));
    is_near = o.relative || least < Inf || all (size_of(wanted) <= 1e5 * limit(wanted));
    next = merge (is_near, 10, Inf) + m;
    if (! is_done && m < columns (V))
      continue;
    endif
    age += 1;
    s.cycles += max (1, round (o.degree / 20));
    s.locked += q;
    idle = (q == 0) * (idle + 1);
    keep = q;
    if (! is_done)
      if (least == Inf)
        keep += o.k - s.locked;
      endif
      keep = min (keep + round (0.5 * (numel (theta) - keep)), numel (theta) - 2);
      keep = whole_blocks (S, max (keep, q), true (size (theta)));
    endif
    Y = Y(:,1:keep);
    C(1:q) = 0;
    top = T(1:l,active) * Y;
    T(:,l+1:end) = 0;
    T(1:l+keep,l+1:l+keep) = [top; S(1:keep,1:keep)];
    T(l+keep+1,l+1:l+keep) = C(1:keep);
    V = rotated (V, blkdiag (eye (l), Y));
    if (! is_done && least == Inf && o.symmetric && ! o.relative)
      s.ends = bounds (s.ends, o.inverse (theta), size_of * (o.degree == 1));
      left = o.k - s.locked;
      need = log (max (size_of(q+1:q+left) ./ limit(q+1:q+left)));
      s.filter = __filtered__ (o, struct ("theta", theta(q+1:end), "need", need, "wanted", left, "kept", keep - q, "ends", s.ends, ...
                                          "age", age, "locked", s.locked));
      if (! isempty (s.filter))
        x = V * [zeros(s.locked, 1); ones(left, 1); zeros(columns (V) - s.locked - left, 1)];
        break;
      endif
    endif
    next += l + keep - m;
    m = l + keep;
    last = [];
  endwhile
  if (! is_done)
    V = rotated (V, eye (s.locked));
  endif
  T(:,s.locked+1:end) = 0;
  T(s.locked+1:end,:) = 0;
  [s.V, s.T] = deal (V, T);

endfunction

## W = V(:,1:m)*H + X*R with a vector X of norm 1, orthogonal to the first columns of V, which are
## orthonormal; the other columns are 0.  What is a rounding error of NORM, the norm of an operator times a
## vector of norm 1, as is W, counts as zero: a random vector, from SEED on, then takes its place.
##
## Gram--Schmidt is repeated as long as digits are lost: an error in the orthogonality of V must not grow
## from column to column.
function [x, H, R, norm] = orthonormal (V, m, w, norm, seed)

  is_array = isobject (V);
  if (! is_array)
    V = V(:,1:m);
  endif
  R = 1;
  H = h = zeros (m, 1);
  for pass = 1:5
    if (m > 0)
      h = V' * w;
      w -= V * h;
      if (is_array), h = gather (h)(1:m); endif
    endif
    H += R * h;
    len = w' * w;
    if (is_array), len = gather (len); endif
    len = sqrt (real (len));
    if (! isfinite (len))
      error ("gpueig:nonfinite", "gpu_eigs: a product with the matrix has NaN or Inf elements");
    endif
    before = sqrt (real (h' * h) + len ^ 2);
    if (pass == 1)
      norm = max (norm, before);
    endif
    if (len * R > 4 * eps (class (len)) * norm || (R == 0 && len > 1e-3))
      R *= len;
      w *= 1 / len;
      if (len > 0.7 * before)
        break;
      endif
    else
      R = 0;
      w = __random_block__ (rows (w), 1, w, seed + pass);
    endif
  endfor
  x = w;

endfunction

## V*Y in the first columns, zeros in the others.
function V = rotated (V, Y)
  if (isobject (V))
    Y(columns (V),columns (V)) = 0;
    V = V * Y;
  else
    V(:,1:columns (Y)) = V(:,1:rows (Y)) * Y;
  endif
endfunction

## Q, or one less or more, such that no 2-by-2 block of S is cut; one more if IS_GOOD.
function q = whole_blocks (S, q, is_good)
  if (q > 0 && q < rows (S) && S(q+1,q) != 0)
    q += 2 * is_good(q+1) - 1;
  endif
endfunction

## The Schur form Y*S*Y' of T, real or complex as T, eigenvalues THETA of most merit first.
function [Y, S, theta] = ritz (T, o)

  if (o.symmetric)
    [Y, theta] = gpu_eig ((T + T') / 2, "vector");
    [~, at] = sort (o.merit (theta), "descend");
    theta = theta(at);
    Y = Y(:,at);
    S = [];
    return;
  endif
  form = {"complex", "real"}{1 + isreal(T)};
  [Y, S] = gpu_schur (T, form);
  theta = ordered_eigenvalues (S);
  merit = o.merit (theta);
  ## Equal eigenvalues, which cannot be exchanged, have one rank.
  [sorted, at] = sort (merit);
  rank(at) = cumsum ([1; diff(sorted) > 1e-10 * max(abs (theta))]);
  [Y, S] = gpu_ordschur (Y, S, rank);
  theta = ordered_eigenvalues (S);

endfunction

function theta = ordered_eigenvalues (S)
  theta = diag (S);
  if (isreal (S))
    for i = find (diag (S(2:end,1:end-1)))'
      theta(i:i+1) = eig (S(i:i+1,i:i+1));
    endfor
  endif
endfunction

## Ritz vectors of values that differ by less than LIMIT, such that as many as possible have no
## residual, which are the columns of C.
function [Y, S, C] = separated (Y, theta, C, limit)
  [value, order] = sort (theta);
  if (all (diff (value) > limit(order(2:end))))
    S = diag (theta);
    return;
  endif
  first = 1;
  for i = 2:numel (theta) + 1
    if (i > numel (theta) || value(i) - value(first) > limit(order(i)))
      at = sort (order(first:i-1));
      if (numel (at) > rows (C))
        [Q, ~] = qr (C(:,at)');
        Q = fliplr (Q);
        Y(:,at) *= Q;
        C(:,at) *= Q;
        theta(at) = real (diag (Q' * (theta(at) .* Q)));
      endif
      first = i;
    endif
  endfor
  S = diag (theta);
endfunction

## Of what is locked.
function theta = eigenvalues (s)
  theta = ordered_eigenvalues (s.T(1:s.locked,1:s.locked));
endfunction

## Locked vectors X whose residuals are not small are no more locked.
function [s, x] = corrected (op, s, o)
  l = s.locked;
  Y = s.V(:,1:l);
  if (o.symmetric)
    [Y, d, errors] = __refined__ (op, Y, real (diag (s.T)(1:l)), o);
    good = find (errors <= 1)';
    bad = find (! (errors <= 1))';
    s.T(1:l,1:l) = diag (d([good, bad]));
  else
    [X, d] = eig (s.T(1:l,1:l), "vector");
    is_good = o.errors (Y * X, d) <= 1;
    q = whole_blocks (s.T(1:l,1:l), [find(! is_good, 1) - 1, l](1), false (l, 1));
    good = 1:q;
    bad = q+1:l;
  endif
  x = Y(:,bad);
  s.locked = numel (good);
  s.V(:,1:l) = Y(:,[good, bad]);
  s.V = rotated (s.V, eye (l)(:,1:numel (good)));
  s.T(:,s.locked+1:end) = 0;
endfunction

## ENDS, bounds of the spectrum, and what Ritz values with the residuals SIZE_OF say about them.
function ends = bounds (ends, theta, size_of)
  ends = [min([ends(1); theta - 10 * size_of]), max([ends(2); theta + 10 * size_of])];
endfunction
