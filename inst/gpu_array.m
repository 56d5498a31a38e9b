## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

classdef gpu_array < handle

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
  ## @var{X} is of class double or single, real or complex, and has up to eight dimensions;
  ## logical arrays become double.  @code{gather (@var{G})} copies back.
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
  ## These take such arrays, scalars and full arrays of Octave, which are copied, and return
  ## such arrays:
  ##
  ## @table @asis
  ## @item elementwise, with broadcasting
  ## @code{+ - .* ./ .\ .^}, @code{abs}, @code{real}, @code{imag}, @code{conj},
  ## @code{sqrt}, @code{exp}, @code{log}, @code{max}, @code{min}, @code{double},
  ## @code{single}
  ##
  ## @item linear algebra
  ## @code{* ' .' \ /}, @code{inv}, @code{diag}, @code{sum}, @code{sumsq}, @code{dot},
  ## @code{pagemtimes}, @code{pagetranspose}, @code{pagectranspose}
  ##
  ## @item parts
  ## @code{G(i,j)} with ranges, vectors, logical arrays, @code{:} and @code{end}, also on
  ## the left side; @code{[G, H]}, @code{[G; H]}, @code{cat}, @code{reshape},
  ## @code{repmat}, @code{tril}, @code{triu}
  ##
  ## @item solvers
  ## @code{eig}, @code{inv}, @code{schur}, @code{ordschur} and every function of this package:
  ## the results are those of the call with @code{gather (G)} on the same backend, bit for bit
  ## @end table
  ##
  ## These return values of Octave: @code{size} and the other queries, comparisons,
  ## @code{isequal}, @code{norm}, @code{trace}, and @code{dot} of vectors.  Whatever is not
  ## listed needs @code{gather} first, and is an error without it.
  ##
  ## An array is a value: @code{G(i,j) = x} changes this variable alone, and copies the
  ## array.  Memory is freed with the last variable that has it.  Results are not narrowed
  ## to real numbers before @code{gather}.  @code{single} wins over @code{double}.  All
  ## arrays of an operation must be in one place.  Operations on a GPU may return before
  ## they are done; @code{gather}, values of Octave and @code{wait (G)} wait.  In a matrix
  ## with several rows, a row of numbers alone needs brackets: @code{[G; [1, 2, 3]]};
  ## without them Octave fails (@qcode{"map_value(): wrong type argument"}).
  ##
  ## Least squares by @code{\} with a rank-deficient matrix is an error; for a singular
  ## square matrix there is a warning, and the solution of least norm, as in Octave.
  ## Of two complex numbers of the same modulus, @code{max (G, H)} and @code{min (G, H)} take
  ## the first; Octave 11 compares their arguments.
  ##
  ## @seealso{gather, gpu_eig, gpu_info}
  ## @end deftypefn

  properties (GetAccess = private, SetAccess = private, Hidden)
    handle = [];
  endproperties

  methods

    function o = gpu_array (x, varargin)
      ## gpu_array ("", number) wraps an array that the gateway has made.
      if (nargin == 2 && ischar (x) && isempty (x))
        o.handle = varargin{1};
        return;
      endif
      if (nargin == 0)
        error ("Octave:invalid-fun-call", "Invalid call to gpu_array");
      endif
      if (isa (x, "gpu_array"))
        x = gather (x);
      endif
      [failed, h] = __gpueig__ ("array", 1, "new", x, varargin{:});
      if (failed), __gpueig_raise__ ("gpu_array"); endif
      o.handle = h;
    endfunction

    function delete (o)
      if (! isempty (o.handle))
        __gpueig__ ("array", 1, "delete", o.handle);
        o.handle = [];
      endif
    endfunction

    ## --- copies to the host, queries ---

    function x = gather (o)
      x = value ("gather", "gather", o);
      dims = value ("gather", "size", o);
      if (numel (dims) > 2)
        x = reshape (x, dims);
      endif
    endfunction

    function wait (o) value ("wait", "wait", o); endfunction
    function varargout = size (o, varargin)
      dims = value ("size", "size", o);
      if (nargin > 1)
        d = [varargin{:}];
        if (isempty (d) || any (d < 1 | d != fix (d)))
          error ("size: requested dimension DIM is out of range");
        endif
        dims(end+1:max (d)) = 1;
        dims = dims(d);
      elseif (nargout > 1)
        dims(end+1:nargout) = 1;
        dims = [dims(1:nargout-1), prod(dims(nargout:end))];
      endif
      varargout = {dims};
      if (nargout > 1)
        varargout = num2cell (dims);
      endif
    endfunction

    function n = numel (o, varargin)
      n = prod (value ("numel", "size", o));
      if (nargin > 1)
        n = 1;
      endif
    endfunction
    function n = ndims (o) n = numel (value ("ndims", "size", o)); endfunction
    function n = rows (o) n = size (o, 1); endfunction
    function n = columns (o) n = size (o, 2); endfunction

    function n = length (o)
      dims = value ("length", "size", o);
      n = max (dims) * all (dims);
    endfunction
    function is = isempty (o) is = any (value ("isempty", "size", o) == 0); endfunction
    function is = size_equal (a, varargin) is = all (cellfun (@(b) isequal (size (a), size (b)), varargin)); endfunction
    function is = isscalar (o) is = isequal (value ("isscalar", "size", o), [1, 1]); endfunction

    function is = isvector (o)
      dims = value ("isvector", "size", o);
      is = numel (dims) == 2 && any (dims == 1);
    endfunction

    function is = isrow (o)
      dims = value ("isrow", "size", o);
      is = numel (dims) == 2 && dims(1) == 1;
    endfunction

    function is = iscolumn (o)
      dims = value ("iscolumn", "size", o);
      is = numel (dims) == 2 && dims(2) == 1;
    endfunction

    function is = ismatrix (o) is = numel (value ("ismatrix", "size", o)) == 2; endfunction

    function is = issquare (o)
      dims = value ("issquare", "size", o);
      is = numel (dims) == 2 && dims(1) == dims(2);
    endfunction
    function name = underlyingType (o) name = value ("underlyingType", "type", o); endfunction
    function is = isreal (o) is = ! iscomplex (o); endfunction

    function is = iscomplex (o)
      [failed, ~, is] = __gpueig__ ("array", 2, "type", o);
      if (failed), __gpueig_raise__ ("iscomplex"); endif
    endfunction
    function is = isfloat (o) is = true; endfunction
    function is = isnumeric (o) is = true; endfunction

    function is = issymmetric (o, tol)
      if (nargin > 1 && tol != 0)
        is = issymmetric (gather (o), tol);
      else
        is = value ("issymmetric", "issymmetric", o);
      endif
    endfunction

    function is = ishermitian (o, tol)
      if (nargin > 1 && tol != 0)
        is = ishermitian (gather (o), tol);
      else
        is = value ("ishermitian", "ishermitian", o);
      endif
    endfunction

    function disp (o)
      [failed, name, is_complex, device] = __gpueig__ ("array", 3, "type", o);
      if (failed), __gpueig_raise__ ("disp"); endif
      dims = size (o);
      place = "host memory";
      if (device >= 0)
        place = sprintf ("GPU %d", device);
      endif
      kind = {"", "complex "}{is_complex + 1};
      printf ("  %s gpu_array, %s%s, in %s\n",
              strjoin (arrayfun (@num2str, dims, "uniformoutput", false), "x"),
              kind, name, place);
      if (prod (dims) <= 100 && prod (dims) > 0)
        disp (gather (o));
      endif
    endfunction

    ## --- elementwise operations ---

    function r = plus (a, b) r = make ("operator +", "plus", a, b); endfunction
    function r = minus (a, b) r = make ("operator -", "minus", a, b); endfunction
    function r = times (a, b) r = make ("product", "times", a, b); endfunction
    function r = rdivide (a, b) r = make ("quotient", "rdivide", a, b); endfunction
    function r = ldivide (a, b) r = make ("quotient", "rdivide", b, a); endfunction
    function r = power (a, b) r = make ("operator .^", "power", a, b); endfunction
    function r = uminus (a) r = make ("operator -", "uminus", a); endfunction
    function r = uplus (a) r = a; endfunction
    function r = abs (a) r = make ("abs", "abs", a); endfunction
    function r = real (a) r = make ("real", "real", a); endfunction
    function r = imag (a) r = make ("imag", "imag", a); endfunction
    function r = conj (a) r = make ("conj", "conj", a); endfunction
    function r = sqrt (a) r = make ("sqrt", "sqrt", a); endfunction
    function r = exp (a) r = make ("exp", "exp", a); endfunction
    function r = log (a) r = make ("log", "log", a); endfunction
    function r = double (a) r = make ("double", "double", a); endfunction
    function r = single (a) r = make ("single", "single", a); endfunction

    function varargout = max (varargin) [varargout{1:max (nargout, 1)}] = extreme ("max", "larger", varargin{:}); endfunction
    function varargout = min (varargin) [varargout{1:max (nargout, 1)}] = extreme ("min", "smaller", varargin{:}); endfunction
    function is = eq (a, b) is = value ("operator ==", "eq", a, b); endfunction
    function is = ne (a, b) is = value ("operator !=", "ne", a, b); endfunction
    function is = lt (a, b) is = value ("operator <", "lt", a, b); endfunction
    function is = le (a, b) is = value ("operator <=", "le", a, b); endfunction
    function is = gt (a, b) is = value ("operator >", "gt", a, b); endfunction
    function is = ge (a, b) is = value ("operator >=", "ge", a, b); endfunction

    function is = isequal (varargin)
      for i = 1:nargin
        x = varargin{i};
        if (! (isa (x, "gpu_array") || isnumeric (x) || islogical (x)))
          is = false;
          return;
        endif
        if (issparse (x))
          varargin{i} = full (x);
        elseif (! isfloat (x))
          varargin{i} = double (x);
        endif
      endfor
      is = value ("isequal", "isequal", varargin{:});
    endfunction

    ## --- linear algebra ---

    function r = mtimes (a, b)
      if (is_one (a) || is_one (b))
        r = make ("operator *", "times", a, b);
      else
        r = make ("operator *", "mtimes", a, b);
      endif
    endfunction

    function r = mldivide (a, b)
      if (is_one (a))
        r = make ("operator \\", "rdivide", b, a);
      else
        r = make ("operator \\", "mldivide", a, b);
      endif
    endfunction

    function r = mrdivide (a, b)
      if (is_one (b))
        r = make ("operator /", "rdivide", a, b);
      else
        r = make ("operator /", "mldivide", b', a')';
      endif
    endfunction

    function r = ctranspose (a) r = make ("operator '", "ctranspose", a); endfunction
    function r = transpose (a) r = make ("operator .'", "transpose", a); endfunction
    function r = pagetranspose (a) r = make ("pagetranspose", "pagetranspose", a); endfunction
    function r = pagectranspose (a) r = make ("pagectranspose", "pagectranspose", a); endfunction

    ## pagemtimes (A, B), pagemtimes (A, OP_A, B, OP_B)
    function r = pagemtimes (a, varargin)
      words = {"none", "transpose", "ctranspose"};
      at = [1, 1];
      if (nargin == 4)
        [~, at(1)] = ismember (varargin{1}, words);
        [~, at(2)] = ismember (varargin{3}, words);
        varargin(3) = varargin(1) = [];
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

    function x = norm (a, p = 2)
      which = find ([isequal(p, 1), isequal(p, 2), isequal(p, Inf) || strcmpi(p, "inf"), ...
                     strcmpi(p, "fro")]);
      if (isempty (which))
        error ("norm: P must be 1, 2, Inf or \"fro\" for a gpu_array; use gather");
      endif
      x = value ("norm", "norm", a, which - 1);
    endfunction

    function x = trace (a) x = value ("trace", "trace", a); endfunction

    function r = dot (a, b, varargin)
      r = make ("dot", "dot", a, b, varargin{:});
      if (isvector (a) && isvector (b))
        r = gather (r);
      endif
    endfunction

    function r = sum (a, varargin) r = make ("sum", "sum", a, varargin{:}); endfunction
    function r = sumsq (a, varargin) r = make ("sumsq", "sumsq", a, varargin{:}); endfunction

    ## --- shape and parts ---

    function r = reshape (a, varargin)
      if (nargin == 2)
        dims = varargin{1};
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

    function r = horzcat (varargin) r = make ("horizontal concatenation", "cat", 2, varargin{:}); endfunction
    function r = vertcat (varargin) r = make ("vertical concatenation", "cat", 1, varargin{:}); endfunction
    function r = cat (varargin) r = make ("cat", "cat", varargin{:}); endfunction

    function k = end (o, at, n)
      dims = size (o);
      dims(end+1:n) = 1;
      if (at < n)
        k = dims(at);
      else
        k = prod (dims(at:end));
      endif
    endfunction

    function varargout = subsref (o, s)
      if (! strcmp (s(1).type, "()"))
        error ("gpu_array: only indices in () are possible, not %s", s(1).type);
      endif
      if (isempty (s(1).subs))
        r = o;
      else
        r = make ("index", "index", o, s(1).subs{:});
      endif
      if (numel (s) > 1)
        r = subsref (r, s(2:end));
      endif
      varargout{1} = r;
    endfunction

    function r = subsasgn (o, s, x)
      if (numel (s) > 1 || ! strcmp (s(1).type, "()"))
        error ("gpu_array: assignment needs indices in () alone");
      endif
      if (isnumeric (x) && isequal (size (x), [0, 0]))
        error ("gpu_array: elements cannot be deleted; index those to be kept");
      endif
      if (isa (o, "gpu_array"))
        try
          h = o.handle;
        catch  # x(1) = G with x undefined: an object without properties
          o = zeros (0, 0, underlyingType (x));
        end_try_catch
      endif
      r = make ("=", "assign", o, x, s(1).subs{:});
    endfunction

    ## --- solvers ---

    function varargout = eig (varargin) varargout = solve (nargout, "gpu_eig", varargin); endfunction
    function varargout = schur (varargin) varargout = solve (nargout, "gpu_schur", varargin); endfunction
    function varargout = gpu_eig (varargin) varargout = solve (nargout, "gpu_eig", varargin); endfunction
    function varargout = gpu_jacobi_eig (varargin) varargout = solve (nargout, "gpu_jacobi_eig", varargin); endfunction
    function varargout = gpu_onesided_eig (varargin) varargout = solve (nargout, "gpu_onesided_eig", varargin); endfunction
    function varargout = gpu_complex_eig (varargin) varargout = solve (nargout, "gpu_complex_eig", varargin); endfunction
    function varargout = gpu_mrrr (varargin) varargout = solve (nargout, "gpu_mrrr", varargin); endfunction
    function varargout = gpu_tdinv (varargin) varargout = solve (nargout, "gpu_tdinv", varargin); endfunction
    function varargout = gpu_schur (varargin) varargout = solve (nargout, "gpu_schur", varargin); endfunction
    function varargout = gpu_ordschur (varargin) varargout = solve (nargout, "gpu_ordschur", varargin); endfunction
    function varargout = ordschur (varargin) varargout = solve (nargout, "gpu_ordschur", varargin); endfunction

    ## --- what is not possible ---

    function varargout = any (varargin) refuse ("any"); endfunction
    function varargout = all (varargin) refuse ("all"); endfunction
    function varargout = svd (varargin) refuse ("svd"); endfunction
    function varargout = det (varargin) refuse ("det"); endfunction
    function varargout = chol (varargin) refuse ("chol"); endfunction
    function varargout = qr (varargin) refuse ("qr"); endfunction
    function varargout = lu (varargin) refuse ("lu"); endfunction
    function varargout = sort (varargin) refuse ("sort"); endfunction
    function varargout = cumsum (varargin) refuse ("cumsum"); endfunction
    function varargout = prod (varargin) refuse ("prod"); endfunction
    function varargout = kron (varargin) refuse ("kron"); endfunction
    function varargout = permute (varargin) refuse ("permute"); endfunction
    function varargout = mpower (varargin) refuse ("mpower"); endfunction
    function varargout = full (varargin) refuse ("full"); endfunction
    function varargout = colon (varargin) refuse ("colon"); endfunction
    function varargout = mean (varargin) refuse ("mean"); endfunction
    function varargout = find (varargin) refuse ("find"); endfunction
    function varargout = isnan (varargin) refuse ("isnan"); endfunction
    function varargout = printf (varargin) refuse ("printf"); endfunction
    function varargout = fprintf (varargin) refuse ("fprintf"); endfunction
    function varargout = sprintf (varargin) refuse ("sprintf"); endfunction
    function varargout = num2str (varargin) refuse ("num2str"); endfunction
    function varargout = mat2str (varargin) refuse ("mat2str"); endfunction

  endmethods

