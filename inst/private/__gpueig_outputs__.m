## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{out} =} __gpueig_outputs__ (@var{form}, @var{nout}, @var{lambda}, @var{V}, @var{W}, @var{info})
## Arrange the outputs of an eigenvalue function as @code{eig} does.
##
## @var{form} is @qcode{"vector"}, @qcode{"matrix"} or @qcode{""} (a vector for
## one output, a matrix for more), @var{nout} the caller's @code{nargout}.
## @var{lambda} is n-by-1 (by pages); the result is the caller's @code{varargout}.
## @end deftypefn

function out = __gpueig_outputs__ (form, nout, lambda, V, W, info)

  switch (form)
    case "vector"
      D = lambda;
    case "matrix"
      D = eigenvalue_matrix (lambda);
    otherwise
      if (nout > 1)
        D = eigenvalue_matrix (lambda);
      else
        D = lambda;
      endif
  endswitch
  if (nout > 1)
    out = {V, D, W, info}(1:nout);
  else
    out = {D};
  endif

endfunction

## Octave's own diagonal-matrix type for a single matrix, a full array for pages.
function D = eigenvalue_matrix (lambda)
  if (columns (lambda) == 1 && ndims (lambda) == 2)
    D = diag (lambda);
  else
    n = rows (lambda);
    sz = size (lambda);
    D = zeros ([n, n, sz(3:end)], class (lambda));
    at = (1:n+1:n*n).' + n*n * (0:prod (sz(3:end))-1);
    D(at) = lambda(:);
  endif
endfunction
