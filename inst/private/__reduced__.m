## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __reduced__ (@var{name}, @var{A}, @var{dim}, @dots{})
## Operation @var{name} of the array @var{A}, along @var{dim}; by Octave for other arguments, and
## where the gateway returns [].
## @end deftypefn

function r = __reduced__ (name, a, dim, varargin)

  r = [];
  if (nargin == 2)
    r = __array__ (name, name, a);
  elseif (nargin == 3 && isnumeric (dim) && isscalar (dim))
    r = __array__ (name, name, a, dim);
  endif
  if (! isobject (r) && isempty (r))
    args = {a};
    if (nargin > 2), args = [{a, dim}, varargin]; endif
    r = __on_host__ (name, 1, args);
  endif

endfunction
