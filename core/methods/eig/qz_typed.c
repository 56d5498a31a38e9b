/* One general pair (A, B): verification of what LAPACK's QZ returns, and another method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A and B are scaled by powers of two to largest elements near 1; an eigenvalue d there is alpha /
   beta, the larger of which is 1.  Vectors are right for small residuals

       |beta A v - alpha B v| <= m (|beta| |A| + |alpha| |B|) |v|,

   of which a sum with random signs is computed.  Eigenvalues are right if 1 / (d - s) have the first
   two moments of

       M = (A - s B)^-1 B,

   whose eigenvalues they are; s is near 1 and no eigenvalue of matrices that people have.  A
   backward error of m |A| and m |B| changes M by m |(A - s B)^-1| (|A| + |s B|) (1 + |M|), which is
   the unit of the limit, so that infinite and ill-conditioned eigenvalues pass.  The other method
   is the QR algorithm for M, with the s of several for which A - s B is best conditioned.  */

#include "base/checks.h"
#include "base/random.h"
#include "base/verify_by_sampling.h"
#include "eig/general.h"
#include "lapack/lapack.h"
#include "run/solvers.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define gecon_ LAPACK (sgecon_, dgecon_, cgecon_, zgecon_)
void gecon_ (const char *norm, const lapack_int *n, const scalar_t *a,
             const lapack_int *lda, const real_t *anorm, real_t *rcond,
             scalar_t *work, void *more, lapack_int *info, size_t);

/* Vectors are complex.  */
#define OF_VECTORS(name) LAPACK (name##_c, name##_z, name##_c, name##_z)
#define multiply_vectors OF_VECTORS (ge_sample_multiply)
#define vector_lengths OF_VECTORS (ge_sample_lengths)
#define TYPE ((gpueig_type) GE_SCALAR)

enum
{
  PARTS = 10, /* vectors of doubles */
  /* Exponents between those of A and B at which eigenvalues can be out of range.  */
  RANGE = GE_DOUBLE ? 960 : 96
};

typedef struct
{
  lapack_int n;
  int of_a, of_b; /* exponents */
  double norm[2]; /* of scaled A and B */
  scalar_t shift;
  double condition; /* |(A - s B)^-1| (|A| + |s B|), about */
  scalar_t *factor, *m, *work;
  lapack_int *pivot, *iwork;
  real_t *more;
  double *part[PARTS];
  char *end;
} qz_page;

static qz_page
lay_out_qz (char *at, int64_t n)
{
  qz_page q = { .n = (lapack_int) n };
  q.factor = ge_take (&at, n * n, sizeof (scalar_t));
  q.m = ge_take (&at, n * n, sizeof (scalar_t));
  q.work = ge_take (&at, 4 * n, sizeof (scalar_t));
  q.pivot = ge_take (&at, n, sizeof (lapack_int));
  q.iwork = ge_take (&at, n, sizeof (lapack_int));
  q.more = ge_take (&at, 2 * n, sizeof (real_t));
  for (int i = 0; i < PARTS; i++)
    q.part[i] = ge_take (&at, n, sizeof (double));
  q.end = at;
  return q;
}

int64_t
FN (ge_qz_bytes) (int64_t n)
{
  return lay_out_qz (GE_NOWHERE, n).end - GE_NOWHERE;
}

enum
{
  SHIFTS = 6
};

static scalar_t
shift_of (int k)
{
  static const double shifts[SHIFTS]
      = { 0.8090169943749475, -0.8090169943749475, 2.427050983124842,
          -2.427050983124842, 0.2696723314583158,  -0.2696723314583158 };
  return make_ ((real_t) shifts[k], (real_t) (0.36 * shifts[k]));
}

/* The exponents, M and the factor of A - s B with the K-th s; 0 if that is singular.  */
static int
make_matrix (qz_page *q, const void *a, const void *b, int k)
{
  const lapack_int n = q->n;
  const int64_t square = (int64_t) n * n;
  lapack_int info;
  q->shift = shift_of (k);
  q->of_a = ge_largest_exponent (NULL, TYPE, square, a);
  q->of_b = ge_largest_exponent (NULL, TYPE, square, b);
  FN (ge_page_scaled) (n, a, q->of_a, q->factor);
  FN (ge_page_scaled) (n, b, q->of_b, q->m);
  q->norm[0] = FN (ge_page_norm) (n, q->factor);
  q->norm[1] = FN (ge_page_norm) (n, q->m);
  for (int64_t i = 0; i < square; i++)
    q->factor[i] -= q->shift * q->m[i];
  getrf_ (&n, &n, q->factor, &n, q->pivot, &info);
  if (info == 0)
    getrs_ ("N", &n, &n, q->factor, &n, q->pivot, q->m, &n, &info, 1);
  return info == 0;
}

