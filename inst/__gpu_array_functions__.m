## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Of arrays, __gpu_array__: queries, functions of elements, factors, transforms, solvers.

classdef __gpu_array_functions__

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
    ## --- solvers ---

    function r = cond (varargin) r = __by_svd__ ("cond", varargin); endfunction
    function r = null (varargin) r = __by_svd__ ("null", varargin); endfunction
    function r = orth (varargin) r = __by_svd__ ("orth", varargin); endfunction
    function r = pinv (varargin) r = __by_svd__ ("pinv", varargin); endfunction
    function r = rank (varargin) r = __by_svd__ ("rank", varargin); endfunction

    ## --- factors, transforms ---

    function varargout = lu (varargin) varargout = __factors__ ("lu", nargout, varargin); endfunction
    function varargout = qr (varargin) varargout = __factors__ ("qr", nargout, varargin); endfunction
    function r = fft (varargin) r = __transformed__ ("fft", varargin{:}); endfunction
    function r = ifft (varargin) r = __transformed__ ("ifft", varargin{:}); endfunction
    function r = fft2 (varargin) r = __transformed__ ("fft2", varargin{:}); endfunction
    function r = ifft2 (varargin) r = __transformed__ ("ifft2", varargin{:}); endfunction

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

%!test
%! G = gpu_array (ones (2, 3));
%! assert (size (G), [2, 3]);
%! assert ([rows(G), columns(G), numel(G), ndims(G)], [2, 3, 6, 2]);
%! assert (gather (fft (G)), fft (ones (2, 3)));

## Every function of gpu_array.cc is one of Octave or of this package, and a method.
%!test
%! size (gpu_array (1));
%! names = methods ("gpu_array");
%! names(strncmp (names, "__", 2)) = [];
%! assert (numel (names) > 400);
%! known = cellfun (@(name) any (exist (name) == [2 3 5]), names);
%! assert (all (known), "%s", strjoin (names(! known), " "));
