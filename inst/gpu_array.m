## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

classdef gpu_array < __gpu_array_functions__

  ## -*- texinfo -*-
  ## @deftypefn  {} {@var{G} =} gpu_array (@var{X})
  ## @deftypefnx {} {@var{G} =} gpu_array (@var{X}, @var{name}, @var{value}, @dots{})
  ## Copy the full numeric array @var{X} to the GPU, where operations on it stay.
  ##
  ## @example
  ## @group
  ## A = gpu_array ([2, 1; 1, 3]);
  ## gather (A \ [3; 4])
  ##   @result{} [1; 1]
  ## @end group
  ## @end example
  ##
  ## @var{X} is a numeric or logical array, real or complex, full or sparse, of up to eight
  ## dimensions; what is not single becomes double, and what is not full becomes full.
  ## @code{gather (@var{G})} copies back.  @code{gpuArray} is the same function.
  ##
  ## @strong{Options}
  ##
  ## @table @asis
  ## @item "Backend": "auto" (default), "cuda", "cpu"
  ## Where the array is: @qcode{"auto"} is the GPU if there is one, @qcode{"cpu"} host memory,
  ## where all operations work as well.  The environment variable @env{GPUEIG_BACKEND} sets
  ## another default.
  ##
  ## @item "Device": integer from 0
  ## Which GPU.
  ## @end table
  ##
  ## @strong{Operations}
  ##
  ## Operators and numeric functions of Octave take such arrays, mixed with values of Octave.
  ## These stay on the GPU; all others are computed by Octave in host memory, and their results
  ## copied to the GPU:
  ##
  ## @table @asis
  ## @item elementwise, with broadcasting
  ## @code{+ - .* ./ .\ .^}, comparisons, @code{abs}, @code{real}, @code{imag}, @code{conj},
  ## @code{sqrt}, @code{exp}, @code{log}, @code{max}, @code{min}, @code{isnan}, @code{isinf},
  ## @code{isfinite}, @code{double}, @code{single}; of real arrays @code{sin}, @code{cos},
  ## @code{tan}, @code{sinh}, @code{cosh}, @code{tanh}, @code{atan}, @code{asin}, @code{acos},
  ## @code{log2}, @code{log10}, @code{log1p}, @code{expm1}, @code{erf}, @code{sign},
  ## @code{floor}, @code{ceil}, @code{round}, @code{fix}
  ##
  ## @item linear algebra
  ## @code{* ' .' \ / ^}, @code{kron}, @code{inv}, @code{chol}, @code{rank}, @code{null},
  ## @code{orth}, @code{cond}, @code{diag}, @code{norm}, @code{trace}, @code{dot}, @code{pagemtimes}, @code{pagetranspose}, @code{pagectranspose}
  ##
  ## @item along a dimension
  ## @code{sum}, @code{sumsq}, @code{mean}, @code{std}, @code{var}, @code{max}, @code{min},
  ## @code{diff}, @code{cumsum}, @code{cumprod}
  ##
  ## @item parts
  ## @code{G(i,j)} with ranges, vectors, logical arrays, arrays of either kind, @code{:} and
  ## @code{end}, also on the left side; @code{[G, H]}, @code{[G; H]}, @code{cat},
  ## @code{reshape}, @code{permute}, @code{squeeze}, @code{repmat}, @code{tril}, @code{triu}
  ##
  ## @item solvers
  ## @code{eig}, @code{inv}, @code{schur}, @code{ordschur}, @code{svd}, @code{pinv} and every function of this package:
  ## the results are those of the call with @code{gather (G)} on the same backend, bit for bit
  ## @end table
  ##
  ## A result of one element is a number of Octave (@code{G(2,3)}, @code{x' * y},
  ## @code{sum (x)}, @code{norm (G)}), but for those of constructors, conversions,
  ## @code{reshape} and solvers.  Truth values (@code{G > 0}, @code{isnan (G)}), indices
  ## (@code{find}, the second outputs of @code{max} and @code{sort}), integers and text are
  ## values of Octave as well.  @code{zeros (3, "like", G)}, @code{ones}, @code{eye},
  ## @code{rand}, @code{randn}, @code{Inf} and @code{NaN} with @qcode{"like"} make arrays.
  ##
  ## An array is a value: @code{G(i,j) = x} changes this variable alone, and copies the array
  ## only if another variable has it, or if it grows.  Memory is freed with
  ## the last variable that has it.  Results are not narrowed to real numbers before
  ## @code{gather}.  @code{single} wins over @code{double}.  All arrays of an operation must
  ## be in one place.  Operations on a GPU may return before they are done; @code{gather},
  ## values of Octave and @code{wait (G)} wait.
  ##
  ## @strong{What Octave does not let an object do}
  ##
  ## @table @asis
  ## @item @code{x(2,:) = G} with a plain @code{x}
  ## is an error: begin with @code{x = zeros (m, n, "like", G)}, or assign @code{gather (G)}.
  ##
  ## @item @code{if (G)}, @code{while (G)}
  ## are false: write @code{if (all (G(:)))}.
  ##
  ## @item @code{G++}
  ## is an error: write @code{G += 1}.
  ##
  ## @item @code{for c = G}
  ## runs once: write @code{for c = gather (G)}.
  ##
  ## @item @code{[G; 1, 2, 3]}, @code{[G(1,1), 2; H]}
  ## need brackets around a row of numbers, @code{[G; [1, 2, 3]]}; without them Octave fails
  ## (@qcode{"map_value(): wrong type argument"}).  Of a concatenation in brackets that fails
  ## Octave hides the reason, which is a warning before.
  ##
  ## @item @code{cell2mat}, @code{cellfun ("size", @dots{})}, @code{save}
  ## take @code{gather (G)}.
  ##
  ## @item @code{zeros (3, "gpuArray")}
  ## is @code{zeros (3, "like", G)}.
  ## @end table
  ##
  ## @strong{Differences from the same program without arrays}
  ##
  ## Integer operands are taken as double.  @code{G * G'} of a complex array is not exactly
  ## Hermitian.  @code{D} of @code{[V, D] = eig (G)}, and other diagonal matrices and permutations, are
  ## full.  @code{inv} of a matrix that is not square has the identifier
  ## @code{gpueig:not-square}.  For a singular square matrix @code{\} has the warning of Octave.
  ## @code{svd} takes stacks.  Of two complex numbers of the same modulus, @code{max (G, H)} and
  ## @code{min (G, H)} take the first; Octave 11 compares their arguments.
  ##
  ## @seealso{gather, gpu_eig, gpu_info}
  ## @end deftypefn

  properties (GetAccess = private, SetAccess = private, Hidden)
    handle = [];
  endproperties

  properties (Dependent, SetAccess = private)
    array  # what Octave shows of an object in a cell or a struct
  endproperties

  methods

    function o = gpu_array (x, name, varargin)
      ## gpu_array ("", number) wraps an array that the gateway has made.
      if (nargin == 2 && isinteger (name))
        o.handle = name;
        return;
      endif
      if (nargin > 1)
        varargin = [{name}, varargin];
      elseif (nargin == 0)
        error ("Octave:invalid-fun-call", "Invalid call to gpu_array");
      endif
      if (isobject (x))
        x = gather (x);
      endif
      [failed, h] = __gpueig__ ("array", 1, "new", x, varargin{:});
      if (failed), __gpueig_raise__ ("gpu_array"); endif
      o.handle = h;
    endfunction

    function delete (o) __gpueig__ ("array", 1, "delete", o); endfunction

    ## --- copies to the host, queries ---

    function varargout = gather (varargin)
      for i = 1:nargin
        x = varargin{i};
        if (isobject (x))
          o = x;
          x = value ("gather", "gather", o);
          dims = value ("gather", "size", o);
          if (numel (dims) > 2)
            x = reshape (x, dims);
          endif
        endif
        varargout{i} = x;
      endfor
    endfunction

    function wait (o) value ("wait", "wait", o); endfunction

    function text = get.array (o) text = __describe__ (o, 20); endfunction

    ## --- elementwise operations ---

    function r = plus (a, b, varargin)
      [failed, r] = __gpueig__ ("array", 1, "plus", a, b);
      if (isinteger (r)), r = gpu_array ("", r); endif
      if (failed), __gpueig_raise__ ("operator +"); endif
      if (nargin > 2), r = plus (r, varargin{:}); endif
    endfunction

    function r = minus (a, b)
      [failed, r] = __gpueig__ ("array", 1, "minus", a, b);
      if (isinteger (r)), r = gpu_array ("", r); endif
      if (failed), __gpueig_raise__ ("operator -"); endif
    endfunction

    function r = times (a, b, varargin)
      [failed, r] = __gpueig__ ("array", 1, "times", a, b);
      if (isinteger (r)), r = gpu_array ("", r); endif
      if (failed), __gpueig_raise__ ("product"); endif
      if (nargin > 2), r = times (r, varargin{:}); endif
    endfunction

    function r = rdivide (a, b)
      [failed, r] = __gpueig__ ("array", 1, "rdivide", a, b);
      if (isinteger (r)), r = gpu_array ("", r); endif
      if (failed), __gpueig_raise__ ("quotient"); endif
    endfunction

    function r = ldivide (a, b) r = make ("quotient", "rdivide", b, a); endfunction
    function r = power (a, b) r = make ("operator .^", "power", a, b); endfunction
    function r = uminus (a) r = make ("operator -", "uminus", a); endfunction

    function r = uplus (a) if (numel (a) == 1), r = gather (a); else, r = a; endif, endfunction
    function r = abs (a) r = make ("abs", "abs", a); endfunction
    function r = real (a) r = make ("real", "real", a); endfunction
    function r = imag (a) r = make ("imag", "imag", a); endfunction
    function r = conj (a) r = make ("conj", "conj", a); endfunction
    function r = sqrt (a) r = make ("sqrt", "sqrt", a); endfunction
    function r = exp (a) r = make ("exp", "exp", a); endfunction
    function r = log (a) r = make ("log", "log", a); endfunction
    function r = double (a) r = make ("double", "double", a); endfunction
    function r = single (a) r = make ("single", "single", a); endfunction

    function [r, at] = max (varargin)
      if (nargout > 1)
        [r, at] = __on_host__ ("max", 1, varargin);
      else
        r = extreme ("max", "larger", varargin{:});
      endif
    endfunction

    function [r, at] = min (varargin)
      if (nargout > 1)
        [r, at] = __on_host__ ("min", 1, varargin);
      else
        r = extreme ("min", "smaller", varargin{:});
      endif
    endfunction

    function is = eq (a, b) is = value ("operator ==", "eq", a, b); endfunction
    function is = ne (a, b) is = value ("operator !=", "ne", a, b); endfunction
    function is = lt (a, b) is = value ("operator <", "lt", a, b); endfunction
    function is = le (a, b) is = value ("operator <=", "le", a, b); endfunction
    function is = gt (a, b) is = value ("operator >", "gt", a, b); endfunction
    function is = ge (a, b) is = value ("operator >=", "ge", a, b); endfunction
    function is = isnan (a) is = value ("isnan", "ne", a, a); endfunction
    function is = isinf (a) is = abs (a) == Inf; endfunction

    function is = isfinite (a)
      if (iscomplex (a))  # of huge parts the modulus is Inf
        is = __on_host__ ("isfinite", 0, {a});
      else
        is = abs (a) < Inf;
      endif
    endfunction
    function n = nnz (a) n = nnz (value ("nnz", "ne", a, 0)); endfunction

    function is = isequal (varargin)
      is = all (cellfun (@(x) isobject (x) || isnumeric (x) || islogical (x), varargin)) ...
           && value ("isequal", "isequal", varargin{:});
    endfunction

    ## --- linear algebra ---

    function r = mtimes (a, b, varargin)
      [failed, r] = __gpueig__ ("array", 1, "mtimes", a, b);
      if (isinteger (r)), r = gpu_array ("", r); endif
      if (failed), __gpueig_raise__ ("operator *"); endif
      if (nargin > 2), r = mtimes (r, varargin{:}); endif
    endfunction

    function r = mldivide (a, b) r = make ("operator \\", "mldivide", a, b); endfunction
    function r = mrdivide (a, b) r = make ("operator /", "mrdivide", a, b); endfunction
    function r = ctranspose (a) r = make ("operator '", "ctranspose", a); endfunction
    function r = transpose (a) r = make ("operator .'", "transpose", a); endfunction
    function r = pagetranspose (a) r = make ("pagetranspose", "pagetranspose", a); endfunction
    function r = pagectranspose (a) r = make ("pagectranspose", "pagectranspose", a); endfunction

    function varargout = gpu_mpower (varargin) varargout = __solve_arrays__ (nargout, "gpu_mpower", varargin); endfunction
    ## Positive integer powers by repeated squaring, as in Octave.
    function r = mpower (a, p)
      if (! isobject (a) || isobject (p) || ! isscalar (p) || ! isreal (p) || p < 1
          || p != fix (p) || p > 1e6 || ! issquare (a))
        if (isobject (a) && isnumeric (p) && isscalar (p) && isreal (p) && p != fix (p) && issquare (a) && ! isscalar (a))
          r = gpu_mpower (a, p);
        else
          r = __on_host__ ("mpower", Inf, {a, p});
        endif
        return;
      endif
      r = [];
      for k = 1:floor (log2 (double (p))) + 1
        if (bitget (p, k))
          if (isempty (r)), r = a; else, r = r * a; endif
        endif
        if (p >= 2 ^ k), a = a * a; endif
      endfor
    endfunction

    ## pagemtimes (A, B), pagemtimes (A, OP_A, B, OP_B)
    function r = pagemtimes (a, varargin)
      words = {"none", "transpose", "ctranspose"};
      at = [1, 1];
      if (nargin == 4)
        [~, at(1)] = ismember (varargin{1}, words);
        [~, at(2)] = ismember (varargin{3}, words);
        varargin([1, 3]) = [];
      endif
      if (numel (varargin) != 1 || any (at == 0))
        error ("Octave:invalid-fun-call", "Invalid call to pagemtimes");
      endif
      letters = "NTC";
      r = make ("pagemtimes", "pagemtimes", a, varargin{1}, letters(at(1)),
                letters(at(2)));
    endfunction

    function [x, rcond] = inv (a)
      if (nargout < 2)
        x = make ("inverse", "inv", a);
        return;
      endif
      [failed, h, rcond] = __gpueig__ ("array", 2, "inv", a);
      if (failed), __gpueig_raise__ ("inverse"); endif
      x = gpu_array ("", h);
    endfunction

    function varargout = chol (a, varargin)
      r = [];
      if (nargin == 1 && nargout < 3)
        [failed, r] = __gpueig__ ("array", 1, "chol", a);
        if (failed), __gpueig_raise__ ("chol"); endif
      endif
      if (isempty (r))
        [varargout{1:max(nargout, 1)}] = __on_host__ ("chol", Inf, [{a}, varargin]);
      else
        varargout = {r, 0};
        if (isinteger (r)), varargout{1} = gpu_array ("", r); endif
      endif
    endfunction

    function x = norm (a, p, varargin)
      which = 1;
      if (nargin > 1)
        which = find ([isequal(p, 1), isequal(p, 2), isequal(p, Inf) || strcmpi(p, "inf"), strcmpi(p, "fro")]) - 1;
      endif
      if (isempty (which) || nargin > 2)
        x = __on_host__ ("norm", 1, [{a, p}, varargin]);
      else
        x = value ("norm", "norm", a, which);
      endif
    endfunction

    function x = trace (a)
      if (issquare (a))
        x = value ("trace", "trace", a);
      else
        x = __on_host__ ("trace", 1, {a});
      endif
    endfunction
    function r = dot (a, b, varargin) r = make ("dot", "dot", a, b, varargin{:}); endfunction
    function r = sum (varargin) r = __reduced__ ("sum", varargin{:}); endfunction
    function r = sumsq (varargin) r = __reduced__ ("sumsq", varargin{:}); endfunction
    function r = mean (varargin) r = __reduced__ ("mean", varargin{:}); endfunction
    function r = cumsum (varargin) r = __reduced__ ("cumsum", varargin{:}); endfunction
    function r = cumprod (varargin) r = __reduced__ ("cumprod", varargin{:}); endfunction

    ## var (A), var (A, 0 or 1), var (A, 0 or 1, DIM)
    function varargout = var (a, varargin)
      [dim, n] = along (a, varargin(2:end));
      if (n < 2 || nargout > 1 || ! (nargin < 2 || isempty (varargin{1}) || isequal (varargin{1}, 0) || isequal (varargin{1}, 1)))
        [varargout{1:max(nargout, 1)}] = __on_host__ ("var", 2, [{a}, varargin]);
        return;
      endif
      n -= nargin < 2 || ! isequal (varargin{1}, 1);
      varargout{1} = sumsq (a - mean (a, dim), dim) / n;
    endfunction

    function varargout = std (a, varargin)
      [varargout{1:max(nargout, 1)}] = var (a, varargin{:});
      varargout{1} = sqrt (varargout{1});
    endfunction

    ## --- shape and parts ---

    ## diff (A), diff (A, 1, DIM)
    function r = diff (a, varargin)
      [dim, n] = along (a, varargin(2:end));
      if (n < 2 || ! (nargin < 2 || isempty (varargin{1}) || isequal (varargin{1}, 1)))
        r = __on_host__ ("diff", 1, [{a}, varargin]);
        return;
      endif
      at = repmat ({":"}, 1, max (ndims (a), dim));
      [low, at{dim}] = deal (at, 2:n);
      low{dim} = 1:n-1;
      r = make ("diff", "index", a, at{:}) - make ("diff", "index", a, low{:});
    endfunction

    function r = reshape (a, varargin)
      if (nargin == 2)
        dims = gather (varargin{1});
      else
        open = cellfun ("isempty", varargin);
        if (sum (open) > 1)
          error ("reshape: only a single dimension can be unknown");
        endif
        varargin(open) = {-1};
        dims = [varargin{:}];
      endif
      if (any (dims(:) < 0) && ! (nargin > 2 && any (open)))
        error ("reshape: SIZE must be non-negative");
      endif
      r = make ("reshape", "reshape", a, dims);
    endfunction

    function r = squeeze (a)
      dims = size (a);
      if (numel (dims) > 2)
        dims(dims == 1) = [];
        dims(end+1:2) = 1;
        a = make ("squeeze", "reshape", a, dims);
      endif
      r = a;
    endfunction

    function r = permute (a, order) r = make ("permute", "permute", a, order); endfunction

    function r = ipermute (a, order)
      [~, back] = sort (order);
      r = make ("ipermute", "permute", a, back);
    endfunction

    function r = kron (a, b, varargin)
      if (nargin > 2 || ndims (a) > 2 || ndims (b) > 2)
        r = __on_host__ ("kron", 1, [{a, b}, varargin]);
        return;
      endif
      [m, n] = size (a);
      [p, q] = size (b);
      r = reshape (a, [1, m, 1, n]) .* reshape (b, [p, 1, q, 1]);
      if (isobject (r)), r = reshape (r, [m * p, n * q]); endif
    endfunction

    function r = repmat (a, varargin)
      times = [varargin{:}];
      if (isscalar (times))
        times = [times, times];
      endif
      r = make ("repmat", "repmat", a, times);
    endfunction

    function r = tril (a, varargin) r = make ("tril", "tril", a, varargin{:}); endfunction
    function r = triu (a, varargin) r = make ("triu", "triu", a, varargin{:}); endfunction

    ## diag (A), diag (A, K), diag (V, M, N)
    function r = diag (a, varargin)
      if (nargin < 3)
        r = make ("diag", "diag", a, varargin{:});
        return;
      elseif (ndims (a) > 2 || all (size (a) != 1))
        error ("diag: V must be a vector");
      endif
      [m, n] = varargin{:};
      at = 1:m+1:(m+1)*min ([m, n, numel(a)]);
      r = make ("diag", "assign", zeros (m, n, underlyingType (a)),
                make ("diag", "index", a, 1:numel (at)), at);
    endfunction

    function r = horzcat (varargin) r = joined ("horizontal concatenation", 2, varargin); endfunction
    function r = vertcat (varargin) r = joined ("vertical concatenation", 1, varargin); endfunction
    function r = cat (varargin) r = make ("cat", "cat", varargin{:}); endfunction

    function k = end (o, at, n)
      dims = value ("end", "size", o);
      if (at < n)
        k = [dims, ones(1, n)](at);
      else
        k = prod (dims(at:end));
      endif
    endfunction

    function varargout = subsref (o, s)
      if (s(1).type(1) != "(")
        error ("gpu_array: only indices in () are possible, not %s; use gather", s(1).type);
      endif
      if (isempty (s(1).subs))
        r = o;
      else
        [failed, r] = __gpueig__ ("array", 1, "index", o, s(1).subs{:});
        if (isinteger (r)), r = gpu_array ("", r); endif
        if (failed), __gpueig_raise__ ("index"); endif
      endif
      if (numel (s) > 1)
        r = subsref (r, s(2:end));
      endif
      varargout{1} = r;
    endfunction

    function r = subsasgn (o, s, x)
      if (numel (s) > 1 || s.type(1) != "(")
        error ("gpu_array: assignment needs indices in () alone");
      endif
      if (isobject (o))
        try
          h = o.handle;
        catch  # x(1) = G with x undefined: an object without properties
          o = zeros (0, 0, underlyingType (x));
        end_try_catch
      endif
      if (! isobject (x) && isempty (x) && isnumeric (x) && isequal (size (x), [0, 0]))
        y = gather (o);
        y(s.subs{:}) = [];
        r = make ("=", "put", y, o);
      else
        r = make ("=", "assign", o, x, s(1).subs{:});
      endif
    endfunction

  endmethods

