## Write the Markdown file PAGE from the folders of CSV files under
## RESULTS, one folder per machine: by function and machine, where gpueig is
## faster and where it is slower than the fastest of the solvers to which its tables
## compare it ("# compare: OURS | PEER | PEER"); then for each function the rows that
## people look for.
##
##   octave-cli --path tests/bench --eval "make_page ('tests/bench/results', 'demos/FIGURES.md')"
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function make_page (results, page)
  folders = glob (fullfile (results, "*"));
  machines = cellfun (@read_machine, folders(cellfun (@isfolder, folders)),
                      "UniformOutput", false);
  machines = machines(! cellfun (@(m) isempty (m.tables), machines));
  fid = fopen (page, "w");
  fprintf (fid, ["# Measured figures\n\nMade by `tests/bench/make_page.m` from ", ...
                 "the CSV files in `tests/bench/results`, which have all rows, ", ...
                 "residuals and remarks; `sh tests/bench/run.sh` measures them ", ...
                 "again.\n\n"]);
  for m = machines.'
    fprintf (fid, "- %s: %s; every table names its date and commit.\n", m{1}.name,
             regexprep (m{1}.tables{1}.heads{2}, " NO_LAPACKE.*$", ""));
  endfor
  write_scores (fid, machines);
  for f = functions ().'
    write_function (fid, machines, f{:});
  endfor
  prefixes = [functions(){:,2}];
  fprintf (fid, "\n## Other tables\n");
  write_links (fid, machines, @(name) ! begins (name, prefixes));
  fclose (fid);
endfunction

## Name, beginnings of the names of its tables, and the tables that the page shows.
function list = functions ()
  list = {"gpu_eig", {"eig_", "stacks_"}, {"eig_dense_double", "eig_general_double", ...
                                           "stacks_double", "eig_symmetric", "eig_general"}
          "gpu_jacobi_eig", {"jacobi_"}, {"jacobi_methods", "jacobi_guess"}
          "gpu_onesided_eig", {"onesided_", "stacks_"}, {"onesided_pages_double"}
          "gpu_svd", {"svd_"}, {"svd_gpu_double", "svd_pages_double", "svd_dense_double"}
          "gpu_sqrtm and others", {"functions_"}, {"functions_sqrtm_dense", "functions_logm_dense", "functions_expm_dense", ...
                                                   "functions_sqrtm_pages", "functions_polar_pages"}
          "gpu_complex_eig", {"complex_"}, {"complex_pages", "complex_single"}
          "gpu_mrrr", {"mrrr_"}, {"mrrr_141_double", "mrrr_random_double"}
          "gpu_tdinv", {"tdinv"}, {"tdinv", "tdinv_device"}};
endfunction

function machine = read_machine (folder)
  [~, name, extension] = fileparts (folder);
  machine.name = [name, extension];
  machine.tables = {};
  for file = glob (fullfile (folder, "*.csv")).'
    t = read_table (file{1});
    [~, t.name] = fileparts (file{1});
    t.link = ["../", file{1}];
    machine.tables{end+1} = t;
  endfor
endfunction