static double
condition (const qz_page *q)
{
  const lapack_int n = q->n;
  const real_t one = 1;
  real_t reciprocal;
  lapack_int info;
  gecon_ ("1", &n, q->factor, &n, &one, &reciprocal, q->work,
          GE_COMPLEX ? (void *) q->more : (void *) q->iwork, &info, 1);
  return reciprocal > 0 ? (q->norm[0] + (double) abs_ (q->shift) * q->norm[1])
                              / (double) reciprocal
                        : INFINITY;
}

/* M with the best of the first COUNT shifts, or one for which rounding errors are below ENOUGH; 0
   if there is none.  */
static int
choose_matrix (qz_page *q, const void *a, const void *b, int count,
               double enough)
{
  const double unit = (double) q->n * (double) GE_EPS;
  double least = INFINITY;
  int best = -1, last = -1;
  for (int k = 0; k < count && ! (least * unit < enough); k++)
    {
      const double size = make_matrix (q, a, b, k) ? condition (q) : INFINITY;
      best = size < least ? k : best;
      least = size < least ? size : least;
      last = k;
    }
  q->condition = least;
  return best >= 0 && (best == last || make_matrix (q, a, b, best));
}

/* --- verification --- */

/* ALPHA and BETA of the eigenvalue X, or 0 and 0 if it is NaN, or can be Inf or 0 for its range.  */
static void
quotient (const qz_page *q, const real_t *x, double alpha[2], double beta[2])
{
  const int by = q->of_b - q->of_a;
  const double re = (double) x[0], im = (double) x[1];
  const int infinite = isinf (re) || isinf (im);
  const double size = fabs (re) + fabs (im);
  alpha[0] = alpha[1] = beta[0] = beta[1] = 0;
  if ((! infinite && size != size) || (infinite && by < -RANGE)
      || (by > RANGE && size < (double) GE_REAL_MIN / (double) GE_EPS))
    return;
  const double d[2]
      = { infinite ? 0 : ldexp (re, by), infinite ? 0 : ldexp (im, by) };
  const double most = hypot (d[0], d[1]);
  alpha[0] = 1;
  if (infinite || isinf (most))
    return;
  if (most <= 1)
    {
      memcpy (alpha, d, sizeof d);
      beta[0] = 1;
      return;
    }
  beta[0] = d[0] / most / most;
  beta[1] = -d[1] / most / most;
}

/* The error of V, or the LEFT vectors, in units of (n + 10) eps.  */
static double
residual (const qz_page *q, const void *a, const void *b, const void *lambda,
          const void *v, int left)
{
  const int64_t n = q->n;
  const real_t *values = lambda;
  double *const length = q->part[0], *const *z = q->part + 1,
                *const *y = q->part + 3, *const *x = q->part + 5,
                *const *sum = q->part + 7, total = 0;
  uint64_t state = 5;
  vector_lengths (n, n, v, length);
  for (int k = 0; k < 2; k++)
    {
      for (int64_t j = 0; j < n; j++)
        {
          double part[2][2];
          quotient (q, values + 2 * j, part[1], part[0]);
          const double size
              = hypot (part[0][0], part[0][1]) * q->norm[0]
                + hypot (part[1][0], part[1][1]) * q->norm[1],
              r = ge_next_random (&state) / length[j] / (size > 0 ? size : 1);
          const int none = part[0][0] == 0 && part[0][1] == 0 && part[1][0] == 0
                           && part[1][1] == 0;
          z[0][j] = none ? 0 : part[k][0] * r;
          z[1][j] = none ? 0 : (left ? -r : r) * part[k][1];
        }
      state = 5;
      multiply_vectors (NULL, n, n, v, 0, z, y);
      (left ? FN (ge_sample_adjoint) : FN (ge_sample_multiply)) (
          NULL, n, n, k ? b : a, k ? q->of_b : q->of_a, y, x);
      for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 2; c++)
          sum[c][i] = k ? sum[c][i] - x[c][i] : x[c][i];
    }
  for (int64_t i = 0; i < n; i++)
    total += sum[0][i] * sum[0][i] + sum[1][i] * sum[1][i];
  return sqrt (total) / ((double) (n + 10) * (double) GE_EPS);
}

