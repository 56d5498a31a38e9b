/* Claims about failures of LAPACK's divide and conquer, whose routines are those of this
   program:
   failed_pages_are_solved: pages of a stack for which dsyevd fails or returns skew vectors, and
     large ones for which dstevd fails, MRRR solves; a named method has it as its fallback,
     "auto" as its method; so do pairs
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

typedef enum
{
  RIGHT,
  FAILS, /* info = 1 */
  SKEW,  /* the vectors are not orthogonal */
  FAULTS
} fault;

static fault lapack_fault;
static int64_t calls;

/* Every other call is right.  */
static void
spoil (double *v, int32_t *info)
{
  if (__atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED) % 2)
    return;
  if (lapack_fault == FAILS)
    *info = 1;
  if (lapack_fault == SKEW)
    v[0] += 1e-9;
}

void dsyevd_ (const char *job, const char *uplo, const int32_t *n, double *a,
              const int32_t *lda, double *w, double *work, const int32_t *lwork,
              int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l1,
              size_t l2);
void
dsyevd_ (const char *job, const char *uplo, const int32_t *n, double *a,
         const int32_t *lda, double *w, double *work, const int32_t *lwork,
         int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l1,
         size_t l2)
{
  static __typeof__ (&dsyevd_) f;
  *(void **) &f = dlsym (RTLD_NEXT, "dsyevd_");
  CHECK (*(void **) &f != NULL, "LAPACK has dsyevd");
  f (job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, l1, l2);
  if (*lwork != -1)
    spoil (a, info);
}

void dstevd_ (const char *job, const int32_t *n, double *d, double *e,
              double *z, const int32_t *ldz, double *work, const int32_t *lwork,
              int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l);
void
dstevd_ (const char *job, const int32_t *n, double *d, double *e, double *z,
         const int32_t *ldz, double *work, const int32_t *lwork, int32_t *iwork,
         const int32_t *liwork, int32_t *info, size_t l)
{
  static __typeof__ (&dstevd_) f;
  *(void **) &f = dlsym (RTLD_NEXT, "dstevd_");
  CHECK (*(void **) &f != NULL, "LAPACK has dstevd");
  f (job, n, d, e, z, ldz, work, lwork, iwork, liwork, info, l);
  if (*lwork != -1 && lapack_fault == FAILS)
    *info = 1;
}

/* The larger of the residual and the deviation from orthonormality of page K, in units of
   n eps |A| and n eps.  */
static double
page_ratio (const gpueig_symmetric *p, const double *b, int64_t k)
{
  const int64_t n = p->n, square = n * n;
  const double *a = (const double *) p->a + k * square,
               *v = (const double *) p->v + k * square,
               *lambda = (const double *) p->lambda + k * n;
  double residual = 0, skew = 0;
  for (int64_t i = 0; i < n; i += 1 + n / 16)
    for (int64_t j = 0; j < n; j++)
      {
        double r = -lambda[i] * v[j + n * i] * (b ? b[j] : 1), s = -(i == j);
        for (int64_t l = 0; l < n; l++)
          {
            r += a[j + n * l] * v[l + n * i];
            s += v[l + n * i] * v[l + n * j] * (b ? b[l] : 1);
          }
        residual = worst_of (residual, fabs (r));
        skew = worst_of (skew, fabs (s));
      }
  const double unit = (double) n * measure_eps (GPUEIG_DOUBLE);
  return worst_of (residual / unit / sqrt ((double) n), skew / unit);
}

/* PAIR: with a diagonal B, the same of all pages.  */
static void
failed_pages_are_solved (fault f, const char *method, int64_t n, int64_t pages,
                         int pair)
{
  static const char *const name[FAULTS] = { "right", "info = 1", "skew" };
  const int64_t square = n * n;
  FREED double *a = check_memory (square * pages, sizeof *a),
               *b = check_memory (square * pages, sizeof *b),
               *lambda = check_memory (n * pages, sizeof *lambda),
               *v = check_memory (square * pages, sizeof *v),
               *mass = check_memory (n, sizeof *mass);
  measure_random r = { 11 };
  for (int64_t i = 0; i < n; i++)
    mass[i] = 1 + (double) (i % 3) / 2;
  for (int64_t k = 0; k < pages; k++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i <= j; i++)
        {
          const double x = measure_normal (&r);
          a[k * square + i + n * j] = a[k * square + j + n * i] = x;
          b[k * square + i + n * j] = b[k * square + j + n * i]
              = i == j ? mass[i] : 0;
        }
  const gpueig_symmetric p = { .type = GPUEIG_DOUBLE,
                               .n = n,
                               .pages = pages,
                               .a = a,
                               .b = pair ? b : NULL,
                               .lambda = lambda,
                               .v = v };
  gpueig_options o = options;
  gpueig_info info;
  char what[80];
  (void) snprintf (what, sizeof what, "%s, \"%s\", %d pages of order %d%s",
                   name[f], method, (int) pages, (int) n,
                   pair ? ", pairs" : "");
  o.method = method;
  lapack_fault = f;
  calls = 0;
  const gpueig_status status = gpueig_eig_symmetric (ctx, &p, &o, &info);
  lapack_fault = RIGHT;
  const int named = strcmp (method, "auto") != 0;
  CHECK (status == GPUEIG_OK
             && strcmp (info.fallback, f != RIGHT && named ? "mrrr" : "") == 0
             && (! named || strcmp (info.method, method) == 0),
         "%s: %s, by \"%s\", fallback \"%s\"", what, gpueig_message (ctx),
         info.method, info.fallback);
  double worst = 0;
  for (int64_t k = 0; status == GPUEIG_OK && k < pages; k++)
    worst = worst_of (worst, page_ratio (&p, pair ? mass : NULL, k));
  CHECK_RATIO (worst, LIMIT_RESIDUAL, "%s", what);
}

int
main (void)
{
  static const int64_t large = 400;
  check_begin ("symmetric_fallback");
  if (! dlsym (RTLD_NEXT, "dsyevd_"))
    {
      check_skip ("LAPACK is not a library of its own");
      return check_end ();
    }
  ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  for (int f = RIGHT; f < FAULTS; f++)
    for (int pair = 0; pair < 2; pair++)
      {
        failed_pages_are_solved ((fault) f, "syevd", 40, 1, pair);
        failed_pages_are_solved ((fault) f, "syevd", 33, 9, pair);
        failed_pages_are_solved ((fault) f, "auto", 40, 9, pair);
        if (f != SKEW)
          failed_pages_are_solved ((fault) f, "syevd", large, 1, pair);
      }
  gpueig_destroy (ctx);
  return check_end ();
}
