/* Stacks of pages that are too large for a block of the GPU: gram.cu's method for all pages
   at a time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every page has K columns at all levels: those of the head go to U and are zeros in B
   then.  The diagonal of B'B is made so large there that their eigenvectors come last, and
   the others do not mix with them.  Columns are in ascending order of the values.  */

#include "base/blas.cuh"
#include "base/products.cuh"
#include "base/scalar.cuh"
#include "svd/stack.cuh"
#include "tridiagonal/stack.cuh"

enum
{
  THREADS = 256,
  WARPS = THREADS / 32,
  STORING = 1024, /* threads of a page */
  PARTS = 8,      /* of a page */
  MOST_LEVELS = 24
};

/* A stack's bytes in memory beside the caller's.  */
#define MOST_BYTES 2e9

template <typename T> struct gram_stack
{
  typedef ge_real<T> R;
  int l, k, vectors;
  int64_t pages;
  R least,
      small; /* of the squared lengths of a head, relative to the longest; unit */
  const T *b;             /* l-by-k: B */
  T *own, *x, *u, *spare; /* memory for B; B W, and what is left of it; U */
  T *g, *v, *y, *w;       /* k-by-k: Gram matrices; V; V W; W */
  R *lambda, *length;     /* k per page: eigenvalues; the singular values */
  R *shortest;            /* per page: shorter columns are zeros */
  int *exponent, *left, *head, *filling, *bad; /* per page, see the kernels */
  int *most; /* the largest left, and whether a page begins to be filled */
};

/* --- kernels: a block for each page --- */

/* EXPONENT, -16384 before, becomes that of the largest element of each page of COUNT reals,
   32768 if one is not finite; PARTS blocks a page.  */
template <typename R>
static __global__ void
page_exponents (int64_t count, const R *a, int *exponent)
{
  const int64_t page = blockIdx.x / PARTS;
  R most = 0;
  for (int64_t i = blockIdx.x % PARTS * THREADS + threadIdx.x; i < count;
       i += PARTS * THREADS)
    {
      const R x = fabs_ (a[page * count + i]);
      most = x <= most ? most : x; /* NaN */
      if (! (x - x == 0))
        break;
    }
  int e = ! (most - most == 0) ? 32768 : most > 0 ? exponent_of (most) : -16384;
  e = tile_max<32> (e);
  if (threadIdx.x % 32 == 0)
    atomicMax (&exponent[page], e);
}

/* The diagonal of G gets a large number from column LEFT on.  */
template <typename T>
static __global__ void
guard_diagonal (const gram_stack<T> s)
{
  typedef ge_real<T> R;
  __shared__ R space[WARPS];
  const int64_t page = blockIdx.x;
  const int left = s.left[page];
  T *g = s.g + page * s.k * s.k;
  R sum = 0;
  for (int i = threadIdx.x; i < left; i += THREADS)
    sum += real_part (g[i + (int64_t) s.k * i]);
  sum = block_sum (sum, space, WARPS);
  for (int i = left + (int) threadIdx.x; i < s.k; i += THREADS)
    g[i + (int64_t) s.k * i] = make_number<T> (sum > 0 ? 4 * sum : 1, 0);
}

/* The head are the columns of X = B W from LEFT - HEAD to LEFT - 1, whose eigenvalues are
   not much smaller than the largest; LEFT becomes the number of the others.  */
template <typename T>
static __global__ void
find_heads (const gram_stack<T> s)
{
  const int64_t page = blockIdx.x;
  const ge_real<T> *lambda = s.lambda + page * s.k;
  const int left = s.left[page];
  int head = 0;
  for (int i = threadIdx.x; i < left; i += 32)
    head += lambda[left - 1] > 0 && lambda[i] >= s.least * lambda[left - 1];
  head = tile_sum<32> (head);
  if (threadIdx.x > 0)
    return;
  s.left[page] = left - head;
  s.head[page] = head;
  atomicMax (&s.most[0], left - head);
}

/* G = X'X becomes the C for which the columns X C of the head are orthonormal to first
   order, see gram.cu; zeros elsewhere.  FIRST: the lengths of the columns are the singular
   values, or 0 where random columns fill U.  BAD: the page is not solved.  */
