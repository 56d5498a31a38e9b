## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@var{P}, @var{k}] =} __eigs_arguments__ (@dots{})
## The problem @var{P} of @code{gpu_eigs}, see @code{__eigs_problem__}, and how many eigenvalues are
## requested, from the arguments of @code{gpu_eigs}, which are verified.  The matrices are scaled; eigenvalues are in units
## of @code{unit}, vectors in units of @code{length}.  @code{like} is a number in the place of the vectors, @code{result} puts
## results in the place of the arguments, @code{center} is @code{sigma} if that is a number.
## @end deftypefn

function [P, k] = __eigs_arguments__ (A, varargin)

  P = struct ("A", A, "B", [], "sigma", "lm", "has_factor", false, "permutation", [], "p", [], "tol", eps, "maxit", [], ...
              "v0", [], "symmetric", false, "is_real", true, "like", 0, "result", @(x) x, "unit", 1, "length", 1);
  is_function = is_function_handle (A) || ischar (A) || strcmp (class (A), "inline");
  if (is_function)
    if (nargin < 2)
      print_usage ("gpu_eigs");
    endif
    if (! is_function_handle (A))
      P.A = @(x) feval (A, x);
    endif
    P.n = varargin{1};
    varargin(1) = [];
    if (! (is_number (P.n) && P.n >= 1))
      error ("gpueig:bad-argument", "gpu_eigs: the second argument must be the number of rows of the operator");
    endif
  elseif (! (isnumeric (A) || islogical (A)))
    error ("gpueig:wrong-type", "gpu_eigs: A must be a matrix or a function, not of class %s", class (A));
  elseif (! issquare (A) || ndims (A) > 2)
    error ("gpueig:not-square", "gpu_eigs: A must be a square matrix, not %s", sprintf ("%d-by-%d", rows (A), columns (A)));
  else
    P.n = rows (A);
    [P.A, is_finite] = __floating__ (A);
    if (! is_finite)
      error ("gpueig:nonfinite", "gpu_eigs: A has NaN or Inf elements");
    endif
  endif
  n = P.n;
  is_matrix = @(x) (isnumeric (x) || islogical (x)) && isequal (size (x), [n, n]) && n > 1;
  if (! isempty (varargin) && is_matrix (varargin{1}))
    P.B = __floating__ (varargin{1});
    varargin(1) = [];
  elseif (numel (varargin) && isempty (varargin{1}) && isnumeric (varargin{1}))
    varargin(1) = [];
  endif

  opts = struct ();
  if (! isempty (varargin) && isstruct (varargin{end}))
    opts = varargin{end};
    varargin(end) = [];
  endif
  k = min (6, n);
  if (numel (varargin) > 0)
    k = varargin{1};
    if (! (is_number (k) && k >= 1 && k <= n))
      error ("gpueig:bad-option", "gpu_eigs: K must be a whole number from 1 to the number of rows, %d", n);
    endif
  endif
  if (numel (varargin) > 1)
    P.sigma = varargin{2};
  endif
  if (numel (varargin) > 2)
    error ("gpueig:bad-option", "gpu_eigs: the last argument must be a struct of options");
  endif
  P = with_options (P, opts, is_function);
  if (isempty (P.B))
    P.has_factor = false;
  elseif (! P.has_factor && ! ishermitian (P.B))
    error ("gpueig:not-definite", "gpu_eigs: B must be symmetric positive definite");
  endif
  if (! is_function)
    P.symmetric = ishermitian (P.A);
    P.is_real = isreal (P.A) && isreal (P.B);
  endif
  P = with_sigma (P);
  P = in_place (P, is_function);
  if (! is_function)
    P = scaled (P);
  endif

endfunction

function is = is_number (x)
  is = isnumeric (x) && isscalar (x) && isreal (x) && x == fix (x);
endfunction

