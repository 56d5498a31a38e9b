## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} svd (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} svd (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} svd (@var{A}, "econ")
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} svd (@var{A}, 0)
## Singular value decomposition.
##
## This function stands for Octave's own while @code{gpu_replace} is on.  It calls
## @code{gpu_svd} for full matrices that are not small, unless @code{svd_driver} is
## @qcode{"gejsv"}, and Octave's @code{svd} for everything else.
## @seealso{gpu_svd, gpu_replace}
## @end deftypefn

## Octave has its own svd for the classes double and single, in place of which only a
## function in a folder of the class is called.
function varargout = svd (varargin)
  [varargout{1:max (nargout, 1)}] = __svd__ (varargin{:});
endfunction
