## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{Z} =} pagemtimes (@var{X}, @var{Y})
## @deftypefnx {} {@var{Z} =} pagemtimes (@var{X}, @var{op_x}, @var{Y}, @var{op_y})
## Products of the pages of @var{X} and @var{Y}, @code{Z(:,:,k) = X(:,:,k) * Y(:,:,k)}.
##
## @example
## @group
## pagemtimes (cat (3, 2, 3), [1, 1])
##   @result{} cat (3, [2, 2], [3, 3])
## @end group
## @end example
##
## Further dimensions of 1 are repeated.  @var{op_x} and @var{op_y} are
## @qcode{"none"}, @qcode{"transpose"} or @qcode{"ctranspose"}.
##
## @seealso{gpu_array}
## @end deftypefn

function Z = pagemtimes (X, varargin)

  if (nargin != 2 && nargin != 4)
    print_usage ();
  endif
  ## Sparse arrays have no pages: their pagemtimes is this function.
  if (issparse (X) || ! isfloat (X))
    X = full (double (X));
  endif
  if (issparse (varargin{ceil (end / 2)}))
    varargin{ceil (end / 2)} = full (varargin{ceil (end / 2)});
  endif
  Z = gather (pagemtimes (gpu_array (X, "Backend", "cpu"), varargin{:}));

endfunction

%!assert (pagemtimes (cat (3, 2, 3), [1, 1]), cat (3, [2, 2], [3, 3]))
%!assert (pagemtimes ([1, 2i], "ctranspose", [3, 4], "none"), [3, 4; -6i, -8i])
%!test
%! X = reshape (1:24, 2, 2, 3, 1, 2);
%! Y = reshape (1:16, 2, 2, 1, 4);
%! for Z = {pagemtimes(X, Y), gather(pagemtimes (gpu_array (X), Y)), gather(pagemtimes (X, gpu_array (Y)))}
%!   assert (size (Z{1}), [2 2 3 4 2]);
%!   assert (Z{1}(:,:,3,2,2), X(:,:,3,1,2) * Y(:,:,1,2));
%! endfor
%!assert (class (pagemtimes (single (2), 3)), "single")
%!assert (pagemtimes ([true, true], int8 ([3; 4])), 7)
%!test
%! for type = {@double, @(x) gpu_array(x)}
%!   S = type{1} (sparse ([1, 2; 0, 3]));
%!   assert (gather (pagemtimes (S, S)), [1, 8; 0, 9]);
%!   assert (gather (pagemtimes (ones (2, 2, 2), "none", S, "transpose"))(:,:,2), [3, 3; 3, 3]);
%! endfor
## Dimensions of 0 next to dimensions of 1.
%!test
%! for on = {@(x) x, @gpuArray}
%!   for pages = {{0, [1, 3]}, {[0, 2, 3], [1, 1, 3]}, {[1, 3], [0, 1, 2]}, {[0, 2], [1, 2, 3]}, {[2, 0], 2}}
%!     [x, y] = deal (pages{1}{:});
%!     wanted = size (zeros ([1, 1, x]) + zeros ([1, 1, y]))(3:end);
%!     for n = [0, 2]
%!       assert (size (pagemtimes (on{1} (ones ([4, n, x])), ones ([n, 5, y]))), [4, 5, wanted]);
%!       assert (size (pagelsqminnorm (ones ([n, 4, x]), on{1} (ones ([n, 5, y])))), [4, 5, wanted]);
%!     endfor
%!   endfor
%!   assert (gather (pagelsqminnorm (on{1} (zeros (0, 2, 3)), zeros (0, 1, 1, 2))), zeros (2, 1, 3, 2));
%! endfor
%!error <nonconformant> pagemtimes (ones (2, 2, 0, 2), ones (2, 2, 1, 3))
%!error <nonconformant> pagelsqminnorm (ones (2, 2, 0, 2), ones (2, 2, 1, 3))
%!error <Invalid call> pagemtimes (1)
%!error id=Octave:nonconformant-args pagemtimes (ones (2), ones (3))
