## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{G} =} gpuArray (@var{X}, @dots{})
## The same as @code{gpu_array}, under the name that other programs use.
##
## @example
## @group
## G = gpuArray ([1, 2]);
## gather (3 * G)
##   @result{} [3 6]
## @end group
## @end example
##
## @seealso{gpu_array, gather}
## @end deftypefn

function G = gpuArray (varargin)

  G = gpu_array (varargin{:});

endfunction

%!demo
%! gpuArray (magic (4)) * 2

%!assert (class (gpuArray (1)), "gpuArray")
%!error <Invalid call> gpuArray ()
