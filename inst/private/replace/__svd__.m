## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __svd__ (@dots{})
## @code{svd} of the classes double and single, see there.
## @end deftypefn

function [U, S, V] = __svd__ (varargin)

  persistent least;
  ## The package's folder may be off the path.
  if (isempty (least) && exist ("__gpueig__") == 3)
    [~, least] = __gpueig__ ("replace-from", "svd");
  endif
  large = nargin > 0 && ! isempty (least) && numel (varargin{1}) >= least ...
          && ! strcmp (svd_driver (), "gejsv") && exist ("__gpueig__") == 3;
  if (nargout < 2)
    if (large)
      [failed, U] = __gpueig__ ("replace", 1, "svd", varargin{:});
    endif
    if (! large || failed)
      U = builtin ("svd", varargin{:});
    endif
  elseif (nargout == 2)
    if (large)
      [failed, U, S] = __gpueig__ ("replace", 2, "svd", varargin{:});
    endif
    if (! large || failed)
      [U, S] = builtin ("svd", varargin{:});
    endif
  else
    if (large)
      [failed, U, S, V] = __gpueig__ ("replace", 3, "svd", varargin{:});
    endif
    if (! large || failed)
      [U, S, V] = builtin ("svd", varargin{:});
    endif
  endif

endfunction
