## Claims: gpu_array of a sparse matrix stays sparse, with the operators and functions of Octave's sparse
## matrices; full results of it and of other arrays are on the GPU; nothing becomes full by itself.  On a GPU
## its products are computed there, by a copy that follows operations with numbers, transposes and changes; without
## one that is simulated (tests/base/place_plugin.c).  Octave's iterative solvers take it.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function all_uses ()
%! warning ("off", "all", "local");
%! A = [4 0 1 0; 0 5 0 0; 1 0 6 2; 0 0 2 7];
%! G = magic (4) / 3;
%! x = G(:,1);
%! uses = {@(S) S, @size, @nnz, @nzmax, @issparse, @isreal, @iscomplex, @isfloat, @islogical, @isnumeric, @isempty, @numel, ...
%!         @(S) isa (S, "float"), @full, @find, @(S) nthargout (1:3, @find, S){3}, @nonzeros, @diag, @(S) diag (S, 1), @transpose, ...
%!         @ctranspose, @(S) -S, @(S) +S, @not, @(S) 2 * S, @(S) S / 2, @(S) S + 1, @(S) S .^ 2, @(S) S ^ 2, @(S) S * S, @(S) S + S, ...
%!         @(S) S - S', @(S) S .* S, @(S) S & S, @(S) S > 1, @(S) S == S', @abs, @sqrt, @real, @(S) sum (S), @(S) sum (S, 2), ...
%!         @(S) sum (S(:)), @(S) prod (S), @(S) max (S), @(S) max (S, [], 2), @(S) any (S), @(S) all (S), @(S) cumsum (S), ...
%!         @(S) S(2,:), @(S) S(:,3), @(S) S(2:3,[1 4]), @(S) S(3,3), @(S) S(:), @(S) S(logical (eye (4))), @(S) S(20), @(S) S(S > 1), ...
%!         @tril, @triu, @(S) kron (S, [1 2]), @(S) [S, S], @(S) [S; 1:4], @(S) [1:4; S], @(S) reshape (S, 2, 8), @spones, ...
%!         @(S) spfun (@exp, S), @(S) norm (S, 1), @(S) norm (S, "fro"), @trace, @(S) det (S), @(S) inv (S), @(S) S \ x, @(S) x' / S, ...
%!         @(S) chol (S), @(S) lu (S), @(S) S * x, @(S) S' * x, @(S) x' * S, @(S) S * G, @(S) G * S, @(S) S .* G, @(S) S + G, @(S) G ./ S, ...
%!         @(S) S .* x, @(S) S * 1i, @(S) single (G) * S, @(S) isequal (S, S'), @(S) double (S), @(S) logical (S), @(S) repmat (S, 2, 1), ...
%!         @(S) assigned (S, 9, 1, 2), @(S) assigned (S, [], 2, ":"), @(S) assigned (S, 0, ":", 1), @(S) assigned (S, 1, 6, 6), ...
%!         @(S) assigned (G, S, ":"), @(S) assigned (S, G, ":"), @issymmetric, @(S) ishermitian (S), @(S) permute (S, [2, 1]), ...
%!         @(S) zeros (2, 3, "like", S), @mat2str, @(S) sprintf ("%d,", S), @(S) num2str (S), @(S) sparse (S), @(S) circshift (S, 1), ...
%!         @(S) pcg (S, x, 1e-10, 50), @(S) mean (S), @(S) ichol (S), @(S) S(:,[1 1]), @(S) S(0), @(S) S + {1}, @(S) S * ones (3), ...
%!         @(S) S * gpu_array (x), @(S) S' * gpu_array (x), @(S) gpu_array (x)' * S, @(S) S * gpu_array (G), @(S) gpu_array (G) * S, ...
%!         @(S) S .* gpu_array (G), @(S) S + gpu_array (G), @(S) gpu_array (G)' * S, @(S) S \ gpu_array (x), @(S) gpu_array (x)' / S, ...
%!         @(S) [S, gpu_array(G)], @(S) [gpu_array(G); S], @(S) gpu_array (G) > S, @(S) max (gpu_array (G), S), @(S) kron (gpu_array (x), S), ...
%!         @(S) gpu_array (G)(logical (S)), @(S) assigned (gpu_array (G), 0, logical (S)), @(S) assigned (gpu_array (G), S, ":"), ...
%!         @(S) pcg (S, gpu_array (x), 1e-10, 50), @(S) pcg (@(v) S * v, gpu_array (x), 1e-10, 50), @(S) S * int8 (2), ...
%!         @(S) S .* gpu_array (logical (A)), @(S) sparse (gpu_array (G)) + S, @(S) bsxfun (@times, S, x)};
%! n = 0;
%! for M = {sparse(A), sparse(A * (1 + 2i)), sparse(A > 0)}
%!   for f = uses
%!     wanted = outcome (f{1}, M{1});
%!     got = outcome (f{1}, gpu_array (M{1}));
%!     near = isequaln (got, wanted) || (numel (got) == 4 && isequal (got(1:3), wanted(1:3)) && isnumeric (got{4}) ...
%!                                       && norm (double (full (got{4} - wanted{4})), 1) <= 1e-12 * norm (double (full (wanted{4})), 1));
%!     assert (near, "%s of %s %s: %s", func2str (f{1}), {"real", "complex"}{iscomplex(M{1}) + 1}, class (M{1}), disp (got));
%!     n++;
%!   endfor
%! endfor
%! report_count ("operations of sparse arrays", n);
%!endfunction

%!test all_uses ();
%!test on_gpu (@all_uses);

## What is an array, sparse or full; what it takes.
%!test
%! S = gpu_array (sparse ([2 -1 0; -1 2 -1; 0 -1 2]));
%! G = gpu_array ([1 2; 3 4; 5 6]);
%! for r = {S, S', 2 * S, S .^ 2, S + S, S(2:3,:), S(:,1), [S, S], sum(S), tril(S), spones(S), sparse(G), zeros(2, "like", S), cast(G, "like", S)}
%!   assert (isgpuarray (r{1}) && issparse (r{1}), disp (r{1}));
%! endfor
%! for r = {S * G, S \ G, G' * S, S + 1, full(S), nonzeros(S)}
%!   assert (isgpuarray (r{1}) && ! issparse (r{1}), disp (r{1}));
%! endfor
%! assert ({underlyingType(S), class(S), nnz(S), issparse(gather (S))}, {"double", "gpuArray", 7, true});
%! text = evalc ("S");
%! assert (! isempty (strfind (text, "3x3 gpu_array, sparse double, in ")) && ! isempty (strfind (text, "(2, 2)")), text);
%! before = gpu_info ().arrays;
%! L = gpu_array (speye (200000));
%! x = L * gpu_array (ones (200000, 1));
%! L = (L + L)' * 2;
%! y = zeros (200000, 200000, "like", L);
%! assert ({nnz(L), sum(x), nnz(y), issparse(y)}, {200000, 200000, 0, true});
%! now = gpu_info ().arrays;
%! assert (now.host + now.device - before.host - before.device <= 16 * 200000);

## Products, of real and complex matrices that are not square, some rows and columns being empty.
%!function close_to (got, wanted)
%!  assert (isgpuarray (got) && ! issparse (got) && norm (gather (got) - wanted, 1) <= 1e-14 * norm (wanted, 1));
%!endfunction

%!function products ()
%!  for part = [0, 1]
%!    S = sparse ([1 1 3 4 6 6 7], [1 5 2 5 1 4 5], (1:7) - part * 1i * [1 0 2 0 3 1 1], 8, 6);
%!    X = reshape (sin (1:18), 6, 3) + part * 1i * reshape (cos (1:18), 6, 3);
%!    Y = reshape (cos (1:32), 8, 4) + part * 1i * reshape (sin (1:32), 8, 4);
%!    x = X(:,1);
%!    G = gpu_array (S);
%!    assert (strfind (disp (G), "GPU 0") > 0);
%!    before = gpu_info ().arrays.device;
%!    for arrays = [true, false]
%!      XG = X; YG = Y;
%!      if (arrays)
%!        XG = gpu_array (X); YG = gpu_array (Y);
%!      endif
%!      close_to (G * XG, S * X);
%!      close_to (G * XG(:,1), S * x);
%!      close_to (G' * YG, S' * Y);
%!      close_to (G.' * YG, S.' * Y);
%!      close_to (YG' * G, Y' * S);
%!      close_to (YG.' * G, Y.' * S);
%!      close_to (XG' * G', X' * S');
%!      close_to (XG.' * G', X.' * S');
%!      close_to (XG' * G.', X' * S.');
%!      Z = XG';
%!      close_to (Z * G', X' * S');
%!      close_to (YG(:,1)' * G, Y(:,1)' * S);
%!    endfor
%!    clear XG YG Z
%!    ## The transpose is there as well.
%!    assert (gpu_info ().arrays.device >= before + nnz (S) * 8 * (1 + part));
%!    XG = gpu_array (X); YG = gpu_array (Y);
%!    close_to ((2 * G) * XG, 2 * S * X);
%!    close_to ((G / 3) * XG, S / 3 * X);
%!    close_to ((-G)' * YG, -S' * Y);
%!    close_to ((G * 2i) * XG, S * 2i * X);
%!    f = @(y) G' * y;
%!    close_to (f (YG), S' * Y);
%!    T = G'.';
%!    close_to (T * XG, conj (S) * X);
%!    assert (isequal (gather (T), conj (S)));
%!    close_to (T * XG, conj (S) * X);
%!    T = G'; T(2,:) = 0; W = S'; W(2,:) = 0;
%!    close_to (T * YG, W * Y);
%!    close_to ((2 * G') * YG, 2 * S' * Y);
%!    T = G'; U = G.';
%!    close_to (T * YG, S' * Y);
%!    close_to (U * YG, S.' * Y);
%!    close_to (T' * XG, S * X);
%!    V = G; V(3,:) = 7; W = S; W(3,:) = 7;
%!    close_to (V * XG, W * X);
%!    close_to (G * XG, S * X);
%!    assert (isequal (gather (0 * G), 0 * S) && nnz ((0 * G) * gpu_array (Inf (6, 1))) == 0);
%!    r = G(6,:) * XG(:,1);
%!    assert (! isobject (r) && abs (r - S(6,:) * x) <= 1e-13);
%!    for wrong = {@() G * YG, @() G' * XG, @() XG' * G}
%!      message = "";
%!      try, wrong{1} (); catch err, message = err.message; end_try_catch
%!      assert (! isempty (strfind (message, "nonconformant")), message);
%!    endfor
%!    assert (isequal (gather (G), S) && isequal (gather (T), S'));
%!  endfor
%!  assert (isequal (size (gpu_array (sparse (3, 0)) * gpu_array (zeros (0, 2))), [3, 2]));
%!endfunction

%!test on_gpu (@products);

## Sums, differences and products of two sparse matrices: those of Octave, without stored zeros, also where a factor
## is Octave's own, a transpose, a result that is on the GPU alone, or where the GPU has no room.
%!function results_of (S, T, f, exact = true)
%!  for pair = {gpu_array(S), gpu_array(S), S; gpu_array(T), T, gpu_array(T)}
%!    wanted = outcome (f, S, T);
%!    got = outcome (f, pair{:});
%!    if (exact || numel (wanted) < 4)
%!      assert (isequaln (got, wanted), "%s of\n%s%s", func2str (f), disp (full (S)), disp (full (T)));
%!    else
%!      assert (got(1:3), wanted(1:3));
%!      assert (norm (got{4} - wanted{4}, 1) <= 1e-14 * norm (wanted{4}, 1));
%!    endif
%!    if (numel (got) == 4)
%!      assert (nnz (got{4}) == nnz (wanted{4}) && nzmax (got{4}) <= nzmax (wanted{4}));
%!    endif
%!  endfor
%!endfunction

%!function results ()
%!  operators = {@plus, @minus, @times, @mtimes};
%!  of_code = @(code) sparse (reshape (mod (floor (code ./ 3 .^ (0:8)), 3) - 1, 3, 3));
%!  for k = 0:97:3^9-1
%!    for f = operators
%!      results_of (of_code (k), of_code (mod (k * 7919, 3^9)), f{1});
%!    endfor
%!  endfor
%!  for k = 1:40
%!    sizes = mod (k * [7, 5, 11], [9, 8, 13]);
%!    S = sparse (round (2 * sin ((1:sizes(1))' * (1:sizes(2)) * k)) / 2);
%!    T = sparse (round (2 * cos ((1:sizes(1))' * (1:sizes(2)) * 3 * k)) / 2);
%!    R = sparse (round (2 * sin ((1:sizes(2))' * (1:sizes(3)) * 5 * k)) / 2);
%!    if (mod (k, 3) == 0)
%!      S *= 1 - 2i;
%!      T *= 1i ^ k;
%!    endif
%!    for f = operators(1:3)
%!      results_of (S, T, f{1});
%!    endfor
%!    results_of (S, R, @mtimes);
%!    results_of (S, T, @(x, y) x' * y);
%!    results_of (S, T, @(x, y) x.' * y);
%!    results_of (S, T, @(x, y) x * y');
%!    results_of (S, T, @(x, y) (x * y.') * (x - y));
%!    results_of (S, T, @(x, y) conj (x + y)' - y.');
%!    results_of (S, T, @(x, y) (x' + y') .* x');
%!    results_of (S, S', @mtimes);
%!    results_of (S, S, @minus);
%!    results_of (S / 3, S / 3, @minus);
%!    results_of (S / 7, R / 3, @mtimes, false);
%!  endfor
%!  special = sparse ([NaN 0 Inf; 1 -Inf 0; 0 2 1]);
%!  empty = @(m, n) sparse (m, n);
%!  cases = {special, special'; sparse(eye (3)), special; special, -special; special > 0, special > 1; empty(3, 0), empty(3, 0); ...
%!           empty(3, 0), empty(0, 3); empty(0, 3), empty(3, 2); empty(0, 0), empty(0, 0); empty(3, 3), special; special, empty(3, 3); ...
%!           sparse(2), special; special, sparse(2); sparse(2), sparse(3); sparse(1:3), sparse((1:3)'); sparse((1:3)'), sparse(1:3); ...
%!           special, sparse((1:3)'); special, sparse(1:3); special, sparse(ones (2)); special(:,1:2), special; ...
%!           sparse([1e-200, 1]), sparse([1e-200, 1]); sparse([1i, 2]), sparse([1i, 1]); sparse([1i, 0]), sparse([-1i, 0])};
%!  for k = 1:rows (cases)
%!    for f = operators
%!      results_of (cases{k,:}, f{1});
%!    endfor
%!  endfor
%!  ## What is asked of a result before its elements are in host memory.
%!  S = gpu_array (sparse ([1 2 0; 0 0 3]));
%!  P = S' * S;
%!  assert (isgpuarray (P) && issparse (P) && isreal (P) && isfloat (P) && ! islogical (P));
%!  assert ({size(P), class(P), underlyingType(P)}, {[3, 3], "gpuArray", "double"});
%!  assert (iscomplex (P * (1i * P)) && size (P(:,1:2)') == [2, 3]);
%!  assert (gather (P * gpu_array ([1; 2; 3])), [5; 10; 27]);
%!  assert (gather (P' * gpu_array ([1; 2; 3])), [5; 10; 27]);
%!  Q = S' * S; Q(1,1) = 7;
%!  assert (gather (Q), sparse ([7 2 0; 2 4 0; 0 0 9]));
%!  assert (gather (P), sparse ([1 2 0; 2 4 0; 0 0 9]));
%!endfunction

%!test on_gpu (@results);

%!function without_room ()
%!  S = sparse (round (2 * sin ((1:20)' * (1:20))));
%!  for f = {@plus, @mtimes, @(x, y) x' * y}
%!    [done, k] = deal (false, 0);
%!    while (! done && k++ < 100)
%!      G = gpu_array (S);
%!      [~, ~] = __gpueig__ ("testing", "allocation", k);
%!      unwind_protect
%!        R = f{1} (G, G);
%!      unwind_protect_cleanup
%!        [~, count] = __gpueig__ ("testing", "allocation", 0);
%!      end_unwind_protect
%!      assert (isequal (gather (R), f{1} (S, S)));
%!      done = count < k;
%!    endwhile
%!    assert (k > 3 && k < 100);
%!  endfor
%!endfunction

%!test on_gpu (@without_room);

## Iterative solvers: as of plain matrices, the solution being an array, also where the right-hand side alone is one.
%!function solvers ()
%!  n = 12;
%!  T = spdiags (ones (n, 1) * [-1, 2, -1], -1:1, n, n);
%!  S = kron (T, speye (n)) + kron (speye (n), T);
%!  N = S + 0.1 * spdiags (ones (n^2, 1), 1, n^2, n^2);
%!  b = (1:n^2)' / n;
%!  d = full (diag (S));
%!  c = gpu_array (d);
%!  cases = {@pcg, S, {1e-10, 200}; @pcr, S, {1e-10, 200}; @pcg, S, {1e-10, 200, diag(sparse (d))}; @pcg, S, {1e-10, 200, @(x) x ./ c}; ...
%!           @pcg, S + 0, {1e-10, 0}; @bicgstab, N, {1e-10, 200}; @bicg, N, {1e-10, 200}; @cgs, N, {1e-10, 200}; ...
%!           @qmr, N, {1e-10, 200}; @tfqmr, N, {1e-10, 200}; @gmres, N, {20, 1e-10, 10}; @bicgstab, N * (1 + 1i), {1e-10, 200}};
%!  for k = 1:rows (cases)
%!    [f, A, options] = cases{k,:};
%!    [x, flag, relres, iter] = f (A, b, options{:});
%!    for pair = {gpu_array(A), A, gpu_array(A), @(x, varargin) gpu_array(A) * x; gpu_array(b), gpu_array(b), b, gpu_array(b)}
%!      if (is_function_handle (pair{1}) && any (strcmp (func2str (f), {"bicg", "qmr"})))
%!        continue;  # they call it with a second argument
%!      endif
%!      [y, flag_2, relres_2, iter_2] = f (pair{1}, pair{2}, options{:});
%!      assert (isgpuarray (y), func2str (f));
%!      assert ({flag_2, iter_2}, {flag, iter});
%!      assert (gather (y), x, 1e-9 * norm (x));
%!    endfor
%!  endfor
%!endfunction

%!test solvers ();
%!test on_gpu (@solvers);
