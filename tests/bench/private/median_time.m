## Median wall-clock time of f () called for NOUT outputs, after one
## call to warm up, over as many repeats (at most 9) as fit BUDGET seconds.
## A call below 20 ms is repeated three times at least, one below 3 s once, since
## the first one loads kernels and allocates; a longer one counts as it is.  When
## the last of several outputs is an info struct, DEVICE is the median of its
## time.solve, else NaN.
## OUT are the outputs of the last call, ONCE the shortest call.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [seconds, device, out, once] = median_time (f, nout, budget = 2)
  wall = dev = [];
  begin = tic ();
  do
    ## No call has to free the results of the one before.
    out = cell (1, nout);
    start = tic ();
    [out{:}] = f ();
    wall(end+1) = toc (start);
    if (nout > 1 && isstruct (out{end}) && isfield (out{end}, "time"))
      dev(end+1) = out{end}.time.solve;
    endif
    once = min (wall);
    least = 1 + (wall(1) < 3) + 2 * (once < 0.02);
  until (numel (wall) >= least && (toc (begin) + once > budget
                                   || numel (wall) == 10))
  if (numel (wall) > 1)
    wall(1) = [];
    dev(1:min (1, end)) = [];
  endif
  seconds = median (wall);
  device = NaN;
  if (! isempty (dev))
    device = median (dev);
  endif
endfunction
