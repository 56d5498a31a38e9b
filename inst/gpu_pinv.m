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
## @deftypefn  {} {@var{X} =} gpu_pinv (@var{A})
## @deftypefnx {} {@var{X} =} gpu_pinv (@var{A}, @var{tol})
## @deftypefnx {} {[@var{X}, @var{info}] =} gpu_pinv (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_pinv (@dots{}, @var{name}, @var{value}, @dots{})
## Moore--Penrose pseudoinverse of a matrix of any shape, or of each page of a stack, as by
## @code{pinv}.
##
## @example
## @group
## ## The line through three points with the least squares of distances.
## t = [0; 1; 2];
## y = [1; 3; 5];
## gpu_pinv ([ones(3, 1), t]) * y
##   @result{} [1; 2]
## @end group
## @end example
##
## Singular values below @var{tol} count as zero.  Without @var{tol}, or with one that is 0 in the
## class of @var{A}, it is @code{max (size (@var{A})) * eps * norm (@var{A})}, of each page its
## own.
##
## @var{A} may be a stack of pages, m-by-n-by-N, all solved in one call: then @var{X} is
## n-by-m-by-N; with more dimensions accordingly.  @var{A} may be sparse, logical or of
## an integer class; the result of a diagonal matrix or a permutation is one, as by @code{pinv}.
## Single in gives single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Accuracy": "normal" (default), "high"
## @itemx "Method": "auto" (default), "jacobi", "gesdd", "gram"
## @itemx "Backend": "auto" (default), "cpu", "cuda"
## @itemx "Device": integer from 0, vector of integers, "all"
## @itemx "Display": "off" (default), "iter"
## Those of @code{gpu_svd}, which is called.  The product of its results is computed on the CPU.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct, that of @code{gpu_svd}.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:nonfinite}, @code{gpueig:wrong-type},
## @code{gpueig:bad-option}, @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:solver-failed}; warnings @code{gpueig:fallback},
## @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## @code{@var{X} = V * diag (1 ./ s) * U'} with the singular values that count.
##
## References: R. Penrose, Math. Proc. Cambridge Philos. Soc. 51 (1955) 406--413.
##
## @strong{Accuracy}: relative to @code{norm (A)}, @code{norm (X)} and the product of both,
## the errors in the four conditions of Penrose, as @code{A*X*A = A}, are of the order
## of @code{max (size (A)) * eps} times the ratio of the largest to the smallest value that counts.
##
## @seealso{pinv, gpu_svd, gpu_info}
## @end deftypefn

