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
## @deftypefn  {} {@var{lambda} =} gpu_eig (@var{A})
## @deftypefnx {} {@var{lambda} =} gpu_eig (@var{A}, @var{B})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_eig (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_eig (@dots{}, @var{option}, @dots{})
## Eigenvalues and eigenvectors of a matrix, of a pair of matrices, or of every page of a
## stack: a replacement for @code{eig} that chooses the fastest reliable solver.
##
## @example
## @group
## K = toeplitz ([2, -1, zeros(1, 98)]);   # stiffness and masses of a chain
## M = toeplitz ([4, 1, zeros(1, 98)]) / 6;
## [V, D] = gpu_eig (K, M, "Index", [1 5]);  # its five lowest modes
## diag (D)(1)
##   @result{} 9.6759e-04
## @end group
## @end example
##
## Symmetric and Hermitian matrices (equal to their conjugate transpose to the last bit)
## have real ascending @var{lambda} and orthonormal @var{V}.  Other matrices have the
## eigenvalues in the order in which the method finds them, conjugate pairs together, and
## columns of @var{V} and @var{W} of 2-norm 1.  @var{W} are the left eigenvectors,
## @code{@var{W}' * @var{A} = @var{D} * @var{W}'}.
##
## A pair is the problem @code{@var{A}*@var{V} = @var{B}*@var{V}*@var{D}}.  If @var{A} is
## symmetric and @var{B} symmetric positive definite, @code{@var{V}'*@var{B}*@var{V}} is the
## identity.  Any other pair is solved on the CPU by LAPACK's QZ iteration, as by @code{eig}.
##
## @var{A} may be a stack of pages, n-by-n-by-N or with more dimensions, and @var{B} one of as
## many pages: then @var{lambda} is n-by-1-by-N, and @var{V}, @var{W} and @var{D} are
## n-by-n-by-N.  Every page has the result that it has alone; the arrays are complex if one
## page is.  A single page gives @var{D} as a diagonal matrix.
##
## Single in gives single out, also if only one of @var{A} and @var{B} is single; everything
## else is computed in double precision.  Sparse matrices are made full.
##
## @strong{Options}
##
## @table @asis
## @item "Index": [il iu]
## @itemx "Range": [vl vu]
## Only eigenvalues il to iu in ascending order, or those in the interval (vl, vu], and their
## vectors; for symmetric matrices and definite pairs, stacks of them with @qcode{"Index"}.
##
## @item "vector", "matrix"
## The form of the eigenvalues; by default a vector if they are the only output.
##
## @item "balance" (default), "nobalance"; "chol" (default), "qz"
## As for @code{eig}: whether a general matrix is balanced; whether a definite pair is
## solved by the QZ iteration.
##
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"}: definite pairs by @code{gpu_jacobi_eig}, with backward errors that do not
## grow with the condition of @var{B}.
##
## @item "Method": "auto" (default) or the name of a solver
## Symmetric: @qcode{"mrrr"} (as @code{gpu_mrrr}), @qcode{"syevd"} (LAPACK's divide and
## conquer), for stacks @qcode{"shifted"} (as @code{gpu_onesided_eig}) and on a GPU
## @qcode{"ql"} and @qcode{"dc"}; for processes @qcode{"elpa1"}, @qcode{"elpa2"},
## @qcode{"syevd"}.  General: @qcode{"qr"} (as @code{gpu_schur}) and @qcode{"geev"} (LAPACK's).
##
## @item "Backend", "Device", "Display", "Workers"
## As in all functions: the manual, ``Options of all functions''.  @qcode{"Backend", "mpi"}
## with @qcode{"Workers"} solves symmetric matrices and definite pairs by MPI processes.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields that all functions have (the
## manual, ``Options of all functions'') and those of @code{gpu_mrrr}, @code{gpu_schur} and
## @code{gpu_jacobi_eig}; what does not apply is 0 or empty.
##
## @strong{Accuracy}: @code{norm (A*V - V*D, 1)} stays below @code{10 * n * eps *
## norm (A, 1)} for symmetric matrices, whose @var{V} is orthonormal to @code{10 * n * eps},
## and below @code{20 * n * eps * norm (A, 1) * norm (V, 1)} for others.  Pairs: the manual,
## ``Accuracy''.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:not-symmetric} (a method for symmetric matrices, but @var{A} is not),
## @code{gpueig:not-definite} (a method for definite pairs, but @var{B} is not), and those of
## all functions: @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:solver-failed}; warnings @code{gpueig:fallback}
## (another method than the named one finished) and @code{gpueig:device-lost}.
##
## @seealso{eig, gpu_svd, gpu_schur, gpu_mrrr, gpu_array, gpu_replace, gpu_tune, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("eig", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_eig");
  endif

