## Claims: functions of Octave that get arrays of gpu_array inside of other arguments, or the name of
## their class, make arrays as those of plain programs; all other calls are Octave's own, and so is
## everything where the package is not in the path.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## cell2mat: of arrays alone, and next to plain matrices; of plain ones it is Octave's.
%!test
%! for c = {{[1 2]; [3 4]}, {1, 2; 3, 4}, {1, [2 3]; [4; 5], [6 7; 8 9]}, {single([1 2]), 3}, cat(3, {1; 2}, {3; 4}), {[1 2], [true, false]}}
%!   wanted = cell2mat (c{1});
%!   for some = {true(size (c{1})), (1:numel (c{1})) == 1}
%!     on = c{1};
%!     on(some{1}) = cellfun (@gpu_array, on(some{1}), "UniformOutput", false);
%!     r = cell2mat (on);
%!     assert ({class(gather (r)), gather(r)}, {class(wanted), wanted});
%!   endfor
%! endfor
%! fail ("cell2mat ({gpu_array([1 2]), {1}})", "wrong type");
%! fail ("cell2mat ({gpu_array([1 2]), 'ab'})", "wrong type");
%! fail ("cell2mat ({gpu_array([1 2]), [1; 2]})", "nonconformant|mismatch");
%! fail ("cell2mat (1)", "must be a cell");

## zeros (2, "gpuArray") and its kin, with a class, and with that of an array.
%!function r = seeded (f, varargin)
%!  rand ("twister", 7);
%!  randn ("twister", 7);
%!  rande ("twister", 7);
%!  r = f (varargin{:});
%!endfunction
%!test
%! functions = {"zeros", "ones", "Inf", "inf", "NaN", "nan", "eye", "rand", "randn", "rande", @(varargin) randi (9, varargin{:})};
%! for f = functions
%!   f = f{1};
%!   if (ischar (f)), f = str2func (f); endif
%!   for sizes = {{}, {2}, {2, 3}, {[2, 3]}, {0, 2}}
%!     for type = {"double", "single"}
%!       wanted = seeded (f, sizes{1}{:}, type{1});
%!       like = feval (type{1}, gpuArray ([1, 2]));
%!       for name = {{type{1}, "gpuArray"}, {type{1}, "gpu_array"}, {class(like)}, {"like", like}}
%!         G = seeded (f, sizes{1}{:}, name{1}{:});
%!         assert (class (G), "gpuArray");
%!         assert ({underlyingType(G), size(G)}, {type{1}, size(wanted)});
%!         assert (isequaln (gather (G), wanted), "%s", func2str (f));
%!       endfor
%!     endfor
%!     assert (isequaln (gather (seeded (f, sizes{1}{:}, "gpuArray")), seeded (f, sizes{1}{:})));
%!   endfor
%! endfor
%! for f = {@true, @false}
%!   G = f{1} (2, 3, "gpuArray");
%!   assert ({class(G), underlyingType(G), gather(G)}, {"gpuArray", "logical", f{1}(2, 3)});
%! endfor
%! assert (gather (seeded (@randperm, 5, "gpuArray")), seeded (@randperm, 5));
%! assert (gather (randi ([3, 4], 1, 50, "int8", "gpuArray")), int8 (max (3, min (4, seeded (@randi, [3, 4], 1, 50)))), 1);
%! assert (iscomplex (ones (2, "like", gpuArray ([1, 2i]))));

## Of logical and integer arrays.
%!test
%! for type = {"uint8", "int32"}
%!   U = feval (type{1}, gpuArray ([1, 2]));
%!   for f = {@zeros, @ones, @eye, @(varargin) randi (1, varargin{:})}
%!     wanted = f{1} (2, 3, type{1});
%!     for G = {f{1}(2, 3, class (U)), f{1}(2, 3, "like", U), f{1}(2, 3, type{1}, "gpuArray")}
%!       assert ({class(G{1}), underlyingType(G{1}), gather(G{1})}, {"gpuArray", type{1}, wanted});
%!     endfor
%!   endfor
%! endfor
%! L = gpuArray ([true, false]);
%! assert ({gather(zeros (2, class (L))), gather(ones (1, "like", L))}, {false(2), true});

