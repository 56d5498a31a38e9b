## Claims: programs written for plain arrays run on arrays of gpu_array, with the same classes,
## sizes, complexity, identifiers of errors and printed text, and values but for rounding; and so do
## programs that are written for MATLAB's gpuArray, as they are.
## programs/differs.txt has the blocks of which this is not so; the help of gpu_array says why.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! folder = fullfile (fileparts (which ("run_programs")), "programs");
%! known = strsplit (strtrim (fileread (fullfile (folder, "differs.txt"))), "\n");
%! [differ, total] = run_programs ("programs");
%! report_count ("blocks of programs", total);
%! report_count ("of them different on arrays", rows (differ));
%! new = ! ismember (differ(:,1), known);
%! assert (! any (new), "%s", sprintf ("%s: %s\n", differ(new,:)'{:}));
%! solved = setdiff (known, differ(:,1));
%! assert (isempty (solved), "no longer different: %s", strjoin (solved, ", "));
%! assert (total >= 375);

## Of MATLAB, each the kind of program that people publish.
%!test
%! [differ, total] = run_programs ("matlab");
%! report_count ("programs of MATLAB", total);
%! assert (isempty (differ), "%s", sprintf ("%s: %s\n", differ'{:}));
%! assert (total >= 22);
