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
## @deftypefn  {} {@var{X} =} gpu_expm (@var{A})
## @deftypefnx {} {[@var{X}, @var{info}] =} gpu_expm (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_expm (@dots{}, @var{name}, @var{value}, @dots{})
## Exponential of a square matrix, or of each page of a stack, as by @code{expm}.
##
## @example
## @group
## ## The state of the oscillator x'' = -x after a quarter of its period.
## A = [0 1; -1 0];
## x = gpu_expm (A * pi/2) * [1; 0]
##   @result{} [0; -1]
## @end group
## @end example
##
## @var{X} is real for a real @var{A}.  An exponential that is too large has elements that are
## Inf or NaN.  Eigenvalues above @code{1 / eps} leave no correct digit of an exponential that
## does not vanish: then there is a warning.
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
## @var{info} is a struct with the fields of all functions (the manual, ``Options of all
## functions'').
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}; warnings @code{gpueig:ill-conditioned}, @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## Scaling and squaring: a Taylor polynomial of @code{@var{A} / 2^s}, of degree 8, 12 or 18 by
## three to five products of matrices; s follows from norms of powers of @var{A}, not from that of @var{A}
## alone; for a triangular @var{A} the diagonal and the superdiagonal are computed anew before each
## squaring.  Symmetric and Hermitian pages by their eigenvectors where that takes less time: on a
## GPU up to order 128, on the CPU up to 12 and above 128; their @var{X} is so too in any case.
##
## References: P. Bader, S. Blanes, F. Casas, Mathematics 7 (2019) 1174; A. H. Al-Mohy,
## N. J. Higham, SIAM J. Matrix Anal. Appl. 31 (2009) 970--989.
##
## @strong{Accuracy}: relative errors are of the order of @code{n * eps} times the condition
## number of the exponential at @var{A}.
##
## @seealso{expm, gpu_logm, gpu_mpower, gpu_eig, gpu_info}
## @end deftypefn

function [X, info] = gpu_expm (varargin)

  [failed, X, info] = __gpueig__ ("expm", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_expm");
  endif

endfunction

## Norms for every degree and for squarings, against expm.
%!test
%! n = 20;
%! A = reshape (sin ((1:n*n) .^ 2), n, n);
%! A /= norm (A, 1);
%! for t = [1e-9, 0.01, 0.2, 0.9, 2, 5, 50]
%!   for B = {A, A + 1i * A.', A + A', triu(A), A - A', A + 3 * eye(n), A - 3 * eye(n)}
%!     X = gpu_expm (t * B{1});
%!     Y = expm (t * B{1});
%!     assert (norm (X - Y, 1) < 1e-13 * max (1, t) * norm (Y, 1));
%!     assert (isreal (X), isreal (B{1}));
%!   endfor
%! endfor

## Functions of pages, symmetric ones among others; classes; orders 0 and 1.
%!test
%! n = 7;
%! A = reshape (sin ((1:3*n*n) .^ 2), n, n, 3) + 9 * full (eye (n));
%! A(:,:,2) = A(:,:,2) + A(:,:,2)';
%! for f = {@gpu_expm, @gpu_logm, @gpu_sqrtm, @(A) gpu_mpower(A, 0.7)
%!          @expm, @logm, @sqrtm, @(A) expm(0.7 * logm (A))}
%!   [ours, plain] = f{:};
%!   for B = {A, A + 0.1i, single(A)}
%!     X = ours (B{1});
%!     assert (class (X), class (B{1}));
%!     assert (iscomplex (X), iscomplex (B{1}));
%!     for p = 1:3
%!       Y = plain (B{1}(:,:,p));
%!       assert (norm (X(:,:,p) - Y, 1) < 100 * n * eps (class (X)) * norm (Y, 1));
%!     endfor
%!   endfor
%!   assert (ours ([]), []);
%!   assert (ours (4), plain (4), 100 * eps);
%!   assert (size (ours (ones (3, 3, 2, 2))), [3, 3, 2, 2]);
%! endfor

## Triangular, nilpotent, skew; very large elements.
%!test
%! assert (gpu_expm ([1 1e6; 0 -1]), [e, 1e6*sinh(1); 0, 1/e], -4 * eps);
%! assert (gpu_expm (zeros (3)), eye (3));
%! assert (gpu_expm ([0 1e200; 0 0]), [1 1e200; 0 1]);
%! assert (gpu_expm ([-1000 1; 0 0]), [0 1e-3; 0 1], 1e-15);
%! t = 30 * pi;
%! assert (gpu_expm ([0 t; -t 0]), eye (2), 1e-12);
%! Q = gpu_expm ([-1 1 0; 1 -3 2; 0 1e3 -1e3]);
%! assert (sum (Q, 2), ones (3, 1), 1e-12);

%!demo
%! ## A linear system of differential equations x' = A*x at many times.
%! A = [0 1; -1 -0.1];
%! t = reshape (0:0.5:20, 1, 1, []);
%! X = gpu_expm (A .* t);
%! plot (squeeze (t), squeeze (X(1,1,:)), squeeze (t), squeeze (X(2,1,:)));
%! xlabel ("time");
%! ylabel ("state");
%! title ("A damped oscillator, started at x = 1");
%! legend ("position", "velocity");

## Matrices far from their balanced form, and the ends of the range.
%!test
%! c = exp (0.35) * cos (0.8);
%! s = exp (0.35) * sin (0.8);
%! assert (gpu_expm ([0.35 -0.8e-20; 0.8e20 0.35]), [c, -s*1e-20; s*1e20, c], -1e-14);
%! A = [0.1 0.2; 0.3 0.4];
%! X = gpu_expm ([A, 1e20*[1 2; 3 4]; zeros(2, 4)]);
%! Y = A \ (expm (A) - eye (2)) * 1e20 * [1 2; 3 4];
%! assert (X(1:2,3:4), Y, 1e-11 * norm (Y));
%! assert (gpu_expm (-1e308 * [1 0; 1 1]), zeros (2));
%! assert (gpu_expm ([0 1e-12; 1e-12 0]), [1 1e-12; 1e-12 1], -eps);
%!warning <digit> gpu_expm ([0 1e100; -1e100 0]);

%!error <Invalid call> gpu_expm ()
%!error id=gpueig:not-square gpu_expm ([1 2 3])
%!error id=gpueig:nonfinite gpu_expm ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_expm ({1})
%!error id=gpueig:bad-option gpu_expm (1, "x")
