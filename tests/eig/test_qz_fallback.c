/* Claims about wrong results of LAPACK for general pairs, whose routines are those of this program;
   all types, eigenvalues alone and with vectors:
   wrong_results_are_replaced: where xGGEV fails, or returns a wrong value or vector, the QR
     algorithm solves the page, and info names it
   nilpotent_pairs_have_vectors: where LAPACK's vectors are NaN
   right_pairs_are_kept: where A or B is singular, nearly singular, graded, triangular or zero,
     scales are at the ends of the range, and n is small, LAPACK's results pass
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "replaced_lapack.h"
#include "solvers.h"

#include <complex.h>
#include <string.h>

typedef enum
{
  CORRECT,
  NO_RESULT, /* info = 1 */
  IN_VALUE,  /* signs of the eigenvalues */
  IN_RIGHT,
  IN_LEFT,
  QZ_FAULTS
} qz_fault;

static const char *const qz_fault_name[QZ_FAULTS]
    = { "right", "info = 1", "wrong value", "wrong right vector",
        "wrong left vector" };

static qz_fault lapack_fault;

#define SPOIL(alpha)                                                           \
  if (*lwork != -1)                                                            \
    {                                                                          \
      if (lapack_fault == NO_RESULT)                                           \
        *info = 1;                                                             \
      if (lapack_fault == IN_VALUE)                                            \
        for (int32_t k = 0; k < *n; k++)                                       \
          alpha[k] = -alpha[k];                                                \
      if (lapack_fault == IN_RIGHT && *right == 'V')                           \
        vr[0] += 0.125f;                                                       \
      if (lapack_fault == IN_LEFT && *left == 'V')                             \
        vl[0] += 0.125f;                                                       \
    }

#define REAL(name, real)                                                       \
  REPLACED (name,                                                              \
            (const char *left, const char *right, const int32_t *n, real *a,   \
             const int32_t *lda, real *b, const int32_t *ldb, real *re,        \
             real *im, real *beta, real *vl, const int32_t *ldvl, real *vr,    \
             const int32_t *ldvr, real *work, const int32_t *lwork,            \
             int32_t *info, size_t l1, size_t l2),                             \
            (left, right, n, a, lda, b, ldb, re, im, beta, vl, ldvl, vr, ldvr, \
             work, lwork, info, l1, l2),                                       \
            SPOIL (re))

#define COMPLEX(name, real)                                                    \
  REPLACED (name,                                                              \
            (const char *left, const char *right, const int32_t *n, real *a,   \
             const int32_t *lda, real *b, const int32_t *ldb, real *alpha,     \
             real *beta, real *vl, const int32_t *ldvl, real *vr,              \
             const int32_t *ldvr, real *work, const int32_t *lwork,            \
             real *rwork, int32_t *info, size_t l1, size_t l2),                \
            (left, right, n, a, lda, b, ldb, alpha, beta, vl, ldvl, vr, ldvr,  \
             work, lwork, rwork, info, l1, l2),                                \
            SPOIL (alpha))

REAL (sggev_, float)
REAL (dggev_, double)
COMPLEX (cggev_, float)
COMPLEX (zggev_, double)

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages, int outputs,
       measure_random *r)
{
  any_problem p
      = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, pages, outputs);
  p.b = check_array (type, n * n * pages);
  for (int64_t k = 0; k < 2 * n * n * pages; k++)
    measure_set (type, k % 2 ? p.b : p.a, k / 2,
                 measure_normal (r) + I * measure_normal (r));
  return p;
}

/* The largest residual |A v - d B v| / ((|A| + |d| |B|) |v|), or |B v| / (|B| |v|) of an infinite
   d, in units of n eps; LEFT: that of W.  */
