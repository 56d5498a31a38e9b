## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_movie ()
## @deftypefnx {} {} demo_movie (@var{picture})
## @deftypefnx {} {@var{errors} =} demo_movie (@dots{})
## Local low-rank denoising of a movie, as in dynamic magnetic resonance imaging
## (J. Trzasko, A. Manduca, ISMRM 2011): the 8-by-8 blocks of all frames at one place are
## the columns of a matrix, whose singular values below those of noise are taken away
## (M. Gavish, D. L. Donoho, IEEE Trans. Inf. Theory 60 (2014) 5040--5053).  The
## matrices of all places are one stack for @code{gpu_svd}, and for a loop over @code{svd};
## with times, a picture of a frame before and after in the PNG file @var{picture}, and the
## root mean square @var{errors} after and before.
## @end deftypefn

function errors = demo_movie (picture = "movie.png")

  frames = 24;
  sigma = 0.15;
  clean = beating_heart (96, frames);
  randn ("twister", 1);
  noisy = clean + sigma * randn (size (clean));
  A = blocks_of (noisy);
  printf ("\nA movie of %d frames with noise, %d matrices of %d-by-%d\n", ...
          frames, size (A, 3), rows (A), columns (A));
  gpu_info ();

  gpu_svd (ones (2, 2, 2));   # load the gateway before the clock starts
  start = tic ();
  [U, s, V, info] = gpu_svd (A, "econ", "vector");
  ours = toc (start);
  ## An equal share of the pages is enough for the time of the loop.
  some = 1:7:size (A, 3);
  start = tic ();
  for p = some
    [u, t, v] = svd (A(:,:,p), "econ");
  endfor
  theirs = toc (start) * size (A, 3) / numel (some);

  limit = sigma * (sqrt (rows (A)) + sqrt (columns (A)));
  s .*= s > 1.02 * limit;
  B = pagemtimes (U .* permute (s, [2 1 3]), "none", V, "ctranspose");
  result = movie_of (B, size (clean));
  found = [rms_of(result - clean), rms_of(noisy - clean)];
  printf ("\n%-36s%10s%10s\n", "", "gpu_svd", "svd");
  printf ("%-36s%10s%10s\n", "ran on", info.backend, "cpu");
  printf ("%-36s%10.3f%10.3f\n", "seconds", ours, theirs);
  printf ("Time of the loop / time of gpu_svd: %.1f\n", theirs / ours);
  printf ("Singular values kept: %.1f of %d; root mean square error %.3f, before %.3f\n", ...
          mean (sum (s > 0)(:)), columns (A), found);

  draw (noisy, result, clean, picture);
  if (nargout > 0)
    errors = found;
  endif

endfunction

## A ring that contracts and a chamber that moves, n-by-n-by-FRAMES.
function movie = beating_heart (n, frames)
  [x, y] = meshgrid (linspace (-1, 1, n));
  movie = zeros (n, n, frames);
  for k = 1:frames
    phase = 2 * pi * k / frames;
    r = hypot (x + 0.1, (y - 0.05) * 1.1);
    inner = 0.28 + 0.09 * sin (phase);
    frame = 0.25 * (hypot (x * 0.9, y) < 0.92);
    frame += 0.75 ./ (1 + exp (40 * (r - 0.52 - 0.03 * sin (phase)))) ...
             - 0.55 ./ (1 + exp (40 * (r - inner)));
    frame += 0.35 * exp (-60 * ((x - 0.62) .^ 2 + (y + 0.1 * cos (phase)) .^ 2));
    movie(:,:,k) = frame;
  endfor
endfunction

## The 8-by-8 blocks at every fourth place; page p has those of one place in its columns.
function [A, at] = blocks_of (movie)
  [m, n, frames] = size (movie);
  [i, j] = ndgrid (1:4:m-7, 1:4:n-7);
  [di, dj] = ndgrid (0:7, 0:7);
  at = (i(:).' + di(:)) + m * (j(:).' + dj(:) - 1);
  movie = reshape (movie, m * n, frames);
  A = permute (reshape (movie(at,:), [size(at), frames]), [1 3 2]);
endfunction

## The movie of overlapping blocks A, each pixel the mean of those that have it.
function movie = movie_of (A, dims)
  [~, at] = blocks_of (zeros (dims));
  count = accumarray (at(:), 1, [dims(1) * dims(2), 1]);
  movie = zeros (dims);
  for k = 1:dims(3)
    x = A(:,k,:);
    movie(:,:,k) = reshape (accumarray (at(:), x(:), size (count)) ./ count, dims(1:2));
  endfor
endfunction

function r = rms_of (x)
  r = sqrt (mean (x(:) .^ 2));
endfunction

function draw (noisy, result, clean, picture)
  fig = new_picture ();
  set (fig, "paperposition", [0, 0, 9, 3.4]);
  parts = {noisy, result, clean};
  names = {"Frame with noise", "Denoised, local low rank", "Frame without noise"};
  for k = 1:3
    subplot ("position", [(k - 1) / 3 + 0.01, 0.02, 0.31, 0.86]);
    imagesc (parts{k}(:,:,5), [-0.2, 1.2]);
    axis ("image", "off");
    title (names{k});
  endfor
  colormap (gray (256));
  save_picture (fig, picture);
endfunction
