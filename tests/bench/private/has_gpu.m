## True if there is a GPU; and the backend that columns named "device" refer to.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [gpu, backend] = has_gpu ()
  gpu = strcmp (gpu_info ().backend, "cuda");
  backend = "cpu";
  if (gpu)
    backend = "cuda";
  endif
endfunction
