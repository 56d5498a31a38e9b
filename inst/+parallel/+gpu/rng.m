## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## The random numbers of arrays, see gpurng, under a former name.

function varargout = rng (varargin)
  [varargout{1:nargout}] = gpurng (varargin{:});
endfunction
