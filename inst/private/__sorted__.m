## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{s}, @var{i}] =} __sorted__ (@var{A}, @var{dim}, @var{mode})
## The function @code{sort} of arrays; both arguments after the first may be left out.
## @end deftypefn

function [s, i] = __sorted__ (a, varargin)

  args = varargin;
  down = false;
  known = nargin == 1;
  if (! known && ischar (args{end}))
    down = strcmp (args{end}, "descend");
    known = down || strcmp (args{end}, "ascend");
    args(end) = [];
  elseif (! known)
    known = true;
  endif
  if (! isempty (args))
    dim = args{1};
    known = known && numel (args) == 1 && isnumeric (dim) && isscalar (dim) && dim >= 1 ...
            && dim == fix (dim) && (nargout < 2 || dim <= ndims (a));
  endif
  n = max (nargout, 1);
  if (! known || isempty (a))
    out = cell (1, n);
    [out{:}] = __on_host__ ("sort", 1, [{a}, varargin]);
    [s, i] = [out, {[]}]{1:2};
    return;
  endif
  out = cell (1, n);
  [out{:}] = __array__ ("sort", "sort", a, double (down), args{:});
  [s, i] = [out, {[]}]{1:2};

endfunction
