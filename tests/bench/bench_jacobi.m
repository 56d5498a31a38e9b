## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_jacobi (@var{folder}, @var{budget})
## gpu_jacobi_eig and its peers in one process: LAPACK's dsyevd, Octave's eig, on
## a GPU cuSOLVER's syevd and syevj; the two experiments of the 2012 paper
## (classical Jacobi, 10000 rotations); warm starts; graded matrices.
## @end deftypefn

function bench_jacobi (folder, budget)

  start = tic ();
  cuda = strcmp (gpu_info ().backend, "cuda");
  methods_table (folder, cuda, start, 0.45 * budget);
  guess_table (folder, cuda, start, 0.6 * budget);
  high_table (folder, cuda, start, 0.7 * budget);
  orders_table (folder, cuda, start, 0.9 * budget);
  rotations_table (folder, cuda, start, budget);

endfunction

function A = random_symmetric (n)
  A = randn (n);
  A += A';
endfunction

## Seconds on the device's clock on a GPU, wall clock on the CPU; and end to end.
function [solve, total, out] = timed (f, limit)
  [total, solve, out] = median_time (f, 4, limit);
endfunction

function methods_table (folder, cuda, start, stop)
  t = table_open (folder, "jacobi_methods",
                  ["gpu_jacobi_eig, symmetric, double, with vectors: device ", ...
                   "clock (on the CPU wall clock); end to end where named"],
                  {"n", "auto [s]", "block [s]", "precond. [s]", ...
                   "syevd [s]", "syevj [s]", "auto end to end [s]", ...
                   "dsyevd end to end [s]", "eig end to end [s]", ...
                   "method", "residual", "orthogonality"});
  orders = [64 128 256 512 1024 2048];
  if (cuda)
    orders = [orders, 4096, 8192];
  endif
  backend = "cpu";
  if (cuda)
    backend = "cuda";
  endif
  for n = orders
    left = stop - toc (start);
    if (left < 0)
      break;
    endif
    limit = min (4, left / 20);
    A = random_symmetric (n);
    ours = @(m) @() gpu_jacobi_eig (A, "vector", "Method", m, ...
                                    "Backend", backend);
    [auto, total, out] = timed (ours ("auto"), limit);
    block = syevd = syevj = theirs = NaN;
    if (cuda || n <= 1024)
      block = timed (ours ("block"), limit);
    endif
    precond = timed (ours ("preconditioned"), limit);
    if (cuda)
      peer = @(m) @() gpu_eig (A, "vector", "Method", m, "Backend", "cuda");
      syevd = timed (peer ("syevd"), limit);
      if (n <= 4096)
        syevj = timed (peer ("syevj"), limit);
      endif
    endif
    lapack = NaN;
    if (n <= 4096)
      lapack = median_time (@() gpu_eig (A, "vector", "Backend", "cpu"), 2,
                            limit);
    endif
    if (n <= 1024)
      theirs = median_time (@() eig (A, "vector"), 2, limit);
    endif
    [res, orth] = ratios (A, out{1}, out{2});
    table_row (t, n, auto, block, precond, syevd, syevj, total, lapack, theirs,
               out{4}.method, res, orth);
  endfor
  table_close (t);
endfunction

function guess_table (folder, cuda, start, stop)
  t = table_open (folder, "jacobi_guess",
                  ["gpu_jacobi_eig with \"Guess\": the eigenvectors of a ", ...
                   "matrix 1e-3 (2-norm, relative) away; device clock"],
                  {"n", "guess [s]", "scratch [s]", "syevd [s]", ...
                   "scratch / guess", "syevd / guess", "residual"});
  orders = [256 512 1024];
  backend = "cpu";
  if (cuda)
    orders = [orders, 2048, 4096, 8192];
    backend = "cuda";
  endif
  for n = orders
    left = stop - toc (start);
    if (left < 0)
      break;
    endif
    limit = min (3, left / 8);
    A = random_symmetric (n);
    [V, ~] = gpu_eig (A, "Backend", backend);
    A += 1e-3 * random_symmetric (n);
    [guess, ~, out] = timed (@() gpu_jacobi_eig (A, "vector", "Guess", V, ...
                                                 "Backend", backend), limit);
    scratch = timed (@() gpu_jacobi_eig (A, "vector", "Backend", backend),
                     limit);
    syevd = timed (@() gpu_eig (A, "vector", "Backend", backend), limit);
    table_row (t, n, guess, scratch, syevd, scratch / guess, syevd / guess,
               ratios (A, out{1}, out{2}));
  endfor
  table_close (t);