## By function and machine: the times of the best peer over ours, where the larger is
## at least 1 and where the smaller is not.  The papers' experiments are not counted.
function write_scores (fid, machines)
  fprintf (fid, ["\n## What we win, what we lose\n\nTime of the fastest peer over ", ...
                 "ours, of all rows of the function's tables.\n\n", ...
                 "| function | machine | rows where we are faster: how many ", ...
                 "times, median | slower: how many times as fast, where |\n", ...
                 "|---|---|---|---|\n"]);
  for f = functions ().'
    for m = machines.'
      [won, total, lost] = score (m{1}.tables, f{1:2});
      if (total == 0)
        continue;
      endif
      text = sprintf ("%d of %d", numel (won), total);
      if (! isempty (won))
        text = sprintf ("%s: %s, %s", text, range_text (won), ...
                        digits (median (won), 2));
      endif
      fprintf (fid, "| `%s` | %s | %s | %s |\n", f{1}, m{1}.name, text,
               strjoin (lost, "; "));
    endfor
  endfor
  for m = machines.'
    k = find (cellfun (@(t) strcmp (t.name, "auto_worst"), m{1}.tables));
    if (! isempty (k))
      t = m{1}.tables{k};
      texts = strcat (t.cells(:,1), {" ("}, t.cells(:,2), {") "}, ...
                      cellfun (@(x) digits (str2double (x), 3), ...
                               t.cells(:,strcmp (t.names, "worst auto/best")), "UniformOutput", false));
      fprintf (fid, ["\n[`\"auto\"`](%s) on %s, its time over that of ", ...
                     "the best method of the same call, at worst: %s.\n"],
               t.link, m{1}.name, strjoin (texts(:).', ", "));
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
      label = sprintf ("[%s](%s)", label, t.link);
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

## The rows of the tables WANTED, at most four of each, and links to the others.
function write_function (fid, machines, fn, prefixes, wanted)
  if (! any (cellfun (@(m) any (cellfun (@(t) begins (t.name, prefixes), m.tables)), machines)))
    return;
  endif
  fprintf (fid, ["\n## %s\n\n| machine | problem | n | ours | fastest peer | | ", ...
                 "times as fast |\n|%s\n"], fn, repmat ("---|", 1, 7));
  for m = machines.'
    for t = m{1}.tables(cellfun (@(t) any (strcmp (t.name, wanted)), m{1}.tables))
      write_rows (fid, m{1}.name, t{1});
    endfor
  endfor
  write_links (fid, machines, @(name) (begins (name, prefixes) ...
                                       && ! any (strcmp (name, wanted))));
endfunction

function yes = begins (name, prefixes)
  yes = any (cellfun (@(p) strncmp (name, p, numel (p)), prefixes));
endfunction

function write_links (fid, machines, chosen)
  fprintf (fid, "\n");
  for m = machines.'
    some = m{1}.tables(cellfun (@(t) chosen (t.name), m{1}.tables));
    if (! isempty (some))
      links = cellfun (@(t) sprintf ("[%s](%s)", strrep (t.name, "_", " "), t.link), ...
                       some, "UniformOutput", false);
      fprintf (fid, "More tables of %s: %s.\n", m{1}.name, strjoin (links, ", "));
    endif
  endfor
endfunction

## Of the comparison that has most rows.
function write_rows (fid, machine, t)
  ok = [];
  for c = t.compare
    [y, peers, names] = compared (t, c{1});
    if (isempty (peers))
      continue;
    endif
    [fastest, k] = min (peers, [], 2);
    rows_of_c = find (isfinite (fastest ./ y));
    if (numel (rows_of_c) > numel (ok))
      [ok, ours, best, who] = deal (rows_of_c, y, fastest, names(k));
    endif
  endfor
  problem = sprintf ("[%s](%s)", t.title, t.link);
  for r = ok(unique (round (linspace (1, numel (ok), min (4, numel (ok)))))).'
    fprintf (fid, "| %s | %s | %s | %s | %s | %s | %s |\n", machine, problem,
             t.cells{r,1}, time_text (ours(r)), who{r}, time_text (best(r)), ...
             digits (best(r) / ours(r), 3));
    machine = problem = "";
  endfor
endfunction

function text = time_text (x)
  prefix = {"ns", "µs", "ms", "s"};
  k = min (4, max (1, 4 + floor (log10 (x) / 3)));
  text = sprintf ("%s %s", digits (x * 1000 ^ (4 - k), 3), prefix{k});
endfunction

## COUNT significant digits without an exponent where that is short.
function text = digits (x, count)
  text = sprintf ("%.*g", count, x);
  if (x >= 10 ^ count && x < 1e7)
    text = sprintf ("%.0f", x);
  endif
endfunction
