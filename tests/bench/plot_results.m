## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} plot_results (@var{folder})
## Draw every table of a folder of results: the columns whose names end in [s]
## over the first column, both logarithmic, as PNG beside the CSV.  The legend
## gives the exponent of a power law fitted to the upper half of each curve.
## @end deftypefn

function plot_results (folder)

  warning ("off", "Octave:gnuplot-graphics", "local");
  files = glob (fullfile (folder, "*.csv"));
  for i = 1:numel (files)
    [title_text, names, values] = read_table (files{i});
    times = find (cellfun (@(s) any (strfind (s, "[s]")), names));
    if (isempty (times) || rows (values) < 2)
      continue;
    endif
    graphics_toolkit ("gnuplot");
    fig = figure ("visible", "off");
    hold ("on");
    for k = times
      ok = values(:,k) > 0 & values(:,1) > 0;
      if (! any (ok))
        continue;
      endif
      x = values(ok,1);
      y = values(ok,k);
      label = strtrim (strrep (names{k}, "[s]", ""));
      top = x >= median (x);
      if (nnz (top) > 1 && numel (unique (x(top))) > 1)
        p = polyfit (log (x(top)), log (y(top)), 1);
        label = sprintf ("%s, n^{%.1f}", label, p(1));
      endif
      plot (x, y, "-o", "displayname", strrep (label, "_", "\\_"));
    endfor
    set (gca (), "xscale", "log", "yscale", "log");
    xlabel (names{1});
    ylabel ("seconds");
    title (strrep (title_text, "_", "\\_"));
    legend ("location", "northwest");
    grid ("on");
    print (fig, [files{i}(1:end-4), ".png"], "-dpng", "-r90");
    close (fig);
  endfor

endfunction

## Title, column names and numbers (NaN for text) of a table's CSV.
function [title_text, names, values] = read_table (file)
  lines = strsplit (strtrim (fileread (file)), "\n");
  title_text = lines{1}(3:end);
  lines(strncmp (lines, "#", 1)) = [];
  names = strsplit (lines{1}, ",");
  values = NaN (numel (lines) - 1, numel (names));
  for i = 2:numel (lines)
    cells = strsplit (lines{i}, ",", "CollapseDelimiters", false);
    values(i-1,1:numel (cells)) = str2double (cells);
  endfor
endfunction
