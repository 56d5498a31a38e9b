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
## @deftypefn  {} {@var{lambda} =} gpu_jacobi_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_jacobi_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_jacobi_eig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_jacobi_eig (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_jacobi_eig (@var{A}, @var{B}, @dots{})
## @deftypefnx {} {[@dots{}] =} gpu_jacobi_eig (@dots{}, "vector" | "matrix")
## @deftypefnx {} {[@dots{}] =} gpu_jacobi_eig (@dots{}, @var{name}, @var{value}, @dots{})
## Eigenvalues and eigenvectors of a real symmetric or complex Hermitian matrix
## by two-sided Jacobi rotations.
##
## @example
## @group
## A = [2 1; 1 2];
## [V, D] = gpu_jacobi_eig (A);
## ## The next matrix is close: start from V.
## lambda = gpu_jacobi_eig (A + 0.01, "Guess", V)
##   @result{} [1; 3.02]
## @end group
## @end example
##
## @var{lambda} is real and ascending, the columns of @var{V} are orthonormal.
## One output or none: a column vector; more: @var{D} is a diagonal matrix,
## unless @qcode{"vector"} or @qcode{"matrix"} says otherwise.  @var{W} is
## @var{V}.  @var{A} may be a stack of pages, n-by-n-by-N: then @var{lambda} is
## n-by-1-by-N and @var{V} and @var{D} are n-by-n-by-N, and with more dimensions,
## n-by-n-by-N-by-M, accordingly.  Single in gives single out; everything else is
## computed in double precision.  Sparse matrices are made full.
##
## With @var{B}, symmetric or Hermitian positive definite, the pair @code{@var{A}*@var{V} =
## @var{B}*@var{V}*@var{D}} with @code{@var{V}'*@var{B}*@var{V}} the identity (stacks page
## by page), in double precision, by method @qcode{"auto"} and without a guess.
##
## @strong{Options}
##
## @table @asis
## @item "Method": "auto" (default), "preconditioned", "block" (CPU), "classical"
## @qcode{"auto"} is the fastest for the size and the backend; see the algorithms below.
##
## @item "Guess": n-by-n matrix (or pages)
## Approximate eigenvectors, such as those of the previous time step.  Any matrix is
## accepted; it is made orthonormal first, and a poor approximation only takes longer
## (on the CPU @qcode{"auto"} does not use one that would).
## Ignored by @qcode{"classical"}, @qcode{"block"} and high accuracy, whose accuracy it
## would impair.  A single page is used for all pages of @var{A}.
##
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"} rotates the columns of a Cholesky factor, as
## @code{gpu_onesided_eig}, which has normal accuracy where @var{A} is not positive
## definite, with the warning @code{gpueig:fallback}: if @var{A} is positive definite,
## @var{A} = D*B*D with D diagonal, every eigenvalue, however small, has a relative error of about
## n*eps*cond (B) (Demmel and Veselic, 1992).  @code{eig} has errors relative to the
## largest eigenvalue.  Pages with positive diagonal elements more than a factor of
## 1e600 apart do not have this accuracy, with the warning
## @code{gpueig:fallback}; @code{info.normal_accuracy} is their number.
##
## @item "Tol": positive scalar, default eps of the class
## An off-diagonal element is negligible when it is below @code{tol * sqrt (a_ii *
## a_jj)} or below @code{tol} times the root mean square of the eigenvalues
## (@qcode{"preconditioned"}: 4 @code{tol} times the largest).
##
## @item "MaxSweeps": positive integer, default 50
## Limit of sweeps (@qcode{"preconditioned"}: of refinement steps and sweeps).
## If it is reached, the result of the last sweep is returned with the warning
## @code{gpueig:no-convergence}, and @code{info.converged} is false.
##
## @item "MaxRotations": positive integer
## Limit of rotations of @qcode{"classical"}; if it is reached, as with
## @qcode{"MaxSweeps"}.  The experiment of that paper has @code{"MaxRotations", 10000}.
##
## @item "Backend": "auto" (default), "cpu", "cuda"
## @itemx "Device": integer from 0, vector of integers, "all"
## @itemx "Display": "off" (default), "iter"
## As for all functions, see @code{gpu_eig}.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct: @code{backend}, @code{device}, @code{method},
## @code{converged}, @code{sweeps}, @code{off} (after each sweep: the Frobenius
## norm of the off-diagonal part over that of @var{A}; @qcode{"classical"}: the
## pivot), @code{fallback}, @code{time} with @code{total}, @code{transfer} and
## @code{solve} in seconds (@code{solve} is measured by the device's clock on a GPU),
## @code{memory} as for @code{gpu_eig}, @code{rotations} of @qcode{"classical"},
## @code{normal_accuracy} and @code{tangent}, which are 0 for others.
## For several pages @code{sweeps} and @code{off} are those of the page with the most
## sweeps.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:not-symmetric}, @code{gpueig:not-definite} (@var{B} is not positive
## definite to working precision), @code{gpueig:nonfinite},
## @code{gpueig:wrong-type}, @code{gpueig:bad-option}, @code{gpueig:no-device},
## @code{gpueig:out-of-memory}, @code{gpueig:device-error}, @code{gpueig:solver-failed}; the
## warnings @code{gpueig:no-convergence}, @code{gpueig:fallback} and @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## @table @asis
## @item "preconditioned"
## Approximate eigenvectors, from @qcode{"Guess"} or by the solvers of @code{gpu_eig}, are
## refined to working precision by matrix products (Ogita and Aishima, 2018, with close
## eigenvalues separated in windows of 64 columns; larger clusters by MRRR).
## Vectors that are accurate to rounding errors are kept; then @code{sweeps} is 0.
##
## @item "block"
## Rotations of columns, as @code{gpu_onesided_eig}, small pages of a stack side by side;
## @code{off} then has the largest cosines.
##
## @item "classical"
## The largest off-diagonal element is the pivot of every rotation, as T. Wang
## et al., @cite{Implementing the Jacobi algorithm for solving eigenvalues of
## symmetric matrices with CUDA}, 2012, describe it: packed storage, the whole
## iteration in one kernel on the GPU; on the CPU the sequential algorithm with
## which that paper compares.  For comparison only, since it is slow: 5 to 10 times
## n*(n-1)/2 rotations are needed.
## @end table
##
## A pair is solved by Cholesky factorization with complete pivoting and Jacobi.  With
## @qcode{"Accuracy"}, @qcode{"high"} also where @var{B} is nearly singular (Davies, Higham
## and Tisseur, 2001; refined by Newton's method); if @var{A} or @code{-@var{A}} is definite
## too, @code{info.tangent} is 1 (Drmac, 1998).
##
## @strong{Accuracy}: @code{norm (A*V - V*D, 1)} stays below @code{10 * n * eps *
## norm (A, 1)} and @code{norm (V'*V - eye (n), 1)} below @code{10 * n * eps}.
##
## With @var{B} and @qcode{"Accuracy"}, @qcode{"high"} every column has a backward error
## @code{norm (A*v - d*B*v)} below about @code{10*n*eps * (norm (A) + abs (d)*norm (B)) *
## norm (v)}, where that of @code{eig} grows with @code{cond (B)}.  If @var{A} or
## @code{-@var{A}} is definite too, every eigenvalue, however small, has a relative error of
## about n*eps times the conditions of @var{A} and @var{B} scaled to unit diagonals.
##
## @seealso{eig, gpu_eig, gpu_onesided_eig, gpu_mrrr, gpu_complex_eig, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_jacobi_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("jacobi_eig", nargout, varargin{:});
  if (failed)
    if (failed < 0)
      print_usage ();
    endif
    __gpueig_raise__ ("gpu_jacobi_eig");
  endif

