## Print a count that a test wants to report; tests/suite.sh shows such lines.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function report_count (what, count)
  printf ("count: %d %s\n", count, what);
endfunction
