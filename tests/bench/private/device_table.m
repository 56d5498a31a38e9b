## Write the table that the program build/bench/PROGRAM prints (device_bench.cuh), for so many
## SECONDS at most; none where there is no program or no GPU.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function device_table (folder, seconds, name, title, program, arguments, compare, note = {})
  inst = fileparts (which ("gpu_eig"));
  file = fullfile (inst, "..", "bench", program);
  if (! exist (file, "file"))
    printf ("%s: there is no %s\n", name, file);
    return;
  endif
  [status, text] = system (sprintf ("GPUEIG_TEST_PLUGIN=\"%s\" timeout %d \"%s\" -t %d %s 2>&1", ...
                                    fullfile (inst, "gpueig_cuda.so"), ceil (max (seconds, 10)) + 15, ...
                                    file, ceil (seconds), arguments));
  lines = strsplit (strtrim (text), "\n");
  head = find (! strncmp (lines, "#", 1), 1);
  columns = strsplit (lines{max ([1, head])}, ",");
  cells = cellfun (@(s) strsplit (s, ",", "CollapseDelimiters", false), lines(head+1:end), ...
                   "UniformOutput", false);
  full = cellfun (@numel, cells) == numel (columns);
  if (! any (full))
    printf ("%s: %s\n", name, text);
    return;
  endif
  tagged = @(tag) strrep (lines(strncmp (lines, tag, numel (tag))), tag, "");
  left_out = [tagged("# left out: "), lines(head+1:end)(! full & ! strncmp (lines(head+1:end), "#", 1))];
  if (status != 0)
    left_out{end+1} = sprintf ("%s ended with status %d", program, status);
  endif
  t = table_open (folder, name, title, columns, "compare", compare, "note", [note, tagged("# note: ")]);
  for row = cells(full)
    numbers = num2cell (str2double (row{1}));
    texts = isnan ([numbers{:}]) & ! cellfun (@isempty, row{1});
    numbers(texts) = row{1}(texts);
    table_row (t, numbers{:});
  endfor
  table_close (t, left_out);
endfunction
