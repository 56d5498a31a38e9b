## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{lambda} =} eig (@var{A})
## @deftypefnx {} {@var{lambda} =} eig (@var{A}, @var{B})
## @deftypefnx {} {[@var{V}, @var{lambda}] =} eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{lambda}] =} eig (@var{A}, @var{B})
## @deftypefnx {} {[@var{V}, @var{lambda}, @var{W}] =} eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{lambda}, @var{W}] =} eig (@var{A}, @var{B})
## @deftypefnx {} {[@dots{}] =} eig (@var{A}, @var{balanceOption})
## @deftypefnx {} {[@dots{}] =} eig (@var{A}, @var{B}, @var{algorithm})
## @deftypefnx {} {[@dots{}] =} eig (@dots{}, @var{eigvalOption})
## Eigenvalues and eigenvectors.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_eig} for full matrices, and symmetric definite pairs of them, for which that
## is faster, and Octave's @code{eig} for everything else.
## @seealso{gpu_eig, gpu_replace}
## @end deftypefn

function [V, D, W] = eig (varargin)

  persistent least;
  ## The package's folder may be off the path.
  if (isempty (least) && exist ("__gpueig__") == 3)
    [~, least] = __gpueig__ ("replace-from", "eig");
  endif
  large = nargin > 0 && ! isempty (least) && numel (varargin{1}) >= least ...
          && exist ("__gpueig__") == 3;
  if (nargout < 2)
    if (large)
      [failed, V] = __gpueig__ ("replace", 1, "eig", varargin{:});
    endif
    if (! large || failed)
      V = builtin ("eig", varargin{:});
    endif
  elseif (nargout == 2)
    if (large)
      [failed, V, D] = __gpueig__ ("replace", 2, "eig", varargin{:});
    endif
    if (! large || failed)
      [V, D] = builtin ("eig", varargin{:});
    endif
  else
    if (large)
      [failed, V, D, W] = __gpueig__ ("replace", 3, "eig", varargin{:});
    endif
    if (! large || failed)
      [V, D, W] = builtin ("eig", varargin{:});
    endif
  endif

endfunction
