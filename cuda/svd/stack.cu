/* Stacks of small pages on the GPU: one-sided Jacobi, a block for each page, which is in
   shared memory if it fits.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As core/methods/svd/lanes_typed.c: the columns of the page, or of its conjugate transpose if it
   is wide, are rotated until they are orthogonal, with V below them; the page is scaled to
   elements below 1 first, or for high relative accuracy every column is, whenever its length
   changes much: rotations of columns of very different length neither overflow nor
   underflow.  LANES lanes rotate a pair; the pairs of a round are disjoint, a barrier
   separates rounds.  */

#include "base/blas.cuh"
#include "base/products.cuh"
#include "onesided/columns.cuh"
#include "svd/scaled.cuh"
#include "svd/stack.cuh"
#include "tridiagonal/stack.cuh"

#include "base/round_robin.h"

#include <float.h>
#include <string.h>

enum
{
  LANES = 8, /* of a pair */
  MOST_THREADS = 512,
  LONGEST = 8192,     /* side of a page */
  LEAST_GRAM = 12,    /* from this shorter side on sweeps are worth saving */
  LEAST_PRODUCTS = 24 /* and products of all pages are faster than they */
};

/* In memory, after the columns: those that complete the long side's vectors, then
   lengths, squared norms of rows, the order, and the exponents of the columns' scaling.  */
template <typename T> struct svd_page
{
  T *f, *more;
  ge_real<T> *length, *rows;
  int *order, *exponent;
};

template <typename T>
static size_t
bytes_of_page (const svd_stack<T> &s)
{
  return ((size_t) s.ld * s.k + (size_t) s.l * (s.columns - s.k)) * sizeof (T)
         + (size_t) (s.k + s.l) * sizeof (ge_real<T>)
         + 2 * (size_t) s.k * sizeof (int);
}

template <typename T>
GE_DEVICE_INLINE svd_page<T>
lay_out (const svd_stack<T> &s, char *space)
{
  svd_page<T> p;
  p.f = (T *) space;
  p.more = p.f + s.ld * s.k;
  p.length = (ge_real<T> *) (p.more + s.l * (s.columns - s.k));
  p.rows = p.length + s.k;
  p.order = (int *) (p.rows + s.l);
  p.exponent = p.order + s.k;
  return p;
}

/* Column C of the long side's vectors, in descending order of the values.  */
template <typename T>
GE_DEVICE_INLINE T *
left_column (const svd_stack<T> &s, const svd_page<T> &p, int c)
{
  return c < s.k ? p.f + s.ld * p.order[c] : p.more + s.l * (c - s.k);
}

/* F, columns of LD elements, becomes the page A, if SCALED scaled, or its conjugate transpose.
   The exponent of the scaling; 32768 if an element is not finite.  */
template <typename T>
static __device__ int
load (const svd_stack<T> &s, const T *a, T *f, int ld, int scaled, int *most)
{
  typedef ge_real<T> R;
  const int elements = s.m * s.n, wide = s.m < s.n;
  R largest = 0;
  int bad = 0;
  if (threadIdx.x == 0)
    *most = -16384;
  __syncthreads ();
  for (int i = threadIdx.x; scaled && i < elements; i += blockDim.x)
    {
      const T x = a[i];
      const R size = fmax_ (fabs_ (real_part (x)), fabs_ (imaginary_part (x)));
      bad |= ! (fabs_ (real_part (x)) + fabs_ (imaginary_part (x)) - size
                <= size);
      largest = fmax_ (largest, size);
    }
  atomicMax (most, bad ? 32768 : largest > 0 ? exponent_of (largest) : -16384);
  __syncthreads ();
  const int exponent = *most == -16384 ? 0 : *most;
  for (int i = threadIdx.x; i < elements; i += blockDim.x)
    {
      const T x = exponent == 32768 ? zero<T> () : a[i];
      const R im = scale_by (imaginary_part (x), -exponent);
      int at = i;
      if (wide)
        at = i / s.m + ld * (i % s.m);
      else if (ld != s.m)
        at = i % s.m + ld * (i / s.m);
      f[at] = make_number<T> (scale_by (real_part (x), -exponent),
                              wide ? -im : im);
    }
  return exponent;
}

