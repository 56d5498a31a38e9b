/* One matrix on the GPU: eigenvectors of Gram matrices, with deflation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   B is the page, L-by-K with L >= K, or its conjugate transpose.  The eigenvectors W of
   B'B rotate its columns and those of V.  The error of W is eps |B|^2, so that the columns
   of B W longer than |B| / RANGE, the head, are orthogonal to about eps RANGE^2: a
   triangular correction that changes A by no more than eps RANGE |B| makes them so, from
   the longest to the shortest.  The others, the tail, are made orthogonal to all vectors
   found, which changes A by as much, and are the B of the next level, whose norm is smaller
   by RANGE.  So the errors of all levels together are of the order of RANGE eps |A| for every
   matrix, and most have a tail of a few columns.  Where the tail is below eps |A|, its
   singular values are 0 and its left vectors those of a random matrix.

   Columns are in ascending order of the values until the results are stored.  They are
   verified by products with a random vector.  */

#include "base/blas.cuh"
#include "base/numbers.cuh"
#include "base/scalar.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "eig/symmetric.cuh"
#include "svd/svd.cuh"

enum
{
  THREADS = 256,
  TILE = 32,
  MOST_LEVELS = 40
};

template <typename T> struct gram_page
{
  typedef ge_real<T> R;
  int64_t l, k, columns; /* COLUMNS: of the long side's vectors */
  int64_t left;          /* columns of B that are not in U yet, */
  int64_t more;          /* and those that complete U */
  int vectors, filling;
  T *a;                    /* the page, l-by-k, B at first */
  T *in, *out, *spare, *u; /* B, B W, scratch, and U, l-by-columns */
  T *g, *v;                /* columns-by-columns, k-by-k */
  R *lambda, *length;      /* columns; the values, ascending, k */
  R *values;               /* on the host, columns */
};

/* --- kernels --- */

/* *MOST: the largest exponent of COUNT reals, 32768 if one is not finite.  */
template <typename R>
static __global__ void
largest_exponent (int64_t count, const R *a, int *most)
{
  int e = -16384;
  for (int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x; i < count;
       i += (int64_t) gridDim.x * blockDim.x)
    {
      const R x = fabs_ (a[i]);
      if (x > 0)
        e = max (e, x - x == 0 ? exponent_of (x) : 32768);
      else if (x != x)
        e = 32768;
    }
  e = tile_max<32> (e);
  if (threadIdx.x % 32 == 0)
    atomicMax (most, e);
}

/* B, ROWS-by-COLUMNS, becomes A 2^EXPONENT, or if TRANSPOSE the conjugate transpose of
   A, COLUMNS-by-ROWS.  */
