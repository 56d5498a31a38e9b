## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_kernel_pca ()
## @deftypefnx {} {} demo_kernel_pca (@var{picture})
## Kernel principal component analysis (B. Sch@"olkopf, A. Smola, K.-R.
## M@"uller, Neural Computation 10, 1998) of 1797 handwritten digits: all
## eigenvectors of the centred 1797-by-1797 kernel matrix by @code{gpu_eig} and
## by @code{eig}, with times, residuals and orthogonality, and a picture of the
## first two components in the PNG file @var{picture}.
## @end deftypefn

function demo_kernel_pca (picture = "kernel_pca.png")

  file = fullfile (fileparts (mfilename ("fullpath")), "data", "digits.csv.gz");
  data = load (file);
  digit = data(:,65);
  K = centred_kernel (data(:,1:64) / 16);
  n = rows (K);
  printf ("\nKernel matrix of %d handwritten digits, %d-by-%d\n", n, n, n);
  gpu_info ();

  gpu_eig (eye (2));   # load the gateway before the clock starts
  start = tic ();
  [V, lambda, ~, info] = gpu_eig (K, "vector");
  ours = toc (start);
  start = tic ();
  [V0, lambda0] = eig (K, "vector");
  theirs = toc (start);

  where = info.backend;
  if (info.device >= 0)
    where = gpu_info ().devices(info.device+1).name;
  endif
  printf ("\n%-26s%12s%12s\n", "", "gpu_eig", "eig");
  printf ("%-26s%12s%12s\n", "ran on", where, "cpu");
  printf ("%-26s%12s%12s\n", "method", info.method, "syev (QR)");
  printf ("%-26s%12.2f%12.2f\n", "seconds", ours, theirs);
  printf ("%-26s%12.3f%12.3f\n", "residual / (n eps |K|)",
          residual (K, V, lambda), residual (K, V0, lambda0));
  printf ("%-26s%12.3f%12.3f\n", "orthogonality / (n eps)",
          orthogonality (V), orthogonality (V0));
  printf ("\nLargest difference of the eigenvalues: %.2g (largest eigenvalue %.4g)\n",
          max (abs (lambda - lambda0)), lambda(end));
  printf ("gpu_eig was %.1f times faster than eig.\n", theirs / ours);
  printf ("Both rows of ratios are fine below 10.\n");

  draw (V, lambda, digit, picture);

endfunction

## Gaussian kernel of the rows of X, centred in feature space.
function K = centred_kernel (X)
  squares = sumsq (X, 2);
  distance = max (squares + squares' - 2 * X * X', 0);
  K = exp (-distance / median (distance(:)));
  K = K - mean (K, 1) - mean (K, 2) + mean (K(:));
  K = (K + K') / 2;
endfunction

function r = residual (A, V, lambda)
  r = norm (A*V - V .* lambda.', 1) / (rows (A) * eps () * norm (A, 1));
endfunction

function r = orthogonality (V)
  n = rows (V);
  r = norm (V'*V - eye (n), 1) / (n * eps ());
endfunction

function draw (V, lambda, digit, picture)
  fig = new_picture ();
  score = V(:,end:-1:end-1) .* sqrt (lambda(end:-1:end-1).');
  colours = hsv (10);
  hold ("on");
  for d = 0:9
    at = digit == d;
    plot (score(at,1), score(at,2), ".", "color", colours(d+1,:),
          "markersize", 8, "displayname", sprintf ("digit %d", d));
  endfor
  axis ("tight");
  legend ("location", "eastoutside");
  xlabel ("first component");
  ylabel ("second component");
  title ("Kernel PCA of 1797 handwritten digits");
  save_picture (fig, picture);
endfunction
