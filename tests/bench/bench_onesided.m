## gpu_onesided_eig on pages and on single matrices, against cuSOLVER's
## solvers (where there is a GPU), a loop over eig and LAPACK; the orders
## of C.-C. Sun and Y.-S. Hu (2016) with their cyclic Jacobi as a table of its
## own.  "solve" is info.time.solve: CUDA events with resident data on a GPU,
## the solver's wall time on the CPU; "whole call" includes the copies from and to
## Octave.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_onesided (folder, budget)
  randn ("twister", 1);
  orders = [4 8 10 16 20 32 40 64 80 100 128 160 200 256];
  few = [4 8 10 16 20 32 64 100 128 256];
  share_out (budget, {@(s) paper(folder, s), 3;
                      @(s) small_pages(folder, s, orders, "double", false), 5;
                      @(s) one_matrix(folder, s), 3;
                      @(s) small_pages(folder, s, few, "double", true), 1.5;
                      @(s) small_pages(folder, s, few, "single", false), 1.5});
endfunction

function A = pages_of (n, pages, class, is_complex)
  A = randn (n, n, pages, class);
  if (is_complex)
    A = complex (A, randn (n, n, pages, class));
  endif
  A = A + conj (permute (A, [2, 1, 3]));
endfunction

## The larger ratio of the first and the last page.
function r = page_ratios (A, V, lambda)
  r = max (ratios (A(:,:,1), V(:,:,1), lambda(:,:,1)),
           ratios (A(:,:,end), V(:,:,end), lambda(:,:,end)));
endfunction

function small_pages (folder, seconds, orders, class, is_complex)
  [cuda, backend] = has_gpu ();
  kind = class;
  if (is_complex)
    kind = ["complex " class];
  endif
  t = table_open (folder, strrep (["onesided_pages_" kind], " ", "_"),
                  ["gpu_onesided_eig, pages, " kind ", with vectors, a page"],
                  {"n", "pages", "solve [s]", "whole call [s]", ...
                   "loop over eig [s]", "LAPACK syevd [s]", ...
                   "eig/whole", "sweeps", "residual", ...
                   "orthogonality", "others' worst", "wrong"},
                  "compare",
                  {"whole call [s] | loop over eig [s] | LAPACK syevd [s]"},
                  "note", {"seconds a page; solve by the device's own clock"});
  plan = plan_open (seconds, orders, 5);
  for n = orders
    if (cuda)
      bytes = sizeof (cast (0, class)) * (1 + is_complex) * n^2;
      pages = min (100000, ceil (1e8 / bytes));
    else
      pages = min (20000, ceil (2e6 / n^2.5));
    endif
    ## Stacks of different numbers of pages: as expensive as one matrix of this order.
    size_of = @(count) n * count ^ (1 / 3);
    [plan, go] = plan_row (plan, size_of (pages), n);
    if (! go)
      break;
    endif
    A = pages_of (n, pages, class, is_complex);
    some = A(:,:,1:min (end, 2000));
    solver = @(m, b, X) @() gpu_eig (X, "vector", "Method", m, "Backend", b);
    [plan, whole, solve, out] = measure (
        plan, "onesided", size_of (pages), @() gpu_onesided_eig (
            A, "vector", "Backend", backend), 4, true,
        @(out) page_ratios (A, out{1}, out{2}));
    sweeps = NaN;
    if (! isempty (out))
      sweeps = out{4}.sweeps;
    endif
    out = {};
    [plan, lapack] = measure (plan, "LAPACK", size_of (size (some, 3)),
                              solver ("syevd", "cpu", some), 2, false,
                              @(out) page_ratios (some, out{1}, out{2}));
    loop = median_rate (@(p) eig_page (A, p), pages,
                        min (1, seconds / numel (orders) / 8));
    [own, worst, wrong] = plan_quality (plan, "onesided");
    own(end+1:2) = NaN;
    table_row (t, n, pages, solve / pages, whole / pages, ...
               loop, lapack / size (some, 3), loop / (whole / pages), sweeps, own, worst, wrong);
  endfor
  table_close (t, plan);
