## Eigenvalues, ascending, of a real symmetric positive definite matrix, each to
## full relative accuracy however small: Cholesky's factor with pivoting and
## one-sided Jacobi, both in double-double arithmetic (errors of n 1e-32 times the
## condition of the matrix scaled to a unit diagonal; J. Demmel and K. Veselic,
## SIAM J. Matrix Anal. Appl. 13 (1992) 1204).  The rotations of a round are
## vectorised; n = 100 takes seconds.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function lambda = ref_graded_eig (A)
  [h, l] = cholesky (A);
  n = rows (A);
  if (mod (n, 2))
    h(:,n+1) = l(:,n+1) = 0;
  endif
  m = columns (h);
  order = 1:m;
  do
    worst = 0;
    for round = 1:m-1
      p = order(1:m/2);
      q = order(m:-1:m/2+1);
      [h, l, off] = rotate (h, l, p, q);
      worst = max (worst, off);
      order = order([1, m, 2:m-1]);
    endfor
  until (worst < 1e-25)
  [sh, sl] = dd ("*", h, l, h, l);
  lambda = sort (dd ("sum", sh, sl).');
  lambda = lambda(end-n+1:end);
endfunction

## Cholesky factorisation A = L*L' with diagonal pivoting, the rows of L in their
## original order; L = h + l.
function [h, l] = cholesky (A)
  n = rows (A);
  h = l = zeros (n);
  rest = A;
  low = zeros (n);
  for j = 1:n
    [pivot, k] = max (diag (rest));
    if (! (pivot > 0))
      error ("gpueig:reference", "ref_graded_eig: not positive definite");
    endif
    [rh, rl] = dd ("sqrt", rest(k,k), low(k,k));
    [h(:,j), l(:,j)] = dd ("/", rest(:,k), low(:,k), rh, rl);
    [ph, pl] = dd ("*", h(:,j), l(:,j), h(:,j).', l(:,j).');
    [rest, low] = dd ("-", rest, low, ph, pl);
    rest(k,:) = rest(:,k) = low(k,:) = low(:,k) = 0;
  endfor
endfunction

function [h, l, off] = rotate (h, l, p, q)
  xh = h(:,p);
  xl = l(:,p);
  yh = h(:,q);
  yl = l(:,q);
  [ah, al] = dot2 (xh, xl, xh, xl);
  [bh, bl] = dot2 (yh, yl, yh, yl);
  [gh, gl] = dot2 (xh, xl, yh, yl);
  cosine = abs (gh) ./ (sqrt (ah) .* sqrt (bh));
  cosine(! isfinite (cosine)) = 0;
  off = max (cosine);
  k = cosine > 1e-31;
  if (! any (k))
    return;
  endif
  ## zeta = (b - a) / (2 g), t = sign (zeta) / (|zeta| + sqrt (1 + zeta^2)), from
  ## double precision: an approximate angle suffices if (c, s) is a rotation to full
  ## double-double accuracy.
  zeta = (bh(k) - ah(k)) ./ (2 * gh(k));
  t = sign (zeta + (zeta == 0)) ./ (abs (zeta) + hypot (1, zeta));
  [uh, ul] = dd ("*", t, 0, t, 0);
  [uh, ul] = dd ("+", uh, ul, 1, 0);
  [uh, ul] = dd ("sqrt", uh, ul);
  [ch, cl] = dd ("/", 1, 0, uh, ul);
  [sh, sl] = dd ("*", ch, cl, t, 0);
  [ph, pl] = dd ("*", xh(:,k), xl(:,k), ch, cl);
  [rh, rl] = dd ("*", yh(:,k), yl(:,k), sh, sl);
  [h(:,p(k)), l(:,p(k))] = dd ("-", ph, pl, rh, rl);
  [ph, pl] = dd ("*", xh(:,k), xl(:,k), sh, sl);
  [rh, rl] = dd ("*", yh(:,k), yl(:,k), ch, cl);
  [h(:,q(k)), l(:,q(k))] = dd ("+", ph, pl, rh, rl);
endfunction

function [h, l] = dot2 (xh, xl, yh, yl)
  [ph, pl] = dd ("*", xh, xl, yh, yl);
  [h, l] = dd ("sum", ph, pl);
endfunction
