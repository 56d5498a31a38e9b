## Claims, for every public function, on success and on failure: nothing is
## printed, no file is written, and neither the path, the environment, the
## random numbers, the warnings, the numbers of threads, the floating-point
## environment nor the caller's variables change; `clear all` and `pkg unload`
## in between do no harm, nor do functions of the user, whatever they are named.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function compare (before, after, text)
%!  for [value, name] = before
%!    if (! isequal (value, after.(name)))
%!      error ("%s changed the state: %s", text, name);
%!    endif
%!  endfor
%!endfunction

## From the very first call of a session on.
%!test
%! code = ["calls = sample_calls ();\n", ...
%!         "before = session_state (false, true);\n", ...
%!         "threads = session_state (true);\n", ...
%!         "for call = calls, sample_run (call); end\n", ...
%!         "after = session_state (true, true);\n", ...
%!         "for [value, name] = threads\n", ...
%!         "  assert (isequal (value, after.(name)), '%s changed', name);\n", ...
%!         "end\n", ...
%!         "for [value, name] = before\n", ...
%!         "  assert (isequal (value, after.(name)), '%s changed', name);\n", ...
%!         "end\n", ...
%!         "puts ('all right');\n"];
%! [status, text] = run_session (code);
%! assert (text, "all right");
%! assert (status, 0);

## A failing call prints nothing either, and changes the last error only.
%!test
%! [~, environment] = system ("env");
%! for call = sample_calls ()
%!   bad = {{}, {{}}, {[1 NaN; NaN 1]}, {ones(2, 3, 2)}, [call.args {"Backend"}], [call.args {"none", 1}]};
%!   if (any (strcmp (call.name, {"gpu_svd", "gpu_pinv"})))
%!     bad(4) = [];  # any shape
%!   endif
%!   session_state ();
%!   before = session_state ();
%!   for i = 1:numel (bad)
%!     text = evalc ("try, feval (call.name, bad{i}{:}); reported = false; catch, reported = true; end_try_catch");
%!     assert (reported && isempty (text), "%s: bad call %d: %s", call.text, i, text);
%!   endfor
%!   after = session_state ();
%!   before.last = after.last;
%!   compare (before, after, ["bad calls of " call.text]);
%! endfor
%! [~, now] = system ("env");
%! assert (now, environment);

## The caller's variables: inputs are aliases, also of lazily stored values.
%!test
%! for call = sample_calls ()
%!   args = call.args;
%!   copy = args;
%!   k = cellfun (@isnumeric, args);
%!   copy(k) = cellfun (@(x) x + 0, args(k), "UniformOutput", false);
%!   out = sample_run (call);
%!   assert (args, copy);
%!   ## Writing to a result does not write to another one.
%!   again = sample_run (call);
%!   first = out{1};
%!   out{1}(:) = 0;
%!   assert (isequal (again{1}, first), "%s: two equal calls differ", call.text);
%! endfor

## No file is written: not here, not at home, not where temporary ones go, but what
## an Octave that does nothing writes.  The NVIDIA driver makes its own ~/.nv, for
## any program that opens a GPU.
%!function list = written_by (code)
%!  folder = tempname ();
%!  mkdir (folder);
%!  unwind_protect
%!    [status, text] = run_session (code, sprintf ("cd '%s' && env HOME='%s' TMPDIR='%s'", folder, folder, folder));
%!    assert (status == 0, "%s", text);
%!    [~, text] = system (sprintf ("cd '%s' && find . -not -path './.nv*'", folder));
%!    list = strsplit (strtrim (text), "\n");
%!  unwind_protect_cleanup
%!    confirm_recursive_rmdir (false, "local");
%!    [~, ~] = rmdir (folder, "s");
%!  end_unwind_protect
%!endfunction
%!test
%! code = "for call = sample_calls (), out = sample_run (call); end, gpu_info; info = gpu_info ();";
%! more = setdiff (written_by (code), written_by ("1;"));
%! assert (isempty (more), "%s", strjoin (more));

## Solvers call no function of the user.
%!test
%! calls = sample_calls ();
%! calls = calls(ismember ({calls.name}, [public_functions("eigenvalues"), {"gpu_tdinv"}]));
%! range = 1:numel (calls);
%! for k = range
%!   want{k} = sample_run (calls(k));
%! endfor
%! folder = tempname ();
%! mkdir (folder);
%! for name = {"eig", "diag", "horzcat", "vertcat", "cat", "size", "numel", "zeros", "ones", "full", "struct", "isreal", "ndims", ...
%!             "strcmp", "max", "abs", "sort", "inv", "typeinfo", "complex", "single", "double", "reshape", "times", "mtimes", "plus", ...
%!             "ctranspose", "isempty", "isfield", "rows", "columns", "class", "isa", "real", "any", "all", "cellfun"}
%!   f = fopen (fullfile (folder, [name{1} ".m"]), "w");
%!   fprintf (f, "function varargout = %s (varargin)\n  error (\"%s of the user was called\");\nendfunction\n", name{[1 1]});
%!   fclose (f);
%! endfor
%! unwind_protect
%!   addpath (folder);
%!   for k = range
%!     got{k} = sample_run (calls(k));
%!   endfor
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! results = @(list) cellfun (@(out) out(1:end-1), list, "UniformOutput", false);
%! assert (isequal (results (got), results (want)));

## `clear all`, `clear functions`, and a path that is removed and added again.
%!test
%! code = ["setenv ('BITS', sample_bits ());\n", ...
%!         "clear all\n", ...
%!         "assert (sample_bits (), getenv ('BITS'));\n", ...
%!         "clear functions\nclear -all\nclear __gpueig__\n", ...
%!         "assert (sample_bits (), getenv ('BITS'));\n", ...
%!         "folder = fileparts (which ('gpu_info'));\nrmpath (folder);\n", ...
%!         "assert (isempty (which ('gpu_info')));\naddpath (folder);\n", ...
%!         "assert (sample_bits (), getenv ('BITS'));\n", ...
%!         "puts ('all right');\n"];
%! [status, text] = run_session (code);
%! assert (text, "all right");
%! assert (status, 0);

## The first call in a session; an exit right after a call, and with none.
%!test
%! for name = public_functions ()
%!   [status, text] = run_session (sprintf ("args = small_arguments ('%s'); x = %s (args{:}, 'Backend', 'auto'); exit (3);", name{[1, 1]}));
%!   assert (text, "");
%!   assert (status, 3);
%! endfor
%! [status, text] = run_session ("gpu_info; assert (exist ('gpu_info'), 2);");
%! assert (status, 0);
