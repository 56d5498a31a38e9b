/* Claims about wrong results of LAPACK where eigenvalues alone are computed, whose routines are
   those of this program; all types, values alone and with vectors:
   wrong_values_are_replaced: where xSYEVD returns wrong values, MRRR solves the page, or Jacobi
     where the reduction to tridiagonal form is wrong as well, and info names it
   right_values_are_kept: those of matrices with many equal elements, of any size, pass, whose plain
     sums have large rounding errors; infinite ones do where values overflow
   a_wrong_reduction_is_an_error: of gpueig_mrrr, which has no other method
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "limits.h"
#include "replaced_lapack.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef enum
{
  CORRECT,
  IN_VALUE, /* a value of xSYEVD is wrong */
  APART,    /* two are; their sum is right */
  IN_ALL, /* a value of xSYEVD and an element of the tridiagonal form of xSYTD2 */
  VALUE_FAULTS
} value_fault;

static const char *const value_fault_name[VALUE_FAULTS]
    = { "right", "wrong value", "two wrong values", "all wrong" };

static value_fault lapack_fault;

/* Random elements are near 1, and a change by SPOILED is far beyond rounding errors of any
   type.  */
#define SPOILED (1e-3f * (float) *n)

#define SPOIL_VALUES                                                           \
  if (*lwork != -1 && lapack_fault != CORRECT)                                 \
    {                                                                          \
      w[*n - 1] += SPOILED;                                                    \
      w[0] -= lapack_fault == APART ? SPOILED : 0;                             \
    }
#define SPOIL_FORM                                                             \
  if (lapack_fault == IN_ALL)                                                  \
    d[0] += SPOILED;

#define REAL(x, real)                                                          \
  REPLACED (                                                                   \
      x##syevd_,                                                               \
      (const char *job, const char *uplo, const int32_t *n, real *a,           \
       const int32_t *lda, real *w, real *work, const int32_t *lwork,          \
       int32_t *iwork, const int32_t *liwork, int32_t *info, size_t l1,        \
       size_t l2),                                                             \
      (job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, l1, l2),     \
      SPOIL_VALUES)                                                            \
  REPLACED (x##sytd2_,                                                         \
            (const char *uplo, const int32_t *n, real *a, const int32_t *lda,  \
             real *d, real *e, real *tau, int32_t *info, size_t l),            \
            (uplo, n, a, lda, d, e, tau, info, l), SPOIL_FORM)

#define COMPLEX(x, real)                                                       \
  REPLACED (x##heevd_,                                                         \
            (const char *job, const char *uplo, const int32_t *n, void *a,     \
             const int32_t *lda, real *w, void *work, const int32_t *lwork,    \
             real *rwork, const int32_t *lrwork, int32_t *iwork,               \
             const int32_t *liwork, int32_t *info, size_t l1, size_t l2),      \
            (job, uplo, n, a, lda, w, work, lwork, rwork, lrwork, iwork,       \
             liwork, info, l1, l2),                                            \
            SPOIL_VALUES)                                                      \
  REPLACED (x##hetd2_,                                                         \
            (const char *uplo, const int32_t *n, void *a, const int32_t *lda,  \
             real *d, real *e, void *tau, int32_t *info, size_t l),            \
            (uplo, n, a, lda, d, e, tau, info, l), SPOIL_FORM)

REAL (s, float)
REAL (d, double)
COMPLEX (c, float)
COMPLEX (z, double)

/* --- claims --- */

typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  void *a, *lambda, *right, *v;
} stack;

static void
end_stack (stack *s)
{
  free (s->a);
  free (s->lambda);
  free (s->right);
  free (s->v);
}

/* Random pages and their eigenvalues, in CORRECT.  */
static stack
begin_stack (gpueig_type type, int64_t n, int64_t pages)
{
  stack s = { .type = type, .n = n, .pages = pages };
  measure_random r = { 7 };
  s.a = check_array (type, n * n * pages);
  s.v = check_array (type, n * n * pages);
  s.lambda = check_array (type, n * pages);
  s.right = check_array (type, n * pages);
  for (int64_t p = 0; p < pages; p++)
    measure_random_symmetric (
        &r, type, n,
        (char *) s.a + (size_t) (p * n * n) * gpueig_scalar_size (type));
  const gpueig_symmetric problem
      = { .type = type, .n = n, .pages = pages, .a = s.a, .lambda = s.right };
  gpueig_options o = options;
  o.method = "mrrr";
  CHECK (gpueig_eig_symmetric (ctx, &problem, &o, NULL) == GPUEIG_OK,
         "the right values: %s", gpueig_message (ctx));
  return s;
}

