## Claims: info has the same fields for every input and method of a function, and its method
## is a word of "Method": the same call with it returns the same bits.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## One page of order N: random, of few eigenvalues, or tridiagonal with pairs of them.
%!function A = page (n, kind)
%!  A = randn (n);
%!  switch (kind)
%!    case "symmetric"
%!      A = A + A';
%!    case "hermitian"
%!      A = complex (A + A', A - A');
%!    case "complex"
%!      A = complex (A, randn (n));
%!    case "clusters"
%!      [Q, ~] = qr (A);
%!      A = Q * diag (mod (1:n, 3)) * Q' / 1000;
%!      A = (A + A') / 2;
%!    case "wilkinson"
%!      A = diag (abs ((1:n) - (n + 1) / 2)) + diag (ones (n - 1, 1), 1) + diag (ones (n - 1, 1), -1);
%!    case "defective"
%!      A = eye (n) + diag (ones (n - 1, 1), 1);
%!  endswitch
%!endfunction

## A stack of N-by-N pages of the KINDS.
%!function A = stack (n, kinds)
%!  A = zeros (n, n, numel (kinds));
%!  for p = 1:numel (kinds)
%!    A(:,:,p) = page (n, kinds{p});
%!  endfor
%!endfunction

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

%!function check_kinds (f, kinds)
%!  fields = {};
%!  warning ("off", "gpueig:fallback", "local");
%!  for n = [0, 1, 2, 5, 20, 60]
%!    for kind = kinds
%!      for wide = 0:1
%!        if (n == 0)
%!          A = zeros (0, 0);
%!        else
%!          A = stack (n, kind{1});
%!        endif
%!        if (wide)
%!          A = single (A);
%!        endif
%!        text = sprintf ("%s, %s of %s, order %d", f, class (A), strjoin (kind{1}, ", "), n);
%!        [V, D, W, info] = feval (f, A);
%!        fields = check (f, {A}, {V, D, W}, info, fields, text);
%!        [lambda, ~, ~, info] = feval (f, A, "vector");
%!      endfor
%!    endfor
%!  endfor
%!endfunction

%!shared symmetric, general
%! symmetric = {{"symmetric"}, {"hermitian"}, {"clusters"}, {"wilkinson"}, ...
%!              {"symmetric", "symmetric", "symmetric"}, {"symmetric", "clusters", "wilkinson", "symmetric"}};
%! general = [symmetric, {{"complex"}, {"defective"}, {"complex", "complex"}, ...
%!                        {"symmetric", "defective", "symmetric"}, {"hermitian", "complex", "complex"}}];

%!test
%! randn ("twister", test_seed (42));
%! check_kinds ("gpu_eig", general);

%!test
%! randn ("twister", test_seed (43));
%! check_kinds ("gpu_complex_eig", general);

%!test
%! randn ("twister", test_seed (44));
%! for f = {"gpu_jacobi_eig", "gpu_onesided_eig"}
%!   check_kinds (f{1}, symmetric);
%! endfor

%!test
%! randn ("twister", test_seed (45));
%! check_kinds ("gpu_mrrr", symmetric);

## The scale of a tridiagonal matrix does not matter to a method that is named.
%!test
%! randn ("twister", test_seed (46));
%! d = randn (60, 1);
%! e = randn (59, 1);
%! [V, D] = gpu_mrrr (d, e, "Method", "stevd", "Backend", "cpu");
%! [V2, D2] = gpu_mrrr (d * 2^-40, e * 2^-40, "Method", "stevd", "Backend", "cpu");
%! assert (isequal (V, V2) && isequal (D, D2 * 2^40));

## Pairs: definite ones, with an ill-conditioned B, general ones, both in one stack.  QZ is
## not on a GPU.
%!test
%! randn ("twister", test_seed (47));
%! fields = {};
%! for n = [1, 5, 20, 60]
%!   A = page (n, "symmetric");
%!   C = page (n, "complex");
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

## gpu_schur, gpu_ordschur, gpu_tdinv.
%!test
%! randn ("twister", test_seed (48));
%! fields = {};
%! for n = [0, 1, 5, 60, 130]
%!   A = randn (n);
%!   [U, S, info] = gpu_schur (A);
%!   fields = check ("gpu_schur", {A}, {U, S}, info, fields, sprintf ("gpu_schur of order %d", n));
%!   if (n > 0)
%!     [U2, S2, info] = gpu_ordschur (U, S, "lhp", "Backend", "cpu");
%!     check ("gpu_ordschur", {U, S, "lhp", "Backend", "cpu"}, {U2, S2}, info, [], "gpu_ordschur");
%!     T = tril (triu (A, -1), 1);
%!     [X, r, info] = gpu_tdinv (T);
%!     check ("gpu_tdinv", {T}, {X, r}, info, [], "gpu_tdinv");
%!   endif
%! endfor
