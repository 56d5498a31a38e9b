## Run CODE in a new Octave process with the path of this one; BEFORE is a shell command
## to be run first.  TEXT is all output.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [status, text] = run_session (code, before = "")
  octave = getenv ("OCTAVE");
  if (isempty (octave))
    octave = "octave-cli";
  elseif (any (octave == "/"))
    octave = make_absolute_filename (octave);
  endif
  file = [tempname() ".m"];
  fid = fopen (file, "w");
  fputs (fid, code);
  fclose (fid);
  inst = make_absolute_filename (fileparts (which ("gpu_info")));
  tests = make_absolute_filename (fileparts (which ("sample_calls")));
  unwind_protect
    [status, text] = system (sprintf ("%s %s --norc --no-history --path '%s' --path '%s' '%s' 2>&1",
                                      before, octave, inst, tests, file));
  unwind_protect_cleanup
    unlink (file);
  end_unwind_protect
endfunction
