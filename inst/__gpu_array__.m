## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## What Octave calls, by name, for values of the type gpu_array (mex/gpu_array.cc), which has the
## name of this class and no objects of it.

classdef __gpu_array__ < __gpu_array_functions__

  methods

    function name = class (o) name = "gpu_array"; endfunction
    function text = __described__ (o, most) text = __describe__ (o, most); endfunction

    function wait (o) __array__ ("wait", "wait", o); endfunction

    function r = double (a) r = __array__ ("double", "double", a); endfunction
    function r = single (a) r = __array__ ("single", "single", a); endfunction

    function varargout = max (varargin) [varargout{1:nargout}] = extreme ("max", "larger", varargin{:}); endfunction
    function varargout = min (varargin) [varargout{1:nargout}] = extreme ("min", "smaller", varargin{:}); endfunction

    function n = nnz (a) n = nnz (__array__ ("nnz", "ne", a, 0)); endfunction

    function is = isequal (varargin)
      is = all (cellfun (@(x) isobject (x) || isnumeric (x) || islogical (x), varargin)) ...
           && __array__ ("isequal", "isequal", varargin{:});
    endfunction

    ## --- linear algebra ---

    function r = pagetranspose (a) r = __array__ ("pagetranspose", "pagetranspose", a); endfunction
    function r = pagectranspose (a) r = __array__ ("pagectranspose", "pagectranspose", a); endfunction

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
      r = __array__ ("pagemtimes", "pagemtimes", a, varargin{1}, letters(at(1)),
                letters(at(2)));
    endfunction

    function r = pageinv (a) r = paged (@inv, 1, "pageinv", a); endfunction
    function r = pagemldivide (a, b) r = paged (@mldivide, 2, "pagemldivide", a, b); endfunction
    function r = pagenorm (a, varargin) r = paged (@(x) norm (x, varargin{:}), 1, "pagenorm", a, varargin{:}); endfunction

    function [x, rcond] = inv (a)
      if (nargout < 2)
        x = __array__ ("inverse", "inv", a);
        return;
      endif
      [x, rcond] = __array__ ("inverse", "inv", a);
    endfunction

    function varargout = chol (a, varargin)
      r = [];
      if (nargin == 1 && nargout < 3)
        r = __array__ ("chol", "chol", a);
      endif
      if (isempty (r))
        [varargout{1:max(nargout, 1)}] = __on_host__ ("chol", Inf, [{a}, varargin]);
      else
        varargout = {r, 0};
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
        x = __array__ ("norm", "norm", a, which);
      endif
    endfunction

    function x = trace (a)
      if (issquare (a))
        x = __array__ ("trace", "trace", a);
      else
        x = __on_host__ ("trace", 1, {a});
      endif
    endfunction
    function r = dot (a, b, varargin) r = __array__ ("dot", "dot", a, b, varargin{:}); endfunction
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
      r = __array__ ("diff", "index", a, at{:}) - __array__ ("diff", "index", a, low{:});
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
      r = __array__ ("reshape", "reshape", a, dims);
    endfunction

    function r = squeeze (a)
      dims = size (a);
      if (numel (dims) > 2)
        dims(dims == 1) = [];
        dims(end+1:2) = 1;
        a = __array__ ("squeeze", "reshape", a, dims);
      endif
      r = a;
    endfunction

    function r = permute (a, order) r = __array__ ("permute", "permute", a, order); endfunction

    function r = ipermute (a, order)
      [~, back] = sort (order);
      r = __array__ ("ipermute", "permute", a, back);
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
      r = __array__ ("repmat", "repmat", a, times);
    endfunction

    function r = tril (a, varargin) r = __array__ ("tril", "tril", a, varargin{:}); endfunction
    function r = triu (a, varargin) r = __array__ ("triu", "triu", a, varargin{:}); endfunction

    ## diag (A), diag (A, K), diag (V, M, N)
    function r = diag (a, varargin)
      if (nargin < 3)
        r = __array__ ("diag", "diag", a, varargin{:});
        return;
      elseif (ndims (a) > 2 || all (size (a) != 1))
        error ("diag: V must be a vector");
      endif
      [m, n] = varargin{:};
      at = 1:m+1:(m+1)*min ([m, n, numel(a)]);
      r = __array__ ("diag", "assign", zeros (m, n, underlyingType (a)),
                __array__ ("diag", "index", a, 1:numel (at)), at);
    endfunction

    function r = horzcat (varargin) r = joined ("horizontal concatenation", 2, varargin); endfunction
    function r = vertcat (varargin) r = joined ("vertical concatenation", 1, varargin); endfunction
    function r = cat (varargin) r = __array__ ("cat", "cat", varargin{:}); endfunction

  endmethods

endclassdef

## Octave replaces the error of a concatenation in brackets: a warning says what it was.
function r = joined (caller, dim, args)
  try
    r = __array__ (caller, "cat", dim, args{:});
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
    varargout{1} = __array__ (name, name, a, dim, n, n - (nargin < 3 || ! isequal (varargin{1}, 1)));
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
    r = __array__ (name, of_two, varargin{:});
  elseif (! alone || (nargout > 1 && isempty (varargin{1})))
    [r, at] = __on_host__ (name, 1, varargin);
  elseif (nargout < 2)
    r = __array__ (name, name, varargin{1}, dim{:});
  else
    [r, at] = __array__ (name, name, varargin{1}, dim{:});
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
