## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## What gpuArray without arguments is: an object with a method for each name in gpuArray.zeros (2, 3).

classdef __constructors__

  methods

    function G = zeros (~, varargin) G = zeros (varargin{:}, "gpuArray"); endfunction
    function G = ones (~, varargin) G = ones (varargin{:}, "gpuArray"); endfunction
    function G = eye (~, varargin) G = eye (varargin{:}, "gpuArray"); endfunction
    function G = rand (~, varargin) G = rand (varargin{:}, "gpuArray"); endfunction
    function G = randn (~, varargin) G = randn (varargin{:}, "gpuArray"); endfunction
    function G = randi (~, varargin) G = randi (varargin{:}, "gpuArray"); endfunction
    function G = randperm (~, varargin) G = randperm (varargin{:}, "gpuArray"); endfunction
    function G = inf (~, varargin) G = inf (varargin{:}, "gpuArray"); endfunction
    function G = Inf (~, varargin) G = Inf (varargin{:}, "gpuArray"); endfunction
    function G = nan (~, varargin) G = nan (varargin{:}, "gpuArray"); endfunction
    function G = NaN (~, varargin) G = NaN (varargin{:}, "gpuArray"); endfunction
    function G = true (~, varargin) G = true (varargin{:}, "gpuArray"); endfunction
    function G = false (~, varargin) G = false (varargin{:}, "gpuArray"); endfunction
    function G = linspace (~, varargin) G = gpu_array (linspace (varargin{:})); endfunction
    function G = logspace (~, varargin) G = gpu_array (logspace (varargin{:})); endfunction
    function G = colon (~, varargin) G = gpu_array (colon (varargin{:})); endfunction

    function disp (o)
      printf ("  gpuArray (X) is X on the GPU; new arrays: gpuArray.%s\n", strjoin (setdiff (methods (o), {"__constructors__", "disp"}), ", ."));
    endfunction

  endmethods

endclassdef

%!test
%! G = gpuArray.zeros (2, 3);
%! assert (class (G), "gpuArray");
%! assert (gather (G), zeros (2, 3));
