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
  varargout = __replace__ ("logm", 2, nargout, varargin);
endfunction
