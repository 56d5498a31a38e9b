## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} table_close (@var{t})
## End a table.
## @end deftypefn

function table_close (t)
  fclose (t.fid);
endfunction
