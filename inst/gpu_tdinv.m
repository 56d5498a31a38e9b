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
## @deftypefn  {} {@var{X} =} gpu_tdinv (@var{T})
## @deftypefnx {} {@var{X} =} gpu_tdinv (@var{c}, @var{a}, @var{b})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} gpu_tdinv (@dots{})
## @deftypefnx {} {[@var{X}, @var{rcond}, @var{info}] =} gpu_tdinv (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_tdinv (@dots{}, "Columns", @var{J})
## @deftypefnx {} {[@dots{}] =} gpu_tdinv (@dots{}, "Band", @var{k})
## @deftypefnx {} {[@dots{}] =} gpu_tdinv (@dots{}, @var{name}, @var{value}, @dots{})
## Inverse of a tridiagonal matrix, or only columns or a band of it: a replacement for
## @code{inv}.
##
## @example
## @group
## X = gpu_tdinv ([-1 -1], [2 2 2], [-1 -1])
##   @result{} [0.75 0.5 0.25; 0.5 1 0.5; 0.25 0.5 0.75]
## @end group
## @end example
##
## @var{T} is a full or sparse tridiagonal matrix of any order, real or complex.
## Or it is given by its subdiagonal @var{c}, its diagonal @var{a} and its
## superdiagonal @var{b}, vectors of n-1, n and n-1 elements in the order of
## @code{gallery ("tridiag", @var{c}, @var{a}, @var{b})}.
##
## @var{X} is a full matrix, single if the input is.  @var{rcond} is the
## reciprocal condition number in the 1-norm, computed from the inverse, not an
## estimate.
##
## A singular matrix gives @var{rcond} 0, an @var{X} of @code{Inf} and the
## warning @code{Octave:singular-matrix}; one with @var{rcond} below @code{eps}
## the warning @code{Octave:nearly-singular-matrix}.  As with @code{inv} there is
## no warning when @var{rcond} is an output.
##
## @strong{Options}
##
## @table @asis
## @item "Columns": @var{J}
## Compute only @code{@var{X}(:,@var{J})}.
##
## @item "Band": @var{k}
## Compute only the entries with @code{abs (i - j) <= @var{k}}; @var{X} is sparse
## (and double).  Time and memory grow with n, not with n^2.
##
## @item "Method": "auto" (default), "generators", "sherman-morrison"
## @qcode{"auto"} is @qcode{"generators"}; see the algorithms below.
##
## @item "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.  @qcode{"auto"} mostly uses the CPU, which writes
## the inverse to host memory about as fast as it can be transferred from a GPU; the inverse of a
## @code{gpu_array} is computed where that is.  Several GPUs share the columns.
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
## @code{gpueig:not-tridiagonal}, @code{gpueig:bad-length},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory} (with the memory needed
## and the memory available, before anything is allocated),
## @code{gpueig:device-error}; the warning @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## @qcode{"generators"} computes each entry by one product of
## elements of four vectors, ratios of minors that are computed in double-double
## arithmetic with a separate exponent (R. A. Usmani, Linear Algebra
## Appl. 212 (1994)).  @qcode{"sherman-morrison"} is the recursive
## Sherman-Morrison formula for the whole inverse of a diagonally dominant real matrix
## in double precision (J.-J. Climent, L. Tortosa, A. Zamora, J. Parallel Distrib.
## Comput. 59 (1999)), for comparisons; for others @qcode{"generators"} is used, with the
## warning @code{gpueig:fallback}.
##
## @strong{Accuracy}: with @qcode{"generators"} every entry of the inverse of a
## diagonally dominant matrix has a relative error of at most @code{4 * eps}, even if it
## is very small, and entries that are exactly zero are returned as zero.  For other
## nonsingular matrices, also with small or zero pivots, and @var{rcond} above
## @code{eps}, errors are of the size of rounding errors of the largest entries.
##
## @seealso{inv, gallery, gpu_mrrr, gpu_info}
## @end deftypefn

