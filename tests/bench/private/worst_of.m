## The largest of the ratios; Inf if any of them is NaN.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function r = worst_of (x)
  r = max (x(:));
  if (any (isnan (x(:))))
    r = Inf;
  endif
endfunction
