## Whole calls of gpu_eig on a GPU with data of Octave: one and four outputs, beside the
## copies and the solver of the latter.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_calls (folder, budget)
  if (! has_gpu ())
    printf ("calls: needs a GPU\n");
    return;
  endif
  t = table_open (folder, "calls", "whole calls with data of Octave",
                  {"kind", "n", "pages", "MB", "one output ms", "four outputs ms", "copies ms", "solver ms"},
                  "note", {["medians of whole calls by tic and toc; copies and solver may ", ...
                            "overlap; double, random"]});
  cases = {"symmetric", 8, 100000; "symmetric", 32, 20000; "symmetric", 64, 8000
           "symmetric", 128, 2000; "symmetric", 256, 400; "symmetric", 4000, 1
           "general", 32, 10000; "complex general", 32, 10000
           "general", 4096, 1; "general", 8192, 1};
  seconds = budget / (2 * rows (cases));
  for i = 1:rows (cases)
    [kind, n, pages] = cases{i,:};
    A = randn (n, n, pages);
    if (strcmp (kind, "symmetric"))
      A += permute (A, [2, 1, 3]);
    elseif (strcmp (kind, "complex general"))
      A = complex (A, randn (n, n, pages));
    endif
    one = median_time (@() gpu_eig (A, "Backend", "cuda"), 1, seconds);
    [all, solver, out] = median_time (@() gpu_eig (A, "vector", "Backend", "cuda"), 4, seconds);
    bytes = 8 * numel (A) * (1 + iscomplex (A));
    table_row (t, kind, n, pages, bytes / 1e6, 1e3 * one, 1e3 * all,
               1e3 * out{4}.time.transfer, 1e3 * solver);
  endfor
  table_close (t);
endfunction
