## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{name} =} classUnderlying (@var{X})
## The class of the elements of @var{X}: @code{underlyingType (@var{X})} under its former name.
##
## @example
## @group
## classUnderlying (gpuArray (single ([1, 2])))
##   @result{} "single"
## @end group
## @end example
##
## @seealso{underlyingType, isaUnderlying}
## @end deftypefn

function name = classUnderlying (X)

  if (nargin != 1)
    print_usage ();
  endif
  name = underlyingType (X);

endfunction

%!assert ({classUnderlying(gpuArray (single ([1, 2]))), classUnderlying(true)}, {"single", "logical"})
%!error <Invalid call> classUnderlying ()
