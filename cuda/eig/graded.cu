/* Definite pairs with ill-conditioned B, see symmetric.cuh: refinement of approximate eigenpairs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Solvers of the reduced problem C Y = Y D, C = L^-1 A L^-H, B = L L^H, have errors of eps |C|:
   small for the eigenvalues near |C|, whose vectors V = L^-H Y are large, and too much for small
   eigenvalues if |C| is far beyond |A| / |B|.  With R = A V - B V D, Z = V^H R and
   H = V^H B V - I the columns of V (I + E), D + diag (Z),

     E_ij = -Z_ij / (d_i - d_j),    E_ij + conj (E_ji) = -H_ij,

   have errors of the order of E squared (T. Ogita, K. Aishima, Japan J. Indust. Appl. Math. 35,
   2018, for one matrix).  Rounding errors of Z_ij are eps |V_i| |V_j| (|A| + |d_j| |B|) only, so
   that the column whose eigenvalue is smaller tells both E_ij and E_ji; an element that is not
   larger than them is no reason to turn the vectors.  Columns whose E is too large for this are
   freed of parts of the others, and the pair (V2^H A V2, V2^H B V2) of smaller order and norm is
   solved.  Only columns with errors are refined.

   A solution consists of columns whose residuals and products with others, columns of H, have
   been computed and are small: the former in units of (|A| + |d_j| |B|) |V_j|, the latter of
   |B| |V_i| |V_j|.  These exceed 1 where B is nearly singular, so that the columns of H must be
   below 1, too: vectors of which two are the same have small residuals.  */

#include "base/blas.cuh"
#include "base/mirror.cuh"
#include "base/numbers.cuh"
#include "base/pairs.cuh"
#include "base/teams.cuh"
#include "base/verify.cuh"
#include "eig/symmetric.cuh"
#include "plan/forms.h"
#include "tridiagonal/stack.cuh"

#include <algorithm>
#include <float.h>

enum
{
  THREADS = 256,
  MOST_STEPS = 12,
  LEAST_COLUMNS = 700 /* that are multiplied at once */
};

/* The largest error of columns of which a solution consists, and of columns that are not refined,
   in units of n eps.  */
#define MOST_ERROR 1.0
#define SMALL_ERROR 0.1

/* Up to this sum of squares of a column of H the vector is not one that others span.  */
#define LARGEST_OVERLAP (1.0 / 4)

/* Inputs of kernels; LAMBDA and SIZE, of the columns of V, are on the device.  */
typedef struct
{
  int64_t n;
  double eps, norm_a, norm_b; /* Frobenius norms */
  double *lambda, *size;
} pair_facts;

template <typename T> struct graded
{
  gpueig_context *ctx;
  pair_facts facts; /* with change, error and turn behind size, n each */
  const T *a, *b;
  T *v, *l, *c, *q;             /* n-by-n; V: the vectors */
  ge_real<T> *values, *fetched; /* n eigenvalues on the device and the host */
  int *state;                   /* of a reduction */
  /* On the host, n each: eigenvalues, their first-order changes, errors in units of n eps, and
     sums of squares of E.  */
  double *lambda, *change, *error, *turn;
};

/* The larger one; infinity if X is none or NaN.  */
static inline __host__ __device__ double
worse_of (double worst, double x)
{
  return x <= worst ? worst : x < INFINITY ? x : INFINITY;
}

/* --- kernels; a block for each column from FROM on, or a thread for each element --- */

/* The real part of conj (X) Y, in double precision.  */
template <typename T>
GE_DEVICE_INLINE double
inner_product (T x, T y)
{
  return (double) real_part (x) * (double) real_part (y)
         + (double) imaginary_part (x) * (double) imaginary_part (y);
}

