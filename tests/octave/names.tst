## Claim: functions of Octave that get arrays of gpu_array inside of other arguments, or by name, do
## with them what they do with plain ones.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## cell2mat: of arrays alone, and next to plain matrices; of plain ones it is Octave's.
%!test
%! for c = {{[1 2]; [3 4]}, {1, 2; 3, 4}, {1, [2 3]; [4; 5], [6 7; 8 9]}, {single([1 2]), 3}, cat(3, {1; 2}, {3; 4}), {[1 2], [true, false]}}
%!   wanted = cell2mat (c{1});
%!   for some = {true(size (c{1})), (1:numel (c{1})) == 1}
%!     on = c{1};
%!     on(some{1}) = cellfun (@gpu_array, on(some{1}), "UniformOutput", false);
%!     r = cell2mat (on);
%!     assert ({class(gather (r)), gather(r)}, {class(wanted), wanted});
%!   endfor
%! endfor
%! fail ("cell2mat ({gpu_array([1 2]), {1}})", "wrong type");
%! fail ("cell2mat ({gpu_array([1 2]), 'ab'})", "wrong type");
%! fail ("cell2mat ({gpu_array([1 2]), [1; 2]})", "nonconformant|mismatch");
%! fail ("cell2mat (1)", "must be a cell");
