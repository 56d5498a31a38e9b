/* gpueig_eig_general on the GPU: method "qr" is that of cuda/schur (schur.cu for one
   matrix, stack.cu for stacks); method "geev", cuSOLVER's Xgeev, is in this file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Xgeev computes right eigenvectors only.  Left ones are the normalized rows of
   V^-1 where these are accurate enough: their residual is computed, and pages
   where it is too large are left to the caller, like those where the results of
   Xgeev fail verification (base/verify.cuh).

   On some permutation matrices (observed: cyclic ones, also with signs, and
   random ones of order 160 and 200, complex double) Xgeev of cuSOLVER 12.0
   returns status 7 and leaves an illegal instruction behind, after which the
   process cannot use the GPU any more.  After a similarity with one reflector
   it solves them.  So all normal pages are transformed that way, which does not
   change the condition of their eigenvalues.  Triangular pages and pages with
   columns of very different norms are not transformed, because they would lose
   accuracy.  */

#include "base/blas.cuh"
#include "eig/general.cuh"
#include "base/job.cuh"
#include "base/on_device.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "base/teams.cuh"
#include "schur/schur.cuh"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
  /* From this order on Xgeev takes 0.1 s or more, and is called on a thread of
     its own so that it can be interrupted.  */
  GEEV_OWN_THREAD = 400
};

/* --- small kernels --- */

/* LAPACK's packed real eigenvectors (re, im in two columns for a conjugate
   pair) to complex columns.  One thread per element of V.  */
template <typename R, typename C>
__global__ void
unpack_pairs (int64_t n, const C *lambda, const R *packed, C *v)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e >= n * n)
    return;
  const int64_t j = e / n;
  const R im = lambda[j].y;
  v[e].x = im < 0 ? packed[e - n] : packed[e];
  v[e].y = im > 0 ? packed[e + n] : im < 0 ? -packed[e] : 0;
}

template <typename R, typename C>
__global__ void
widen_matrix (int64_t count, const R *a, C *to)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e < count)
    {
      to[e].x = a[e];
      to[e].y = 0;
    }
}

template <typename C>
__global__ void
set_identity (int64_t n, C *a)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e < n * n)
    {
      a[e].x = e % n == e / n;
      a[e].y = 0;
    }
}

/* Column j of W from row j of Y: conjugated, scaled to 2-norm 1 with the
   element of largest modulus real; NaN where the row is zero or not finite.
   One block of 256 threads per column; the row is first scaled by a power of 2
   so that squares neither overflow nor underflow.  SIZE and WHERE: the
   candidates of every thread for the largest element, reduced redundantly by
   all threads; the barriers of block_sum order the accesses.  */
template <typename R, typename C>
__global__ void
rows_to_left_vectors (int64_t n, const C *y, C *w)
{
  __shared__ R space[8];
  __shared__ R size[256];
  __shared__ int64_t where[256];
  const int64_t j = blockIdx.x;
  R part = 0, sum = 0, largest = -1;
  int64_t at = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    part = fmax (part, fmax (fabs (y[j + n * i].x), fabs (y[j + n * i].y)));
  part = block_max (part, space, blockDim.x / 32);
  const R scale
      = ldexp ((R) 1, part > 0 && part < INFINITY ? -ilogb (part) : 0);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const R re = y[j + n * i].x * scale, im = y[j + n * i].y * scale;
      const R s = re * re + im * im;
      sum += s;
      if (s > largest)
        {
          largest = s;
          at = i;
        }
    }
  size[threadIdx.x] = largest;
  where[threadIdx.x] = at;
  sum = block_sum (sum, space, blockDim.x / 32);
  for (int i = 0; i < (int) blockDim.x; i++)
    if (size[i] > largest || (size[i] == largest && where[i] < at))
      {
        largest = size[i];
        at = where[i];
      }
  /* y (j, at): the element that becomes real */
  const R re = y[j + n * at].x * scale, im = y[j + n * at].y * scale;
  const R m = 1 / sqrt (sum) / sqrt (largest);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const R a = y[j + n * i].x * scale, b = y[j + n * i].y * scale;
      /* conj (y (j, i)) y (j, at) / |y (j, at)| / norm */
      w[i + n * j].x = (a * re + b * im) * m;
      w[i + n * j].y = i == at ? 0 : (a * im - b * re) * m;
    }
}

