## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} write_functions (@var{inst}, @var{index}, @var{file})
## Write the manual's chapter on functions: the help texts of the functions that the
## package's @file{INDEX} names, in its order and under its headings.
## @end deftypefn

function write_functions (inst, index, file)

  lines = strsplit (strtrim (fileread (index)), "\n")(2:end);
  is_name = strncmp (lines, " ", 1);
  names = strtrim (lines(is_name));
  fid = fopen (file, "w");
  menu = @(name) sprintf ("* %s::\n", name);
  fprintf (fid, "@node Functions\n@chapter Functions\n\n@menu\n%s@end menu\n\n",
           strjoin (cellfun (menu, names, "UniformOutput", false), ""));
  heading = "";
  for i = 1:numel (lines)
    if (! is_name(i))
      heading = strtrim (lines{i});
      continue;
    endif
    name = strtrim (lines{i});
    fprintf (fid, "@node %s\n@section @code{%s}: %s\n\n%s\n", name, name,
             lower (heading), help_text (fullfile (inst, [name, ".m"]), names));
  endfor
  fclose (fid);

endfunction

## The texinfo of a function's file, with references to functions of this manual.
function text = help_text (file, names)
  lines = strsplit (fileread (file), "\n");
  first = find (strcmp (lines, "## -*- texinfo -*-"), 1) + 1;
  last = first - 2 + find (! strncmp (lines(first:end), "##", 2), 1);
  text = strjoin (regexprep (lines(first:last), "^## ?", ""), "\n");
  also = regexp (text, '@seealso\{([^}]*)\}', "tokens", "once");
  if (! isempty (also))
    links = strtrim (strsplit (also{1}, ","));
    known = ismember (links, names);
    links(known) = strcat ("@ref{", links(known), "}");
    links(! known) = strcat ("@code{", links(! known), "}");
    text = regexprep (text, '@seealso\{[^}]*\}', ...
                      ["\n@strong{See also}: ", strjoin(links, ", "), "."]);
  endif
  text = strrep (text, "@qcode{", "@code{");
endfunction
