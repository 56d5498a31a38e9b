/* Claims, for "Accuracy" "high" of both Jacobi functions on the backend under
   test: every eigenvalue of a positive definite D B D that is a normal number is
   right to a few n eps cond (B) relative to itself where A spans any part of the range of
   the numbers up to 1e600 (single precision: all of it), with and without vectors, alone
   and in a stack; vectors pass the bars.  What spans more is told.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "graded_matrices.h"
#include "limits.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

static gpueig_options options;

enum
{
  PAGES = 3
};

typedef gpueig_status solver (gpueig_context *, const gpueig_symmetric *,
                              const gpueig_options *, gpueig_info *);

static const struct
{
  const char *name;
  solver *solve;
} solvers[]
    = { { "jacobi", gpueig_jacobi_eig }, { "onesided", gpueig_onesided_eig } };

typedef struct
{
  gpueig_type type;
  int n;
  char *a; /* PAGES matrices, D over the same number of digits */
  double condition[PAGES];
  long double *ref;
  char name[80];
} stack;

static void
check_stack (const stack *s, int k, int pages, int vectors)
{
  gpueig_info info;
  gpueig_options opt = options;
  const int64_t n = s->n, square = n * n;
  const size_t size = gpueig_scalar_size (s->type),
               real = gpueig_real_size (s->type);
  FREED char *v = vectors ? check_array (s->type, square * pages) : NULL;
  FREED char *lambda = check_array (s->type, n * pages);
  double relative = 0, residual = 0, orthogonality = 0;
  opt.high_accuracy = 1;
  gpueig_symmetric problem
      = symmetric_problem (s->type, n, pages, s->a, lambda, v);
  char what[160];
  snprintf (what, sizeof what, "%s, %s, %d pages%s", solvers[k].name, s->name,
            pages, vectors ? "" : ", values only");
  CHECK (solvers[k].solve (ctx, &problem, &opt, &info) == GPUEIG_OK
             && ! info.fallback[0],
         "%s: %s %s", what, gpueig_message (ctx), info.fallback);
  for (int p = 0; p < pages; p++)
    {
      const char *l = lambda + (size_t) (p * n) * real;
      relative
          = fmax (relative, relative_error (s->type, s->n, l, s->ref + p * n,
                                            s->condition[p]));
      if (! vectors)
        continue;
      const char *vp = v + (size_t) (p * square) * size;
      residual = fmax (residual,
                       measure_residual (s->type, n, n,
                                         s->a + (size_t) (p * square) * size,
                                         vp, l));
      orthogonality
          = fmax (orthogonality, measure_orthogonality (s->type, n, n, vp));
    }
  CHECK_RATIO (relative, LIMIT_RELATIVE, "relative, %s", what);
  CHECK_RATIO (residual, LIMIT_RESIDUAL, "residual, %s", what);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY, "orthogonality, %s", what);
}

static void
test_range (gpueig_type type, int n, double low, double high)
{
  stack s = { .type = type, .n = n };
  const size_t size = gpueig_scalar_size (type);
  FREED wide *w = check_memory (n * n, sizeof *w);
  s.a = check_array (type, (int64_t) n * n * PAGES);
  s.ref = check_memory (n * PAGES, sizeof *s.ref);
  for (int p = 0; p < PAGES; p++)
    {
      char *a = s.a + (size_t) (p * n * n) * size;
      s.condition[p] = graded_between (type, n, low + p, high, a);
      for (int i = 0; i < n * n; i++)
        w[i] = measure_get (type, a, i);
      reference (n, w, s.ref + p * n);
    }
  snprintf (s.name, sizeof s.name, "%s n=%d, D from 1e%.1f to 1e%.1f",
            check_type_name[type], n, low, high);
  for (int k = 0; k < 2; k++)
    for (int pages = 1; pages <= PAGES; pages += PAGES - 1)
      for (int vectors = 0; vectors < 2; vectors++)
        check_stack (&s, k, pages, vectors);
  free (s.a);
  free (s.ref);
}

/* A diagonal matrix over nearly the whole range.  */
static void
test_whole_range (gpueig_type type)
{
  const int told = gpueig_is_double (type);
  const double most = pow (10, told ? 307.2 : 37.4), least = 1 / most;
  FREED char *a = check_array (type, 9 * PAGES),
             *lambda = check_array (type, 3 * PAGES);
  gpueig_options opt = options;
  opt.high_accuracy = 1;
  for (int i = 0; i < 3 * PAGES; i++)
    measure_set (type, a, i / 3 * 9 + i % 3 * 4,
                 i % 3 == 0   ? most
                 : i % 3 == 1 ? least
                              : 1);
  gpueig_symmetric problem
      = symmetric_problem (type, 3, PAGES, a, lambda, NULL);
  for (int k = 0; k < 2; k++)
    {
      gpueig_info info;
      char text[300];
      CHECK (solvers[k].solve (ctx, &problem, &opt, &info) == GPUEIG_OK
                 && ! info.fallback[0] == ! told,
             "%s, %s: what does not fit is told", solvers[k].name,
             check_type_name[type]);
      gpueig_fallback_text (&info, text, sizeof text);
      if (told)
        CHECK (strstr (text, "solved 3 ") && strstr (text, "normal accuracy"),
               "\"%s\"", text);
      for (int i = 0; i < 9 && ! told; i++)
        {
          const double x = creal (measure_get (real_type (type), lambda, i));
          const double wanted = i % 3 == 0 ? least : i % 3 == 1 ? 1 : most;
          CHECK (fabs (x / wanted - 1) < 1e-6, "%s, %s: %g is %g",
                 solvers[k].name, check_type_name[type], wanted, x);
        }
    }
}

/* Ranges of D at random: as wide as promised, or narrow and anywhere.  */
static void
test_ranges (gpueig_type type, int n, measure_random *r)
{
  const int wide = gpueig_is_double (type);
  const double end = wide ? 153 : 18.4, most = wide ? 299 : 36;
  for (int pass = 0; pass < 3; pass++)
    {
      const double u = measure_chance (r);
      /* Pages of the stack have a smaller D, by up to PAGES digits.  */
      const double span = fmax (pass == 0   ? most
                                : pass == 1 ? u * most
                                            : 0,
                                PAGES);
      const double place = measure_chance (r);
      const double low = -end + place * (2 * end - span);
      test_range (type, n, low, low + span);
    }
}

int
main (void)
{
  static const int orders[] = { 1, 2, 5, 11, 18, 40, 70 };
  measure_random r = { 29 };
  check_begin ("high_range");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      test_whole_range (type);
      for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        test_ranges (type, orders[k], &r);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
