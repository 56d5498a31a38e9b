## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{g} =} __filtered__ (@var{o}, @var{r})
## Options @var{g} of @code{__krylov__} for the iteration of a polynomial of a Hermitian operator, @code{g.op},
## or @code{[]} where it promises no fewer restarts than the present options @var{o}.
##
## It is the Chebyshev polynomial of the odd degree @code{g.degree} of @code{(op - c) / e}: between -1 and 1 at
## unwanted eigenvalues of the operator, large at wanted ones, which are at one end of the spectrum or, if their
## modulus counts, at both.  The eigenvectors and the order of the wanted eigenvalues are those of the operator;
## @code{g.value} and @code{g.inverse} turn eigenvalues of the operator into those of the polynomial and back.
##
## @code{o.base} are the options for the operator itself.  The fields of @var{r} are @code{theta}: Ritz
## values, those of most merit first, @code{wanted} and @code{kept}: how many of them, @code{need}: the logarithm of
## the largest residual of the wanted ones, in units of what is permitted, @code{ends}: bounds of the spectrum,
## @code{age}: restarts with @var{o}, @code{locked}: how many eigenvectors have been found;
## @code{g.without (V, d)} is @code{g.op} where these, @var{V}, are not magnified.
## Interval and degree follow from the Ritz values: the larger the degree, the better these become, and the larger
## the next degree.  An eigenvalue beyond the bounds becomes a Ritz value of large modulus, which corrects them.
##
## Y. Zhou, Y. Saad, M. L. Tiago, J. R. Chelikowsky, J. Comput. Phys. 219 (2006) 172--184; H. R. Fang,
## Y. Saad, SIAM J. Sci. Comput. 34 (2012) A2220--A2246.
## @end deftypefn

function g = __filtered__ (o, r)

  g = [];
  base = o.base;
  is_new = o.degree == 1;
  [~, low, cut, wanted] = interval (o, r.theta, r, []);
  cycles = r.need / ((numel (r.theta) - r.kept) * growth (wanted, low, cut));
  [least_age, limit] = deal (2, 4);
  if (is_new)
    [least_age, limit] = deal (12, merge (r.locked > 0, 10, 7));
  endif
  if (r.age < least_age || ! (cycles > limit))
    return;
  endif

  lambda = o.inverse (r.theta);
  [side, a, b, wanted] = interval (base, lambda, r, r.ends);
  unit = eps (class (lambda));
  rate = growth (wanted, a, b);
  ## Errors of the largest value must be small to the wanted ones.
  largest = -log (unit) / 3;
  degree = min ([(r.need + 5) / (0.3 * numel (lambda) * rate), largest / growth(max (base.merit (lambda)), a, b), 2000]);
  degree = 2 * floor (degree / 2) + 1;
  is_wrong = ! is_new && min (r.theta) < -1.1 && base.merit (-1) != base.merit (1);
  if (! (degree >= 3 && (degree > 1.4 * o.degree || is_wrong)))
    return;
  endif

  c = side * (a + b) / 2;
  e = side * (b - a) / 2;
  norm_of = max (abs ([lambda; r.ends(:)]));
  g = o;
  g.degree = degree;
  g.value = @(x) chebyshev (degree, (x - c) / e);
  g.inverse = @(y) c + e * argument (degree, y);
  g.merit = @(y) y;
  if (base.merit (-1) == base.merit (1))
    g.merit = @abs;
  endif
  ## A residual of the polynomial is at least that of the operator times the slope of a secant.
  g.tol = max (base.tol, 40 * unit);
  slope = @(y) max (abs (y) - 1, 0.1) ./ (abs (e) * (1 + abs (argument (degree, y))));
  g.scale = @(y, largest) base.scale (g.inverse (y), norm_of) .* slope (y);
  ## Rounding errors of the operator, times the derivative.
  g.noise = @(y) (4 * unit * norm_of + base.noise (norm_of)) / abs (e) * derivative (degree, y);
  op = base.op;
  g.errors = @(v, y) base.errors (v, rayleigh (op, v));

  twice = @(x) (op (x) - c * x) * (2 / e);
  if (isfield (base, "shifted") && ! isempty (base.shifted))
    twice = base.shifted (c, 2 / e);
  endif
  g.op = @(x) polynomial (twice, x, degree);
  is_magnified = @(d) degree * growth (max (base.merit (d)), a, b) > largest;
  g.without = @(v, d) without (g.op, twice, degree, v, 2 * (d - c) / e, is_magnified (d));

endfunction

## OP, the polynomial of TWICE, or if IS_MAGNIFIED that of TWICE without the eigenvectors V, whose
## eigenvalues D become 0.
function op = without (op, twice, degree, v, d, is_magnified)
  if (is_magnified)
    rest = @(x) twice (x) - v * (d .* __h_times__ (v, x));
    op = @(x) polynomial (rest, x, degree);
  endif
endfunction

## In units of SIDE, the sign of the wanted Ritz values THETA or of their merit: the interval from A to B, of the
## unwanted ones, and the wanted one that is next to it.  ENDS are bounds of the spectrum.
function [side, a, b, wanted] = interval (o, theta, r, ends)
  wanted = o.merit (theta(r.wanted));
  b = o.merit (theta(r.kept+1));
  side = sign (o.merit (1) - o.merit (-1));
  if (side == 0)
    side = sign (theta(1));
    a = max (min (side * [theta; ends(:)]), -b);
  else
    a = min (side * [theta; ends(:)]);
  endif
endfunction

## The logarithm of what a step of a Chebyshev iteration for the interval from A to B multiplies at X > B.
function rate = growth (x, a, b)
  rate = acosh (max (1 + 2 * (x - b) / (b - a), 1));
endfunction

function y = polynomial (twice, x, degree)
  y = 0.5 * twice (x);
  for j = 2:degree
    z = twice (y) - x;
    x = y;
    y = z;
  endfor
endfunction

function y = chebyshev (degree, t)
  y = cos (degree * acos (max (min (t, 1), -1)));
  is_out = abs (t) > 1;
  y(is_out) = sign (t(is_out)) .* min (cosh (degree * acosh (abs (t(is_out)))), 1e30);
endfunction

## Where the Chebyshev polynomial has the value Y, if this is of modulus 1 or more.
function t = argument (degree, y)
  t = sign (y) .* cosh (acosh (max (abs (y), 1)) / degree);
endfunction

function d = derivative (degree, y)
  a = max (acosh (max (abs (y), 1)), 1) / degree;
  d = degree * sinh (degree * a) ./ sinh (a);
endfunction

function d = rayleigh (op, v)
  d = real (gather (sum (conj (v) .* op (v), 1))).';
endfunction
