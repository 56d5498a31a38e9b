## Claims: a multiple of an array is computed when it is asked for: sums with it are the bits of two operations, a
## change of the array or of the multiple is none of the other, and it can be all that an array can be.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! X = reshape (sin (1:60), 20, 3); Y = reshape (cos (1:60), 20, 3); a = 1 / 3;
%! x = gpu_array (X); y = gpu_array (Y);
%! sums = {@(x, y) x + a * y, @(x, y) x - a * y, @(x, y) a * y - x, @(x, y) a * y + x, @(x, y) a * x + a * y, @(x, y) y .* a - y, ...
%!         @(x, y) 2 * (a * y) + x, @(x, y) x + a * y(:,1), @(x, y) single (x) + a * y, @(x, y) x + a * (1i * y), ...
%!         @(x, y) x + true * y, @(x, y) x + single (a) * y, @(x, y) x + NaN * y, @(x, y) 0 * y - x};
%! for f = sums
%!   want = f{1} (X, Y);
%!   got = f{1} (x, y);
%!   assert (isequaln ({class(gather (got)), gather(got)}, {class(want), want}), "%s: %s", func2str (f{1}), disp (gather (got) - want));
%! endfor
%! s = a * y;
%! y(2,:) = 7;
%! assert (gather (s), a * Y);
%! t = a * x; u = t;
%! t(3) = 5; T = a * X; T(3) = 5;
%! assert ({gather(t), gather(u), gather(x)}, {T, a * X, X});
%! t = a * x;
%! assert ({size(t), class(t), gather(t'), gather(t(:,2)), gather(reshape (t, 3, 20)), gather(abs (t)), sum(gather (t(:)))}, ...
%!         {size(X), "gpuArray", a * X', a * X(:,2), reshape(a * X, 3, 20), abs(a * X), sum((a * X)(:))});
%! t = a * x; t++; v = a * x; v += v;
%! assert ({gather(t), gather(v), gather([a * x, x]), gather((a * x)' * (a * x)) >= 0}, {a * X + 1, 2 * (a * X), [a * X, X], (X' * X) >= 0});
%! assert (norm (a * x), norm (a * X), 1e-15);
%! before = gpu_info ().arrays;
%! L = gpu_array (ones (1000)); 
%! M = 2 * L; L = 1; N = M + M; M = 1;
%! assert (N(5), 4);
%! N = 1;
%! assert (gpu_info ().arrays, before);
%! fail ("gpu_array (ones (2)) + 2 * gpu_array (ones (3))", "nonconformant");
