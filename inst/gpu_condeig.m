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
## @deftypefn  {} {@var{c} =} gpu_condeig (@var{A})
## @deftypefnx {} {[@var{V}, @var{D}, @var{c}] =} gpu_condeig (@var{A})
## Condition numbers of the eigenvalues of a square matrix, or of each page of a stack, as by
## @code{condeig}.
##
## @example
## @group
## gpu_condeig ([1, 1000; 0, 2])
##   @result{} [1000; 1000]
## @end group
## @end example
##
## An error E of @var{A} changes an eigenvalue by at most @code{c * norm (E)}, to first order.
## @var{A} is a full array or a @code{gpu_array}, n-by-n-by-N; @var{c} is n-by-1-by-N, in the order of
## the eigenvectors @var{V} and eigenvalues @var{D}, which are those of @code{gpu_eig}.  Multiple
## eigenvalues with too few eigenvectors have large condition numbers or Inf.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type}, and those of @code{gpu_eig}.
##
## @strong{Algorithms}
##
## @code{c = 1 / abs (w' * v)} with right and left eigenvectors v and w of norm 1 by
## @code{gpu_eig}.
##
## Reference: J. H. Wilkinson, The Algebraic Eigenvalue Problem, 1965, chapter 2.
##
## @seealso{condeig, gpu_eig}
## @end deftypefn

function varargout = gpu_condeig (A)

  if (nargin != 1 || nargout > 3)
    print_usage ();
  elseif (! (isnumeric (A) || islogical (A)) || issparse (A))
    error ("gpueig:wrong-type", "gpu_condeig: A must be a full array of numbers");
  endif
  [V, D, W] = gpu_eig (A);
  if (isempty (V))
    c = gpu_eig (A);    # empty, with the size of the condition numbers
  else
    dims = size (V);
    lengths = sqrt (sumsq (abs (V), 1) .* sumsq (abs (W), 1));
    c = max (lengths ./ abs (sum (conj (W) .* V, 1)), 1);
    c = reshape (c, [dims(2), 1, dims(3:end)]);
  endif
  varargout = {V, D, c};
  if (nargout < 2)
    varargout = {c};
  endif

endfunction

## Rows of the inverse of V are left eigenvectors.
%!test
%! A = reshape (sin ((1:150) .^ 2), 5, 5, 3, 2);
%! A(:,:,2) += A(:,:,2)';
%! A(:,:,4) = triu (A(:,:,4)) + 3 * diag (ones (4, 1), 1);
%! for type = {@double, @single, @(x) complex(x, 2 * x), @(x) gpu_array(x)}
%!   B = type{1} (A);
%!   [V, D, c] = gpu_condeig (B);
%!   assert (isobject (c), isobject (B));
%!   assert (gather (gpu_condeig (B)), gather (c));
%!   [B, V, D, c] = gather (B, V, D, c);
%!   assert (size (c), [5, 1, 3, 2]);
%!   unit = eps (class (c));
%!   for p = 1:6
%!     v = V(:,:,p);
%!     want = sqrt (sumsq (abs (inv (v)), 2)) .* sqrt (sumsq (abs (v), 1))';
%!     assert (c(:,:,p), want, -1e3 * unit * max (want));
%!     assert (norm (double (B(:,:,p)) * v - v * D(:,:,p)) <= 1e2 * unit * norm (double (B(:,:,p))));
%!   endfor
%! endfor
%! assert (c(:,:,2), ones (5, 1), 10 * unit);
%!test
%! assert (gpu_condeig ([1, 1000; 0, 2]), sqrt (1e6 + 1) * [1; 1], -1e-12);
%! A = gallery ("grcar", 8);
%! [V, D, c] = gpu_condeig (A);
%! [~, e, want] = condeig (A);
%! [~, i] = sortrows (round (1e8 * [real(diag (D)), imag(diag (D))]));
%! [~, j] = sortrows (round (1e8 * [real(diag (e)), imag(diag (e))]));
%! assert (c(i), want(j), -1e-11);
%! assert (gpu_condeig (-3), 1);
%! assert (gpu_condeig (int8 ([1, 100; 0, 2])), sqrt (1e4 + 1) * [1; 1], -1e-12);
%! assert (gpu_condeig ([0, 1; 0, 0])(1) > 1e7);
%! assert (size (gpu_condeig (zeros (0, 0, 2))), [0, 1, 2]);
%! assert (size (gpu_condeig (zeros (2, 2, 0))), [2, 1, 0]);
%! assert (gpu_condeig ([]), condeig ([]));
%! assert (gpu_condeig (zeros (3)), ones (3, 1));

%!demo
%! ## The eigenvalues of Grcar's matrix are the less certain the larger it is.
%! n = 4:4:40;
%! semilogy (n, arrayfun (@(n) max (gpu_condeig (gallery ("grcar", n))), n));

%!error <Invalid call> gpu_condeig ()
%!error id=gpueig:wrong-type gpu_condeig ({1})
%!error id=gpueig:wrong-type gpu_condeig (speye (2))
%!error id=gpueig:not-square gpu_condeig (ones (2, 3))
%!error id=gpueig:nonfinite gpu_condeig ([1, NaN; 0, 1])
