/* One-sided Jacobi for pages of middle order: rotations in single precision,
   finished in double precision by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Pages of order 100 and more fill a multiprocessor, so that in double precision
   nothing hides the latency of a round.  In single precision they need half the
   room and half the time.  The eigenvectors found there precondition the double
   precision as in onesided_large.cu: made orthonormal, then steps with all small
   rotations at once, here for all pages in batched products.  Pages whose
   eigenvalues are so close that a rotation is large are solved again by the
   register kernel.  */

#include "blas.cuh"
#include "onesided.cuh"
#include "onesided_numbers.cuh"

#include <string.h>

#define THREADS 256
#define SMALL 0.1
#define STEPS 3

template <typename T> struct single_of
{
  typedef float type;
};
template <> struct single_of<cuDoubleComplex>
{
  typedef cuComplex type;
};

/* Maxima of a page, floats as their bits.  */
typedef struct
{
  float deviation, cosine, hard, easy, norm;
} figures;

template <typename T> struct batch
{
  typedef typename real_of<T>::type R;
  int n;
  int64_t pages, square;
  R tol, least;
  const T *a;
  const onesided_scaling<R> *scaling;
  T *m, *q, *f, *g, *x;
  figures *found;
};

static __device__ __forceinline__ void
keep_largest (float *to, float x)
{
  atomicMax ((int *) to, __float_as_int (x));
}

static __device__ __forceinline__ float
warp_max (float x)
{
#pragma unroll
  for (int k = 16; k > 0; k /= 2)
    x = fmaxf (x, __shfl_xor_sync (FULL_WARP, x, k));
  return x;
}

/* The scaled page without its shift in single precision.  */
template <typename T, typename S>
static __global__ void
to_single (const batch<T> b, S *to)
{
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (at >= b.square * b.pages)
    return;
  int64_t page = at / b.square, in = at % b.square;
  typename real_of<T>::type shift
      = in / b.n == in % b.n ? b.scaling[page].shift : 0;
  set_number (&to[at], (float) (real_part (b.m[at]) - shift),
              (float) imaginary_part (b.m[at]));
}

template <typename T, typename S>
static __global__ void
from_single (const batch<T> b, const S *from)
{
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (at < b.square * b.pages)
    set_number (&b.q[at], real_part (from[at]), imaginary_part (from[at]));
}

/* G <- (3 I - G) / 2.  */
template <typename T>
static __global__ void
newton_schulz (const batch<T> b)
{
  typedef typename real_of<T>::type real;
  int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (at >= b.square * b.pages)
    return;
  int64_t page = at / b.square, in = at % b.square;
  real one = in / b.n == in % b.n;
  real re = real_part (b.g[at]), im = imaginary_part (b.g[at]);
  float deviation = fmaxf ((float) fabs_ (re - one), (float) fabs_ (im));
  set_number (&b.g[at], (3 * one - re) / 2, -im / 2);
  /* Hardly any element is above the page's largest so far.  */
  if (deviation > b.found[page].deviation)
    keep_largest (&b.found[page].deviation, deviation);
}

/* X from G, a warp a column; see onesided_large.cu.  */
template <typename T>
static __global__ void
find_rotations (const batch<T> b)
{
  typedef typename real_of<T>::type real;
  int64_t column = (int64_t) blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  int lane = threadIdx.x & 31, n = b.n;
  if (column >= n * b.pages)
    return;
  int64_t page = column / n;
  int j = (int) (column % n);
  const T *g = b.g + page * b.square;
  T *x = b.x + page * b.square + (int64_t) n * j;
  real bb = real_part (g[j + (int64_t) n * j]);
  float cosine = 0, hard = 0, easy = 0, norm = 0;
  for (int i = lane; i < n; i += 32)
    {
      T value = g[i + (int64_t) n * j];
      real re = real_part (value), im = imaginary_part (value);
      real a = real_part (g[i + (int64_t) n * i]), gap = bb - a;
      real size = is_complex<T>::value ? ge_hypot (re, im) : fabs_ (re);
      float c = (float) size * rsqrtf ((float) (a * bb));
      int large = ! (size < (real) SMALL * fabs_ (gap));
      if (i != j)
        {
          cosine = fmaxf (cosine, c);
          hard = fmaxf (hard, large ? c : 0);
        }
      if (i == j || large || ! (c > (float) b.least))
        re = im = 0;
      else
        {
          easy = fmaxf (easy, c > (float) b.tol ? c : 0);
          re /= gap;
          im /= gap;
          norm += (float) (size / fabs_ (gap));
        }
      set_number (&x[i], re, im);
    }
#pragma unroll
  for (int k = 16; k > 0; k /= 2)
    norm += __shfl_xor_sync (FULL_WARP, norm, k);
  cosine = warp_max (cosine);
  hard = warp_max (hard);
  easy = warp_max (easy);
  if (lane == 0)
    {
      keep_largest (&b.found[page].cosine, cosine);
      keep_largest (&b.found[page].hard, hard);
      keep_largest (&b.found[page].easy, easy);
      keep_largest (&b.found[page].norm, norm);
    }
}

