## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __pages__ (@var{f}, @var{A}, @var{B})
## @code{@var{f} (A(:,:,k), B(:,:,k))} for all pages, further dimensions of 1 being repeated;
## @var{B} may be left out.
## @end deftypefn

function r = __pages__ (f, a, b)

  dims = size (a)(3:end);
  at = reshape (1:prod (dims), [dims, 1, 1]);
  if (nargin > 2)
    of_b = size (b)(3:end);
    of_b = reshape (1:prod (of_b), [of_b, 1, 1]);
    [at, of_b] = deal (at + 0 * of_b, of_b + 0 * at);
  endif
  x = cell (size (at));
  for k = 1:numel (at)
    if (nargin > 2)
      x{k} = f (a(:,:,at(k)), b(:,:,of_b(k)));
    else
      x{k} = f (a(:,:,k));
    endif
  endfor
  if (isempty (x))
    x = {eye(size (a)(1:2)), []};
    if (nargin > 2), x{2} = ones (rows (b), columns (b)); endif
    r = zeros ([size(f (x{1:nargin-1})), size(at)]);
  elseif (isscalar (x))
    r = x{1};
  else
    r = reshape (cat (3, x{:}), [size(x{1}), size(at)]);
  endif

endfunction
