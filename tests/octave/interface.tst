## Claims about all eigenvalue functions alike: calling forms, shapes and errors; classes and
## storage: fuzz.tst; missing GPUs: faults.tst, devices.tst; accuracy: fuzz.tst, C tests.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function list = symmetric_solvers ()
%!  list = cellfun (@str2func, public_functions ("symmetric"), "UniformOutput", false);
%!endfunction
%!
%!function list = all_solvers ()
%!  list = cellfun (@str2func, public_functions ("eigenvalues"), "UniformOutput", false);
%!endfunction

## Calling forms.
%!test
%! A = [4 1 0; 1 3 1; 0 1 2];
%! for f = all_solvers ()
%!   f = f{1};
%!   lambda = f (A);
%!   assert (size (lambda), [3, 1]);
%!   assert (typeinfo (f (A, "matrix")), "diagonal matrix");
%!   [V, D] = f (A);
%!   assert (typeinfo (D), "diagonal matrix");
%!   [V, D] = f (A, "vector");
%!   assert (size (D), [3, 1]);
%!   [V, D, W] = f (A);
%!   assert (norm (W' * A - D * W') < 1e-13);
%!   [V, D, W, info] = f (A, "vector", "Backend", "cpu");
%!   assert (info.backend, "cpu");
%!   assert (info.device, -1);
%!   assert (info.converged, true);
%!   assert (isempty (info.fallback));
%!   assert (info.time.total >= info.time.solve);
%!   ## Names of options without regard to case.
%!   assert (f (A, "BACKEND", "CPU", "display", "Off"), lambda, 1e-14);
%! endfor

## Pages, as MATLAB's pageeig.
%!test
%! A = cat (4, cat (3, [2 1; 1 2], [0 1; 1 0]), cat (3, diag ([5 4]), ones (2)));
%! want = cat (4, cat (3, [1; 3], [-1; 1]), cat (3, [4; 5], [0; 2]));
%! for f = setdiff (public_functions ("eigenvalues"), {"gpu_mrrr"})
%!   f = str2func (f{1});
%!   assert (f (A), want, 1e-15);
%!   [V, D] = f (A);
%!   assert (size (D), [2 2 2 2]);
%!   for p = 1:4
%!     assert (A(:,:,p) * V(:,:,p), V(:,:,p) * D(:,:,p), 1e-14);
%!   endfor
%!   [V, lambda] = f (A, "vector");
%!   assert (size (lambda), [2 1 2 2]);
%!   assert (size (f (zeros (3, 3, 0))), [3, 1, 0]);
%!   assert (size (f (zeros (0, 0, 3))), [0, 1, 3]);
%! endfor

## Errors: identifiers, the same for all functions, and texts.
%!function check_error (f, id, pattern, varargin)
%!  try
%!    f (varargin{:});
%!  catch err
%!    text = sprintf ("%s: %s (%s)", func2str (f), err.message, err.identifier);
%!    assert (err.identifier, id, text);
%!    assert (strncmp (err.message, [func2str(f), ":"], numel (func2str (f)) + 1),
%!            text);
%!    assert (! isempty (regexp (err.message, pattern, "once")), text);
%!    return;
%!  end_try_catch
%!  error ("%s did not raise %s", func2str (f), id);
%!endfunction

%!test
%! for f = all_solvers ()
%!   f = f{1};
%!   check_error (f, "gpueig:not-square", "2-by-3", ones (2, 3));
%!   check_error (f, "gpueig:nonfinite", "finite", [1 NaN; NaN 1]);
%!   check_error (f, "gpueig:nonfinite", "finite", [Inf 1; 1 1]);
%!   check_error (f, "gpueig:nonfinite", "finite", single ([Inf 1; 1 1]));
%!   check_error (f, "gpueig:nonfinite", "finite", complex ([1 0; 0 1], [0 NaN; 0 0]));
%!   check_error (f, "gpueig:wrong-type", "char", "ab");
%!   check_error (f, "gpueig:wrong-type", "cell", {1});
%!   check_error (f, "gpueig:wrong-type", "struct", struct ());
%!   check_error (f, "gpueig:bad-option", "backend", eye (2), "nonsense", 1);
%!   check_error (f, "gpueig:bad-option", "value", eye (2), "Backend");
%!   check_error (f, "gpueig:bad-option", "\"cuda\"", eye (2), "Backend", "tpu");
%!   check_error (f, "gpueig:bad-option", "\"auto\"", eye (2), "Method", "magic");
%!   check_error (f, "gpueig:bad-option", "integer", eye (2), "Device", 0.5);
%!   check_error (f, "gpueig:bad-option", "\"iter\"", eye (2), "Display", "loud");
%! endfor

