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
## @deftypefn  {} {@var{S} =} gpu_schur (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}] =} gpu_schur (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{info}] =} gpu_schur (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_schur (@var{A}, "real" | "complex")
## @deftypefnx {} {[@dots{}] =} gpu_schur (@var{A}, "lhp" | "rhp" | "udi" | "udo")
## @deftypefnx {} {[@dots{}] =} gpu_schur (@dots{}, @var{name}, @var{value}, @dots{})
## Schur form of a general square matrix, or of each page of a stack: a replacement for
## @code{schur}.
##
## @example
## @group
## ## The invariant subspace of the stable eigenvalues of a system x' = A*x.
## A = [1 2; 0 -3];
## [U, S] = gpu_schur (A, "lhp");
## abs (U(:,1))
##   @result{} [0.4472; 0.8944]
## @end group
## @end example
##
## @code{@var{A} = @var{U}*@var{S}*@var{U}'} with unitary @var{U}.  @var{S} is upper
## triangular with the eigenvalues on its diagonal.  For a real @var{A} it is real
## by default (@qcode{"real"}), with a 2-by-2 diagonal block for each pair of conjugate
## eigenvalues, in which the diagonal elements are equal and the other two have opposite
## signs.  With @qcode{"complex"} it is complex and triangular.
##
## @var{A} may be a stack of pages, n-by-n-by-N, all solved in one call: then
## @var{S} and @var{U} are n-by-n-by-N; with more dimensions, n-by-n-by-N-by-M,
## accordingly.  Single in gives single out; everything else
## is computed in double precision.
##
## Without an option for it the order of the eigenvalues is unspecified and differs between
## CPU and GPU; columns of @var{U} are unique only up to factors of modulus 1.
##
## @strong{Options}
##
## @table @asis
## @item "real" (default), "complex"
## The form for a real @var{A}; for a complex one it is always complex.
##
## @item "lhp", "rhp", "udi", "udo"
## The eigenvalues that come first: with negative or positive real part, inside or outside
## of the unit circle, in the order in which the iteration found them; see
## @code{gpu_ordschur} for other orders.
##
## @item "a", "d", "u" (default)
## As for @code{schur}: @qcode{"a"} is @qcode{"lhp"}, @qcode{"d"} is @qcode{"udi"}, @qcode{"u"}
## leaves the order.
##
## @item "Method": "auto" (default), "gees", "qr"
## @qcode{"qr"} is the multishift QR algorithm of this package, @qcode{"gees"} LAPACK's, on
## the CPU only.  @qcode{"auto"} chooses by measured times.
##
## @item "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct with the fields of all functions (the manual, ``Options of all
## functions'') and, on a GPU, @code{windows}, @code{qr_sweeps} and @code{ticks}: numbers of deflation windows,
## of sweeps, and of steps of bulges; @code{hessenberg_time} and @code{iteration_time}: seconds of
## the reduction and of the iteration, and @code{host_time}: the part of the latter for deflation
## windows on the host.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:solver-failed}; warnings @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## The matrix is reduced to Hessenberg form by blocked reflectors.  Chains
## of small bulges are chased in windows, on a GPU in shared memory, and the rest of the
## matrix is updated by products with the accumulated transformations; aggressive early
## deflation of small windows, on one core of the host, finds eigenvalues and shifts.  On
## the CPU matrices up to order 256 are one window.
##
## References: K. Braman, R. Byers, R. Mathias, SIAM J. Matrix Anal. Appl. 23
## (2002) 929--973.
##
## @strong{Accuracy}: @code{norm (A*U - U*S, 1)} stays below
## @code{20 * n * eps * norm (A, 1)} and @code{norm (U'*U - eye (n), 1)} below
## @code{20 * n * eps}.  Results are verified before they are returned; pages that
## fail are solved by the other method, with the warning @code{gpueig:fallback}.
##
## @seealso{gpu_ordschur, schur, gpu_eig, gpu_complex_eig, gpu_info}
## @end deftypefn

