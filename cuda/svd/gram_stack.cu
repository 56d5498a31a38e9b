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

   The lengths of the columns in the end are those of the last Gram matrix, but for squares of
   cosines.  Where B is much longer than W, the last rotations of a page wait until all pages
   have ended, and normalize the columns of B as well.

   Where all columns of a tail are below eps |A|, their singular values are 0, and random
   columns as short take their place.  Columns are in ascending order of length.  */

#include "base/blas.cuh"
#include "base/products.cuh"
#include "base/scalar.cuh"
#include "svd/gram_plan.cuh"

enum
{
  MOST_STEPS = 24
};

/* A stack's bytes in memory without the caller's.  */
#define MOST_BYTES 2e9

/* Where the matrices of the tails of each class begin.  */
typedef struct
{
  int64_t at[CLASSES];
} tail_places;

/* --- kernels: a block for each page --- */

/* Marks in s.exponent the pages, whose Gram matrices are in G, that have to be scaled: squares
   of columns that count may overflow or underflow, or are not finite.  s.counts[0]: whether
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
    s.exponent[blockIdx.x] = s.counts[0] = 1;
}

/* The matrix of the tail of a page in Y and Z.  */
template <typename T>
GE_DEVICE_INLINE T *
tail_of (const gram_stack<T> &s, const tail_places &places, int64_t page, T *in)
{
  const int left = s.left[page], order = tail_order (left, s.k);
  return in + places.at[tail_class (left, s.k)]
         + (int64_t) s.place[page] * order * order;
}

/* To Y the tail of G, less Z, and large numbers in the rest of the diagonal, whose
   eigenvectors come last.  */
