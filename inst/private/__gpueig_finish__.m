## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{V}, @var{D}, @var{W}] =} __gpueig_finish__ (@var{caller}, @var{rest}, @var{V}, @var{D}, @var{W})
## What a MEX file cannot do, for the function @var{caller}: raise errors and
## warnings in its name, make diagonal matrices, and let two outputs share memory.
##
## @var{rest} is the first output of @code{__gpueig__}, a sum of 1 (@var{D} becomes
## a diagonal matrix), 2 (@var{V} does), 4 (@var{W} is @var{V}) and 8 (there are
## errors or warnings).  An interrupt is left to Octave, which raises it itself.
## @end deftypefn

function [V, D, W] = __gpueig_finish__ (caller, rest, V, D, W)

  if (bitand (rest, 8))
    raise (caller);
  endif
  if (bitand (rest, 4))
    W = V;
  endif
  if (bitand (rest, 2))
    V = diag (V);
  endif
  if (bitand (rest, 1))
    D = diag (D);
  endif

endfunction

## The one place where a status of the library becomes an error or a warning.
function raise (caller)

  persistent warnings = {"gpueig:no-convergence", "gpueig:fallback", ...
                         "gpueig:device-lost", ...
                         "Octave:singular-matrix", ...
                         "Octave:nearly-singular-matrix"};
  [~, failures] = __gpueig__ ("failures");
  for f = failures
    if (any (strcmp (f.identifier, warnings)))
      warning (f.identifier, "%s: %s", caller, f.message);
    else
      error (f.identifier, "%s: %s", caller, f.message);
    endif
  endfor

endfunction
