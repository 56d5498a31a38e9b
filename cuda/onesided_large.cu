/* One-sided Jacobi for a large matrix on the GPU, all matrix products: see
   core/onesided_large_typed.c for the method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "eig.cuh"
#include "onesided.cuh"
#include "onesided_numbers.cuh"

#include <string.h>

#define THREADS 256
/* A rotation by more than this is no small one.  */
#define SMALL 0.1

/* The type of the preconditioner.  */
template <typename T> struct single_of
{
  typedef float type;
};
template <> struct single_of<cuComplex>
{
  typedef cuComplex type;
};
template <> struct single_of<cuDoubleComplex>
{
  typedef cuComplex type;
};

/* Maxima that kernels find, floats as their bits.  */
typedef struct
{
  float deviation; /* of Q'Q from the identity */
  float cosine;    /* the largest */
  float easy;      /* the largest of pairs with a small rotation */
  float hard;      /* the largest of the others */
  float norm;      /* of X */
} figures;

template <typename T> struct large
{
  typedef typename real_of<T>::type R;
  int64_t n;
  R tol;
  const onesided_scaling<R> *scaling;
  T *m, *q, *f, *g, *x; /* A + shift, basis, columns, Gram, scratch */
  figures *found;       /* on the device */
};

static __device__ __forceinline__ void
keep_largest (float *to, float x)
{
  /* Floats that are not negative compare as their bits; NaN is the largest.  */
  atomicMax ((int *) to, __float_as_int (x));
}

/* The scaled A in single precision.  */
template <typename T, typename S>
static __global__ void
to_single (int64_t n, const T *m,
           const onesided_scaling<typename real_of<T>::type> *scaling, S *to)
{
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (at >= n * n)
    return;
  typename real_of<T>::type shift
      = at / n == at % n ? scaling->shift : (typename real_of<T>::type) 0;
  set_number (&to[at], (float) (real_part (m[at]) - shift),
              (float) imaginary_part (m[at]));
}

template <typename T, typename S>
static __global__ void
from_single (int64_t n, const S *from, T *to)
{
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (at < n * n)
    set_number (&to[at], real_part (from[at]), imaginary_part (from[at]));
}

/* S <- (3 I - S) / 2.  */
template <typename T>
static __global__ void
newton_schulz (int64_t n, T *s, figures *found)
{
  typedef typename real_of<T>::type real;
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  float deviation = 0;
  if (at < n * n)
    {
      real one = at / n == at % n, re = real_part (s[at]),
           im = imaginary_part (s[at]);
      deviation = fmaxf ((float) fabs_ (re - one), (float) fabs_ (im));
      set_number (&s[at], (3 * one - re) / 2, -im / 2);
    }
  for (int k = 16; k > 0; k /= 2)
    deviation = fmaxf (deviation, __shfl_xor_sync (FULL_WARP, deviation, k));
  if ((threadIdx.x & 31) == 0 && deviation > 0)
    keep_largest (&found->deviation, deviation);
}

template <typename T>
static __global__ void
diagonal_of (int64_t n, const T *g, typename real_of<T>::type *d)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (i < n)
    d[i] = real_part (g[i * (n + 1)]);
}

/* X from G, one block a column; pairs that need a large rotation get 0, and so
   do those below LEAST, whose inner products are mostly rounding.  */
