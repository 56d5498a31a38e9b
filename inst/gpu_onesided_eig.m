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
## @deftypefn  {} {@var{lambda} =} gpu_onesided_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_onesided_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_onesided_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_onesided_eig (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_onesided_eig (@dots{}, @var{option}, @dots{})
## Eigenvalues and eigenvectors of real symmetric or complex Hermitian matrices by one-sided
## Jacobi rotations: very many small ones, or one large one.
##
## @example
## @group
## A = cat (3, [2 1; 1 2], [0 1; 1 0]);
## squeeze (gpu_onesided_eig (A))
##   @result{} [1 -1; 3 1]
## @end group
## @end example
##
## @var{lambda} is real and ascending, the columns of @var{V} are orthonormal, @code{@var{A} *
## @var{V} = @var{V} * @var{D}}, and @var{W} is @var{V}.  @var{A} may be a stack of pages,
## n-by-n-by-N or with more dimensions, which are solved in parallel; the outputs are those of
## @code{gpu_eig}, which can be faster for stacks on a GPU.  Single in gives single out;
## everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Method": "auto" (default), "hestenes", "cholesky", "shifted"
## @qcode{"auto"} is the fastest, @qcode{"shifted"}; see the algorithms below.
##
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"} is method @qcode{"cholesky"}.  Every eigenvalue of a positive definite
## @code{@var{A} = D*B*D}, D diagonal, then has a relative error of at most about @code{10 * n *
## eps * cond (B)}, even if it is small relative to the norm (unlike with @code{eig}).  A page
## that is not positive definite, or has pivots more than a factor of 1e600 apart, has normal
## accuracy, with the warning @code{gpueig:fallback}.
##
## @item "Tol": positive scalar below 1
## Columns x and y count as orthogonal when @code{abs (x'*y) <= Tol * norm (x) * norm (y)};
## default @code{sqrt (n)} times the eps of the class of @var{A}.
##
## @item "MaxSweeps": positive integer
## Limit on the sweeps over all pairs of columns, default 40.
##
## @item "vector", "matrix", "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields of all functions (the manual),
## @code{off} (for a single matrix, the largest cosine of two columns in every sweep) and
## @code{normal_accuracy} (the number of pages without high accuracy).
##
## @strong{Algorithms}: @qcode{"hestenes"} rotates the columns of @var{A} itself, and accumulates
## @var{V}; eigenvalues of equal modulus and opposite sign are then separated by rotations of the
## columns of @code{@var{A}*@var{V} + shift*@var{V}}.  @qcode{"cholesky"} rotates the pivoted
## Cholesky factor of @var{A}, @qcode{"shifted"} the columns of @code{@var{A} + shift}; the shift
## makes the matrix definite, and the normalized columns are the eigenvectors.  Larger
## matrices are solved by @code{gpu_jacobi_eig}'s method @qcode{"preconditioned"} instead, and
## by rotations only where that fails.
##
## References: M. R. Hestenes, J. SIAM 6 (1958) 51--90; C.-C. Sun, Y.-S. Hu, One-Sided Jacobi
## Algorithm based on CUDA Computer for Parallel Eigenvalue Decomposition, 2016; J. Demmel,
## K. Veselic, SIAM J. Matrix Anal. Appl. 13 (1992) 1204--1245.
##
## @strong{Accuracy}: @code{norm (A*V - V*D, 1)} stays below @code{10 * n * eps * norm (A, 1)},
## @code{norm (V'*V - eye (n), 1)} below @code{10 * n * eps}.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:not-symmetric}, @code{gpueig:nonfinite}, @code{gpueig:wrong-type},
## @code{gpueig:bad-option}, and those of all functions: @code{gpueig:no-device},
## @code{gpueig:out-of-memory}, @code{gpueig:device-error}; warnings
## @code{gpueig:no-convergence} (the result is that of the last sweep), @code{gpueig:fallback}
## and @code{gpueig:device-lost}.
##
## @seealso{eig, gpu_eig, gpu_jacobi_eig, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_onesided_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("onesided_eig", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_onesided_eig");
  endif

endfunction

## Calling forms.
%!test
%! A = [2 1; 1 2];
%! assert (gpu_onesided_eig (A), [1; 3], 8*eps);
%! [V, D] = gpu_onesided_eig (A);
%! assert (typeinfo (D), "diagonal matrix");
%! assert (A*V, V*D, 8*eps);
%! [V, D, W] = gpu_onesided_eig (A);
%! assert (W, V);
%! [V, lambda] = gpu_onesided_eig (A, "vector");
%! assert (lambda, [1; 3], 8*eps);
%! assert (typeinfo (gpu_onesided_eig (A, "matrix")), "diagonal matrix");
%! [~, ~, ~, info] = gpu_onesided_eig (A);
%! assert (info.converged);
%! assert (info.sweeps >= 1);
%! assert (isempty (info.fallback));
%! assert (fieldnames (info.time), {"total"; "transfer"; "solve"});

