## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gather (@var{G})
## @deftypefnx {} {[@var{X}, @var{Y}, @dots{}] =} gather (@var{G}, @var{H}, @dots{})
## Copy a @code{gpu_array} from the GPU to an array of Octave.
##
## @example
## @group
## gather (2 * gpu_array ([1, 2]))
##   @result{} [2 4]
## @end group
## @end example
##
## @code{gather} waits until the operations that compute @var{G} are done.  A complex array
## whose imaginary parts are all zero becomes real.  Other values are returned as they are,
## so that a function can be called with arrays of both kinds.
##
## @seealso{gpu_array}
## @end deftypefn

function varargout = gather (varargin)

  if (nargin == 0 || nargout > nargin)
    print_usage ();
  endif
  varargout = varargin;  # arrays have a method

endfunction

%!demo
%! G = gpu_array (magic (4));
%! G = G * G'            # on the GPU, or in host memory where there is none
%! gather (G(1,:))       # an array of Octave

%!assert (gather ([1, 2]), [1, 2])
%!assert (gather (gpu_array (single ([1, 2; 3, 4]))), single ([1, 2; 3, 4]))
%!assert (class (gather (gpu_array (single (1)))), "single")
%!assert (gather (gpu_array ([1, 2i])), [1, 2i])
%!test
%! [x, y, z] = gather (gpu_array ([1, 2]), 3, gpu_array ([4; 5]));
%! assert ({x, y, z}, {[1, 2], 3, [4; 5]});
%!error <Invalid call> gather ()
