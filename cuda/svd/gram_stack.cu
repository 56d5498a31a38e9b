/* Stacks of pages on the GPU: eigenvectors of Gram matrices, refined by products of all
   pages at a time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   B is the page, L-by-K with L >= K, or its conjugate transpose, and B <- B W, V <- V W with
   orthogonal W until the columns of B are orthogonal: A = B V' is kept up to rounding errors.
   At first W are the eigenvectors of B'B, whose errors are eps |B|^2.  The elements of
   B'B have small errors relative to the lengths of their two columns then.  So a step
   takes the first-order rotations of all pairs of columns at a time, X, if they are small,
   and X + sqrt (I + X^2) is orthogonal.  Otherwise the columns that follow in descending
   order of length are the tail: with X they lose their components in the others, the head,
   and their rotations are the eigenvectors of what B'B then is, whose errors are relative to
   the tail's norm.

   Where all columns of a tail are below eps |A|, their singular values are 0, and random
   columns as short take their place.  Columns are in ascending order of length.  */

#include "base/blas.cuh"
#include "base/products.cuh"
#include "base/scalar.cuh"
#include "svd/stack.cuh"
#include "tridiagonal/stack.cuh"

enum
{
  THREADS = 256,
  STORING = 1024, /* threads of a page */
  MOST_STEPS = 24
};

/* A stack's bytes in memory beside the caller's.  */
#define MOST_BYTES 2e9

template <typename T> struct gram_stack
{
  typedef ge_real<T> R;
  int l, k, vectors;
  int64_t pages;
  R unit, tol;          /* cosines below TOL count as 0 */
  T *b, *x;             /* l-by-k: B; B W */
  T *g, *v, *w, *y, *z; /* k-by-k: Gram matrices; V; W; scratch */
  int *exponent, *left; /* per page: of its scaling; columns of the tail */
  int *filled, *done;   /* columns that are random; whether it is solved */
  int64_t *at;          /* where the matrix of the tail is in Y and Z */
  /* Whether a page has a tail, has rotations, is not solved.  */
  int *most;
};

/* What the head may have: rotations, all together by their Frobenius norm, whose fourth power
   is negligible; and cosines.  */
template <typename R>
GE_DEVICE_INLINE R
most_rotation (void)
{
  return sizeof (R) == 8 ? (R) 1.5e-4 : (R) 1.5e-2;
}
#define MOST_COSINE 0.1f

/* The order of the eigenproblem of a tail of LEFT columns: one of a few, that pages of a
   stack share.  */
static __host__ __device__ int
tail_order (int left, int k)
{
  int order = 16;
  while (order < left)
    order += order < 64 ? 16 : order < 128 ? 32 : 64;
  return order < k ? order : k;
}

/* --- kernels: a block for each page --- */

/* The cosine of columns I < J whose Gram matrix is G, 0 where they count as orthogonal; its
   quotient by *GAP is their rotation.  INVERSE: of the columns' lengths.  */
template <typename T>
GE_DEVICE_INLINE ge_real<T>
measure_pair (const gram_stack<T> &s, const T *g, const ge_real<T> *inverse,
              int i, int j, ge_real<T> *gap)
{
  typedef ge_real<T> R;
  const T z = g[i + s.k * j];
  const R re = real_part (z) * inverse[i] * inverse[j];
  const R im = imaginary_part (z) * inverse[i] * inverse[j];
  const R cosine
      = is_complex<T>::value ? sqrt_ (fma_ (re, re, im * im)) : fabs_ (re);
  *gap = (real_part (g[j + s.k * j]) - real_part (g[i + s.k * i])) * inverse[i]
         * inverse[j];
  return cosine > s.tol ? cosine : 0;
}

/* The columns of the tail if rotations above LIMIT, of columns in the wrong order, and large
   cosines are not to be in the head; the sums of squares of the head's rotations and
   cosines.  */
