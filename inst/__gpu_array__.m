## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Methods of the type gpu_array (mex/gpu_array.cc) that are m-code.  There are no objects of this
## class.

classdef __gpu_array__

  methods

    ## F for a function of Octave, which compares handles with those that it knows.
    function g = __gathering__ (~, f)
      of = functions (f);
      folder = __octave_config_info__ ("fcnfiledir");
      if (strcmp (of.function, "@(x) {x}") || strncmp (of.file, folder, numel (folder))
          || (isempty (of.file) && exist (of.function) == 5))
        g = f;
      else
        g = @(varargin) __gather_results__ (f, varargin{:});
      endif
    endfunction
    function text = __described__ (o, most) text = __describe__ (o, most); endfunction

    function wait (o) __array__ ("wait", "wait", o); endfunction

    function n = nnz (a) n = nnz (a != 0); endfunction

    ## --- linear algebra ---

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
      b = varargin{1};
      pages = {size(a)(3:end), size(b)(3:end)};
      if (all (cellfun (@prod, pages) != 1) && ! isequal (pages{:}))
        ## Dimensions of 1 are repeated; what does not fit is the library's error.
        n = max (numel (pages{1}), numel (pages{2}));
        pages = cellfun (@(p) postpad (p, n, 1, 2), pages, "UniformOutput", false);
        if (all (pages{1} == pages{2} | pages{1} == 1 | pages{2} == 1))
          a = repmat (a, [1, 1, merge(pages{1} == 1, pages{2}, 1)]);
          b = repmat (b, [1, 1, merge(pages{2} == 1, pages{1}, 1)]);
        endif
      endif
      letters = "NTC";
      r = __array__ ("pagemtimes", "pagemtimes", a, b, letters(at(1)), letters(at(2)));
    endfunction

    function r = pageinv (a) r = paged (@inv, 1, "pageinv", a); endfunction
    function r = pagemldivide (a, b) r = paged (@mldivide, 2, "pagemldivide", a, b); endfunction
    function r = pagemrdivide (a, b) r = paged (@mrdivide, 2, "pagemrdivide", a, b); endfunction
    function r = pagenorm (a, varargin) r = paged (@(x) norm (x, varargin{:}), 1, "pagenorm", a, varargin{:}); endfunction

    ## --- shape and parts ---

    function r = squeeze (a)
      dims = size (a);
      if (numel (dims) > 2)
        dims(dims == 1) = [];
        dims(end+1:2) = 1;
        a = __array__ ("squeeze", "reshape", a, dims);
      endif
      r = a;
    endfunction

    ## cell2mat (C), an element of C being an array.
    function c = __cell2mat__ (~, c)
      for d = 1:ndims (c)
        n = size (c);
        c = reshape (permute (c, [d, 1:d-1, d+1:ndims(c)]), n(d), []);
        parts = cell ([n(1:d-1), 1, n(d+1:end)]);
        for k = 1:numel (parts)
          parts{k} = cat (d, c{:,k});
        endfor
        c = parts;
      endfor
      c = c{1};
    endfunction

    function r = ipermute (a, order)
      [sorted, back] = sort (fix (order(:)'));
      if (isequal (sorted, 1:numel (order)))
        r = __array__ ("ipermute", "permute", a, back);
      else
        r = ipermute (gather (a), order);  # Octave's error
      endif
    endfunction

    ## --- queries ---

    function name = underlyingType (o) name = __array__ ("underlyingType", "type", o); endfunction

    function is = isa (o, name)
      kinds = {"gpu_array", "gpuArray", {"numeric"}(! islogical (o)){:}, {"integer", "float"}([isinteger(o), isfloat(o)]){:}};
      if (iscell (name))
        is = ismember (name, kinds);
      else
        is = any (strcmp (name, kinds));
      endif
    endfunction

    ## "gpuArray" among the classes is the one of any array.
    function validateattributes (o, classes, varargin)
      classes(strcmp (classes, "gpuArray")) = underlyingType (o);
      __array__ ("validateattributes", "host", 0, o, classes, varargin{:});
    endfunction

    function varargout = disp (o)
      text = sprintf ("  %s\n", __describe__ (o, 0));
      if (numel (o) > 0 && (numel (o) <= 100 || (issparse (o) && nnz (o) <= 100)))
        text = [text, disp(gather (o))];
      endif
      if (nargout > 0)
        varargout{1} = text;
      else
        puts (text);
      endif
    endfunction

    ## --- functions of elements ---

    ## Functions of full arrays that repeat dimensions of 1 by themselves need no help.
    function r = bsxfun (f, a, b)
      name = f;
      if (is_function_handle (f)), name = func2str (f); endif
      repeats = any (strcmp (name, {"plus", "minus", "times", "rdivide", "power", "max", "min", "rem", "mod", "atan2", "hypot", ...
                                    "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor"}));
      if (repeats && ! (issparse (a) || issparse (b)))
        r = feval (name, a, b);
      else
        r = __array__ ("bsxfun", "host", Inf, {f, name}{1 + repeats}, a, b);
      endif
    endfunction

    function varargout = arrayfun (f, varargin) [varargout{1:nargout}] = __arrayfun__ (f, varargin); endfunction

    ## --- solvers ---

    function r = cond (varargin) r = __by_svd__ ("cond", varargin); endfunction
    function r = null (varargin) r = __by_svd__ ("null", varargin); endfunction
    function r = orth (varargin) r = __by_svd__ ("orth", varargin); endfunction
    function r = pinv (varargin) r = __by_svd__ ("pinv", varargin); endfunction
    function r = rank (varargin) r = __by_svd__ ("rank", varargin); endfunction

    function varargout = eigs (varargin) [varargout{1:nargout}] = gpu_eigs (varargin{:}); endfunction
    function varargout = svds (varargin) [varargout{1:nargout}] = gpu_svds (varargin{:}); endfunction

    function varargout = bicg (varargin) varargout = iterated ("bicg", nargout, varargin); endfunction
    function varargout = bicgstab (varargin) varargout = iterated ("bicgstab", nargout, varargin); endfunction
    function varargout = cgs (varargin) varargout = iterated ("cgs", nargout, varargin); endfunction
    function varargout = gmres (varargin) varargout = iterated ("gmres", nargout, varargin); endfunction
    function varargout = pcg (varargin) varargout = iterated ("pcg", nargout, varargin); endfunction
    function varargout = pcr (varargin) varargout = iterated ("pcr", nargout, varargin); endfunction
    function varargout = qmr (varargin) varargout = iterated ("qmr", nargout, varargin); endfunction
    function varargout = tfqmr (varargin) varargout = iterated ("tfqmr", nargout, varargin); endfunction

    function varargout = lu (varargin) varargout = __lu__ (nargout, varargin); endfunction

  endmethods

endclassdef

## Octave's solver NAME of arrays, a sparse matrix of Octave among ARGS being one, too.  The solution is an
## array also where no operation made it one.
function results = iterated (name, n_out, args)
  like = args{find(cellfun (@isobject, args), 1)};
  if (issparse (args{1}))
    args{1} = __array__ (name, "put", args{1}, like);
  endif
  [results{1:max(n_out, 1)}] = builtin (name, args{:});
  results{1} = __array__ (name, "put", results{1}, like);
endfunction

## Function F of the pages of the first N arguments, by NAME in host memory if they are small.
function r = paged (f, n, name, varargin)
  if (all (cellfun (@(x) max ([rows(x), columns(x)]), varargin(1:n)) < 128))
    r = __array__ (name, "host", 1, varargin{:});
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

%!test
%! G = gpu_array (ones (2, 3));
%! assert (size (G), [2, 3]);
%! assert ([rows(G), columns(G), numel(G), ndims(G)], [2, 3, 6, 2]);
%! assert (gather (fft (G)), fft (ones (2, 3)));
%! assert (isobject (nthroot (G(:,1), 3)) && ! isobject (corr (G(:,1), G(:,2))));

%!test
%! G = gpu_array (ones (2, 3));
%! validateattributes (G, {"gpuArray"}, {"size", [2, 3]});
%! validateattributes (gpu_array (int8 (1)), {"single", "gpuArray"}, {"2d"});
%! validateattributes (3, {"numeric"}, {"<", gpu_array(5)});
%!error id=Octave:invalid-type validateattributes (gpu_array (1), {"single"}, {})
%!error id=Octave:expected-positive validateattributes (gpu_array (-1), {"gpuArray"}, {"positive"})

## Complex arrays without imaginary parts, with infinite elements.
%!test
%! x = [Inf, 1, -Inf, 0.5];
%! for f = {@exp, @expm1, @sign, @cumprod, @prod, @sqrt, @log, @sinh, @tanh, @(x) x .^ 2, @(x) 1 ./ x, @(x) max (x, [], 2)}
%!   assert (gather (f{1} (gpu_array (complex (x, 0)))), f{1} (x), 1e-15);
%! endfor

## Every function of gpu_functions.cc is one of Octave or of this package, and a method.
%!test
%! size (gpu_array (1));
%! names = methods ("gpuArray");
%! names(strncmp (names, "__", 2)) = [];
%! names = setdiff (names, {"isuniform", "mape", "normalize", "rmse"}); # Octave 9 or later
%! assert (numel (names) > 400);
%! of_image = ! cellfun (@isempty, regexp (names, "^(bw|edge|entropy|getrange|gray|hist|im|integral|iradon|is(bw|gray|ind|rgb)|lab|mat2g|med|nlf|norm|ord|pad|psnr|ra|region|rgb|ssim|std|stret|water|wien|ycb|deconvw)"));
%! known = of_image(:) | cellfun (@(name) any (exist (name) == [2 3 5]), names);
%! assert (all (known), "%s", strjoin (names(! known), " "));
