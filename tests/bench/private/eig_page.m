## Eigenvectors of page P of a stack by eig, as in a user's loop.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function eig_page (A, p)
  [~, ~] = eig (A(:,:,p), "vector");
endfunction
