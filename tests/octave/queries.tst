## Claims: what Octave asks of a matrix (its size, whether it is a row, ...) has the same
## answer for an array on a GPU, of every shape, and with arguments that are seldom given.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! queries = {@size, @numel, @ndims, @rows, @columns, @length, @isempty, @isscalar, @isvector, ...
%!            @isrow, @iscolumn, @ismatrix, @issquare, @(x) size (x, 2), @(x) size_equal (x, ones (1, 3))};
%! for dims = {[1 1], [1 3], [3 1], [3 3], [2 3], [0 0], [0 3], [1 0], [1 3 2], [1 1 2], [3 1 2], [2 2 2]}
%!   x = ones (dims{1});
%!   G = gpu_array (x);
%!   for f = queries
%!     assert (isequal (f{1} (G), f{1} (x)), "%s of %s", func2str (f{1}), mat2str (dims{1}));
%!   endfor
%! endfor

## A tolerance, and a dimension that there is not.
%!test
%! x = [1 2; 2.001 1];
%! for f = {@issymmetric, @ishermitian}
%!   for tol = [0, 1e-5, 1e-2, 2]
%!     assert (f{1} (gpu_array (x), tol), f{1} (x, tol));
%!     assert (f{1} (x, gpu_array (tol)), f{1} (x, tol));
%!   endfor
%! endfor

%!error <DIM must be a valid dimension along> fft (gpu_array ([1 2; 3 4]), 1, 0)

## Diagonals that there are not, or that are no integers, which Octave 11 refuses.
%!test
%! for x = {[1 2; 3 4], zeros(0, 2), []}
%!   for k = {1e18, -1e18, 1e300, Inf, NaN, 5, 1.5, true, [1 2], int8(-1)}
%!     assert (outcome (@diag, gpu_array (x{1}), k{1}), outcome (@diag, x{1}, k{1}));
%!   endfor
%! endfor
%!error <memory> diag (gpu_array ([1 2]), 1e18)
%!error id=gpueig:out-of-memory diag (gpu_array ([1 2]), 1e10)

## Built-in functions of Octave take an array of one element that a function returns, and as a dimension.
%!test
%! c = gpu_array (3);
%! assert (gather (cellfun (@(x) c, {1, 2})), [3, 3]);
%! assert (gather (cellfun (@(x) x, {c, 2+i, 3})), [3, 2+i, 3]);
%! assert (gather (c), 3);
%! assert (cellfun (@(x) int8 (c), {1, 2}), int8 ([3, 3]));
%! assert (cellfun (@(x) c > x, {1, 5}), [true, false]);
%! assert (gather (arrayfun (@(x) c, 1:3)), [3, 3, 3]);
%! assert (quadcc (@(t) t * c, 0, 1), 1.5, 1e-14);
%! assert (dblquad (@(x, y) x .* y * c, 0, 1, 0, 1), 0.75, 1e-10);
%! assert (gather (cat (c, gpu_array (ones (2)), ones (2))), ones (2, 2, 2));
%! assert (gather (cumtrapz (gpu_array (magic (3)), gpu_array (2))), cumtrapz (magic (3), 2));
%! assert (["abc", gpu_array(100)], "abcd");

## Functions of Octave compare handles with those that they know.
%!test
%! subs = [2; 3; 2; 1; 2];
%! x = reshape (sin (1:50), 5, 5, 2);
%! for f = {@sum, @min, @max, @mean, @(x) {x}, @(x) 2 * sum (x)}
%!   for n = [0, 5]
%!     wanted = accumarray (subs(1:n), (1:n)', [3 1], f{1});
%!     assert (gather (accumarray (gpu_array (subs(1:n)), (1:n)', [3 1], f{1})), wanted);
%!   endfor
%! endfor
%! for f = {@sum, @min, @max}
%!   assert (gather (accumdim (subs, gpu_array (x), 1, 3, f{1})), accumdim (subs, x, 1, 3, f{1}));
%! endfor
%! assert (gather (accumarray (gpu_array ([1; 2; 1]), 1:3, [], @(x) gpu_array (max (x)))), [3; 2]);

## Letters are numbers.
%!test
%! for x = {97, [97 98], [97; 98], uint8([97 98]), single([97 98]), [97 99], [], 0}
%!   for letters = {"a", "ab", ["a"; "b"], "", "\0", {97}}
%!     assert (isequal (gpu_array (x{1}), letters{1}), isequal (x{1}, letters{1}));
%!     assert (isequal (letters{1}, gpu_array (x{1}), x{1}), isequal (letters{1}, x{1}));
%!   endfor
%! endfor

## svd takes any number as 0.
%!test
%! for x = {ones(2, 3), ones(3, 2)}
%!   for k = {0, 1, 2, -1, NaN, single(3)}
%!     [U, S, V] = svd (gpu_array (x{1}), k{1});
%!     [U0, S0, V0] = svd (x{1}, k{1});
%!     assert ({size(U), size(S), size(V)}, {size(U0), size(S0), size(V0)});
%!   endfor
%! endfor
