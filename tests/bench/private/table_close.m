## Close a table, with notes on the rows and solvers that the PLAN left out, and
## the texts of the cell LEFT_OUT.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function table_close (t, plan = [], left_out = {})
  if (! isempty (plan))
    if (! isnan (plan.cut))
      fprintf (t.fid, "# left out: no time for %s = %g and on\n",
               t.columns{1}, plan.cut);
    endif
    for i = 1:numel (plan.dropped)
      fprintf (t.fid, "# left out: %s\n", strrep (plan.dropped{i}, "\n", " "));
    endfor
  endif
  for i = 1:numel (left_out)
    fprintf (t.fid, "# left out: %s\n", left_out{i});
  endfor
  fclose (t.fid);
endfunction
