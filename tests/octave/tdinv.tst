## gpu_tdinv in Octave: arrays, errors, options; accuracy is that of the C tests.
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
