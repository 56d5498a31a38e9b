/* One large or tall page whose condition is moderate, by the eigenvectors of its Gram matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As cuda/svd/gram.cu with one level: B is the page, L-by-K with L >= K, or its conjugate
   transpose, W has the eigenvectors of B'B.  The columns of B W longer than |B| / RANGE are
   made orthonormal by a triangular correction; the others, at most an eighth of all, are made
   orthogonal to them and solved by LAPACK.  Pages with more of them are left to LAPACK: an
   estimate by Cholesky's factorization knows it before the eigenvectors are computed.  */

#include "gpueig_eig.h"
#include "base/products.h"
#include "svd/svd.h"

#include <stdlib.h>
#include <string.h>

enum
{
  SHORT_PART = 8, /* of all columns */
  SAMPLES = 3     /* random vectors of the estimate */
};

typedef struct
{
  lapack_int l, k, tail; /* TAIL: the largest number of short columns */
  lapack_int lwork, lrwork, liwork;
  scalar_t *b, *u, *g;    /* l-by-k, k-by-k */
  scalar_t *left, *right; /* of short columns, l-by-tail, tail-by-tail */
  scalar_t *x, *work;
  real_t *lambda, *s, *rwork;
  lapack_int *iwork, *order;
} gram_page;

static int64_t
lay_out_gram (gram_page *w, char *space)
{
  char *at = space;
  const int64_t l = w->l, k = w->k, t = w->tail;
  w->b = ge_take (&at, l * k, sizeof *w->b);
  w->u = ge_take (&at, l * k, sizeof *w->u);
  w->g = ge_take (&at, k * k, sizeof *w->g);
  w->left = ge_take (&at, l * t, sizeof *w->left);
  w->right = ge_take (&at, t * t, sizeof *w->right);
  w->x = ge_take (&at, 3 * l, sizeof *w->x);
  w->work = ge_take (&at, w->lwork, sizeof *w->work);
  w->lambda = ge_take (&at, k, sizeof *w->lambda);
  w->s = ge_take (&at, k, sizeof *w->s);
  w->rwork = ge_take (&at, w->lrwork, sizeof *w->rwork);
  w->iwork = ge_take (&at, w->liwork, sizeof *w->iwork);
  w->order = ge_take (&at, k, sizeof *w->order);
  return at - space;
}

/* The workspace that LAPACK documents for xSYEVD and xGESDD.  */
static gram_page
sizes_of (const gpueig_svd_problem *g)
{
  const int64_t l = ge_svd_long (g), k = ge_svd_short (g),
                t = k / SHORT_PART + 1;
  const int64_t both = 1 + 6 * k + 2 * k * k,
                tail = 4 * t * t + 7 * t + 64 * (l + t);
  return (gram_page){
    .l = (lapack_int) l,
    .k = (lapack_int) k,
    .tail = (lapack_int) t,
    .lwork = (lapack_int) (both > tail ? both : tail),
    .lrwork = GE_COMPLEX ? (lapack_int) (1 + 5 * k + 2 * k * k + 2 * l * t) : 0,
    .liwork = (lapack_int) (3 + 5 * k + 8 * t)
  };
}

int64_t
FN (ge_svd_gram_bytes) (const gpueig_svd_problem *g)
{
  gram_page w = sizes_of (g);
  return lay_out_gram (&w, NULL);
}

/* The lower half of G = X'X.  */
static void
gram_of (lapack_int l, lapack_int n, const scalar_t *x, scalar_t *g)
{
  const real_t one = 1, zero = 0;
  herk_ ("L", "C", &n, &l, &one, x, &l, &zero, g, &n, 1, 1);
}

/* The squared length up to which a column of B W is short, from the LARGEST squared
   length.  */
static real_t
short_square (const gram_page *w, real_t largest)
{
  const real_t n = 2 * (real_t) w->k, most = GE_DOUBLE ? 2048 : 64;
  const real_t range = n < most ? n : most;
  return largest / (range * range);
}

/* Nonzero if few columns of B W are short, i.e. few eigenvalues x of G below a limit y: the sum
   of all y / (x + y) is the trace of y (G + y I)^-1, and SAMPLES random vectors estimate it.
   w->u is overwritten.  */
