## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{residual}, @var{orthogonality}] =} ratios (@var{A}, @var{V}, @var{lambda})
## LAPACK's test ratios of a symmetric eigenproblem, 1-norms in units of
## n*eps: what is below 10 is right.
## @end deftypefn

function [residual, orthogonality] = ratios (A, V, lambda)
  unit = rows (A) * eps (class (V));
  residual = norm (A*V - V .* lambda(:).', 1) / (norm (A, 1) * unit);
  orthogonality = norm (V'*V - eye (columns (V)), 1) / unit;
endfunction
