## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} isaUnderlying (@var{X}, @var{name})
## Whether the elements of @var{X} are of the class @var{name}, or of the kind @qcode{"float"},
## @qcode{"integer"} or @qcode{"numeric"}.
##
## @example
## @group
## isaUnderlying (gpuArray ([1, 2]), "float")
##   @result{} true
## @end group
## @end example
##
## @seealso{underlyingType, isUnderlyingType}
## @end deftypefn

function tf = isaUnderlying (X, name)

  if (nargin != 2)
    print_usage ();
  endif
  tf = isUnderlyingType (X, name) || (any (strcmp (name, {"float", "integer", "numeric"})) && isa (X, name));

endfunction

%!assert (isaUnderlying (gpuArray ([1, 2]), "float") && ! isaUnderlying (gpuArray ([1, 2]), "gpuArray"))
%!assert (isaUnderlying (gpuArray (int8 ([1, 2])), "integer") && isaUnderlying (2, "double"))
%!error <Invalid call> isaUnderlying (1)
