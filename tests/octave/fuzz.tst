## Claims: see fuzz.m.  By hand, any number of cases:
##   octave-cli --path build/inst --path tests/octave --eval 'fuzz (17, 1e6)'
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!test
%! count = 6000;
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   count = 200000;
%! endif
%! [failures, endings] = fuzz (test_seed (1), count);
%! report_count ("inputs made up at random", count);
%! for [number, name] = endings
%!   report_count (["of these ended as " name], number);
%! endfor
%! assert (failures, 0);
%! assert (endings.answer > count / 4);
