## A figure that a paper states, from papers/figures.csv; NaN if it states
## none for this order.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function value = paper_figure (experiment, n, quantity)
  persistent rows = {};
  if (isempty (rows))
    file = fullfile (fileparts (fileparts (mfilename ("fullpath"))), "papers",
                     "figures.csv");
    lines = strsplit (strtrim (fileread (file)), "\n");
    lines = lines(! strncmp (lines, "#", 1));
    rows = cellfun (@(s) strsplit (s, ","), lines(2:end),
                    "UniformOutput", false);
  endif
  value = NaN;
  for i = 1:numel (rows)
    r = rows{i};
    if (strcmp (r{1}, experiment) && str2double (r{2}) == n
        && strcmp (r{3}, quantity))
      value = str2double (r{4});
    endif
  endfor
endfunction
