/* Claim: sampled verification accepts correct eigenpairs and rejects wrong ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/verify_by_sampling.h"

static gpueig_context *ctx;
static gpueig_options options;

static void
check_kind (gpueig_type type, int64_t n, int exponent)
{
  measure_random r = { 5 };
  FREED void *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED void *lambda = check_array (type, n);
  const gpueig_type real = real_type (type);
  gpueig_symmetric s = symmetric_problem (type, n, 1, a, lambda, v);
  const char *name = check_type_name[type];
  measure_random_symmetric (&r, type, n, a);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, measure_get (type, a, i) * ldexp (1, exponent));
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && ge_check_pairs (ctx, &s, "LAPACK") == GPUEIG_OK,
         "%s, n = %lld, 2^%d: right pairs pass: %s", name, (long long) n,
         exponent, gpueig_message (ctx));
  s.v = NULL;
  CHECK (ge_check_pairs (ctx, &s, "LAPACK") == GPUEIG_OK,
         "%s, n = %lld, 2^%d: right values pass: %s", name, (long long) n,
         exponent, gpueig_message (ctx));
  /* An error in one eigenvalue, then in one element of a vector.  */
  const double wrong = gpueig_is_double (type) ? 1e-9 : 1e-2;
  const double _Complex x = measure_get (real, lambda, n / 2);
  measure_set (real, lambda, n / 2, x + wrong * ldexp ((double) n, exponent));
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong value alone", name);
  s.v = v;
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong value", name);
  measure_set (real, lambda, n / 2, NAN);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED, "%s: NaN",
         name);
  measure_set (real, lambda, n / 2, x);
  const double _Complex y = measure_get (type, v, n * n / 2);
  measure_set (type, v, n * n / 2, y + wrong);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong vector", name);
  measure_set (type, v, n * n / 2, y);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_OK, "%s: all is right again",
         name);
}

int
main (void)
{
  check_begin ("sample");
  ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  for (int type = 0; type < 4; type++)
    {
      check_kind ((gpueig_type) type, 150, 0);
      check_kind ((gpueig_type) type, 40, -100);
      check_kind ((gpueig_type) type, 40, 100);
    }
  check_kind (GPUEIG_DOUBLE, 40, 1000);
  check_kind (GPUEIG_DOUBLE, 40, -1000);
  gpueig_destroy (ctx);
  return check_end ();
}
