## A random call of one of the functions NAMES for fuzz.m: a struct with name,
## args, nout, valid (true when the call must succeed), refused (the arguments
## must not give an answer), loose (options that change what an answer is) and
## iter ("Display", "iter").
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function call = fuzz_call (names)
  name = pick (names);
  call = struct ("name", name, "args", {{}}, "nout", floor (5 * rand ()),
                 "valid", false, "refused", false, "loose", false,
                 "iter", false);
  switch (name)
    case "gpu_tdinv"
      call = tridiagonal_arguments (call, 3);
      call.nout = min (call.nout, 3);
    case "gpu_mrrr"
      if (rand () < 0.6)
        call = tridiagonal_arguments (call, 2);
      else
        call = matrix_argument (call);
      endif
    otherwise
      call = matrix_argument (call);
      if (any (strcmp (name, public_functions ("pair"))) && rand () < 0.15)
        call.valid = false;
        second = matrix_argument (call);
        A = call.args{1};
        if (rand () < 0.5 && isfloat (A) && rows (A) == columns (A))
          second.args = {10 ^ (20 * rand () - 10) * (0 * A + 3 * full (eye (rows (A))))};
          second.refused = ! all (isfinite (second.args{1}(:)));
        endif
        call.args = [call.args, second.args];
        call.refused |= second.refused;
      endif
  endswitch
  if (rand () < 0.002)
    ## print_usage is slow.
    call.args = {};
    call.valid = false;
    call.refused = true;
  elseif (rand () < 0.002)
    call.nout = 6;
    call.valid = false;
    call.refused = true;
  endif
  if (rand () < 0.4)
    call = add_options (call);
  endif
  if (rand () < 0.01)
    ## Something else in between.
    at = 1 + floor (rand () * (numel (call.args) + 1));
    call.args = [call.args(1:at-1), {strange_value()}, call.args(at:end)];
    call.valid = false;
    call.refused = false;
    call.loose = true;
  endif
endfunction

function x = pick (list)
  x = list{1 + floor (rand () * numel (list))};
endfunction

## --- matrices -------------------------------------------------------------

function call = matrix_argument (call)
  if (rand () < 0.06)
    x = strange_value ();
    call.args = {x};
    call.refused = ! (isnumeric (x) || islogical (x)) || ! all (isfinite (x(:)));
    return;
  endif
  A = square_matrix (call.name);
  good = true;
  if (rand () < 0.05)
    A = resize (A, [rows(A), max(0, columns (A) - 1), size(A)(3:end)]);
    good = rows (A) == columns (A);
  endif
  if (rand () < 0.05 && ! isempty (A))
    ## NaN of some payload, NA, Inf.
    bad = pick ({NaN, NA, Inf, -Inf, typecast(uint64 (0x7ff0000000000001), "double"), ...
                 typecast(uint64 (0xfff8dead0000beef), "double"), complex(0, NaN), complex(Inf, -Inf)});
    ## Of the matrix's class: Octave does not put a complex double into a single
    ## complex matrix.
    A(1 + floor (rand () * numel (A))) = cast (bad, class (A));
    good = false;
  endif
  call.args = {A};
  ## Single precision may have overflowed.
  call.refused = ! all (isfinite (A(:)));
  call.valid = good && ! call.refused && answers (call.name, A);
endfunction