static int
is_moderate (const gram_page *w)
{
  const lapack_int k = w->k, one = 1, samples = SAMPLES;
  const scalar_t alpha = make_ (1, 0), beta = make_ (0, 0);
  scalar_t *x = w->work, *y = x + (int64_t) SAMPLES * k;
  lapack_int info = 0;
  real_t largest = 0, sum = 0;
  FN (ge_svd_signs) ((int64_t) SAMPLES * k, x);
  memcpy (y, x, (size_t) (SAMPLES * k) * sizeof *y);
  /* The power method.  */
  for (int i = 0; i < 4; i++)
    {
      scalar_t *from = y + (i % 2 ? k : 0), *to = y + (i % 2 ? 0 : k);
      const real_t length = FN (ge_svd_length) (k, from);
      for (int64_t j = 0; j < k; j++)
        from[j] /= length;
      hemv_ ("L", &k, &alpha, w->g, &k, from, &one, &beta, to, &one, 1);
      largest = FN (ge_svd_length) (k, to);
    }
  const real_t limit = short_square (w, largest);
  memcpy (w->u, w->g, (size_t) k * (size_t) k * sizeof *w->u);
  for (int64_t i = 0; i < k; i++)
    w->u[i + k * i] += limit;
  memcpy (y, x, (size_t) (SAMPLES * k) * sizeof *y);
  potrf_ ("L", &k, w->u, &k, &info, 1);
  if (info != 0)
    return 0;
  potrs_ ("L", &k, &samples, w->u, &k, y, &k, &info, 1);
  for (int64_t i = 0; i < SAMPLES * k; i++)
    sum += re_ (conj_ (x[i]) * y[i]);
  return limit * sum * SHORT_PART <= SAMPLES * (real_t) k;
}

/* Make the last N columns of w->u orthonormal; 0 if they are too far from that. w->b is
   overwritten.  */
static int
correct_head (const gram_page *w, lapack_int n)
{
  const lapack_int l = w->l;
  const scalar_t one = make_ (1, 0);
  scalar_t *u = w->u + (int64_t) l * (w->k - n), *e = w->b;
  /* Cosines below SMALL are gone after a correction.  */
  const real_t small = GE_DOUBLE ? (real_t) 1e-8 : (real_t) 3e-4;
  real_t most = GE_DOUBLE ? small : (real_t) 1e-2;
  int again = 1, good = 1;
  while (again)
    {
      again = 0;
      gram_of (l, n, u, e);
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
          {
            scalar_t *x = e + i + n * j;
            const real_t size = i == j ? 0 : abs2_ (*x);
            *x = i == j ? make_ ((3 - re_ (*x)) / 2, 0) : -*x;
            good &= size <= most * most;
            again |= size > small * small;
          }
      if (! good)
        return 0;
      trmm_ ("R", "L", "N", "N", &l, &n, &one, e, &n, u, &l, 1, 1, 1, 1);
      most = small;
    }
  return 1;
}

/* Subtract from X, N columns, the components in the last COUNT columns of w->u, twice.  */
static void
project (const gram_page *w, lapack_int count, lapack_int n, scalar_t *x)
{
  const scalar_t *u = w->u + (int64_t) w->l * (w->k - count);
  for (int i = 0; i < 2; i++)
    {
      multiply_ ("C", "N", count, n, w->l, 1, u, w->l, x, w->l, 0, w->b, count);
      multiply_ ("N", "N", w->l, n, count, -1, u, w->l, w->b, count, 1, x,
                 w->l);
    }
}

/* Compute values and vectors of the first N columns of w->u, which are short.  */
static int
solve_tail (const gram_page *w, lapack_int n)
{
  const lapack_int l = w->l, k = w->k;
  lapack_int info = 0;
  project (w, k - n, n, w->u);
  gesdd_ ("S", &l, &n, w->u, &l, w->s, w->left, &l, w->right, &n, w->work,
          &w->lwork,
#if GE_COMPLEX
          w->rwork,
#endif
          w->iwork, &info, 1);
  if (info != 0)
    return 0;
  memcpy (w->u, w->left, (size_t) l * (size_t) n * sizeof *w->u);
  project (w, k - n, n, w->u);
  /* V is multiplied by the conjugate transpose of RIGHT.  */
  multiply_ ("N", "C", k, n, n, 1, w->g, k, w->right, n, 0, w->b, k);
  memcpy (w->g, w->b, (size_t) k * (size_t) n * sizeof *w->g);
  return 1;
}

/* Form the whole Gram matrix w->g of w->b; 0 if too many columns will be short.  */
static int
form_gram (const gram_page *w)
{
  gram_of (w->l, w->k, w->b, w->g);
  FN (ge_mirror_lower) (w->k, w->g);
  return is_moderate (w);
}

/* Compute the vectors W in w->g and the values by LAPACK.  */
static int
solve_gram (const gram_page *w)
{
  lapack_int info = 0;
  heevd_ ("V", "L", &w->k, w->g, &w->k, w->lambda, w->work, &w->lwork,
#if GE_COMPLEX
          w->rwork, &w->lrwork,
#endif
          w->iwork, &w->liwork, &info, 1, 1);
  return info == 0;
}

/* w->s, w->u and the vectors w->g of the short side, almost in ascending order, from
   solve_gram's; 0: the page is left to LAPACK.  */
