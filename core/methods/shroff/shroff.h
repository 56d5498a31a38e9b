/* General pages by the Jacobi-like method on both backends: states of a page, defaults.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   shroff.c           gpueig_complex_eig; LAPACK for pages on which the method fails
   block_typed.c      one block of pages: scaling, balancing, the steps below
   lanes.h            pages side by side, and what is done with them:
   sweep_typed.c      sweeps of the method of Eberlein and Shroff
   refine_typed.c     Newton refinement of all eigenpairs with the original matrix
   order_typed.c      order where real parts differ by rounding errors
   normalize_typed.c  order, phases and conjugate pairs of the result
   transformation.h   the 2-by-2 transformation, for C and CUDA  */

#ifndef GE_SHROFF_H
#define GE_SHROFF_H 1

#include "base/inline.h"
#include "gpueig.h"

/* States of a page.  With GE_PAGE_UNNORMALIZED Shroff's method has computed the pairs, but not
   their order, phases and conjugate pairs.  */
enum
{
  GE_PAGE_DONE,
  GE_PAGE_STALLED, /* not accurate enough: to be solved by a QR algorithm */
  GE_PAGE_LIMITED, /* the user's sweep limit was reached */
  GE_PAGE_UNNORMALIZED,
  GE_PAGE_EXACT /* LAPACK is more accurate */
};

/* The default of tol: sweeps stop at |off (A)|_F <= tol |A|_F, and refinement follows.
   How much cheaper refinement is than another sweep depends on the implementation.  */
static inline double
ge_complex_tol (const gpueig_options *options, gpueig_backend backend,
                int is_double)
{
  const int cpu = backend == GPUEIG_CPU;
  return options->tol > 0 ? options->tol
         : is_double      ? (cpu ? 1e-9 : 1e-11)
                          : (cpu ? 1e-4 : 1e-5);
}

/* The limit of sweeps: the user's, or about twice the number that random matrices of
   order N need.  */
static inline int
ge_complex_sweeps (const gpueig_options *options, int64_t n)
{
  int bits = 0;
  if (options->max_sweeps > 0)
    return options->max_sweeps < 10000 ? (int) options->max_sweeps : 10000;
  while ((int64_t) 1 << bits < n)
    bits++;
  return 12 + 5 * bits;
}

/* Nonzero if the sweeps have stalled after SWEEPS of them, the last five of which have
   changed |off (A)|_F from THEN to NOW.  Convergence is slow at first and quadratic at the
   end; for defective or nearly defective matrices the off-diagonal part does not decrease.
   For random matrices it decreases by more than a factor 1 - 1 / log2 (n) in five sweeps.  */
GE_INLINE int
ge_shroff_stalls (int n, int sweeps, double then, double now)
{
  int bits = 1;
  while ((2 << bits) <= n)
    bits++;
  return sweeps >= 6 + bits && ! (now < then * (1 - 1 / (double) (bits + 1)));
}

#endif
