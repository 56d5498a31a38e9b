## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_onesided (@var{folder}, @var{budget})
## @code{gpu_onesided_eig} on pages and on single matrices, against cuSOLVER's
## solvers (where there is a GPU), a loop over @code{eig} and LAPACK; the orders
## of C.-C. Sun and Y.-S. Hu (2016) with their cyclic Jacobi as a table of its
## own.  "solve" is the device's own clock on a GPU, data resident, and the
## solver's on the CPU; "whole call" includes the way in and out of Octave.
## @end deftypefn

function bench_onesided (folder, budget)

  cuda = strcmp (gpu_info ().backend, "cuda");
  ours = "cpu";
  if (cuda)
    ours = "cuda";
  endif
  randn ("twister", 1);
  small_pages (folder, 0.4 * budget, ours, "double", false);
  small_pages (folder, 0.15 * budget, ours, "double", true);
  small_pages (folder, 0.1 * budget, ours, "single", false);
  paper (folder, 0.1 * budget, ours);
  one_matrix (folder, 0.25 * budget, ours);

endfunction

function A = pages_of (n, pages, class, is_complex)
  A = randn (n, n, pages, class);
  if (is_complex)
    A = complex (A, randn (n, n, pages, class));
  endif
  A = A + conj (permute (A, [2, 1, 3]));
endfunction

## Best of three on the solver's clock, and of the whole call; NaN where the
## method does not run.
function [solve, whole, info, V, lambda] = best (f, budget)
  solve = whole = NaN;
  info = V = lambda = [];
  begin = tic ();
  for k = 1:4
    try
      start = tic ();
      [V, lambda, ~, info] = f ();
      seconds = toc (start);
    catch err
      printf ("  %s\n", err.message);
      return;
    end_try_catch
    if (k > 1 || toc (begin) > budget)
      solve = min (solve, info.time.solve);
      whole = min (whole, seconds);
    endif
    if (toc (begin) > budget)
      break;
    endif
  endfor
endfunction

function small_pages (folder, budget, ours, class, is_complex)
  start = tic ();
  cuda = strcmp (ours, "cuda");
  orders = [4 8 10 16 20 32 40 64 80 100 128 160 200 256];
  kind = class;
  if (is_complex)
    kind = ["complex " class];
  endif
  t = table_open (folder, strrep (["onesided_pages_" kind], " ", "_"),
                  ["pages, " kind ", with vectors, microseconds a matrix"],
                  {"n", "pages", "solve", "whole call", "syevj-batched", ...
                   "syev-batched", "loop over eig", "LAPACK", "peer/solve", ...
                   "eig/whole", "sweeps", "residual", "orthogonality"});
  for n = orders
    if (toc (start) > budget)
      break;
    endif
    share = budget / numel (orders) / 4;
    bytes = 8 * (1 + is_complex) * n^2;
    if (cuda)
      pages = min (100000, ceil (1e8 / bytes));
    else
      pages = min (20000, ceil (2e6 / n^2.5));
    endif
    A = pages_of (n, pages, class, is_complex);
    us = 1e6 / pages;
    [solve, whole, info, V, lambda] = best (@() gpu_onesided_eig (A, "vector", ...
                                                                  "Backend", ours),
                                            share);
    peers = [NaN NaN];
    if (cuda)
      peers(1) = best (@() gpu_eig (A, "vector", "Method", "syevj-batched",
                                    "Backend", "cuda"), share);
      peers(2) = best (@() gpu_eig (A, "vector", "Method", "syev-batched",
                                    "Backend", "cuda"), share);
    endif
    lapack = best (@() gpu_eig (A(:,:,1:min (end, 2000)), "vector", "Method", ...
                                "syevd", "Backend", "cpu"), share);
    lapack /= min (pages, 2000);
    few = min (pages, max (20, ceil (3e6 / n^3)));
    loop = tic ();
    for p = 1:few
      [v, d] = eig (A(:,:,p), "vector");
    endfor
    loop = toc (loop) / few;
    [res, orth] = ratios (A(:,:,1), V(:,:,1), lambda(:,:,1));
    table_row (t, n, pages, solve * us, whole * us, peers(1) * us, ...
               peers(2) * us, loop * 1e6, lapack * 1e6, ...
               min (peers) / solve, loop / (whole / pages), info.sweeps, res, ...
               orth);
  endfor
  table_close (t);
