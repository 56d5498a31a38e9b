## Whole calls with data that stays on the GPU (gpu_array) against the same calls
## with data of Octave, and the time on the device.  tests/bench/eigh.py has the same
## matrices for CuPy and PyTorch.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_arrays (folder, budget)
  if (! has_gpu ())
    printf ("arrays: needs a GPU\n");
    return;
  endif
  t = table_open (folder, "arrays", "calls with gpu_array against calls with host data",
                  {"call", "n", "pages", "array ms", "host ms", "device ms", "ratio"},
                  "note", {["medians of whole calls by tic and toc, eigenvalues ", ...
                            "as vectors; ratio: host / array"]});
  cases = {"eig", 512, 1; "eig", 1024, 1; "eig", 2048, 1; "eig", 4096, 1
           "eig", 8192, 1; "eig", 64, 8; "eig", 64, 256; "eig", 256, 8
           "eig", 256, 64; "eig general", 1024, 1; "mrrr", 4000, 1
           "mrrr", 8000, 1; "tdinv", 4000, 1; "tdinv", 16000, 1
           "loop", 2000, 1};
  seconds = budget / (2 * rows (cases));
  for i = 1:rows (cases)
    [name, n, pages] = cases{i,:};
    [host, array, nout] = calls (name, n, pages);
    [slow, device] = median_time (host, nout, seconds);
    fast = median_time (array, min (nout, 2), seconds);
    table_row (t, name, n, pages, 1e3 * fast, 1e3 * slow, 1e3 * device, slow / fast);
  endfor
  table_close (t);
endfunction

## The call with data of Octave, that with arrays, and the outputs of the first.
function [host, array, nout] = calls (name, n, pages)
  options = {"vector", "Backend", "cuda"};
  nout = 4;
  A = randn (n, n, pages);
  switch (name)
    case "eig"
      A += permute (A, [2, 1, 3]);
      G = gpu_array (A);
      host = @() gpu_eig (A, options{:});
      array = @() eig (G, "vector");
    case "eig general"
      G = gpu_array (A);
      host = @() gpu_eig (A, options{:});
      array = @() eig (G, "vector");
    case "mrrr"
      d = randn (n, 1);
      e = randn (n - 1, 1);
      D = gpu_array (d);
      E = gpu_array (e);
      host = @() gpu_mrrr (d, e, options{:});
      array = @() gpu_mrrr (D, E, "vector");
    case "tdinv"
      nout = 1;
      a = 4 + rand (n, 1);
      c = rand (n - 1, 1);
      [X, Y] = deal (gpu_array (a), gpu_array (c));
      host = @() gpu_tdinv (c, a, c, "Backend", "cuda");
      array = @() gpu_tdinv (Y, X, Y);
    case "loop"
      nout = 1;
      H = A + A';
      G = gpu_array (H);
      host = @() self_consistent (H, 10, {"Backend", "cuda"});
      array = @() gather (self_consistent (G, 10, {}));
  endswitch
endfunction

## STEPS of a loop in which the density of the lowest tenth of the states changes H.
function density = self_consistent (H0, steps, backend)
  n = rows (H0);
  density = sum (H0, 2) * 0;
  for step = 1:steps
    [V, l] = gpu_eig (H0 + diag (0.1 * density), "vector", backend{:});
    density = sum (V(:,1:n/10) .^ 2, 2);
  endfor
endfunction
