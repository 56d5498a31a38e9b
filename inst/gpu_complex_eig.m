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
## @deftypefnx {} {[@dots{}] =} gpu_complex_eig (@dots{}, "vector" | "matrix")
## @deftypefnx {} {[@dots{}] =} gpu_complex_eig (@dots{}, "balance" | "nobalance")
## @deftypefnx {} {[@dots{}] =} gpu_complex_eig (@dots{}, @var{name}, @var{value}, @dots{})
## Eigenvalues and eigenvectors of general square matrices, real or complex, one
## or very many, by the Jacobi-like method of Eberlein and Shroff.
##
## Columns of @var{V} and @var{W} have 2-norm 1 and their largest element is real;
## @code{@var{A}*@var{V} = @var{V}*@var{D}} and @code{@var{W}'*@var{A} =
## @var{D}*@var{W}'}.  The eigenvalues are ordered by their real part, ascending,
## then by the absolute value of the imaginary part, then the positive one first
## (method @qcode{"geev"}: in the order of @code{eig}).  Eigenvalues of a real
## matrix come in exactly conjugate pairs with conjugate vectors.  A matrix that
## equals its conjugate transpose has real eigenvalues and orthonormal @var{V},
## and @var{W} is @var{V}.
##
## @var{A} may be a stack of pages, n-by-n-by-N, all solved in one call: then
## @var{lambda} is n-by-1-by-N, @var{V} and @var{W} are n-by-n-by-N, and @var{D} is
## n-by-n-by-N (n-by-1-by-N with @qcode{"vector"}).
##
## Single in gives single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "balance" (default), "nobalance"
## Whether rows and columns are first scaled by powers of 2 to equal norms.
##
## @item "Method": "auto" (default), "shroff", "geev"
## @qcode{"shroff"} is the Jacobi-like method, @qcode{"geev"} the QR iteration of
## LAPACK or cuSOLVER; @qcode{"auto"} takes the one that was measured to be faster
## for the order, the number of pages and the backend.
##
## @item "Tol": positive scalar
## Sweeps stop when the off-diagonal part is below @var{Tol} times the Frobenius
## norm; Newton refinement with @var{A} follows.  Default 1e-9, for single 1e-4.
##
## @item "MaxSweeps": positive integer
## Stop after so many sweeps with the best so far and the warning
## @code{gpueig:no-convergence}.  Without it a matrix that does not converge is
## handed over to @qcode{"geev"}.
##
## @item "Backend": "auto" (default), "cpu", "cuda"
## @itemx "Device": integer from 0
## @itemx "Display": "off" (default), "iter"
## As for all functions, see @code{gpu_eig}.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct: @code{backend}, @code{device}, @code{method},
## @code{converged}, @code{sweeps} and @code{off} (off-diagonal part after each
## sweep, relative to the norm) of the slowest page, @code{fallback} (empty or
## @qcode{"geev"}), @code{fallback_pages} (how many pages @qcode{"geev"} finished) and
## @code{time} with @code{total}, @code{transfer} and @code{solve} in seconds.
##
## @strong{Method and accuracy}
##
## Pairs of rows and columns meet in tournament order.  For each pair a shear that
## lowers the departure from normality and a unitary transformation that
## annihilates an element are applied as one similarity transformation; once a
## sweep the matrix is scaled diagonally.  Newton steps with the original matrix
## bring the backward error to the level of LAPACK:
## @code{norm (A*V - V*D, 1)} stays below @code{20 * n * eps * norm (A, 1) *
## norm (V, 1)} for every matrix.  Defective and extremely non-normal matrices are
## recognised because progress stalls; @qcode{"geev"} finishes these pages and the
## warning @code{gpueig:fallback} says so.
##
## References: P. J. Eberlein, J. SIAM 10 (1962) 74--88; G. Shroff, Numer. Math.
## 58 (1990) 779--805.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}; warnings @code{gpueig:no-convergence},
## @code{gpueig:fallback}.
##
## @example
## @group
## ## roots of many polynomials at once
## A = zeros (3, 3, 1000);
## A(2,1,:) = A(3,2,:) = 1;
## A(1,:,:) = randn (1, 3, 1000);
## roots = gpu_complex_eig (A);      # 3-by-1-by-1000
## @end group
## @end example
##
## @seealso{eig, gpu_eig, gpu_info}
## @end deftypefn

function varargout = gpu_complex_eig (A, varargin)

  persistent spec = struct ("methods", {{"auto", "shroff", "geev"}},
                            "options", {{"tol", "maxsweeps"}},
                            "flags", {{"balance", "nobalance"}});
  if (nargin < 1)
    print_usage ();
  endif
  opt = __gpueig_options__ ("gpu_complex_eig", spec, varargin);
  opt.balance = ! isfield (opt, "nobalance");
  opt.vectors = min (max (nargout - 1, 0), 2);
  __gpueig_check_matrix__ ("gpu_complex_eig", A, "A");
  [failure, lambda, V, W, info] = __gpueig__ ("complex_eig", A, opt);
  __gpueig_raise__ ("gpu_complex_eig", failure, info);
  varargout = __gpueig_outputs__ (opt.form, nargout, lambda, V, W, info);

endfunction
