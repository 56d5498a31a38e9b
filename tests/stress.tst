## Claims: random problems of kinds that are hard for eigensolvers (multiple and
## clustered eigenvalues, graded, defective, permutations, rank one, singular),
## of all classes and at scales from the smallest to the largest numbers, are
## solved to the bars of the README by every function and method.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function try_all (kind, count)
%!  if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!    count *= 10;
%!  endif
%!  [failures, worst] = stress (kind, 1, count);
%!  report_count (["hard random problems, " kind], count);
%!  for [ratios, name] = worst
%!    printf ("%s: %s\n", name, mat2str (ratios, 3));
%!  endfor
%!  assert (failures, 0);
%!endfunction

%!test try_all ("symmetric", 1200);
%!test try_all ("general", 1200);
%!test try_all ("tridiagonal", 2000);

## LAPACK's dgeev is wrong about these: it compares with eps what is not relative.
%!test
%! for scale = 2 .^ [-1000 -200 -60 0 100 900]
%!   P = eye (20)(:,[2:20 1]);
%!   for f = {@gpu_eig, @(A, v) gpu_complex_eig(A, v, "Method", "shroff")}
%!     [V, lambda] = f{1} (P * scale, "vector");
%!     assert (abs (lambda) / scale, ones (20, 1), 1e-13);
%!     assert (norm (P*V - V .* (lambda / scale).', 1) < 1e-13);
%!   endfor
%! endfor
