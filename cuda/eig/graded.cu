/* Definite pairs with ill-conditioned B, see symmetric.cuh: the operations of
   core/methods/eig/refine_pair.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/numbers.cuh"
#include "base/pairs.cuh"
#include "base/verify.cuh"
#include "eig/refine_pair.h"
#include "eig/symmetric.cuh"
#include "plan/forms.h"
#include "tridiagonal/stack.cuh"

#include <algorithm>
#include <float.h>

enum
{
  THREADS = 256
};

template <typename T> struct graded
{
  gpueig_context *ctx;
  const T *a, *b;
  T *v, *l, *c, *q;    /* n-by-n; V: the vectors */
  ge_real<T> *values;  /* n eigenvalues on the device, */
  ge_real<T> *fetched; /* and on the host */
  double *lambda;      /* of ge_pair_refinement, on the device, and */
  double *facts;       /* size, change and error, n each */
  int *state;          /* of a reduction */
};

/* For kernels: parts of ge_pair_refinement; LAMBDA and SIZE are on the device.  */
typedef struct
{
  int64_t n, from, to;
  double eps, norm_a, norm_b;
  const double *lambda, *size;
} columns;

template <typename T>
static columns
columns_of_pair (const ge_pair_refinement *p, int64_t from, int64_t to)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  return { p->n, from, to, p->eps, p->norm_a, p->norm_b, g->lambda, g->facts };
}

/* Q - C Lambda in the place of Q = A V, C = B V; size, change and error of each column in FACTS.
   One block for each column.  */
template <typename T>
GE_KERNEL (THREADS)
residuals_kernel (columns p, const T *v, const T *c, T *q, double *facts)
{
  typedef ge_real<T> R;
  __shared__ double space[THREADS / 32];
  const int64_t j = p.from + blockIdx.x;
  const R lambda = (R) p.lambda[j];
  double rest = 0, size = 0, change = 0, length = 0;
  for (int64_t e = p.n * j + threadIdx.x; e < p.n * (j + 1); e += THREADS)
    {
      const T r = minus (q[e], times (lambda, c[e]));
      q[e] = r;
      rest += (double) abs2 (r);
      size += (double) abs2 (v[e]);
      change += (double) real_part (conj_mul_add (v[e], r, zero<T> ()));
      length += (double) real_part (conj_mul_add (v[e], c[e], zero<T> ()));
    }
  rest = block_sum (rest, space, THREADS / 32);
  size = block_sum (size, space, THREADS / 32);
  change = block_sum (change, space, THREADS / 32);
  length = block_sum (length, space, THREADS / 32);
  if (threadIdx.x > 0)
    return;
  facts[j] = sqrt (size);
  facts[p.n + j] = change / length;
  facts[2 * p.n + j] = sqrt (rest)
                       / ((p.norm_a + fabs (p.lambda[j]) * p.norm_b)
                          * sqrt (size) * (double) p.n * p.eps);
}

/* E_ij without H_ij / 2 of Z_ij.  */
template <typename T>
GE_DEVICE_INLINE T
turn_of (const columns &p, int64_t i, int64_t j, T z, int refined)
{
  const double lambda[2] = { p.lambda[i], p.lambda[j] },
               re = (double) real_part (z), im = (double) imaginary_part (z);
  return times ((ge_real<T>) ge_pair_factor (
                    p.eps * p.size[i] * p.size[j], p.norm_a, p.norm_b,
                    sqrt (re * re + im * im), lambda, refined),
                z);
}

/* I + E in the place of Z, n-by-m; H is m-by-m.  A thread has both E_ij and E_ji.  */
template <typename T>
GE_KERNEL (THREADS)
corrections_kernel (columns p, const T *h, T *z)
{
  typedef ge_real<T> R;
  const int64_t m = p.to - p.from,
                e = blockIdx.x * (int64_t) THREADS + threadIdx.x;
  const int64_t i = e % p.n, k = e / p.n, row = i - p.from, j = p.from + k;
  if (k >= m || (row > k && row < m))
    return;
  if (row < 0 || row >= m)
    z[e] = turn_of (p, i, j, z[e], 0);
  else if (row == k)
    z[e] = make_number<T> ((3 - real_part (h[k + m * k])) / 2, 0);
  else
    {
      T *const other = z + j + p.n * row;
      const T half = times ((R) 0.5, h[row + m * k]),
              mean = times ((R) 0.5, plus (z[e], conjugate (*other))),
              turn = turn_of (p, i, j, mean, 1);
      z[e] = minus (turn, half);
      *other = negate (conjugate (plus (turn, half)));
    }
}

