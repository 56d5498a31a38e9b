/* Definite pairs with ill-conditioned B, see symmetric.cuh; products and standard problems
   alone.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/pairs.cuh"
#include "base/teams.cuh"
#include "base/verify.cuh"
#include "eig/levels.h"
#include "eig/symmetric.cuh"
#include "tridiagonal/stack.cuh"

#include <algorithm>
#include <float.h>
#include <string.h>

enum
{
  THREADS = 256
};

template <typename T> struct graded
{
  int64_t n, from, to; /* the level: columns FROM to TO - 1 of V */
  const T *a, *b;
  T *v, *l, *c, *q; /* n-by-n; V: the vectors */
  ge_real<T> *lambda,
      *values; /* n eigenvalues, on the host and on the device */
};

/* G, n-by-columns: rows FROM to TO - 1 become the identity, the others are divided by
   -VALUES.  */
template <typename T>
static __global__ void
coefficients_kernel (int64_t n, int64_t from, int64_t to,
                     const ge_real<T> *values, T *g)
{
  typedef ge_real<T> R;
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  const int64_t i = e % n, j = e / n;
  if (j >= to - from)
    return;
  const int inside = i >= from && i < to;
  R *x = (R *) (g + e);
  for (int part = 0; part < 1 + is_complex<T>::value; part++)
    x[part] = inside ? (R) (part == 0 && i == from + j) : -x[part] / values[i];
}

/* TO (leading dimension: its rows) = FACTOR op (X) Y + TIMES TO.  */
template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, cublasOperation_t op, int64_t rows,
          int64_t columns, int64_t inner, int factor, const T *x, const T *y,
          int times, T *to)
{
  typedef ge_real<T> R;
  if (columns > 0)
    CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, op, CUBLAS_OP_N, rows, columns,
                     inner, (R) factor, x, op == CUBLAS_OP_N ? rows : inner, y,
                     inner, (R) times, to, rows));
  return GPUEIG_OK;
}

/* V2 - V1 D1^-1 V1^H A V2.  */
template <typename T>
static gpueig_status
free_inside (gpueig_context *ctx, const graded<T> *g)
{
  const int64_t n = g->n, m = g->to - g->from;
  T *const inside = g->v + g->from * n;
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, 1, g->a, inside, 0, g->q));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), n, m, n, 1, g->v, g->q, 0, g->c));
  GE_LAUNCH (coefficients_kernel<T>, ge_blocks (n * m, THREADS), THREADS, 0, n,
             g->from, g->to, g->values, g->c);
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, 1, g->v, g->c, 0, g->q));
  return ge_copy (ctx, inside, g->q, n * m);
}

/* V1 - V2 V2^H B V1, Q <- B V2.  */
template <typename T>
static gpueig_status
free_outside (gpueig_context *ctx, const graded<T> *g)
{
  const int64_t n = g->n, m = g->to - g->from;
  const T *inside = g->v + g->from * n;
  const int64_t sides[2][2] = { { 0, g->from }, { g->to, n } };
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, 1, g->b, inside, 0, g->q));
  for (int k = 0; k < 2; k++)
    {
      T *const side = g->v + sides[k][0] * n;
      const int64_t columns = sides[k][1] - sides[k][0];
      GE_TRY (multiply (ctx, ge_adjoint<T> (), m, columns, n, 1, g->q, side, 0,
                        g->c));
      GE_TRY (multiply (ctx, CUBLAS_OP_N, n, columns, m, -1, inside, g->c, 1,
                        side));
    }
  return GPUEIG_OK;
}

/* Eigenvectors of A, which is overwritten, M-by-M, in *V: in SPARE, or A itself; LAMBDA on
   the device.  Small ones need no verification of their own, see judge.  */
template <typename T>
static gpueig_status
eigenvectors (gpueig_context *ctx, int64_t m, T *a, T *spare,
              ge_real<T> *lambda, T **v)
{
  *v = m <= GE_STACK_ORDER ? spare : a;
  return m <= GE_STACK_ORDER ? ge_stack_basis<T> (ctx, m, 1, a, spare, lambda)
                             : ge_cuda_eigenvectors<T> (ctx, m, a, lambda);
}

/* The eigenpairs of (V2^H A V2, V2^H B V2), the vectors V2 times them; Q is B V2.  Where
   the reduction fails they have no meaning: one wait, at the end.  */
template <typename T>
static gpueig_status
solve_level (gpueig_context *ctx, const graded<T> *g, int *solved)
{
  const int64_t n = g->n, m = g->to - g->from;
  T *const inside = g->v + g->from * n;
  ge_real<T> *const values = g->values + g->from;
  T *v;
  int *state, *failed;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &state));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 1, &failed));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), m, m, n, 1, inside, g->q, 0, g->l));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, 1, g->a, inside, 0, g->q));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), m, m, n, 1, inside, g->q, 0, g->c));
  GE_TRY (ge_cuda_reduce_pair<T> (ctx, m, g->c, g->l, state));
  GE_TRY (ge_get (ctx, failed, state, 1));
  GE_TRY (eigenvectors<T> (ctx, m, g->c, g->q, values, &v));
  GE_TRY (ge_get (ctx, g->lambda + g->from, values, m));
  GE_TRY (ge_cuda_pair_back<T> (ctx, m, m, g->l, v));
  T *const product = v == g->q ? g->c : g->q;
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, m, 1, inside, v, 0, product));
  GE_TRY (ge_copy (ctx, inside, product, n * m));
  GE_TRY (ge_wait (ctx));
  *solved = *failed == 0 || *failed == GE_PAIR_LEFT;
  return ge_close_frame (ctx, mark);
}

