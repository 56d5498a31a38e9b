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

function [U, S] = schur (varargin)

  persistent least;
  ## The package's folder may be off the path.
  if (isempty (least) && exist ("__gpueig__") == 3)
    [~, least] = __gpueig__ ("replace-from", "schur");
  endif
  large = nargin > 0 && ! isempty (least) && numel (varargin{1}) >= least ...
          && exist ("__gpueig__") == 3;
  if (large && isfloat (varargin{1}) && ! all (isfinite (varargin{1}(:))))
    ## LAPACK's iteration may never end.
    error ("gpueig:nonfinite", "schur: matrix contains Inf or NaN values");
  endif
  if (nargout < 2)
    if (large)
      [failed, U] = __gpueig__ ("replace", 1, "schur", varargin{:});
    endif
    if ((! large || failed) && nargout == 1)
      U = builtin ("schur", varargin{:});
    elseif (! large || failed)
      builtin ("schur", varargin{:});
      if (exist ("ans", "var"))  # there is none for an unknown option
        U = ans;
      endif
    endif
  else
    if (large)
      [failed, U, S] = __gpueig__ ("replace", 2, "schur", varargin{:});
    endif
    if (! large || failed)
      [U, S] = builtin ("schur", varargin{:});
    endif
  endif

endfunction
