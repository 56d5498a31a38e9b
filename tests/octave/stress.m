## Solve random problems of kinds that are hard for eigensolvers, in all classes,
## at all scales, by all functions and methods, and compare the errors with the
## accuracy limits: residuals, orthogonality, eigenvalues.
##   failures = stress (KIND, SEED, COUNT)       KIND "symmetric", "general",
##                                               "pair" or "units"
##   failures = stress (KIND, SEED, [I, J])      cases I to J only
##   [..., worst, solved] = stress (...)         worst ratios of every method, and
##                                               how many cases it solved
## Each case depends on SEED and its number only, and on the methods that there
## are: every method of every function that serves KIND on this backend is drawn
## as often as any other.  Prints what fails.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, worst, solved] = stress (kind, seed = 1, count = 500)
  if (isscalar (count))
    count = [1, count];
  endif
  failures = 0;
  worst = solved = struct ();
  pairs = methods_of (kind);
  for i = 1:rows (pairs)
    solved.(key_of (pairs(i,:))) = 0;
  endfor
  saved = {rand("twister"), randn("twister"), warning()};
  unwind_protect
    warning ("off", "gpueig:fallback");
    warning ("off", "gpueig:no-convergence");
    for k = count(1):count(2)
      rand ("twister", [seed, k]);
      randn ("twister", [seed, k]);
      pair = pairs(ceil (rand () * rows (pairs)),:);
      [text, ratios, exact] = feval (["one_" kind], pair{:});
      key = key_of (pair);
      if (! isempty (text))
        failures += 1;
        printf ("FAIL: stress (\"%s\", %d, [%d %d]): %s\n", kind, seed, k, k,
                text);
      endif
      solved.(key) += isempty (text) && ! isempty (ratios);
      if (exact)
        if (! isfield (worst, key))
          worst.(key) = ratios;
        endif
        worst.(key) = max (worst.(key), ratios);
      endif
    endfor
  unwind_protect_cleanup
    rand ("twister", saved{1});
    randn ("twister", saved{2});
    warning (saved{3});
  end_unwind_protect
endfunction

## The functions and methods that serve KIND, one pair a row.  A function names
## its methods when it gets one that it does not have; those of another backend
## are left out.
function pairs = methods_of (kind)
  switch (kind)
    case "symmetric"
      names = public_functions ("eigenvalues");
      ## Solvers for general matrices have no orthonormal vectors and no order of
      ## the eigenvalues.
      without = {"geev", "qr"};
      args = {[2, 1; 1, 2]};
    case "general"
      names = public_functions ("general");
      without = {};
      args = {[1, 2; 3, 4]};
    case {"pair", "units"}
      names = public_functions ("pair");
      without = {"qz"};  # of general pairs
      args = {[2, 1; 1, 2], [3, 1; 1, 3]};
    otherwise
      error ("stress: KIND is \"symmetric\", \"general\", \"pair\" or \"units\"");
  endswitch
  pairs = cell (0, 2);
  for name = names
    for method = setdiff (words_of (name{1}, args), without)
      try
        feval (name{1}, args{:}, "Method", method{1});
        pairs(end+1,:) = {name{1}, method{1}};
      catch err
        ## LAPACK's methods of gpu_mrrr are bad options of backend cuda.
        if (! any (strcmp (err.identifier, {"gpueig:no-device", "gpueig:bad-option", "gpueig:not-symmetric"})))
          rethrow (err);
        endif
      end_try_catch
    endfor
  endfor
endfunction

function key = key_of (pair)
  key = strrep ([pair{1} "_" pair{2}], "-", "_");
endfunction

function x = pick (list)
  x = list{ceil (rand () * numel (list))};
endfunction

## Any order, small ones more often; "ql" takes orders up to 32 on a GPU.
function n = order (most, method = "")
  n = ceil (exp (rand () * log (most)));
  if (strcmp (method, "ql") && strcmp (getenv ("GPUEIG_TEST_BACKEND"), "cuda"))
    n = min (n, 32);
  endif
