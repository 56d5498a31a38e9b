## gpu_mrrr in Octave: forms of one matrix, memory; accuracy is that of the C tests.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function check_pairs (A, V, lambda)
%!  [residual, orthogonality] = eigen_errors (A, [], V, lambda);
%!  assert (residual <= 10 && orthogonality <= 10);
%!  assert (issorted (lambda));
%!endfunction

## All forms of one matrix give the same bits.
%!test
%! n = 150;
%! d = cos ((1:n)');
%! e = sin (3 * (1:n-1)');
%! T = diag (d) + diag (e, 1) + diag (e, -1);
%! for class = {"double", "single"}
%!   [V, lambda] = gpu_mrrr (cast (d, class{1}), cast (e, class{1}), "vector");
%!   check_pairs (cast (T, class{1}), V, lambda);
%!   [V2, lambda2] = gpu_mrrr (cast (T, class{1}), "vector");
%!   assert (V2, V);
%!   assert (lambda2, lambda);
%! endfor
%! [V3, lambda3] = gpu_mrrr (sparse (T), "vector");
%! [V, lambda] = gpu_mrrr (d', e', "vector");
%! assert (V3, V);
%! assert (lambda3, lambda);
%! assert (lambda, eig (T), 10 * n * eps * norm (T, 1));

## Hermitian tridiagonal matrices, with zeros off the diagonal too.
%!test
%! for n = [2 3 40]
%!   e = exp (1i * (1:n-1).^2) .* (mod (1:n-1, 5) > 0);
%!   H = diag (cos (1:n)) + diag (e, -1) + diag (conj (e), 1);
%!   for A = {H, single(H), sparse(H)}
%!     [V, lambda] = gpu_mrrr (A{1}, "vector");
%!     check_pairs (A{1}, V, lambda);
%!   endfor
%! endfor

## A result larger than the memory of the machine is an error before any allocation,
## also if the kernel overcommits memory.
%!test
%! [~, ~] = __gpueig__ ("testing", "allocation", 0);
%! try
%!   [V, D] = gpu_mrrr (4*ones (3e6, 1), ones (3e6-1, 1));
%!   id = "";
%! catch err
%!   id = err.identifier;
%! end_try_catch
%! assert (id, "gpueig:out-of-memory");
%! assert (! isempty (regexp (err.message, "MiB needed for .* MiB available")));
%! [~, allocations] = __gpueig__ ("testing", "allocation", 0);
%! assert (allocations <= 1, "%d allocations", allocations);
