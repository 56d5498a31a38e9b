## gpu_jacobi_eig and its alternatives in one process: LAPACK's dsyevd, Octave's
## eig, and on a GPU cuSOLVER's syevd; starts from a guess; and the two
## experiments of the 2012 paper (classical Jacobi, 10000 rotations).
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_jacobi (folder, budget)
  randn ("twister", 2);
  share_out (budget, {@(s) guess_table(folder, s), 2;
                      @(s) rotations_table(folder, s), 2;
                      @(s) orders_table(folder, s), 3;
                      @(s) methods_table(folder, s), 5});
endfunction

function methods_table (folder, seconds)
  [cuda, backend] = has_gpu ();
  jacobi = @(m) @(A) gpu_jacobi_eig (A, "vector", "Method", m, "Backend", backend);
  peer = @(m, b) @(A) gpu_eig (A, "vector", "Method", m, "Backend", b);
  calls = {"auto", jacobi("auto"), 4, true
           "preconditioned", jacobi("preconditioned"), 4, false
           "syevd", peer("syevd", "cuda"), 4, false
           "dsyevd", peer("syevd", "cpu"), 2, false
           "eig", @(A) eig(A, "vector"), 2, false};
  calls(3*! cuda,:) = [];
  compare_table (folder, seconds, "jacobi_methods",
                 "gpu_jacobi_eig, one symmetric matrix, double, with vectors",
                 2 .^ (6:13), @random_symmetric, calls,
                 @(A, out) ratios (A, out{1}, out{2}),
                 {"auto [s]", "auto@"; "precond. [s]", "preconditioned@"
                  "syevd [s]", "syevd@"
                  "auto end to end [s]", "auto"; "dsyevd end to end [s]", "dsyevd"
                  "eig end to end [s]", "eig"; "method", "auto.method"},
                 "compare", {"auto [s] | syevd [s]", ...
                             ["auto end to end [s] | dsyevd end to end [s] ", ...
                              "| eig end to end [s]"]},
                 "note", {["the first columns: the device's own clock (on", ...
                           " the CPU the solver's)"]});
endfunction

## A problem is a matrix, and the vectors of one near it.
function guess_table (folder, seconds)
  [~, backend] = has_gpu ();
  compare_table (folder, seconds, "jacobi_guess",
                 ["gpu_jacobi_eig with \"Guess\": the eigenvectors of a ", ...
                  "matrix 1e-3 (2-norm relative) away"],
                 2 .^ (7:13), @(n) with_guess (n, backend),
                 {"guess", @(p) gpu_jacobi_eig(p{1}, "vector", "Backend", ...
                                               backend, "Guess", p{2}), 4, true
                  "scratch", @(p) gpu_jacobi_eig(p{1}, "vector", "Backend", ...
                                                 backend), 4, false
                  "syevd", @(p) gpu_eig(p{1}, "vector", "Method", "syevd", ...
                                        "Backend", backend), 4, false},
                 @(p, out) ratios (p{1}, out{1}, out{2}),
                 {"guess [s]", "guess@"; "scratch [s]", "scratch@"
                  "syevd [s]", "syevd@"; "scratch/guess", "scratch@/guess@"
                  "syevd/guess", "syevd@/guess@"},
                 "compare", {"guess [s] | syevd [s]"},
                 "note", {["the device's own clock (on the CPU the ", ...
                           "solver's, and syevd is LAPACK's)"]});
endfunction

function problem = with_guess (n, backend)
  A = random_symmetric (n);
  [V, ~] = gpu_eig (A, "Backend", backend);
  problem = {A + 1e-3 * random_symmetric(n), V};
endfunction

## Seconds for ROTATIONS classical rotations; on the CPU extrapolated from the
## difference between a few rotations and one, without the cost of packing the matrix.
function seconds = classical (A, backend, rotations, limit = 10)
  run = @(k) time_classical (A, backend, k);
  if (strcmp (backend, "cuda"))
    run (100);
    seconds = median ([run(rotations), run(rotations), run(rotations)]);
    return;
  endif
  start = tic ();
  one = median ([run(1), run(1), run(1)]);
  some = 10;
  seconds = run (some + 1) - one;
  while (seconds < min (0.5, limit / 4) && some < rotations)
    some = min (rotations, 4 * some);
    seconds = run (some + 1) - one;
  endwhile
  if (toc (start) + 2 * seconds < limit)
    seconds = median ([seconds, run(some + 1) - one, run(some + 1) - one]);
  endif
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

function texts = wang_notes ()
  texts = {["The paper (T. Wang and others 2012) ran on a GTX 460 against one ", ...
            "core of a Core i5-760 and does not state the precision; here it ", ...
            "is double with vectors, one GPU against one core of its host."], ...
           ["10000 rotations leave a matrix of such orders far from diagonal ", ...
            "(one sweep has n^2/2 of them), so this times rotations, not an ", ...
            "eigenvalue problem: for that take Method auto."], ...
           "Sequential C was measured with fewer rotations and scaled."};
endfunction

function orders_table (folder, seconds)
  cuda = has_gpu ();
  t = table_open (folder, "jacobi_classical_orders",
                  ["classical Jacobi, 10000 rotations with vectors (Wang ", ...
                   "2012, figures 7 and 8)"],
                  {"n", "CUDA [s]", "sequential C [s]", "ratio", ...
                   "paper's ratio", "us per rotation"},
                  "compare", {"CUDA [s] | sequential C [s]"},
                  "note", wang_notes ());
  orders = [1024 2048 4096 6144 8192 10240];
  plan = plan_open (seconds, orders, 2, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = random_symmetric (n);
    ours = NaN;
    if (cuda)
      ours = classical (A, "cuda", 10000);
    endif
    left = seconds - toc (plan.start);
    c = classical (A, "cpu", 10000, left / (numel (orders) + 1 - plan.row));
    table_row (t, n, ours, c, c / ours, paper_figure ("wang2012", n, "ratio"), ...
               100 * min ([ours, c]));
  endfor
  table_close (t, plan);
endfunction

function rotations_table (folder, seconds)
  cuda = has_gpu ();
  n = 1024;
  if (cuda)
    n = 8192;
  endif
  t = table_open (folder, "jacobi_classical_rotations",
                  sprintf (["classical Jacobi, n = %d, with vectors (Wang ", ...
                            "2012, figures 9 and 10)"], n),
                  {"rotations", "CUDA [s]", "sequential C [s]", "ratio"},
                  "compare", {"CUDA [s] | sequential C [s]"},
                  "note", [wang_notes(), ...
                           {["The paper's claim is that the ratio does not ", ...
                             "depend on the number of rotations: standard ", ...
                             "deviation 0.1161 at n = 8192."]}]);
  A = random_symmetric (n);
  list = [1000 2000 4000 8000 16000];
  plan = plan_open (seconds, list, 2, 1);
  scaled = classical (A, "cpu", 1000, seconds / 4) / 1000;
  for rotations = list
    [plan, go] = plan_row (plan, rotations);
    if (! go)
      break;
    endif
    ours = NaN;
    c = scaled * rotations;
    if (cuda)
      ours = classical (A, "cuda", rotations);
    elseif (c < (seconds - toc (plan.start)) / 3)
      c = time_classical (A, "cpu", rotations);
    endif
    table_row (t, rotations, ours, c, c / ours);
  endfor
  table_close (t, plan);
endfunction
