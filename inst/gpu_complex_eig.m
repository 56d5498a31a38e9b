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
## @deftypefn  {} {@var{lambda} =} gpu_complex_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_complex_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_complex_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_complex_eig (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_complex_eig (@dots{}, @var{option}, @dots{})
## Eigenvalues and eigenvectors of general square matrices, one or very many, by the Jacobi-like
## method of Eberlein and Shroff or the QR iteration, whichever is faster.
##
## @example
## @group
## ## The roots of the polynomials x^2 - 3 x + 2 and x^2 - 7 x + 12.
## A = cat (3, [3 -2; 1 0], [7 -12; 1 0]);
## squeeze (gpu_complex_eig (A))
##   @result{} [1 3; 2 4]
## @end group
## @end example
##
## The eigenvalues are ordered by their real part, ascending, then by the absolute value of the
## imaginary part, then the positive one first, which is not the order of @code{eig}; real
## parts that differ by rounding errors count as equal.  Eigenvalues of a real matrix come in
## exactly conjugate pairs.  Columns of @var{V} and @var{W} have 2-norm 1 and their largest
## element is real; @code{@var{A}*@var{V} = @var{V}*@var{D}} and @code{@var{W}'*@var{A} =
## @var{D}*@var{W}'}.  A matrix that equals its conjugate transpose has real eigenvalues and
## orthonormal @var{V}.
##
## @var{A} may be a stack of pages, n-by-n-by-N or with more dimensions; the outputs are those
## of @code{gpu_eig}.  Single in gives single out; everything else is computed in double
## precision.
##
## @strong{Options}
##
## @table @asis
## @item "balance" (default), "nobalance"
## Whether the matrix is first scaled by powers of 2 that make the norms of each row and column
## nearly equal.
##
## @item "Method": "auto" (default), "shroff", "geev", "qr"
## @qcode{"shroff"} is the Jacobi-like method, @qcode{"geev"} LAPACK's QR iteration on the CPU,
## @qcode{"qr"} that of @code{gpu_eig}.  Pages that are equal to their conjugate transpose are
## solved by a symmetric solver.
##
## @item "Tol": positive scalar
## Sweeps stop when the off-diagonal part is below @var{Tol} times the Frobenius norm; Newton
## refinement follows.  Default 1e-9, for single 1e-4; on a GPU 1e-11, for single 1e-5.
##
## @item "MaxSweeps": positive integer
## Limit of sweeps (@qcode{"qr"} on a GPU: of a page, or of deflation windows).  A matrix that
## does not converge within it is returned as the last sweep left it, with the warning
## @code{gpueig:no-convergence}; without this option it is solved by @qcode{"geev"}.
##
## @item "vector", "matrix", "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields of all functions (the manual),
## @code{off} (the off-diagonal part relative to the norm after each sweep, the largest of all
## pages), @code{fallback_pages} (solved by @qcode{"geev"}), and those of @code{gpu_schur}.
##
## @strong{Algorithms}: for each pair of rows and columns a shear that lowers the departure from
## normality and a unitary transformation that annihilates an element are applied as one
## similarity transformation; Newton steps with the original matrix follow.  Defective and
## extremely non-normal matrices, for which the sweeps stagnate, are solved by @qcode{"geev"},
## with the warning @code{gpueig:fallback}.
##
## References: P. J. Eberlein, J. SIAM 10 (1962) 74--88; G. Shroff, Numer. Math. 58 (1990)
## 779--805.
##
## @strong{Accuracy}: @code{norm (A*V - V*D, 1)} stays below @code{20 * n * eps * norm (A, 1) *
## norm (V, 1)} for every matrix.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option}, and those of all
## functions: @code{gpueig:no-device}, @code{gpueig:out-of-memory}, @code{gpueig:device-error},
## @code{gpueig:solver-failed}; warnings @code{gpueig:no-convergence}, @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @seealso{eig, gpu_eig, gpu_schur, gpu_tune, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_complex_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("complex_eig", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_complex_eig");
  endif