/* Q - C Lambda in the place of Q = A V, C = B V; size, change and residual of each column.  */
template <typename T>
GE_KERNEL (THREADS)
residuals_kernel (pair_facts p, int64_t from, const T *v, const T *c, T *q)
{
  __shared__ double space[THREADS / 32];
  const int64_t n = p.n, j = from + blockIdx.x;
  const ge_real<T> lambda = (ge_real<T>) p.lambda[j];
  double rest = 0, size = 0, change = 0, length = 0;
  for (int64_t e = n * j + threadIdx.x; e < n * (j + 1); e += THREADS)
    {
      const T r = minus (q[e], times (lambda, c[e]));
      q[e] = r;
      rest += inner_product (r, r);
      size += inner_product (v[e], v[e]);
      change += inner_product (v[e], r);
      length += inner_product (v[e], c[e]);
    }
  rest = block_sum (rest, space, THREADS / 32);
  size = block_sum (size, space, THREADS / 32);
  change = block_sum (change, space, THREADS / 32);
  length = block_sum (length, space, THREADS / 32);
  if (threadIdx.x > 0)
    return;
  p.size[j] = sqrt (size);
  p.size[n + j] = change / length;
  p.size[2 * n + j] = sqrt (rest)
                      / ((p.norm_a + fabs (p.lambda[j]) * p.norm_b)
                         * sqrt (size) * (double) n * p.eps);
}

/* The errors of columns, residuals on entry, become those of the columns of H, too;
   G = I + H.  */
template <typename T>
GE_KERNEL (THREADS)
overlaps_kernel (pair_facts p, int64_t from, const T *g)
{
  __shared__ double space[THREADS / 32];
  const int64_t n = p.n, j = from + blockIdx.x;
  double sum = 0, scaled = 0;
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      const T h = minus (g[i + n * j], make_number<T> (i == j, 0));
      const double square = inner_product (h, h);
      sum += square;
      scaled += square / (p.size[i] * p.size[i]);
    }
  sum = block_sum (sum, space, THREADS / 32);
  scaled = block_sum (scaled, space, THREADS / 32);
  if (threadIdx.x > 0)
    return;
  const double overlap = sum <= LARGEST_OVERLAP ? 0 : sum / LARGEST_OVERLAP,
               unit = p.norm_b * p.size[j] * (double) n * p.eps;
  double *const error = p.size + 2 * n + j;
  *error = worse_of (worse_of (*error, sqrt (scaled) / unit), overlap);
}

/* The factor of S_ij, of MODULUS, in E_ij = -S_ij / (d_i - d_j) - H_ij / 2.  It is 0 where
   rounding errors would turn vectors of nearly equal eigenvalues so far that the square of E were
   not far below the rounding errors of H.  */
GE_DEVICE_INLINE double
turn_factor (const pair_facts &p, int64_t i, int64_t j, double modulus)
{
  const double gap = p.lambda[i] - p.lambda[j], turn = modulus / fabs (gap),
               least = fmin (fabs (p.lambda[i]), fabs (p.lambda[j])),
               unit = p.eps * p.size[i] * p.size[j];
  const int is_noise = modulus <= unit * (p.norm_a + least * p.norm_b)
                       && ! (turn * turn <= 0x1p-16 * unit * p.norm_b);
  return is_noise ? 0 : -1 / gap;
}

/* *X and *Y: on entry Z_ij and Z_ji, on return E_ij and E_ji; H_ij.  Both Z_ij and conj (Z_ji)
   are S_ij up to half of (d_i - d_j) H_ij.  */
template <typename T>
GE_DEVICE_INLINE void
correct_both (const pair_facts &p, int64_t i, int64_t j, T h, T *x, T *y)
{
  typedef ge_real<T> R;
  const T half = times ((R) 0.5, h),
          part = times ((R) (p.lambda[i] - p.lambda[j]), half);
  const T s = fabs (p.lambda[j]) <= fabs (p.lambda[i])
                  ? minus (*x, part)
                  : plus (conjugate (*y), part);
  const T turn
      = times ((R) turn_factor (p, i, j, sqrt (inner_product (s, s))), s);
  *x = minus (turn, half);
  *y = negate (conjugate (plus (turn, half)));
}

/* I + E in the place of Z, columns FROM to TO - 1; G = I + H.  Of the other rows, which are not
   refined, Z tells E_ij where d_i is so far from d_j that its rounding errors are smaller.  */
template <typename T>
GE_KERNEL (THREADS)
corrections_kernel (pair_facts p, int64_t from, int64_t to, const T *g, T *z)
{
  typedef ge_real<T> R;
  const int64_t e = blockIdx.x * (int64_t) THREADS + threadIdx.x;
  const int64_t n = p.n, i = e % n, j = from + e / n;
  if (j >= to || (i > j && i < to))
    return;
  T *const x = z + i + n * j;
  const T h = g[i + n * j];
  const double gap = p.lambda[i] - p.lambda[j];
  if (i == j)
    *x = make_number<T> ((3 - real_part (h)) / 2, 0);
  else if (i >= from && i < to)
    correct_both (p, i, j, h, x, z + j + n * i);
  else if (fabs (gap) * p.norm_b >= p.norm_a + fabs (p.lambda[j]) * p.norm_b)
    *x = times ((R) (-1 / gap), *x);
  else
    *x = negate (h);
}

