## Plan of a table that has SECONDS for rows of the given ORDERS, each
## with about as many SOLVERS to time, whose cost grows with the order to
## the POWER (3).  The first row is always measured.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function plan = plan_open (seconds, orders, solvers, power = 3)
  plan = struct ("start", tic (), "seconds", seconds, "power", power,
                 "rows", numel (orders), "solvers", solvers, "row", 0,
                 "begin", tic (), "last", 0, "name", 0, "measured", 0,
                 "overhead", 0, "cut", NaN, "cost", struct (), "ours", {{}},
                 "quality", struct (), "dropped", {{}});
endfunction
