## Calls with every class of argument, and pairs of them with every other one in every call
## that has several: rows of a text, the function, its arguments, the number of outputs, and
## the expected error's identifier or "".  ORDERS: of the matrices.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function list = argument_calls (orders)
  list = {};
  matrix = @(n) argument_classes ("matrix", n);
  vector = @(n) argument_classes ("vector", n);
  for n = orders
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
