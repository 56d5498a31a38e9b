## Solve random problems of kinds that are hard for eigensolvers, in all classes, at all
## scales, alone and in stacks of several kinds, by all functions and methods, and compare
## the errors with the accuracy limits.
##   failures = stress (SHAPE, SEED, COUNT)      SHAPE "symmetric", "general" or
##                                               "pair"
##   failures = stress (SHAPE, SEED, [I, J])     cases I to J only
##   ... = stress (..., true)                    gpueig:out-of-memory is no failure
##   [..., worst, solved] = stress (...)         worst ratios of every method, and
##                                               how many cases it solved
## Each case depends on SEED and its number only, and on the methods that there
## are: every method of every function that serves SHAPE on this backend is drawn
## as often as any other.  Prints what fails.
## Claims for matrices: residuals, orthogonality, left vectors and eigenvalues of each page
## meet the limits; eigenvalues without vectors are the same, in the same order, where
## rounding errors cannot exchange them; no function of the user is called, whatever it is
## named.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, worst, solved] = stress (shape, seed = 1, count = 500, memory_is_short = false)
  if (isscalar (count))
    count = [1, count];
  endif
  failures = 0;
  worst = solved = struct ();
  pairs = methods_of (shape);
  for i = 1:rows (pairs)
    solved.(key_of (pairs(i,:))) = 0;
  endfor
  one = struct ("symmetric", @one_matrix, "general", @one_matrix, "pair", @one_pair).(shape);
  saved = {rand("twister"), randn("twister"), warning()};
  unwind_protect
    warning ("off", "all");
    for k = count(1):count(2)
      rand ("twister", [seed, k]);
      randn ("twister", [seed, k]);
      pair = pairs(ceil (rand () * rows (pairs)),:);
      shadows (mod (k, 8) == 0);
      [text, ratios, exact] = one (pair{:}, shape);
      key = key_of (pair);
      if (! isempty (text) && ! (memory_is_short && ! isempty (strfind (text, "gpueig:out-of-memory"))))
        failures += 1;
        printf ("FAIL: stress (\"%s\", %d, [%d %d]): %s\n", shape, seed, k, k, text);
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
    shadows ([]);
    rand ("twister", saved{1});
    randn ("twister", saved{2});
    warning (saved{3});
  end_unwind_protect
endfunction

## A folder with functions that nothing may call when WANTED, in every eighth case; else "",
## and with [] it is removed.
function name = shadows (wanted)
  persistent folder = tempname ();
  persistent current = "";
  names = {"eig", "diag", "horzcat", "vertcat", "cat", "size", "numel", "zeros", "ones", "full", "struct", "isreal", "ndims", ...
           "strcmp", "max", "abs", "sort", "inv", "typeinfo", "complex", "single", "double", "reshape", "times", "mtimes", "plus", ...
           "ctranspose", "isempty", "isfield", "rows", "columns", "class", "isa", "real", "any", "all", "cellfun"};
  if (nargin > 0)
    current = {"", folder}{1 + any (wanted)};
    if (isempty (wanted) && isfolder (folder))
      confirm_recursive_rmdir (false, "local");
      rmdir (folder, "s");
    endif
  endif
  if (! isempty (current) && ! isfolder (folder))
    mkdir (folder);
    for name = names
      f = fopen (fullfile (folder, [name{1} ".m"]), "w");
      fprintf (f, "function varargout = %s (varargin)\n  error (\"%s of the user was called\");\nendfunction\n", name{[1 1]});
      fclose (f);
    endfor
  endif
  name = current;
endfunction

## The functions and methods that serve SHAPE, one pair a row.  A function names
## its methods when it gets one that it does not have; those of another backend
## are left out.
function pairs = methods_of (shape)
  switch (shape)
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
    case "pair"
      names = public_functions ("pair");
      without = {"qz"};  # of general pairs
      args = {[2, 1; 1, 2], [3, 1; 1, 3]};
    otherwise
      error ("stress: SHAPE is \"symmetric\", \"general\" or \"pair\"");
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

## The outputs of function NAME; TEXT is "" or its error.
function [text, varargout] = attempt (what, name, varargin)
  text = "";
  varargout = cell (1, nargout - 1);
  folder = shadows ();
  hidden = ! isempty (folder);
  try
    if (hidden)
      addpath (folder);
    endif
    [varargout{:}] = feval (name, varargin{:});
    if (hidden)
      rmpath (folder);
    endif
  catch err
    if (hidden)
      rmpath (folder);
    endif
    text = sprintf ("%s: %s (%s)", what, err.message, err.identifier);
  end_try_catch
endfunction

## --- matrices ---

