## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} existsOnGPU (@var{X})
## Whether @var{X} is an array of @code{gpu_array} whose elements are there: those on a GPU that a
## fault has made unusable are lost.
##
## @example
## @group
## existsOnGPU (gpuArray ([1, 2]))
##   @result{} true
## @end group
## @end example
##
## @seealso{gpu_array, isgpuarray, wait}
## @end deftypefn

function tf = existsOnGPU (X)

  if (nargin != 1)
    print_usage ();
  endif
  tf = isa (X, "gpuArray");
  if (tf)
    try
      wait (X);
    catch
      tf = false;
    end_try_catch
  endif

endfunction

%!assert ([existsOnGPU(gpuArray ([1, 2])), existsOnGPU([1, 2])], [true, false])
%!error <Invalid call> existsOnGPU ()
