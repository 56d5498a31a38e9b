## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{results} =} __solve_arrays__ (@var{n}, @var{name}, @var{args})
## The @var{n} outputs (at least one) of the solver @var{name} for the arguments @var{args}: of
## arrays in host memory by the CPU, of those on a GPU by @qcode{"auto"}, unless there is an option
## @qcode{"Backend"}; numeric outputs become arrays in the place of the first one.  What the gateway
## does not do with arrays is done with copies in host memory.
## @end deftypefn

function results = __solve_arrays__ (n, name, args)

  place = {};
  for i = 1:numel (args)
    if (isempty (place) && isobject (args{i}))
      [~, ~, device] = __array__ (name, "type", args{i});
      place = {"Backend", "cpu"};
      if (device >= 0), place = {"Backend", "cuda", "Device", device}; endif
    endif
  endfor
  options = place(1:end * ! any (strcmpi (args, "Backend")));
  ## Small pages take less time on the CPU, with copies.
  options(1:2 * (numel (options) > 2)) = [];
  n = max (n, 1);
  [results{1:n}] = __array__ (name, "solve", name, args{:}, options{:});
  if (isobject (results{1}) || ! isempty (results{1}))
    return;
  endif
  for i = 1:numel (args)
    if (isobject (args{i}))
      args{i} = gather (args{i});
    endif
  endfor
  try
    [out{1:n}] = feval (name, args{:}, options{:});
  catch err
    ## The array is on a GPU, and what is asked, as a general pair, only the CPU solves.
    if (isempty (options) || ! strcmp (err.identifier, "gpueig:no-device"))
      rethrow (err);
    endif
    [out{1:n}] = feval (name, args{:}, "Backend", "auto");
  end_try_catch
  for i = 1:n
    x = out{i};
    if (isnumeric (x) && ! issparse (x) && ! (i > 1 && strcmp (name, "gpu_tdinv")))
      x = gpu_array (full (x), place{:});
    endif
    results{i} = x;
  endfor

endfunction
