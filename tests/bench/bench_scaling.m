## Time and scratch memory of every function as functions of the order, with "Backend"
## "auto", double precision and vectors: a table for each function, and one of the
## fitted exponents.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_scaling (folder, budget)
  randn ("twister", 5);
  rand ("twister", 5);
  jobs = {"gpu_eig", @symmetric, 2.^(6:13), 3;
          "gpu_jacobi_eig", @symmetric, 2.^(6:13), 3;
          "gpu_onesided_eig", @symmetric, 2.^(6:12), 3;
          "gpu_complex_eig", @general, 2.^(4:10), 3;
          "gpu_mrrr", @tridiagonal, [512 1024 2048 4096 8192 12800], 2;
          "gpu_tdinv", @dominant, 2.^(9:14), 2};
  tables = cell (rows (jobs), 2);
  for j = 1:rows (jobs)
    tables(j,:) = {@(s) one_function(folder, s, jobs{j,:}), 1};
  endfor
  share_out (budget, tables);
  exponents (folder, jobs(:,1).');
endfunction

function one_function (folder, seconds, name, make, orders, power)
  t = table_open (folder, ["scaling_", name],
                  [name, ": time and scratch memory against the order"],
                  {"n", [name, " [s]"], "memory [MiB]", "result [MiB]", ...
                   "backend", "method"},
                  "note", {["end to end, Backend auto; memory: scratch beside ", ...
                            "the outputs as in info.memory, result: the ", ...
                            "outputs themselves"]});
  plan = plan_open (seconds, orders, 1, power);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    f = make (str2func (name), n);
    [plan, total, ~, out] = measure (plan, name, n, f,
                                     4 - strcmp (name, "gpu_tdinv"), true);
    if (isempty (out))
      break;
    endif
    table_row (t, n, total, out{end}.memory / 2^20, ...
               (sizeof (out{1}) + sizeof (out{2})) / 2^20, out{end}.backend, ...
               out{end}.method);
  endfor
  table_close (t, plan);
endfunction

## From the tables just written.
function exponents (folder, names)
  t = table_open (folder, "scaling",
                  "exponents: time and memory grow as n to this power",
                  {"function", "from n", "to n", "time", "memory", "result"},
                  "note", {["least squares on a log scale over the upper half of ", ...
                            "the orders measured; time end to end, Backend auto"]});
  for name = names
    s = read_table (fullfile (folder, ["scaling_", name{1}, ".csv"]));
    x = s.values(:,1);
    table_row (t, name{1}, min (x(x >= median (x))), max (x), ...
               exponent (x, s.values(:,2)), exponent (x, s.values(:,3)), ...
               exponent (x, s.values(:,4)));
  endfor
  table_close (t);
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
