## The experiment of L. Wang and Y. Zhao (2011) for gpu_mrrr: all
## eigenpairs of (1,4,1), Wilkinson and random matrices in single and double
## precision, against LAPACK's stemr and stevd in the same process; then dense
## matrices against gpu_eig, and parts of a spectrum.
##
## "solve" is info.time.solve: CUDA events on a GPU, the solver's wall time on
## the CPU, for all solvers; "whole call" includes copying the result to Octave.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_mrrr (folder, budget)
  sizes = struct ("m141", [1024 2048 4096 8192 10240 12800],
                  "wilkinson", [512 1024 2048 4096 7168 12800],
                  "random", [1024 2048 4096 8192 12800]);
  tables = {@(s) parts(folder, s), 0.7;
            @(s) dense(folder, s), 2};
  for class = {"double", "single"}
    for kind = fieldnames (sizes)'
      tables(end+1,:) = {@(s) one_matrix(folder, kind{1}, sizes.(kind{1}), ...
                                         class{1}, s), ...
                         2 - strcmp(class{1}, "single")};
    endfor
  endfor
  share_out (budget, tables);
endfunction

function [d, e] = make (kind, n, class)
  switch (kind)
    case "m141"
      d = 4 * ones (n, 1);
      e = ones (n - 1, 1);
    case "wilkinson"
      d = abs ((0:n-1)' - (n - 1) / 2);
      e = ones (n - 1, 1);
    otherwise
      rand ("twister", 1);
      d = 2 * rand (n, 1) - 1;
      e = 2 * rand (n - 1, 1) - 1;
  endswitch
  d = cast (d, class);
  e = cast (e, class);
endfunction

function one_matrix (folder, kind, sizes, class, seconds)
  [~, backend] = has_gpu ();
  kind_name = strrep (kind, "m141", "141");
  extra = cell (0, 2);
  notes = {["solve by the device's own clock (on the CPU the solver's); ", ...
            "stemr and stevd are LAPACK's on this host"]};
  if (strcmp (class, "single") && ! strcmp (kind, "random"))
    figure_of = @(q) @(n) paper_figure (["wang2011-" kind_name], n, q);
    extra = {"paper's sstemr [s]", figure_of("sstemr")
             "paper's GPU [s]", figure_of("cuda")
             "paper's ratio", figure_of("ratio")};
    notes{end+1} = ["The paper (Wang and Zhao 2011): Tesla C1060 against one ", ...
                    "core of a Xeon 5410, single precision, results within ", ...
                    "1e-4 of sstemr's. Its GPU of 2008 and today's differ more ", ...
                    "than the algorithms; compare ratios on one machine."];
  endif
  peer = @(m) @(T) gpu_mrrr (T{1:2}, "vector", "Method", m, "Backend", "cpu");
  compare_table (folder, seconds, ["mrrr_" kind_name "_" class],
                 ["gpu_mrrr and LAPACK, " kind_name ", " class ", all vectors"],
                 sizes, @(n) with_sparse (kind, n, class),
                 {"mrrr", @(T) gpu_mrrr(T{1:2}, "vector", "Backend", backend), 4, true
                  "stevd", peer("stevd"), 4, false
                  "stemr", peer("stemr"), 4, false},
                 @(T, out) ratios (T{3}, out{1}, out{2}),
                 [{"solve [s]", "mrrr@"; "whole call [s]", "mrrr"
                   "stemr [s]", "stemr@"; "stevd [s]", "stevd@"
                   "stemr/solve", "stemr@/mrrr@"; "stevd/solve", "stevd@/mrrr@"}
                  extra
                  {"clusters", "mrrr.clusters"; "fallbacks", "mrrr.fallbacks"}],
                 "power", 2.3, "note", notes,
                 "compare", {"solve [s] | stemr [s] | stevd [s]"});
endfunction

## {d, e, T}.
function problem = with_sparse (kind, n, class)
  [d, e] = make (kind, n, class);
  [x, y] = deal (double (d), double (e));
  problem = {d, e, spdiags([[y; 0], x, [0; y]], -1:1, n, n)};
endfunction

function dense (folder, seconds)
  [~, backend] = has_gpu ();
  compare_table (folder, seconds, "mrrr_dense",
                 "gpu_mrrr, dense symmetric, double, with vectors",
                 2 .^ (8:13), @random_symmetric,
                 {"mrrr", @(A) gpu_mrrr(A, "vector", "Backend", backend), 4, true
                  "syevd", @(A) gpu_eig(A, "vector", "Method", "syevd", ...
                                        "Backend", backend), 4, false
                  "eig", @(A) eig(A, "vector"), 2, false},
                 @(A, out) ratios (A, out{1}, out{2}),
                 {"solve [s]", "mrrr@"; "syevd [s]", "syevd@"
                  "syevd/solve", "syevd@/mrrr@"; "whole call [s]", "mrrr"
                  "syevd whole call [s]", "syevd"; "eig [s]", "eig"},
                 "compare", {"solve [s] | syevd [s]", ...
                             "whole call [s] | syevd whole call [s] | eig [s]"},
                 "note", {["solve and syevd by the device's own clock (on", ...
                           " the CPU the solver's, and syevd is LAPACK's)"]});
endfunction

function parts (folder, seconds)
  [~, backend] = has_gpu ();
  t = table_open (folder, "mrrr_parts",
                  "gpu_mrrr, (1,4,1), double: the cost of a part of the spectrum",
                  {"n", "1 pair [s]", "1 % [s]", "10 % [s]", "all [s]", ...
                   "all values [s]", "residual", "orthogonality", "wrong"},
                  "note", {["the device's own clock (on the CPU the ", ...
                            "solver's); ratios of the 10 %"]});
  orders = [1000 4000 10000];
  plan = plan_open (seconds, orders, 5, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    [d, e] = make ("m141", n, "double");
    T = spdiags ([[e; 0], d, [0; e]], -1:1, n, n);
    times = [];
    for k = [1, n/100, n/10, n]
      first = merge (k == n, 1, n / 2);
      f = @() gpu_mrrr (d, e, "vector", "Index", [first, first + k - 1],
                        "Backend", backend);
      name = sprintf ("%g of n", 100 * k / n * (k > 1));
      [plan, ~, times(end+1)] = measure (plan, name, n, f, 4, true,
                                         @(out) ratios (T, out{1}, out{2}));
    endfor
    [plan, values] = measure (plan, "values", n, @() gpu_mrrr (
        d, e, "Backend", backend), 1, true);
    [own, ~, wrong] = plan_quality (plan, "10 of n");
    own(end+1:2) = NaN;
    table_row (t, n, times, values, own, wrong);
  endfor
  table_close (t, plan);
endfunction