template <typename T>
static __global__ void
correct_page (const gram_stack<T> s, ge_real<T> limit, int first)
{
  typedef ge_real<T> R;
  __shared__ R inverse[GE_STACK_ORDER];
  const int64_t page = blockIdx.x;
  const int begin = s.left[page], end = begin + s.head[page];
  T *g = s.g + page * s.k * s.k;
  int bad = 0;
  for (int j = begin + (int) threadIdx.x; j < end; j += THREADS)
    {
      const R length = sqrt_ (real_part (g[j + (int64_t) s.k * j]));
      bad |= ! (length > 0);
      inverse[j] = length > 0 ? 1 / length : 0;
      if (first)
        s.length[page * s.k + j] = s.filling[page] ? 0 : length;
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < s.k * s.k; i += THREADS)
    {
      const int row = i % s.k, column = i / s.k;
      T z = zero<T> ();
      if (row == column && row >= begin && row < end)
        z = make_number<T> (inverse[row], 0);
      else if (row > column && column >= begin && row < end)
        {
          const R f = inverse[row] * inverse[column];
          const R re = f * real_part (g[i]), im = f * imaginary_part (g[i]);
          bad |= ! (fabs_ (re) + fabs_ (im) <= limit);
          z = make_number<T> (-re * inverse[row], -im * inverse[row]);
        }
      g[i] = z;
    }
  if (bad)
    s.bad[page] = 1;
}

/* Take those columns of Y = V W for V that the level has changed.  */
template <typename T>
static __global__ void
take_right (const gram_stack<T> s)
{
  const int64_t page = blockIdx.x, at = page * s.k * s.k;
  const int count = s.k * (s.left[page] + s.head[page]);
  for (int i = threadIdx.x; ! s.filling[page] && i < count; i += THREADS)
    s.v[at + i] = s.y[at + i];
}

/* The columns of X from LEFT on become zeros.  */
template <typename T>
static __global__ void
clear_head (const gram_stack<T> s)
{
  const int64_t page = blockIdx.x;
  T *x = s.x + page * s.l * s.k;
  for (int i = s.l * s.left[page] + (int) threadIdx.x; i < s.l * s.k;
       i += THREADS)
    x[i] = zero<T> ();
}

/* X less its components in U has no column longer than the least: their values are 0, and
   random columns take their place, which s.filling notes by the number of the level.  */
template <typename T>
static __global__ void
inspect_tail (const gram_stack<T> s, int level)
{
  typedef ge_real<T> R;
  __shared__ R space[WARPS];
  const int64_t page = blockIdx.x;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int left = s.left[page];
  T *x = s.x + page * s.l * s.k;
  R most = 0;
  for (int j = warp; j < left; j += WARPS)
    {
      R sum = 0;
      for (int i = lane; i < s.l; i += 32)
        sum = add_square (x[i + (int64_t) s.l * j], sum);
      most = fmax_ (most, tile_sum<32> (sum));
    }
  most = sqrt_ (block_max (most, space, WARPS));
  const R longest = left < s.k ? s.length[page * s.k + s.k - 1] : 0;
  const R shortest = level == 0 ? s.small * longest : s.shortest[page];
  const int begins = left > 0 && ! s.filling[page] && most <= shortest;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      s.shortest[page] = shortest;
      if (begins)
        s.filling[page] = s.most[1] = level + 1;
    }
  for (int i = threadIdx.x; begins && i < s.l * left; i += THREADS)
    x[i] = make_number<T> (random_part<R> (2 * i), random_part<R> (2 * i + 1));
}

/* G of pages that are not filled since LEVEL becomes zeros.  */
template <typename T>
static __global__ void
clear_others (const gram_stack<T> s, int level)
{
  const int64_t page = blockIdx.x;
  if (s.filling[page] != level + 1)
    for (int i = threadIdx.x; i < s.k * s.k; i += THREADS)
      s.g[page * s.k * s.k + i] = zero<T> ();
}