/* As load, with a scaling of its own for each column.  */
template <typename T>
static __device__ int
load_columns (const svd_stack<T> &s, const T *a, const svd_page<T> &p,
              int *most)
{
  typedef ge_real<T> R;
  const int lane = threadIdx.x % LANES, wide = s.m < s.n;
  const int step = wide ? s.m : 1, other = wide ? 1 : s.m;
  int bad = 0;
  if (threadIdx.x == 0)
    *most = 0;
  __syncthreads ();
  for (int j = threadIdx.x / LANES; j < s.k; j += blockDim.x / LANES)
    {
      const T *x = a + (int64_t) other * j;
      R size = 0;
      for (int i = lane; i < s.l; i += LANES)
        {
          const T z = x[(int64_t) step * i];
          const R re = fabs_ (real_part (z)), im = fabs_ (imaginary_part (z));
          bad |= ! (re - re == 0 && im - im == 0);
          size = fmax_ (size, fmax_ (re, im));
        }
      size = tile_max<LANES> (size);
      const int e = size > 0 ? exponent_of (size) : -5000;
      if (lane == 0)
        p.exponent[j] = e;
      for (int i = lane; i < s.l; i += LANES)
        {
          const T z = x[(int64_t) step * i];
          const R im = scale_by (imaginary_part (z), -e);
          p.f[i + s.ld * j]
              = make_number<T> (scale_by (real_part (z), -e), wide ? -im : im);
        }
    }
  if (bad)
    *most = 32768;
  __syncthreads ();
  return *most;
}

/* The columns of a page in P, V below them; the exponent of load.  */
template <typename T>
static __device__ int
begin (const svd_stack<T> &s, int64_t page, const svd_page<T> &p, int *most)
{
  const int below = s.rows - s.l;
  int exponent;
  for (int i = threadIdx.x; i < s.k * below; i += blockDim.x)
    p.f[s.l + i % s.k + s.ld * (i / s.k)]
        = s.b ? s.w[page * s.k * s.k + i]
              : make_number<T> (i % s.k == i / s.k, 0);
  if (s.high)
    return load_columns (s, s.a + page * s.m * s.n, p, most);
  if (s.b)
    {
      exponent = s.exponent[page];
      for (int i = threadIdx.x; i < s.l * s.k; i += blockDim.x)
        p.f[i % s.l + s.ld * (i / s.l)] = s.b[page * s.l * s.k + i];
    }
  else
    exponent = load (s, s.a + page * s.m * s.n, p.f, s.ld, 1, most);
  for (int i = threadIdx.x; i < s.k; i += blockDim.x)
    p.exponent[i] = exponent;
  return exponent;
}

/* The number of sweeps, negative if the columns are not orthogonal then.  */
template <typename T>
static __device__ int
converge (const svd_stack<T> &s, const svd_page<T> &p, int *maxima)
{
  const int even = s.k + s.k % 2, tiles = blockDim.x / LANES;
  const int tile = threadIdx.x / LANES;
  const shape w = { s.k, s.l, s.rows, (double) s.tol,
                    (double) s.tol * (double) shortest<ge_real<T>> () };
  for (int sweep = 1; sweep <= MOST_SWEEPS; sweep++)
    {
      float cosine = 0, sine = 0;
      if (threadIdx.x < 2)
        maxima[threadIdx.x] = 0;
      __syncthreads ();
      for (int round = 0; round < even - 1; round++)
        {
          for (int g = tile; g < even / 2; g += tiles)
            {
              int i, j;
              ge_round_pair (even, round, g, &i, &j);
              if (j < s.k && s.high)
                rotate_scaled<LANES> (&w, p.f + s.ld * i, p.f + s.ld * j,
                                      &p.exponent[i], &p.exponent[j], &cosine,
                                      &sine);
              else if (j < s.k)
                rotate_columns<LANES, 0> (&w, p.f + s.ld * i, p.f + s.ld * j,
                                          &cosine, &sine);
            }
          __syncthreads ();
        }
      if (cosine > 0)
        {
          atomicMax (&maxima[0], __float_as_int (cosine));
          atomicMax (&maxima[1], __float_as_int (sine));
        }
      __syncthreads ();
      cosine = sqrtf (__int_as_float (maxima[0]));
      sine = sqrtf (__int_as_float (maxima[1]));
      __syncthreads ();
      if (ge_onesided_done ((float) s.k, sine, cosine, (float) s.tol))
        return sweep;
    }
  return -MOST_SWEEPS;
}

