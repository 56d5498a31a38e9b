## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} __gpueig_raise__ (@var{failed}, @var{caller})
## Raise the errors and warnings of the last call of @code{__gpueig__}, with messages
## that name the function @var{caller}, or its usage if @var{failed}, an output of that call, is
## negative.  No other file raises a status of the library.
## Octave itself raises an interrupt.
## @end deftypefn

function __gpueig_raise__ (failed, caller)

  if (failed < 0)
    print_usage (caller);
  endif
  [~, failures] = __gpueig__ ("failures");
  for f = failures
    if (f.is_error)
      error (f.identifier, "%s: %s", caller, f.message);
    else
      warning (f.identifier, "%s: %s", caller, f.message);
    endif
  endfor

endfunction
