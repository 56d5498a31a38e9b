## Claims: the references in double-double arithmetic are right to the last bit
## where a closed form is known.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function reference_path ()
%!  addpath (fullfile (fileparts (which ("run_octave.m")), "..", "ref"));
%!endfunction

%!test  # 1/3 and sqrt (2) to 30 digits: what is left after multiplying back
%! reference_path ();
%! [h, l] = dd ("/", 1, 0, 3, 0);
%! [p, q] = dd ("*", h, l, 3, 0);
%! assert (abs ((p - 1) + q) < 1e-30);
%! [h, l] = dd ("sqrt", 2, 0);
%! assert ([h, l], [1.414213562373095, -9.667293313452913e-17], -1e-14);
%! [h, l] = dd ("sum", [1; 1e-20; -1; 3e-20], zeros (4, 1));
%! assert (h + l, 4e-20, -1e-10);

%!test  # (-1, 2, -1): i (n + 1 - j) / (n + 1)
%! reference_path ();
%! n = 60;
%! X = ref_tdinv (-ones (n-1, 1), 2 * ones (n, 1), -ones (n-1, 1));
%! [i, j] = ndgrid (1:n);
%! assert (X, min (i, j) .* (n + 1 - max (i, j)) / (n + 1), -2 * eps);

%!test  # (1, 4, 1): hyperbolic sines of multiples of acosh (2)
%! reference_path ();
%! n = 20;
%! X = ref_tdinv (ones (n-1, 1), 4 * ones (n, 1), ones (n-1, 1));
%! [i, j] = ndgrid (1:n);
%! s = @(k) sinh (k * log (2 + sqrt (3)));
%! Y = (-1) .^ (i + j) .* s (min (i, j)) .* s (n + 1 - max (i, j)) ...
%!     / (s (1) * s (n + 1));
%! assert (X, Y, -1e-14);

%!test  # D*B*D of order 2, the small eigenvalue as determinant over the large one
%! reference_path ();
%! A = [1, 2^-30; 2^-30, 2^-58];
%! lambda = ref_graded_eig (A);
%! assert (lambda, [2^-58 - 2^-60; 1], -1e-15);

%!test  # an odd order, against a solver with the same promise
%! reference_path ();
%! rand ("twister", test_seed (1));
%! n = 15;
%! B = eye (n) + 0.1 * ones (n) / n;
%! d = 10 .^ (-12 * rand (n, 1));
%! A = d .* B .* d.';
%! A = (A + A') / 2;
%! lambda = gpu_jacobi_eig (A, "Accuracy", "high", "Backend", "cpu");
%! assert (ref_graded_eig (A), lambda, -1e-13);
