## One general matrix, timed on the GPU: method "qr" with its stages and counts,
## compared with cuSOLVER's Xgeev in the same process (the program
## build/bench/device_general): with right vectors, with left ones, with both and as a
## Schur form (Xgeev: right ones only), and eigenvalues alone.  Stacks by gpu_complex_eig: the same
## algorithm with a team of threads per page, compared with Shroff's method.  Without a
## GPU no table is written.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_general (folder, budget)
  if (! has_gpu ())
    printf ("general: needs a GPU\n");
    return;
  endif
  kinds = {"d", "double", "-r", 4; "z", "complex double", "-r", 4;
           "s", "single", "-r", 2; "c", "complex single", "-r", 2;
           "d", "double", "-v", 2; "z", "complex double", "-v", 2;
           "d", "double", "-l", 2; "z", "complex double", "-l", 2;
           "d", "double", "-b", 2; "z", "complex double", "-b", 2;
           "d", "double", "-f", 2; "z", "complex double", "-f", 2};
  tables = cell (rows (kinds), 2);
  for k = 1:rows (kinds)
    tables(k,:) = {@(s) one_table(folder, s, kinds{k,1:3}), kinds{k,4}};
  endfor
  for kind = {"z", "d", "c", "s"; "complex double", "double", "complex single", "single"}
    tables(end+1,:) = {@(s) stack_table(folder, s, kind{:}), 1};
  endfor
  share_out (budget, tables);
endfunction

function one_table (folder, seconds, letter, type, flag)
  which_one = find (strcmp (flag, {"-r", "-v", "-l", "-b", "-f"}));
  what = {"right vectors", "eigenvalues alone", "left vectors", ...
          "both sides' vectors", "Schur form"}{which_one};
  ending = {"", "_values", "_left", "_both", "_form"}{which_one};
  name = strrep (["eig_general_", type, ending], " ", "_");
  r = device_program ("device_general", seconds,
                      sprintf ("%%s %s -t %g %s 64 128 256 512 1024 2048 4096 8192", flag,
                               max (seconds, 1), letter));
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  notes = {["GPU's clock, medians (device_general); host: deflation windows, ", ...
            "part of the iteration"]};
  extra = {};
  if (which_one > 2)
    notes{end+1} = "Xgeev: right vectors";
    extra = {[ending(2:end), "/right"]};
  endif
  t = table_open (folder, name,
                  ["gpu_eig \"qr\", one general matrix, ", type, ", ", what, ...
                   ", with stages"],
                  [{"n", "qr [s]", "Xgeev [s]", "Xgeev/qr"}, extra, ...
                   {"Hessenberg [s]", "iteration [s]", "host [s]", "windows", ...
                    "sweeps", "steps", "fallback"}],
                  "compare", {"qr [s] | Xgeev [s]"},
                  "note", [notes, r.notes]);
  n = device_column (r, "n");
  own = device_column (r, "own", 1e-3);
  if (! isempty (extra))
    extra = {right_only(folder, name(1:end-numel (ending)), n, own)};
  endif
  x = [n, own, device_column(r, "xgeev", 1e-3), device_column(r, "ratio"), ...
       extra{:}, device_column(r, "hessenberg", 1e-3), ...
       device_column(r, "iteration", 1e-3), device_column(r, "host", 1e-3)];
  for column = {"deflations", "sweeps", "steps"}
    x = [x, r.values(:,strcmp (r.names, column{1}))];
  endfor
  for i = 1:rows (x)
    fallback = r.cells{i,strcmp(r.names, "fallback")};
    table_row (t, x(i,:), merge (isempty (fallback), "none", fallback));
  endfor
  table_close (t, [], r.left_out);
endfunction

## Stacks with right vectors.
function stack_table (folder, seconds, letter, type)
  name = strrep (["complex_stacks_", type], " ", "_");
  r = device_program ("device_general", seconds,
                      sprintf ("%%s -s 4000 -t %g %s 16 24 32 48 64 96 128",
                               max (seconds, 1), letter));
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  t = table_open (folder, name,
                  ["gpu_complex_eig, stacks, ", type, ", right vectors, a page ", ...
                   "on the GPU, methods \"qr\" and \"shroff\""],
                  {"n", "pages", "qr [s]", "shroff [s]", "shroff/qr", ...
                   "qr: by LAPACK", "shroff: by LAPACK"},
                  "note", [{["seconds a page by the GPU's clock, medians ", ...
                             "(device_general); above n = 64 shroff has 8 pages; ", ...
                             "by LAPACK: pages that LAPACK finished"]}, r.notes]);
  x = [device_column(r, "n"), device_column(r, "pages"), ...
       device_column(r, "qr", 1e-6), device_column(r, "shroff", 1e-6), ...
       device_column(r, "ratio")];
  for column = {"qr_fallback", "shroff_fallback"}
    x = [x, r.values(:,strcmp (r.names, column{1}))];
  endfor
  for i = 1:rows (x)
    table_row (t, x(i,:));
  endfor
  table_close (t, [], r.left_out);
endfunction

## Ratios of times to those of the table with right vectors.
function ratio = right_only (folder, name, n, own)
  ratio = NaN (size (n));
  file = fullfile (folder, [name, ".csv"]);
  if (! exist (file, "file"))
    return;
  endif
  s = read_table (file);
  [found, at] = ismember (n, s.values(:,1));
  ratio(found) = own(found) ./ s.values(at(found),2);
endfunction
