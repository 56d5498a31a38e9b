## gpu_complex_eig with random complex double matrices and right
## eigenvectors: stacks against LAPACK's zgeevx on all cores and a loop over
## eig; single matrices against cuSOLVER's Xgeev, zgeevx with all cores and
## eig; and the poster's comparison, the same algorithm on one core.
## Times named "device" are measured on the GPU, with the data resident there.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_complex (folder, budget)
  randn ("twister", 4);
  share_out (budget, {@(s) pages(folder, s), 3;
                      @(s) poster(folder, s), 2;
                      @(s) single_matrices(folder, s), 3});
endfunction

## The gateway called directly, for V without W, and the info struct.
function [V, lambda, info] = solve (command, A, method, backend, varargin)
  [rest, V, lambda] = __gpueig__ (command, 2, A, "vector", "Method", method,
                                  "Backend", backend, varargin{:});
  [~, failures] = __gpueig__ ("failures");
  warnings = {"gpueig:no-convergence", "gpueig:fallback"};
  for f = failures
    if (! any (strcmp (f.identifier, warnings)))
      error (f.identifier, "bench_complex: %s", f.message);
    endif
  endfor
  [~, info] = __gpueig__ ("testing", "info");
endfunction

function pages (folder, seconds)
  [cuda, backend] = has_gpu ();
  t = table_open (folder, "complex_pages",
                  "gpu_complex_eig, pages, complex double, right vectors, a page",
                  {"n", "pages", "device [s]", "end to end [s]", "cpu [s]", ...
                   "cpu method", "zgeevx cores [s]", "eig loop [s]", ...
                   "eig/device", "zgeevx/device", "eig/cpu", "sweeps", ...
                   "residual", "others' worst", "wrong"},
                  "bar", 20, "compare",
                  {"device [s] | zgeevx cores [s]", ...
                   "end to end [s] | zgeevx cores [s] | eig loop [s]", ...
                   "cpu [s] | zgeevx cores [s] | eig loop [s]"},
                  "note", {["seconds a page; device: shroff on the GPU; ", ...
                            "cpu: auto on the CPU, end to end"]});
  orders = [2 3 4 6 8 12 16 24 32 48 64];
  plan = plan_open (seconds, orders, 4);
  for n = orders
    count = min (20000, ceil (2e7 / (n^3 + 20)));
    if (n == 32 && cuda)
      count = 10000;  # the goal's stack
    endif
    k = min (count, ceil (2e6 / n^3));
    size_of = @(count) n * count ^ (1 / 3);
    [plan, go] = plan_row (plan, size_of (k), n);
    if (! go)
      break;
    endif
    A = complex (randn (n, n, count), randn (n, n, count));
    few = A(:,:,1:k);
    check = @(X) @(out) ratio_general (X, out{1}, out{2});
    device = wall = NaN;
    if (cuda)
      [plan, wall, device, out] = measure (plan, "device", size_of (count), ...
          @() solve ("complex_eig", A, "shroff", "cuda"), 3, true, check (A));
    endif
    [plan, cpu, ~, host] = measure (plan, "cpu", size_of (k), @() solve (
        "complex_eig", few, "auto", "cpu"), 3, true, check (few));
    if (isempty (host))
      break;
    endif
    if (! cuda)
      out = host;
    endif
    [plan, lapack] = measure (plan, "zgeevx", size_of (k), @() solve (
        "complex_eig", few, "geev", "cpu"), 3, false, check (few));
    loop = median_rate (@(p) eig_page (A, p), count,
                        min (1, seconds / numel (orders) / 6));
    [own, peers, wrong] = plan_quality (plan, merge (cuda, "device", "cpu"), 20);
    cpu /= k;
    lapack /= k;
    device /= count;
    table_row (t, n, count, device, wall / count, cpu, host{3}.method, ...
               lapack, loop, loop / device, lapack / device, loop / cpu, ...
               out{3}.sweeps, own, peers, wrong);
  endfor
  table_close (t, plan);
endfunction