template <typename T>
GE_KERNEL (THREADS)
separate_tail (const gram_stack<T> s, const tail_places places)
{
  typedef ge_real<T> R;
  __shared__ R space[THREADS / 32];
  const int64_t page = blockIdx.x;
  const int left = s.left[page], k = s.k, order = tail_order (left, k);
  const T *g = s.g + page * k * k, *z = s.z + page * k * k;
  R sum = 0;
  if (left == 0)
    return;
  T *tail = tail_of (s, places, page, s.y);
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
GE_KERNEL (WIDE)
spread_tail (const gram_stack<T> s, const tail_places places)
{
  const int64_t page = blockIdx.x;
  const int k = s.k, left = s.left[page], order = tail_order (left, k);
  const T *tail = tail_of (s, places, page, s.z);
  for (int i = threadIdx.x; i < k * k; i += blockDim.x)
    {
      const int row = i % k, column = i / k;
      s.y[page * k * k + i] = row < left && column < left
                                  ? tail[row + order * column]
                                  : make_number<T> (row == column, 0);
    }
}

/* W = X + sqrt (I + X^2) from X and Z = X^2.  */
template <typename T> GE_KERNEL (WIDE) make_rotation (const gram_stack<T> s)
{
  const int64_t at = blockIdx.x * (int64_t) (s.k * s.k);
  for (int i = threadIdx.x; i < s.k * s.k; i += blockDim.x)
    {
      const T x = s.w[at + i], z = s.z[at + i];
      s.w[at + i] = make_number<T> (
          (i % s.k == i / s.k) + (real_part (x) + real_part (z) / 2),
          imaginary_part (x) + imaginary_part (z) / 2);
    }
}

/* The pages that end: the values; and if rotations wait, VECTORS, W becomes the identity.  In
   which step a page ends does not depend on others.  */
template <typename T>
GE_KERNEL (WIDE)
end_pages (const gram_stack<T> s, int first, int values, int vectors,
           ge_real<T> *to)
{
  const int64_t page = blockIdx.x, at = page * s.k * s.k;
  const int k = s.k, *order = s.order + page * k;
  const ge_real<T> *length = s.length + page * k;
  T *w = s.w + at;
  if (s.done[page] != PAGE_ENDS)
    return;
  for (int j = threadIdx.x; j < values; j += blockDim.x)
    to[page * values + j]
        = order[first + j] < s.filled[page]
              ? 0
              : scale_by (length[first + j], s.exponent[page]);
  for (int i = threadIdx.x; vectors && i < k * k; i += blockDim.x)
    {
      const T x = w[i % k + k * order[i / k]];
      s.to_v[at + i] = x;
      s.to_u[at + i] = times (1 / length[i / k], x);
    }
  __syncthreads ();
  for (int i = threadIdx.x; vectors && i < k * k; i += blockDim.x)
    w[i] = make_number<T> (i % k == i / k, 0);
  if (threadIdx.x == 0)
    s.done[page] = PAGE_DONE;
}

/* Columns FIRST on of B, divided by their lengths, and of V, VALUES of them, as the products
   with to_u and to_v are if no rotations wait: zeros become positive.  */
template <typename T>
GE_KERNEL (WIDE)
store_plain (const gram_stack<T> s, int first, int values, T *to_b, T *to_v)
{
  const int64_t page = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const T *b = s.b + page * s.l * s.k, *v = s.v + page * s.k * s.k;
  to_b += page * s.l * values;
  to_v += page * s.k * values;
  if (s.done[page] != PAGE_DONE)
    return;
  for (int j = threadIdx.x / 32; j < values; j += blockDim.x / 32)
    {
      const int64_t from = s.order[page * s.k + first + j];
      const ge_real<T> to_unit = 1 / s.length[page * s.k + first + j];
      for (int i = lane; i < s.l; i += 32)
        {
          const T x = b[i + s.l * from];
          to_b[i + (int64_t) s.l * j] = make_number<T> (
              real_part (x) * to_unit + 0, imaginary_part (x) * to_unit + 0);
        }
      for (int i = lane; i < s.k; i += 32)
        {
          const T x = v[i + s.k * from];
          to_v[i + s.k * j]
              = make_number<T> (real_part (x) + 0, imaginary_part (x) + 0);
        }
    }
}

template <typename T>
static __global__ void
tell_states (const gram_stack<T> s, unsigned char *state)
{
  const int64_t page = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (page < s.pages)
    state[page] = s.exponent[page] == 32768 || s.done[page] != PAGE_DONE;
}

/* --- steps --- */

template <typename T>
static unsigned
wide_block (const gram_stack<T> *s)
{
  return s->k <= 64 ? THREADS : WIDE;
}

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

/* G <- B'B for each page.  */
template <typename T>
static gpueig_status
multiply_self (gpueig_context *ctx, const gram_stack<T> *s, const T *b)
{
  return multiply (ctx, s, 1, s->k, s->l, b, b, s->g);
}

/* B <- FROM W for each page.  */
template <typename T>
static gpueig_status
rotate (gpueig_context *ctx, gram_stack<T> *s, const T *from, const T *w)
{
  GE_TRY (multiply (ctx, s, 0, s->l, s->k, from, w, s->x));
  exchange (&s->b, &s->x);
  return GPUEIG_OK;
}

/* Z: the eigenvectors of the tails, those of an order at a time.  */
template <typename T>
static gpueig_status
solve_tails (gpueig_context *ctx, gram_stack<T> *s, const int *count,
             tail_places *places)
{
  const int k = s->k;
  int64_t end = 0;
  for (int i = 1; i < CLASSES; i++)
    {
      const int order = 16 * i < k ? 16 * i : k;
      places->at[i] = end;
      end += (int64_t) count[i] * order * order;
    }
  GE_TRY (multiply (ctx, s, 1, k, k, s->y, s->y, s->z));
  GE_LAUNCH (separate_tail<T>, (unsigned) s->pages, THREADS, 0, *s, *places);
  for (int i = 1; i < CLASSES; i++)
    if (count[i] > 0)
      GE_TRY (ge_stack_basis<T> (ctx, 16 * i < k ? 16 * i : k, count[i],
                                 s->y + places->at[i], s->z + places->at[i],
                                 NULL));
  return GPUEIG_OK;
}

/* Given the Gram matrices.  *DONE: all pages, their values are at TO; *PLAIN: no rotations
   wait, the vectors are in B and V.  */
template <typename T>
static gpueig_status
run_step (gpueig_context *ctx, gram_stack<T> *s, int step, int first,
          int values, ge_real<T> *to, int *done, int *plain)
{
  const unsigned pages = (unsigned) s->pages, threads = wide_block (s);
  const int64_t k = s->k;
  int counts[ALL_COUNTS];
  GE_TRY (ge_clear (ctx, s->counts, ALL_COUNTS));
  GE_LAUNCH (plan_step<T>, pages, THREADS, 0, *s);
  GE_TRY (ge_fetch (ctx, counts, s->counts, ALL_COUNTS));
  GE_TRY (ge_check_interrupt (ctx));
  const int rotated = counts[ROTATED];
  *done = ! counts[RUNNING];
  *plain = ! s->waiting || (step == 0 && *done && ! rotated);
  if ((s->vectors && ! *plain) || (rotated && (s->vectors || ! *done)))
    {
      GE_TRY (multiply (ctx, s, 0, k, k, s->w, s->w, s->z));
      GE_LAUNCH (make_rotation<T>, pages, threads, 0, *s);
    }
  if (counts[WITH_TAIL])
    {
      tail_places places = {};
      GE_TRY (solve_tails (ctx, s, counts + COUNTS, &places));
      GE_LAUNCH (spread_tail<T>, pages, threads, 0, *s, places);
      GE_TRY (multiply (ctx, s, 0, k, k, s->w, s->y, s->z));
      exchange (&s->w, &s->z);
    }
  GE_LAUNCH (end_pages<T>, pages, threads, 0, *s, first, values,
             s->vectors && ! *plain, to);
  if (*done && (s->waiting || ! s->vectors))
    return GPUEIG_OK;
  if (rotated)
    GE_TRY (rotate (ctx, s, s->b, s->w));
  if (! *done)
    GE_TRY (multiply_self (ctx, s, s->b));
  if (! rotated || ! s->vectors)
    return GPUEIG_OK;
  GE_TRY (multiply (ctx, s, 0, k, k, s->v, s->w, s->y));
  exchange (&s->v, &s->y);
  return GPUEIG_OK;
}

/* TO <- columns FIRST on, VALUES of them, of A B for each page, A M-by-K; SCRATCH: M-by-K.  */
template <typename T>
static gpueig_status
store (gpueig_context *ctx, const gram_stack<T> *s, int64_t m, const T *a,
       const T *b, int first, int values, T *scratch, T *to)
{
  const size_t column = (size_t) m * sizeof (T);
  /* The bits of a product depend on its shape; for alignment see begin.  */
  if (values == s->k && (uintptr_t) to % 16 == 0)
    return multiply (ctx, s, 0, m, s->k, a, b, to);
  GE_TRY (multiply (ctx, s, 0, m, s->k, a, b, scratch));
  CU (cudaMemcpy2DAsync (to, column * (size_t) values, scratch + first * m,
                         column * (size_t) s->k, column * (size_t) values,
                         (size_t) s->pages, cudaMemcpyDeviceToDevice,
                         ge_cuda_of (ctx)->stream));
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
  if (s->vectors && s->waiting)
    GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &s->to_u, &s->to_v));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, k * pages, &s->length, &s->order));
  GE_TRY (
      ge_alloc_each (ctx, GE_DEVICE, pages, &s->exponent, &s->left, &s->place));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * pages, &s->filled));
  s->done = s->filled + pages;
  return GE_ALLOC (ctx, GE_DEVICE, ALL_COUNTS, &s->counts);
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
  GE_TRY (ge_clear (ctx, s->counts, 1));
  if (copied)
    GE_TRY (ge_svd_load<T> (ctx, given, s->pages, 0, s->b));
  *from = copied ? s->b : given->a;
  GE_TRY (multiply_self (ctx, s, *from));
  GE_LAUNCH (find_scale<T>, (unsigned) s->pages, THREADS, 0, *s);
  GE_TRY (ge_fetch (ctx, &scaled, s->counts, 1));
  if (! scaled)
    return GPUEIG_OK;
  *from = s->b;
  GE_TRY (ge_svd_load<T> (ctx, given, s->pages, 0, s->b));
  return multiply_self (ctx, s, s->b);
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
  int done = 0, plain = 0;
  s.l = given.l;
  s.k = given.k;
  s.pages = pages;
  s.vectors = g->u != NULL;
  s.waiting = s.l >= 2 * s.k;
  s.unit = (R) svd_unit<R> ();
  s.tol = given.tol;
  GE_TRY (allocate (ctx, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &states));
  given.a = arrays->a;
  given.exponent = s.exponent;
  GE_TRY (ge_clear (ctx, s.filled, 2 * pages));
  GE_TRY (begin (ctx, &s, &given, &from));
  GE_TRY (ge_stack_basis<T> (ctx, s.k, pages, s.g, s.v, NULL));
  GE_TRY (rotate (ctx, &s, from, s.v));
  GE_TRY (multiply_self (ctx, &s, s.b));
  for (int i = 0; i < MOST_STEPS && ! done; i++)
    GE_TRY (run_step (ctx, &s, i, given.first, given.values, arrays->s, &done,
                      &plain));
  T *const left = given.m < given.n ? arrays->v : arrays->u;
  T *const right = given.m < given.n ? arrays->u : arrays->v;
  if (s.vectors && plain)
    GE_LAUNCH (store_plain<T>, (unsigned) pages, WIDE, 0, s, given.first,
               given.values, left, right);
  if (s.vectors && ! plain)
    {
      GE_TRY (store (ctx, &s, s.l, s.b, s.to_u, given.first, given.values, s.x,
                     left));
      GE_TRY (store (ctx, &s, s.k, s.v, s.to_v, given.first, given.values, s.y,
                     right));
    }
  GE_LAUNCH (tell_states<T>, ge_blocks (pages, THREADS), THREADS, 0, s, states);
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
  const double bytes = (2 * k * l + 15 * k * k) * (double) sizeof (T);
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
