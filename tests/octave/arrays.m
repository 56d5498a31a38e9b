## Random operations on arrays of gpu_array, compared with those of Octave: random types,
## sizes, dimensions of 1 and 0, complex numbers, host operands on either side.
##   [failures, calls] = arrays (SEED, COUNT)   COUNT rounds of all operations
## Results must have the same class and size, and be equal but for rounding; where Octave
## raises an error, so must gpu_array.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, calls] = arrays (seed, count)
  rand ("twister", seed);
  randn ("twister", seed);
  failures = {};
  calls = 0;
  list = operations ();
  saved = warning ();
  last = lasterr ();
  unwind_protect
    warning ("off", "all");
    for round = 1:count
      for k = 1:rows (list)
        [name, f, maker] = list{k,:};
        args = maker ();
        text = compare (f, args);
        calls++;
        if (! isempty (text))
          failures{end+1} = sprintf ("%s (%s), round %d: %s", name, ...
                                     describe (args), round, text);
        endif
      endfor
    endfor
  unwind_protect_cleanup
    warning (saved);
    lasterr (last);
  end_unwind_protect
endfunction

## The difference between F of Octave's values and F of arrays, "" if there is none.  One
## argument at least is an array; others stay on the host at random.
function text = compare (f, args)
  text = "";
  at = find (cellfun (@isfloat, args));
  on = args;
  first = at(randi (numel (at)));
  for i = reshape (at, 1, [])
    if (i == first || rand () < 0.6)
      on{i} = gpu_array (args{i});
      [on{i}, args{i}] = after_operations (on{i}, args{i});
    endif
  endfor
  wanted_error = got_error = struct ("message", "", "identifier", "");
  try
    wanted = f (args{:});
  catch err
    wanted_error = err;
  end_try_catch
  try
    got = f (on{:});
    if (isa (got, "gpu_array") && ! strcmp (underlyingType (got), class (gather (got))))
      text = "underlyingType";
    endif
    got = gather (got);
  catch err
    got_error = err;
  end_try_catch
  if (! isempty (wanted_error.message) || ! isempty (got_error.message))
    ## Octave cannot assign doubles to no element of a complex single number.
    if ((isempty (wanted_error.message) || isempty (got_error.message)
         || ! strcmp (wanted_error.identifier, got_error.identifier))
        && isempty (strfind (wanted_error.message, "no conversion for assignment")))
      text = sprintf ("error \"%s\" <%s>, wanted \"%s\" <%s>", got_error.message, got_error.identifier,
                      wanted_error.message, wanted_error.identifier);
    endif
    return;
  endif
  wanted = full (wanted);
  if (! strcmp (class (got), class (wanted)))
    text = sprintf ("class %s, wanted %s", class (got), class (wanted));
  elseif (isempty (got) && isempty (wanted) && numel (unique (cellfun (@class, args(at), "UniformOutput", false))) > 1)
    return;  # cat counts empty pages of mixed classes in its own way
  elseif (! isequal (size (got), size (wanted)))
    text = sprintf ("size %s, wanted %s", mat2str (size (got)), mat2str (size (wanted)));
  elseif (iscomplex (got) != iscomplex (wanted))
    text = sprintf ("iscomplex %d, wanted %d", iscomplex (got), iscomplex (wanted));
  elseif (islogical (wanted))
    if (! isequal (got, wanted))
      text = "other truth values";
    endif
  else
    text = difference (got, wanted);
  endif
endfunction

## Of the factors in Y, of pivots of equal size any, the product R, as R' * R.
function r = gram_of_rows (y)
  k = min (size (y));
  r = (tril (y, -1)(:,1:k) + eye (rows (y), k)) * triu (y)(1:k,:);
  r = r' * r;
endfunction

## Now and then G and X after operations without rounding: results of operations, types that
## were widened, assignments that are pending.
function [g, x] = after_operations (g, x)
  list = {@(x) x + 1, @(x) -x, @(x) conj (x), @(x) reshape (x(:), size (x)), @(x) real (x) + 1i * imag (x), ...
          @(x) [x, x](:,1:columns(x),:,:,:), @(x) permute (permute (x, [2 1 3 4 5]), [2 1 3 4 5]), @with_new_first};
  while (rand () < 0.25)
    f = list{randi (numel (list))};
    g = f (g);
    x = f (x);
  endwhile
endfunction

function x = with_new_first (x)
  if (! isempty (x))
    x(1) = 2;
  endif
endfunction