## Both signs of an eigenvalue, and zero, by every method.
%!test
%! B = hilb (4);
%! cases = {[0 1; 1 0], diag([1 -1]), kron([0 1; 1 0], B), zeros(3), eye(4), ...
%!          ones(5), -ones(3), [0 1 1; 1 0 0; 1 0 0]};
%! for i = 1:numel (cases)
%!   A = full (cases{i});
%!   n = rows (A);
%!   warning ("off", "gpueig:fallback", "local");
%!   for method = {"auto", "hestenes", "cholesky", "shifted"}
%!     [V, D] = gpu_onesided_eig (A, "Method", method{1});
%!     assert (norm (A*V - V*D, 1) <= 10 * n * eps * norm (A, 1));
%!     assert (norm (V'*V - eye (n), 1) <= 10 * n * eps);
%!     assert (diag (D), eig (A), 10 * n * eps * norm (A, 1));
%!   endfor
%! endfor

## High relative accuracy, which eig does not have: D B D with entries from 1 to 1e-40.
%!test
%! d = [1; 1e-10; 1e-20];
%! A = [1 .5 0; .5 1 .5; 0 .5 1] .* (d * d');
%! lambda = gpu_onesided_eig (A, "Accuracy", "high");
%! assert (lambda(3), 1, 1e-15);
%! assert (lambda(2) / 0.75e-20, 1, 1e-14);
%! assert (lambda(1) / (2/3 * 1e-40), 1, 1e-14);

## Any range of normal numbers.
%!test
%! for f = {@gpu_onesided_eig, @gpu_jacobi_eig}
%!   assert (f{1} (diag ([1e160 1e-160]), "Accuracy", "high"), [1e-160; 1e160], -eps);
%!   assert (f{1} (diag ([1e-307 1e-20 1e200]), "Accuracy", "high"),
%!           [1e-307; 1e-20; 1e200], -eps);
%!   assert (f{1} (diag (single ([1e10 1e-35])), "Accuracy", "high"),
%!           single ([1e-35; 1e10]), -eps ("single"));
%! endfor

%!warning <normal accuracy> gpu_onesided_eig ([0 1; 1 0], "Accuracy", "high");
%!warning <1e600> gpu_onesided_eig (diag ([1e307 1e-307]), "Accuracy", "high");
%!warning <1e600> gpu_jacobi_eig (diag ([1e307 1e-307]), "Accuracy", "high");

%!warning <not orthogonal> gpu_onesided_eig (magic (8) + magic (8)', "MaxSweeps", 1);
%!test
%! warning ("off", "gpueig:no-convergence", "local");
%! [V, D, W, info] = gpu_onesided_eig (magic (8) + magic (8)', "MaxSweeps", 1);
%! assert (! info.converged);
%! assert (info.sweeps, 1);
%! [V, D, W, info] = gpu_onesided_eig (hilb (8), "Tol", 1e-3);
%! assert (info.converged);

## Pages beyond 65535.
%!test
%! A = repmat (cat (3, [2 1; 1 2], [1 0; 0 -1]), [1, 1, 35000]);
%! lambda = gpu_onesided_eig (A);
%! assert (lambda(:,:,[1 70000]), cat (3, [1; 3], [-1; 1]), 16*eps);
%! assert (lambda(:,:,1:2:end), repmat (lambda(:,:,1), [1, 1, 35000]));

%!demo
%! ## The directions in which a surface bends down most: one Hessian matrix for each point of
%! ## a grid, an array of four dimensions.
%! [x, y] = meshgrid (linspace (-3, 3, 25));
%! fxx = fyy = -sin (x) .* cos (y);
%! fxy = -cos (x) .* sin (y);
%! H = permute (cat (4, cat (3, fxx, fxy), cat (3, fxy, fyy)), [3, 4, 1, 2]);
%! [V, lambda] = gpu_onesided_eig (H, "vector");
%! contour (x, y, sin (x) .* cos (y));
%! hold on;
%! quiver (x, y, squeeze (V(1,1,:,:)), squeeze (V(2,1,:,:)), 0.4);
%! hold off;
%! axis ("equal", "tight");
%! xlabel ("x");
%! ylabel ("y");
%! title ("sin (x) cos (y) and the directions in which it bends down most");

%!error <Invalid call> gpu_onesided_eig ()
%!error <page 2> gpu_onesided_eig (cat (3, eye (2), [1 2; 3 4]))
%!error <page 2> gpu_onesided_eig (cat (3, eye (2), [1 2; 2 NaN]))
%!error id=gpueig:bad-option gpu_onesided_eig (1, "Method", "block")
%!error id=gpueig:bad-option gpu_onesided_eig (1, "Tol", -1)
%!error id=gpueig:bad-option gpu_onesided_eig (1, "MaxSweeps", 0)
%!error id=gpueig:bad-option gpu_onesided_eig (1, "Guess", 1)
%!error id=gpueig:bad-option gpu_onesided_eig (1, "Accuracy")
%!error id=gpueig:bad-option gpu_onesided_eig (1, "Method", "hestenes", "Accuracy", "high")
