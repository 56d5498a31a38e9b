## Definite pairs and parts of a spectrum: gpu_eig (A, "Index", [1 k]) and
## gpu_eig (A, B, "Index", [1 k]) of full matrices against eigs, stacks of
## pairs against a loop over eig (A, B), and on the GPU's clock (the program
## build/bench/device_pairs) pairs against the same problem without B and
## cuSOLVER's sygvd and sygvdx in the same process.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_pairs (folder, budget)
  randn ("twister", 7);
  tables = {@(s) parts_table(folder, s), 3; @(s) stacks_table(folder, s), 2};
  if (has_gpu ())
    single = "512 1024 2048 4096 8192 2048/205 4096/410 8192/819";
    ill = "1000:4 1000:8 1000:12 2000:12 4000:12";
    stacks = "8x10000 16x10000 32x10000 64x1000 128x1000 256x200";
    tables(end+1:end+2,:) = {@(s) device_table(folder, s, "d", "double", [single, " ", ill], stacks), 5;
                             @(s) device_table(folder, s, "z", "complex double", single, stacks), 6};
  endif
  share_out (budget, tables);
endfunction

## The k smallest of one matrix or pair, k a hundredth or a tenth of the order.
function parts_table (folder, seconds)
  t = table_open (folder, "eig_parts",
                  "the k smallest eigenpairs of full matrices, double",
                  {"n", "k", "gpu_eig (A) [s]", "eigs (A) [s]", "eigs/gpu_eig (A)", ...
                   "gpu_eig (A B) [s]", "eigs (A B) [s]", "eigs/gpu_eig (A B)", ...
                   "residual", "others' worst", "wrong"},
                  "compare", {"gpu_eig (A) [s] | eigs (A) [s]"
                              "gpu_eig (A B) [s] | eigs (A B) [s]"},
                  "note", {["end to end, Backend auto; eigs with \"sa\" and its ", ...
                            "own tolerance; the residuals are those of the pairs"]});
  orders = [100 200 500 1000 2000 4000];
  plan = plan_open (seconds, orders, 8);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    A = randn (n);
    A += A';
    B = randn (n);
    B = B * B' / n + eye (n);
    for part = [0.01 0.1]
      k = max (1, round (part * n));
      check = @(out) pair_ratio (A, B, out{1}, out{2});
      tag = sprintf ("_%g", 100 * part);
      times = NaN (1, 6);
      calls = {@() gpu_eig (A, "Index", [1 k], "vector"), "gpu_eig", true, []
               @() eigs (A, k, "sa"), "eigs", 0.2, []
               @() gpu_eig (A, B, "Index", [1 k], "vector"), "gpu_eig_pair", true, check
               @() eigs (A, B, k, "sa"), "eigs_pair", 0.2, check};
      for i = 1:4
        [plan, s] = measure (plan, [calls{i,2}, tag], n, calls{i,1}, 2, calls{i,3:4});
        times(i + (i > 2)) = s;
      endfor
      times([3 6]) = times([2 5]) ./ times([1 4]);
      [own, peers, wrong] = plan_quality (plan, ["gpu_eig_pair", tag]);
      table_row (t, n, k, times, own, peers, wrong);
      plan.quality = struct ();
    endfor
  endfor
  table_close (t, plan);
endfunction

## Stacks against a loop.
function stacks_table (folder, seconds)
  t = table_open (folder, "eig_pairs_loop",
                  "stacks of definite pairs, double, with vectors",
                  {"n", "pages", "gpu_eig [s]", "eig loop [s]", "eig loop/gpu_eig", ...
                   "backend", "residual", "others' worst", "wrong"},
                  "compare", {"gpu_eig [s] | eig loop [s]"},
                  "note", {["end to end, Backend auto; the loop is [V, D] = eig (A, B) ", ...
                            "page by page"]});
  orders = [4 8 16 32 64 128];
  plan = plan_open (seconds, orders, 2, 1);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    pages = min (1000, round (4e6 / n ^ 2));
    A = randn (n, n, pages);
    A += permute (A, [2 1 3]);
    B = randn (n, n, pages) / sqrt (n);
    B = (B + permute (B, [2 1 3])) / 2 + 3 * full (eye (n));
    check = @(out) pair_ratio (A(:,:,end), B(:,:,end), out{1}(:,:,end),
                               out{2}(:,:,end));
    [plan, ours, ~, out] = measure (plan, "gpu_eig", n,
                                    @() gpu_eig (A, B, "vector"), 4, true, check);
    if (isempty (out))
      break;
    endif
    [plan, theirs] = measure (plan, "eig loop", n, @() eig_pairs (A, B), 2, 0.6,
                              check);
    [own, peers, wrong] = plan_quality (plan, "gpu_eig");
    table_row (t, n, pages, ours, theirs, theirs / ours, out{4}.backend, own,
               peers, wrong);
  endfor
  table_close (t, plan);
endfunction

function [V, D] = eig_pairs (A, B)
  V = zeros (size (A));
  D = zeros (rows (A), 1, size (A, 3));
  for p = 1:size (A, 3)
    [V(:,:,p), D(:,1,p)] = eig (A(:,:,p), B(:,:,p), "vector");
  endfor
endfunction

## The largest columnwise backward error, in n eps.
function r = pair_ratio (A, B, V, lambda)
  if (! isvector (lambda))
    lambda = diag (lambda);
  endif
  lambda = lambda(:).';
  E = sum (abs (A * V - B * V .* lambda), 1);
  scale = (norm (A, 1) + abs (lambda) * norm (B, 1)) .* sum (abs (V), 1);
  r = max (E ./ scale) / (rows (A) * eps);
endfunction

function device_table (folder, seconds, letter, type, single, stacks)
  name = strrep (["eig_pairs_", type], " ", "_");
  r = device_program ("device_pairs", seconds,
                      sprintf ("%%s -t %g %s %s %s", max (seconds, 1), letter,
                               stacks, single));
  if (isempty (r.cells))
    printf ("%s: %s\n", name, strjoin (r.left_out, "; "));
    return;
  endif
  t = table_open (folder, name,
                  ["gpu_eig (A, B), definite pairs, ", type, ", the k smallest, ", ...
                   "and the same without B"],
                  {"n", "k", "pages", "digits", "gpu_eig (A B) [s]", "gpu_eig (A) [s]", ...
                   "pair/plain", "cuSOLVER [s]", "cuSOLVER/gpu_eig"},
                  "compare", {"gpu_eig (A B) [s] | cuSOLVER [s]"},
                  "note", [{["GPU's clock, medians (device_pairs), with vectors; ", ...
                             "cuSOLVER: sygvd for k = n, sygvdx for less, nothing ", ...
                             "for stacks; digits: B is a kernel matrix plus 10^-digits ", ...
                             "times the identity"]}, r.notes]);
  x = [device_column(r, "n"), device_column(r, "k"), device_column(r, "pages"), ...
       device_column(r, "digits"), device_column(r, "pair ms", 1e-3), device_column(r, "plain ms", 1e-3), ...
       device_column(r, "pair/plain"), device_column(r, "cuSOLVER ms", 1e-3), ...
       device_column(r, "ratio")];
  for i = 1:rows (x)
    table_row (t, x(i,:));
  endfor
  table_close (t, [], r.left_out);
endfunction
