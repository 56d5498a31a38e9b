## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Methods of the type gpu_array (mex/gpu_array.cc) that are m-code.  There are no objects of this
## class.

classdef __gpu_array__ < __gpu_array_functions__

  methods

    function varargout = __solved__ (name, varargin) varargout = __solve_arrays__ (nargout, name, varargin); endfunction
    function varargout = __hosted__ (name, n, varargin) [varargout{1:nargout}] = __on_host__ (name, n, varargin); endfunction
    function text = __described__ (o, most) text = __describe__ (o, most); endfunction

    function wait (o) __array__ ("wait", "wait", o); endfunction

    function n = nnz (a) n = nnz (__array__ ("nnz", "ne", a, 0)); endfunction

    ## --- linear algebra ---

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

    function r = squeeze (a)
      dims = size (a);
      if (numel (dims) > 2)
        dims(dims == 1) = [];
        dims(end+1:2) = 1;
        a = __array__ ("squeeze", "reshape", a, dims);
      endif
      r = a;
    endfunction

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

  endmethods

endclassdef

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

%!test
%! G = gpu_array (magic (4));
%! H = G;
%! H(1,:) = 0;
%! assert (gather (G), magic (4));
%! assert (gather (H), [zeros(1, 4); magic(4)(2:4,:)]);
%! [r, at] = max (G);
%! assert (gather (r), [16, 14, 15, 13]);
%! assert (at, [1, 4, 4, 1]);
