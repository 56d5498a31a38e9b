## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} worst_of (@var{x})
## The largest of the ratios; Inf if any of them is NaN.
## @end deftypefn

function r = worst_of (x)

  r = max (x(:));
  if (any (isnan (x(:))))
    r = Inf;
  endif

endfunction
