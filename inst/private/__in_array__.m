## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{x} =} __in_array__ (@var{x}, @var{like})
## @var{x}, in the place of @var{like} if that is an array.
## @end deftypefn

function x = __in_array__ (x, like)
  if (! isobject (x) && isobject (like))
    x = __array__ ("gpu_array", "put", x, like);
  endif
endfunction