## True if the function NAME must succeed for the finite square matrix A.
function tf = answers (name, A)
  tf = isfloat (A) && rows (A) == columns (A);
  if (tf && ! any (strcmp (name, public_functions ("general"))))
    A = full (A);
    for p = 1:prod (size (A)(3:end))
      tf &= isequal (A(:,:,p), A(:,:,p)');
    endfor
  endif
endfunction

function A = square_matrix (name)
  n = floor (rand () ^ 2 * 9);
  if (rand () < 0.03)
    ## Arrays of such orders are not copied.
    n = floor (66 + 85 * rand () ^ 3);
  endif
  general = any (strcmp (name, public_functions ("general")));
  switch (floor (rand () * 8))
    case {0, 1}
      A = lazy_matrix (n);
      return;
    case {2, 3}
      A = random_matrix ({"symmetric", "general"}{1 + general}, max (n, 1), rand () < 0.3)(1:n,1:n);
    case 4
      ## Integers: multiple eigenvalues and defective matrices.
      A = round (4 * rand (n) - 2);
    otherwise
      A = entries ([n, n], rand () < 0.3);
  endswitch
  if (rand () < 0.15)
    pages = floor (rand () * 4);
    if (rand () < 0.3)
      pages = [pages, 1 + floor(rand () * 2)];
    endif
    A = repmat (A, [1, 1, pages]);
    if (! isempty (A))
      A .*= 1 + round (2 * rand ([1, 1, pages]));
    endif
  endif
  if (rand () < merge (general, 0.4, 0.9))
    B = A;
    for p = 1:prod (size (A)(3:end))
      B(:,:,p) = A(:,:,p) / 2 + A(:,:,p)' / 2;
    endfor
    A = B;
  endif
  if (rand () < 0.25)
    A = single (A);
  endif
  if (rand () < 0.1 && ndims (A) == 2 && isa (A, "double"))
    A = sparse (A);
  endif
endfunction

## Matrices with other storage schemes of Octave, whose content is not free.
function A = lazy_matrix (n)
  P = eye (n)(:,randperm (n));
  H = complex (4 * eye (n) + cos ((1:n)' + (1:n)), triu (ones (n), 1) - tril (ones (n), -1));
  A = pick ({eye(n), P, P(:,end:-1:1), diag(1:n), diag((1:n) * 1i), diag(complex (1:n, 0)), 3:3, speye(n), single(eye (n)), ...
             eye(n, "single"), diag(single (rand (1, n))), sparse(n, n), -eye(n) * 2, H, sparse(H), complex(real (H), 0)});
endfunction

## A column in some storage scheme: of its numbers, or of others.
function v = stored_vector (v)
  n = numel (v);
  v = pick ({v, v.', single(v), sparse(double(v)), sparse(double(v.')), 3:n+2, 6:-0.5:7-(n+1)/2, diag(3, n, 1), diag(single (3), n, 1), ...
             diag(complex (3, 1), n, 1), eye(n, 1), complex(real (v), 0)});
endfunction

## Random numbers of one or many magnitudes, now and then at the ends.
function x = entries (sz, complex)
  x = 2 * rand (sz) - 1;
  if (complex)
    x += 1i * (2 * rand (sz) - 1);
  endif
  magnitudes = {@() 10 ^ (600 * rand () - 300), @() 10 .^ (200 * rand (sz) - 100), @() realmin (), @() realmin () * eps (), ...
                @() realmax () / 256, @() rand (sz) < 0.4, @() -0, @() 10 ^ (60 * rand () - 30), ...
                @() 1, @() 1, @() 1, @() 1, @() 1, @() 1};
  x .*= pick (magnitudes) ();
endfunction

## What no matrix argument can be, and what it can with luck.
function x = strange_value ()
  x = pick ({int8([2 1; 1 2]), uint64(5), int32([]), true, true(2), "a", "ab", ...
             ["ab"; "cd"], "", {}, {1}, struct(), struct("a", {1, 2}), @sin, ...
             1:0, 1:4, -(1:3), (1:3)', zeros(3, 0), zeros(0, 3), ones(2, 3, 2), ...
             NaN, [], single([]), zeros(0, 0, 3), zeros(2, 2, 0), sparse(3, 2), ...
             sparse(true), sparse([1 NaN; NaN 1]), 0:0.1:1, 7, 1i, NA, -0, ...
             containers.Map(), inputParser(), sparse(1e6, 1e6)(1:3,1:3)});
endfunction

## --- tridiagonal ------------------------------------------------------------

function call = tridiagonal_arguments (call, count)
  n = 1 + floor (rand () ^ 2 * 12);
  if (rand () < 0.04)
    ## Of such orders diagonal matrices are not made full.
    n = 66;
  endif
  complex = count == 3 && rand () < 0.3;
  a = entries ([n, 1], complex);
  b = entries ([n-1, 1], complex);
  c = entries ([n-1, 1], complex);
  if (rand () < 0.5)
    ## Diagonally dominant.
    a = sign (real (a) + 0.5) .* (abs (a) + [abs(b); 0] + [0; abs(c)]);
  endif
  if (rand () < 0.25)
    [a, b, c] = deal (single (a), single (b), single (c));
  endif
  if (rand () < 0.3)
    [a, b, c] = deal (a.', b.', c.');
  elseif (rand () < 0.6 && n > 1 && all (abs ([a; b; c]) < 1e30))
    ## Also as single numbers they are finite.
    [a, b, c] = deal (stored_vector (a(:)), stored_vector (b(:)), stored_vector (c(:)));
  endif
  good = count == 3 || ! (iscomplex (a) || iscomplex (b));
  switch (floor (rand () * 16))
    case 0
      b = [b(:); 1];
      good = false;
    case 1
      a(1) = pick ({NaN, Inf, NA});
      good = false;
    case 2
      a = strange_value ();
      good = false;
    case 3
      a = ones (n, 2);
      good = false;
    case 4
      if (n > 1)
        a = 1:n;
      endif
  endswitch
  lists = {{a}, {a, b}, {c, a, b}};
  call.args = lists{count};
  finite = (isnumeric (a) || islogical (a)) && all (isfinite (a(:))) && all (isfinite (b)) ...
           && (count == 2 || all (isfinite (c)));
  call.refused = ! finite;
  call.valid = good && finite;
  if (rand () < 0.3 && good && finite)
    if (count == 2)
      c = conj (b);
    endif
    T = diag (full (a(:))) + diag (full (b(:)), 1) + diag (full (c(:)), -1);
    if (n == 1)
      T = a(1);
    endif
    if (isa (T, "double") && rand () < 0.5)
      T = sparse (T);
    elseif (n == 66 || rand () < 0.3)
      T = pick ({eye(n), diag(1:n), diag(single (1:n)), eye(n)([2:min(n, 2), 1, 3:n],:)});
    endif
    call.args = {T};
  endif
endfunction

## --- options -----------------------------------------------------------------

function call = add_options (call)
  persistent known = struct ();
  if (! isfield (known, call.name))
    [methods, options] = words_of (call.name);
    known.(call.name) = {methods, options};
  endif
  [methods, options] = known.(call.name){:};
  for i = 1:1 + floor (2 * rand ())
    if (rand () < 0.15)
      call.args(end+1) = {pick({"vector", "matrix", "VECTOR", "balance", "nobalance", "chol", "qz"})};
      call.valid = false;
      continue;
    endif
    name = pick ([options, {"Backend", "Method", "nonsense"}]);
    [value, call.valid] = option_value (name, methods, call);
    if (any (strcmpi (name, {"Display"})))
      call.iter = true;
    else
      call.loose = call.loose || ! any (strcmpi (name, {"Backend", "Method", "Device"}));
    endif
    if (rand () < 0.1)
      name = upper (name);
    endif
    call.args(end+1:end+2) = {name, value};
    if (rand () < 0.02)
      call.args(end) = [];
      call.valid = false;
    endif
  endfor
endfunction

## A value for the option NAME; whether the call stays one that must succeed.
function [value, valid] = option_value (name, methods, call)
  valid = false;
  if (rand () < 0.15)
    value = pick ({[], {}, "", "none", NaN, Inf, -1, 0, 1.5, [1 2], 1i, int8(1), "1", true, @sin, struct()});
    return;
  endif
  switch (tolower (name))
    case "backend"
      value = pick ({"auto", "cpu", "CPU", "cuda"});
      valid = call.valid && ! strcmp (value, "cuda");
    case "method"
      value = pick (methods);
    case "tol"
      value = 10 ^ (-17 * rand ());
    case {"maxsweeps", "maxrotations"}
      value = 1 + floor (100 * rand ());
    case "display"
      value = pick ({"off", "iter"});
    case "accuracy"
      value = pick ({"normal", "high"});
    case "device"
      value = pick ({0, 0, 1, 99, 1e10});
    case "guess"
      value = [call.args, {1}]{1};
      if (isfloat (value) && rand () < 0.7)
        value = 2 * rand (size (value)) - 1;
      endif
    case "index"
      value = sort (1 + floor (8 * rand (1, 2)));
    case "range"
      value = sort (4 * rand (1, 2) - 2) * 10 ^ (4 * rand () - 2);
    case "columns"
      value = 1 + floor (6 * rand (1, floor (4 * rand ())));
    case "band"
      value = floor (4 * rand ());
    otherwise
      value = pick ({1, "auto", true, "on"});
  endswitch
  if (isnumeric (value) && isreal (value) && ! any (strcmpi (name, {"tol", "guess", "range"})))
    value = pick ({@double, @double, @single, @int8, @uint64, @sparse}) (value);
  endif
endfunction
