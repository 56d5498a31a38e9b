## Claims: empty arrays are assigned and concatenated as Octave's are; powers of 0.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## What has no elements is assigned to no elements, of any dimensions, and grows nothing.
%!test
%! X = reshape (1:6, 3, 2);
%! for place = {{[], 1}, {[], ':'}, {2, false(1, 2)}, {[], 7}, {zeros(1, 0)}}
%!   for value = {zeros(0, 0), zeros(0, 5), zeros(3, 0), zeros(0, 3, 2), single(zeros(1, 0))}
%!     [x, G] = deal (X, gpu_array (X));
%!     x(place{1}{:}) = value{1};
%!     G(place{1}{:}) = value{1};
%!     assert (gather (G), x);
%!     G(place{1}{:}) = gpu_array (value{1});
%!     assert (gather (G), x);
%!   endfor
%! endfor
%!error id=Octave:nonconformant-args G = gpu_array (ones (3)); G([],1) = [1 2];
%!error id=Octave:nonconformant-args G = gpu_array (ones (3)); v = []; G(1,:) = v;

## Concatenation of empty arrays of all dimensions.
%!test
%! parts = {zeros(1, 0), zeros(0, 1), zeros(3, 0), zeros(0, 3), [], zeros(0, 0, 2), zeros(1, 0, 2), single([]), 5};
%! ways = {@(a, b) [a, b], @(a, b) [a; b], @(a, b) cat(3, a, b), @(a, b) [a, b, a], @(a, b) [a; b; b], @(a, b) horzcat(a, b)};
%! for a = parts
%!   for b = parts
%!     for way = ways
%!       outcome = {"", ""};
%!       for k = 1:2
%!         x = a{1};
%!         if (k == 2), x = gpu_array (x); endif
%!         try
%!           y = gather (way{1} (x, b{1}));
%!           outcome{k} = {size(y), class(y)};
%!         catch
%!         end_try_catch
%!       endfor
%!       assert (isequal (outcome{:}), "%s: %s", func2str (way{1}), disp ({a{1}, b{1}}));
%!     endfor
%!   endfor
%! endfor

## 0 to a power that is imaginary or NaN.
%!test
%! x = [0, 0, 0, 0, 0]; p = [2i, complex(NaN, 1), 1+1i, -1-1i, complex(0, 0)];
%! for type = {@double, @single}
%!   y = gather (gpu_array (type{1} (x)) .^ p);
%!   assert (abs (y), type{1} ([NaN, NaN, 0, Inf, 1]));
%! endfor