template <typename T>
static __device__ int
tail_for (const gram_stack<T> &s, const T *g, const ge_real<T> *inverse,
          ge_real<T> limit, ge_real<T> *norm, ge_real<T> *cosines, int *shared)
{
  typedef ge_real<T> R;
  __shared__ R space[THREADS / 32];
  const int k = s.k, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  R gap, sum = 0, of_cosines = 0;
  int left = 0, tail = 0;
  if (threadIdx.x < 2)
    shared[threadIdx.x] = 0;
  __syncthreads ();
  for (int j = warp; j < k; j += THREADS / 32)
    {
      int bad = ! (inverse[j] > 0);
      for (int i = lane; i < j; i += 32)
        {
          const R cosine = measure_pair (s, g, inverse, i, j, &gap);
          bad |= cosine > 0 && ! (cosine <= limit * gap);
        }
      left = bad ? j + 1 : left;
    }
  atomicMax (&shared[0], left);
  __syncthreads ();
  left = shared[0];
  for (int j = left + warp; j < k; j += THREADS / 32)
    for (int i = left + lane; i < j; i += 32)
      if (measure_pair (s, g, inverse, i, j, &gap) > (R) MOST_COSINE)
        tail = max (tail, i + 1);
  atomicMax (&shared[1], tail);
  __syncthreads ();
  tail = max (left, shared[1]);
  for (int j = tail + warp; j < k; j += THREADS / 32)
    for (int i = tail + lane; i < j; i += 32)
      {
        const R cosine = measure_pair (s, g, inverse, i, j, &gap);
        const R rotation = cosine > 0 ? cosine / gap : 0;
        sum = fma_ (rotation, rotation, sum);
        of_cosines = fma_ (cosine, cosine, of_cosines);
      }
  *norm = block_sum (sum, space, THREADS / 32);
  __syncthreads ();
  *cosines = block_sum (of_cosines, space, THREADS / 32);
  __syncthreads ();
  return tail;
}

/* Marks in s.exponent the pages, whose Gram matrices are in G, that have to be scaled: squares
   of columns that count may overflow or underflow, or are not finite.  s.most[0]: whether
   there are any.  */
template <typename T> GE_KERNEL (THREADS) find_scale (const gram_stack<T> s)
{
  typedef ge_real<T> R;
  __shared__ R space[THREADS / 32];
  const R large = sizeof (R) == 8 ? (R) 1e150 : (R) 1e12;
  const R small = sizeof (R) == 8 ? (R) 1e-150 : (R) 1e-6;
  const T *g = s.g + blockIdx.x * (int64_t) (s.k * s.k);
  R longest = 0;
  for (int j = threadIdx.x; j < s.k; j += THREADS)
    {
      const R square = real_part (g[j + s.k * j]);
      longest = fmax_ (longest, square < large ? square : large);
    }
  longest = block_max (longest, space, THREADS / 32);
  if (threadIdx.x == 0 && ! (longest > small && longest < large))
    s.exponent[blockIdx.x] = s.most[0] = 1;
}

/* The rotations of the page whose Gram matrix is in G: X to W, and to Y what the tail's Gram
   matrix loses when its components in the head go, as Y'Y.  */
