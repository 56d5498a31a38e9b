## Claim about arrays: pinv, rank, null and orth make of any tolerance what Octave's functions make of it.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function r = outcome (f, varargin)
%!  try
%!    r = feval (f, varargin{:});
%!  catch e
%!    r = e.message;
%!  end_try_catch
%!endfunction

%!test
%! for f = {"pinv", "rank", "null", "orth"}
%!   for A = {[3 0; 0 0.5], [3 1 2], 1e-310, [1e-310; 2e-310]}
%!     for tol = {{}, {0}, {0.5}, {single(1)}, {1e3}, {Inf}, {-1}, {{}}, {"a"}, {[1 2]}, {1i}}
%!       wanted = outcome (f{1}, A{1}, tol{1}{:});
%!       r = outcome (f{1}, gpu_array (A{1}), tol{1}{:});
%!       if (ischar (wanted))
%!         assert (r, wanted);
%!       else
%!         assert (size (r), size (wanted));
%!         if (any (strcmp (f{1}, {"null", "orth"})))
%!           [r, wanted] = deal (r * r', wanted * wanted');
%!         endif
%!         assert (gather (r), wanted, 1e-15);
%!       endif
%!     endfor
%!   endfor
%! endfor
