## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __by_svd__ (@var{name}, @var{args})
## Octave's function @var{name}, @code{cond}, @code{null}, @code{orth}, @code{pinv} or
## @code{rank}, of the array and what else is in @var{args}, by its singular values and vectors.
## @end deftypefn

function r = __by_svd__ (name, args)

  a = args{1};
  tol = {};
  if (numel (args) > 1)
    tol = gather (args{2});
  endif
  ## What Octave's function has to say to other arguments, it says itself.
  if (! isobject (a) || ndims (a) > 2 || isempty (a) || numel (args) > 2 || ! all (isfinite (a)(:))
      || (numel (args) > 1 && ! (isfloat (tol) && isreal (tol) && isscalar (tol) && tol > 0))
      || (strcmp (name, "cond") && numel (args) > 1 && ! isequal (tol, 2)))
    r = __array__ (name, "host", Inf, args{:});
    return;
  endif
  switch (name)
    case "null"
      [~, s, v] = gpu_svd (a, {"econ"}(rows (a) >= columns (a)){:}, "vector");
    case "orth"
      [v, s] = gpu_svd (a, "econ", "vector");
    case "pinv"
      [u, s, v] = gpu_svd (a, "econ", "vector");
    otherwise
      s = svd (a);
  endswitch
  s = gather (s);
  ## Octave's pinv takes a tolerance that underflows in the class of A as none.
  given = numel (args) > 1 && ! (strcmp (name, "pinv") && cast (tol, class (s)) == 0);
  if (! given)
    tol = max (size (a)) * s(1) * eps (class (s));
  endif
  r = sum (s > tol);
  switch (name)
    case "cond"
      r = s(1) / s(end);
      if (s(end) == 0)
        r = Inf;
      endif
    case "null"
      r = v(:,r+1:end);
      r = r .* (abs (r) >= eps (class (s)));
    case "orth"
      r = v(:,1:r);
    case "pinv"
      ## As Octave's: values of this size count, and none of a matrix of denormal numbers.
      r = sum (s >= max (tol, realmin (class (s)) * (! given)));
      r = (v(:,1:r) ./ s(1:r,1).') * u(:,1:r)';
  endswitch

endfunction
