## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{s} =} pagesvd (@var{X})
## @deftypefnx {} {[@var{U}, @var{S}, @var{V}] =} pagesvd (@var{X})
## @deftypefnx {} {[@dots{}] =} pagesvd (@var{X}, "econ")
## @deftypefnx {} {[@dots{}] =} pagesvd (@dots{}, @var{outputForm})
## Singular value decomposition of every page of an array, as MATLAB's function, by
## @code{gpu_svd}.
##
## @example
## @group
## pagesvd (cat (3, [2, 0; 0, 1], [4, 0; 0, 3]))(:,:,2)
##   @result{} [4; 3]
## @end group
## @end example
##
## @var{outputForm} is @qcode{"vector"} or @qcode{"matrix"}.
##
## @seealso{gpu_svd, pageeig, pagefun}
## @end deftypefn

function [U, S, V] = pagesvd (X, varargin)

  if (nargin < 1 || nargin > 3)
    print_usage ();
  endif
  for k = 1:numel (varargin)
    if (! any (strcmp (varargin{k}, {"econ", "vector", "matrix"})))
      error ("Octave:invalid-input-arg",
             "pagesvd: options are \"econ\", \"vector\" and \"matrix\"");
    endif
  endfor
  if (nargout < 2)
    U = gpu_svd (X, varargin{:});
  else
    [U, S, V] = gpu_svd (X, varargin{:});
  endif

endfunction

%!test
%! X = reshape (sin ((1:108) .^ 2), 3, 3, 2, 2, 3);
%! [U, S, V] = pagesvd (X(:,1:2,:,:,:), "econ");
%! s = pagesvd (X(:,1:2,:,:,:));
%! assert ({size(U), size(S), size(s)}, {[3 2 2 2 3], [2 2 2 2 3], [2 1 2 2 3]});
%! for p = 1:12
%!   assert (U(:,:,p) * S(:,:,p) * V(:,:,p)', X(:,1:2,p), 64*eps);
%!   assert (s(:,:,p), diag (S(:,:,p)), 64*eps);
%! endfor
%! [U, S, V] = pagesvd (X, "vector");
%! assert (size (S), [3, 1, 2, 2, 3]);
%! G = pagesvd (gpuArray (X));
%! assert (isgpuarray (G) && isequal (size (G), [3, 1, 2, 2, 3]));
%!error <options are> pagesvd (ones (2), 0)
%!error <Invalid call> pagesvd ()
