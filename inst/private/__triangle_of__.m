## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{R}, @var{p}, @var{Q}] =} __triangle_of__ (@var{A})
## @code{A(:,p) = Q*R} with orthonormal columns of @var{Q}, which is empty for a sparse @var{A}, and
## @var{R} square.
## @end deftypefn

function [R, p, Q] = __triangle_of__ (A)
  p = 1:columns (A);
  Q = [];
  if (! isobject (A) || issparse (A)), A = gather (A); endif
  if (issparse (A))
    p = colamd (A);
    R = qr (A(:,p), 0)(1:columns (A),:);
  else
    [Q, R] = qr (A, 0);
  endif
endfunction
