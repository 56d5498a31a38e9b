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
  varargout = __replace__ ("schur", 2, nargout, varargin);
endfunction
