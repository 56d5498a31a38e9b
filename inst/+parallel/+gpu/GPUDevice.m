## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## A GPU, as gpuDevice returns it.

classdef GPUDevice

  properties (SetAccess = private)
    Name
    Index
    ComputeCapability
    SupportsDouble = true
    DriverVersion
    ToolkitVersion
    TotalMemory
    MultiprocessorCount
    DeviceSupported
  endproperties

  properties (Dependent)
    AvailableMemory
    FreeMemory
    DeviceAvailable
    DeviceSelected
  endproperties

  methods

    ## GPU number K of INFO, from gpu_info.
    function d = GPUDevice (k, info)
      device = info.devices(k);
      d.Name = device.name;
      d.Index = k;
      d.ComputeCapability = sprintf ("%d.%d", device.compute_capability);
      ## 12080 is version 12.8.
      version = @(n) fix (n / 1000) + mod (n, 1000) / 100;
      d.DriverVersion = version (info.cuda_driver);
      d.ToolkitVersion = version (info.cuda_runtime);
      d.TotalMemory = device.memory;
      d.MultiprocessorCount = device.multiprocessors;
      d.DeviceSupported = isempty (device.reason);
    endfunction

    function m = get.AvailableMemory (d) m = gpu_info ().devices(d.Index).memory_free; endfunction
    function m = get.FreeMemory (d) m = d.AvailableMemory; endfunction
    function tf = get.DeviceAvailable (d) tf = isempty (gpu_info ().devices(d.Index).reason); endfunction
    function tf = get.DeviceSelected (d)
      selected = sscanf (getenv ("GPUEIG_DEVICE"), "%d", 1);
      tf = d.Index == max ([selected, 0](1)) + 1;
    endfunction

    function wait (~) wait (gpu_array ([])); endfunction

    ## Arrays stay as they are.
    function d = reset (d) wait (d); endfunction

    function disp (d)
      printf ("  GPU %d: %s, compute capability %s, %.1f GiB (%.1f free)\n", d.Index, d.Name, d.ComputeCapability,
              d.TotalMemory / 2^30, d.AvailableMemory / 2^30);
    endfunction

  endmethods

  methods (Static)

    function n = count () n = gpuDeviceCount (); endfunction
    function d = current () d = gpuDevice (); endfunction
    function d = getDevice (k) d = parallel.gpu.GPUDevice (k, gpu_info ()); endfunction
    function tf = isAvailable (k = 1)
      devices = gpu_info ().devices;
      tf = k <= numel (devices) && isempty (devices(k).reason);
    endfunction

  endmethods

endclassdef
