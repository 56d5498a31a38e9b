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
## @deftypefn {} {@var{r} =} gpu_roots (@var{C})
## The roots of many polynomials, as by @code{roots}.
##
## @example
## @group
## gpu_roots ([1, 0; -3, 2; 2, -4])
##   @result{} [2, 2; 1, NaN]
## @end group
## @end example
##
## Each column of the array @var{C}, also a @code{gpu_array}, has the coefficients of a polynomial, that
## of the highest power first; the column of @var{r} has the roots.  A polynomial whose first
## coefficients are 0 has fewer roots: NaN fills the column.  Unlike for @code{roots} a row is no
## column: its polynomials are constants.  Single in gives single out, computed in double precision, as by
## @code{roots}.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type}, @code{gpueig:nonfinite}.
##
## @strong{Algorithms}
##
## The eigenvalues of companion matrices, which are balanced, by @code{gpu_eig}.  Zeros at the end are
## roots; the others are computed without them, in groups if sizes differ by more than 1e33.  Polynomials with as many zeros make one stack.  As for
## @code{roots} coefficients at the beginning are 0 if the largest one is too large for their quotient.
##
## @strong{Accuracy}: the roots are those of a polynomial whose coefficients differ by rounding errors,
## if the coefficients have one size; those of roots of very different sizes are as accurate as by
## @code{roots}, or right to rounding errors where their sizes differ by more than 1e33.
##
## @seealso{roots, gpu_eig}
## @end deftypefn