/* The next level; 0 if there is none.  */
template <typename T>
static int
next_level (graded<T> *g, double norm_a, double norm_b)
{
  const ge_real<T> *x = g->lambda;
  const double bound = ge_level_bound (
      g->n, fmax (-(double) x[g->from], (double) x[g->to - 1]), norm_a, norm_b);
  while (g->from < g->to && fabs ((double) x[g->from]) > bound)
    g->from++;
  while (g->from < g->to && fabs ((double) x[g->to - 1]) > bound)
    g->to--;
  return bound > 0 && g->from < g->to;
}

/* Eigenvalues near the end of a level may have passed each other: ascending again.  */
template <typename T>
static gpueig_status
sort_pairs (gpueig_context *ctx, const graded<T> *g)
{
  const int64_t n = g->n;
  ge_real<T> *x = g->lambda, *sorted;
  int64_t *order;
  const int mark = ge_mark (ctx);
  if (std::is_sorted (x, x + n))
    return GPUEIG_OK;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &order, &sorted));
  for (int64_t i = 0; i < n; i++)
    order[i] = i;
  std::stable_sort (order, order + n,
                    [x] (int64_t i, int64_t j) { return x[i] < x[j]; });
  GE_TRY (ge_copy (ctx, g->q, g->v, n * n));
  for (int64_t i = 0; i < n; i++)
    {
      sorted[i] = x[order[i]];
      if (order[i] != i)
        GE_TRY (ge_copy (ctx, g->v + n * i, g->q + n * order[i], n));
    }
  memcpy (x, sorted, (size_t) n * sizeof *x);
  return ge_close_frame (ctx, mark);
}

/* ERROR[j] = |A v - lambda B v| / ((NORM_A + |lambda| NORM_B) |v|), Euclidean norms, of
   column j: one block each.  */
template <typename T>
static __global__ void
column_errors_kernel (int64_t n, double norm_a, double norm_b, const T *av,
                      const T *bv, const T *v, const ge_real<T> *lambda,
                      double *error)
{
  __shared__ double space[THREADS / 32];
  const int64_t parts = 1 + is_complex<T>::value;
  const int64_t at = parts * n * blockIdx.x;
  const double value = (double) lambda[blockIdx.x];
  typedef ge_real<T> R;
  const R *x = (const R *) av + at, *y = (const R *) bv + at,
          *z = (const R *) v + at;
  double rest = 0, size = 0;
  for (int64_t i = threadIdx.x; i < parts * n; i += THREADS)
    {
      const double r = (double) x[i] - value * (double) y[i];
      rest += r * r;
      size += (double) z[i] * (double) z[i];
    }
  rest = block_sum (rest, space, THREADS / 32);
  size = block_sum (size, space, THREADS / 32);
  if (threadIdx.x == 0)
    error[blockIdx.x]
        = sqrt (rest) / ((norm_a + fabs (value) * norm_b) * sqrt (size));
}

/* *GOOD: whether the errors of all columns are at most n eps.  */
template <typename T>
static gpueig_status
judge (gpueig_context *ctx, const graded<T> *g, double norm_a, double norm_b,
       int *good)
{
  const int64_t n = g->n;
  const double eps
      = sizeof (ge_real<T>) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double *errors, *error;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &errors));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &error));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, n, n, 1, g->a, g->v, 0, g->c));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, n, n, 1, g->b, g->v, 0, g->q));
  GE_LAUNCH (column_errors_kernel<T>, (unsigned) n, THREADS, 0, n, norm_a,
             norm_b, g->c, g->q, g->v, g->values, errors);
  GE_TRY (ge_fetch (ctx, error, errors, n));
  *good = 1;
  for (int64_t j = 0; j < n; j++)
    *good &= error[j] <= (double) n * eps;
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_graded_pair (gpueig_context *ctx, int64_t n, const T *a, const T *b,
                     T *c, T *l, ge_real<T> *lambda, int *solved)
{
  typedef ge_real<T> R;
  graded<T> g = { n, 0, n, a, b, c, l, NULL, NULL, NULL, NULL };
  T *v;
  R *norms, *norm;
  const int mark = ge_mark (ctx);
  *solved = 1;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &g.values));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &norms));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, n, &g.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2, &norm));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norms));
  GE_TRY (ge_cuda_norm (ctx, n * n, b, norms + 1));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * n, &g.c, &g.q));
  GE_TRY (eigenvectors<T> (ctx, n, c, g.c, g.values, &v));
  if (v != c)
    GE_TRY (ge_copy (ctx, c, v, n * n));
  GE_TRY (ge_cuda_pair_back<T> (ctx, n, n, l, c));
  GE_TRY (ge_get (ctx, norm, norms, 2));
  GE_TRY (ge_fetch (ctx, g.lambda, g.values, n));
  while (*solved && next_level (&g, norm[0], norm[1]))
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (free_inside (ctx, &g));
      GE_TRY (free_outside (ctx, &g));
      GE_TRY (solve_level (ctx, &g, solved));
    }
  if (*solved)
    GE_TRY (judge (ctx, &g, norm[0], norm[1], solved));
  if (*solved)
    GE_TRY (sort_pairs (ctx, &g));
  GE_TRY (ge_wait (ctx));
  memcpy (lambda, g.lambda, (size_t) n * sizeof *lambda);
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_graded_pair)
