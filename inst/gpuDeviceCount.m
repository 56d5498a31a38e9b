## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{n} =} gpuDeviceCount ()
## @deftypefnx {} {@var{n} =} gpuDeviceCount ("all" | "available")
## The number of GPUs in this machine, or of those that this package can use.
##
## @example
## @group
## gpuDeviceCount ("available") <= gpuDeviceCount ()
##   @result{} true
## @end group
## @end example
##
## Without a driver, or without the CUDA backend, it is 0: @code{gpu_info} says why.
##
## @seealso{gpuDevice, gpuDeviceTable, canUseGPU, gpu_info}
## @end deftypefn

function n = gpuDeviceCount (which = "all")

  if (! any (strcmpi (which, {"all", "available"})))
    print_usage ();
  endif
  devices = gpu_info ().devices;
  n = numel (devices);
  if (strcmpi (which, "available"))
    n = sum (cellfun (@isempty, {devices.reason}));
  endif

endfunction

%!demo
%! printf ("%d of %d GPUs can be used\n", gpuDeviceCount ("available"), gpuDeviceCount ());

%!assert (gpuDeviceCount ("available") > 0, canUseGPU ())
%!assert (gpuDeviceCount (), gpuDeviceCount ("all"))
%!error <Invalid call> gpuDeviceCount ("none")
