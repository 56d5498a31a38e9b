/* What the parts of the tridiagonal inverse on the GPU share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_CUH
#define GE_TDINV_CUH 1

#include "base/cuda.cuh"
#include "base/scalar.cuh"
#include "tdinv/tdinv.h"
#include "base/wide.cuh"

enum
{
  TDINV_TILE = 512, /* rows of a block of the writing kernels */
  TDINV_GROUP = 128 /* rows whose exponents are relative to one */
};

/* The generators (core/tdinv/tdinv.h) on the device.  Row factors u and p: mantissas,
   exponents relative to the largest of their group, which is in TOP.  Column factors v and q: mantissas
   and full exponents.  IM are NULL for real types.  Entries (i, j) above the
   diagonal are zero for i < above[j], below it for j < below[i].  */
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
};

/* What the host reads back.  */
typedef struct
{
  int32_t deviates;    /* the scans have lost accuracy */
  int32_t zero;        /* the determinant is zero */
  int32_t blocks_done; /* of the kernel that finds the norms */
  double rcond;
  int64_t condition; /* exponent of the condition of the determinant */
} tdinv_result;

/* Exponent of the relative deviation of a Wronskian from which on the scans
   have lost accuracy; 2^-104 times the condition of the determinant is
   natural.  */
#define TDINV_DEVIATION -60

/* A panel of the output on the device: columns BEGIN to END (exclusive) of
   2^-EXPONENT times the inverse of the matrix on the device.  X_IM as in
   gpueig_tdinv_problem; COLUMNS is a device copy of the list, or NULL.  */
template <typename T> struct tdinv_panel
{
  int64_t n, begin, end, band, exponent;
  const int64_t *columns;
  T *x;
  typename real_of<T>::type *x_re, *x_im; /* planes, instead of x */
};

/* Start the clock and the computation of the factors.  SEQUENTIAL uses one thread where the
   parallel scan has lost accuracy.  C, A, B are on the device.  */
template <typename T>
gpueig_status tdinv_cuda_generate (gpueig_context *ctx, int64_t n, const T *c,
                                   const T *a, const T *b, int sequential,
                                   tdinv_factors<typename real_of<T>::type> *f,
                                   tdinv_result *result);

/* Start the computation of rcond and condition of RESULT, once the factors are
   there. Scratch
   memory stays the caller's frame's until the stream is done.  */
template <typename T>
gpueig_status
tdinv_cuda_norms (gpueig_context *ctx, const T *c, const T *a, const T *b,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  tdinv_result *result, cudaStream_t stream);

/* Start writing a panel from the factors.  */
template <typename T>
gpueig_status
tdinv_cuda_write (gpueig_context *ctx,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  const tdinv_panel<T> *panel);

#endif