endfunction

%!shared sym, methods
%! sym = @(n) (@(B) B + B') (reshape (sin ((1:n*n) .^ 2), n, n));
%! methods = {"auto", "classical", "block", "preconditioned"};

## Pages.
%!test
%! A = cat (3, sym (80), 2 * sym (80));
%! [V, D] = gpu_jacobi_eig (A, "Method", "block", "Backend", "cpu");
%! assert (norm (A(:,:,2)*V(:,:,2) - V(:,:,2)*D(:,:,2), 1) < 1e-10);
%! assert (D(:,:,2), 2 * D(:,:,1), 1e-12);

## Guess: near, bad, for pages, of another class.
%!test
%! A = sym (100);
%! [V, D] = gpu_jacobi_eig (A);
%! B = A + 1e-3 * sym (100)(end:-1:1,end:-1:1);
%! [V1, D1, ~, info] = gpu_jacobi_eig (B, "Guess", V);
%! assert (strcmp (info.method, "preconditioned"));
%! assert (info.sweeps < 8);
%! assert (diag (D1), eig (B), 1e-12);
%! assert (norm (B*V1 - V1*D1, 1) < 1e-10);
%! [V1, D1] = gpu_jacobi_eig (A, "Guess", magic (100));
%! assert (norm (A*V1 - V1*D1, 1) < 1e-10);
%! assert (norm (V1'*V1 - eye (100), 1) < 1e-11);
%! lambda = gpu_jacobi_eig (cat (3, A, B), "Guess", V);
%! assert (lambda, cat (3, eig (A), eig (B)), 1e-12);
%! assert (gpu_jacobi_eig (A, "Guess", single (V)), eig (A), 1e-12);
%! assert (gpu_jacobi_eig (A, "Guess", V * diag (exp (1i * (1:100)))), eig (A),
%!         1e-12);

## High relative accuracy, which eig does not have: the eigenvalues of D*B*D compared
## with those of its scaled inverse.
%!test
%! n = 20;
%! D = diag (10 .^ -(0:n-1));
%! B = eye (n) + 0.3 * (toeplitz ([0 1 zeros(1, n-2)]));
%! A = D * B * D;
%! A = (A + A') / 2;
%! lambda = gpu_jacobi_eig (A, "Accuracy", "high");
%! assert (all (lambda > 0));
%! ## The smallest one: 1 / norm of the inverse, computed from the factors.
%! R = inv (D) * inv (B) * inv (D);
%! assert (lambda(1) * max (eig ((R + R') / 2)), 1, 1e-12);
%! [V, lambda2, ~, info] = gpu_jacobi_eig (A, "Accuracy", "high", "vector");
%! assert (lambda2, lambda, -1e-13);
%! assert (any (strcmp (info.method, {"block", "preconditioned"})));
%! assert (norm (V'*V - eye (n), 1) < 1e-13);

## Limits: the warning, the fields of info, the approximate result.
%!test
%! A = sym (90);
%! for m = methods([2, 4])
%!   lastwarn ("", "");
%!   evalc (["[V, D, ~, info] = gpu_jacobi_eig (A, 'Method', m{1}, ", ...
%!           "'MaxSweeps', 1, 'Guess', eye (90), 'Backend', 'cpu');"]);
%!   [~, id] = lastwarn ();
%!   assert (id, "gpueig:no-convergence");
%!   assert (! info.converged);
%!   assert (info.sweeps, 1);
%!   assert (trace (D), trace (A), 1e-3);
%! endfor
%! lastwarn ("", "");
%! evalc (["[~, ~, ~, info] = gpu_jacobi_eig (A, 'Method', 'classical', ", ...
%!         "'MaxRotations', 50);"]);
%! [~, id] = lastwarn ();
%! assert (id, "gpueig:no-convergence");
%! assert (info.rotations, 50);

%!warning <no convergence in 1 sweeps> gpu_jacobi_eig (sym (90), "Guess", eye (90), "Method", "preconditioned", "MaxSweeps", 1, "Backend", "cpu");

## Tol and the history.
%!test
%! A = sym (90);
%! options = {"Guess", eye(90), "Method", "preconditioned", "Backend", "cpu"};
%! [~, ~, ~, fine] = gpu_jacobi_eig (A, options{:});
%! [~, D, ~, rough] = gpu_jacobi_eig (A, options{:}, "Tol", 1e-3);
%! assert (rough.sweeps <= fine.sweeps);
%! assert (numel (fine.off) > 1 && fine.off(end) < fine.off(1) && fine.off(1) > 0.5);
%! assert (diag (D), eig (A), 0.1);

## Progress; values alone are those of another solver on a GPU.
%!test
%! for backend = {"cpu", "auto"}
%!   text = evalc ("[V, D] = gpu_jacobi_eig (sym (90), 'Guess', eye (90), 'Backend', backend{1}, 'Display', 'iter');");
%!   assert (! isempty (strfind (text, "off(A)/norm(A)")));
%! endfor
%! assert (isempty (evalc ("x = gpu_jacobi_eig (sym (90));")));

## Pairs; a nearly singular B, for which eig has errors of 1e-4.
%!test
%! [V, D] = gpu_jacobi_eig ([2 1; 1 3], [2 0; 0 1]);
%! assert (diag (D), eig ([2 1; 1 3], [2 0; 0 1]), 8*eps);
%! assert (V' * [2 0; 0 1] * V, eye (2), 8*eps);
%! n = 20;
%! [i, j] = ndgrid (1:n);
%! B = exp (-((i - j) / 10) .^ 2) + 1e-10 * eye (n);
%! A = (abs (i - j) == 1) + 0;
%! for f = {@gpu_jacobi_eig, @gpu_eig}
%!   [V, lambda] = f{1} (A, B, "Accuracy", "high", "vector");
%!   R = sum (abs (A*V - B*V*diag (lambda)));
%!   size_of = (norm (A, 1) + abs (lambda') * norm (B, 1)) .* sum (abs (V));
%!   assert (all (R < 10 * n * eps * size_of));
%!   assert (f{1} (A, B, "Accuracy", "high"), lambda);
%! endfor

## Both definite: every eigenvalue to full relative accuracy; single; pages.
%!test
%! d = [1; 1e-10; 1e20];
%! A = [2 1 0; 1 2 1; 0 1 2] .* (d * d');
%! B = diag (d .^ 2 .* [1; 4; 1]);
%! [~, ~, ~, info] = gpu_jacobi_eig (A, B, "Accuracy", "high");
%! assert (info.tangent, 1);
%! reference = eig ([2 1/2 0; 1/2 1/2 1/2; 0 1/2 2]);
%! assert (gpu_jacobi_eig (A, B, "Accuracy", "high"), reference, -20*eps);
%! assert (gpu_jacobi_eig (-A, B, "Accuracy", "high"), -reference([3 2 1]), -20*eps);
%! lambda = gpu_jacobi_eig (single (cat (3, 2, 6)), cat (3, 1, 2));
%! assert (lambda, single (cat (3, 2, 3)));

%!demo
%! ## A positive definite matrix with elements of very different size.  The product of
%! ## its eigenvalues is its determinant, n + 1 times the squares of d.
%! n = 10;
%! d = 10 .^ -mod (3*(1:n), n)';
%! A = d .* toeplitz ([2, -1, zeros(1, n-2)]) .* d';
%! factors = d .^ 2 .* [n + 1; ones(n-1, 1)];
%! error_of = @(lambda) abs (prod (sort (lambda) ./ sort (factors)) - 1);
%! printf ("relative error of the product, eig: %g, gpu_jacobi_eig: %g\n",
%!         error_of (eig (A)), error_of (gpu_jacobi_eig (A, "Accuracy", "high")));

%!error id=gpueig:not-definite gpu_jacobi_eig (eye (2), [1 2; 2 1])
%!error id=gpueig:not-definite gpu_jacobi_eig (eye (2), [1 2; 2 1], "Accuracy", "high")
%!error id=gpueig:not-definite gpu_eig (eye (2), [1 2; 2 1], "Accuracy", "high")
%!error id=gpueig:not-symmetric gpu_jacobi_eig ([1 2; 3 4], eye (2))
%!error id=gpueig:not-symmetric gpu_eig ([1 2; 3 4], eye (2), "Accuracy", "high")
%!error <\(A \+ A'\) / 2, or call gpu_eig \(A, B\)> gpu_eig ([1 2; 3 4], eye (2), "Accuracy", "high")
%!error <\(B \+ B'\) / 2, or call gpu_eig \(A, B\)> gpu_jacobi_eig (eye (2), [1 2; 3 4])
%!error id=gpueig:not-square gpu_jacobi_eig (eye (2), eye (3))
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), eye (2), "Method", "block")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), eye (2), "Guess", eye (2))
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Accuracy", "high", "Method", "classical")
%!error <Guess must be finite> gpu_jacobi_eig (eye (2), "Guess", [NaN 0; 0 1])
%!error id=gpueig:bad-option gpu_eig (eye (2), eye (2), "qz", "Accuracy", "high")
%!error <Invalid call> gpu_jacobi_eig ()
%!error <gpu_eig \(A\)> gpu_jacobi_eig ([1 2; 3 4])
%!error <\(A \+ A'\) / 2> gpu_jacobi_eig ([1 2; 3 4])
%!error <page 2> gpu_jacobi_eig (cat (3, eye (2), [1 2; 3 4]))
%!error id=gpueig:not-symmetric gpu_jacobi_eig ([1i 0; 0 1])
%!error id=gpueig:nonfinite gpu_jacobi_eig (eye (2), "Guess", [1 NaN; 0 1])
%!error <Guess> gpu_jacobi_eig (eye (2), "Guess", [1 NaN; 0 1])
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Method", "qr")
%!error <"preconditioned"> gpu_jacobi_eig (eye (2), "Method", "qr")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Tol", 0)
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Tol", 1)
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Tol", "a")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "MaxSweeps", 0)
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "MaxSweeps", 1.5)
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "MaxRotations", 10)
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Accuracy", "low")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Accuracy", "high", "Method", "classical")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Guess", eye (3))
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Guess", "V")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "Guess")
%!error id=gpueig:bad-option gpu_jacobi_eig (eye (2), "balance")
