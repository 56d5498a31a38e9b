/* Claims, on a GPU: with little free memory every stack is solved, with the same bits, as
   long as one page fits.  On every backend: no history has a NaN, also for zero matrices.
   With GPUEIG_TEST_LONG every method with every type.  Limits of smaller GPUs:
   test_small_devices.c.
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
          /* Shroff's method has a form of its own for small pages only.  */
          const int64_t n = m == GE_METHOD_COMPLEX_SHROFF ? 6 + t
                            : at_once ? orders[(t + s + (int) m) % 4]
                                      : 100;
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
      test_history (&solvers[SOLVE_JACOBI], "auto", GPUEIG_DOUBLE, 20);
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
    test_memories ();
  else
    check_skip ("memory of a GPU: backend cuda only");
  gpueig_destroy (ctx);
  return check_end ();
}
