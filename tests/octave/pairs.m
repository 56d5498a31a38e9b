## Pairs every class of argument with every other one in every call that has
## several, and compares the answers with eig and inv in double precision.
##   [failures, calls] = pairs ()    what failed as a cellstr, and how many calls
##   ... = pairs (STRIDE)            every STRIDE-th of the calls only
## Calls that the backend under test does not have count as right.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, calls] = pairs (stride = 1)
  ## Complex arrays of the large order are not copied, lazily stored diagonal
  ## matrices not made full.
  small = {1, 3};
  large = 66;
  list = [single_arguments([small, large]); eig_pairs(small); guesses(small); ...
          diagonals(); tridiagonals(); large_vectors(); option_values(); ...
          large_pairs(large)];
  list = list(1:stride:end,:);
  failures = {};
  saved = warning ();
  unwind_protect
    warning ("off", "all");
    for k = 1:rows (list)
      text = attempt (list{k,:});
      if (! isempty (text))
        failures{end+1} = text;
      endif
    endfor
  unwind_protect_cleanup
    warning (saved);
  end_unwind_protect
  calls = rows (list);
endfunction

## Call NAME with ARGS; VERIFY tests the result, ID is the expected error identifier
## or "".
function text = attempt (what, name, args, nout, verify, id)
  text = "";
  out = cell (1, nout);
  try
    [out{:}] = feval (name, args{:});
    if (isempty (id))
      text = verify (out);
      ## Octave's values are real where they can be.
      wide = @(x) iscomplex (x) && ! any (imag (full (x)(:)));
      if (any (cellfun (wide, out)))
        text = "complex without imaginary parts";
      endif
    else
      text = "an answer";
    endif
  catch err
    if (! strcmp (err.identifier, id) ...
        && ! (strcmp (err.identifier, "gpueig:no-device") ...
              && strcmp (getenv ("GPUEIG_BACKEND"), "cuda")))
      text = [err.identifier, ": ", err.message];
    endif
  end_try_catch
  if (! isempty (text))
    text = sprintf ("%s (%s): %s", name, what, text);
  endif
endfunction

function id = refusal (varargin)
  id = "";
  if (any ([varargin{:}]))
    id = "gpueig:wrong-type";
  endif
endfunction

## --- eigenvalues ---

function list = single_arguments (orders)
  list = {};
  for n = [orders{:}]
    for a = argument_classes ("matrix", n)'
      for name = public_functions ("eigenvalues")
        list(end+1,:) = {a.name, name{1}, {a.value}, 2, ...
                         @(out) verify_eigen(out, a.value, [], a.value), ...
                         refusal(a.refused)};
      endfor
      list(end+1,:) = {a.name, "gpu_tdinv", {tridiagonal(a.value)}, 1, ...
                       @(out) verify_inverse(out, tridiagonal (a.value), ...
                                             class (a.value)), ...
                       refusal(a.refused)};
    endfor
  endfor
endfunction

function list = eig_pairs (orders)
  list = {};
  for n = [orders{:}]
    for a = argument_classes ("matrix", n)'
      for b = argument_classes ("matrix", n)'
        list(end+1,:) = {[a.name ", " b.name], "gpu_eig", {a.value, b.value}, ...
                         2, @(out) verify_eigen(out, a.value, b.value, ...
                                                like (a.value, b.value)), ...
                         refusal(a.refused, b.refused)};
      endfor
    endfor
  endfor
endfunction

## Complex arguments combined with every class, in both orders.
function list = large_pairs (n)
  list = [eig_pairs({n}); guesses({n})];
  keep = ! cellfun (@isempty, strfind (list(:,1), "complex"));
  list = list(keep,:);
  list = list(1:5:end,:);
endfunction

