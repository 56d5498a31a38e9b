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
## @deftypefn  {} {@var{s} =} gpu_svd (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} gpu_svd (@var{A})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} gpu_svd (@var{A}, "econ")
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} gpu_svd (@var{A}, 0)
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}, @var{info}] =} gpu_svd (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_svd (@dots{}, @var{option}, @dots{})
## Singular value decomposition of a matrix of any shape, or of every page of a stack: a
## replacement for @code{svd}.
##
## @example
## @group
## ## The nearest matrix of rank 1.
## A = [3 1; 1 3; 0 0];
## [U, S, V] = gpu_svd (A, "Index", [1 1]);
## U * S * V'
##   @result{} [2 2; 2 2; 0 0]
## @end group
## @end example
##
## @code{@var{A} = @var{U}*@var{S}*@var{V}'}, the columns of @var{U} and of @var{V}
## orthonormal, @var{S} diagonal with the singular values in descending order.  @var{U} and
## @var{V} are square, and @var{S} has the size of @var{A}; with @qcode{"econ"}, or with 0 if
## @var{A} has more rows than columns, all three have @code{k = min (size (@var{A}))} columns.
##
## @var{A} may be a stack of pages, m-by-n-by-N or with more dimensions, as for MATLAB's
## @code{pagesvd}: then @var{s} is k-by-1-by-N, and @var{U}, @var{S} and @var{V} have N pages.
## Single in gives single out; everything else, also sparse, logical and integer matrices, is
## computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "Index": [il iu]
## Only the singular values with these numbers, and their vectors; those of @qcode{[1 k]} are
## the @var{k} largest.
##
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"}: of a matrix @code{B*D}, D diagonal, every singular value has a relative
## error of about @code{n * eps * cond (B)}, however small it is.  A GPU solves small pages only.
##
## @item "Method": "auto" (default), "jacobi", "gesdd", "gram"
## @qcode{"jacobi"}: one-sided Jacobi, for small pages; larger ones by LAPACK's @code{gejsv} on
## the CPU.  @qcode{"gram"}, on a GPU: from the eigenvectors of @code{A'*A}, level by level.
## @qcode{"gesdd"}, on the CPU: LAPACK's divide and conquer, or the algorithm of
## @qcode{"gram"} for large or tall pages of moderate condition.
##
## @item "vector", "matrix", "Backend", "Device", "Display"
## As in all functions: the manual, ``Options of all functions''.
## @end table
##
## @strong{Outputs}: @var{info} is a struct with the fields of all functions (the manual);
## @code{sweeps} is that of small pages by @qcode{"jacobi"}.
##
## @strong{Algorithms}: small pages: the columns are rotated until they are orthogonal; their
## lengths are the singular values.  @qcode{"gram"}: with the eigenvectors @code{W} of
## @code{A'*A} those columns of @code{A*W} are orthogonal that are not much shorter than the
## longest; the others are made orthogonal to them and are the matrix of the next level.
##
## References: M. R. Hestenes, J. SIAM 6 (1958) 51--90; Z. Drmac, K. Veselic,
## SIAM J. Matrix Anal. Appl. 29 (2008) 1322--1342.
##
## @strong{Accuracy}: @code{norm (A - U*S*V', 1) / norm (A, 1)}, @code{norm (U'*U - I, 1)} and
## @code{norm (V'*V - I, 1)} stay below @code{10 * max (size (A)) * eps}, the errors of singular
## values below that times the largest.
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:nonfinite},
## @code{gpueig:wrong-type}, @code{gpueig:bad-option}, and those of all functions:
## @code{gpueig:no-device}, @code{gpueig:out-of-memory}, @code{gpueig:device-error},
## @code{gpueig:solver-failed}; warnings @code{gpueig:fallback}, @code{gpueig:device-lost}.
##
## @seealso{svd, gpu_pinv, gpu_eig, gpu_info}
## @end deftypefn