endfunction

%!function r = ratio (A, V, D)
%!  r = norm (A*V - V*D, 1) / (norm (A, 1) * norm (V, 1) * rows (A) * eps (class (A)));
%!endfunction

## Calling forms.
%!test
%! A = [1 2 0; 3 4 1; 0 1i -2];
%! lambda = gpu_complex_eig (A);
%! assert (size (lambda), [3, 1]);
%! [V, D] = gpu_complex_eig (A);
%! assert (typeinfo (D), "complex diagonal matrix");
%! assert (A*V, V*D, 64*eps);
%! [V, D, W] = gpu_complex_eig (A);
%! assert (W'*A, D*W', 64*eps);
%! assert (norm (V, "columns"), ones (1, 3), 4*eps);
%! assert (norm (W, "columns"), ones (1, 3), 4*eps);
%! [V, lambda2] = gpu_complex_eig (A, "vector");
%! assert (lambda2, lambda, 32*eps);
%! assert (diag (gpu_complex_eig (A, "matrix")), lambda);
%! [~, ~, ~, info] = gpu_complex_eig (A, "nobalance", "Method", "shroff");
%! assert (info.converged);
%! assert (isempty (info.fallback));
%! assert (info.method, "shroff");
%! assert (numel (info.off), info.sweeps);
%! assert (info.off(end) < 1e-8);
%! assert (fieldnames (info.time), {"total"; "transfer"; "solve"});

## Order: real part, then |imaginary part|, then the positive one first.
%!test
%! lambda = gpu_complex_eig (blkdiag (3, [1 2; -2 1], [1 4; -4 1], -5), "Method", "shroff");
%! assert (lambda, [-5; 1+2i; 1-2i; 1+4i; 1-4i; 3], 32*eps);
%! assert (lambda(2), conj (lambda(3)));

## Real input, real result where all is real; pairs exactly conjugate.
%!test
%! A = [4 1 0; 1 3 1; 0 2 1];
%! [V, D, W] = gpu_complex_eig (A, "Method", "shroff");
%! assert (isreal (V) && isreal (D) && isreal (W));
%! assert (diag (D), sort (eig (A)), 64*eps);
%! [V, D, W] = gpu_complex_eig ([0 1 0; 0 0 1; 1 0 0], "Method", "shroff");
%! assert (V(:,1), conj (V(:,2)));
%! assert (W(:,1), conj (W(:,2)));
%! assert (isreal (V(:,3)));

## Equal pairs: each has its own vectors, and they are independent.
%!test
%! for k = [2 4 8]
%!   A = zeros (2 * k);
%!   for j = 1:2:2*k
%!     A(j:j+1,j:j+1) = [1 j; -1/j 1];
%!   endfor
%!   for method = {"auto", "shroff", "qr"}
%!     [V, lambda, W] = gpu_complex_eig (A, "vector", "Method", method{1});
%!     assert (lambda, repmat ([1+1i; 1-1i], k, 1), 64*eps);
%!     assert (V(:,1:2:end), conj (V(:,2:2:end)));
%!     assert (W(:,1:2:end), conj (W(:,2:2:end)));
%!     assert (ratio (A, V, diag (lambda)) < 20);
%!     assert (cond (V) < 10 * (k + 1));
%!   endfor
%! endfor

