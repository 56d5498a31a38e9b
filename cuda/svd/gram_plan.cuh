/* Stacks of pages by Gram matrices: the rotations of a step, see gram_stack.cu.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SVD_GRAM_PLAN_CUH
#define GE_SVD_GRAM_PLAN_CUH 1

#include "svd/stack.cuh"
#include "tridiagonal/stack.cuh"

enum
{
  THREADS = 256,
  WIDE = 1024,                      /* threads of large pages */
  CLASSES = GE_STACK_ORDER / 16 + 1 /* of the orders of tails */
};

/* Numbers of pages.  */
enum
{
  WITH_TAIL, /* whose eigenvectors are wanted */
  ROTATED,
  RUNNING, /* that need another step */
  COUNTS,
  ALL_COUNTS = COUNTS + CLASSES /* those with a tail of each class */
};

typedef enum
{
  PAGE_RUNNING,
  PAGE_ENDS, /* with the rotations of this step */
  PAGE_DONE
} page_state;

template <typename T> struct gram_stack
{
  typedef ge_real<T> R;
  int l, k, vectors;
  int waiting; /* the last rotations of a page wait, to_u and to_v */
  int64_t pages;
  R unit, tol;          /* cosines below TOL count as 0 */
  T *b, *x;             /* l-by-k: B; B W */
  T *g, *v, *w, *y, *z; /* k-by-k: Gram matrices; V; X, then W; scratch */
  T *to_u, *to_v; /* k-by-k: last rotations of B, with normalization, and V */
  R *length;      /* k: of the columns at the end, */
  int *order;     /* k: which are in descending order these */
  int *exponent, *left; /* per page: of its scaling; columns of the tail */
  int *filled, *done;   /* columns that are random; its page_state */
  int *place;           /* among the pages with tails of its class */
  int *counts;          /* ALL_COUNTS */
};

/* Limits of the head: rotations, all together by their Frobenius norm, whose fourth power
   is negligible; and cosines.  */
template <typename R>
GE_DEVICE_INLINE R
most_rotation (void)
{
  return sizeof (R) == 8 ? (R) 1.5e-4 : (R) 1.5e-2;
}
#define MOST_COSINE 0.1f

/* Columns whose squares are smaller count as 0: they may have underflowed.  */
template <typename R>
GE_DEVICE_INLINE R
least_square (void)
{
  return sizeof (R) == 8 ? (R) 1e-290 : (R) 1e-30;
}

/* The order of the eigenproblem of a tail of LEFT columns: one of a few, that pages of a
   stack share.  */
static __host__ __device__ int
tail_order (int left, int k)
{
  int order = k <= 64 ? 16 : 32;
  while (order < left)
    order += order < 64 ? 16 : order < 128 ? 32 : 64;
  return order < k ? order : k;
}

static __host__ __device__ int
tail_class (int left, int k)
{
  return (tail_order (left, k) + 15) / 16;
}

/* Shared memory of the threads of a page.  */
template <typename R> struct plan_space
{
  /* The columns' lengths: squares and inverses.  */
  R square[GE_STACK_ORDER], inverse[GE_STACK_ORDER];
  R sums[THREADS / 32];
  int shared[2];
};

/* The cosine of columns I < J with the inner product Z, 0 where they count as orthogonal; its
   quotient by *GAP is their rotation.  */
template <typename T>
GE_DEVICE_INLINE ge_real<T>
measure_pair (const gram_stack<T> &s, const plan_space<ge_real<T>> *space, T z,
              int i, int j, ge_real<T> *gap)
{
  typedef ge_real<T> R;
  const R scale_i = space->inverse[i], scale_j = space->inverse[j];
  const R re = real_part (z) * scale_i * scale_j;
  const R im = imaginary_part (z) * scale_i * scale_j;
  const R cosine
      = is_complex<T>::value ? sqrt_ (fma_ (re, re, im * im)) : fabs_ (re);
  *gap = (space->square[j] - space->square[i]) * scale_i * scale_j;
  return cosine > s.tol ? cosine : 0;
}

/* The columns of the tail if rotations above LIMIT, of columns in the wrong order, and large
   cosines are not to be in the head; the sums of squares of the head's rotations and
   cosines.  */
template <typename T>
static __device__ int
tail_for (const gram_stack<T> &s, const T *g, ge_real<T> limit,
          ge_real<T> *norm, ge_real<T> *cosines, plan_space<ge_real<T>> *space)
{
  typedef ge_real<T> R;
  const int k = s.k, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  R gap, sum = 0, of_cosines = 0;
  int left = 0, tail = 0;
  if (threadIdx.x < 2)
    space->shared[threadIdx.x] = 0;
  __syncthreads ();
  for (int j = warp; j < k; j += THREADS / 32)
    {
      int bad = ! (space->inverse[j] > 0);
      for (int i = lane; i < j; i += 32)
        {
          const R cosine = measure_pair (s, space, g[i + k * j], i, j, &gap);
          bad |= cosine > 0 && ! (cosine <= limit * gap);
        }
      left = bad ? j + 1 : left;
    }
  atomicMax (&space->shared[0], left);
  __syncthreads ();
  left = space->shared[0];
  for (int j = left + warp; j < k; j += THREADS / 32)
    for (int i = left + lane; i < j; i += 32)
      if (measure_pair (s, space, g[i + k * j], i, j, &gap) > (R) MOST_COSINE)
        tail = max (tail, i + 1);
  atomicMax (&space->shared[1], tail);
  __syncthreads ();
  tail = max (left, space->shared[1]);
  for (int j = tail + warp; j < k; j += THREADS / 32)
    for (int i = tail + lane; i < j; i += 32)
      {
        const R cosine = measure_pair (s, space, g[i + k * j], i, j, &gap);
        const R rotation = cosine > 0 ? cosine / gap : 0;
        sum = fma_ (rotation, rotation, sum);
        of_cosines = fma_ (cosine, cosine, of_cosines);
      }
  *norm = block_sum (sum, space->sums, THREADS / 32);
  __syncthreads ();
  *cosines = block_sum (of_cosines, space->sums, THREADS / 32);
  __syncthreads ();
  return tail;
}

