## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} svd (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} svd (@var{A}, @dots{})
## Singular value decomposition.
##
## This function stands for Octave's own while @code{gpu_replace} is on, for matrices of other classes
## than double and single, and in @code{which svd} and @code{help svd} for those in the folders
## @file{@@double} and @file{@@single}.
## @seealso{gpu_svd, gpu_replace}
## @end deftypefn

function varargout = svd (varargin)
  [varargout{1:max (nargout, 1)}] = __svd__ (varargin{:});
endfunction
