/* The solver around MRRR on the GPU: dense matrices are reduced by cuSOLVER's
   sytrd/hetrd and transformed back by ormtr/unmtr.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig.cuh"
#include "mrrr.cuh"

#include <math.h>
#include <string.h>

/* --- cuSOLVER by overload --- */

#define REDUCTIONS(T, R, sytrd, ormtr)                                         \
  static cusolverStatus_t reduce_size (cusolverDnHandle_t h, int n, T *a,      \
                                       R *d, R *e, T *tau, int *lwork)         \
  {                                                                            \
    return cusolverDn##sytrd##_bufferSize (h, CUBLAS_FILL_MODE_LOWER, n, a, n, \
                                           d, e, tau, lwork);                  \
  }                                                                            \
  static cusolverStatus_t reduce (cusolverDnHandle_t h, int n, T *a, R *d,     \
                                  R *e, T *tau, T *work, int lwork, int *info) \
  {                                                                            \
    return cusolverDn##sytrd (h, CUBLAS_FILL_MODE_LOWER, n, a, n, d, e, tau,   \
                              work, lwork, info);                              \
  }                                                                            \
  static cusolverStatus_t back_size (cusolverDnHandle_t h, int n, int m,       \
                                     const T *a, const T *tau, const T *v,     \
                                     int *lwork)                               \
  {                                                                            \
    return cusolverDn##ormtr##_bufferSize (                                    \
        h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, m, a, n,  \
        tau, v, n, lwork);                                                     \
  }                                                                            \
  static cusolverStatus_t back (cusolverDnHandle_t h, int n, int m, T *a,      \
                                T *tau, T *v, T *work, int lwork, int *info)   \
  {                                                                            \
    return cusolverDn##ormtr (h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,     \
                              CUBLAS_OP_N, n, m, a, n, tau, v, n, work, lwork, \
                              info);                                           \
  }
REDUCTIONS (float, float, Ssytrd, Sormtr)
REDUCTIONS (double, double, Dsytrd, Dormtr)
REDUCTIONS (cuComplex, float, Chetrd, Cunmtr)
REDUCTIONS (cuDoubleComplex, double, Zhetrd, Zunmtr)
#undef REDUCTIONS

/* A becomes reflectors with *TAU in the current frame; d and e on the host.  */
template <typename T>
static gpueig_status
reduce_dense (gpueig_context *ctx, int64_t n, T *a, T **tau, double *d,
              double *e)
{
  typedef typename real_of<T>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  R *both, *staged;
  T *work;
  int lwork = 0, *info;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, tau));
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * n, &both));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2 * n, &staged));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &info));
  double undo;
  GE_TRY (ge_cuda_scale_to_one (ctx, n * n * (1 + is_complex<T>::value),
                                (R *) a, &undo));
  CUSOLVER (
      reduce_size (cuda->solver, (int) n, a, both, both + n, *tau, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, lwork, &work));
  CUSOLVER (reduce (cuda->solver, (int) n, a, both, both + n, *tau, work, lwork,
                    info));
  CU (cudaMemcpyAsync (staged, both, (size_t) (2 * n) * sizeof (R),
                       cudaMemcpyDeviceToHost, cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  int finite = 1;
  for (int64_t i = 0; i < n; i++)
    {
      d[i] = undo * staged[i];
      e[i] = i + 1 < n ? undo * staged[n + i] : 0;
      finite &= isfinite (d[i]) && isfinite (e[i]);
    }
  ge_release (ctx, mark);
  if (! finite)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "the matrix is too large: its reduction to tridiagonal "
                        "form overflows, scale it down");
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
transform_back (gpueig_context *ctx, int64_t n, int64_t columns, T *a, T *tau,
                T *v)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  T *work;
  int lwork = 0, *info;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &info));
  CUSOLVER (
      back_size (cuda->solver, (int) n, (int) columns, a, tau, v, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, lwork, &work));
  CUSOLVER (back (cuda->solver, (int) n, (int) columns, a, tau, v, work, lwork,
                  info));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Real to complex.  */
