/* The generators of a tridiagonal inverse on the GPU: the recurrences of
   core/tdinv/generators_typed.c as parallel scans.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A step of the three-term recurrence of the minors is a 2-by-2 matrix, a run
   of steps a product of such matrices.  Kernel scan_chunks: every thread
   multiplies the steps of its chunk, and the 32 threads of a block scan their
   products.  Kernel run_chunks: every block scans the products of all blocks,
   and every thread repeats the steps of its chunk from the state at its
   beginning.  Cumulative products of off-diagonal elements are computed in the
   same way; their scan element is a number and the row where its irreducible
   block begins (a segmented scan).

   The product of matrices loses accuracy where the required solution of the
   recurrence decays relative to the other one.  Then the Wronskian t(j) s(j+1)
   - b c t(j-1) s(j+2), which equals the determinant for every j, is not
   constant.  It is tested for every j; where it deviates, one thread repeats
   the recurrence step by step.  */

#include "tdinv/tdinv.cuh"
#include "base/teams.cuh"
#include "base/wide.cuh"

enum
{
  WARP = 32,
  MAX_CHUNKS
  = 1024, /* so that the block products of scan_chunks are at most one warp */
  LEAST_CHUNK = 8
};

/* The product of a run of steps as a map of the state (x, y) = (t(i), t(i-1)):
   columns (x1, y1) and (x2, y2) of a 2-by-2 matrix.  */
template <typename W> struct run_of_steps
{
  W x1, y1, x2, y2;
};

/* A run of factors: their product since row BEGIN, where the last irreducible
   block in the run begins, or the product of the whole run with BEGIN = -1.  */
template <typename W> struct run_of_factors
{
  W product;
  int64_t begin;
};

/* Arguments of the kernels.  */
template <typename T> struct scan_data
{
  typedef typename wide_type<T>::type W;
  int64_t n, chunk;
  int chunks, blocks;
  const T *c, *a, *b;
  run_of_steps<W>
      *steps; /* 2 tasks: by chunk, inclusive scan within its block */
  run_of_steps<W> *step_ends; /* 2 tasks: products of whole blocks */
  run_of_factors<W> *factors, *factor_ends;
  W *t, *s;         /* leading and trailing minors, n + 1 */
  W *above, *below; /* cumulative products of -b and -c, n */
  int64_t *above_begin, *below_begin;
  tdinv_result *result;
};

/* --- scan elements and their product --- */

/* Normalise a run of steps: a common exponent for all four numbers, the largest
   mantissa in [1, 2).  */
template <typename W>
static __device__ __forceinline__ void
normalize_exponent (run_of_steps<W> *r)
{
  int64_t top = r->x1.e > r->x2.e ? r->x1.e : r->x2.e;
  double size = fmax (wide_mantissa_size (r->x1), wide_mantissa_size (r->y1));
  double other = fmax (wide_mantissa_size (r->x2), wide_mantissa_size (r->y2));
  double f1 = wide_shift (r->x1.e - top), f2 = wide_shift (r->x2.e - top);
  size = fmax (size * f1, other * f2);
  int64_t k = size == 0 ? 0 : ge_exponent (size);
  f1 *= ge_pow2 (-k);
  f2 *= ge_pow2 (-k);
  r->x1 = wide_scale (r->x1, f1);
  r->y1 = wide_scale (r->y1, f1);
  r->x2 = wide_scale (r->x2, f2);
  r->y2 = wide_scale (r->y2, f2);
  r->x1.e = r->y1.e = r->x2.e = r->y2.e = size == 0 ? 0 : top + k;
}

/* The product of two normalised runs, normalised.  */
template <typename W>
static __device__ run_of_steps<W>
join (run_of_steps<W> later, run_of_steps<W> earlier)
{
  run_of_steps<W> r;
  r.x1 = wide_mantissa_sum (later.x1, earlier.x1, later.x2, earlier.y1);
  r.y1 = wide_mantissa_sum (later.y1, earlier.x1, later.y2, earlier.y1);
  r.x2 = wide_mantissa_sum (later.x1, earlier.x2, later.x2, earlier.y2);
  r.y2 = wide_mantissa_sum (later.y1, earlier.x2, later.y2, earlier.y2);
  r.x1.e = r.x2.e = later.x1.e + earlier.x1.e;
  normalize_exponent (&r);
  return r;
}

