## Claims: random problems of kinds that are hard for eigensolvers (multiple and
## clustered eigenvalues, graded, defective, permutations, rank one, singular, of
## few distinct elements), alone and in stacks of several kinds, and pairs of them with
## definite matrices of all conditions, of all classes
## and at scales from the smallest to the largest numbers, are solved to the bars of the
## README by every function and method; see stress.m for the others.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function try_all (shape, count)
%!  if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!    count *= 50;
%!  endif
%!  [failures, worst, solved] = stress (shape, test_seed (1), count);
%!  report_count (["hard random problems, " shape], sum (cell2mat (struct2cell (solved))));
%!  if (! isempty (getenv ("GPUEIG_TEST_VERBOSE")))
%!    for [ratios, name] = worst
%!      printf ("%s: %s\n", name, mat2str (ratios, 3));
%!    endfor
%!  endif
%!  assert (failures, 0);
%!  ## Each method has solved at least a third of its expected number of problems:
%!  ## methods are drawn at random, and some problems are not finite.
%!  part = count / numfields (solved) / 3;
%!  for [number, name] = solved
%!    assert (number >= part, "%s solved %d of %d problems, not %g", name, number, count, part);
%!  endfor
%!endfunction

%!test try_all ("symmetric", 300);
%!test try_all ("general", 200);
%!test try_all ("pair", 160);
