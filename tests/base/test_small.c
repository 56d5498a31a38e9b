/* Claims, for every method of every solver on small problems of all four types, one page and
   several: results are right; each failing allocation is reported (of pairs, parts of a spectrum, guesses and high accuracy:
   faults.tst), and each failing CUDA call
   (of many some, other ones for each type; all with GPUEIG_TEST_LONG); with display on the
   plan, the problem and at the end the method and its time are reported, off nothing, with
   the same bits; a method that was named is the one that runs, and those of a GPU need one; the history of zeros has no
   NaN.  For every solver: NULL as options and info is the defaults; matrices that are not
   symmetric or finite, impossible sizes and options are refused; nothing is solved without
   work; without gpueig_set_plugin the plugin is searched for in the folder of the program.
   Small enough for a sanitizer, but for this: whichever poll of the interrupt callback returns
   nonzero, and be it the only one, a call of any solver and method returns
   GPUEIG_INTERRUPTED, or GPUEIG_OK with complete results; a callback that never does leaves
   them complete; the next call has the same bits.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static int quick; /* no failing calls, double precision only */
static int is_long;
static gpueig_options options;

/* --- what is reported --- */

static int lines;
static char plan[256], first[256], last[256];

static void
report (void *data, const char *line)
{
  (void) data;
  snprintf (lines == 0   ? plan
            : lines == 1 ? first
                         : last,
            sizeof first, "%s", line);
  lines++;
}

/* Of P, which was solved with display on; again without it.  */
static void
check_lines (const any_problem *p, const char *method)
{
  char order[60], count[40];
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem quiet
      = make_problem (p->solver, p->type, p->n, p->pages, p->outputs);
  fill_problem (&quiet, p->drawn);
  snprintf (order, sizeof order, "order %d, %s", (int) p->n,
            check_type_name[p->type]);
  snprintf (count, sizeof count, "%d pages", (int) p->pages);
  CHECK (lines >= 3 && strncmp (plan, "plan: ", 6) == 0 && strstr (first, order)
             && (p->pages == 1 || strstr (first, count))
             && strncmp (last, p->info.method, strlen (p->info.method)) == 0
             && strstr (last, " s"),
         "%s: %d lines: \"%s\" ... \"%s\"", p->what, lines, first, last);
  /* Divide and conquer begins above order 32.  */
  const char *named = strcmp (method, "dc") == 0 && p->n <= 32 ? "ql" : method;
  CHECK (strcmp (method, "auto") == 0 || strcmp (p->info.method, named) == 0,
         "%s: \"%s\" ran", p->what, p->info.method);
  options.display = 0;
  lines = 0;
  CHECK (solve_problem (ctx, &quiet, &options, &info) == GPUEIG_OK && lines == 0
             && same_values (p, &quiet) && same_vectors (p, &quiet),
         "%s: %d lines without display, the same bits", p->what, lines);
}

/* --- methods --- */

/* Each allocation or each CUDA call of a call fails once, or at most MOST of them.  */
static void
fail_each (int64_t (*hook) (gpueig_context *, int64_t), const char *what,
           const any_problem *p, int64_t most)
{
  gpueig_info info;
  hook (ctx, 0);
  solve_problem (ctx, p, &options, &info);
  const int64_t total = hook (ctx, 0);
  const int64_t step = is_long ? 1 : 1 + total / most;
  int64_t bad = 0;
  for (int64_t k = 1 + (int64_t) p->type % step; k <= total; k += step)
    {
      gpueig_trim (ctx);
      hook (ctx, k);
      const gpueig_status status = solve_problem (ctx, p, &options, &info);
      hook (ctx, 0);
      bad += status != GPUEIG_OK && status != GPUEIG_OUT_OF_MEMORY
             && status != GPUEIG_DEVICE_ERROR;
      bad += solve_problem (ctx, p, &options, &info) != GPUEIG_OK;
    }
  CHECK (bad == 0, "%s: each of %d failing %s is reported", p->what,
         (int) total, what);
}

