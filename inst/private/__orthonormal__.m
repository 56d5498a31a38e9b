## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{H}, @var{R}, @var{norm}] =} __orthonormal__ (@var{V}, @var{m}, @var{w}, @var{norm}, @var{seed})
## @code{@var{w} = @var{V}(:,1:@var{m})*@var{H} + @var{x}*@var{R}}, with as many orthonormal columns
## of @var{x} as @var{w} has, orthogonal to those of @var{V}, which are orthonormal; its columns from
## @var{m}+1 on are 0.  What is a rounding error of @var{norm}, the norm of an operator times
## something orthonormal, as is @var{w}, counts as zero: random columns, from
## @var{seed} on, take the place of directions that @var{w} has not.
##
## Gram--Schmidt and a spectral decomposition of the Gram matrix, repeated as long as digits are lost:
## an error in the orthogonality of @var{V} must not grow from column to column.  A. Stathopoulos,
## K. Wu, SIAM J. Sci. Comput. 23 (2002) 2165--2182.
## @end deftypefn

function [x, H, R, norm] = __orthonormal__ (V, m, w, norm, seed)

  b = columns (w);
  if (! isobject (V))
    V = V(:,1:m);
  endif
  R = eye (b, underlyingType (w));
  H = 0;
  for pass = 1:5
    h = zeros (m, b, class (R));
    if (m > 0)
      h = V' * w;
      w -= V * h;
      h = gather (h)(1:m,:);
    endif
    H += h * R;
    G = gather (w' * w);
    if (! all (isfinite (G(:))))
      error ("gpueig:nonfinite", "gpu_eigs: a product with the matrix has NaN or Inf elements");
    endif
    len = sqrt (real (diag (G)));
    before = sqrt (sumsq (h, 1)' + len .^ 2);
    if (pass == 1)
      norm = max ([norm; before]);
    endif
    weight = sqrt (sumsq (R, 2));
    live = len .* weight > 4 * eps (class (R)) * norm | (weight == 0 & len > 1e-3);  # 0: random
    scale = 1 ./ len(live);
    C = scale .* G(live,live) .* scale';
    [U, e] = eig ((C + C') / 2, "vector");
    e = max (e, 10 * b * eps (class (R)));
    by = zeros (b, numel (e), class (R));
    by(live,:) = (scale .* U) ./ sqrt (e)';
    R = (sqrt (e) .* (U' ./ scale')) * R(live,:);
    w = w * by;
    if (all (live) && all (len > 0.7 * before) && min (e) > 0.05)
      break;
    elseif (! all (live))
      w = [w, __random_block__(rows (w), b - numel (e), w, seed + pass)];
      R(b,b) = 0;
    endif
  endfor
  x = w;

endfunction
