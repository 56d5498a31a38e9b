## What tests/check_names.sh does in Octave: Octave's own tests of the functions that gpu_names.cc
## stands for, and the time of their calls.  Prints a line for each file of tests,
## "result: NAME PASSED of TOTAL".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;
folder = fullfile (__octave_config_info__ ("octtestsdir"), "libinterp", "corefcn");
files = {};
for name = {"rand", "bitfcns", "cellfun"}
  files{end+1} = fullfile (folder, [name{1} ".cc-tst"]);
endfor
for name = {"randi", "cast", "cell2mat"}
  file = which (name{1});
  if (exist (file, "file"))  # otherwise it is built in
    files{end+1} = file;
  endif
endfor
## Those of data.cc that call one of the functions; all of them take long.
text = ["\n", fileread(fullfile (folder, "data.cc-tst"))];
[kinds, blocks] = regexp (text, "\n%!(?=assert|test|error|shared)", "match", "split");
chosen = ! cellfun (@isempty, regexp (blocks, "^(shared|assert \\(|test|error).*\\b(zeros|ones|eye|[iI]nf|NaN|nan|eps|real(max|min)|flintmax) \\(", "once", "lineanchors"));
files{end+1} = [tempname(), ".tst"];
f = fopen (files{end}, "w");
fprintf (f, "%%!%s\n", blocks{chosen});
fclose (f);
for k = 1:numel (files)
  rand ("twister", 1);
  randn ("twister", 1);
  [passed, total] = test (files{k}, "quiet", stdout);
  [~, name] = fileparts (files{k});
  if (k == numel (files))
    name = "data";
  endif
  printf ("result: %s %d of %d\n", name, passed, total);
endfor
unlink (files{end});
