## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_pages ()
## @deftypefnx {} {@var{residual} =} demo_pages (@var{picture}, @var{count})
## Page functions: a building of eight storeys with a damper in the lowest one, at
## @var{count} frequencies and for as many strengths of the damper.
##
## Each page of a stack is one frequency: @code{pagemldivide} solves for the response to
## forces, @code{pagesvd} finds the largest and the smallest gain.  Each page of another
## stack is one strength of the damper: @code{pageeig} finds the modes.  Printed are the
## times next to those of loops over the pages, and the largest difference from these; the
## gains and the paths of the modes are drawn in the PNG file @var{picture}.
## @var{residual} is that of the systems of equations.
## @end deftypefn

function residual = demo_pages (picture = "pages.png", count = 2000)

  n = 8;
  K = 400 * toeplitz ([2, -1, zeros(1, n-2)]);
  K(n,n) = 400;
  C = 0.002 * K;
  C(1,1) += 4;
  gpu_info ();
  printf ("\nA building of %d storeys, %d frequencies, %d dampers\n", n, count, count);

  omega = reshape (linspace (0.5, 45, count), 1, 1, []);
  I = full (eye (n));
  Z = K + 1i * omega .* C - omega .^ 2 .* I;   # n-by-n-by-count
  pagesvd (Z(:,:,1:2));   # load the gateway before the clock starts
  start = tic ();
  H = pagemldivide (Z, I);
  gains = reshape (pagesvd (H), n, count);
  ours = toc (start);
  error_of = max (abs ((pagemtimes (Z, H) - I)(:)));
  start = tic ();
  theirs = zeros (n, count);
  for k = 1:count
    theirs(:,k) = svd (Z(:,:,k) \ I);
  endfor
  report ("gains at all frequencies", ours, toc (start), gains, theirs);

  strength = reshape (logspace (-1, 3, count), 1, 1, []);
  A = repmat ([zeros(n), eye(n); -K, -0.002 * K], 1, 1, count);
  A(n+1,n+1,:) -= strength;
  start = tic ();
  modes = reshape (pageeig (A), 2 * n, count);
  ours = toc (start);
  theirs = zeros (2 * n, count);
  start = tic ();
  for k = 1:count
    theirs(:,k) = eig (A(:,:,k));
  endfor
  report ("modes for all dampers", ours, toc (start), sort (abs (modes)), sort (abs (theirs)));

  draw (omega(:), gains, strength(:), modes, picture);
  if (nargout > 0)
    residual = error_of;
  endif

endfunction

function report (what, ours, theirs, x, y)
  printf ("%-28s%8.3f s, loop %.3f s, largest relative difference %.1e\n", what, ours, theirs,
          max (abs (x - y)(:)) / max (abs (y)(:)));
endfunction

function draw (omega, gains, strength, modes, picture)
  fig = new_picture ();
  set (fig, "paperposition", [0, 0, 9, 4]);
  subplot (1, 2, 1);
  semilogy (omega, gains(1,:), "linewidth", 2, omega, gains(end,:), "linewidth", 2);
  xlim ([0, 45]);
  xlabel ("frequency [rad/s]");
  ylabel ("gain");
  title ("Response to forces");
  legend ("largest singular value", "smallest singular value");
  subplot (1, 2, 2);
  z = modes(imag (modes) >= 0);
  plot (real (z), imag (z), ".", "markersize", 3);
  axis ([-25, 1, 0, 42]);
  xlabel ("real part");
  ylabel ("imaginary part");
  title (sprintf ("Modes, damper from %g to %g", strength([1, end])));
  save_picture (fig, picture);
endfunction
