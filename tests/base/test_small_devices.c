/* Claims about smaller GPUs, on a GPU:
   random_limits_are_met: with random limits of other GPUs (multiprocessors, shared memory per
     block, clusters) every method of every solver is accurate; below 99 KB, which every
     supported GPU has, it may refuse
   known_cases_pass: cases that once overran memory, or found too little shared memory, pass
   little_memory_keeps_the_bits: with little free memory a stack is solved, with the same bits,
     as long as one page fits
   little_memory_for_every_solver: that, for every solver; with GPUEIG_TEST_LONG for every
     method and type
   queries_change_no_call: a query of the machine does not affect later calls
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ROUNDS = 150,
  LONG_ROUNDS = 4000
};

static int is_long;
static measure_random source = { 2026 };

typedef struct
{
  int multiprocessors;
  int64_t shared;
  int no_clusters;
} device_limits;

typedef struct
{
  const char *method;
  gpueig_type type;
  int64_t n, pages;
  int vectors; /* for general matrices 2: left ones too */
  device_limits limits;
  char what[200];
} trial;

/* Nonzero if the solver solved the problem, so that its results are to be tested.  */
static int
solved (const trial *t, gpueig_status status)
{
  const char *message = gpueig_message (ctx);
  const int refused = status != GPUEIG_OK && t->limits.shared > 0
                      && t->limits.shared < 99 * 1024
                      && strstr (message, "shared memory");
  CHECK (status == GPUEIG_OK || refused, "%s: %s", t->what, message);
  return status == GPUEIG_OK;
}

static void
try_problem (const trial *t, any_problem *p)
{
  gpueig_options o = options;
  o.method = p->method = t->method;
  snprintf (p->what, sizeof p->what, "%s", t->what);
  any_problem only = *p;
  FREED char *lambda = check_array (p->values, t->n * t->pages);
  only.lambda = lambda;
  if (p->lambda && p->solver->kind != INVERSE)
    only.v = only.w = NULL;
  const int values = solved (t, solve_problem (ctx, &only, &o, &only.info));
  if (! p->v || ! solved (t, solve_problem (ctx, p, &o, &p->info)))
    return;
  CHECK_RATIO (problem_ratio (p), 1, "%s", t->what);
  if (values && p->solver->kind == SYMMETRIC_MATRIX)
    check_alone (ctx, p, &o, USUAL_NONE, 0);
}

/* --- trials --- */

/* Orders up to LARGEST.  */
typedef struct
{
  const char *name;
  int solver;
  int64_t largest, most_pages;
} group;

static const group groups[] = { { "eig", SOLVE_EIG, 700, 40 },
                                { "eig of stacks", SOLVE_EIG, 256, 600 },
                                { "jacobi_eig", SOLVE_JACOBI, 300, 20 },
                                { "onesided_eig", SOLVE_ONESIDED, 300, 200 },
                                { "eig_general", SOLVE_EIG_GENERAL, 300, 60 },
                                { "complex_eig", SOLVE_COMPLEX, 200, 60 },
                                { "schur", SOLVE_SCHUR, 300, 4 },
                                { "svd", SOLVE_SVD, 180, 60 },
                                { "mrrr", SOLVE_MRRR, 300, 20 },
                                { "mrrr of tridiagonals", SOLVE_MRRR, 400, 30 },
                                { "tdinv", SOLVE_TDINV, 3000, 1 } };

static device_limits
random_limits (void)
{
  static const int multiprocessors[18]
      = { 0, 0, 1, 2, 3, 6, 8, 10, 14, 15, 16, 17, 20, 26, 34, 46, 58, 84 };
  static const int64_t shared[10] = { 0, 0, 48, 64, 99, 99, 99, 100, 163, 227 };
  return (device_limits){
    .multiprocessors = multiprocessors[measure_integer (&source, 0, 17)],
    .shared = 1024 * shared[measure_integer (&source, 0, 9)],
    .no_clusters = (int) measure_integer (&source, 0, 1)
  };
}

static void
random_limits_are_met (const group *g, trial *t)
{
  (void) snprintf (t->what, sizeof t->what,
                   "%s %s, %s n=%d, %d pages; %d multiprocessors, %d KB, %s",
                   g->name, t->method, check_type_name[t->type], (int) t->n,
                   (int) t->pages, t->limits.multiprocessors,
                   (int) (t->limits.shared / 1024),
                   t->limits.no_clusters ? "no clusters" : "clusters");
  gpueig_limit_device (ctx, t->limits.multiprocessors, t->limits.shared,
                       t->limits.no_clusters);
  const int tridiagonal = strstr (g->name, "tridiagonals") != NULL;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[g->solver],
                                tridiagonal ? real_type (t->type) : t->type,
                                t->n, t->pages, 1 + t->vectors);
  fill_problem (&p, (uint64_t) measure_integer (&source, 1, 1 << 30));
  if (tridiagonal)
    take_diagonals (&p);
  try_problem (t, &p);
  gpueig_limit_device (ctx, 0, 0, 0);
}

static trial
random_trial (const group *g)
{
  trial t;
  ge_method methods[GE_METHODS] = { GE_AUTO };
  int count = 0;
  memset (&t, 0, sizeof t);
  for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
    if (has_method (solvers[g->solver].id, GPUEIG_CUDA, m, 1))
      methods[count++] = m;
  const ge_method method = methods[measure_integer (&source, 0, count - 1)];
  const int64_t largest = ge_method_table[method].largest;
  t.method = ge_method_name (method);
  t.type = (gpueig_type) measure_integer (&source, 0, 3);
  t.n = measure_integer (&source, 0, 1)
            ? measure_integer (&source, 1, g->largest / 4)
            : measure_integer (&source, 1, g->largest);
  t.pages = measure_integer (&source, 0, 1)
                ? 1
                : measure_integer (&source, 1, g->most_pages);
  if (largest > 0)
    t.n = 1 + t.n % largest;
  if (t.pages > 1 + 2000000 / (t.n * t.n * t.n))
    t.pages = 1 + 2000000 / (t.n * t.n * t.n);
  t.vectors = (int) measure_integer (&source, 0, 2);
  t.limits = random_limits ();
  return t;
}

