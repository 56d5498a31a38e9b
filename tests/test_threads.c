/* Claim: the bits of a result, and of what info says of the way there, do not
   depend on the number of threads of the CPU backend, and so not on which of
   them was first.  The BLAS works with one thread here: its products are its own
   matter.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* --- one call: name, arguments, outputs --- */

typedef struct
{
  const char *solver, *method;
  gpueig_type type;
  int64_t n, pages;
  int least; /* threads to begin with */
} call;

typedef struct
{
  char *lambda, *v;
  gpueig_info info;
} outcome;

static void *
array (int64_t bytes)
{
  void *x = calloc ((size_t) bytes + 1, 1);
  if (! x)
    exit (2);
  return x;
}

static gpueig_status
run (const call *c, const void *a, outcome *out)
{
  gpueig_options opt = options;
  opt.method = c->method;
  const char *solver = c->solver;
  if (strcmp (solver, "eig_general") == 0
      || strcmp (solver, "complex_eig") == 0)
    {
      gpueig_general p = { .type = c->type,
                           .n = c->n,
                           .pages = c->pages,
                           .a = a,
                           .lambda = out->lambda,
                           .v = out->v };
      return solver[0] == 'e' ? gpueig_eig_general (ctx, &p, &opt, &out->info)
                              : gpueig_complex_eig (ctx, &p, &opt, &out->info);
    }
  if (strcmp (solver, "mrrr") == 0)
    {
      gpueig_mrrr_problem p = { .type = c->type,
                                .n = c->n,
                                .pages = c->pages,
                                .a = a,
                                .lambda = out->lambda,
                                .v = out->v };
      return gpueig_mrrr (ctx, &p, &opt, &out->info);
    }
  if (strcmp (solver, "tdinv") == 0)
    {
      const size_t size = gpueig_scalar_size (c->type);
      double rcond;
      gpueig_tdinv_problem p = { .type = c->type,
                                 .n = c->n,
                                 .c = a,
                                 .a = (const char *) a + (size_t) c->n * size,
                                 .b = (const char *) a + 3 * c->n * size,
                                 .band = -1,
                                 .x = out->v,
                                 .rcond = &rcond };
      gpueig_status status = gpueig_tdinv (ctx, &p, &opt, &out->info);
      memcpy (out->lambda, &rcond, sizeof rcond);
      return status;
    }
  gpueig_symmetric p = { .type = c->type,
                         .n = c->n,
                         .pages = c->pages,
                         .a = a,
                         .lambda = out->lambda,
                         .v = out->v };
  return strcmp (solver, "jacobi_eig") == 0
             ? gpueig_jacobi_eig (ctx, &p, &opt, &out->info)
         : strcmp (solver, "onesided_eig") == 0
             ? gpueig_onesided_eig (ctx, &p, &opt, &out->info)
             : gpueig_eig_symmetric (ctx, &p, &opt, &out->info);
}

static void
check_call (const call *c)
{
  const int64_t square = c->n * c->n * c->pages, row = c->n * c->pages;
  const size_t size = gpueig_scalar_size (c->type);
  const int64_t widest = 2 * (int64_t) sizeof (double);
  measure_random r = { 17 };
  char *a = array (square * (int64_t) size);
  for (int64_t p = 0; p < c->pages; p++)
    measure_random_symmetric (&r, c->type, c->n,
                              a + (size_t) (p * c->n * c->n) * size);
  if (strstr (c->solver, "complex") || strstr (c->solver, "general"))
    for (int64_t i = 0; i < square; i++)
      measure_set (c->type, a, i, measure_normal (&r));
  outcome one
      = { .lambda = array (row * widest), .v = array (square * widest) };
  outcome many
      = { .lambda = array (row * widest), .v = array (square * widest) };
  omp_set_num_threads (c->least);
  gpueig_status status = run (c, a, &one);
  CHECK (status == GPUEIG_OK, "%s %s: %s", c->solver, c->method,
         gpueig_message (ctx));
  for (int threads = c->least; threads <= 4; threads += 1 + (threads == 2))
    {
      omp_set_num_threads (threads);
      status = run (c, a, &many);
      int values = memcmp (one.lambda, many.lambda, (size_t) (row * widest));
      int vectors = memcmp (one.v, many.v, (size_t) (square * widest));
      int way = one.info.sweeps != many.info.sweeps
                || memcmp (one.info.off, many.info.off, sizeof one.info.off);
      CHECK (status == GPUEIG_OK && ! values && ! vectors && ! way,
             "%s %s, type %d, n=%d, %d pages, %d threads: the same bits%s%s%s",
             c->solver, c->method, (int) c->type, (int) c->n, (int) c->pages,
             threads, values ? ", values" : "", vectors ? ", vectors" : "",
             way ? ", history" : "");
    }
  free (a);
  free (one.lambda);
  free (one.v);
  free (many.lambda);
  free (many.v);
}

int
main (void)
{
  static const call calls[] = {
    { "eig_symmetric", "auto", GPUEIG_DOUBLE, 300, 1, 1 },
    { "eig_symmetric", "auto", GPUEIG_COMPLEX_DOUBLE, 40, 50, 1 },
    { "eig_symmetric", "auto", GPUEIG_FLOAT, 12, 500, 1 },
    { "jacobi_eig", "block", GPUEIG_DOUBLE, 300, 1, 1 },
    { "jacobi_eig", "preconditioned", GPUEIG_DOUBLE, 300, 1, 1 },
    { "jacobi_eig", "preconditioned", GPUEIG_COMPLEX_FLOAT, 270, 1, 1 },
    { "jacobi_eig", "classical", GPUEIG_DOUBLE, 70, 1, 1 },
    { "jacobi_eig", "auto", GPUEIG_DOUBLE, 16, 300, 1 },
    { "onesided_eig", "auto", GPUEIG_DOUBLE, 300, 1, 2 },
    { "onesided_eig", "hestenes", GPUEIG_DOUBLE, 140, 1, 2 },
    { "onesided_eig", "auto", GPUEIG_DOUBLE, 16, 300, 1 },
    { "onesided_eig", "cholesky", GPUEIG_COMPLEX_DOUBLE, 30, 30, 1 },
    { "eig_general", "auto", GPUEIG_DOUBLE, 60, 8, 1 },
    { "complex_eig", "shroff", GPUEIG_COMPLEX_DOUBLE, 16, 100, 1 },
    { "complex_eig", "shroff", GPUEIG_DOUBLE, 90, 1, 1 },
    { "mrrr", "auto", GPUEIG_DOUBLE, 300, 1, 1 },
    { "mrrr", "inverse", GPUEIG_DOUBLE, 300, 1, 1 },
    { "mrrr", "auto", GPUEIG_COMPLEX_FLOAT, 200, 2, 1 },
    { "tdinv", "auto", GPUEIG_DOUBLE, 1000, 1, 1 },
    { "tdinv", "auto", GPUEIG_COMPLEX_FLOAT, 700, 1, 1 },
    { "tdinv", "pivoted", GPUEIG_DOUBLE, 500, 1, 1 },
  };
  check_begin ("threads");
  ctx = check_context (&options);
  void (*set_blas_threads) (int);
  *(void **) &set_blas_threads
      = dlsym (RTLD_DEFAULT, "openblas_set_num_threads");
  if (set_blas_threads)
    set_blas_threads (1);
  if (options.backend == GPUEIG_CPU)
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
      check_call (&calls[i]);
  else
    check_skip ("the CPU backend's threads");
  gpueig_destroy (ctx);
  return check_end ();
}
