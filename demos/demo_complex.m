## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_complex ()
## @deftypefnx {} {} demo_complex (@var{picture}, @var{degree})
## The roots of all polynomials of one degree with coefficients 1 and -1
## (Littlewood polynomials; the default degree 13 has 8192 of them up to sign) as
## eigenvalues of as many companion matrices, in one call of
## @code{gpu_complex_eig}; their density in the complex plane, whose boundary is
## fractal, is drawn in the PNG file @var{picture}.
##
## The roots of a sample of the polynomials are also computed by a loop over
## @code{eig}.  Printed are both times, the values of the polynomials at the computed
## roots, and two checks: all roots have absolute values between 1/2 and 2, and their
## sums are known from the coefficients.
## @end deftypefn

function demo_complex (picture = "roots.png", degree = 13)

  count = 2 ^ degree;
  coefficients = 1 - 2 * (dec2bin (0:count-1, degree) == "1");   # after the leading 1
  A = companions (coefficients);
  printf ("\nRoots of %d polynomials of degree %d with coefficients +1 and -1\n",
          count, degree);
  gpu_info ();

  gpu_complex_eig (A(:,:,1:2));   # load the gateway before the clock starts
  start = tic ();
  z = gpu_complex_eig (A);
  ours = toc (start);

  sample = 1:ceil (count / 500):count;
  start = tic ();
  for p = sample
    eig (A(:,:,p));
  endfor
  theirs = toc (start) / numel (sample) * count;

  z = reshape (z, degree, count);
  printf ("\n%-40s%10.3f s\n", "gpu_complex_eig, one call", ours);
  printf ("%-40s%10.3f s (from %d of them)\n", "a loop over eig", theirs,
          numel (sample));
  printf ("%-40s%10.1f\n", "times faster", theirs / ours);
  check (z, coefficients);
  draw (z, degree, picture);

endfunction

## The companion matrices [-c; I 0], a page for each row c of C.
function A = companions (C)
  [count, n] = size (C);
  A = zeros (n, n, count);
  A(1,:,:) = reshape (-C.', 1, n, count);
  for k = 1:n-1
    A(k+1,k,:) = 1;
  endfor
endfunction

function check (z, C)
  [n, count] = size (z);
  value = ones (n, count);
  size_ = ones (n, count);
  for k = 1:n
    value = value .* z + C(:,k).';
    size_ = size_ .* abs (z) + 1;
  endfor
  printf ("%-40s%10.2g\n", "largest |p(z)| / sum |c_k z^k|",
          max (max (abs (value) ./ size_)));
  printf ("%-40s%10.6f to %.6f\n", "absolute values, within 1/2 and 2",
          min (abs (z(:))), max (abs (z(:))));
  printf ("%-40s%10.2g\n", "sums of roots, largest error",
          max (abs (sum (z, 1) + C(:,1).')));
endfunction

## Draws the logarithm of the number of roots in each square of a grid.
function draw (z, degree, picture)
  side = 320;
  half = 1.75;
  z = z(:);
  x = floor ((real (z) + half) / (2 * half) * side) + 1;
  y = floor ((imag (z) + half) / (2 * half) * side) + 1;
  inside = x >= 1 & x <= side & y >= 1 & y <= side;
  density = log (1 + accumarray ([y(inside), x(inside)], 1, [side, side]));
  fig = new_picture ();
  ## The real axis, with many roots, must not take all colours.
  imagesc ([-half half], [-half half], density, [0, 3.5]);
  axis ("xy", "square");
  colormap (hot (64));
  ylabel (colorbar (), "log (1 + number of roots)");
  title (sprintf ("Roots of polynomials of degree %d with coefficients +1, -1",
                  degree));
  xlabel ("real part");
  ylabel ("imaginary part");
  save_picture (fig, picture);
endfunction