## Solve a random problem by function NAME and METHOD.  TEXT is "" or what is
## wrong, RATIOS are the errors in units of the bars' (none: there was no problem),
## EXACT says that they are not those of subnormal numbers.
function [text, ratios, exact] = one_matrix (name, method, shape)
  [text, ratios, exact] = deal ("", [], false);
  is_general = strcmp (shape, "general");
  n = order (150 - 60 * is_general, method);
  pages = 1;
  if (rand () < 0.4)
    pages = randi (6) ^ randi (2);
    n = max (1 + 2 * strcmp (name, "gpu_mrrr"), min (n, order (40)));
  endif
  class = pick ({"double", "double", "single"});
  is_complex = rand () < 0.5;
  A = zeros (n, n, pages, class);
  for p = 1:pages
    is_hermitian(p) = ! is_general || rand () < 0.2;
    [X, kind(p)] = random_matrix ({"general", "symmetric"}{1 + is_hermitian(p)}, n, is_complex);
    [A(:,:,p), scale(p)] = scaled (X, class);
  endfor
  if (! all (isfinite (A(:))))
    return;
  endif
  args = {A, "Method", method};
  if (is_general)
    args{end+1} = pick ({"balance", "nobalance"});
  endif
  what = sprintf ("%s, \"%s\", %s of order %d, kinds %s, times %s", name, method, class, n, mat2str (kind), mat2str (scale, 3));
  [text, V, lambda, W, info] = attempt (what, name, args{:}, "vector");
  if (isempty (text))
    [text, alone] = attempt (what, name, args{:});
  endif
  if (! isempty (text))
    return;
  endif
  exact = true;
  ratios = 0;
  ## Solvers for general matrices take Hermitian ones as such.
  is_hermitian &= ! any (strcmp (method, {"geev", "qr"}));
  for p = 1:pages
    unscaled = @(x) double (x) / scale(p);
    page = {unscaled(A(:,:,p)), V(:,:,p), unscaled(lambda(:,1,p)), W(:,:,p), unscaled(alone(:,1,p)), ...
            double(realmin (class)) / scale(p) / eps(class)};
    if (is_hermitian(p))
      bad = check_hermitian (page{:}, method);
    else
      bad = check_general (page{:});
    endif
    if (! isempty (bad.text) || ! info.converged)
      text = sprintf ("%s, page %d, converged %d: %s", what, p, info.converged, bad.text);
    endif
    ratios = max (ratios, bad.ratios);
    exact &= bad.least < 0.01;
  endfor
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

## LEAST: of subnormal numbers, in eps; they have absolute errors.
function bad = check_hermitian (A, V, lambda, W, alone, least, method)
  n = rows (A);
  size = norm (A, 1) + (norm (A, 1) == 0);
  unit = n * eps (class (V));
  [residual, orthogonality] = eigen_errors (A, [], V, lambda);
  ## Without vectors the eig of some machines loses half of the digits.
  [~, wanted] = eig (A, "vector");
  bad.ratios = [residual, orthogonality, ...
                max(abs (lambda - wanted)) / (size * unit), max(abs (lambda - alone)) / (size * unit)];
  bad.least = least * n / (n * size);
  bars = 10 + bad.least * [1, 0, 1, 1];
  if (strcmp (method, "stemr"))
    bars(2) = 60;  # the limit of LAPACK's test programs
  endif
  ## max and sort pass over NaN.
  ordered = all (isfinite ([lambda; alone])) && ! any (imag ([lambda; alone])) && issorted (lambda) && issorted (alone);
  bad.text = "";
  if (! (all (bad.ratios < bars) && ordered && isequal (V, W)))
    bad.text = sprintf ("ratios %s, real and sorted %d, left vectors are the right ones %d", mat2str (bad.ratios, 3), ...
                        ordered, isequal (V, W));
  endif
endfunction

