/* A stack of small pages on the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SVD_STACK_CUH
#define GE_SVD_STACK_CUH 1

#include "svd/svd.cuh"

/* A stack of pages on the device.  */
template <typename T> struct svd_stack
{
  typedef ge_real<T> R;
  int m, n, k, l; /* the shorter and the longer side */
  int rows;       /* of a column in shared memory: L, and K of V */
  int ld;         /* from one to the next */
  int first, values, of_u, of_v, columns; /* COLUMNS: of the long side */
  int high;                               /* columns are scaled one by one */
  R tol;
  const T *a;
  const T *b, *w; /* NULL, or the scaled pages times W as starting values */
  int *exponent;  /* and their scaling, 32768 where an element is not finite */
  R *s;
  T *u, *v;             /* NULL: values alone */
  unsigned char *state; /* one per page: 1 if it is not solved */
  int only_left;        /* solve those pages alone */
  int *sweeps;          /* the largest number */
  char *scratch; /* NULL, or BYTES for each page instead of shared memory */
  int64_t bytes;
  int *left; /* the number of pages that are not solved */
};

enum
{
  MOST_SWEEPS = 40, /* usually at most ten are needed */
  TOGETHER = 256    /* pages for which algorithms of products are chosen */
};

/* Columns shorter than this have no direction, see core/methods/svd/lanes_typed.c.  */
template <typename R>
GE_DEVICE_INLINE R
shortest (void)
{
  return sizeof (R) == 8 ? (R) 1e-70 : (R) 1e-9;
}

/* The stack of G, without pointers.  */
template <typename T>
svd_stack<T> ge_svd_describe (const gpueig_svd_problem *g);

/* A <- the pages, L-by-K, wide ones as conjugate transposes; scaled are ALL or those whose
   s->exponent is not 0.  */
template <typename T>
gpueig_status ge_svd_load (gpueig_context *ctx, const svd_stack<T> *s,
                           int64_t pages, int all, T *a);

/* Solve pages of at most SMALL rows and columns, a thread each; those with columns that are
   too short are left, and counted in *S->left.  */
enum
{
  SMALL = 4
};
template <typename T>
gpueig_status ge_svd_small (gpueig_context *ctx, const svd_stack<T> *s,
                            int64_t pages);

#endif
