## The largest ratio, which is at most 1, of errors of [V, D] = gpu_eigs (A, K, SIGMA), or of the pair A, B if B
## is not empty, to their limits.  ALL: the eigenvalues, of conditions CONDITION; NAME: of the matrix.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function ratio = eigs_ratio (name, A, B, k, sigma, all, condition)
  pair = {A, B}(1:1+! isempty (B));
  [V, D, flag] = gpu_eigs (pair{:}, k, sigma);
  assert (flag, 0);
  ## Products of double precision without overflow.
  [V, d] = deal (double (V), double (diag (D)));
  size_of = [full(double (max (abs (A(:))))), 1];
  lengths = 0;
  if (isempty (B))
    B = speye (rows (A));
    lengths = norm (sumsq (abs (V), 1) - 1, Inf);
  endif
  size_of(2) = full (max (abs (B(:))));
  size_of += size_of == 0;
  unit = size_of(1) / size_of(2);
  [A, B, d, all] = deal (double (A) / size_of(1), B / size_of(2), d / unit, double (all) / unit);
  precision = 300 * eps (class (D));
  if (isnumeric (sigma)), sigma /= unit; endif
  if (ishermitian (A) && size_of(2) != 1), V *= sqrt (size_of(2)); endif
  scale = norm (A, 1) + abs (d) * norm (B, 1);
  scale(scale == 0) = 1;
  ratio = max ([lengths; sqrt(sumsq (abs (A * V - B * V * diag (d)), 1))' ./ scale ./ sqrt(sumsq (abs (V), 1))']) / precision;
  ## Every eigenvalue is another one of all.
  is_left = true (size (all));
  for j = 1:k
    [distance, at] = min (abs (all - d(j)) ./ is_left);
    is_left(at) = false;
    ratio = max (ratio, distance / (precision * scale(j) * condition(at)));
  endfor
  if (strcmp (sigma, "be"))
    want = sort (all)([1:floor(k/2), end-ceil(k/2)+1:end]);
    worse = abs (sort (d) - want);
  else
    [want, at] = sort (merit (all, sigma, isreal (A)), "descend");
    got = sort (merit (d, sigma, isreal (A)), "descend");
    worse = abs (got - want(1:k));
    condition = max (condition(at(want >= want(k))));
  endif
  ratio = max (ratio, max (worse ./ (precision * scale .* max (condition))));
  if (ishermitian (A))
    ratio = max (ratio, norm (V' * B * V - eye (k)) / precision / max (condition));
  endif
  assert (ratio <= 1, "%s, %s: %g", name, num2str (sigma), ratio);
endfunction

## The merit of eigenvalues D for SIGMA; IS_REAL: they come in conjugate pairs.
function m = merit (d, sigma, is_real)
  switch (sigma)
    case "lm", m = abs (d);
    case {"la", "lr"}, m = real (d);
    case {"sa", "sr"}, m = -real (d);
    case {"li", "si"}
      m = imag (d);
      if (is_real), m = abs (m); endif
      if (strcmp (sigma, "si")), m = -m; endif
    case "sm", m = -abs (d);
    otherwise, m = -abs (d - sigma);
  endswitch
endfunction