endfunction

## The paper's experiment: one random matrix of each order, by the paper's method and by
## its baseline, the cyclic Jacobi method of its figure 1 in interpreted code.
function paper (folder, seconds)
  [~, backend] = has_gpu ();
  t = table_open (folder, "onesided_paper",
                  "one-sided Jacobi, the orders of Sun and Hu (2016), one matrix",
                  {"n", "hestenes [s]", "auto [s]", "cyclic Jacobi [s]", ...
                   "cyclic/hestenes", "paper's cyclic/one-sided", ...
                   "1000 pages [s] a page", "cyclic/page", "residual", ...
                   "orthogonality", "wrong"},
                  "compare", {"hestenes [s] | cyclic Jacobi [s]"},
                  "note", {["The paper ran on a GTX 770, in MATLAB on a Core ", ...
                            "i3, and states powers of ten only: against the ", ...
                            "cyclic Jacobi on the CPU 10^2 at n = 160."], ...
                           ["hestenes is the paper's method, cyclic its ", ...
                            "baseline, interpreted as there; the interpreter's ", ...
                            "share of that ratio is large. A single small ", ...
                            "matrix cannot fill a GPU: pages can."]});
  orders = [10 20 40 80 160];
  plan = plan_open (seconds, orders, 4, 2.2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = pages_of (n, 1, "double", false);
    B = pages_of (n, 1000, "double", false);
    check = @(out) ratios (A, out{1}, out{2});
    [plan, ~, solve] = measure (plan, "hestenes", n, @() gpu_onesided_eig (
        A, "vector", "Method", "hestenes", "Backend", backend), 4, true, check);
    [plan, ~, auto] = measure (plan, "auto", n, @() gpu_onesided_eig (
        A, "vector", "Backend", backend), 4, true, check);
    [plan, ~, page] = measure (plan, "pages", n, @() gpu_onesided_eig (
        B, "vector", "Backend", backend), 4, false);
    [plan, cyclic] = measure (plan, "cyclic", n, @() cyclic_jacobi (A), 2,
                              0.7, check);
    [own, ~, wrong] = plan_quality (plan, "hestenes");
    own(end+1:2) = NaN;
    table_row (t, n, solve, auto, cyclic, cyclic / solve, ...
               paper_figure ("sun2016", n, "cyclic CPU / GPU"), page / 1000, ...
               cyclic / (page / 1000), own, wrong);
  endfor
  table_close (t, plan);
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

function one_matrix (folder, seconds)
  [cuda, backend] = has_gpu ();
  peer = @(b) @(A) gpu_eig (A, "vector", "Method", "syevd", "Backend", b);
  calls = {"onesided", @(A) gpu_onesided_eig(A, "vector", "Backend", backend), 4, true
           "syevd", peer("cuda"), 4, false
           "dsyevd", peer("cpu"), 2, false
           "eig", @(A) eig(A, "vector"), 2, false};
  calls(2*! cuda,:) = [];
  compare_table (folder, seconds, "onesided_single",
                 "gpu_onesided_eig, one matrix, double, with vectors",
                 2 .^ (8:12), @random_symmetric, calls,
                 @(A, out) ratios (A, out{1}, out{2}),
                 {"solve [s]", "onesided@"; "whole call [s]", "onesided"
                  "syevd [s]", "syevd@"; "LAPACK syevd [s]", "dsyevd"
                  "eig [s]", "eig"; "syevd/solve", "syevd@/onesided@"
                  "steps", "onesided.sweeps"},
                 "compare", {"solve [s] | syevd [s]", ...
                             "whole call [s] | LAPACK syevd [s] | eig [s]"},
                 "note", {["solve and syevd by the device's own ", ...
                           "clock (solve on the CPU: the solver's)"]});
endfunction
