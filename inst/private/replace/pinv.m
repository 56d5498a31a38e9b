## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} pinv (@var{A})
## @deftypefnx {} {@var{X} =} pinv (@var{A}, @var{tol})
## Pseudoinverse of a matrix.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_pinv} for full matrices that are not small, and Octave's @code{pinv} for
## everything else.
## @seealso{gpu_pinv, gpu_replace}
## @end deftypefn

function X = pinv (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("pinv");
  endif
  if (nargin > 0 && numel (varargin{1}) >= least && exist ("__gpueig__") == 3)
    [failed, X] = __gpueig__ ("replace", 1, "pinv", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  X = builtin ("pinv", varargin{:});

endfunction
