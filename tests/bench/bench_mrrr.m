## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} bench_mrrr (@var{folder}, @var{budget})
## The experiment of L. Wang and Y. Zhao (2011) for @code{gpu_mrrr}: all
## eigenpairs of (1,4,1), Wilkinson and random matrices in single and double
## precision, against LAPACK's stemr and stevd in the same process; then dense
## matrices against @code{gpu_eig}, and parts of a spectrum.
##
## "solve" is the device's own clock on a GPU and the solver's on the CPU, "whole
## call" includes the way of the result into Octave.  The peers are timed by the
## solver's clock too.
## @end deftypefn

function bench_mrrr (folder, budget)

  start = tic ();
  kinds = {"141", "wilkinson", "random"};
  sizes = {[1024 2048 4096 8192 10240 12800], ...
           [512 1024 2048 4096 7168 12800], [1024 2048 4096 8192 12800]};
  classes = {"double", "single"};
  for c = 1:2
    for k = 1:3
      ## Equal shares of what is left.
      share = (0.85 * budget - toc (start)) / (7 - 3 * c + 3 - k + 1);
      one_matrix (folder, kinds{k}, sizes{k}, classes{c}, share);
    endfor
  endfor
  dense (folder, 0.1 * budget);
  parts (folder, 0.05 * budget);

endfunction

function [d, e] = make (kind, n, class)
  switch (kind)
    case "141"
      d = 4 * ones (n, 1);
      e = ones (n - 1, 1);
    case "wilkinson"
      d = abs ((0:n-1)' - (n - 1) / 2);
      e = ones (n - 1, 1);
    otherwise
      rand ("twister", 1);
      d = 2 * rand (n, 1) - 1;
      e = 2 * rand (n - 1, 1) - 1;
  endswitch
  d = cast (d, class);
  e = cast (e, class);
endfunction

function one_matrix (folder, kind, sizes, class, share)
  start = tic ();
  t = table_open (folder, ["mrrr_" kind "_" class],
                  ["gpu_mrrr and LAPACK, " kind ", " class ", all vectors"],
                  {"n", "solve [s]", "whole call [s]", "stemr [s]", ...
                   "stevd [s]", "stemr/solve", "stevd/solve", "residual", ...
                   "orthogonality", "clusters", "fallbacks"});
  last = [0 0 0];  # what the last order took: ours, stemr, stevd
  for n = sizes
    ## The next order takes up to eight times as long.
    if (toc (start) + 8 * last(1) > share)
      printf ("%d and larger: no time left\n", n);
      break;
    endif
    [d, e] = make (kind, n, class);
    [whole, solve, out] = median_time (@() gpu_mrrr (d, e, "vector"), 4,
                                       share / 20);
    [res, orth] = quality (d, e, out{1}, out{2});
    info = out{4};
    clear out;
    last(1) = whole;
    peer = [NaN NaN];
    methods = {"stemr", "stevd"};
    for p = 1:2
      if (toc (start) + 8 * last(p+1) < share && isfinite (last(p+1)))
        [~, ~, ~, other] = gpu_mrrr (d, e, "vector", "Method", methods{p},
                                     "Backend", "cpu");
        peer(p) = last(p+1) = other.time.solve;
      else
        last(p+1) = Inf;
      endif
    endfor
    table_row (t, n, solve, whole, peer(1), peer(2), peer(1) / solve,
               peer(2) / solve, res, orth, info.clusters, info.fallbacks);
  endfor
  table_close (t);
endfunction

## Ratios; the orthogonality of 128 columns, spread out, to all others.
function [res, orth] = quality (d, e, V, lambda)
  n = numel (d);
  unit = n * eps (class (V));
  T = spdiags ([[double(e); 0], double(d), [0; double(e)]], -1:1, n, n);
  norm_T = norm (T, 1);
  res = 0;
  for j = 1:512:n
    k = j:min (j + 511, n);
    Vk = double (V(:,k));
    res = max (res, norm (T*Vk - Vk .* double (lambda(k)).', 1));
  endfor
  res /= norm_T * unit;
  k = unique (round (linspace (1, n, min (n, 128))));
  G = V' * V(:,k);
  G(sub2ind (size (G), k, 1:numel (k))) -= 1;
  orth = norm (double (G), 1) / unit;
endfunction

function dense (folder, budget)
  start = tic ();
  t = table_open (folder, "mrrr_dense",
                  "gpu_mrrr and gpu_eig, symmetric, double, with vectors",
                  {"n", "gpu_mrrr solve [s]", "gpu_eig solve [s]", "ratio", ...
                   "gpu_mrrr [s]", "gpu_eig [s]", "residual", "orthogonality"});
  last = 0;
  for n = [256 512 1024 2048 4096 8192]
    if (toc (start) + 16 * last > budget)
      break;
    endif
    A = randn (n);
    A += A';
    [ours, solve, out] = median_time (@() gpu_mrrr (A, "vector"), 4, budget / 20);
    [theirs, other] = median_time (@() gpu_eig (A, "vector"), 4, budget / 20);
    [res, orth] = ratios (A, out{1}, out{2});
    last = ours + theirs;
    table_row (t, n, solve, other, other / solve, ours, theirs, res, orth);
  endfor
  table_close (t);
endfunction

function parts (folder, budget)
  start = tic ();
  t = table_open (folder, "mrrr_parts",
                  "gpu_mrrr, (1,4,1), double: the cost of a part of the spectrum",
                  {"n", "1 pair [s]", "1 % [s]", "10 % [s]", "all [s]", ...
                   "all values [s]"});
  for n = [1000 4000 10000]
    if (toc (start) > budget / 2)
      break;
    endif
    [d, e] = make ("141", n, "double");
    seconds = [];
    for k = [1, n/100, n/10, n]
      [~, seconds(end+1)] = median_time (
          @() gpu_mrrr (d, e, "vector", "Index", [n/2, n/2 + k - 1] - (k == n) * (n/2 - 1)),
          4, budget / 20);
    endfor
    values = median_time (@() gpu_mrrr (d, e), 1, budget / 20);
    table_row (t, n, seconds(1), seconds(2), seconds(3), seconds(4), values);
  endfor
  table_close (t);
endfunction
