/* Claims, on a GPU: with the limits of a smaller GPU (99 KB of shared memory per block,
   14 multiprocessors, no clusters), which a hook sets, all solvers run and meet the
   accuracy limits; classical Jacobi rotates all rows of a block for any number of
   blocks.  On every backend: no history has a NaN, also for zero matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

typedef gpueig_status solver (gpueig_context *, const gpueig_symmetric *,
                              const gpueig_options *, gpueig_info *);

static const struct
{
  const char *name;
  solver *run;
  const char *methods[5];
} functions[] = {
  { "eig", gpueig_eig_symmetric, { "auto" } },
  { "jacobi_eig",
    gpueig_jacobi_eig,
    { "auto", "classical", "block", "preconditioned" } },
  { "onesided_eig",
    gpueig_onesided_eig,
    { "auto", "hestenes", "cholesky", "shifted" } },
};

/* --- symmetric --- */

static void
solve_symmetric (int f, const char *method, gpueig_type type, int64_t n,
                 int64_t pages)
{
  char what[120];
  measure_random r = { (uint64_t) n };
  gpueig_info info;
  gpueig_options o = options;
  const gpueig_type real
      = gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const size_t page = (size_t) (n * n) * gpueig_scalar_size (type);
  const size_t column = (size_t) n * gpueig_scalar_size (real);
  char *a = check_array (type, n * n * pages),
       *v = check_array (type, n * n * pages);
  char *lambda = check_array (real, n * pages);
  char *only = check_array (real, n * pages);
  for (int64_t p = 0; p < pages; p++)
    measure_random_symmetric (&r, type, n, a + (size_t) p * page);
  gpueig_symmetric s = {
    .type = type, .n = n, .pages = pages, .a = a, .lambda = lambda, .v = v
  };
  o.method = method;
  (void) snprintf (what, sizeof what, "%s %s, %s n=%d, %d pages",
                   functions[f].name, method, check_type_name[type], (int) n,
                   (int) pages);
  CHECK (functions[f].run (ctx, &s, &o, &info) == GPUEIG_OK, "%s: %s", what,
         gpueig_message (ctx));
  double residual = 0, orthogonality = 0;
  for (int64_t p = 0; p < pages; p++)
    {
      const double x = measure_residual (type, n, n, a + (size_t) p * page,
                                         v + (size_t) p * page,
                                         lambda + (size_t) p * column);
      const double y
          = measure_orthogonality (type, n, n, v + (size_t) p * page);
      residual = x <= residual ? residual : x;
      orthogonality = y <= orthogonality ? orthogonality : y;
    }
  CHECK_RATIO (residual, LIMIT_RESIDUAL, "residual, %s", what);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY, "orthogonality, %s", what);
  s.v = NULL;
  s.lambda = only;
  CHECK (functions[f].run (ctx, &s, &o, &info) == GPUEIG_OK,
         "%s, values alone: %s", what, gpueig_message (ctx));
  CHECK_RATIO (measure_eigenvalues (type, n * pages, lambda, only,
                                    measure_norm (type, n, n, a)),
               LIMIT_EIGENVALUES, "values alone, %s", what);
  free (a);
  free (v);
  free (lambda);
  free (only);
}

/* --- general --- */

static void
solve_general (gpueig_type type, int64_t n, int64_t pages)
{
  measure_random r = { (uint64_t) n };
  gpueig_info info;
  const gpueig_type pair
      = gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  const size_t size = gpueig_scalar_size (type);
  const size_t wide = gpueig_scalar_size (pair);
  char *a = check_array (type, n * n * pages),
       *v = check_array (pair, n * n * pages);
  char *w = check_array (pair, n * n * pages),
       *lambda = check_array (pair, n * pages);
  for (int64_t i = 0; i < n * n * pages; i++)
    measure_set (type, a, i, measure_normal (&r) + I * measure_normal (&r));
  gpueig_options o = options;
  o.method = "shroff";
  gpueig_general g = { .type = type,
                       .n = n,
                       .pages = pages,
                       .a = a,
                       .balance = 1,
                       .lambda = lambda,
                       .v = v,
                       .w = w };
  CHECK (gpueig_complex_eig (ctx, &g, &o, &info) == GPUEIG_OK
             && ! info.fallback[0],
         "complex_eig, %s n=%d: %s %s", check_type_name[type], (int) n,
         gpueig_message (ctx), info.fallback);
  double worst = 0;
  for (int64_t p = 0; p < pages; p++)
    {
      const size_t at = (size_t) (p * n * n) * wide;
      const measure_pairs m
          = measure_general (type, n, a + (size_t) (p * n * n) * size, v + at,
                             w + at, lambda + (size_t) (p * n) * wide);
      worst = worst_of (worst, worst_of (m.right, m.left));
    }
  CHECK_RATIO (worst, LIMIT_GENERAL, "complex_eig, %s n=%d, %d pages",
               check_type_name[type], (int) n, (int) pages);
  g.v = g.w = NULL;
  CHECK (gpueig_complex_eig (ctx, &g, &o, &info) == GPUEIG_OK,
         "complex_eig, %s n=%d, values alone: %s", check_type_name[type],
         (int) n, gpueig_message (ctx));
  free (a);
  free (v);
  free (w);
  free (lambda);
}

