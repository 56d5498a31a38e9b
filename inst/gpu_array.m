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
## Copy the full numeric array @var{X} to the GPU, where operations on it stay.
##
## @example
## @group
## A = gpu_array ([2, 1; 1, 3]);
## gather (A \ [3; 4])
##   @result{} [1; 1]
## @end group
## @end example
##
## @var{X} is a full array of class double or single, real or complex, of up to eight
## dimensions.  @code{gather (@var{G})} copies back.  @code{gpuArray} is the same function.
##
## A logical, integer or sparse @var{X} is kept as it is, with its elements in host memory and the
## arithmetic of Octave: @code{gpu_array (uint8 (200)) + uint8 (100)} is 255; only @code{full} makes a
## sparse array full.  The elements of a sparse array are on the GPU as well, where its products with full
## ones of class double are computed (@code{S * x}, @code{S' * x}, @code{x' * S}), and their results stay:
## the solvers @code{pcg}, @code{pcr}, @code{bicg}, @code{bicgstab}, @code{cgs}, @code{qmr} and
## @code{tfqmr} run there; @code{gmres} with its basis in host memory.  An array
## of truth values or integers is a mask or an index like @var{X}, and goes to the GPU by
## @code{double}, @code{single} or an operation whose result is of floating-point numbers.
##
## @strong{Options}
##
## @table @asis
## @item "Backend": "auto" (default), "cuda", "cpu"
## Where the array is: @qcode{"auto"} is the GPU if there is one, @qcode{"cpu"} host memory,
## where all operations work as well.  The environment variable @env{GPUEIG_BACKEND} sets
## another default.
##
## @item "Device": integer from 0
## Which GPU; by default the first of the environment variable @env{GPUEIG_DEVICE}, or 0.
## @end table
##
## @strong{Operations}
##
## Operators and numeric functions of Octave take such arrays, mixed with values of Octave.
## These stay on the GPU; all others are computed by Octave in host memory, and their results
## copied to the GPU:
##
## @table @asis
## @item elementwise, with broadcasting
## @code{+ - .* ./ .\ .^}, comparisons, @code{abs}, @code{real}, @code{imag}, @code{conj},
## @code{arg}, @code{angle}, @code{sqrt}, @code{exp}, @code{log}, @code{max}, @code{min},
## @code{isnan}, @code{isinf}, @code{isfinite}, @code{double}, @code{single}, @code{sin},
## @code{cos}, @code{tan}, @code{sinh}, @code{cosh}, @code{tanh}, @code{atan}, @code{asin},
## @code{acos}, @code{log2}, @code{log10}, @code{log1p}, @code{expm1}, @code{sign},
## @code{floor}, @code{ceil}, @code{round}, @code{fix}; of real arrays @code{erf},
## @code{gamma}, @code{atan2}, @code{hypot}, @code{mod}, @code{rem}
##
## @item linear algebra
## @code{* ' .' \ / ^}, @code{kron}, @code{inv}, @code{det}, @code{chol}, @code{lu},
## @code{[Q, R] = qr (G)}, @code{rank}, @code{null}, @code{orth}, @code{cond}, @code{diag},
## @code{norm}, @code{trace}, @code{dot}, @code{pagemtimes}, @code{pagetranspose},
## @code{pagectranspose}; of pages of order 128 and more @code{pageinv}, @code{pagemldivide},
## @code{pagenorm}
##
## @item transforms, where cuFFT is installed
## @code{fft}, @code{ifft}, @code{fft2}, @code{ifft2}
##
## @item along a dimension
## @code{sum}, @code{sumsq}, @code{prod}, @code{mean}, @code{median}, @code{std}, @code{var},
## @code{max}, @code{min}, @code{any}, @code{all}, @code{find}, @code{sort}, @code{diff},
## @code{cumsum}, @code{cumprod}, @code{cummax}, @code{cummin}
##
## @item parts
## @code{G(i,j)} with ranges, vectors, logical arrays, arrays of either kind, @code{:} and
## @code{end}, also on the left side; @code{[G, H]}, @code{[G; H]}, @code{cat},
## @code{reshape}, @code{permute}, @code{squeeze}, @code{repmat}, @code{tril}, @code{triu}
##
## @item solvers
## @code{eig}, @code{inv}, @code{schur}, @code{ordschur}, @code{svd}, @code{pinv} and every
## function of this package.  For an array on a GPU the backend @qcode{"auto"} compares the GPU with
## the CPU and two copies.  The results are those of the call with @code{gather (G)} on the backend
## that was taken, bit for bit
## @end table
##
## A result of one element is a number of Octave (@code{G(2,3)}, @code{x' * y},
## @code{sum (x)}, @code{norm (G)}), but for those of constructors, conversions,
## @code{reshape} and solvers.  Truth values (@code{G > 0}, @code{isnan (G)}), indices
## (@code{find}, the second outputs of @code{max} and @code{sort}) and text are
## values of Octave as well.  The elements of truth values and indices are copied when Octave
## asks for them; an array that uses them takes those on the GPU.
## @code{zeros (3, "like", G)} and @code{zeros (3, "gpuArray")} make arrays, and so do @code{ones},
## @code{eye}, @code{rand}, @code{randn}, @code{randi}, @code{Inf}, @code{NaN}, @code{true},
## @code{false} and @code{cast}.  All names of MATLAB are in the manual, "From MATLAB".
##
## An array is a value: @code{G(i,j) = x} changes this variable alone, and copies the array
## only if another variable has it, or if it grows.  Memory is freed with
## the last variable that has it.  Results are not narrowed to real numbers before
## @code{gather}.  @code{single} wins over @code{double}.  All arrays of an operation must
## be in one place.  Operations on a GPU may return before they are done; @code{gather},
## values of Octave and @code{wait (G)} wait.
##
## @strong{What Octave does not let an array do}
##
## @table @asis
## @item @code{x(2,:) = G} with a plain @code{x}
## leaves @code{x} a plain array: begin with @code{x = zeros (m, n, "like", G)}.
##
## @item @code{[G, H]} of sizes that do not fit
## is an error for which Octave hides the reason, which is a warning before.
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
## @strong{Differences from the same program without arrays}
##
## Characters as operands are taken as double.  @code{isa (G, "single")} is false; ask
## @code{underlyingType (G)}.  @code{D} of @code{[V, D] = eig (G)}, and other diagonal matrices and permutations, are
## full.  @code{inv}, @code{eig}, @code{expm} and their kin have the identifier
## @code{gpueig:not-square} for a matrix that is not square.  For a singular square matrix @code{\} has the warning of Octave.
## @code{svd}, @code{tril} and @code{triu} take stacks.  @code{gpu_array (complex (x, 0))} is real for orders and
## functions with branch cuts.  @code{arg (NaN)} is NaN.  On a GPU @code{ifft} of the transform of
## a real array is real.  Of two complex numbers of the same modulus, @code{max (G, H)} and
## @code{min (G, H)} take the first; Octave 11 compares their arguments.
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type} (text, cells, structs),
## @code{gpueig:bad-option}, @code{gpueig:no-device}, @code{gpueig:out-of-memory},
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
%!error id=gpueig:wrong-type gpu_array ("text")
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