function P = with_options (P, opts, is_function)
  names = {"issym", "isreal", "tol", "maxit", "p", "v0", "disp", "cholB", "permB"};
  for name = fieldnames (opts)'
    value = opts.(name{1});
    good = true;
    switch (name{1})
      case "tol"
        good = isreal (value) && isscalar (value) && value >= 0;
        P.tol = value;
      case "maxit"
        good = is_number (value) && value >= 1;
        P.maxit = value;
      case "p"
        good = is_number (value) && value >= 1;
        P.p = value;
      case "v0"
        good = isnumeric (value) && numel (value) == P.n;
        P.v0 = value(:);
      case "cholB"
        P.has_factor = logical (value);
      case "permB"
        good = isequal (sort (value(:)'), 1:P.n);
        P.permutation = value(:)';
      case "issym"
        P.symmetric = is_function && value;
      case "isreal"
        P.is_real = ! is_function || value;
      case "disp"
      otherwise
        good = false;
    endswitch
    if (! good)
      error ("gpueig:bad-option", "gpu_eigs: bad option \"%s\" in OPTS; options are %s", name{1}, strjoin (names, ", "));
    endif
  endfor
  if (isempty (P.permutation))
    P.permutation = 1:P.n;
  endif
endfunction

function P = with_sigma (P)
  words = {"largestabs", "smallestabs", "largestreal", "smallestreal", "bothendsreal", "largestimag", "smallestimag"};
  if (ischar (P.sigma))
    P.sigma = tolower (P.sigma);
    [~, at] = ismember (P.sigma, words);
    if (at)
      P.sigma = {"lm", "sm", "lr", "sr", "be", "li", "si"}{at};
      if (P.symmetric && any (at == [3, 4])), P.sigma(2) = "a"; endif
    endif
    if (! any (strcmp (P.sigma, {"lm", "sm", "la", "sa", "be", "lr", "sr", "li", "si"})))
      error ("gpueig:bad-option", "gpu_eigs: SIGMA must be a number or one of lm, sm, la, sa, be, lr, sr, li, si, not \"%s\"", P.sigma);
    elseif ((any (strcmp (P.sigma, {"la", "sa", "be"})) && ! P.symmetric)
            || (any (strcmp (P.sigma, {"lr", "sr", "li", "si"})) && P.symmetric && P.is_real))
      error ("gpueig:bad-option", "gpu_eigs: SIGMA \"%s\" is not for %s problems", P.sigma, {"general", "symmetric"}{1+P.symmetric});
    endif
    if (strcmp (P.sigma, "sm"))
      P.sigma = 0;
    endif
  elseif (! (isnumeric (P.sigma) && isscalar (P.sigma) && isfinite (P.sigma)))
    error ("gpueig:bad-option", "gpu_eigs: SIGMA must be a finite number or a word");
  else
    P.sigma = double (gather (P.sigma));
    P.is_real = P.is_real && isreal (P.sigma);
    P.symmetric = P.symmetric && isreal (P.sigma);
  endif
  P.center = P.sigma;
  if (isnumeric (P.sigma) && ! is_function_handle (P.A) && nnz (P.A) == 0)
    P.sigma = "lm";  # all eigenvalues are 0, and an inverse there says nothing
  endif
endfunction

## Where the vectors are: P.like is a number there, of the class of the iteration.
function P = in_place (P, is_function)
  A = P.A;
  array = [];
  for x = {A, P.B, P.v0}
    if (isempty (array) && isobject (x{1}) && ! strcmp (class (x{1}), "inline"))
      array = x{1};
    endif
  endfor
  P.result = @(x) x;
  type = "double";
  if (! is_function && strcmp (underlyingType (A), "single")), type = "single"; endif
  if (! isempty (array))
    P.result = @(x) __in_array__ (x, array);
  elseif (P.n >= 5000 && gpuDeviceCount () > 0 && ! strcmp (getenv ("GPUEIG_BACKEND"), "cpu"))
    array = gpu_array (0);
    P.result = @gather;
  endif
  if (! isempty (array))
    if (! is_function)
      P.A = __in_array__ (A, array);
    endif
    if (! isempty (P.B) && ! issparse (P.B))
      P.B = __in_array__ (P.B, array);
    endif
  endif
  P.like = cast (0, type);
  if (! P.is_real), P.like = complex (P.like, 0); endif
  P.like = __in_array__ (P.like, array);
endfunction

## Elements of A and B near 1, so that no power of them overflows: eigenvalues are in units of P.unit,
## vectors in units of P.length.
function P = scaled (P)
  [P.A, e] = normalized (P.A, 1);
  f = 0;
  if (! isempty (P.B))
    [P.B, f] = normalized (P.B, 2 - P.has_factor);
    f *= 1 + P.has_factor;
    P.length = 2 ^ (-f / 2);
  endif
  P.unit = 2 ^ (e - f);
  if (isnumeric (P.sigma)), P.sigma /= P.unit; endif
  if (isnumeric (P.center)), P.center /= P.unit; endif
endfunction

## A times 2 ^ -E, a power of 2 ^ STEP.
function [A, e] = normalized (A, step)
  x = A;
  if (issparse (x)), x = nonzeros (gather (x)); endif
  e = step * ceil (nextpow2 (gather (max ([abs(x(:)); 0]))) / step);
  A = A * 2 ^ -fix (e / 2) * 2 ^ (fix (e / 2) - e);
endfunction
