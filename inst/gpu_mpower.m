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
## @deftypefn  {} {@var{X} =} gpu_mpower (@var{A}, @var{p})
## @deftypefnx {} {[@var{X}, @var{info}] =} gpu_mpower (@var{A}, @var{p})
## @deftypefnx {} {[@dots{}] =} gpu_mpower (@dots{}, @var{name}, @var{value}, @dots{})
## Power @code{@var{A}^@var{p}} of a square matrix, or of each page of a stack; @var{p} is a
## real or complex number.
##
## @example
## @group
## ## Probabilities of transitions within a year; those within half a year.
## P = [0.82 0.18; 0.18 0.82];
## X = gpu_mpower (P, 1/2)
##   @result{} [0.9 0.1; 0.1 0.9]
## @end group
## @end example
##
## For a @var{p} that is not an integer it is the principal power, real for a real @var{A}
## without negative real eigenvalues.  Eigenvalues that are zero within rounding errors count
## as zero, those within rounding errors of the negative real axis have argument @math{+pi}.
## A complex power is complex.  A negative integer inverts @var{A}, with the warnings of
## @code{inv}.  Where there is no such power, a negative one of a singular @var{A}, or one below
## @math{k - 1} of a Jordan block of order @math{k} of zero, elements are Inf or NaN, with the
## warning of @code{inv}.
##
## @var{A} may be a stack of pages, n-by-n-by-N, all solved in one call: then
## @var{X} is n-by-n-by-N; with more dimensions accordingly.  Single in, @var{A} or @var{p},
## gives single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Method": "auto"
## There is one method.
##
## @item "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.  Of several GPUs the first is used.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct with the fields of all functions (the manual, ``Options of all
## functions'').
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}; warnings @code{Octave:singular-matrix},
## @code{Octave:nearly-singular-matrix}, @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## Integer powers by repeated squaring.  Others: a symmetric or Hermitian page by its
## eigenvectors, @var{X} then is so too; the rest by the Schur form and Pad@'e approximants of @code{(1 - x)^p} after square roots, without
## eigenvectors, so also for defective matrices; a complex power as
## @code{expm (@var{p} * logm (@var{A}))} of the Schur form.
##
## References: N. J. Higham, L. Lin, An improved Schur--Pad@'e algorithm for fractional powers
## of a matrix and their Fr@'echet derivatives, SIAM J. Matrix Anal. Appl. 34 (2013)
## 1341--1360.
##
## @strong{Accuracy}: relative errors are of the order of @code{n * eps} times the condition
## number of the power at @var{A}.
##
## @seealso{mpower, gpu_sqrtm, gpu_expm, gpu_eig, gpu_info}
## @end deftypefn

