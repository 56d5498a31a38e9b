## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_music ()
## @deftypefnx {} {} demo_music (@var{picture})
## Broadband direction finding with MUSIC (R. O. Schmidt, IEEE Trans. Antennas
## Propag. 34, 1986): three sources move past a line of ten microphones; the
## spatial covariance matrix of each of some ten thousand time-frequency bins, a
## complex Hermitian 10-by-10 matrix, is decomposed by one call of
## @code{gpu_onesided_eig} and by a loop over @code{eig}.  Printed are the times, the
## largest difference of the eigenvalues, and the errors of the directions; the MUSIC
## spectrum as a function of direction and time is drawn in the PNG file @var{picture}.
## @end deftypefn

function demo_music (picture = "music.png")

  sensors = 10;
  sources = 3;
  frames = 160;
  bins = 80;
  frequency = linspace (0.3, 0.95, bins);   # relative to the highest without aliasing
  track = tracks (frames);                  # degrees, sources-by-frames
  R = covariances (sensors, frequency, track);
  pages = frames * bins;
  printf ("\n%d time-frequency bins, %d microphones, %d moving sources\n",
          pages, sensors, sources);
  gpu_info ();

  gpu_onesided_eig (eye (2));   # load the gateway before the clock starts
  start = tic ();
  [V, lambda, ~, info] = gpu_onesided_eig (R, "vector");
  ours = toc (start);
  start = tic ();
  lambda0 = zeros (sensors, 1, pages);
  for p = 1:pages
    [V0, lambda0(:,1,p)] = eig (R(:,:,p), "vector");
  endfor
  theirs = toc (start);

  spectrum = music (V(:,1:sensors-sources,:), sensors, frequency, frames);
  found = peaks (spectrum, sources);
  wrong = abs (sort (found) - sort (track));
  printf ("\n%-34s%10.3f s (%s, %.1f us a matrix)\n", "gpu_onesided_eig", ours,
          info.backend, ours / pages * 1e6);
  printf ("%-34s%10.3f s (%.1f us a matrix)\n", "loop over eig", theirs,
          theirs / pages * 1e6);
  printf ("%-34s%10.1f\n", "times faster", theirs / ours);
  printf ("%-34s%10.2g\n", "largest difference of eigenvalues",
          max (abs (lambda(:) - lambda0(:))) / max (lambda0(:)));
  printf ("%-34s%10.2f degrees\n", "median error of a direction",
          median (wrong(:)));
  draw (spectrum, track, picture);

endfunction

## Directions of three sources over time; two of them cross.
function track = tracks (frames)
  t = linspace (0, 1, frames);
  track = [-50 + 70 * t; 40 - 75 * t; 55 - 15 * cos(2 * pi * t)];
endfunction

## Response of a line of sensors half a wavelength apart at frequency 1.
function a = steering (sensors, frequency, degrees)
  a = exp (1i * pi * frequency * (0:sensors-1)' * sind (degrees));
endfunction

## Covariance of 40 snapshots in every bin, page frame + frames * (bin - 1).
function R = covariances (sensors, frequency, track)
  randn ("twister", 2026);
  frames = columns (track);
  snapshots = 40;
  R = zeros (sensors, sensors, frames * numel (frequency));
  for k = 1:numel (frequency)
    for f = 1:frames
      A = steering (sensors, frequency(k), track(:,f)');
      S = complex (randn (columns (A), snapshots),
                   randn (columns (A), snapshots));
      N = complex (randn (sensors, snapshots), randn (sensors, snapshots));
      X = A * S + N;
      C = X * X' / snapshots;
      R(:,:,f+frames*(k-1)) = (C + C') / 2;
    endfor
  endfor
endfunction

## The MUSIC spectrum, angles-by-frames, averaged over frequency: large where the
## response of a direction is orthogonal to the noise subspace.
function spectrum = music (noise, sensors, frequency, frames)
  angles = -90:0.5:90;
  spectrum = zeros (numel (angles), frames);
  width = columns (noise);
  for k = 1:numel (frequency)
    A = steering (sensors, frequency(k), angles);
    E = reshape (noise(:,:,(1:frames) + frames*(k-1)), sensors, []);
    power = reshape (abs (A' * E) .^ 2, numel (angles), width, frames);
    spectrum += 1 ./ squeeze (sum (power, 2));
  endfor
  spectrum = 10 * log10 (spectrum / numel (frequency));
endfunction

## The COUNT highest local maxima of every column, in degrees.
function degrees = peaks (spectrum, count)
  angles = -90:0.5:90;
  degrees = zeros (count, columns (spectrum));
  inner = spectrum(2:end-1,:);
  top = inner > spectrum(1:end-2,:) & inner >= spectrum(3:end,:);
  inner(! top) = -Inf;
  for f = 1:columns (spectrum)
    [~, order] = sort (inner(:,f), "descend");
    degrees(:,f) = angles(order(1:count) + 1);
  endfor
endfunction

function draw (spectrum, track, picture)
  fig = new_picture ();
  imagesc (1:columns (spectrum), -90:0.5:90, spectrum);
  set (gca (), "ydir", "normal");
  hold on;
  plot (1:columns (track), track', "w:", "linewidth", 1);
  hold off;
  ylabel (colorbar (), "dB");
  xlabel ("frame");
  ylabel ("direction [degrees]");
  title ("MUSIC spectrum; dotted: where the sources are");
  save_picture (fig, picture);
endfunction