template <typename W>
static __device__ run_of_factors<W>
join (run_of_factors<W> later, run_of_factors<W> earlier)
{
  if (later.begin >= 0)
    return later;
  later.product = wide_mul (later.product, earlier.product);
  later.begin = earlier.begin;
  return later;
}

/* Inclusive scan over the block, which is one warp; SHARED has 32 elements.
   The warp barriers separate writing SHARED from reading it; all lanes must
   call it. (The elements are too large for shuffles to pay.) */
template <typename E>
static __device__ E
scan_block (E mine, E *shared)
{
  int lane = threadIdx.x;
  for (int distance = 1; distance < WARP; distance *= 2)
    {
      shared[lane] = mine;
      this_warp ().sync ();
      if (lane >= distance)
        mine = join (mine, shared[lane - distance]);
      this_warp ().sync ();
    }
  return mine;
}

template <typename W>
static __device__ void
make_identity (run_of_steps<W> *r)
{
  r->x1 = r->y2 = wide_whole (1, W ());
  r->x2 = r->y1 = wide_whole (0, W ());
  r->x2.e = r->y1.e = 0;
}

template <typename W>
static __device__ void
make_identity (run_of_factors<W> *r)
{
  r->product = wide_whole (1, W ());
  r->begin = -1;
}

/* --- steps of the recurrence --- */

/* The index of the diagonal element that step I uses, t(i+1) from t(i) and
   t(i-1); BACKWARD: for the trailing minors, from the other end.  */
template <typename T>
static __device__ __forceinline__ int64_t
diagonal_index (const scan_data<T> *d, int backward, int64_t i)
{
  return backward ? d->n - 1 - i : i;
}

template <typename T, typename W>
static __device__ void
advance (const scan_data<T> *d, int backward, int64_t i, W *x, W *y)
{
  int64_t at = diagonal_index (d, backward, i), off = backward ? at : at - 1;
  W g = wide_whole (0, W ());
  if (i > 0)
    g = wide_mul (wide_entry (d->b[off]), wide_entry (d->c[off]));
  W next = wide_step (wide_entry (d->a[at]), *x, g, *y);
  *y = *x;
  *x = next;
}

/* Nonzero if every element that steps FROM to TO use is zero or of modulus
   between 2^-40 and 2^40.  Then LEAST_CHUNK steps cannot overflow without
   exponents.  */
template <typename T>
static __device__ int
is_moderate (const scan_data<T> *d, int backward, int64_t from, int64_t to)
{
  double most = 0, least = 1;
  for (int64_t i = from; i < to; i++)
    {
      int64_t at = diagonal_index (d, backward, i),
              off = backward ? at : at - 1;
      double a = wide_mantissa_size (wide_raw (d->a[at]));
      double b = 0, c = 0;
      if (i > 0)
        {
          b = wide_mantissa_size (wide_raw (d->b[off]));
          c = wide_mantissa_size (wide_raw (d->c[off]));
        }
      most = fmax (most, fmax (a, fmax (b, c)));
      least = fmin (least, a == 0 ? 1 : a);
      least = fmin (least, fmin (b == 0 ? 1 : b, c == 0 ? 1 : c));
    }
  return most <= 0x1p40 && least >= 0x1p-40;
}

/* Give x and y a common exponent, the larger mantissa in [1, 2).  */
template <typename W>
static __device__ __forceinline__ void
share_exponent (W *x, W *y)
{
  int64_t top = x->e > y->e ? x->e : y->e;
  *x = wide_scale (*x, wide_shift (x->e - top));
  *y = wide_scale (*y, wide_shift (y->e - top));
  double size = fmax (wide_mantissa_size (*x), wide_mantissa_size (*y));
  int64_t k = size == 0 ? 0 : ge_exponent (size);
  *x = wide_scale (*x, ge_pow2 (-k));
  *y = wide_scale (*y, ge_pow2 (-k));
  x->e = y->e = top + k;
}

/* Steps FROM to TO for COUNT independent states, interleaved to hide latency.
   MINOR, if not NULL, receives every minor of the first state.  */
