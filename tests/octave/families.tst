## Families of small matrices, in one stack each, through the solvers and functions that
## tests/schur/test_families.c and tests/functions/test_function_families.c do not have.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## Every residual, in units of n eps and of the norm of its page, is below 20: singular values,
## pseudoinverses, polar factors, Hermitian parts, other orders of Schur forms, tridiagonal parts.
%!test
%! families = stacks_of_families ();
%! for [A, name] = families
%!   for kind = {@double, @single, @(A) complex(A, A(:,:,end:-1:1)), @(A) single(complex(A, permute (A, [2 1 3])))}
%!     B = kind{1} (A);
%!     worst = residuals_of_stack (B);
%!     for [ratio, what] = worst
%!       assert (ratio < 20, "%s of %s, %s: %g", what, name, class (B), ratio);
%!     endfor
%!   endfor
%!   e = 900;
%!   worst = residuals_of_stack (A * 2^e, true);
%!   tiny = residuals_of_stack (A * 2^-e, true);
%!   assert (all ([struct2cell(worst){:}, struct2cell(tiny){:}] < 20), "%s by 2^+-900", name);
%! endfor
