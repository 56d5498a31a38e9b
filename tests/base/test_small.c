/* Claims about every method of every solver on small problems of all four types, one page and
   several. Small enough for a sanitizer. Failing allocations, lines and interrupts:
   faults.tst, interface.tst, check_interrupt.sh.
   results_are_right: results are right
   zeros_have_a_history_without_nan: the history of a matrix of zeros has no NaN
   every_size_is_right: that, at every order up to the largest of the method
   null_is_the_defaults: NULL as options and info is the defaults
   wrong_input_is_refused: matrices that are not symmetric or finite, impossible sizes and
     options, NULL as the problem are refused; nothing is solved without work
   what_no_gateway_passes_is_refused: numbers outside of the enumerations, and what else no
     gateway passes, are refused
   the_plugin_is_next_to_the_program: without gpueig_set_plugin the plugin is searched for in
     the folder of the program
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int quick; /* double precision only */

/* --- methods --- */

static void
zeros_have_a_history_without_nan (const any_solver *solver, gpueig_type type,
                                  int64_t n)
{
  int finite = 1;
  CLEANUP (free_problem) any_problem p = make_problem (solver, type, n, 1, 2);
  check_solve (ctx, &p, &options, NULL, "zeros");
  for (int k = 0; k < p.info.n_off; k++)
    finite &= isfinite (p.info.off[k]) != 0;
  CHECK (finite, "the history of %s", p.what);
  CHECK_RATIO (problem_ratio (&p), 1, "%s", p.what);
}

static void
results_are_right (const any_solver *solver, const char *method,
                   gpueig_type type, int64_t n, int64_t pages)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, type, n, pages, 3);
  fill_problem (&p, (uint64_t) (n + 7 * type));
  options.method = method;
  if (! check_solve (ctx, &p, &options, NULL, "small"))
    return;
  CHECK_RATIO (problem_ratio (&p), 1, "%s", p.what);
  if (solver->kind == SYMMETRIC_MATRIX && ! quick)
    zeros_have_a_history_without_nan (solver, type, n);
}

static void
every_size_is_right (const any_solver *solver, const char *method,
                     int64_t largest)
{
  static const int64_t sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 6, 3 }, { 33, 2 }, { 70, 1 } };
  for (int type = quick; type < 4; type += 1 + quick)
    for (size_t i = 0; i < COUNT (sizes); i++)
      if (sizes[i][0] <= largest)
        results_are_right (solver, method, (gpueig_type) type, sizes[i][0],
                           sizes[i][1]);
  options.method = "auto";
}

/* --- arguments --- */

enum
{
  N = 6
};

static void
null_is_the_defaults (const any_solver *solver)
{
  const gpueig_options defaults = gpueig_default_options ();
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem one = make_problem (solver, GPUEIG_DOUBLE, N, 1, 3);
  fill_problem (&one, 1);
  CLEANUP (free_problem) any_problem two = copy_problem (&one);
  CHECK (solve_problem (ctx, &one, &defaults, &info) == GPUEIG_OK
             && solve_problem (ctx, &two, NULL, NULL) == GPUEIG_OK
             && same_values (&one, &two) && same_vectors (&one, &two),
         "%s: NULL is taken, with the same bits: %s", solver->name,
         gpueig_message (ctx));
}

static void
wrong_input_is_refused (const any_solver *solver)
{
  const int64_t pages = solver->kind == INVERSE ? 1 : 3;
  gpueig_options o = gpueig_default_options ();
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, GPUEIG_DOUBLE, N, pages, 3);
  fill_problem (&p, 1);
  double *const x = (double *) (p.a ? p.a + N * N * sizeof (double) : p.d);
  const double before[2] = { x[0], x[1] };
  const int64_t no_sizes[2] = { -1, INT64_MAX / 4 };
#define GIVES(wanted)                                                          \
  CHECK (solve_problem (ctx, &p, &o, NULL) == (wanted), "%s, %s: %s",          \
         solver->name, #wanted, gpueig_message (ctx))
  x[1] += 0.5;
  GIVES (solver->kind == SYMMETRIC_MATRIX ? GPUEIG_NOT_SYMMETRIC : GPUEIG_OK);
  CHECK (solver->kind != SYMMETRIC_MATRIX
             || strstr (gpueig_message (ctx), "page 2"),
         "%s: unsymmetric page 2: %s", solver->name, gpueig_message (ctx));
  x[1] = before[1];
  for (int k = 0; k < 2; k++)
    {
      x[0] = k ? (double) NAN : (double) -INFINITY;
      GIVES (GPUEIG_NONFINITE);
      CHECK (! p.a || strstr (gpueig_message (ctx), "(1, 1) of page 2"),
             "%s: not finite: %s", solver->name, gpueig_message (ctx));
    }
  x[0] = before[0];
  o.method = "no such method";
  GIVES (GPUEIG_BAD_OPTION);
  o.method = "auto";
  o.tol = NAN;
  GIVES (GPUEIG_BAD_OPTION);
  o.tol = 0;
  o.backend = (gpueig_backend) 9;
  GIVES (GPUEIG_BAD_OPTION);
  o.backend = GPUEIG_AUTO;
  o.method = NULL;
  GIVES (GPUEIG_OK);
  for (int k = 0; k < 2; k++)
    {
      p.n = no_sizes[k];
      GIVES (k ? GPUEIG_OUT_OF_MEMORY : GPUEIG_BAD_ARGUMENT);
    }
  p.n = 0;
  GIVES (GPUEIG_OK);
  p.n = N;
  p.pages = 0;
  GIVES (GPUEIG_OK);
#undef GIVES
}

