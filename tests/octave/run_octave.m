## Run the %! tests of the file named on the command line and print one line
## "N passed, N failed, N skipped".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;
file = argv (){1};
## Calls that fail print usages; what makeinfo says is claimed by help.tst alone.
if (isempty (strfind (file, "help.tst")))
  warning ("off", "Octave:shadowed-function", "local");
  addpath (fullfile (fileparts (mfilename ("fullpath")), "usage"));
endif
log = tempname ();
fid = fopen (log, "w");
for generator = {@rand, @randn, @rande, @randg, @randp}
  generator{1} ("twister", test_seed (1));
endfor
[passed, total, ~, ~, skipped, run_time_skipped] = test (file, "quiet", fid);
fclose (fid);
skipped += run_time_skipped;
## Skipped tests are no part of the total.
failed = total - passed + (total + skipped == 0);
if (failed > 0)
  text = fileread (log);
  puts (text(max (1, end - 6000):end));
endif
unlink (log);
printf ("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
