/* One definite pair: reduction to a standard problem, and its solution where B is
   ill-conditioned.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With B = L L^H the problem is C Y = Y D, C = L^-1 A L^-H, V = L^-H Y.  Solvers of
   the standard problem have errors of eps |C|, which are errors of about
   eps |B| |C| / |A| relative to A and B.  Where that is too much, C is graded if the
   factor was pivoted: its large elements are at the end, and the reduction of its upper
   triangle, which begins there, and the QR iteration keep small errors where C is small
   (P. I. Davies, N. J. Higham, F. Tisseur, SIAM J. Matrix Anal. Appl. 23, 2001, who
   use Jacobi's method in the same place).  Divide and conquer is faster and often as
   good, so it is tried first; the errors of its vectors decide.  */

#include "eig/pair.h"
#include "lapack/lapack.h"

#include <stdint.h>
#include <string.h>

enum
{
  /* Exponents of the diagonal of B and of the largest element of A up to which nothing is
     scaled.  */
  CLOSE = GE_DOUBLE ? 100 : 30,
  FAR = GE_DOUBLE ? 400 : 40,
  /* Exponents to which one power of two brings the diagonal of B, if it can, such that C
     and its sums of squares do not overflow for an A of exponents up to SMALL.  */
  MODERATE = GE_DOUBLE ? 420 : 60,
  SMALL = GE_DOUBLE ? 50 : 10,
  /* Growth, relative to the root of the order, from which precautions are taken: below
     GE_PAIR_GROWTH, since pages that take them are not so much slower as from a GPU.  */
  GROWTH = 10
};

/* --- scaling --- */

/* The exponent of the larger part of X, INT32_MIN for 0.  */
static int
exponent_of (scalar_t x)
{
  const real_t re = GE_MATH (fabs) (re_ (x)), im = GE_MATH (fabs) (im_ (x));
  int e;
  if (re == 0 && im == 0)
    return INT32_MIN;
  (void) GE_MATH (frexp) (re > im ? re : im, &e);
  return e;
}

static scalar_t
times_power (scalar_t x, int e)
{
  return make_ (GE_MATH (ldexp) (re_ (x), e), GE_MATH (ldexp) (im_ (x), e));
}

/* D: what brings the diagonal of B near 1, all the same if its spread is moderate: errors
   that are small for the scaled pair are small for the given one then.  0 if it is near 1;
   -1 if it is not positive, cannot be scaled, and ends in the factorization.  */
static int
diagonal_scales (int64_t n, const scalar_t *b, int *d)
{
  int least = INT32_MAX, most = INT32_MIN;
  memset (d, 0, (size_t) n * sizeof *d);
  for (int64_t i = 0; i < n; i++)
    {
      const int e = exponent_of (b[i + n * i]);
      if (! (re_ (b[i + n * i]) > 0))
        return -1;
      least = e < least ? e : least;
      most = e > most ? e : most;
    }
  if (least >= -CLOSE && most <= CLOSE)
    return 0;
  for (int64_t i = 0; i < n; i++)
    {
      const int e = most - least <= 2 * MODERATE ? (most + least) / 2
                                                 : exponent_of (b[i + n * i]);
      d[i] = -(e - (e & 1)) / 2;
    }
  return 1;
}

int
FN (ge_pair_scales) (gpueig_context *ctx, int64_t n, const void *a_data,
                     const void *b_data, int *d, int *shift)
{
  const scalar_t *a = a_data;
  const int wide = diagonal_scales (n, b_data, d), to = wide ? SMALL : FAR;
  int most = INT32_MIN;
  *shift = 0;
  if (wide < 0)
    return 0;
  const scalar_t largest = FN (ge_largest_part) (ctx, n * n, a);
  const int e = exponent_of (largest);
  if (! wide && (e == INT32_MIN || (e <= FAR && e >= -FAR)))
    return 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const int x = exponent_of (a[i + n * j]);
        if (x != INT32_MIN && x + d[i] + d[j] > most)
          most = x + d[i] + d[j];
      }
  if (most != INT32_MIN)
    *shift = most > to ? most - to : most < -to ? most + to : 0;
  return 1;
}

static int
is_within (double x, int exponent)
{
  int e;
  (void) frexp (x, &e);
  return x == 0 || (e <= exponent && e >= -exponent);
}

