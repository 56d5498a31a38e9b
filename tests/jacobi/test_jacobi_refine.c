/* Claims, for preconditioned Jacobi on the backend under test: random matrices
   D R D with D over six decades, which have pairs of eigenvalues too close for
   first order and too many for one window, pass the bars, as one page and among
   others; a zero matrix has a history of numbers.
   GPUEIG_TEST_LONG: some hundred of each type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <math.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;

/* R is random Hermitian, D = diag (10^(-DECADES u)), u random in (0, 1).  */
static void
scaled_random (measure_random *r, gpueig_type type, int64_t n, double decades,
               void *a)
{
  FREED double *d = check_array (GPUEIG_DOUBLE, n);
  measure_random_symmetric (r, type, n, a);
  for (int64_t i = 0; i < n; i++)
    d[i] = pow (10, -decades * measure_chance (r));
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      measure_set (type, a, i + n * j,
                   measure_get (type, a, i + n * j) * (d[i] * d[j]));
}

static void
test_scaled (gpueig_type type, int64_t n, double decades, int64_t pages)
{
  gpueig_info info;
  const size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  measure_random r = { (uint64_t) (1000 * n + type) };
  FREED char *a = check_array (type, n * n * pages);
  FREED char *v = check_array (type, n * n * pages);
  FREED char *lambda = check_array (type, n * pages);
  double residual = 0, orthogonality = 0;
  gpueig_options opt = options;
  opt.method = "preconditioned";
  for (int64_t p = 0; p < pages; p++)
    scaled_random (&r, type, n, decades, a + (size_t) (p * n * n) * size);
  gpueig_symmetric problem = symmetric_problem (type, n, pages, a, lambda, v);
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && info.converged,
         "%d pages D R D of order %d, %s: %s", (int) pages, (int) n,
         check_type_name[type], gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p++)
    {
      const char *vp = v + (size_t) (p * n * n) * size;
      residual
          = fmax (residual,
                  measure_residual (type, n, n, a + (size_t) (p * n * n) * size,
                                    vp, lambda + (size_t) (p * n) * real));
      orthogonality
          = fmax (orthogonality, measure_orthogonality (type, n, n, vp));
    }
  CHECK_RATIO (residual, LIMIT_RESIDUAL,
               "residual, %d pages D R D of order %d over %g decades, %s",
               (int) pages, (int) n, decades, check_type_name[type]);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY,
               "orthogonality, %d pages D R D of order %d over %g decades, %s",
               (int) pages, (int) n, decades, check_type_name[type]);
}

static void
test_zero (void)
{
  enum
  {
    N = 65
  };
  static double a[N * N], v[N * N], lambda[N];
  gpueig_info info;
  gpueig_options opt = options;
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, v);
  opt.method = "preconditioned";
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK,
         "zero matrix: %s", gpueig_message (ctx));
  CHECK_RATIO (measure_orthogonality (GPUEIG_DOUBLE, N, N, v),
               LIMIT_ORTHOGONALITY, "orthogonality, zero matrix");
  int finite = 1;
  for (int i = 0; i < info.n_off; i++)
    finite &= isfinite (info.off[i]);
  CHECK (finite && info.n_off > 0, "zero matrix: the history has numbers");
}

int
main (void)
{
  static const int64_t orders[] = { 65, 100, 129 };
  const int many = getenv ("GPUEIG_TEST_LONG") != NULL;
  check_begin ("jacobi_refine");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      const double decades = gpueig_is_double (type) ? 6 : 3;
      for (int k = 0; k < 3; k++)
        test_scaled (type, orders[k], decades, many ? 300 : 25);
      test_scaled (type, 300, decades, many ? 20 : 1);
      if (many)
        test_scaled (type, 100, 2 * decades, 100);
    }
  test_zero ();
  gpueig_destroy (ctx);
  return check_end ();
}