/* Lengths and order of the columns; their number above the shortest.  */
template <typename T>
static __device__ int
sort_columns (const svd_stack<T> &s, const svd_page<T> &p, int *rank)
{
  typedef ge_real<T> R;
  const int lane = threadIdx.x % LANES;
  if (threadIdx.x == 0)
    *rank = 0;
  for (int j = threadIdx.x / LANES; j < s.k; j += blockDim.x / LANES)
    {
      R sum = 0;
      for (int i = lane; i < s.l; i += LANES)
        sum = add_square (p.f[i + s.ld * j], sum);
      sum = tile_sum<LANES> (sum);
      if (lane == 0)
        p.rows[j] = sqrt_ (sum);
    }
  __syncthreads ();
  for (int j = threadIdx.x; j < s.k; j += blockDim.x)
    {
      const R mine = p.rows[j];
      int at = 0;
      for (int i = 0; i < s.k; i++)
        {
          /* In units of column J; a quotient of very different lengths is 0 or Inf.  */
          const R other
              = p.exponent[i] == p.exponent[j]
                    ? p.rows[i]
                    : scale_by (p.rows[i], p.exponent[i] - p.exponent[j]);
          at += other > mine || (other == mine && i < j);
        }
      p.length[at] = mine;
      p.order[at] = j;
      if (mine > shortest<R> ())
        atomicAdd (rank, 1);
    }
  __syncthreads ();
  return *rank;
}

/* Columns FIRST on of the long side's vectors become orthonormal to those before: each is
   the unit vector farthest from their span, made orthogonal to them twice.  By the first
   warp.  */
template <typename T>
static __device__ void
complete (const svd_stack<T> &s, const svd_page<T> &p, int first)
{
  typedef ge_real<T> R;
  const int lane = threadIdx.x;
  for (int i = lane; i < s.l; i += 32)
    {
      R sum = 0;
      for (int j = 0; j < first; j++)
        sum = add_square (left_column (s, p, j)[i], sum);
      p.rows[i] = sum;
    }
  this_warp ().sync ();
  for (int c = first; c < s.columns; c++)
    {
      T *x = left_column (s, p, c);
      int least = 0;
      R sum = 0;
      for (int i = 0; i < s.l; i++)
        least = p.rows[i] < p.rows[least] ? i : least;
      for (int i = lane; i < s.l; i += 32)
        x[i] = make_number<T> (i == least, 0);
      this_warp ().sync ();
      for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < c; j++)
          {
            const T *y = left_column (s, p, j);
            T d = zero<T> ();
            for (int i = lane; i < s.l; i += 32)
              d = conj_mul_add (y[i], x[i], d);
            d = make_number<T> (tile_sum<32> (real_part (d)),
                                tile_sum<32> (imaginary_part (d)));
            for (int i = lane; i < s.l; i += 32)
              x[i] = mul_sub (d, y[i], x[i]);
          }
      for (int i = lane; i < s.l; i += 32)
        sum = add_square (x[i], sum);
      sum = 1 / sqrt_ (tile_sum<32> (sum));
      for (int i = lane; i < s.l; i += 32)
        {
          x[i] = make_number<T> (real_part (x[i]) * sum,
                                 imaginary_part (x[i]) * sum);
          p.rows[i] = add_square (x[i], p.rows[i]);
        }
      this_warp ().sync ();
    }
}

