## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_eig (@var{folder}, @var{budget})
## The front door against Octave's eig: symmetric, general and small matrices,
## @code{gpu_eig} with "Backend" "auto".
## @end deftypefn

function bench_eig (folder, budget)

  start = tic ();
  t = table_open (folder, "eig_symmetric",
                  "gpu_eig and eig, symmetric, double, with vectors",
                  {"n", "gpu_eig [s]", "eig [s]", "ratio", "backend", ...
                   "residual", "orthogonality"});
  for n = [2 8 32 64 128 256 500 1000 2000]
    if (toc (start) > budget / 2)
      break;
    endif
    A = randn (n);
    A += A';
    [ours, ~, out] = median_time (@() gpu_eig (A, "vector"), 4, budget / 20);
    theirs = median_time (@() eig (A, "vector"), 2, budget / 20);
    [res, orth] = ratios (A, out{1}, out{2});
    table_row (t, n, ours, theirs, theirs / ours, out{4}.backend, res, orth);
  endfor
  table_close (t);

  t = table_open (folder, "eig_general",
                  "gpu_eig and eig, general, complex double, with vectors",
                  {"n", "gpu_eig [s]", "eig [s]", "ratio", "backend", ...
                   "residual"});
  for n = [2 8 32 64 128 256 512]
    if (toc (start) > budget)
      break;
    endif
    A = complex (randn (n), randn (n));
    [ours, ~, out] = median_time (@() gpu_eig (A, "vector"), 4, budget / 20);
    theirs = median_time (@() eig (A, "vector"), 2, budget / 20);
    res = norm (A*out{1} - out{1} .* out{2}.', 1) ...
          / (norm (A, 1) * norm (out{1}, 1) * n * eps ());
    table_row (t, n, ours, theirs, theirs / ours, out{4}.backend, res);
  endfor
  table_close (t);

endfunction
