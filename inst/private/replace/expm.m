## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} expm (@var{A})
## Exponential of a matrix.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_expm} for full matrices, and Octave's @code{expm}, with the folder of this file off
## the path, for everything else.
## @seealso{gpu_expm, gpu_replace}
## @end deftypefn

function X = expm (varargin)

  ## The package's folder may be off the path.
  mine = nargin == 1 && nargout < 2 && isfloat (varargin{1}) && numel (varargin{1}) > 1 ...
         && exist ("__gpueig__") == 3;
  if (mine)
    [failed, X] = __gpueig__ ("replace", 1, "expm", varargin{:});
  endif
  if (! mine || failed)
    f = __original__ ("expm");
    X = f (varargin{:});
  endif

endfunction