template <typename T>
static gpueig_status
products (gpueig_context *ctx, const batch<T> *b, cublasOperation_t ta,
          const T *x, const T *y, int beta, T *z)
{
  int64_t n = b->n, s = b->square;
  CUBLAS (ge_gemm_strided (ge_cuda_of (ctx)->blas, ta, CUBLAS_OP_N, n, n, n, 1,
                           x, n, s, y, n, s, (typename real_of<T>::type) beta,
                           z, n, s, b->pages));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
orthonormalise (gpueig_context *ctx, batch<T> *b, int times)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  unsigned blocks = (unsigned) ((b->square * b->pages + THREADS - 1) / THREADS);
  for (int k = 0; k < times; k++)
    {
      CU (cudaMemsetAsync (b->found, 0, (size_t) b->pages * sizeof *b->found,
                           stream));
      GE_TRY (products (ctx, b, ge_adjoint<T> (), b->q, b->q, 0, b->g));
      newton_schulz<T><<<blocks, THREADS, 0, stream>>> (*b);
      LAUNCHED ();
      GE_TRY (products (ctx, b, CUBLAS_OP_N, b->q, b->g, 0, b->x));
      T *old = b->q;
      b->q = b->x;
      b->x = old;
    }
  return GPUEIG_OK;
}

/* Is a page with these figures, after rotations by X, done?  */
static int
finished (const figures *f, float tol)
{
  return f->hard <= tol && (f->cosine <= tol || 4 * f->easy * f->norm <= tol);
}

/* The steps of a page go astray: X is not small, or Q not orthonormal.  */
static int
astray (const figures *f)
{
  return ! (f->norm <= 0.5f && f->deviation <= 1e-8f);
}

enum
{
  OPEN,
  DONE,
  FAILED
};

/* Steps for all pages; the columns F are orthogonal afterwards in every page
   whose STATE is DONE.  FOUND: room in host memory.  */
template <typename T>
static gpueig_status
small_rotations (gpueig_context *ctx, batch<T> *b, figures *found, int *state)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t columns = b->n * b->pages, open = b->pages;
  unsigned blocks = (unsigned) ((columns + THREADS / 32 - 1) / (THREADS / 32));
  GE_TRY (orthonormalise (ctx, b, 1));
  for (int step = 0; step < STEPS; step++)
    {
      /* Q (I + X) misses orthonormality by X^2, up to 1e-4.  */
      GE_TRY (orthonormalise (ctx, b, step == 0 ? 1 : 2));
      GE_TRY (products (ctx, b, CUBLAS_OP_N, b->m, b->q, 0, b->f));
      GE_TRY (products (ctx, b, ge_adjoint<T> (), b->f, b->f, 0, b->g));
      find_rotations<T><<<blocks, THREADS, 0, stream>>> (*b);
      LAUNCHED ();
      CU (cudaMemcpyAsync (found, b->found, (size_t) b->pages * sizeof *found,
                           cudaMemcpyDeviceToHost, stream));
      CU (cudaMemcpyAsync (b->f, b->q,
                           (size_t) (b->square * b->pages) * sizeof (T),
                           cudaMemcpyDeviceToDevice, stream));
      GE_TRY (products (ctx, b, CUBLAS_OP_N, b->f, b->x, 1, b->q));
      CU (cudaStreamSynchronize (stream));
      GE_TRY (ge_check_interrupt (ctx));
      open = 0;
      for (int64_t p = 0; p < b->pages; p++)
        {
          if (step == 0 || state[p] != FAILED)
            state[p] = astray (&found[p])                     ? FAILED
                       : finished (&found[p], (float) b->tol) ? DONE
                                                              : OPEN;
          open += state[p] == OPEN;
        }
      if (open == 0)
        break;
    }
  GE_TRY (orthonormalise (ctx, b, 1));
  return products (ctx, b, CUBLAS_OP_N, b->m, b->q, 0, b->f);
}

