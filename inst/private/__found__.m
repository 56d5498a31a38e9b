## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{i}, @var{j}, @var{v}] =} __found__ (@var{A}, @var{n}, @var{direction})
## The function @code{find} of arrays.
## @end deftypefn

function varargout = __found__ (a, n, direction)

  dims = size (a);
  if (numel (a) < 2 || (nargin > 1 && ! (isnumeric (n) && isscalar (n) && n >= 1 && n == fix (n)))
      || (nargin > 2 && ! any (strcmp (direction, {"first", "last"}))))
    args = {a};
    if (nargin > 1), args{2} = n; endif
    if (nargin > 2), args{3} = direction; endif
    [varargout{1:max(nargout, 1)}] = __on_host__ ("find", 0, args);
    return;
  endif
  at = __array__ ("find", "find", a);
  if (nargin > 2 && direction(1) == "l")
    at = at(max (1, end - n + 1):end);
  elseif (nargin > 1)
    at = at(1:min (n, end));
  endif
  if (dims(1) == 1 && numel (dims) == 2)
    at = at.';
  endif
  varargout{1} = at;
  if (nargout > 1)
    varargout = {mod(at - 1, dims(1)) + 1, floor((at - 1) / dims(1)) + 1};
  endif
  if (nargout > 2)
    varargout{3} = gather (a(at));
  endif

endfunction
