## Close a table, with the texts of the cell LEFT_OUT on what is not in it.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function table_close (t, left_out = {})
  for text = left_out
    fprintf (t.fid, "# left out: %s\n", text{1});
  endfor
  fclose (t.fid);
endfunction
