## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{plan} =} plan_open (@var{seconds}, @var{orders}, @var{solvers}, @var{power})
## Plan of a table that has @var{seconds} for rows of the given @var{orders}, each
## with about as many @var{solvers} to time, whose cost grows with the order to
## the @var{power} (3).  The first row is always measured.
## @end deftypefn

function plan = plan_open (seconds, orders, solvers, power = 3)

  plan = struct ("start", tic (), "seconds", seconds, "power", power,
                 "rows", numel (orders), "solvers", solvers, "row", 0,
                 "begin", tic (), "last", 0, "name", 0, "measured", 0,
                 "overhead", 0, "cut", NaN, "cost", struct (), "ours", {{}},
                 "quality", struct (), "dropped", {{}});

endfunction
