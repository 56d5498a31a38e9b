## Stacks of symmetric and Hermitian matrices, time per page measured on the GPU:
## gpu_eig and one-sided Jacobi compared with cuSOLVER's batched solvers in the
## same process (the program build/bench/device_stacks).  Without a GPU or the
## program no table is written.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_stacks (folder, budget)
  inst = fileparts (which ("gpu_eig"));
  if (! has_gpu ()
      || ! exist (fullfile (inst, "..", "bench", "device_stacks"), "file"))
    printf ("stacks: needs a GPU and the program device_stacks\n");
    return;
  endif
  kinds = {"d", "double"; "s", "single"; "c", "complex single"
           "z", "complex double"};
  tables = cell (0, 2);
  for k = 1:4
    tables(end+1,:) = {@(s) one_table(folder, s, kinds{k,:}, ""), 2};
  endfor
  tables(end+1,:) = {@(s) one_table(folder, s, "d", "double", "-v"), 1};
  share_out (budget, tables);
endfunction

function one_table (folder, seconds, letter, type, flag)
  values = strcmp (flag, "-v");
  name = strrep (["stacks_", type, merge(values, "_values", "")], " ", "_");
  ## The program has no time limit: smaller stacks for a small budget.
  r = device_program ("device_stacks", seconds,
                      sprintf ("%s -m %d %s", flag, merge (seconds < 8, 20, 100),
                               letter));
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  columns = {"n", "pages", "gpu_eig [s]", "onesided [s]", "syevj-batched [s]", ...
             "syev-batched [s]", "best peer/gpu_eig", "best peer/onesided"};
  t = table_open (folder, name,
                  ["gpu_eig, stacks, ", type, ", ", ...
                   merge(values, "eigenvalues alone", "with vectors"), ...
                   ", a page on the GPU"],
                  [columns(1:2), {"method"}, columns(3:end)],
                  "compare",
                  {"gpu_eig [s] | syevj-batched [s] | syev-batched [s]", ...
                   "onesided [s] | syevj-batched [s] | syev-batched [s]"},
                  "note", r.notes);
  k = cellfun (@(c) find (strcmp (r.names, c)), columns);
  method = r.cells(:,strcmp (r.names, "method"));
  for i = 1:rows (r.values)
    x = r.values(i,k);
    table_row (t, x(1:2), method{i}, x(3:end));
  endfor
  table_close (t, [], r.left_out);
endfunction