template <typename T>
static __device__ void
store (const svd_stack<T> &s, const svd_page<T> &p, int64_t page, int rank)
{
  const int wide = s.m < s.n;
  for (int i = threadIdx.x; i < s.values; i += blockDim.x)
    s.s[page * s.values + i]
        = scale_by (p.length[s.first + i], p.exponent[p.order[s.first + i]]);
  if (! s.u)
    return;
  T *u = s.u + page * s.m * s.of_u, *v = s.v + page * s.n * s.of_v;
  T *left = wide ? v : u, *right = wide ? u : v;
  const int of_left = wide ? s.of_v : s.of_u;
  for (int i = threadIdx.x; i < s.l * rank; i += blockDim.x)
    {
      T *x = left_column (s, p, i / s.l) + i % s.l;
      const ge_real<T> length = p.length[i / s.l];
      *x = make_number<T> (real_part (*x) / length,
                           imaginary_part (*x) / length);
    }
  __syncthreads ();
  if (rank < s.columns)
    {
      if (threadIdx.x < 32)
        complete (s, p, rank);
      __syncthreads ();
    }
  for (int i = threadIdx.x; i < s.l * of_left; i += blockDim.x)
    left[i] = left_column (s, p, s.first + i / s.l)[i % s.l];
  for (int i = threadIdx.x; i < s.k * s.values; i += blockDim.x)
    right[i] = p.f[s.ld * p.order[s.first + i / s.k] + s.l + i % s.k];
}

template <typename T> GE_KERNEL (MOST_THREADS) svd_pages (const svd_stack<T> s)
{
  extern __shared__ char space[];
  __shared__ int shared[2];
  const int64_t page = blockIdx.x;
  if (s.only_left && ! s.state[page])
    return;
  const svd_page<T> p
      = lay_out (s, s.scratch ? s.scratch + page * s.bytes : space);
  const int exponent = begin (s, page, p, shared);
  if (exponent == 32768)
    {
      if (threadIdx.x == 0)
        s.state[page] = 1;
      return;
    }
  __syncthreads ();
  const int sweeps = converge (s, p, shared);
  const int rank = sort_columns (s, p, shared);
  store (s, p, page, rank);
  if (threadIdx.x == 0)
    {
      s.state[page] = sweeps < 0;
      atomicMax (s.sweeps, abs (sweeps));
    }
}

template <typename T>
svd_stack<T>
ge_svd_describe (const gpueig_svd_problem *g)
{
  typedef ge_real<T> R;
  svd_stack<T> s = {};
  s.m = (int) g->m;
  s.n = (int) g->n;
  s.k = (int) ge_svd_short (g);
  s.l = (int) ge_svd_long (g);
  s.rows = s.l + (g->u ? s.k : 0);
  /* Tiles with neighbouring columns use different banks.  */
  s.ld = ((s.rows + LANES - 1) / LANES | 1) * LANES;
  s.first = g->first ? (int) g->first - 1 : 0;
  s.values = (int) ge_svd_values (g);
  s.of_u = (int) ge_svd_columns (g, g->m);
  s.of_v = (int) ge_svd_columns (g, g->n);
  s.columns = g->u && g->full ? s.l : s.k;
  s.tol = (R) ((sizeof (R) == 8 ? DBL_EPSILON : FLT_EPSILON)
               * sqrt ((double) s.l));
  return s;
}

template <typename T>
int
ge_svd_fits_shared (gpueig_context *ctx, const gpueig_svd_problem *g)
{
  return ge_svd_long (g) <= LONGEST
         && ge_shared_fits (ctx, bytes_of_page (ge_svd_describe<T> (g)));
}

template <typename T>
static __global__ void
load_pages (const svd_stack<T> s, int all, T *to)
{
  __shared__ int most;
  const int64_t page = blockIdx.x, elements = s.m * s.n;
  const int scaled = all || s.exponent[page];
  const int exponent = load (s, s.a + page * elements, to + page * elements,
                             s.l, scaled, &most);
  if (threadIdx.x == 0)
    s.exponent[page] = exponent;
}

template <typename T>
gpueig_status
ge_svd_load (gpueig_context *ctx, const svd_stack<T> *s, int64_t pages, int all,
             T *a)
{
  const int threads = s->l * s->k < 1 << 14 ? 256 : 1024;
  GE_LAUNCH (load_pages<T>, (unsigned) pages, threads, 0, *s, all, a);
  return GPUEIG_OK;
}

