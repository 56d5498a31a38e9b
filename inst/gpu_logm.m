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
## @deftypefn  {} {@var{X} =} gpu_logm (@var{A})
## @deftypefnx {} {@var{X} =} gpu_logm (@var{A}, @var{opt_iters})
## @deftypefnx {} {[@var{X}, @var{iters}, @var{info}] =} gpu_logm (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_logm (@dots{}, @var{name}, @var{value}, @dots{})
## Principal logarithm of a square matrix, or of each page of a stack, as by
## @code{logm}: @code{expm (@var{X}) = @var{A}}, imaginary parts of the eigenvalues of
## @var{X} in (-pi, pi].
##
## @example
## @group
## ## The generator of a rotation by a quarter turn: the angle is pi/2.
## X = gpu_logm ([0 -1; 1 0])
##   @result{} [0 -1.5708; 1.5708 0]
## @end group
## @end example
##
## The result is real for a real @var{A} without negative real eigenvalues.  With these there
## is the warning of @code{logm}; their logarithms have the imaginary part pi.  Eigenvalues within
## rounding errors of the negative real axis count as negative, as those of rotations by pi;
## unlike in @code{logm} other complex eigenvalues with a negative real part do not.  A singular
## @var{A} has no logarithm: instead of that of zero the result has the logarithm of the
## smallest positive number, with a warning unless @var{A} is symmetric or Hermitian.  Of a
## diagonal @var{A} it has those of the elements, without warnings, as with @code{logm}.
##
## @var{A} may be a stack of pages, n-by-n-by-N, all solved in one call: then
## @var{X} is n-by-n-by-N; with more dimensions accordingly.  Single in gives single
## out; everything else is computed in double precision.  The number @var{opt_iters}, which limits
## the square roots of @code{logm}, has no effect.
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
## @var{iters} is the number of square roots of matrices that each page took, 0 for a symmetric
## one.  @var{info} is a struct with the fields of all functions (the manual, ``Options of all
## functions'').
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:nonfinite}, @code{gpueig:wrong-type}, @code{gpueig:bad-option},
## @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}; warnings @code{Octave:logm:non-principal},
## @code{Octave:sqrtm:SingularMatrix}, @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## A symmetric or Hermitian page by its eigenvectors, @var{X} then is so too.  Others by the
## Schur form: a real one, whose 2-by-2 blocks are made triangular for the function and
## transformed back.  The triangular matrix is brought near to the identity by square roots; then a
## Pad@'e approximant of the logarithm is summed as partial fractions.  The diagonal and the
## superdiagonal are computed in closed form.
##
## References: A. H. Al-Mohy, N. J. Higham, Improved inverse scaling and squaring algorithms
## for the matrix logarithm, SIAM J. Sci. Comput. 34 (2012) C153--C169.
##
## @strong{Accuracy}: relative errors are of the order of @code{n * eps} times the condition
## number of the logarithm at @var{A}.
##
## @seealso{logm, gpu_expm, gpu_sqrtm, gpu_eig, gpu_info}
## @end deftypefn

