## Exponent of the power law fitted to the upper half of a curve, NaN if there
## are not two points.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function p = exponent (x, y)
  ok = x > 0 & y > 0;
  x = x(ok);
  y = y(ok);
  top = x >= median (x);
  p = NaN;
  if (nnz (top) > 1 && numel (unique (x(top))) > 1)
    p = polyfit (log (x(top)), log (y(top)), 1)(1);
  endif
endfunction
