## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} make_pictures (@var{folder})
## Draw the pictures of the manual's gallery again, by the demos:
##
## @example
## octave-cli --path build/inst --path demos --path doc --eval "make_pictures doc/pictures"
## @end example
## @end deftypefn

function make_pictures (folder)

  folder = make_absolute_filename (folder);
  demos = glob (fullfile (fileparts (which ("demo_arrays")), "demo_*.m"))';
  for file = demos
    [~, name] = fileparts (file{1});
    if (! strcmp (name, "demo_same_script"))   # which draws nothing
      feval (name, fullfile (folder, [name(6:end), ".png"]));
    endif
  endfor
  draw_drum (fullfile (folder, "drum.png"));

endfunction

## The first demo of gpu_eig.
function draw_drum (file)
  [code, first] = test (which ("gpu_eig"), "grabdemo");
  warning ("off", "Octave:gnuplot-graphics", "local");
  graphics_toolkit ("gnuplot");
  fig = figure ("visible", "off", "paperposition", [0, 0, 9, 5]);
  eval (code(first(1):first(2)-1));
  print (fig, file, "-dpng", "-r100");
  close (fig);
endfunction
