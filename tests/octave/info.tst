## Claims: info has the same fields for every input and method of a function, and its method
## is a word of "Method": the same call with it returns the same bits.  Calls on arrays by all methods return the bits of host data.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## INFO, of F (ARGS{:}) with the results OUT, has the FIELDS seen before, [] for none.
%!function fields = check (f, args, out, info, fields, text)
%!  if (isempty (fields))
%!    fields = fieldnames (info);
%!  endif
%!  assert (fieldnames (info), fields, text);
%!  if (! isempty (info.fallback))
%!    return;
%!  endif
%!  again = cell (size (out));
%!  [again{:}, other] = feval (f, args{:}, "Method", info.method);
%!  for i = 1:numel (out)
%!    assert (isequal (full (out{i}), full (again{i})) && iscomplex (out{i}) == iscomplex (again{i}), ...
%!            "%s: output %d by \"%s\" is not that by \"%s\"", text, i, other.method, info.method);
%!  endfor
%!  assert (other.method, info.method, text);
%!endfunction

## Every call of sample_calls, of two orders, beside the call with the method that it names;
## of eigenvalues also an empty matrix.
%!test
%! fields = struct ();
%! for name = public_functions ("eigenvalues")
%!   fields.(name{1}) = fieldnames (nthargout (4, 4, name{1}, []));
%! endfor
%! calls = [sample_calls(7), sample_calls(60), sample_calls(7, true), sample_calls(40, true)];
%! for call = calls
%!   out = sample_run (call);
%!   info = out{end};
%!   if (! isfield (fields, call.name))
%!     fields.(call.name) = fieldnames (info);
%!   endif
%!   fields.(call.name) = check (call.name, call.args, out(1:end-1), info, fields.(call.name), call.text);
%! endfor

## Pairs: definite ones, with an ill-conditioned B, general ones, both in one stack.  QZ is
## not on a GPU.
%!test
%! randn ("twister", test_seed (47));
%! fields = {};
%! for n = [1, 5, 20, 60]
%!   A = randn (n);
%!   A += A';
%!   for B = {eye(n) + ones(n), diag(10 .^ -linspace (0, 13, n)), randn(n), cat(3, eye (n), randn (n))}
%!     X = repmat (A, [1, 1, size(B{1}, 3)]);
%!     args = {X, B{1}, "Backend", "auto"};
%!     [V, D, W, info] = gpu_eig (args{:});
%!     fields = check ("gpu_eig", args, {V, D, W}, info, fields, sprintf ("pair of order %d", n));
%!   endfor
%! endfor
%! [~, ~, ~, info] = gpu_eig (A, eye (n), "qz", "Backend", "auto");
%! assert (info.method, "qz");
%! [~, ~, ~, info] = gpu_eig (A, eye (n), "Accuracy", "high");
%! assert (fieldnames (info), fields);

## Arrays by all methods, parts and high accuracy: the bits of host data, or the same error.
%!test
%! backend = {"Backend", {"cpu", "cuda"}{1 + strcmp(gpu_info ().backend, "cuda")}};
%! warning ("off", "gpueig:fallback", "local");
%! A = cat (3, sin ((1:9)' * (1:9)), hilb (9));
%! for name = {"gpu_eig", "gpu_complex_eig", "gpu_jacobi_eig", "gpu_onesided_eig"}
%!   options = [cellfun(@(m) {{"Method", m}}, words_of (name{1})), {{"Index", [2 3]}, {"Accuracy", "high"}}];
%!   for x = {A, A(:,:,2), complex(A, -A(:,[2 1 3:9],:))}
%!     for k = 1:numel (options)
%!       text = sprintf ("%s, %s %s, %s", name{1}, options{k}{1}, disp (options{k}{2}), disp (size (x{1})));
%!       wanted = got = cell (1, 2);
%!       failed = {"", ""};
%!       try
%!         [wanted{:}] = feval (name{1}, x{1}, "vector", options{k}{:}, backend{:});
%!       catch err
%!         failed{1} = err.identifier;
%!       end_try_catch
%!       try
%!         [got{:}] = feval (name{1}, gpu_array (x{1}), "vector", options{k}{:}, backend{:});
%!       catch err
%!         failed{2} = err.identifier;
%!       end_try_catch
%!       assert (failed{2}, failed{1}, text);
%!       assert (isequal (cellfun (@gather, got, "uniformoutput", false), wanted), text);
%!     endfor
%!   endfor
%! endfor
