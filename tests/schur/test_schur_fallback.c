/* Claims about failures of LAPACK's QR iteration, whose routines are those of this program;
   single pages and stacks:
   wrong_schur_forms_are_replaced: where it fails, or returns what is no Schur form, our own
     iteration solves the page, and info names it
   wrong_eigenvalues_are_replaced: and where it returns what are no eigenvalues; every page has
     the bits of one of both methods
   two_wrong_methods_are_an_error: where both are wrong, the status says so
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "limits.h"
#include "replaced_lapack.h"

#include <string.h>

/* What dgees_ and dgeevx_ do; every other page of a stack is right.  */
typedef enum
{
  RIGHT,
  FAILS,    /* info = 1 */
  IN_VALUE, /* the real part of an eigenvalue is wrong */
  IN_PAIR,  /* the imaginary part of a pair, or what is above the diagonal */
  SKEW,     /* U is not orthogonal */
  NOT_A_NUMBER,
  FAULTS
} fault;

static const char *const fault_name[FAULTS]
    = { "right", "info = 1", "wrong value", "wrong pair", "skew U", "NaN" };

static fault lapack_fault;
static int balances_wrongly;
static int64_t call;

/* W: eigenvalues, or a form whose element ABOVE is above the diagonal.  */
static void
spoil (double *w, double *above, double *u, int32_t *info)
{
  if (__atomic_fetch_add (&call, 1, __ATOMIC_RELAXED) % 2)
    return;
  if (lapack_fault == FAILS)
    *info = 1;
  if (lapack_fault == IN_VALUE)
    w[0] += 1e-6;
  if (lapack_fault == IN_PAIR)
    *above = 1.5 * *above + 1e-3;
  if (lapack_fault == SKEW && u)
    u[0] += 1e-9;
  if (lapack_fault == NOT_A_NUMBER)
    w[0] = NAN;
}

REPLACED (dgees_,
          (const char *job, const char *sort, void *select, const int32_t *n,
           double *a, const int32_t *lda, int32_t *count, double *wr,
           double *wi, double *vs, const int32_t *ldvs, double *work,
           const int32_t *lwork, int32_t *bwork, int32_t *info, size_t l1,
           size_t l2),
          (job, sort, select, n, a, lda, count, wr, wi, vs, ldvs, work, lwork,
           bwork, info, l1, l2),
          if (*lwork != -1)
              spoil (a, &a[*lda * (*n - 1)], *job == 'V' ? vs : NULL, info))

/* The eigenvalues of N-by-N matrices that have a pair.  */
static void
spoil_eigenvalues (int32_t n, double *wr, double *wi, int32_t *info)
{
  int32_t k = 0;
  while (k < n - 1 && wi[k] == 0)
    k++;
  double im = wi[k];
  spoil (wr, &im, NULL, info);
  wi[k + 1] = -im;
  wi[k] = im;
}

REPLACED (dgeevx_,
          (const char *balance, const char *left, const char *right,
           const char *sense, const int32_t *n, double *a, const int32_t *lda,
           double *wr, double *wi, double *vl, const int32_t *ldvl, double *vr,
           const int32_t *ldvr, int32_t *ilo, int32_t *ihi, double *scale,
           double *norm, double *rconde, double *rcondv, double *work,
           const int32_t *lwork, int32_t *iwork, int32_t *info, size_t l1,
           size_t l2, size_t l3, size_t l4),
          (balance, left, right, sense, n, a, lda, wr, wi, vl, ldvl, vr, ldvr,
           ilo, ihi, scale, norm, rconde, rcondv, work, lwork, iwork, info, l1,
           l2, l3, l4),
          if (*lwork != -1) spoil_eigenvalues (*n, wr, wi, info))

/* LAPACK's own calls need not come here.  */
REPLACED (dgebal_,
          (const char *job, const int32_t *n, double *a, const int32_t *lda,
           int32_t *ilo, int32_t *ihi, double *scale, int32_t *info, size_t l),
          (job, n, a, lda, ilo, ihi, scale, info, l),
          if (balances_wrongly) a[0] += 1e-6)

/* --- claims --- */

enum
{
  DETACHED = 520 /* pages of this order run on a thread of their own */
};

/* Random pages, each with a conjugate pair.  */
static double *
random_pages (int64_t n, int64_t pages)
{
  double *a = check_memory (n * n * pages, sizeof *a);
  measure_random r = { 5 };
  for (int64_t i = 0; i < n * n * pages; i++)
    a[i] = measure_normal (&r);
  for (int64_t p = 0; p < pages; p++)
    for (int64_t i = 0; i < n; i++)
      {
        a[n * n * p + n - 1 + n * i] = i == n - 2 ? -3 : 0;
        a[n * n * p + n - 2 + n * i] = i == n - 1 ? 3 : 0;
      }
  return a;
}

static void
check_call (gpueig_status status, const gpueig_info *info, const char *next,
            const char *what)
{
  CHECK (status == GPUEIG_OK && strcmp (info->fallback, next) == 0,
         "%s, %s: %s, fallback \"%s\"", what, fault_name[lapack_fault],
         gpueig_message (ctx), info->fallback);
}