template <typename T>
static __global__ void
find_rotations (int64_t n, const T *g, const typename real_of<T>::type *d,
                typename real_of<T>::type tol, typename real_of<T>::type least,
                T *x, figures *found)
{
  typedef typename real_of<T>::type real;
  int64_t j = blockIdx.x;
  real b = d[j], sum = 0;
  float cosine = 0, easy = 0, hard = 0;
  __shared__ float totals[THREADS / 32];
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      T value = g[i + n * j];
      real re = real_part (value), im = imaginary_part (value), a = d[i];
      real size = is_complex<T>::value ? ge_hypot (re, im) : fabs_ (re);
      real c = size / sqrt_ (a * b), gap = b - a;
      int large = ! (size < (real) SMALL * fabs_ (gap));
      if (i != j)
        {
          cosine = fmaxf (cosine, (float) c);
          hard = fmaxf (hard, large ? (float) c : 0.0f);
        }
      if (i == j || large || ! (c > least))
        re = im = 0;
      else
        {
          easy = fmaxf (easy, c > tol ? (float) c : 0.0f);
          re /= gap;
          im /= gap;
          sum += size / fabs_ (gap);
        }
      set_number (&x[i + n * j], re, im);
    }
  float part = (float) sum;
  for (int k = 16; k > 0; k /= 2)
    {
      part += __shfl_xor_sync (FULL_WARP, part, k);
      cosine = fmaxf (cosine, __shfl_xor_sync (FULL_WARP, cosine, k));
      easy = fmaxf (easy, __shfl_xor_sync (FULL_WARP, easy, k));
      hard = fmaxf (hard, __shfl_xor_sync (FULL_WARP, hard, k));
    }
  if ((threadIdx.x & 31) == 0)
    {
      totals[threadIdx.x / 32] = part;
      keep_largest (&found->cosine, cosine);
      keep_largest (&found->easy, easy);
      keep_largest (&found->hard, hard);
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      for (int w = 1; w < THREADS / 32; w++)
        part += totals[w];
      keep_largest (&found->norm, part);
    }
}

static unsigned
blocks_for (int64_t count)
{
  return (unsigned) ((count + THREADS - 1) / THREADS);
}

template <typename T>
static gpueig_status
product (gpueig_context *ctx, const large<T> *p, cublasOperation_t ta,
         const T *a, const T *b, int beta, T *c)
{
  CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, ta, CUBLAS_OP_N, p->n, p->n, p->n, 1,
                   a, p->n, b, p->n, (typename real_of<T>::type) beta, c,
                   p->n));
  return GPUEIG_OK;
}

static gpueig_status
read_figures (gpueig_context *ctx, const figures *device, figures *host)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (host, device, sizeof *host, cudaMemcpyDeviceToHost,
                       stream));
  CU (cudaStreamSynchronize (stream));
  return ge_check_interrupt (ctx);
}

template <typename T>
static gpueig_status
precondition (gpueig_context *ctx, const large<T> *p)
{
  typedef typename single_of<T>::type S;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t n = p->n;
  S *a;
  float *lambda;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  to_single<T, S>
      <<<blocks_for (n * n), THREADS, 0, stream>>> (n, p->m, p->scaling, a);
  LAUNCHED ();
  GE_TRY (ge_cuda_syevd<S> (ctx, n, 1, a, lambda));
  from_single<T, S><<<blocks_for (n * n), THREADS, 0, stream>>> (n, a, p->q);
  LAUNCHED ();
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Q <- Q (3 I - Q'Q) / 2 until Q'Q = I.  X is scratch.  */
template <typename T>
static gpueig_status
orthonormalise (gpueig_context *ctx, large<T> *p)
{
  typedef typename real_of<T>::type real;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  float nearly = sizeof (real) == 8 ? 1e-8f : 1e-4f;
  figures host;
  host.deviation = 1;
  for (int k = 0; k < 8 && ! (host.deviation <= nearly); k++)
    {
      CU (cudaMemsetAsync (p->found, 0, sizeof *p->found, stream));
      GE_TRY (product (ctx, p, ge_adjoint<T> (), p->q, p->q, 0, p->g));
      newton_schulz<T><<<blocks_for (p->n * p->n), THREADS, 0, stream>>> (
          p->n, p->g, p->found);
      LAUNCHED ();
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->q, p->g, 0, p->x));
      GE_TRY (read_figures (ctx, p->found, &host));
      T *old = p->q;
      p->q = p->x;
      p->x = old;
    }
  return GPUEIG_OK;
}

/* Steps with all small rotations at once.  *DONE: the columns F are orthogonal;
   otherwise they need sweeps.  */
