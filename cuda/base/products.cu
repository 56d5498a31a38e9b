/* Products of the pages of two stacks, see products.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.cuh"

#include "base/blas.cuh"

#include <cublasLt.h>

#include <stdint.h>
#include <stdlib.h>

/* Cached algorithms in a ring buffer; a query of cuBLASLt's heuristic takes 50
   us.  */
enum
{
  KEPT = 16,
  MOST_PAGES = 32768 /* of a call */
};

typedef struct
{
  cudaDataType type;
  cublasOperation_t ta;
  int64_t m, n, k, together; /* n = 0: unused entry */
  int none;                  /* cuBLASLt has no algorithm, cuBLAS is called */
  cublasLtMatmulAlgo_t algo;
} known_product;

typedef struct
{
  known_product known[KEPT];
  int64_t count;
} known_products;

/* Descriptors of a call of cublasLtMatmul; released by forget.  */
typedef struct
{
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t a, b, c;
  cublasLtMatmulPreference_t preference;
} description;

static void
forget (const description *d)
{
  const cublasLtMatrixLayout_t layouts[] = { d->a, d->b, d->c };
  if (d->preference)
    cublasLtMatmulPreferenceDestroy (d->preference);
  for (int i = 0; i < 3; i++)
    if (layouts[i])
      cublasLtMatrixLayoutDestroy (layouts[i]);
  if (d->product)
    cublasLtMatmulDescDestroy (d->product);
}

static cublasStatus_t
describe_pages (cudaDataType type, int64_t rows, int64_t columns, int64_t pages,
                cublasLtMatrixLayout_t *layout)
{
  const int32_t count = (int32_t) pages;
  const int64_t size = rows * columns;
  cublasStatus_t status = cublasLtMatrixLayoutCreate (
      layout, type, (uint64_t) rows, (uint64_t) columns, rows);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatrixLayoutSetAttribute (
        *layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatrixLayoutSetAttribute (
        *layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &size,
        sizeof size);
  return status;
}

/* The call of PAGES pages by P.  */
static cublasStatus_t
describe (const known_product *p, int64_t pages, description *d)
{
  const cublasComputeType_t compute
      = p->type == CUDA_R_64F || p->type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                       : CUBLAS_COMPUTE_32F;
  const int across = p->ta != CUBLAS_OP_N;
  *d = description ();
  cublasStatus_t status
      = cublasLtMatmulDescCreate (&d->product, compute, p->type);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulDescSetAttribute (
        d->product, CUBLASLT_MATMUL_DESC_TRANSA, &p->ta, sizeof p->ta);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = describe_pages (p->type, across ? p->k : p->m,
                             across ? p->m : p->k, pages, &d->a);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = describe_pages (p->type, p->k, p->n, pages, &d->b);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = describe_pages (p->type, p->m, p->n, pages, &d->c);
  return status;
}

/* The alignment in bytes of all columns of ROWS numbers of SIZE bytes, at most 16, given that
   arrays begin at multiples of that.  */
static uint32_t
alignment (int64_t rows, size_t size)
{
  uint32_t bytes = (uint32_t) size;
  for (; rows % 2 == 0 && bytes < 16; rows /= 2)
    bytes *= 2;
  return bytes < 16 ? bytes : 16;
}

/* P->algo, without work space, so that no algorithm that splits the inner dimension is
   chosen, and without Gauss's products of complex numbers, so that those with the identity
   are exact.  SIZE: of a number.  */
static cublasStatus_t
find_algorithm (cublasLtHandle_t lt, size_t size, known_product *p)
{
  const size_t none = 0;
  const uint64_t allowed = ~(uint64_t) CUBLASLT_NUMERICAL_IMPL_FLAGS_GAUSSIAN;
  const uint32_t of_a = alignment (p->ta == CUBLAS_OP_N ? p->m : p->k, size);
  const uint32_t of_b = alignment (p->k, size), of_c = alignment (p->m, size);
  const uint32_t bytes[] = { of_a, of_b, of_c, of_c };
  const cublasLtMatmulPreferenceAttributes_t names[]
      = { CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES };
  cublasLtMatmulHeuristicResult_t best;
  description d;
  int found = 0;
  cublasStatus_t status = describe (p, p->together, &d);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulPreferenceCreate (&d.preference);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulPreferenceSetAttribute (
        d.preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &none,
        sizeof none);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulPreferenceSetAttribute (
        d.preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, &allowed, sizeof allowed);
  for (int i = 0; i < 4 && status == CUBLAS_STATUS_SUCCESS; i++)
    status = cublasLtMatmulPreferenceSetAttribute (d.preference, names[i],
                                                   &bytes[i], sizeof bytes[i]);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulAlgoGetHeuristic (lt, d.product, d.a, d.b, d.c, d.c,
                                             d.preference, 1, &best, &found);
  forget (&d);
  if (status == CUBLAS_STATUS_SUCCESS && found == 0)
    status = CUBLAS_STATUS_NOT_SUPPORTED;
  if (status == CUBLAS_STATUS_SUCCESS)
    p->algo = best.algo;
  return status;
}

/* P becomes the cache entry for it, with the algorithm, found now if it is not there.  */
static gpueig_status
find_product (gpueig_context *ctx, size_t size, known_product *p)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  if (! cuda->products)
    cuda->products = calloc (1, sizeof (known_products));
  known_products *all = (known_products *) cuda->products;
  if (! all)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  for (int i = 0; i < KEPT; i++)
    {
      const known_product *q = &all->known[i];
      if (q->type == p->type && q->ta == p->ta && q->m == p->m && q->n == p->n
          && q->k == p->k && q->together == p->together)
        {
          *p = *q;
          return GPUEIG_OK;
        }
    }
  /* A handle of cuBLAS can be used as one of cuBLASLt.  */
  const cublasStatus_t status
      = find_algorithm ((cublasLtHandle_t) cuda->blas, size, p);
  p->none = status == CUBLAS_STATUS_NOT_SUPPORTED;
  if (! p->none)
    CUBLAS (status);
  all->known[all->count++ % KEPT] = *p;
  return GPUEIG_OK;
}

