## gpu_tdinv in Octave: arrays, errors, options; accuracy is that of the C tests.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

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
