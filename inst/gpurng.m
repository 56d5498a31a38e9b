## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} gpurng (@var{seed})
## @deftypefnx {} {} gpurng ("default" | "shuffle")
## @deftypefnx {} {} gpurng (@var{seed}, @var{generator})
## @deftypefnx {} {@var{s} =} gpurng ()
## @deftypefnx {} {} gpurng (@var{s})
## Set or return the state of the random numbers of arrays.
##
## @example
## @group
## gpurng (7);
## x = rand (3, 1, "gpuArray");
## gpurng (7);
## isequal (x, rand (3, 1, "gpuArray"))
##   @result{} true
## @end group
## @end example
##
## Arrays have the random numbers of Octave, so that this is @code{rng}, and a program has the same
## numbers with arrays and without.  Octave has one @var{generator}, the Mersenne twister, in place
## of @qcode{"Threefry"}, @qcode{"Philox"} and so on.
##
## @seealso{gpu_array, rng}
## @end deftypefn

function s = gpurng (varargin)

  if (nargin > 2 || (nargin == 2 && ! ischar (varargin{2})))
    print_usage ();
  endif
  varargin(2:end) = [];
  if (nargin == 0 || nargout > 0)
    s = rng ();
  endif
  if (nargin > 0)
    rng (varargin{:});
  endif

endfunction

%!demo
%! gpurng (1);
%! rand (1, 3, "gpuArray")

%!test
%! s = gpurng ();
%! unwind_protect
%!   gpurng (3, "Philox");
%!   x = rand (2, "gpuArray");
%!   old = gpurng (3);
%!   assert (isequal (rand (2), gather (x)));
%!   gpurng (old);
%!   y = randn (2);
%!   gpurng (3);
%!   rand (2);
%!   assert (isequal (gather (randn (2, "gpuArray")), y));
%!   gpurng ("default");
%!   parallel.gpu.rng (3);
%!   assert (isequal (rand (2), gather (x)));
%! unwind_protect_cleanup
%!   gpurng (s);
%! end_unwind_protect
%!error <Invalid call> gpurng (1, 2)
