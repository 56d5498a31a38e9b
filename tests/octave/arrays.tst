## Claims: gpu_array is a value like Octave's own arrays.  Operations: see arrays.m.
## Solvers return the bits of the call with host data; objects may be deleted, cleared,
## copied, kept in any number; what is not possible says so.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! rounds = 12;
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   rounds = 700;  # of about 160 operations
%! endif
%! seed = test_seed (1);
%! [failures, calls] = arrays (seed, rounds);
%! report_count ("operations on arrays", calls);
%! assert (isempty (failures), "seed %d: %s", seed, strjoin (failures, "\n"));
%! assert (calls > 500);

## All functions, with arrays and host values mixed: the same bits and classes.
%!test
%! for call = sample_calls (9)
%!   backend = {};
%!   default = getenv ("GPUEIG_BACKEND");
%!   if (isempty (default) || strcmp (default, "auto"))
%!     backend = {"Backend", {"cpu", "cuda"}{1 + strcmp(gpu_info ().backend, "cuda")}};
%!   endif
%!   wanted = cell (1, call.nout);
%!   on = call.args;
%!   for i = 1:find ([cellfun(@ischar, on), true], 1) - 1
%!     if (isfloat (on{i}) && ! issparse (on{i}) && (i == 1 || rand () < 0.5))
%!       on{i} = gpu_array (on{i});
%!     endif
%!   endfor
%!   if (issparse (on{1}))
%!     continue;
%!   endif
%!   guess = 1 + find (strcmpi (on, "Guess"));
%!   on(guess) = cellfun (@gpu_array, on(guess), "UniformOutput", false);
%!   got = wanted;
%!   try
%!     [wanted{:}] = feval (call.name, call.args{:}, backend{:});
%!   catch err
%!     ## What a GPU does not have: general pairs, another order of a Schur form.
%!     assert (strcmp (gpu_info ().backend, "cuda")
%!             && any (strcmp (call.name, {"gpu_eig", "gpu_ordschur"}))
%!             && numel (call.args) > 1 && ! ischar (call.args{2}), "%s: %s", call.text, err.message);
%!     assert (err.identifier, "gpueig:no-device", "%s: %s", call.text, err.message);
%!     continue;
%!   end_try_catch
%!   [got{:}] = feval (call.name, on{:}, backend{:});
%!   for i = 1:call.nout
%!     if (isstruct (wanted{i}))
%!       assert (isstruct (got{i}), "%s: output %d is no struct", call.text, i);
%!       assert (got{i}.method, wanted{i}.method);
%!     else
%!       assert (isa (got{i}, "gpu_array") || (strcmp (call.name, "gpu_tdinv") && i == 2), ...
%!               "%s: output %d is no array", call.text, i);
%!       assert (isequal (gather (got{i}), full (wanted{i})), "%s: output %d", call.text, i);
%!       assert (class (gather (got{i})), class (wanted{i}));
%!     endif
%!   endfor
%! endfor

