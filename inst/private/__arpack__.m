## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{d}] =} __arpack__ (@var{op}, @var{x}, @var{o})
## Orthonormal eigenvectors of the real symmetric operator @var{op} with the @code{o.k} eigenvalues
## @var{d} of largest modulus, by the ARPACK of Octave's @code{eigs}.  Copies of multiple
## eigenvalues may be missing.  If it fails, and for Krylov spaces of @var{x} of small dimension,
## both are empty: ARPACK then takes random numbers that are others in each call.
##
## The other arguments are as those of @code{__krylov__}.
## @end deftypefn

function [V, d] = __arpack__ (op, x, o)

  [V, d] = deal (x(:,[]), []);
  p = o.p;
  if (! o.has_p)
    p = min (max (2 * o.k, 20), p);
  endif
  opts = struct ("issym", true, "isreal", true, "tol", o.tol, "maxit", o.maxit, "p", p, "v0", x);
  warning ("off", "Octave:eigs:UnconvergedEigenvalues", "local");
  product (op, x, true);
  try
    [V1, D, flag] = __eigs__ (@(x) product (op, x), rows (x), o.k, "lm", opts);
  catch
    flag = 1;  # what is wrong with OP is reported by the next one who calls it
  end_try_catch
  product (op, x(1), true);
  if (flag)
    return;
  endif
  G = V1' * V1;
  if (norm (G - eye (o.k)) < 1e-8)  # not NaN
    V = V1 * (1.5 * eye (o.k) - 0.5 * G);
    d = diag (D);
  endif

endfunction

## OP (X), or begin anew.  There is no next Lanczos vector if the product is a linear combination of X and LAST.
## The first elements mostly show that it is not.
function y = product (op, x, begin_anew = false)
  persistent last = [];
  if (begin_anew)
    last = 0 * x;
    return;
  endif
  y = op (x);
  if (is_dependent (y, x, last, min (200, rows (x))) && is_dependent (y, x, last, rows (x)))
    error ("gpueig:no-convergence", "gpu_eigs: no next Lanczos vector");
  endif
  last = x;
endfunction

function is = is_dependent (y, x, last, n)
  M = [x(1:n), last(1:n)];
  y = y(1:n);
  is = ! (norm (y - M * (M \ y)) > 1e-6 * norm (y));  # also NaN
endfunction
