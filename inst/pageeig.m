## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{D} =} pageeig (@var{X})
## @deftypefnx {} {[@var{V}, @var{D}] =} pageeig (@var{X})
## @deftypefnx {} {[@var{V}, @var{D}, @var{W}] =} pageeig (@var{X})
## @deftypefnx {} {[@dots{}] =} pageeig (@var{X}, @var{balanceOption})
## @deftypefnx {} {[@dots{}] =} pageeig (@dots{}, @var{outputForm})
## Eigenvalues and eigenvectors of every page of an array, as MATLAB's function, by
## @code{gpu_eig}.
##
## @example
## @group
## pageeig (cat (3, [2, 1; 1, 2], eye (2)))(:,:,1)
##   @result{} [1; 3]
## @end group
## @end example
##
## @var{balanceOption} is @qcode{"balance"} (default) or @qcode{"nobalance"},
## @var{outputForm} @qcode{"vector"} or @qcode{"matrix"}.
##
## @seealso{gpu_eig, pagesvd, pagefun}
## @end deftypefn

function [V, D, W] = pageeig (X, varargin)

  if (nargin < 1 || nargin > 3)
    print_usage ();
  endif
  for k = 1:numel (varargin)
    if (! any (strcmp (varargin{k}, {"balance", "nobalance", "vector", "matrix"})))
      error ("Octave:invalid-input-arg",
             "pageeig: options are \"balance\", \"nobalance\", \"vector\" and \"matrix\"");
    endif
  endfor
  if (nargout < 2)
    V = gpu_eig (X, varargin{:});
  elseif (nargout == 2)
    [V, D] = gpu_eig (X, varargin{:});
  else
    [V, D, W] = gpu_eig (X, varargin{:});
  endif

endfunction

%!test
%! X = reshape (sin ((1:108) .^ 2), 3, 3, 2, 2, 3);
%! lambda = pageeig (X);
%! assert (size (lambda), [3, 1, 2, 2, 3]);
%! [V, D, W] = pageeig (X, "nobalance");
%! assert (size (D), size (X));
%! for p = 1:12
%!   assert (X(:,:,p) * V(:,:,p), V(:,:,p) * D(:,:,p), 64*eps);
%!   assert (W(:,:,p)' * X(:,:,p), D(:,:,p) * W(:,:,p)', 64*eps);
%!   assert (lambda(:,:,p), diag (D(:,:,p)), 64*eps);
%! endfor
%! [V, D] = pageeig (X, "vector");
%! assert (size (D), [3, 1, 2, 2, 3]);
%! D = pageeig (X, "balance", "matrix");
%! assert (size (D), size (X));
%! G = pageeig (gpuArray (X));
%! assert (isgpuarray (G) && isequal (size (G), size (lambda)));
%!error <options are> pageeig (ones (2), "qz")
%!error <Invalid call> pageeig ()