function text = difference (got, wanted)
  text = "";
  e = eps (class (wanted));
  same = (got == wanted) | (isnan (got) & isnan (wanted));
  if (all (same(:)))
    return;
  endif
  parts = @(x) double ([real(x(:)); imag(x(:))]);
  scale = max (abs (parts (wanted)(isfinite (parts (wanted)))));
  if (isempty (scale))
    scale = 0;
  endif
  [x, y] = deal (parts (got(! same)), parts (wanted(! same)));
  worst = max (abs (x - y)(x != y)) / (double (max (scale, realmin (class (wanted)))) * e);
  if (! (worst < 1000))
    text = sprintf ("differs by %g eps", worst);
  endif
endfunction

function text = describe (args)
  text = "";
  for i = 1:numel (args)
    x = args{i};
    if (isfloat (x))
      text = [text, sprintf("%s%s %s, ", {"", "complex "}{iscomplex(x) + 1}, ...
                            class (x), mat2str (size (x)))];
    endif
  endfor
endfunction

## --- arguments ---

function n = order ()
  n = [0, 1, 1, 2, 3, 5, 8, 40](randi (8));
endfunction

function x = numbers (varargin)
  x = randn (varargin{:});
  switch (randi (4))
    case 1
      x = round (2 * x);
    case 2
      x = complex (x, round (randn (varargin{:})));
      if (! isempty (x) && ! any (imag (x)(:)))
        x(end) += 1i;
      endif
  endswitch
  if (rand () < 0.3)
    x = single (x);
  endif
  if (rand () < 0.1 && ! isempty (x))
    special = [NaN, Inf, -Inf, 0, -0];
    x(randi (numel (x))) = special(randi (5));
  endif
endfunction

## Finite, for products: NaN and Inf spread differently in other orders of summation.
function x = finite_numbers (varargin)
  x = numbers (varargin{:});
  x(! isfinite (x)) = 1;
endfunction

function dims = any_size ()
  dims = [order(), order()];
  while (rand () < 0.25 && numel (dims) < 5)
    dims(end+1) = randi (3);
  endwhile
endfunction

function args = one ()
  args = {numbers(any_size ())};
endfunction

function args = one_finite ()
  args = {finite_numbers(any_size ())};
endfunction

function args = long_rows ()
  args = {finite_numbers(randi (3), randi (5000), randi (2))};
endfunction

function args = two_matrices ()
  args = {finite_numbers(randi (5), randi (4)), finite_numbers(randi (3), randi (6))};
endfunction

