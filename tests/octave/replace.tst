## Claims about gpu_replace: every call of eig, inv, schur, svd, pinv, sqrtm, logm and expm has the
## outputs or the error message of the built-in, or an error where that may never end.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## The outputs of F (ARGS{:}), or the message of its error; a built-in by its name.
%!function result = outcome (f, count, args)
%!  result = cell (1, max (count, 1));
%!  lasterr ("");
%!  try
%!    if (ischar (f))
%!      [result{:}] = builtin (f, args{:});
%!    else
%!      [result{:}] = f (args{:});
%!    endif
%!  catch err
%!    result = {regexprep(err.message, '\s+', " "), err.identifier};
%!    ## Octave has several messages for an output that was not set.
%!    if (regexp (result{1}, "elements? .*undefined|side of .*(un|not )defined"))
%!      result = {"an output was not set", ""};
%!    endif
%!  end_try_catch
%!endfunction

## Small and other arguments: the same bits, types and messages.
%!test
%! s = warning ("off", "all");
%! calls = {{}, {"a"}, {{}}, {int8([1 2; 3 4])}, {true(40)}, {struct()}, ...
%!          {ones(2, 3)}, {ones(40, 50)}, {ones(40, 40, 2)}, {zeros(0, 3)}, ...
%!          {NaN(2)}, {NaN(33)}, {[1, Inf; Inf, 1]}, {zeros(2)}, {zeros(60)}, ...
%!          {1:3}, {eye(50)}, {eye(50)(:,[2, 1, 3:50])}, {speye(50)}};
%! calls(end+(1:3)) = {{ones(4, 5), 0}, {ones(5, 4), "econ"}, {ones(5, 4), "ECON"}};
%! for n = [2, 40]
%!   A = reshape (cos ((1:n^2) .^ 2), n, n);
%!   S = A + A';
%!   P = S + 2*n * eye (n);
%!   calls(end+(1:21)) = {{A}, {single(A)}, {A + 1i*S}, {A, P}, {S, A}, {S, -P}, ...
%!     {A, "nobalance"}, {A, "vector"}, {A, "matrix", "vector"}, {A, P, "qz"}, ...
%!     {S, P, "chol", "qz"}, {S, "Vector"}, {S, "Backend", "cpu"}, {S, 1}, ...
%!     {A, "real"}, {A, "complex"}, {A, "a"}, {sparse(A)}, {S, P, P}, ...
%!     {A, int8(S)}, {S, "vector", "vector", 3}};
%!   if (n < 32)
%!     calls(end+(1:5)) = {{S}, {S, P}, {S, P, "chol"}, {single(S), "matrix"}, ...
%!                         {S + 1i*A - 1i*A.'}};
%!   endif
%! endfor
%! gpu_replace ("on");
%! unwind_protect
%!   functions = {"eig", 3; "inv", 2; "schur", 2; "sqrtm", 1; "svd", 3; "pinv", 1};
%!   for i = 1:rows (functions)
%!     name = functions{i,1};
%!     for c = calls
%!       if (isequaln (c, {{NaN(33)}}) && any (strcmp (name, {"schur", "sqrtm"})))
%!         continue;  # see below
%!       endif
%!       for count = 0:functions{i,2}
%!         wanted = outcome (name, count, c{1});
%!         __gpueig__ ("replace", 1, "none");  # clears info
%!         got = outcome (str2func (name), count, c{1});
%!         [~, info] = __gpueig__ ("testing", "info");
%!         if (! isempty (info.backend))
%!           ## Ours is faster at larger orders, a GPU may be at these; other bits.
%!           ## The built-in's W of general single matrices is 0, and so real.
%!           if (count == 3 && isa (c{1}{1}, "single"))
%!             got{3} = wanted{3};
%!           endif
%!           assert (strcmp (info.backend, "cuda") || rows (c{1}{1}) >= 32);
%!           assert (cellfun (@size, got, "uniformoutput", false),
%!                   cellfun (@size, wanted, "uniformoutput", false));
%!         else
%!           assert (got, wanted);
%!         endif
%!         assert (cellfun (@typeinfo, got, "uniformoutput", false),
%!                 cellfun (@typeinfo, wanted, "uniformoutput", false));
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%!   warning (s);
%! end_unwind_protect

## For NaN and Inf some of Octave's functions may never end: an error.
%!test
%! gpu_replace ("on");
%! unwind_protect
%!   for value = {NaN, Inf, -Inf, single(NaN), complex(1, NaN), 1i*Inf}
%!     for n = [2, 33, 90]
%!       A = repmat (value{1}, n, n);
%!       A(n,1:n-1) = 1;
%!       fail ("logm (A)", "logm: matrix contains Inf or NaN");
%!       if (n > 2)
%!         fail ("sqrtm (A)", "sqrtm: matrix contains Inf or NaN");
%!         fail ("schur (A, \"a\")", "schur: matrix contains Inf or NaN");
%!         fail ("[U, S] = schur (A);", "schur: matrix contains Inf or NaN");
%!       endif
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%! end_unwind_protect

## Functions that are files of Octave: what is not ours has their outputs and messages.
%!test
%! s = warning ("off", "all");
%! A = reshape (cos (1:16), 4, 4);
%! calls = {{}, {"a"}, {{}}, {int8([1 2; 3 4])}, {ones(2, 3)}, {ones(2, 2, 2)}, {1:3}, ...
%!          {2*eye(3)}, {speye(3)}, {4}, {[]}, {A, 3}, {[-1 2; 0 3]}, {A*A + 5*eye(4)}};
%! unwind_protect
%!   for f = {"logm", 2; "expm", 1}'
%!     for c = calls
%!       for count = 1:f{2}
%!         wanted = outcome (str2func (f{1}), count, c{1});
%!         gpu_replace ("on");
%!         got = outcome (str2func (f{1}), count, c{1});
%!         assert (gpu_replace ("off"), "on");
%!         if (ischar (wanted{1}))
%!           assert (got, wanted);
%!         else
%!           assert (size (got{1}), size (wanted{1}));
%!           difference = norm (full (got{1} - wanted{1}), 1);
%!           assert (difference <= 1e-9 * norm (full (wanted{1}), 1));
%!           assert (typeinfo (got{1}), typeinfo (wanted{1}));
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%!   warning (s);
%! end_unwind_protect

## The outputs of F (...), which is served by ours or, if not SERVED, by Octave; INFO: of ours.
%!function [info, varargout] = call (served, f, varargin)
%!  varargout = cell (1, max (1, nargout - 1));
%!  __gpueig__ ("replace", 1, "none");  # clears info
%!  [varargout{:}] = f (varargin{:});
%!  [~, info] = __gpueig__ ("testing", "info");
%!  assert (isempty (info.backend), ! served);
%!endfunction

## Large ones: ours, as right.
%!test
%! gpu_replace ("on");
%! unwind_protect
%!   n = 128;
%!   unit = n * eps ("single");
%!   for type = {@double, @single}
%!     A = reshape (sin ((1:n^2) .^ 2), n, n);
%!     A = type{1} (A + A');
%!     H = A + 1i * type{1} (reshape (cos (1:n^2), n, n));
%!     H = (H + H') / 2;
%!     for X = {A, H}
%!       X = X{1};
%!       [~, V, D] = call (true, @eig, X);
%!       assert (typeinfo (D), typeinfo (builtin ("eig", X, "matrix")));
%!       assert (norm (X*V - V*D, 1) < 10 * unit * norm (X, 1));
%!       B = X * X' / n + eye (n);
%!       B = (B + B') / 2;
%!       [~, V, lambda, W] = call (true, @eig, A, B, "chol", "vector");
%!       assert (norm (A*V - B*V.*lambda.', 1) < 50 * unit * norm (A, 1) * norm (V, 1));
%!       assert (W, V);
%!       assert (class (eig (double (X), single (B))), "double");
%!     endfor
%!     A(n,1) = 3;
%!     for X = {A, A + 1i * H}
%!       X = X{1};
%!       limit = 20 * unit * norm (X, 1);
%!       [info, V, lambda, W] = call (true, @eig, X, "vector");
%!       assert (info.method, "qr");
%!       assert (norm (X*V - V.*lambda.', 1) < limit * norm (V, 1));
%!       assert (norm (W'*X - lambda.*W', 1) < n * limit);
%!       [info, U, S] = call (true, @schur, X);
%!       assert (norm (U*S - X*U, 1) < limit);
%!       assert (tril (S, -2), zeros (n, class (X)));
%!       assert (iscomplex (schur (X, "complex")));
%!     endfor
%!     T = diag (type{1} (4 + (1:n))) + diag (ones (n-1, 1), 1) - diag (ones (n-1, 1), -1);
%!     assert (norm (inv (T) * T - eye (n), 1) < 10 * unit);
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%! end_unwind_protect

## Handles that are made meanwhile are of ours, and Octave's again afterwards; builtin calls
## Octave's in any case.
%!test
%! T = toeplitz ([4, 1, zeros(1, 126)]);
%! gpu_replace ("on");
%! unwind_protect
%!   for name = {"eig", "inv", "schur", "svd", "pinv", "sqrtm", "logm", "expm"}
%!     f = str2func (name{1});
%!     call (true, f, T);
%!     call (true, @(f) feval (f, T), name{1});
%!     call (true, @cellfun, f, {T}, "uniformoutput", false);
%!     if (! any (strcmp (name{1}, {"logm", "expm"})))
%!       call (false, @builtin, name{1}, T);
%!     endif
%!     gpu_replace ("off");
%!     if (! strcmp (name{1}, "svd"))  # of which Octave would keep its own
%!       call (false, f, T);
%!       call (false, @(f) feval (f, T), name{1});
%!     endif
%!     gpu_replace ("on");
%!   endfor
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%! end_unwind_protect

## svd and pinv of matrices of any shape; what is Octave's in any case.
%!test
%! gpu_replace ("on");
%! driver = svd_driver ();
%! unwind_protect
%!   for shape = {[150, 129], [129, 140]}
%!     x = reshape (sin ((1:prod (shape{1})) .^ 2), shape{1});
%!     for A = {x, single(x), x + 1i*x(end:-1:1,:)}
%!       A = A{1};
%!       unit = 10 * max (size (A)) * eps (class (A));
%!       [~, s] = call (true, @svd, A);
%!       assert (s, builtin ("svd", A), unit * s(1));
%!       for form = {{}, {"econ"}, {0}}
%!         served = ! isequal (form{1}, {0}) || rows (A) >= columns (A);
%!         [~, U, S, V] = call (served, @svd, A, form{1}{:});
%!         [u, t, v] = builtin ("svd", A, form{1}{:});
%!         assert ({size(U), size(S), size(V)}, {size(u), size(t), size(v)});
%!         assert ({typeinfo(U), typeinfo(S)}, {typeinfo(u), typeinfo(t)});
%!         assert (norm (A - U*S*V', 1) <= unit * norm (A, 1));
%!         [U2, S2] = svd (A, form{1}{:});
%!         assert ({U2, S2}, {U, S});
%!       endfor
%!       for tol = {{}, {double(s(40) + s(41)) / 2}}
%!         [~, X] = call (true, @pinv, A, tol{1}{:});
%!         Y = builtin ("pinv", A, tol{1}{:});
%!         assert (norm (X - Y, 1) <= 10 * unit * norm (A, 1) * norm (Y, 1)^2);
%!       endfor
%!       svd_driver ("gejsv");
%!       [~, s] = call (false, @svd, A);
%!       assert (s, builtin ("svd", A));
%!       svd_driver (driver);
%!     endfor
%!   endfor
%!   A(2,2) = NaN;
%!   fail ("svd (A)", "NaN");
%!   assert (pinv (A), builtin ("pinv", A));
%!   fail ("pinv (A, -1)", "TOL must be greater than zero");
%! unwind_protect_cleanup
%!   svd_driver (driver);
%!   gpu_replace ("off");
%! end_unwind_protect

## The built-in's warning, once; no matrix is solved by ours that it warns about.
%!test
%! gpu_replace ("on");
%! unwind_protect
%!   T = toeplitz ([2, -1, zeros(1, 78)]);
%!   T(40,:) = 0;
%!   lastwarn ("");
%!   text = evalc ("X = inv (T);");
%!   [~, id] = lastwarn ();
%!   assert (X, Inf (80));
%!   assert (id, "Octave:singular-matrix");
%!   assert (numel (strfind (text, "warning: matrix singular")), 1);
%! unwind_protect_cleanup
%!   gpu_replace ("off");
%! end_unwind_protect
