## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} table_close (@var{t}, @var{plan}, @var{left_out})
## Close a table, with notes on the rows and solvers that the @var{plan} left out, and
## the texts of the cell @var{left_out}.
## @end deftypefn

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
