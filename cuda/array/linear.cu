/* Products and factorizations of arrays, by cuBLAS and cuSOLVER, and singular values.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.cuh"
#include "base/blas.cuh"
#include "svd/svd.cuh"

#include <limits.h>

/* --- products --- */

template <typename T>
static cublasOperation_t
operation (char op)
{
  return op == 'N' ? CUBLAS_OP_N : op == 'T' ? CUBLAS_OP_T : ge_adjoint<T> ();
}

template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, const ge_product *p)
{
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int64_t lda = p->ta == 'N' ? p->m : p->k,
                ldb = p->tb == 'N' ? p->k : p->n;
  /* which takes several times as long as a product by cuBLAS */
  if (p->pages == 1 && p->m == 1 && p->n == 1 && (p->ta != 'C' || p->tb != 'C'))
    return p->tb == 'C' ? ge_cuda_dot (ctx, p->type, p->k, 1, p->b, p->a, p->c)
                        : ge_cuda_dot (ctx, p->type, p->k, p->ta == 'C', p->a,
                                       p->b, p->c);
  if (p->pages == 1)
    CUBLAS (ge_gemm (blas, operation<T> (p->ta), operation<T> (p->tb), p->m,
                     p->n, p->k, 1, (const T *) p->a, lda, (const T *) p->b,
                     ldb, 0, (T *) p->c, p->m));
  else
    CUBLAS (ge_gemm_strided (blas, operation<T> (p->ta), operation<T> (p->tb),
                             p->m, p->n, p->k, 1, (const T *) p->a, lda,
                             p->stride_a, (const T *) p->b, ldb, p->stride_b, 0,
                             (T *) p->c, p->m, p->m * p->n, p->pages));
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_multiply (gpueig_context *ctx, const ge_product *p)
{
  return GE_CUDA_BY_TYPE (p->type, multiply, (ctx, p));
}

/* --- workspace and the number that cuSOLVER's functions report --- */

typedef struct
{
  size_t device_bytes, host_bytes;
  void *device, *host;
  int *info;
} work;

static gpueig_status
get_work (gpueig_context *ctx, work *w)
{
  GE_TRY (ge_alloc (ctx, GE_DEVICE, (int64_t) w->device_bytes, 1, &w->device));
  GE_TRY (ge_alloc (ctx, GE_HOST, (int64_t) w->host_bytes, 1, &w->host));
  return GE_ALLOC (ctx, GE_DEVICE, 1, &w->info);
}

/* *INFO: the number, after the work on the stream; negative ones are errors.  */
static gpueig_status
get_info (gpueig_context *ctx, const work *w, int *info)
{
  GE_TRY (ge_fetch (ctx, info, w->info, 1));
  if (*info >= 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "cuSOLVER refused its argument %d", -*info);
}

/* Call WORKER (ctx, w, argument), and release its scratch memory.  */
template <typename A>
static gpueig_status
in_frame (gpueig_context *ctx,
          gpueig_status (*worker) (gpueig_context *, work *, A *), A *argument)
{
  work w = {};
  const int mark = ge_mark (ctx);
  const gpueig_status status = worker (ctx, &w, argument);
  ge_release (ctx, mark);
  return status;
}

/* --- factorizations --- */

typedef struct
{
  const ge_factors *f;
  int64_t at;
} factor_job;

template <typename T>
static gpueig_status
factor_with (gpueig_context *ctx, work *w, factor_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  const cudaDataType type = cuda_type<T>::value;
  const ge_factors *f = j->f;
  const int64_t m = f->m, n = f->n;
  int info;
  if (f->kind == GE_CHOLESKY)
    CUSOLVER (cusolverDnXpotrf_bufferSize (h, NULL, upper, n, type, f->a, m,
                                           type, &w->device_bytes,
                                           &w->host_bytes));
  else if (f->kind == GE_LU)
    CUSOLVER (cusolverDnXgetrf_bufferSize (h, NULL, m, n, type, f->a, m, type,
                                           &w->device_bytes, &w->host_bytes));
  else
    CUSOLVER (cusolverDnXgeqrf_bufferSize (h, NULL, m, n, type, f->a, m, type,
                                           f->tau, type, &w->device_bytes,
                                           &w->host_bytes));
  GE_TRY (get_work (ctx, w));
  if (f->kind == GE_CHOLESKY)
    CUSOLVER (cusolverDnXpotrf (h, NULL, upper, n, type, f->a, m, type,
                                w->device, w->device_bytes, w->host,
                                w->host_bytes, w->info));
  else if (f->kind == GE_LU)
    CUSOLVER (cusolverDnXgetrf (
        h, NULL, m, n, type, f->a, m, (int64_t *) f->pivots, type, w->device,
        w->device_bytes, w->host, w->host_bytes, w->info));
  else
    CUSOLVER (cusolverDnXgeqrf (h, NULL, m, n, type, f->a, m, type, f->tau,
                                type, w->device, w->device_bytes, w->host,
                                w->host_bytes, w->info));
  GE_TRY (get_info (ctx, w, &info));
  j->at = f->kind == GE_QR ? 0 : info;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
factor (gpueig_context *ctx, factor_job *j)
{
  const ge_factor_kind kind = j->f->kind;
  return kind == GE_CHOLESKY || kind == GE_LU || kind == GE_QR
             ? in_frame<factor_job> (ctx, factor_with<T>, j)
             : GPUEIG_OK;
}

gpueig_status
ge_cuda_factor (gpueig_context *ctx, const ge_factors *f, int64_t *at)
{
  factor_job j = { f, 0 };
  const gpueig_status status = GE_CUDA_BY_TYPE (f->type, factor, (ctx, &j));
  *at = j.at;
  return status;
}

/* --- solution with factors --- */

typedef struct
{
  const ge_factors *f;
  char trans;
  int64_t count;
  void *b;
} solve_job;

/* By the factors of Cholesky or LU.  */
template <typename T>
static gpueig_status
by_factors (gpueig_context *ctx, work *w, solve_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  GE_TRY (get_work (ctx, w));
  if (f->kind == GE_CHOLESKY)
    CUSOLVER (cusolverDnXpotrs (h, NULL, CUBLAS_FILL_MODE_UPPER, f->n, j->count,
                                type, f->a, f->m, type, j->b, f->m, w->info));
  else
    CUSOLVER (cusolverDnXgetrs (
        h, NULL, operation<T> (j->trans), f->n, j->count, type, f->a, f->m,
        (const int64_t *) f->pivots, type, j->b, f->m, w->info));
  return get_info (ctx, w, &info);
}

/* cuSOLVER's product with Q by type, of 32-bit sizes.  */
#define APPLY_Q(T, L, name)                                                    \
  static cusolverStatus_t apply_q_size (                                       \
      cusolverDnHandle_t h, cublasOperation_t op, int m, int n, int k,         \
      const T *a, const T *tau, T *c, int *size)                               \
  {                                                                            \
    return cusolverDn##L##name##_bufferSize (h, CUBLAS_SIDE_LEFT, op, m, n, k, \
                                             a, m, tau, c, m, size);           \
  }                                                                            \
  static cusolverStatus_t apply_q (                                            \
      cusolverDnHandle_t h, cublasOperation_t op, int m, int n, int k,         \
      const T *a, const T *tau, T *c, T *space, int size, int *info)           \
  {                                                                            \
    return cusolverDn##L##name (h, CUBLAS_SIDE_LEFT, op, m, n, k, a, m, tau,   \
                                c, m, space, size, info);                      \
  }
