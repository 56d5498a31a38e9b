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
## @deftypefn  {} {[@var{U2}, @var{S2}] =} gpu_ordschur (@var{U}, @var{S}, @var{select})
## @deftypefnx {} {[@var{U2}, @var{S2}] =} gpu_ordschur (@var{U}, @var{S}, "lhp" | "rhp" | "udi" | "udo")
## @deftypefnx {} {[@var{U2}, @var{S2}, @var{info}] =} gpu_ordschur (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_ordschur (@dots{}, @var{name}, @var{value}, @dots{})
## Reorder the eigenvalues of a Schur form, or of each page of a stack.
##
## @example
## @group
## ## The second eigenvalue, 3, comes first; U(:,1) is its eigenvector.
## A = [1 2; 0 3];
## [U, S] = gpu_ordschur (eye (2), A, [false true], "Backend", "cpu");
## abs (U(:,1))
##   @result{} [0.7071; 0.7071]
## @end group
## @end example
##
## @var{U} and @var{S} are as from @code{gpu_schur} or @code{schur}:
## @code{@var{A} = @var{U}*@var{S}*@var{U}'}.  Then also
## @code{@var{A} = @var{U2}*@var{S2}*@var{U2}'}, with the selected eigenvalues at the
## top of @var{S2}; the first columns of @var{U2} span their invariant subspace.
##
## @var{select} has one element per eigenvalue, in the order of the diagonal of @var{S}:
##
## @itemize
## @item
## logical: the eigenvalues with true come first;
##
## @item
## whole numbers: clusters, of which that with the largest number comes first (as in MATLAB;
## Octave's @code{ordschur} selects all numbers but 0).
## @end itemize
##
## Within a cluster the order does not change.  A 2-by-2 block of a real @var{S} moves as a
## whole, if one of its eigenvalues is selected.  For a stack, n-by-n-by-N, @var{select} is
## n-by-1-by-N, or a vector for all pages; with more dimensions, n-by-n-by-N-by-M,
## accordingly.  The words name regions: the left
## or right half-plane, the inside or outside of the unit circle.
##
## @strong{Options}
##
## @table @asis
## @item "Method": "auto" (default)
## Windows on the diagonal, in which LAPACK's @code{trsen} exchanges eigenvalues on the CPU;
## the rest of the matrix is multiplied by the accumulated exchanges, on the GPU where one is
## used.
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
## @code{Octave:invalid-fun-call}, @code{gpueig:not-square},
## @code{gpueig:bad-length} (sizes that do not fit), @code{gpueig:bad-argument}
## (@var{S} is not a Schur form), @code{gpueig:nonfinite},
## @code{gpueig:wrong-type}, @code{gpueig:bad-option}, @code{gpueig:no-device},
## @code{gpueig:solver-failed}, @code{gpueig:out-of-memory}, @code{gpueig:device-error};
## warning @code{gpueig:device-lost}.
##
## @strong{Algorithms}
##
## Each eigenvalue moves once, in groups, through windows, by unitary exchanges.
##
## References: D. Kressner, ACM Trans. Math. Softw. 32 (2006) 521--532;
## Z. Bai, J. W. Demmel, Linear Algebra Appl. 186 (1993) 73--95.
##
## @strong{Accuracy}: @code{norm (A*U2 - U2*S2, 1)} stays below
## @code{20 * n * eps * norm (A, 1)}, and the eigenvalues change by rounding errors; a
## 2-by-2 block may become two real eigenvalues.  Two eigenvalues that are equal to working
## precision cannot always be exchanged: the error @code{gpueig:solver-failed}.
##
## @seealso{gpu_schur, ordschur, schur, gpu_info}
## @end deftypefn

