/* Claims, for random general matrices of all kinds up to order 300 on the backend under test:
   no solver follows "qr", residuals are below 1 n eps (2 below order 16) or below 3 times
   LAPACK's, and with their vectors results meet the limits; so for one of order 1100 of each
   type on a GPU.  Each kind at chosen orders: test_accuracy.c.
   GPUEIG_TEST_LONG: 10^4 of them up to order 600.
     test_general_kinds COUNT FIRST  so many alone
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general_matrices.h"
#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;
static int above_one, is_long;

static double
larger_residual (const any_problem *p)
{
  const measure_pairs m
      = measure_general (p->type, p->n, p->a, p->v, p->w, p->lambda);
  return worst_of (m.right, m.left);
}

/* Of an order from which on a GPU applies the windows of a sweep to larger tiles.  */
static void
test_larger (gpueig_type type)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type, 1100, 1, 2);
  fill_problem (&p, 11);
  check_solve (ctx, &p, &options, "qr", "a larger one");
  CHECK (p.info.fallback[0] == '\0', "%s: by %s", p.what, p.info.fallback);
  CHECK_RATIO (larger_residual (&p), 1, "residual, %s", p.what);
}

/* Orders are as often below 24 as above.  */
static void
test_one (uint64_t number)
{
  measure_random r = { 77 + number };
  measure_chance (&r);
  const int kind = (int) measure_integer (&r, 0, GENERAL_ALL - 1);
  const gpueig_type type = (gpueig_type) measure_integer (&r, 0, 3);
  const int64_t n
      = (int64_t) exp (measure_chance (&r) * log (is_long ? 601 : 301));
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, 1, 3);
  const char *name = general_any ((uint64_t) (1000 * n + kind) + (number << 24),
                                  kind, type, n, p.a);
  if (! name)
    return;
  check_solve (ctx, &p, &options, "qr", "%s, number %d", name, (int) number);
  check_errors (&p, USUAL_NONE);
  CHECK (p.info.fallback[0] == '\0', "%s: by %s", p.what, p.info.fallback);
  /* Only where this says something: LAPACK's may be 0 in small ones.  */
  const double usual = n < 16 ? 2 : 1;
  const double residual = larger_residual (&p);
  double limit = usual;
  if (residual > usual)
    {
      gpueig_options lapack = options;
      lapack.backend = GPUEIG_CPU;
      check_solve (ctx, &p, &lapack, "geev", "%s, number %d", name,
                   (int) number);
      limit = fmax (3 * larger_residual (&p), usual);
    }
  CHECK_RATIO (residual, limit, "residual, %s", p.what);
  above_one += n >= 16 && residual > 1;
}

int
main (int argc, char **argv)
{
  check_begin ("general_kinds");
  ctx = check_context (&options);
  is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  const uint64_t count = argc > 2  ? strtoull (argv[1], NULL, 10)
                         : is_long ? 10000
                                   : 300;
  const uint64_t first = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  for (int t = 0; t < 4 && options.backend == GPUEIG_CUDA; t++)
    test_larger ((gpueig_type) t);
  for (uint64_t number = first; number < first + count; number++)
    if (argc > 2 || check_turn (4))
      test_one (number);
  printf ("%d of %d random ones from order 16 on have a residual above n eps\n",
          above_one, (int) count);
  gpueig_destroy (ctx);
  return check_end ();
}