/* What no gateway passes.  */
static void
what_no_gateway_passes_is_refused (void)
{
  double a[4] = { 2, 1, 1, 2 }, lambda[2], v[4];
  gpueig_symmetric s = {
    .type = GPUEIG_DOUBLE, .n = 2, .pages = 1, .a = a, .lambda = lambda, .v = v
  };
  gpueig_schur_problem schur
      = { .type = GPUEIG_DOUBLE, .n = 2, .pages = 1, .a = a, .s = v };
  gpueig_file_problem file = { .type = GPUEIG_DOUBLE, .n = 2 };
  gpueig_forecast forecast;
#define GIVES(call, wanted)                                                    \
  CHECK ((call) == (wanted), "%s: %s", #call, gpueig_message (ctx))
#define REFUSES_NULL(function)                                                 \
  GIVES (function (ctx, NULL, &options, NULL), GPUEIG_BAD_ARGUMENT)
  REFUSES_NULL (gpueig_eig_symmetric);
  REFUSES_NULL (gpueig_jacobi_eig);
  REFUSES_NULL (gpueig_onesided_eig);
  REFUSES_NULL (gpueig_eig_general);
  REFUSES_NULL (gpueig_complex_eig);
  REFUSES_NULL (gpueig_mrrr);
  REFUSES_NULL (gpueig_tdinv);
  REFUSES_NULL (gpueig_schur);
  REFUSES_NULL (gpueig_ordschur);
  REFUSES_NULL (gpueig_svd);
  REFUSES_NULL (gpueig_pinv);
  REFUSES_NULL (gpueig_funm);
  REFUSES_NULL (gpueig_polar);
  REFUSES_NULL (gpueig_eig_file);
#undef REFUSES_NULL
  GIVES (gpueig_check_files (ctx, NULL), GPUEIG_BAD_ARGUMENT);
  GIVES (gpueig_check_files (ctx, &file), GPUEIG_BAD_ARGUMENT);
  GIVES (gpueig_plan (ctx, NULL, &options, &forecast), GPUEIG_BAD_ARGUMENT);
  s.select = (gpueig_select) 7;
  for (int pair = 0; pair < 2; pair++)
    {
      s.b = pair ? a : NULL;
      GIVES (gpueig_eig_symmetric (ctx, &s, &options, NULL), GPUEIG_BAD_OPTION);
    }
  s.b = NULL;
  s.select = GPUEIG_SELECT_INDEX;
  s.first = s.last = 1;
  GIVES (gpueig_jacobi_eig (ctx, &s, &options, NULL), GPUEIG_BAD_OPTION);
  GIVES (gpueig_onesided_eig (ctx, &s, &options, NULL), GPUEIG_BAD_OPTION);
  GIVES (gpueig_eig_symmetric (ctx, &s, &options, NULL), GPUEIG_OK);
  schur.order = (gpueig_schur_order) 11;
  GIVES (gpueig_schur (ctx, &schur, &options, NULL), GPUEIG_BAD_OPTION);
#undef GIVES
  for (int status = -1; status < 1000; status += 1000)
    CHECK (
        strcmp (gpueig_status_text ((gpueig_status) status), "unknown status")
                == 0
            && ! *gpueig_status_id ((gpueig_status) status),
        "the text of status %d", status);
}

/* In a context without gpueig_set_plugin.  */
static void
the_plugin_is_next_to_the_program (void)
{
  gpueig_context *other;
  gpueig_machine machine;
  if (gpueig_create (&other) != GPUEIG_OK)
    exit (2);
  gpueig_query (other, &machine);
  CHECK (machine.cuda || strstr (machine.reason, "gpueig_cuda.so"),
         "the default plugin is looked for: %s", machine.reason);
  gpueig_set_plugin (other, NULL);
  gpueig_query (other, &machine);
  CHECK (! machine.cuda && ! strstr (machine.reason, "gpueig_cuda.so"),
         "without a plugin: %s", machine.reason);
  gpueig_destroy (other);
}

/* test_small [LARGEST-ORDER [quick [SOLVER]]]  */
int
main (int argc, char **argv)
{
  check_begin ("small");
  const int64_t largest = argc > 1 ? atoi (argv[1]) : 70;
  quick = argc > 2;
  ctx = check_context (&options);
  for (int i = 0; i < SOLVERS; i++)
    {
      if (argc > 3 && strcmp (argv[3], solvers[i].name) != 0)
        continue;
      for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
        if (has_method (solvers[i].id, options.backend, m, 1))
          {
            const int takes
                = has_method (solvers[i].id, options.backend, m, largest);
            every_size_is_right (&solvers[i], ge_method_name (m),
                                 takes ? largest : 32);
          }
      null_is_the_defaults (&solvers[i]);
      wrong_input_is_refused (&solvers[i]);
    }
  what_no_gateway_passes_is_refused ();
  the_plugin_is_next_to_the_program ();
  return end_test ();
}