template <typename T> GE_KERNEL (THREADS) plan_step (const gram_stack<T> s)
{
  typedef ge_real<T> R;
  __shared__ R inverse[GE_STACK_ORDER], space[THREADS / 32];
  __shared__ int shared[2];
  const int64_t page = blockIdx.x, at = page * s.k * s.k;
  const int k = s.k, was_done = s.done[page], random = s.filled[page];
  const T *g = s.g + at;
  R most = 0, longest = 0, norm, cosines;
  int left = 0, fill = 0;
  for (int j = threadIdx.x; j < k; j += THREADS)
    {
      const R length = sqrt_ (real_part (g[j + k * j]));
      inverse[j] = length > 0 ? 1 / length : 0;
      most = fmax_ (most, length);
    }
  most = block_max (most, space, THREADS / 32);
  __syncthreads ();
  if (! was_done)
    {
      const R limit = most_rotation<R> ();
      left = tail_for (s, g, inverse, limit, &norm, &cosines, shared);
      if (left > 0 || 2 * norm > limit * limit)
        left = tail_for (s, g, inverse, limit / (R) (1.5 * k), &norm, &cosines,
                         shared);
      for (int j = threadIdx.x; j < left; j += THREADS)
        longest = fmax_ (longest, real_part (g[j + k * j]));
      longest = sqrt_ (block_max (longest, space, THREADS / 32));
      __syncthreads ();
      fill = left > random && longest <= s.unit * most;
    }
  if (threadIdx.x == 0 && ! was_done)
    {
      /* New cosines are sums of products of cosines with rotations or cosines.  */
      const int ends = left == 0 && cosines <= 2 * s.tol
                       && cosines * norm <= 4 * s.tol * s.tol;
      s.left[page] = fill ? 0 : left;
      s.filled[page] = fill ? left : random;
      s.done[page] = ends;
      if (left > 0 && ! fill)
        s.most[0] = 1;
      if (left > 0 || cosines > 0)
        s.most[1] = 1;
      if (! ends)
        s.most[2] = 1;
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
      /* Of one triangle: rounding errors of G, divided by small gaps, are no rotation.  */
      const T element = g[low + k * high];
      const R im
          = row > column ? -imaginary_part (element) : imaginary_part (element);
      R gap, x = 0, y = 0;
      if (! was_done && ! fill && high >= left)
        {
          if (low != high && measure_pair (s, g, inverse, low, high, &gap) > 0)
            x = 1
                / (real_part (g[column + k * column])
                   - real_part (g[row + k * row]));
          if (column < left)
            y = inverse[row];
        }
      s.w[at + i] = make_number<T> (x * real_part (element), x * im);
      if (left > 0)
        s.y[at + i] = make_number<T> (y * real_part (element), y * im);
    }
}

/* To Y the tail of G, less Z, and large numbers in the rest of the diagonal, whose
   eigenvectors come last.  */
template <typename T> GE_KERNEL (THREADS) separate_tail (const gram_stack<T> s)
{
  typedef ge_real<T> R;
  __shared__ R space[THREADS / 32];
  const int64_t page = blockIdx.x;
  const int left = s.left[page], k = s.k, order = tail_order (left, k);
  const T *g = s.g + page * k * k, *z = s.z + page * k * k;
  T *tail = s.y + s.at[page];
  R sum = 0;
  if (left == 0)
    return;
  for (int i = threadIdx.x; i < left; i += THREADS)
    sum += real_part (g[i + k * i]);
  sum = block_sum (sum, space, THREADS / 32);
  for (int i = threadIdx.x; i < order * order; i += THREADS)
    {
      const int row = i % order, column = i / order, at = row + k * column;
      if (row < left && column < left)
        tail[i]
            = make_number<T> (real_part (g[at]) - real_part (z[at]),
                              imaginary_part (g[at]) - imaginary_part (z[at]));
      else
        tail[i]
            = make_number<T> (row == column ? (sum > 0 ? 2 * sum : 1) : 0, 0);
    }
}

/* Y <- the eigenvectors of the tails, in Z, and the identity.  */
template <typename T>
static __global__ void
spread_tail (const gram_stack<T> s)
{
  const int64_t page = blockIdx.x;
  const int left = s.left[page], k = s.k, order = tail_order (left, k);
  const T *tail = s.z + s.at[page];
  for (int i = threadIdx.x; i < k * k; i += THREADS)
    {
      const int row = i % k, column = i / k;
      s.y[page * k * k + i] = row < left && column < left
                                  ? tail[row + order * column]
                                  : make_number<T> (row == column, 0);
    }
}

