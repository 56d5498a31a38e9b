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
  extra = {};
  notes = {["solve by the device's own clock (on the CPU the solver's); ", ...
            "stemr and stevd are LAPACK's on this host"]};
  paper = ["wang2011-" kind_name];
  published = strcmp (class, "single") && ! strcmp (kind, "random");
  if (published)
    extra = {"paper's sstemr [s]", "paper's GPU [s]", "paper's ratio"};
    notes{end+1} = ["The paper (Wang and Zhao 2011): Tesla C1060 against one ", ...
                    "core of a Xeon 5410, single precision, results within ", ...
                    "1e-4 of sstemr's. Its GPU of 2008 and today's differ more ", ...
                    "than the algorithms; compare ratios on one machine."];
  endif
  t = table_open (folder, ["mrrr_" kind_name "_" class],
                  ["gpu_mrrr and LAPACK, " kind_name ", " class ", all vectors"],
                  [{"n", "solve [s]", "whole call [s]", "stemr [s]", ...
                    "stevd [s]", "stemr/solve", "stevd/solve"}, extra, ...
                   {"clusters", "fallbacks", "residual", "orthogonality", ...
                    "others' worst", "wrong"}],
                  "compare", {"solve [s] | stemr [s] | stevd [s]"},
                  "note", notes);
  plan = plan_open (seconds, sizes, 3, 2.3);
  for n = sizes
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    [d, e] = make (kind, n, class);
    x = double (d);
    y = double (e);
    T = spdiags ([[y; 0], x, [0; y]], -1:1, n, n);
    check = @(out) ratios (T, out{1}, out{2});
    [plan, whole, solve, out] = measure (plan, "mrrr", n, @() gpu_mrrr (
        d, e, "vector", "Backend", backend), 4, true, check);
    if (isempty (out))
      break;
    endif
    info = out{4};
    out = {};
    peer = @(m) @() gpu_mrrr (d, e, "vector", "Method", m, "Backend", "cpu");
    [plan, ~, stevd] = measure (plan, "stevd", n, peer ("stevd"), 4, false,
                                check);
    [plan, ~, stemr] = measure (plan, "stemr", n, peer ("stemr"), 4, false,
                                check);
    cells = {};
    if (published)
      cells = num2cell (cellfun (@(q) paper_figure (paper, n, q),
                                 {"sstemr", "cuda", "ratio"}));
    endif
    [own, peers, wrong] = plan_quality (plan, "mrrr");
    own(end+1:2) = NaN;
    table_row (t, n, solve, whole, stemr, stevd, stemr / solve, ...
               stevd / solve, cells{:}, info.clusters, info.fallbacks, own, ...
               peers, wrong);
  endfor
  table_close (t, plan);
endfunction

function dense (folder, seconds)
  [~, backend] = has_gpu ();
  t = table_open (folder, "mrrr_dense",
                  "gpu_mrrr, dense symmetric, double, with vectors",
                  {"n", "solve [s]", "syevd [s]", "syevd/solve", ...
                   "whole call [s]", "syevd whole call [s]", "eig [s]", ...
                   "residual", "orthogonality", "others' worst", "wrong"},
                  "compare", {"solve [s] | syevd [s]", ...
                              "whole call [s] | syevd whole call [s] | eig [s]"},
                  "note", {["solve and syevd by the device's own clock (on", ...
                            " the CPU the solver's, and syevd is LAPACK's)"]});
  orders = [256 512 1024 2048 4096 8192];
  plan = plan_open (seconds, orders, 3);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = randn (n);
    A += A';
    check = @(out) ratios (A, out{1}, out{2});
    [plan, ours, solve] = measure (plan, "mrrr", n, @() gpu_mrrr (
        A, "vector", "Backend", backend), 4, true, check);
    [plan, whole, syevd] = measure (plan, "syevd", n, @() gpu_eig (
        A, "vector", "Method", "syevd", "Backend", backend), 4, false, check);
    [plan, theirs] = measure (plan, "eig", n, @() eig (A, "vector"), 2, false,
                              check);
    [own, peers, wrong] = plan_quality (plan, "mrrr");
    own(end+1:2) = NaN;
    table_row (t, n, solve, syevd, syevd / solve, ours, whole, theirs, own, ...
               peers, wrong);
  endfor
  table_close (t, plan);
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