function single_matrices (folder, seconds)
  [cuda, backend] = has_gpu ();
  by = @(varargin) @(A) solve (varargin{1}, A, varargin{2:3});
  calls = {"auto", by("complex_eig", "auto", "auto"), 3, true
           "shroff", by("complex_eig", "shroff", backend), 3, false
           "qr", by("complex_eig", "qr", backend), 3, false
           "zgeevx", by("eig", "geev", "cpu"), 3, false
           "eig", @(A) eig(A, "vector"), 2, false};
  compare_table (folder, seconds, "complex_single",
                 "gpu_complex_eig, one matrix, complex double, right vectors",
                 [32 64 96 128 192 256 384 512 768 1024 2048],
                 @(n) complex (randn (n), randn (n)), calls,
                 @(A, out) ratio_general (A, out{1}, out{2}),
                 {"shroff device [s]", "shroff@"; "qr device [s]", "qr@"
                  "auto end to end [s]", "auto"; "auto takes", "auto.method"
                  "on", "auto.backend"; "zgeevx [s]", "zgeevx"; "eig [s]", "eig"
                  "qr/shroff", "qr@/shroff@"; "zgeevx/auto", "zgeevx/auto"
                  "sweeps", "shroff.sweeps"},
                 "bar", 20, "quality", {"residual", "others' worst", "wrong"},
                 "compare", {"shroff device [s] | qr device [s]", ...
                             "auto end to end [s] | zgeevx [s] | eig [s]"},
                 "note", {["shroff and qr by the device's own clock ", ...
                           "(without a GPU shroff by the solver's); auto is ", ...
                           "what a user gets"]});
endfunction

## The poster's comparison: general dense complex matrices, the algorithm on one core
## against the GPU.  From order 256 on one sweep is timed on the core and multiplied
## by the number of sweeps.
function poster (folder, seconds)
  [cuda, backend] = has_gpu ();
  t = table_open (folder, "complex_poster",
                  ["the poster on complex Jacobi (n up to 1024): the same ", ...
                   "algorithm on one core and here"],
                  {"n", "here [s]", "one core [s]", "ratio", "paper's ratio", ...
                   "measured sweeps", "backend", "sweeps", "residual", "wrong"},
                  "bar", 20, "compare", {"here [s] | one core [s]"},
                  "note", {["The poster: a Tesla K20c against one core of a ", ...
                            "Xeon E5-2620, double precision, \"up to 94 times ", ...
                            "faster\" at n = 1024."], ...
                           ["One core is this library's sequential code on this ", ...
                            "host; from n = 256 on one sweep is measured and ", ...
                            "taken as often as needed."]});
  orders = [32 64 128 256 512 1024];
  plan = plan_open (seconds, orders, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = complex (randn (n), randn (n));
    check = @(out) ratio_general (A, out{1}, out{2});
    [plan, wall, device, out] = measure (plan, "here", n, @() solve (
        "complex_eig", A, merge (cuda, "shroff", "auto"), backend), 3, true,
        check);
    if (isempty (out))
      break;
    endif
    here = merge (cuda, device, wall);
    info = out{3};
    core = measured = NaN;
    one = @(count) solve ("complex_eig", A, "shroff", "cpu", "maxsweeps", count);
    if (n < 256)
      [plan, ~, core, out] = measure (plan, "one core", n, @() solve (
          "complex_eig", A, "shroff", "cpu"), 3, false, check);
      if (! isempty (out))
        measured = out{3}.sweeps;
      endif
    else
      ## without refinement: the difference of two and one sweeps
      [plan, first] = measure (plan, "one sweep", n, @() one (1), 3, false);
      [plan, second] = measure (plan, "two sweeps", n, @() one (2), 3, false);
      measured = 1;
      core = (second - first) * max (info.sweeps, 2 * log2 (n));
    endif
    [own, ~, wrong] = plan_quality (plan, "here", 20);
    table_row (t, n, here, core, core / here, ...
               paper_figure ("shroff-poster", n, "ratio"), measured, ...
               info.backend, info.sweeps, own, wrong);
  endfor
  table_close (t, plan);
endfunction
