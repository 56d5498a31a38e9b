## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{D} =} pageeig (@var{X})
## @deftypefnx {} {[@var{V}, @var{D}] =} pageeig (@var{X})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} pageeig (@var{X})
## @deftypefnx {} {[@dots{}] =} pageeig (@var{X}, @var{balanceOption})
## @deftypefnx {} {[@dots{}] =} pageeig (@dots{}, @var{outputForm})
## Eigenvalues and eigenvectors of every page of an array, as MATLAB's function, by
## @code{gpu_eig}; there while @code{gpu_replace} is on.
##
## @var{balanceOption} is @qcode{"balance"} (default) or @qcode{"nobalance"},
## @var{outputForm} @qcode{"vector"} or @qcode{"matrix"}.
## @seealso{gpu_eig, gpu_replace}
## @end deftypefn

function [V, D, W] = pageeig (X, varargin)

  if (nargin < 1 || nargin > 3)
    print_usage ();
  endif
  for k = 1:numel (varargin)
    if (! any (strcmp (varargin{k}, {"balance", "nobalance", "vector", "matrix"})))
      error ("Octave:invalid-input-arg",
             "pageeig: options are \"balance\", \"nobalance\", \"vector\" and \"matrix\"");
    endif
  endfor
  if (nargout < 2)
    V = gpu_eig (X, varargin{:});
  elseif (nargout == 2)
    [V, D] = gpu_eig (X, varargin{:});
  else
    [V, D, W] = gpu_eig (X, varargin{:});
  endif

endfunction
