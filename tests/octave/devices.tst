## Claims: "Device" takes an integer, a vector of integers or "all", GPUEIG_DEVICE
## sets the default, info.device lists the GPUs used, and devices that do not exist or
## are named twice are errors.  With simulated GPUs (tests/base/place_plugin.c);
## with several real ones the results are those of one of them, bit for bit.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function device = used (varargin)
%!  A = repmat (diag (1:4), [1, 1, 15000]) .* reshape (1:15000, 1, 1, []);
%!  [~, lambda, ~, info] = gpu_onesided_eig (A, "vector", "Backend", "cuda", varargin{:});
%!  assert (lambda, (1:4)' .* reshape (1:15000, 1, 1, []));
%!  device = info.device;
%!endfunction

%!function refused (id, text, varargin)
%!  try
%!    used (varargin{:});
%!    error ("not reached");
%!  catch err
%!    assert (err.identifier, id);
%!    assert (! isempty (regexp (err.message, text)), "%s", err.message);
%!  end_try_catch
%!endfunction

%!function lists ()
%!  setenv ("GPUEIG_DEVICE", "");
%!  assert (used (), 0);
%!  assert (used ("Device", 2), 2);
%!  assert (used ("Device", int8 ([2; 0])), [2, 0]);
%!  assert (used ("Device", "all"), 0:2);
%!  assert (used ("device", "ALL", "Device", 1), 1);
%!  setenv ("GPUEIG_DEVICE", "1,2");
%!  assert (used (), [1, 2]);
%!  assert (used ("Device", 0), 0);
%!  setenv ("GPUEIG_DEVICE", "all");
%!  assert (used (), 0:2);
%!  refused ("gpueig:no-device", "no GPU 3, this machine has 3", "Device", [0, 3]);
%!  ## Also where "auto" would take the CPU.
%!  refused ("gpueig:no-device", "no GPU 3, this machine has 3", "Device", 3, "Backend", "auto");
%!  refused ("gpueig:bad-option", "device 2 is twice", "Device", [2, 2]);
%!  for wrong = {"0;1", "0,", ",0", "0,,1", "-1", "x", "0 1", "0,1x", "0,all", "1.5", "99999999999"}
%!    setenv ("GPUEIG_DEVICE", wrong{1});
%!    refused ("gpueig:bad-option", ["GPUEIG_DEVICE: .*\"" wrong{1} "\""]);
%!  endfor
%!  setenv ("GPUEIG_DEVICE", "1,0,1");
%!  refused ("gpueig:bad-option", "device 1 is twice");
%!  ## With the option "Device" the variable is ignored.
%!  assert (used ("Device", 1), 1);
%!endfunction

%!test
%! on_gpu (@lists, 3);

%!function on_first ()
%!  place = @(varargin) nthargout (3, @() __array__ ("type", "type", gpu_array (1:3, "Backend", "cuda", varargin{:})));
%!  setenv ("GPUEIG_DEVICE", "1,0");
%!  assert (double (place ()), 1);
%!  assert (double (place ("Device", 0)), 0);
%!  setenv ("GPUEIG_DEVICE", "all");
%!  assert (double (place ()), 0);
%!  A = randn (5, 5, 40);
%!  assert (gather (gpu_eig (gpu_array (A, "Backend", "cuda"), "Backend", "cuda")), gpu_eig (A, "Backend", "cuda"));
%!  ## A GPU takes page after page.
%!  [~, ~, info] = gpu_schur (gpu_array (randn (32, 32, 400), "Backend", "cuda"), "Backend", "auto");
%!  assert (info.backend, "cpu");
%!  try
%!    gpu_array (1, "Backend", "cuda", "Device", [0, 1]);
%!    error ("not reached");
%!  catch err
%!    assert (err.identifier, "gpueig:bad-option");
%!  end_try_catch
%!endfunction

## An array is on the first of the devices.
%!test
%! on_gpu (@on_first, 2);

## Data that the host cannot read: the bits of host data, of functions of matrices, for which a
## GPU has other products, nearly so.
%!function on_device ()
%!  setenv ("GPUEIG_DEVICE", "");
%!  calls = sample_calls (9);
%!  for call = calls(! cellfun (@(args) any (cellfun (@issparse, args)), {calls.args}))
%!    host = call;
%!    cpu = any (strcmp (call.name, [{"gpu_ordschur", "gpu_polar"}, public_functions("matrix")]));
%!    host.args(end+(1:2)) = {"Backend", {"cuda", "cpu"}{1 + cpu}};
%!    want = sample_run (host);
%!    call.args = [{gpu_array(call.args{1}, "Backend", "cuda")}, host.args(2:end-2*cpu)];
%!    got = cellfun (@gather, sample_run (call)(1:end-1), "UniformOutput", false);
%!    want = cellfun (@full, want(1:end-1), "UniformOutput", false);
%!    x = want{1}(:);
%!    near = any (strcmp (call.name, public_functions ("matrix"))) * 1e3 * eps (class (x)) * norm (x);
%!    assert (isequal (got(2:end * ! near), want(2:end * ! near)) && norm (got{1}(:) - x) <= near, call.text);
%!  endfor
%!endfunction

%!test
%! on_gpu (@on_device, 2);

%!function told ()
%!  text = evalc ("used ('Device', 'all', 'Display', 'iter');");
%!  assert (! isempty (strfind (text, "15000 pages, on GPUs 0,1,2")), "%s", text);
%!  text = evalc ("gpu_info");
%!  assert ([regexp(text, 'GPU (\d)', "tokens"){:}], {"0", "1", "2"});
%!  assert (isempty (strfind (text, "  arrays ")), "%s", text);
%!endfunction

%!test
%! on_gpu (@told, 3);
