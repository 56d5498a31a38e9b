## Median wall-clock time of f (p), p = 1 ... PAGES and again from
## 1, at least five calls: a loop over the pages of a stack.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function seconds = median_rate (f, pages, budget)
  wall = [];
  begin = tic ();
  f (1);
  do
    start = tic ();
    f (mod (numel (wall), pages) + 1);
    wall(end+1) = toc (start);
  until (numel (wall) >= 5 && (toc (begin) > budget || numel (wall) == 1000))
  seconds = median (wall);
endfunction
