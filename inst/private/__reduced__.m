## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __reduced__ (@var{name}, @var{A}, @var{dim}, @dots{})
## Operation @var{name} of the array @var{A}, along @var{dim}; by Octave for other arguments, and
## where the gateway returns [].
## @end deftypefn

function r = __reduced__ (name, a, dim, varargin)

  r = failed = [];
  if (nargin == 2)
    [failed, r] = __gpueig__ ("array", 1, name, a);
  elseif (nargin == 3 && isnumeric (dim) && isscalar (dim))
    [failed, r] = __gpueig__ ("array", 1, name, a, dim);
  endif
  if (isinteger (r))
    r = __gpu_array__.of (r);
  elseif (isempty (r) && ! any (failed))
    args = {a};
    if (nargin > 2), args = [{a, dim}, varargin]; endif
    r = __on_host__ (name, 1, args);
  endif
  if (any (failed)), __gpueig_raise__ (name); endif

endfunction