template <int COUNT, typename T, typename W>
static __device__ void
run_steps (const scan_data<T> *d, int backward, int64_t from, int64_t to, W *x,
           W *y, W *minor)
{
  int moderate = is_moderate (d, backward, from, to);
  for (int64_t begin = from; begin < to; begin += LEAST_CHUNK)
    {
      int64_t end = begin + LEAST_CHUNK < to ? begin + LEAST_CHUNK : to;
      if (moderate)
        for (int m = 0; m < COUNT; m++)
          share_exponent (&x[m], &y[m]);
      for (int64_t i = begin; i < end; i++)
        {
          int64_t at = diagonal_index (d, backward, i),
                  off = backward ? at : at - 1;
          if (! moderate)
            for (int m = 0; m < COUNT; m++)
              advance (d, backward, i, &x[m], &y[m]);
          else
            {
              W a = wide_raw (d->a[at]), g = wide_raw (T ());
              if (i > 0)
                g = wide_mantissa_mul (wide_raw (d->b[off]),
                                       wide_raw (d->c[off]));
#pragma unroll
              for (int m = 0; m < COUNT; m++)
                {
                  W next = wide_mantissa_step (a, x[m], g, y[m]);
                  y[m] = x[m];
                  x[m] = next;
                }
            }
          if (minor)
            minor[backward ? at : i + 1] = moderate ? wide_normal (x[0]) : x[0];
        }
    }
  if (moderate)
    for (int m = 0; m < COUNT; m++)
      {
        x[m] = wide_normal (x[m]);
        y[m] = wide_normal (y[m]);
      }
}

/* Scan element J of the cumulative product of -E.  */
template <typename T, typename W>
static __device__ run_of_factors<W>
factor (const T *e, int64_t j, W like)
{
  run_of_factors<W> r;
  r.product = like;
  r.begin = -1;
  if (j > 0)
    r.product = wide_neg (wide_entry (e[j - 1]));
  if (j == 0 || r.product.e == WIDE_ZERO)
    {
      r.product = wide_whole (1, W ());
      r.begin = j;
    }
  return r;
}

/* --- the two kernels of the scan ---

   Grid: (blocks, 4), blocks of one warp.  blockIdx.y is the task: 0 leading
   minors, 1 trailing minors, 2 products of -b, 3 products of -c.  Thread k of a
   task has chunk k.  */

/* Products of every chunk, scanned within blocks.  */

template <typename T>
static __global__ void
__launch_bounds__ (WARP) scan_chunks (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  __shared__ union
  {
    char steps[WARP * sizeof (run_of_steps<W>)];
    int64_t align;
  } memory;
  int task = blockIdx.y, k = blockIdx.x * WARP + threadIdx.x;
  int64_t from = k * d.chunk, to = from + d.chunk;
  to = to < d.n ? to : d.n;
  if (k == 0 && task == 0)
    {
      tdinv_result none = { 0 };
      *d.result = none;
    }
  if (task < 2)
    {
      run_of_steps<W> r;
      make_identity (&r);
      W x[2] = { r.x1, r.x2 }, y[2] = { r.y1, r.y2 };
      run_steps<2> (&d, task, from, to, x, y, (W *) NULL);
      share_exponent (&x[0], &y[0]);
      share_exponent (&x[1], &y[1]);
      r.x1 = x[0];
      r.y1 = y[0];
      r.x2 = x[1];
      r.y2 = y[1];
      normalize_exponent (&r);
      r = scan_block (r, (run_of_steps<W> *) memory.steps);
      if (k < d.chunks)
        d.steps[task * MAX_CHUNKS + k] = r;
      if (threadIdx.x == WARP - 1)
        d.step_ends[task * WARP + blockIdx.x] = r;
    }
  else
    {
      const T *e = task == 2 ? d.b : d.c;
      run_of_factors<W> r;
      make_identity (&r);
      for (int64_t j = from; j < to; j++)
        r = join (factor (e, j, r.product), r);
      r = scan_block (r, (run_of_factors<W> *) memory.steps);
      if (k < d.chunks)
        d.factors[(task - 2) * MAX_CHUNKS + k] = r;
      if (threadIdx.x == WARP - 1)
        d.factor_ends[(task - 2) * WARP + blockIdx.x] = r;
    }
}

/* The product of all chunks before chunk K: the scan of the block products
   (every block does it, at most 32 of them) and the scan within the block.
   Threads without a chunk only take part in the warp's scan.  */