endfunction

## A power of two: often 1, else anything that leaves A finite.
function [A, scale] = scaled (A, class)
  range = 1900;
  if (strcmp (class, "single"))
    range = 230;
  endif
  scale = 2 ^ round ((rand () - 0.5) * range * (rand () < 0.3));
  A = cast (A * scale, class);
endfunction

## X without its scale, in double.
function X = unscaled (X, scale)
  X = double (X) / scale;
endfunction

## The outputs of function NAME; TEXT is "" or its error.
function [text, varargout] = attempt (what, name, varargin)
  text = "";
  varargout = cell (1, nargout - 1);
  try
    [varargout{:}] = feval (name, varargin{:});
  catch err
    text = sprintf ("%s: %s", what, err.message);
  end_try_catch
endfunction

## Solve a random problem by function NAME and METHOD.  TEXT is "" or what is
## wrong, RATIOS are the errors in units of the bars' (none: there was no problem),
## EXACT says that they are not those of subnormal numbers.
function [text, ratios, exact] = one_symmetric (name, method)
  [text, ratios, exact] = deal ("", [], false);
  n = order (150, method);
  class = pick ({"double", "single"});
  [A, kind] = hard_symmetric (n, rand () < 0.5);
  [A, scale] = scaled (A, class);
  A = A / 2 + A' / 2;
  if (! all (isfinite (A(:))))
    return;
  endif
  what = sprintf ("%s, \"%s\", %s of order %d, kind %d, times %g", name, method, class, n, kind, scale);
  [text, V, lambda, ~, info] = attempt (what, name, A, "vector", "Method", method);
  if (! isempty (text))
    return;
  endif
  B = unscaled (A, scale);
  lambda = unscaled (lambda, scale);
  V = double (V);
  unit = n * eps (class);
  size = norm (B, 1) + (norm (B, 1) == 0);
  ## Subnormal numbers have absolute errors.
  least = double (realmin (class)) * n / scale / (unit * size);
  ratios = [norm(B*V - V .* lambda.', 1) / size, norm(V'*V - eye (n), 1), ...
            max(abs (sort (lambda) - sort (eig ((B + B') / 2)))) / size] / unit;
  ## max and sort pass over NaN.
  ordered = all (isfinite (lambda)) ...
            && (issorted (lambda) || strcmp (name, "gpu_complex_eig"));
  bars = 10 + least * [1, 0, 1];
  if (strcmp (method, "stemr"))
    bars(2) = 60;  # the limit of LAPACK's test programs
  endif
  if (! (all (ratios < bars) && ordered && info.converged))
    text = sprintf ("%s: ratios %g %g %g, sorted %d, converged %d", what, ratios, ordered, info.converged);
  endif
  exact = least < 0.01;
endfunction

function [A, kind] = hard_symmetric (n, is_complex)
  kind = ceil (rand () * 15);
  part = @(m) random (m, is_complex);
  Q = part (n);
  [Q, ~] = qr (Q);
  kinds = {@() Q * diag (randn (n, 1)) * Q', ...
           @() Q * diag (10 .^ (-16 * rand (n, 1))) * Q', ...
           @() Q * diag (sign (randn (n, 1))) * Q', ...
           @() Q * diag ([1; zeros(n-1, 1)]) * Q', ...
           @() Q * diag (1 + 1e-14 * randn (n, 1)) * Q', ...
           @() graded (10 .^ (-20 * rand (n, 1)), part (n) + part (n)'), ...
           @() zeros (n), ...
           @() diag (randn (n, 1)) + 1e-9 * part (n), ...
           @() ones (n), ...
           @() double (rand (n) < 3 / n), ...
           @() full (spdiags (ones (n, 1) * [-1, 2, -1], -1:1, n, n)), ...
           @() kron (ones (2), part (ceil (n/2)))(1:n,1:n), ...
           @() beside_adjoint (part (ceil (n/2)))(1:n,1:n), ...
           @() diag (abs ((0:n-1) - (n-1) / 2)) + diag (ones (n-1, 1), 1) + diag (ones (n-1, 1), -1), ...
           @() 1 ./ ((1:n)' + (1:n))};
  A = kinds{kind}();
  A = (A + A') / 2;
endfunction

function A = graded (d, A)
  A = d .* A .* d';
endfunction

function A = beside_adjoint (B)
  A = [zeros(size (B)), B; B', zeros(size (B))];
endfunction

function A = random (n, is_complex)
  A = randn (n);
  if (is_complex)
    A += 1i * randn (n);
  endif
endfunction

function [text, ratios, exact] = one_general (name, method)
  [text, ratios, exact] = deal ("", [], false);
  n = order (90, method);
  class = pick ({"double", "double", "single"});
  [A, kind] = hard_general (n, rand () < 0.5);
  [A, scale] = scaled (A, class);
  if (! all (isfinite (A(:))))
    return;
  endif
  what = sprintf ("%s, \"%s\", %s of order %d, kind %d, times %g", name, method, class, n, kind, scale);
  [text, V, lambda, W] = attempt (what, name, A, "vector", "Method", method, pick ({"balance", "nobalance"}));
  if (! isempty (text))
    return;
  endif
  B = unscaled (A, scale);
  lambda = unscaled (lambda, scale);
  V = double (V);
  W = double (W);
  unit = n * eps (class);
  size = @(p) norm (B, p) + (norm (B, p) == 0);
  least = double (realmin (class)) / scale / eps (class);
  ratios = [norm(B*V - V .* lambda.', 1) / (size (1) * norm (V, 1)), ...
            norm(B'*W - W .* lambda', 1) / (size (Inf) * norm (W, 1))] / unit;
  lengths = norm (sqrt (sumsq ([V, W], 1)) - 1, Inf) / unit;
  if (! (all (ratios < 20 + least) && lengths < 20))
    text = sprintf ("%s: ratios %g %g, lengths %g", what, ratios, lengths);
  endif
  exact = least < 0.01;
endfunction

function [A, kind] = hard_general (n, is_complex)
  kind = ceil (rand () * 17);
  R = random (n, is_complex);
  [Q, ~] = qr (R);
  shift = diag (ones (n-1, 1), 1);
  kinds = {@() R, ...
           @() triu (R), ...
           @() shift + (rand () < 0.5) * eye (n), ...
           @() Q * triu (R) * Q', ...
           @() Q * (shift + 2 * eye (n)) * Q', ...
           @() quotients (10 .^ (20 * (rand (n, 1) - 0.5)), R), ...
           @() shift + [R(:,1), zeros(n, n-1)], ...
           @() Q, ...
           @() double (rand (n) < 3 / n), ...
           @() eye (n)(:,randperm (n)), ...
           @() triu (ones (n)) - shift', ... # similar to Grcar's matrix
           @() R - R', ...
           @() 3 * ones (n), ...
           @() R(:,1) * R(1,:), ...
           @() kron ([0 1; 0 0], random (ceil (n/2), is_complex))(1:n,1:n), ...
           @() triu (R, 1) * 1e8 + diag (R(:,1)), ...
           @() tril (R, -1) * 1e-10 + eye (n)};
  A = kinds{kind}();
endfunction

function A = quotients (d, A)
  A = d .* A ./ d';
endfunction

## All of a definite pair, a part, or a stack of it and another pair; with "auto" now and
## then with high accuracy.
function [text, ratios, exact] = one_pair (name, method)
  [text, ratios, exact] = deal ("", [], false);
  n = order (100, method);
  class = pick ({"double", "double", "single"});
  is_complex = rand () < 0.4;
  [A, kind] = hard_symmetric (n, is_complex);
  [B, kind_b] = definite (n, is_complex, class);
  A = cast (A, class);
  [~, failed] = chol (B);
  if (failed)
    return;
  endif
  range = 100 - 85 * strcmp (class, "single");
  a = 2 ^ round (range * (2 * rand () - 1) * (rand () < 0.3));
  b = 4 ^ round (range / 2 * (2 * rand () - 1) * (rand () < 0.3));
  high = strcmp (method, "auto") && rand () < 0.3;
  args = {a * A, b * B, "vector", "Method", method};
  if (high)
    args = [args(1:3), {"Accuracy", "high"}];
  endif
  form = pick ({"all", "index", "range", "stack"});
  if (high || strcmp (name, "gpu_jacobi_eig"))
    form = pick ({"all", "stack"});
  elseif (any (strcmp (method, {"syevd", "ql", "dc"})))
    form = "all";
  endif
  unit = n * eps (class);
  double_a = double (A);
  double_b = double (B);
  [all_vectors, all_values] = eig (double_a, double_b, "vector");
  ## As inaccurate as eig is.
  error_of_eig = column_error (double_a, double_b, all_vectors, all_values) / unit;
  tol = 20 * unit * max (1, error_of_eig) * norm (double_a, 1) * norm (inv (double_b), 1);
  least = most = n;
  switch (form)
    case "index"
      ends = sort (randi (n, 1, 2));
      least = most = diff (ends) + 1;
      args = [args, {"Index", ends}];
    case "range"
      ends = sort (pick ({all_values(randi (n, 1, 2)).', randn(1, 2) * max(abs (all_values)), [-Inf, 0]}));
      if (ends(1) == ends(2))
        ends(2) += abs (ends(1)) + 1;
      endif
      least = sum (all_values > ends(1) + tol & all_values < ends(2) - tol);
      most = sum (all_values >= ends(1) - tol & all_values <= ends(2) + tol);
      args = [args, {"Range", ends * a / b}];
    case "stack"
      args(1:2) = {cat(3, args{1}, 2 * args{2}), cat(3, args{2}, args{2})};
  endswitch
  what = sprintf ("%s, \"%s\", %s, %s pair of order %d, kinds %d and %d, times %g and %g, high %d", name, method, form, class, n, kind, kind_b, a, b, high);
  [text, V, lambda, ~, info] = attempt (what, name, args{:});
  if (! isempty (text))
    return;
  endif
  if (strcmp (form, "stack"))
    if (norm (double (lambda(:,1,2)) - 2, Inf) > 1e3 * unit * cond (double_b))
      text = sprintf ("%s: eigenvalues of (2 B, B)", what);
    endif
    [V, lambda] = deal (V(:,:,1), lambda(:,1,1));
  endif
  V = double (V) * sqrt (b);
  lambda = double (lambda) / a * b;
  count = numel (lambda);
  [V0, lambda0] = eig (A, B, "vector");
  V0 = double (V0);
  bar = 10 * max (1, (! high) * column_error (double_a, double_b, V0, double (lambda0)) / unit);
  ratios = [column_error(double_a, double_b, V, lambda) / (unit * bar / 10), ...
            norm(V'*double_b*V - eye (count), 1) / (unit * cond (double_b))];
  exact = true;
  if (! (all (ratios < 10) && isreal (lambda) && issorted (lambda) && info.converged))
    text = sprintf ("%s: ratios %g %g, sorted %d, converged %d", what, ratios, issorted (lambda), info.converged);
  elseif (! (columns (V) == count && count >= least && count <= most))
    text = sprintf ("%s: %d eigenvalues, not %d to %d", what, count, least, most);
  endif
endfunction

## A pair of rows of any sizes in any units: the error of eig for the same pair in units
## near 1, times ten, is not exceeded.
function [text, ratios, exact] = one_units (name, method)
  [text, ratios, exact] = deal ("", [], false);
  n = order (60, method);
  class = pick ({"double", "double", "single"});
  is_complex = rand () < 0.4;
  [unit, grading] = deal (200, 20);
  if (strcmp (class, "single"))
    [unit, grading] = deal (12, 8);
  endif
  A = random (n, is_complex);
  A = merge (rand () < 0.3, A * A', A + A');
  B = random (n, is_complex);
  s = 10 .^ (grading * (2 * rand (n, 1) - 1) * (rand () < 0.7));
  t = 10 .^ (grading / 2 * (2 * rand (n, 1) - 1) * (rand () < 0.3));
  if (rand () < 0.3)
    s = sort (s);
  endif
  A = t .* A .* t';
  B = s .* (B * B' + n * eye (n)) .* s';
  [A, B] = deal (cast (A / max (abs (A(:))), class), cast (B / max (abs (B(:))), class));
  [A, B] = deal ((A + A') / 2, (B + B') / 2);
  B(1:n+1:end) = real (diag (B));
  a = 2 ^ round (log2 (10) * unit * (2 * rand () - 1) * (rand () < 0.7));
  b = 4 ^ round (log2 (10) / 2 * unit * (2 * rand () - 1) * (rand () < 0.7));
  [~, failed] = chol (B);
  if (failed || any (diag (b * B) < realmin (class) * 2 ^ 30))
    return;
  endif
  [V0, lambda0] = eig (A, B, "vector");
  largest = max (abs (double ([lambda0; V0(:)])));
  values = abs (double (lambda0)) * a / b;
  if (max (values) > realmax (class) / 16 || largest > realmax (class) * min (1, sqrt (b)) / 16 ...
      || min (values) < realmin (class) / eps (class) || a < realmin (class) / eps (class) / min (abs (A(A != 0))))
    return;
  endif
  what = sprintf ("%s, \"%s\", %s pair of order %d, complex %d, times %g and %g, diagonal over %g", name, method, class, n, is_complex, a, b, max (diag (B)) / min (diag (B)));
  [text, V, lambda] = attempt (what, name, a * A, b * B, "vector", "Method", method);
  if (! isempty (text))
    return;
  endif
  if (min (abs (lambda)) < realmin (class) / eps (class))
    return;
  endif
  unit = n * eps (class);
  [A, B] = deal (double (A), double (B));
  V = double (V) * sqrt (b);
  lambda = double (lambda) / a * b;
  bar = max (1, column_error (A, B, double (V0), double (lambda0)) / unit);
  ratios = column_error (A, B, V, lambda) / (unit * bar);
  exact = true;
  if (! (ratios < 10))
    text = sprintf ("%s: %g times the error of eig, %g", what, ratios, bar);
  endif
endfunction

## The largest columnwise backward error.
function e = column_error (A, B, V, lambda)
  lambda = lambda(:).';
  size = (norm (A, 1) + abs (lambda) * norm (B, 1)) .* sum (abs (V), 1);
  e = max ([0, sum(abs (A*V - B*V .* lambda), 1) ./ size]);
endfunction

function [B, kind] = definite (n, is_complex, class)
  kind = ceil (rand () * 6);
  least = 10 ^ (-rand () * (11 - 7 * strcmp (class, "single")));
  [Q, ~] = qr (random (n, is_complex));
  kinds = {@() n * eye (n) + times_adjoint (random (n, is_complex)), ...
           @() eye (n), ...
           @() exp (-(((1:n) - (1:n)') / 10) .^ 2) + least * eye (n), ...
           @() Q * diag (least .^ rand (n, 1)) * Q', ...
           @() graded (2 .^ round (log2 (least) * rand (n, 1)), Q * diag (1 + rand (n, 1)) * Q'), ...
           @() toeplitz ([4, 1, zeros(1, n)])(1:n,1:n) / 6};
  B = kinds{kind}();
  B = cast ((B + B') / 2, class);
  B(1:n+1:end) = real (diag (B));
endfunction

function X = times_adjoint (X)
  X = X * X';
endfunction
