## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} make_page (@var{results}, @var{page})
## Write the Markdown file @var{page} from the folders of CSV files under
## @var{results}, one folder per machine: first, by function and machine, where gpueig
## is faster and where it is slower; then for each machine every comparison that the
## tables name ("# compare: OURS | PEER | PEER"), and each table with its remarks and a
## summary.
##
## @example
## octave-cli --path tests/bench --eval "make_page ('tests/bench/results', 'demos/FIGURES.md')"
## @end example
## @end deftypefn

function make_page (results, page)

  fid = fopen (page, "w");
  fprintf (fid, ["# Measured figures\n\nMade by `tests/bench/make_page.m` from ", ...
                 "the CSV files in `tests/bench/results`; `sh tests/bench/run.sh` ", ...
                 "measures them again and draws them.\n"]);
  folders = glob (fullfile (results, "*"));
  folders = folders(cellfun (@isfolder, folders));
  machines = cell (0, 2);
  for m = 1:numel (folders)
    [name, tables] = read_machine (folders{m});
    if (! isempty (tables))
      machines(end+1,:) = {name, tables};
    endif
  endfor
  write_first_screen (fid, machines);
  fprintf (fid, ["\n## About the tables\n\nTimes are medians unless a table ", ...
                 "says otherwise; an empty cell was not run. Residuals and orthogonality are in units of ", ...
                 "n*eps*norm; the bar is 10 (general matrices: 20), stricter ", ...
                 "than LAPACK's own tests, and what is above is marked. ", ...
                 "\"others' worst\" is the largest ratio of all other ", ...
                 "solvers in the row.\n"]);
  for m = 1:rows (machines)
    write_machine (fid, machines{m,:});
  endfor
  fclose (fid);

endfunction

function [machine, tables] = read_machine (folder)
  [~, machine, extension] = fileparts (folder);
  machine = [machine, extension];
  tables = {};
  files = in_order (glob (fullfile (folder, "*.csv")));
  for i = 1:numel (files)
    t = read_table (files{i});
    t.file = files{i};
    [~, t.name] = fileparts (files{i});
    t.anchor = [machine, "-", t.name];
    tables{i} = t;
  endfor
endfunction