template <typename T>
GE_KERNEL (THREADS)
load_scaled (int64_t rows, int64_t columns, const T *a, int exponent,
             int transpose, T *b)
{
  __shared__ T tile[TILE][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const int64_t across = (rows + TILE - 1) / TILE;
  const int64_t row = blockIdx.x % across * TILE;
  const int64_t column = blockIdx.x / across * TILE;
  for (int i = y; i < TILE; i += THREADS / TILE)
    {
      const int64_t r = transpose ? row + i : row + x;
      const int64_t c = transpose ? column + x : column + i;
      if (r < rows && c < columns)
        {
          const T z = a[transpose ? c + columns * r : r + rows * c];
          const ge_real<T> im = scale_by (imaginary_part (z), exponent);
          tile[i][x] = make_number<T> (scale_by (real_part (z), exponent),
                                       transpose ? -im : im);
        }
    }
  __syncthreads ();
  for (int i = y; i < TILE; i += THREADS / TILE)
    if (row + x < rows && column + i < columns)
      b[row + x + rows * (column + i)] = transpose ? tile[x][i] : tile[i][x];
}

/* LENGTH: the norms of the columns of X, ROWS rows, a block each; they are divided by it if
   UNIT.  */
template <typename T>
GE_KERNEL (THREADS)
column_lengths (int64_t rows, T *x, int to_unit, ge_real<T> *length)
{
  typedef ge_real<T> R;
  __shared__ R space[THREADS / 32];
  T *mine = x + rows * blockIdx.x;
  R sum = 0;
  for (int64_t i = threadIdx.x; i < rows; i += THREADS)
    sum = add_square (mine[i], sum);
  sum = sqrt_ (block_sum (sum, space, THREADS / 32));
  if (threadIdx.x == 0)
    length[blockIdx.x] = sum;
  for (int64_t i = threadIdx.x; to_unit && i < rows; i += THREADS)
    mine[i] = make_number<T> (real_part (mine[i]) / sum,
                              imaginary_part (mine[i]) / sum);
}

/* E = X'X of columns X of norm 1 becomes the C for which X C is orthonormal to first order:
   X_j less its components in the columns after it.  */
template <typename T>
static __global__ void
triangular_correction (int64_t n, T *e)
{
  const int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  const int64_t row = i % n, column = i / n;
  if (row == column)
    e[i] = make_number<T> ((3 - real_part (e[i])) / 2, 0);
  else
    e[i] = row > column ? negate (e[i]) : zero<T> ();
}

/* Pseudorandom elements between -1 and 1, as many rows in every column as A has.  */
template <typename T>
static __global__ void
random_elements (int64_t count, T *x)
{
  typedef ge_real<T> R;
  const int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  x[i] = make_number<T> (random_part<R> (2 * i), random_part<R> (2 * i + 1));
}

template <typename T>
static __global__ void
set_unit_matrix (int64_t n, T *v)
{
  const int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (i < n * n)
    v[i] = make_number<T> (i % n == i / n, 0);
}

/* Y_i <- D_i Y_i.  */
template <typename T>
static __global__ void
scale_rows (int64_t n, const ge_real<T> *d, T *y)
{
  const int64_t i = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = make_number<T> (d[i] * real_part (y[i]),
                           d[i] * imaginary_part (y[i]));
}

/* Column J of TO is column ORDER[J] of FROM.  */
template <typename T>
static __global__ void
store_columns (int64_t rows, const T *from, const int *order, T *to)
{
  const T *x = from + rows * order[blockIdx.x];
  for (int64_t i = threadIdx.x; i < rows; i += blockDim.x)
    to[rows * blockIdx.x + i] = x[i];
}

/* --- levels --- */

/* C <- op (A) B, or C - A B if BETA; op: conjugate transpose if TA.  */
template <typename T>
static gpueig_status
product (gpueig_context *ctx, int ta, int64_t m, int64_t n, int64_t k,
         const T *a, int64_t lda, const T *b, int64_t ldb, int subtract, T *c,
         int64_t ldc)
{
  typedef ge_real<T> R;
  if (m == 0 || n == 0)
    return GPUEIG_OK;
  CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, ta ? ge_adjoint<T> () : CUBLAS_OP_N,
                   CUBLAS_OP_N, m, n, k, subtract ? (R) -1 : (R) 1, a, lda, b,
                   ldb, subtract ? (R) 1 : (R) 0, c, ldc));
  return GPUEIG_OK;
}

/* The eigenvectors of B'B in p->g, its eigenvalues on the host.  */
template <typename T>
static gpueig_status
solve_gram (gpueig_context *ctx, gram_page<T> *p)
{
  const int64_t n = p->left;
  GE_TRY (
      product<T> (ctx, 1, n, n, p->l, p->in, p->l, p->in, p->l, 0, p->g, n));
  GE_TRY (ge_cuda_eigenvectors<T> (ctx, n, p->g, p->lambda));
  return ge_fetch (ctx, p->values, p->lambda, n);
}

/* V <- V W; W at first.  */
template <typename T>
static gpueig_status
rotate_right (gpueig_context *ctx, gram_page<T> *p)
{
  const int64_t n = p->left;
  const T *w = p->g;
  if (n < p->k)
    {
      GE_TRY (product<T> (ctx, 0, p->k, n, n, p->v, p->k, p->g, n, 0, p->spare,
                          p->k));
      w = p->spare;
    }
  return ge_copy (ctx, p->v, w, p->k * n);
}