static void
wrong_schur_forms_are_replaced (int64_t n, int64_t pages, int vectors)
{
  const int64_t square = n * n;
  FREED double *a = random_pages (n, pages);
  FREED double *s = check_memory (square * pages, sizeof *s);
  FREED double *u = check_memory (square * pages, sizeof *u);
  const gpueig_schur_problem p = { .type = GPUEIG_DOUBLE,
                                   .n = n,
                                   .pages = pages,
                                   .a = a,
                                   .s = s,
                                   .u = vectors ? u : NULL };
  const int wrong = lapack_fault != RIGHT && (vectors || lapack_fault != SKEW);
  gpueig_options o = options;
  gpueig_info info;
  double worst = 0;
  o.method = "gees";
  call = 0;
  check_call (gpueig_schur (ctx, &p, &o, &info), &info, wrong ? "qr" : "",
              vectors ? "Schur form and vectors" : "Schur form");
  for (int64_t k = 0; vectors && k < pages; k++)
    worst = worst_of (worst, measure_form (GPUEIG_DOUBLE, GPUEIG_DOUBLE, n,
                                           a + square * k, s + square * k,
                                           u + square * k));
  CHECK_RATIO (worst, LIMIT_GENERAL, "residual, %s, order %d",
               fault_name[lapack_fault], (int) n);
}

/* Every page has the bits of one of both methods.  */
static void
wrong_eigenvalues_are_replaced (int64_t n, int64_t pages, int vectors)
{
  static const char *const methods[] = { "qr", "geev", "geev" };
  const fault f = lapack_fault;
  const int64_t count = n * pages;
  FREED double *a = random_pages (n, pages);
  FREED double _Complex *lambda = check_memory (3 * count, sizeof *lambda);
  FREED double _Complex *v = check_memory (n * count, sizeof *v);
  gpueig_general p = { .type = GPUEIG_DOUBLE,
                       .n = n,
                       .pages = pages,
                       .a = a,
                       .v = vectors ? v : NULL };
  gpueig_options o = options;
  gpueig_info info;
  int64_t other = 0;
  for (int k = 0; k < 3; k++)
    {
      lapack_fault = k < 2 ? RIGHT : f;
      call = 0;
      p.lambda = lambda + k * count;
      o.method = methods[k];
      check_call (gpueig_eig_general (ctx, &p, &o, &info), &info,
                  k < 2 || f == RIGHT || f == SKEW ? "" : "qr",
                  vectors ? "eigenvalues and vectors" : "eigenvalues");
    }
  for (int64_t k = 0; k < pages; k++)
    {
      const double _Complex *x = lambda + n * k;
      const size_t bytes = (size_t) n * sizeof *x;
      other += memcmp (x, x + 2 * count, bytes)
               && memcmp (x + count, x + 2 * count, bytes);
    }
  CHECK (other == 0,
         "%s, order %d: the values of %d pages are another solver's",
         fault_name[f], (int) n, (int) other);
}

/* Where both iterations are wrong.  */
static void
two_wrong_methods_are_an_error (int64_t n)
{
  FREED double *a = random_pages (n, 1);
  FREED double *s = check_memory (n * n, sizeof *s);
  FREED double _Complex *lambda = check_memory (n, sizeof *lambda);
  const gpueig_schur_problem form
      = { .type = GPUEIG_DOUBLE, .n = n, .pages = 1, .a = a, .s = s };
  const gpueig_general p = { .type = GPUEIG_DOUBLE,
                             .n = n,
                             .pages = 1,
                             .a = a,
                             .balance = 1,
                             .lambda = lambda };
  gpueig_info info;
  balances_wrongly = 1;
  lapack_fault = IN_VALUE;
  call = 0;
  CHECK (gpueig_schur (ctx, &form, &options, &info) == GPUEIG_SOLVER_FAILED,
         "Schur forms of both iterations are wrong: %s", gpueig_message (ctx));
  call = 0;
  CHECK (gpueig_eig_general (ctx, &p, &options, &info) == GPUEIG_SOLVER_FAILED,
         "eigenvalues of both iterations are wrong: %s", gpueig_message (ctx));
  balances_wrongly = 0;
  lapack_fault = RIGHT;
}

int
main (void)
{
  static const int64_t orders[][2] = { { 4, 1 }, { 5, 40 }, { 70, 2 } };
  begin_test ("schur_fallback");
  options.backend = GPUEIG_CPU;
  for (int f = RIGHT; f < FAULTS; f++)
    for (int k = 0; k < 6; k++)
      {
        lapack_fault = (fault) f;
        wrong_schur_forms_are_replaced (orders[k / 2][0], orders[k / 2][1],
                                        k % 2);
        wrong_eigenvalues_are_replaced (orders[k / 2][0], orders[k / 2][1],
                                        k % 2);
      }
  lapack_fault = SKEW;
  wrong_schur_forms_are_replaced (DETACHED, 1, 1);
  lapack_fault = IN_VALUE;
  wrong_eigenvalues_are_replaced (DETACHED, 1, 0);
  lapack_fault = RIGHT;
  two_wrong_methods_are_an_error (6);
  return end_test ();
}
