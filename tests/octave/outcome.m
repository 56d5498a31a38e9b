## What F of the arguments gives, in a cell row to compare: the class, the storage, the size and the value
## of the result in host memory, or what its error is.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function r = outcome (f, varargin)
  try
    r = gather (f (varargin{:}));
    r = {class(r), issparse(r), size(r), r};
  catch err
    r = {merge(isempty (err.identifier), err.message, err.identifier)};
  end_try_catch
endfunction
