## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## pagectranspose of plain values, where Octave lacks it (before version 8).

function Y = pagectranspose (X)

  if (nargin != 1)
    print_usage ();
  endif
  Y = permute (conj (X), [2, 1, 3:ndims(X)]);

endfunction
