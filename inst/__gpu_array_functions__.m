## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Of arrays, __gpu_array__: queries, functions of elements, factors, transforms, solvers.

classdef __gpu_array_functions__ < __gpu_array_host__

  methods

    ## --- queries ---

    function varargout = size (o, d, varargin)
      [failed, dims] = __gpueig__ ("array", 1, "size", o);
      if (failed), __gpueig_raise__ ("size"); endif
      if (nargin == 1 && nargout < 2)
        varargout{1} = dims;
      elseif (nargin == 2 && nargout < 2 && isequal (d, 1))
        varargout{1} = dims(1);
      elseif (nargin == 1)
        [varargout{1:nargout}] = sizes (dims, nargout);
      else
        [varargout{1:max(nargout, 1)}] = sizes (dims, nargout, d, varargin{:});
      endif
    endfunction

    function n = numel (o, varargin)
      n = 1;
      if (nargin == 1)
        n = prod (value ("numel", "size", o));
      endif
    endfunction

    function n = ndims (o) n = numel (value ("ndims", "size", o)); endfunction
    function n = rows (o) n = value ("rows", "size", o)(1); endfunction
    function n = columns (o) n = value ("columns", "size", o)(2); endfunction

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

    function is = isrow (o) is = isvector (o) && value ("isrow", "size", o)(1) == 1; endfunction
    function is = iscolumn (o) is = isvector (o) && value ("iscolumn", "size", o)(2) == 1; endfunction

    function is = ismatrix (o) is = numel (value ("ismatrix", "size", o)) == 2; endfunction

    function is = issquare (o)
      dims = value ("issquare", "size", o);
      is = numel (dims) == 2 && dims(1) == dims(2);
    endfunction

    function name = underlyingType (o) name = value ("underlyingType", "type", o); endfunction

    function is = isa (o, name)
      if (! isobject (o))
        is = builtin ("isa", o, name);
        return;
      endif
      is = any (strcmp (name, {"gpu_array", "gpuArray", "numeric", "float", "handle"}));
    endfunction

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

    function varargout = disp (o)
      text = sprintf ("  %s\n", __describe__ (o, 0));
      if (numel (o) <= 100 && numel (o) > 0)
        text = [text, disp(gather (o))];
      endif
      if (nargout > 0)
        varargout{1} = text;
      else
        puts (text);
      endif
    endfunction

    ## --- functions of elements ---

    function r = expm1 (a) r = __mapped__ ("expm1", a); endfunction
    function r = log1p (a) r = __mapped__ ("log1p", a); endfunction
    function varargout = log2 (a)
      if (nargout > 1)
        [varargout{1:2}] = __on_host__ ("log2", Inf, {a});
      else
        varargout{1} = __mapped__ ("log2", a);
      endif
    endfunction
    function r = log10 (a) r = __mapped__ ("log10", a); endfunction
    function r = sin (a) r = __mapped__ ("sin", a); endfunction
    function r = cos (a) r = __mapped__ ("cos", a); endfunction
    function r = tan (a) r = __mapped__ ("tan", a); endfunction
    function r = asin (a) r = __mapped__ ("asin", a); endfunction
    function r = acos (a) r = __mapped__ ("acos", a); endfunction
    function r = atan (a) r = __mapped__ ("atan", a); endfunction
    function r = sinh (a) r = __mapped__ ("sinh", a); endfunction
    function r = cosh (a) r = __mapped__ ("cosh", a); endfunction
    function r = tanh (a) r = __mapped__ ("tanh", a); endfunction
    function r = erf (a) r = __mapped__ ("erf", a); endfunction
    function r = floor (a) r = __mapped__ ("floor", a); endfunction
    function r = ceil (a) r = __mapped__ ("ceil", a); endfunction
    function r = round (a) r = __mapped__ ("round", a); endfunction
    function r = fix (a) r = __mapped__ ("fix", a); endfunction
    function r = sign (a) r = __mapped__ ("sign", a); endfunction
    function r = gamma (a) r = __mapped__ ("gamma", a); endfunction
    function r = arg (a) r = __mapped__ ("arg", a); endfunction
    function r = angle (a) r = __mapped__ ("arg", a); endfunction
    function r = atan2 (y, x) r = __mapped__ ("atan2", y, x); endfunction
    function r = hypot (x, y, varargin)
      r = __mapped__ ("hypot", x, y);
      if (nargin > 2), r = hypot (r, varargin{:}); endif
    endfunction
    function r = mod (x, y) r = __mapped__ ("mod", x, y); endfunction
    function r = rem (x, y) r = __mapped__ ("rem", x, y); endfunction

    ## --- solvers ---

    function varargout = eig (varargin) varargout = __solve_arrays__ (nargout, "gpu_eig", varargin); endfunction
    function varargout = schur (varargin) varargout = __solve_arrays__ (nargout, "gpu_schur", varargin); endfunction
    function varargout = gpu_eig (varargin) varargout = __solve_arrays__ (nargout, "gpu_eig", varargin); endfunction
    function varargout = gpu_jacobi_eig (varargin) varargout = __solve_arrays__ (nargout, "gpu_jacobi_eig", varargin); endfunction
    function varargout = gpu_onesided_eig (varargin) varargout = __solve_arrays__ (nargout, "gpu_onesided_eig", varargin); endfunction
    function varargout = gpu_complex_eig (varargin) varargout = __solve_arrays__ (nargout, "gpu_complex_eig", varargin); endfunction
    function varargout = gpu_mrrr (varargin) varargout = __solve_arrays__ (nargout, "gpu_mrrr", varargin); endfunction
    function varargout = gpu_tdinv (varargin) varargout = __solve_arrays__ (nargout, "gpu_tdinv", varargin); endfunction
    function varargout = gpu_schur (varargin) varargout = __solve_arrays__ (nargout, "gpu_schur", varargin); endfunction
    function varargout = gpu_ordschur (varargin) varargout = __solve_arrays__ (nargout, "gpu_ordschur", varargin); endfunction
    function varargout = sqrtm (varargin) varargout = __solve_arrays__ (nargout, "gpu_sqrtm", varargin); endfunction
    function varargout = logm (varargin) varargout = __solve_arrays__ (nargout, "gpu_logm", varargin); endfunction
    function varargout = expm (varargin) varargout = __solve_arrays__ (nargout, "gpu_expm", varargin); endfunction
    function varargout = gpu_sqrtm (varargin) varargout = __solve_arrays__ (nargout, "gpu_sqrtm", varargin); endfunction
    function varargout = gpu_logm (varargin) varargout = __solve_arrays__ (nargout, "gpu_logm", varargin); endfunction
    function varargout = gpu_expm (varargin) varargout = __solve_arrays__ (nargout, "gpu_expm", varargin); endfunction
    function varargout = svd (varargin) varargout = __solve_arrays__ (nargout, "gpu_svd", varargin); endfunction
    function varargout = gpu_svd (varargin) varargout = __solve_arrays__ (nargout, "gpu_svd", varargin); endfunction
    function varargout = gpu_polar (varargin) varargout = __solve_arrays__ (nargout, "gpu_polar", varargin); endfunction
    function varargout = gpu_pinv (varargin) varargout = __solve_arrays__ (nargout, "gpu_pinv", varargin); endfunction
    function r = cond (varargin) r = __by_svd__ ("cond", varargin); endfunction
    function r = null (varargin) r = __by_svd__ ("null", varargin); endfunction
    function r = orth (varargin) r = __by_svd__ ("orth", varargin); endfunction
    function r = pinv (varargin) r = __by_svd__ ("pinv", varargin); endfunction
    function r = rank (varargin) r = __by_svd__ ("rank", varargin); endfunction
    function varargout = ordschur (varargin) varargout = __solve_arrays__ (nargout, "gpu_ordschur", varargin); endfunction

    ## --- factors, transforms ---

    function varargout = lu (varargin) varargout = __factors__ ("lu", nargout, varargin); endfunction
    function varargout = qr (varargin) varargout = __factors__ ("qr", nargout, varargin); endfunction
    function r = fft (varargin) r = __transformed__ ("fft", varargin{:}); endfunction
    function r = ifft (varargin) r = __transformed__ ("ifft", varargin{:}); endfunction
    function r = fft2 (varargin) r = __transformed__ ("fft2", varargin{:}); endfunction
    function r = ifft2 (varargin) r = __transformed__ ("ifft2", varargin{:}); endfunction

    function varargout = det (a)
      if (nargout < 2)
        varargout{1} = __mapped__ ("det", a);
      else
        [varargout{1:2}] = __on_host__ ("det", 0, {a});
      endif
    endfunction

    ## --- zeros (..., "like", G) and its kin ---

    function r = zeros (varargin) r = __made_like__ ("zeros", varargin); endfunction
    function r = ones (varargin) r = __made_like__ ("ones", varargin); endfunction
    function r = eye (varargin) r = __made_like__ ("eye", varargin); endfunction
    function r = rand (varargin) r = __made_like__ ("rand", varargin); endfunction
    function r = randn (varargin) r = __made_like__ ("randn", varargin); endfunction
    function r = rande (varargin) r = __made_like__ ("rande", varargin); endfunction
    function r = Inf (varargin) r = __made_like__ ("Inf", varargin); endfunction
    function r = NaN (varargin) r = __made_like__ ("NaN", varargin); endfunction

  endmethods

endclassdef

## The value of Octave that operation NAME returns; errors name CALLER.
function r = value (caller, name, varargin)
  [failed, r] = __gpueig__ ("array", 1, name, varargin{:});
  if (failed), __gpueig_raise__ (caller); endif
endfunction

## size (O, ...) of an array with dimensions DIMS.
function varargout = sizes (dims, n, varargin)
  if (nargin > 2)
    d = [varargin{:}];
    if (isempty (d) || any (d < 1 | d != fix (d)))
      error ("size: requested dimension DIM is out of range");
    endif
    dims(end+1:max (d)) = 1;
    dims = dims(d);
  elseif (n > 1)
    dims(end+1:n) = 1;
    dims = [dims(1:n-1), prod(dims(n:end))];
  endif
  varargout = {dims};
  if (n > 1)
    varargout = num2cell (dims);
  endif
endfunction

%!test
%! G = gpu_array (ones (2, 3));
%! assert (size (G), [2, 3]);
%! assert ([rows(G), columns(G), numel(G), ndims(G)], [2, 3, 6, 2]);
%! assert (gather (fft (G)), fft (ones (2, 3)));
