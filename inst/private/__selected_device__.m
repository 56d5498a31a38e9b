## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{k} =} __selected_device__ ()
## The number, from 1, of the GPU that arrays are made on.
## @end deftypefn

function k = __selected_device__ ()

  k = sscanf (getenv ("GPUEIG_DEVICE"), "%d", 1) + 1;
  if (isempty (k))
    k = 1;
  endif

endfunction
