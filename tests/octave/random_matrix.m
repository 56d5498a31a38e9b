## A random matrix of order N of a kind that is hard for eigensolvers, in double precision.
##   A = random_matrix ("symmetric", N, IS_COMPLEX)   equal to its adjoint
##   A = random_matrix ("general", N, IS_COMPLEX)
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function A = random_matrix (shape, n, is_complex)
  general = strcmp (shape, "general");
  if (general)
    kinds = general_kinds (n, is_complex);
  else
    kinds = symmetric_kinds (n, is_complex);
  endif
  A = kinds{ceil (rand () * numel (kinds))}();
  if (! general)
    A = (A + A') / 2;
    A(1:n+1:end) = real (diag (A));
  endif
endfunction

function A = numbers (n, is_complex)
  A = randn (n);
  if (is_complex)
    A += 1i * randn (n);
  endif
endfunction

function kinds = symmetric_kinds (n, is_complex)
  part = @(m) numbers (m, is_complex);
  [Q, ~] = qr (part (n));
  kinds = {@() part(n)
           @() Q * diag (randn (n, 1)) * Q'
           @() Q * diag (10 .^ (-16 * rand (n, 1))) * Q'
           @() Q * diag (sign (randn (n, 1))) * Q'
           @() Q * diag (randi (3, n, 1)) * Q'
           @() Q * diag ([1; zeros(n-1, 1)]) * Q'
           @() Q * diag (1 + 1e-14 * randn (n, 1)) * Q'
           @() graded (10 .^ (-20 * rand (n, 1)), part (n) + part (n)')
           @() zeros (n)
           @() diag (round (randn (n, 1)))
           @() diag (randn (n, 1)) + 1e-9 * part (n)
           @() double (rand (n) < 3 / n)
           @() full (spdiags (ones (n, 1) * [-1, 2, -1], -1:1, n, n))
           @() kron (ones (2), part (ceil (n/2)))(1:n,1:n)
           @() beside_adjoint (part (ceil (n/2)))(1:n,1:n)
           @() diag (abs ((0:n-1) - (n-1) / 2)) + diag (ones (n-1, 1), 1) + diag (ones (n-1, 1), -1)
           @() 1 ./ ((1:n)' + (1:n))
           @() few_distinct(n)
           @() few_distinct(n)
           @() few_distinct(n)};
endfunction

## Of few distinct elements: reductions leave ever smaller numbers instead of rounding errors.
function A = few_distinct (n)
  x = (1:n)';
  half = ones (ceil (n / 2));
  kinds = {@() ones (n), @() -ones (n) / 3, @() x * x' / n^2, @() ones (n) + eye (n)
           @() kron (eye (2), half), @() kron ([1 2; 2 1], half), @() kron ([1 1i; -1i 1], half), @() eye (n) + 1e-20 * ones (n)
           @() min (x, x'), @() max (x, x'), @() abs (x - x'), @() toeplitz (mod (x - 1, 2))
           @() double (mod (x + x', 3) == 0), @() blkdiag (1, 1e-8 * ones (n - 1)), @() 3 * ones (n), @() ones (n)};
  A = kinds{ceil (rand () * numel (kinds))}()(1:n,1:n);
endfunction

function A = graded (d, A)
  A = d .* A .* d';
endfunction

function A = beside_adjoint (B)
  A = [zeros(size (B)), B; B', zeros(size (B))];
endfunction

function kinds = general_kinds (n, is_complex)
  R = numbers (n, is_complex);
  [Q, ~] = qr (R);
  shift = diag (ones (n-1, 1), 1);
  d = 10 .^ (20 * (rand (n, 1) - 0.5));
  kinds = {@() R
           @() triu (R)
           @() shift + (rand () < 0.5) * eye (n)
           @() Q * triu (R) * Q'
           @() Q * (shift + 2 * eye (n)) * Q'
           @() d .* R ./ d'
           @() sqrt (d) .* R
           @() R .* 10 .^ (-16 * (rand (n) < 0.3)) # for which balancing is harmful
           @() shift + [R(:,1), zeros(n, n-1)]
           @() Q
           @() double (rand (n) < 3 / n)
           @() eye (n)(:,randperm (n))
           @() triu (ones (n)) - shift' # similar to Grcar's matrix
           @() R - R'
           @() 3 * ones (n)
           @() R(:,1) * R(1,:)
           @() kron ([0 1; 0 0], numbers (ceil (n/2), is_complex))(1:n,1:n)
           @() triu (R, 1) * 1e8 + diag (R(:,1))
           @() tril (R, -1) * 1e-10 + eye (n)};
endfunction