/* The last N columns of B W become the next columns of U.  */
template <typename T>
static gpueig_status
take_head (gpueig_context *ctx, gram_page<T> *p, int64_t n)
{
  const int64_t l = p->l, at = p->left - n;
  T *head = p->out + l * at, *u = p->u + l * (at + p->more);
  GE_LAUNCH (column_lengths<T>, (unsigned) n, THREADS, 0, l, head, 1,
             p->filling ? p->lambda : p->length + at);
  const int steps = ! p->vectors ? 0 : sizeof (ge_real<T>) == 8 ? 1 : 2;
  for (int i = 0; i < steps; i++)
    {
      T *to = i + 1 < steps ? p->spare : u;
      GE_TRY (product<T> (ctx, 1, n, n, l, head, l, head, l, 0, p->g, n));
      GE_LAUNCH (triangular_correction<T>, ge_blocks (n * n, THREADS), THREADS,
                 0, n, p->g);
      GE_TRY (product<T> (ctx, 0, l, n, n, head, l, p->g, n, 0, to, l));
      head = to;
    }
  if (steps == 0)
    GE_TRY (ge_copy (ctx, u, head, l * n));
  return GPUEIG_OK;
}

/* X, p->left columns, less its components in the vectors found, at first in the FRESH ones
   found last.  */
template <typename T>
static gpueig_status
project (gpueig_context *ctx, gram_page<T> *p, T *x, int64_t fresh)
{
  const int64_t l = p->l, n = p->left, first = n + p->more;
  const int64_t count[2] = { fresh, p->columns - first };
  const T *u = p->u + l * first;
  for (int i = 0; i < 2; i++)
    {
      GE_TRY (
          product<T> (ctx, 1, count[i], n, l, u, l, x, l, 0, p->g, p->columns));
      GE_TRY (
          product<T> (ctx, 0, l, n, count[i], u, l, p->g, p->columns, 1, x, l));
    }
  return GPUEIG_OK;
}

/* The singular values of the columns that are left are 0, and the vectors that are missing
   those of a random matrix.  */
template <typename T>
static gpueig_status
begin_filling (gpueig_context *ctx, gram_page<T> *p)
{
  GE_TRY (ge_clear (ctx, p->length, p->left));
  if (p->in == p->a)
    {
      GE_LAUNCH (set_unit_matrix<T>, ge_blocks (p->k * p->k, THREADS), THREADS,
                 0, p->k, p->v);
      p->in = p->out;
      p->out = p->spare;
    }
  p->filling = 1;
  p->left = p->vectors ? p->left + p->more : 0;
  p->more = 0;
  if (p->left == 0)
    return GPUEIG_OK;
  GE_LAUNCH (random_elements<T>, ge_blocks (p->l * p->left, THREADS), THREADS,
             0, p->l * p->left, p->in);
  return project (ctx, p, p->in, p->columns - p->left);
}

template <typename T>
static gpueig_status
run_level (gpueig_context *ctx, gram_page<T> *p)
{
  const int64_t l = p->l, n = p->left;
  const double ratio = 1 / svd_range<ge_real<T>> (p->k), least = ratio * ratio;
  int64_t head = 1;
  GE_TRY (ge_cuda_check_interrupt (ctx));
  GE_TRY (solve_gram (ctx, p));
  while (head < n
         && (double) p->values[n - 1 - head]
                >= least * (double) p->values[n - 1])
    head++;
  GE_TRY (product<T> (ctx, 0, l, n, n, p->in, l, p->g, n, 0, p->out, l));
  T *done = p->in == p->a ? p->spare : p->in;
  p->spare = done;
  if (! p->filling && p->vectors)
    GE_TRY (rotate_right (ctx, p));
  GE_TRY (take_head (ctx, p, head));
  p->left = n - head;
  if (p->left > 0)
    GE_TRY (project (ctx, p, p->out, head));
  p->in = p->out;
  p->out = done;
  return GPUEIG_OK;
}

