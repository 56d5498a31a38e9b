## gpu_tdinv in Octave against inv, across sizes, types and parts.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function [c, a, b] = random_tridiagonal (n, complex_too, dominance)
%!  c = randn (max (n - 1, 0), 1);
%!  a = randn (n, 1);
%!  b = randn (max (n - 1, 0), 1);
%!  if (complex_too)
%!    c += 1i * randn (size (c));
%!    a += 1i * randn (size (a));
%!    b += 1i * randn (size (b));
%!  endif
%!  a += dominance * a ./ abs (a);
%!endfunction

## T X - I and X T - I pass the bar for every class and order, dominant or not.
%!test
%! for n = [1 2 3 7 8 9 63 64 65 500]
%!   for complex_too = [false true]
%!     for dominance = [0 6]
%!       [c, a, b] = random_tridiagonal (n, complex_too, dominance);
%!       T = full (gallery ("tridiag", c, a, b));
%!       for class = {"double", "single"}
%!         X = gpu_tdinv (cast (T, class{1}));
%!         bar = 10 * n * eps (class{1}) * cond (double (T), 1);
%!         assert (norm (T * double (X) - eye (n), 1) < bar);
%!         assert (norm (double (X) * T - eye (n), 1) < bar);
%!       endfor
%!     endfor
%!   endfor
%! endfor

## rcond agrees with the norms of T and X, dominant or not.
%!test
%! for n = [2 10 200]
%!   [c, a, b] = random_tridiagonal (n, true, 0);
%!   T = full (gallery ("tridiag", c, a, b));
%!   [X, r] = gpu_tdinv (T);
%!   assert (r, 1 / (norm (T, 1) * norm (X, 1)), 1e-13 * r);
%! endfor

## Results that are passed to Octave without a copy are independent arrays.
%!test
%! [c, a, b] = random_tridiagonal (300, false, 6);
%! X = gpu_tdinv (c, a, b);
%! Y = gpu_tdinv (c, 2 * a, b);
%! Z = X;
%! Z(1) = 17;
%! assert (X(1) != 17);
%! assert (X, gpu_tdinv (c, a, b));
%! assert (norm (full (gallery ("tridiag", c, 2 * a, b)) * Y - eye (300)) < 1e-12);

## The inputs are not changed.
%!test
%! [c, a, b] = random_tridiagonal (100, false, 6);
%! T = full (gallery ("tridiag", c, a, b));
%! T0 = T + 0;
%! gpu_tdinv (T);
%! gpu_tdinv (T, "Method", "sherman-morrison");
%! assert (T, T0);

## A matrix with a full last column is not treated as tridiagonal, at any order.
%!test
%! for n = [3 4 100 1001]
%!   T = full (gallery ("tridiag", n));
%!   T(1,n) = 1e-300;
%!   ok = false;
%!   try
%!     gpu_tdinv (T);
%!   catch err
%!     ok = strcmp (err.identifier, "gpueig:not-tridiagonal");
%!     assert (! isempty (strfind (err.message, sprintf ("(1, %d)", n))));
%!   end_try_catch
%!   assert (ok);
%! endfor

## Display says what is done.
%!test
%! text = evalc ("gpu_tdinv ([1 1], [4 4 4], [1 1], 'Display', 'iter', 'Backend', 'cpu');");
%! assert (! isempty (strfind (text, "rcond")));

## The default backend from the environment; a bad one is reported.
%!test
%! old = getenv ("GPUEIG_BACKEND");
%! unwind_protect
%!   setenv ("GPUEIG_BACKEND", "cpu");
%!   [~, ~, info] = gpu_tdinv ([2 1; 1 2]);
%!   assert (info.backend, "cpu");
%!   setenv ("GPUEIG_BACKEND", "abacus");
%!   fail ("gpu_tdinv ([2 1; 1 2])", "abacus");
%! unwind_protect_cleanup
%!   setenv ("GPUEIG_BACKEND", old);
%! end_unwind_protect

## The scale does not matter, by any method: 2^e T has 2^-e X and the same rcond,
## also where products of two elements leave the range.
%!test
%! for class = {"double", "single"}
%!   far = [-900, -500, 20, 700];
%!   if (strcmp (class{1}, "single"))
%!     far = [-105, -60, 20, 100];
%!   endif
%!   for method = {"generators", "sherman-morrison"}
%!     for n = [2 10 180]
%!       [c, a, b] = random_tridiagonal (n, n == 10, 9);
%!       [X, r] = gpu_tdinv (cast (c, class{1}), a, b, "Method", method{1});
%!       for e = far
%!         s = cast (2 ^ e, class{1});
%!         [Y, rs, info] = gpu_tdinv (s * c, s * a, s * b, "Method", method{1});
%!         assert (isempty (info.fallback));
%!         assert (Y * s, X, 50 * eps (class{1}) * norm (X, 1));
%!         assert (rs, r, 16 * eps * r);
%!       endfor
%!     endfor
%!   endfor
%! endfor
