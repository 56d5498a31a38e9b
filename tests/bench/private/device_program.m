## Run the program build/bench/NAME, which prints CSV, for so many
## seconds at most; "%s" in ARGUMENTS stands for the CUDA plugin.  R:
## names of the columns, cells of text, values,
## notes, left_out; no rows where there is no GPU or no program.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function r = device_program (name, seconds, arguments)
  r = struct ("names", {{}}, "cells", {{}}, "values", [], "notes", {{}},
              "left_out", {{}});
  inst = fileparts (which ("gpu_tdinv"));
  program = fullfile (inst, "..", "bench", name);
  plugin = fullfile (inst, "gpueig_cuda.so");
  if (! has_gpu () || ! exist (program, "file") || ! exist (plugin, "file"))
    printf ("%s: no GPU, or no program\n", name);
    return;
  endif
  file = tempname ();
  limit = ceil (max (seconds, 10)) + 15;
  status = system (sprintf ("GPUEIG_TEST_PLUGIN=\"%s\" timeout %d \"%s\" %s >\"%s\" 2>&1",
                            plugin, limit, program,
                            strrep (arguments, "%s", ["\"", plugin, "\""]),
                            file));
  lines = strsplit (strtrim (fileread (file)), "\n");
  unlink (file);
  for i = 1:numel (lines)
    texts = strsplit (lines{i}, ",", "CollapseDelimiters", false);
    if (strncmp (lines{i}, "# note: ", 8))
      r.notes{end+1} = lines{i}(9:end);
    elseif (strncmp (lines{i}, "# left out: ", 12))
      r.left_out{end+1} = lines{i}(13:end);
    elseif (strncmp (lines{i}, "#", 1))
      continue;
    elseif (isempty (r.names) && numel (texts) > 2)
      r.names = texts;
    elseif (! isempty (r.names) && numel (texts) == numel (r.names))
      r.cells(end+1,:) = texts;
    elseif (! isempty (lines{i}))
      r.left_out{end+1} = sprintf ("%s: %s", name, lines{i});
    endif
  endfor
  if (status != 0)
    r.left_out{end+1} = sprintf ("%s ended with status %d", name, status);
  endif
  r.values = str2double (r.cells);
endfunction