function [X, rcond, info] = gpu_tdinv (varargin)

  [failed, X, rcond, info] = __gpueig__ ("tdinv", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_tdinv");
  endif

endfunction

## Calling forms.
%!test
%! T = [2 -1 0; -1 2 -1; 0 -1 2];
%! X = [0.75 0.5 0.25; 0.5 1 0.5; 0.25 0.5 0.75];
%! assert (gpu_tdinv (T), X, eps);
%! assert (gpu_tdinv ([-1 -1], [2 2 2], [-1 -1]), X, eps);
%! assert (gpu_tdinv ([-1; -1], [2 2 2], [-1; -1]), X, eps);
%! assert (gpu_tdinv (sparse (T)), X, eps);
%! [Y, r] = gpu_tdinv (T);
%! assert (r, 1 / (norm (T, 1) * norm (X, 1)), 4*eps);
%! [Y, r, info] = gpu_tdinv (T);
%! assert (Y, X, eps);
%! assert (info.method, "generators");
%! assert (isempty (info.fallback));
%! assert (info.converged);
%! assert (fieldnames (info.time), {"total"; "transfer"; "solve"});

## Unsymmetric: c is the sub-, b the superdiagonal, as in gallery.
%!test
%! c = [1 2 3];  a = [9 8 7 6];  b = [4 5 -6];
%! T = full (gallery ("tridiag", c, a, b));
%! assert (gpu_tdinv (c, a, b), inv (T), 8*eps);
%! assert (gpu_tdinv (T), gpu_tdinv (c, a, b));

## Orders 0 to 5.
%!test
%! assert (gpu_tdinv ([]), []);
%! assert (size (gpu_tdinv (zeros (0, 0))), [0, 0]);
%! assert (size (gpu_tdinv ([], [], [])), [0, 0]);
%! [X, r] = gpu_tdinv ([]);
%! assert (r, Inf);
%! assert (gpu_tdinv (4), 0.25);
%! assert (gpu_tdinv ([], 4, []), 0.25);
%! assert (gpu_tdinv (sparse (4)), 0.25);
%! assert (gpu_tdinv ([1 2; 3 4]), inv ([1 2; 3 4]), 16*eps);
%! for n = 3:5
%!   T = diag (4 * ones (n, 1)) + diag (1:n-1, 1) - diag (ones (n-1, 1), -1);
%!   assert (gpu_tdinv (T), inv (T), 16*eps);
%! endfor

## Classes and lazily stored matrices.
%!test
%! T = [4 1; 1 4];
%! assert (class (gpu_tdinv (single (T))), "single");
%! [X, r] = gpu_tdinv (single (T));
%! assert (class (r), "single");
%! assert (X, single (inv (T)), eps ("single"));
%! assert (class (gpu_tdinv (single (1), [4 4], 1)), "single");
%! assert (gpu_tdinv (2 * eye (3)), eye (3) / 2);
%! assert (gpu_tdinv (diag ([1 2 4])), diag ([1 0.5 0.25]) + zeros (3));
%! assert (gpu_tdinv (eye (3)(:, [2 1 3])), full (eye (3)(:, [2 1 3])));
%! assert (gpu_tdinv (5:5), 0.2);
%! assert (gpu_tdinv (1:3, 10:13, 4:6), inv (full (gallery ("tridiag", 1:3, 10:13, 4:6))), 4*eps);
%! assert (isreal (gpu_tdinv (complex (T))));

## Complex, against inv.
%!test
%! n = 20;
%! c = cos (1:n-1) + 1i * sin (2:n);
%! a = 3 * exp (1i * (1:n));
%! b = exp (2i * (1:n-1));
%! T = full (gallery ("tridiag", c, a, b));
%! X = gpu_tdinv (T);
%! assert (X, inv (T), 50*eps);
%! assert (gpu_tdinv (sparse (T)), X);
%! assert (gpu_tdinv (single (T)), single (X), 4 * eps ("single"));
%! assert (norm (T * X - eye (n), 1) / (n * eps * cond (T, 1)) < 10);

## Parts of the inverse.
%!test
%! n = 30;
%! c = cos (1:n-1);  a = 3 + sin (1:n);  b = sin (1:n-1);
%! X = gpu_tdinv (c, a, b);
%! assert (gpu_tdinv (c, a, b, "Columns", [3 1 30 3]), X(:, [3 1 30 3]));
%! assert (gpu_tdinv (c, a, b, "columns", int8 (2)), X(:, 2));
%! assert (size (gpu_tdinv (c, a, b, "Columns", [])), [n, 0]);
%! for k = [0 1 3 29 100]
%!   S = gpu_tdinv (c, a, b, "Band", k);
%!   assert (issparse (S));
%!   assert (S, sparse (triu (tril (X, k), -k)));
%! endfor
%! Z = gpu_tdinv (1i * c, a, b);
%! S = gpu_tdinv (1i * c, a, b, "Band", 2);
%! assert (S, sparse (triu (tril (Z, 2), -2)));
%! assert (class (gpu_tdinv (single (c), a, b, "Band", 1)), "double");

## A million rows in the band.
%!test
%! n = 1e6;
%! S = gpu_tdinv (-ones (n-1, 1), 3 * ones (n, 1), -ones (n-1, 1), "Band", 1);
%! assert (S(n/2,n/2), 1 / sqrt (5), 2*eps);
%! assert (nnz (S), 3*n - 2);

## The inverse of the second difference has a closed form; entries far below
## eps are accurate too.
%!test
%! n = 300;
%! e = ones (n-1, 1);
%! [i, j] = ndgrid (1:n);
%! want = min (i, j) .* (n + 1 - max (i, j)) / (n + 1);
%! X = gpu_tdinv (-e, 2 * ones (n, 1), -e);
%! assert (norm (X(:) ./ want(:) - 1, Inf) < 4*eps);
%! X = gpu_tdinv (1e-3 * e, ones (n, 1), 0 * e);
%! assert (X(100,1), -1e-3 ^ 99, 1e-310);
%! assert (X(60,1) / -1e-3 ^ 59, 1, 100*eps);
%! assert (nnz (triu (X, 1)), 0);

## Zero pivots do not affect the accuracy.
%!test
%! T = [0 1; 1 0];
%! assert (gpu_tdinv (T), T);
%! n = 40;
%! T = diag (ones (n-1, 1), 1) + diag (ones (n-1, 1), -1);
%! assert (gpu_tdinv (T), inv (T), 4*eps);

## Methods.
%!test
%! n = 37;
%! c = cos (1:n-1);  a = 3 + sin (1:n);  b = sin (1:n-1);
%! X = gpu_tdinv (c, a, b);
%! [Y, ~, info] = gpu_tdinv (c, a, b, "Method", "sherman-morrison");
%! assert (Y, X, 4*eps);
%! assert (info.method, "sherman-morrison");
%! assert (info.fallback, "");

%!warning <solved by generators>
%! [X, r, info] = gpu_tdinv ([0 1; 1 0], "Method", "sherman-morrison");
%! assert (info.fallback, "generators");
%! assert (X, [0 1; 1 0]);

## Singular and nearly singular.
%!warning <singular> X = gpu_tdinv ([1 1; 1 1]); assert (X, Inf (2));
%!warning id=Octave:singular-matrix gpu_tdinv (zeros (3));
%!warning id=Octave:nearly-singular-matrix gpu_tdinv ([1 1; 1 1+eps]);
%!warning id=Octave:nearly-singular-matrix gpu_tdinv (single ([1 1; 1 1+1e-7]));
%!test
%! lastwarn ("", "");
%! [X, r] = gpu_tdinv (sparse (3, 3));
%! assert (X, Inf (3));
%! assert (r, 0);
%! [X, r] = gpu_tdinv ([1 1; 1 1+eps]);
%! [Y, s] = inv ([1 1; 1 1+eps]);
%! assert (X, Y, 1);
%! assert (r, s, eps * s);
%! assert (isempty (lastwarn ()));

%!demo
%! ## The columns of the inverse of -u'' + 25 u are its Green's functions.
%! n = 200;
%! h = 1 / (n + 1);
%! off = -ones (n-1, 1) / h^2;
%! J = [20, 60, 100, 160];
%! X = gpu_tdinv (off, (2 / h^2 + 25) * ones (n, 1), off, "Columns", J);
%! plot (h * (1:n), X / h);
%! xlabel ("x");
%! ylabel ("u (x)");
%! title ("Green's functions of -u'' + 25 u");
%! legend (arrayfun (@(x) sprintf ("source at %.2f", x), h * J, "UniformOutput", false),
%!         "location", "eastoutside");

%!error <Invalid call> gpu_tdinv ()
%!error <Invalid call> gpu_tdinv (1, 2)
%!error <Invalid call> gpu_tdinv (1, 2, 3, 4)
%!error <Invalid call> gpu_tdinv (1, 2, "Columns", 1)
%!error id=gpueig:not-square gpu_tdinv ([1 2 3; 4 5 6])
%!error id=gpueig:not-square gpu_tdinv (ones (2, 2, 2))
%!error id=gpueig:not-tridiagonal gpu_tdinv (ones (3))
%!error id=gpueig:not-tridiagonal gpu_tdinv (sparse (ones (3)))
%!error id=gpueig:not-tridiagonal gpu_tdinv (eye (4) + 1i * diag (ones (2, 1), 2))
%!error id=gpueig:not-tridiagonal gpu_tdinv (single (ones (3)))
%!error <element \(3, 1\)> gpu_tdinv ([1 0 0; 0 1 0; 2 0 1])
%!error <element \(1, 3\)> gpu_tdinv (sparse ([1 0 3; 0 1 0; 0 0 1]))
%!error id=gpueig:bad-length gpu_tdinv (1, [1 2 3], [1 2])
%!error id=gpueig:bad-length gpu_tdinv ([1 2], [1 2 3], [1 2 3])
%!error id=gpueig:bad-length gpu_tdinv ([], [], 1)
%!error id=gpueig:bad-length gpu_tdinv (1, eye (2), 1)
%!error <C has 1, A 3 and B 2> gpu_tdinv (1, [1 2 3], [1 2])
%!error id=gpueig:nonfinite gpu_tdinv ([1 NaN; 2 3])
%!error id=gpueig:nonfinite gpu_tdinv ([1 0 Inf; 2 3 0; 0 0 1])
%!error id=gpueig:nonfinite gpu_tdinv (1, [1 Inf], 1)
%!error id=gpueig:nonfinite gpu_tdinv (sparse ([1 NaN; 2 3]))
%!error id=gpueig:wrong-type gpu_tdinv ("a")
%!error id=gpueig:wrong-type gpu_tdinv ({1})
%!error id=gpueig:wrong-type gpu_tdinv (struct ())
%!error id=gpueig:wrong-type gpu_tdinv (1, {4, 4}, 1)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "nonsense", 1)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "vector")
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Columns", 3)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Columns", 0.5)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Columns", "a")
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Columns", NaN)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Band", -1)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Band", [1 2])
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Band", 1, "Columns", 1)
%!error id=gpueig:bad-option gpu_tdinv (eye (2), "Method", "magic")
%!error id=gpueig:out-of-memory gpu_tdinv (ones (1e7-1, 1), 4 * ones (1e7, 1), ones (1e7-1, 1))
%!error <needed.*available> gpu_tdinv (ones (1e6-1, 1), 4 * ones (1e6, 1), ones (1e6-1, 1))