## class (G) as the name of a type, also in a variable, a struct and a cell; other text is text.
%!test
%! S = gpuArray (single ([1.5, 2]));
%! U = gpuArray (uint8 ([1, 2]));
%! c = {class(S), class(U)};
%! s.name = c{1};
%! assert (strcmp (c, "gpuArray"));
%! assert ({eps(s.name), realmin(c{1}), realmax(c{1}), flintmax(c{1}), intmax(c{2}), intmin(c{2})}, ...
%!         {eps("single"), realmin("single"), realmax("single"), flintmax("single"), intmax("uint8"), intmin("uint8")});
%! for G = {cast([1.6, 300], c{2}), cast(gpuArray ([1.6, 300]), c{2}), cast([1.6, 300], "like", U)}
%!   assert ({class(G{1}), underlyingType(G{1}), gather(G{1})}, {"gpuArray", "uint8", uint8([2, 255])});
%! endfor
%! assert (underlyingType (cast (gpuArray ([1, 2]), s.name)), "single");
%! assert (underlyingType (cast (single ([1, 2]), "gpuArray")), "single");
%! assert (gather (feval (class (S), [1, 2])), [1, 2]);
%! assert ([class(S), "!"], "gpuArray!");
%! name = class (S);
%! name(1) = "g";
%! assert ({name, underlyingType(zeros (2, name))}, {"gpuArray", "double"});
%! uses = {@ischar, @size, @(c) strcmp (c, {"a", "gpuArray"}), @(c) c == "gpuarray", @(c) [c, "x"], @(c) [c; c], @upper, @(c) c(1:3), @(c) {c}, ...
%!         @double, @(c) c + 0, @(c) regexprep (c, "gpu", "x"), @(c) strfind (c, "A"), @(c) sprintf ("%s|", c), @(c) ismember (c, {"a", "gpuArray"}), ...
%!         @(c) iscellstr ({c, "a"}), @(c) validatestring (c, {"gpuArray", "b"}), @(c) struct (c, 5), @(c) strcat (c, "y"), @(c) c', @fliplr, ...
%!         @cellstr, @(c) strjoin ({c, "b"}, ","), @(c) containers.Map ({c}, {1}).keys (), @(c) disp (c), @(c) evalc ("c"), ...
%!         @(c) hash ("md5", c), @(c) strncmp (c, "gpu", 3), @isrow, @(c) c(end), @(c) isa (c, "char"), @class, @isreal, @(c) eval (["1;" c ";"], "7"), ...
%!         @(c) repmat (c, 1, 2), @(c) isequal (c, "gpuArray"), @(c) unique ({c, c}), @numel, @(c) strsplit (c, "A"), @isspace, @(c) c(:)};
%! for f = uses
%!   assert (isequal (f{1} (class (S)), f{1} ('gpuArray')), "%s", func2str (f{1}));
%! endfor
%! assert (isa (S, class (U)) && ! isa (1, class (U)));
%! fail ("zeros (2, 'gpuarray')", "type");
%! fail ("cast ({1}, 'single')", "cell");

