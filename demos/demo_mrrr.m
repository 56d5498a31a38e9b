## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_mrrr ()
## @deftypefnx {} {} demo_mrrr (@var{picture})
## Two uses of symmetric tridiagonal matrices with @code{gpu_mrrr}.
##
## The lowest states of a quantum particle in a one-dimensional double well potential,
## discretised on thousands of grid points, selected by @qcode{"Index"}.  The lowest
## levels form pairs with a small tunnel splitting, relatively about 1e-7 for the first
## pair; the states are nevertheless orthogonal to working precision.  The
## discretisation is checked with the harmonic oscillator, whose levels are k + 1/2.
## The states are drawn in the PNG file @var{picture}.
##
## Gauss quadrature with thousands of nodes: nodes and weights of Gauss-Legendre
## and Gauss-Hermite rules from the eigenpairs of their Jacobi matrices, checked
## with known integrals.
## @end deftypefn

function demo_mrrr (picture = "mrrr.png")

  gpu_info ();
  gpu_mrrr ([2 2], 1);   # load the gateway before the clock starts

  ## The harmonic oscillator, -u''/2 + x^2 u / 2, levels k + 1/2.
  [levels, ~, x, seconds] = bound_states (@(x) x.^2 / 2, 10, 8000, 8);
  printf ("\nHarmonic oscillator on %d points, %.3f s\n", numel (x), seconds);
  printf ("%8s%16s%12s\n", "level", "computed", "error");
  for k = [1 2 8]
    printf ("%8d%16.10f%12.2g\n", k - 1, levels(k), levels(k) - (k - 0.5));
  endfor
  printf ("The error of the grid is about h^2 = %.2g.\n", (x(2) - x(1))^2);

  ## A double well.
  well = @(x) (x.^2 - 9).^2 / 8;
  [levels, V, x, seconds, info] = bound_states (well, 7, 8000, 8);
  printf ("\nDouble well on %d points, %d states, %.3f s (%s, %s)\n",
          numel (x), numel (levels), seconds, info.backend, info.method);
  printf ("%8s%16s%24s\n", "level", "computed", "to the next one");
  for k = 1:7
    printf ("%8d%16.10f%24.3g\n", k - 1, levels(k), levels(k+1) - levels(k));
  endfor
  printf ("Largest inner product of two states: %.2g\n",
          max (max (abs (V'*V - eye (columns (V))))));

  quadrature (3000);
  draw (x, well (x), levels, V, picture);

endfunction

## The COUNT lowest states of -u''/2 + potential (x) u on [-width, width], n grid
## points, u = 0 at the ends.
function [levels, V, x, seconds, info] = bound_states (potential, width, n, count)
  h = 2 * width / (n + 1);
  x = -width + h * (1:n)';
  d = 1 / h^2 + potential (x);
  e = -1 / (2 * h^2) * ones (n - 1, 1);
  start = tic ();
  [V, levels, ~, info] = gpu_mrrr (d, e, "vector", "Index", [1 count]);
  seconds = toc (start);
  V ./= sqrt (h) * sign (V(round (0.6 * n),:));
  V *= sqrt (h);
endfunction

## Golub and Welsch: nodes are eigenvalues, weights squares of first components.
function quadrature (n)
  k = (1:n-1)';
  start = tic ();
  [V, x] = gpu_mrrr (zeros (n, 1), k ./ sqrt (4*k.^2 - 1), "vector");
  w = 2 * V(1,:)' .^ 2;
  printf ("\nGauss-Legendre rule with %d nodes, %.3f s\n", n, toc (start));
  tell ("sum of the weights", sum (w), 2);
  tell ("integral of exp (x)", w' * exp (x), exp (1) - exp (-1));
  tell ("integral of cos (1000 x)", w' * cos (1000 * x), sin (1000) / 500);
  start = tic ();
  m = 300;
  [V, x] = gpu_mrrr (zeros (m, 1), sqrt ((1:m-1)' / 2), "vector");
  w = sqrt (pi) * V(1,:)' .^ 2;
  printf ("Gauss-Hermite rule with %d nodes, %.3f s\n", m, toc (start));
  tell ("integral of exp (-x^2) x^8", w' * x.^8, 105 / 16 * sqrt (pi));
endfunction

function tell (what, value, exact)
  printf ("%28s: %.15g, error %.2g\n", what, value, value - exact);
endfunction

function draw (x, potential, levels, V, picture)
  fig = new_picture ();
  hold ("on");
  show = abs (x) < 4.6;
  plot (x(show), potential(show), "k", "linewidth", 3, "displayname", "potential");
  colours = lines (columns (V));
  scale = 0.9 / max (abs (V(:)));
  for k = 1:columns (V)
    plot (x(show), levels(k) + scale * V(show,k), "color", colours(k,:), ...
          "displayname", sprintf ("state %d", k - 1));
  endfor
  xlim ([-4.6, 4.6]);
  legend ("location", "eastoutside");
  ylim ([0, levels(end) + 2]);
  xlabel ("x");
  ylabel ("energy");
  title ("Lowest states of a double well, drawn at their energies");
  save_picture (fig, picture);
endfunction
