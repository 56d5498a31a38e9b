## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{seconds}, @var{device}, @var{out}] =} median_time (@var{f}, @var{nout}, @var{budget})
## Median wall-clock time of @code{f ()} called for @var{nout} outputs, after one
## call to warm up, over as many repeats (at most 9, at least 1) as fit
## @var{budget} seconds.  When the fourth output is an info struct, @var{device}
## is the median of its @code{time.solve}, else NaN.  @var{out} are the outputs
## of the last call.  A call longer than the budget is not repeated.
## @end deftypefn

function [seconds, device, out] = median_time (f, nout, budget = 2)

  out = cell (1, nout);
  wall = dev = [];
  begin = tic ();
  do
    start = tic ();
    [out{:}] = f ();
    wall(end+1) = toc (start);
    if (nout >= 3 && isstruct (out{end}) && isfield (out{end}, "time"))
      dev(end+1) = out{end}.time.solve;
    endif
  until (toc (begin) + min (wall) > budget || numel (wall) == 10)
  if (numel (wall) > 1)
    wall(1) = [];
    dev(1:min (1, end)) = [];
  endif
  seconds = median (wall);
  device = ifelse_nan (dev);

endfunction

function m = ifelse_nan (x)
  m = NaN;
  if (! isempty (x))
    m = median (x);
  endif
endfunction
