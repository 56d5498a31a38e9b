## Pairs every class of argument with every other one in every call that has several:
## the answer is, bit for bit, that of full matrices of the answer's class.
##   [failures, calls] = pairs ()    what failed as a cellstr, and how many calls
##   ... = pairs (STRIDE)            every STRIDE-th of the calls only
## Calls that the backend under test does not have count as right.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, calls] = pairs (stride = 1)
  list = all_calls ()(1:stride:end,:);
  failures = {};
  saved = warning ();
  unwind_protect
    warning ("off", "all");
    for k = 1:rows (list)
      text = attempt (list{k,2:end});
      if (! isempty (text))
        failures{end+1} = sprintf ("%s (%s): %s", list{k,2}, list{k,1}, text);
      endif
    endfor
  unwind_protect_cleanup
    warning (saved);
  end_unwind_protect
  calls = rows (list);
endfunction

## Rows of a text, the function, its arguments, the number of outputs, and the expected
## error's identifier or "".
function list = all_calls ()
  list = {};
  matrix = @(n) argument_classes ("matrix", n);
  vector = @(n) argument_classes ("vector", n);
  for n = [1, 3, 66]
    for name = public_functions ("eigenvalues")
      list = [list; combine(name{1}, {matrix(n)}, {})];
    endfor
    diagonals = cellfun (@tridiagonal, {matrix(n).value}, "UniformOutput", false);
    T = matrix (n);
    [T.value] = diagonals{:};
    list = [list; combine("gpu_tdinv", {T}, {})];
    ## Complex arrays of the large order are not copied, lazily stored diagonal matrices
    ## not made full.
    both = [combine("gpu_eig", {matrix(n), matrix(n)}, {})
            combine("gpu_jacobi_eig", {matrix(n), "Guess", matrix(n)}, {})];
    if (n == 66)
      both = both(! cellfun (@isempty, strfind (both(:,1), "complex")),:)(1:5:end,:);
    endif
    list = [list; both];
  endfor
  list = [list; combine("gpu_mrrr", {vector(4), vector(3)}, {})];
  triples = combine ("gpu_tdinv", {vector(3), vector(4), vector(3)}, {});
  ## All pairs; of the triples those with a plain column among them.
  list = [list; triples(! cellfun (@isempty, strfind (triples(:,1), "column")),:)];
  n = 5000;
  columns = {"Columns", [n, 1]};
  list = [list
          combine("gpu_tdinv", {ones(1, n-1), vector(n), single(ones (n-1, 1))}, columns)
          combine("gpu_tdinv", {vector(n-1), 20 * ones(n, 1), ones(n-1, 1)}, columns)];
  list = [list; option_values()];
endfunction

## Calls of NAME with all combinations of the classes in SLOTS, whose other elements stay.
function list = combine (name, slots, options)
  list = {"", name, {}, 1 + ! strcmp(name, "gpu_tdinv"), ""};
  for slot = slots
    choices = slot{1};
    if (! isstruct (choices))
      choices = struct ("name", "", "value", {choices}, "refused", false);
    endif
    longer = {};
    for k = 1:rows (list)
      for c = choices(:).'
        row = list(k,:);
        row{1} = [row{1} " " c.name];
        is_guess = any (cellfun (@(x) strcmp (x, "Guess"), row{3}));
        row{3} = [row{3}, {c.value}];
        if (isempty (row{5}) && (c.refused || (strcmp (name, "gpu_mrrr") ...
                                               && numel (slots) == 2 && iscomplex (c.value))))
          row{5} = merge (is_guess, "gpueig:bad-option", "gpueig:wrong-type");
        endif
        longer(end+1,:) = row;
      endfor
    endfor
    list = longer;
  endfor
  list(:,3) = cellfun (@(args) [args, options], list(:,3), "UniformOutput", false);
endfunction

function T = tridiagonal (A)
  T = A;
  if (rows (A) > 2 && isnumeric (A) && ! isdiag (A) ...
      && ! strcmp (typeinfo (A), "permutation matrix"))
    T = triu (tril (A, 1), -1);
  endif
endfunction

## "" or what is wrong with the answer.
function text = attempt (name, args, nout, id)
  text = "";
  [out, got] = answer (name, args, nout);
  if (strcmp (got, "gpueig:no-device") && strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
    return;
  endif
  ## Matrices come before the first name of an option, but for a guess, which becomes of
  ## their class.
  last = find ([cellfun(@ischar, args) & ! strcmp(args, "Guess"), true], 1) - 1;
  numbers = find (cellfun (@isnumeric, args));
  data = numbers(numbers <= last);
  wide = "double";
  first = find ([cellfun(@ischar, args), true], 1);
  if (any (cellfun (@(x) isa (x, "single"), args(1:first-1))))
    wide = "single";
  endif
  if (isempty (id))
    plain = args;
    plain(numbers) = cellfun (@(x) as_full (x, "double"), args(numbers), "UniformOutput", false);
    plain(data) = cellfun (@(x) as_full (x, wide), args(data), "UniformOutput", false);
    [want, id] = answer (name, plain, nout);
  endif
  if (! strcmp (got, id))
    text = sprintf ("\"%s\" instead of \"%s\"", got, id);
  elseif (isempty (id))
    for i = 1:nout
      x = full (out{i});
      if (! (strcmp (class (x), wide) && isequaln (x, full (want{i}))))
        text = sprintf ("output %d is not that of full matrices of class %s", i, wide);
      elseif (iscomplex (x) && ! any (imag (x(:))))
        text = "complex without imaginary parts";
      endif
    endfor
  endif
endfunction

## X as a full matrix of a class; complex if it was, also without imaginary parts.
function y = as_full (x, class)
  y = cast (full (x), class);
  if (iscomplex (x))
    y = complex (real (y), imag (y));
  endif
endfunction

## The outputs, or the error's identifier.
function [out, id] = answer (name, args, nout)
  out = cell (1, nout);
  id = "";
  try
    [out{:}] = feval (name, args{:});
  catch err
    id = err.identifier;
  end_try_catch
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

## NAME (A, OPTION, VALUE) for all classes of value.
function list = values (name, A, option, shape, n)
  list = {};
  for v = argument_classes (shape, n)'
    value = v.value;
    if (strcmp (shape, "vector") && isnumeric (value))
      value = ascending (value);
    endif
    id = "";
    if ((v.refused && ! isinteger (value)) || iscomplex (value))
      id = "gpueig:bad-option";
    endif
    list(end+1,:) = {[option " " v.name], name, {A, option, value}, 1, id};
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
