## The inverse of a real diagonally dominant tridiagonal matrix with subdiagonal
## C, diagonal A and superdiagonal B, each entry correctly rounded
## but for an error of n 1e-31: the two recurrences of pivots, the diagonal from
## them, and the rest by products along the columns, in double-double arithmetic.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function X = ref_tdinv (c, a, b)
  n = numel (a);
  [dh, dl] = pivots (c, a, b);
  [eh, el] = pivots (flip (b), flip (a), flip (c));
  eh = flip (eh);
  el = flip (el);
  [sh, sl] = dd ("+", dh, dl, eh, el);
  [sh, sl] = dd ("-", sh, sl, a(:), 0);
  [xh, xl] = dd ("/", 1, 0, sh, sl);
  ## Above the diagonal X(i,j) = -b(i) / d(i) X(i+1,j), below it
  ## X(i,j) = -c(i-1) / e(i) X(i-1,j).
  [uh, ul] = dd ("/", -b(:), 0, dh(1:n-1), dl(1:n-1));
  [vh, vl] = dd ("/", -c(:), 0, eh(2:n), el(2:n));
  H = diag (xh);
  L = diag (xl);
  for i = n-1:-1:1
    [H(i,i+1:n), L(i,i+1:n)] = dd ("*", H(i+1,i+1:n), L(i+1,i+1:n), uh(i),
                                   ul(i));
  endfor
  for i = 2:n
    [H(i,1:i-1), L(i,1:i-1)] = dd ("*", H(i-1,1:i-1), L(i-1,1:i-1), vh(i-1),
                                   vl(i-1));
  endfor
  X = H;
endfunction

## d(1) = a(1), d(i) = a(i) - c(i-1) b(i-1) / d(i-1).
function [h, l] = pivots (c, a, b)
  h = a(:);
  l = zeros (size (h));
  [ph, pl] = dd ("*", c(:), 0, b(:), 0);
  for i = 2:numel (h)
    [qh, ql] = dd ("/", ph(i-1), pl(i-1), h(i-1), l(i-1));
    [h(i), l(i)] = dd ("-", h(i), 0, qh, ql);
  endfor
endfunction
