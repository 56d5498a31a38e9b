## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} table_row (@var{t}, @dots{})
## One row: numbers or strings, one for each column.  NaN is what was not run.
## @end deftypefn

function table_row (t, varargin)

  for i = 1:numel (varargin)
    value = varargin{i};
    if (ischar (value))
      text = csv = value;
    elseif (isnan (value))
      text = "-";
      csv = "";
    else
      text = sprintf ("%.4g", value);
      csv = sprintf ("%.6g", value);
    endif
    printf ("%*s", t.width(i), text);
    if (i > 1)
      fputs (t.fid, ",");
    endif
    fputs (t.fid, csv);
  endfor
  printf ("\n");
  fputs (t.fid, "\n");
  fflush (stdout);
  fflush (t.fid);

endfunction