int
FN (ge_pair_may_scale) (const ge_page_facts *a, const ge_page_facts *b)
{
  return b->least_diagonal > 0
         && ! (is_within (b->least_diagonal, CLOSE)
               && is_within (b->most_diagonal, CLOSE)
               && is_within (a->largest, FAR));
}

void
FN (ge_pair_scaled) (int64_t n, const void *a, const int *d, int shift,
                     void *to)
{
  const scalar_t *from = a;
  scalar_t *out = to;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      out[i + n * j] = times_power (from[i + n * j], d[i] + d[j] - shift);
}

void
FN (ge_pair_rows_scaled) (int64_t n, int64_t columns, const int *d, void *data)
{
  scalar_t *v = data;
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < n; i++)
      v[i + n * j] = times_power (v[i + n * j], d[i]);
}

/* --- reduction --- */

/* The Frobenius norm of a Hermitian matrix, from its lower triangle.  */
static double
lower_norm (int64_t n, const scalar_t *a)
{
  double diagonal = 0, below = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double d = re_ (a[j + n * j]);
      diagonal += d * d;
      for (int64_t i = j + 1; i < n; i++)
        {
          const double re = re_ (a[i + n * j]), im = im_ (a[i + n * j]);
          below += re * re + im * im;
        }
    }
  return sqrt (diagonal + 2 * below);
}

/* The upper triangle of C is the conjugate transpose of the lower one.  */
static void
mirror_lower (int64_t n, scalar_t *c)
{
  for (int64_t j = 0; j < n; j++)
    {
      c[j + n * j] = make_ (re_ (c[j + n * j]), 0);
      for (int64_t i = j + 1; i < n; i++)
        c[j + n * i] = conj_ (c[i + n * j]);
    }
}

/* Nonzero if the diagonal of L has a spread for which the elements of L^-1 A L^-H may
   cancel, which their norm does not show.  */
static int
is_steep (int64_t n, const scalar_t *l)
{
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < n; i++)
    {
      least = fmin (least, re_ (l[i + n * i]));
      most = fmax (most, re_ (l[i + n * i]));
    }
  return most > ldexp (least, CLOSE / 2);
}

int
FN (ge_pair_reduce) (int64_t order, const void *a, const void *b, void *c,
                     void *l)
{
  const lapack_int n = (lapack_int) order, itype = 1;
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  lapack_int info = 0;
  memcpy (l, b, bytes);
  potrf_ ("L", &n, l, &n, &info, 1);
  if (info != 0)
    return -info;
  memcpy (c, a, bytes);
  hegst_ (&itype, "L", &n, c, &n, l, &n, &info, 1);
  mirror_lower (order, c);
  return is_steep (order, l)
                 || lower_norm (order, b) * lower_norm (order, c)
                        > GROWTH * sqrt ((double) order) * lower_norm (order, a)
             ? GE_PAIR_GRADED
             : GE_PAIR_USUAL;
}

void
FN (ge_pair_back) (int64_t order, int64_t from, int64_t to, const void *l,
                   void *v)
{
  const lapack_int n = (lapack_int) order, columns = (lapack_int) (to - from);
  const scalar_t one = 1;
  trsm_ ("L", "L", "C", "N", &n, &columns, &one, l, &n,
         (scalar_t *) v + order * from, &n, 1, 1, 1, 1);
}

/* --- graded pages --- */

typedef struct
{
  lapack_int n;
  const scalar_t *a, *b;
  double norm_a, norm_b;   /* 1-norms */
  scalar_t *l, *c, *p, *q; /* n-by-n; P and Q with vectors only */
  real_t *lambda;          /* n */
  lapack_int *pivot;       /* n */
  scalar_t *work;
  real_t *rwork;
  lapack_int *iwork;
  const ge_pair_sizes *sizes;
} graded;

/* In the order in which they are tried.  */
typedef enum
{
  PIVOTED_DIVIDE, /* pivoted factor, divide and conquer */
  PIVOTED_QR,
  AS_EIG, /* xSYGV */
  ATTEMPTS
} attempt;

static lapack_int
call_heevd (graded *g, const char *job, const lapack_int size[3])
{
  lapack_int info = 0;
#if GE_COMPLEX
  heevd_ (job, "U", &g->n, g->c, &g->n, g->lambda, g->work, &size[0], g->rwork,
          &size[1], g->iwork, &size[2], &info, 1, 1);
#else
  heevd_ (job, "U", &g->n, g->c, &g->n, g->lambda, g->work, &size[0], g->iwork,
          &size[2], &info, 1, 1);
#endif
  return info;
}

