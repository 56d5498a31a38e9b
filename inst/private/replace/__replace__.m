## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{out} =} __replace__ (@var{name}, @var{most}, @var{count}, @var{args})
## @var{out}, @var{count} of the at most @var{most} outputs of Octave's function @var{name}, by the function
## of this package or, where that refuses the call, by Octave's own.
## @end deftypefn

function out = __replace__ (name, most, count, args)

  persistent least = struct ();
  if (count > most)
    error ("Octave:invalid-fun-call", "%s: function called with too many outputs", name);
  endif
  if (! isempty (args))
    ## The package's folder may be off the path.
    if (! isfield (least, name) && exist ("__gpueig__") == 3)
      [~, least.(name)] = __gpueig__ ("replace-from", name);
    endif
    if (isfield (least, name) && numel (args{1}) >= least.(name) && exist ("__gpueig__") == 3 ...
        && ! (strcmp (name, "svd") && strcmp (svd_driver (), "gejsv")))
      ## Octave's logm, and LAPACK's iteration for Schur forms, may never end.
      if ((strcmp (name, "schur")
           || (any (strcmp (name, {"sqrtm", "logm"})) && numel (args) == 1 && count < 2)) ...
          && isfloat (args{1}) && ! all (isfinite (args{1}(:))))
        error ("gpueig:nonfinite", "%s: matrix contains Inf or NaN values", name);
      endif
      [failed, out{1:max (count, 1)}] = __gpueig__ ("replace", max (count, 1), name, args{:});
      if (isempty (failed))
        return;
      endif
    endif
  endif
  out = cell (1, count);
  if (any (strcmp (name, {"expm", "logm"})))
    f = __original__ (name);
    [out{1:max (count, 1)}] = f (args{:});
  elseif (count > 0)
    [out{:}] = builtin (name, args{:});
  else
    builtin (name, args{:});
    if (exist ("ans", "var"))  # schur has no output for an unknown option
      out = {ans};
    endif
  endif

endfunction
