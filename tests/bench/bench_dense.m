## One dense symmetric or Hermitian matrix, timed on the GPU: reduction to tridiagonal
## form with MRRR, its stages and their rates, compared with cuSOLVER's Xsyevd in the
## same process (the program build/bench/device_dense).  Without a GPU no table
## is written.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_dense (folder, budget)
  if (! has_gpu ())
    printf ("dense: needs a GPU\n");
    return;
  endif
  large = [512 1024 2048 4096 8192 16384 -24576 32768];
  orders = [512 1024 2048 4096 8192];
  share_out (budget, {@(s) one_table(folder, s, "s", "single", "", orders), 2;
                      @(s) one_table(folder, s, "c", "complex single", "", orders), 3;
                      @(s) one_table(folder, s, "z", "complex double", "", orders), 4;
                      @(s) one_table(folder, s, "d", "double", "-v", orders), 3;
                      @(s) one_table(folder, s, "d", "double", "", large), 12});
endfunction

function one_table (folder, seconds, letter, type, flag, orders)
  values = strcmp (flag, "-v");
  what = merge (values, "eigenvalues alone", "all eigenpairs");
  name = strrep (["eig_dense_", type, merge(values, "_values", "")], " ", "_");
  r = device_program ("device_dense", seconds,
                      sprintf ("%%s %s -t %g %s %s", flag, max (seconds, 1), letter,
                               sprintf ("%d ", orders)));
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  stages = {"reduction 1", "reduction 2", "tridiagonal", "back 2", "back 1", ...
            "verification"};
  rated = [true true false true true false];
  columns = {"n", "mrrr [s]", "Xsyevd [s]", "Xsyevd/mrrr", "band"};
  for k = 1:numel (stages)
    columns{end+1} = [stages{k}, " [s]"];
    if (rated(k))
      columns{end+1} = [stages{k}, " TF/s"];
    endif
  endfor
  t = table_open (folder, name,
                  ["gpu_eig \"mrrr\", one dense matrix, ", type, ", ", what, ...
                   ", with stages"],
                  columns, "compare", {"mrrr [s] | Xsyevd [s]"},
                  "note", [{["GPU's clock, medians (device_dense); stages from a ", ...
                             "run of their own that waits after each: reduction 1 ", ...
                             "to a band or, where the band is 0, to tridiagonal ", ...
                             "form, 2 from band to tridiagonal; back 2 and 1 the ", ...
                             "way back"]}, r.notes]);
  x = [device_column(r, "n"), device_column(r, "own ms", 1e-3), ...
       device_column(r, "Xsyevd ms", 1e-3), device_column(r, "ratio"), ...
       r.values(:,strcmp (r.names, "band"))];
  for k = 1:numel (stages)
    x = [x, device_column(r, [stages{k}, " ms"], 1e-3)];
    if (rated(k))
      x = [x, device_column(r, [stages{k}, " TF/s"])];
    endif
  endfor
  for i = 1:rows (x)
    table_row (t, x(i,:));
  endfor
  table_close (t, [], r.left_out);
endfunction
