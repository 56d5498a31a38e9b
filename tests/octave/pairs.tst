## Claims: see pairs.m.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! [failures, calls] = pairs ();
%! report_count ("calls with pairs of argument classes", calls);
%! assert (isempty (failures), "%s", strjoin (failures, "\n"));
%! assert (calls > 2000);