endfunction

## The paper's experiment: one random matrix of each order, its own method, and
## its baseline, the cyclic Jacobi of its figure 1 as an interpreter runs it.
function paper (folder, budget, ours)
  start = tic ();
  t = table_open (folder, "onesided_paper",
                  "the orders of Sun and Hu (2016), one matrix, seconds",
                  {"n", "hestenes", "auto", "cyclic Jacobi", "cyclic/hestenes", ...
                   "1000 pages, a page", "cyclic/page"});
  for n = [10 20 40 80 160]
    A = pages_of (n, 1, "double", false);
    solve = best (@() gpu_onesided_eig (A, "Method", "hestenes", "vector",
                                         "Backend", ours), 1);
    auto = best (@() gpu_onesided_eig (A, "vector", "Backend", ours), 1);
    B = pages_of (n, 1000, "double", false);
    page = best (@() gpu_onesided_eig (B, "vector", "Backend", ours),
                 budget / 10) / 1000;
    cyclic = NaN;
    if (toc (start) < budget / 2)
      cyclic = tic ();
      cyclic_jacobi (A);
      cyclic = toc (cyclic);
    endif
    table_row (t, n, solve, auto, cyclic, cyclic / solve, page, cyclic / page);
  endfor
  table_close (t);
endfunction

function [V, lambda] = cyclic_jacobi (A)
  n = rows (A);
  V = eye (n);
  limit = eps () * norm (A, "fro");
  while (norm (A - diag (diag (A)), "fro") > n * limit)
    for i = 1:n-1
      for j = i+1:n
        if (abs (A(i,j)) <= limit / n)
          continue;
        endif
        tau = (A(j,j) - A(i,i)) / (2 * A(i,j));
        if (tau >= 0)
          t = 1 / (tau + sqrt (1 + tau^2));
        else
          t = -1 / (-tau + sqrt (1 + tau^2));
        endif
        c = 1 / sqrt (1 + t^2);
        J = [c, t*c; -t*c, c];
        A(:,[i j]) = A(:,[i j]) * J;
        A([i j],:) = J' * A([i j],:);
        V(:,[i j]) = V(:,[i j]) * J;
      endfor
    endfor
  endwhile
  lambda = diag (A);
endfunction

function one_matrix (folder, budget, ours)
  start = tic ();
  cuda = strcmp (ours, "cuda");
  t = table_open (folder, "onesided_single",
                  "one matrix, double, with vectors, seconds",
                  {"n", "solve", "whole call", "syevj", "syevd", ...
                   "LAPACK syevd", "eig", "syevj/solve", "syevd/solve", ...
                   "steps", "residual", "orthogonality"});
  for n = [256 512 1024 2048 4096]
    if (toc (start) > budget / 3 || (! cuda && n > 1024))
      break;
    endif
    A = pages_of (n, 1, "double", false);
    share = budget / 40;
    [solve, whole, info, V, lambda] = best (@() gpu_onesided_eig (A, "vector", ...
                                                                  "Backend", ours),
                                            share);
    peer = [NaN NaN];
    if (cuda)
      if (n <= 2048)
        peer(1) = best (@() gpu_eig (A, "vector", "Method", "syevj",
                                     "Backend", "cuda"), share);
      endif
      peer(2) = best (@() gpu_eig (A, "vector", "Method", "syevd",
                                   "Backend", "cuda"), share);
    endif
    lapack = theirs = NaN;
    if (n <= 2048)
      lapack = best (@() gpu_eig (A, "vector", "Method", "syevd",
                                  "Backend", "cpu"), share);
    endif
    if (n <= 1024)
      theirs = tic ();
      [v, d] = eig (A, "vector");
      theirs = toc (theirs);
    endif
    [res, orth] = ratios (A, V, lambda);
    table_row (t, n, solve, whole, peer(1), peer(2), lapack, theirs, ...
               peer(1) / solve, peer(2) / solve, info.sweeps, res, orth);
  endfor
  table_close (t);
endfunction
