## Claims: see pairs.m and leaks.m.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! [failures, calls] = pairs ();
%! report_count ("calls with pairs of argument classes", calls);
%! assert (isempty (failures), "%s", strjoin (failures, "\n"));
%! assert (calls > 2000);

## Memory: a call frees all memory that it allocates, for every class of argument, valid
## or not.
%!test
%! rounds = 60;
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   rounds = 2000;
%! elseif (strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
%!   rounds = 8;
%! endif
%! [failures, calls] = leaks (rounds);
%! report_count ("calls looked at for leaks", calls);
%! assert (isempty (failures), "%s", strjoin (failures, "\n"));