/* Cases of a size that the random ones do not reach.  */
static void
known_cases_pass (void)
{
  static const struct
  {
    int group;
    trial t;
  } cases[] = {
    /* a panel of the band reduction has rows for less than 16 multiprocessors */
    { 0, { "mrrr", GPUEIG_FLOAT, 3000, 1, 1, { 8, 0, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_FLOAT, 4090, 1, 0, { 8, 0, 1 }, "" } },
    { 0, { "mrrr", GPUEIG_COMPLEX_DOUBLE, 3100, 1, 1, { 13, 0, 1 }, "" } },
    /* the way back through the chase with two warps a set, and with two rounds of blocks */
    { 0, { "mrrr", GPUEIG_DOUBLE, 2112, 1, 1, { 33, 0, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_DOUBLE, 2112, 1, 1, { 16, 0, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_COMPLEX_DOUBLE, 1601, 1, 1, { 50, 0, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_COMPLEX_DOUBLE, 1601, 1, 1, { 25, 0, 0 }, "" } },
    /* clusters, but too little shared memory for tiles */
    { 0, { "mrrr", GPUEIG_DOUBLE, 2100, 1, 1, { 0, 99 << 10, 0 }, "" } },
    { 0,
      { "mrrr", GPUEIG_COMPLEX_DOUBLE, 1100, 1, 1, { 0, 99 << 10, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_DOUBLE, 2100, 1, 1, { 0, 0, 0 }, "" } },
    /* rows of the Hessenberg reduction that do not fit into shared memory */
    { 6, { "auto", GPUEIG_DOUBLE, 1900, 1, 1, { 10, 99 << 10, 1 }, "" } },
    { 6, { "auto", GPUEIG_COMPLEX_DOUBLE, 600, 1, 1, { 3, 99 << 10, 0 }, "" } },
    { 6, { "auto", GPUEIG_FLOAT, 500, 1, 1, { 1, 99 << 10, 0 }, "" } },
    /* static beside dynamic shared memory */
    { 1, { "dc", GPUEIG_DOUBLE, 163, 20, 1, { 0, 99 << 10, 1 }, "" } },
    { 1, { "dc", GPUEIG_DOUBLE, 180, 20, 1, { 0, 99 << 10, 1 }, "" } },
    { 1, { "dc", GPUEIG_COMPLEX_DOUBLE, 171, 20, 1, { 0, 99 << 10, 0 }, "" } },
  };
  for (size_t i = 0; i < COUNT (cases); i++)
    {
      trial t = cases[i].t;
      random_limits_are_met (&groups[cases[i].group], &t);
    }
}

/* --- little memory --- */

/* More pages of order N than fit; a few of a method that takes one at a time.  */
static void
little_memory_keeps_the_bits (int solver, const char *method, gpueig_type type,
                              int64_t n, int at_once)
{
  const int64_t page = n * n * (int64_t) gpueig_scalar_size (type);
  const int64_t memory = 6 << 20, pages = at_once ? memory / page : 20;
  char limit[40];
  gpueig_info info;
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem all = make_problem (&solvers[solver], type, n, pages, 2);
  fill_problem (&all, (uint64_t) n);
  CLEANUP (free_problem) any_problem parts = copy_problem (&all);
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
little_memory_for_every_solver (void)
{
  static const int64_t orders[] = { 6, 24, 48, 100 };
  for (int s = 0; s < SOLVERS; s++)
    for (gpueig_type t = 0; t < 4; t++)
      for (ge_method m = GE_AUTO; m < GE_METHODS && s != SOLVE_TDINV; m++)
        {
          const unsigned traits = ge_method_table[m].traits;
          const int at_once
              = (traits & GE_AT_ONCE) || (m == GE_AUTO && s != SOLVE_SCHUR);
          const int64_t n = at_once ? orders[(t + s + (int) m) % 4] : 100;
          if (has_method (solvers[s].id, GPUEIG_CUDA, m, n)
              && ! (traits & GE_NAMED_ONLY)
              && (at_once || is_long || (s + (int) m) % 4 == (int) t))
            little_memory_keeps_the_bits (s, ge_method_name (m), t, n, at_once);
        }
}

/* A query of the machine does not affect later calls.  */
static void
queries_change_no_call (void)
{
  gpueig_machine machine;
  gpueig_query (ctx, &machine);
  CHECK (machine.n_devices > 0 && machine.device[0].memory_free > 0
             && machine.device[0].memory_free <= machine.device[0].memory,
         "free memory of the GPU is reported: %g of %g",
         (double) machine.device[0].memory_free,
         (double) machine.device[0].memory);
}

int
main (void)
{
  begin_test ("small_devices");
  if (options.backend != GPUEIG_CUDA)
    check_skip ("limits of a GPU: backend cuda only");
  else
    {
      is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
      const int rounds = is_long ? LONG_ROUNDS : ROUNDS;
      const int count = (int) (COUNT (groups));
      queries_change_no_call ();
      little_memory_for_every_solver ();
      known_cases_pass ();
      for (int i = 0; i < rounds; i++)
        {
          trial t = random_trial (&groups[i % count]);
          random_limits_are_met (&groups[i % count], &t);
        }
    }
  return end_test ();
}