static void
test_zeros (const any_solver *solver, gpueig_type type, int64_t n)
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
try_method (const any_solver *solver, const char *method, gpueig_type type,
            int64_t n, int64_t pages)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, type, n, pages, 3);
  fill_problem (&p, (uint64_t) (n + 7 * type));
  options.method = method;
  options.display = 1;
  lines = 0;
  first[0] = last[0] = '\0';
  if (! check_solve (ctx, &p, &options, NULL, "small"))
    return;
  CHECK_RATIO (problem_ratio (&p), 1, "%s", p.what);
  check_lines (&p, method);
  if (solver->kind == SYMMETRIC_MATRIX && ! quick)
    test_zeros (solver, type, n);
  if (! quick && (n == 6 || (n == 70 && type == GPUEIG_DOUBLE)))
    {
      const int64_t most = options.backend == GPUEIG_CUDA ? 15 : 60;
      fail_each (gpueig_fail_allocation, "allocations", &p, most);
      fail_each (gpueig_fail_device_call, "CUDA calls", &p, most);
    }
}

static void
try_sizes (const any_solver *solver, const char *method, int64_t largest)
{
  static const int64_t sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 6, 3 }, { 33, 2 }, { 70, 1 } };
  for (int type = quick; type < 4; type += 1 + quick)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      if (sizes[i][0] <= largest)
        try_method (solver, method, (gpueig_type) type, sizes[i][0],
                    sizes[i][1]);
  options.method = "auto";
}

/* A method of a GPU, without one.  */
static void
test_refused (const any_solver *solver, const char *method)
{
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, GPUEIG_DOUBLE, 2, 1, 2);
  o.method = method;
  CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_NO_DEVICE,
         "%s by %s needs a GPU: %s", solver->name, method,
         gpueig_message (ctx));
}

/* --- interrupts --- */

static struct
{
  int64_t count,
      at; /* polls so far, and the one that returns nonzero; 0: none */
} polls;

static int
interrupted (void *data)
{
  (void) data;
  return ++polls.count == polls.at;
}

/* The bits of NaN.  */
static void
spoil (any_problem *p)
{
  const size_t size = gpueig_scalar_size (p->vectors),
               square = (size_t) (p->n * p->n * p->pages) * size;
  if (p->v)
    memset (p->v, 0xff, square);
  if (p->w)
    memset (p->w, 0xff, square);
  if (p->lambda && p->solver->kind != INVERSE)
    memset (p->lambda, 0xff,
            (size_t) (p->n * p->pages) * gpueig_scalar_size (p->values));
}

/* A call with at most MOST of its polls, of a pair if so.  While a call of a library runs, the
   number of polls depends on its time.  */
static void
test_call (int solver, const char *method, int64_t n, int64_t pages, int pair,
           int64_t most)
{
  const any_solver *s = &solvers[solver];
  CLEANUP (free_problem)
  any_problem p = make_problem (s, GPUEIG_DOUBLE, n, pages, 3),
              q = make_problem (s, GPUEIG_DOUBLE, n, pages, 3);
  int64_t interrupts = 0, bad = 0;
  fill_problem (&p, 7);
  fill_problem (&q, 7);
  if (pair)
    {
      p.b = check_array (p.type, n * n * pages);
      q.b = check_array (p.type, n * n * pages);
      for (int64_t i = 0; i < n * n * pages; i++)
        {
          const double x
              = i % (n * n) % (n + 1) == 0 ? 1 + (double) (i % 3) : 0;
          measure_set (p.type, p.b, i, x);
          measure_set (p.type, q.b, i, x);
        }
    }
  polls.count = polls.at = 0;
  if (! check_solve (ctx, &p, &options, method, "polls%s",
                     pair ? ", pair" : ""))
    return;
  const int64_t total = polls.count, step = 1 + total / most;
  gpueig_options o = options;
  o.method = p.method;
  for (int64_t k = 1; k <= total; k += step)
    {
      spoil (&q);
      polls.count = 0;
      polls.at = k;
      const gpueig_status status = solve_problem (ctx, &q, &o, &q.info);
      interrupts += status == GPUEIG_INTERRUPTED;
      bad += status == GPUEIG_OK
                 ? ! same_values (&p, &q) || ! same_vectors (&p, &q)
                 : status != GPUEIG_INTERRUPTED;
    }
  CHECK (bad == 0, "%d of %d interrupts: neither stopped nor complete, %s",
         (int) bad, (int) total, p.what);
  CHECK (interrupts > 0 || total < 3, "%d polls, %d of them stopped %s",
         (int) total, (int) interrupts, p.what);
  polls.at = 0;
  check_solve (ctx, &q, &options, method, "the next call");
  CHECK (same_values (&p, &q) && same_vectors (&p, &q), "the same bits, %s",
         q.what);
}