function [U, S, info] = gpu_ordschur (varargin)

  [failed, U, S, info] = __gpueig__ ("ordschur", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_ordschur");
  endif

endfunction

%!function check_order (U, S, U2, S2, select)
%!  n = rows (S);
%!  unit = 20 * n * eps (class (S2));
%!  A = U * S * U';
%!  assert (norm (A*U2 - U2*S2, 1) <= unit * norm (S, 1));
%!  assert (norm (U2'*U2 - eye (n), 1) <= unit);
%!  assert (tril (S2, -2), zeros (n, class (S2)));
%!  ## Eigenvalue by eigenvalue: those of a cluster, largest cluster first.
%!  ## Both of a block move with one of them.
%!  at = block_rows (S);
%!  select = double (select(:));
%!  select(at) = select(at+1) = max (select(at), select(at+1));
%!  [~, order] = sort (-select);
%!  before = ordeig (S)(order);
%!  after = ordeig (S2);
%!  close = sqrt (eps (class (S2))) * norm (S, 1);
%!  for k = unique (select)'
%!    in = select(order) == k;
%!    x = sort (real (before(in)));  y = sort (real (after(in)));
%!    assert (y, x, close);
%!  endfor
%!endfunction

%!function at = block_rows (S)
%!  [i, at] = find (tril (S, -1));  # one element for each 2-by-2 block
%!  at = at(:).';
%!endfunction

%!function lambda = ordeig (S)
%!  lambda = complex (diag (S));
%!  if (isreal (S))
%!    for i = block_rows (S)
%!      lambda(i:i+1) = eig (S(i:i+1,i:i+1));
%!    endfor
%!  endif
%!endfunction

## Random selections and clusters, below and above one window.
%!test
%! for n = [1 2 3 9 40 97 250]
%!   A = reshape (sin ((1:n*n) .^ 2), n, n);
%!   for type = {"double", "single"}
%!     for form = {"real", "complex"}
%!       [U, S] = gpu_schur (cast (A, type{1}), form{1});
%!       for select = {rand(n, 1) > 0.5, floor(4 * rand (n, 1)), (1:n)', true(n, 1)}
%!         [U2, S2] = gpu_ordschur (U, S, select{1});
%!         assert (class (S2), type{1});
%!         check_order (U, S, U2, S2, select{1});
%!       endfor
%!     endfor
%!   endfor
%! endfor

## As Octave's ordschur.
%!testif ; exist ("ordschur")
%! n = 20;
%! [U, S] = schur (reshape (cos ((1:n*n) .^ 2), n, n) + 1i * reshape (sin ((1:n*n) .^ 3), n, n));
%! select = mod (1:n, 3) == 1;
%! [U1, S1] = ordschur (U, S, select);
%! [U2, S2] = gpu_ordschur (U, S, select);
%! assert (diag (S2), diag (S1), 1e-12 * norm (S));

## Stacks: a vector for all pages, or one for each; regions.
%!test
%! n = 12;
%! A = reshape (cos ((1:3*n*n) .^ 2), n, n, 3);
%! [U, S] = gpu_schur (A);
%! select = rand (n, 1, 3) > 0.4;
%! [U2, S2] = gpu_ordschur (U, S, select);
%! [U3, S3] = gpu_ordschur (U, S, select(:,:,1));
%! for p = 1:3
%!   [u, s] = gpu_ordschur (U(:,:,p), S(:,:,p), select(:,:,p));
%!   assert ({U2(:,:,p), S2(:,:,p)}, {u, s});
%!   [u, s, info] = gpu_ordschur (U(:,:,p), S(:,:,p), select(:,:,1));
%!   assert ({U3(:,:,p), S3(:,:,p)}, {u, s});
%!   assert (info.method, "auto");
%! endfor
%! [U2, S2] = gpu_ordschur (U, S, "lhp");
%! [U3, S3] = gpu_schur (A, "lhp");
%! assert ({U2, S2}, {U3, S3});

## Real vectors with a complex form, empty input, nothing to do.
%!test
%! [U, S] = gpu_ordschur (eye (3), [1 2i 3; 0 2 1; 0 0 3], [3 2 1]);
%! assert (diag (S), complex ([1; 2; 3]), 4*eps);
%! [U, S] = gpu_ordschur ([], [], []);
%! assert ({U, S}, {[], []});
%! ## Those of a cluster keep their order; one that is there already changes no bit.
%! S = triu (1i + sin ((1:9)' * (1:9))) + diag (1:9);
%! select = [1 3 1 2 3 2 1 1 3];
%! [~, order] = sort (-select);
%! [U, S2] = gpu_ordschur (eye (9), S, select);
%! assert (diag (S2), diag (S)(order), 1e-12);
%! [U2, S] = gpu_ordschur (U, S2, sort (select, "descend"));
%! assert ({U2, S}, {U, S2});
%! ## Subnormal numbers.
%! for e = [-1074 + [1, 4, 10, 60], 1000, -149 + [1, 4, 10]]
%!   type = {"double", "single"}{1 + (abs (e) < 200)};
%!   for k = 0:20
%!     n = 2 + mod (k, 7);
%!     A = round (2 * cos (((1:n)' .^ 2 + k) * (1:n) + e));
%!     [U, S] = gpu_schur (cast (A * 2 ^ e, type), "lhp");
%!     [U, S] = gpu_ordschur (U, S, "rhp");
%!     S = double (S) * 2 ^ floor (-e / 2) * 2 ^ ceil (-e / 2);
%!     least = {2 ^ (-1074 - e), 2 ^ (-149 - e)}{1 + (abs (e) < 200)};
%!     assert (norm (A * double (U) - double (U) * S, 1) <= 100 * norm (A, 1) * (eps (type) + least));
%!   endfor
%! endfor
%! [U, S] = gpu_ordschur (eye (2), [1 2; -2 1], [0 1]);
%! assert (S, [1 2; -2 1]);

%!demo
%! ## The eigenvalues of modulus below 10 come first.
%! [U, S] = gpu_schur (magic (4), "complex");
%! before = diag (S)
%! [U, S] = gpu_ordschur (U, S, abs (before) < 10);
%! after = diag (S)
%! residual = norm (magic (4) - U*S*U')

%!error <Invalid call> gpu_ordschur ()
%!error <Invalid call> gpu_ordschur (1, 1)
%!error id=gpueig:not-square gpu_ordschur (1, [1 2], true)
%!error id=gpueig:bad-length gpu_ordschur (1, eye (2), true)
%!error id=gpueig:bad-length gpu_ordschur (eye (2), eye (2), true)
%!error id=gpueig:bad-argument gpu_ordschur (eye (2), [1 2; 3 4], [true false])
%!error id=gpueig:bad-argument gpu_ordschur (eye (3), [1 2 0; -2 1 2; 0 -2 1], 1:3)
%!error id=gpueig:nonfinite gpu_ordschur (eye (2), [NaN 0; 0 1], [true false])
%!error id=gpueig:nonfinite gpu_ordschur ([Inf 0; 0 1], eye (2), [true false])
%!error id=gpueig:wrong-type gpu_ordschur ({1}, 1, 1)
%!error id=gpueig:wrong-type gpu_ordschur (1, 1, {1})
%!error id=gpueig:bad-option gpu_ordschur (1, 1, 1.5)
%!error id=gpueig:bad-option gpu_ordschur (1, 1, "left")
%!error id=gpueig:bad-option gpu_ordschur (1, 1, "Display", "off")
%!error id=gpueig:bad-option gpu_ordschur (1, 1, 1, "Backend", "tpu")
