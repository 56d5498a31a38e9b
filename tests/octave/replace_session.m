## What tests/check_replace.sh does in Octave: the tests of Octave's functions that call
## eig, inv or schur, and of the packages that the arguments after the first name, with
## gpu_replace of the first argument, "on" or "off".  Prints one line for each file of
## tests: "result: NAME PASSED of TOTAL".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;
names = argv ();
folder = fullfile (__octave_config_info__ ("octtestsdir"), "libinterp", "corefcn");
files = {};
for f = {"eig", "inv", "schur", "svd", "pinv", "sqrtm", "ordschur"}
  files{end+1} = fullfile (folder, [f{1} ".cc-tst"]);
endfor
for f = {"roots", "logm", "expm", "cond", "null", "poly", "polyeig", "condeig", "orth", "rank"}
  files{end+1} = which (f{1});
endfor
for k = 2:numel (names)
  pkg ("load", names{k});
  root = pkg ("list", names{k}){1}.dir;
  files = [files, glob(fullfile (root, "*.m")).', glob(fullfile (root, "@*", "*.m")).'];
endfor
gpu_replace (names{1});  # after which () has found Octave's own
for f = files
  rand ("twister", 1);
  randn ("twister", 1);
  if (exist (f{1}, "file"))
    [passed, total] = test (f{1}, "quiet", stdout);
    printf ("result: %s %d of %d\n", f{1}, passed, total);
  endif
endfor
gpu_replace ("off");
