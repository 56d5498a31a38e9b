## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{own}, @var{peers}, @var{wrong}] =} plan_quality (@var{plan}, @var{name}, @var{bar})
## The test ratios of the row: those of solver @var{name}, the largest of all
## other solvers, and the names of the solvers whose answer is over @var{bar}, so
## that a fast wrong answer is reported ("none" if there is none).
## @end deftypefn

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
