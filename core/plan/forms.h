/* Forms of methods: which of its forms a method takes for a problem of a shape.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Pure functions; the numbers are where measured times cross.  PAGES are those of the whole
   stack, so that the form, and with it the bits of a page, depends on no chunk.  */

#ifndef GE_FORMS_H
#define GE_FORMS_H 1

#include <stdint.h>

/* --- pages that a detached thread solves, so that an interrupt need not wait for them --- */

/* A general matrix or its Schur form, a general pair or a singular value decomposition (of the
   shorter side N), a tridiagonal matrix.  */
enum
{
  GE_DETACHED_GENERAL = 500,
  GE_DETACHED_PAIR = 300,
  GE_DETACHED_SVD = 300,
  GE_DETACHED_TRIDIAGONAL = 501
};

static inline int
ge_is_detached (int64_t n, int64_t least)
{
  return n >= least;
}

/* The vectors of a general matrix one by one, by inverse iteration.  */
static inline int
ge_repairs_vectors (int64_t n)
{
  return n <= 128;
}

/* cuSOLVER's Xsyevd of one matrix.  */
static inline int
ge_syevd_is_detached (int64_t n)
{
  return n >= 7000;
}

/* --- threads --- */

/* Nonzero if the CPU solves pages side by side, each on one thread; larger ones are faster one after
   the other, each on all of LAPACK's threads.  */
static inline int
ge_pages_side_by_side (int64_t n)
{
  return n < 300;
}

/* Nonzero if LAPACK is called with all BLAS threads.  Below this order more than one gain little,
   and where other programs use the processors OpenBLAS's threads spend their time slices in
   sched_yield.  */
static inline int
ge_blas_in_threads (int64_t n)
{
  return n >= 1000;
}

/* --- symmetric matrices and pairs --- */

/* Nonzero if "syevd" on the CPU runs in stages, which can be interrupted, instead of a driver of
   LAPACK.  */
static inline int
ge_syevd_in_stages (int64_t n)
{
  return n >= 400;
}

/* Nonzero if a GPU reduces to tridiagonal form in two stages and keeps the reflectors of
   both.  */
static inline int
ge_reduces_in_two_stages (int64_t n)
{
  return n >= 4096;
}

/* Nonzero if a GPU reduces all pairs of a stack by batched routines.  */
static inline int
ge_pairs_in_batches (int64_t n)
{
  return n <= 256;
}

/* The order of the diagonal blocks that a GPU inverts of a Cholesky factor of order N, a multiple of LEAF by
   a power of two: of one that has all of it, as long as its products take no longer than substitution.  */
static inline int64_t
ge_factor_block (int64_t n, int64_t leaf)
{
  const int64_t most = n <= 1024 ? n : 4 * leaf;
  int64_t order = leaf;
  while (order < most)
    order *= 2;
  return order;
}

/* A GPU corrects approximate vectors of a pair of order N step by step.  Where the sum of squares of a
   vector's correction exceeds this limit, the pair that such vectors span is solved instead, after which
   fewer steps follow.  */
static inline double
ge_pair_largest_turn (int64_t n)
{
  return n <= 1024 ? 0x1p-12 : 0x1p-20;
}

/* Nonzero if a GPU solves pairs with ill-conditioned B.  */
static inline int
ge_refines_pairs (int64_t n)
{
  return n >= 128;
}

/* --- Jacobi methods --- */

/* Pages of one-sided Jacobi on the CPU: a page in each SIMD lane; preconditioned two-sided Jacobi;
   sweeps, of which all cores take one page, or each core another one.  */
typedef enum
{
  GE_ONESIDED_LANES,
  GE_ONESIDED_PRECONDITIONED,
  GE_ONESIDED_ALONE,
  GE_ONESIDED_PAGES
} ge_onesided_form;

static inline ge_onesided_form
ge_onesided_form_of (int shifted, int64_t n, int64_t pages)
{
  const int few = pages < 4;
  if (shifted)
    return n <= (few ? 16 : 48) ? GE_ONESIDED_LANES
                                : GE_ONESIDED_PRECONDITIONED;
  return few || n >= 512 ? GE_ONESIDED_ALONE : GE_ONESIDED_PAGES;
}

/* From this order on a GPU takes preconditioned two-sided Jacobi, which reads matrices several times,
   instead of sweeps in registers.  */
static inline int64_t
ge_onesided_large_order (int is_double, int is_complex)
{
  return is_double ? 97 : is_complex ? 129 : 193;
}

/* Nonzero if sweeps in registers, where a page fits, are at least as fast on a GPU as preconditioned
   two-sided Jacobi.  */
static inline int
ge_onesided_in_registers (int64_t n, int64_t pages, int is_double,
                          int is_complex)
{
  return (n < ge_onesided_large_order (is_double, is_complex)
          && (n <= 160 || pages > 1))
         || (n <= 160 && pages < 16);
}

/* n-by-n arrays of one-sided Jacobi.  */
static inline double
ge_onesided_arrays (int64_t n, int on_gpu)
{
  return on_gpu || n >= 64 ? 3 : 0;
}

/* The start of two-sided Jacobi on a GPU, of one page or of many: rotations, divide and conquer,
   or MRRR.  */
typedef enum
{
  GE_START_ROTATIONS,
  GE_START_DIVIDE,
  GE_START_MRRR
} ge_jacobi_start;

static inline ge_jacobi_start
ge_jacobi_start_of (int64_t n, int64_t pages)
{
  return n <= 32                         ? GE_START_ROTATIONS
         : n <= (pages == 1 ? 128 : 256) ? GE_START_DIVIDE
                                         : GE_START_MRRR;
}

/* --- general matrices --- */

/* Nonzero if a GPU's teams of threads solve a page each by "qr", whose times contain this choice,
   instead of all of the GPU one page.  */
static inline int
ge_general_by_teams (int64_t n, int64_t pages)
{
  return n <= (pages >= 4 ? 128 : 32);
}

/* Nonzero if "auto" reorders Schur forms on a GPU.  */
static inline int
ge_reorders_on_gpu (int64_t n)
{
  return n >= 500;
}

/* --- functions of matrices --- */

/* Nonzero if the exponential of a Hermitian page takes less time by products than by
   eigenvectors.  */
static inline int
ge_expm_by_products (int64_t n, int on_gpu)
{
  return on_gpu ? n > 128 : n >= 13 && n <= 128;
}

/* --- shares of several GPUs --- */

/* The fewest pages of order N for a share: fewer take less time on one GPU than to start a thread
   for another one.  Large ones are not solved in batches.  */
static inline int64_t
ge_least_share (int64_t n)
{
  const int64_t least = 50000 / (n * n);
  return n >= 384 ? 1 : least > 8 ? least : 8;
}

/* The part of a share, in 1 / N, by which that of the GPU which has the data is larger, since the
   others wait for their first copies; not for pages that are read from its memory while others
   are solved.  */
static inline int64_t
ge_own_share (int64_t n)
{
  return n >= 97 ? 6 : 0;
}

#endif
