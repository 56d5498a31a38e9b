## gpu_svd on stacks and on single matrices, with vectors of economy size, against a loop
## over svd with its default driver and with svd_driver ("gesdd"); "whole call" includes
## the copies from and to Octave.  On a GPU machine also beside cuSOLVER's solvers, on data in
## the GPU's memory (the program build/bench/device_svd).
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_svd (folder, budget)
  randn ("twister", 1);
  small = [3 3; 8 8; 16 16; 32 32; 64 16; 64 64; 100 100];
  large = [100 100; 256 256; 500 500; 1000 100; 1000 1000; 10000 100; 2000 2000; 4000 4000];
  share_out (budget, {@(s) one_table(folder, s, small, 1e6, "double", "pages"), 4;
                      @(s) one_table(folder, s, large, 1, "double", "dense"), 4;
                      @(s) one_table(folder, s, small, 1e6, "single", "pages"), 2;
                      @(s) device_table(folder, s, "d", "double", ""), 6;
                      @(s) device_table(folder, s, "d", "double values", "-v"), 2;
                      @(s) device_table(folder, s, "s", "single", ""), 2;
                      @(s) device_table(folder, s, "z", "complex double", ""), 2});
endfunction

## Random matrices and, with vectors, matrices of condition 1e12.
function device_table (folder, seconds, letter, type, flag)
  sizes = "512x512 1024x1024 2048x2048";
  if (seconds > 15)
    sizes = [sizes " 4096x4096 8192x8192"];
  endif
  stacks = "3x3x1000000 8x8x100000 32x32x20000 64x16x20000 64x64x2000 60x3x1000 900x100x300";
  if (strcmp (flag, "-v"))
    arguments = ["-v " letter " " sizes];
  elseif (letter == "d")
    arguments = ["d " sizes " 100000x100 " stacks " -c 12 " sizes " " stacks];
  else
    arguments = [letter " " sizes " 64x64x500"];
  endif
  r = device_program ("device_svd", seconds, arguments);
  name = ["svd_gpu_" strrep(type, " ", "_")];
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  numbers = {"m", "n", "pages", "digits"};
  columns = {"gpu_svd [s]", "error", "gesvd [s]", "gesvdp [s]", "gesvdr [s]", "gesvdj [s]", ...
             "gesvdjBatched [s]", "gesvda [s]", "error of gesvda", "best peer/gpu_svd"};
  peers = strrep (columns(3:8), " [s]", "");
  t = table_open (folder, name,
                  ["gpu_svd on the GPU, " type ", condition 10^digits, 0: random"],
                  [numbers, {"method"}, columns], "compare",
                  {strjoin(columns([1, 3:8]), " | ")}, "note", r.notes);
  at = @(names) cellfun (@(c) find (strcmp (r.names, c)), names);
  for k = 1:numel (peers)
    wrong = r.values(:,at ({["error of " peers{k}]})) > 10;
    r.values(wrong,at ({[peers{k} " [s]"]})) = NaN;
  endfor
  for i = 1:rows (r.values)
    table_row (t, r.values(i,at (numbers)), r.cells{i,at({"method"})}, r.values(i,at (columns)));
  endfor
  table_close (t, [], r.left_out);
endfunction

## Stacks of MOST elements, or one matrix of each of the SIZES.
function one_table (folder, seconds, sizes, most, class, kind)
  t = table_open (folder, ["svd_" kind "_" class],
                  ["gpu_svd, " strrep(kind, "dense", "one matrix") ", " class ...
                   ", with vectors, a page"],
                  {"m", "n", "pages", "method", "whole call [s]", "loop over svd [s]", ...
                   "LAPACK gesdd [s]", "svd/whole", "residual", "orthogonality"},
                  "compare",
                  {"whole call [s] | loop over svd [s] | LAPACK gesdd [s]"},
                  "note", {"seconds a page; loops over 200 pages at most"});
  order = @(row) cbrt (prod (sizes(row,:)) * min (sizes(row,:)));
  plan = plan_open (seconds, arrayfun (order, 1:rows (sizes)), 3);
  driver = svd_driver ();
  unwind_protect
    for row = 1:rows (sizes)
      m = sizes(row,1);
      n = sizes(row,2);
      pages = max (1, floor (min (most / (m * n), 10000 * (most > 1))));
      size_of = @(count) order (row) * count ^ (1 / 3);
      [plan, go] = plan_row (plan, size_of (pages), order (row));
      if (! go)
        break;
      endif
      A = randn (m, n, pages, class);
      some = A(:,:,1:min (end, 200));
      [plan, whole, ~, out] = measure (plan, "gpu_svd", size_of (pages), ...
                                       @() gpu_svd (A, "econ", "vector"), 4, true);
      if (isempty (out))
        break;
      endif
      quality = svd_ratios (A, out{:});
      times = [NaN, NaN];
      drivers = {"gesvd", "gesdd"};
      for k = 1:2
        svd_driver (drivers{k});
        [plan, times(k)] = measure (plan, drivers{k}, size_of (size (some, 3)), ...
                                    @() loop (some), 1, 0.25);
      endfor
      times /= size (some, 3);
      whole /= pages;
      table_row (t, [m, n, pages], out{4}.method, [whole, times, times(1) / whole, quality]);
    endfor
  unwind_protect_cleanup
    svd_driver (driver);
  end_unwind_protect
  table_close (t, plan);
endfunction

function x = loop (A)
  for p = 1:size (A, 3)
    [u, s, v] = svd (A(:,:,p), "econ");
  endfor
  x = s;
endfunction

## Of the first and the last page, in units of max (m, n) eps.
function r = svd_ratios (A, U, s, V, varargin)
  unit = max (size (A)(1:2)) * eps (class (s));
  r = [0, 0];
  for p = [1, size(A, 3)]
    u = U(:,:,p);
    v = V(:,:,p);
    a = A(:,:,p);
    r = max (r, [norm(a - u .* s(:,:,p)' * v', 1) / norm(a, 1), ...
                 max(norm (u' * u - eye (columns (u)), 1), norm (v' * v - eye (columns (v)), 1))] / unit);
  endfor
endfunction