/* SUM: the sums of squares of rows FROM to TO - 1 of the columns of E.  */
template <typename T>
GE_KERNEL (THREADS)
squares_of_rows (columns p, const T *e, double *sum)
{
  __shared__ double space[THREADS / 32];
  double squares = 0;
  for (int64_t i = p.from + threadIdx.x; i < p.to; i += THREADS)
    {
      const int is_diagonal = i - p.from == blockIdx.x;
      squares += (double) abs2 (
          minus (e[i + p.n * blockIdx.x], make_number<T> (is_diagonal, 0)));
    }
  squares = block_sum (squares, space, THREADS / 32);
  if (threadIdx.x == 0)
    sum[blockIdx.x] = squares;
}

/* The identity in rows FROM to TO - 1 of E.  */
template <typename T> GE_KERNEL (THREADS) identity_kernel (columns p, T *e)
{
  const int64_t m = p.to - p.from,
                at = blockIdx.x * (int64_t) THREADS + threadIdx.x;
  if (at < m * m)
    e[p.from + at % m + p.n * (at / m)] = make_number<T> (at % m == at / m, 0);
}

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

template <typename T>
static gpueig_status
find_residuals (ge_pair_refinement *p, int64_t from, int64_t to)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n, m = to - from;
  T *const v = g->v + n * from, *const q = g->q + n * from,
           *const c = g->c + n * from;
  GE_TRY (ge_check_interrupt (ctx));
  for (int64_t j = from; j < to; j++)
    p->lambda[j] = (double) (ge_real<T>) p->lambda[j];
  GE_TRY (ge_put (ctx, g->lambda, p->lambda, n));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, g->a, v, q));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, g->b, v, c));
  GE_LAUNCH (residuals_kernel<T>, (unsigned) m, THREADS, 0,
             columns_of_pair<T> (p, from, to), g->v, g->c, g->q, g->facts);
  return ge_fetch (ctx, p->size, g->facts, 3 * n);
}

template <typename T>
static gpueig_status
find_corrections (ge_pair_refinement *p, int64_t from, int64_t to, double *turn)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n, m = to - from;
  const columns part = columns_of_pair<T> (p, from, to);
  T *const e = g->c + n * from;
  double *sums, *sum;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m, &sums));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m, &sum));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), m, m, n, g->v + n * from, e, g->l));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), n, m, n, g->v, g->q + n * from, e));
  GE_LAUNCH (corrections_kernel<T>, ge_blocks (n * m, THREADS), THREADS, 0,
             part, g->l, e);
  GE_LAUNCH (squares_of_rows<T>, (unsigned) m, THREADS, 0, part, e, sums);
  GE_TRY (ge_fetch (ctx, sum, sums, m));
  *turn = 0;
  for (int64_t j = 0; j < m; j++)
    *turn = ge_pair_worse (*turn, sum[j]);
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
correct_columns (ge_pair_refinement *p, int64_t from, int64_t to, int inside)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n, m = to - from;
  T *const e = g->c + n * from;
  if (! inside)
    GE_LAUNCH (identity_kernel<T>, ge_blocks (m * m, THREADS), THREADS, 0,
               columns_of_pair<T> (p, from, to), e);
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, g->v, e, g->q));
  return ge_copy (ctx, g->v + n * from, g->q, n * m);
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
fetch_values (const ge_pair_refinement *p, int64_t from, int64_t m)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  GE_TRY (ge_fetch (g->ctx, g->fetched, g->values, m));
  for (int64_t i = 0; i < m; i++)
    p->lambda[from + i] = (double) g->fetched[i];
  return GPUEIG_OK;
}

