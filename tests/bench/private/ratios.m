## LAPACK's test ratios of a symmetric eigenproblem, [residual, orthogonality],
## 1-norms in units of n*eps, of the first and the last page; results below 10 are accepted as
## correct.  A may be sparse and V have fewer columns than rows.  Of more than 1024 columns
## 128, equally spaced, are tested, their orthogonality against all others.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function r = ratios (A, V, lambda)
  if (isempty (V))
    r = [Inf, Inf];  # the solver failed
    return;
  elseif (size (V, 3) > 1)
    r = max (ratios (A(:,:,1), V(:,:,1), lambda(:,:,1)), ...
             ratios (A(:,:,size (V, 3)), V(:,:,end), lambda(:,:,end)));
    return;
  endif
  if (ndims (A) > 2)
    A = A(:,:,1);
  endif
  [n, count] = size (V);
  k = 1:count;
  if (count > 1024)
    k = unique (round (linspace (1, count, 128)));
  endif
  unit = n * eps (class (V));
  if (issparse (A))
    W = double (V(:,k));
  else
    W = V(:,k);
  endif
  R = A * W - W .* cast (lambda(k)(:).', class (W));
  G = V' * V(:,k);
  G(sub2ind (size (G), k, 1:numel (k))) -= 1;
  r = [double(norm (R, 1)) / (double (norm (A, 1)) * unit), ...
       double(norm (G, 1)) / unit];
endfunction
