## Write one row: numbers or strings, one for each column; a row vector fills as
## many columns.  NaN: not measured.  A residual or orthogonality above the
## table's bar is marked as wrong.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function table_row (t, varargin)
  vectors = cellfun (@(x) isnumeric (x) && numel (x) > 1, varargin);
  varargin(vectors) = cellfun (@num2cell, varargin(vectors),
                               "UniformOutput", false);
  varargin(! vectors) = num2cell (varargin(! vectors));
  values = [varargin{:}];
  wrong = false;
  for i = 1:numel (values)
    value = values{i};
    if (ischar (value))
      text = csv = value;
    elseif (isnan (value))
      text = "-";
      csv = "";
    else
      text = sprintf ("%.4g", value);
      csv = sprintf ("%.6g", value);
      wrong |= value > t.bar && any (strcmp (t.columns{i},
                                             {"residual", "orthogonality"}));
    endif
    printf ("%*s", t.width(i), text);
    if (i > 1)
      fputs (t.fid, ",");
    endif
    fputs (t.fid, csv);
  endfor
  if (wrong)
    printf ("  WRONG");
  endif
  printf ("\n");
  fputs (t.fid, "\n");
  fflush (stdout);
  fflush (t.fid);
endfunction