template <typename E>
static __device__ E
run_before (int k, int chunks, int blocks, const E *ends, const E *runs,
            E *shared)
{
  E before, mine;
  make_identity (&before);
  make_identity (&mine);
  if ((int) threadIdx.x < blocks)
    mine = ends[threadIdx.x];
  mine = scan_block (mine, shared);
  shared[threadIdx.x] = mine;
  this_warp ().sync ();
  if (blockIdx.x > 0)
    before = shared[blockIdx.x - 1];
  if (threadIdx.x > 0 && k < chunks)
    before = join (runs[k - 1], before);
  return before;
}

/* The recurrence within every chunk, from the state at its beginning.  The
   kernel boundary orders it after scan_chunks.  */
template <typename T>
static __global__ void
__launch_bounds__ (WARP) run_chunks (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  __shared__ union
  {
    char steps[WARP * sizeof (run_of_steps<W>)];
    int64_t align;
  } memory;
  int task = blockIdx.y, k = blockIdx.x * WARP + threadIdx.x;
  int64_t from = k * d.chunk, to = from + d.chunk;
  to = to < d.n ? to : d.n;
  if (task < 2)
    {
      run_of_steps<W> r = run_before (
          k, d.chunks, d.blocks, d.step_ends + task * WARP,
          d.steps + task * MAX_CHUNKS, (run_of_steps<W> *) memory.steps);
      W x = wide_normal (r.x1), y = wide_normal (r.y1);
      W *minor = task == 0 ? d.t : d.s;
      if (k == 0)
        minor[task == 0 ? 0 : d.n] = x;
      run_steps<1> (&d, task, from, to, &x, &y, minor);
    }
  else
    {
      const T *e = task == 2 ? d.b : d.c;
      W *product = task == 2 ? d.above : d.below;
      int64_t *begin = task == 2 ? d.above_begin : d.below_begin;
      run_of_factors<W> r = run_before (k, d.chunks, d.blocks,
                                        d.factor_ends + (task - 2) * WARP,
                                        d.factors + (task - 2) * MAX_CHUNKS,
                                        (run_of_factors<W> *) memory.steps);
      for (int64_t j = from; j < to; j++)
        {
          r = join (factor (e, j, r.product), r);
          product[j] = r.product;
          begin[j] = r.begin;
        }
    }
}

/* The minors by the sequential recurrence: two blocks of one thread, leading
   and trailing minors.  */
template <typename T>
static __global__ void
run_sequential (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  int backward = blockIdx.x;
  W x = wide_whole (1, W ()), y = wide_whole (0, W ());
  W *minor = backward ? d.s : d.t;
  minor[backward ? d.n : 0] = x;
  for (int64_t i = 0; i < d.n; i++)
    {
      advance (&d, backward, i, &x, &y);
      minor[backward ? d.n - 1 - i : i + 1] = x;
    }
}

/* --- factors --- */

template <typename R, typename W>
static __device__ void
store_mantissa (R *re, R *im, int64_t j, W x)
{
  re[j] = (R) wide_re (x);
  if (im)
    im[j] = (R) wide_im (x);
}

/* The largest exponent over the block of TDINV_GROUP threads, by a tree in
   shared memory.  */
static __device__ int64_t
top_of_group (int64_t e, int64_t *shared)
{
  __syncthreads ();
  shared[threadIdx.x] = e;
  __syncthreads ();
  for (int half = TDINV_GROUP / 2; half > 0; half /= 2)
    {
      if ((int) threadIdx.x < half
          && shared[threadIdx.x + half] > shared[threadIdx.x])
        shared[threadIdx.x] = shared[threadIdx.x + half];
      __syncthreads ();
    }
  return shared[0];
}

template <typename R, typename W>
static __device__ void
store_row (const tdinv_row_factor<R> *f, int64_t n, int64_t j, W x,
           int64_t *shared)
{
  int64_t top = top_of_group (j < n ? x.e : WIDE_ZERO, shared);
  if (threadIdx.x == 0)
    f->top[blockIdx.x] = top;
  if (j >= n)
    return;
  store_mantissa (f->re, f->im, j, x);
  f->e[j] = (int32_t) (x.e - top < -(1 << 20) ? -(1 << 20) : x.e - top);
}

/* The factors of the inverse and the test of the Wronskian.  One block per
   group of TDINV_GROUP rows, one thread per row; shared memory is for the
   maximum of the exponents.  */
