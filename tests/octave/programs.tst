## Claim: programs written for plain arrays run on arrays of gpu_array, with the same classes,
## sizes, complexity, identifiers of errors and printed text, and values but for rounding.
## programs/differs.txt has the blocks of which this is not so; the help of gpu_array says why.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! folder = fullfile (fileparts (which ("run_programs")), "programs");
%! known = strsplit (strtrim (fileread (fullfile (folder, "differs.txt"))), "\n");
%! [differ, total] = run_programs ();
%! report_count ("blocks of programs", total);
%! report_count ("of them different on arrays", rows (differ));
%! new = ! ismember (differ(:,1), known);
%! assert (! any (new), "%s", sprintf ("%s: %s\n", differ(new,:)'{:}));
%! solved = setdiff (known, differ(:,1));
%! assert (isempty (solved), "no longer different: %s", strjoin (solved, ", "));
%! assert (total >= 375);
