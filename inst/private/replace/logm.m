## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} logm (@var{A})
## @deftypefnx {} {[@var{X}, @var{iters}] =} logm (@dots{})
## Logarithm of a matrix.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_logm} for full matrices, and Octave's @code{logm}, with the folder of this file off
## the path, for everything else.
## @seealso{gpu_logm, gpu_replace}
## @end deftypefn

function varargout = logm (varargin)

  ## The package's folder may be off the path.
  mine = nargin == 1 && nargout < 2 && isfloat (varargin{1}) && numel (varargin{1}) > 1 ...
         && exist ("__gpueig__") == 3;
  if (mine && ! all (isfinite (varargin{1}(:))))
    ## Octave's loop may never end.
    error ("gpueig:nonfinite", "logm: matrix contains Inf or NaN values");
  endif
  if (mine)
    [failed, varargout{1}] = __gpueig__ ("replace", 1, "logm", varargin{:});
  endif
  if (! mine || failed)
    ## Octave's sets the second output for some matrices only.
    f = __original__ ("logm");
    [varargout{1:max (nargout, 1)}] = f (varargin{:});
  endif

endfunction