static void
test_polls (void)
{
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  gpueig_set_callbacks (ctx, &callbacks);
  for (int i = 0; i < SOLVERS; i++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      {
        if (! has_method (solvers[i].id, options.backend, m, 30))
          continue;
        test_call (i, ge_method_name (m), 30, i == SOLVE_TDINV ? 1 : 7, 0, 20);
        if (has_method (solvers[i].id, options.backend, m, 130))
          test_call (i, ge_method_name (m), 130, 1, 0, 20);
      }
  /* Copies to and from a GPU are divided into pieces from 8 MB on.  */
  const int64_t order = options.backend == GPUEIG_CUDA ? 2400 : 400;
  test_call (SOLVE_EIG, "auto", 16, order * order / 256, 0, 300);
  test_call (SOLVE_TDINV, "auto", order, 1, 0, 300);
  test_call (SOLVE_EIG, "auto", 450, 1, 1, 10);
  test_call (SOLVE_EIG, "auto", 830, 1, 0, 10);
  gpueig_set_callbacks (ctx, NULL);
}

/* --- arguments --- */

enum
{
  N = 6
};

static void
test_defaults (const any_solver *solver)
{
  const gpueig_options defaults = gpueig_default_options ();
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem one = make_problem (solver, GPUEIG_DOUBLE, N, 1, 3),
              two = make_problem (solver, GPUEIG_DOUBLE, N, 1, 3);
  fill_problem (&one, 1);
  fill_problem (&two, 1);
  CHECK (solve_problem (ctx, &one, &defaults, &info) == GPUEIG_OK
             && solve_problem (ctx, &two, NULL, NULL) == GPUEIG_OK
             && same_values (&one, &two) && same_vectors (&one, &two),
         "%s: NULL is taken, with the same bits: %s", solver->name,
         gpueig_message (ctx));
}

static void
test_errors (const any_solver *solver)
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

/* In a context without gpueig_set_plugin.  */
static void
test_plugin (void)
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
  const gpueig_callbacks callbacks = { .report = report };
  check_begin ("small");
  const int64_t largest = argc > 1 ? atoi (argv[1]) : 70;
  quick = argc > 2;
  is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  ctx = check_context (&options);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int i = 0; i < SOLVERS; i++)
    {
      if (argc > 3 && strcmp (argv[3], solvers[i].name) != 0)
        continue;
      for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
        if (has_method (solvers[i].id, options.backend, m, 1))
          {
            const int takes
                = has_method (solvers[i].id, options.backend, m, largest);
            try_sizes (&solvers[i], ge_method_name (m), takes ? largest : 32);
          }
        else if (has_method (solvers[i].id, GPUEIG_CUDA, m, 1))
          test_refused (&solvers[i], ge_method_name (m));
      test_defaults (&solvers[i]);
      test_errors (&solvers[i]);
    }
  test_plugin ();
  if (argc == 1)
    test_polls ();
  gpueig_destroy (ctx);
  return check_end ();
}