/* The results, in descending order.  */
template <typename T>
GE_KERNEL (STORING)
store_page (const gram_stack<T> s, int m, int n, int first, int values,
            svd_arrays<T> to, unsigned char *state)
{
  __shared__ int order[256];
  const int64_t page = blockIdx.x;
  const int wide = m < n, exponent = s.exponent[page];
  const ge_real<T> *length = s.length + page * s.k;
  for (int j = threadIdx.x; j < s.k; j += STORING)
    {
      int at = 0;
      for (int i = 0; i < s.k; i++)
        at += length[i] > length[j] || (length[i] == length[j] && i > j);
      order[at] = j;
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    state[page] = s.bad[page] || exponent == 32768 || s.left[page] > 0;
  for (int j = threadIdx.x; j < values; j += STORING)
    to.s[page * values + j] = scale_by (length[order[first + j]], exponent);
  if (! to.u)
    return;
  T *left = (wide ? to.v : to.u) + page * s.l * values;
  T *right = (wide ? to.u : to.v) + page * s.k * values;
  const T *u = s.u + page * s.l * s.k, *v = s.v + page * s.k * s.k;
  for (int j = threadIdx.x / 32; j < values; j += STORING / 32)
    {
      const int64_t from = order[first + j];
      for (int i = threadIdx.x % 32; i < s.l; i += 32)
        left[i + (int64_t) s.l * j] = u[i + s.l * from];
      for (int i = threadIdx.x % 32; i < s.k; i += 32)
        right[i + s.k * j] = v[i + s.k * from];
    }
}

/* --- levels --- */

/* C <- op (A) B + BETA C, or C - A B with ALPHA = -1, for each page.  */
template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, const gram_stack<T> *s, int ta, int64_t m,
          int64_t k, int alpha, const T *a, const T *b, int beta, T *c)
{
  typedef ge_real<T> R;
  return ge_cuda_products<T> (ctx, ta ? ge_adjoint<T> () : CUBLAS_OP_N, m, s->k,
                              k, s->pages, TOGETHER, (R) alpha, a, b, (R) beta,
                              c);
}

/* X less its components in U, of all pages or (LEVEL >= 0) those filled since then: what is
   computed of a page does not depend on the others.  */
template <typename T>
static gpueig_status
project (gpueig_context *ctx, const gram_stack<T> *s, int level)
{
  for (int i = 0; i < 2; i++)
    {
      GE_TRY (multiply (ctx, s, 1, s->k, s->l, 1, s->u, s->x, 0, s->g));
      if (level >= 0)
        GE_LAUNCH (clear_others<T>, (unsigned) s->pages, THREADS, 0, *s, level);
      GE_TRY (multiply (ctx, s, 0, s->l, s->k, -1, s->u, s->g, 1, s->x));
    }
  return GPUEIG_OK;
}

/* The head of X goes to U.  */
template <typename T>
static gpueig_status
take_head (gpueig_context *ctx, const gram_stack<T> *s, int level)
{
  typedef ge_real<T> R;
  const int steps = sizeof (R) == 8 ? 1 : 2;
  const T *from = s->x;
  for (int i = 0; i < steps; i++)
    {
      const int last = i + 1 == steps;
      const R limit = sizeof (R) == 8 ? (R) 1e-8 : i ? (R) 3e-4 : (R) 1e-2;
      GE_TRY (multiply (ctx, s, 1, s->k, s->l, 1, from, from, 0, s->g));
      GE_LAUNCH (correct_page<T>, (unsigned) s->pages, THREADS, 0, *s, limit,
                 i == 0);
      GE_TRY (multiply (ctx, s, 0, s->l, s->k, 1, from, s->g, last && level > 0,
                        last ? s->u : s->spare));
      from = s->spare;
    }
  return GPUEIG_OK;
}

static gpueig_status
fetch_most (gpueig_context *ctx, const int *device, int most[2])
{
  GE_TRY (ge_fetch (ctx, most, device, 2));
  return ge_check_interrupt (ctx);
}

