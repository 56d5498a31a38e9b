## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} isgpuarray (@var{X})
## Whether @var{X} is an array of @code{gpu_array}.
##
## @example
## @group
## [isgpuarray(gpuArray ([1, 2])), isgpuarray([1, 2])]
##   @result{} [true, false]
## @end group
## @end example
##
## Results of one element, truth values of comparisons and indices are values of Octave.
##
## @seealso{gpu_array, existsOnGPU, isUnderlyingType}
## @end deftypefn

function tf = isgpuarray (X)

  if (nargin != 1)
    print_usage ();
  endif
  tf = isa (X, "gpuArray");

endfunction

%!assert ([isgpuarray(gpuArray ([1, 2])), isgpuarray(gpuArray (true)), isgpuarray([1, 2])], [true, true, false])
%!assert (isgpuArray (gpuArray (1)) && ! isgpuArray ("gpuArray"))
%!error <Invalid call> isgpuarray ()
