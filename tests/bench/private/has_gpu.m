## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{gpu}, @var{backend}] =} has_gpu ()
## True if there is a GPU; and the backend that columns named "device" refer to.
## @end deftypefn

function [gpu, backend] = has_gpu ()

  gpu = strcmp (gpu_info ().backend, "cuda");
  backend = "cpu";
  if (gpu)
    backend = "cuda";
  endif

endfunction
