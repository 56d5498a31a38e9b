## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## What gpuArray without arguments is: an object with a method for each name in gpuArray.zeros (2, 3).

classdef __constructors__

  methods

    function G = zeros (~, varargin) G = made ("zeros", varargin); endfunction
    function G = ones (~, varargin) G = made ("ones", varargin); endfunction
    function G = eye (~, varargin) G = made ("eye", varargin); endfunction
    function G = rand (~, varargin) G = made ("rand", varargin); endfunction
    function G = randn (~, varargin) G = made ("randn", varargin); endfunction
    function G = randi (~, varargin) G = made ("randi", varargin); endfunction
    function G = randperm (~, varargin) G = made ("randperm", varargin); endfunction
    function G = inf (~, varargin) G = made ("inf", varargin); endfunction
    function G = Inf (~, varargin) G = made ("Inf", varargin); endfunction
    function G = nan (~, varargin) G = made ("nan", varargin); endfunction
    function G = NaN (~, varargin) G = made ("NaN", varargin); endfunction
    function G = true (~, varargin) G = made ("true", varargin); endfunction
    function G = false (~, varargin) G = made ("false", varargin); endfunction
    function G = speye (~, varargin) G = gpu_array (speye (varargin{:})); endfunction
    function G = linspace (~, varargin) G = gpu_array (linspace (varargin{:})); endfunction
    function G = logspace (~, varargin) G = gpu_array (logspace (varargin{:})); endfunction
    function G = colon (~, varargin) G = gpu_array (colon (varargin{:})); endfunction

    function disp (o)
      printf ("  gpuArray (X) is X on the GPU; new arrays: gpuArray.%s\n", strjoin (setdiff (methods (o), {"__constructors__", "disp"}), ", ."));
    endfunction

  endmethods

endclassdef

## NAME (ARGS) on the GPU; MATLAB's programs also name an array that it is to be like.
function G = made (name, args)
  if (numel (args) > 1 && strcmpi (args{end-1}, "like"))
    G = gpu_array (feval (name, args{:}));
  else
    G = feval (name, args{:}, "gpuArray");
  endif
endfunction

%!test
%! G = gpuArray.zeros (2, 3);
%! assert (class (G), "gpuArray");
%! assert (gather (G), zeros (2, 3));
%! H = gpuArray.ones (2, "like", single (G));
%! assert ({class(H), underlyingType(H), gather(H)}, {"gpuArray", "single", ones(2, "single")});
%! assert (underlyingType (gpuArray.zeros (2, "like", single (1))), "single");
%! S = gpuArray.speye (3);
%! assert (issparse (S) && isgpuarray (S));