function r = gpu_roots (C)

  if (nargin != 1)
    print_usage ();
  elseif (! (isnumeric (C) || islogical (C)) || issparse (C))
    error ("gpueig:wrong-type", "gpu_roots: C must be a full array of numbers");
  endif
  array = C;
  C = gather (C);
  if (! isfloat (C)), C = double (C); endif
  if (! all (isfinite (C(:))))
    error ("gpueig:nonfinite", "gpu_roots: C has NaN or Inf elements");
  endif
  dims = size (C);
  C = reshape (C, dims(1), []);
  n = max (dims(1) - 1, 0);
  r = NaN (n, columns (C));
  if (n > 0 && ! isempty (C))
    first = first_nonzero (C);
    last = dims(1) + 1 - first_nonzero (flipud (C));
    gap = find_gaps (C, first, last);
    [kinds, ~, kind] = unique ([first', last', gap'], "rows");
    for i = 1:rows (kinds)
      [f, l, k] = num2cell (kinds(i,:)){:};
      at = find (kind == i);
      if (f < l)
        if (k > 0)
          x = [gpu_roots(C(f:k,at)); gpu_roots(C(k:l,at))];
        else
          x = eigenvalues (C(f:l,at), array);
        endif
        r(1:l-f,at) = x;
      endif
      if (f <= l)
        r(l-f+1:dims(1)-f,at) = 0;
      endif
    endfor
  endif
  r = cast (reshape (r, [n, dims(2:end)]), class (C));
  if (isobject (array))
    r = __array__ ("gpu_roots", "put", r, array);
  endif

endfunction

## The first row of each column of C with a number that is not 0, also relative to the largest one;
## one more than C has if there is none.
function at = first_nonzero (C)
  [is, at] = max (C ./ max (abs (C), [], 1) != 0, [], 1);
  at(! is | all (C == 0, 1)) = rows (C) + 1;
endfunction

## For each column 0, or the row K at which it can be divided: the roots of the rows up to K and from K
## on are those of the column up to rounding errors, since the former are larger by about eps^-2.
## FIRST and LAST are rows of numbers that are not 0.
function gap = find_gaps (C, first, last)
  gap = zeros (1, columns (C));
  far = 4 - 2 * log2 (eps (class (C)));
  sizes = log2 (abs (C));
  sizes(! C) = NaN;
  for p = find (max (sizes, [], 1) - min (sizes, [], 1) > far)
    for k = first(p)+1:last(p)-1
      slope = (sizes(:,p) - sizes(k,p)) ./ ((1:rows (C))' - k);
      if (C(k,p) != 0 && min (slope(1:k-1)) > max (slope(k+1:end)) + far)
        gap(p) = k;
        break;
      endif
    endfor
  endfor
endfunction

## The eigenvalues of the companion matrices of the columns of C, of ARRAY's place.
function x = eigenvalues (C, array)
  A = companions (-double (C(2:end,:)) ./ double (C(1,:)));
  if (isobject (array))
    A = __array__ ("gpu_roots", "put", A, array);
  endif
  x = reshape (gather (gpu_eig (A, "vector")), rows (C) - 1, columns (C));
endfunction

## The matrices with the first rows TOP, balanced.  gpu_eig's balancing is without effect where it
## makes residuals large relative to the norm, but then small roots are lost.
function A = companions (top)
  if (! all (isfinite (top(:))))
    error ("gpueig:nonfinite", "gpu_roots: the quotient of two elements of C overflows");
  endif
  [m, pages] = size (top);
  d = exponents (log2 (abs (top)));
  A = zeros (m, m, pages, "like", top);
  A(1,:,:) = top .* 2 .^ (d - d(1,:));
  if (m > 1)
    A(repmat (diag (true (m - 1, 1), -1), [1, 1, pages])) = 2 .^ (d(1:m-1,:) - d(2:m,:));
  endif
endfunction

## Rows divided and columns multiplied by 2^D have norms of about one size.  SIZES: log2 of the
## elements of the first row.
function d = exponents (sizes)
  d = zeros (size (sizes));
  m = rows (d);
  for sweep = 1:100 * (m > 1)
    before = d;
    for i = 1:m
      column = sizes(i,:) + d(i,:) - d(1,:);
      if (i == 1)
        column(:) = -Inf;
        row = max (sizes(2:m,:) + d(2:m,:) - d(1,:), [], 1);
      else
        row = d(i-1,:) - d(i,:);
      endif
      if (i < m)
        column = max (column, d(i,:) - d(i+1,:));
      endif
      e = round ((row - column) / 2);
      e(abs (e) < 2 | ! isfinite (e)) = 0;
      d(i,:) += e;
    endfor
    if (isequal (d, before))
      break;
    endif
  endfor
endfunction

%!test
%! C = reshape (sin ((1:70) .^ 2), 7, 5, 2);
%! C(1,2) = C(1:3,3) = C(7,4) = C(:,5) = 0;
%! C(1:2,1,2) = C(6:7,1,2) = 0;
%! for type = {@double, @single, @(x) complex (x, flip (x)), @(x) gpu_array (x)}
%!   c = type{1} (C);
%!   r = gpu_roots (c);
%!   assert ({isobject(r), size(r)}, {isobject(c), [6, 5, 2]});
%!   [r, c] = gather (r, c);
%!   assert (class (r), class (c));
%!   for p = 1:10
%!     want = roots (c(:,p));
%!     got = r(1:numel (want),p);
%!     assert (all (isnan (r(numel (want)+1:end,p))));
%!     for z = want.'
%!       [distance, at] = min (abs (got - z));
%!       assert (distance <= 1e4 * eps (class (c)) * max (1, abs (z)));
%!       got(at) = NaN;
%!     endfor
%!   endfor
%! endfor
%!test
%! assert (gpu_roots ([1; -3; 2]), [2; 1], 8*eps);
%! assert (size (gpu_roots (zeros (3, 0))), [2, 0]);
%! assert (size (gpu_roots ([1, 2, 3])), [0, 3]);
%! assert (gpu_roots (int8 ([1; 0; 0])), [0; 0]);
%! assert (gpu_roots ([0; 0]), NaN);
%! assert (gpu_roots (single ([1i; 1])), single (1i));
%! assert (gpu_roots ([1e-200, 1e-300; 1, 1e200; 1, 1]), [-1e200, -1e-200; -1, NaN], -8*eps);
## Roots of different sizes: relative errors.
%!test
%! r = [1e12, -1e-30; 1e4, 3; -1e-3, 2e14; 2e-9, -1e-20; 1e-20, 1e-10];
%! C = [poly(r(:,1)); poly(r(:,2))]';
%! for type = {@double, @(x) gpu_array (x)}
%!   x = gather (gpu_roots (type{1} (C)));
%!   assert (sort (real (x)), sort (r), -1e-9);
%! endfor
## Single precision: the roots in double precision, rounded, of sizes far apart.
%!test
%! n = 6;
%! C = single (sin ((1:60*n) .^ 2) .* 10 .^ (6 * cos ((1:60*n) .^ 3)));
%! C = [reshape(C, n, []), [0, 1; 0, -1e4; 0, 1; 1, 0; 3e-3, 0; -1e-9, 0]];
%! for type = {@(x) x, @(x) complex (x, flip (x, 2)), @(x) gpu_array (x)}
%!   c = type{1} (C);
%!   x = gather (gpu_roots (c));
%!   c = gather (c);
%!   assert (class (x), "single");
%!   for p = 1:columns (C)
%!     want = roots (double (c(:,p)));
%!     got = x(1:numel (want),p);
%!     key = @(z) sortrows ([abs(z), arg(z)], [1, 2])(:,1);
%!     assert (key (got), single (key (want)), -4 * eps ("single"));
%!   endfor
%! endfor
## Sizes so far apart that eigenvalues are lost.
%!test
%! C = [1e-300, 1, 1e-300, 1e-200; 1, 1, 1, 1; 1, 1e-250, 1, 1e100; 0, 1e-300, -6, 0];
%! want = [-1e300, -1, -1e300, -1e200; -1, 1e-150i, -3, -1e100; 0, -1e-150i, 2, 0];
%! for type = {@double, @(x) gpu_array (x)}
%!   assert (gather (gpu_roots (type{1} (C))), want, -8*eps);
%! endfor
%! assert (gpu_roots (single ([1e-30; 1; 1; 2e-20])), single ([-1e30; -1; -2e-20]), -8*eps ("single"));

%!demo
%! ## Roots of polynomials with random coefficients are close to the unit circle.
%! r = gpu_roots (randn (30, 200));
%! plot (r(:), ".");
%! axis equal

%!error <Invalid call> gpu_roots ()
%!error id=gpueig:wrong-type gpu_roots ({1})
%!error id=gpueig:wrong-type gpu_roots (speye (2))
%!error id=gpueig:nonfinite gpu_roots ([1; NaN])
%!error <overflows> gpu_roots ([realmin/4; 1])
