## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} canUseGPU ()
## Whether there is a GPU that this package can use.  Without one arrays are in host memory, and
## programs run as well.
##
## @example
## @group
## canUseGPU () == (gpuDeviceCount ("available") > 0)
##   @result{} true
## @end group
## @end example
##
## @seealso{gpuDevice, gpuDeviceCount, gpu_info}
## @end deftypefn

function tf = canUseGPU ()
  tf = strcmp (gpu_info ().backend, "cuda");
endfunction

%!assert (islogical (canUseGPU ()))
