## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} isUnderlyingType (@var{X}, @var{name})
## Whether the elements of @var{X} are of the class @var{name}.
##
## @example
## @group
## isUnderlyingType (gpuArray (single ([1, 2])), "single")
##   @result{} true
## @end group
## @end example
##
## @seealso{underlyingType, isaUnderlying}
## @end deftypefn

function tf = isUnderlyingType (X, name)

  if (nargin != 2)
    print_usage ();
  endif
  tf = strcmp (underlyingType (X), name);

endfunction

%!assert (isUnderlyingType (gpuArray (single ([1, 2])), "single"))
%!assert (isUnderlyingType (int8 (1), "int8") && ! isUnderlyingType (1, "float"))
%!error <Invalid call> isUnderlyingType (1)