template <typename T, typename R>
static __global__ void
widen_kernel (int64_t count, const R *z, T *v)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    {
      v[i].x = z[i];
      v[i].y = 0;
    }
}

static gpueig_status
widen (gpueig_context *ctx, int64_t count, const float *z, cuComplex *v)
{
  widen_kernel<<<(unsigned) ((count + 255) / 256), 256, 0,
                 ge_cuda_of (ctx)->stream>>> (count, z, v);
  LAUNCHED ();
  return GPUEIG_OK;
}

static gpueig_status
widen (gpueig_context *ctx, int64_t count, const double *z, cuDoubleComplex *v)
{
  widen_kernel<<<(unsigned) ((count + 255) / 256), 256, 0,
                 ge_cuda_of (ctx)->stream>>> (count, z, v);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Real vectors are computed in place.  */
static gpueig_status
widen (gpueig_context *, int64_t, const float *, float *)
{
  return GPUEIG_OK;
}

static gpueig_status
widen (gpueig_context *, int64_t, const double *, double *)
{
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
mrrr_page (gpueig_context *ctx, const gpueig_mrrr_problem *p, int64_t page,
           int inverse, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  int64_t n = p->n, columns = ge_mrrr_columns (p), count = 0;
  double *d, *e, *lambda;
  T *a = NULL, *tau = NULL, *v = NULL;
  R *z = NULL;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
  if (p->a)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &a));
      GE_TRY (ge_upload (ctx, a, (const T *) p->a + page * n * n,
                         (size_t) (n * n) * sizeof (T), info));
    }
  GE_TRY (ge_timer_start (ctx));
  if (p->a)
    {
      ge_report (ctx, "reduction to tridiagonal form");
      GE_TRY (reduce_dense (ctx, n, a, &tau, d, e));
    }
  else
    ge_mrrr_get_tridiagonal (p, page, d, e);
  ge_mrrr m;
  memset (&m, 0, sizeof m);
  ge_mrrr_choose (p, d, e, &m.il, &m.iu);
  count = m.iu >= m.il ? m.iu - m.il + 1 : 0;
  if (p->v && count > 0)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * count, &v));
      if (is_complex<T>::value)
        {
          GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * count, &z));
        }
      else
        z = (R *) v;
    }
  if (count > 0)
    {
      m.ctx = ctx;
      m.ops = &ge_mrrr_gpu;
      m.n = n;
      m.is_double = sizeof (R) == sizeof (double);
      m.d = d;
      m.e = e;
      m.vectors = v != NULL;
      m.inverse = inverse;
      m.v = z;
      m.lambda = lambda;
      GE_TRY (ge_mrrr_solve (&m));
      ge_mrrr_tell (&m, info);
    }
  if (v)
    GE_TRY (widen (ctx, n * count, z, v));
  if (v && p->a)
    {
      ge_report (ctx, "back-transformation");
      GE_TRY (transform_back (ctx, n, count, a, tau, v));
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (v)
    GE_TRY (ge_download (ctx, (T *) p->v + page * n * columns, v,
                         (size_t) (n * count) * sizeof (T), info));
  ge_mrrr_put_values (p, page, count, lambda);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_mrrr (gpueig_context *ctx, const void *problem,
              const gpueig_options *options, gpueig_info *info)
{
  const gpueig_mrrr_problem *p = (const gpueig_mrrr_problem *) problem;
  int inverse = strcmp (options->method, "inverse") == 0;
  ge_info_method (info, inverse ? "inverse" : "mrrr");
  for (int64_t page = 0; page < p->pages; page++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (
          GE_CUDA_BY_TYPE (p->type, mrrr_page, (ctx, p, page, inverse, info)));
    }
  return GPUEIG_OK;
}
