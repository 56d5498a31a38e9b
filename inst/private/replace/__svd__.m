## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __svd__ (@dots{})
## @code{svd} of the classes double and single, see there.
## @end deftypefn

function varargout = __svd__ (varargin)

  persistent least = 0;
  if (! least)
    least = __least__ ("svd");
  endif
  n = nargout + ! nargout;
  if (nargin > 0 && numel (varargin{1}) >= least && ! strcmp (svd_driver (), "gejsv") ...
      && exist ("__gpueig__") == 3)
    [failed, varargout{1:n}] = __gpueig__ ("replace", n, "svd", varargin{:});
    if (isempty (failed))
      return;
    endif
  endif
  [varargout{1:n}] = builtin ("svd", varargin{:});

endfunction
