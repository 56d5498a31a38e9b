## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{op} =} __inverse_square__ (@var{P}, @var{small})
## @code{@var{op} (x)} is @code{inv (A'*A + small^2) * x} by a QR decomposition of @code{P.A}.  A matrix
## without full rank gets a @var{small} that keeps the order of the singular values.
## @end deftypefn

function op = __inverse_square__ (P, small)
  like = P.like;
  A = P.A;
  if (small > 0)
    rest = double (small) * speye (P.n);
    if (! issparse (A)), rest = __in_array__ (full (rest), A); endif
    A = [A; rest];
  endif
  [R, q] = __triangle_of__ (A);
  ## Octave's sparse QR drops columns of norms below 20 (rows + columns) eps times the largest one.
  unit = eps (underlyingType (like)) * full (norm (P.A, "fro"));
  least = unit * merge (small > 0, 40 * rows (A), P.m);
  if (small < least && ! all (gather (abs (diag (R))) > merge (small > 0, 0, least)))
    op = __inverse_square__ (P, least);
    return;
  endif
  if (isobject (R))
    S = inv (R);
    op = @(x) S * (S' * x);
    return;
  endif
  inverse(q) = 1:P.n;
  if (issparse (R))
    Rh = matrix_type (R', "lower");
    R = matrix_type (R, "upper");
  else
    Rh = R';
  endif
  op = @(x) __in_array__ ((R \ (Rh \ gather (x)(q,:)))(inverse,:), like);
endfunction
