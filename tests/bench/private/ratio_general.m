## Test ratio of a general eigenproblem, 1-norms in units of n*eps, the largest
## of the first 20 pages; results below 20 are accepted as correct.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function r = ratio_general (A, V, lambda)
  r = 0;
  for p = 1:min (size (V, 3), 20)
    v = V(:,:,p);
    r(end+1) = norm (A(:,:,p) * v - v .* lambda(:,:,p).', 1) ...
               / (norm (A(:,:,p), 1) * norm (v, 1) * rows (v) * eps ());
  endfor
  r = worst_of (r);
endfunction
