## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_complex (@var{folder}, @var{budget})
## @code{gpu_complex_eig} with random complex double matrices and right
## eigenvectors: stacks against LAPACK's zgeevx on all cores and a loop over
## @code{eig}; single matrices against cuSOLVER's Xgeev, zgeevx with all cores and
## @code{eig}; and the poster's comparison, the same algorithm on one core.
## Times named "device" are the solver's own clock, data resident on the GPU.
## @end deftypefn

function bench_complex (folder, budget)

  cuda = ! isempty (gpu_info ().devices);
  randn ("state", 4);
  pages (folder, budget / 3, cuda);
  single_matrices (folder, budget / 3, cuda);
  poster (folder, budget / 3, cuda);

endfunction

## The library itself: V without W.  Best device time and wall clock of RUNS.
function [device, wall, lambda, V, info] = run (command, A, method, backend, runs,
                                                varargin)
  opt = struct ("method", method, "backend", backend, "balance", true,
                "vectors", 1, varargin{:});
  device = wall = Inf;
  for k = 1:runs
    start = tic ();
    [failure, lambda, V, ~, info] = __gpueig__ (command, A, opt);
    wall = min (wall, toc (start));
    if (! isempty (failure) && ! strcmp (failure.identifier, "gpueig:no-convergence"))
      error (failure.identifier, "bench_complex: %s", failure.message);
    endif
    device = min (device, info.time.solve);
  endfor
endfunction

function r = residual (A, V, lambda)
  r = 0;
  for p = 1:min (size (A, 3), 20)
    v = V(:,:,p);
    r = max (r, norm (A(:,:,p) * v - v .* lambda(:,:,p).', 1)
                / (norm (A(:,:,p), 1) * norm (v, 1) * rows (v) * eps ()));
  endfor
endfunction

function seconds = eig_loop (A, budget)
  count = 0;
  start = tic ();
  do
    count += 1;
    [V, lambda] = eig (A(:,:,mod (count - 1, size (A, 3)) + 1), "vector");
  until (toc (start) > budget && count > 4)
  seconds = toc (start) / count;
endfunction

function pages (folder, budget, cuda)
  t = table_open (folder, "complex_pages",
                  "gpu_complex_eig, pages, complex double, right vectors, per page",
                  {"n", "pages", "device [s]", "end to end [s]", "cpu [s]", ...
                   "cpu method", "zgeevx cores [s]", "eig loop [s]", ...
                   "eig/device", "zgeevx/device", "eig/cpu", "sweeps", ...
                   "residual"});
  start = tic ();
  list = [2 3 4 6 8 12 16 24 32 48 64];
  for n = list
    if (toc (start) > budget)
      break;
    endif
    count = min (20000, ceil (2e7 / (n^3 + 20)));
    if (n == 32)
      count = 10000;
    endif
    A = complex (randn (n, n, count), randn (n, n, count));
    few = A(:,:,1:min (count, ceil (2e6 / n^3)));
    k = size (few, 3);
    device = wall = NaN;
    if (cuda)
      [device, wall, lambda, V, info] = run ("complex_eig", A, "shroff", "cuda", 3);
      device /= count;
      wall /= count;
      r = residual (A, V, lambda);
    endif
    [~, cpu, lambda, V, cpu_info] = run ("complex_eig", few, "auto", "cpu", 3);
    cpu /= k;
    if (! cuda)
      r = residual (few, V, lambda);
      info = cpu_info;
    endif
    [~, lapack] = run ("complex_eig", few, "geev", "cpu", 3);
    lapack /= k;
    loop = eig_loop (A, budget / 60);
    table_row (t, n, count, device, wall, cpu, cpu_info.method, lapack, loop,
               loop / device, lapack / device, loop / cpu, info.sweeps, r);
  endfor
  table_close (t);
endfunction

function single_matrices (folder, budget, cuda)
  t = table_open (folder, "complex_single",
                  "gpu_complex_eig, one matrix, complex double, right vectors",
                  {"n", "shroff device [s]", "Xgeev device [s]", "zgeevx [s]", ...
                   "eig [s]", "Xgeev/shroff", "zgeevx/shroff", "auto takes", ...
                   "sweeps", "residual"});
  start = tic ();
  for n = [32 64 96 128 192 256 384 512 768 1024 2048]
    if (toc (start) > budget || (! cuda && n > 512))
      break;
    endif
    A = complex (randn (n), randn (n));
    ours = xgeev = NaN;
    if (cuda)
      run ("complex_eig", A, "shroff", "cuda", 1);
      [ours, ~, lambda, V, info] = run ("complex_eig", A, "shroff", "cuda", 3);
      xgeev = run ("eig_general", A, "geev", "cuda", 2);
      [~, ~, ~, ~, choice] = run ("complex_eig", A, "auto", "cuda", 1);
    else
      [ours, ~, lambda, V, info] = run ("complex_eig", A, "shroff", "cpu", 1);
      [~, ~, ~, ~, choice] = run ("complex_eig", A, "auto", "cpu", 1);
    endif
    [~, lapack] = run ("eig_general", A, "geev", "cpu", 1 + (n < 600));
    theirs = NaN;
    if (n <= 1024)
      theirs = eig_loop (A, 0.1);
    endif
    table_row (t, n, ours, xgeev, lapack, theirs, xgeev / ours, lapack / ours,
               choice.method, info.sweeps, residual (A, V, lambda));
  endfor
  table_close (t);
endfunction

## The poster: general dense complex matrices, the algorithm on one core against
## the GPU.  From order 256 on the core does one sweep, taken as many times.
function poster (folder, budget, cuda)
  t = table_open (folder, "complex_poster",
                  "The poster's comparison: the same algorithm on one core and here",
                  {"n", "one core [s]", "measured sweeps", "here [s]", ...
                   "backend", "sweeps", "ratio"});
  start = tic ();
  for n = [32 64 128 256 512 1024]
    if (toc (start) > budget)
      break;
    endif
    A = complex (randn (n), randn (n));
    if (cuda)
      run ("complex_eig", A, "shroff", "cuda", 1);
      [here, ~, ~, ~, info] = run ("complex_eig", A, "shroff", "cuda", 3);
    else
      [~, here, ~, ~, info] = run ("complex_eig", A, "auto", "cpu", 1);
    endif
    if (n < 256)
      [~, core, ~, ~, seq] = run ("complex_eig", A, "shroff", "cpu", 1);
      measured = seq.sweeps;
    else
      ## without refinement: the difference of two and one sweeps
      [~, one] = run ("complex_eig", A, "shroff", "cpu", 1, "maxsweeps", 1);
      [~, two] = run ("complex_eig", A, "shroff", "cpu", 1, "maxsweeps", 2);
      measured = 1;
      core = (two - one) * max (info.sweeps, 2 * log2 (n));
    endif
    table_row (t, n, core, measured, here, info.backend, info.sweeps, core / here);
  endfor
  table_close (t);
endfunction
