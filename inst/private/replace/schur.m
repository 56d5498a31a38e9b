## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{S} =} schur (@var{A})
## @deftypefnx {} {@var{S} =} schur (@var{A}, "real")
## @deftypefnx {} {@var{S} =} schur (@var{A}, "complex")
## @deftypefnx {} {@var{S} =} schur (@var{A}, @var{opt})
## @deftypefnx {} {[@var{U}, @var{S}] =} schur (@dots{})
## Schur decomposition.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  Where there is a
## GPU, it calls @code{gpu_schur} for large full matrices without ordering, and Octave's
## @code{schur} for everything else.
## @seealso{gpu_schur, gpu_replace}
## @end deftypefn

function varargout = schur (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("schur");
  endif
  n = nargout + ! nargout;
  if (nargin > 0 && numel (varargin{1}) >= least && exist ("__gpueig__") == 3)
    if (isfloat (varargin{1}) && ! all (isfinite (varargin{1}(:))))
      ## LAPACK's iteration may never end.
      error ("gpueig:nonfinite", "schur: matrix contains Inf or NaN values");
    endif
    [failed, varargout{1:n}] = __gpueig__ ("replace", n, "schur", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  if (nargout > 0)
    [varargout{1:n}] = builtin ("schur", varargin{:});
  else
    builtin ("schur", varargin{:});
    if (exist ("ans", "var"))  # there is none for an unknown option
      varargout{1} = ans;
    endif
  endif

endfunction
