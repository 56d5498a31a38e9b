/* Claims about contexts in several threads:
   threads_get_the_results_of_one: contexts in several threads give the results of a single one
   openblas_gets_its_threads_back: the number of threads of OpenBLAS is afterwards what it was,
     also after errors, interrupts and gpueig_reset
   destroy_waits_for_what_runs_on: gpueig_destroy waits for a computation that an interrupted
     call left
   blas_of_64_bits_is_recognised: the probe of the BLAS's integers recognises those of 64 bits
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "lapack/integers.h"
#include "solvers.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  USERS = 3,
  CALLS = 12,
  MOST = 260 /* order */
};

static int (*get_threads) (void);
static void (*set_threads) (int);

typedef struct
{
  pthread_t thread;
  uint64_t seed;
  int wrong, polls, stop_at;
} user;

static int
interrupted (void *data)
{
  user *u = data;
  return ++u->polls == u->stop_at;
}

/* One call of random order and method; VALUES are 0 if it fails or is interrupted.  */
static void
solve (user *u, gpueig_context *ctx, measure_random *r, double *values)
{
  static const char *const methods[]
      = { "auto", "syevd", "syevr", "preconditioned", "block" };
  const int64_t which = measure_integer (r, 0, 4);
  gpueig_options options = gpueig_default_options ();
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[which < 3 ? SOLVE_EIG : SOLVE_JACOBI],
                      GPUEIG_DOUBLE, measure_integer (r, 20, MOST), 1, 2);
  fill_symmetric (&p, r);
  if (measure_chance (r) > 0.9)
    measure_set (p.type, p.a, p.n, NAN); /* the call fails */
  u->polls = 0;
  u->stop_at = measure_chance (r) > 0.8 ? 3 : 0;
  options.backend = GPUEIG_CPU;
  options.method = methods[which];
  memset (values, 0, MOST * sizeof *values);
  if (solve_problem (ctx, &p, &options, NULL) == GPUEIG_OK)
    memcpy (values, p.lambda, (size_t) p.n * sizeof *values);
}

/* CALLS random calls; VALUES has MOST numbers for each.  */
static void
solve_all (user *u, double *values)
{
  const gpueig_callbacks callbacks = { .interrupted = interrupted, .data = u };
  measure_random r = { u->seed };
  gpueig_context *ctx;
  if (gpueig_create (&ctx) != GPUEIG_OK)
    exit (2);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int k = 0; k < CALLS; k++)
    solve (u, ctx, &r, values + (size_t) k * MOST);
  gpueig_destroy (ctx);
}

static double results[2][USERS][CALLS * MOST];

static void *
run (void *data)
{
  user *u = data;
  solve_all (u, results[1][u->seed - 1]);
  return NULL;
}

static void
threads_get_the_results_of_one (int threads)
{
  user users[USERS];
  set_threads (threads);
  for (int i = 0; i < USERS; i++)
    {
      users[i] = (user){ .seed = (uint64_t) i + 1 };
      solve_all (&users[i], results[0][i]);
    }
  CHECK (get_threads () == threads, "one context: %d BLAS threads, %d before",
         get_threads (), threads);
  for (int i = 0; i < USERS; i++)
    if (pthread_create (&users[i].thread, NULL, run, &users[i]) != 0)
      exit (2);
  for (int i = 0; i < USERS; i++)
    pthread_join (users[i].thread, NULL);
  CHECK (get_threads () == threads,
         "%d contexts at once: %d BLAS threads, %d before", USERS,
         get_threads (), threads);
  int solved = 0, same = 0;
  for (int i = 0; i < USERS; i++)
    for (int k = 0; k < CALLS; k++)
      {
        const double *one = results[0][i] + (size_t) k * MOST,
                     *many = results[1][i] + (size_t) k * MOST;
        const int both = one[0] != 0 && many[0] != 0;
        solved += both;
        same += both && memcmp (one, many, MOST * sizeof *one) == 0;
      }
  CHECK (solved >= USERS && same == solved,
         "%d of %d results have the bits of a context alone", same, solved);
}

