## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {} wait (@var{G})
## Wait until the operations that compute the @code{gpu_array} @var{G} are done; nothing for
## other values.
##
## @example
## @group
## G = gpu_array ([1, 2]) + 1;
## wait (G)
## @end group
## @end example
##
## @seealso{gpu_array}
## @end deftypefn

function wait (G)

  if (nargin != 1)
    print_usage ();
  endif

endfunction

%!test wait (gpu_array ([1, 2]));
%!test wait (1);
%!error <Invalid call> wait ()
