/* Singular value decompositions on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   svd.cu    ge_cuda_svd: data, choice of the method
   stack.cu  stacks of small pages by one-sided Jacobi, a block each
   small.cu  the smallest, a thread each
   gram.cu   larger pages, one after another
   gram_stack.cu  stacks of larger pages, all at a time  */

#ifndef GE_SVD_CUH
#define GE_SVD_CUH 1

#include "base/numbers.cuh"
#include "svd/svd.h"

#include <float.h>

/* The arrays of a problem on the device; U and V NULL: values alone.  */
template <typename T> struct svd_arrays
{
  const T *a;
  ge_real<T> *s;
  T *u, *v;
};

/* The arrays of page I on.  */
template <typename T>
static inline svd_arrays<T>
ge_svd_page_of (const gpueig_svd_problem *g, const svd_arrays<T> *of, int64_t i)
{
  svd_arrays<T> page = *of;
  page.a += i * g->m * g->n;
  page.s += i * ge_svd_values (g);
  page.u += g->u ? i * g->m * ge_svd_columns (g, g->m) : 0;
  page.v += g->u ? i * g->n * ge_svd_columns (g, g->n) : 0;
  return page;
}

template <typename R>
static inline double
svd_unit (void)
{
  return sizeof (R) == 8 ? DBL_EPSILON : FLT_EPSILON;
}

/* "gram": what the lengths of columns of a head differ by, for order N: the errors may grow
   with N, and in single precision the corrections must converge.  */
template <typename R>
static inline double
svd_range (int64_t n)
{
  const double most = sizeof (R) == 8 ? 2048 : 64;
  return fmax (32, fmin (most, 2 * (double) n));
}

/* Pseudorandom number I, between -1 and 1.  */
template <typename R>
GE_DEVICE_INLINE R
random_part (int64_t i)
{
  uint64_t h = (uint64_t) (i + 1) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 29)) * 0x94D049BB133111EBu;
  return (R) ((double) (int64_t) (h ^ (h >> 32)) * 0x1p-63);
}

/* Nonzero if pages fit into shared memory.  */
template <typename T>
int ge_svd_fits_shared (gpueig_context *ctx, const gpueig_svd_problem *g);

/* Solve all pages by one-sided Jacobi, if HIGH to high relative accuracy; STATE, on the
   host, becomes nonzero for pages that are not solved.  */
template <typename T>
gpueig_status ge_svd_stack (gpueig_context *ctx, const gpueig_svd_problem *g,
                            const svd_arrays<T> *arrays, int high,
                            unsigned char *state, int64_t *sweeps);

/* Solve one page, the first of ARRAYS.  */
template <typename T>
gpueig_status ge_svd_gram (gpueig_context *ctx, const gpueig_svd_problem *g,
                           const svd_arrays<T> *arrays, unsigned char *state);

/* B, ROWS-by-COLUMNS, becomes A'.  */
template <typename T>
gpueig_status ge_svd_adjoint (gpueig_context *ctx, int64_t rows,
                              int64_t columns, const T *a, T *b);

/* Solve stacks of pages that fit, single pages of them too.  */
int ge_svd_fits_gram_stack (const gpueig_context *ctx,
                            const gpueig_svd_problem *g);
template <typename T>
gpueig_status
ge_svd_gram_stack (gpueig_context *ctx, const gpueig_svd_problem *g,
                   const svd_arrays<T> *arrays, unsigned char *state);

#endif
