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
## @deftypefnx {} {@var{lambda} =} gpu_jacobi_eig (@var{A}, @var{B})
## @deftypefnx {} {[@var{V}, @var{D}] =} gpu_jacobi_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} gpu_jacobi_eig (@dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}, @var{info}] =} gpu_jacobi_eig (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_jacobi_eig (@dots{}, @var{option}, @dots{})
## Eigenvalues and eigenvectors of a symmetric or Hermitian matrix, or of a definite pair, by
## two-sided Jacobi rotations: with high relative accuracy, or from approximate eigenvectors.
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
## @var{lambda} is real and ascending, the columns of @var{V} are orthonormal, @var{W} is
## @var{V}.  @var{A} may be a stack of pages, n-by-n-by-N or with more dimensions; the outputs
## are those of @code{gpu_eig}.  Single in gives single out; everything else is computed in
## double precision.
##
## With @var{B}, symmetric or Hermitian positive definite, the problem is
## @code{@var{A}*@var{V} = @var{B}*@var{V}*@var{D}} with @code{@var{V}'*@var{B}*@var{V}} the
## identity.  Pairs are computed in double precision, without a guess.
##
## @strong{Options}
##
## @table @asis
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"}: if @var{A} = D*B*D is positive definite with D diagonal, every eigenvalue,
## however small, has a relative error of about n*eps*cond (B), where @code{eig} has errors
## relative to the largest.  Pages that are not positive definite, or whose diagonal spans more
## than a factor of 1e600, have normal accuracy, with the warning @code{gpueig:fallback}.
##
## @item "Guess": n-by-n matrix (or pages)
## Approximate eigenvectors, such as those of the last time step.  A poor approximation only
## takes longer.  @qcode{"classical"}, @qcode{"block"} and high accuracy ignore it.
##
## @item "Method": "auto" (default), "preconditioned", "block" (CPU), "classical"
## @qcode{"preconditioned"} refines approximate eigenvectors by products of matrices;
## @qcode{"block"} rotates columns, as @code{gpu_onesided_eig}; @qcode{"classical"} takes the
## largest off-diagonal element as the pivot (T. Wang et al., 2012), for comparison only.
##
## @item "Tol": positive scalar, default eps of the class
## An off-diagonal element is negligible below @code{tol * sqrt (a_ii * a_jj)} or below
## @code{tol} times the root mean square of the eigenvalues.
##
## @item "MaxSweeps", "MaxRotations": positive integers
## Limits of sweeps or steps of refinement (default 50), and of rotations of
## @qcode{"classical"}.  At the limit the last result is returned, with the warning
## @code{gpueig:no-convergence}.
##
## @item "vector", "matrix", "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields of all functions (the manual),
## @code{off} (the off-diagonal part relative to the norm after each sweep), @code{rotations},
## @code{normal_accuracy} (pages without high accuracy) and @code{tangent} (1: @var{A} or
## @code{-@var{A}} of the pair is definite).
##
## @strong{Accuracy}: @code{norm (A*V - V*D, 1)} stays below @code{10 * n * eps *
## norm (A, 1)} and @code{norm (V'*V - eye (n), 1)} below @code{10 * n * eps}.  Pairs with
## high accuracy: the manual, ``Accuracy''.
##
## References: J. Demmel, K. Veselic, SIAM J. Matrix Anal. Appl. 13 (1992) 1204--1245;
## T. Ogita, K. Aishima, Japan J. Indust. Appl. Math. 35 (2018) 1007--1035.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:not-symmetric}, @code{gpueig:not-definite} (@var{B} is not positive definite),
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option}, and those of
## all functions: @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:solver-failed}; warnings
## @code{gpueig:no-convergence}, @code{gpueig:fallback} and @code{gpueig:device-lost}.
##
## @seealso{eig, gpu_eig, gpu_onesided_eig, gpu_mrrr, gpu_info}
## @end deftypefn

function [V, D, W, info] = gpu_jacobi_eig (varargin)

  [failed, V, D, W, info] = __gpueig__ ("jacobi_eig", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_jacobi_eig");
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