function [X, iters, info] = gpu_logm (varargin)

  [failed, X, iters, info] = __gpueig__ ("logm", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_logm");
  endif

endfunction

## Inverse of expm, with small and large norms.
%!test
%! n = 30;
%! A = reshape (sin ((1:n*n) .^ 2), n, n) / 5;
%! for t = [1e-9, 1e-3, 1, 2]
%!   for B = {A, A + 1i * A.', A + A', triu(A), A - A'}
%!     L = t * B{1};
%!     if (max (abs (imag (eig (L)))) < 3)
%!       X = gpu_logm (expm (L));
%!       assert (norm (X - L, 1) < 1e-12 * max (norm (L, 1), 1) * cond (expm (L)));
%!       assert (isreal (X), isreal (L));
%!     endif
%!   endfor
%! endfor

## Rotations by angles up to pi, nilpotent parts, very large and small eigenvalues.
%!test
%! for t = [0.1, 1, 3, pi - 1e-6]
%!   assert (gpu_logm ([cos(t), sin(t); -sin(t), cos(t)]), [0 t; -t 0], 1e-9);
%! endfor
%! N = diag (1:5, 1);
%! assert (gpu_logm (expm (N)), N, 1e-13);
%! assert (gpu_logm (1e200 * [5 4; 3 4]), gpu_logm ([5 4; 3 4]) + 200 * log (10) * eye (2), 1e-12);
%! assert (gpu_logm (1e-200 * [5 4; 3 4]), gpu_logm ([5 4; 3 4]) - 200 * log (10) * eye (2), 1e-12);

%!warning <principal matrix logarithm> gpu_logm ([-1 2; 0 3]);

## Of diagonal matrices that of the elements, without a warning.
%!test
%! lastwarn ("");
%! L = cellfun (@gpu_logm, {diag([0, 1, -1]), zeros(2), -4}, "UniformOutput", false);
%! assert (lastwarn (), "");
%! assert (L{1}, diag ([-Inf, 0, pi * 1i]));
%! assert (L{2}, [-Inf 0; 0 -Inf]);
%! assert (L{3}, log (-4), eps);

## Warnings are those of logm, and so are real and complex results.
%!test
%! k = [1, 2, 2] / 3;
%! about = eye (3) - 2 * (eye (3) - k' * k);
%! for A = {[cos(1), sin(1); -sin(1), cos(1)], about, -eye(2)(:,:), [1, 1; 0, -1e-17], [1, 1e-9; 1e-9, 0], ...
%!          [-2, 1; 1, 3], [-1, 1i; -1i, -2], ones(2), ones(3), [1, 2; 2, 4], [1, 2, 3]' * [1, 2, 3], [0, 1, 0; -1, 0, 0; 0, 0, 0], [1, 1i; -1i, 1]}
%!   warned = cell (1, 2);
%!   for i = 1:2
%!     lastwarn ("", "");
%!     evalc ("x{i} = {@logm, @gpu_logm}{i} (A{1});");
%!     [~, id] = lastwarn ();
%!     warned{i} = strrep (id, "Octave:language-extension", ""); # Octave 11 keeps these, disabled
%!   endfor
%!   assert (strcmp (warned{:}), "%s", mat2str (A{1}));
%!   assert (iscomplex (x{2}) == iscomplex (x{1}), "%s", mat2str (A{1}));
%! endfor
%! assert (gpu_logm ([0, 1, 0; -1, 0, 0; 0, 0, 0]), [0, pi/2, 0; -pi/2, 0, 0; 0, 0, -log(realmax)], 1e-13);

## Of rotations by pi logm's result is real or complex by rounding.
%!test
%! half = [cos(pi), sin(pi); -sin(pi), cos(pi)];
%! for A = {half, single(half), [half, [0; 0]; 0, 0, 2], [-1, 1e-17; -1e-17, -1]}
%!   lastwarn ("", "");
%!   evalc ("X = gpu_logm (A{1});");
%!   assert (! isempty (strfind (lastwarn (), "principal")));
%!   assert (norm (expm (X) - A{1}, 1) < 30 * eps (class (X)));
%! endfor

%!warning <has no logarithm> gpu_logm ([1 1; 0 0]);

%!demo
%! ## The generator of a Markov chain from its transition matrix.
%! P = [0.9 0.1 0; 0.05 0.9 0.05; 0 0.2 0.8];
%! Q = gpu_logm (P)
%! row_sums = sum (Q, 2)

## Next to the negative axis; the ends of the range.
%!test
%! A = -1.3 * eye (4) + 1e-8 * reshape (sin ((1:16) .^ 2), 4, 4);
%! w = warning ("off", "Octave:logm:non-principal", "local");
%! assert (expm (gpu_logm (A)), A, 1e-12);
%! assert (gpu_logm (1e308 * [1 1.7; 0 1.2])(1,2), 8.5 * log (1.2), 1e-12);
%! assert (gpu_logm (1.3e308 * [1 1; -1 1]), (log (1.3e308) + log (2) / 2) * eye (2) + pi / 4 * [0 1; -1 0], 1e-12);

%!test
%! A = [4, 1; 2, 3];
%! assert (gpu_logm (A, 100), gpu_logm (A));
%! assert (gpu_logm (A, 100, "Backend", "cpu"), gpu_logm (A, "Backend", "cpu"));
%! assert (gather (logm (gpu_array (A), 100)), gpu_logm (A));
%!error <Invalid call> gpu_logm ()
%!error id=gpueig:not-square gpu_logm ([1 2 3])
%!error id=gpueig:nonfinite gpu_logm ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_logm ({1})
%!error id=gpueig:bad-option gpu_logm (1, "x")