function [U, S, V, info] = gpu_svd (varargin)

  [failed, U, S, V, info] = __gpueig__ ("svd", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_svd");
  endif

endfunction

%!function check_svd (A, U, S, V)
%!  unit = 10 * max ([size(A), 1]) * eps (class (U));
%!  A = double (full (A));
%!  U = double (U);  S = double (S);  V = double (V);
%!  assert (norm (A - U*S*V', 1) <= unit * norm (A, 1));
%!  assert (norm (U'*U - eye (columns (U)), 1) <= unit);
%!  assert (norm (V'*V - eye (columns (V)), 1) <= unit);
%!  s = S(eye (size (S)) != 0);
%!  assert (all (diff (s) <= 0) && all (s >= 0));
%!  assert (nnz (S) == nnz (s));
%!endfunction

## Sizes, classes and types of Octave's svd, in all of its forms.
%!test
%! x = reshape (sin ((1:42) .^ 2), 6, 7);
%! list = {zeros(0, 3), zeros(3, 0), [], zeros(3, 2), single(x(1:2,1:3)), sparse(x(1:3,1:3)), ...
%!         int8([1 2; 3 4]), true(2), eye(3), 1:3, single([1+2i, 1; 3, 4i; 1, 1]), 5, -5i, ...
%!         x, x.', eye(4)(:,[2 3 4 1])};
%! for A = list
%!   A = A{1};
%!   a = A;
%!   if (! isfloat (a))
%!     a = double (a);
%!   endif
%!   assert (gpu_svd (A), svd (a), 10 * max ([size(A), 1]) * eps (class (a)) * max ([norm(full (a)), 1]));
%!   for form = {{}, {0}, {"econ"}}
%!     [U, S, V] = gpu_svd (A, form{1}{:});
%!     [u, s, v] = svd (a, form{1}{:});
%!     if (isempty (A) && isequal (form{1}, {"econ"}))
%!       [u, s, v] = deal (u(:,[]), zeros (0, 0), v(:,[]));
%!     endif
%!     assert ({size(U), size(S), size(V)}, {size(u), size(s), size(v)});
%!     assert ({class(U), class(S), class(V)}, {class(u), class(s), class(v)});
%!     assert (iscomplex (U), iscomplex (u));
%!     if (! isempty (A))
%!       assert (typeinfo (S), typeinfo (s));
%!     endif
%!     check_svd (A, U, S, V);
%!     [U2, S2] = gpu_svd (A, form{1}{:});
%!     assert ({U2, S2}, {U, S});
%!   endfor
%! endfor

## Stacks, forms of the values, parts of them.
%!test
%! A = reshape (cos ((1:5*3*8) .^ 2), 5, 3, 2, 4);
%! for B = {A, permute(A, [2 1 3 4]), single(A), A + 1i * A(end:-1:1,:,:,:)}
%!   B = B{1};
%!   for form = {{}, {"econ"}}
%!     [U, S, V, info] = gpu_svd (B, form{1}{:});
%!     s = gpu_svd (B);
%!     assert (size (s), [3, 1, 2, 4]);
%!     assert (info.fallback, "");
%!     for p = 1:8
%!       check_svd (B(:,:,p), U(:,:,p), S(:,:,p), V(:,:,p));
%!       assert (diag (S(:,:,p)), s(:,:,p), 100 * eps (class (B)));
%!     endfor
%!     [~, t] = gpu_svd (B, form{1}{:}, "vector");
%!     assert (t, s, 100 * eps (class (B)));
%!     assert (size (gpu_svd (B, form{1}{:}, "matrix")), size (S));
%!   endfor
%!   [U, S, V] = gpu_svd (B, "econ");
%!   [u, s, v] = gpu_svd (B, "Index", [2 3]);
%!   assert ({u, s, v}, {U(:,2:3,:,:), S(2:3,2:3,:,:), V(:,2:3,:,:)});
%! endfor
%! [U, S, V] = gpu_svd (A(:,:,1), "Index", [1 2], "vector");
%! assert ({size(U), size(S), size(V)}, {[5, 2], [2, 1], [3, 2]});

## High accuracy: singular values of very different size.
%!test
%! B = [4 1 1; 1 4 1; 1 1 4; 1 2 1];
%! [U, S, V] = gpu_svd (B .* [1e-140, 1, 1e140], "econ", "Accuracy", "high");
%! s = gpu_svd (B .* [1, 1e140, 1e280] / 1e140, "Accuracy", "high");
%! assert (diag (S), s, -1e-14);
%! ## The product of all is the volume, whatever the scaling.
%! assert (sum (log (s)), sum (log (svd (B))), 1e-11);
%! for d = {[1 1e-100 1e-200 1e-310], [1e200 1 1e-120], single([1 1e-10 1e-39]), [1e300 1e-300 0]}
%!   [U, S, V] = gpu_svd (diag (d{1}), "Accuracy", "high");
%!   assert (diag (S), d{1}.', -2 * eps (class (S)));
%!   assert (abs (full (U)), eye (numel (d{1}), class (S)));
%! endfor

## Matrices without a place in the usual range, and without full rank.
%!test
%! for A = {zeros(4, 3), ones(4, 3), 1e-310 * magic(4), 1e300 * magic(4), diag([1 0 1e-300 1])}
%!   A = A{1};
%!   for method = {"jacobi", {"gesdd", "gram"}{1+strcmp(getenv ("GPUEIG_BACKEND"), "cuda")}}
%!     [U, S, V] = gpu_svd (A, "Method", method{1});
%!     scale = max ([max(abs (A(:))), realmin]);
%!     check_svd (A / scale, U, S / scale, V);
%!   endfor
%! endfor

%!demo
%! ## The best approximation of rank 2.
%! A = magic (6) + (1:6);
%! [U, S, V] = gpu_svd (A, "Index", [1 2]);
%! error_of_rank_2 = norm (A - U*S*V')
%! third = gpu_svd (A)(3)

%!error <Invalid call> gpu_svd ()
%!error id=gpueig:nonfinite gpu_svd ([NaN 1; 1 1])
%!error id=gpueig:nonfinite gpu_svd ([1 -Inf; 1 1])
%!error id=gpueig:wrong-type gpu_svd ({1})
%!error id=gpueig:wrong-type gpu_svd ("ab")
%!error id=gpueig:bad-option gpu_svd (1, [1 1])
%!error id=gpueig:bad-option gpu_svd (1, "x")
%!error id=gpueig:bad-option gpu_svd (1, "Index", [1 2])
%!error id=gpueig:bad-option gpu_svd (1, "Method", "gesvd")
%!error id=gpueig:bad-option gpu_svd (1, "Method", "gesdd", "Accuracy", "high")
%!error id=gpueig:bad-option gpu_svd (1, "Backend", "tpu")
