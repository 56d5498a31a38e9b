## Write a table with a row for each row of SIZES, as many as SECONDS allow; the first is
## always measured.
##   SIZES    orders, or rows of numbers or of a cell: the first columns of the table
##   MAKE     make (SIZES of the row) is the problem, which all calls get
##   CALLS    rows {label, f, outputs, part}: f (problem) is measured by median_time until
##            it would take more than its part of the time that is left, so that a slow
##            solver does not use up the time of the others: 0.7 if PART is true, for our
##            own, 0.25 if it is false, for a peer, or the number it is.  Of a stack, where
##            the first output has pages, times are those of a page.
##   RATIO    ratio (problem, outputs, label): the test ratios of an answer; [] for none
##   COLUMNS  rows {header, value}: "label" is the time of a whole call, "label@" its
##            time.solve, "x/y" a ratio of times, "label.field" of its info (NaN where it
##            has no answer); else value (seen, SIZES of the row), seen.label.total and so on
## Columns of the quality of the first call are added: its ratios, the largest of all others
## and who is over the bar, so that a fast wrong answer is reported.  A call that fails is
## left out of the row, and so is a peer whose result another solver had to make.
## Keys: those of table_open; "first", the names of the columns of SIZES; "cost", the size
## (SIZES of the row) with whose "power" (3) times grow; "quality", the names of those columns.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function compare_table (folder, seconds, name, title, sizes, make, calls, ratio, columns, varargin)
  keys = struct ("first", {{"n"}}, "cost", @(n, pages = 1) n * pages ^ (1/3), "power", 3, ...
                 "bar", 10, "compare", {{}}, "note", {{}}, "quality",
                 {{"residual", "orthogonality", "others' worst", "wrong"}});
  for i = 1:2:numel (varargin)
    keys.(varargin{i}) = varargin{i+1};
  endfor
  if (isnumeric (sizes))
    sizes = num2cell (reshape (sizes, [], numel (keys.first)));
  endif
  t = table_open (folder, name, title, [keys.first, columns(:,1).', keys.quality], ...
                  "bar", keys.bar, "compare", keys.compare, "note", keys.note);
  plan = struct ("start", tic (), "seconds", seconds, "power", keys.power, ...
                 "rows", rows (sizes) * rows (calls), "last", 0, "row", 0, "other", 0, ...
                 "cost", struct (), "left_out", {{}});
  for i = 1:rows (sizes)
    row = sizes(i,:);
    label = strjoin (cellfun (@num2str, row, "UniformOutput", false), ", ");
    plan.size = keys.cost (row{:});
    if (i > 1 && ! has_time (plan, calls))
      plan.left_out{end+1} = sprintf ("no time for %s = %s and on", strjoin (keys.first, ", "), label);
      printf ("%s and larger: no time left\n", label);
      break;
    endif
    begin = tic ();
    problem = make (row{:});
    seen = quality = struct ();
    measured = 0;
    for c = calls.'
      start = tic ();
      [plan, s, out] = measure (plan, c, problem, label);
      measured += toc (start);
      seen.(c{1}) = s;
      if (! isempty (ratio) && ! isempty (out) && ! isnan (s.total))
        quality.(c{1}) = ratio (problem, out, c{1});
      endif
      out = {};
    endfor
    plan.other = max (0, toc (begin) - measured);
    plan.last = plan.size;
    plan.row = i;
    if (isnan (seen.(calls{1,1}).total))
      break;
    endif
    values = cellfun (@(v) value_of (v, seen, row), columns(:,2).', "UniformOutput", false);
    table_row (t, row{:}, values{:}, judge (quality, calls{1,1}, keys){:});
  endfor
  table_close (t, plan.left_out);
endfunction

## Is there time for our own calls, extrapolated from the last row, and what a row costs besides?
function go = has_time (plan, calls)
  cost = plan.other;
  for c = calls.'
    if (islogical (c{4}) && c{4} && isfield (plan.cost, c{1}))
      cost += 2 * plan.cost.(c{1});
    endif
  endfor
  left = plan.seconds - toc (plan.start);
  go = left > 0 && cost * (plan.size / plan.last) ^ plan.power < left;
endfunction

function [plan, s, out] = measure (plan, call, problem, row)
  [label, f, nout, part] = call{:};
  s = struct ("total", NaN, "device", NaN, "info", struct ());
  out = {};
  left = plan.seconds - toc (plan.start);
  if (islogical (part))
    part = 0.25 + 0.45 * part;
  endif
  if (isfield (plan.cost, label))
    cost = plan.cost.(label) * (plan.size / plan.last) ^ plan.power;
    if (isinf (cost) || cost > part * left)
      if (! isinf (cost))
        plan.left_out{end+1} = sprintf ("no time for %s from %s on", label, row);
      endif
      plan.cost.(label) = Inf;
      return;
    endif
  endif
  ## The failure of a solver shows in its ratios.
  for id = {"Octave:nearly-singular-matrix", "Octave:singular-matrix", ...
            "gpueig:no-convergence", "gpueig:fallback"}
    warning ("off", id{1}, "local");
  endfor
  try
    [total, device, out, once] = median_time (@() f (problem), nout, ...
                                              max (0, min (2, left / (2 * (plan.rows - plan.row)))));
  catch err
    printf ("  %s: %s\n", label, err.message);
    plan.left_out{end+1} = sprintf ("%s at %s: %s", label, row, strrep (err.message, "\n", " "));
    return;
  end_try_catch
  plan.cost.(label) = once;
  pages = max (1, size (out{1}, 3));
  [s.total, s.device] = deal (total / pages, device / pages);
  if (isstruct (out{end}))
    s.info = out{end};
    if (! call{4} && isfield (s.info, "fallback") && ! isempty (s.info.fallback))
      s.total = s.device = NaN;
      plan.left_out{end+1} = sprintf ("%s at %s: %s finished the job", label, row, s.info.fallback);
    endif
  endif
endfunction

function cells = judge (quality, first, keys)
  own = NaN (1, sum (ismember (keys.quality, {"residual", "orthogonality"})));
  peers = NaN;
  wrong = {};
  for [r, label] = quality
    if (strcmp (label, first))
      own(1:numel (r)) = r;
    else
      peers = max (peers, worst_of (r));
    endif
    if (worst_of (r) > keys.bar)
      wrong{end+1} = label;
    endif
  endfor
  if (isempty (wrong))
    wrong = {"none"};
  endif
  cells = {own, peers, strjoin(wrong, "; ")};
  cells = cells([! isempty(own), ismember({"others' worst", "wrong"}, keys.quality)]);
endfunction

function x = value_of (what, seen, row)
  if (! ischar (what))
    x = what (seen, row{:});
  elseif (any (what == "/"))
    parts = strsplit (what, "/");
    x = value_of (parts{1}, seen, row) / value_of (parts{2}, seen, row);
  elseif (any (what == "."))
    parts = strsplit (what, ".");
    x = NaN;
    if (isfield (seen, parts{1}) && isfield (seen.(parts{1}).info, parts{2}))
      x = seen.(parts{1}).info.(parts{2});
    endif
  else
    clock = {"total", "device"}{1 + (what(end) == "@")};
    what = strrep (what, "@", "");
    x = NaN;
    if (isfield (seen, what))
      x = seen.(what).(clock);
    endif
  endif
endfunction