template <typename T>
static __global__ void
__launch_bounds__ (TDINV_GROUP)
    make_factors (scan_data<T> d, tdinv_factors<typename real_of<T>::type> f,
                  tdinv_result *result)
{
  typedef typename wide_type<T>::type W;
  __shared__ int64_t shared[TDINV_GROUP];
  int64_t n = d.n, j = (int64_t) blockIdx.x * TDINV_GROUP + threadIdx.x;
  W det = d.t[n], u = wide_whole (0, W ()), p = u;
  if (det.e == WIDE_ZERO)
    {
      if (threadIdx.x == 0)
        result->zero = 1;
      return;
    }
  if (j < n)
    {
      W one_over_det = wide_inverse (det);
      W t = d.t[j], s = d.s[j + 1], above = d.above[j], below = d.below[j];
      u = wide_mul (t, wide_inverse (above));
      p = wide_mul (below, s);
      W v = wide_mul (wide_mul (above, s), one_over_det);
      W q = wide_mul (wide_mul (t, wide_inverse (below)), one_over_det);
      store_mantissa (f.v.re, f.v.im, j, v);
      store_mantissa (f.q.re, f.q.im, j, q);
      f.v.e[j] = v.e;
      f.q.e[j] = q.e;
      /* The Wronskian, divided by the determinant, minus 1.  */
      W w = wide_mul (d.t[j + 1], s);
      if (j < n - 1)
        {
          W g = wide_mul (wide_entry (d.b[j]), wide_entry (d.c[j]));
          w = wide_add (w, wide_neg (wide_mul (wide_mul (g, t), d.s[j + 2])));
        }
      w = wide_add (wide_mul (w, one_over_det), wide_whole (-1, W ()));
      if (w.e > TDINV_DEVIATION)
        result->deviates = 1;
    }
  store_row (&f.u, n, j, u, shared);
  store_row (&f.p, n, j, p, shared);
}

/* --- host --- */

template <typename T>
static gpueig_status
alloc_scan (gpueig_context *ctx, int64_t n, scan_data<T> *d)
{
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * MAX_CHUNKS, &d->steps));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * WARP, &d->step_ends));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * MAX_CHUNKS, &d->factors));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * WARP, &d->factor_ends));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n + 1, &d->t));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n + 1, &d->s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &d->above));
  return GE_ALLOC (ctx, GE_DEVICE, n, &d->below);
}

template <typename T>
gpueig_status
tdinv_cuda_generate (gpueig_context *ctx, int64_t n, const T *c, const T *a,
                     const T *b, int sequential,
                     tdinv_factors<typename real_of<T>::type> *f,
                     tdinv_result *result)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  scan_data<T> d;
  int mark = ge_mark (ctx);
  GE_TRY (alloc_scan (ctx, n, &d));
  d.n = n;
  d.c = c;
  d.a = a;
  d.b = b;
  d.chunk = (n + MAX_CHUNKS - 1) / MAX_CHUNKS;
  if (d.chunk < LEAST_CHUNK)
    d.chunk = LEAST_CHUNK;
  d.chunks = (int) ((n + d.chunk - 1) / d.chunk);
  d.blocks = (d.chunks + WARP - 1) / WARP;
  d.above_begin = f->above;
  d.below_begin = f->below;
  d.result = result;
  GE_TRY (ge_timer_start (ctx));
  dim3 grid ((unsigned) d.blocks, 4);
  GE_LAUNCH (scan_chunks<T>, grid, WARP, 0, stream) (d);
  LAUNCHED ();
  GE_LAUNCH (run_chunks<T>, grid, WARP, 0, stream) (d);
  LAUNCHED ();
  if (sequential)
    {
      GE_LAUNCH (run_sequential<T>, 2, 1, 0, stream) (d);
      LAUNCHED ();
    }
  unsigned groups = (unsigned) ((n + TDINV_GROUP - 1) / TDINV_GROUP);
  GE_LAUNCH (make_factors<T>, groups, TDINV_GROUP, 0, stream) (d, *f, result);
  LAUNCHED ();
  /* Memory released here is reused in stream order only, also by the side
     stream, which waits for an event recorded after these kernels.  */
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_generate (                                 \
      gpueig_context *, int64_t, const T *, const T *, const T *, int,         \
      tdinv_factors<real_of<T>::type> *, tdinv_result *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