/* --- limits --- */

static void
test_limits (void)
{
  static const int64_t orders[]
      = { 54, 56, 64, 65, 80, 97, 105, 128, 160, 200 };
  gpueig_limit_device (ctx, 14, 99 * 1024, 1);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int f = 0; f < 3; f++)
          for (int m = 0; m < 4 && functions[f].methods[m]; m++)
            {
              const int stack = f == 2 || orders[i] <= 64;
              solve_symmetric (f, functions[f].methods[m], type, orders[i], 1);
              if (stack && m == 0)
                solve_symmetric (f, functions[f].methods[m], type, orders[i],
                                 20);
            }
      solve_general (type, 33, 20);
      solve_general (type, 53, 20);
      solve_general (type, 54, 20);
      solve_general (type, 64, 20);
      solve_general (type, 90, 1);
    }
  /* One multiprocessor: one block has all rows of classical Jacobi, more than it
     has threads.  */
  gpueig_limit_device (ctx, 1, 0, 0);
  for (int t = 0; t < 4; t++)
    {
      solve_symmetric (1, "classical", (gpueig_type) t, 530, 1);
      solve_symmetric (1, "classical", (gpueig_type) t, 33, 1);
    }
  gpueig_limit_device (ctx, 2, 0, 0);
  solve_symmetric (1, "classical", GPUEIG_DOUBLE, 1100, 1);
  gpueig_limit_device (ctx, 0, 0, 0);
  solve_symmetric (1, "block", GPUEIG_COMPLEX_DOUBLE, 130, 1);
}

/* --- histories --- */

static void
test_histories (void)
{
  static const int64_t orders[] = { 1, 2, 5, 64, 65, 100 };
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
      for (int f = 0; f < 3; f++)
        for (int m = 0; m < 4 && functions[f].methods[m]; m++)
          {
            const gpueig_type type = (gpueig_type) t;
            const int64_t n = orders[i];
            char *a = check_array (type, n * n),
                 *lambda = check_array (type, n);
            char *v = check_array (type, n * n);
            memset (a, 0, (size_t) (n * n) * gpueig_scalar_size (type));
            gpueig_options o = options;
            gpueig_info info;
            o.method = functions[f].methods[m];
            const gpueig_symmetric s = {
              .type = type, .n = n, .pages = 1, .a = a, .lambda = lambda, .v = v
            };
            const gpueig_status status = functions[f].run (ctx, &s, &o, &info);
            int finite = 1;
            for (int k = 0; k < info.n_off; k++)
              finite &= isfinite (info.off[k]) != 0;
            CHECK (status == GPUEIG_OK && finite,
                   "history of zeros, %s %s, %s n=%d: %s", functions[f].name,
                   o.method, check_type_name[type], (int) n,
                   gpueig_message (ctx));
            CHECK_RATIO (measure_orthogonality (type, n, n, v),
                         LIMIT_ORTHOGONALITY, "vectors of zeros, %s %s n=%d",
                         functions[f].name, o.method, (int) n);
            free (a);
            free (lambda);
            free (v);
          }
}

/* A query of the machine does not affect later calls.  */
static void
test_query (void)
{
  gpueig_machine machine;
  for (int k = 0; k < 3; k++)
    {
      gpueig_query (ctx, &machine);
      solve_symmetric (1, "block", GPUEIG_DOUBLE, 20, 3);
    }
  if (options.backend == GPUEIG_CUDA)
    CHECK (machine.n_devices > 0 && machine.device[0].memory_free > 0
               && machine.device[0].memory_free <= machine.device[0].memory,
           "free memory of the GPU is reported: %g of %g",
           (double) machine.device[0].memory_free,
           (double) machine.device[0].memory);
}

int
main (void)
{
  check_begin ("device_limits");
  ctx = check_context (&options);
  test_histories ();
  test_query ();
  if (options.backend == GPUEIG_CUDA)
    test_limits ();
  else
    check_skip ("limits of a GPU: backend cuda only");
  gpueig_destroy (ctx);
  return check_end ();
}
