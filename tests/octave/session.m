## A random session: stacks whose pages are of several kinds, in random order of calls,
## with functions of the user in front of Octave's.
##   failures = session (SEED, COUNT)
## Claims: every page has the answer of its kind, in the order that it has alone; values
## do not depend on the number of outputs; a call that fails has a documented identifier
## of the package, and "gpueig:out-of-memory" only where MEMORY_IS_SHORT.  No function
## of the user is called.  Prints what fails, with the seed and the number of the call.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function failures = session (seed, count, memory_is_short = false)
  rand ("twister", seed);
  randn ("twister", seed);
  failures = 0;
  folder = shadows ();
  before = warning ();
  warning ("off", "all");
  unwind_protect
    for k = 1:count
      text = one_call (folder, memory_is_short);
      if (! isempty (text))
        failures += 1;
        printf ("FAIL: session (%d), call %d: %s\n", seed, k, text);
      endif
    endfor
  unwind_protect_cleanup
    warning (before);
    confirm_recursive_rmdir (false, "local");
    rmdir (folder, "s");
  end_unwind_protect
endfunction

## A folder with functions that nothing may call.
function folder = shadows ()
  names = {"eig", "diag", "horzcat", "vertcat", "cat", "size", "numel", "zeros", ...
           "ones", "full", "struct", "isreal", "ndims", "strcmp", "max", "abs", ...
           "sort", "inv", "typeinfo", "complex", "single", "double", "reshape", ...
           "times", "mtimes", "plus", "ctranspose", "isempty", "isfield", "rows", ...
           "columns", "class", "isa", "real", "any", "all", "cellfun"};
  folder = tempname ();
  mkdir (folder);
  for name = names(randperm (numel (names), randi (numel (names))))
    f = fopen (fullfile (folder, [name{1} ".m"]), "w");
    fprintf (f, "function varargout = %s (varargin)\n", name{1});
    fprintf (f, "  error (\"%s of the user was called\");\nendfunction\n", name{1});
    fclose (f);
  endfor
endfunction

function A = page (n, kind)
  A = randn (n);
  switch (kind)
    case 1  # symmetric
      A += A.';
    case 2  # symmetric with multiple eigenvalues
      [Q, ~] = qr (A);
      A = Q * diag (randi (3, n, 1)) * Q.';
      A = (A + A.') / 2;
    case 3
      A = diag (round (randn (n, 1)));
    case 4
      A = zeros (n);
    case 5  # Hermitian
      A = A + 1i * randn (n);
      A += A';
    case 6
      A = triu (A);
    case 7  # badly scaled
      A .*= 10 .^ (6 * (rand (n, 1) - 0.5));
    case 8
      A *= 10 ^ (400 * (rand () - 0.5));
    case 9
      A = A + 1i * randn (n);
    case 10  # orthogonal
      [A, ~] = qr (A);
  endswitch
endfunction

function text = one_call (folder, memory_is_short)
  text = "";
  functions = public_functions ("eigenvalues");
  general = public_functions ("general");
  n = randi (9) ^ randi (2);
  pages = randi (6) ^ randi (2);
  if (rand () < 0.5)
    kinds = randi (5, 1, pages);
    f = str2func (functions{randi (numel (functions))});
  else
    kinds = randi (10, 1, pages);
    f = str2func (general{randi (numel (general))});
  endif
  if (isequal (f, @gpu_mrrr))
    n = max (n, 3);
  endif
  A = zeros (n, n, pages);
  for p = 1:pages
    A(:,:,p) = page (n, kinds(p));
  endfor
  if (rand () < 0.3 && all (abs (A(:)) < 1e30) && all (A(:) == 0 | abs (A(:)) > 1e-25))
    A = single (A);
  endif
  ## Pages that are no longer Hermitian after this are general for all.
  symmetric_page = arrayfun (@(p) ishermitian (A(:,:,p)), 1:pages);
  if (! any (strcmp (func2str (f), general)) && ! all (symmetric_page))
    return;
  endif
  try
    addpath (folder);
    one = f (A);
    [V, two] = f (A, "vector");
    rmpath (folder);
  catch err
    rmpath (folder);
    if (! (memory_is_short && strcmp (err.identifier, "gpueig:out-of-memory")))
      text = sprintf ("%s, n = %d, kinds %s, %s: %s", func2str (f), n,
                      mat2str (kinds), class (A), err.message);
    endif
    return;
  end_try_catch
  for p = 1:pages
    bad = judge (A(:,:,p), symmetric_page(p), one(:,:,p), two(:,:,p), V(:,:,p), f);
    if (! isempty (bad))
      text = sprintf ("%s, n = %d, %d pages, kind %d, %s: %s", func2str (f), n,
                      pages, kinds(p), class (A), bad);
      return;
    endif
  endfor
endfunction

## What is wrong with the answer of one page.
function bad = judge (A, symmetric, one, two, V, f)
  bad = "";
  n = rows (A);
  unit = n * eps (class (A));
  size_of = max (max (abs (A(:))), realmin (class (A)));
  A = double (A) / double (size_of);
  one = double (one) / double (size_of);
  two = double (two) / double (size_of);
  V = double (V);
  norm_of = max (norm (A, 1), 1);
  if (! (norm (A * V - V .* two.', 1) <= 20 * unit * norm_of * norm (V, 1)))
    bad = sprintf ("residual %g", norm (A * V - V .* two.', 1) / unit / norm_of);
  elseif (symmetric)
    if (! (all (imag (one) == 0) && all (diff (real (one)) >= 0)
           && all (imag (two) == 0) && all (diff (real (two)) >= 0)))
      bad = "not real and ascending";
    elseif (! (norm (V' * V - eye (n), 1) <= 10 * unit + 10 * eps (class (one)) ))
      bad = sprintf ("orthogonality %g", norm (V' * V - eye (n), 1) / unit);
    elseif (! (max (abs (one - two)) <= 10 * unit * norm_of))
      bad = "values depend on the number of outputs";
    endif
  elseif (! (abs (sum (one) - sum (two)) <= 100 * unit * n * norm_of
             && abs (sum (one) - trace (A)) <= 100 * unit * n * norm_of))
    bad = sprintf ("sums of eigenvalues %g", abs (sum (one) - sum (two)) / unit);
  endif
endfunction
