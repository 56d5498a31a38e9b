## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_tdinv (@var{folder}, @var{budget})
## The inverse of a random diagonally dominant tridiagonal matrix, in double:
## @code{gpu_tdinv} against @code{zeros (n)}, which is what the result costs at
## least, sparse @code{T \ eye (n)}, LAPACK's pivoted solver, and @code{inv}; the
## recursive Sherman-Morrison method as in the paper's comparison; bands.
## The GPU's own clock beside its libraries: build/bench/device_tdinv.
## @end deftypefn

function bench_tdinv (folder, budget)

  cuda = ! isempty (gpu_info ().devices);
  rand ("state", 3);
  randn ("state", 3);
  peers (folder, budget / 2);
  poster (folder, budget / 4, cuda);
  bands (folder, budget / 8);
  if (cuda)
    device (folder, budget / 8);
  endif

endfunction

function [c, a, b] = dominant (n)
  c = 2 * rand (n - 1, 1) - 1;
  b = 2 * rand (n - 1, 1) - 1;
  a = (2 + rand (n, 1)) .* sign (randn (n, 1));
endfunction

## End to end in Octave.
function peers (folder, budget)
  start = tic ();
  t = table_open (folder, "tdinv", "gpu_tdinv, end to end, double",
                  {"n", "vectors [s]", "full T [s]", "zeros [s]", ...
                   "over zeros", "T\\eye [s]", "gttrs [s]", "inv [s]", ...
                   "T\\eye/ours", "inv/ours", "error [eps]", "backend"});
  for n = [100 500 1000 2000 4096 8192 16384]
    if (toc (start) > budget)
      break;
    endif
    [c, a, b] = dominant (n);
    S = gallery ("tridiag", c, a, b);
    T = full (S);
    share = budget / 40;
    [zero, ~, out] = median_time (@() zeros (n), 1, share);
    out = {};
    [ours, ~, out] = median_time (@() gpu_tdinv (c, a, b), 3, share);
    where = out{3}.backend;
    sample = unique (ceil (n * rand (3, 1)));
    worst = deviation (S, out{1}, sample);
    out = {};
    full_input = median_time (@() gpu_tdinv (T), 1, share);
    solve = pivoted = dense = NaN;
    if (n <= 8192)
      solve = median_time (@() S \ eye (n), 1, share);
      pivoted = median_time (@() gpu_tdinv (c, a, b, "Method", "pivoted",
                                            "Backend", "cpu"), 1, share);
    endif
    if (n <= 4096)
      dense = median_time (@() inv (T), 1, share);
    endif
    table_row (t, n, ours, full_input, zero, ours / zero, solve, pivoted,
               dense, solve / ours, dense / ours, worst, where);
  endfor
  table_close (t);
endfunction

## Residual of columns J, |T X - I| / (|T| |X|) in units of eps.
function r = deviation (S, X, J)
  n = rows (S);
  E = sparse (J, 1:numel (J), 1, n, numel (J));
  R = S * X(:,J) - E;
  r = full (max (max (abs (R), [], 1) ./ (norm (S, 1) * max (abs (X(:,J)), [], 1)))) / eps ();
endfunction

## The paper: the recursive method on a GPU against itself on one core and on
## all.  The OpenMP library reads its number of threads when a process starts.
function poster (folder, budget, cuda)
  t = table_open (folder, "tdinv_poster",
                  "recursive Sherman-Morrison, solver's clock, double",
                  {"n", "one core [s]", "all cores [s]", "GPU [s]", ...
                   "all cores", "GPU/one core", "GPU/all cores", ...
                   "generators [s]"});
  octave = getenv ("OCTAVE");
  if (isempty (octave))
    octave = "octave-cli";
  endif
  here = fileparts (mfilename ("fullpath"));
  inst = fileparts (which ("gpu_tdinv"));
  start = tic ();
  for q = 10:14
    if (toc (start) > budget)
      break;
    endif
    n = 2 ^ q;
    command = sprintf (["OMP_NUM_THREADS=1 \"%s\" --norc --no-history ", ...
                        "--no-window-system --path \"%s\" --path \"%s\" ", ...
                        "--eval \"printf ('%%g', solve_time (%d, 'cpu'))\""], ...
                       octave, inst, fullfile (here, "private"), n);
    [status, text] = system (command);
    one = str2double (text);
    all_cores = solve_time (n, "cpu");
    gpu = NaN;
    if (cuda)
      gpu = solve_time (n, "cuda");
    endif
    table_row (t, n, one, all_cores, gpu, one / all_cores, one / gpu,
               all_cores / gpu, solve_time (n, "cpu", "generators"));
  endfor
  table_close (t);
endfunction

## Bands, where time must grow with n only.
function bands (folder, budget)
  t = table_open (folder, "tdinv_band", "gpu_tdinv (..., \"Band\", 3), double",
                  {"n", "time [s]", "ns a row", "nonzeros"});
  start = tic ();
  for n = 10 .^ (3:6)
    if (toc (start) > budget)
      break;
    endif
    [c, a, b] = dominant (n);
    [s, ~, out] = median_time (@() gpu_tdinv (c, a, b, "Band", 3), 1,
                               budget / 8);
    table_row (t, n, s, 1e9 * s / n, nnz (out{1}));
  endfor
  table_close (t);
endfunction

## The GPU's clock and the copy.
function device (folder, budget)
  t = table_open (folder, "tdinv_cuda", "gpu_tdinv on the GPU, double",
                  {"n", "device [s]", "GB/s written", "copy [s]", ...
                   "GB/s copied", "total [s]", "CPU backend [s]"});
  start = tic ();
  for n = [1024 2048 4096 8192 16384]
    if (toc (start) > budget)
      break;
    endif
    [c, a, b] = dominant (n);
    [~, dev, out] = median_time (@() gpu_tdinv (c, a, b, "Backend", "cuda"), 3,
                                 budget / 12);
    [~, host] = median_time (@() gpu_tdinv (c, a, b, "Backend", "cpu"), 3,
                             budget / 12);
    gb = 8e-9 * n ^ 2;
    copy = out{3}.time.transfer;
    table_row (t, n, dev, gb / dev, copy, gb / copy, out{3}.time.total, host);
    out = {};
  endfor
  table_close (t);
endfunction
