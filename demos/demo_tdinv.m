## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_tdinv ()
## @deftypefnx {} {} demo_tdinv (@var{picture})
## The level of the Nile, 1871 to 1970, and its variance, by Kalman smoothing.
##
## A random walk that is observed with noise has a tridiagonal precision matrix,
## whose inverse is the covariance of the level given all observations; its
## diagonal and first off-diagonal are needed; @code{gpu_tdinv} computes them with
## @qcode{"Band", 1} in time proportional to the order.
##
## First the variances of the walk and of the noise are estimated by the EM algorithm,
## which computes one such inverse per step, and compared with the published ones
## (J. Durbin, S. J. Koopman, Time Series Analysis by State Space Methods, 2001,
## section 2.10).  Then forty observations are removed, as in section 2.7 of this book,
## and the level is smoothed on a grid of 1000 steps per year, compared with the
## classical recursions, and drawn with its confidence band in the PNG file
## @var{picture}.
## @end deftypefn

function demo_tdinv (picture = "nile.png")

  flow = nile ();
  year = (1871:1970)';
  gpu_tdinv (1);   # load the gateway before the clock starts

  [q, r, steps, seconds] = estimate (flow);
  printf ("\nAnnual flow of the Nile at Aswan, 10^8 m^3, %d years\n", 100);
  printf ("Variances by EM, %d steps, %d inverses in %.2f s\n", steps, steps,
          seconds);
  printf ("%-26s%12s%12s\n", "", "found", "published");
  printf ("%-26s%12.1f%12.1f\n", "of the noise", r, 15099);
  printf ("%-26s%12.1f%12.1f\n", "of the walk, per year", q, 1469.1);

  ## Smoothing between the years, with two gaps.
  fine = 1000;
  n = 99 * fine + 1;
  seen = true (100, 1);
  seen([21:40, 61:80]) = false;
  at = 1 + fine * (find (seen) - 1);
  start = tic ();
  [c, a] = precision_matrix (n, q / fine, r, at);
  T = spdiags ([[c; 0], a, [0; c]], -1:1, n, n);
  load_vector = zeros (n, 1);
  load_vector(at) = flow(seen) / r;
  level = T \ load_vector;
  V = gpu_tdinv (c, a, c, "Band", 1);
  variance = full (diag (V));
  ours = toc (start);
  start = tic ();
  [level0, variance0] = recursions (n, q / fine, r, at, flow(seen));
  theirs = toc (start);
  printf ("\n%d states, %d observations\n", n, numel (at));
  printf ("%-44s%10.3f s\n", "mean and variances by the inverse", ours);
  printf ("%-44s%10.3f s\n", "by the recursions of Kalman and Rauch", theirs);
  printf ("Largest relative difference of the variances: %.2g, of the means: %.2g\n",
          max (abs (variance ./ variance0 - 1)),
          max (abs (level ./ level0 - 1)));
  printf ("Standard deviation of the level: %.1f in 1871, %.1f at most in a gap\n",
          sqrt (variance(1)), sqrt (max (variance(20*fine:80*fine))));

  draw (year, flow, seen, 1871 + (0:n-1)' / fine, level, sqrt (variance),
        picture);

endfunction

## The precision matrix of a random walk of N states with variance Q per step, observed
## in the states AT with noise of variance R; the prior of the first state is flat.
function [c, a] = precision_matrix (n, q, r, at)
  c = -ones (n - 1, 1) / q;
  a = ([1; 2 * ones(n - 2, 1); 1]) / q;
  a(at) += 1 / r;
endfunction

## Both variances from all observations Y by the EM algorithm.
function [q, r, steps, seconds] = estimate (y)
  q = r = var (y) / 2;
  start = tic ();
  for steps = 1:5000
    [c, a] = precision_matrix (100, q, r, 1:100);
    V = gpu_tdinv (c, a, c, "Band", 1);
    v = full (diag (V));
    w = full (diag (V, 1));
    x = (diag (sparse (a)) + sparse (2:100, 1:99, c, 100, 100)
         + sparse (1:99, 2:100, c, 100, 100)) \ (y / r);
    old = [q, r];
    q = mean (diff (x) .^ 2 + v(1:99) + v(2:100) - 2 * w);
    r = mean ((y - x) .^ 2 + v);
    if (all (abs ([q, r] ./ old - 1) < 1e-7))
      break;
    endif
  endfor
  seconds = toc (start);
endfunction

## The Kalman filter, followed by the smoother of Rauch, Tung and Striebel.
function [x, v] = recursions (n, q, r, at, y)
  x = v = zeros (n, 1);
  observed = nan (n, 1);
  observed(at) = y;
  mean_now = observed(1);
  variance = r;
  x(1) = mean_now;
  v(1) = variance;
  for i = 2:n
    variance += q;
    if (! isnan (observed(i)))
      gain = variance / (variance + r);
      mean_now += gain * (observed(i) - mean_now);
      variance *= 1 - gain;
    endif
    x(i) = mean_now;
    v(i) = variance;
  endfor
  for i = n-1:-1:1
    gain = v(i) / (v(i) + q);
    x(i) += gain * (x(i+1) - x(i));
    v(i) += gain ^ 2 * (v(i+1) - v(i) - q);
  endfor
endfunction

function draw (year, flow, seen, t, level, deviation, picture)
  fig = new_picture ();
  k = 1:100:numel (t);
  hold ("on");
  plot (t(k), level(k) + 2 * deviation(k), "-", "color", [0.6 0.75 0.95],
        "linewidth", 2, "displayname", "two standard deviations");
  plot (t(k), level(k) - 2 * deviation(k), "-", "color", [0.6 0.75 0.95],
        "linewidth", 2, "handlevisibility", "off");
  plot (t(k), level(k), "-", "color", [0 0.2 0.6], "linewidth", 2,
        "displayname", "smoothed level");
  plot (year(seen), flow(seen), "k.", "markersize", 10,
        "displayname", "observed");
  plot (year(! seen), flow(! seen), "o", "color", [0.8 0.3 0.1],
        "markersize", 4, "displayname", "not shown to the smoother");
  axis ([1870 1971 400 1700]);
  legend ("location", "northeast");
  xlabel ("year");
  ylabel ("flow, 10^8 m^3");
  title ("The Nile at Aswan");
  save_picture (fig, picture);
endfunction

## Annual flow 1871 to 1970, G. W. Cobb, Biometrika 65 (1978) 243-251.
function y = nile ()
  y = [1120 1160  963 1210 1160 1160  813 1230 1370 1140 ...
        995  935 1110  994 1020  960 1180  799  958 1140 ...
       1100 1210 1150 1250 1260 1220 1030 1100  774  840 ...
        874  694  940  833  701  916  692 1020 1050  969 ...
        831  726  456  824  702 1120 1100  832  764  821 ...
        768  845  864  862  698  845  744  796 1040  759 ...
        781  865  845  944  984  897  822 1010  771  676 ...
        649  846  812  742  801 1040  860  874  848  890 ...
        744  749  838 1050  918  986  797  923  975  815 ...
       1020  906  901 1170  912  746  919  718  714  740]';
endfunction
