## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} __original__ (@var{name}, @var{f})
## @deftypefnx {} {@var{f} =} __original__ (@var{name})
## Keep the handle @var{f} of the m-file that the function @var{name} in this folder stands for, from
## before the folder was in the path.
## @end deftypefn

function f = __original__ (name, f)

  persistent originals;
  mlock ();  # clear all would clear it
  if (nargin > 1)
    originals.(name) = f;
  endif
  f = originals.(name);

endfunction
