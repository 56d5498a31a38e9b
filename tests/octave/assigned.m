## X after X(INDEX, ...) = VALUE, for anonymous functions.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function x = assigned (x, value, varargin)
  x(varargin{:}) = value;
endfunction
