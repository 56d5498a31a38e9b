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

function varargout = eig (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("eig");
  endif
  n = nargout + ! nargout;
  if (nargin > 0 && numel (varargin{1}) >= least && exist ("__gpueig__") == 3)
    [failed, varargout{1:n}] = __gpueig__ ("replace", n, "eig", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  [varargout{1:n}] = builtin ("eig", varargin{:});

endfunction
