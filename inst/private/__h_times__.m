## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{y} =} __h_times__ (@var{A}, @var{x})
## @code{@var{y} = @var{A}' * @var{x}}.  Octave makes no transpose here, but would do so in an anonymous
## function.  Of a sparse matrix the product takes less time than @code{@var{A} * @var{x}}.
## @end deftypefn

function y = __h_times__ (A, x)
  y = A' * x;
endfunction
