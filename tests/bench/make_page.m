## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} make_page (@var{results}, @var{page})
## Write the Markdown file @var{page} from the folders of CSV files under
## @var{results}, one folder a machine: each table with its machine, the verdict
## that its numbers give (ours is the first column of seconds), and its plot.
##
## @example
## octave-cli --path tests/bench --eval "make_page ('tests/bench/results', 'demos/FIGURES.md')"
## @end example
## @end deftypefn

function make_page (results, page)

  fid = fopen (page, "w");
  fprintf (fid, ["# Measured figures\n\nMade by `tests/bench/make_page.m` from ", ...
                 "the CSV files in `tests/bench/results`; `sh tests/bench/run.sh` ", ...
                 "measures them again.\nTimes in seconds; an empty cell was ", ...
                 "not run. Residuals and orthogonality are in units of ", ...
                 "n*eps*norm: right below 10 (general matrices: 20).\n"]);
  machines = glob (fullfile (results, "*"));
  machines = machines(cellfun (@isfolder, machines));
  for m = 1:numel (machines)
    [~, machine, extension] = fileparts (machines{m});
    fprintf (fid, "\n## %s\n", [machine, extension]);
    files = glob (fullfile (machines{m}, "*.csv"));
    for i = 1:numel (files)
      write_table (fid, files{i}, page);
    endfor
  endfor
  fclose (fid);

endfunction

function write_table (fid, file, page)
  lines = strsplit (strtrim (fileread (file)), "\n");
  comment = strncmp (lines, "#", 1);
  notes = cellfun (@(s) strtrim (s(2:end)), lines(comment),
                   "UniformOutput", false);
  lines = lines(! comment);
  cells = cellfun (@(s) strsplit (s, ",", "CollapseDelimiters", false), lines,
                   "UniformOutput", false);
  names = cells{1};
  fprintf (fid, "\n### %s\n\n%s\n", notes{1}, strjoin (notes(2:end), "  \n"));
  fprintf (fid, "\n| %s |\n|%s\n", strjoin (names, " | "),
           repmat ("---|", 1, numel (names)));
  for r = 2:numel (cells)
    fprintf (fid, "| %s |\n", strjoin (short (cells{r}), " | "));
  endfor
  write_verdict (fid, names, cells(2:end));
  plot_file = [file(1:end-4), ".png"];
  if (exist (plot_file, "file"))
    fprintf (fid, "\n![%s](%s)\n", notes{1}, relative (plot_file, page));
  endif
endfunction

## Four digits are enough to read.
function texts = short (texts)
  for i = 1:numel (texts)
    x = str2double (texts{i});
    if (! isnan (x))
      texts{i} = sprintf ("%.4g", x);
    endif
  endfor
endfunction

## From the numbers: against each other column of seconds, where ours is faster.
function write_verdict (fid, names, cells)
  seconds = find (cellfun (@(s) any (strfind (s, "[s]")), names));
  if (numel (seconds) < 2)
    return;
  endif
  value = @(k) cellfun (@(c) str2double (c{min (k, end)}), cells);
  first = value (1);
  ours = value (seconds(1));
  for k = seconds(2:end)
    ratio = value (k) ./ ours;
    ok = isfinite (ratio);
    if (! any (ok))
      continue;
    endif
    fprintf (fid, "\n%s against %s: %.3g to %.3g times as fast",
             bare (names{seconds(1)}), bare (names{k}), min (ratio(ok)),
             max (ratio(ok)));
    slower = first(ok & ratio < 1);
    if (any (ok & ratio < 1))
      fprintf (fid, "; slower at %s = %s", names{1},
               strjoin (arrayfun (@(x) sprintf ("%g", x), slower,
                                  "UniformOutput", false), ", "));
    endif
    fprintf (fid, ".\n");
  endfor
endfunction

function text = bare (name)
  text = strtrim (strrep (name, "[s]", ""));
endfunction

## FILE as seen from the folder of PAGE, both relative to the project's root.
function text = relative (file, page)
  text = [repmat("../", 1, nnz (page == "/")), file];
endfunction
