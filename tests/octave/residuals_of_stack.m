## WORST = residuals_of_stack (A, FEW)
## The largest residuals of the pages of A in units of n eps and of their norms; FEW: of solvers alone,
## whose results are as large as A.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function worst = residuals_of_stack (A, few = false)

  n = rows (A);
  I = repmat (eye (n, class (A)), [1, 1, size(A, 3)]);
  unit = n * eps (class (A));
  size_of = @(X) squeeze (max (sum (abs (X), 1), [], 2));
  relative = @(X, Y) largest_of (size_of (X) ./ max (size_of (Y), realmin (class (A)))) / unit;
  times = @(varargin) product_of (varargin{:});
  adjoint = @(X) conj (permute (X, [2, 1, 3]));

  [U, S, V] = gpu_svd (A);
  worst.svd = relative (times (U, S, adjoint (V)) - A, A);
  worst.left = relative (times (adjoint (U), U) - I, I);
  worst.right = relative (times (adjoint (V), V) - I, I);
  [U, H] = gpu_polar (A);
  worst.polar = relative (times (U, H) - A, A);
  worst.unitary = relative (times (adjoint (U), U) - I, I);
  H = A + adjoint (A);
  for f = {@gpu_eig, @gpu_jacobi_eig, @gpu_onesided_eig, @gpu_mrrr}
    [V, D] = f{1} (H);
    name = func2str (f{1});
    worst.(name) = relative (times (H, V) - times (V, D), H);
    worst.([name "_V"]) = relative (times (adjoint (V), V) - I, I);
  endfor
  [U, S] = gpu_schur (A);
  select = mod (1:n, 2) == 0;
  if (iscomplex (A))
    [Q, T] = gpu_ordschur (U, S, repmat (select(:), [1, 1, size(A, 3)]));
    worst.ordschur = relative (times (Q, T, adjoint (Q)) - A, A);
  else
    [Q, T] = gpu_ordschur (U, S, "lhp");
    worst.ordschur = relative (times (Q, T, adjoint (Q)) - A, A);
  endif
  if (few)
    return;
  endif

  X = gpu_pinv (A);
  condition = size_of (A) .* size_of (X);
  usable = condition < 0.01 / unit;
  worst.pinv = relative ((times (A, X, A) - A)(:,:,usable), (A .* reshape (max (1, condition), 1, 1, []))(:,:,usable));
  T = A .* (abs ((1:n)' - (1:n)) < 2) + 4 * reshape (max (max (abs (A), [], 1), [], 2), 1, 1, []) .* I;
  T += I .* (T == 0);
  T = T(:,:,1:37:end);
  X = zeros (size (T), class (A));
  for i = 1:size (T, 3)
    X(:,:,i) = gpu_tdinv (T(:,:,i));
  endfor
  worst.tdinv = relative (times (T, X) - I(:,:,1:37:end), I(:,:,1:37:end));

endfunction

function P = product_of (varargin)

  P = varargin{1};
  for k = 2:nargin
    P = pagemtimes (P, varargin{k});
  endfor

endfunction

## Infinite if an element is NaN.
function r = largest_of (x)

  x(isnan (x)) = Inf;
  r = max ([x(:); 0]);

endfunction
