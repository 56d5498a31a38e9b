## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} gpuDeviceTable ()
## @deftypefnx {} {@var{t} =} gpuDeviceTable ()
## Print the GPUs of this machine, or return them as a struct array with the fields @code{Index},
## @code{Name}, @code{ComputeCapability}, @code{DeviceAvailable} and @code{DeviceSelected}.
##
## @example
## @group
## numel (gpuDeviceTable ()) == gpuDeviceCount ()
##   @result{} true
## @end group
## @end example
##
## @seealso{gpuDevice, gpuDeviceCount, gpu_info}
## @end deftypefn

function t = gpuDeviceTable ()

  devices = gpu_info ().devices;
  t = struct ("Index", {}, "Name", {}, "ComputeCapability", {}, "DeviceAvailable", {}, "DeviceSelected", {});
  for k = 1:numel (devices)
    d = devices(k);
    t(k,1) = struct ("Index", k, "Name", d.name, "ComputeCapability", sprintf ("%d.%d", d.compute_capability),
                     "DeviceAvailable", isempty (d.reason), "DeviceSelected", k == __selected_device__ ());
  endfor
  if (nargout == 0)
    printf ("  %5s  %-30s  %-17s  %-15s  %s\n", fieldnames (t){:});
    for d = t'
      printf ("  %5d  %-30s  %-17s  %-15d  %d\n", struct2cell (d){:});
    endfor
    clear t;
  endif

endfunction

%!demo
%! gpuDeviceTable ()

%!assert (numel (gpuDeviceTable ()), gpuDeviceCount ())
%!assert (! isempty (strfind (evalc ("gpuDeviceTable ()"), "ComputeCapability")))