## Hermitian and symmetric.
%!test
%! A = [2 1i 0; -1i 3 1; 0 1 1];
%! [V, D, W] = gpu_complex_eig (A);
%! assert (isreal (diag (D)));
%! assert (V'*V, eye (3), 16*eps);
%! assert (diag (D), eig (A), 32*eps);
%! assert (V, W);
%! [V, D] = gpu_complex_eig (magic (4) + magic (4)', "Method", "shroff");
%! assert (isreal (V));
%! assert (V'*V, eye (4), 16*eps);

## Pages.
%!test
%! A = reshape (sin ((1:5*5*2*7) .^ 2) + 1i * cos ((1:5*5*2*7) .^ 2), 5, 5, 2, 7);
%! [V, D, W, info] = gpu_complex_eig (A, "Method", "shroff");
%! assert (size (V), [5, 5, 2, 7]);
%! assert (size (D), [5, 5, 2, 7]);
%! assert (isempty (info.fallback));
%! for p = 1:14
%!   assert (ratio (A(:,:,p), V(:,:,p), D(:,:,p)) < 20);
%!   assert (ratio (A(:,:,p)', W(:,:,p), D(:,:,p)') < 20);
%! endfor
%! [V, lambda] = gpu_complex_eig (A, "vector");
%! assert (size (lambda), [5, 1, 2, 7]);
%! assert (size (gpu_complex_eig (A)), [5, 1, 2, 7]);

## Roots of polynomials, many at once.
%!test
%! A = zeros (6, 6, 40);
%! for k = 1:5
%!   A(k+1,k,:) = 1;
%! endfor
%! A(1,:,:) = sin ((1:6)' * (1:40));
%! roots_ = gpu_complex_eig (A, "Method", "shroff");
%! for p = [1 17 40]
%!   r = roots ([1, -A(1,:,p)]);
%!   d = abs (roots_(:,:,p) - r.');
%!   assert (max (min (d)) < 1e-12 && max (min (d, [], 2)) < 1e-12);
%! endfor

## A defective matrix: solved by geev, with a warning.
%!test
%! warning ("off", "gpueig:fallback", "local");
%! lastwarn ("");
%! A = diag (ones (1, 7), 1) + 2 * eye (8);
%! [V, D, W, info] = gpu_complex_eig (A, "Method", "shroff");
%! assert (info.fallback, "geev");
%! assert (info.fallback_pages, 1);
%! assert (ratio (A, V, D) < 20);
%! [~, id] = lastwarn ();
%! assert (diag (D), 2 * ones (8, 1));
%!warning id=gpueig:fallback gpu_complex_eig (diag (ones (1, 7), 1), "Method", "shroff");

## The sweep limit: approximate result and a warning.
%!warning id=gpueig:no-convergence gpu_complex_eig (magic (9), "Method", "shroff", "MaxSweeps", 1);
%!test
%! warning ("off", "gpueig:no-convergence", "local");
%! [V, D, W, info] = gpu_complex_eig (magic (9), "Method", "shroff", "MaxSweeps", 2);
%! assert (! info.converged);
%! assert (info.sweeps, 2);
%! assert (size (V), [9, 9]);

## Methods agree; scaling by a power of 2 changes no bit.
%!test
%! A = cos ((1:24)' * (1:24) / 5) + 1i * sin ((1:24)' .^ 2 * (1:24));
%! a = gpu_complex_eig (A, "Method", "shroff");
%! b = gpu_complex_eig (A, "Method", "qr");
%! assert (max (min (abs (a - b.'))) < 1e-11);
%! assert (gpu_complex_eig (A * 2^-600, "Method", "shroff"), a * 2^-600);
%! assert (gpu_complex_eig (A, "Method", "shroff", "Tol", 1e-14), a, 1e-11);

%!demo
%! ## Girko's circular law: the eigenvalues of 200 random matrices, in one call.
%! n = 30;
%! lambda = gpu_complex_eig (randn (n, n, 200) / sqrt (n));
%! plot (real (lambda(:)), imag (lambda(:)), ".", cos (0:0.01:2*pi), sin (0:0.01:2*pi), "r");
%! axis equal;
%! xlabel ("real part");
%! ylabel ("imaginary part");
%! title ("Girko's circular law, 200 matrices of order 30");
%! legend ("eigenvalues", "unit circle", "location", "eastoutside");

%!error <Invalid call> gpu_complex_eig ()
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "nonsense")
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "Accuracy", "high")
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "Method", "qz")
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "Tol", -1)
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "MaxSweeps", 0)
%!error id=gpueig:bad-option gpu_complex_eig (eye (2), "chol")
%!error <gpu_complex_eig: A must be square> gpu_complex_eig ([1 2 3; 4 5 6])