static double
worst_residual (const any_problem *p, int64_t page, int left)
{
  const int64_t n = p->n;
  const char *a = a_page (p, page), *b = page_of (p->type, p->b, n * n, page),
             *v = page_of (p->vectors, left ? p->w : p->v, n * n, page);
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double _Complex d = measure_get (p->values, p->lambda, n * page + j);
      const int infinite = isinf (creal (d)) || isinf (cimag (d));
      double error = 0, length = 0, size = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double _Complex sum = 0;
          for (int64_t k = 0; k < n; k++)
            {
              const int64_t at = left ? k + n * i : i + n * k;
              const double _Complex x
                  = infinite ? 0 : measure_get (p->type, a, at),
                  y = (infinite ? 1 : d) * measure_get (p->type, b, at);
              sum += (left ? conj (x - y) : x - y)
                     * measure_get (p->vectors, v, k + n * j);
              size += cabs (x) + cabs (y);
            }
          error += cabs (sum);
          length += cabs (measure_get (p->vectors, v, i + n * j));
        }
      worst = worst_of (worst, error == 0 ? 0 : error / (size * length));
    }
  return worst / ((double) n * measure_eps (p->type));
}

static void
check_residuals (const any_problem *p)
{
  for (int64_t page = 0; page < p->pages; page++)
    for (int left = 0; left < 2; left++)
      if (left ? p->w != NULL : p->v != NULL)
        CHECK_RATIO (worst_residual (p, page, left), LIMIT_GENERAL,
                     "%s residual of page %d, %s", left ? "left" : "right",
                     (int) page + 1, p->what);
}

static void
wrong_results_are_replaced (gpueig_type type, qz_fault f, int64_t n,
                            int64_t pages, int outputs)
{
  measure_random r = { 9 };
  const int seen = f != CORRECT && (f != IN_RIGHT || outputs > 1)
                   && (f != IN_LEFT || outputs > 2);
  CLEANUP (free_problem) any_problem p = begin (type, n, pages, outputs, &r);
  CLEANUP (free_problem) any_problem right = copy_problem (&p);
  check_solve (ctx, &right, &options, NULL, "right");
  lapack_fault = f;
  const int solved
      = check_solve (ctx, &p, &options, NULL, "%s", qz_fault_name[f]);
  lapack_fault = CORRECT;
  CHECK (strcmp (p.info.fallback, seen ? "qr" : "") == 0
             && strcmp (p.info.method, "qz") == 0,
         "by \"%s\", fallback \"%s\", %s", p.info.method, p.info.fallback,
         p.what);
  if (! solved)
    return;
  check_residuals (&p);
  /* Each value is one of the right ones, and the sums are equal.  */
  double worst = 0;
  double _Complex sum = 0;
  for (int64_t k = 0; k < n * pages; k++)
    {
      const double _Complex x = measure_get (p.values, p.lambda, k);
      double least = INFINITY;
      for (int64_t j = k / n * n; j < (k / n + 1) * n; j++)
        {
          const double _Complex y = measure_get (p.values, right.lambda, j);
          least = fmin (least, cabs (x - y) / (1 + cabs (x * y)));
        }
      worst = worst_of (worst, least);
      sum += 1 / (x + 2 * I)
             - 1 / (measure_get (p.values, right.lambda, k) + 2 * I);
    }
  CHECK_RATIO (worst / measure_eps (type), 1e4, "eigenvalues, %s", p.what);
  CHECK_RATIO (cabs (sum) / (measure_eps (type) * (double) n), 1e4,
               "their sum, %s", p.what);
}

/* A diagonal, B with ones above its diagonal, or the other way round.  */
static void
nilpotent_pairs_have_vectors (gpueig_type type, int64_t n, int of_a)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, 1, 3);
  p.b = check_array (type, n * n);
  for (int64_t k = 0; k < n * n; k++)
    {
      const int64_t i = k % n, j = k / n;
      measure_set (type, of_a ? p.a : p.b, k, j == i + 1);
      measure_set (type, of_a ? p.b : p.a, k, i == j);
    }
  check_solve (ctx, &p, &options, NULL, "nilpotent %s", of_a ? "A" : "B");
  check_residuals (&p);
}

