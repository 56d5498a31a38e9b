## F () on a GPU, or with simulated ones (tests/base/place_plugin.c): with one if there is no GPU,
## or always with as many as SIMULATED.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function on_gpu (f, simulated = 0)
  if (simulated == 0 && gpuDeviceCount () > 0)
    f ();
    return;
  endif
  file = fullfile (fileparts (which ("gpu_info")), "..", "tests", "place_plugin.so");
  own = fullfile (fileparts (which ("__gpueig__")), "gpueig_cuda.so");
  setenv ("GPUEIG_FAKE_DEVICES", num2str (max (1, simulated)));
  [~, ~] = __gpueig__ ("testing", "plugin", make_absolute_filename (file));
  device = getenv ("GPUEIG_DEVICE");
  unwind_protect
    f ();
  unwind_protect_cleanup
    setenv ("GPUEIG_DEVICE", device);
    unsetenv ("GPUEIG_FAKE_DEVICES");
    [~, ~] = __gpueig__ ("testing", "plugin", own);
  end_unwind_protect
endfunction