function [X, info] = gpu_mpower (varargin)

  [failed, X, info] = __gpueig__ ("mpower", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_mpower");
  endif

endfunction

## Roots of powers, inverses.
%!test
%! n = 20;
%! A = reshape (sin ((1:n*n) .^ 2), n, n) + 8 * eye (n);
%! for B = {A, A + 1i * A.', A + A', triu(A)}
%!   B = B{1};
%!   for p = [-3, -1, 0, 1, 2, 7]
%!     X = gpu_mpower (B, p);
%!     assert (norm (X - B^p, 1) < 1e-11 * norm (X, 1));
%!   endfor
%!   for p = [1/3, -0.5, 0.9, 2.5, -3.3]
%!     X = gpu_mpower (B, p);
%!     assert (norm (X - expm (p * logm (B)), 1) < 1e-11 * norm (X, 1));
%!     assert (isreal (X), isreal (B));
%!   endfor
%! endfor

## Orders at the edges of the tiles of products, on one and on all threads.
%!test
%! for n = [63, 64, 129, 200, 257]
%!   A = reshape (sin ((1:n*n) .^ 2), n, n) / n;
%!   for B = {A, single(A), A + 1i * A.', A + A'}
%!     assert (gpu_mpower (B{1}, 7), B{1}^7, n * eps (class (B{1})) * norm (B{1}, 1)^7);
%!   endfor
%! endfor

## The gateway itself solves it for an array, without copies of the pages.
%!test
%! [failed, X] = __gpueig__ ("mpower", 1, gpu_array (ones (3, 3, 2)), 7);
%! assert (isempty (failed) && isa (X, "int64"));

## Defective matrices, negative eigenvalues.
%!test
%! assert (gpu_mpower ([4 1; 0 4], 0.5), [2 1/4; 0 2], 1e-15);
%! assert (gpu_mpower ([4 1; 0 4], 1.5), [8 3; 0 8], 1e-14);
%! assert (gpu_mpower ([-8 0; 0 27], 1/3), [1+sqrt(3)*1i 0; 0 3], 1e-14);
%! assert (gpu_mpower ([0 1; -1 0], 0.5), [1 1; -1 1] / sqrt (2), 1e-15);
%! assert (gpu_mpower (magic (4), 3), magic (4)^3);
%! assert (gpu_mpower (diag (2 .^ [1000 -1000]) + zeros (2), 0.5), diag (2 .^ [500 -500]));

## Complex powers.
%!test
%! n = 12;
%! A = reshape (sin ((1:n*n) .^ 2), n, n) + 8 * eye (n);
%! for B = {A, A + 1i * A.', A + A', triu(A), single(A), diag(1:n)}
%!   X = gpu_mpower (B{1}, 0.5 - 2i);
%!   Y = expm ((0.5 - 2i) * logm (double (B{1})));
%!   assert (norm (X - Y, 1) < 1e4 * eps (class (X)) * norm (Y, 1));
%!   assert (class (X), class (B{1}));
%! endfor
%! assert (gpu_mpower (exp (1), 1i * pi), -1, 4 * eps);
%! assert (gpu_mpower ([4 1; 0 4], complex (0.5, 0)), [2 1/4; 0 2], 1e-15);

## Classes of the power, as of Octave's operator.
%!test
%! A = [1, 2; 3, 4];
%! for p = {single(2), single(0.5), single(0.5i), single(-1), true, int8(2)}
%!   for x = {A, single(A)}
%!     Y = x{1} ^ {p{1}, double(p{1})}{1 + isinteger (p{1})};
%!     for X = {gpu_mpower(x{1}, p{1}), gather(gpu_mpower (gpu_array (x{1}), p{1}))}
%!       assert (X{1}, Y, 100 * eps (class (Y)) * norm (Y));
%!       assert (class (X{1}), class (Y));
%!     endfor
%!     if (! isinteger (p{1}))
%!       assert (class (gather (gpu_array (x{1}) ^ p{1})), class (Y));
%!     endif
%!   endfor
%! endfor
%! assert (gpu_mpower (A, true), A);

%!warning <singular> assert (gpu_mpower ([1 1; 1 1], -1), Inf (2));
%!warning <singular> assert (gpu_mpower ([1 1; 0 0], -0.5), Inf (2));
%!warning <singular> assert (gpu_mpower ([0 -1 -1; 0 0 -1; 0 -1 -1], -0.5), Inf (3));
%!warning <singular> assert (gpu_mpower ([0 0 -32; 0 0 -32; 0 -0.5 2], -1.5), Inf (3));
## Complex powers of singular matrices; with real part 0.5 they are no roots.
%!test
%! for A = {[1 1 -1; 0 -1 -2; 0 0 0], [0 1 -1; 1 0 -1; 0 0 0], [1 1; 0 0], [1 2; 3 6]}
%!   [V, D] = eig (A{1});
%!   for p = [0.5 + 0.2i, 0.3 - 1i, 1.5 + 0.2i, 2.5 - 0.5i]
%!     d = diag (D) .* (abs (diag (D)) > 1e-10);
%!     d(d != 0) .^= p;
%!     X = V * diag (d) / V;
%!     assert (gpu_mpower (A{1}, p), X, 1e-12 * norm (X));
%!     assert (gpu_mpower (complex (A{1}), p), X, 1e-12 * norm (X));
%!   endfor
%! endfor
%!warning <singular> assert (gpu_mpower ([0 -3; 0 0], 0.5), [0 -Inf; 0 0]);
%!warning <singular> assert (gpu_mpower ([1e200 0; 0 1e-200], -1), [1e-200 0; 0 1e200], -eps);

## Zero eigenvalues.
%!test
%! A = [8 8 8; 1 1 1; 0 0 0];
%! assert (gpu_mpower (A, 0.5), A / 3, 1e-14);
%! A = [1 0 -2; -2 0 4; -1 0 2];
%! assert (gpu_mpower (A, 2.5), 3^1.5 * A, 1e-13);
%! A = [0 0 0; -2 2 -2; -1 1 -1];
%! assert (gpu_mpower (A, 0.5), A, 1e-14);
%! assert (gpu_mpower ([0 -3; 0 0], 2.5), zeros (2));
%! assert (gpu_mpower ([1 1; 0 0], 0.01), [1 1; 0 0], 1e-15);
%! assert (gpu_mpower (single ([1 1; 0 0]), 0.01), single ([1 1; 0 0]), 1e-6);
%! assert (gpu_mpower ([1 1; 2 2], 0.001), 3^-0.999 * [1 1; 2 2], 1e-15);
%! assert (gpu_mpower ([1 2; 2 4], 0.001), 5^-0.999 * [1 2; 2 4], 1e-15);

## Matrices far from their balanced form, and the ends of the range.
%!test
%! d = 2 .^ [-27 13 0 25 -19];
%! B = expm (reshape (sin ((1:25) .^ 2), 5, 5) / 3);
%! A = d' .* B ./ d;
%! X = gpu_mpower (A, 0.3);
%! assert (X .* d ./ d', gpu_mpower (B, 0.3), 1e-13);
%! assert (gpu_mpower ([1e-200 1e150; 0 3e-200], 0.3)(1,2), 1e290 * (3^0.3 - 1) / 2, -1e-13);
%! X = gpu_mpower (blkdiag (1, [1e-200 1e150; 0 3e-200]), 0.3);
%! assert (X(1,:), [1 0 0]);
%! assert (gpu_mpower ([1e120 1e-210; 0 2e120], 2.5)(1,2), 1e-30 * (2^2.5 - 1), -1e-13);
%! X = gpu_mpower (1.3e308 * [1 1; -1 1], 0.3);
%! assert (X / 1.3e308^0.3, gpu_mpower ([1 1; -1 1], 0.3), 1e-13);

## Next to the negative axis.
%!test
%! A = -1.3 * eye (4) + 1e-8 * reshape (sin ((1:16) .^ 2), 4, 4);
%! assert (gpu_mpower (A, 1/3)^3, A, 1e-12);
%! A = [-1 1 -1; 0 0 -1; 1 -1 -1];
%! assert (gpu_mpower (A, 0.5)^2, A, 1e-13);

%!demo
%! ## The transition matrix of a month from that of a year.
%! P = [0.9 0.1 0; 0.05 0.9 0.05; 0 0.2 0.8];
%! M = gpu_mpower (P, 1/12)

## Eigenvalues of the size of rounding errors next to zero ones.
%!test
%! for k = 1:150
%!   n = 3 + mod (k, 6);
%!   A = sin (k * (1:n)' .^ 2) * cos (k * (1:n));
%!   A += 10 ^ (-12 - 6 * mod (k / 7, 1)) * sin (k * ((1:n)' * (1:n)) .^ 2);
%!   evalc ("X = gpu_mpower (A, 1/3);");
%!   assert (norm (X^3 - A, 1) <= 200 * n * eps * max (norm (A, 1), norm (X, 1) ^ 3));
%! endfor

%!test
%! ## Rank one: the other eigenvalues are zero up to rounding errors.
%! u = [-1 -4 -3; 1 3 3; 3 -9 6; 9 6 6; -2 1 -3; 1 -2 1].';
%! v = [4 4 0; 4 0 3; 3 0 -2; 2 1 0; 4 -1 3; 1 -4 -3].';
%! for phase = [1, 1i, -1i, -1, 1+1i, 2-3i, exp(2i)]
%!   for p = [1/3, 0.5, 0.25, 0.7, 1.5]
%!     A = permute (u, [1 3 2]) .* permute (v, [3 1 2]) * phase;
%!     X = gpu_mpower (A, p);
%!     for k = 1:columns (u)
%!       wanted = A(:,:,k) * trace (A(:,:,k)) ^ (p - 1);
%!       for x = {X(:,:,k), gpu_mpower(A(:,:,k), p)}
%!         assert (norm (x{1} - wanted, "fro") < 1e-12 * norm (wanted, "fro"));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!error <Invalid call> gpu_mpower (1)
%!error id=gpueig:bad-option gpu_mpower (1, [1 2])
%!error id=gpueig:bad-option gpu_mpower (1, NaN)
%!error id=gpueig:bad-option gpu_mpower (1, complex (1, Inf))

%!error <Invalid call> gpu_mpower ()
%!error id=gpueig:not-square gpu_mpower ([1 2 3], 2)
%!error id=gpueig:nonfinite gpu_mpower ([NaN 1; 1 1], 2)
%!error id=gpueig:wrong-type gpu_mpower ({1}, 2)
%!error id=gpueig:bad-option gpu_mpower (1, 2, "x")
