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
## @deftypefn  {} {@var{d} =} gpu_eigs (@var{A})
## @deftypefnx {} {@var{d} =} gpu_eigs (@var{A}, @var{k}, @var{sigma}, @var{opts})
## @deftypefnx {} {@var{d} =} gpu_eigs (@var{A}, @var{B}, @var{k}, @var{sigma}, @var{opts})
## @deftypefnx {} {@var{d} =} gpu_eigs (@var{fcn}, @var{n}, @dots{})
## @deftypefnx {} {[@var{V}, @var{D}, @var{flag}] =} gpu_eigs (@dots{})
## A few eigenvalues and eigenvectors of a large matrix, as by @code{eigs}, with all copies of
## multiple eigenvalues.
##
## @example
## @group
## gpu_eigs (gallery ("poisson", 30), 3)
##   @result{} [7.979477; 7.948799; 7.948799]
## @end group
## @end example
##
## @var{A} is a full or sparse square matrix, or one in a @code{gpu_array}, for which @code{eigs} is this
## function.  With a Hermitian positive definite @var{B} the problem is @code{A*v = d*B*v}.  The
## @var{k} eigenvalues (default: 6) that @var{sigma} names are returned:
##
## @table @asis
## @item "lm" (default), "sm", a number
## of largest and smallest magnitude, closest to the number
## @item "la", "sa", "be"
## largest, smallest, from both ends; one more of the large ones if @var{k} is odd; Hermitian
## problems only
## @item "lr", "sr", "li", "si"
## of largest and smallest real and imaginary parts; general problems only (of a real one
## of the magnitude of the imaginary part)
## @end table
##
## MATLAB's words, as @qcode{"largestabs"}, are accepted as well.
##
## @code{@var{fcn} (x)} returns @code{A * x}; if @var{sigma} is @qcode{"sm"} or a number,
## @code{(A - sigma*B) \ x}.  It gets a column, of a @code{gpu_array} if there is a GPU and @var{n} is 5000
## or more.
##
## The fields of the struct @var{opts} are those of @code{eigs}: @code{tol} (default: @code{eps}),
## @code{maxit} (restarts, default: 1000; with a polynomial of degree @var{d} each counts as @code{d / 20}), @code{p} (columns of the basis, default:
## @code{max (2*k, k+40)}, fewer for ARPACK), @code{v0} (first vector; if it is an array, so are the results of
## functions), @code{issym} and @code{isreal} (of functions, default: false and true),
## @code{cholB}, @code{permB}; @code{disp} has no effect.
##
## @strong{Outputs}
##
## The columns of @var{V} have norm 1 or, of Hermitian problems with @var{B}, @code{V'*B*V} is the
## identity; @var{D} is diagonal.  Eigenvalues are in the order of @code{eigs}: those of Hermitian
## problems descending, from @qcode{"sa"} and @qcode{"be"} ascending, from @qcode{"lm"} by magnitude;
## others beginning with those named by @var{sigma}.  What has not converged is NaN; then
## @var{flag} is 1, or there is the warning @code{gpueig:no-convergence} if it is not asked for.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square}, @code{gpueig:wrong-type},
## @code{gpueig:nonfinite}, @code{gpueig:bad-option}, @code{gpueig:bad-argument},
## @code{gpueig:not-definite}.
##
## @strong{Algorithms}
##
## A small matrix, many eigenvalues, and of a matrix up to order 4000 @qcode{"si"} and those that do not
## converge in 100 restarts are a matter of @code{gpu_eig}.  Of larger ones @qcode{"si"} may return others
## than the closest to the real axis.  Otherwise: ARPACK, which @code{eigs} calls, for inverses of real symmetric
## problems of double precision without a GPU; thick-restart
## Lanczos with full reorthogonalization for the other ones, and what ARPACK leaves or misses, where many
## restarts are to come, because the wanted eigenvalues are close together, with a Chebyshev polynomial of
## the operator, whose interval and degree follow from the Ritz values;
## for general problems Krylov--Schur with
## @code{gpu_schur} and @code{gpu_ordschur}; with locking.  After the last eigenvalue has
## converged, iterations from random vectors orthogonal to all found ones show
## whether copies are missing.  For @qcode{"sm"} and numbers the matrix is factored once, a
## sparse one by Octave in host memory.  If there is a GPU, a matrix of order 5000 or more, and the
## vectors, are moved there.  The first random vectors are the same in each call.
##
## References: K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602--616; G. W. Stewart, SIAM J.
## Matrix Anal. Appl. 23 (2001) 601--614; H. R. Fang, Y. Saad, SIAM J. Sci. Comput. 34 (2012) A2220--A2246.
##
## @strong{Accuracy}: @code{norm (A*v - d*B*v)} is verified to be at most
## @code{max (tol, 200*eps) * (norm (A, 1) + abs (d) * norm (B, 1)) * norm (v)}; otherwise
## @var{flag} is 1.
##
## @seealso{eigs, gpu_svds, gpu_eig, gpu_array}
## @end deftypefn

