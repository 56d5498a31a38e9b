## The outputs of f (p) for COUNT pages.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [X, Y, Z] = loop (f, count)
  for p = count:-1:1
    switch (nargout)
      case 1
        X(:,:,p) = f (p);
      case 2
        [X(:,:,p), Y(:,:,p)] = f (p);
      otherwise
        [X(:,:,p), Y(:,:,p), Z(:,:,p)] = f (p);
    endswitch
  endfor
endfunction
