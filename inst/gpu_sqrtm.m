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
## @deftypefn  {} {@var{X} =} gpu_sqrtm (@var{A})
## @deftypefnx {} {[@var{X}, @var{error_estimate}, @var{info}] =} gpu_sqrtm (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_sqrtm (@dots{}, @var{name}, @var{value}, @dots{})
## Principal square root of a square matrix, or of each page of a stack, as by
## @code{sqrtm}: @code{@var{X}*@var{X} = @var{A}}, eigenvalues of @var{X} with positive real
## part.
##
## @example
## @group
## ## The symmetric root of a covariance: X * randn (2, m) has this covariance.
## X = gpu_sqrtm ([5 4; 4 5])
##   @result{} [2 1; 1 2]
## @end group
## @end example
##
## The result is real for a real @var{A} without negative real eigenvalues.  The root of an
## eigenvalue within rounding errors of the negative real axis has a positive imaginary part.
## Eigenvalues that are zero within rounding errors, as those of covariances of too few
## samples, count as zero.  With a zero eigenvalue there may be no root: then the warning is
## that of @code{sqrtm}, and elements are Inf or NaN.
##
## @var{A} may be a stack of pages, n-by-n-by-N, all solved in one call: then
## @var{X} is n-by-n-by-N; with more dimensions accordingly.  Single in gives single
## out; everything else is computed in double precision.
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
## @var{error_estimate} is @code{norm (@var{X}*@var{X} - @var{A}, "fro") / norm (@var{A},
## "fro")} of each page.  @var{info} is a struct with the fields of all functions (the manual,
## ``Options of all functions'').
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}; warnings @code{Octave:sqrtm:SingularMatrix},
## @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## A symmetric or Hermitian page by its eigenvectors, @var{X} then is so too.  Others by the
## Schur form: a real one, whose 2-by-2 blocks are made triangular for the function and
## transformed back.  The root of a triangular matrix is computed block by block.
##
## References: E. Deadman, N. J. Higham, R. Ralha, Blocked Schur algorithms for computing
## the matrix square root, PARA 2012, LNCS 7782, 171--182.
##
## @strong{Accuracy}: @code{norm (X*X - A, 1)} is of the order of
## @code{n * eps * norm (X, 1)^2}.
##
## @seealso{sqrtm, gpu_logm, gpu_mpower, gpu_eig, gpu_info}
## @end deftypefn

function [X, error_estimate, info] = gpu_sqrtm (varargin)

  [failed, X, error_estimate, info] = __gpueig__ ("sqrtm", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_sqrtm");
  endif

endfunction

## Residuals, against sqrtm.
%!test
%! n = 40;
%! A = reshape (sin ((1:n*n) .^ 2), n, n);
%! for B = {A * A, A, A + 1i * A.', A' * A, A + A', triu(A) + 2 * eye(n)}
%!   X = gpu_sqrtm (B{1});
%!   assert (norm (X*X - B{1}, 1) < 10 * n * eps * norm (X, 1)^2);
%!   assert (all (real (eig (X)) > -1e-7));
%! endfor
%! assert (isreal (gpu_sqrtm (A * A)));
%! X = gpu_sqrtm (A' * A);
%! assert (X, X');

## Negative, zero and very large and small eigenvalues.
%!test
%! assert (gpu_sqrtm ([-4 0; 0 9]), [2i 0; 0 3], 1e-15);
%! assert (gpu_sqrtm ([-4 1; 0 9]), [2i 1/(3+2i); 0 3], 1e-15);
%! assert (gpu_sqrtm ([0 1; -1 0]), [1 1; -1 1] / sqrt (2), 1e-15);
%! assert (gpu_sqrtm (1e200 * [5 4; 4 5]), 1e100 * [2 1; 1 2], 1e86);
%! assert (gpu_sqrtm (1e-200 * [5 4; 3 4]), 1e-100 * gpu_sqrtm ([5 4; 3 4]), 1e-114);
%! v = [1 2 3 4];
%! X = gpu_sqrtm (v' * v);
%! assert (isreal (X));
%! assert (X, v' * v / norm (v), 1e-7);

## Functions of arrays are arrays in their place, with real and complex values.
%!test
%! A = [4 1; 0 9];
%! for f = {@gpu_sqrtm, @gpu_expm, @(x) gpu_mpower(x, 0.3), @gpu_polar}
%!   for M = {A, A - 5 * eye(2), A + 1i, cat(3, A, A', -A)}
%!     X = f{1} (gpu_array (M{1}));
%!     assert (isobject (X));
%!     Y = f{1} (M{1});
%!     assert (gather (X), Y, 1e-13 * norm (Y(:)));
%!   endfor
%! endfor

%!warning <may not have a square root> gpu_sqrtm ([0 1; 0 0]);
%!warning <may not have a square root> gpu_sqrtm (zeros (3));

## Of symmetric matrices, too, sqrtm warns where an eigenvalue is exactly zero.
%!test
%! for A = {[2, 1, 0; 1, 2, 0; 0, 0, 0], [2, 0, 1i; 0, 0, 0; -1i, 0, 2], [5, 4; 4, 5], single(zeros (3)), [1, 1; 0, 0]}
%!   warned = cell (1, 2);
%!   for i = 1:2
%!     lastwarn ("", "");
%!     evalc ("{@sqrtm, @gpu_sqrtm}{i} (A{1});");
%!     [~, warned{i}] = lastwarn ();
%!   endfor
%!   assert (strcmp (warned{:}), "%s", mat2str (A{1}));
%! endfor

%!demo
%! ## Whitening: samples with covariance I.
%! X = [3 1; 1 2] * randn (2, 1000);
%! W = gpu_sqrtm (cov (X')) \ X;
%! cov (W')

## A double eigenvalue -1; the ends of the range.
%!test
%! A = [-1 1 -1; 0 0 -1; 1 -1 -1];
%! X = gpu_sqrtm (A);
%! assert (X^2, A, 1e-13);
%! assert (max (abs (X(:))) < 2);
%! X = gpu_sqrtm (1.3e308 * [1 1; -1 1]);
%! assert (X / sqrt (1.3e308), gpu_sqrtm ([1 1; -1 1]), 1e-14);

## Eigenvalues of the size of rounding errors next to zero ones.
%!test
%! for k = 1:120
%!   n = 3 + 5 * mod (k, 3);
%!   A = sin (k * (1:n)' .^ 2) * cos (k * (1:n));
%!   A += 10 ^ (-12 - 6 * mod (k / 7, 1)) * sin (k * ((1:n)' * (1:n)) .^ 2);
%!   evalc ("X = gpu_sqrtm (A);");
%!   assert (norm (X * X - A, 1) <= 20 * n * eps * max (norm (A, 1), norm (X, 1) ^ 2));
%! endfor

%!error <Invalid call> gpu_sqrtm ()
%!error id=gpueig:not-square gpu_sqrtm ([1 2 3])
%!error id=gpueig:nonfinite gpu_sqrtm ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_sqrtm ({1})
%!error id=gpueig:bad-option gpu_sqrtm (1, "x")
