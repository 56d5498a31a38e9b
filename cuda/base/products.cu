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
  KEPT = 16
};

typedef struct
{
  cudaDataType type;
  cublasOperation_t ta;
  int64_t n, together; /* n = 0: unused entry */
  int none;            /* cuBLASLt has no algorithm, cuBLAS is called */
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
  cublasLtMatrixLayout_t pages;
  cublasLtMatmulPreference_t preference;
} description;

static void
forget (const description *d)
{
  if (d->preference)
    cublasLtMatmulPreferenceDestroy (d->preference);
  if (d->pages)
    cublasLtMatrixLayoutDestroy (d->pages);
  if (d->product)
    cublasLtMatmulDescDestroy (d->product);
}

template <typename T>
static cublasStatus_t
describe (cublasOperation_t ta, int64_t n, int64_t pages, description *d)
{
  const cublasComputeType_t compute = sizeof (typename real_of<T>::type) == 8
                                          ? CUBLAS_COMPUTE_64F
                                          : CUBLAS_COMPUTE_32F;
  const int32_t count = (int32_t) pages;
  const int64_t square = n * n;
  *d = description ();
  cublasStatus_t status
      = cublasLtMatmulDescCreate (&d->product, compute, cuda_type<T>::value);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulDescSetAttribute (
        d->product, CUBLASLT_MATMUL_DESC_TRANSA, &ta, sizeof ta);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatrixLayoutCreate (&d->pages, cuda_type<T>::value,
                                         (uint64_t) n, (uint64_t) n, n);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatrixLayoutSetAttribute (
        d->pages, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatrixLayoutSetAttribute (
        d->pages, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &square,
        sizeof square);
  return status;
}

/* The alignment in bytes that all pages have, at most 16, given that arrays
   begin at multiples of 256 bytes.  */
template <typename T>
static uint32_t
alignment (int64_t n)
{
  uint32_t bytes = sizeof (T);
  for (; n % 2 == 0 && bytes < 16; n /= 2)
    bytes *= 2;
  return bytes < 16 ? bytes : 16;
}

/* Without work space, so that no algorithm that splits the inner dimension is
   chosen.  */
template <typename T>
static cublasStatus_t
find_algorithm (cublasLtHandle_t lt, cublasOperation_t ta, int64_t n,
                int64_t together, cublasLtMatmulAlgo_t *algo)
{
  const size_t none = 0;
  const uint32_t bytes = alignment<T> (n);
  const cublasLtMatmulPreferenceAttributes_t names[]
      = { CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES };
  cublasLtMatmulHeuristicResult_t best;
  description d;
  int found = 0;
  cublasStatus_t status = describe<T> (ta, n, together, &d);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulPreferenceCreate (&d.preference);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulPreferenceSetAttribute (
        d.preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &none,
        sizeof none);
  for (int k = 0; k < 4 && status == CUBLAS_STATUS_SUCCESS; k++)
    status = cublasLtMatmulPreferenceSetAttribute (d.preference, names[k],
                                                   &bytes, sizeof bytes);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmulAlgoGetHeuristic (lt, d.product, d.pages, d.pages,
                                             d.pages, d.pages, d.preference, 1,
                                             &best, &found);
  forget (&d);
  if (status == CUBLAS_STATUS_SUCCESS && found == 0)
    status = CUBLAS_STATUS_NOT_SUPPORTED;
  if (status == CUBLAS_STATUS_SUCCESS)
    *algo = best.algo;
  return status;
}

template <typename T>
static cublasStatus_t
multiply (ge_cuda *cuda, const cublasLtMatmulAlgo_t *algo, cublasOperation_t ta,
          int64_t n, int64_t pages, const T *a, const T *b, T *c)
{
  typedef typename real_of<T>::type R;
  const T one = to_scalar ((R) 1, T ()), zero = to_scalar ((R) 0, T ());
  description d;
  cublasStatus_t status = describe<T> (ta, n, pages, &d);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmul ((cublasLtHandle_t) cuda->blas, d.product, &one, a,
                             d.pages, b, d.pages, &zero, c, d.pages, c, d.pages,
                             algo, NULL, 0, cuda->stream);
  forget (&d);
  return status;
}

/* *PRODUCT: the cache entry with the algorithm, found now if it is not
   there.  */
template <typename T>
static gpueig_status
find_product (gpueig_context *ctx, cublasOperation_t ta, int64_t n,
              int64_t together, const known_product **product)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  if (! cuda->products)
    cuda->products = calloc (1, sizeof (known_products));
  known_products *all = (known_products *) cuda->products;
  if (! all)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  for (int i = 0; i < KEPT; i++)
    {
      *product = &all->known[i];
      if ((*product)->type == cuda_type<T>::value && (*product)->ta == ta
          && (*product)->n == n && (*product)->together == together)
        return GPUEIG_OK;
    }
  known_product p = {};
  p.type = cuda_type<T>::value;
  p.ta = ta;
  p.n = n;
  p.together = together;
  /* A handle of cuBLAS can be used as one of cuBLASLt.  */
  const cublasStatus_t status = find_algorithm<T> (
      (cublasLtHandle_t) cuda->blas, ta, n, together, &p.algo);
  p.none = status == CUBLAS_STATUS_NOT_SUPPORTED;
  if (! p.none)
    CUBLAS (status);
  known_product *place = &all->known[all->count++ % KEPT];
  *place = p;
  *product = place;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_products (gpueig_context *ctx, cublasOperation_t ta, int64_t n,
                  int64_t pages, int64_t together, const T *a, const T *b, T *c)
{
  typedef typename real_of<T>::type R;
  const known_product *p = NULL;
  GE_TRY (find_product<T> (ctx, ta, n, together, &p));
  if (p->none)
    CUBLAS (ge_gemm_strided (ge_cuda_of (ctx)->blas, ta, CUBLAS_OP_N, n, n, n,
                             (R) 1, a, n, n * n, b, n, n * n, (R) 0, c, n,
                             n * n, pages));
  else
    CUBLAS (multiply (ge_cuda_of (ctx), &p->algo, ta, n, pages, a, b, c));
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_products<T> (                                 \
      gpueig_context *, cublasOperation_t, int64_t, int64_t, int64_t,          \
      const T *, const T *, T *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