function [X, info] = gpu_pinv (varargin)

  [failed, X, info] = __gpueig__ ("pinv", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_pinv");
  endif

endfunction

%!function check_penrose (A, X)
%!  A = double (full (A));
%!  unit = 10 * max (size (A)) * eps (class (X));
%!  X = double (full (X));
%!  k = max (1, norm (A) * norm (X));
%!  assert (norm (A*X*A - A) <= unit * k * norm (A));
%!  assert (norm (X*A*X - X) <= unit * k * norm (X));
%!  assert (norm ((A*X)' - A*X) <= unit * k);
%!  assert (norm ((X*A)' - X*A) <= unit * k);
%!endfunction

## The conditions of Penrose, sizes, classes and types of Octave's pinv.
%!test
%! x = reshape (sin ((1:42) .^ 2), 6, 7);
%! list = {zeros(0, 3), zeros(3, 0), [], zeros(3, 2), single(x(1:2,1:3)), sparse(x(1:3,1:3)), ...
%!         int8([1 2; 3 4]), true(2), eye(3), 1:3, single([1+2i, 1; 3, 4i; 1, 1]), 5, -5i, 0, ...
%!         x, x.', eye(4)(:,[2 3 4 1]), magic(4), diag([1 0 2]), diag([3 2i], 2, 4), ...
%!         x(:,1:2)*x(1:2,1:5), 1e-200*x, 1e200*x, single(diag([1 1e-30]))};
%! for A = list
%!   A = A{1};
%!   X = gpu_pinv (A);
%!   Y = pinv ({A, double(A)}{1 + islogical (A)}); # pinv of Octave 9 and later refuses these
%!   assert ({size(X), class(X), typeinfo(X)}, {size(Y), class(Y), typeinfo(Y)});
%!   if (! isempty (A))
%!     check_penrose (A, X);
%!     assert (norm (full (X - Y), 1) <= 1e3 * max (size (A)) * eps (class (X)) * norm (full (Y), 1));
%!   endif
%! endfor
%! assert (gpu_pinv (1e-320), pinv (1e-320));

## The tolerance.
%!test
%! A = [2 0; 0 1; 0 0];
%! assert (gpu_pinv (A, 1), A' ./ [4; 1], eps);
%! assert (gpu_pinv (A, 1.5), [0.5 0 0; 0 0 0], eps);
%! assert (gpu_pinv (A, 3), zeros (2, 3));
%! assert (gpu_pinv (A, 0), gpu_pinv (A));
%! assert (gpu_pinv (diag ([2 1]), 1.5), diag ([0.5 0]));

## One that underflows in single precision counts as none, alone, in stacks and of arrays.
%!test
%! for B = {[1 0; 0 0], [1 1; 1 1], [1 0; 0 1e-20], [1 2i; 3 4], zeros(2)}
%!   A = single (B{1});
%!   X = pinv (A, 1e-60);
%!   unit = 20 * eps ("single") * norm (X);
%!   assert (gpu_pinv (A, 1e-60), X, unit);
%!   assert (gpu_pinv (cat (3, A, A), 1e-60)(:,:,2), X, unit);
%!   assert (gather (gpu_pinv (gpu_array (A), 1e-60)), X, unit);
%!   assert (gather (pinv (gpu_array (A), 1e-60)), X, unit);
%! endfor

## Stacks, methods, a large matrix of low rank.
%!test
%! A = reshape (cos ((1:5*3*8) .^ 2), 5, 3, 2, 4);
%! A(:,:,3) = ones (5, 3);
%! A(:,:,5) *= 1e-30;
%! for B = {A, permute(A, [2 1 3 4]), single(A), A + 1i * A(end:-1:1,:,:,:)}
%!   B = B{1};
%!   for method = {"auto", "jacobi", {"gesdd", "gram"}{1+strcmp(getenv ("GPUEIG_BACKEND"), "cuda")}}
%!     [X, info] = gpu_pinv (B, "Method", method{1});
%!     assert (info.fallback, "");
%!     assert (size (X), size (B)([2 1 3 4]));
%!     for p = 1:8
%!       check_penrose (B(:,:,p), X(:,:,p));
%!     endfor
%!   endfor
%! endfor
%! assert (size (gpu_pinv (zeros (2, 0, 3))), [0, 2, 3]);
%! x = (1:520)' / 520;
%! check_penrose (cos (3 * x * x(1:510)'), gpu_pinv (cos (3 * x * x(1:510)'), 1e-6));

%!demo
%! ## The shortest of all solutions of a system without full rank.
%! A = magic (4);
%! b = A * [4; 3; 2; 1];
%! x = gpu_pinv (A) * b
%! lengths = [norm(x), norm([4; 3; 2; 1])]
%! residual = norm (A*x - b)

%!error <Invalid call> gpu_pinv ()
%!error id=gpueig:nonfinite gpu_pinv ([NaN 1; 1 1])
%!error id=gpueig:wrong-type gpu_pinv ({1})
%!error id=gpueig:wrong-type gpu_pinv ("ab")
%!error id=gpueig:bad-option gpu_pinv (1, -1)
%!error id=gpueig:bad-option gpu_pinv (1, NaN)
%!error id=gpueig:bad-option gpu_pinv (1, [1 2])
%!error id=gpueig:bad-option gpu_pinv (1, 1i)
%!error id=gpueig:bad-option gpu_pinv (1, "econ")
%!error id=gpueig:bad-option gpu_pinv (1, 0, "Method", "gesvd")
