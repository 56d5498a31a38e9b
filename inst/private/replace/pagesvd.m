## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} pagesvd (@var{X})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} pagesvd (@var{X})
## @deftypefnx {} {[@dots{}] =} pagesvd (@var{X}, "econ")
## @deftypefnx {} {[@dots{}] =} pagesvd (@dots{}, @var{outputForm})
## Singular value decomposition of every page of an array, as MATLAB's function, by
## @code{gpu_svd}; there while @code{gpu_replace} is on.
##
## @var{outputForm} is @qcode{"vector"} or @qcode{"matrix"}.
## @seealso{gpu_svd, gpu_replace}
## @end deftypefn

function [U, S, V] = pagesvd (X, varargin)

  if (nargin < 1 || nargin > 3)
    print_usage ();
  endif
  for k = 1:numel (varargin)
    if (! any (strcmp (varargin{k}, {"econ", "vector", "matrix"})))
      error ("Octave:invalid-input-arg",
             "pagesvd: options are \"econ\", \"vector\" and \"matrix\"");
    endif
  endfor
  if (nargout < 2)
    U = gpu_svd (X, varargin{:});
  else
    [U, S, V] = gpu_svd (X, varargin{:});
  endif

endfunction
