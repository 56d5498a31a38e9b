## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} eig_page (@var{A}, @var{p})
## Eigenvectors of page @var{p} of a stack by @code{eig}, as in a user's loop.
## @end deftypefn

function eig_page (A, p)

  [~, ~] = eig (A(:,:,p), "vector");

endfunction