function varargout = gpu_eigs (varargin)

  if (nargin < 1 || nargout > 3)
    print_usage ();
  endif
  [P, k] = __eigs_arguments__ (varargin{:});
  ## A matrix of which all eigenvalues can be computed is not iterated for long.
  has_other_way = isempty (P.maxit) && P.n <= 4000 && ! is_function_handle (P.A);
  if (isempty (P.maxit))
    P.maxit = merge (has_other_way, 100, 1000);
  endif
  ## Eigenvalues next to the real axis are inside of the spectrum: there is no iteration to them.
  is_inside = strcmp (P.sigma, "si") && P.is_real && P.n <= 4000;
  if (P.n <= 300 || 3 * k > P.n || (is_inside && ! is_function_handle (P.A)))
    [d, V] = by_dense_solver (P, k, nargout > 1);
    is_good = true (k, 1);
  elseif (strcmp (P.sigma, "be"))
    [P.sigma, half] = deal ("la", ceil (k / 2));
    [d, V, is_good, Y] = by_iteration (P, half);
    if (k > half)
      P.sigma = "sa";
      [d2, V2, good2] = by_iteration (P, k - half, Y);
      d = [d; d2];
      V = [V, V2];
      is_good = [is_good; good2];
    endif
    P.sigma = "be";
  else
    [d, V, is_good] = by_iteration (P, k);
  endif
  if (has_other_way && ! (numel (d) == k && all (is_good)))
    [d, V] = by_dense_solver (P, k, nargout > 1);
    is_good = true (k, 1);
  endif

  at = in_order (d, P);
  at = at(1:min (k, numel (d)));
  d = d(at) * P.unit;
  found = numel (d);
  flag = ! (found == k && all (is_good(at)));
  if (flag && nargout < 3)
    warning ("gpueig:no-convergence", "gpu_eigs: only %d of the %d requested eigenvalues converged", sum (is_good(at)), k);
  endif
  d(end+1:k,1) = NaN;
  if (nargout < 2)
    varargout{1} = P.result (d);
    return;
  endif
  V = V(:,at);
  if (P.symmetric && ! isempty (P.B))
    V *= P.length;
  endif
  if (found < k)
    V = [V, NaN(P.n, k - found, "like", V)];
  endif
  d = P.result (d);
  varargout = {P.result(V), diag(d), double(flag)};

endfunction

## The eigenvalues D in the order of eigs: indices.
function at = in_order (d, P)
  switch (P.sigma)
    case "lm"
      [~, at] = sort (abs (d), "descend");
    case {"la", "lr"}
      [~, at] = sort (real (d), "descend");
    case {"sa", "be", "sr"}
      [~, at] = sort (real (d));
    case {"li", "si"}
      [~, at] = sort (merit_of (P) (d), "descend");
    otherwise
      if (P.symmetric && P.is_real)
        [~, at] = sort (d, "descend");
      else
        [~, at] = sort (abs (d - P.center));
      endif
  endswitch
endfunction

