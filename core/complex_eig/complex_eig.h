/* General pages by the Jacobi-like method, both backends: the state of a page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   complex_eig.c      front; pages that the method cannot serve go to LAPACK
   block_typed.c      one block of pages: scaling, balancing, the steps below
   sweep_typed.c      sweeps of the method of Eberlein and Shroff
   refine_typed.c     Newton refinement of all pairs with the original matrix
   normalize_typed.c  order, phases and conjugate pairs of the result
   transformation.h   the 2-by-2 transformation, for C and CUDA  */

#ifndef GE_COMPLEX_EIG_H
#define GE_COMPLEX_EIG_H 1

/* Ordered: from GE_PAGE_UNNORMALIZED on, order, phases and conjugate pairs are
   still to be computed.  */
enum
{
  GE_PAGE_DONE,
  GE_PAGE_STALLED, /* not accurate enough: a Schur-based solver takes it */
  GE_PAGE_LIMITED, /* the user's sweep limit was reached */
  GE_PAGE_NEEDS_VECTORS, /* the eigenvalues can be verified with vectors only */
  GE_PAGE_UNNORMALIZED,
  GE_PAGE_UNNORMALIZED_HERMITIAN /* the same, and the page is Hermitian */
};

#endif