function [U, S, info] = gpu_schur (varargin)

  [failed, U, S, info] = __gpueig__ ("schur", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_schur");
  endif

endfunction

%!function check_schur (A, U, S)
%!  n = rows (A);
%!  unit = 20 * n * eps (class (A));
%!  assert (norm (A*U - U*S, 1) <= unit * norm (A, 1));
%!  assert (norm (U'*U - eye (n), 1) <= unit);
%!  assert (tril (S, -2), zeros (n, class (A)));
%!  if (iscomplex (S))
%!    assert (tril (S, -1), zeros (n, class (A)));
%!  else
%!    at = find (diag (S, -1) != 0);
%!    assert (all (diff (at) > 1));
%!    for k = at'
%!      assert (S(k,k), S(k+1,k+1));
%!      assert (sign (S(k,k+1)) * sign (S(k+1,k)), cast (-1, class (S)));
%!    endfor
%!  endif
%!endfunction

## Forms and classes.
%!test
%! n = 12;
%! A = reshape (sin ((1:n*n) .^ 2), n, n);
%! for type = {"double", "single"}
%!   for B = {A, A + 1i * A.'}
%!     B = cast (B{1}, type{1});
%!     [U, S] = gpu_schur (B);
%!     assert ({class(U), class(S)}, type([1 1]));
%!     assert (iscomplex (S), iscomplex (B));
%!     check_schur (B, U, S);
%!     assert (size (gpu_schur (B)), [n, n]);
%!     [U, S, info] = gpu_schur (B, "complex");
%!     assert (iscomplex (S) && iscomplex (U));
%!     assert (info.fallback, "");
%!     check_schur (B, U, S);
%!   endfor
%! endfor
%! [U, S] = gpu_schur (A, "real");
%! [U2, S2] = schur (A);
%! assert (norm (S, "fro"), norm (S2, "fro"), 1e-12);
%! assert (sort (abs (eig (S))), sort (abs (eig (A))), 1e-12);

## The same values with and without vectors; pages.
%!test
%! n = 9;
%! A = reshape (cos ((1:3*n*n) .^ 2), n, n, 3);
%! [U, S] = gpu_schur (A);
%! assert ({size(U), size(S)}, {[n, n, 3], [n, n, 3]});
%! T = gpu_schur (A);
%! for p = 1:3
%!   check_schur (A(:,:,p), U(:,:,p), S(:,:,p));
%!   assert (norm (T(:,:,p), "fro"), norm (A(:,:,p), "fro"), 1e-12);
%! endfor

## Orders 0 and 1, and matrices in Schur form.
%!test
%! assert (gpu_schur ([]), []);
%! [U, S] = gpu_schur ([]);
%! assert ({U, S}, {[], []});
%! [U, S] = gpu_schur (-3);
%! assert (S, -3);
%! assert (abs (U), 1);
%! [U, S] = gpu_schur (zeros (5));
%! assert (S, zeros (5));
%! check_schur (zeros (5), U, S);
%! [U, S] = gpu_schur (eye (4)(:,[2 3 4 1]));
%! check_schur (eye (4)(:,[2 3 4 1]), U, S);

## Very large and very small elements.
%!test
%! A = [1 2 3; 4 5 6; 7 8 10];
%! for k = [-900, 900]
%!   [U, S] = gpu_schur (2^k * A);
%!   check_schur (A, U, 2^-k * S);
%! endfor

## Skew matrices; blocks far from balanced.
%!test
%! A = [0 3 25; -3 0 26; -25 -26 0];
%! [U, S] = gpu_schur (A);
%! check_schur (A, U, S);
%! assert (max (abs (imag (eig (S)))), sqrt (1310), -16*eps);
%! for e = [10, 145, 150, 200]
%!   S = gpu_schur ([1, 10^e; -10^-e, 1]);
%!   assert (diag (S), [1; 1], 4*eps);
%!   assert (S(1,2) * S(2,1), -1, 8*eps);
%! endfor

## LAPACK's vectors of this matrix are far from orthogonal.
%!test
%! A = single ([-3.1574e+18 + 5.8094e-08i, -3.1914e-13 + 8.6545e+13i
%!              1.4008e-18 - 8.0969e-07i, 6.3213e-09 + 9.1147e-10i]);
%! warning ("off", "gpueig:fallback", "local");
%! [U, S] = gpu_schur (A, "Method", "gees", "Backend", "cpu");
%! check_schur (A, U, S);

## Eigenvalues of a region first.
%!test
%! n = 30;
%! A = reshape (sin ((1:2*n*n) .^ 2), n, n, 2) / 3;
%! inside = {@(z) real (z) < 0, @(z) real (z) > 0, @(z) abs (z) < 1, @(z) abs (z) > 1};
%! words = {"lhp", "rhp", "UDI", "udo"};
%! for k = 1:4
%!   for form = {"real", "complex"}
%!     [U, S] = gpu_schur (A, words{k}, form{1});
%!     for p = 1:2
%!       check_schur (A(:,:,p), U(:,:,p), S(:,:,p));
%!       first = inside{k}(eig (S(:,:,p)));
%!       assert (first, sort (first, "descend"));
%!       assert (any (first));
%!     endfor
%!   endfor
%! endfor
%! [U, S] = gpu_schur (A(:,:,1), "a");
%! [U2, S2] = gpu_schur (A(:,:,1), "lhp");
%! assert ({U, S}, {U2, S2});
%! assert (gpu_schur (A, "u"), gpu_schur (A));

%!demo
%! ## An algebraic Riccati equation: A'*X + X*A - X*B*B'*X + Q = 0 by the stable subspace of
%! ## a Hamiltonian matrix.
%! A = [0, 1; 0, 0];  B = [0; 1];  Q = eye (2);
%! [U, S] = gpu_schur ([A, -B*B'; -Q, -A'], "lhp");
%! X = U(3:4,1:2) / U(1:2,1:2)
%! residual = norm (A'*X + X*A - X*B*B'*X + Q)

%!error <Invalid call> gpu_schur ()
%!error id=gpueig:not-square gpu_schur ([1 2 3])
%!error id=gpueig:nonfinite gpu_schur ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_schur ({1})
%!error id=gpueig:bad-option gpu_schur (1, "x")
%!error id=gpueig:bad-option gpu_schur (1, "Method", "geev")
%!error id=gpueig:bad-option gpu_schur (1, "Backend", "tpu")
