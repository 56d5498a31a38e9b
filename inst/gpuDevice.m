## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{d} =} gpuDevice ()
## @deftypefnx {} {@var{d} =} gpuDevice (@var{k})
## The GPU that arrays are made on; with @var{k}, from 1, the one that they are made on from now on.
##
## @example
## @group
## if (canUseGPU ())
##   d = gpuDevice (1);
##   printf ("%s: %.1f GiB\n", d.Name, d.TotalMemory / 2^30);
## endif
## @end group
## @end example
##
## @var{d} has the properties @code{Name}, @code{Index}, @code{ComputeCapability}, @code{TotalMemory},
## @code{AvailableMemory}, @code{FreeMemory}, @code{MultiprocessorCount}, @code{SupportsDouble},
## @code{DriverVersion}, @code{ToolkitVersion}, @code{DeviceSupported}, @code{DeviceAvailable} and
## @code{DeviceSelected}; memory is asked for when it is read.  @code{wait (@var{d})} waits until all
## operations on arrays are done, and so does @code{reset (@var{d})}, which leaves arrays as they are.
##
## @var{k} sets the environment variable @env{GPUEIG_DEVICE}, the default of the option
## @qcode{"Device"}.  Without a GPU that can be used there is the error @code{gpueig:no-device}, which
## says why; another @var{k} is @code{gpueig:bad-option}.
##
## @seealso{gpuDeviceCount, gpuDeviceTable, canUseGPU, gpu_info, gpu_array}
## @end deftypefn

function d = gpuDevice (k)

  if (nargin > 0 && isempty (k))
    return;  # deselects in MATLAB
  endif
  info = gpu_info ();
  if (! strcmp (info.backend, "cuda"))
    error ("gpueig:no-device", "gpuDevice: no GPU can be used: %s", info.reason);
  endif
  n = numel (info.devices);
  if (nargin > 0)
    if (! (isnumeric (k) && isscalar (k) && k == fix (k) && k >= 1 && k <= n))
      error ("gpueig:bad-option", "gpuDevice: K must be an integer from 1 to %d", n);
    elseif (! isempty (info.devices(k).reason))
      error ("gpueig:no-device", "gpuDevice: GPU %d cannot be used: %s", k, info.devices(k).reason);
    endif
    setenv ("GPUEIG_DEVICE", sprintf ("%d", k - 1));
  else
    k = __selected_device__ ();
  endif
  d = parallel.gpu.GPUDevice (k, info);

endfunction

%!demo
%! if (canUseGPU ())
%!   gpuDevice ()
%! else
%!   disp ("gpuDevice () needs a GPU; gpu_info says why none can be used.");
%! endif

%!test
%! if (canUseGPU ())
%!   old = getenv ("GPUEIG_DEVICE");
%!   unwind_protect
%!     d = gpuDevice (1);
%!     assert ({d.Index, d.DeviceSelected, d.DeviceAvailable, d.SupportsDouble}, {1, true, true, true});
%!     assert (d.TotalMemory >= d.AvailableMemory && d.AvailableMemory > 0 && d.FreeMemory > 0);
%!     assert (str2double (d.ComputeCapability) >= 8 && d.MultiprocessorCount > 0 && ischar (d.Name));
%!     wait (d);
%!     reset (d);
%!     assert (class (d), "parallel.gpu.GPUDevice");
%!     fail ("gpuDevice (1.5)", "from 1");
%!     fail ("gpuDevice (1000)", "from 1");
%!   unwind_protect_cleanup
%!     setenv ("GPUEIG_DEVICE", old);
%!   end_unwind_protect
%! else
%!   try
%!     gpuDevice ();
%!     error ("not reached");
%!   catch err
%!     assert (err.identifier, "gpueig:no-device");
%!     assert (! isempty (strfind (err.message, gpu_info ().reason)));
%!   end_try_catch
%! endif
%! gpuDevice ([]);
%! assert (parallel.gpu.GPUDevice.count (), gpuDeviceCount ());
%! assert (parallel.gpu.GPUDevice.isAvailable (), canUseGPU ());
%! assert (! parallel.gpu.GPUDevice.isAvailable (1000));