## By function and machine: the times of the best peer over ours, where the larger is
## at least 1 and where the smaller is not.  The papers' experiments are not counted.
function write_first_screen (fid, machines)
  functions = {"gpu_eig", {"eig_", "stacks_"}; "gpu_jacobi_eig", {"jacobi_"}
               "gpu_onesided_eig", {"onesided_", "stacks_"}
               "gpu_complex_eig", {"complex_"}
               "gpu_mrrr", {"mrrr_"}; "gpu_tdinv", {"tdinv"}};
  fprintf (fid, ["\n## What we win, what we lose\n\nTime of the fastest peer over ", ...
                 "ours, of all rows of the function's tables.\n\n", ...
                 "| function | machine | rows where we are faster: how many ", ...
                 "times, median | slower: how many times as fast, where |\n", ...
                 "|---|---|---|---|\n"]);
  for f = 1:rows (functions)
    for m = 1:rows (machines)
      [won, total, lost] = score (machines{m,2}, functions{f,:});
      if (total == 0)
        continue;
      endif
      text = sprintf ("%d of %d", numel (won), total);
      if (! isempty (won))
        text = sprintf ("%s: %s, %s", text, range_text (won), ...
                        digits (median (won), 2));
      endif
      fprintf (fid, "| `%s` | %s | %s | %s |\n", functions{f,1}, machines{m,1}, ...
               text, strjoin (lost, "; "));
    endfor
  endfor
  for m = 1:rows (machines)
    k = find (cellfun (@(t) strcmp (t.name, "auto_worst"), machines{m,2}));
    if (! isempty (k))
      t = machines{m,2}{k};
      texts = strcat (t.cells(:,1), {" ("}, t.cells(:,2), {") "}, ...
                      cellfun (@(x) digits (str2double (x), 3), t.cells(:,6), ...
                               "UniformOutput", false));
      fprintf (fid, ["\n[`\"auto\"`](#%s-auto) on %s, its time over that of ", ...
                     "the best method of the same call, at worst: %s.\n"],
               machines{m,1}, machines{m,1}, strjoin (texts(:).', ", "));
    endif
  endfor
endfunction

## WON: the ratios of the rows where FN, whose tables' names begin with PREFIXES, is faster
## than its peers, of TOTAL rows; LOST: a text for each table with other rows.
function [won, total, lost] = score (tables, fn, prefixes)
  won = [];
  total = 0;
  lost = {};
  for i = 1:numel (tables)
    t = tables{i};
    k = find (cellfun (@(p) strncmp (t.name, p, numel (p)), prefixes), 1);
    if (isempty (k) || ! isempty (regexp (t.name, "paper|poster|classical", "once")))
      continue;
    endif
    for c = t.compare
      [ours, peers, names] = compared (t, c{1});
      ## The tables of stacks have two of our functions.
      by_onesided = strncmp (c{1}{1}, "onesided", 8);
      if (isempty (peers) || (strncmp (t.name, "stacks_", 7)
                              && strcmp (fn, "gpu_onesided_eig") != by_onesided))
        continue;
      endif
      [best, who] = min (peers, [], 2);
      ratio = best ./ ours;
      ok = isfinite (ratio);
      [~, own] = column_unit (c{1}{1});
      label = strrep (t.name, "_", " ");
      if (numel (t.compare) > 1)
        label = [label, ", ", own];
      endif
      label = sprintf ("[%s](#%s)", label, t.anchor);
      good = ok & ratio >= 1;
      bad = find (ok & ratio < 1);
      won = [won; ratio(good)];
      total += sum (ok);
      if (! isempty (bad))
        lost{end+1} = sprintf ("%s %s (%s = %s; %s)", label, ...
                               range_text (ratio(bad)), t.names{1}, ...
                               few (t.cells(bad,1)), ...
                               strjoin (unique (names(who(bad))), ", "));
      endif
    endfor
  endfor
endfunction

function text = range_text (x)
  text = digits (min (x), 2);
  if (max (x) > min (x))
    text = [text, "–", digits(max (x), 2)];
  endif
endfunction

## All of up to three, else the first and the last.
function text = few (texts)
  texts = unique (texts, "stable");
  if (numel (texts) > 3)
    text = sprintf ("%s–%s", texts{1}, texts{end});
  else
    text = strjoin (texts(:).', ", ");
  endif
endfunction

function write_machine (fid, machine, tables)
  fprintf (fid, "\n## %s\n\n%s. Measured %s%s\n", machine,
           regexprep (tables{1}.heads{2}, " NO_LAPACKE.*$", ""),
           strrep (tables{1}.heads{1}, ", gpueig", " with gpueig"), ...
           "; what differs is reported at the table.");
  fprintf (fid, "\n### Where we win and where we lose: %s\n\n", machine);
  fprintf (fid, ["Against the fastest peer that ran at each order; larger ", ...
                 "than 1: ours is faster.\n\n| table | ours | times as fast as ", ...
                 "the best peer | slower, and what to take then |\n|%s\n"],
           repmat ("---|", 1, 4));
  for i = 1:numel (tables)
    write_summary (fid, tables{i});
  endfor
  fprintf (fid, "\nAnswers over the bar, ours and others':\n\n");
  count = asked = 0;
  for i = 1:numel (tables)
    [some, looked] = write_wrong (fid, tables{i});
    count += some;
    asked += looked;
  endfor
  if (asked == 0)
    fprintf (fid, "No table here checks the answers; the tests do.\n");
  elseif (count == 0)
    fprintf (fid, "None.\n");
  endif
  for i = 1:numel (tables)
    write_table (fid, tables{i}, tables{1});
  endfor
endfunction

## A line for a table with errors above its limit: the solver and the number of rows.
function [some, asked] = write_wrong (fid, t)
  some = false;
  k = find (strcmp (t.names, "wrong") | strcmp (t.names, "over the bar"));
  asked = ! isempty (k);
  if (! asked)
    return;
  endif
  who = strrep (t.cells(:,k(1)), "none", "");
  names = unique (strsplit (strjoin (who(:).', "; "), "; "));
  names(cellfun (@isempty, names)) = [];
  texts = {};
  for name = names
    at = cellfun (@(s) any (strcmp (strsplit (s, "; "), name{1})), who);
    texts{end+1} = sprintf ("%s (%d of %d rows)", name{1}, nnz (at), ...
                            numel (at));
  endfor
  some = ! isempty (texts);
  if (some)
    fprintf (fid, "- [%s](#%s): %s\n", t.title, t.anchor,
             strjoin (texts, ", "));
  endif
endfunction

## Sorted by function, gpu_eig first.
function files = in_order (files)
  groups = {"auto", "eig_", "stacks_", "jacobi_", "onesided_", "complex_", "mrrr_", "tdinv", ...
            "accuracy_", "scaling"};
  rank = zeros (size (files));
  for i = 1:numel (files)
    [~, name] = fileparts (files{i});
    rank(i) = find ([strncmp(name, groups, cellfun (@numel, groups)), true], 1);
  endfor
  [~, k] = sort (rank);
  files = files(k);
endfunction

## Columns OURS and PEERS of comparison C that hold numbers, as seconds.
function [ours, peers, names] = compared (t, c)
  ours = seconds (t, c{1});
  peers = [];
  names = {};
  for k = 2:numel (c)
    y = seconds (t, c{k});
    if (any (isfinite (y ./ ours)))
      peers(:,end+1) = y;
      [~, names{end+1}] = column_unit (c{k});
    endif
  endfor
endfunction

function y = seconds (t, name)
  k = find (strcmp (t.names, name));
  if (isempty (k))
    error ("gpueig:bench", "%s: no column %s to compare", t.file, name);
  endif
  y = t.values(:,k) * column_unit (name);
endfunction

function write_summary (fid, t)
  for c = t.compare
    [ours, peers, names] = compared (t, c{1});
    if (isempty (peers))
      continue;
    endif
    [best, which_one] = min (peers, [], 2);
    ratio = best ./ ours;
    ok = find (isfinite (ratio));
    [~, low] = min (ratio(ok));
    [~, high] = max (ratio(ok));
    low = ok(low);
    high = ok(high);
    label = @(r) sprintf ("%s = %s", t.names{1}, t.cells{r,1});
    if (low == high)
      range = sprintf ("%s (%s)", digits (ratio(low), 3), label (low));
    else
      range = sprintf ("%s (%s) to %s (%s)", digits (ratio(low), 3),
                       label (low), digits (ratio(high), 3), label (high));
    endif
    text = {};
    for k = 1:numel (names)
      at = ok(ratio(ok) < 1 & which_one(ok) == k);
      if (! isempty (at))
        text{end+1} = sprintf ("%s = %s: %s", t.names{1}, ...
                               strjoin (unique (t.cells(at,1), "stable"), ", "), ...
                               instead (names{k}));
      endif
    endfor
    [~, own] = column_unit (c{1}{1});
    fprintf (fid, "| [%s](#%s) | %s | %s | %s |\n", t.title, t.anchor, own,
             range, strjoin (text, "; "));
  endfor
endfunction

## The call by which a user runs the peer.
function text = instead (peer)
  calls = {"stemr", "`gpu_mrrr (..., \"Method\", \"stemr\")`";
           "stevd", "`gpu_mrrr (..., \"Method\", \"stevd\")`";
           "Xsyevd", "`gpu_eig (..., \"Method\", \"syevd\")`";
           "syevd", "`gpu_eig (..., \"Method\", \"syevd\")`"; "gpu_eig", "`gpu_eig` (syevd)";
           "Xgeev", "`gpu_eig (..., \"Method\", \"geev\")`"; "zgeevx", "`gpu_eig` (zgeevx)";
           "LAPACK", "`gpu_eig` (syevd)"; "eig", "`eig`"; "T\\eye", "sparse `T \\ eye (n)`";
           "gttrs", "`gpu_tdinv (..., \"Method\", \"pivoted\")`";
           "inv", "`inv`"};
  text = peer;
  for i = 1:rows (calls)
    if (any (strfind (peer, calls{i,1})))
      text = calls{i,2};
      return;
    endif
  endfor
endfunction

function write_table (fid, t, first)
  fprintf (fid, "\n<a id=\"%s\"></a>\n### %s\n\n", t.anchor, t.title);
  notes = t.notes;
  for k = 1:2
    if (! strcmp (t.heads{k}, first.heads{k}))
      notes = [t.heads(k), notes];
    endif
  endfor
  if (! isempty (notes))
    fprintf (fid, "%s\n\n", strjoin (notes, "  \n"));
  endif
  filled = find (any (! cellfun (@isempty, t.cells), 1));
  [~, heads] = cellfun (@column_unit, t.names(filled), "UniformOutput", false);
  fprintf (fid, "| %s |\n|%s\n", strjoin (heads, " | "),
           repmat ("---|", 1, numel (filled)));
  for r = 1:rows (t.cells)
    texts = arrayfun (@(k) cell_text (t, r, k), filled, "UniformOutput", false);
    fprintf (fid, "| %s |\n", strjoin (texts, " | "));
  endfor
  write_verdict (fid, t);
  for i = 1:numel (t.left_out)
    fprintf (fid, "\nLeft out: %s.\n", t.left_out{i});
  endfor
endfunction

## Times with a unit, other numbers with four digits, wrong ones marked.
function text = cell_text (t, r, k)
  text = t.cells{r,k};
  x = t.values(r,k);
  name = t.names{k};
  if (! isempty (regexp (name, "^(wrong|over the bar)$", "once")))
    if (! strcmp (text, "none"))
      text = ["**", text, "**"];
    endif
    return;
  elseif (isnan (x))
    return;
  endif
  unit = column_unit (name);
  if (unit > 0 && x > 0)
    prefix = {"ns", "µs", "ms", "s"};
    k = min (4, max (1, 4 + floor (log10 (x * unit) / 3)));
    text = sprintf ("%s %s", digits (x * unit * 1000 ^ (4 - k), 3), prefix{k});
  else
    text = digits (x, 4);
  endif
  ratio = ! isempty (regexp (name, "residual$|orthogonality$|^others' worst$",
                             "once"));
  if (ratio && x > t.bar)
    text = ["**", text, " WRONG**"];
    if (isinf (x))
      text = "**no answer**";
    endif
  endif
endfunction

## COUNT significant digits without an exponent where that is short.
function text = digits (x, count)
  text = sprintf ("%.*g", count, x);
  if (x >= 10 ^ count && x < 1e7)
    text = sprintf ("%.0f", x);
  endif
endfunction

## The range of ratios against each peer, and the orders where ours is slower.
function write_verdict (fid, t)
  for c = t.compare
    [ours, peers, names] = compared (t, c{1});
    [~, own] = column_unit (c{1}{1});
    for k = 1:numel (names)
      ratio = peers(:,k) ./ ours;
      ok = isfinite (ratio);
      fprintf (fid, "\n%s is %s to %s times as fast as %s", own,
               digits (min (ratio(ok)), 3), digits (max (ratio(ok)), 3),
               names{k});
      if (any (ok & ratio < 1))
        fprintf (fid, "; slower at %s = %s", t.names{1},
                 strjoin (unique (t.cells(ok & ratio < 1,1), "stable"), ", "));
      endif
      fprintf (fid, ".\n");
    endfor
  endfor
endfunction
