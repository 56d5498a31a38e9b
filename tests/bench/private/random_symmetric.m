## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function A = random_symmetric (n)
  A = randn (n);
  A += A';
endfunction