## Logical and integer matrices, such as adjacency matrices and images, are taken as double, and so
## are arrays of them.
%!test
%! warning ("off", "all", "local");
%! for name = public_functions ()
%!   args = small_arguments (name{1});
%!   matrices = 1:numel (args) - any (strcmp (name{1}, {"gpu_mpower", "gpu_ordschur"}));
%!   for class = {@logical, @int8, @uint64, @(x) sparse (logical (x)), @(x) gpu_array (logical (x)), @(x) gpu_array (uint8 (x))}
%!     on = args;
%!     on(matrices) = cellfun (class{1}, args(matrices), "UniformOutput", false);
%!     plain = cellfun (@(x) double (full (gather (x))), on, "UniformOutput", false);
%!     wanted = feval (name{1}, plain{:});
%!     r = feval (name{1}, on{:});
%!     assert (isa (r, "gpu_array"), any (cellfun (@(x) isa (x, "gpu_array"), on)), name{1});
%!     assert (isequaln (full (gather (r)), full (wanted)), "%s of %s", name{1}, func2str (class{1}));
%!   endfor
%! endfor

%!test
%! for f = symmetric_solvers ()(2:end)
%!   f = f{1};
%!   check_error (f, "gpueig:not-symmetric", "gpu_eig \\(A\\)", [1 2 9; 3 4 5; 1 1 1]);
%!   check_error (f, "gpueig:not-symmetric", "\\(A \\+ A'\\) / 2", [1 1i 0; 1i 1 0; 0 0 1]);
%! endfor

%!test
%! for f = all_solvers ()
%!   try
%!     f{1} ();
%!     error ("not reached");
%!   catch err
%!     assert (err.identifier, "Octave:invalid-fun-call");
%!   end_try_catch
%! endfor

## "Display", "iter": the plan, the problem, and at the end the method and its time, with the same
## bits.
%!test
%! for call = sample_calls (7, true)
%!   if (! any (strcmp (call.name, [public_functions("eigenvalues"), {"gpu_schur", "gpu_svd", "gpu_tdinv"}])))
%!     continue;
%!   endif
%!   want = sample_run (call);
%!   call.args = [call.args, {"Display", "iter"}];
%!   lines = strsplit (strtrim (evalc ("out = sample_run (call);")), "\n");
%!   first = find (! strncmp (lines, "plan, if ", 9), 2)(end);
%!   assert (strncmp (lines{1}, "plan: ", 6) && ! isempty (regexp (lines{first}, "order|-by-")), "%s: %s", call.text, lines{:});
%!   assert (strncmp (lines{end}, out{end}.method, numel (out{end}.method)) && ! isempty (regexp (lines{end}, "\\d m?s")), ...
%!           "%s: %s", call.text, lines{end});
%!   assert (isequal (out(1:end-1), want(1:end-1)), call.text);
%! endfor

## Arrays with more than three dimensions: the bits of the stack, in its dimensions.
%!test
%! in_dims = @(x) reshape (x, rows (x), columns (x), 1, []);
%! calls = sample_calls ();
%! calls = calls(cellfun (@(args) ndims (args{1}) > 2, {calls.args}));
%! assert (numel (unique ({calls.name})) >= 13);
%! for call = calls
%!   stack = sample_run (call);
%!   k = cellfun (@ndims, call.args) > 2;
%!   call.args(k) = cellfun (in_dims, call.args(k), "UniformOutput", false);
%!   out = sample_run (call);
%!   for i = 1:numel (out) - 1
%!     assert (isequal (full (out{i}), in_dims (full (stack{i}))), call.text);
%!   endfor
%! endfor
