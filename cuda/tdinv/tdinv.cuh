/* Declarations shared by the files of the tridiagonal inverse on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tdinv.cu        panels of columns, streams, choice of the method
   scan.cuh        the recurrences of the generators as scans
   generators.cu   the semiseparable generators, any order
   sums.cuh, norms.cu  1-norms of the matrix and its inverse, from the generators
   one_cluster.cu, one_cluster.cuh, cluster_norms.cuh
                   generators and norms in one launch, orders up to 16384
   write.cu        the entries
   published/sherman.cu  for the paper's table  */

#ifndef GE_TDINV_CUH
#define GE_TDINV_CUH 1

#include "base/cuda.cuh"
#include "base/scalar.cuh"
#include "tdinv/published/sherman.h"
#include "tdinv/tdinv.h"
#include "base/wide.cuh"

#define GE_SHARED_MATH "tdinv/entry.h"
#include "base/precisions.cuh"

enum
{
  TDINV_TILE = 512, /* rows that a thread block of the writing kernels covers */
  TDINV_GROUP = 128,            /* rows whose exponents share one reference */
  TDINV_MOST_IN_CLUSTER = 16384 /* order, in one_cluster.cu */
};

/* The generators (core/methods/tdinv/tdinv.h) on the device.  Row factors u and p:
   mantissas, with exponents relative to the largest of their group of
   TDINV_GROUP rows, which is in TOP.  Column factors v and q: mantissas and
   full exponents.  IM is NULL for real types.  Entries (i, j) above the
   diagonal are zero for i < above[j], those below it for j < below[i].  */
template <typename R> struct tdinv_row_factor
{
  R *re, *im;
  int32_t *e;
  int64_t *top;
};

template <typename R> struct tdinv_column_factor
{
  R *re, *im;
  int64_t *e;
};

template <typename R> struct tdinv_factors
{
  int64_t n;
  tdinv_row_factor<R> u, p;
  tdinv_column_factor<R> v, q;
  int64_t *above, *below;
  /* Not NULL if the kernel that uses them may begin before they are there: they
     are when *READY is BLOCKS.  */
  const int32_t *ready;
  int blocks;
};

/* Results that are copied to the host.  */
typedef struct
{
  int32_t deviates;    /* nonzero: the scans have lost accuracy */
  int32_t zero;        /* nonzero: the determinant is zero */
  int32_t blocks_done; /* counter of find_norms */
  int32_t ready; /* blocks of generate_in_cluster that have stored theirs */
  double rcond;
  int64_t condition; /* exponent of the condition of the determinant */
} tdinv_result;

/* The scans are taken to have lost accuracy where the relative deviation of a
   Wronskian exceeds 2 to this power; 2^-104 times the condition of the
   determinant is the deviation of correctly rounded double-double
   arithmetic.  */
#define TDINV_DEVIATION -60

/* A panel of the result on the device: columns BEGIN to END (exclusive) of
   2^-EXPONENT times the inverse of the matrix on the device.  BAND, X_IM as in
   gpueig_tdinv_problem; COLUMNS is a device copy of the list of columns, or
   NULL for all.  */
template <typename T> struct tdinv_panel
{
  int64_t n, begin, end, band, exponent;
  const int64_t *columns;
  T *x;
  ge_real<T> *x_re,
      *x_im; /* separate real and imaginary parts, used instead of x */
};

/* Launch the kernels that compute the generators, and reset RESULT.
   SEQUENTIAL: compute the minors by a sequential recurrence on one thread, for
   matrices where the parallel scan loses accuracy.  C, A, B are on the
   device.  */
template <typename T>
gpueig_status tdinv_cuda_generate (gpueig_context *ctx, int64_t n, const T *c,
                                   const T *a, const T *b, int sequential,
                                   tdinv_factors<ge_real<T>> *f,
                                   tdinv_result *result);

/* Launch the kernel that computes the generators and the norms in one cluster.
   RESULT must be zero.  Where it is possible *FITS is nonzero.  */
template <typename T>
gpueig_status tdinv_cuda_cluster_fits (gpueig_context *ctx, int64_t n,
                                       int *fits);
template <typename T>
gpueig_status tdinv_cuda_generate_in_cluster (gpueig_context *ctx, int64_t n,
                                              const T *c, const T *a,
                                              const T *b,
                                              tdinv_factors<ge_real<T>> *f,
                                              tdinv_result *result);

/* Launch the kernels that compute rcond and condition of RESULT on STREAM,
   which must be ordered after the generators.  Scratch memory is allocated in
   the caller's frame, which must exist until STREAM is synchronised.  */
template <typename T>
gpueig_status tdinv_cuda_norms (gpueig_context *ctx, const T *c, const T *a,
                                const T *b, const tdinv_factors<ge_real<T>> *f,
                                tdinv_result *result, cudaStream_t stream);

/* Launch the kernel that writes a panel from the generators.  */
template <typename T>
gpueig_status tdinv_cuda_write (gpueig_context *ctx,
                                const tdinv_factors<ge_real<T>> *f,
                                const tdinv_panel<T> *panel);

/* --- for comparisons only: published/sherman.cu --- */

/* The tree of the matrix in W, of which c, a, b and n are set; *SERVED: 0 if the method does
   not do for it.  Synchronises.  */
gpueig_status tdinv_cuda_grow_tree (gpueig_context *ctx,
                                    const tdinv_factors<double> *f,
                                    double rcond, tdinv_tree *w, int *accepted);

/* Launch the kernel that writes a panel from the tree.  */
gpueig_status tdinv_cuda_write_tree (gpueig_context *ctx, const tdinv_tree *w,
                                     const tdinv_panel<double> *panel);

#endif