function list = guesses (orders)
  list = {};
  for n = [orders{:}]
    for a = argument_classes ("matrix", n)'
      for g = argument_classes ("matrix", n)'
        id = refusal (a.refused);
        if (! a.refused && g.refused)
          id = "gpueig:bad-option";
        endif
        list(end+1,:) = {[a.name ", guess " g.name], "gpu_jacobi_eig", ...
                         {a.value, "Guess", g.value}, 2, ...
                         @(out) verify_eigen(out, a.value, [], a.value), id};
      endfor
    endfor
  endfor
endfunction

function list = diagonals ()
  list = {};
  n = 4;
  for d = argument_classes ("vector", n)'
    for e = argument_classes ("vector", n - 1)'
      id = refusal (d.refused, e.refused, iscomplex (d.value), ...
                    iscomplex (e.value));
      T = [];
      if (isempty (id))
        T = dense (e.value, d.value, e.value);
      endif
      list(end+1,:) = {[d.name ", " e.name], "gpu_mrrr", {d.value, e.value}, ...
                       2, @(out) verify_eigen(out, T, [], ...
                                              like (d.value, e.value)), id};
    endfor
  endfor
endfunction

## Of the class that the answer must have.
function x = like (varargin)
  x = 1;
  if (any (cellfun (@(v) isa (v, "single"), varargin)))
    x = single (1);
  endif
endfunction

function text = verify_eigen (out, A, B, like)
  [V, D] = out{:};
  A = double (full (A));
  n = rows (A);
  if (isempty (B))
    B = eye (n);
  endif
  B = double (full (B));
  kind = class (like);
  unit = 100 * n * eps (kind) * norm (A, 1) * norm (B, 1) * norm (inv (B), 1);
  text = "";
  lambda = double (diag (D));
  want = eig (A, B);
  ## Eigenvalues as a set, each one near.
  for i = 1:n
    [distance, at] = min (abs (want - lambda(i)));
    if (! (distance < unit))
      text = sprintf ("eigenvalue %d is off by %g", i, distance);
      return;
    endif
    want(at) = Inf;
  endfor
  V = double (V);
  if (! (norm (A*V - B*V*diag (lambda), 1) < unit * norm (V, 1)))
    text = "the vectors are wrong";
  elseif (! strcmp (class (out{1}), kind) || ! strcmp (class (D), kind))
    text = ["the answer is of class " class(out{1})];
  endif
endfunction

## --- inverses ---

function T = tridiagonal (A)
  T = A;
  if (rows (A) > 2 && isnumeric (A) && ! isdiag (A) ...
      && ! strcmp (typeinfo (A), "permutation matrix"))
    T = triu (tril (A, 1), -1);
  endif
endfunction

## Columns of the inverse of a matrix whose diagonals are long.
function list = large_vectors ()
  list = {};
  n = 5000;
  for a = argument_classes ("vector", n)'
    args = {ones(1, n-1), a.value, single(ones (n-1, 1)), "Columns", [n, 1]};
    T = [];
    if (! a.refused)
      T = spdiags ([ones(n, 1), double(full (a.value))(:), ones(n, 1)], -1:1, n, n);
    endif
    list(end+1,:) = {["long " a.name], "gpu_tdinv", args, 1, ...
                     @(out) verify_columns(out, T), refusal(a.refused)};
  endfor
  for c = argument_classes ("vector", n - 1)'
    args = {c.value, 20 * ones(n, 1), c.value, "Columns", [n, 1]};
    T = [];
    if (! c.refused)
      side = double (full (c.value))(:);
      T = spdiags ([[side; 0], 20 * ones(n, 1), [0; side]], -1:1, n, n);
    endif
    list(end+1,:) = {["long sides " c.name], "gpu_tdinv", args, 1, ...
                     @(out) verify_columns(out, T), refusal(c.refused)};
  endfor
endfunction

function text = verify_columns (out, T)
  text = "";
  X = double (out{1});
  n = rows (T);
  if (! all (isfinite (X(:))))
    return;  # a singular matrix
  endif
  E = T * X;
  E(n,1) -= 1;
  E(1,2) -= 1;
  if (! (norm (E, 1) < 100 * eps ("single") * max (1, norm (X, 1)) * norm (T, 1)))
    text = sprintf ("the columns are wrong by %g", norm (E, 1));
  endif
