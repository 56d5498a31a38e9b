## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} eig_page (@var{A}, @var{p})
## What users of @code{eig} do with page @var{p} of a stack in their loops.
## @end deftypefn

function eig_page (A, p)

  [~, ~] = eig (A(:,:,p), "vector");

endfunction
