## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} make_manual (@var{root}, @var{html})
## Write the manual of the package whose source is in the folder @var{root} as HTML pages
## into the folder @var{html}: @file{doc/gpueig.texi}, and a page for each function that
## @file{INDEX} names, from its help text.  Every page has the contents at the side.
## @end deftypefn

function make_manual (root, html)

  doc = fullfile (root, "doc");
  [~, ~] = mkdir (html);
  cellfun (@delete, glob (fullfile (html, "*.html")));
  work = tempname ();
  mkdir (work);
  unwind_protect
    [groups, names] = read_index (fullfile (root, "INDEX"));
    write_functions (fullfile (root, "inst"), names, fullfile (work, "functions.texi"));
    files = [glob(fullfile (doc, "pictures", "*.png"))
             {fullfile(root, "demos", "speed.png"); fullfile(doc, "manual.css")}];
    for file = files.'
      copyfile (file{1}, html);
    endfor
    [status, text] = system (sprintf (["makeinfo --html --error-limit=1 --no-number-sections ", ...
                                       "--css-ref=manual.css -I '%s' -I '%s' -I '%s' -o '%s' '%s' 2>&1"],
                                      work, fullfile (doc, "pictures"), fullfile (root, "demos"),
                                      html, fullfile (doc, "gpueig.texi")));
    if (status != 0 || ! isempty (text))
      error ("make_manual: makeinfo: %s", text);
    endif
  unwind_protect_cleanup
    confirm_recursive_rmdir (false, "local");
    rmdir (work, "s");
  end_unwind_protect
  add_contents (html, chapters (fullfile (doc, "gpueig.texi")), groups, names);

endfunction

## NAMES{i}: the functions of GROUPS{i}.
function [groups, names] = read_index (file)
  groups = names = {};
  for line = strsplit (strtrim (fileread (file)), "\n")(2:end)
    if (line{1}(1) == " ")
      names{end}{end+1} = strtrim (line{1});
    else
      groups{end+1} = line{1};
      names{end+1} = {};
    endif
  endfor
endfunction

function write_functions (inst, groups, file)
  names = [groups{:}];
  fid = fopen (file, "w");
  fprintf (fid, "@node Functions\n@chapter Functions\n\n@menu\n%s@end menu\n\n",
           sprintf ("* %s::\n", names{:}));
  for name = names
    fprintf (fid, "@node %s\n@section @code{%s}\n\n%s\n", name{1}, name{1},
             help_text (fullfile (inst, [name{1}, ".m"]), names));
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
  text = regexprep (text, ['the\smanual,\s``(Options\sof\sall\sfunctions|Accuracy|', ...
                           'Data\son\sthe\sGPU)'''''], '@ref{$1}');
  text = strrep (text, "@qcode{", "@code{");
endfunction

## The names of the chapters.
function names = chapters (file)
  names = regexp (fileread (file), '\n@node ([^\n]*)', "tokens");
  names = [names{:}](2:end);
endfunction

## Put links to all chapters and functions to the front of every page.
function add_contents (html, pages, groups, names)
  items = sprintf ("<li>%s</li>\n", strjoin (cellfun (@(p) link_to (p, p), pages, "UniformOutput", false), "</li>\n<li>"));
  text = sprintf ("<p>%s</p>\n<ul>\n%s</ul>\n", link_to ("index", "gpueig"), items);
  for i = 1:numel (groups)
    items = cellfun (@(n) ["<li>", link_to(n, ["<code>", n, "</code>"]), "</li>\n"], names{i}, ...
                     "UniformOutput", false);
    text = [text, sprintf("<p>%s</p>\n<ul>\n%s</ul>\n", groups{i}, [items{:}])];
  endfor
  for file = glob (fullfile (html, "*.html")).'
    [~, page] = fileparts (file{1});
    own = strrep (text, sprintf ('<a href="%s.html">', page), ...
                  sprintf ('<a class="here" href="%s.html">', page));
    body = fileread (file{1});
    at = regexp (body, '<body[^>]*>', "end", "once");
    fid = fopen (file{1}, "w");
    fputs (fid, [body(1:at), "\n<nav>\n", own, "</nav>\n<main>\n", ...
                 strrep(body(at+1:end), "</body>", "</main>\n</body>")]);
    fclose (fid);
  endfor
endfunction

## A link to the page that makeinfo writes for a node.
function text = link_to (node, title)
  file = strrep (strrep (node, "_", "_005f"), " ", "-");
  text = sprintf ('<a href="%s.html">%s</a>', file, title);
endfunction
