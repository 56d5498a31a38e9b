## S = stacks_of_families ()
## A struct with a stack of small matrices for each family.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function s = stacks_of_families ()

  randn ("state", 5);
  rand ("state", 5);
  ## A GPU that is named solves some of these pages one after the other.
  fewer = 1 + 12 * strcmp (getenv ("GPUEIG_BACKEND"), "cuda");
  s.integers_2 = all_of (2, -3:3)(:,:,1:fewer:end);
  s.integers_3 = all_of (3, -1:1)(:,:,1:3*fewer:end);
  n = 5;
  count = ceil (40 / fewer);
  families = {"skew", @() (@(M) M - M') (randn (n)); ...
              "integer_skew", @() (@(M) M - M') (randi ([-30, 30], n)); ...
              "orthogonal", @() orth (randn (n)); ...
              "permutation", @() eye (n)(randperm (n),:); ...
              "rank_one", @() randi ([-4, 4], n, 1) * randi ([-4, 4], 1, n); ...
              "nilpotent", @() triu (randi ([-2, 2], n), 1); ...
              "jordan", @() randi ([-1, 1]) * eye (n) + diag (ones (n - 1, 1), 1); ...
              "idempotent", @() (@(V) V * diag ([1, 1, 0, 0, 0]) / V) (eye (n) + triu (randi ([-2, 2], n), 1)); ...
              "companion", @() [zeros(n - 1, 1), eye(n - 1); randi([-3, 3], 1, n)]; ...
              "zeros_and_ones", @() double (rand (n) < 0.4); ...
              "units", @() 10 .^ (-8 * (1:n)') .* randn (n) .* 10 .^ (6 * (1:n)); ...
              "blocks", @() blkdiag (1e9 * randn (2), 1e-9 * randn (n - 2))};
  for k = 1:rows (families)
    A = zeros (n, n, count);
    for i = 1:count
      A(:,:,i) = families{k,2} ();
    endfor
    s.(families{k,1}) = A;
  endfor

endfunction

## All matrices of order N with elements of the row VALUES.
function A = all_of (n, values)

  index = cell (1, n * n);
  [index{:}] = ndgrid (values);
  A = reshape (cell2mat (cellfun (@(x) x(:), index, "uniformoutput", false)).', n, n, []);

endfunction
