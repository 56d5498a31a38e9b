## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{A}, @var{is_finite}] =} __floating__ (@var{A})
## @var{A} of class double, unless it is single, and whether all its elements are finite.
## @end deftypefn

function [A, is_finite] = __floating__ (A)
  if (! isfloat (A) || islogical (A)), A = double (A); endif
  x = A;
  if (issparse (x)), x = nonzeros (gather (x)); endif
  is_finite = all (isfinite (x(:)));
endfunction
