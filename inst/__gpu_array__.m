## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## The class of what gpu_array returns: operations of the gateway.  There is no constructor,
## since Octave takes more time for one than for all else that an object needs; the static method
## "of" makes objects.  Outside of methods, .handle = ... would call subsasgn.

classdef __gpu_array__ < __gpu_array_functions__

  properties (GetAccess = private, SetAccess = private, Hidden)
    handle = [];
  endproperties

  properties (Dependent, SetAccess = private)
    array  # what Octave shows of an object in a cell or a struct
  endproperties

  methods (Static)

    ## The array with the number H, which the gateway has made.
    function o = of (h)
      o = __gpu_array__;
      o.handle = h;
    endfunction

  endmethods

  methods (Hidden)

    ## The result of operation NAME: an array, or the number that is its only element.  The
    ## object owns the array before warnings are raised, which can become errors.
    function r = __made__ (caller, name, varargin)
      [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ (caller); endif
    endfunction

    ## The same of A, by Octave where the gateway returns [].
    function r = __mapped__ (name, a, varargin)
      [failed, r] = __gpueig__ ("array", 1, name, a, varargin{:});
      if (isinteger (r))
        h = r;
        r = __gpu_array__;
        r.handle = h;
      elseif (isempty (r) && ! any (failed))
        r = __on_host__ (name, Inf, [{a}, varargin]);
      endif
      if (failed), __gpueig_raise__ (name); endif
    endfunction

  endmethods

  methods

    function name = class (o) name = "gpu_array"; endfunction
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
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ ("operator +"); endif
      if (nargin > 2), r = plus (r, varargin{:}); endif
    endfunction

    function r = minus (a, b)
      [failed, r] = __gpueig__ ("array", 1, "minus", a, b);
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ ("operator -"); endif
    endfunction

    function r = times (a, b, varargin)
      [failed, r] = __gpueig__ ("array", 1, "times", a, b);
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ ("product"); endif
      if (nargin > 2), r = times (r, varargin{:}); endif
    endfunction

    function r = rdivide (a, b)
      [failed, r] = __gpueig__ ("array", 1, "rdivide", a, b);
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ ("quotient"); endif
    endfunction

    function r = ldivide (a, b) r = __made__ ("quotient", "rdivide", b, a); endfunction
    function r = power (a, b) r = __made__ ("operator .^", "power", a, b); endfunction
    function r = uminus (a) r = __made__ ("operator -", "uminus", a); endfunction

    function r = uplus (a) if (numel (a) == 1), r = gather (a); else, r = a; endif, endfunction
    function r = abs (a) r = __made__ ("abs", "abs", a); endfunction
    function r = real (a) r = __made__ ("real", "real", a); endfunction
    function r = imag (a) r = __made__ ("imag", "imag", a); endfunction
    function r = conj (a) r = __made__ ("conj", "conj", a); endfunction
    function r = sqrt (a) r = __made__ ("sqrt", "sqrt", a); endfunction
    function r = exp (a) r = __made__ ("exp", "exp", a); endfunction
    function r = log (a) r = __made__ ("log", "log", a); endfunction
    function r = double (a) r = __made__ ("double", "double", a); endfunction
    function r = single (a) r = __made__ ("single", "single", a); endfunction

    function varargout = max (varargin) [varargout{1:nargout}] = extreme ("max", "larger", varargin{:}); endfunction
    function varargout = min (varargin) [varargout{1:nargout}] = extreme ("min", "smaller", varargin{:}); endfunction

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
      if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
      if (failed), __gpueig_raise__ ("operator *"); endif
      if (nargin > 2), r = mtimes (r, varargin{:}); endif
    endfunction

    function r = mldivide (a, b) r = __made__ ("operator \\", "mldivide", a, b); endfunction
    function r = mrdivide (a, b) r = __made__ ("operator /", "mrdivide", a, b); endfunction
    function r = ctranspose (a) r = __made__ ("operator '", "ctranspose", a); endfunction
    function r = transpose (a) r = __made__ ("operator .'", "transpose", a); endfunction
    function r = pagetranspose (a) r = __made__ ("pagetranspose", "pagetranspose", a); endfunction
    function r = pagectranspose (a) r = __made__ ("pagectranspose", "pagectranspose", a); endfunction

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
      r = __made__ ("pagemtimes", "pagemtimes", a, varargin{1}, letters(at(1)),
                letters(at(2)));
    endfunction

    function r = pageinv (a) r = paged (@inv, 1, "pageinv", a); endfunction
    function r = pagemldivide (a, b) r = paged (@mldivide, 2, "pagemldivide", a, b); endfunction
    function r = pagenorm (a, varargin) r = paged (@(x) norm (x, varargin{:}), 1, "pagenorm", a, varargin{:}); endfunction

    function [x, rcond] = inv (a)
      if (nargout < 2)
        x = __made__ ("inverse", "inv", a);
        return;
      endif
      [failed, h, rcond] = __gpueig__ ("array", 2, "inv", a);
      if (failed), __gpueig_raise__ ("inverse"); endif
      x = __gpu_array__.of (h);
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
        if (isinteger (r)), varargout{1} = __gpu_array__.of (r); endif
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
    function r = dot (a, b, varargin) r = __made__ ("dot", "dot", a, b, varargin{:}); endfunction
    function r = sum (varargin) r = __reduced__ ("sum", varargin{:}); endfunction
    function r = sumsq (varargin) r = __reduced__ ("sumsq", varargin{:}); endfunction
    function r = mean (varargin) r = __reduced__ ("mean", varargin{:}); endfunction
    function r = prod (varargin) r = __reduced__ ("prod", varargin{:}); endfunction
    function is = any (varargin) is = __reduced__ ("any", varargin{:}); endfunction
    function is = all (varargin) is = __reduced__ ("all", varargin{:}); endfunction
    function r = median (varargin) r = __reduced__ ("median", varargin{:}); endfunction
    function varargout = sort (a, varargin) [varargout{1:max (nargout, 1)}] = __sorted__ (a, varargin{:}); endfunction
    function varargout = find (a, varargin) [varargout{1:max (nargout, 1)}] = __found__ (a, varargin{:}); endfunction

    function varargout = cummax (varargin)
      if (nargout < 2)
        varargout{1} = __reduced__ ("cummax", varargin{:});
      else
        [varargout{1:nargout}] = __on_host__ ("cummax", 1, varargin);
      endif
    endfunction

    function varargout = cummin (varargin)
      if (nargout < 2)
        varargout{1} = __reduced__ ("cummin", varargin{:});
      else
        [varargout{1:nargout}] = __on_host__ ("cummin", 1, varargin);
      endif
    endfunction

    function r = cumsum (varargin) r = __reduced__ ("cumsum", varargin{:}); endfunction
    function r = cumprod (varargin) r = __reduced__ ("cumprod", varargin{:}); endfunction

    function varargout = var (varargin) [varargout{1:max(nargout, 1)}] = spread ("var", varargin{:}); endfunction
    function varargout = std (varargin) [varargout{1:max(nargout, 1)}] = spread ("std", varargin{:}); endfunction

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
      r = __made__ ("diff", "index", a, at{:}) - __made__ ("diff", "index", a, low{:});
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
      r = __made__ ("reshape", "reshape", a, dims);
    endfunction

    function r = squeeze (a)
      dims = size (a);
      if (numel (dims) > 2)
        dims(dims == 1) = [];
        dims(end+1:2) = 1;
        a = __made__ ("squeeze", "reshape", a, dims);
      endif
      r = a;
    endfunction

    function r = permute (a, order) r = __made__ ("permute", "permute", a, order); endfunction

    function r = ipermute (a, order)
      [~, back] = sort (order);
      r = __made__ ("ipermute", "permute", a, back);
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
      r = __made__ ("repmat", "repmat", a, times);
    endfunction

    function r = tril (a, varargin) r = __made__ ("tril", "tril", a, varargin{:}); endfunction
    function r = triu (a, varargin) r = __made__ ("triu", "triu", a, varargin{:}); endfunction

    ## diag (A), diag (A, K), diag (V, M, N)
    function r = diag (a, varargin)
      if (nargin < 3)
        r = __made__ ("diag", "diag", a, varargin{:});
        return;
      elseif (ndims (a) > 2 || all (size (a) != 1))
        error ("diag: V must be a vector");
      endif
      [m, n] = varargin{:};
      at = 1:m+1:(m+1)*min ([m, n, numel(a)]);
      r = __made__ ("diag", "assign", zeros (m, n, underlyingType (a)),
                __made__ ("diag", "index", a, 1:numel (at)), at);
    endfunction

    function r = horzcat (varargin) r = joined ("horizontal concatenation", 2, varargin); endfunction
    function r = vertcat (varargin) r = joined ("vertical concatenation", 1, varargin); endfunction
    function r = cat (varargin) r = __made__ ("cat", "cat", varargin{:}); endfunction

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
        if (isinteger (r)), h = r; r = __gpu_array__; r.handle = h; endif
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
        r = __made__ ("=", "put", y, o);
      else
        r = __made__ ("=", "assign", o, x, s(1).subs{:});
      endif
    endfunction

  endmethods

endclassdef

## The value of Octave that operation NAME returns; errors name CALLER.
function r = value (caller, name, varargin)
  [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
  if (failed), __gpueig_raise__ (caller); endif
endfunction

## Octave replaces the error of a concatenation in brackets: a warning says what it was.
function r = joined (caller, dim, args)
  try
    r = __made__ (caller, "cat", dim, args{:});
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

## Function F of the pages of the first N arguments, by NAME in host memory if they are small.
function r = paged (f, n, name, varargin)
  if (all (cellfun (@(x) max ([rows(x), columns(x)]), varargin(1:n)) < 128))
    r = __on_host__ (name, 1, varargin);
  else
    r = __pages__ (f, varargin{1:n});
  endif
endfunction

## var (A), var (A, 0 or 1), var (A, 0 or 1, DIM), std
function varargout = spread (name, a, varargin)
  [dim, n] = along (a, varargin(2:end));
  if (n < 2 || nargout > 1 || ! (nargin < 3 || isempty (varargin{1}) || isequal (varargin{1}, 0) || isequal (varargin{1}, 1)))
    [varargout{1:max(nargout, 1)}] = __on_host__ (name, 2, [{a}, varargin]);
  else
    varargout{1} = __made__ (name, name, a, dim, n, n - (nargin < 3 || ! isequal (varargin{1}, 1)));
  endif
endfunction

## max (A), max (A, [], DIM), max (A, B)
function [r, at] = extreme (name, of_two, varargin)
  alone = nargin == 3;
  dim = {};
  if (nargin == 5 && isempty (varargin{2}) && isnumeric (varargin{3}) && isscalar (varargin{3}))
    alone = true;
    dim = varargin(3);
  endif
  if (nargin == 4 && nargout < 2)
    r = __made__ (name, of_two, varargin{:});
  elseif (! alone || (nargout > 1 && isempty (varargin{1})))
    [r, at] = __on_host__ (name, 1, varargin);
  elseif (nargout < 2)
    r = __made__ (name, name, varargin{1}, dim{:});
  else
    [failed, r, at] = __gpueig__ ("array", 2, name, varargin{1}, dim{:});
    if (isinteger (r)), r = __gpu_array__.of (r); endif
    if (failed), __gpueig_raise__ (name); endif
  endif
endfunction

%!test
%! G = gpu_array (magic (4));
%! H = G;
%! H(1,:) = 0;
%! assert (gather (G), magic (4));
%! assert (gather (H), [zeros(1, 4); magic(4)(2:4,:)]);
%! [r, at] = max (G);
%! assert (gather (r), [16, 14, 15, 13]);
%! assert (at, [1, 4, 4, 1]);
