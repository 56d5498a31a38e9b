## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} sqrtm (@var{A})
## @deftypefnx {} {[@var{X}, @var{err}] =} sqrtm (@var{A})
## Square root of a matrix.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_sqrtm} for full matrices that are not small, and Octave's @code{sqrtm} for
## everything else.
## @seealso{gpu_sqrtm, gpu_replace}
## @end deftypefn

function varargout = sqrtm (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("sqrtm");
  endif
  n = nargout + ! nargout;
  if (nargin == 1 && nargout < 2 && numel (varargin{1}) >= least && exist ("__gpueig__") == 3)
    if (isfloat (varargin{1}) && ! all (isfinite (varargin{1}(:))))
      ## LAPACK's Schur form may never end.
      error ("gpueig:nonfinite", "sqrtm: matrix contains Inf or NaN values");
    endif
    [failed, varargout{1:n}] = __gpueig__ ("replace", n, "sqrtm", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  [varargout{1:n}] = builtin ("sqrtm", varargin{:});

endfunction
