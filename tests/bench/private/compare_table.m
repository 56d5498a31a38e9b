## Write a table of one problem of each of the ORDERS, for as many as SECONDS allow.
##   MAKE     make (n) is the problem of order n, which all calls get
##   CALLS    rows {label, f, outputs, ours}: f (problem) is measured, see measure
##   RATIO    ratio (problem, outputs): the test ratios of an answer
##   COLUMNS  rows {header, value}: "label" is the time of a whole call, "label@" its
##            time.solve, "x/y" a ratio of times, "label.field" of its info (NaN or "-"
##            where it has no answer); else a function of the order
## Columns of the order (first) and of the quality of the first call (last) are added.
## Keys: those of table_open, "power" (plan_open) and "quality", the names of these columns.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function compare_table (folder, seconds, name, title, orders, make, calls, ratio,
                        columns, varargin)
  keys = struct ("power", 3, "bar", 10, "quality",
                 {{"residual", "orthogonality", "others' worst", "wrong"}});
  passed = {"bar", []};
  for i = 1:2:numel (varargin)
    keys.(varargin{i}) = varargin{i+1};
    if (any (strcmp (varargin{i}, {"compare", "note"})))
      passed = [passed, varargin(i:i+1)];
    endif
  endfor
  passed{2} = keys.bar;
  t = table_open (folder, name, title, [{"n"}, columns(:,1).', keys.quality],
                  passed{:});
  plan = plan_open (seconds, orders, rows (calls), keys.power);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    problem = make (n);
    seen = struct ();
    for i = 1:rows (calls)
      [label, f, outputs, ours] = calls{i,:};
      [plan, total, device, out] = measure (
          plan, label, n, @() f (problem), outputs, ours,
          @(out) ratio (problem, out));
      info = struct ();
      if (! isempty (out) && isstruct (out{end}))
        info = out{end};
      endif
      seen.(label) = struct ("total", total, "device", device, "info", info);
      if (i == 1 && isempty (out))
        break;
      endif
      out = {};
    endfor
    if (i < rows (calls))
      break;
    endif
    values = cellfun (@(v) value_of (v, seen, n), columns(:,2).',
                      "UniformOutput", false);
    [own, peers, wrong] = plan_quality (plan, calls{1,1}, keys.bar);
    own(end+1:sum (ismember (keys.quality, {"residual", "orthogonality"}))) = NaN;
    table_row (t, n, values{:}, own, peers, wrong);
  endfor
  table_close (t, plan);
endfunction

function x = value_of (what, seen, n)
  if (! ischar (what))
    x = what (n);
  elseif (any (what == "/"))
    parts = strsplit (what, "/");
    x = value_of (parts{1}, seen, n) / value_of (parts{2}, seen, n);
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