template <typename T>
static cublasStatus_t
multiply (ge_cuda *cuda, const known_product *p, int64_t pages,
          ge_real<T> alpha, const T *a, const T *b, ge_real<T> beta, T *c)
{
  const T x = to_scalar (alpha, T ()), y = to_scalar (beta, T ());
  description d;
  cublasStatus_t status = describe (p, pages, &d);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmul ((cublasLtHandle_t) cuda->blas, d.product, &x, a,
                             d.a, b, d.b, &y, c, d.c, c, d.c, &p->algo, NULL, 0,
                             cuda->stream);
  forget (&d);
  return status;
}

template <typename T>
gpueig_status
ge_cuda_products (gpueig_context *ctx, cublasOperation_t ta, int64_t m,
                  int64_t n, int64_t k, int64_t pages, int64_t together,
                  ge_real<T> alpha, const T *a, const T *b, ge_real<T> beta,
                  T *c)
{
  known_product p = {};
  p.type = cuda_type<T>::value;
  p.ta = ta;
  p.m = m;
  p.n = n;
  p.k = k;
  p.together = together;
  GE_TRY (find_product (ctx, sizeof (T), &p));
  for (int64_t i = 0; i < pages; i += MOST_PAGES)
    {
      const int64_t left = pages - i, most = MOST_PAGES;
      const int64_t count = left < most ? left : most;
      const T *x = a + i * m * k, *y = b + i * k * n;
      T *z = c + i * m * n;
      if (p.none)
        CUBLAS (ge_gemm_strided (ge_cuda_of (ctx)->blas, ta, CUBLAS_OP_N, m, n,
                                 k, alpha, x, ta == CUBLAS_OP_N ? m : k, m * k,
                                 y, k, k * n, beta, z, m, m * n, count));
      else
        CUBLAS (
            multiply<T> (ge_cuda_of (ctx), &p, count, alpha, x, y, beta, z));
    }
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_cuda_products)
