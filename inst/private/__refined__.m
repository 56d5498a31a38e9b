## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{nu}, @var{errors}] =} __refined__ (@var{op}, @var{V}, @var{nu}, @var{o})
## Eigenvectors @var{V} and eigenvalues @var{nu} of the operator @var{op} and their @code{o.errors}, better
## ones where these are larger than 1 and @code{o.relative}: of an inverse.  Next to an eigenvalue the
## inverse has large rounding errors, which are no multiples of a symmetric matrix if the inverse
## should be one.  The eigenvectors of the matrix itself in the space of @var{V} do not have them,
## @code{[X, nu] = o.ritz (basis)}; if they are not good enough, the basis is @code{@var{op} (V)}, or @var{V}
## and residuals times the inverse, @code{o.correction (V, nu)}, in turns.
## @end deftypefn

function [V, nu, errors] = __refined__ (op, V, nu, o)

  errors = o.errors (V, nu);
  for step = 1:9
    bad = ! (errors <= 1);  # also NaN
    if (! o.relative || ! any (bad))
      return;
    elseif (step == 1)
      base = V;
    elseif (mod (step, 2) == 0)
      base = op (V);
    else
      base = [V, o.correction(V(:,bad), nu(bad))];
    endif
    Q = __orthonormal__ (base);
    [X, mu] = o.ritz (Q);
    W = Q * X;
    ## The basis may have more vectors than are requested: the least errors alone would leave out copies.
    e = o.errors (W, mu);
    at = find (e <= max (errors));
    [~, order] = sort (o.merit (mu(at)), "descend");
    if (numel (at) >= numel (nu))
      at = at(order(1:numel (nu)));
      [V, nu, errors] = deal (W(:,at), mu(at), e(at));
    endif
  endfor

endfunction