## eig, inv and schur themselves.
%!test
%! A = [4 1 0; 1 3 2; 0 2 5];
%! G = gpu_array (A);
%! [V, D] = eig (G);
%! assert (norm (A * gather (V) - gather (V * D)) < 1e-13);
%! assert (gather (eig (G)), eig (A), 1e-14);
%! assert (gather (diag (D)), gather (eig (G, "vector")), 1e-14);
%! [U, S] = schur (G);
%! assert (gather (U * S * U'), A, 1e-13);
%! assert (gather (inv (G) * G), eye (3), 1e-14);
%! B = [1 2 3; 4 5 6; 7 8 10];
%! assert (gather (inv (gpu_array (B))), inv (B), 1e-12);
%! [~, rcond] = inv (gpu_array (B));
%! [~, wanted] = inv (B);
%! assert (rcond, wanted, 1e-15);
%! assert (gather (eig (gpu_array (B), gpu_array (A))), eig (B, A), 1e-12);

## svd, pinv, rank, null, orth and cond.
%!test
%! x = reshape (sin ((1:42) .^ 2), 6, 7);
%! for A = {x, x', x(:,1:2)*x(1:2,1:5), x(1:3,1:3) + 2i, single(x), ones(1, 4), zeros(3, 2), 7, [1 2; 2 4]}
%!   A = A{1};
%!   G = gpu_array (A);
%!   unit = 100 * eps (class (A));
%!   assert (gather (svd (G)), svd (A), unit * norm (A));
%!   for form = {{}, {0}, {"econ"}}
%!     [U, S, V] = svd (G, form{1}{:});
%!     [u, s, v] = svd (A, form{1}{:});
%!     assert ({size(U), size(S), size(V)}, {size(u), size(s), size(v)});
%!     assert (gather (U * S * V'), A, unit * norm (A));
%!   endfor
%!   assert (gather (pinv (G)), pinv (A), unit * norm (pinv (A)) * max (1, norm (A) * norm (pinv (A))));
%!   assert (gather (pinv (G, 0.5)), pinv (A, 0.5), unit * norm (pinv (A, 0.5)) * max (1, norm (A)));
%!   assert (rank (G), rank (A));
%!   assert (rank (G, 1.5), rank (A, 1.5));
%!   Z = gather (null (G));
%!   z = null (A);
%!   assert (size (Z), size (z));
%!   assert (Z * Z', z * z', unit);
%!   Q = gather (orth (G));
%!   q = orth (A);
%!   assert (columns (Q), columns (q));
%!   assert (Q * Q', q * q', unit);
%!   if (rank (A) == min (size (A)))
%!     assert (cond (G), cond (A), -unit * cond (A));
%!   endif
%! endfor
%! assert (cond (gpu_array ([2 1; 0 1]), 1), cond ([2 1; 0 1], 1), eps (8));
%! assert (cond (gpu_array (zeros (2))), Inf);
%! fail ("cond (gpu_array ([1 NaN; 1 1]))", "NaN");

## The least solution of a system without full rank.
%!test
%! x = reshape (sin ((1:63) .^ 2), 9, 7);
%! for A = {x(:,1:2)*x(1:2,1:5), (x(:,1:2)*x(1:2,1:5))', x(1:3,:)' * x(1:3,:) * 1i, single(x(:,[1 1 2])), zeros(3, 2)}
%!   A = A{1};
%!   b = cos ((1:rows (A))' * (1:2));
%!   wanted = pinv (double (A), 1e-5) * b;
%!   if (isa (A, "single")), wanted = single (wanted); endif
%!   warning ("off", "all", "local");
%!   assert (gather (gpu_array (A) \ b), wanted, 1e3 * eps (class (A)) * max (1, norm (wanted)));
%!   assert (gather (b' / gpu_array (A')), wanted', 1e3 * eps (class (A)) * max (1, norm (wanted)));
%! endfor

## A variable that is not there becomes an array, of the value's class, also in a struct, a
## cell and a function.
%!function r = row_sums (G)
%!  for k = 1:rows (G)
%!    r(k) = sum (G(k,:));
%!  endfor
%!endfunction
%!test
%! G = gpu_array (magic (4));
%! x(1) = gpu_array (9);
%! s.a(3) = single (gpu_array (16));
%! c{2}(2,3) = gpu_array (11i);
%! t(3).b(2,:) = G(2,:);
%! u(:,:) = G;
%! assert (gather (x), 9);
%! assert (gather (s.a), single ([0 0 16]));
%! assert (gather (c{2}), [0 0 0; 0 0 11i]);
%! assert (gather (t(3).b), [0 0 0 0; 5 11 10 8]);
%! assert (gather (u), magic (4));
%! assert (gather (row_sums (G)), [34 34 34 34]);

## Of several values for one element the last one stays, whatever the number of threads.
%!test
%! for round = 1:20
%!   n = 5 * 2^15 + 1;  # the last of these ends early on two threads
%!   a = gpu_array (0);
%!   a(ones (1, n)) = 1:n;
%!   assert (gather (a), n);
%!   k = randi (40, 1, n);
%!   b = wanted = zeros (1, 40);
%!   b = gpu_array (b);
%!   b(k) = 1:n;
%!   wanted(k) = 1:n;
%!   assert (gather (b), wanted);
%! endfor
%! x = randn (4, 5, 3);
%! G = gpu_array (x);
%! i = [3 1 3 1 2];  j = [2 2 2];  k = [1 3 1];
%! y = randn (5, 3, 3);
%! x(i,j,k) = y;
%! G(i,j,k) = gpu_array (y);
%! assert (gather (G), x);
%! x(i,j,k) = 7;
%! G(i,j,k) = 7;
%! assert (gather (G), x);

## Real powers of real numbers are the same in complex results; infinite ones of negatives are NaN.
%!test
%! for class = {@double, @single}
%!   v = class{1} ([0 1 2.5 3 1/3 -1 -8 -1/3 Inf -Inf NaN 1025]);
%!   [x, y] = meshgrid (v, v);
%!   real_power = gather (gpu_array (abs (x)) .^ gpu_array (y));
%!   at = find (x >= 0 | (y == fix (y) & isfinite (y)))';
%!   for z = {gather(gpu_array (complex (x)) .^ gpu_array (y)), gather(gpu_array (x) .^ complex (y))}
%!     assert (isnan (z{1}(x < 0 & isinf (y))));
%!     z = z{1}(at);
%!     wanted = real_power(at) .* (1 - 2 * (x(at) < 0 & mod (y(at), 2) == 1));
%!     assert (isequaln (real (z), wanted) && ! any (imag (z)), "%d differ", nnz (! (real (z) == wanted)));
%!   endfor
%!   z = gather (gpu_array (class{1} ([2.5 -8])) .^ [Inf 1/3]);
%!   assert (z, [class{1}(Inf), class{1}(-8)^(1/3)], 8 * eps (class{1} (1)));
%!   assert (iscomplex (gpu_array (v) .^ -Inf) && iscomplex ((-2) .^ gpu_array (abs (v(1:end-2)))));
%!   ## Tiny and huge ones, where products overflow.
%!   assert (gather (gpu_array (class{1} ([3+4i, 1i*Inf, 2+1i])) .^ [-1000, -3, -Inf]), class{1} ([0 0 0]));
%! endfor

## Complex numbers whose modulus overflows, and parts that are NaN, which is not true, or infinite.
%!test
%! z = [complex(1.7e308, 1.7e308), complex(-1e308, 1.7e308), complex(NaN, 1), complex(-Inf, 2), 1];
%! for x = {z, [z, complex(Inf, NaN)], single(z / 1e270), NaN, [NaN, NaN; 0, 0], [NaN; 0], complex(NaN, [0, 1])}
%!   G = gpu_array (x{1});
%!   for f = {@isinf, @isnan, @isfinite, @abs, @sign, @(x) x < 2, @any, @(x) any (x, 2), @nnz, @(x) max (x(1:min (5, end))), ...
%!            @(x) min (x(1:min (5, end))), @(x) sort (x(1:min (5, end))), @(x) nthargout (2, @sort, x(1:min (5, end)))}
%!     wanted = f{1} (x{1});
%!     assert (gather (f{1} (G)), wanted, -4 * eps (class (x{1})) * isfloat (wanted));
%!   endfor
%! endfor

%!error <vector> diag (gpu_array (ones (2)), 3, 3)

## Host operands of every kind, taken as the full matrices that they are.
%!test
%! G = gpu_array (magic (3));
%! for x = {eye(3), 1:3, (1:3)', true(3), diag([1 2 3]), eye(3)([2 3 1],:), single(2), 3i, ...
%!          zeros(3, 3), sparse(eye (3)), int8(magic (3)), uint16(3)}
%!   y = x{1};
%!   if (! isa (y, "single") && ! isinteger (y)), y = double (full (y)); endif
%!   assert (gather (G + x{1}), magic (3) + y, 1e-14);
%!   assert (gather (x{1} .* G), y .* magic (3), 1e-14);
%! endfor
%! assert (gather (eye (3) * G), magic (3));
%! assert (gather (G \ [1; 2; 3]), magic (3) \ [1; 2; 3], 1e-14);
%! assert (gather ([1 2 3] / G), [1 2 3] / magic (3), 1e-14);
%! for x = {{1}, struct()}
%!   fail ("G + x{1}");
%! endfor
%! fail ("gpu_array ({})", "cell");
%! row = gpu_array (zeros (1, 0));  # brackets leave it out, cat does not
%! assert (gather ([row; ones(2, 3)]), ones (2, 3));
%! fail ("cat (1, row, ones (2, 3))", "mismatch");

## Sums of empty arrays, of which Octave 11 changed those of 0-by-0 ones.
%!test
%! for x = {zeros(0), single(zeros (0)), complex(zeros (0)), zeros(0, 3), zeros(3, 0), zeros(0, 0, 2)}
%!   for f = {@sum, @sumsq}
%!     assert (size (f{1} (gpu_array (x{1}))), size (f{1} (x{1})));
%!     for dim = 1:4
%!       assert (gather (f{1} (gpu_array (x{1}), dim)), f{1} (x{1}, dim));
%!     endfor
%!   endfor
%! endfor

## Functions without operations of their own are computed in host memory: the results are arrays
## where they are floating-point numbers.
%!test
%! x = [3 1 2; 9 7 8];
%! G = gpu_array (x);
%! r = cov (G);
%! assert (class (r), "gpuArray");
%! assert (gather (r), cov (x), 1e-14);
%! assert (sprintf ("%d,", G), sprintf ("%d,", x));
%! assert (int8 (G), int8 (x));
%! assert (class (arrayfun (@(z) 2 * z, G)), "gpuArray");
%! Z = zeros (2, 3, "like", single (G));
%! assert (underlyingType (Z), "single");
%! assert (class (ones (1, "like", G)), "gpuArray");
%! n = gpu_array (2);
%! assert ({zeros(n, 3), ones(n), rand(n) < 2}, {zeros(2, 3), ones(2), true(2)});
%! assert (gather (eye (n, "like", single (G))), single (eye (2)));
%! assert (gather (diag (1:2, gpu_array (-1))), diag (1:2, -1));
%! fail ("G.handle", "gather");
%! fail ("G{1}", "gather");

## Positions and truth values are Octave's, wherever their elements are: what Octave does with
## them, and what it writes, is the same.
%!function x = changed (x, varargin)
%!  x(varargin{:}) = 3;
%!endfunction
%!function x = shorter (x)
%!  x(2,:) = [];
%!endfunction
%!function x = stepped (x)
%!  x += 1;
%!endfunction
%!function n = counted (x)
%!  n = 0;
%!  for y = x, n += 2 * y(1); endfor
%!  if (x), n = -n; endif
%!endfunction
%!function x = reloaded (x, format)
%!  file = tempname ();
%!  save (format, file, "x");
%!  x = load (file).x;
%!  delete (file);
%!endfunction
%!test
%! warning ("off", "all", "local");
%! x = gather (gpu_array (round (3 * reshape (sin ((1:35) .^ 2), 7, 5))));
%! uses = {@class, @size, @numel, @columns, @isreal, @islogical, @isnumeric, @isfloat, @(m) isa (m, "float"), @isvector, ...
%!         @nnz, @find, @any, @all, @sum, @(m) sum (m, 2), @cumsum, @prod, @max, @(m) min (m, [], 2), @sort, @unique, ...
%!         @mean, @median, @std, @abs, @double, @single, @int8, @uint16, @logical, @char, @num2str, @mat2str, @disp, ...
%!         @(m) sprintf ("%d,", m), @(m) m(:), @(m) m(2,:), @(m) m(end), @(m) m(m > 1), @(m) x(m), @(m) x(m(:,1)), @(m) m + 1, ...
%!         @(m) -m, @not, @ctranspose, @(m) m .^ 2, @(m) m * m', @(m) m' * x, @(m) m & true, @(m) m | x, @(m) xor (m, x), ...
%!         @(m) m == 1, @(m) 1:5 == m, @(m) m != m(:,1), @(m) x < m, @(m) m >= single (2), @(m) m == int8 (1), @(m) m == "a", ...
%!         @(m) m == {1}, @(m) m + {1}, @(m) m == ones (2), @(m) [m, m], @(m) [m; 2 * m], @(m) cat (3, m, int8 (m)), ...
%!         @(m) {m}, @(m) struct ("a", m).a, @(m) repmat (m, 2, 2), @(m) reshape (m, 5, 7), @(m) permute (m, [2, 1]), ...
%!         @(m) diag (m(:,1)), @(m) diag (m), @tril, @(m) kron (m, m), @(m) bitand (m, 1), @(m) accumarray (m(:) + 1, 1), ...
%!         @(m) ismember (m, [1, 2]), @(m) isequal (m, x), @(m) num2cell (m), @(m) arrayfun (@(y) y + 1, m), ...
%!         @(m) bsxfun (@plus, m, 1), @floor, @isnan, @(m) mod (m, 2), @(m) circshift (m, 1), @flipud, @(m) sortrows (m), ...
%!         @sparse, @full, @issparse, @issorted, @int2str, @jsonencode, @(m) resize (m, 2, 2), @(m) squeeze (m), @(m) norm (m), ...
%!         @(m) inv (m), @(m) validateattributes (m, {"numeric"}, {"positive"}), @(m) evalc ("m"), @(m) evalc ("c = {m}"), ...
%!         @(m) changed (m, 2, 3), @(m) changed (m, ":"), @(m) changed (m, 9, 9), @(m) changed (zeros (7, 5), m), ...
%!         @shorter, @stepped, @counted, @(m) merge (logical (m), x, 1), @(m) reloaded (m, "-text"), @(m) reloaded (m, "-binary"), ...
%!         @(m) reloaded (m, "-v7"), @(m) __gpueig__ ("failures") == m, @(m) gpu_array (m) + 1, @(m) gpu_array (x) .* m, ...
%!         @(m) m - gpu_array (x), @(m) gpu_array (x)(m), @(m) m == gpu_array (x), @(m) [gpu_array(x), m], @(m) m' * gpu_array (x), ...
%!         @(m) changed (gpu_array (x), m), @(m) max (gpu_array (x), m), @(m) gpu_array (single (x)) - m};
%! makers = {@(g) g > 0, @isnan, @(g) any (g, 3), @(g) all (single (g), 3), @(g) nthargout (2, @sort, g), ...
%!           @find, @(g) find (g(1,:)), ...
%!           @(g) nthargout (2, @max, g), @(g) nthargout (2, @min, g, [], 2), @(g) nthargout (2, @max, g) == (1:7)'};
%! for make = makers
%!   for use = uses
%!     wanted = outcome (use{1}, make{1} (x));
%!     got = outcome (use{1}, make{1} (gpu_array (x)));
%!     assert (isequaln (got, wanted), "%s of %s: %s", func2str (use{1}), func2str (make{1}), disp (got));
%!   endfor
%! endfor
%! ## They keep their elements where the array changes.
%! G = gpu_array (x);
%! m = G > 0;
%! [s, i] = sort (G);
%! G(:) = -1;
%! s(1) = 9;
%! assert ({m, i}, {x > 0, nthargout(2, @sort, x)});

## Numbers: results of one element are Octave's, but for constructors, conversions, reshape,
## solvers and assignments.
%!test
%! G = gpu_array ([4 1; 2 3]);
%! for f = {@(x) x(2,1), @(x) sum (x(:)), @(x) x(:,1)' * x(:,2), @det, @norm, @trace, @(x) mean (mean (x)), ...
%!          @(x) x(1,:) / x(2,:), @(x) max (max (x)), @(x) [x(1), 2](2), @(x) dot (x(1,:), x(2,:)), ...
%!          @(x) x(1,1:1)', @(x) single (x)(1), @(x) 1i * x(2,2), @(x) +reshape (x(1), 1, 1)}
%!   r = f{1} (G);
%!   wanted = f{1} ([4 1; 2 3]);
%!   assert (class (r), class (wanted));
%!   assert (r, wanted, 1e-14);
%! endfor
%! for f = {@(x) gpu_array (x(1)), @(x) double (gpu_array (1)), @(x) reshape (gpu_array (1), 1, 1), ...
%!          @(x) eig (gpu_array (2)), @(x) inv (gpu_array (2))}
%!   assert (class (f{1} (G)), "gpuArray");
%! endfor
%! H = gpu_array (5);
%! H(1) = 6;
%! assert (class (H), "gpuArray");
%! if (G(1,2) == 1 && any (G(:) == 4)), k = 1; else, k = 0; endif
%! assert (k, 1);

## The 2-norm of larger matrices.
%!test
%! for x = {randn(130, 70), randn(70, 130) * 1e200, single(randn (80)), complex(randn (90), randn (90)) * 1e-200, ...
%!          ones(70), zeros(70), diag([1, 1e-8 * ones(1, 69)])}
%!   n = norm (x{1});
%!   assert (norm (gpu_array (x{1})), n, 200 * eps (class (n)) * n);
%! endfor
%! assert (isnan (norm (gpu_array ([NaN, ones(1, 69); ones(69, 70)]))));

## Deletion.
%!test
%! x = magic (4);
%! for s = {{2, ":"}, {":", [1 3]}, {":"}, {[2 5 2]}, {logical([1 0 0 1]), ":"}}
%!   G = gpu_array (x);
%!   y = x;
%!   if (numel (s{1}) == 1 && ! ischar (s{1}{1})), G = G(:); y = y(:); endif
%!   G(s{1}{:}) = [];
%!   y(s{1}{:}) = [];
%!   assert (gather (G), y);
%! endfor
%! G = gpu_array (x);
%! G(G > 3) = [];
%! x(x > 3) = [];
%! assert (gather (G), x);

## Indices that are arrays.
%!test
%! x = magic (4);
%! G = gpu_array (x);
%! H = gpu_array ([4 2; 1 3]);
%! assert (gather (G(H)), x([4 2; 1 3]));
%! assert (gather (G(H(1,:), :)), x([4 2], :));
%! G(H) = -H;
%! x([4 2; 1 3]) = -[4 2; 1 3];
%! assert (gather (G), x);
%! assert (gather (permute (G, H(1,:) / 2)), permute (x, [2, 1]));
%! fail ("G(gpu_array ([1 2i]))", "subscripts");
%! fail ("G(gpu_array ([1 1.5]))", "integers");

## Display inside cells and structs.
%!test
%! c = {gpu_array([1 2; 3 4])};
%! text = evalc ("c");
%! assert (! isempty (strfind (text, "2x2 gpu_array, double")), text);
%! assert (! isempty (strfind (text, "[1 2;3 4]")), text);
%! s.G = gpu_array (ones (30, 40));
%! text = evalc ("s");
%! assert (! isempty (strfind (text, "30x40 gpu_array, double")), text);
%! text = disp (gpu_array ([5 6]));
%! assert (! isempty (strfind (text, "1x2 gpu_array")) && ! isempty (strfind (text, "5   6")), text);
%! text = evalc ("G = gpu_array ([5 6])");
%! assert (! isempty (strfind (text, "5   6")), text);

## Forms of functions that only Octave has.
%!assert (gather (triu (gpu_array (magic (3)), 1, "pack")), triu (magic (3), 1, "pack"))
%!assert (isequal (chol (gpu_array ([4 1; 1 3]), "lower"), chol ([4 1; 1 3], "lower")))

## Errors have Octave's identifiers.
%!error id=Octave:nonconformant-args gpu_array (ones (2)) + gpu_array (ones (3))
%!error id=Octave:nonconformant-args gpu_array (ones (2)) * ones (3)

## Concatenation with numbers, of which some are rows of their own.
%!test
%! x = [1, 2, 3];
%! for class = {@double, @single}
%!   A = class{1} (magic (3));
%!   G = gpu_array (A);
%!   assert (gather ([G; [1, 2, 3]]), [A; 1, 2, 3]);
%!   assert (gather ([[1, 2, 3]; G]), [1, 2, 3; A]);
%!   assert (gather ([G, x'; 1:4]), [A, x'; 1:4]);
%!   assert (gather ([x', G, x']), [x', A, x']);
%!   assert (gather ([1, G(1,1), 3; G; true, false, true]), [1, 8, 3; A; 1, 0, 1]);
%!   assert (gather ([G; single(1), 2i, 3; x; G; single(x)]), [A; single(1), 2i, 3; x; A; single(x)]);
%!   assert (gather ([G; int8(1), 2, 3]), [A; int8(1), 2, 3]);
%!   assert ([G; "a", "b", "c"], char ([A; "a", "b", "c"]));
%! endfor
%!error id=Octave:index-out-of-bounds gpu_array (ones (2))(3, 1)
%!error id=Octave:invalid-index gpu_array (ones (2))(0)
%!error id=Octave:invalid-index gpu_array (ones (2))(1.5)
%!error id=gpueig:bad-option gpu_array (2, "Backend", "mpi")
%!error id=gpueig:not-square inv (gpu_array (ones (2, 3)))
%!error id=gpueig:out-of-memory repmat (gpu_array (ones (1000)), 1e5, 1e5)
%!error <Invalid call> gpu_array ()

## Singular matrices: Octave's warnings, and its solution.
%!test
%! A = [1 2; 2 4];
%! lastwarn ("", "");
%! text = evalc ("x = gpu_array (A) \\ [1; 2];");
%! [text, id] = lastwarn ();
%! assert (! isempty (strfind (id, "singular-matrix")), id);
%! assert (strncmp (text, "operator \\: ", 12), text);
%! text = evalc ("y = A \\ [1; 2];");
%! assert (gather (x), y, 1e-14);
%! lastwarn ("", "");
%! text = evalc ("x = inv (gpu_array (A));");
%! [~, id] = lastwarn ();
%! assert (id, "Octave:singular-matrix");
%! assert (gather (x), Inf (2));

## Where Octave takes a value: conditions, loops, assignment to a plain variable, steps.
%!test
%! A = [3 1 2; 0 5 6];
%! G = gpu_array (A);
%! r = [];
%! for c = G, r(:,end+1) = c; endfor
%! assert (r, A);
%! if (G), r = 0; endif
%! assert (r, A);
%! while (G(:,2:3)), r = 1; break; endwhile
%! assert (r, 1);
%! x = zeros (2, 3);
%! x(2,:) = G(1,:);
%! x(G(1,:)) += 1;
%! assert (x, [1 1 0; 4 1 2]);
%! assert (cellfun ("size", {G}, 2), 3);
%! H = G;
%! H++;
%! --G;
%! assert (gather (H), A + 1);
%! assert (gather (G), A - 1);
%! g = gpu_array (2);
%! g++;
%! assert (class (g), "gpuArray");
%! assert (x(g), 1);

## Assignment changes one variable, whatever shares its array: variables, cells, structs.
%!test
%! rand ("state", 44);
%! v = p = cell (1, 4);
%! for i = 1:4, v{i} = zeros (4); p{i} = gpu_array (v{i}); endfor
%! s.a = v{1};
%! t.a = p{1};
%! for step = 1:400
%!   [i, j, l] = num2cell (ceil (4 * rand (1, 3))){:};
%!   switch (mod (step * 7 + i * j, 7))
%!     case 0, v{i} = v{j}; p{i} = p{j};
%!     case 1, v{i}(l * j) = step; p{i}(l * j) = step;
%!     case 2, a = v{i}; b = p{i}; a(l,:) = v{j}(:,l)'; b(l,:) = p{j}(:,l)'; v{j} = a; p{j} = b;
%!     case 3, s.a(j) = step; t.a(j) = step;
%!     case 4, s.a = v{i}; t.a = p{i};
%!     case 5, u = s; w = t; u.a(:,l) = 7; w.a(:,l) = 7; v{i} = s.a; p{i} = t.a;
%!     case 6, a = v{i}; b = p{i}; a(16:-1:1) = a; b(16:-1:1) = b; a(:) = a'; b(:) = b'; v{j} = a; p{j} = b;
%!   endswitch
%!   assert (cellfun (@gather, p, "uniformoutput", false), v);
%!   assert (gather (t.a), s.a);
%! endfor

## Many live arrays, in a random order of deletion; memory is given back.
%!test
%! count = 1000;
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   count = 10000;
%! endif
%! before = gpu_info ().arrays;
%! c = cell (1, count);
%! for i = 1:count
%!   c{i} = gpu_array (i);
%! endfor
%! assert (gpu_info ().arrays.count, before.count + count);
%! sum = 0;
%! for i = randperm (count)
%!   sum += gather (c{i});
%!   c{i} = [];
%! endfor
%! assert (sum, count * (count + 1) / 2);
%! assert (gpu_info ().arrays, before);

## Many objects one after the other: neither arrays nor the memory of the process grow.
%!test
%! count = 5000;
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   count = 1e6;
%! endif
%! G = gpu_array (rand (8));
%! before = gpu_info ().arrays;
%! for k = 1:count
%!   H = G + k;
%!   if (k == 2000), pages = sscanf (fileread ("/proc/self/statm"), "%d")(2); endif
%! endfor
%! clear H
%! grown = sscanf (fileread ("/proc/self/statm"), "%d")(2) - pages;
%! assert (gpu_info ().arrays, before);
%! assert (grown * 4096 < 4 * 2 ^ 20, "%d pages more", grown);

## save of an array, also in a cell, a struct or a function handle: an error before the file is touched.
%!test
%! file = tempname ();
%! x = 1;
%! G = gpu_array (2);
%! c = {1, struct("a", {{G}})};
%! h = @(y) y + G;
%! s.x = 3;
%! unwind_protect
%!   save ("-text", file, "x");
%!   was = fileread (file);
%!   fail (sprintf ("G = gpu_array (2); save ('-text', '%s', 'G')", file), "gather");
%!   for names = {{"G"}, {"x", "c"}, {"h"}, {}}
%!     try
%!       save ("-text", file, names{1}{:});
%!       assert (false);
%!     catch err
%!       assert (err.identifier, "gpueig:wrong-type");
%!     end_try_catch
%!     assert (fileread (file), was);
%!   endfor
%!   save ("-v7", file, "-struct", "s");
%!   assert (load (file).x, 3);
%! unwind_protect_cleanup
%!   delete (file);
%! end_unwind_protect

## Sessions: variables of all kinds at the end, clear all, clear classes.
%!test
%! folder = fileparts (which ("gpu_array"));
%! lines = {"global G; G = gpu_array (1); x = G; c = {G, gpu_array(2)}; s.a = x;", ...
%!          "G = gpu_array (1); clear all; H = gpu_array (2); clear classes; gather (gpu_array (3) + 1)", ...
%!          "function f () x = gpu_array (ones (100)); error ('end'); endfunction, try f (); end, f2 = @(y) gpu_array (y) * 2; gather (f2 (3))", ...
%!          "x = gpu_array (1); munlock ('__gpueig__'); y = x + 1; gather (y)"};
%! for line = lines
%!   command = sprintf ("octave-cli --norc --no-history --no-window-system --path \"%s\" --eval \"%s; printf ('<%%d>', 7)\" 2>&1", folder, line{1});
%!   [status, text] = system (command);
%!   assert (status == 0 && ! isempty (strfind (text, "<7>")), "%s: %s", line{1}, text);
%! endfor

## Solvers: stacks, parts, complex matrices without imaginary parts.
%!test
%! S = randn (6, 6, 3, 2);
%! S += permute (S, [2 1 3 4]);
%! G = gpu_array (S);
%! [~, ~, device] = __array__ ("type", "type", G);
%! place = {"Backend", "cpu"};
%! if (device >= 0)
%!   place = {"Backend", "cuda"};
%! endif
%! [V, l, W] = eig (G, "vector");
%! [V0, l0] = gpu_eig (S, "vector", place{:});
%! assert (size (l), [6 1 3 2]);
%! assert (isequal (gather (V), V0) && isequal (gather (l), l0) && isequal (gather (W), V0));
%! [~, D] = eig (G);
%! assert (isequal (gather (D), nthargout (2, @gpu_eig, S, place{:})));
%! C = gpu_array (complex (S(:,:,1), 0));
%! assert (isequal (gather (eig (C)), gpu_eig (S(:,:,1), place{:})));
%! d = randn (9, 1);  e = randn (8, 1);
%! [V, D, W] = gpu_mrrr (gpu_array (d), gpu_array (e), "Index", [2 5]);
%! [V0, D0] = gpu_mrrr (d, e, "Index", [2 5], place{:});
%! assert (isequal (gather (V), V0) && isequal (gather (D), full (D0)) && isequal (gather (W), V0));
%! X = gpu_tdinv (gpu_array (e'), gpu_array (d), gpu_array (e));
%! assert (isequal (gather (X), gpu_tdinv (e, d, e, place{:})));
