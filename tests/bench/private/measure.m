## The medians of median_time for the solver called NAME, within the
## plan of a table; NaN once the solver would take more than its part of the time
## that is left, so that a slow solver does not use up the time of the others: 0.7 if
## OURS is true, 0.25 if it is false, for a peer, or the number it is.
## N is the size that its cost follows.
## ratio (out) gives its test ratios, kept for plan_quality.
## A method that fails (for want of memory, say) is reported and left out of the row, and
## so is a peer whose result another solver had to make.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [plan, seconds, device, out] = measure (plan, name, n, f, nout, ours,
                                                 ratio = [])
  begin = tic ();
  seconds = device = NaN;
  out = {};
  left = plan.seconds - toc (plan.start);
  part = ours;
  if (islogical (ours))
    part = 0.25 + 0.45 * ours;
  endif
  if (isfield (plan.cost, name))
    last = plan.cost.(name);
    cost = last(2) * (n / last(1)) ^ plan.power;
    if (isinf (cost) || cost > part * left)
      if (! isinf (cost))
        plan.cost.(name) = [n, Inf];
        plan.ours = setdiff (plan.ours, {name});
        plan.dropped{end+1} = sprintf ("no time for %s from %g on", name, ...
                                       plan.name);
      endif
      plan.measured += toc (begin);
      return;
    endif
  endif
  ids = {"Octave:nearly-singular-matrix", "Octave:singular-matrix", ...
         "gpueig:no-convergence", "gpueig:fallback"};
  ## The failure of a solver shows in its ratios.
  for i = 1:numel (ids)
    warning ("off", ids{i}, "local");
  endfor
  repeats = left / (2 * (plan.rows - plan.row + 1) * plan.solvers);
  try
    [seconds, device, out, once] = median_time (f, nout,
                                                max (0, min (2, repeats)));
    plan.cost.(name) = [n, once];
    if (islogical (ours) && ours)
      plan.ours = union (plan.ours, {name});
    elseif (islogical (ours) && isstruct (out{end})
            && isfield (out{end}, "fallback")
            && ! isempty (out{end}.fallback))
      seconds = device = NaN;
      plan.dropped{end+1} = sprintf ("%s at %g: %s finished the job", name, ...
                                     plan.name, out{end}.fallback);
    endif
  catch err
    printf ("  %s: %s\n", name, err.message);
    plan.dropped{end+1} = sprintf ("%s at %g: %s", name, plan.name, ...
                                   err.message);
  end_try_catch
  plan.measured += toc (begin);
  if (! isempty (ratio) && ! isnan (seconds))
    plan.quality.(name) = ratio (out);
  endif
endfunction
