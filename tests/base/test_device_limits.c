/* Claims, on a GPU: with little free memory every stack is solved, with the same bits, as
   long as one page fits; with the limits of a smaller GPU (99 KB of shared memory per block,
   14 multiprocessors, no clusters), which a hook sets, all solvers run and meet the
   accuracy limits.  On every backend: no history has a NaN, also for zero matrices.
   With GPUEIG_TEST_LONG every method with every type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "limits.h"
#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;
static int is_long;

static const int functions[] = { SOLVE_EIG, SOLVE_JACOBI, SOLVE_ONESIDED };

static void
solve (int solver, const char *method, gpueig_type type, int64_t n,
       int64_t pages)
{
  char what[120];
  gpueig_info info;
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[solver], type, n, pages, 3);
  char *const lambda = p.lambda, *const v = p.v, *const w = p.w;
  fill_problem (&p, (uint64_t) n);
  o.method = method;
  (void) snprintf (what, sizeof what, "%s %s, %s n=%d, %d pages",
                   solvers[solver].name, method, check_type_name[type], (int) n,
                   (int) pages);
  const gpueig_status status = solve_problem (ctx, &p, &o, &info);
  CHECK (status == GPUEIG_OK
             && (p.solver->kind != GENERAL_MATRIX || ! info.fallback[0]),
         "%s: %s %s", what, gpueig_message (ctx), info.fallback);
  CHECK_RATIO (problem_ratio (&p), 1, "%s", what);
  p.v = p.w = NULL;
  p.lambda = check_array (p.values, n * pages);
  CHECK (solve_problem (ctx, &p, &o, &info) == GPUEIG_OK,
         "%s, values alone: %s", what, gpueig_message (ctx));
  if (solvers[solver].kind == SYMMETRIC_MATRIX)
    CHECK_RATIO (measure_eigenvalues (type, n * pages, lambda, p.lambda,
                                      measure_norm (type, n, n, p.a)),
                 LIMIT_EIGENVALUES, "values alone, %s", what);
  free (p.lambda);
  p.lambda = lambda;
  p.v = v;
  p.w = w;
}

/* --- limits --- */

static void
test_limits (void)
{
  static const int64_t orders[]
      = { 54, 56, 64, 65, 80, 97, 105, 128, 160, 200 };
  static const int64_t general[] = { 33, 53, 54, 64, 90 };
  gpueig_limit_device (ctx, 14, 99 * 1024, 1);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int f = 0; f < 3; f++)
          for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
            {
              const int stack = f == 2 || orders[i] <= 64;
              const int slow = orders[i] > 65
                               && (ge_method_table[m].traits & GE_NAMED_ONLY);
              if (! has_method (solvers[functions[f]].id, GPUEIG_CUDA, m,
                                orders[i])
                  || (! is_long && (slow || ((int) i + t + (int) m) % 2)))
                continue;
              solve (functions[f], ge_method_name (m), type, orders[i], 1);
              if (stack && m == GE_AUTO)
                solve (functions[f], "auto", type, orders[i], 20);
            }
      for (int i = 0; i < 5; i++)
        solve (SOLVE_COMPLEX, "shroff", type, general[i],
               general[i] < 90 ? 20 : 1);
    }
  gpueig_limit_device (ctx, 0, 0, 0);
  solve (SOLVE_JACOBI, "auto", GPUEIG_COMPLEX_DOUBLE, 130, 1);
}

/* --- memory --- */

/* More pages of order N than fit; a few of a method that takes one at a time.  */
static void
test_memory (int solver, const char *method, gpueig_type type, int64_t n,
             int at_once)
{
  const int64_t page = n * n * (int64_t) gpueig_scalar_size (type);
  const int64_t memory = 6 << 20, pages = at_once ? memory / page : 20;
  char limit[40];
  gpueig_info info;
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem all = make_problem (&solvers[solver], type, n, pages, 2);
  CLEANUP (free_problem)
  any_problem parts = make_problem (&solvers[solver], type, n, pages, 2);
  fill_problem (&all, (uint64_t) n);
  fill_problem (&parts, (uint64_t) n);
  o.method = method;
  CHECK (solve_problem (ctx, &all, &o, &info) == GPUEIG_OK, "%s %s: %s",
         solvers[solver].name, method, gpueig_message (ctx));
  gpueig_trim (ctx);
  (void) snprintf (limit, sizeof limit, "%lld", (long long) memory);
  setenv ("GPUEIG_DEVICE_MEMORY", limit, 1);
  const gpueig_status status = solve_problem (ctx, &parts, &o, &info);
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  CHECK (status == GPUEIG_OK && same_values (&all, &parts)
             && same_vectors (&all, &parts),
         "%s %s, %s n=%d, %d pages in little memory: %s, %s",
         solvers[solver].name, method, check_type_name[type], (int) n,
         (int) pages, info.method, gpueig_message (ctx));
  gpueig_trim (ctx);
}

static void
test_memories (void)
{
  static const int64_t orders[] = { 6, 24, 48, 100 };
  for (int s = 0; s < SOLVERS; s++)
    for (int t = 0; t < 4; t++)
      for (ge_method m = GE_AUTO; m < GE_METHODS && s != SOLVE_TDINV; m++)
        {
          const unsigned traits = ge_method_table[m].traits;
          const int at_once
              = (traits & GE_AT_ONCE) || (m == GE_AUTO && s != SOLVE_SCHUR);
          const int64_t n = at_once ? orders[(t + s + (int) m) % 4] : 100;
          if (has_method (solvers[s].id, GPUEIG_CUDA, m, n)
              && ! (traits & GE_NAMED_ONLY)
              && (at_once || is_long || (s + (int) m) % 4 == t))
            test_memory (s, ge_method_name (m), (gpueig_type) t, n, at_once);
        }
}

/* --- histories --- */

static void
test_history (const any_solver *solver, const char *method, gpueig_type type,
              int64_t n)
{
  gpueig_options o = options;
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem zero = make_problem (solver, type, n, 1, 2);
  o.method = method;
  const gpueig_status status = solve_problem (ctx, &zero, &o, &info);
  int finite = 1;
  for (int k = 0; k < info.n_off; k++)
    finite &= isfinite (info.off[k]) != 0;
  CHECK (status == GPUEIG_OK && finite, "history of zeros, %s %s, %s n=%d: %s",
         solver->name, method, check_type_name[type], (int) n,
         gpueig_message (ctx));
  CHECK_RATIO (problem_ratio (&zero), 1, "zeros, %s %s n=%d", solver->name,
               method, (int) n);
}

static void
test_histories (void)
{
  static const int64_t orders[] = { 1, 2, 5, 64, 65, 100 };
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
      for (int f = 0; f < 3; f++)
        for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
          if (has_method (solvers[functions[f]].id, options.backend, m,
                          orders[i]))
            test_history (&solvers[functions[f]], ge_method_name (m),
                          (gpueig_type) t, orders[i]);
}

/* A query of the machine does not affect later calls.  */
static void
test_query (void)
{
  gpueig_machine machine;
  for (int k = 0; k < 3; k++)
    {
      gpueig_query (ctx, &machine);
      solve (SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, 20, 3);
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
  is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  ctx = check_context (&options);
  test_histories ();
  test_query ();
  if (options.backend == GPUEIG_CUDA)
    {
      test_limits ();
      test_memories ();
    }
  else
    check_skip ("limits of a GPU: backend cuda only");
  gpueig_destroy (ctx);
  return check_end ();
}
