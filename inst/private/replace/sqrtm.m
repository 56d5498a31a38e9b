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

function [X, err] = sqrtm (varargin)

  persistent least;
  ## The package's folder may be off the path.
  if (isempty (least) && exist ("__gpueig__") == 3)
    [~, least] = __gpueig__ ("replace-from", "sqrtm");
  endif
  large = nargin == 1 && nargout < 2 && ! isempty (least) && numel (varargin{1}) >= least ...
          && exist ("__gpueig__") == 3;
  if (large && isfloat (varargin{1}) && ! all (isfinite (varargin{1}(:))))
    ## LAPACK's Schur form may never end.
    error ("gpueig:nonfinite", "sqrtm: matrix contains Inf or NaN values");
  endif
  if (large)
    [failed, X] = __gpueig__ ("replace", 1, "sqrtm", varargin{:});
  endif
  if (nargout > 1)
    [X, err] = builtin ("sqrtm", varargin{:});
  elseif (! large || failed)
    X = builtin ("sqrtm", varargin{:});
  endif

endfunction