typedef enum
{
  RANDOM,
  KERNEL,
  SINGULAR,
  DIAGONAL,
  UNITS,
  IDENTITY,
  EQUAL,
  TRIANGULAR,
  INTEGERS,
  ZERO,
  KINDS
} kind;

static double _Complex element (kind what, int64_t i, int64_t j, double reg,
                                const double *d, double _Complex x)
{
  const double far = (double) (i - j);
  return what == KERNEL       ? exp (-far * far / 25) + reg * (i == j)
         : what == SINGULAR   ? (j > 0 ? x : 0)
         : what == DIAGONAL   ? exp2 (d[i]) * (i == j)
         : what == UNITS      ? exp2 (d[i] + d[j]) * x
         : what == IDENTITY   ? i == j
         : what == EQUAL      ? 1 + reg * (i == j)
         : what == TRIANGULAR ? (i > j ? 0 : x)
         : what == INTEGERS   ? rint (2 * creal (x))
         : what == ZERO       ? 0
                              : x;
}

static void
right_pairs_are_kept (int count)
{
  enum
  {
    LARGEST = 40
  };
  measure_random r = { 23 };
  for (int k = 0; k < count; k++)
    {
      const gpueig_type type = (gpueig_type) (k % 4);
      const int is_double = gpueig_is_double (type);
      const int64_t n
          = 1 + (int64_t) (measure_chance (&r) * (k % 3 ? LARGEST : 3));
      const kind of[2] = { (kind) (measure_chance (&r) * KINDS),
                           (kind) (measure_chance (&r) * KINDS) };
      const double reg
          = pow (10, -measure_chance (&r) * (is_double ? 15 : 6.5));
      const double spread = measure_chance (&r) * (is_double ? 60 : 12);
      CLEANUP (free_problem)
      any_problem p = begin (type, n, 1, 1 + k / 4 % 3, &r);
      double d[LARGEST];
      for (int64_t i = 0; i < n; i++)
        d[i] = rint ((measure_chance (&r) - 0.5) * spread);
      for (int m = 0; m < 2; m++)
        {
          const double scale = k % 5 > 1
                                   ? 1
                                   : pow (10, (measure_chance (&r) - 0.5)
                                                  * (is_double ? 540 : 50));
          char *const x = m ? p.b : p.a;
          for (int64_t i = 0; i < n * n; i++)
            measure_set (type, x, i,
                         scale
                             * element (of[m], i % n, i / n, reg, d,
                                        measure_get (type, x, i)));
        }
      const gpueig_status status = solve_problem (ctx, &p, &options, &p.info);
      CHECK (status == GPUEIG_OK && ! p.info.fallback[0],
             "pair %d, %s, order %d, A %d, B %d: %s, fallback \"%s\"", k,
             check_type_name[type], (int) n, (int) of[0], (int) of[1],
             gpueig_message (ctx), p.info.fallback);
    }
}

int
main (void)
{
  enum
  {
    LARGE = 300 /* pages one by one */
  };
  begin_test ("qz_fallback");
  if (! dlsym (RTLD_NEXT, "dggev_"))
    {
      check_skip ("LAPACK is not a library of its own");
      return end_test ();
    }
  options.backend = GPUEIG_CPU;
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int f = CORRECT; f < QZ_FAULTS; f++)
        for (int outputs = 1; outputs <= 3; outputs++)
          {
            wrong_results_are_replaced (type, (qz_fault) f, 2, 3, outputs);
            wrong_results_are_replaced (type, (qz_fault) f, 25, 2, outputs);
          }
      nilpotent_pairs_have_vectors (type, 12, 0);
      nilpotent_pairs_have_vectors (type, 20, 1);
    }
  wrong_results_are_replaced (GPUEIG_DOUBLE, IN_VALUE, LARGE, 1, 3);
  wrong_results_are_replaced (GPUEIG_COMPLEX_DOUBLE, NO_RESULT, LARGE, 1, 1);
  right_pairs_are_kept (2000);
  return end_test ();
}
