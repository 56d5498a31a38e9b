## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{seconds} =} median_rate (@var{f}, @var{pages}, @var{budget})
## Median wall-clock time of @code{f (p)}, p = 1 @dots{} @var{pages} and again from
## 1, at least five calls: a loop over the pages of a stack.
## @end deftypefn

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