endclassdef

## The value of Octave that operation NAME returns; errors name CALLER.
function r = value (caller, name, varargin)
  [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
  if (failed), __gpueig_raise__ (caller); endif
endfunction

## The result of operation NAME: an array, or the number that is its only element.  The object
## owns the array before warnings are raised, which can become errors.
function r = make (caller, name, varargin)
  [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
  if (isinteger (r)), r = gpu_array ("", r); endif
  if (failed), __gpueig_raise__ (caller); endif
endfunction

## Octave replaces the error of a concatenation in brackets: a warning says what it was.
function r = joined (caller, dim, args)
  try
    r = make (caller, "cat", dim, args{:});
  catch err
    warning ("gpueig:concatenation", "%s", err.message);
    rethrow (err);
  end_try_catch
endfunction

## The dimension of a reduction of A with the further arguments ARGS, and its size; 0 for what
## is not one dimension of a nonempty array.
function [dim, n] = along (a, args)
  dims = size (a);
  n = 0;
  dim = [find(dims != 1, 1), 1](1);
  if (numel (args) == 1 && isnumeric (args{1}) && isscalar (args{1}) && args{1} >= 1)
    dim = args{1};
  elseif (! isempty (args))
    return;
  endif
  if (all (dims) && dim == fix (dim))
    n = [dims, ones(1, dim)](dim);
  endif
endfunction

## max (A), max (A, [], DIM), max (A, B)
function r = extreme (name, of_two, a, b, dim)
  if (nargin == 3)
    r = make (name, name, a);
  elseif (nargin == 4)
    r = make (name, of_two, a, b);
  elseif (isempty (b))
    r = make (name, name, a, dim);
  else
    error ("%s: second argument is ignored", name);
  endif
endfunction

%!test
%! A = gpu_array (magic (4));
%! assert (class (A), "gpu_array");
%! assert (underlyingType (A), "double");
%! assert (gather (A(2:end, [1, 4])' * 2), 2 * magic (4)(2:end, [1, 4])');
%! [V, D] = eig (A + A');
%! assert (norm ((A + A') * V - V * D, 1) < 1e-12);
%!error id=gpueig:wrong-type gpu_array ("text")
%!error id=gpueig:bad-option gpu_array (1, "Place", 2)

%!demo
%! ## A loop whose data stays on the GPU: the space of the five largest eigenvalues.
%! n = 500;
%! x = (1:n) / n;
%! A = gpu_array (exp (-5 * (x' - x) .^ 2));
%! Q = gpu_array (randn (n, 5));
%! for k = 1:10
%!   [V, ~] = eig (Q' * Q);
%!   Q = A * (Q * V);
%!   Q = Q ./ sqrt (sumsq (Q));
%! endfor
%! ## Those of the small pair of Rayleigh and Ritz, and A's own.
%! H = Q' * A * Q;
%! ritz = gather (eig (H + H', 2 * (Q' * Q)));
%! lambda = gather (eig (A));
%! disp ([ritz, lambda(end-4:end)])