endfunction

function T = dense (c, a, b)
  T = diag (full (a)(:)) + diag (full (c)(:), -1) + diag (full (b)(:), 1);
  T = double (T);
endfunction

function list = tridiagonals ()
  list = {};
  n = 4;
  short = argument_classes ("vector", n - 1);
  for x = short'
    for y = argument_classes ("vector", n)'
      for z = short'
        ## All pairs; of the triples those with a plain column among them.
        if (! any (strcmp ("column", {x.name, y.name, z.name})))
          continue;
        endif
        args = {x.value, y.value, z.value};
        id = refusal (x.refused, y.refused, z.refused);
        T = [];
        if (isempty (id))
          T = dense (args{:});
        endif
        list(end+1,:) = {[x.name ", " y.name ", " z.name], "gpu_tdinv", args, ...
                         1, @(out) verify_inverse(out, T, class (like (args{:}))), ...
                         id};
      endfor
    endfor
  endfor
endfunction

function text = verify_inverse (out, T, kind)
  text = "";
  X = out{1};
  T = double (full (T));
  if (! strcmp (class (X), kind))
    text = ["the answer is of class " class(X)];
  elseif (rcond (T) > 1e-4)
    unit = 100 * eps (kind) * cond (T, 1);
    if (! (norm (double (X) - inv (T), 1) < unit * norm (inv (T), 1)))
      text = "the answer is wrong";
    endif
  endif
endfunction

## --- values of options ---

function list = option_values ()
  A = magic (4) + magic (4)';
  T = diag (4:9) + diag (ones (5, 1), 1) + diag (ones (5, 1), -1);
  list = [values("gpu_tdinv", T, "Columns", "vector", 3)
          values("gpu_tdinv", T, "Columns", "scalar", 2)
          values("gpu_tdinv", T, "Band", "scalar", 1)
          values("gpu_mrrr", T, "Index", "vector", 2)
          values("gpu_mrrr", T, "Range", "vector", 2)
          values("gpu_mrrr", T, "Device", "scalar", 0)
          values("gpu_jacobi_eig", A, "MaxSweeps", "scalar", 30)
          values("gpu_complex_eig", A, "MaxSweeps", "scalar", 30)
          values("gpu_onesided_eig", A, "MaxSweeps", "scalar", 30)
          values("gpu_jacobi_eig", A, "Device", "scalar", 0)
          values("gpu_eig", A, "Device", "scalar", 0)];
endfunction

## NAME (A, OPTION, VALUE) for all classes of value: the same answer as for
## double, or the same error.
function list = values (name, A, option, shape, n)
  list = {};
  for v = argument_classes (shape, n)'
    value = v.value;
    if (strcmp (shape, "vector") && isnumeric (value))
      value = ascending (value);
    endif
    id = "";
    verify = @(out) "";
    if ((v.refused && ! isinteger (value)) || iscomplex (value))
      id = "gpueig:bad-option";
    else
      try
        want = feval (name, A, option, double (full (value)));
        verify = @(out) differs (out{1}, want);
      catch err
        id = err.identifier;
      end_try_catch
    endif
    list(end+1,:) = {[option " " v.name], name, {A, option, value}, 1, verify, id};
  endfor
endfunction

## Integers from 1 on in a value of the same storage, where that can hold them.
function value = ascending (value)
  switch (typeinfo (value))
    case "double_range"
      value = 2:1+numel (value);
    case {"diagonal matrix", "float diagonal matrix", "complex diagonal matrix"}
    otherwise
      value(:) = 1:numel (value);
  endswitch
endfunction

function text = differs (x, want)
  text = "";
  if (! isequal (x, want))
    text = "not the answer of double";
  endif
endfunction