template <typename T>
static gpueig_status
small_rotations (gpueig_context *ctx, large<T> *p, const onesided_plan *plan,
                 int *steps, int *done)
{
  typedef typename real_of<T>::type real;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t n = p->n;
  const real eps = sizeof (real) == 8 ? (real) DBL_EPSILON : FLT_EPSILON;
  float last = 1, tol = (float) p->tol;
  figures host;
  real *d;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &d));
  *done = 0;
  while (*steps < plan->max_sweeps)
    {
      GE_TRY (orthonormalise (ctx, p));
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->m, p->q, 0, p->f));
      GE_TRY (product (ctx, p, ge_adjoint<T> (), p->f, p->f, 0, p->g));
      CU (cudaMemsetAsync (p->found, 0, sizeof *p->found, stream));
      diagonal_of<T><<<blocks_for (n), THREADS, 0, stream>>> (n, p->g, d);
      LAUNCHED ();
      find_rotations<T><<<(unsigned) n, THREADS, 0, stream>>> (
          n, p->g, d, p->tol, fmax (p->tol / 16, 4 * eps), p->x, p->found);
      LAUNCHED ();
      GE_TRY (read_figures (ctx, p->found, &host));
      ++*steps;
      ge_info_off (plan->info, host.cosine);
      ge_report (ctx, "step  %2d  largest cosine %9.2e", *steps,
                 (double) host.cosine);
      *done = host.cosine <= tol;
      if (*done || host.easy == 0 || ! (host.norm <= 0.5f)
          || ! (host.easy <= 0.5f * last))
        break;
      last = host.easy;
      CU (cudaMemcpyAsync (p->f, p->q, (size_t) (n * n) * sizeof (T),
                           cudaMemcpyDeviceToDevice, stream));
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->f, p->x, 1, p->q));
      /* Rotations by at most norm leave at most easy * norm: no need to look
         whether these were the last.  */
      if (host.hard <= tol && 4 * host.easy * host.norm <= tol)
        {
          GE_TRY (orthonormalise (ctx, p));
          GE_TRY (product (ctx, p, CUBLAS_OP_N, p->m, p->q, 0, p->f));
          *done = 1;
          break;
        }
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* The stack of one page that S has at P.  */
template <typename T>
static onesided_stack<T>
single_page (const onesided_stack<T> *s, int64_t p, T *f)
{
  onesided_stack<T> one = *s;
  int64_t square = (int64_t) s->n * s->n;
  one.pages = 1;
  one.a = s->a + p * square;
  one.f = f;
  one.scaling = s->scaling + p;
  one.square = 0;
  one.lambda = s->lambda + p * s->n;
  one.v = s->v ? s->v + p * square : NULL;
  return one;
}

template <typename T>
gpueig_status
onesided_large (gpueig_context *ctx, const onesided_stack<T> *s,
                const onesided_plan *plan, int64_t page, int *steps)
{
  large<T> p;
  int64_t n = s->n;
  int mark = ge_mark (ctx), done = 0;
  memset (&p, 0, sizeof p);
  p.n = n;
  p.tol = s->tol;
  p.scaling = s->scaling + page;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p.m));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p.q));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p.f));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p.g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p.x));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &p.found));
  onesided_stack<T> one = single_page (s, page, p.m);
  GE_TRY (onesided_scale_large<T> (ctx, &one));
  gpueig_status status = precondition<T> (ctx, &p);
  if (status == GPUEIG_SOLVER_FAILED)
    CU (cudaMemcpyAsync (p.f, p.m, (size_t) (n * n) * sizeof (T),
                         cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
  else
    {
      GE_TRY (status);
      GE_TRY (small_rotations<T> (ctx, &p, plan, steps, &done));
    }
  one.f = p.f;
  if (done)
    GE_TRY (onesided_store<T> (ctx, &one, s->n));
  else
    GE_TRY (onesided_columns<T> (ctx, &one, ONESIDED_SHIFTED, plan));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status onesided_large<T> (                                   \
      gpueig_context *, const onesided_stack<T> *, const onesided_plan *,      \
      int64_t, int *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
