## GO is true if there is time for the row of size N, labelled NAME
## in the first column.  Its cost is extrapolated from the last row: our own solvers,
## and what a row costs besides timing.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [plan, go] = plan_row (plan, n, name = n)
  if (plan.row > 0)
    plan.overhead = max (0, toc (plan.begin) - plan.measured);
  endif
  growth = (n / max (plan.last, 1)) ^ plan.power;
  cost = plan.overhead;
  for i = 1:numel (plan.ours)
    cost += 2 * plan.cost.(plan.ours{i})(2);
  endfor
  left = plan.seconds - toc (plan.start);
  go = plan.row == 0 || (left > 0 && cost * growth < left);
  if (! go)
    plan.cut = name;
    printf ("%g and larger: no time left\n", name);
  endif
  plan.row += 1;
  plan.last = n;
  plan.name = name;
  plan.begin = tic ();
  plan.measured = 0;
  plan.quality = struct ();
endfunction
