## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_replace ()
## @deftypefnx {} {@var{difference} =} demo_replace (@var{picture}, @var{n})
## A program that is not changed: it draws a graph of @var{n} nodes by eigenvectors of its
## Laplacian (K. M. Hall, Management Science 17, 1970), and calls @code{eig} of Octave.
##
## The program runs as it is, then after @code{gpu_replace ("on")}.  Printed are the times
## and the largest difference of the eigenvalues, relative to the largest one, which is
## @var{difference}; the graph is drawn in the PNG file @var{picture}.
## @end deftypefn

function difference = demo_replace (picture = "replace.png", n = 1000)

  gpu_info ();
  adjacency = points_of_square (n);
  printf ("\nA graph of %d nodes and %d edges\n", n, nnz (adjacency) / 2);
  [places, wanted, before] = program_of_others (adjacency);
  gpu_replace ("on");
  unwind_protect
    eig (eye (2));   # load the gateway before the clock starts
    [places, found, after] = program_of_others (adjacency);
  unwind_protect_cleanup
    gpu_replace ("off");
  end_unwind_protect
  change = norm (found - wanted, Inf) / max (wanted);
  printf ("%-40s%10.3f s\n", "the program", before);
  printf ("%-40s%10.3f s\n", "the program after gpu_replace (\"on\")", after);
  printf ("%-40s%10.1e\n", "largest difference of eigenvalues", change);
  draw (adjacency, places, picture);
  if (nargout > 0)
    difference = change;
  endif

endfunction

## What somebody else wrote, without a thought of GPUs.
function [places, lambda, seconds] = program_of_others (adjacency)
  start = tic ();
  laplacian = diag (sum (adjacency)) - adjacency;
  [V, D] = eig (laplacian);
  lambda = diag (D);
  places = V(:,2:3);   # the smoothest ones that are not constant
  seconds = toc (start);
endfunction

## Points of a square, connected with their neighbours.
function adjacency = points_of_square (n)
  rand ("twister", 2026);
  z = rand (n, 1) + 1i * rand (n, 1);
  adjacency = double (abs (z - z.') < 2.1 / sqrt (n) & ! eye (n));
endfunction

function draw (adjacency, places, picture)
  [i, j] = find (triu (adjacency));
  fig = new_picture ();
  x = [places(i,1), places(j,1), NaN(numel (i), 1)]';
  y = [places(i,2), places(j,2), NaN(numel (i), 1)]';
  plot (x(:), y(:), "-", "color", [0.5, 0.6, 0.8], "displayname", "edges");
  hold ("on");
  plot (places(:,1), places(:,2), ".", "color", [0, 0.2, 0.6], "displayname", "nodes");
  axis ("tight");
  legend ("location", "eastoutside");
  xlabel ("second eigenvector");
  ylabel ("third eigenvector");
  title ("A graph, drawn by eigenvectors of its Laplacian");
  save_picture (fig, picture);
endfunction
