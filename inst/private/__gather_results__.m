## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING
## varargout = __gather_results__ (f, varargin)
## The results of the user's function F, none of which stays an array.

function varargout = __gather_results__ (f, varargin)

  [varargout{1:nargout}] = f (varargin{:});
  for i = 1:nargout
    varargout{i} = gather (varargout{i});
  endfor

endfunction
