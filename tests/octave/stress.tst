## Claims: random problems of kinds that are hard for eigensolvers (multiple and
## clustered eigenvalues, graded, defective, permutations, rank one, singular, of
## few distinct elements), and pairs of them with definite matrices of all conditions, or with rows of any sizes and units, of all classes and at scales from the smallest to the
## largest numbers, are solved to the bars of the README by every function and
## method.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function try_all (kind, count)
%!  if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!    count *= 50;
%!  endif
%!  [failures, worst, solved] = stress (kind, test_seed (1), count);
%!  report_count (["hard random problems, " kind], sum (cell2mat (struct2cell (solved))));
%!  if (! isempty (getenv ("GPUEIG_TEST_VERBOSE")))
%!    for [ratios, name] = worst
%!      printf ("%s: %s\n", name, mat2str (ratios, 3));
%!    endfor
%!  endif
%!  assert (failures, 0);
%!  ## Each method has solved at least a third of its expected number of problems:
%!  ## methods are drawn at random, and some problems are not finite.
%!  part = count / numfields (solved) / 3;
%!  for [number, name] = solved
%!    assert (number >= part, "%s solved %d of %d problems, not %g", name, number, count, part);
%!  endfor
%!endfunction

%!test try_all ("symmetric", 240);
%!test try_all ("general", 240);
%!test try_all ("pair", 160);
%!test try_all ("units", 160);

## Matrices with few distinct elements, whose reductions leave ever smaller numbers
## instead of rounding errors: vectors stay orthonormal, residuals small.
%!function [V, lambda] = check_structured (f, A, what, bar)
%!  n = rows (A);
%!  [V, lambda] = f (A);
%!  unit = n * eps (class (A)) * max (norm (double (A), 1), realmin);
%!  B = double (A);
%!  r = norm (B * double (V) - double (V) .* double (lambda).', 1) / unit;
%!  assert (r < bar, "%s, order %d: residual %g", what, n, r);
%!endfunction

%!function list = orders ()
%!  list = [3 45 64 130];
%!  if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!    list = [3 25 45 63 64 65 130 200 311];
%!  endif
%!endfunction

%!function list = structured (n)
%!  x = (1:n)';
%!  list = {ones(n), 3 * ones(n), -ones(n) / 3, x * x', ones(n) + eye(n), kron(eye (2), ones (ceil (n / 2)))(1:n,1:n), ...
%!          kron([1 2; 2 1], ones (ceil (n / 2)))(1:n,1:n), toeplitz(mod (x - 1, 2)), min(x, x'), max(x, x'), abs(x - x'), ...
%!          double(mod (x + x', 3) == 0), kron([1 1i; -1i 1], ones (ceil (n / 2)))(1:n,1:n), ...
%!          blkdiag(1, 1e-8 * ones (n - 1)), single(ones (n)), single(eye (n) + 1e-20 * ones (n)), single(x * x') / n^2};
%!endfunction

%!test
%! warning ("off", "gpueig:fallback", "local");
%! f = {@gpu_eig, @gpu_jacobi_eig, @gpu_onesided_eig, @gpu_mrrr, @gpu_complex_eig, @(A, v) gpu_complex_eig(A, v, "Method", "shroff")};
%! for n = orders ()
%!   list = structured (n);
%!   for i = 1:numel (list)
%!     for k = 1:numel (f)
%!       [V, lambda] = check_structured (@(A) f{k}(A, "vector"), list{i}, sprintf ("%s of matrix %d", func2str (f{k}), i), 10);
%!       o = norm (double (V' * V - eye (n)), 1) / (n * eps (class (V)));
%!       assert (o < 10, "%s of matrix %d of order %d: orthogonality %g", func2str (f{k}), i, n, o);
%!     endfor
%!   endfor
%! endfor