static lapack_int
call_heev (graded *g, const char *job, lapack_int size)
{
  lapack_int info = 0;
#if GE_COMPLEX
  heev_ (job, "U", &g->n, g->c, &g->n, g->lambda, g->work, &size, g->rwork,
         &info, 1, 1);
#else
  heev_ (job, "U", &g->n, g->c, &g->n, g->lambda, g->work, &size, &info, 1, 1);
#endif
  return info;
}

static lapack_int
call_hegv (graded *g, const char *job, lapack_int size)
{
  const lapack_int itype = 1;
  const size_t square = (size_t) g->n * (size_t) g->n * sizeof (scalar_t);
  lapack_int info = 0;
  memcpy (g->c, g->a, square);
  memcpy (g->l, g->b, square);
#if GE_COMPLEX
  hegv_ (&itype, job, "U", &g->n, g->c, &g->n, g->l, &g->n, g->lambda, g->work,
         &size, g->rwork, &info, 1, 1);
#else
  hegv_ (&itype, job, "U", &g->n, g->c, &g->n, g->l, &g->n, g->lambda, g->work,
         &size, &info, 1, 1);
#endif
  return info;
}

/* Lay out the workspace from AT on; returns its end.  */
static char *
lay_out (char *at, int64_t n, int vectors, graded *g)
{
  const int64_t square = n * n, more = vectors ? square : 1;
  g->l = ge_take (&at, square, sizeof (scalar_t));
  g->c = ge_take (&at, square, sizeof (scalar_t));
  g->p = ge_take (&at, more, sizeof (scalar_t));
  g->q = ge_take (&at, more, sizeof (scalar_t));
  g->lambda = ge_take (&at, n, sizeof (real_t));
  g->pivot = ge_take (&at, n, sizeof (lapack_int));
  g->work = ge_take (&at, g->sizes->scalars, sizeof (scalar_t));
  g->rwork = ge_take (&at, g->sizes->reals, sizeof (real_t));
  g->iwork = ge_take (&at, g->sizes->integers, sizeof (lapack_int));
  return at;
}

gpueig_status
FN (ge_pair_graded_size) (gpueig_context *ctx, int64_t order, int vectors,
                          ge_pair_sizes *sizes)
{
  const char *job = vectors ? "V" : "N";
  const lapack_int query[3] = { -1, -1, -1 };
  scalar_t a = 0, optimal[2] = { 0, 0 };
  real_t roptimal = 0, w;
  lapack_int ioptimal = 0;
  graded g = { .c = &a,
               .lambda = &w,
               .work = &optimal[0],
               .rwork = &roptimal,
               .iwork = &ioptimal,
               .sizes = sizes };
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &g.n));
  GE_TRY (ge_lapack_int (ctx, order, &g.n));
  (void) call_heevd (&g, job, query);
  g.work = &optimal[1];
  (void) call_heev (&g, job, -1);
  /* Sizes are returned as floating point: round up for single precision.  The pivoted
     factorization needs 2 n reals, xHEEV 3 n.  */
  const real_t most = re_ (optimal[0]) > re_ (optimal[1]) ? re_ (optimal[0])
                                                          : re_ (optimal[1]);
  sizes->scalars = (int) (most * (1 + GE_EPS)) + 1;
  sizes->reals = (int) (roptimal * (1 + GE_EPS)) + 1 + 3 * (int) order;
  sizes->integers = ioptimal;
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  sizes->bytes = (int64_t) (lay_out (start, order, vectors, &g) - start);
  return GPUEIG_OK;
}

/* Factor B, pivoted: rows and columns PIVOT (from 1) of B.  */
static lapack_int
factor (graded *g)
{
  const lapack_int n = g->n;
  const real_t none = 0;
  lapack_int info = 0, rank;
  memcpy (g->l, g->b, (size_t) n * (size_t) n * sizeof (scalar_t));
  pstrf_ ("L", &n, g->l, &n, g->pivot, &rank, &none, g->rwork, &info, 1);
  return info;
}

/* C = L^-1 P' A P L^-H.  */
static void
reduce (graded *g)
{
  const lapack_int itype = 1;
  const int64_t n = g->n;
  lapack_int info;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      g->c[i + n * j] = g->a[g->pivot[i] - 1 + n * (g->pivot[j] - 1)];
  hegst_ (&itype, "L", &g->n, g->c, &g->n, g->l, &g->n, &info, 1);
  mirror_lower (n, g->c);
}

