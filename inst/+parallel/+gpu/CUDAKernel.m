## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Kernels in CUDA C are not supported.

function CUDAKernel (varargin)
  error ("gpueig:bad-option", ["parallel.gpu.CUDAKernel: kernels written in CUDA C are not supported; ", ...
                               "write the computation with operations on arrays, arrayfun or pagefun"]);
endfunction
