## Claims: gpu_array of logical and integer elements is a value like those of Octave: the same
## classes, sizes, values and errors, also mixed with other arrays; floating-point results of it are
## on the GPU.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function x = stepped (x)
%!  x++;
%!  x += 1;
%!endfunction

%!function n = counted (x)
%!  n = 0;
%!  for y = x, n += double (y(1)); endfor
%!  if (x), n = -n; endif
%!endfunction

%!function n = different (maker, classes, uses)
%!  n = 0;
%!  for type = classes
%!    x = type{1} (maker);
%!    for f = uses
%!      wanted = outcome (f{1}, x);
%!      got = outcome (f{1}, gpu_array (x));
%!      assert (isequaln (got, wanted), "%s of %s: %s", func2str (f{1}), func2str (type{1}), disp (got));
%!      n++;
%!    endfor
%!  endfor
%!endfunction

## Of one array, and with values of Octave.
%!test
%! warning ("off", "all", "local");
%! y = [1.5, -2, 300; 0, 4, 2];
%! uses = {@(x) x, @size, @numel, @ndims, @columns, @isempty, @isreal, @iscomplex, @islogical, @isinteger, @isnumeric, @isfloat, ...
%!         @underlyingType, @(x) isa (x, "integer"), @(x) isa (x, "float"), @(x) isa (x, "numeric"), @isvector, @nnz, ...
%!         @(x) isa (x, {"integer", "float"; "numeric", "char"}), ...
%!         @find, @any, @all, @sum, @(x) sum (x, 2), @(x) sum (x(:)), @(x) sum (x, "native"), @cumsum, @prod, @max, @(x) min (x, [], 2), ...
%!         @(x) nthargout (2, @max, x), @sort, @(x) nthargout (2, @sort, x, 2, "descend"), @unique, @mean, @median, @mode, @std, ...
%!         @var, @diff, @dot, @abs, @sign, @real, @conj, @floor, @sqrt, @exp, @isnan, @isfinite, @double, @single, @int8, @uint16, ...
%!         @logical, @char, @num2str, @mat2str, @int2str, @(x) sprintf ("%d,", x), @(x) x(:), @(x) x(2,:), @(x) x(end), @(x) x(2), ...
%!         @(x) x([]), @(x) x(x > 1), @(x) x(logical (x)), @(x) x(:,[true false true]), @(x) x(9), @(x) x(0), @(x) x + 1, ...
%!         @(x) 2.5 * x, @(x) x / 2, @(x) 2 \ x, @(x) x ./ x, @(x) -x, @not, @ctranspose, @transpose, @(x) +x, @(x) x .^ 2, ...
%!         @(x) 2 .^ x, @(x) x * x', @(x) x' * x, @(x) x ^ 2, @(x) x(:,1:2) ^ 2, @(x) x & true, @(x) x | [0 1 0; 0 0 0], @(x) xor (x, 1), ...
%!         @(x) x == 1, @(x) 1 != x, @(x) x < uint8 (3), @(x) x >= single (2), @(x) x + int8 (100), @(x) uint8 (250) + x, @(x) x - x, ...
%!         @(x) x + y, @(x) y .* x, @(x) x .* single (y), @(x) [x, x], @(x) [x; y], @(x) [y; x], @(x) [x, int8([1; 2])], @(x) [x; "abc"], ...
%!         @(x) [x(1), 2.7; 3, 4], @(x) cat (3, x, x), @(x) cat (1, x, y), @(x) {x}, @(x) struct ("a", x).a, @(x) repmat (x, 2, 2), ...
%!         @(x) reshape (x, 3, 2), @(x) reshape (x, [], 2), @(x) permute (x, [2, 1]), @(x) squeeze (reshape (x, 1, 2, 3)), ...
%!         @(x) ipermute (x, [2, 1]), @(x) diag (x(:,1)), @diag, @tril, @triu, @(x) kron (x, x), @(x) bitand (x, 1), @(x) bitshift (x, 1), ...
%!         @(x) accumarray (x(:) + 1, 1), @(x) ismember (x, [1, 2]), @(x) isequal (x, x + 0), @num2cell, @(x) arrayfun (@(z) z + 1, x), ...
%!         @(x) bsxfun (@plus, x, x(1,:)), @(x) mod (x, 3), @(x) rem (y, x), @(x) max (x, 2), @(x) min (y, x), @(x) circshift (x, 1), ...
%!         @flipud, @fliplr, @rot90, @sortrows, @sparse, @full, @issorted, @(x) resize (x, 3, 3), @(x) round (1e6 * norm (double (x))), ...
%!         @(x) inv (x(:,1:2)), @(x) det (x(:,1:2)), @(x) x(:,1:2) \ [1; 2], @trace, @(x) linspace (0, 1, x(1,1)), @(x) idivide (x, x(1)), ...
%!         @(x) cast (x, "double"), @(x) typecast (x(:), "uint8"), @(x) hypot (x, 1), @(x) atan2 (x, 1), @(x) gcd (x, x), ...
%!         @(x) histc (x(:), 0:3), @(x) interp1 (0:9, 0:9, double (x)), @(x) cumsum (x, 2), @(x) zeros (2, 2, "like", x), ...
%!         @(x) ones (1, 1, "like", x), @(x) cell2mat ({x; x}), @(x) cell2mat ({x, y}), @(x) ifelse (logical (x), y, -y), ...
%!         @(x) assigned (x, 3, 2, 3), @(x) assigned (x, 2.7, ":"), @(x) assigned (x, -1, 4, 4), @(x) assigned (x, [], 2, ":"), ...
%!         @(x) assigned (x, y(1,:), 1, ":"), @(x) assigned (x, int16 (300), 1), @(x) assigned (x, true, x > 1), @(x) assigned (x, {1}, 1), ...
%!         @(x) assigned (x, x(1,:), 2, ":"), @(x) assigned (x, 1:3, 1), @(x) assigned (y, x(2,:), 1, ":"), @(x) assigned (y, 0, logical (x)), ...
%!         @(x) assigned (single (y), x, ":"), @(x) assigned ([], x, 2, 1:6), @stepped, @counted, @(x) y(logical (x)), @(x) y(x), ...
%!         @(x) gpu_array (y) + x, @(x) x .* gpu_array (y), @(x) gpu_array (y)' * x, @(x) x * gpu_array (y)', @(x) x' * gpu_array (y), ...
%!         @(x) gpu_array (y)(logical (x)), @(x) assigned (gpu_array (y), 0, logical (x)), @(x) assigned (gpu_array (y), x, 1:2, ":"), ...
%!         @(x) assigned (x, gpu_array (y), 1:2, ":"), @(x) [x; gpu_array(y)], @(x) [gpu_array(single (y)), x], @(x) cat (3, gpu_array (y), x), ...
%!         @(x) max (gpu_array (y), x), @(x) mod (x, gpu_array (y)), @(x) x > gpu_array (y), @(x) gpu_array (y) == x, ...
%!         @(x) gpu_array (y) - int8 (x), @(x) int16 (5) - gpu_array (y), @(x) gpu_array (y) .* uint8 ([1 2 3]), ...
%!         @(x) [gpu_array(y); int8([1 2 3])], @(x) gpu_array (y) * int8 (2), @(x) gpu_array (y)' * int8 ([1; 2]), ...
%!         @(x) x == {1}, @(x) x + {1}};
%! n = different ([3 0 2; 1 5 0], {@logical, @int8, @uint8, @int32, @uint64}, uses);
%! n += different (1, {@logical, @uint8}, {@(x) x + 1, @(x) x, @double, @(x) x(1), @(x) [x, x], @(x) assigned (x, 7, 1), ...
%!                                         @(x) x & 0, @(x) zeros (1, 1, "like", x), @(x) reshape (x, 1, 1)});
%! n += different (zeros (0, 3), {@logical, @uint8}, {@sum, @(x) [x; x], @(x) x + 1, @any, @max, @size, @find, @(x) x(:), @double});
%! report_count ("operations of logical and integer arrays", n);

