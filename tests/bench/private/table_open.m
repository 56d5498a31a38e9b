## Begin a table: prints title and head, and opens FOLDER/NAME.csv,
## whose first lines, marked by #, contain title, date, machine, versions and commit.
## COLUMNS is a cell row of names without commas; columns named "NAME [s]" are
## times.
##
## Keys: "compare", a cell row of texts "OURS | PEER | PEER", the columns
## that make_page compares; "note", a cell row of remarks; "bar", the
## largest residual and orthogonality that is accepted as correct (10).
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function t = table_open (folder, name, title, columns, varargin)
  extra = struct ("compare", {{}}, "note", {{}}, "bar", 10);
  for i = 1:2:numel (varargin)
    extra.(varargin{i}) = varargin{i+1};
  endfor
  info = gpu_info ();
  machine = sprintf ("%d CPU threads, BLAS %s", info.threads, info.blas);
  if (! isempty (info.devices))
    machine = sprintf ("%s, CUDA %g, %s", info.devices(1).name,
                       info.cuda_runtime / 1000, machine);
  endif
  t.columns = columns;
  t.bar = extra.bar;
  t.width = max (cellfun (@numel, columns) + 2, 12);
  t.fid = fopen (fullfile (folder, [name, ".csv"]), "w");
  if (t.fid < 0)
    error ("gpueig:bench", "cannot write %s.csv in %s", name, folder);
  endif
  fprintf (t.fid, "# %s\n# %s, gpueig %s, commit %s, Octave %s\n# %s\n",
           title, datestr (now (), "yyyy-mm-dd"), info.version,
           getenv ("GPUEIG_COMMIT"), version (), machine);
  for i = 1:numel (extra.compare)
    fprintf (t.fid, "# compare: %s\n", extra.compare{i});
  endfor
  fprintf (t.fid, "# bar: %g\n", extra.bar);
  for i = 1:numel (extra.note)
    fprintf (t.fid, "# note: %s\n", extra.note{i});
  endfor
  fprintf (t.fid, "%s\n", strjoin (columns, ","));
  printf ("\n%s\n%s\n", title, machine);
  for i = 1:numel (columns)
    printf ("%*s", t.width(i), columns{i});
  endfor
  printf ("\n");
  fflush (stdout);
endfunction
