/* Claims, for the inverse of a tridiagonal matrix by every method, all four
   types: 2^e T has 2^-e X as its inverse and the same rcond, whole and in parts,
   also where products of two elements leave the range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tdinv_matrices.h"

/* A matrix, its inverse and its rcond, at scale 1 and 2^e.  */
typedef struct
{
  matrix m;
  void *x, *y;
  double rcond, scaled_rcond;
} data;

static double _Complex times_power (double _Complex x, int e)
{
  return ldexp (creal (x), e) + I * ldexp (cimag (x), e);
}

static void
multiply (const matrix *m, int e)
{
  void *const bands[] = { m->c, m->a, m->b };
  for (int k = 0; k < 3; k++)
    for (int64_t i = 0; i < m->n; i++)
      measure_set (m->type, bands[k], i,
                   times_power (measure_get (m->type, bands[k], i), e));
}

/* Solve the scaled problem for a part of X, which begins at element FIRST and
   goes on every STEP, and compare.  */
static void
compare (const data *d, gpueig_tdinv_problem p, int e, const char *part,
         int64_t count, int64_t first, int64_t step)
{
  gpueig_info info;
  const gpueig_type type = d->m.type;
  double error = 0, size = 0;
  CHECK (gpueig_tdinv (ctx, &p, &options, &info) == GPUEIG_OK
             && info.fallback[0] == '\0',
         "2^%d, %s: %s", e, d->m.name, gpueig_message (ctx));
  for (int64_t i = 0; i < count; i++)
    {
      const double _Complex want = measure_get (type, d->x, first + step * i);
      const double _Complex got = times_power (measure_get (type, d->y, i), e);
      const double apart = cabs (got - want);
      error = worst_of (error, apart);
      size = worst_of (size, cabs (want));
    }
  CHECK_RATIO (error / size * d->rcond / measure_eps (type), LIMIT_INVERSE,
               "2^%d, %s, %s of %s", e, options.method, part, d->m.name);
  CHECK_RATIO (fabs (d->scaled_rcond / d->rcond - 1) / measure_eps (type), 8,
               "2^%d, %s, rcond of %s", e, options.method, d->m.name);
}

static void
test_scale (gpueig_type type, kind k, int64_t n, int e, const char *method)
{
  data d = { .m = make_matrix (type, k, n),
             .x = check_array (type, n * n),
             .y = check_array (type, n * n) };
  int64_t column = n - 1;
  gpueig_tdinv_problem p = problem_of (&d.m, d.x, &d.rcond);
  options.method = method;
  CHECK (gpueig_tdinv (ctx, &p, &options, NULL) == GPUEIG_OK, "%s, %s", method,
         d.m.name);
  multiply (&d.m, e);
  p.x = d.y;
  p.rcond = &d.scaled_rcond;
  compare (&d, p, e, "all", n * n, 0, 1);
  p.columns = &column;
  p.n_columns = 1;
  compare (&d, p, e, "a column", n, n * column, 1);
  p.columns = NULL;
  p.band = 0;
  compare (&d, p, e, "the diagonal", n, 0, n + 1);
  free (d.x);
  free (d.y);
  free_matrix (&d.m);
}

/* A matrix whose smallest elements would be lost if its largest came to 1.  */
static void
test_wide (gpueig_type type)
{
  const int top = gpueig_is_double (type) ? 1000 : 120;
  CLEANUP (free_matrix) matrix m = make_matrix (type, RANDOM_DOMINANT, 2);
  FREED void *x = check_array (type, 4);
  gpueig_tdinv_problem p = problem_of (&m, x, NULL);
  options.method = "generators";
  measure_set (type, m.a, 0, ldexp (1, top));
  measure_set (type, m.a, 1, ldexp (1, -top));
  measure_set (type, m.b, 0, 0);
  measure_set (type, m.c, 0, 0);
  CHECK (gpueig_tdinv (ctx, &p, &options, NULL) == GPUEIG_OK
             && creal (measure_get (type, x, 0)) == ldexp (1, -top)
             && creal (measure_get (type, x, 1)) == 0
             && creal (measure_get (type, x, 2)) == 0
             && creal (measure_get (type, x, 3)) == ldexp (1, top),
         "diagonal from 2^%d to 2^%d, %s", top, -top, check_type_name[type]);
}

int
main (void)
{
  static const char *const methods[] = { "generators", "sherman-morrison" };
  static const int64_t orders[] = { 1, 2, 3, 10, 63, 180 };
  static const int far[] = { -900, -500, 20, 300, 700, 950 };
  check_begin ("tdinv_scale");
  ctx = check_context (&options);
  for (int type = 0; type < 4; type++)
    {
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (size_t s = 0; s < sizeof far / sizeof far[0]; s++)
          for (int k = 0; k < 2; k++)
            {
              const int is_double = gpueig_is_double ((gpueig_type) type);
              const int e = is_double || far[s] == 20 ? far[s] : far[s] / 9;
              test_scale ((gpueig_type) type, RANDOM_DOMINANT, orders[i], e,
                          methods[k]);
              if (k != 1)
                test_scale ((gpueig_type) type, RANDOM, orders[i], e,
                            methods[k]);
            }
      test_wide ((gpueig_type) type);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
