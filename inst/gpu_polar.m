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
## @deftypefn  {} {@var{U} =} gpu_polar (@var{A})
## @deftypefnx {} {[@var{U}, @var{H}, @var{info}] =} gpu_polar (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_polar (@dots{}, @var{name}, @var{value}, @dots{})
## Polar decomposition @code{@var{A} = @var{U}*@var{H}} of a matrix with at least as many rows
## as columns, or of each page of a stack.
##
## @example
## @group
## ## The rotation that is nearest to a measured matrix.
## U = gpu_polar ([0 -2; 3 0])
##   @result{} [0 -1; 1 0]
## @end group
## @end example
##
## The columns of @var{U} are orthonormal, @var{H} is symmetric (Hermitian) and positive
## semidefinite.  @var{U} is the matrix with orthonormal columns that is nearest to @var{A}.  If
## the columns of @var{A} are linearly dependent there are several; @var{U} is one of them.
##
## @var{A} may be a stack of pages, m-by-n-by-N, all solved in one call: then
## @var{U} is m-by-n-by-N and @var{H} n-by-n-by-N; with more dimensions accordingly.  Single in
## gives single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Method": "auto"
## There is one method.
##
## @item "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct with the fields of all functions (the manual, ``Options of all
## functions'').
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:nonfinite}, @code{gpueig:wrong-type},
## @code{gpueig:bad-option} (also for more columns than rows), @code{gpueig:no-device},
## @code{gpueig:out-of-memory}, @code{gpueig:device-error}, @code{gpueig:solver-failed}; warnings
## @code{gpueig:fallback}, @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## From the singular value decomposition @code{@var{A} = W*S*V'}, by the method that
## @code{gpu_svd} chooses: @code{@var{U} = W*V'}, @code{@var{H} = V*S*V'}.
##
## References: N. J. Higham, Functions of Matrices, SIAM, 2008, chapter 8.
##
## @strong{Accuracy}: @code{norm (A - U*H, 1) / norm (A, 1)} and
## @code{norm (U'*U - I, 1)} stay below @code{10 * m * eps}; eigenvalues of @var{H} are not less
## than @code{-10 * n * eps * norm (H, 1)}.
##
## @seealso{gpu_svd, gpu_sqrtm, gpu_info}
## @end deftypefn

function [U, H, info] = gpu_polar (varargin)

  [failed, U, H, info] = __gpueig__ ("polar", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_polar");
  endif

endfunction

%!function check_polar (A, U, H)
%!  unit = 10 * rows (A) * eps (class (U));
%!  A = double (A);  U = double (U);  H = double (H);
%!  assert (norm (U*H - A, 1) <= unit * norm (A, 1));
%!  assert (norm (U'*U - eye (columns (U)), 1) <= unit);
%!  assert (H, H');
%!  assert (all (eig (H) >= -unit * norm (H, 1)));
%!endfunction

## Shapes, classes, ranks.
%!test
%! A = reshape (sin ((1:120) .^ 2), 12, 10);
%! for B = {A, A + 1i * cos(A), single(A), A(:,1:3), A(:,1) * A(1,:), zeros(4), A(1:10,:) + A(1:10,:)'}
%!   [U, H] = gpu_polar (B{1});
%!   check_polar (B{1}, U, H);
%!   assert (class (H), class (B{1}));
%!   assert (gpu_polar (B{1}), U);
%! endfor

## The unitary factor of a definite matrix is the identity, that of a unitary one itself.
%!test
%! assert (gpu_polar ([2 1; 1 3]), eye (2), 4 * eps);
%! for t = [0.1, 3, pi]
%!   Q = [cos(t), -sin(t); sin(t), cos(t)];
%!   [U, H] = gpu_polar (1e200 * Q);
%!   assert (U, Q, 4 * eps);
%!   assert (H, 1e200 * eye (2), 1e186);
%! endfor

## Pages; empty matrices.
%!test
%! A = reshape (cos ((1:90) .^ 2), 5, 3, 2, 3);
%! [U, H, info] = gpu_polar (A);
%! assert (size (U), size (A));
%! assert (size (H), [3, 3, 2, 3]);
%! assert (info.converged);
%! for p = 1:6
%!   check_polar (A(:,:,p), U(:,:,p), H(:,:,p));
%!   assert (gpu_polar (A(:,:,p)), U(:,:,p), 8 * eps);
%! endfor
%! for B = {A .* 10 .^ -(0:7:14), 1e-290 * A, hilb(9), magic(8), [1e200 1; 1 1e-200]}
%!   [U, H] = gpu_polar (B{1}(:,:,1));
%!   check_polar (B{1}(:,:,1), U, H);
%! endfor
%! [U, H] = gpu_polar (zeros (3, 0));
%! assert (size (U), [3, 0]);
%! assert (size (H), [0, 0]);

%!demo
%! ## Procrustes: the rotation that turns points X to measured points Y.
%! X = randn (50, 3);
%! R = gpu_polar (randn (3));
%! Y = X * R + 0.01 * randn (50, 3);
%! found = gpu_polar (X' * Y);
%! error_of_rotation = norm (found - R)

%!error <Invalid call> gpu_polar ()
%!error id=gpueig:bad-option gpu_polar ([1 2 3])
%!error id=gpueig:nonfinite gpu_polar ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_polar ({1})
%!error id=gpueig:bad-option gpu_polar (1, "x")
