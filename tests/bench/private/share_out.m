## Call each function of the rows {F, WEIGHT} of the cell
## TABLES with its share, by weight, of the seconds that are left; time that
## one table does not use is available to those after it.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function share_out (budget, tables)
  start = tic ();
  weights = [tables{:,2}];
  for i = 1:rows (tables)
    left = max (0, budget - toc (start));
    tables{i,1} (left * weights(i) / sum (weights(i:end)));
  endfor
endfunction
