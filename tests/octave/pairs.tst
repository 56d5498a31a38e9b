## Claims: see pairs.m.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! [failures, calls] = pairs ();
%! report_count ("calls with pairs of argument classes", calls);
%! assert (isempty (failures), "%s", strjoin (failures, "\n"));
%! assert (calls > 2000);

## B positive definite by one factorization and not by another: the general problem is
## solved, also for one page of a stack.
%!test
%! A = diag (mod (0:12, 5) - 2);
%! alone = gpu_eig (A, hilb (13), "Backend", "auto");
%! both = gpu_eig (cat (3, A, A), cat (3, hilb (13), eye (13)), "Backend", "auto");
%! assert (numel (alone), 13);
%! assert (sort (real (both(:,1,2))), sort (diag (A)), 1e-13);
