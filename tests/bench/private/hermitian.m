## Pages of A plus their adjoints.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function A = hermitian (A)
  A += conj (permute (A, [2, 1, 3]));
endfunction
