## gpu_eig with "Backend" "auto" against Octave's eig: symmetric,
## general and small matrices.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_eig (folder, budget)
  randn ("twister", 6);
  share_out (budget, {@(s) symmetric_table(folder, s), 3;
                      @(s) general_table(folder, s), 2});
endfunction

function symmetric_table (folder, seconds)
  compare_table (folder, seconds, "eig_symmetric",
                 "gpu_eig and eig, symmetric, double, with vectors",
                 [2 8 32 64 128 256 500 1000 2000 4000], @random_symmetric,
                 {"gpu_eig", @(A) gpu_eig(A, "vector"), 4, true
                  "eig", @(A) eig(A, "vector"), 2, 0.6},
                 @(A, out) ratios (A, out{1}, out{2}),
                 {"gpu_eig [s]", "gpu_eig"; "eig [s]", "eig"
                  "eig/gpu_eig", "eig/gpu_eig"
                  "backend", "gpu_eig.backend"; "method", "gpu_eig.method"},
                 "compare", {"gpu_eig [s] | eig [s]"},
                 "note", {"end to end, Backend auto"});
endfunction

function general_table (folder, seconds)
  compare_table (folder, seconds, "eig_general",
                 "gpu_eig and eig, general, complex double, with vectors",
                 [2 8 32 64 128 256 512 1024],
                 @(n) complex (randn (n), randn (n)),
                 {"gpu_eig", @(A) gpu_eig(A, "vector"), 2, true
                  "eig", @(A) eig(A, "vector"), 2, 0.6},
                 @(A, out) ratio_general (A, out{1}, out{2}),
                 {"gpu_eig [s]", "gpu_eig"; "eig [s]", "eig"
                  "eig/gpu_eig", "eig/gpu_eig"},
                 "compare", {"gpu_eig [s] | eig [s]"}, "bar", 20,
                 "quality", {"residual", "others' worst", "wrong"},
                 "note", {"end to end, Backend auto; right vectors"});
endfunction