## What the issues of users had.
%!assert (gpu_array (uint8 (200)) + uint8 (100), uint8 (255))
%!assert (gpu_array (int32 (7)) / 2, int32 (4))
%!assert (gather (gpu_array (int32 ([7, 9])) / 2), int32 ([4, 5]))
%!test
%! x = [4 5 6];
%! x(gpu_array (true (1, 3))) = 0;
%! assert (x, [0 0 0]);

## What is an array: elements with a class of their own, and floating-point results; numbers are
## Octave's, and so are truth values of comparisons.
%!test
%! U = gpu_array (uint8 ([1 2; 3 4]));
%! L = gpu_array (logical ([1 0; 1 1]));
%! G = gpu_array ([1.5 2; 3 4]);
%! for r = {U, L, L', U + 1, U(1,:), L(:,1), [U; U], reshape(L, 1, 4), uint8(G), logical(G), G + U, -L, L * 2, L .* G, ...
%!          sum(L), double(L), single(U), double(gpu_array (true)), int8(gpu_array (2)), gpu_array(G > 2), max(U, G), ...
%!          sort(U), circshift(L, 1), mean(U), zeros(2, "like", U), gpu_svd(L), cell2mat({U, U})}
%!   assert (isa (r{1}, "gpu_array"), disp (r{1}));
%! endfor
%! for r = {U > 2, ! L, L & L, any(L), isnan(U), U(2), L(1,2), sum(L(:)), max(U(:)), find(L), gather(U), U == G}
%!   assert (! isobject (r{1}), disp (r{1}));
%! endfor
%! assert ({underlyingType(U), underlyingType(L), underlyingType(L .* single (G)), class(gather (U))}, {"uint8", "logical", "single", "uint8"});
%! wait (L);
%! validateattributes (U, {"numeric"}, {"nonnegative"});
%! fail ("validateattributes (U, {'float'}, {})");
%! fail ("L.field", "gather");
%! fail ("L{1}", "gather");
%! fail ("L{1} = 2", "alone");