APPLY_Q (float, S, ormqr)
APPLY_Q (double, D, ormqr)
APPLY_Q (cuComplex, C, unmqr)
APPLY_Q (cuDoubleComplex, Z, unmqr)

template <typename T>
static gpueig_status
by_q (gpueig_context *ctx, const solve_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cublasOperation_t op = operation<T> (j->trans);
  const int mark = ge_mark (ctx);
  work w = {};
  int size = 0, info;
  T *space;
  if (f->m > INT_MAX || j->count > INT_MAX)
    return gpueig_fail (
        ctx, GPUEIG_OUT_OF_MEMORY, "a size of %lld is more than cuSOLVER's %d",
        (long long) (f->m > INT_MAX ? f->m : j->count), INT_MAX);
  const int m = (int) f->m, n = (int) j->count, k = (int) f->n;
  CUSOLVER (apply_q_size (h, op, m, n, k, (const T *) f->a, (const T *) f->tau,
                          (T *) j->b, &size));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, size, &space));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &w.info));
  CUSOLVER (apply_q (h, op, m, n, k, (const T *) f->a, (const T *) f->tau,
                     (T *) j->b, space, size, w.info));
  const gpueig_status status = get_info (ctx, &w, &info);
  ge_release (ctx, mark);
  return status;
}

template <typename T>
static gpueig_status
solve (gpueig_context *ctx, solve_job *j)
{
  const ge_factors *f = j->f;
  switch (f->kind)
    {
    case GE_CHOLESKY:
    case GE_LU:
      return in_frame<solve_job> (ctx, by_factors<T>, j);
    case GE_QR:
      return by_q<T> (ctx, j);
    default:
      CUBLAS (ge_trsm (ge_cuda_of (ctx)->blas, CUBLAS_SIDE_LEFT,
                       f->kind == GE_UPPER ? CUBLAS_FILL_MODE_UPPER
                                           : CUBLAS_FILL_MODE_LOWER,
                       operation<T> (j->trans), f->n, j->count,
                       (const T *) f->a, f->m, (T *) j->b, f->m));
      return GPUEIG_OK;
    }
}

gpueig_status
ge_cuda_solve (gpueig_context *ctx, const ge_factors *f, char trans,
               int64_t count, void *b)
{
  solve_job j = { f, trans, count, b };
  return GE_CUDA_BY_TYPE (f->type, solve, (ctx, &j));
}

/* --- singular values --- */

typedef struct
{
  gpueig_svd_problem svd;
  void *vt;
} svd_job;

template <typename T>
static gpueig_status
svd (gpueig_context *ctx, const svd_job *j)
{
  const gpueig_svd_problem *p = &j->svd;
  const int mark = ge_mark (ctx);
  unsigned char failed;
  svd_arrays<T> to
      = { (const T *) p->a, (ge_real<T> *) p->s, (T *) p->u, NULL };
  if (p->u)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, p->n * p->n, &to.v));
  GE_TRY (ge_svd_gram<T> (ctx, p, &to, &failed));
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "the singular values failed the verification");
  if (p->u)
    GE_TRY (ge_svd_adjoint<T> (ctx, p->n, p->n, to.v, (T *) j->vt));
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_svd (gpueig_context *ctx, gpueig_type type, int64_t m, int64_t n,
             void *a, void *s, void *u, void *vt)
{
  svd_job j = {};
  j.svd.type = type;
  j.svd.m = m;
  j.svd.n = n;
  j.svd.pages = 1;
  j.svd.a = a;
  j.svd.s = s;
  j.svd.u = u;
  j.vt = vt;
  return GE_CUDA_BY_TYPE (type, svd, (ctx, &j));
}
