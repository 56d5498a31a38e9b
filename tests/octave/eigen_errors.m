## The errors of eigenvectors V (columns) and eigenvalues LAMBDA of a matrix A, or of a pair
## A, B, in units of n eps.  RESIDUAL: |A V - V D| / |A| in 1-norms, of a pair the largest
## columnwise backward error; ORTHOGONALITY: |V'V - I|, of a pair |V'BV - I|.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [residual, orthogonality] = eigen_errors (A, B, V, lambda)
  unit = rows (A) * eps (class (V));
  scale = double (max (abs (A(:))));
  if (! (scale > 0))
    scale = 1;
  endif
  A = double (full (A)) / scale;
  lambda = double (full (lambda(:))).' / scale;
  V = double (V);
  G = V' * V;
  if (isempty (B))
    residual = norm (A*V - V .* lambda, 1) / (norm (A, 1) + (norm (A, 1) == 0)) / unit;
  else
    B = double (full (B));
    size = (norm (A, 1) + abs (lambda) * norm (B, 1)) .* sum (abs (V), 1);
    error = sum (abs (A*V - B*V .* lambda), 1) ./ (size + (size == 0));
    ## max passes over NaN.
    residual = max ([0, error]) / unit + 0 * sum (error);
    G = V' * B * V;
  endif
  orthogonality = norm (G - eye (columns (V)), 1) / unit;
endfunction