## Values, not references; variables that are not there; indices of arrays of any class.
%!test
%! U = gpu_array (uint8 ([1 2 3]));
%! V = U;
%! V(2) = 9;
%! assert ({gather(U), gather(V)}, {uint8([1 2 3]), uint8([1 9 3])});
%! x(3) = U(1:2)(2);
%! y(2:4) = U;
%! s.a(2,:) = logical (U);
%! assert ({class(x), underlyingType(y), gather(y), gather(s.a)}, {"uint8", "uint8", uint8([0 1 2 3]), [false(1, 3); true(1, 3)]});
%! fail ("U(1:2) = 1:3", "=");
%! assert (gather (U), uint8 ([1 2 3]));
%! z = 10:10:50;
%! assert ({z(U), z(gpu_array (z > 20)), gather(gpu_array (z)(U))}, {[10 20 30], [30 40 50], [10 20 30]});

## Output.
%!test
%! L = gpu_array (logical ([1 0; 1 1]));
%! text = evalc ("L");
%! assert (! isempty (strfind (text, "2x2 gpu_array, logical, in host memory")) && ! isempty (strfind (text, "1  0")), text);
%! c = {gpu_array(int8 ([5 6]))};
%! text = evalc ("c");
%! assert (! isempty (strfind (text, "1x2 gpu_array, int8, in host memory: [5 6]")), text);
%! assert (evalc ("printf ('%d,', L)"), "1,1,0,1,");
%! file = tempname ();
%! try
%!   save ("-text", file, "L");
%!   error ("not reached");
%! catch err
%!   assert (err.identifier, "gpueig:wrong-type");
%! end_try_catch
%! assert (exist (file), 0);

## They have no elements on the GPU, and give back what they have.
%!test
%! before = gpu_info ().arrays;
%! L = gpu_array (true (500));
%! for k = 1:50, L(k) = false; M = L'; N = [M; L]; endfor
%! clear L M N
%! assert (gpu_info ().arrays, before);