static void
wrong_values_are_replaced (gpueig_type type, value_fault f, int64_t n,
                           int64_t pages, int vectors)
{
  CLEANUP (end_stack) stack s = begin_stack (type, n, pages);
  const gpueig_type real
      = gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const gpueig_symmetric problem = { .type = type,
                                     .n = n,
                                     .pages = pages,
                                     .a = s.a,
                                     .lambda = s.lambda,
                                     .v = vectors ? s.v : NULL };
  gpueig_options o = options;
  gpueig_info info;
  double worst = 0;
  o.method = "syevd";
  lapack_fault = f;
  const gpueig_status status = gpueig_eig_symmetric (ctx, &problem, &o, &info);
  lapack_fault = CORRECT;
  const char *const next = f == CORRECT ? "" : f == IN_ALL ? "shifted" : "mrrr";
  CHECK (status == GPUEIG_OK && strcmp (info.fallback, next) == 0,
         "%s, %s, %d pages of order %d: %s, fallback \"%s\"",
         check_type_name[type], value_fault_name[f], (int) pages, (int) n,
         gpueig_message (ctx), info.fallback);
  for (int64_t p = 0; p < pages; p++)
    {
      const double norm = measure_norm (
          type, n, n,
          (char *) s.a + (size_t) (p * n * n) * gpueig_scalar_size (type));
      for (int64_t i = n * p; i < n * (p + 1); i++)
        worst = worst_of (worst, cabs (measure_get (real, s.lambda, i)
                                       - measure_get (real, s.right, i))
                                     / norm);
    }
  CHECK_RATIO (worst / ((double) n * measure_eps (type)), LIMIT_EIGENVALUES,
               "%s, %s, order %d", check_type_name[type], value_fault_name[f],
               (int) n);
}

/* -ones (n) + DIAGONAL eye (n), times SIZE.  */
static void
right_values_are_kept (gpueig_type type, int64_t n, double diagonal,
                       double size)
{
  static const char *const methods[] = { "syevd", "mrrr" };
  FREED void *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED void *lambda = check_array (type, n);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, size * ((i % (n + 1) == 0) * diagonal - 1));
  for (int k = 0; k < 4; k++)
    {
      const gpueig_symmetric problem = { .type = type,
                                         .n = n,
                                         .pages = 1,
                                         .a = a,
                                         .lambda = lambda,
                                         .v = k % 2 ? v : NULL };
      gpueig_options o = options;
      gpueig_info info;
      o.method = methods[k / 2];
      CHECK (gpueig_eig_symmetric (ctx, &problem, &o, &info) == GPUEIG_OK
                 && ! info.fallback[0],
             "%s, order %d, %g and %g%s: %s, fallback \"%s\"",
             check_type_name[type], (int) n, size, diagonal,
             k % 2 ? ", vectors" : "", gpueig_message (ctx), info.fallback);
    }
}

static void
a_wrong_reduction_is_an_error (gpueig_type type, int64_t n)
{
  CLEANUP (end_stack) stack s = begin_stack (type, n, 1);
  const gpueig_symmetric problem = { .type = type,
                                     .n = n,
                                     .pages = 1,
                                     .a = s.a,
                                     .select = GPUEIG_SELECT_INDEX,
                                     .first = 1,
                                     .last = 2,
                                     .lambda = s.lambda };
  lapack_fault = IN_ALL;
  CHECK (gpueig_mrrr (ctx, &problem, &options, NULL) == GPUEIG_SOLVER_FAILED,
         "%s, order %d: %s", check_type_name[type], (int) n,
         gpueig_message (ctx));
  lapack_fault = CORRECT;
  CHECK (gpueig_mrrr (ctx, &problem, &options, NULL) == GPUEIG_OK,
         "%s, order %d, right: %s", check_type_name[type], (int) n,
         gpueig_message (ctx));
}

int
main (void)
{
  enum
  {
    IN_STAGES = 400 /* "syevd" calls xSTEVD */
  };
  begin_test ("values_fallback");
  options.backend = GPUEIG_CPU;
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int f = CORRECT; f < VALUE_FAULTS; f++)
        for (int vectors = 0; vectors < 2; vectors++)
          {
            wrong_values_are_replaced (type, (value_fault) f, 12, 1, vectors);
            wrong_values_are_replaced (type, (value_fault) f, 3, 7, vectors);
            wrong_values_are_replaced (type, (value_fault) f, 40, 5, vectors);
          }
      a_wrong_reduction_is_an_error (type, 30);
      const int is_double = gpueig_is_double (type);
      const double sizes[]
          = { 1, is_double ? 1e-300 : 1e-36, is_double ? 1e-310 : 1e-41,
              is_double ? 1e306 : 1e36 };
      for (int k = 0; k < 4; k++)
        {
          right_values_are_kept (type, 150, 150, sizes[k]);
          right_values_are_kept (type, 4, 0, sizes[k]);
        }
      /* In double precision MRRR refuses such matrices.  */
      if (! is_double)
        right_values_are_kept (type, 64, 0, 1e37);
    }
  wrong_values_are_replaced (GPUEIG_FLOAT, IN_ALL, IN_STAGES, 1, 0);
  return end_test ();
}
