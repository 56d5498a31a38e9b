/* Stacks: divide and conquer for the tridiagonal matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tree of halves (core/methods/tridiagonal/divide.h).  A leaf of up to GE_DIVIDE_LEAF rows is
   solved by implicit QL; a merge finds the eigenvalues of two halves together, and
   the matrix U that the block diagonal matrix of their vectors is multiplied by.
   Merges need the first and the last rows of the vectors alone: these are computed in
   double precision with the eigenvalues, for all types, and the vectors in the
   type's own precision.

     ge_stack_divide           all of it, and the leaves (stack_divide.cu)
     ge_stack_divide_merge     the merges of a level (stack_divide_merge.cu)
     ge_stack_divide_products  products with U (stack_divide_product.cu)  */

#ifndef GE_STACK_DIVIDE_CUH
#define GE_STACK_DIVIDE_CUH 1

#include "tridiagonal/stack.cuh"

#include "tridiagonal/divide.h"

template <typename R> struct divide_arguments
{
  int n, levels;
  int64_t pages;
  int max_sweeps; /* of a leaf, an eigenvalue */
  const double *d, *e;
  /* of the parts: eigenvalues, ascending; rows of their vectors */
  double *value, *first_row, *last_row;
  ge_stack_page *page;
  R *lambda;
  int *unfinished;
  R *u; /* row-major, block diagonal, n-by-n; NULL: values only */
  R *z; /* of the leaves: vectors, block diagonal, n-by-n */
};

/* C = A U for each page: the vectors of the parts of LEVEL from those of their halves, columns in
   the diagonal blocks of N-by-N; U as in divide_arguments.  */
template <typename R> struct divide_factors
{
  int n, level;
  const R *a, *u;
  R *c;
};

template <typename R>
gpueig_status ge_stack_divide_merge (gpueig_context *ctx,
                                     const divide_arguments<R> *q, int level);
template <typename R>
gpueig_status ge_stack_divide_products (gpueig_context *ctx, int64_t pages,
                                        const divide_factors<R> *f);

#endif
