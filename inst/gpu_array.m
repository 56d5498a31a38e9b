## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {@var{G} =} gpu_array (@var{X})
## @deftypefnx {} {@var{G} =} gpu_array (@var{X}, @var{name}, @var{value}, @dots{})
## Copy the numeric array @var{X} to the GPU, where operations on it stay.
##
## @example
## @group
## A = gpu_array ([2, 1; 1, 3]);
## gather (A \ [3; 4])
##   @result{} [1; 1]
## @end group
## @end example
##
## @var{X} is an array of class double, single, logical or of an integer class, real or complex,
## full or sparse, of up to eight dimensions.  @code{gather (@var{G})} copies back.
## @code{gpuArray} is the same function.  Without a GPU the array is in host memory, and all
## operations work as well.
##
## Operators and numeric functions of Octave and all functions of this package take such arrays,
## mixed with values of Octave.  Elementwise operations, products, factorizations, transforms,
## sums, sorting, indexing and the solvers run on the GPU; what has no operation there is
## computed by Octave in host memory, and the result copied to the GPU.  The manual, ``Data on
## the GPU'', lists them.
##
## A result of one element is a number of Octave (@code{G(2,3)}, @code{x' * y}, @code{sum (x)},
## @code{norm (G)}), but for those of constructors, conversions, @code{reshape} and solvers.
## Truth values (@code{G > 0}, @code{isnan (G)}), indices (@code{find}, the second outputs of
## @code{max} and @code{sort}) and text are values of Octave as well.
## @code{zeros (3, "like", G)} and @code{zeros (3, "gpuArray")} make arrays, and so do
## @code{ones}, @code{eye}, @code{rand}, @code{randn}, @code{randi}, @code{Inf}, @code{NaN},
## @code{true}, @code{false} and @code{cast}.
##
## An array is a value: @code{G(i,j) = x} changes this variable alone, and copies the array
## only if another variable has it, or if it grows.  All arrays of an operation must be in one
## place.  Operations on a GPU may return before they are done; @code{gather}, values of Octave
## and @code{wait (G)} wait.
##
## Logical, integer and sparse arrays have their elements in host memory and the arithmetic of
## Octave.  Products of a sparse array with full ones of class double, and sums, differences and
## products of two sparse ones, are computed on the GPU, where these stay until they are asked for.
##
## @strong{Options}
##
## @table @asis
## @item "Backend": "auto" (default), "cuda", "cpu"
## Where the array is: @qcode{"auto"} is the GPU if there is one, @qcode{"cpu"} host memory.
## The environment variable @env{GPUEIG_BACKEND} sets another default.
##
## @item "Device": integer from 0
## Which GPU; by default the first of the environment variable @env{GPUEIG_DEVICE}, or 0.
## @end table
##
## @strong{What Octave does not let an array do}
##
## @table @asis
## @item @code{x(2,:) = G} with a plain @code{x}
## leaves @code{x} a plain array: begin with @code{x = zeros (m, n, "like", G)}.
##
## @item @code{save}
## takes @code{gather (G)}.  @code{save} of an array is an error before the file is touched.
##
## @item @code{cellfun ("cat", @dots{})}
## loses the dimension: call @code{cat}, or @code{cell2mat}.
##
## @item @code{m++} of all truth values of a comparison
## is @code{m += 1}; @code{U++} of integers makes a plain array.
## @end table
##
## @strong{Errors}: @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type} (text, cells,
## structs), @code{gpueig:bad-option}, @code{gpueig:no-device}, @code{gpueig:out-of-memory},
## @code{gpueig:device-error}, @code{gpueig:device-lost} (a fault ended the use of the GPU, with
## the arrays on it); operations have those of Octave, such as
## @code{Octave:nonconformant-args}.
##
## @seealso{gather, gpu_eig, gpu_info}
## @end deftypefn

function G = gpu_array (X, varargin)

  if (nargin < 1)
    print_usage ();
  endif
  G = __array__ ("gpu_array", "new", X, varargin{:});

endfunction

%!test
%! A = gpu_array (magic (4));
%! assert (class (A), "gpuArray");
%! assert (underlyingType (A), "double");
%! assert (gather (A(2:end, [1, 4])' * 2), 2 * magic (4)(2:end, [1, 4])');
%! [V, D] = eig (A + A');
%! assert (norm ((A + A') * V - V * D, 1) < 1e-12);
%! assert (underlyingType (gpu_array (uint8 ([1, 2])) + 1), "uint8");
%!test
%! x = reshape (1:24, 2, 3, 4);
%! for order = {[3, 1, 2], [2; 3; 1], [1, 2.5, 3, 4], [1, 3, 7], [1, 1, 2], [0, 1, 2], [NaN, 1, 2], [2, 1]}
%!   r = {x, gpu_array(x)};
%!   for k = 1:2
%!     try
%!       r{k} = gather (ipermute (r{k}, order{1}));
%!     catch
%!       r{k} = "error";
%!     end_try_catch
%!   endfor
%!   assert (r{2}, r{1});
%! endfor
%!error <DIRECTION> find (gpu_array ([0, 1, 1]), 1, 2)
%!error <Invalid call> isequal (gpu_array ([0, 1, 1]))
%!error id=gpueig:wrong-type gpu_array ("text")
%!error <double, single, logical or an integer class, but is of class cell> gpu_array ({1})
%!error id=gpueig:bad-option gpu_array (1, "Place", 2)

%!demo
%! ## A loop whose data stays on the GPU: the space of the five largest eigenvalues.
%! n = 500;
%! x = (1:n) / n;
%! A = gpu_array (exp (-5 * (x' - x) .^ 2));
%! Q = gpu_array (randn (n, 5));
%! for k = 1:10
%!   [V, ~] = eig (Q' * Q);
%!   Q = A * (Q * V);
%!   Q = Q ./ sqrt (sumsq (Q));
%! endfor
%! ## Those of the small pair of Rayleigh and Ritz, and A's own.
%! H = Q' * A * Q;
%! ritz = gather (eig (H + H', 2 * (Q' * Q)));
%! lambda = gather (eig (A));
%! disp ([ritz, lambda(end-4:end)])
