## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{x} =} device_column (@var{r}, @var{name}, @var{unit})
## The column of what @code{device_program} gave, times @var{unit}; NaN for 0.
## @end deftypefn

function x = device_column (r, name, unit = 1)

  x = unit * r.values(:,strcmp (r.names, name));
  x(x == 0) = NaN;

endfunction
