## gpu_eig with "Backend" "auto" against Octave's eig: symmetric,
## general and small matrices.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_eig (folder, budget)
  randn ("twister", 6);
  share_out (budget, {@(s) symmetric_table(folder, s), 3;
                      @(s) general_table(folder, s), 2});
endfunction

function symmetric_table (folder, seconds)
  t = table_open (folder, "eig_symmetric",
                  "gpu_eig and eig, symmetric, double, with vectors",
                  {"n", "gpu_eig [s]", "eig [s]", "eig/gpu_eig", "backend", ...
                   "method", "residual", "orthogonality", "others' worst", ...
                   "wrong"},
                  "compare", {"gpu_eig [s] | eig [s]"},
                  "note", {"end to end, Backend auto"});
  orders = [2 8 32 64 128 256 500 1000 2000 4000];
  plan = plan_open (seconds, orders, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = randn (n);
    A += A';
    check = @(out) ratios (A, out{1}, out{2});
    [plan, ours, ~, out] = measure (plan, "gpu_eig", n,
                                    @() gpu_eig (A, "vector"), 4, true, check);
    if (isempty (out))
      break;
    endif
    [plan, theirs] = measure (plan, "eig", n, @() eig (A, "vector"), 2, 0.6,
                              check);
    [own, peers, wrong] = plan_quality (plan, "gpu_eig");
    own(end+1:2) = NaN;
    table_row (t, n, ours, theirs, theirs / ours, out{4}.backend, ...
               out{4}.method, own, peers, wrong);
  endfor
  table_close (t, plan);
endfunction

function general_table (folder, seconds)
  t = table_open (folder, "eig_general",
                  "gpu_eig and eig, general, complex double, with vectors",
                  {"n", "gpu_eig [s]", "eig [s]", "eig/gpu_eig", "residual", ...
                   "others' worst", "wrong"},
                  "compare", {"gpu_eig [s] | eig [s]"}, "bar", 20,
                  "note", {"end to end, Backend auto; right vectors"});
  orders = [2 8 32 64 128 256 512 1024];
  plan = plan_open (seconds, orders, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = complex (randn (n), randn (n));
    check = @(out) ratio_general (A, out{1}, out{2});
    [plan, ours] = measure (plan, "gpu_eig", n, @() gpu_eig (A, "vector"), 2,
                            true, check);
    [plan, theirs] = measure (plan, "eig", n, @() eig (A, "vector"), 2, 0.6,
                              check);
    [own, peers, wrong] = plan_quality (plan, "gpu_eig", 20);
    table_row (t, n, ours, theirs, theirs / ours, own, peers, wrong);
  endfor
  table_close (t, plan);
endfunction