endclassdef

## The value of Octave that operation NAME returns; errors name CALLER.
function r = value (caller, name, varargin)
  [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
  if (failed), __gpueig_raise__ (caller); endif
endfunction

## The array that operation NAME returns.  The object owns it before warnings are
## raised, which can become errors.
function r = make (caller, name, varargin)
  [failed, h] = __gpueig__ ("array", 1, name, varargin{:});
  r = gpu_array ("", h);
  if (failed), __gpueig_raise__ (caller); endif
endfunction

function is = is_one (x)
  is = all (size (x) == 1);
endfunction

function refuse (name)
  error ("%s: not defined for a gpu_array; use gather", name);
endfunction

## max (A), max (A, [], DIM), max (A, B)
function [r, at] = extreme (name, of_two, a, b, dim)
  if (nargout > 1)
    error ("%s: positions are not available for a gpu_array; use gather", name);
  endif
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

## The N outputs (at least one) of the solver NAME for the arguments ARGS, on the backend
## of the first array unless there is an option "Backend"; numeric outputs become arrays
## there.  What the gateway does not do with arrays is done with copies in host memory.
function results = solve (n, name, args)
  place = {};
  for i = 1:numel (args)
    if (isempty (place) && isa (args{i}, "gpu_array"))
      [failed, ~, ~, device] = __gpueig__ ("array", 3, "type", args{i});
      if (failed), __gpueig_raise__ (name); endif
      place = {"Backend", "cpu"};
      if (device >= 0), place = {"Backend", "cuda", "Device", device}; endif
    endif
  endfor
  options = place(1:end * ! any (strcmpi (args, "Backend")));
  n = max (n, 1);
  [failed, out{1:n}] = __gpueig__ ("array", n, "solve", name, args{:}, options{:});
  for i = 1:n
    results{i} = out{i};
    if (isnumeric (out{i}) && ! isempty (out{i}))
      results{i} = gpu_array ("", out{i});
    endif
  endfor
  if (failed), __gpueig_raise__ (name); endif
  if (! isempty (out{1}))
    return;
  endif
  for i = 1:numel (args)
    if (isa (args{i}, "gpu_array"))
      args{i} = gather (args{i});
    endif
  endfor
  try
    [out{1:n}] = feval (name, args{:}, options{:});
  catch err
    ## The array is on a GPU, and what is asked, as a general pair, only the CPU solves.
    if (isempty (options) || ! strcmp (err.identifier, "gpueig:no-device"))
      rethrow (err);
    endif
    [out{1:n}] = feval (name, args{:}, "Backend", "auto");
  end_try_catch
  for i = 1:n
    x = out{i};
    if (isnumeric (x) && ! issparse (x) && ! (i > 1 && strcmp (name, "gpu_tdinv")))
      x = gpu_array (full (x), place{:});
    endif
    results{i} = x;
  endfor
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