/* Where the reduction fails the results have no meaning: one wait, at the end.  */
template <typename T>
static gpueig_status
project_columns (ge_pair_refinement *p, int64_t from, int64_t to)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n, m = to - from;
  T *const inside = g->v + n * from;
  T *v;
  int *failed;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 1, &failed));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, g->b, inside, g->q));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), m, m, n, inside, g->q, g->l));
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, n, g->a, inside, g->q));
  GE_TRY (multiply (ctx, ge_adjoint<T> (), m, m, n, inside, g->q, g->c));
  GE_TRY (ge_cuda_reduce_pair<T> (ctx, m, 0, g->c, g->l, g->state));
  GE_TRY (ge_get (ctx, failed, g->state, 1));
  GE_TRY (eigenvectors<T> (ctx, m, g->c, g->q, g->values, &v));
  GE_TRY (ge_cuda_pair_back<T> (ctx, m, m, 0, g->l, v));
  T *const product = v == g->q ? g->c : g->q;
  GE_TRY (multiply (ctx, CUBLAS_OP_N, n, m, m, inside, v, product));
  GE_TRY (ge_copy (ctx, inside, product, n * m));
  GE_TRY (fetch_values<T> (p, from, m));
  const int solved = *failed == 0 || *failed == GE_PAIR_LEFT;
  GE_TRY (ge_close_frame (ctx, mark));
  return solved ? GPUEIG_OK
                : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                               "B is not positive definite to working "
                               "precision");
}

/* Ascending eigenvalues, on the host, and their vectors.  */
template <typename T>
static gpueig_status
sort_pairs (const ge_pair_refinement *p, ge_real<T> *lambda)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n;
  const double *x = p->lambda;
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

/* Eigenpairs of the pair with the reduced matrix C = p->backend's V and the factor L, both computed
   again where L is its inverse.  */
template <typename T>
static gpueig_status
approximate (ge_pair_refinement *p)
{
  const graded<T> *g = (const graded<T> *) p->backend;
  gpueig_context *ctx = g->ctx;
  const int64_t n = p->n;
  T *v;
  if (ge_pair_by_inverse (n))
    {
      GE_TRY (ge_copy (ctx, g->v, g->a, n * n));
      GE_TRY (ge_copy (ctx, g->l, g->b, n * n));
      GE_TRY (ge_cuda_reduce_pair<T> (ctx, n, 0, g->v, g->l, g->state));
    }
  GE_TRY (eigenvectors<T> (ctx, n, g->v, g->c, g->values, &v));
  if (v != g->v)
    GE_TRY (ge_copy (ctx, g->v, v, n * n));
  GE_TRY (ge_cuda_pair_back<T> (ctx, n, n, 0, g->l, g->v));
  return fetch_values<T> (p, 0, n);
}

template <typename T>
gpueig_status
ge_cuda_graded_pair (gpueig_context *ctx, int64_t n, const T *a, const T *b,
                     T *c, T *l, ge_real<T> *lambda, int *solved)
{
  typedef ge_real<T> R;
  static const ge_pair_ops ops = { find_residuals<T>, find_corrections<T>,
                                   correct_columns<T>, project_columns<T> };
  graded<T> g = {};
  ge_pair_refinement p = {};
  double worst;
  R *norms, norm[2];
  const int mark = ge_mark (ctx);
  g.ctx = ctx;
  g.a = a;
  g.b = b;
  g.v = c;
  g.l = l;
  p.ops = &ops;
  p.backend = &g;
  p.n = n;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * n, &g.c, &g.q));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n, &g.values, &norms));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &g.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n, &g.facts));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &g.state));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, n, &g.fetched));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, n, &p.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 3 * n, &p.size));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norms));
  GE_TRY (ge_cuda_norm (ctx, n * n, b, norms + 1));
  GE_TRY (ge_fetch (ctx, norm, norms, 2));
  p.eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  p.norm_a = (double) norm[0];
  p.norm_b = (double) norm[1];
  p.change = p.size + n;
  p.error = p.size + 2 * n;
  GE_TRY (approximate<T> (&p));
  GE_TRY (ge_refine_pairs (&p, &worst));
  *solved = worst <= GE_PAIR_ERROR;
  if (*solved)
    GE_TRY (sort_pairs<T> (&p, lambda));
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_graded_pair)
