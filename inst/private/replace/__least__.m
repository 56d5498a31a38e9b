## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{count} =} __least__ (@var{name})
## Matrices of less than @var{count} elements are left to Octave's function @var{name}; 0 while the
## package's folder is off the path.
## @end deftypefn

function count = __least__ (name)

  count = 0;
  if (exist ("__gpueig__") == 3)
    [~, count] = __gpueig__ ("replace-from", name);
  endif

endfunction
