## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{Q} =} __orthonormal__ (@var{X})
## As many orthonormal columns as @var{X} has, which span those of @var{X}.  What is a rounding error of
## the longest one counts as zero: random columns take the place of directions that @var{X} has not.
##
## A spectral decomposition of the Gram matrix, repeated as long as digits are lost: A. Stathopoulos,
## K. Wu, SIAM J. Sci. Comput. 23 (2002) 2165--2182.
## @end deftypefn

function X = __orthonormal__ (X)

  b = columns (X);
  R = eye (b, underlyingType (X));  # the argument is X * R
  for pass = 1:5
    G = gather (X' * X);
    if (! all (isfinite (G(:))))
      error ("gpueig:nonfinite", "gpu_eigs: a product with the matrix has NaN or Inf elements");
    endif
    len = sqrt (real (diag (G)));
    if (pass == 1)
      longest = max (len);
    endif
    weight = sqrt (sumsq (R, 2));
    live = len .* weight > 4 * eps (class (R)) * longest | (weight == 0 & len > 1e-3);  # 0: random
    scale = 1 ./ len(live);
    C = scale .* G(live,live) .* scale';
    [U, e] = eig ((C + C') / 2, "vector");
    e = max (e, 10 * b * eps (class (R)));
    by = zeros (b, numel (e), class (R));
    by(live,:) = (scale .* U) ./ sqrt (e)';
    R = (sqrt (e) .* (U' ./ scale')) * R(live,:);
    X = X * by;
    if (all (live) && min (e) > 0.05)
      break;
    elseif (! all (live))
      X = [X, __random_block__(rows (X), b - numel (e), X, 1 + pass)];
      R(b,b) = 0;
    endif
  endfor

endfunction
