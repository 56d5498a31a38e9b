## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{gpu}, @var{backend}] =} has_gpu ()
## Is there a GPU, and the name of the backend that columns named "device" show.
## @end deftypefn

function [gpu, backend] = has_gpu ()

  gpu = strcmp (gpu_info ().backend, "cuda");
  backend = "cpu";
  if (gpu)
    backend = "cuda";
  endif

endfunction
