## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __transformed__ (@var{name}, @var{A}, @var{n}, @var{dim})
## The transform @code{fft}, @code{ifft}, @code{fft2} or @code{ifft2} of the array @var{A}, by Octave for other arguments
## and where there is no library for it.
## @end deftypefn

function r = __transformed__ (name, a, n, dim)

  if (name(end) == "2" && nargin == 2 && numel (a) > 1)
    r = __transformed__ (name(1:end-1), __transformed__ (name(1:end-1), a, [], 1), [], 2);
    return;
  endif
  args = {};
  if (nargin > 2), args{1} = n; endif
  if (nargin > 3), args{2} = dim; endif
  known = isobject (a) && name(end) != "2" && all (cellfun (@(x) isnumeric (x) && ! isobject (x) && (isscalar (x) || isempty (x)) ...
                                             && all (x >= 1 & x == fix (x)), args));
  if (! known || (nargin > 3 && isempty (dim)))
    r = __array__ (name, "host", 1, a, args{:});
    return;
  endif
  if (nargin > 2 && isempty (n)), args{1} = -1; endif
  r = __array__ (name, name, a, args{:});
  if (! isobject (r) && isempty (r))
    if (nargin > 2), args{1} = n; endif
    r = __array__ (name, "host", 1, a, args{:});
  endif

endfunction
