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

function varargout = sqrtm (varargin)
  varargout = __replace__ ("sqrtm", 2, nargout, varargin);
endfunction
