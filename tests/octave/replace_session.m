## What tests/check_replace.sh does in Octave: the tests of Octave's functions that call
## eig, inv or schur, with gpu_replace of the argument, "on" or "off".  Prints one line for each
## file of tests: "result: NAME PASSED of TOTAL".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;
state = argv (){1};
folder = fullfile (__octave_config_info__ ("octtestsdir"), "libinterp", "corefcn");
files = {};
for f = {"eig", "inv", "schur", "svd", "pinv", "sqrtm", "ordschur"}
  files{end+1} = fullfile (folder, [f{1} ".cc-tst"]);
endfor
for f = {"roots", "logm", "expm", "cond", "null", "poly", "polyeig", "condeig", "orth", "rank"}
  files{end+1} = which (f{1});
endfor
gpu_replace (state);  # after which () has found Octave's own
for f = files
  rand ("twister", 1);
  randn ("twister", 1);
  if (exist (f{1}, "file"))
    [passed, total] = test (f{1}, "quiet", stdout);
    printf ("result: %s %d of %d\n", f{1}, passed, total);
  endif
endfor
gpu_replace ("off");
