## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{fig} =} new_picture ()
## A figure to draw a demo's picture in, which needs no display.
## @end deftypefn

function fig = new_picture ()
  warning ("off", "Octave:gnuplot-graphics", "local");
  graphics_toolkit ("gnuplot");
  fig = figure ("visible", "off");
endfunction