function bad = check_general (A, V, lambda, W, alone, least)
  n = rows (A);
  size = @(p) norm (A, p) + (norm (A, p) == 0);
  unit = n * eps (class (V));
  [V, W, type] = deal (double (V), double (W), class (V));
  ratios = [norm(A*V - V .* lambda.', 1) / (size (1) * norm (V, 1)), ...
            norm(A'*W - W .* lambda', 1) / (size (Inf) * norm (W, 1))] / unit;
  lengths = norm (sqrt (sumsq ([V, W], 1)) - 1, Inf) / unit;
  ## How far rounding errors move an eigenvalue, to first order.
  moved = 10 * unit * size (1) / min ([1, abs(sum (conj (W) .* V, 1))]) + least * eps (type);
  gap = min ((abs (lambda - lambda.') + diag (Inf (n, 1)))(:));
  apart = 0;
  if (10 * moved < gap)
    apart = max (abs (lambda - alone)) / moved;
  endif
  bad = struct ("ratios", [ratios, apart, 0], "least", least, "text", "");
  sums = abs ([sum(alone - lambda), sum(alone) - trace(A)]) / (n * unit * size (1));
  if (! (all (ratios < 20 + least) && lengths < 20 && apart < 1 && all (sums < 100 + least)))
    bad.text = sprintf ("ratios %g %g, lengths %g, values without vectors differ by %g of the bound, sums %g %g", ...
                        ratios, lengths, apart, sums);
  endif
endfunction

## --- pairs ---

## All of a definite pair, a part, a stack of it and another pair, or a stack of definite and
## other pairs; with "auto" now and then with high accuracy.
function [text, ratios, exact] = one_pair (name, method, shape)
  [text, ratios, exact] = deal ("", [], false);
  n = order (100, method);
  class = pick ({"double", "double", "single"});
  is_complex = rand () < 0.4;
  [A, kind] = random_matrix ("symmetric", n, is_complex);
  [B, kind_b] = random_matrix ("definite", n, is_complex, 10 ^ (-rand () * (11 - 7 * strcmp (class, "single"))));
  [A, B] = deal (cast (A, class), cast (B, class));
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
  form = pick ({"all", "index", "range", "stack", "mixed"});
  if (high || strcmp (name, "gpu_jacobi_eig"))
    form = pick ({"all", "stack"});
  elseif (any (strcmp (method, {"syevd", "ql", "dc"})))
    form = "all";
  elseif (strcmp (form, "mixed"))
    [text, ratios] = mixed_pairs (name, method, min (n, 40), class, is_complex);
    return;
  endif
  unit = n * eps (class);
  double_a = double (A);
  double_b = double (B);
  [all_vectors, all_values] = eig (double_a, double_b, "vector");
  ## As inaccurate as eig is.
  error_of_eig = eigen_errors (double_a, double_b, all_vectors, all_values) * eps / eps (class);
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
  lambda = double (lambda) / a * b;
  count = numel (lambda);
  [V0, lambda0] = eig (A, B, "vector");
  bar = max (1, ! high * eigen_errors (double_a, double_b, V0, lambda0));
  [residual, orthogonality] = eigen_errors (double_a, double_b, V * cast (sqrt (b), class), lambda);
  ratios = [residual / bar, orthogonality / cond(double_b)];
  exact = true;
  if (! (all (ratios < 10) && isreal (lambda) && issorted (lambda) && info.converged))
    text = sprintf ("%s: ratios %g %g, sorted %d, converged %d", what, ratios, issorted (lambda), info.converged);
  elseif (! (columns (V) == count && count >= least && count <= most))
    text = sprintf ("%s: %d eigenvalues, not %d to %d", what, count, least, most);
  endif
endfunction

## A stack of well-conditioned pairs: definite ones and, where QZ can be used, others; each
## page has the answer that it has alone.
function [text, ratios] = mixed_pairs (name, method, n, class, is_complex)
  ratios = 0;
  pages = randi (5);
  kind = randi (4, 1, pages);  # 1: general, 2: indefinite, 3 and 4: definite
  if (strcmp (getenv ("GPUEIG_BACKEND"), "cuda") || ! strcmp (method, "auto") || rand () < 0.3)
    kind(:) = 4;
  endif
  A = B = zeros (n, n, pages, class);
  for p = 1:pages
    A(:,:,p) = random_matrix ({"general", "symmetric"}{1 + (kind(p) > 1)}, n, is_complex);
    B(:,:,p) = random_matrix ("definite", n, is_complex);
    B(end,end,p) -= 2 * (kind(p) == 2) * B(end,end,p);
  endfor
  what = sprintf ("%s, \"%s\", %s pairs of order %d, kinds %s", name, method, class, n, mat2str (kind));
  [text, V, lambda, W] = attempt (what, name, A, B, "vector", "Method", method);
  for p = 1:pages * isempty (text)
    [a, b, v, w, l] = deal (A(:,:,p), B(:,:,p), V(:,:,p), W(:,:,p), lambda(:,1,p));
    [text, one] = attempt (what, name, a, b, "Method", method);
    [residual, orthogonality] = eigen_errors (a, b, v, l);
    limit = 10 * n * eps (class) * norm (a, 1) * norm (inv (b), 1);
    if (kind(p) > 2)
      good = isreal (l + 0) && issorted (l) && isequal (v, w) && orthogonality < 10 * cond (b) && all (abs (l - one) <= limit);
    else
      good = eigen_errors (a', b', w, conj (l)) < 40;
    endif
    ratios = max (ratios, residual);
    if (isempty (text) && ! (good && residual < 40))
      text = sprintf ("%s, page %d: residual %g, orthogonality %g", what, p, residual, orthogonality);
    endif
  endfor
  ratios = [ratios, 0];
endfunction
