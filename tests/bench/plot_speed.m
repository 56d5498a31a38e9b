## Draw README's picture: seconds over the order for all eigenpairs of one symmetric
## matrix in double precision, by gpu_eig and by what it replaces on each
## machine, from the tables in the folder RESULTS.
##
##   octave-cli --path tests/bench --eval "plot_speed ('tests/bench/results', 'demos/speed.png')"
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function plot_speed (results, picture)
  curves = {"two-cores/eig_symmetric", "eig [s]", "eig, two cores", "--s";
            "two-cores/eig_symmetric", "gpu_eig [s]", "gpu_eig, two cores", "-o";
            "h100/eig_dense_double", "Xsyevd [s]", "cuSOLVER, H100", "--s";
            "h100/eig_dense_double", "mrrr [s]", "gpu_eig, H100", "-o"};
  colors = [0.80, 0.40, 0; 0.80, 0.40, 0; 0, 0.35, 0.70; 0, 0.35, 0.70];
  warning ("off", "Octave:gnuplot-graphics", "local");
  graphics_toolkit ("gnuplot");
  fig = figure ("visible", "off", "position", [0, 0, 640, 360]);
  hold ("on");
  for c = 1:rows (curves)
    t = read_table (fullfile (results, [curves{c,1}, ".csv"]));
    n = t.values(:,1);
    y = t.values(:,strcmp (t.names, curves{c,2}));
    ok = n >= 100 & y > 0;
    plot (n(ok), y(ok), curves{c,4}, "color", colors(c,:), "linewidth", 2, ...
          "displayname", curves{c,3});
  endfor
  orders = 2 .^ (7:15);
  set (gca (), "xscale", "log", "yscale", "log", "xtick", orders, "xlim", [100, 33000], ...
       "xticklabel", arrayfun (@num2str, orders, "UniformOutput", false), ...
       "xminorgrid", "off", "yminorgrid", "off");
  xlabel ("n");
  ylabel ("seconds");
  title ("all eigenpairs of one symmetric matrix, double");
  set (legend ("location", "southeast"), "interpreter", "none");
  grid ("on");
  print (fig, picture, "-dpng", "-r80");
  close (fig);
endfunction
