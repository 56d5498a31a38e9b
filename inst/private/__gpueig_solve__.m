## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{out}, @var{failure}] =} __gpueig_solve__ (@var{command}, @var{nout}, @var{A}, @var{opt}, @dots{})
## Call the library's eigenvalue solver @var{command} and arrange its outputs as
## @code{eig} does.
##
## @var{nout} is the caller's @code{nargout}, @var{opt} its options, and further
## arguments belong to the command.  @var{out} is the caller's
## @code{varargout}, @var{failure} goes to @code{__gpueig_raise__}.  Only what is
## asked for is computed.
## @end deftypefn

function [out, failure] = __gpueig_solve__ (command, nout, A, opt, varargin)

  V = W = info = [];
  switch (nout)
    case {0, 1}
      [failure, lambda] = __gpueig__ (command, A, opt, varargin{:});
    case 2
      [failure, lambda, V] = __gpueig__ (command, A, opt, varargin{:});
    case 3
      [failure, lambda, V, W] = __gpueig__ (command, A, opt, varargin{:});
    otherwise
      [failure, lambda, V, W, info] = __gpueig__ (command, A, opt, varargin{:});
  endswitch
  if (nout > 2 && isempty (W))
    W = V;  # as the command says of symmetric matrices
  endif
  if (isempty (A) && ndims (A) == 2)
    lambda = zeros (0, 0, class (lambda));  # as eig ([])
  endif
  out = __gpueig_outputs__ (opt.form, nout, lambda, V, W, info);

endfunction
