## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} __gpueig_raise__ (@var{caller}, @var{failure})
## @deftypefnx {} {} __gpueig_raise__ (@var{caller}, @var{failure}, @var{info})
## The one place where a status of the library becomes an error or a warning.
##
## @var{failure} is the first output of @code{__gpueig__}: empty, or a struct.
## @var{info} raises the warning @code{gpueig:fallback} where another solver
## finished the job.  An interrupt is left to Octave, which raises it itself.
## @end deftypefn

function __gpueig_raise__ (caller, failure, info = [])

  if (! isempty (failure))
    if (strcmp (failure.identifier, "gpueig:no-convergence"))
      warning (failure.identifier, "%s: %s", caller, failure.message);
    else
      error (failure.identifier, "%s: %s", caller, failure.message);
    endif
  endif
  ## A GPU that failed in an "auto" call is no news about the matrix: info says
  ## it, no warning does.
  if (isstruct (info) && ! isempty (info.fallback)
      && ! strcmp (info.fallback, "cpu"))
    warning ("gpueig:fallback",
             "%s: method \"%s\" cannot serve this matrix, %s finished the job",
             caller, info.method, info.fallback);
  endif

endfunction