/* *WORST = max over j of |r_j - conj (lambda_j) w_j|_1, R = A' W, as the bits
   of a double, since nonnegative doubles are ordered as their bits; Inf instead
   of NaN.  One block of 256 threads per column.  */
template <typename R, typename C>
__global__ void
left_error (int64_t n, const C *r, const C *w, const C *lambda, int exponent,
            unsigned long long *worst)
{
  __shared__ R space[8];
  const int64_t j = blockIdx.x;
  C l = lambda[j];
  l.x = ldexp (l.x, -exponent);
  l.y = ldexp (l.y, -exponent);
  R sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const C x = w[i + n * j], y = r[i + n * j];
      const R re = y.x - (l.x * x.x + l.y * x.y);
      const R im = y.y - (l.x * x.y - l.y * x.x);
      sum += sqrt (re * re + im * im);
    }
  sum = block_sum (sum, space, blockDim.x / 32);
  if (threadIdx.x == 0)
    atomicMax (worst, (unsigned long long) __double_as_longlong (
                          sum == sum ? (double) sum : (double) INFINITY));
}

/* *WORST = max over j of |a_j|_1 as the bits of a double.  One block of 256
   threads per column.  */
template <typename R, typename C>
__global__ void
one_norm (int64_t n, const C *a, unsigned long long *worst)
{
  __shared__ R space[8];
  const int64_t j = blockIdx.x;
  R sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    sum += sqrt (a[i + n * j].x * a[i + n * j].x
                 + a[i + n * j].y * a[i + n * j].y);
  sum = block_sum (sum, space, blockDim.x / 32);
  if (threadIdx.x == 0)
    atomicMax (worst, (unsigned long long) __double_as_longlong ((double) sum));
}

static inline unsigned
grid_for (int64_t count)
{
  return (unsigned) ((count + 255) / 256);
}

/* --- Xgeev --- */

typedef struct
{
  ge_cuda_job job;
  int64_t n;
  cusolverEigMode_t mode;
  cudaDataType type, pair;
  void *a, *lambda, *v, *device_work, *host_work;
  size_t device_bytes, host_bytes;
  int *result;
} geev_job;

static void
call_geev (ge_cuda_job *job)
{
  geev_job *j = (geev_job *) job;
  job->status = cusolverDnXgeev (job->solver, NULL, CUSOLVER_EIG_MODE_NOVECTOR,
                                 j->mode, j->n, j->type, j->a, j->n, j->pair,
                                 j->lambda, j->type, NULL, j->n, j->type, j->v,
                                 j->n, j->type, j->device_work, j->device_bytes,
                                 j->host_work, j->host_bytes, j->result);
}

template <typename T>
static gpueig_status
prepare_geev (gpueig_context *ctx, int64_t n, int vectors, geev_job *j)
{
  typedef typename complex_of<T>::type C;
  j->job.call = call_geev;
  j->n = n;
  j->mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  j->type = cuda_type<T>::value;
  j->pair = cuda_type<C>::value;
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n * n, sizeof (T), &j->a));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n, sizeof (C), &j->lambda));
  if (vectors)
    GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n * n, sizeof (T), &j->v));
  CUSOLVER (cusolverDnXgeev_bufferSize (
      j->job.solver, NULL, CUSOLVER_EIG_MODE_NOVECTOR, j->mode, n, j->type,
      j->a, n, j->pair, j->lambda, j->type, NULL, n, j->type, j->v, n, j->type,
      &j->device_bytes, &j->host_bytes));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, (int64_t) j->device_bytes, 1,
                             &j->device_work));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_PINNED, (int64_t) j->host_bytes, 1,
                             &j->host_work));
  return ge_cuda_job_alloc (ctx, j, GE_DEVICE, 1, sizeof (int),
                            (void **) &j->result);
}