/* W = X + sqrt (I + X^2) from X and Z = X^2.  */
template <typename T>
static __global__ void
make_rotation (const gram_stack<T> s)
{
  const int64_t at = blockIdx.x * (int64_t) (s.k * s.k);
  for (int i = threadIdx.x; i < s.k * s.k; i += THREADS)
    {
      const T x = s.w[at + i], z = s.z[at + i];
      s.w[at + i] = make_number<T> (
          (i % s.k == i / s.k) + (real_part (x) + real_part (z) / 2),
          imaginary_part (x) + imaginary_part (z) / 2);
    }
}

/* The results, in descending order.  Zeros become positive: the sign of some depends on the
   number of steps, which is the same for all pages.  */
template <typename T>
GE_KERNEL (STORING)
store_page (const gram_stack<T> s, int m, int n, int first, int values,
            svd_arrays<T> to, unsigned char *state)
{
  typedef ge_real<T> R;
  __shared__ int order[GE_STACK_ORDER];
  __shared__ R length[GE_STACK_ORDER];
  const int64_t page = blockIdx.x;
  const int wide = m < n, exponent = s.exponent[page], lane = threadIdx.x % 32;
  const T *b = s.b + page * s.l * s.k, *v = s.v + page * s.k * s.k;
  for (int j = threadIdx.x / 32; j < s.k; j += STORING / 32)
    {
      R sum = 0;
      for (int i = lane; i < s.l; i += 32)
        sum = add_square (b[i + (int64_t) s.l * j], sum);
      sum = tile_sum<32> (sum);
      if (lane == 0)
        length[j] = sqrt_ (sum);
    }
  __syncthreads ();
  for (int j = threadIdx.x; j < s.k; j += STORING)
    {
      int at = 0;
      for (int i = 0; i < s.k; i++)
        at += length[i] > length[j] || (length[i] == length[j] && i > j);
      order[at] = j;
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    state[page] = exponent == 32768 || ! s.done[page];
  for (int j = threadIdx.x; j < values; j += STORING)
    to.s[page * values + j]
        = order[first + j] < s.filled[page]
              ? 0
              : scale_by (length[order[first + j]], exponent);
  if (! to.u)
    return;
  T *left = (wide ? to.v : to.u) + page * s.l * values;
  T *right = (wide ? to.u : to.v) + page * s.k * values;
  for (int j = threadIdx.x / 32; j < values; j += STORING / 32)
    {
      const int64_t from = order[first + j];
      const R to_unit = 1 / length[from];
      for (int i = lane; i < s.l; i += 32)
        {
          const T x = b[i + s.l * from];
          left[i + (int64_t) s.l * j] = make_number<T> (
              real_part (x) * to_unit + 0, imaginary_part (x) * to_unit + 0);
        }
      for (int i = lane; i < s.k; i += 32)
        {
          const T x = v[i + s.k * from];
          right[i + s.k * j]
              = make_number<T> (real_part (x) + 0, imaginary_part (x) + 0);
        }
    }
}

/* --- steps --- */

/* C <- op (A) B for each page, C M-by-K.  */
template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, const gram_stack<T> *s, int ta, int64_t m,
          int64_t k, const T *a, const T *b, T *c)
{
  typedef ge_real<T> R;
  return ge_cuda_products<T> (ctx, ta ? ge_adjoint<T> () : CUBLAS_OP_N, m, s->k,
                              k, s->pages, TOGETHER, (R) 1, a, b, (R) 0, c);
}

template <typename T>
static void
exchange (T **x, T **y)
{
  T *z = *x;
  *x = *y;
  *y = z;
}