/* The sums of squares of rows FROM to TO - 1 of E.  */
template <typename T>
GE_KERNEL (THREADS)
turns_kernel (pair_facts p, int64_t from, int64_t to, const T *e)
{
  __shared__ double space[THREADS / 32];
  const int64_t n = p.n, j = from + blockIdx.x;
  double sum = 0;
  for (int64_t i = from + threadIdx.x; i < to; i += THREADS)
    {
      const T x = minus (e[i + n * j], make_number<T> (i == j, 0));
      sum += inner_product (x, x);
    }
  sum = block_sum (sum, space, THREADS / 32);
  if (threadIdx.x == 0)
    p.size[3 * n + j] = sum;
}

/* The identity in rows and columns FROM to TO - 1.  */
template <typename T>
GE_KERNEL (THREADS)
identity_kernel (int64_t n, int64_t from, int64_t to, T *e)
{
  const int64_t m = to - from,
                at = blockIdx.x * (int64_t) THREADS + threadIdx.x;
  const int64_t i = at % m, j = at / m;
  if (j < m)
    e[from + i + n * (from + j)] = make_number<T> (i == j, 0);
}

/* --- the steps, of columns FROM to TO - 1 --- */

/* TO (leading dimension: its rows) = op (X) Y.  */
template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, cublasOperation_t op, int64_t rows,
          int64_t columns, int64_t inner, const T *x, const T *y, T *to)
{
  typedef ge_real<T> R;
  CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, op, CUBLAS_OP_N, rows, columns,
                   inner, (R) 1, x, op == CUBLAS_OP_N ? rows : inner, y, inner,
                   (R) 0, to, rows));
  return GPUEIG_OK;
}

/* TO = X^H Y, M-by-M, which is Hermitian; X and Y have N rows.  Of large ones one triangle is
   computed, in columns of equal numbers as far as possible.  */
template <typename T>
static gpueig_status
multiply_hermitian (gpueig_context *ctx, int64_t m, int64_t n, const T *x,
                    const T *y, T *to)
{
  typedef ge_real<T> R;
  const int64_t parts = m / LEAST_COLUMNS > 1 ? m / LEAST_COLUMNS : 1;
  for (int64_t k = 0; k < parts; k++)
    {
      const int64_t j = m * k / parts, end = m * (k + 1) / parts;
      CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, ge_adjoint<T> (), CUBLAS_OP_N,
                       m - j, end - j, n, (R) 1, x + n * j, n, y + n * j, n,
                       (R) 0, to + j * (m + 1), m));
    }
  return ge_mirror (ctx, m, 1, to, m);
}

/* Q <- R, L <- I + H; changes and errors.  */
template <typename T>
static gpueig_status
find_errors (const graded<T> *g, int64_t from, int64_t to)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n, m = to - from, at = n * from;
  GE_TRY (ge_check_interrupt (ctx));
  for (int64_t j = from; j < to; j++)
    g->lambda[j] = (double) (ge_real<T>) g->lambda[j];
  GE_TRY (ge_put (ctx, g->facts.lambda, g->lambda, n));
  GE_TRY (multiply<T> (ctx, CUBLAS_OP_N, n, m, n, g->a, g->v + at, g->q + at));
  GE_TRY (multiply<T> (ctx, CUBLAS_OP_N, n, m, n, g->b, g->v + at, g->c + at));
  if (m == n)
    GE_TRY (multiply_hermitian<T> (ctx, n, n, g->v, g->c, g->l));
  else
    GE_TRY (multiply<T> (ctx, ge_adjoint<T> (), n, m, n, g->v, g->c + at,
                         g->l + at));
  GE_LAUNCH (residuals_kernel<T>, (unsigned) m, THREADS, 0, g->facts, from,
             g->v, g->c, g->q);
  GE_LAUNCH (overlaps_kernel<T>, (unsigned) m, THREADS, 0, g->facts, from,
             g->l);
  return ge_fetch (ctx, g->change, g->facts.size + n, 2 * n);
}