/* Pages that are not finished, by the register kernel.  */
template <typename T>
static gpueig_status
solve_again (gpueig_context *ctx, const onesided_stack<T> *s, const int *state)
{
  int64_t square = (int64_t) s->n * s->n, run;
  for (int64_t p = 0; p < s->pages; p += run)
    {
      onesided_stack<T> some = *s;
      int done = state[p] == DONE;
      for (run = 1; p + run < s->pages && (state[p + run] == DONE) == done;)
        run++;
      if (done)
        continue;
      some.pages = run;
      some.a = s->a + p * square;
      some.f = NULL;
      some.scaling = s->scaling + p;
      some.lambda = s->lambda + p * s->n;
      some.v = s->v ? s->v + p * square : NULL;
      GE_TRY (onesided_registers<T> (ctx, &some));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
onesided_mixed (gpueig_context *ctx, const onesided_stack<T> *s, int *steps)
{
  typedef typename single_of<T>::type S;
  typedef typename real_of<T>::type real;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t square = (int64_t) s->n * s->n, all = square * s->pages;
  int mark = ge_mark (ctx);
  batch<T> b;
  onesided_stack<T> whole = *s;
  onesided_stack<S> single;
  S *a;
  figures *found;
  int *state;
  memset (&b, 0, sizeof b);
  b.n = s->n;
  b.pages = s->pages;
  b.square = square;
  b.tol = s->tol;
  b.least = fmax (s->tol / 16, (real) (4 * DBL_EPSILON));
  b.scaling = s->scaling;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &found));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &state));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &b.m));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &b.q));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &b.f));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &b.g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &b.x));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s->pages, &b.found));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &a));
  memset (&single, 0, sizeof single);
  single.n = s->n;
  single.pages = s->pages;
  single.a = a;
  single.tol = FLT_EPSILON * sqrtf ((float) s->n);
  single.max_sweeps = s->max_sweeps;
  single.v = (S *) b.f;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s->n * s->pages, &single.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &single.counts));
  CU (cudaMemsetAsync (single.counts, 0, sizeof *single.counts, stream));

  unsigned blocks = (unsigned) ((all + THREADS - 1) / THREADS);
  whole.f = b.m;
  GE_TRY (onesided_prepare<T> (ctx, &whole, ONESIDED_SHIFTED));
  to_single<T, S><<<blocks, THREADS, 0, stream>>> (b, a);
  LAUNCHED ();
  GE_TRY (onesided_registers<S> (ctx, &single));
  from_single<T, S><<<blocks, THREADS, 0, stream>>> (b, single.v);
  LAUNCHED ();
  onesided_counts counts;
  CU (cudaMemcpyAsync (&counts, single.counts, sizeof counts,
                       cudaMemcpyDeviceToHost, stream));
  GE_TRY (small_rotations (ctx, &b, found, state));
  *steps = counts.sweeps;
  whole.f = b.f;
  GE_TRY (onesided_store<T> (ctx, &whole, s->n));
  GE_TRY (solve_again<T> (ctx, s, state));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template gpueig_status onesided_mixed<double> (gpueig_context *,
                                               const onesided_stack<double> *,
                                               int *);
template gpueig_status onesided_mixed<cuDoubleComplex> (
    gpueig_context *, const onesided_stack<cuDoubleComplex> *, int *);
