## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{x} =} __random_block__ (@var{n}, @var{b}, @var{like}, @var{seed})
## An @var{n}-by-@var{b} matrix of normally distributed numbers, with columns of norm about 1, that
## depends on @var{seed} alone, of the class and in the place of @var{like}, and complex as that.
## @end deftypefn

function x = __random_block__ (n, b, like, seed)

  old = randn ("state");
  randn ("state", 1 + seed);
  x = randn (n, b) / sqrt (n);
  if (iscomplex (like))
    x = complex (x, randn (n, b) / sqrt (n));
  endif
  randn ("state", old);
  x = __in_array__ (cast (x, underlyingType (like)), like);

endfunction
