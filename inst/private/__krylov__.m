## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{T}] =} __krylov__ (@var{op}, @var{x}, @var{o})
## Orthonormal columns @var{V} and a matrix @var{T} with @code{op (V) = V*T}, among whose eigenvalues are
## the @code{o.k} of the linear operator @var{op} with the largest @code{o.merit (eigenvalues)}; fewer if
## they did not converge, and some more where pairs or better ones were found later.
##
## @var{x}, n-by-b, is the first block; all blocks have its size, class and place.  The other fields
## of @var{o} are @code{symmetric}, @code{relative}: of an inverse, @code{p}: columns of the basis,
## @code{tol}: of residuals, relative to @code{o.scale (eigenvalues, largest)}, @code{noise}: a function of
## eigenvalues, with the rounding errors of @var{op}, if they are larger, @code{maxit}: restarts, and
## @code{errors}: a function of eigenvectors and eigenvalues, with the residuals in units of
## what is permitted; see also @code{__refined__}.
##
## Symmetric: thick-restart block Lanczos with full reorthogonalization (K. Wu, H. Simon, SIAM
## J. Matrix Anal. Appl. 22 (2000) 602--616; Y. Zhou, Y. Saad, Numer. Algorithms 47 (2008) 341--359).
## General: block Krylov--Schur (G. W. Stewart, SIAM J. Matrix Anal. Appl. 23 (2001) 601--614).
## Differences: a direction that vanishes is replaced by a random one, so that blocks keep their
## width; Ritz vectors of equal values are chosen such that as many as possible have converged;
## after the last pair has converged, random blocks orthogonal to all converged vectors are
## iterated until nothing better has been found, because a block alone finds no more copies of
## a multiple eigenvalue than it has columns.
## @end deftypefn

function [V, T] = __krylov__ (op, x, o)

  [n, b] = size (x);
  type = underlyingType (x);
  o.tol = max (o.tol, 4 * eps (type));
  s = struct ("V", zeros (n, o.p, "like", x), "T", zeros (o.p + b, o.p, type), "locked", 0, ...
              "norm", 0, "cycles", 0);
  s = passed (op, x, s, o, Inf);
  corrections = 0;
  while (s.locked > 0 && s.cycles < o.maxit)
    least = sort (o.merit (eigenvalues (s)), "descend");
    least = [least; Inf](min (o.k, s.locked + 1));
    before = s.locked;
    x = zeros (n, 0, "like", x);
    if (corrections < 2)
      [s, x] = corrected (op, s, o);
    endif
    if (! isempty (x))
      corrections += 1;
      least = Inf;
      x = x(:,1:min (b, columns (x)));
    endif
    s = passed (op, [x, __random_block__(n, b - columns (x), x, s.cycles)], s, o, least);
    if (s.locked == before && isfinite (least))
      break;
    endif
  endwhile
  V = s.V(:,1:s.locked);
  T = s.T(1:s.locked,1:s.locked);

endfunction

## Iterate from the block X until O.k vectors are locked or, with a finite LEAST, there is no
## eigenvalue of more merit than LEAST left.
function s = passed (op, x, s, o, least)

  b = columns (x);
  m = s.locked;
  ## In a variable of its own, so that an assignment of columns copies nothing.
  V = s.V;
  s.V = [];
  room = max (o.p, m + b + max (20, 3 * b)) - columns (V);
  if (room > 0)
    V = [V, zeros(rows (V), room, "like", V)];
    s.T(end+room,end+room) = 0;
  endif
  x = __orthonormal__ (V, m, x, 0, 0);
  s.norm = 0;
  last = [];
  idle = 0;
  is_done = least == Inf && s.locked >= o.k;
  ## Few products often show already that nothing is left.
  full = columns (V);
  if (m > 0)
    full = min (full, m + b + 15);
  endif
  while (! is_done && s.cycles < o.maxit)
    s.cycles += 1;
    ## An operation is a product with all columns, or a few with a block; those of V that are not
    ## set are 0.
    while (m + b <= full)
      V(:,m+1:m+b) = x;
      w = op (x);
      c = zeros (m + b, b, class (s.T));
      if (o.symmetric)
        ## The known coefficients are subtracted first: one product with V then suffices.
        if (! isempty (last))
          w -= last * r';
          c(m-b+1:m,:) = r';
        endif
        a = x' * w;
        w -= x * a;
        a = gather (a);
        c(m+1:m+b,:) = a;
        s.norm = max (s.norm, norm (a));
      endif
      last = x;
      [x, h, r, s.norm] = __orthonormal__ (V, m + b, w, s.norm, 1e5 * s.cycles + 10 * m);
      s.T(1:m+b,m+1:m+b) = c + h;
      s.T(m+b+1:m+2*b,m+1:m+b) = r;
      m += b;
    endwhile

    full = columns (V);
    l = s.locked;
    active = l+1:m;
    [Y, S, theta] = ritz (s.T(active,active), o);
    C = s.T(m+1:m+b,active) * Y;
    size_of = sqrt (sumsq (C, 1))';
    s.norm = max ([s.norm; abs(theta)]);
    merit = o.merit (theta);
    limit = o.tol * o.scale (theta, s.norm) .* ones (size (theta));
    slack = o.tol * s.norm + o.noise (s.norm);
    if (idle > 3)
      limit += o.noise (theta);
    endif
    if (o.symmetric)
      [Y, S, C] = separated (Y, theta, C, limit);
      size_of = sqrt (sumsq (C, 1))';
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
    s.locked += q;
    idle = (q == 0) * (idle + 1);
    if (least == Inf)
      is_done = s.locked >= o.k;
    elseif (q < numel (theta))
      is_done = merit(q+1) + 10 * size_of(q+1) <= least + slack + 1e3 * limit(q+1);
    endif
    ## Next to an eigenvalue an inverse has large rounding errors in all directions but
    ## its vectors: the others are iterated anew without them.
    is_done = is_done || (o.relative && q > 0 && q < numel (theta) && abs (theta(1)) > 1e4 * abs (theta(q+1)));
    keep = q;
    if (! is_done)
      if (least == Inf)
        keep += o.k - s.locked;
      endif
      keep = min (keep + round (0.5 * (numel (theta) - keep)), numel (theta) - b - 1);
      keep = whole_blocks (S, max (keep, q), true (size (theta)));
    endif
    Y = Y(:,1:keep);
    C(:,1:q) = 0;
    top = s.T(1:l,active) * Y;
    s.T(:,l+1:end) = 0;
    s.T(1:l+keep,l+1:l+keep) = [top; S(1:keep,1:keep)];
    s.T(l+keep+1:l+keep+b,l+1:l+keep) = C(:,1:keep);
    V = rotated (V, blkdiag (eye (l), Y));
    m = l + keep;
    last = [];
  endwhile
  if (! is_done)
    V = rotated (V, eye (s.locked));
  endif
  s.V = V;
  s.T(:,s.locked+1:end) = 0;
  s.T(s.locked+1:end,:) = 0;

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