/* Nonzero in *SMALL if no column that is left is longer than LEAST.  */
template <typename T>
static gpueig_status
inspect_tail (gpueig_context *ctx, gram_page<T> *p, double least, int *small)
{
  GE_LAUNCH (column_lengths<T>, (unsigned) p->left, THREADS, 0, p->l, p->in, 0,
             p->lambda);
  GE_TRY (ge_fetch (ctx, p->values, p->lambda, p->left));
  *small = 1;
  for (int64_t i = 0; i < p->left; i++)
    *small &= (double) p->values[i] <= least;
  return GPUEIG_OK;
}

/* All levels; *DONE: whether their number was enough.  */
template <typename T>
static gpueig_status
run_levels (gpueig_context *ctx, gram_page<T> *p, int zeros, int *done)
{
  double least = 0;
  int small = zeros;
  for (int i = 0; i < MOST_LEVELS; i++)
    {
      if (! p->filling && (small || (p->left == 0 && p->more > 0)))
        GE_TRY (begin_filling (ctx, p));
      if (p->left == 0)
        break;
      GE_TRY (run_level (ctx, p));
      if (i == 0)
        least = svd_unit<ge_real<T>> () * sqrt ((double) p->values[p->k - 1]);
      if (p->left > 0 && ! p->filling)
        GE_TRY (inspect_tail (ctx, p, least, &small));
    }
  *done = p->left == 0 && (p->filling || p->more == 0);
  return GPUEIG_OK;
}

/* --- the results --- */

/* *GOOD: whether A = U diag (s) V' and U and V are orthonormal, up to rounding errors.  */
template <typename T>
static gpueig_status
verify (gpueig_context *ctx, const gram_page<T> *p, int *good)
{
  typedef ge_real<T> R;
  const int64_t l = p->l, k = p->k;
  const double order = (double) l, eps = svd_unit<R> ();
  const double limit = (5 * order + 120) * eps;
  T *x, *y, *z, *host;
  R norm, most = 0;
  double of_u, of_v;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, k, &host));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, k, &x, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, l, &z));
  ge_random_vector<T> (k, host);
  GE_TRY (ge_put (ctx, x, host, k));
  GE_TRY (product<T> (ctx, 0, l, 1, k, p->a, l, x, k, 0, z, l));
  GE_TRY (product<T> (ctx, 1, k, 1, k, p->v, k, x, k, 0, y, k));
  GE_LAUNCH (scale_rows<T>, ge_blocks (k, THREADS), THREADS, 0, k, p->length,
             y);
  GE_TRY (product<T> (ctx, 0, l, 1, k, p->u + l * (p->columns - k), l, y, k, 1,
                      z, l));
  CUBLAS (ge_nrm2 (ge_cuda_of (ctx)->blas, l * (1 + is_complex<T>::value),
                   (const R *) z, &norm));
  GE_TRY (ge_cuda_orthogonality<T> (ctx, l, p->columns, p->u, &of_u));
  GE_TRY (ge_cuda_orthogonality<T> (ctx, k, k, p->v, &of_v));
  for (int64_t i = 0; i < k; i++)
    most = p->values[i] > most ? p->values[i] : most;
  *good = (double) norm <= limit * (double) most * sqrt ((double) k)
          && of_u <= limit && of_v <= limit;
  return GPUEIG_OK;
}

/* ORDER: of the K lengths, descending; they are almost ascending.  */
template <typename R>
static void
sort_lengths (int64_t k, const R *length, int *order)
{
  for (int64_t i = k - 1; i >= 0; i--)
    {
      int64_t at = k - 1 - i;
      for (; at > 0 && length[order[at - 1]] < length[i]; at--)
        order[at] = order[at - 1];
      order[at] = (int) i;
    }
}