## The function of arrayfun: once with arrays where that gives the same, else with numbers.
%!function n = steps (x, limit)
%!  n = 0;
%!  while (x < limit && n < 50)
%!    x = x * x + 1;
%!    n++;
%!  endwhile
%!endfunction
%!test
%! x = reshape (sin ((1:300) .^ 2), 60, 5);
%! y = abs (x') .' + 0.1;
%! a = 3;
%! v = [2, 3];
%! functions = {@(x, y) x * y ^ 2 + a * exp (-x) / 3, @(x, y) x > 0 && y <= 0.5, @(x, y) max (x, 0) * min (y, 1), @(x, y) x + max (x), ...
%!              @(x, y) merge (x > 0, x, -y), @(x, y) sqrt (x) + 1i * y, @(x, y) sum ([x, y]), @(x, y) x + numel (v), @(x, y) x' + y, ...
%!              @hypot, @(x, y) 7, @(x, y) single (x) * 2, @(x, y) x > 0 & y > 1 || x < -1, @(x, y) -x ^ 2 - (-3), @(x, y) !x + y, ...
%!              @(x, y) v(1) * x, @(x, y) x * pi + e, @(x, y) int8 (10 * x), @plus, @(abs, y) abs(1) + y, @(x, y) fix (3 * x) ^ 3, ...
%!              @(x, y) mod (x, 1e-1) + .5, @steps, @(varargin) varargin{1}, @(x, y) x / y * 2, @(x, y) any (x) + y};
%! for f = functions
%!   wanted = arrayfun (f{1}, x, y);
%!   for on = {{gpuArray(x), gpuArray(y)}, {x, gpuArray(y)}, {gpuArray(x), y}}
%!     r = arrayfun (f{1}, on{1}{:});
%!     assert (isgpuarray (r), ! islogical (wanted), func2str (f{1}));
%!     r = gather (r);
%!     assert (class (r), class (wanted));
%!     assert (r, wanted, -1e-13 * isfloat (wanted));
%!   endfor
%! endfor
%! assert (gather (arrayfun (@(x, y) x + 1, gpuArray (x(1:3)), y(1:3))), x(1:3) + 1);
%! ## As of MATLAB's arrays, dimensions of 1 are repeated.
%! assert (gather (arrayfun (@(x, y, z) x + y * z, gpuArray (1:3), gpuArray ([1; 2]), 10)), (1:3) + 10 * [1; 2]);
%! assert (gather (arrayfun (@steps, gpuArray (0:2), 5)), arrayfun (@steps, 0:2, [5 5 5]));
%! fail ("arrayfun (@plus, gpuArray ([1, 2]), [1, 2, 3])", "dimensions mismatch");
%! ## Several results, cells, errors, arrays inside of the function.
%! G = gpuArray (magic (3));
%! [p, q] = arrayfun (@(k) deal (k, G(k,1)), gpuArray (1:3));
%! assert ({gather(p), gather(q)}, {1:3, [8, 3, 4]});
%! assert (arrayfun (@(k) {k}, gpuArray ([4, 5]), "UniformOutput", false), {{4}, {5}});
%! assert (gather (arrayfun (@(k) error ("no"), gpuArray ([1, 2]), "ErrorHandler", @(varargin) -1)), [-1, -1]);
%! assert (evalc ("arrayfun (@(k) printf ('%d,', k), gpuArray (1:3));"), "1,2,3,");
%! assert (gather (arrayfun (@(k) sum (G(k,:)), gpuArray (1:3))), [15, 15, 15]);
%! assert (gather (arrayfun (@(k) k * 2, gpuArray (uint8 ([1, 200])))), uint8 ([2, 255]));
%! assert (gather (arrayfun (@(k) sum (double ([k, k])), gpuArray (uint8 ([1, 200])))), [2, 400]);

## bsxfun, with functions that repeat dimensions and others.
%!test
%! x = [3 -1 2];
%! y = [2; -0.5];
%! for f = {@plus, @minus, @times, @rdivide, @power, @max, @min, @rem, @mod, @atan2, @hypot, @eq, @ne, @lt, @le, @gt, @ge, @and, @or, ...
%!          @xor, @ldivide, "minus", @(a, b) a + 2 * b, @(a, b) a > b}
%!   wanted = bsxfun (f{1}, x, y);
%!   for on = {{gpuArray(x), gpuArray(y)}, {x, gpuArray(y)}, {gpuArray(x), y}}
%!     r = gather (bsxfun (f{1}, on{1}{:}));
%!     assert (class (r), class (wanted));
%!     assert (r, wanted, 4 * eps * isfloat (wanted));
%!   endfor
%! endfor
%! U = gpuArray (uint8 ([1, 200]));
%! for f = {@plus, @(a, b) a + b, @(a, b) double(a) * double(b)}
%!   assert (gather (bsxfun (f{1}, U, uint8 ([100; 1]))), bsxfun (f{1}, gather (U), uint8 ([100; 1])));
%! endfor

## Values of maps.
%!test
%! G = gpuArray (magic (3));
%! m = containers.Map ({"a", "b"}, {G, gpuArray(true (2))});
%! m("a") = m("a") + 1;
%! m("c") = G(1,:);
%! assert ({gather(m("a")), underlyingType(m("b")), gather(values (m){3})}, {magic(3) + 1, "logical", [8, 1, 6]});
%! n = containers.Map ("KeyType", "double", "ValueType", "any");
%! n(gpuArray (2)) = G;
%! assert (isequal (n(2), G) && n.isKey (2));

## What there is while the package is in the path, and not after.
%!test
%! code = ["folder = fileparts (which ('gpu_info'));\n", ...
%!         "f = {@zeros, @ones, @true, @(varargin) randi(3, varargin{:}), @(n, name) cast(n, name)};\n", ...
%!         "for g = f, assert (isa (g{1} (2, 'gpuArray'), 'gpuArray')); end\n", ...
%!         "clear all\n", ...
%!         "for name = {'zeros', 'ones', 'true'}, assert (isa (feval (name{1}, 2, 'gpuArray'), 'gpuArray')); end\n", ...
%!         "assert (isa (randi (3, 2, 'gpuArray'), 'gpuArray') && isgpuArray (gpuArray (1)));\n", ...
%!         "function r = randi (varargin), r = -1; end\n", ...
%!         "assert (randi (3), -1);\n", ...
%!         "clear randi\n", ...
%!         "assert (gpu_eig (2), 2);\n", ...
%!         "function r = gpu_eig (varargin), r = -1; end\n", ...
%!         "assert (gpu_eig (2), -1);\n", ...
%!         "clear gpu_eig\n", ...
%!         "folder = fileparts (which ('gpu_info'));\n", ...
%!         "assert (gpu_eig (2), 2);\n", ...
%!         "assert (exist ('zeros') == 5 && any (exist ('randi') == [2, 5]));\n", ...
%!         "rmpath (folder);\n", ...
%!         "for name = {'zeros', 'ones', 'true'}, try, feval (name{1}, 2, 'gpuArray'); exit (1); catch, end, end\n", ...
%!         "try, randi (3, 2, 'gpuArray'); exit (1); catch err, end\n", ...
%!         "try, gpu_eig (2); exit (1); catch, end\n", ...
%!         "assert (isempty (strfind (err.message, '__array__')));\n", ...
%!         "assert ({zeros(1, 2), size(randi (3, 2)), cast(2.5, 'int8'), cell2mat({1, 2}), exist('isgpuArray')}, {[0, 0], [2, 2], int8(3), [1, 2], 0});\n", ...
%!         "addpath (folder);\n", ...
%!         "assert (isa (zeros (2, 'gpuArray'), 'gpuArray') && isa (randi (3, 2, 'gpuArray'), 'gpuArray'));\n", ...
%!         "assert (gpu_eig (2), 2);\n", ...
%!         "puts ('all right');\n"];
%! [status, text] = run_session (code);
%! assert (text, "all right");
%! assert (status, 0);

## The solvers, which Octave finds before their m-files: outputs, errors, warnings and help are those
## of the m-files, which are called without arguments and for a struct.
%!test
%! A = [2 1; 1 3];
%! f = {"eig", "jacobi_eig", "onesided_eig", "complex_eig", "mrrr", "tdinv", "schur", "sqrtm", "logm", "expm", "svd", "polar", "pinv"};
%! for f = strcat ("gpu_", f)
%!   most = nargout (f{1});
%!   assert (most >= 2 && nargin (f{1}) == -1 && exist (f{1}) == 2);
%!   r = cell (1, most);
%!   [r{:}] = feval (f{1}, A);
%!   assert (isstruct (r{most}), f{1});
%!   for k = 1:most-1
%!     same = some = cell (1, k);
%!     [some{:}] = feval (str2func (f{1}), A, "Backend", "cpu");
%!     [~, same{:}] = __gpueig__ (f{1}(5:end), k, A, "Backend", "cpu");
%!     assert (some, same);
%!   endfor
%!   for bad = {A, {A}, struct()}
%!     fail (sprintf ("[r{1:%d}] = %s (bad{1})", most + 1, f{1}), "too many outputs");
%!   endfor
%!   fail ([f{1} " ({1})"], [f{1} ": "]);
%!   fail ([f{1} " (struct ())"], [f{1} ": "]);
%!   fail ([f{1} " ([1 2; 3 4], 'nonsense')"], [f{1} ": .*nonsense"]);
%!   fail ([f{1} " ()"], ["Invalid call to " f{1}]);
%! endfor
