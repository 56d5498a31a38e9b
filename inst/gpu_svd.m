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
## @deftypefnx {} {[@dots{}] =} gpu_svd (@dots{}, @var{name}, @var{value}, @dots{})
## Singular value decomposition of a matrix of any shape, or of each page of a stack, as by
## @code{svd}.
##
## @example
## @group
## s = gpu_svd ([3 0; 0 -4; 0 0])
##   @result{} [4; 3]
## @end group
## @end example
##
## @code{@var{A} = @var{U}*@var{S}*@var{V}'}, the columns of @var{U} and of @var{V}
## orthonormal, @var{S} diagonal with the singular values, which are not negative, in
## descending order.  @var{U} and @var{V} are square, and @var{S} has the size of @var{A};
## with @qcode{"econ"}, or with 0 if @var{A} has more rows than columns, all three have
## @code{min (size (@var{A}))} columns.
##
## @var{A} may be a stack of pages, m-by-n-by-N, all solved in one call, as by MATLAB's
## @code{pagesvd}: then @var{s} is k-by-1-by-N, and @var{U}, @var{S} and @var{V} have
## N pages; with more dimensions accordingly.  @var{A} may be sparse, logical or of an integer
## class.  Single in gives single out; everything else is computed in double precision.
##
## @strong{Options}
##
## @table @asis
## @item "econ"
## See above.
##
## @item "vector", "matrix"
## The form of the singular values: by default a vector if they are the only output.
##
## @item "Index": [il iu]
## Only the singular values with these numbers, and their vectors; those of
## @qcode{[1 k]} are the @var{k} largest.
##
## @item "Accuracy": "normal" (default), "high"
## @qcode{"high"}: of a matrix @code{B*D}, D diagonal, every singular value has a relative
## error of about @code{n * eps * cond (B)}, however small it is.  A GPU solves small pages only.
##
## @item "Method": "auto" (default), "jacobi", "gesdd", "gram"
## @qcode{"jacobi"} is one-sided Jacobi, for small pages; larger ones are solved on the CPU by
## LAPACK's @code{gejsv}.  @qcode{"gram"}, on a GPU, is for larger pages, see the algorithms
## below.  @qcode{"gesdd"}, on the CPU, is LAPACK's divide and conquer, and for large or tall
## pages of moderate condition the algorithm of @qcode{"gram"}.  @qcode{"auto"} chooses by
## measured times.
##
## @item "Backend": "auto" (default), "cpu", "cuda"
## @itemx "Device": integer from 0, vector of integers, "all"
## @itemx "Display": "off" (default), "iter"
## As for all functions, see @code{gpu_eig}.
## @end table
##
## @strong{Outputs}
##
## @var{info} is a struct: @code{backend}, @code{device}, @code{method}
## (@qcode{"jacobi"}, @qcode{"gesdd"} or @qcode{"gram"}), @code{converged}, @code{fallback} (empty, or the
## LAPACK routine that solved pages on which the method failed), @code{sweeps} (of small
## pages by @qcode{"jacobi"}, else 0), @code{off} (empty), @code{time} with @code{total},
## @code{transfer} and @code{solve} in seconds, and @code{memory} as for @code{gpu_eig}.
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
## Small pages: the columns are rotated until they are orthogonal; their lengths are the
## singular values.  Each SIMD lane has a page of its own, on a GPU each thread, or each block.
## On the CPU the columns of @code{A*W} are rotated, @code{W} the eigenvectors of @code{A'*A}.
## For high accuracy, of columns or rows whose lengths differ by more than @code{gejsv} can take,
## those of the triangular factor are rotated, each with an exponent of its own.
##
## @qcode{"gram"}: with the eigenvectors @code{W} of @code{A'*A} those columns of @code{A*W}
## are orthogonal that are not much shorter than the longest; the others are made orthogonal
## to them and are the matrix of the next level, a small one as a rule.  Of the pages of a
## stack, from order 24 on, all pairs of columns are rotated at a time by small angles then.
##
## References: M. R. Hestenes, J. SIAM 6 (1958) 51--90; Z. Drmac, K. Veselic,
## SIAM J. Matrix Anal. Appl. 29 (2008) 1322--1342.
##
## @strong{Accuracy}: @code{norm (A - U*S*V', 1) / norm (A, 1)},
## @code{norm (U'*U - I, 1)} and @code{norm (V'*V - I, 1)} stay below
## @code{10 * max (size (A)) * eps}, the errors of singular values below that times the
## largest.  Results of LAPACK, and of @qcode{"gram"} one page at a time, are verified before
## they are returned.
##
## @seealso{svd, gpu_eig, gpu_info}
## @end deftypefn

function [U, S, V, info] = gpu_svd (varargin)

  [failed, U, S, V, info] = __gpueig__ ("svd", nargout, varargin{:});
  if (failed)
    if (failed < 0)
      print_usage ();
    endif
    __gpueig_raise__ ("gpu_svd");
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
%!error id=gpueig:bad-option gpu_svd (1, 1)
%!error id=gpueig:bad-option gpu_svd (1, "x")
%!error id=gpueig:bad-option gpu_svd (1, "Index", [1 2])
%!error id=gpueig:bad-option gpu_svd (1, "Method", "gesvd")
%!error id=gpueig:bad-option gpu_svd (1, "Method", "gesdd", "Accuracy", "high")
%!error id=gpueig:bad-option gpu_svd (1, "Backend", "tpu")
