## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} __gpueig_raise__ (@var{caller}, @var{failure})
## The one place where a status of the library becomes an error or a warning.
##
## @var{failure} is the first output of @code{__gpueig__}: empty, or a struct
## array with the fields @code{identifier} and @code{message}.  An interrupt is
## left to Octave, which raises it itself.
## @end deftypefn

function __gpueig_raise__ (caller, failure)

  persistent warnings = {"gpueig:no-convergence", "gpueig:fallback", ...
                        "gpueig:device-lost"};
  for i = 1:numel (failure)
    id = failure(i).identifier;
    if (any (strcmp (id, warnings)))
      warning (id, "%s: %s", caller, failure(i).message);
    else
      error (id, "%s: %s", caller, failure(i).message);
    endif
  endfor

endfunction