/* *LEFT: the largest number of columns that are left.  */
template <typename T>
static gpueig_status
run_level (gpueig_context *ctx, gram_stack<T> *s, int level, int *left)
{
  const unsigned pages = (unsigned) s->pages;
  int most[2];
  GE_TRY (ge_clear (ctx, s->most, 2));
  GE_TRY (multiply (ctx, s, 1, s->k, s->l, 1, s->b, s->b, 0, s->g));
  if (level > 0)
    GE_LAUNCH (guard_diagonal<T>, pages, THREADS, 0, *s);
  T *w = level == 0 ? s->v : s->w;
  GE_TRY (ge_stack_basis<T> (ctx, s->k, s->pages, s->g, w, s->lambda));
  GE_TRY (multiply (ctx, s, 0, s->l, s->k, 1, s->b, w, 0, s->x));
  GE_LAUNCH (find_heads<T>, pages, 32, 0, *s);
  if (level > 0 && s->vectors)
    {
      GE_TRY (multiply (ctx, s, 0, s->k, s->k, 1, s->v, w, 0, s->y));
      GE_LAUNCH (take_right<T>, pages, THREADS, 0, *s);
    }
  GE_TRY (fetch_most (ctx, s->most, most));
  *left = most[0];
  GE_TRY (take_head (ctx, s, level));
  if (*left == 0)
    return GPUEIG_OK;
  GE_LAUNCH (clear_head<T>, pages, THREADS, 0, *s);
  GE_TRY (project (ctx, s, -1));
  GE_LAUNCH (inspect_tail<T>, pages, THREADS, 0, *s, level);
  GE_TRY (fetch_most (ctx, s->most, most));
  if (most[1])
    GE_TRY (project (ctx, s, level));
  T *next = s->own;
  s->b = s->own = s->x;
  s->x = next;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, gram_stack<T> *s)
{
  const int64_t k = s->k, pages = s->pages;
  const int64_t tall = s->l * k * pages, square = k * k * pages;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, tall, &s->own, &s->x, &s->u));
  if (sizeof (ge_real<T>) == 4)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, tall, &s->spare));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &s->g, &s->v, &s->w, &s->y));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, k * pages, &s->lambda, &s->length));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, pages, &s->shortest, &s->exponent,
                         &s->left, &s->head));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * pages, &s->filling));
  s->bad = s->filling + pages;
  return GE_ALLOC (ctx, GE_DEVICE, 2, &s->most);
}

/* COUNT integers become VALUE.  */
static __global__ void
set_all (int64_t count, int value, int *x)
{
  const int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (i < count)
    x[i] = value;
}

/* B: the pages A, or where that is necessary, transposed or scaled copies.  */
template <typename T>
static gpueig_status
load (gpueig_context *ctx, const svd_stack<T> *given, gram_stack<T> *s)
{
  typedef ge_real<T> R;
  const int limit = sizeof (R) == 8 ? 300 : 20;
  const int64_t pages = s->pages;
  const unsigned blocks = ge_blocks (pages, THREADS);
  /* Products assume that arrays begin at multiples of 16 bytes.  */
  int *exponent, scaled = given->m < given->n || (uintptr_t) given->a % 16 > 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &exponent));
  if (! scaled)
    {
      GE_LAUNCH (set_all, blocks, THREADS, 0, pages, -16384, s->exponent);
      GE_LAUNCH (page_exponents<R>, (unsigned) pages * PARTS, THREADS, 0,
                 (int64_t) s->l * s->k * (1 + is_complex<T>::value),
                 (const R *) given->a, s->exponent);
      GE_TRY (ge_fetch (ctx, exponent, s->exponent, pages));
    }
  for (int64_t i = 0; i < pages && ! scaled; i++)
    scaled = exponent[i] > limit
             || (exponent[i] < -limit && exponent[i] != -16384);
  s->b = scaled ? s->own : given->a;
  if (scaled)
    return ge_svd_load<T> (ctx, given, pages, s->own);
  GE_LAUNCH (set_all, blocks, THREADS, 0, pages, 0, s->exponent);
  return GPUEIG_OK;
}

/* Solve the first PAGES pages of ARRAYS.  */
template <typename T>
static gpueig_status
solve_group (gpueig_context *ctx, const gpueig_svd_problem *g, int64_t pages,
             const svd_arrays<T> *arrays, unsigned char *state)
{
  typedef ge_real<T> R;
  svd_stack<T> given = ge_svd_describe<T> (g);
  const double ratio = 1 / svd_range<R> (given.k);
  gram_stack<T> s = {};
  unsigned char *states;
  int left = 1;
  s.l = given.l;
  s.k = given.k;
  s.pages = pages;
  s.vectors = g->u != NULL;
  s.least = (R) (ratio * ratio);
  s.small = svd_unit<R> ();
  GE_TRY (allocate (ctx, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &states));
  given.a = arrays->a;
  given.exponent = s.exponent;
  GE_TRY (load (ctx, &given, &s));
  GE_TRY (ge_clear (ctx, s.length, s.k * pages));
  GE_TRY (ge_clear (ctx, s.filling, 2 * pages));
  GE_LAUNCH (set_all, ge_blocks (pages, THREADS), THREADS, 0, pages, s.k,
             s.left);
  for (int i = 0; i < MOST_LEVELS && left > 0; i++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (run_level (ctx, &s, i, &left));
      ge_release (ctx, mark);
    }
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
  const double k = (double) ge_svd_short (g);
  const double bytes
      = (4 * k * (double) ge_svd_long (g) + 8 * k * k) * (double) sizeof (T);
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