static int
finish_gram (const gram_page *w)
{
  const lapack_int l = w->l, k = w->k;
  const real_t limit = short_square (w, w->lambda[k - 1]);
  lapack_int tail = 0;
  while (w->lambda[tail] < limit)
    tail++;
  if (tail > k / SHORT_PART)
    return 0;
  multiply_ ("N", "N", l, k, k, 1, w->b, l, w->g, k, 0, w->u, l);
  for (int64_t j = tail; j < k; j++)
    {
      scalar_t *x = w->u + l * j;
      w->s[j] = FN (ge_svd_length) (l, x);
      for (int64_t i = 0; i < l; i++)
        x[i] /= w->s[j];
    }
  if (! correct_head (w, k - tail) || (tail > 0 && ! solve_tail (w, tail)))
    return 0;
  const real_t unit = 10 * (real_t) l * GE_EPS * sqrt_ ((real_t) k);
  return FN (ge_svd_deviation) (l, k, w->u, w->x) <= unit
         && FN (ge_svd_deviation) (k, k, w->g, w->x) <= unit;
}

/* Load B from the page; return the exponent by which it was scaled.  */
static int
load_page (const gram_page *w, const gpueig_svd_problem *g, const void *a)
{
  int exponent = 0;
  (void) GE_MATH (frexp) (FN (ge_largest_part) (NULL, g->m * g->n, a),
                          &exponent);
  FN (ge_svd_scale) (g->m, g->n, a, exponent, g->m < g->n, w->b);
  return exponent;
}

static void
store_vectors (const gram_page *w, const gpueig_svd_problem *g, int exponent,
               ge_svd_page page)
{
  const int64_t l = w->l, k = w->k, values = ge_svd_values (g);
  const int64_t first = g->first ? g->first - 1 : 0;
  const int wide = g->m < g->n;
  for (int64_t i = k - 1; i >= 0; i--)
    {
      int64_t at = k - 1 - i;
      for (; at > 0 && w->s[w->order[at - 1]] < w->s[i]; at--)
        w->order[at] = w->order[at - 1];
      w->order[at] = (lapack_int) i;
    }
  real_t *s = page.s;
  scalar_t *left = wide ? page.v : page.u, *right = wide ? page.u : page.v;
  for (int64_t j = 0; j < values; j++)
    {
      const int64_t from = w->order[first + j];
      s[j] = GE_MATH (ldexp) (w->s[from], exponent);
      memcpy (left + l * j, w->u + l * from, (size_t) l * sizeof *left);
      memcpy (right + k * j, w->g + k * from, (size_t) k * sizeof *right);
    }
}

int
FN (ge_svd_gram) (const gpueig_svd_problem *g, ge_svd_page page, void *space)
{
  gram_page w = sizes_of (g);
  lay_out_gram (&w, space);
  const int exponent = load_page (&w, g, page.a);
  if (! form_gram (&w) || ! solve_gram (&w) || ! finish_gram (&w))
    return 0;
  store_vectors (&w, g, exponent, page);
  return 1;
}

/* --- a large page --- */

typedef struct
{
  gram_page page;
  int good;
} gram_job;

static void
run_first (void *job)
{
  gram_job *j = job;
  j->good = form_gram (&j->page);
}

static void
run_last (void *job)
{
  gram_job *j = job;
  j->good = finish_gram (&j->page);
}

/* As solve_gram, but by gpueig_eig_symmetric.  */
static gpueig_status
solve_large_gram (gpueig_context *ctx, gpueig_type type, gram_job *j)
{
  const gram_page *w = &j->page;
  const gpueig_symmetric problem = { .type = type,
                                     .n = w->k,
                                     .pages = 1,
                                     .symmetric = 1,
                                     .a = w->g,
                                     .lambda = w->lambda,
                                     .v = w->u };
  gpueig_options options = gpueig_default_options ();
  options.backend = GPUEIG_CPU;
  options.display = ctx->display;
  const gpueig_status status
      = gpueig_eig_symmetric (ctx, &problem, &options, NULL);
  j->good = status == GPUEIG_OK;
  memcpy (w->g, w->u, (size_t) w->k * (size_t) w->k * sizeof *w->g);
  return status == GPUEIG_SOLVER_FAILED ? GPUEIG_OK : status;
}

gpueig_status
FN (ge_svd_large_gram) (gpueig_context *ctx, const gpueig_svd_problem *g,
                        ge_svd_page page, int *solved)
{
  const size_t head = (sizeof (gram_job) + 63) & ~(size_t) 63;
  gram_job *j;
  *solved = 0;
  GE_TRY (ge_alloc_job (ctx, head + (size_t) FN (ge_svd_gram_bytes) (g),
                        (void **) &j));
  j->page = sizes_of (g);
  lay_out_gram (&j->page, (char *) j + head);
  const int exponent = load_page (&j->page, g, page.a);
  GE_TRY (ge_run_detachable (ctx, run_first, ge_aligned_free, j));
  if (j->good)
    {
      const gpueig_status status = solve_large_gram (ctx, g->type, j);
      if (status != GPUEIG_OK)
        ge_aligned_free (j);
      GE_TRY (status);
    }
  if (j->good)
    GE_TRY (ge_run_detachable (ctx, run_last, ge_aligned_free, j));
  if (j->good)
    store_vectors (&j->page, g, exponent, page);
  *solved = j->good;
  ge_aligned_free (j);
  return GPUEIG_OK;
}