/* The columns' lengths at the end and their order.  */
template <typename T>
static __device__ void
order_columns (const gram_stack<T> &s, int64_t page,
               const plan_space<ge_real<T>> *space)
{
  typedef ge_real<T> R;
  for (int i = threadIdx.x; i < s.k; i += THREADS)
    {
      const R square = space->square[i];
      int at = 0;
      for (int a = 0; a < s.k; a++)
        at += space->square[a] > square
              || (space->square[a] == square && a > i);
      s.order[page * s.k + at] = i;
      s.length[page * s.k + at] = sqrt_ (square);
    }
}

/* The rotations of the page whose Gram matrix is in G: X to W, and to Y what the tail's Gram
   matrix loses when its components in the head go, as Y'Y.  */
template <typename T> GE_KERNEL (THREADS) plan_step (const gram_stack<T> s)
{
  typedef ge_real<T> R;
  __shared__ plan_space<R> space;
  const int64_t page = blockIdx.x, at = page * s.k * s.k;
  const int k = s.k, was_done = s.done[page] != PAGE_RUNNING;
  const int random = s.filled[page];
  const T *g = s.g + at;
  R most = 0, longest = 0, norm, cosines;
  int left = 0, fill = 0;
  for (int i = threadIdx.x; i < k; i += THREADS)
    {
      const R square = space.square[i] = real_part (g[i + k * i]);
      space.inverse[i] = square > least_square<R> () ? 1 / sqrt_ (square) : 0;
      most = fmax_ (most, sqrt_ (square));
    }
  most = block_max (most, space.sums, THREADS / 32);
  __syncthreads ();
  if (! was_done)
    {
      const R limit = most_rotation<R> ();
      left = tail_for (s, g, limit, &norm, &cosines, &space);
      if (left > 0 || 2 * norm > limit * limit)
        left = tail_for (s, g, limit / (R) (1.5 * k), &norm, &cosines, &space);
      for (int i = threadIdx.x; i < left; i += THREADS)
        longest = fmax_ (longest, space.square[i]);
      longest = sqrt_ (block_max (longest, space.sums, THREADS / 32));
      __syncthreads ();
      fill = left > random && longest <= s.unit * most;
    }
  const int tail = fill ? 0 : left;
  /* New cosines are sums of products of cosines with rotations or cosines.  */
  const int ends = ! was_done && left == 0 && cosines <= 2 * s.tol
                   && cosines * norm <= 4 * s.tol * s.tol;
  if (ends)
    order_columns (s, page, &space);
  if (threadIdx.x == 0)
    s.left[page] = tail;
  if (threadIdx.x == 0 && ! was_done)
    {
      s.filled[page] = fill ? left : random;
      s.done[page] = ends ? PAGE_ENDS : PAGE_RUNNING;
      if (tail > 0)
        {
          s.place[page]
              = atomicAdd (&s.counts[COUNTS + tail_class (tail, k)], 1);
          s.counts[WITH_TAIL] = 1;
        }
      if (tail > 0 || (cosines > 0 && ! fill))
        s.counts[ROTATED] = 1;
      if (! ends)
        s.counts[RUNNING] = 1;
    }
  const R size = most > 0 ? s.unit / 16 * most / sqrt_ ((R) s.l) : 1;
  T *b = s.b + page * s.l * k;
  for (int i = threadIdx.x; fill && i < s.l * left; i += THREADS)
    b[i] = make_number<T> (size * random_part<R> (2 * i),
                           size * random_part<R> (2 * i + 1));
  for (int i = threadIdx.x; i < k * k; i += THREADS)
    {
      const int row = i % k, column = i / k;
      const int low = min (row, column), high = max (row, column);
      /* One triangle counts: rounding errors of G, divided by small gaps, are no rotation.  */
      const T element = g[low + k * high];
      const R im
          = row > column ? -imaginary_part (element) : imaginary_part (element);
      R gap, x = 0, y = 0;
      if (! was_done && ! fill && high >= left)
        {
          if (low != high
              && measure_pair (s, &space, element, low, high, &gap) > 0)
            x = 1 / (space.square[column] - space.square[row]);
          if (column < left)
            y = space.inverse[row];
        }
      s.w[at + i] = make_number<T> (x * real_part (element), x * im);
      if (tail > 0)
        s.y[at + i] = make_number<T> (y * real_part (element), y * im);
    }
}

#endif
