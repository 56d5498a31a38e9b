## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Octave's save, which opens the file before it finds that it cannot store an object: it is not
## called for a gpu_array, also in a cell, a struct or a function handle.

function varargout = save (varargin)

  words = varargin(cellfun (@ischar, varargin));
  of_struct = any (strcmp (words, "-struct"));
  words = words(! strncmp (words, "-", 1) | strcmp (words, "-"));
  names = words(2:end);
  if (of_struct)
    names = names(1:min (1, end));
  elseif (iscellstr (varargin))
    names = evalin ("caller", sprintf ("who (%s)", quoted (names)));
  endif
  for name = names(:)'
    if (has_array (evalin ("caller", name{1}, "[]")))
      error ("gpueig:wrong-type", "save: %s is a gpu_array or has one: save gather (%s)", name{1}, name{1});
    endif
  endfor
  [varargout{1:nargout}] = evalin ("caller", sprintf ("builtin (\"save\", %s)", quoted (varargin)));

endfunction

function text = quoted (words)
  text = strjoin (cellfun (@(w) ["'", strrep(w, "'", "''"), "'"], words, "uniformoutput", false), ", ");
endfunction

function has = has_array (x)
  if (is_function_handle (x))
    x = functions (x);
  endif
  if (isstruct (x))
    x = struct2cell (x);
  endif
  has = isa (x, "gpu_array") || (iscell (x) && any (cellfun (@has_array, x)(:)));
endfunction
