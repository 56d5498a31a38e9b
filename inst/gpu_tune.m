## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {} gpu_tune ()
## @deftypefnx {} {} gpu_tune (@var{seconds})
## @deftypefnx {} {} gpu_tune ("show")
## @deftypefnx {} {} gpu_tune ("reset")
## @deftypefnx {} {@var{file} =} gpu_tune (@dots{})
## Measure the solvers on this machine, so that @qcode{"Backend", "auto"} is right here.
##
## @example
## gpu_tune (30);        # seconds
## gpu_tune ("show");    # what was measured
## @end example
##
## The solvers of the CPU and of the GPU are timed on random matrices for about
## @var{seconds} (60 by default), those that are used most first: double precision
## with eigenvectors, then complex, eigenvalues alone, and single precision.  A line per
## table of times tells its number, that of all, and the time left; at the end a line for each
## of a list of usual calls that will be solved in another way, and the name of the file.
## Ctrl-C ends it; what was measured until then is kept.
##
## The times are written to the file
## @file{gpueig/times-@var{card}-@var{processor}-@var{threads}.csv} in the user's
## configuration folder (@env{XDG_CONFIG_HOME}, otherwise @file{~/.config}) and used from
## then on, in later sessions too, by all functions with @qcode{"Backend", "auto"}: a GPU
## is taken where its fastest method is expected to be faster than the CPU's.  Methods and
## backends that are named are never replaced, and their results do not change.
## A file that is damaged or was written by another version of gpueig is ignored, with a
## line that says so.
##
## @qcode{"show"} prints the file, @qcode{"reset"} removes it.
## @var{file} is the name of the file in use, or @qcode{"builtin"}.  The environment
## variable @env{GPUEIG_TIMES} names another file, or is @qcode{"builtin"}: use none.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}; @code{gpueig:bad-option} (a time that is not positive,
## another word); @code{gpueig:io} (the file cannot be written).
##
## @seealso{gpu_info, gpu_eig}
## @end deftypefn

function file = gpu_tune (what = 60)

  show = ischar (what) && strcmp (what, "show");
  if (show)
    what = "file";
  endif
  [failed, name] = __gpueig__ ("tune", what);
  if (failed)
    __gpueig_raise__ (failed, "gpu_tune");
  endif
  if (show)
    if (strcmp (name, "builtin"))
      printf ("No times were measured on this machine.\n");
    else
      printf ("%s\n%s", name, fileread (name));
    endif
  endif
  if (nargout > 0)
    file = name;
  endif

endfunction

%!function in_folder (test)
%!  folder = tempname ();
%!  mkdir (folder);
%!  old = getenv ("GPUEIG_TIMES");
%!  file = fullfile (folder, "deep", "times.csv");
%!  setenv ("GPUEIG_TIMES", file);
%!  unwind_protect
%!    gpu_tune ("reset");
%!    test (file);
%!  unwind_protect_cleanup
%!    gpu_tune ("reset");
%!    setenv ("GPUEIG_TIMES", old);
%!    confirm_recursive_rmdir (false, "local");
%!    rmdir (folder, "s");
%!    gpu_tune ("file");
%!  end_unwind_protect
%!endfunction

%!function measured (file)
%!  for seconds = [0.5, 4, 30]   # the machine may be busy
%!    text = evalc ("gpu_tune (seconds);");
%!    if (! isempty (strfind (text, "mrrr on the CPU, double")))
%!      break;
%!    endif
%!  endfor
%!  assert (! isempty (regexp (text, '\d+ of \d+, \d+ s left: eig_symmetric by mrrr on the CPU, double')));
%!  assert (! isempty (regexp (text, "\\d+ of 21 plans of usual calls changed\nthe times are in ")));
%!  shown = evalc ("used = gpu_tune (\"show\");");
%!  assert (used, file);
%!  text = fileread (file);
%!  assert (shown, sprintf ("%s\n%s", file, text));
%!  assert (strncmp (text, "gpueig times 3\n", 15));
%!  assert (! isempty (regexp (text, "\nEIG_\\w+,cpu,double,1,")));
%!  assert (gpu_info ().times, file);
%!  A = magic (6) + magic (6)';
%!  text = evalc ("[V, D] = gpu_eig (A, \"Display\", \"iter\", \"Backend\", \"cpu\");");
%!  assert (! isempty (regexp (text, "^plan: \\w+ on \\w+, (expected|estimated) ")));
%!  assert (A*V, V*D, 1e-12);
%!  ## Reset: as without a file.
%!  assert (gpu_tune ("reset"), "builtin");
%!  assert (exist (file, "file"), 0);
%!endfunction

%!test
%! in_folder (@measured);

## A damaged file and one of another version are ignored, with one line.
%!function damaged (file)
%!  mkdir (fileparts (file));
%!  line = ["EIG_SYEVD,cpu,double,1,16", repmat(",1", 1, 21), "\n"];
%!  texts = {"nonsense\n", "gpueig times\n", "gpueig times 3\nthreads 2\n", ...
%!           ["gpueig times 3\nthreads 2\n", strrep(line, ",1,1", ",1,-1")], ...
%!           ["gpueig times 3\nthreads 2\n", strrep(line, ",16,1", ",16")], ...
%!           ["gpueig times 3\nthreads 2\n", line(1:end-1)], ["gpueig times 3\n", line], ...
%!           "gpueig times 2\nthreads 2\n", "gpueig times 20\nthreads 2\n"};
%!  for i = 1:numel (texts)
%!    gpu_tune ("reset");
%!    f = fopen (file, "w");
%!    fputs (f, texts{i});
%!    fclose (f);
%!    text = evalc ("lambda = gpu_eig ([2 1; 1 2]); mu = gpu_eig ([2 1; 1 2]);");
%!    assert (numel (strfind (text, "are not used")), 1);
%!    other = ! isempty (regexp (texts{i}, "times (2|20)\n"));
%!    assert (isempty (strfind (text, "another version")), ! other);
%!    assert (isempty (strfind (text, "damaged")), other);
%!    assert (lambda, [1; 3], 1e-14);
%!    assert (gpu_info ().times, "builtin");
%!  endfor
%!endfunction

%!test
%! in_folder (@damaged);

%!demo
%! gpu_tune ("show")

%!error <gpu_tune: .*number of seconds> gpu_tune ("no such thing")
%!error <gpu_tune: .*number of seconds> gpu_tune ({})
%!error id=gpueig:bad-option gpu_tune (-1)
