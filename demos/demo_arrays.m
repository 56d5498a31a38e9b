## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_arrays ()
## @deftypefnx {} {@var{change} =} demo_arrays (@var{picture}, @var{n}, @var{steps})
## Data that stays on the GPU: a self-consistent field.
##
## Fermions in a harmonic well repel each other in proportion to their density, which
## the lowest eigenvectors of a Hamiltonian give that contains the density itself.  The
## loop has @var{steps} steps of @code{H = H0 + diag (g * density)}, @code{eig (H)} and
## @code{density = sum (V(:,1:k) .^ 2, 2)}, damped; the Hamiltonian of order @var{n} is a
## full matrix (D. T. Colbert and W. H. Miller, J. Chem. Phys. 96, 1992).  The default
## @var{n} is one that this machine solves in about a tenth of a second.
##
## The same function runs with @code{eig} and with @code{gpu_eig} on Octave's arrays, and
## with @code{eig} after @code{H0 = gpu_array (H0)}, on the GPU or, without one, in host
## memory.  Printed are the times and the largest difference of the densities; the
## density, with and without repulsion, and its change from step to step are drawn in the
## PNG file @var{picture}.  @var{change} is the last change, relative to the density.
## @end deftypefn

function change = demo_arrays (picture = "density.png", n = 0, steps = 30)

  gpu_info ();
  if (n == 0)
    n = choose_order ();
  endif
  k = 20;           # particles
  g = 4;            # strength of the repulsion
  [H0, x] = hamiltonian (n);
  printf ("\n%d fermions on %d points, %d steps\n", k, n, steps);

  eig (gpu_array (H0));   # load the gateway, warm up
  names = {"eig", "gpu_eig", "eig of a gpu_array"};
  seconds = zeros (1, 3);
  [wanted, ~, seconds(1)] = field (H0, k, g, steps, @eig);
  [density, ~, seconds(2)] = field (H0, k, g, steps, @gpu_eig);
  difference = norm (density - wanted, Inf);
  [density, changes, seconds(3)] = field (gpu_array (H0), k, g, steps, @eig);
  difference = max (difference, norm (density - wanted, Inf)) / max (wanted);
  change = changes(end);

  for i = 1:3
    printf ("%-36s%10.3f s, %7.1f ms a step\n", names{i}, seconds(i),
            1e3 * seconds(i) / steps);
  endfor
  printf ("%-36s%10.1f and %.1f times\n", "arrays faster than eig and gpu_eig",
          seconds(1) / seconds(3), seconds(2) / seconds(3));
  printf ("%-36s%10.1e (relative)\n", "largest difference of the densities",
          difference);
  printf ("%-36s%10.1e (relative)\n", "change of the density in the last step",
          change);
  free = field (H0, k, 0, 1, @gpu_eig);
  draw (x, density, free, changes, picture);

endfunction

## The loop.  H0 is an array of Octave or a gpu_array; so is everything but the results.
function [density, changes, seconds] = field (H0, k, g, steps, solve)
  start = tic ();
  density = 0 * H0(:,1);
  changes = zeros (1, steps);
  for i = 1:steps
    H = H0 + diag (g * density);
    [V, ~] = solve (H, "vector");
    next = sum (V(:,1:k) .^ 2, 2) / spacing (rows (H0));
    changes(i) = norm (next - density, Inf) / norm (next, Inf);
    if (i == 1)
      density = next;
    else
      density = 0.7 * density + 0.3 * next;
    endif
  endfor
  density = gather (density);
  seconds = toc (start);
endfunction

## Points at equal distances in a well as wide as 20 particles need.
function h = spacing (n)
  h = 24 / n;
endfunction

## Kinetic energy and harmonic well on n points.
function [H, x] = hamiltonian (n)
  h = spacing (n);
  i = (1:n)';
  x = h * (i - (n + 1) / 2);
  d = i - i';
  H = (-1) .^ d ./ (h * d) .^ 2;
  H(1:n+1:end) = pi ^ 2 / (6 * h ^ 2);
  H += diag (x .^ 2 / 2);
  H = (H + H') / 2;
endfunction

## An order that takes about 0.1 s, of 200 ... 4000.
function n = choose_order ()
  A = gpu_array (hamiltonian (400));
  eig (A);
  start = tic ();
  [V, ~] = eig (A);
  wait (V);
  n = 400 * (0.1 / toc (start)) ^ (1/3);
  n = 100 * round (min (max (n, 200), 4000) / 100);
endfunction

function draw (x, density, free, changes, picture)
  fig = new_picture ();
  set (fig, "paperposition", [0, 0, 9, 4]);
  subplot (1, 2, 1);
  plot (x, free, "k--", x, density, "b-", "linewidth", 2);
  axis ([-10, 10, 0, 1.3 * max(free)]);
  legend ("without repulsion", "self-consistent");
  title ("Twenty fermions in a harmonic well");
  xlabel ("position");
  ylabel ("density");
  subplot (1, 2, 2);
  semilogy (2:numel (changes), changes(2:end), "b.-");
  title ("Convergence of the field");
  xlabel ("step");
  ylabel ("change of the density");
  save_picture (fig, picture);
endfunction
