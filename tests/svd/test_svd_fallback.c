/* Claims: where LAPACK's divide and conquer or its Jacobi method fails, or returns what is no
   decomposition, another routine solves the page, and info names it; where all fail, the
   status says so; large and tall pages of moderate condition need none of them.  The routines
   are those of this program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* What dgesdd_, dgesvd_, dgejsv_ and, for values alone, dbdsqr_ do.  */
typedef enum
{
  RIGHT,
  FAILS,     /* info = 1 */
  IN_ERROR,  /* a value of S is wrong */
  UNORDERED, /* S ascends */
  SKEW,      /* U is not orthogonal */
  NOT_A_NUMBER,
  FAULTS
} fault;

static const char *const fault_name[FAULTS]
    = { "right", "info = 1", "wrong S", "ascending S", "skew U", "NaN" };

static fault of_gesdd, of_gesvd, of_gejsv, of_bdsqr;

static void
spoil (fault f, int32_t k, double *s, double *u, int32_t *info)
{
  if (f == FAILS)
    *info = 1;
  if (f == IN_ERROR)
    s[k / 2] *= 1 + 1e-9;
  if (f == NOT_A_NUMBER)
    s[0] = NAN;
  if (f == SKEW && u)
    u[0] += 1e-9;
  for (int32_t i = 0; f == UNORDERED && i < k / 2; i++)
    {
      const double t = s[i];
      s[i] = s[k - 1 - i];
      s[k - 1 - i] = t;
    }
}

/* NAME calls LAPACK's routine with ARGUMENTS and then spoils its results, K values, but not
   those of a query of the work space.  */
#define SPOILED(name, parameters, arguments, is_query, k, u, fault)            \
  void name parameters;                                                        \
  void name parameters                                                         \
  {                                                                            \
    void (*f) parameters;                                                      \
    *(void **) &f = dlsym (RTLD_NEXT, #name);                                  \
    if (! f)                                                                   \
      CHECK (0, "LAPACK has no " #name);                                       \
    else                                                                       \
      f arguments;                                                             \
    if (f && ! (is_query))                                                     \
      spoil (fault, k, s, u, info);                                            \
  }
SPOILED (dgesdd_,
         (const char *job, const int32_t *m, const int32_t *n, double *a,
          const int32_t *lda, double *s, double *u, const int32_t *ldu,
          double *vt, const int32_t *ldvt, double *work, const int32_t *lwork,
          int32_t *iwork, int32_t *info, size_t l),
         (job, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info, l),
         *lwork == -1, *m < *n ? *m : *n, u, of_gesdd)
SPOILED (dgesvd_,
         (const char *jobu, const char *jobvt, const int32_t *m,
          const int32_t *n, double *a, const int32_t *lda, double *s, double *u,
          const int32_t *ldu, double *vt, const int32_t *ldvt, double *work,
          const int32_t *lwork, int32_t *info, size_t l1, size_t l2),
         (jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info, l1,
          l2),
         *lwork == -1, *m < *n ? *m : *n, u, of_gesvd)
SPOILED (dgejsv_,
         (const char *joba, const char *jobu, const char *jobv,
          const char *jobr, const char *jobt, const char *jobp,
          const int32_t *m, const int32_t *n, double *a, const int32_t *lda,
          double *s, double *u, const int32_t *ldu, double *v,
          const int32_t *ldv, double *work, const int32_t *lwork,
          int32_t *iwork, int32_t *info, size_t l1, size_t l2, size_t l3,
          size_t l4, size_t l5, size_t l6),
         (joba, jobu, jobv, jobr, jobt, jobp, m, n, a, lda, s, u, ldu, v, ldv,
          work, lwork, iwork, info, l1, l2, l3, l4, l5, l6),
         0, *m < *n ? *m : *n, u, of_gejsv)

/* In LAPACK's own calls, as xGESDD's, WORK is not behind E.  */
SPOILED (dbdsqr_,
         (const char *uplo, const int32_t *n, const int32_t *ncvt,
          const int32_t *nru, const int32_t *ncc, double *s, double *e,
          double *vt, const int32_t *ldvt, double *u, const int32_t *ldu,
          double *c, const int32_t *ldc, double *work, int32_t *info, size_t l),
         (uplo, n, ncvt, nru, ncc, s, e, vt, ldvt, u, ldu, c, ldc, work, info,
          l),
         work != e + *n, *n, NULL, of_bdsqr)

/* --- claims --- */

enum
{
  DETACHED = 520 /* pages of this order run on a thread of their own */
};

/* |A - U S V'| / (|A| max (m, n) eps), with the largest elements as norms of one column in
   ten.  */
static double
residual (const gpueig_svd_problem *p)
{
  const double *a = p->a, *u = p->u, *v = p->v, *s = p->s;
  double worst = 0, size = 0;
  for (int64_t j = 0; j < p->n; j += 1 + p->n / 10)
    for (int64_t i = 0; i < p->m; i++)
      {
        double sum = -a[i + p->m * j];
        for (int64_t l = 0; l < p->n; l++)
          sum += u[i + p->m * l] * s[l] * v[j + p->n * l];
        worst = worst_of (worst, fabs (sum));
        size = worst_of (size, fabs (a[i + p->m * j]));
      }
  return worst / (size * (double) p->m * measure_eps (GPUEIG_DOUBLE));
}

static void
test_fault (fault f, int64_t n, int64_t pages, int high)
{
  const int64_t m = n + 3;
  FREED double *a = check_memory (m * n * pages, sizeof *a),
               *s = check_memory (n * pages, sizeof *s),
               *u = check_memory (m * n * pages, sizeof *u),
               *v = check_memory (n * n * pages, sizeof *v);
  measure_random r = { 5 };
  /* A condition that is not moderate.  */
  for (int64_t i = 0; i < m * n * pages; i++)
    a[i] = measure_normal (&r) * (i / m % 3 == 2 ? 1e-9 : 1);
  gpueig_svd_problem p = { .type = GPUEIG_DOUBLE,
                           .m = m,
                           .n = n,
                           .pages = pages,
                           .a = a,
                           .s = s,
                           .u = u,
                           .v = v };
  gpueig_options opt = options;
  gpueig_info info;
  opt.method = high ? "auto" : "gesdd";
  opt.high_accuracy = high;
  of_gesdd = high ? RIGHT : f;
  of_gejsv = high ? f : RIGHT;
  of_gesvd = RIGHT;
  const char *next = f == RIGHT ? "" : high ? "gesdd" : "gesvd";
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK
             && strcmp (info.fallback, next) == 0,
         "%s, order %d%s: %s, fallback \"%s\"", fault_name[f], (int) n,
         high ? ", high" : "", gpueig_message (ctx), info.fallback);
  CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, %s, order %d%s",
               fault_name[f], (int) n, high ? ", high" : "");
  of_gesvd = of_gesdd = f;
  const gpueig_status wanted = f == RIGHT ? GPUEIG_OK : GPUEIG_SOLVER_FAILED;
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == wanted,
         "all routines: %s, order %d%s: %s", fault_name[f], (int) n,
         high ? ", high" : "", gpueig_message (ctx));
  p.u = p.v = NULL;
  of_gesdd = of_gesvd = RIGHT;
  of_bdsqr = f;
  next = f == RIGHT ? "" : "gesdd";
  CHECK (f == SKEW || high
             || (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK
                 && strcmp (info.fallback, next) == 0),
         "values alone, %s, order %d: %s, fallback \"%s\"", fault_name[f],
         (int) n, gpueig_message (ctx), info.fallback);
  of_bdsqr = of_gejsv = RIGHT;
}