/* Start with the eigenvectors W of the Gram matrices: the columns of the pages times W are
   almost orthogonal, but for the short ones.  */
template <typename T>
static gpueig_status
precondition (gpueig_context *ctx, svd_stack<T> *s, int64_t pages)
{
  typedef ge_real<T> R;
  const int l = s->l, k = s->k;
  const int64_t elements = (int64_t) l * k, square = (int64_t) k * k;
  T *a, *b, *g, *w;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, elements * pages, &a, &b));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square * pages, &g, &w));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s->exponent));
  GE_TRY (ge_svd_load<T> (ctx, s, pages, 1, a));
  GE_TRY (ge_cuda_products<T> (ctx, ge_adjoint<T> (), k, k, l, pages, TOGETHER,
                               (R) 1, a, a, (R) 0, g));
  GE_TRY (ge_stack_basis<T> (ctx, k, pages, g, w, NULL));
  GE_TRY (ge_cuda_products<T> (ctx, CUBLAS_OP_N, l, k, k, pages, TOGETHER,
                               (R) 1, a, w, (R) 0, b));
  s->b = b;
  s->w = w;
  return GPUEIG_OK;
}

/* Solve the pages, or with s->only_left those that are left, by blocks.  */
template <typename T>
static gpueig_status
solve_by_blocks (gpueig_context *ctx, svd_stack<T> *s, int64_t pages)
{
  const int wanted = (s->k / 2 + s->k % 2) * LANES;
  const int threads = wanted < 32             ? 32
                      : wanted > MOST_THREADS ? (int) MOST_THREADS
                                              : (wanted + 31) / 32 * 32;
  const int shared = ge_shared_fits (ctx, bytes_of_page (*s));
  s->bytes = ((int64_t) bytes_of_page (*s) + 15) / 16 * 16;
  if (shared)
    GE_ALLOW_SHARED (svd_pages<T>, s->bytes);
  else
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s->bytes * pages, &s->scratch));
  GE_LAUNCH (svd_pages<T>, (unsigned) pages, threads,
             shared ? (size_t) s->bytes : 0, *s);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_svd_stack (gpueig_context *ctx, const gpueig_svd_problem *g,
              const svd_arrays<T> *arrays, int high, unsigned char *state,
              int64_t *sweeps)
{
  typedef ge_real<T> R;
  svd_stack<T> s = ge_svd_describe<T> (g);
  int most = 0, left = 1;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, g->pages, &s.state));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s.sweeps));
  s.a = arrays->a;
  s.s = arrays->s;
  s.u = arrays->u;
  s.v = arrays->v;
  GE_TRY (ge_clear (ctx, s.sweeps, 1));
  s.high = high;
  if (! high && s.l <= SMALL && (s.columns == s.k || ! s.u))
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s.left));
      GE_TRY (ge_clear (ctx, s.left, 1));
      GE_TRY (ge_svd_small<T> (ctx, &s, g->pages));
      GE_TRY (ge_fetch (ctx, &left, s.left, 1));
      s.only_left = 1;
    }
  else if (! high && s.k >= LEAST_GRAM && s.k <= GE_STACK_ORDER
           && ge_shared_fits (ctx, bytes_of_page (s)))
    {
      if (sizeof (R) == 4 || s.k < LEAST_PRODUCTS || (s.u && s.columns > s.k))
        GE_TRY (precondition<T> (ctx, &s, g->pages));
      else
        {
          GE_TRY (ge_svd_gram_stack<T> (ctx, g, arrays, state));
          GE_TRY (ge_put (ctx, s.state, state, g->pages));
          left = memchr (state, 1, (size_t) g->pages) != NULL;
          s.only_left = 1;
        }
    }
  if (left)
    GE_TRY (solve_by_blocks (ctx, &s, g->pages));
  GE_TRY (ge_get (ctx, state, s.state, g->pages));
  GE_TRY (ge_fetch (ctx, &most, s.sweeps, 1));
  *sweeps = most;
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_svd_describe)
GE_INSTANTIATE (ge_svd_load)
GE_INSTANTIATE (ge_svd_fits_shared)
GE_INSTANTIATE (ge_svd_stack)
