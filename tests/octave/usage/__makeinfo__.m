## In place of Octave's: texts of usages as they are, without a process of makeinfo for each.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [text, status] = __makeinfo__ (text, varargin)
  status = 0;
endfunction
