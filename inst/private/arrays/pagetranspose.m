## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## pagetranspose of plain values, where Octave lacks it (before version 8).

function Y = pagetranspose (X)

  if (nargin != 1)
    print_usage ();
  endif
  Y = permute (X, [2, 1, 3:ndims(X)]);

endfunction