template <typename T>
static gpueig_status
store (gpueig_context *ctx, const gpueig_svd_problem *g, const gram_page<T> *p,
       int exponent, const svd_arrays<T> *to)
{
  typedef ge_real<T> R;
  const int64_t k = p->k, values = ge_svd_values (g);
  const int64_t first = g->first ? g->first - 1 : 0;
  const int64_t of_left = ge_svd_columns (g, p->l);
  int *order, *columns;
  R *s;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->columns, &order));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, p->columns, &columns));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, values, &s));
  sort_lengths (k, p->values, order);
  for (int64_t i = 0; i < values; i++)
    s[i] = (R) ldexp ((double) p->values[order[first + i]], exponent);
  GE_TRY (ge_put (ctx, to->s, s, values));
  if (! p->vectors)
    return ge_wait (ctx);
  T *left = g->m < g->n ? to->v : to->u, *right = g->m < g->n ? to->u : to->v;
  GE_TRY (ge_put (ctx, columns, order, k));
  GE_LAUNCH (store_columns<T>, (unsigned) values, THREADS, 0, k, p->v,
             columns + first, right);
  GE_TRY (ge_wait (ctx));
  for (int64_t i = 0; i < p->columns; i++)
    order[i] = (int) (i < k ? order[i] + p->columns - k : p->columns - 1 - i);
  GE_TRY (ge_put (ctx, columns, order, p->columns));
  GE_LAUNCH (store_columns<T>, (unsigned) of_left, THREADS, 0, p->l, p->u,
             columns + first, left);
  return ge_wait (ctx);
}

/* --- a page --- */

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, const gpueig_svd_problem *g, gram_page<T> *p)
{
  const int64_t l = ge_svd_long (g), k = ge_svd_short (g);
  const int64_t columns = g->u && g->full ? l : k;
  p->l = l;
  p->k = p->left = k;
  p->columns = columns;
  p->more = columns - k;
  p->vectors = g->u != NULL;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, l * k, &p->a));
  GE_TRY (
      ge_alloc_each (ctx, GE_DEVICE, l * columns, &p->out, &p->spare, &p->u));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns * columns, &p->g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, k * k, &p->v));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &p->lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, k, &p->length));
  p->in = p->a;
  return GE_ALLOC (ctx, GE_HOST, columns, &p->values);
}

/* P->a becomes the page times 2^-*EXPONENT, *EXPONENT 32768 if an element is not finite, and
   -16384 if all are 0.  */
template <typename T>
static gpueig_status
load (gpueig_context *ctx, const gpueig_svd_problem *g, const T *a,
      gram_page<T> *p, int *exponent)
{
  typedef ge_real<T> R;
  const int64_t count = g->m * g->n * (1 + is_complex<T>::value);
  const int64_t tiles = (p->l + TILE - 1) / TILE * ((p->k + TILE - 1) / TILE);
  int *most;
  *exponent = -16384;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &most));
  GE_TRY (ge_put (ctx, most, exponent, 1));
  const unsigned blocks
      = ge_blocks (count, THREADS) < 1024 ? ge_blocks (count, THREADS) : 1024;
  GE_LAUNCH (largest_exponent<R>, blocks, THREADS, 0, count, (const R *) a,
             most);
  GE_TRY (ge_fetch (ctx, exponent, most, 1));
  GE_LAUNCH (load_scaled<T>, (unsigned) tiles, THREADS, 0, p->l, p->k, a,
             *exponent < -10000 ? 0 : -*exponent, g->m < g->n, p->a);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_svd_gram (gpueig_context *ctx, const gpueig_svd_problem *g,
             const svd_arrays<T> *arrays, unsigned char *state)
{
  gram_page<T> p = {};
  int exponent, good = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (allocate (ctx, g, &p));
  GE_TRY (load (ctx, g, arrays->a, &p, &exponent));
  *state = 1;
  if (exponent < 32768)
    {
      const int zeros = exponent < -10000;
      GE_TRY (run_levels (ctx, &p, zeros, &good));
      GE_TRY (ge_fetch (ctx, p.values, p.length, p.k));
      if (good && p.vectors)
        GE_TRY (verify (ctx, &p, &good));
      *state = ! good;
      if (good)
        GE_TRY (store (ctx, g, &p, zeros ? 0 : exponent, arrays));
    }
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_svd_adjoint (gpueig_context *ctx, int64_t rows, int64_t columns, const T *a,
                T *b)
{
  const int64_t tiles
      = (rows + TILE - 1) / TILE * ((columns + TILE - 1) / TILE);
  GE_LAUNCH (load_scaled<T>, (unsigned) tiles, THREADS, 0, rows, columns, a, 0,
             1, b);
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_svd_adjoint)
GE_INSTANTIATE (ge_svd_gram)
