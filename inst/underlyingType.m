## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{name} =} underlyingType (@var{X})
## The class of the elements of @var{X}: that of a @code{gpu_array}'s numbers, otherwise
## @code{class (@var{X})}.
##
## @example
## @group
## underlyingType (gpu_array (single ([1, 2])))
##   @result{} "single"
## @end group
## @end example
##
## @seealso{gpu_array, class}
## @end deftypefn

function name = underlyingType (X)

  if (nargin != 1)
    print_usage ();
  endif
  name = class (X);

endfunction

%!assert (underlyingType (gpu_array (single ([1, 2]))), "single")
%!assert (underlyingType (int8 (1)), "int8")
%!error <Invalid call> underlyingType ()
