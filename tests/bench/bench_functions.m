## Functions of general matrices, one matrix and stacks, against Octave's own functions or a
## loop over them: gpu_polar against svd and a product; "whole call" includes the copies
## from and to Octave.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_functions (folder, budget)
  randn ("twister", 1);
  dense = [64 1; 128 1; 256 1; 500 1; 1000 1; 2000 1];
  pages = [3 10000; 8 10000; 16 4000; 32 1000; 64 200; 100 100];
  list = {"sqrtm", @gpu_sqrtm, @sqrtm, @(A, X) X * X - A
          "logm", @gpu_logm, @logm, @(A, X) expm (X) - A
          "expm", @gpu_expm, @expm, @(A, X) X * expm (-A) - eye (rows (A))
          "mpower", @(A) gpu_mpower (A, 7), @(A) A ^ 7, @(A, X) X - A ^ 7
          "polar", @gpu_polar, @polar_of, @(A, X) X' * X - eye (rows (A))};
  jobs = {};
  for f = list.'
    jobs = [jobs; {@(s) one_table(folder, s, f, dense, "dense"), 3;
                   @(s) one_table(folder, s, f, pages, "pages"), 2}];
  endfor
  share_out (budget, jobs);
endfunction

function one_table (folder, seconds, f, sizes, kind)
  [name, ours, peer, residual] = f{:};
  t = table_open (folder, ["functions_" name "_" kind],
                  ["gpu_" name ", " ifelse(kind, "dense", "one matrix", "pages") ", double, a page"],
                  {"n", "pages", "whole call [s]", "Octave [s]", "Octave/whole", "residual"},
                  "compare", {"whole call [s] | Octave [s]"},
                  "note", {"seconds a page; loops over 200 pages at most"});
  plan = plan_open (seconds, sizes(:,1), 2);
  for row = 1:rows (sizes)
    [n, pages] = num2cell (sizes(row,:)){:};
    size_of = @(count) n * count ^ (1 / 3);
    [plan, go] = plan_row (plan, size_of (pages), n);
    if (! go)
      break;
    endif
    A = randn (n, n, pages) / sqrt (n) + 3 * full (eye (n));
    some = A(:,:,1:min (end, 200));
    [plan, whole, ~, out] = measure (plan, name, size_of (pages), @() ours (A), 1, true);
    if (isempty (out))
      break;
    endif
    X = out{1}(:,:,1);
    [plan, theirs] = measure (plan, "Octave", size_of (size (some, 3)), @() loop (peer, some), 1, 0.5);
    theirs /= size (some, 3);
    whole /= pages;
    quality = norm (residual (A(:,:,1), X), 1) / (norm (X, 1) * n * eps);
    table_row (t, [n, pages], [whole, theirs, theirs / whole, quality]);
  endfor
  table_close (t, plan);
endfunction

function text = ifelse (kind, first, one, other)
  text = other;
  if (strcmp (kind, first)), text = one; endif
endfunction

function U = polar_of (A)
  [W, ~, V] = svd (A);
  U = W * V';
endfunction

function X = loop (f, A)
  X = A;
  for p = 1:size (A, 3)
    X(:,:,p) = f (A(:,:,p));
  endfor
endfunction
