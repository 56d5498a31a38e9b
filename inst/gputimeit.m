## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gputimeit (@var{f})
## @deftypefnx {} {@var{t} =} gputimeit (@var{f}, @var{n})
## The time in seconds that the function handle @var{f} takes, called without arguments for @var{n}
## outputs (default 1), with all operations on arrays that it starts.
##
## @example
## @group
## G = gpuArray (rand (100));
## gputimeit (@@() G * G) > 0
##   @result{} true
## @end group
## @end example
##
## It is the median of several calls after one that is not counted.
##
## @seealso{gpu_array, wait}
## @end deftypefn

function t = gputimeit (f, n = 1)

  if (nargin < 1 || ! is_function_handle (f))
    print_usage ();
  endif
  ## Any array: what is waited for is all that was started.
  any_array = gpu_array ([]);
  out = cell (1, n);
  [out{:}] = f ();
  wait (any_array);
  t = [];
  do
    tic_id = tic ();
    [out{:}] = f ();
    wait (any_array);
    t(end+1) = toc (tic_id);
  until (numel (t) >= 50 || (numel (t) >= 5 && sum (t) > 0.2) || sum (t) > 5)
  t = median (t);

endfunction

%!demo
%! G = gpuArray (rand (300));
%! printf ("a product of order 300: %.2g s\n", gputimeit (@() G * G));

%!test
%! calls = containers.Map ({"n"}, {0});
%! f = @() subsasgn (calls, substruct ("()", {"n"}), calls("n") + 1);
%! t = gputimeit (f);
%! assert (t > 0 && calls("n") >= 6);
%! assert (gputimeit (@() disp (""), 0) > 0);
%!error <Invalid call> gputimeit ()
%!error <Invalid call> gputimeit (1)