/* C <- I + E; turns.  */
template <typename T>
static gpueig_status
find_corrections (const graded<T> *g, int64_t from, int64_t to)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n, m = to - from, at = n * from;
  GE_TRY (
      multiply<T> (ctx, ge_adjoint<T> (), n, m, n, g->v, g->q + at, g->c + at));
  GE_LAUNCH (corrections_kernel<T>, ge_blocks (n * m, THREADS), THREADS, 0,
             g->facts, from, to, g->l, g->c);
  GE_LAUNCH (turns_kernel<T>, (unsigned) m, THREADS, 0, g->facts, from, to,
             g->c);
  return ge_fetch (ctx, g->turn + from, g->facts.size + 3 * n + from, m);
}

/* V (I + E) in the place of V, without rows and columns FIRST to END - 1 of E.  */
template <typename T>
static gpueig_status
correct_columns (const graded<T> *g, int64_t from, int64_t to, int64_t first,
                 int64_t end)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n, m = to - from, at = n * from;
  if (first < end)
    GE_LAUNCH (identity_kernel<T>,
               ge_blocks ((end - first) * (end - first), THREADS), THREADS, 0,
               n, first, end, g->c);
  GE_TRY (multiply<T> (ctx, CUBLAS_OP_N, n, m, n, g->v, g->c + at, g->q));
  for (int64_t j = from; j < to; j++)
    g->lambda[j] += g->change[j];
  return ge_copy (ctx, g->v + at, g->q, n * m);
}

/* Eigenvectors of A, which is overwritten, M-by-M, in *V: in SPARE, or A itself; LAMBDA on
   the device.  Those of small ones are not verified, but the pair's are.  */
template <typename T>
static gpueig_status
eigenvectors (gpueig_context *ctx, int64_t m, T *a, T *spare,
              ge_real<T> *lambda, T **v)
{
  *v = m <= GE_STACK_ORDER ? spare : a;
  return m <= GE_STACK_ORDER ? ge_stack_basis<T> (ctx, m, 1, a, spare, lambda)
                             : ge_cuda_eigenvectors<T> (ctx, m, a, lambda);
}

/* Eigenvalues FROM to FROM + M - 1, which have been computed.  */
template <typename T>
static gpueig_status
fetch_values (const graded<T> *g, int64_t from, int64_t m)
{
  GE_TRY (ge_fetch (g->ctx, g->fetched, g->values, m));
  for (int64_t i = 0; i < m; i++)
    g->lambda[from + i] = (double) g->fetched[i];
  return GPUEIG_OK;
}

/* The columns V2 become V2 times the eigenvectors of (V2^H A V2, V2^H B V2).  Where its reduction
   fails the results have no meaning: one wait, at the end.  */
template <typename T>
static gpueig_status
project_columns (const graded<T> *g, int64_t from, int64_t to)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n, m = to - from;
  const cublasOperation_t none = CUBLAS_OP_N;
  T *const inside = g->v + n * from;
  T *v;
  int *failed;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 1, &failed));
  GE_TRY (multiply<T> (ctx, none, n, m, n, g->b, inside, g->q));
  GE_TRY (multiply_hermitian<T> (ctx, m, n, inside, g->q, g->l));
  GE_TRY (multiply<T> (ctx, none, n, m, n, g->a, inside, g->q));
  GE_TRY (multiply_hermitian<T> (ctx, m, n, inside, g->q, g->c));
  GE_TRY (ge_cuda_reduce_pair<T> (ctx, m, g->c, g->l, g->state));
  GE_TRY (ge_get (ctx, failed, g->state, 1));
  GE_TRY (eigenvectors<T> (ctx, m, g->c, g->q, g->values, &v));
  GE_TRY (ge_cuda_pair_back<T> (ctx, m, m, g->l, v));
  T *const product = v == g->q ? g->c : g->q;
  GE_TRY (multiply<T> (ctx, none, n, m, m, inside, v, product));
  GE_TRY (ge_copy (ctx, inside, product, n * m));
  GE_TRY (fetch_values (g, from, m));
  const int solved = *failed == 0 || *failed == GE_PAIR_LEFT;
  GE_TRY (ge_close_frame (ctx, mark));
  return solved ? GPUEIG_OK
                : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                               "B is not positive definite to working "
                               "precision");
}

/* Narrow *FROM, *TO to the columns whose X exceeds LIMIT; returns the largest one, or
   infinity.  */
