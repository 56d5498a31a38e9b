## The test ratios of the row: those of solver NAME, the largest of all
## other solvers, and the names of the solvers whose answer is over BAR, so
## that a fast wrong answer is reported ("none" if there is none).
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [own, peers, wrong] = plan_quality (plan, name, bar = 10)
  own = NaN;
  peers = NaN;
  wrong = {};
  names = fieldnames (plan.quality).';
  for i = 1:numel (names)
    r = plan.quality.(names{i});
    if (strcmp (names{i}, name))
      own = r;
    else
      peers = max (peers, worst_of (r));
    endif
    if (worst_of (r) > bar)
      wrong{end+1} = names{i};
    endif
  endfor
  if (isempty (wrong))
    wrong = "none";
  else
    wrong = strjoin (wrong, "; ");
  endif
endfunction
