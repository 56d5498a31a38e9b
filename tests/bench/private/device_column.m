## The column of what device_program gave, times UNIT; NaN for 0.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function x = device_column (r, name, unit = 1)
  x = unit * r.values(:,strcmp (r.names, name));
  x(x == 0) = NaN;
endfunction