/* V = P L^-H Y, Y in C.  */
static void
transform (graded *g, scalar_t *v)
{
  const int64_t n = g->n;
  FN (ge_pair_back) (n, 0, n, g->l, g->c);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      v[g->pivot[i] - 1 + n * j] = g->c[i + n * j];
}

static double
one_norm (int64_t n, const scalar_t *x)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += abs_ (x[i]);
  return sum;
}

/* |A v - lambda B v| / ((|A| + |lambda| |B|) |v|), 1-norms, in units of n eps, of AV = A v
   and BV = B v.  */
static double
pair_error (const graded *g, real_t lambda, const scalar_t *v,
            const scalar_t *av, const scalar_t *bv)
{
  const double scale
      = (g->norm_a + fabs ((double) lambda) * g->norm_b) * one_norm (g->n, v);
  double sum = 0;
  for (int64_t i = 0; i < g->n; i++)
    sum += abs_ (av[i] - lambda * bv[i]);
  return (scale > 0 ? sum / scale : sum) / ((double) g->n * (double) GE_EPS);
}

/* The largest error of the eigenpairs (LAMBDA, V).  C = A V, Q = B V.  */
static double
column_error (graded *g, const real_t *lambda, const scalar_t *v)
{
  const int64_t n = g->n;
  const scalar_t one = 1, zero = 0;
  double worst = 0;
  gemm_ ("N", "N", &g->n, &g->n, &g->n, &one, g->a, &g->n, v, &g->n, &zero,
         g->c, &g->n, 1, 1);
  gemm_ ("N", "N", &g->n, &g->n, &g->n, &one, g->b, &g->n, v, &g->n, &zero,
         g->q, &g->n, 1, 1);
  for (int64_t j = 0; j < n; j++)
    worst = ge_larger (
        pair_error (g, lambda[j], v + n * j, g->c + n * j, g->q + n * j),
        worst);
  return worst;
}

/* Errors up to this one end the attempts.  */
#define SMALL_ERROR 1

/* One attempt; P gets the vectors.  */
static lapack_int
solve (graded *g, attempt how, int vectors)
{
  const char *job = vectors ? "V" : "N";
  const lapack_int size[3]
      = { g->sizes->scalars, g->sizes->reals, g->sizes->integers };
  lapack_int info = how == AS_EIG ? call_hegv (g, job, size[0]) : factor (g);
  if (how == AS_EIG && info == 0 && vectors)
    memcpy (g->p, g->c, (size_t) g->n * (size_t) g->n * sizeof (scalar_t));
  if (how == AS_EIG || info != 0)
    return info;
  reduce (g);
  info = how == PIVOTED_DIVIDE ? call_heevd (g, job, size)
                               : call_heev (g, job, size[0]);
  if (info == 0 && vectors)
    transform (g, g->p);
  return info;
}

/* --- refinement --- */

enum
{
  MOST_REFINED = 8, /* columns: each takes as long as a factorization */
  STEPS = 2
};

static double
inner (int64_t n, const scalar_t *x, const scalar_t *y)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += re_ (conj_ (x[i]) * y[i]);
  return sum;
}

/* The largest element of V^H B V - I; Q = B V.  Overwrites L.  */
static double
b_orthogonality (graded *g, const scalar_t *v)
{
  const int64_t n = g->n;
  const scalar_t one = 1, zero = 0;
  double most = 0;
  gemm_ ("C", "N", &g->n, &g->n, &g->n, &one, v, &g->n, g->q, &g->n, &zero,
         g->l, &g->n, 1, 1);
  for (int64_t i = 0; i < n * n; i++)
    most = ge_larger (abs_ (g->l[i] - (i % (n + 1) == 0 ? one : zero)), most);
  return most;
}

/* One step of inverse iteration for column J, of which C and Q have A v and B v; nonzero if
   the error is smaller and the eigenvalues are in order.  */
