## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{x} =} inv (@var{A})
## @deftypefnx {} {[@var{x}, @var{rcond}] =} inv (@var{A})
## @deftypefnx {} {[@dots{}] =} inverse (@dots{})
## Inverse of a matrix.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_tdinv} for full tridiagonal matrices that are not nearly singular, if one
## output is wanted, and Octave's @code{inv} for everything else.
## @seealso{gpu_tdinv, gpu_replace}
## @end deftypefn

function [x, rcond] = inv (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("inv");
  endif
  if (nargout > 1)
    [x, rcond] = builtin ("inv", varargin{:});
    return;
  endif
  if (nargin > 0 && numel (varargin{1}) >= least && exist ("__gpueig__") == 3)
    [failed, x] = __gpueig__ ("replace", 1, "inv", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  x = builtin ("inv", varargin{:});

endfunction
