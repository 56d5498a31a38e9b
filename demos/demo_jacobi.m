## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_jacobi ()
## @deftypefnx {} {} demo_jacobi (@var{picture}, @var{n}, @var{steps})
## Two uses of Jacobi's method: a good guess, which the demo tries on this machine, and
## small eigenvalues.
##
## A sequence of similar matrices: the energy levels of a particle on a chain of
## @var{n} sites with a quasi-random potential (similar to Anderson's model) while an
## electric field is increased in @var{steps} steps; every step starts from the
## eigenvectors of the previous step (option @qcode{"Guess"}).  Printed are the times
## with and without this option and those of @code{gpu_eig}, which of them is the fastest
## here (on a CPU usually @code{gpu_eig}), and the largest residual; the levels as functions of
## the field are drawn in the PNG file @var{picture}.
##
## Small eigenvalues: a chain of masses and springs whose stiffnesses span 24 orders of
## magnitude, with the masses in permuted order.  Its lowest modes are computed with
## @qcode{"Accuracy", "high"} and by @code{eig}; the product of all eigenvalues is
## compared with the determinant, which is the product of the stiffnesses.
## @end deftypefn

function demo_jacobi (picture = "levels.png", n = 300, steps = 40)

  gpu_info ();
  follow_levels (picture, n, steps);
  soft_modes (24);

endfunction

function follow_levels (picture, n, steps)
  printf ("\nLevels of %d sites in a field, %d steps\n", n, steps);
  chain = toeplitz ([0, -1, zeros(1, n-2)]);
  ## A quasi-random potential, so weak that the states overlap: the levels then avoid
  ## crossings.
  chain += diag (0.35 * sin ((1:n) .^ 2));
  position = diag (linspace (-1, 1, n));
  field = linspace (0, 0.15, steps);
  levels = zeros (n, steps);
  residual = 0;

  [V, ~] = gpu_jacobi_eig (chain);
  start = tic ();
  for k = 1:steps
    A = chain + field(k) * position;
    [V, levels(:,k)] = gpu_jacobi_eig (A, "Guess", V, "vector");
    residual = max (residual, norm (A*V - V .* levels(:,k).', 1)
                              / (norm (A, 1) * n * eps ()));
  endfor
  warm = toc (start);

  start = tic ();
  for k = 1:steps
    [W, d] = gpu_jacobi_eig (chain + field(k) * position, "vector");
  endfor
  cold = toc (start);
  start = tic ();
  for k = 1:steps
    [W, d] = gpu_eig (chain + field(k) * position, "vector");
  endfor
  front = toc (start);
  start = tic ();
  [W, d] = eig (chain + field(end) * position, "vector");
  theirs = steps * toc (start);

  printf ("%-40s%10.3f s\n", "gpu_jacobi_eig, each from the last", warm);
  printf ("%-40s%10.3f s\n", "gpu_jacobi_eig, each from scratch", cold);
  printf ("%-40s%10.3f s\n", "gpu_eig", front);
  printf ("%-40s%10.3f s (from one of them)\n", "eig", theirs);
  names = {"gpu_jacobi_eig with \"Guess\"", "gpu_jacobi_eig", "gpu_eig", "eig"};
  [~, best] = min ([warm, cold, front, theirs]);
  printf ("%-40s%s\n", "the fastest on this machine", names{best});
  if (warm > cold)
    printf ("%-40s%s\n", "", "\"Guess\" does not pay here: leave it out");
  endif
  printf ("%-40s%10.2f (below 10 is right)\n", "largest residual / (norm n eps)",
          residual);
  printf ("%-40s%10.1e\n", "difference to eig at the last step",
          norm (levels(:,end) - d, Inf));

  fig = new_picture ();
  plot (field, levels(round (n/2) + (-8:8),:).');
  xlim (field([1, end]));
  xlabel ("field");
  ylabel ("energy");
  title (sprintf ("Levels in the middle of the band, %d sites", n));
  save_picture (fig, picture);
endfunction

## Unit masses connected by springs k(1) ... k(n), fixed at one end: the stiffness
## matrix is tridiagonal, and its determinant is the product of the k(i).
function soft_modes (n)
  printf ("\n%d springs with stiffnesses from 1 to 1e-24\n", n);
  k = 10 .^ -linspace (0, 24, n);
  K = diag (k + [k(2:end), 0]) - diag (k(2:end), 1) - diag (k(2:end), -1);
  K = K(mod (7 * (1:n), n) + 1, mod (7 * (1:n), n) + 1);   # permuted
  high = gpu_jacobi_eig (K, "Accuracy", "high");
  normal = eig (K);
  printf ("%-24s%16s%16s\n", "", "Jacobi, high", "eig");
  for j = 1:3
    printf ("softest mode %d          %16.6e%16.6e\n", j, high(j), normal(j));
  endfor
  printf ("%-24s%16.6e%16.6e\n", "product / determinant", prod (high ./ k(end:-1:1)'),
          prod (normal ./ k(end:-1:1)'));
endfunction
