## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} save_picture (@var{fig}, @var{file})
## Write the figure as PNG and close it.
## @end deftypefn

function save_picture (fig, file)
  print (fig, file, "-dpng", "-r100");
  close (fig);
  printf ("Picture: %s\n", file);
endfunction