endfunction

## Functions of the user that have the names of built-ins are not called.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! names = {"eig", "diag", "horzcat", "struct", "full", "zeros", "i", "times", ...
%!          "typeinfo", "OCTAVE_VERSION"};
%! for k = 1:numel (names)
%!   fid = fopen (fullfile (folder, [names{k} ".m"]), "w");
%!   fprintf (fid, "function varargout = %s (varargin)\n", names{k});
%!   if (k == 1)
%!     fprintf (fid, "  [varargout{1:nargout}] = gpu_eig (varargin{:});\n");
%!   else
%!     fprintf (fid, "  error ('%s of the user was called');\n", names{k});
%!   endif
%!   fprintf (fid, "endfunction\n");
%!   fclose (fid);
%! endfor
%! before = warning ();
%! unwind_protect
%!   warning ("off", "Octave:shadowed-function");
%!   addpath (folder);
%!   A = [2 1; 1 3];
%!   [V, D] = eig (A);
%!   assert (builtin ("typeinfo", D), "diagonal matrix");
%!   assert (A*V, V*D, 8*eps);
%!   [V, D, W, info] = gpu_eig ([1 2; 3 4], A, "Backend", "cpu");
%!   assert ([1 2; 3 4] * V, A*V*D, 16*eps);
%!   assert (info.method, "qz");
%!   n = 150;
%!   C = reshape (sin ((1:n^2) .^ 2), n, n) + 1i;
%!   [V, D] = eig (C, "vector");
%!   assert (norm (C*V - V .* D.', 1) / norm (C, 1) < 20 * n * eps);
%!   [~, ~, ~, info] = gpu_jacobi_eig ([2 1 0; 1 3 1; 0 1 5], "Backend", "cpu");
%!   assert (numel (info.off) > 0 && all (info.off >= 0) && all (info.off < 10));
%!   X = gpu_tdinv (speye (3));
%!   assert (X(2,2), 1);
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   warning (before);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Calling forms.
%!test
%! A = [2 1; 1 2];
%! assert (gpu_eig (A), [1; 3], 8*eps);
%! [V, D] = gpu_eig (A);
%! assert (typeinfo (D), "diagonal matrix");
%! assert (A*V, V*D, 8*eps);
%! [V, D, W] = gpu_eig (A);
%! assert (W, V);
%! [V, lambda] = gpu_eig (A, "vector");
%! assert (lambda, [1; 3], 8*eps);
%! D = gpu_eig (A, "matrix");
%! assert (typeinfo (D), "diagonal matrix");
%! [~, ~, ~, info] = gpu_eig (A);
%! assert (info.converged);
%! assert (isempty (info.fallback));
%! assert (fieldnames (info.time), {"total"; "transfer"; "solve"});

## General matrices as eig: order, scaling, left vectors.
%!test <a page's bits beside pages with clusters and without>
%! for n = [100, 129, 150, 200]
%!   [Q, ~] = qr (reshape (sin ((1:n^2) .^ 2), n, n));
%!   A = zeros (n, n, 4);
%!   A(:,:,1) = Q + Q';
%!   A(:,:,2) = Q * diag (1 + (1:n > n/2)) * Q';
%!   A(:,:,3) = toeplitz ([2, -1, zeros(1, n-2)]);
%!   A(:,:,4) = Q * diag (mod (1:n, 5)) * Q';
%!   for k = 1:4
%!     A(:,:,k) = (A(:,:,k) + A(:,:,k)') / 2;
%!   endfor
%!   order = [3, 2, 4, 1];
%!   for type = {@double, @single}
%!     B = type{1} (A);
%!     [V, D] = gpu_eig (B, "vector");
%!     [V2, D2] = gpu_eig (B(:,:,order), "vector");
%!     assert (V2, V(:,:,order));
%!     D = reshape (D, n, 4);
%!     assert (reshape (D2, n, 4), D(:,order));
%!     for k = 1:4
%!       limit = 10 * n * eps (class (B));
%!       assert (norm (B(:,:,k) * V(:,:,k) - V(:,:,k) .* D(:,k).', 1)
%!               <= limit * norm (B(:,:,k), 1));
%!       assert (norm (V(:,:,k)' * V(:,:,k) - eye (n), 1) <= limit);
%!     endfor
%!   endfor
%! endfor
%!test
%! A = [1 2 0; 3 4 1; 0 1 -2];
%! [V, D, W] = gpu_eig (A);
%! [V0, D0, W0] = eig (A);
%! assert (abs (dot (V, V0)), ones (1, 3), 32*eps);  # the signs are free
%! assert (full (D), full (D0), 32*eps);
%! assert (abs (dot (W, W0)), ones (1, 3), 32*eps);
%! assert (isreal (V));
%! [V, D] = gpu_eig ([0 1; -1 0]);
%! assert (full (D), diag ([1i, -1i]), eps);
%! assert (gpu_eig ([1 2; 3 4], "nobalance"), eig ([1 2; 3 4], "nobalance"),
%!         8*eps);
%! for B = {[1 1e150; -1e-150 1], [1 1e150i; 1e-150i 1]}
%!   for L = {gpu_eig(B{1}, "nobalance"), gpu_eig(repmat (B{1}, 1, 1, 2), "nobalance")(:,:,2)}
%!     assert (real (L{1}), [1; 1], 8*eps);
%!     assert (sort (imag (L{1})), [-1; 1], 8*eps);
%!   endfor
%! endfor

## Empty as eig.
%!test
%! assert (gpu_eig ([]), []);
%! [V, D] = gpu_eig ([]);
%! assert (V, []);
%! assert (D, []);
%! assert (size (gpu_eig (zeros (0, 0, 3))), [0, 1, 3]);
%! assert (size (gpu_eig (zeros (2, 2, 0))), [2, 1, 0]);
%! [V, D, W] = gpu_eig ([], [], "qz", "Backend", "cpu");
%! assert ({V, D, W}, {[], [], []});
%! for args = {{zeros(0, 3)}, {zeros(3, 0), "vector"}, {[], 1}, {1, []}, ...
%!             {[1 NaN; 2 3], zeros(0, 4)}, {sparse(0, 2)}}
%!   assert (gpu_eig (args{1}{:}), []);
%!   [V, D, W] = gpu_eig (args{1}{:});
%!   assert ({V, D, W}, {[], [], []});
%!   [V, D] = eig (args{1}{:});
%!   assert ({V, D}, {[], []});
%! endfor

## Pairs: definite by Cholesky, any other as eig.
%!test
%! A = [2 1; 1 3];
%! B = [4 1; 1 5];
%! [V, D, W] = gpu_eig (A, B);
%! assert (V' * B * V, eye (2), 8*eps);
%! assert (A*V, B*V*D, 8*eps);
%! assert (gpu_eig (A, B, "chol"), eig (A, B), 8*eps);
%! assert (sort (gpu_eig (A, B, "qz", "Backend", "cpu")), eig (A, B), 8*eps);
%! C = [4 1; 1 -5];
%! assert (gpu_eig (A, C, "Backend", "cpu"), eig (A, C, "qz"), 8*eps);
%! assert (gpu_eig ([1 2; 3 4], B, "Backend", "cpu"), eig ([1 2; 3 4], B), 8*eps);
%! [V, D, W] = gpu_eig (single ([1 2; 3 4]), single (B), "Backend", "cpu");
%! assert (class (W), "single");
%! assert (norm (W' * [1 2; 3 4] - D * W' * B) < 1e-5);
%! assert (gpu_eig (sparse (A), C, "Backend", "cpu"), eig (A, C, "qz"), 8*eps);
%! H = [2 1i; -1i 3];
%! [V, D] = gpu_eig (A, H, "Backend", "cpu");
%! assert (A*V, H*V*D, 16*eps);

## A matrix from an application: limits as in LAPACK's test programs.
%!test
%! n = 120;
%! A = cos ((1:n)' * (1:n) / 7);
%! A += A';
%! [V, D] = gpu_eig (A);
%! assert (norm (A*V - V*D, 1) / (norm (A, 1) * n * eps) < 10);
%! assert (norm (V'*V - eye (n), 1) / (n * eps) < 10);

%!demo
%! ## The lowest modes of a square drum, on a grid of 25 by 25 points.  The eigenvalues
%! ## of the drum itself are pi^2 times 2, 5, 5, 8, 10 and 10.
%! m = 25;
%! T = toeplitz ([2, -1, zeros(1, m-2)]) * (m + 1)^2;
%! A = kron (T, eye (m)) + kron (eye (m), T);
%! [V, lambda] = gpu_eig (A, "Index", [1 6], "vector");
%! for k = 1:6
%!   subplot (2, 3, k, "position", [mod(k-1, 3)/3, 0.5*(k < 4), 0.32, 0.37]);
%!   surf (reshape (V(:,k), m, m), "edgecolor", "none");
%!   axis ("tight", "off");
%!   title (sprintf ("mode %d: %.3f pi^2", k, lambda(k) / pi^2));
%! endfor

%!demo
%! ## Wigner's semicircle: the eigenvalues of 300 random symmetric matrices, in one call.
%! n = 40;
%! A = randn (n, n, 300);
%! lambda = gpu_eig ((A + permute (A, [2, 1, 3])) / sqrt (8*n));
%! [count, x] = hist (lambda(:), 50);
%! bar (x, count / sum (count) / (x(2) - x(1)));
%! hold on;
%! plot (x, 2/pi * sqrt (max (1 - x.^2, 0)), "r", "linewidth", 2);
%! hold off;
%! xlabel ("eigenvalue");
%! ylabel ("density");
%! title ("Wigner's semicircle, 300 matrices of order 40");
%! legend ("computed", "2/pi sqrt (1 - x^2)");

%!error <Invalid call> gpu_eig ()
%!error id=Octave:invalid-fun-call [a, b, c, d, e] = gpu_eig (1);
%!error id=gpueig:nonfinite gpu_eig ([1 Inf; 2 1])
%!error id=gpueig:nonfinite gpu_eig ([1 Inf; 2 1], [1 2; 3 4], "Backend", "cpu")
%!error id=gpueig:not-symmetric gpu_eig ([1 2; 3 4], "Method", "syevd")
%!error id=gpueig:not-symmetric gpu_eig ([1 2; 3 4], eye (2), "Method", "syevd")
%!error id=gpueig:not-symmetric gpu_eig (eye (2), [1 2; 3 4], "Method", "syevd")
%!error id=gpueig:not-definite gpu_eig (eye (2), [1 2; 2 1], "Method", "syevd")
%!error id=gpueig:bad-option gpu_eig ([2 1; 1 2], eye (2), "Method", "geev")
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], NaN (2), "Method", "geev")
%!error id=gpueig:bad-option gpu_eig ([2 1; 1 2], eye (2), "qz", "Method", "syevd")
%!error id=gpueig:bad-option gpu_eig (1, "Display", ["off"; "off"])
%!error id=gpueig:not-square gpu_eig (eye (2), eye (3))
%!error id=gpueig:wrong-type gpu_eig (eye (2), struct ())
%!error id=gpueig:bad-option gpu_eig (eye (2), "nonsense")
%!error id=gpueig:bad-option gpu_eig (eye (2), "Backend", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "vector", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", -1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 2^31)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 2^32)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", 0:16)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [0, 0.5])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", [0, NaN])
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", {0})
%!error id=gpueig:bad-option gpu_eig (eye (2), "Device", "both")
%!error <device 1 is twice> gpu_eig (eye (2), "Device", [1, 0, 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), "chol")
%!error <"matrix" and "vector" exclude> gpu_eig (eye (2), "matrix", "Vector")
%!error <"balance" and "nobalance" exclude> gpu_eig (eye (2), "balance", "nobalance")
%!error <"qz" and "chol" exclude> gpu_eig (eye (2), eye (2), "qz", "CHOL")
%!error id=gpueig:not-square gpu_eig (ones (2, 3), [])
%!error id=gpueig:not-square gpu_eig (ones (2, 2, 3), [])
%!error id=gpueig:wrong-type gpu_eig (cell (0, 1))
%!error id=gpueig:bad-option gpu_eig (eye (2), eye (2), "balance")
%!error <there are backend> gpu_eig (eye (2), "nonsense", 1)
%!error id=gpueig:bad-option gpu_eig (eye (2), "Workers", 2, "Backend", "cpu")
%!error id=gpueig:bad-option gpu_eig ([1 2; 3 4], "Backend", "mpi")
%!error <"auto", "cpu", "cuda", "mpi"> gpu_eig (eye (2), "Backend", "tpu")
%!error <2-by-3> gpu_eig ([1 2 3; 4 5 6])
%!error <\(1, 2\)> gpu_eig ([1 NaN; 2 1])
