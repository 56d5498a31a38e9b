## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_scaling (@var{folder}, @var{budget})
## Time and scratch memory of every function against the order, "Backend" "auto",
## double precision with vectors.  The plots give the fitted exponents.
## @end deftypefn

function bench_scaling (folder, budget)

  jobs = {"gpu_eig", @symmetric, [64 128 256 512 1024 2048 4096 8192];
          "gpu_jacobi_eig", @symmetric, [64 128 256 512 1024 2048 4096 8192];
          "gpu_onesided_eig", @symmetric, [64 128 256 512 1024 2048 4096];
          "gpu_complex_eig", @general, [16 32 64 128 256 512 1024];
          "gpu_mrrr", @tridiagonal, [512 1024 2048 4096 8192 12800];
          "gpu_tdinv", @dominant, [512 1024 2048 4096 8192 16384]};
  jobs = jobs(cellfun (@(f) exist (f) == 2, jobs(:,1)),:);
  for j = 1:rows (jobs)
    name = jobs{j,1};
    t = table_open (folder, ["scaling_", name],
                    [name, ": time and scratch memory against the order"],
                    {"n", [name, " [s]"], "memory [MiB]", "backend"});
    start = tic ();
    last = 0;
    for n = jobs{j,3}
      ## An order twice as large costs at most some eight times more.
      if (toc (start) + 8 * last > budget / rows (jobs))
        break;
      endif
      f = jobs{j,2} (str2func (name), n);
      [last, ~, out] = median_time (f, 4 - strcmp (name, "gpu_tdinv"),
                                    budget / rows (jobs) / 8);
      table_row (t, n, last, out{end}.memory / 2^20, out{end}.backend);
    endfor
    table_close (t);
  endfor

endfunction

function f = symmetric (solver, n)
  A = randn (n);
  A = (A + A') / 2;
  f = @() solver (A, "vector");
endfunction

function f = general (solver, n)
  A = complex (randn (n), randn (n));
  f = @() solver (A, "vector");
endfunction

function f = tridiagonal (solver, n)
  d = randn (n, 1);
  e = randn (n - 1, 1);
  f = @() solver (d, e, "vector");
endfunction

function f = dominant (solver, n)
  a = 4 + rand (n, 1);
  b = rand (n - 1, 1);
  f = @() solver (b, a, b);
endfunction