function r = definite_factor (a)
  r = chol (a * a' + eye (rows (a)));
endfunction

function x = without_first (x)
  x(1:min (2, end),:) = [];
endfunction

function args = a_matrix ()
  args = {finite_numbers(order (), order ())};
endfunction

## Sizes that fit by broadcasting, now and then not.
function args = two ()
  dims = any_size ();
  other = dims;
  other(rand (size (dims)) < 0.3) = 1;
  if (rand () < 0.3)
    other = [1, 1];
  elseif (rand () < 0.1)
    other = any_size ();
  endif
  args = {numbers(dims), numbers(other)};
  args = args(randperm (2));
endfunction

## Now and then of equal values.  Not for max and min: of two complex numbers of the same
## modulus Octave 11 takes that of the larger argument, versions before it the first.
function args = compared ()
  args = two ();
  if (rand () < 0.2)
    args{2} = {@single, @double, @real, @conj}{randi (4)} (args{1});
  endif
endfunction

function args = for_power ()
  args = two ();
  small = {0, 1, 2, -1, 3, 0.5};
  if (rand () < 0.6)
    args{2} = small{randi (6)};
  endif
  for i = 1:2
    args{i}(! isfinite (args{i}) | abs (args{i}) > 4) = 2;
    args{i}(args{i} == 0) = 1;
  endfor
endfunction

function args = factors ()
  k = order ();
  args = {finite_numbers(order (), k), finite_numbers(k, order ())};
  if (rand () < 0.1)
    args{2} = finite_numbers (order (), order ());
  endif
endfunction

function args = pages ()
  m = randi (5);
  k = randi (5);
  n = randi (5);
  p = [randi(3), randi(2)];
  args = {finite_numbers([m, k, p]), finite_numbers([k, n, p])};
  if (rand () < 0.4)
    i = randi (2);
    args{i} = args{i}(:,:,1);
  endif
endfunction

## A well-conditioned system of one of the kinds that \ distinguishes.
function args = system ()
  n = randi (20);
  a = finite_numbers (n, n) / 10 + 3 * eye (n);
  switch (randi (6))
    case 1
      a = triu (a);
    case 2
      a = tril (a);
    case 3
      a = a * a';
      a = (a + a') / 2;
    case 4
      a = a - 6 * eye (n);
      a = (a + a') / 2;
    case 5
      m = n + randi (5);
      a = finite_numbers (m, n) / 10 + 3 * eye (m, n);
      if (rand () < 0.5)
        a = a';
      endif
  endswitch
  args = {a, finite_numbers(rows (a), randi (3))};
endfunction

function args = one_real ()
  args = {real(one (){1})};
endfunction

function x = first (n, f, varargin)
  x = nthargout (1, n, f, varargin{:});
endfunction

function x = second (f, varargin)
  [~, x] = f (varargin{:});
endfunction

function x = third (f, varargin)
  [~, ~, x] = f (varargin{:});
endfunction

function args = with_dimension ()
  args = {finite_numbers(any_size ()), int8(randi (4))};
endfunction

function k = subscript (n)
  switch (randi (6))
    case 1
      k = ":";
    case 2
      k = rand (1, n) < 0.5;
    case 3
      k = 1:2:n;
    case 4
      k = n:-1:1;
    case 5
      k = zeros (1, 0);
    otherwise
      k = randi (max (n, 1), 1, randi (4));
  endswitch
endfunction

function args = subscripts ()
  x = numbers (any_size ());
  n = randi (ndims (x) + 1);
  s = cell (1, n);
  for d = 1:n
    m = size (x, d);
    if (d == n)
      m = prod (size (x)(d:end));
    endif
    s{d} = subscript (m);
    if (rand () < 0.03)
      s{d} = m + 1;
    endif
  endfor
  if (n == 1 && rand () < 0.4)
    s{1} = {reshape(randi (max (numel (x), 1), 1, 6), 2, 3), rand(size (x)) < 0.5, ...
            true, false, zeros(0, 0), [], (rand (numel (x), 1) < 0.5)}{randi (7)};
  endif
  args = {x, struct("type", "()", "subs", {s})};
endfunction

## More than two indices of a 0-by-0 array make an array of the shape of the value.
function args = assignment ()
  do
    args = subscripts ();
  until (any (size (args{1})) || numel (args{2}.subs) < 3)
  x = args{1};
  try
    y = subsref (x, args{2});
    value = numbers (size (y));
  catch
    value = numbers (1, 1);
  end_try_catch
  if (rand () < 0.3 || isequal (size (value), [0, 0]))
    value = numbers (1, 1);
  endif
  args{3} = value;
endfunction

function args = to_join ()
  dims = any_size ();
  args = {int8(randi (3))};
  nothing = {0, 0.1, 0.6}{randi (3)};
  for i = 1:randi (4)
    d = dims;
    d(end+1:double (args{1})) = 1;
    d(args{1}) = order ();
    if (rand () < 0.03)
      d = any_size ();
    endif
    if (rand () < nothing)
      d = [0, 0];
    endif
    args{end+1} = numbers (d);
  endfor
endfunction

function args = to_reshape ()
  x = numbers (any_size ());
  n = numel (x);
  f = [factor(max (n, 1)), 1, 1];
  dims = [f(1), prod(f(2:end))];
  if (n == 0)
    dims = [0, 3];
  endif
  if (rand () < 0.05)
    dims(1)++;
  endif
  args = {x, int8(dims(randperm (2)))};
  if (max (dims) > 127)
    args{2} = int8 ([1, 1]);
  endif
endfunction

## --- operations ---

function list = operations ()
  list = {"+", @plus, @two;
          "-", @minus, @two;
          ".*", @times, @two;
          "./", @rdivide, @two;
          ".\\", @ldivide, @two;
          ".^", @power, @for_power;
          "==", @eq, @compared;
          "!=", @ne, @compared;
          "<", @lt, @compared;
          "<=", @le, @compared;
          ">", @gt, @compared;
          ">=", @ge, @compared;
          "max of two", @(x, y) max (x, y), @two;
          "min of two", @(x, y) min (x, y), @two;
          "uminus", @uminus, @one;
          "abs", @abs, @one;
          "real", @real, @one;
          "imag", @imag, @one;
          "conj", @conj, @one;
          "sqrt", @sqrt, @one;
          "exp", @exp, @one;
          "log", @log, @one;
          "expm1", @expm1, @one;
          "log1p", @log1p, @one;
          "log2", @(x) log2 (x), @one;
          "log10", @log10, @one;
          "sin", @sin, @one_finite;
          "cos", @cos, @one_finite;
          "tan", @tan, @one_finite;
          "asin", @asin, @one_finite;
          "acos", @acos, @one_finite;
          "atan", @atan, @one;
          "sinh", @sinh, @one;
          "cosh", @cosh, @one;
          "tanh", @tanh, @one;
          "erf", @(x) erf (real (x)), @one;
          "arg", @arg, @one_finite;
          "angle", @angle, @one_finite;
          "gamma", @(x) gamma (real (x)), @one;
          "atan2", @(x, y) atan2 (real (x), real (y)), @two;
          "hypot", @hypot, @two;
          "mod", @(x, y) mod (real (x), real (y)), @two;
          "rem", @(x, y) rem (real (x), real (y)), @two;
          "floor", @floor, @one;
          "ceil", @ceil, @one;
          "round", @round, @one;
          "fix", @fix, @one;
          "sign", @sign, @one_finite;
          "isnan", @isnan, @one;
          "isinf", @isinf, @one;
          "isfinite", @isfinite, @one;
          "nnz", @nnz, @one;
          "double", @double, @one;
          "single", @single, @one;
          "size", @(x) size (x), @one;
          "size 2", @(x) size (x, 2), @one;
          "numel", @numel, @one;
          "ndims", @ndims, @one;
          "rows", @rows, @one;
          "columns", @columns, @one;
          "length", @length, @one;
          "isempty", @isempty, @one;
          "isvector", @isvector, @one;
          "isscalar", @isscalar, @one;
          "issquare", @issquare, @one;
          "ismatrix", @ismatrix, @one;
          "size_equal", @(x, y) size_equal (x, y), @compared;
          "isequal", @(x, y) isequal (x, y), @compared;
          "isequal itself", @(x) isequal (x, x + 0), @one_finite;
          "*", @mtimes, @factors;
          "* scalar", @(x, y) x * y(1:min (1, end)), @factors;
          "'", @ctranspose, @one;
          ".'", @transpose, @one;
          "pages of *", @page_products, @pages;
          "\\", @mldivide, @system;
          "/", @(a, b) b' / a', @system;
          "inv", @inv, @square;
          "det", @det, @square;
          "lu", @(x) gram_of_rows (lu (x)), @a_matrix;
          "lu, L of rows in the order of x", @(x) first (2, @lu, x) * second (@lu, x), @a_matrix;
          "lu, L", @(x) abs (first (3, @lu, x)) < 1.5, @a_matrix;
          "lu, U", @(x) tril (second (@lu, x), -1), @a_matrix;
          "lu, P", @(x) sort (third (@lu, x)), @a_matrix;
          "lu, all", @(x) third (@lu, x)' * first (3, @lu, x) * second (@lu, x), @a_matrix;
          "qr", @(x) first (2, @qr, x) * second (@qr, x), @a_matrix;
          "qr of few columns", @(x) first (2, @qr, x, 0) * second (@qr, x, 0), @a_matrix;
          "fft", @fft, @one_finite;
          "fft dim", @(x, d) fft (x, 5, double (d)), @with_dimension;
          "ifft", @ifft, @one_finite;
          "ifft of fft", @(x) real (ifft (fft (x))), @one_finite;
          "fft2", @(x) fft2 (x), @one_finite;
          "ifft2 m n", @(x) ifft2 (x, 4, 3), @one_finite;
          "norm", @norm, @a_matrix;
          "norm 1", @(x) norm (x, 1), @a_matrix;
          "norm Inf", @(x) norm (x, Inf), @a_matrix;
          "norm fro", @(x) norm (x, "fro"), @a_matrix;
          "trace", @trace, @square;
          "chol", @definite_factor, @square;
          "^", @(x) x ^ 3, @square;
          "kron", @kron, @two_matrices;
          "permute", @(x) permute (x, [3 1 2 4 5]), @one;
          "ipermute", @(x) ipermute (x, [3 1 2 4 5]), @one;
          "squeeze", @squeeze, @one;
          "mean", @(x) mean (x), @one_finite;
          "mean dim", @(x, d) mean (x, double (d)), @with_dimension;
          "var", @(x) var (x), @one_finite;
          "std", @(x) std (x, 1), @one_finite;
          "diff", @(x) diff (x), @one_finite;
          "diff dim", @(x, d) diff (x, 1, double (d)), @with_dimension;
          "cumsum", @cumsum, @one_finite;
          "cumsum dim", @(x, d) cumsum (x, double (d)), @with_dimension;
          "cumprod", @cumprod, @one_finite;
          "long cumsum", @(x) cumsum (x, 2), @long_rows;
          "second of sort", @(x) nthargout (2, @sort, x), @one;
          "! ", @(x) ! x, @one_finite;
          "deletion", @(x) without_first (x), @a_matrix;
          "diag", @(x) diag (x), @a_matrix;
          "diag k", @(x) diag (x, -1), @a_matrix;
          "diag m n", @(x) diag (x(:,1), 4, 7), @a_matrix;
          "sum", @sum, @one_finite;
          "sum dim", @(x, d) sum (x, double (d)), @with_dimension;
          "sumsq", @sumsq, @one_finite;
          "sumsq dim", @(x, d) sumsq (x, double (d)), @with_dimension;
          "max", @(x) max (x), @one;
          "min", @(x) min (x), @one;
          "max dim", @(x, d) max (x, [], double (d)), @with_dimension;
          "max at", @(x) second (@max, x), @one;
          "min dim at", @(x, d) second (@min, x, [], double (d)), @with_dimension;
          "prod", @prod, @one_finite;
          "prod dim", @(x, d) prod (x, double (d)), @with_dimension;
          "any", @any, @one;
          "any dim", @(x, d) any (x, double (d)), @with_dimension;
          "all", @all, @one;
          "all dim", @(x, d) all (round (x), double (d)), @with_dimension;
          "cummax", @cummax, @one_real;
          "cummin dim", @(x, d) cummin (x, double (d)), @with_dimension;
          "sort", @sort, @one;
          "sort down", @(x) sort (x, "descend"), @one;
          "sort dim", @(x, d) sort (round (x), double (d), "descend"), @with_dimension;
          "sort at", @(x) second (@sort, round (x)), @one;
          "sort dim at", @(x, d) second (@sort, round (x), double (d), "descend"), @with_dimension;
          "median", @median, @one_real;
          "median dim", @(x, d) median (real (x), double (d)), @with_dimension;
          "find", @(x) find (round (x)), @one;
          "find last", @(x) find (round (x), 3, "last"), @one;
          "find columns", @(x) second (@find, round (x)), @one;
          "find values", @(x) third (@find, round (x)), @one;
          "min dim", @(x, d) min (x, [], double (d)), @with_dimension;
          "dot", @(x, y) dot (x, y), @alike;
          "index", @subsref, @subscripts;
          "assignment", @subsasgn, @assignment;
          "cat", @(d, varargin) cat (double (d), varargin{:}), @to_join;
          "reshape", @(x, d) reshape (x, double (d)), @to_reshape;
          "reshape m n", @(x, d) reshape (x, double (d)(1), double (d)(2)), @to_reshape;
          "tril", @(x) tril (x), @a_matrix;
          "triu", @(x) triu (x, 1), @a_matrix;
          "repmat", @(x) repmat (x, 2, 3), @one;
          "repmat 3", @(x) repmat (x, [1, 2, 2]), @one;
          "end", @(x) x(end:-1:max (1, end - 3)), @one};
endfunction

function args = square ()
  n = randi (20);
  args = {finite_numbers(n, n) + 4 * eye(n)};
endfunction

function args = alike ()
  dims = any_size ();
  args = {finite_numbers(dims), finite_numbers(dims)};
endfunction

## pagemtimes, which Octave lacks.
function z = page_products (x, y)
  if (isa (x, "gpu_array") || isa (y, "gpu_array"))
    z = pagemtimes (x, y);
    return;
  endif
  n = max (size (x, 3) * size (x, 4), size (y, 3) * size (y, 4));
  dims = [size(x), size(y)(3:end)];
  if (ndims (x) < ndims (y))
    dims = [rows(x), columns(y), size(y)(3:end)];
  else
    dims = [rows(x), columns(y), size(x)(3:end)];
  endif
  z = zeros (dims, class (single (0) * x(1) * y(1)));
  if (isa (x, "double") && isa (y, "double"))
    z = double (z);
  endif
  for p = 1:n
    z(:,:,p) = x(:,:,min (p, size (x(:,:,:), 3))) * y(:,:,min (p, size (y(:,:,:), 3)));
  endfor
endfunction
