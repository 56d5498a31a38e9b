## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Of arrays, __gpu_array__: queries, functions of elements, factors, transforms, solvers.

classdef __gpu_array_functions__ < __gpu_array_host__

  methods

    ## --- queries ---

    function name = underlyingType (o) name = __array__ ("underlyingType", "type", o); endfunction

    function is = isa (o, name)
      if (! isobject (o))
        is = builtin ("isa", o, name);
        return;
      endif
      is = any (strcmp (name, {"gpu_array", "gpuArray", "numeric", "float", "handle"}));
    endfunction

    function is = issymmetric (o, tol)
      if (nargin > 1 && tol != 0)
        is = issymmetric (gather (o), tol);
      else
        is = __array__ ("issymmetric", "issymmetric", o);
      endif
    endfunction

    function is = ishermitian (o, tol)
      if (nargin > 1 && tol != 0)
        is = ishermitian (gather (o), tol);
      else
        is = __array__ ("ishermitian", "ishermitian", o);
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

    function varargout = log2 (a)
      if (nargout > 1)
        [varargout{1:2}] = __on_host__ ("log2", Inf, {a});
      else
        varargout{1} = builtin ("log2", a);
      endif
    endfunction
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

## Operation NAME, by Octave where the gateway returns [].
function r = __mapped__ (name, varargin)
  r = __array__ (name, name, varargin{:});
  if (! isobject (r) && isempty (r))
    r = __on_host__ (name, Inf, varargin);
  endif
endfunction

%!test
%! G = gpu_array (ones (2, 3));
%! assert (size (G), [2, 3]);
%! assert ([rows(G), columns(G), numel(G), ndims(G)], [2, 3, 6, 2]);
%! assert (gather (fft (G)), fft (ones (2, 3)));