/* Y: the eigenvectors of the tails, and the identity; those of an order at a time.  */
template <typename T>
static gpueig_status
solve_tails (gpueig_context *ctx, gram_stack<T> *s)
{
  enum
  {
    ORDERS = GE_STACK_ORDER / 16 + 1
  };
  const int k = s->k, mark = ge_mark (ctx);
  const unsigned pages = (unsigned) s->pages;
  int64_t count[ORDERS] = {}, next[ORDERS], end = 0, *at;
  int *left, order[ORDERS];
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &left));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &at));
  GE_TRY (ge_fetch (ctx, left, s->left, s->pages));
  for (int64_t i = 0; i < s->pages; i++)
    if (left[i] > 0)
      count[(tail_order (left[i], k) + 15) / 16]++;
  for (int i = 1; i < ORDERS; i++)
    {
      order[i] = 16 * i < k ? 16 * i : k;
      next[i] = end;
      end += count[i] * order[i] * order[i];
    }
  for (int64_t i = 0; i < s->pages; i++)
    {
      const int o = tail_order (left[i], k), c = (o + 15) / 16;
      at[i] = left[i] > 0 ? next[c] : 0;
      next[c] += left[i] > 0 ? o * o : 0;
    }
  GE_TRY (ge_send (ctx, s->at, at, s->pages));
  GE_TRY (multiply (ctx, s, 1, k, k, s->y, s->y, s->z));
  GE_LAUNCH (separate_tail<T>, pages, THREADS, 0, *s);
  for (int i = 1; i < ORDERS; i++)
    {
      const int64_t from = next[i] - count[i] * order[i] * order[i];
      if (count[i] > 0)
        GE_TRY (ge_stack_basis<T> (ctx, order[i], count[i], s->y + from,
                                   s->z + from, NULL));
    }
  GE_LAUNCH (spread_tail<T>, pages, THREADS, 0, *s);
  return ge_close_frame (ctx, mark);
}

/* *DONE: all pages.  */
template <typename T>
static gpueig_status
run_step (gpueig_context *ctx, gram_stack<T> *s, int *done)
{
  const unsigned pages = (unsigned) s->pages;
  const int64_t k = s->k;
  int most[3];
  GE_TRY (ge_clear (ctx, s->most, 3));
  GE_TRY (multiply (ctx, s, 1, k, s->l, s->b, s->b, s->g));
  GE_LAUNCH (plan_step<T>, pages, THREADS, 0, *s);
  GE_TRY (ge_fetch (ctx, most, s->most, 3));
  GE_TRY (ge_check_interrupt (ctx));
  *done = ! most[2];
  if (! most[1])
    return GPUEIG_OK;
  if (most[0])
    GE_TRY (solve_tails (ctx, s));
  GE_TRY (multiply (ctx, s, 0, k, k, s->w, s->w, s->z));
  GE_LAUNCH (make_rotation<T>, pages, THREADS, 0, *s);
  if (most[0])
    {
      GE_TRY (multiply (ctx, s, 0, k, k, s->w, s->y, s->z));
      exchange (&s->w, &s->z);
    }
  GE_TRY (multiply (ctx, s, 0, s->l, k, s->b, s->w, s->x));
  exchange (&s->b, &s->x);
  if (! s->vectors)
    return GPUEIG_OK;
  GE_TRY (multiply (ctx, s, 0, k, k, s->v, s->w, s->y));
  exchange (&s->v, &s->y);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, gram_stack<T> *s)
{
  const int64_t k = s->k, pages = s->pages;
  const int64_t tall = s->l * k * pages, square = k * k * pages;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, tall, &s->b, &s->x));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &s->g, &s->v, &s->w, &s->y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &s->z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s->at));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, pages, &s->exponent, &s->left));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * pages, &s->filled));
  s->done = s->filled + pages;
  return GE_ALLOC (ctx, GE_DEVICE, 3, &s->most);
}

/* G <- the Gram matrices of the pages *FROM, A or copies in s->b: of wide pages, and where
   some have to be scaled.  Whether a page is scaled does not depend on the others.  */