## A function of eigenvalues D of the pair, or of those of the operator that is iterated.
function f = merit_of (P)
  switch (P.sigma)
    case "la"
      f = @(d) d;
    case "sa"
      f = @(d) -d;
    case "lr"
      f = @(d) real (d);
    case "sr"
      f = @(d) -real (d);
    case "li"
      f = @(d) imag (d);
      if (P.is_real), f = @(d) abs (imag (d)); endif
    case "si"
      f = @(d) -imag (d);
      if (P.is_real), f = @(d) -abs (imag (d)); endif
    otherwise
      f = @(d) abs (d);
  endswitch
endfunction

## All eigenvalues, by gpu_eig, and the K of them.
function [d, V] = by_dense_solver (P, k, needs_vectors)
  V = [];
  is_function = is_function_handle (P.A);
  if (is_function)
    P.tol = Inf;
    P = __eigs_problem__ (P);
    x = eye (P.n, underlyingType (P.like));
    if (isobject (P.like)), x = __in_array__ (x, P.like); endif
    A = P.op (x);
    args = {A};
    if (P.symmetric), args = {(A + A') / 2}; endif
  else
    args = {full(P.A)};
    if (! isempty (P.B))
      args{2} = full (P.B);
      if (P.has_factor)
        args{2} = args{2}' * args{2};
        args{2}(P.permutation,P.permutation) = args{2};
      endif
      args = cellfun (@gather, args, "UniformOutput", false);
    endif
  endif
  if (needs_vectors)
    [V, d] = gpu_eig (args{:}, "vector");
  else
    d = gpu_eig (args{:}, "vector");
  endif
  d = gather (d);
  if (is_function)
    d = P.value (d);
    if (needs_vectors), V = P.back (V); endif
  endif
  if (strcmp (P.sigma, "be"))
    [~, at] = sort (d);
    at = at([1:floor(k/2), end-ceil(k/2)+1:end]);
  elseif (isnumeric (P.sigma))
    [~, at] = sort (abs (d - P.center));
    at = at(1:k);
  else
    [~, at] = sort (merit_of (P) (d), "descend");
    at = at(1:k);
  endif
  d = d(at);
  if (needs_vectors)
    V = V(:,at);
    if (! P.symmetric || isempty (P.B))
      V = V ./ sqrt (sumsq (V, 1));
    endif
  endif
endfunction

## The K best eigenvalues, or fewer, their vectors, which have small residuals, and the vectors Y
## of the operator that was iterated; none of those in KNOWN, whose eigenvalues are the largest.
function [d, V, is_good, Y] = by_iteration (P, k, known)
  P = __eigs_problem__ (P);
  if (nargin > 2 && ! isempty (known))
    op = P.op;
    lift = norm (gather (known' * op (known)));
    lift += lift == 0;
    P.op = @(x) op (x) + known * (lift * __h_times__ (known, x));
    P.shifted = [];
  endif
  P.k = k;
  P.tol = max (P.tol, 10 * eps (underlyingType (P.like)));
  P.has_p = ! isempty (P.p);
  P.p = min (max ([P.p, k + 3, merge(isempty (P.p), max (2 * k, k + 40), 0)]), P.n - 3);
  P.merit = merit_of (P);
  x = P.v0;
  if (isempty (x) || ! any (gather (x))), x = __random_block__ (P.n, 1, P.like, 0); endif
  if (! isobject (x)), x = cast (x, underlyingType (P.like)); endif
  x = x + 0 * P.like;
  [V, T] = deal (x(:,[]), []);
  if (! P.is_singular)
    [V, T] = __krylov__ (P.op, x, P);
  endif
  if (isempty (T))
    [d, is_good, Y] = deal (zeros (0, 1), false (0, 1), V);
    return;
  endif
  if (P.symmetric)
    nu = real (diag (T));
  else
    [X, nu] = eig (T, "vector");
    V = V * X;
  endif
  [V, nu, errors] = __refined__ (P.op, V, nu, P);
  [~, at] = sort (P.merit (nu), "descend");
  at = at(1:min (k, end));
  [V, nu, errors] = deal (V(:,at), nu(at), errors(at));
  kept = errors <= 1e5;
  is_good = errors(kept) <= 1;
  d = P.value (nu(kept));
  Y = V = V(:,kept);
  if (! isempty (P.B))
    V = P.back (V);
  endif
  if (! P.symmetric)
    V = V ./ sqrt (sumsq (abs (V), 1));
  endif
endfunction

## Forms, order and results as of eigs.
%!shared P, M, e, R, q
%! P = gallery ("poisson", 19);
%! M = kron (gallery ("tridiag", 19, 1, 4, 1), gallery ("tridiag", 19, 1, 4, 1)) / 36;
%! e = sort (eig (P));
%! [R, ~, q] = chol (M, "vector");
%!test
%! assert (gpu_eigs (P), e(end:-1:end-5), 1e-13);
%! assert (gpu_eigs (P, 4, "SM"), e(4:-1:1), 1e-13);
%! assert (gpu_eigs (P, 4, "la"), e(end:-1:end-3), 1e-13);
%! assert (gpu_eigs (P, 4, "sa"), e(1:4), 1e-13);
%! assert (gpu_eigs (P, 5, "be"), e([1, 2, end-2, end-1, end]), 1e-13);
%! assert (gpu_eigs (P, 1, "be"), e(end), 1e-13);
%! assert (abs (gpu_eigs (P - 4 * speye (361), 4)), [e(end); e(end); e(end-1); e(end-1)] - 4, 1e-13);
%! assert (gpu_eigs (P, [], 3, 4.05), gpu_eigs (full (P), 3, 4.05), 1e-13);
%! assert (gpu_eigs (P, 3, "smallestreal"), e(1:3), 1e-13);
%! [V, D, flag] = gpu_eigs (P, 5, "sm");
%! assert ({flag, isdiag(D), size(V)}, {0, true, [361, 5]});
%! assert (P * V, V * D, 1e-13);
%! assert (V' * V, eye (5), 1e-13);
%! assert (gpu_eigs (P, 3), gpu_eigs (P, 3));  # bits
%!test
%! opts = struct ("cholB", true, "permB", q);
%! f = sort (eig (full (P), full (M)));
%! for type = {@sparse, @full, @(x) gpu_array (x), @(x) gpu_array (full (x))}
%!   A = type{1} (P);
%!   for B = {M, full(M)}
%!     for sigma = {"lm", "sm"}
%!       [V, D, flag] = gpu_eigs (A, B{1}, 4, sigma{1});
%!       [V, D] = gather (V, D);
%!       want = {f(end:-1:end-3), f(4:-1:1)}{1 + strcmp(sigma{1}, "sm")};
%!       assert (flag, 0);
%!       assert (diag (D), want, 1e-12 * f(end));
%!       assert (V' * M * V, eye (4), 1e-12);
%!       assert (norm (P * V - M * V * D) <= 1e-12 * f(end));
%!       assert (gather (gpu_eigs (A, R, 4, sigma{1}, opts)), want, 1e-12 * f(end));
%!     endfor
%!   endfor
%! endfor
%!test
%! opts = struct ("issym", true, "v0", ones (361, 1));
%! assert (gpu_eigs (@(x) P * x, 361, 3, "la", opts), e(end:-1:end-2), 1e-13);
%! assert (gpu_eigs (@(x) P \ x, 361, 3, "sm", opts), e(3:-1:1), 1e-12);
%! d = gpu_eigs (@(x) (P - 2 * M) \ x, 361, M, 3, 2, opts);
%! assert (d, gpu_eigs (P, M, 3, 2), 1e-10);
%! assert (gpu_eigs (@(x) P * x, 361, M, 3, "lm", opts), gpu_eigs (P, M, 3), 1e-10);
%! opts.v0 = gpu_array (opts.v0);
%! assert (isgpuarray (gpu_eigs (@(x) gpu_array (P) * x, 361, 3, "la", opts)));
%! opts.v0 = single (1:361);
%! assert (gpu_eigs (P, 3, "la", opts), e(end:-1:end-2), 1e-13);
%! f = @(x) P * x + 0 * gpu_eigs (P, 1);  # ARPACK cannot be called while it runs
%! assert (gpu_eigs (f, 361, 2, "la", opts), e(end:-1:end-1), 1e-13);
%! assert (gpu_eigs (@(x) [2; 3] .* x, 2, 1), 3, 4*eps);
%! H = P + 1i * gallery ("tridiag", 361, -1, 0, 1);
%! opts = struct ("issym", true, "isreal", false);
%! assert (gpu_eigs (@(x) H * x, 361, 3, "lm", opts), gpu_eig (H)(end:-1:end-2), 1e-12);
%! T = gallery ("tridiag", 361, -2, 5, 1);
%! [V, D] = gpu_eigs (@(x) T * x, 361, 2, "li");
%! assert (norm (T * V - V * D) < 1e-10);
%! d = gpu_eigs (@(x) P * x, 361, 360, "lm", struct ("issym", true));
%! assert (d, e(end:-1:2), 1e-12);
%! opts.v0 = ones (30, 1);
%! H = H(1:30,1:30);
%! U = triu (full (H)) + diag (10 * (1:30));  # the first results are real
%! for place = {@(x) x, @(x) gpu_array(x)}
%!   f = @(x) place{1}(U) * x;
%!   assert (gather (gpu_eigs (f, 30, 3, "lm", struct ("isreal", false))), diag (U)(30:-1:28), 1e-11);
%! endfor
%! for opts = {opts, setfield(opts, "issym", false), setfield(opts, "v0", gpu_array (opts.v0))}
%!   d = gather (gpu_eigs (@(x) H * x, 30, 3, "lm", opts{1}));
%!   assert (d, gpu_eig (H)(end:-1:end-2), 1e-12);
%! endfor
%!test
%! opts = struct ("maxit", 1, "p", 9);
%! [V, D, flag] = gpu_eigs (P, 6, "lm", opts);
%! assert ({flag, all(isnan (diag (D))), size(V)}, {1, true, [361, 6]});
%!warning id=gpueig:no-convergence gpu_eigs (P, 6, "lm", struct ("maxit", 1, "p", 9));
%!test
%! A = gpu_array (single (full (P)));
%! [V, D] = gpu_eigs (A, 3);
%! assert (underlyingType (V), "single");
%! assert (gather (diag (D)), single (e(end:-1:end-2)), 1e-5);
%! assert (gather (eigs (gpu_array (P), 3, "sm")), e(3:-1:1), 1e-12);
%! assert (gpu_eigs (5), 5);
%! assert (gpu_eigs (sparse (400, 400), 2, 0), [0; 0]);

%!demo
%! ## The lowest frequencies of a square membrane: the second one is double.
%! A = 41^2 * gallery ("poisson", 40);
%! frequencies = sqrt (gpu_eigs (A, 4, "sm"))

%!error <Invalid call> gpu_eigs ()
%!error <Invalid call> gpu_eigs (@sin)
%!error id=gpueig:wrong-type gpu_eigs ({1})
%!error id=gpueig:not-square gpu_eigs (ones (2, 3))
%!error id=gpueig:nonfinite gpu_eigs ([1 NaN; 1 1])
%!error id=gpueig:bad-option gpu_eigs (eye (3), 4)
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1.5)
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, "xx")
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, "lr")
%!error id=gpueig:bad-option gpu_eigs ([1 2; 3 4], 1, "la")
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, Inf)
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, "lm", struct ("tol", -1))
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, "lm", struct ("loud", 1))
%!error id=gpueig:bad-option gpu_eigs (eye (3), 1, "lm", 3)
%!error id=gpueig:bad-argument gpu_eigs (@sin, "a")
%!error id=gpueig:not-definite gpu_eigs (speye (400), -speye (400), 2)
%!error id=gpueig:not-definite gpu_eigs (eye (2), [1 2; 3 4], 1)