static int
refine_column (graded *g, real_t *lambda, scalar_t *v, int64_t j)
{
  const int64_t n = g->n;
  const lapack_int step = 1;
  const scalar_t one = 1, zero = 0;
  scalar_t *z = g->work, *az = z + n, *bz = az + n;
  lapack_int info;
  for (int64_t i = 0; i < n * n; i++)
    g->l[i] = g->a[i] - lambda[j] * g->b[i];
  memcpy (z, g->q + n * j, (size_t) n * sizeof *z);
  getrf_ (&g->n, &g->n, g->l, &g->n, g->pivot, &info);
  if (info != 0)
    return 0;
  getrs_ ("N", &g->n, &step, g->l, &g->n, g->pivot, z, &g->n, &info, 1);
  const real_t length = (real_t) one_norm (n, z);
  for (int64_t i = 0; i < n; i++)
    z[i] /= length;
  hemv_ ("L", &g->n, &one, g->b, &g->n, z, &step, &zero, bz, &step, 1);
  const real_t b_length = (real_t) sqrt (inner (n, z, bz));
  for (int64_t i = 0; i < n; i++)
    {
      z[i] /= b_length;
      bz[i] /= b_length;
    }
  hemv_ ("L", &g->n, &one, g->a, &g->n, z, &step, &zero, az, &step, 1);
  const real_t value = (real_t) inner (n, z, az);
  const double old
      = pair_error (g, lambda[j], v + n * j, g->c + n * j, g->q + n * j);
  if (! (pair_error (g, value, z, az, bz) < old
         && (j == 0 || lambda[j - 1] <= value)
         && (j == n - 1 || value <= lambda[j + 1])))
    return 0;
  memcpy (v + n * j, z, (size_t) n * sizeof *z);
  memcpy (g->c + n * j, az, (size_t) n * sizeof *z);
  memcpy (g->q + n * j, bz, (size_t) n * sizeof *z);
  lambda[j] = value;
  return 1;
}

/* Columns with larger errors than SMALL_ERROR (P. I. Davies, N. J. Higham, F. Tisseur, SIAM
   J. Matrix Anal. Appl. 23, 2001, refine by Newton's method).  In a cluster they would
   lose orthogonality: then they stay.  */
static void
refine (graded *g, real_t *lambda, scalar_t *v)
{
  const int64_t n = g->n;
  const size_t square = (size_t) (n * n) * sizeof (scalar_t);
  const size_t column = (size_t) n * sizeof (real_t);
  int refined = 0;
  (void) column_error (g, lambda, v);
  const double before = b_orthogonality (g, v);
  memcpy (g->p, v, square);
  memcpy (g->lambda, lambda, column);
  for (int64_t j = 0; j < n && refined < MOST_REFINED; j++)
    for (int k = 0;
         k < STEPS
         && pair_error (g, lambda[j], v + n * j, g->c + n * j, g->q + n * j)
                > SMALL_ERROR;
         k++)
      {
        refined += k == 0;
        if (! refine_column (g, lambda, v, j))
          break;
      }
  if (b_orthogonality (g, v) <= 2 * before + (double) n * (double) GE_EPS)
    return;
  memcpy (v, g->p, square);
  memcpy (lambda, g->lambda, column);
}

int
FN (ge_pair_graded) (int64_t order, const void *a, const void *b, void *lambda,
                     void *v, void *space, const ge_pair_sizes *sizes)
{
  const size_t square = (size_t) (order * order) * sizeof (scalar_t);
  const size_t column = (size_t) order * sizeof (real_t);
  graded g = { .n = (lapack_int) order, .a = a, .b = b, .sizes = sizes };
  lay_out (space, order, v != NULL, &g);
  for (int64_t j = 0; j < order; j++)
    {
      g.norm_a = ge_larger (one_norm (order, g.a + order * j), g.norm_a);
      g.norm_b = ge_larger (one_norm (order, g.b + order * j), g.norm_b);
    }
  double least = INFINITY;
  lapack_int info = 0, found = 0;
  /* Without vectors there are no errors to compare: as with them in most cases.  */
  for (int how = v ? PIVOTED_DIVIDE : PIVOTED_QR; how < ATTEMPTS; how++)
    {
      const lapack_int failed = solve (&g, (attempt) how, v != NULL);
      info = failed ? failed : info;
      if (failed)
        continue;
      const double error = v ? column_error (&g, g.lambda, g.p) : 0;
      if (! found || error < least)
        {
          memcpy (lambda, g.lambda, column);
          if (v)
            memcpy (v, g.p, square);
          least = error;
        }
      found = 1;
      if (least <= SMALL_ERROR)
        break;
    }
  if (v && found && least > SMALL_ERROR)
    refine (&g, lambda, v);
  /* Above N xHEGV means a leading minor of B that is not positive.  */
  return found ? 0 : info > order ? (int) order - info : info;
}