template <typename T>
static gpueig_status
begin (gpueig_context *ctx, gram_stack<T> *s, const svd_stack<T> *given,
       const T **from)
{
  /* ge_cuda_products wants columns at multiples of 16 bytes.  */
  const int copied = given->m < given->n || (uintptr_t) given->a % 16 != 0;
  int scaled;
  GE_TRY (ge_clear (ctx, s->exponent, s->pages));
  GE_TRY (ge_clear (ctx, s->most, 1));
  if (copied)
    GE_TRY (ge_svd_load<T> (ctx, given, s->pages, 0, s->b));
  *from = copied ? s->b : given->a;
  GE_TRY (multiply (ctx, s, 1, s->k, s->l, *from, *from, s->g));
  GE_LAUNCH (find_scale<T>, (unsigned) s->pages, THREADS, 0, *s);
  GE_TRY (ge_fetch (ctx, &scaled, s->most, 1));
  if (! scaled)
    return GPUEIG_OK;
  *from = s->b;
  GE_TRY (ge_svd_load<T> (ctx, given, s->pages, 0, s->b));
  return multiply (ctx, s, 1, s->k, s->l, s->b, s->b, s->g);
}

/* Solve the first PAGES pages of ARRAYS.  */
template <typename T>
static gpueig_status
solve_group (gpueig_context *ctx, const gpueig_svd_problem *g, int64_t pages,
             const svd_arrays<T> *arrays, unsigned char *state)
{
  typedef ge_real<T> R;
  svd_stack<T> given = ge_svd_describe<T> (g);
  gram_stack<T> s = {};
  unsigned char *states;
  const T *from;
  int done = 0;
  s.l = given.l;
  s.k = given.k;
  s.pages = pages;
  s.vectors = g->u != NULL;
  s.unit = (R) svd_unit<R> ();
  s.tol = given.tol;
  GE_TRY (allocate (ctx, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &states));
  given.a = arrays->a;
  given.exponent = s.exponent;
  GE_TRY (ge_clear (ctx, s.filled, 2 * pages));
  GE_TRY (begin (ctx, &s, &given, &from));
  GE_TRY (ge_stack_basis<T> (ctx, s.k, pages, s.g, s.v, NULL));
  GE_TRY (multiply (ctx, &s, 0, s.l, s.k, from, s.v, s.x));
  exchange (&s.b, &s.x);
  for (int i = 0; i < MOST_STEPS && ! done; i++)
    GE_TRY (run_step (ctx, &s, &done));
  GE_LAUNCH (store_page<T>, (unsigned) pages, STORING, 0, s, given.m, given.n,
             given.first, given.values, *arrays, states);
  return ge_fetch (ctx, state, states, pages);
}

int
ge_svd_fits_gram_stack (const gpueig_context *ctx, const gpueig_svd_problem *g)
{
  const int64_t k = ge_svd_short (g);
  return ge_stack_pages (ctx, g->pages) > 1 && k > 1 && k <= GE_STACK_ORDER
         && ge_svd_long (g) <= 1 << 20 && ! (g->u && g->full && g->m != g->n);
}

template <typename T>
gpueig_status
ge_svd_gram_stack (gpueig_context *ctx, const gpueig_svd_problem *g,
                   const svd_arrays<T> *arrays, unsigned char *state)
{
  const double k = (double) ge_svd_short (g), l = (double) ge_svd_long (g);
  const double bytes = (2 * k * l + 13 * k * k) * (double) sizeof (T);
  const int64_t most = (int64_t) fmax (1, MOST_BYTES / bytes);
  for (int64_t i = 0; i < g->pages; i += most)
    {
      const int64_t count = g->pages - i < most ? g->pages - i : most;
      const svd_arrays<T> group = ge_svd_page_of (g, arrays, i);
      const int mark = ge_mark (ctx);
      GE_TRY (solve_group (ctx, g, count, &group, state + i));
      ge_release (ctx, mark);
      ge_report_pages (ctx, "gram", i + count, g->pages);
    }
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_svd_gram_stack)
