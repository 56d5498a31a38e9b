## A table's CSV as a struct: title, heads (date and versions,
## machine), compare (cells {ours, peer, ...}), bar,
## notes, left_out, names of the columns, cells of text
## and values, NaN where a cell is no number.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function t = read_table (file)
  lines = strsplit (strtrim (fileread (file)), "\n");
  comment = strncmp (lines, "#", 1);
  remarks = cellfun (@(s) strtrim (s(2:end)), lines(comment),
                     "UniformOutput", false);
  lines = lines(! comment);
  t.title = remarks{1};
  t.heads = remarks(2:3);
  t.compare = cellfun (@(s) strtrim (strsplit (s, "|")),
                       tagged (remarks, "compare: "), "UniformOutput", false);
  t.bar = str2double ([tagged(remarks, "bar: "), {"10"}]{1});
  t.notes = tagged (remarks, "note: ");
  t.left_out = tagged (remarks, "left out: ");
  t.names = strsplit (lines{1}, ",");
  t.cells = cell (numel (lines) - 1, numel (t.names));
  for r = 2:numel (lines)
    texts = strsplit (lines{r}, ",", "CollapseDelimiters", false);
    if (numel (texts) != numel (t.names))
      error ("gpueig:bench", "%s: row %d has %d cells, not %d", file, r - 1,
             numel (texts), numel (t.names));
    endif
    t.cells(r-1,:) = texts;
  endfor
  t.values = str2double (t.cells);
endfunction

function texts = tagged (remarks, tag)
  texts = remarks(strncmp (remarks, tag, numel (tag)));
  texts = cellfun (@(s) s(numel (tag)+1:end), texts, "UniformOutput", false);
endfunction
