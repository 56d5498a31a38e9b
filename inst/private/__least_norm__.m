## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} __least_norm__ (@var{name}, @var{A}, @var{B}, @var{tol}, @var{rankWarn})
## What @code{lsqminnorm} and @code{pagelsqminnorm} return; errors have @var{name}.
## @end deftypefn

function X = __least_norm__ (name, A, B, varargin)

  warns = false;
  if (! isempty (varargin) && ischar (varargin{end}))
    [known, at] = ismember (varargin{end}, {"nowarn", "warn"});
    if (! known)
      error ("Octave:invalid-input-arg", "%s: RANKWARN must be \"warn\" or \"nowarn\"", name);
    endif
    warns = at == 2;
    varargin(end) = [];
  endif
  tol = -1;
  if (numel (varargin) > 0)
    tol = varargin{1};
  endif
  if (numel (varargin) > 1 || ! (isnumeric (tol) && isscalar (tol) && isreal (tol)))
    error ("Octave:invalid-input-arg", "%s: TOL must be a real number", name);
  endif
  if (rows (A) != rows (B))
    error ("Octave:nonconformant-args", "%s: nonconformant arguments (A is %dx%d, B is %dx%d)", name, ...
           rows (A), columns (A), rows (B), columns (B));
  endif

  if (isempty (A) || isempty (B))
    X = pagemtimes (A, "ctranspose", B, "none");  # zeros or empty
    return;
  endif
  ## full of an array of one element is no array.
  if (issparse (A))
    A = full (A);
  endif
  if (issparse (B))
    B = full (B);
  endif
  [U, s, V] = gpu_svd (A, "econ", "vector");
  largest = max (s, [], 1);
  limit = max (tol, 0);
  if (tol < 0)
    limit = max (rows (A), columns (A)) * eps (underlyingType (s)) * largest;
  endif
  counts = s > limit;
  if (warns && ! all (counts(:)))
    warning ("gpueig:rank-deficient", "%s: A does not have full rank", name);
  endif
  ## 1 / s of what counts; 0 of what does not.
  s(! counts) = Inf;
  X = pagemtimes (V, pagemtimes (U, "ctranspose", B, "none") ./ s);

endfunction
