## Draw every table of a folder of results (or those whose names match a glob
## pattern): the columns named [s] or [us] over the first column, both
## logarithmic, as PNG beside the CSV; beside them those named [MiB].  The legend
## gives the exponent of a power law fitted to the upper half of each curve.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function plot_results (folder, pattern = "*")
  warning ("off", "Octave:gnuplot-graphics", "local");
  files = glob (fullfile (folder, [pattern, ".csv"]));
  for i = 1:numel (files)
    t = read_table (files{i});
    units = cellfun (@column_unit, t.names);
    times = find (units > 0);
    sizes = find (cellfun (@(s) any (strfind (s, "[MiB]")), t.names));
    x = t.values(:,1);
    ## A curve needs two points and one value each.
    if (isempty (times) || numel (x) < 2 || any (isnan (x))
        || numel (unique (x)) < numel (x))
      continue;
    endif
    graphics_toolkit ("gnuplot");
    fig = figure ("visible", "off", "position", [0, 0, 760, 420]);
    if (! isempty (sizes))
      set (fig, "position", [0, 0, 1300, 420]);
      subplot (1, 2, 2);
      curves (t, sizes, ones (size (units)), "MiB");
      subplot (1, 2, 1);
    endif
    curves (t, times, units, "seconds");
    title (strrep (t.title, "\"", "''"), "interpreter", "none");
    print (fig, [files{i}(1:end-4), ".png"], "-dpng", "-r90");
    close (fig);
  endfor
endfunction

function curves (t, columns, units, name)
  hold ("on");
  x = t.values(:,1);
  for k = columns
    y = t.values(:,k) * units(k);
    ok = x > 0 & y > 0;
    if (! any (ok))
      continue;
    endif
    [~, label] = column_unit (strrep (t.names{k}, "[MiB]", ""));
    p = exponent (x, y);
    if (! isnan (p))
      label = sprintf ("%s, n^%.1f", label, p);
    endif
    plot (x(ok), y(ok), "-o", "displayname", strrep (label, "\\", "\\\\"));
  endfor
  set (gca (), "xscale", "log", "yscale", "log");
  xlabel (t.names{1});
  ylabel (name);
  set (legend ("location", "eastoutside"), "interpreter", "none");
  grid ("on");
endfunction