endfunction

## Largest relative error of an eigenvalue of D*B*D; the reference is one-sided
## Jacobi, another algorithm with the same guarantee.
function high_table (folder, cuda, start, stop)
  t = table_open (folder, "jacobi_high",
                  ["\"Accuracy\", \"high\" on D*B*D, cond (A) up to 1e30: ", ...
                   "largest relative error of an eigenvalue"],
                  {"n", "high [s]", "error high", "error normal", ...
                   "error eig", "10 n eps cond (B)"});
  backend = "cpu";
  if (cuda)
    backend = "cuda";
  endif
  for n = [50 100 200 500 1000]
    if (toc (start) > stop)
      break;
    endif
    D = diag (10 .^ (-15 * rand (n, 1)));
    B = random_symmetric (n) / (4 * sqrt (2 * n));
    B(1:n+1:end) = 1;
    A = D * B * D;
    A = (A + A') / 2;
    if (exist ("gpu_onesided_eig") == 2)
      reference = gpu_onesided_eig (A, "Accuracy", "high", "Backend", "cpu");
    else
      reference = gpu_jacobi_eig (A, "Accuracy", "high", "Backend", "cpu");
    endif
    worst = @(x) max (abs (x - reference) ./ reference);
    [seconds, ~, out] = timed (@() gpu_jacobi_eig (A, "vector", "Accuracy", ...
                                                   "high", "Backend", ...
                                                   backend), 2);
    normal = gpu_jacobi_eig (A, "Backend", backend);
    table_row (t, n, seconds, worst (out{2}), worst (normal), worst (eig (A)),
               10 * n * eps () * cond (B));
  endfor
  table_close (t);
endfunction

## Seconds of ROTATIONS classical rotations; on the CPU from the difference of a
## few and one, since each costs the same and packing the matrix costs more.
function seconds = classical (A, backend, rotations)
  run = @(k) time_classical (A, backend, k);
  if (strcmp (backend, "cuda"))
    run (100);
    seconds = median ([run(rotations), run(rotations), run(rotations)]);
    return;
  endif
  one = min ([run(1), run(1)]);
  some = 10;
  seconds = run (some + 1) - one;
  while (seconds < 0.5 && some < rotations)
    some = min (rotations, 4 * some);
    seconds = run (some + 1) - one;
  endwhile
  seconds *= rotations / some;
endfunction

function seconds = time_classical (A, backend, rotations)
  old = warning ("off", "gpueig:no-convergence");
  unwind_protect
    [~, ~, ~, info] = gpu_jacobi_eig (A, "Method", "classical", "Backend", ...
                                      backend, "MaxRotations", rotations);
  unwind_protect_cleanup
    warning (old);
  end_unwind_protect
  seconds = info.time.solve;
endfunction

function orders_table (folder, cuda, start, stop)
  t = table_open (folder, "jacobi_classical_orders",
                  ["classical Jacobi, 10000 rotations with vectors (paper of ", ...
                   "2012, figures 7 and 8); sequential C measured with fewer ", ...
                   "rotations and scaled"],
                  {"n", "CUDA [s]", "sequential C [s]", "ratio", ...
                   "us per rotation"});
  for n = [1024 2048 4096 6144 8192 10240]
    if (toc (start) > stop)
      break;
    endif
    A = random_symmetric (n);
    ours = NaN;
    if (cuda)
      ours = classical (A, "cuda", 10000);
    endif
    c = classical (A, "cpu", 10000);
    table_row (t, n, ours, c, c / ours, 100 * ours);
  endfor
  table_close (t);
endfunction

function rotations_table (folder, cuda, start, stop)
  t = table_open (folder, "jacobi_classical_rotations",
                  ["classical Jacobi, n = 8192 (2048 without a GPU), with ", ...
                   "vectors (paper of 2012, figures 9 and 10)"],
                  {"rotations", "CUDA [s]", "sequential C [s]", "ratio"});
  n = ifelse (cuda, 8192, 2048);
  A = random_symmetric (n);
  c = classical (A, "cpu", 1000);
  for rotations = [1000 2000 4000 8000 16000]
    if (toc (start) > stop)
      break;
    endif
    ours = NaN;
    if (cuda)
      ours = classical (A, "cuda", rotations);
    endif
    table_row (t, rotations, ours, c * rotations / 1000,
               c * rotations / 1000 / ours);
  endfor
  table_close (t);
endfunction

function x = ifelse (condition, x, y)
  if (! condition)
    x = y;
  endif
endfunction