static void
test_moderate (int64_t m, int64_t n)
{
  FREED double *a = check_memory (m * n, sizeof *a),
               *s = check_memory (n, sizeof *s),
               *u = check_memory (m * n, sizeof *u),
               *v = check_memory (n * n, sizeof *v);
  measure_random r = { 5 };
  for (int64_t i = 0; i < m * n; i++)
    a[i] = measure_normal (&r) + (i % (m + 1) == 0 ? 40 : 0);
  gpueig_svd_problem p = { .type = GPUEIG_DOUBLE,
                           .m = m,
                           .n = n,
                           .pages = 1,
                           .a = a,
                           .s = s,
                           .u = u,
                           .v = v };
  gpueig_options opt = options;
  gpueig_info info;
  opt.method = "gesdd";
  of_gesdd = of_gesvd = FAILS;
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK && ! info.fallback[0],
         "without LAPACK's, %dx%d: %s", (int) m, (int) n, gpueig_message (ctx));
  CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, %dx%d", (int) m,
               (int) n);
  of_gesdd = of_gesvd = RIGHT;
}

int
main (void)
{
  check_begin ("svd_fallback");
  ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  for (int f = RIGHT; f < FAULTS; f++)
    {
      test_fault ((fault) f, 12, 1, 0);
      test_fault ((fault) f, 9, 40, 0);
      test_fault ((fault) f, 70, 2, 0);
      test_fault ((fault) f, 12, 3, 1);
    }
  test_fault (FAILS, DETACHED, 1, 0);
  test_moderate (DETACHED, DETACHED);
  test_moderate (200, 50);
  gpueig_destroy (ctx);
  return check_end ();
}