static double
find_large (const double *x, double limit, int64_t *from, int64_t *to)
{
  double worst = 0;
  int64_t first = *to, end = *from;
  for (int64_t j = *from; j < *to; j++)
    {
      worst = worse_of (worst, x[j]);
      if (x[j] <= limit)
        continue;
      first = j < first ? j : first;
      end = j + 1;
    }
  *from = first;
  *to = end;
  return worst;
}

/* Refine until all errors are small.  They may grow for a while, to the square of E, but not
   where this is smaller than they were.  */
template <typename T>
static gpueig_status
refine_columns (const graded<T> *g, int *solved)
{
  const double unit = (double) g->facts.n * g->facts.eps,
               largest_turn = ge_pair_largest_turn (g->facts.n);
  int64_t from = 0, to = g->facts.n;
  double before = INFINITY, turn = 0;
  for (int step = 0;; step++)
    {
      const int64_t columns = to - from;
      GE_TRY (find_errors (g, from, to));
      const double worst = find_large (g->error, SMALL_ERROR, &from, &to);
      const int decreases = worst < before / 2 || to - from <= columns / 2;
      *solved = worst <= MOST_ERROR;
      if (*solved || ! (worst < INFINITY) || step == MOST_STEPS
          || ! (decreases || turn > unit * before))
        return GPUEIG_OK;
      before = worst;
      GE_TRY (find_corrections (g, from, to));
      int64_t first = from, end = to;
      turn = find_large (g->turn, largest_turn, &first, &end);
      GE_TRY (correct_columns (g, from, to, first, end));
      if (first < end)
        GE_TRY (project_columns (g, first, end));
    }
}

/* Ascending eigenvalues, on the host, and their vectors.  */
template <typename T>
static gpueig_status
sort_pairs (const graded<T> *g, ge_real<T> *lambda)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n;
  const double *x = g->lambda;
  int64_t *order;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &order));
  for (int64_t i = 0; i < n; i++)
    order[i] = i;
  std::stable_sort (order, order + n,
                    [x] (int64_t i, int64_t j) { return x[i] < x[j]; });
  if (! std::is_sorted (order, order + n))
    GE_TRY (ge_copy (ctx, g->q, g->v, n * n));
  for (int64_t i = 0; i < n; i++)
    {
      lambda[i] = (ge_real<T>) x[order[i]];
      if (order[i] != i)
        GE_TRY (ge_copy (ctx, g->v + n * i, g->q + n * order[i], n));
    }
  return ge_close_frame (ctx, mark);
}

/* Memory of G, whose order is set.  */
template <typename T>
static gpueig_status
allocate_graded (graded<T> *g)
{
  gpueig_context *ctx = g->ctx;
  const int64_t n = g->facts.n;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * n, &g->c, &g->q));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &g->values));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &g->facts.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 4 * n, &g->facts.size));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &g->state));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, n, &g->fetched));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 4 * n, &g->lambda));
  g->change = g->lambda + n;
  g->error = g->lambda + 2 * n;
  g->turn = g->lambda + 3 * n;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_graded_pair (gpueig_context *ctx, int64_t n, const T *a, const T *b,
                     T *c, T *l, ge_real<T> *lambda, int *solved)
{
  typedef ge_real<T> R;
  graded<T> g = {};
  T *v;
  R *norms, norm[2];
  const int mark = ge_mark (ctx);
  g.ctx = ctx;
  g.facts.n = n;
  g.a = a;
  g.b = b;
  g.v = c;
  g.l = l;
  GE_TRY (allocate_graded (&g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &norms));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norms));
  GE_TRY (ge_cuda_norm (ctx, n * n, b, norms + 1));
  GE_TRY (ge_fetch (ctx, norm, norms, 2));
  g.facts.eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  g.facts.norm_a = (double) norm[0];
  g.facts.norm_b = (double) norm[1];
  GE_TRY (eigenvectors<T> (ctx, n, g.v, g.c, g.values, &v));
  if (v != g.v)
    GE_TRY (ge_copy (ctx, g.v, v, n * n));
  GE_TRY (ge_cuda_pair_back<T> (ctx, n, n, l, g.v));
  GE_TRY (fetch_values (&g, 0, n));
  GE_TRY (refine_columns (&g, solved));
  if (*solved)
    GE_TRY (sort_pairs (&g, lambda));
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_graded_pair)