/* Nonzero if the eigenvalues LAMBDA of the pair are those of M.  */
static int
values_agree (const qz_page *q, const void *lambda)
{
  const int64_t n = q->n;
  const real_t *values = lambda;
  const double unit = (double) n * (double) GE_EPS;
  const double _Complex s
      = (double) re_ (q->shift) + (double) im_ (q->shift) * I;
  double _Complex sum = 0, squares = 0;
  ge_moments m;
  /* Any numbers are eigenvalues of a pair that is singular to rounding errors.  */
  if (! (q->condition * unit < 0.1))
    return 1;
  ge_find_moments (TYPE, n, q->m, &m);
  for (int64_t j = 0; j < n; j++)
    {
      double alpha[2], beta[2];
      quotient (q, values + 2 * j, alpha, beta);
      if (alpha[0] == 0 && alpha[1] == 0 && beta[0] == 0 && beta[1] == 0)
        return q->of_a - q->of_b > RANGE || q->of_b - q->of_a > RANGE;
      const double _Complex d = beta[0] + beta[1] * I,
                            x = d / (alpha[0] + alpha[1] * I - s * d);
      sum += x;
      squares += x * x;
    }
  const double size = 1 + m.norm,
               limit = (2 * unit + 10 * (double) GE_EPS) * q->condition * size;
  return cabs (sum - (m.trace[0] + m.trace[1] * I)) <= limit
         && cabs (squares - (m.squares[0] + m.squares[1] * I))
                <= 2 * size * limit;
}

static int
is_right (qz_page *q, const void *a, const void *b, const void *lambda,
          const void *v, const void *w)
{
  enum
  {
    MOST = 10,
    TRIES = 3
  };
  const int regular = choose_matrix (q, a, b, TRIES, 1e-4);
  return (! regular || values_agree (q, lambda))
         && (! v || residual (q, a, b, lambda, v, 0) <= MOST)
         && (! w || residual (q, a, b, lambda, w, 1) <= MOST);
}

/* --- the other method --- */

/* The left vector W of M' becomes that of the pair.  */
static void
turn_left (const qz_page *q, real_t *w)
{
  const lapack_int n = q->n, columns = 2 - GE_COMPLEX;
  lapack_int info;
#if GE_COMPLEX
  getrs_ ("C", &n, &columns, q->factor, &n, q->pivot, (scalar_t *) w, &n, &info,
          1);
#else
  scalar_t *const re = q->work, *const im = re + n;
  for (int64_t i = 0; i < n; i++)
    {
      re[i] = w[2 * i];
      im[i] = w[2 * i + 1];
    }
  getrs_ ("C", &n, &columns, q->factor, &n, q->pivot, re, &n, &info, 1);
  for (int64_t i = 0; i < n; i++)
    {
      w[2 * i] = re[i];
      w[2 * i + 1] = im[i];
    }
#endif
}

/* Column X of N complex numbers gets LAPACK's length, and its conjugate's place if CONJUGATE.  */
static void
finish_vector (int64_t n, int conjugate, real_t *x)
{
  real_t most = 0;
  for (int64_t i = 0; i < n; i++)
    most = fmax_ (most, fabs_ (x[2 * i]) + fabs_ (x[2 * i + 1]));
  for (int64_t i = 0; i < n && most > 0; i++)
    {
      x[2 * i] /= most;
      x[2 * i + 1] /= conjugate ? -most : most;
    }
}

static int
solve_by_qr (qz_page *q, const ge_team *team, const void *a, const void *b,
             void *lambda, void *v, void *w)
{
  const int64_t n = q->n;
  real_t *values = lambda, *const vectors[2] = { v, w };
  if (! choose_matrix (q, a, b, SHIFTS, 0)
      || FN (ge_qr_page) (team, n, q->m, 1, lambda, v, w, q->end))
    return 1;
  for (int64_t j = 0; j < n; j++)
    {
      const double re = (double) values[2 * j], im = (double) values[2 * j + 1],
                   size = hypot (re, im);
      /* A real matrix has the eigenvalue with a positive imaginary part first.  */
      const int conjugate = ! GE_COMPLEX && im != 0;
      const int by = q->of_a - q->of_b;
      if (size == 0)
        values[2 * j] = INFINITY;
      else
        {
          const double x = (double) re_ (q->shift) + re / size / size;
          const double y = (double) im_ (q->shift) - im / size / size;
          values[2 * j] = (real_t) ldexp (x, by);
          values[2 * j + 1] = (real_t) ldexp (conjugate ? -y : y, by);
        }
      for (int k = 0; k < 2; k++)
        if (vectors[k])
          {
            real_t *const x = vectors[k] + 2 * n * j;
            if (k == 1)
              turn_left (q, x);
            finish_vector (n, conjugate, x);
          }
    }
  return 0;
}

int
FN (ge_qz_page) (const ge_team *team, int64_t n, const void *a, const void *b,
                 void *lambda, void *v, void *w, void *space, int lwork)
{
  qz_page q = lay_out_qz (space, n);
  const int info = team
                       ? solve_by_qr (&q, team, a, b, lambda, v, w)
                       : FN (ge_geevx) (n, a, b, 0, lambda, v, w, q.end, lwork);
  return info == 0 && ! is_right (&q, a, b, lambda, v, w) ? GE_WRONG_RESULT
                                                          : info;
}
