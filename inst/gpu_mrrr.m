## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {@var{lambda} =} gpu_mrrr (@var{d}, @var{e})
## @deftypefnx {} {@var{lambda} =} gpu_mrrr (@var{T})
## @deftypefnx {} {@var{lambda} =} gpu_mrrr (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_mrrr (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_mrrr (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_mrrr (@dots{}, @var{option}, @dots{})
## All or some eigenvalues and eigenvectors of a symmetric tridiagonal matrix, or of a dense
## symmetric or Hermitian one, by multiple relatively robust representations (MRRR).
##
## @example
## @group
## ## Nodes and weights of Gauss-Legendre quadrature with 3 points.
## k = 1:2;
## [V, x] = gpu_mrrr (zeros (3, 1), k ./ sqrt (4*k.^2 - 1), "vector");
## w = 2 * V(1,:)' .^ 2
##   @result{} [0.5556; 0.8889; 0.5556]
## @end group
## @end example
##
## @var{d} is the diagonal, with n elements, @var{e} the off-diagonal, with n - 1.  @var{T} is a
## symmetric or Hermitian tridiagonal matrix, full or sparse, of which only the three diagonals
## are used.  Any other symmetric or Hermitian matrix @var{A} is reduced to tridiagonal form
## first.  Stacks are n-by-1-by-N and (n-1)-by-1-by-N, or n-by-n-by-N.
##
## Eigenvalues are real and ascending, the columns of @var{V} orthonormal; @var{W} is @var{V}.
## Work and memory for k eigenpairs of a tridiagonal matrix are of order n k.  Single in gives
## single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Index": [il iu]
## @itemx "Range": [vl vu]
## Only eigenvalues il to iu in ascending order, or, of one matrix, those in the interval
## (vl, vu], whose ends may be infinite.  An eigenvalue within rounding error of an end may
## fall on either side.
##
## @item "Method": "auto" (default), "mrrr", "stemr", "stevd", "ql", "dc"
## @qcode{"stemr"} and @qcode{"stevd"} are LAPACK's MRRR and divide and conquer, on the CPU;
## @qcode{"ql"} (up to order 48) and @qcode{"dc"} (up to 256) are for stacks on a GPU.
##
## @item "vector", "matrix", "Backend", "Device", "Display", "Workers"
## As in all functions: the manual, ``Options of all functions''.  @qcode{"Backend", "mpi"}
## solves a dense @var{A} by the methods @qcode{"elpa1"}, @qcode{"elpa2"} or @qcode{"syevd"}.
## Several GPUs share the pages of a stack or the spectrum of a tridiagonal matrix.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields of all functions (the manual) and, of
## @qcode{"mrrr"}, @code{clusters} (with a representation of their own), @code{depth} (levels of
## the tree of representations below the root) and @code{fallbacks} (vectors computed by inverse
## iteration with reorthogonalisation).
##
## @strong{Algorithms}: the matrix is scaled by a power of two and split where off-diagonals are
## negligible.  The representation T - s I = L D L' of each block is perturbed by a few units in
## the last place, reproducibly, which separates equal eigenvalues.  Clusters of close eigenvalues
## get representations of their own by differential qd transformations; eigenvalues and vectors
## follow from Newton's iteration on twisted factorisations, all in twice the precision of the
## result.
##
## References:
## I. S. Dhillon, B. N. Parlett, Linear Algebra Appl. 387 (2004) 1--28; L. Wang, Y. Zhao,
## Parallel realization of the MRRR algorithm based on CUDA (2011);
## M. Petschow, E. Quintana-Orti, P. Bientinesi, arXiv 1304.1864.
##
## @strong{Accuracy}: @code{norm (T*V - V*D, 1)} stays below @code{10 * n * eps *
## norm (T, 1)} and @code{norm (V'*V - I, 1)} below @code{10 * n * eps}, whatever the matrix.
## For 2^k * T, vectors are those of T and eigenvalues 2^k times those of T, bit for bit.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:bad-length},
## @code{gpueig:not-square}, @code{gpueig:not-symmetric}, @code{gpueig:nonfinite},
## @code{gpueig:wrong-type}, @code{gpueig:bad-option} (also for an interval that is empty or
## reversed, and for numbers out of range), and those of all functions:
## @code{gpueig:no-device}, @code{gpueig:out-of-memory}, @code{gpueig:device-error},
## @code{gpueig:solver-failed}; warnings @code{gpueig:fallback} and @code{gpueig:device-lost}.
##
## @seealso{eig, eigs, gpu_eig, gpu_jacobi_eig, gpu_tdinv, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_mrrr (varargin)

  [failed, V, D, W, info] = __gpueig__ ("mrrr", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_mrrr");
  endif

endfunction

## Calling forms and options.
%!test
%! T = [2 1 0; 1 2 1; 0 1 2];
%! exact = [2 - sqrt(2); 2; 2 + sqrt(2)];
%! assert (gpu_mrrr (T), exact, 16*eps);
%! assert (gpu_mrrr (sparse (T)), exact, 16*eps);
%! assert (gpu_mrrr ([2 2 2], [1 1]), exact, 16*eps);
%! assert (gpu_mrrr ([2 2 2]', sparse ([1 1])), exact, 16*eps);
%! [V, D] = gpu_mrrr (T);
%! assert (typeinfo (D), "diagonal matrix");
%! assert (T*V, V*D, 16*eps);
%! [V, lambda, W, info] = gpu_mrrr (T, "vector", "Method", "mrrr");
%! assert (W, V);
%! assert (lambda, exact, 16*eps);
%! assert (info.fallbacks, 0);
%! D = gpu_mrrr (T, "matrix");
%! assert (typeinfo (D), "diagonal matrix");
%! [V, D, ~, info] = gpu_mrrr (T, "Method", "mrrr", "Display", "off");
%! assert (info.method, "mrrr");
%! assert (T*V, V*D, 16*eps);
%! assert (V'*V, eye (3), 16*eps);
%! for method = {"stemr", "stevd"}
%!   [V, D, ~, info] = gpu_mrrr (T, "Method", method{1}, "Backend", "cpu");
%!   assert (info.method, method{1});
%!   assert (T*V, V*D, 16*eps);
%! endfor

## Dense, complex, pages, single.
%!test
%! A = [4 1 2; 1 3 0.5; 2 0.5 1];
%! assert (gpu_mrrr (A), eig (A), 32*eps);
%! [V, D] = gpu_mrrr (A);
%! assert (A*V, V*D, 32*eps);
%! H = [2, 1i, 1; -1i, 3, 2-1i; 1, 2+1i, -1];
%! [V, D] = gpu_mrrr (H);
%! assert (H*V, V*D, 32*eps);
%! assert (V'*V, eye (3), 32*eps);
%! H(1,3) = H(3,1) = 0;
%! [V, D] = gpu_mrrr (H);
%! assert (H*V, V*D, 32*eps);
%! [V, D] = gpu_mrrr (sparse (H));
%! assert (H*V, V*D, 32*eps);
%! P = cat (3, A, 2*A, [3 1 0; 1 2 1; 0 1 1]);
%! [V, D] = gpu_mrrr (P);
%! assert (size (D), [3, 3, 3]);
%! for p = 1:3
%!   assert (P(:,:,p) * V(:,:,p), V(:,:,p) * D(:,:,p), 64*eps);
%! endfor
%! lambda = gpu_mrrr (P, "Index", [2 3]);
%! assert (size (lambda), [2, 1, 3]);
%! [V, D] = gpu_mrrr (single (A));
%! assert (class (V), "single");
%! assert (class (D), "single");
%! assert (class (gpu_mrrr (single ([1 2]), 3)), "single");
%! assert (gpu_mrrr (sparse (A)), eig (A), 32*eps);

## Stacks of diagonals.
%!test
%! d = cat (3, [2; 2; 2], [1; 2; 3], [0; 0; 0]);
%! e = cat (3, [1; 1], [0; 0], [1; 2]);
%! lambda = gpu_mrrr (d, e);
%! assert (size (lambda), [3, 1, 3]);
%! [V, D] = gpu_mrrr (d, e);
%! assert (size (V), [3, 3, 3]);
%! assert (size (D), [3, 3, 3]);
%! for p = 1:3
%!   T = diag (d(:,1,p)) + diag (e(:,1,p), 1) + diag (e(:,1,p), -1);
%!   assert (lambda(:,1,p), eig (T), 16*eps);
%!   assert (T * V(:,:,p), V(:,:,p) * D(:,:,p), 32*eps);
%!   [v, lambda1] = gpu_mrrr (d(:,1,p), e(:,1,p), "vector");
%!   assert (diag (D(:,:,p)), lambda1, 32*eps);
%! endfor
%! [V, lambda] = gpu_mrrr (d, e, "vector", "Index", [2 3]);
%! assert (size (V), [3, 2, 3]);
%! assert (size (lambda), [2, 1, 3]);
%! lambda = gpu_mrrr (single (ones (1, 1, 4)), zeros (0, 1, 4));
%! assert (lambda, single (ones (1, 1, 4)));
%! assert (size (gpu_mrrr (zeros (5, 1, 0), zeros (4, 1, 0))), [5, 1, 0]);
%! d = randn (64, 1, 100);
%! e = randn (63, 1, 100);
%! [V, D] = gpu_mrrr (d, e);
%! for p = [1, 50, 100]
%!   T = diag (d(:,1,p)) + diag (e(:,1,p), 1) + diag (e(:,1,p), -1);
%!   assert (norm (T * V(:,:,p) - V(:,:,p) * D(:,:,p), 1) <= 640*eps*norm (T, 1));
%!   assert (norm (V(:,:,p)' * V(:,:,p) - eye (64), 1) <= 640*eps);
%! endfor
%!error <need off-diagonals> gpu_mrrr (ones (3, 1, 2), ones (3, 1, 2))
%!error <need off-diagonals> gpu_mrrr (ones (3, 1, 2), ones (2, 1))
%!error <need off-diagonals> gpu_mrrr (ones (3, 1, 2), ones (2, 1, 3))
%!error <stack of columns> gpu_mrrr (ones (3, 2, 2), ones (2, 2, 2))

## Orders 0, 1, 2.
%!test
%! assert (gpu_mrrr ([]), []);
%! assert (gpu_mrrr ([], []), []);
%! [V, D] = gpu_mrrr ([]);
%! assert (V, []);
%! assert (gpu_mrrr (5), 5);
%! assert (gpu_mrrr (-5, []), -5);
%! [V, D] = gpu_mrrr (7);
%! assert (V, 1);
%! [V, D] = gpu_mrrr ([1 2], 3);
%! assert ([1 3; 3 2] * V, V * D, 16*eps);
%! [V, D] = gpu_mrrr ([0 1; 1 0]);
%! assert (diag (D), [-1; 1], 2*eps);
%! assert (gpu_mrrr (zeros (4)), zeros (4, 1));
%! [V, D] = gpu_mrrr (eye (4));
%! assert (V'*V, eye (4));

## Parts of the spectrum.
%!test
%! n = 200;
%! d = 4 * ones (n, 1);
%! e = ones (n - 1, 1);
%! exact = 4 + 2 * cos (pi * (n:-1:1)' / (n + 1));
%! assert (gpu_mrrr (d, e), exact, 100*eps);
%! [V, lambda] = gpu_mrrr (d, e, "vector", "Index", [5 9]);
%! assert (lambda, exact(5:9), 100*eps);
%! assert (size (V), [n, 5]);
%! assert (V'*V, eye (5), 1000*eps);
%! [V, D] = gpu_mrrr (d, e, "Range", [3.1 4.5]);
%! want = exact(exact > 3.1 & exact <= 4.5);
%! assert (diag (D), want, 100*eps);
%! assert (columns (V), numel (want));
%! assert (size (gpu_mrrr (d, e, "Range", [7 8])), [0, 1]);
%! [V, lambda] = gpu_mrrr (d, e, "Range", [7 8], "vector");
%! assert (size (V), [n, 0]);
%! assert (size (lambda), [0, 1]);
%! [V, D, W] = gpu_mrrr (d, e, "Range", [7 8]);
%! assert ({size(V), size(D), size(W)}, {[n, 0], [0, 0], [n, 0]});
%! assert (size (gpu_mrrr (toeplitz ([2 1 1 0]), "Range", [9 10])), [0, 1]);
%! assert (gpu_mrrr (d, e, "Range", [-Inf, 4]), exact(exact <= 4), 100*eps);
%! assert (gpu_mrrr ([1 2 3], [0 0], "Range", [1 3]), [2; 3]);
%! assert (gpu_mrrr ([3 1 2], [0 0], "Index", [2 2]), 2);
%! A = full (gallery ("tridiag", n, 1, 4, 1));
%! A(n,1) = A(1,n) = 1;
%! [V, D] = gpu_mrrr (A, "Index", [n n]);
%! assert (diag (D), 6, 1e-12);

## Multiplication by a power of two only scales the eigenvalues.
%!test
%! d = sin (1:50);
%! e = cos (1:49);
%! [V, lambda] = gpu_mrrr (d, e, "vector");
%! for k = [-900, -1, 5, 900]
%!   [Vk, lambdak] = gpu_mrrr (2^k * d, 2^k * e, "vector");
%!   assert (Vk, V);
%!   assert (lambdak, 2^k * lambda);
%! endfor

%!error <Invalid call> gpu_mrrr ()
## A failure is reported before the vectors of a complex matrix are computed.
%!test
%! id = "";
%! unwind_protect
%!   [~, ~] = __gpueig__ ("testing", "allocation", 1);
%!   try
%!     [V, D] = gpu_mrrr (sparse ([2 1i; -1i 2]));
%!   catch err
%!     id = err.identifier;
%!   end_try_catch
%! unwind_protect_cleanup
%!   [~, ~] = __gpueig__ ("testing", "allocation", 0);
%! end_unwind_protect
%! assert (id, "gpueig:out-of-memory");

%!demo
%! ## The lowest states of a particle in a double well, -u''/2 + (x^2 - 4)^2 u / 4.
%! n = 2000;
%! x = linspace (-4, 4, n)';
%! h = x(2) - x(1);
%! well = (x .^ 2 - 4) .^ 2 / 4;
%! [V, lambda] = gpu_mrrr (1 / h^2 + well, -1 / (2*h^2) * ones (n-1, 1), ...
%!                         "Index", [1 4], "vector");
%! plot (x, well, "k", "linewidth", 2, x, lambda.' + 20 * V);
%! ylim ([0, 8]);
%! xlabel ("x");
%! ylabel ("energy");
%! title ("The four lowest states of a double well, at their energies");

%!error id=gpueig:bad-length gpu_mrrr ([1 2 3], [1 2 3])
%!error id=gpueig:bad-length gpu_mrrr ([1 2 3], 1)
%!error id=gpueig:bad-length gpu_mrrr ([], 1)
%!error id=gpueig:bad-length gpu_mrrr ([1 2; 3 4], 1)
%!error id=gpueig:not-square gpu_mrrr ([1 2 3])
%!error id=gpueig:nonfinite gpu_mrrr ([1 NaN 3], [1 2])
%!error id=gpueig:nonfinite gpu_mrrr ([1 2 3], [1 Inf])
%!error id=gpueig:nonfinite gpu_mrrr ([1 2 3; 2 NaN 4; 3 4 1])
%!error id=gpueig:wrong-type gpu_mrrr ({1}, [1 2])
%!error id=gpueig:wrong-type gpu_mrrr ([1 2i], 1)
%!error id=gpueig:wrong-type gpu_mrrr ([1 2], {3})
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", [0 1])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", [1 3])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", [2 1])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", 1)
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", [1.5 2])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Index", "a")
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Range", [2 1])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Range", [1 1])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Range", [NaN 1])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Range", [1 2], "Index", [1 2])
%!error id=gpueig:bad-option gpu_mrrr (cat (3, eye (3), eye (3)), "Range", [1 2])
%!error id=gpueig:bad-option gpu_mrrr ([1 2], 3, "Method", "stemr", "Backend", "cuda")
%!error <1 <= il <= iu <= 2> gpu_mrrr ([1 2], 3, "Index", [2 3])
%!error <gpu_eig \(A\)> gpu_mrrr ([1 2; 3 4])
