/* Operations on arrays on a GPU, see array/ops.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   map.cu      elementwise operations, searches
   reduce.cu   sums, largest and smallest elements and their positions
   scan.cu     sums, products and extremes up to each element
   sort.cu     sorting, positions of elements, by CUB
   linear.cu   products, factorizations, singular values, by cuBLAS and cuSOLVER
   sparse.cu   products of sparse and full matrices, by cuSPARSE
   sparse_list.cu  sparse results, by CUB
   root.cu     square roots of triangular matrices
   fft.cu      transforms, by cuFFT
   array.cu    copies, and the table of operations  */

#ifndef GE_CUDA_ARRAY_CUH
#define GE_CUDA_ARRAY_CUH 1

#include "base/cuda.cuh"
#include "base/scalar.cuh"
#include "array/ops.h"

#define GE_SHARED_MATH "array/elementwise.h"
#include "base/precisions.cuh"

/* An element in registers: a real number, or a pair of the layout of cuComplex or
   cuDoubleComplex.  */
template <typename T> struct element_of
{
  typedef T type;
};
template <> struct element_of<cuComplex>
{
  typedef ge_number_s type;
};
template <> struct element_of<cuDoubleComplex>
{
  typedef ge_number_d type;
};

/* Whether an element of type E is a pair.  */
template <typename E> struct is_pair
{
  static const int value = 0;
};
template <> struct is_pair<ge_number_s>
{
  static const int value = 1;
};
template <> struct is_pair<ge_number_d>
{
  static const int value = 1;
};

gpueig_status ge_cuda_map (gpueig_context *ctx, const ge_map *map);
gpueig_status ge_cuda_find (gpueig_context *ctx, const ge_map *map,
                            int64_t *first);
gpueig_status ge_cuda_reduce (gpueig_context *ctx, const ge_reduction *r);
/* *TO: the sum of the N products X[i] Y[i] or, with CONJUGATES, conj (X[i]) Y[i].  */
gpueig_status ge_cuda_dot (gpueig_context *ctx, gpueig_type type, int64_t n,
                           int conjugates, const void *x, const void *y,
                           void *to);
gpueig_status ge_cuda_scan (gpueig_context *ctx, const ge_scan *s);
gpueig_status ge_cuda_sort (gpueig_context *ctx, const ge_sort *s);
gpueig_status ge_cuda_select (gpueig_context *ctx, gpueig_type type,
                              int64_t count, const void *x, double *list,
                              int64_t *n);
gpueig_status ge_cuda_pick (gpueig_context *ctx, gpueig_type type,
                            int64_t count, const double *x, int64_t limit,
                            const void *from, void *to, int *bad);
gpueig_status ge_cuda_add_scaled (gpueig_context *ctx, const ge_scaled_sum *s);
gpueig_status ge_cuda_multiply (gpueig_context *ctx, const ge_product *p);
gpueig_status ge_cuda_multiply_sparse (gpueig_context *ctx,
                                       const ge_sparse_product *p);
gpueig_status ge_cuda_combine_sparse (gpueig_context *ctx,
                                      ge_sparse_list *list);
gpueig_status ge_cuda_compress_sparse (gpueig_context *ctx,
                                       const ge_sparse_list *list, int wide,
                                       void *starts, void *indices,
                                       int64_t *longest);
gpueig_status ge_cuda_factor (gpueig_context *ctx, const ge_factors *f,
                              int64_t *at);
gpueig_status ge_cuda_solve (gpueig_context *ctx, const ge_factors *f,
                             char trans, int64_t count, void *b);
gpueig_status ge_cuda_svd (gpueig_context *ctx, gpueig_type type, int64_t m,
                           int64_t n, void *a, void *s, void *u, void *vt);
gpueig_status ge_cuda_root (gpueig_context *ctx, gpueig_type type, int64_t n,
                            void *t);
gpueig_status ge_cuda_fft (gpueig_context *ctx, const ge_fft *f, int *done);

#endif
