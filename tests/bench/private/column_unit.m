## The unit of a column in seconds, 0 if it is not a time, and the name without
## "[s]" or "[us]".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [unit, bare] = column_unit (name)
  unit = any (strfind (name, "[s]")) + 1e-6 * any (strfind (name, "[us]"));
  bare = strtrim (regexprep (name, "\\[u?s\\]", ""));
  bare = regexprep (bare, "  +", " ");
endfunction
