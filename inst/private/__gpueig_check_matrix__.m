## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} __gpueig_check_matrix__ (@var{caller}, @var{A}, @var{name})
## What every function asks of a matrix argument: a square matrix (or pages of
## them) of class double or single, full or sparse.
## @end deftypefn

function __gpueig_check_matrix__ (caller, A, name)

  if (! isfloat (A))
    error ("gpueig:wrong-type",
           "%s: %s must be a matrix of class double or single, but is of class %s",
           caller, name, class (A));
  endif
  if (rows (A) != columns (A))
    error ("gpueig:not-square", "%s: %s must be square, but is %s",
           caller, name, strjoin (cellfun (@num2str, num2cell (size (A)),
                                           "UniformOutput", false), "-by-"));
  endif

endfunction