/* Limits of two contexts that overlap, in every order of their ends.  */
static void
openblas_gets_its_threads_back (int threads)
{
  gpueig_context *ctx[2];
  for (int i = 0; i < 2; i++)
    if (gpueig_create (&ctx[i]) != GPUEIG_OK)
      exit (2);
  set_threads (threads);
  for (int first = 0; first < 2; first++)
    {
      ge_limit_blas (ctx[0], GE_BLAS_ONE);
      ge_limit_blas (ctx[1], GE_BLAS_HALF);
      ge_limit_blas (ctx[1], GE_BLAS_ALL);
      const int both = get_threads (), all = ge_blas_threads ();
      ge_unlimit_blas (ctx[first], first ? GE_BLAS_HALF : GE_BLAS_ONE);
      const int one = get_threads ();
      if (first)
        ge_end_blas_limits (ctx[0]);
      else
        ge_unlimit_blas (ctx[1], GE_BLAS_HALF);
      CHECK (both == 1 && all == threads
                 && one == (first ? 1 : (threads + 1) / 2)
                 && get_threads () == threads,
             "of %d threads two limits leave %d, one %d, none %d", threads,
             both, one, get_threads ());
    }
  gpueig_destroy (ctx[0]);
  gpueig_destroy (ctx[1]);
}

static void
destroy_waits_for_what_runs_on (int threads)
{
  user u = { .stop_at = 2 };
  const gpueig_callbacks callbacks = { .interrupted = interrupted, .data = &u };
  gpueig_options options = gpueig_default_options ();
  gpueig_context *ctx;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_EIG_GENERAL], GPUEIG_DOUBLE, 900, 1, 2);
  fill_problem (&p, 1);
  set_threads (threads);
  if (gpueig_create (&ctx) != GPUEIG_OK)
    exit (2);
  gpueig_set_callbacks (ctx, &callbacks);
  options.backend = GPUEIG_CPU;
  options.method = "geev";
  /* On a busy machine it may have ended.  */
  const gpueig_status status = solve_problem (ctx, &p, &options, NULL);
  CHECK (status == GPUEIG_INTERRUPTED || status == GPUEIG_OK,
         "an interrupted computation: %s", gpueig_message (ctx));
  gpueig_destroy (ctx);
  CHECK (get_threads () == threads, "after it: %d BLAS threads, %d before",
         get_threads (), threads);
}

/* IDAMAX for integers of 64 bits.  */
static int32_t
long_idamax (const void *n, const double *x, const void *incx)
{
  const int64_t count = *(const int64_t *) n, step = *(const int64_t *) incx;
  int32_t at = 0;
  if (step > 0)
    for (int64_t i = 0; i < count; i++)
      if (at == 0 || fabs (x[i * step]) > fabs (x[(at - 1) * step]))
        at = (int32_t) i + 1;
  return at;
}

static void
blas_of_64_bits_is_recognised (void)
{
  CHECK (ge_has_short_integers (idamax_), "integers of this BLAS: 32 bits");
  CHECK (! ge_has_short_integers (long_idamax), "those of another one: 64");
}

int
main (void)
{
  check_begin ("contexts");
  blas_of_64_bits_is_recognised ();
  *(void **) &get_threads = dlsym (RTLD_DEFAULT, "openblas_get_num_threads");
  *(void **) &set_threads = dlsym (RTLD_DEFAULT, "openblas_set_num_threads");
  if (! get_threads || ! set_threads)
    check_skip ("the BLAS is not OpenBLAS");
  else
    for (int threads = 2; threads <= 4; threads++)
      {
        openblas_gets_its_threads_back (threads);
        threads_get_the_results_of_one (threads);
        if (threads == 2)
          destroy_waits_for_what_runs_on (threads);
      }
  return check_end ();
}