template <typename T>
static gpueig_status
geev (gpueig_context *ctx, geev_job **job, const T *a,
      typename complex_of<T>::type *lambda, T *v)
{
  typedef typename complex_of<T>::type C;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const size_t count = (size_t) (*job)->n, bytes = count * count * sizeof (T);
  int failed = 0;
  CU (cudaMemcpyAsync ((*job)->a, a, bytes, cudaMemcpyDeviceToDevice, stream));
  GE_TRY (ge_cuda_run_job (ctx, (void **) job, "cusolverDnXgeev"));
  CU (cudaMemcpyAsync (lambda, (*job)->lambda, count * sizeof (C),
                       cudaMemcpyDeviceToDevice, stream));
  if (v)
    CU (cudaMemcpyAsync (v, (*job)->v, bytes, cudaMemcpyDeviceToDevice,
                         stream));
  CU (cudaMemcpyAsync (&failed, (*job)->result, sizeof failed,
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  if (failed != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "cuSOLVER's QR iteration failed with info %d", failed);
  return GPUEIG_OK;
}

/* V (NULL: not wanted) in Xgeev's format, packed for real types.  */
template <typename T>
static gpueig_status
run_geev (gpueig_context *ctx, int64_t n, const T *a,
          typename complex_of<T>::type *lambda, T *v)
{
  geev_job *job;
  const int mark = ge_mark (ctx);
  gpueig_status status = ge_cuda_begin_job (ctx, n >= GEEV_OWN_THREAD,
                                            sizeof *job, (void **) &job);
  if (status == GPUEIG_OK)
    status = prepare_geev<T> (ctx, n, v != NULL, job);
  if (status == GPUEIG_OK)
    status = geev<T> (ctx, &job, a, lambda, v);
  ge_cuda_end_job (ctx, job);
  ge_release (ctx, mark);
  return status;
}

template <typename C>
gpueig_status
ge_left_vectors (gpueig_context *ctx, int64_t n, const C *a, C *v,
                 const C *lambda, int exponent, C *w, double *ratio)
{
  typedef typename real_of<C>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const cudaDataType type = cuda_type<C>::value;
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int64_t *pivots;
  int *result, failed = 0;
  C *y;
  unsigned long long *worst, bits[2];
  double error[2];
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &pivots));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &worst));
  CUSOLVER (cusolverDnXgetrf_bufferSize (cuda->solver, NULL, n, n, type, v, n,
                                         type, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  CUSOLVER (cusolverDnXgetrf (cuda->solver, NULL, n, n, type, v, n, pivots,
                              type, device_work, device_bytes, host_work,
                              host_bytes, result));
  CU (cudaMemcpyAsync (&failed, result, sizeof failed, cudaMemcpyDeviceToHost,
                       cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  *ratio = INFINITY;
  if (failed == 0)
    {
      GE_LAUNCH (set_identity, grid_for (n * n), 256, 0, cuda->stream) (n, y);
      LAUNCHED ();
      CUSOLVER (cusolverDnXgetrs (cuda->solver, NULL, CUBLAS_OP_N, n, n, type,
                                  v, n, pivots, type, y, n, result));
      GE_LAUNCH ((rows_to_left_vectors<R, C>), (unsigned) n, 256, 0,
                 cuda->stream)
      (n, y, w);
      LAUNCHED ();
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, (R) 1, a,
                       n, w, n, (R) 0, y, n));
      CU (cudaMemsetAsync (worst, 0, 2 * sizeof *worst, cuda->stream));
      GE_LAUNCH ((left_error<R, C>), (unsigned) n, 256, 0, cuda->stream)
      (n, y, w, lambda, exponent, worst);
      LAUNCHED ();
      GE_LAUNCH ((one_norm<R, C>), (unsigned) n, 256, 0, cuda->stream)
      (n, a, worst + 1);
      LAUNCHED ();
      CU (cudaMemcpyAsync (bits, worst, sizeof bits, cudaMemcpyDeviceToHost,
                           cuda->stream));
      CU (cudaStreamSynchronize (cuda->stream));
      memcpy (error, bits, sizeof error);
      *ratio = error[0] == 0 ? 0 : error[0] / (error[1] * (double) n * eps);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template gpueig_status ge_left_vectors (gpueig_context *, int64_t,
                                        const cuComplex *, cuComplex *,
                                        const cuComplex *, int, cuComplex *,
                                        double *);
template gpueig_status ge_left_vectors (gpueig_context *, int64_t,
                                        const cuDoubleComplex *,
                                        cuDoubleComplex *,
                                        const cuDoubleComplex *, int,
                                        cuDoubleComplex *, double *);

/* A real array converted to complex, or a copy of a complex one.  */
template <typename R, typename C>
static gpueig_status
as_complex (gpueig_context *ctx, int64_t count, const R *a, C *to)
{
  GE_LAUNCH (widen_matrix, grid_for (count), 256, 0, ge_cuda_of (ctx)->stream)
  (count, a, to);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename C>
static gpueig_status
as_complex (gpueig_context *ctx, int64_t count, const C *a, C *to)
{
  CU (cudaMemcpyAsync (to, a, (size_t) count * sizeof (C),
                       cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* V as complex columns, from Xgeev's format.  */
template <typename R, typename C>
static gpueig_status
unpack (gpueig_context *ctx, int64_t n, const C *lambda, const R *packed, C *v)
{
  GE_LAUNCH (unpack_pairs, grid_for (n * n), 256, 0, ge_cuda_of (ctx)->stream)
  (n, lambda, packed, v);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename C>
static gpueig_status
unpack (gpueig_context *ctx, int64_t n, const C *, const C *packed, C *v)
{
  return as_complex (ctx, n * n, packed, v);
}

/* Nonzero if the page A, on the host, has nonzero elements on both sides of its
   diagonal, and column norms that differ by a factor of at most 1000.  */
template <typename T>
static int
may_be_transformed (int64_t n, const T *a)
{
  typedef typename real_of<T>::type R;
  const int64_t parts = 1 + is_complex<T>::value;
  double least = INFINITY, most = 0;
  int below = 0, above = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const R *column = (const R *) (a + n * j);
      double sum = 0;
      for (int64_t i = 0; i < n * parts; i++)
        {
          const double x = (double) column[i];
          sum += x * x;
          below |= x != 0 && i >= (j + 1) * parts;
          above |= x != 0 && i < j * parts;
        }
      least = sum < least ? sum : least;
      most = sum > most ? sum : most;
    }
  return below && above && most < 1e6 * least;
}

/* If the page A, on the device and at HOST, may be one on which Xgeev faults:
   *TURNED = (I - U U') A (I - U U') with a random reflector U, else *TURNED = A
   and *U = NULL.  */
template <typename T>
static gpueig_status
transform_page (gpueig_context *ctx, int64_t n, const T *given, T *a,
                T **turned, T **u, gpueig_info *info)
{
  const void *host;
  typedef typename real_of<T>::type R;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double departure;
  *turned = a;
  *u = NULL;
  GE_TRY (ge_cuda_departure (ctx, n, a, &departure));
  if (! (departure <= 1000 * eps))
    return GPUEIG_OK;
  GE_TRY (
      ge_on_host (ctx, given, a, (size_t) (n * n) * sizeof (T), &host, info));
  if (! may_be_transformed (n, (const T *) host))
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, turned));
  GE_TRY (ge_cuda_reflector (ctx, n, u));
  CU (cudaMemcpyAsync (*turned, a, (size_t) (n * n) * sizeof (T),
                       cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
  return ge_cuda_reflect_both (ctx, n, *u, *turned);
}

/* One page of ge_cuda_geev.  */
template <typename T>
static gpueig_status
geev_page (gpueig_context *ctx, const gpueig_general *g, int64_t page,
           unsigned char *state, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  typedef typename complex_of<T>::type C;
  const int64_t n = g->n, square = n * n;
  const int vectors = g->v || g->w;
  T *a, *turned, *u, *packed = NULL;
  C *lambda, *v = NULL, *w = NULL, *copy = NULL;
  C *values = (C *) g->lambda + page * n;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double ratio = 0, error = 0;
  int good = 1, mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  if (vectors)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &packed));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &v));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &copy));
    }
  if (g->w)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &w));
  GE_TRY (ge_upload (ctx, a, (const T *) g->a + page * square,
                     (size_t) square * sizeof (T), info));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (transform_page (ctx, n, (const T *) g->a + page * square, a, &turned,
                          &u, info));
  const gpueig_status status = run_geev (ctx, n, turned, lambda, packed);
  if (status == GPUEIG_SOLVER_FAILED)
    {
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      state[page] = 1;
      ge_release (ctx, mark);
      return GPUEIG_OK;
    }
  GE_TRY (status);
  if (u && packed)
    GE_TRY (ge_cuda_reflect (ctx, n, n, u, packed));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, values, lambda, (size_t) n * sizeof (C), info));
  for (int64_t i = 0; i < n; i++)
    good &= isfinite (values[i].x) && isfinite (values[i].y);
  if (vectors)
    {
      GE_TRY (ge_timer_start (ctx));
      GE_TRY (unpack (ctx, n, lambda, packed, v));
      GE_TRY (as_complex (ctx, square, a, copy));
      GE_TRY (ge_cuda_residual<C> (ctx, n, n, copy, v, values, &error));
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      good &= error <= (10 * (double) n + 30) * eps;
    }
  if (g->v)
    GE_TRY (ge_download (ctx, (C *) g->v + page * square, v,
                         (size_t) square * sizeof (C), info));
  if (g->w && good)
    {
      GE_TRY (ge_timer_start (ctx));
      GE_TRY (ge_left_vectors (ctx, n, copy, v, lambda, 0, w, &ratio));
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      GE_TRY (ge_download (ctx, (C *) g->w + page * square, w,
                           (size_t) square * sizeof (C), info));
    }
  state[page] = ! (good && ratio < 5);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_geev (gpueig_context *ctx, const gpueig_general *g,
              unsigned char *state, gpueig_info *info)
{
  for (int64_t p = 0; p < g->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (GE_CUDA_BY_TYPE (g->type, geev_page, (ctx, g, p, state, info)));
      ge_report_pages (ctx, "cuSOLVER's Xgeev", p + 1, g->pages);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_eig_general (gpueig_context *ctx, const void *problem,
                     const ge_plan *plan, const gpueig_options *options,
                     gpueig_info *info)
{
  const ge_general_problem *p = (const ge_general_problem *) problem;
  const gpueig_general *g = &p->general;
  const int64_t limit = plan->named ? options->max_sweeps : 0;
  if (plan->method != GE_METHOD_GENERAL_QR
      || (! plan->named && g->n > GE_MATRIX_ORDER))
    {
      ge_info_method (info, "geev");
      return ge_cuda_geev (ctx, g, p->state, info);
    }
  ge_info_method (info, "qr");
  return ge_stack_pages (ctx, g->pages) > 1 && ge_schur_stack_serves (ctx, g)
             ? ge_cuda_schur_stack (ctx, g, limit, p->state, info)
             : ge_cuda_schur_pages (ctx, g, limit, p->state, info);
}
