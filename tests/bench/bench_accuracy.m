## Accuracy in cases where standard methods lose digits: tiny eigenvalues of graded
## matrices, orthogonality of MRRR on glued Wilkinson matrices, entries of tridiagonal
## inverses.  References are computed in double-double arithmetic, see
## tests/ref.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_accuracy (folder, budget)
  rand ("twister", 7);
  randn ("twister", 7);
  share_out (budget, {@(s) graded(folder, s), 4;
                      @(s) inverse(folder, s), 2;
                      @(s) glued(folder, s), 4});
endfunction

function graded (folder, seconds)
  [cuda, backend] = has_gpu ();
  t = table_open (folder, "accuracy_graded",
                  ["graded D*B*D, cond (A) up to 1e30, cond (B) small: ", ...
                   "largest relative error of an eigenvalue"],
                  {"n", "jacobi high", "onesided high", "jacobi normal", ...
                   "eig", "dsyevd", "syevd", "bar", ...
                   "jacobi high [s]", "over the bar"},
                  "note", {["The reference is one-sided Jacobi in double-double ", ...
                            "arithmetic (tests/ref/ref_graded_eig.m); the bar is ", ...
                            "10 n eps cond (B)."], ...
                           ["An error of 1 or more: not a digit of the smallest ", ...
                            "eigenvalue is right.  That is no fault of a solver ", ...
                            "that promises errors relative to the largest one."]});
  orders = [10 20 50 100 150 200];
  plan = plan_open (seconds, orders, 2, 2.2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    D = diag (10 .^ (-15 * rand (n, 1)));
    B = randn (n);
    B = (B + B') / (4 * sqrt (2 * n));
    B(1:n+1:end) = 1;
    A = D * B * D;
    A = (A + A') / 2;
    reference = ref_graded_eig (A);
    worst = @(x) worst_of (abs (x - reference) ./ reference);
    peer = @(m, b) worst (gpu_eig (A, "Method", m, "Backend", b));
    [plan, ~, high, out] = measure (plan, "high", n, @() gpu_jacobi_eig (
        A, "vector", "Accuracy", "high", "Backend", backend), 4, true);
    syevd = NaN;
    if (cuda)
      syevd = peer ("syevd", "cuda");
    endif
    errors = [worst(out{2}), ...
              worst(gpu_onesided_eig (A, "Accuracy", "high", "Backend", backend)), ...
              worst(gpu_jacobi_eig (A, "Backend", backend)), worst(eig (A)), ...
              peer("syevd", "cpu"), syevd];
    bar = 10 * n * eps () * cond (B);
    table_row (t, n, errors, bar, high, ...
               over ({"jacobi high", "onesided high", "jacobi normal", "eig", ...
                      "dsyevd", "syevd"}, errors, bar));
  endfor
  table_close (t, plan);
endfunction

function text = over (names, errors, bar)
  text = strjoin (names(errors > bar), "; ");
  if (isempty (text))
    text = "none";
  endif
endfunction

## Copies of the Wilkinson matrix of order 21 coupled by small off-diagonal elements
## (glue): 21 groups of eigenvalues that differ by about the square of the glue.
function glued (folder, seconds)
  [~, backend] = has_gpu ();
  t = table_open (folder, "accuracy_glued",
                  ["glued Wilkinson matrices W21+, all vectors: residual and ", ...
                   "orthogonality in units of n eps"],
                  {"n", "glue", "solve [s]", "stemr [s]", "stevd [s]", ...
                   "residual", "orthogonality", "stemr residual", ...
                   "stemr orthogonality", "stevd residual", ...
                   "stevd orthogonality", "clusters", "wrong"},
                  "compare", {"solve [s] | stemr [s] | stevd [s]"},
                  "note", {["solve: gpu_mrrr by the device's own clock (on the ", ...
                            "CPU the solver's); stemr and stevd: LAPACK's MRRR and ", ...
                            "divide and conquer through Method; right below 10"]});
  glues = [1e-14, 1e-11, 1e-8, 1e-4];
  orders = kron ([210 1050 2100 4200], ones (size (glues)));
  glues = repmat (glues, 1, 4);
  plan = plan_open (seconds, orders, 3, 2.3);
  for i = 1:numel (orders)
    n = orders(i);
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    d = abs (mod ((0:n-1)', 21) - 10);
    e = ones (n - 1, 1);
    e(21:21:end) = glues(i);
    T = spdiags ([[e; 0], d, [0; e]], -1:1, n, n);
    check = @(out) ratios (T, out{1}, out{2});
    [plan, ~, solve, out] = measure (plan, "mrrr", n, @() gpu_mrrr (
        d, e, "vector", "Backend", backend), 4, true, check);
    if (isempty (out))
      break;
    endif
    clusters = out{4}.clusters;
    peer = @(m) @() gpu_mrrr (d, e, "vector", "Method", m, "Backend", "cpu");
    [plan, ~, stemr] = measure (plan, "stemr", n, peer ("stemr"), 4, false,
                                check);
    [plan, ~, stevd] = measure (plan, "stevd", n, peer ("stevd"), 4, false,
                                check);
    [~, ~, wrong] = plan_quality (plan, "mrrr");
    r = NaN (1, 6);
    names = {"mrrr", "stemr", "stevd"};
    for k = 1:3
      if (isfield (plan.quality, names{k}))
        r(2*k-1:2*k) = plan.quality.(names{k});
      endif
    endfor
    table_row (t, n, glues(i), solve, stemr, stevd, r, clusters, wrong);
  endfor
  table_close (t, plan);
endfunction

function inverse (folder, seconds)
  [~, backend] = has_gpu ();
  t = table_open (folder, "accuracy_tdinv",
                  ["tridiagonal inverse, diagonally dominant: largest relative ", ...
                   "error of an entry in units of eps"],
                  {"n", "matrix", "gpu_tdinv", "sherman-morrison", ...
                   "T\\eye", "inv", "bar", "over the bar"},
                  "note", {["The reference is the recurrences of pivots in ", ...
                            "double-double arithmetic (tests/ref/ref_tdinv.m), ", ...
                            "which agrees with the closed forms of (1,4,1) and ", ...
                            "(-1,2,-1). Entries below 1e-250 are left out; the ", ...
                            "bar is 10 n."], ...
                           ["scaled: a random dominant matrix whose rows are ", ...
                            "multiplied by powers of ten from 1e-8 to 1e8"]});
  kinds = {"141", "-1 2 -1", "random", "scaled"};
  orders = kron ([50 200 500 1000 2000], ones (1, 4));
  plan = plan_open (seconds, orders, 3);
  warning ("off", "Octave:nearly-singular-matrix", "local");  # "scaled" is
  for i = 1:numel (orders)
    n = orders(i);
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    kind = kinds{mod (i - 1, 4) + 1};
    [c, a, b] = tridiagonal (kind, n);
    X = ref_tdinv (c, a, b);
    S = gallery ("tridiag", c, a, b);
    keep = abs (X) > 1e-250;
    X = X(keep);
    worst = @(Y) worst_of (abs (Y(keep) - X) ./ abs (X)) / eps ();
    errors = [worst(gpu_tdinv (c, a, b, "Backend", backend)), ...
              worst(gpu_tdinv (c, a, b, "Method", "sherman-morrison", ...
                               "Backend", backend)), ...
              worst(S \ eye (n)), worst(inv (full (S)))];
    table_row (t, n, kind, errors, 10 * n, ...
               over ({"gpu_tdinv", "sherman-morrison", "T\\eye", "inv"}, ...
                     errors, 10 * n));
  endfor
  table_close (t, plan);
endfunction

function [c, a, b] = tridiagonal (kind, n)
  c = b = ones (n - 1, 1);
  a = 4 * ones (n, 1);
  switch (kind)
    case "-1 2 -1"
      c = b = -c;
      a /= 2;
    case {"random", "scaled"}
      c = 2 * rand (n - 1, 1) - 1;
      b = 2 * rand (n - 1, 1) - 1;
      a = (abs ([0; c]) + abs ([b; 0]) + 0.01 * rand (n, 1)) .* sign (randn (n, 1));
      if (strcmp (kind, "scaled"))
        s = 10 .^ (16 * rand (n, 1) - 8);
        c .*= s(2:n);
        a .*= s;
        b .*= s(1:n-1);
      endif
  endswitch
endfunction
