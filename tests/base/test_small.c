/* Claims: every method of every solver is right on small problems of all four
   types, one page and several; each failing allocation is reported, and each
   failing CUDA call.  Small enough for a sanitizer; the solvers' own tests are
   the thorough ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "methods.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static int quick; /* no failing calls, double precision only */
static gpueig_options options;

/* A problem of any solver: inputs and results.  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  char *a, *d, *e, *lambda, *v, *w;
} data;

typedef gpueig_status solver (const data *p, gpueig_info *info);
typedef double measure (const data *p);

static gpueig_symmetric
symmetric (const data *p)
{
  return (gpueig_symmetric){ .type = p->type,
                             .n = p->n,
                             .pages = p->pages,
                             .a = p->a,
                             .lambda = p->lambda,
                             .v = p->v };
}

static gpueig_general
general (const data *p)
{
  return (gpueig_general){ .type = p->type,
                           .n = p->n,
                           .pages = p->pages,
                           .a = p->a,
                           .balance = 1,
                           .lambda = p->lambda,
                           .v = p->v,
                           .w = p->w };
}

static gpueig_status
run_eig (const data *p, gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_eig_symmetric (ctx, &s, &options, info);
}

static gpueig_status
run_jacobi (const data *p, gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_jacobi_eig (ctx, &s, &options, info);
}

static gpueig_status
run_onesided (const data *p, gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_onesided_eig (ctx, &s, &options, info);
}

static gpueig_status
run_mrrr (const data *p, gpueig_info *info)
{
  const gpueig_mrrr_problem m = { .type = p->type,
                                  .n = p->n,
                                  .pages = p->pages,
                                  .a = p->a,
                                  .lambda = p->lambda,
                                  .v = p->v };
  return gpueig_mrrr (ctx, &m, &options, info);
}

static gpueig_status
run_general (const data *p, gpueig_info *info)
{
  const gpueig_general g = general (p);
  return gpueig_eig_general (ctx, &g, &options, info);
}

static gpueig_status
run_complex (const data *p, gpueig_info *info)
{
  const gpueig_general g = general (p);
  return gpueig_complex_eig (ctx, &g, &options, info);
}

/* The first page alone: main diagonal and the vector beside it.  */
static gpueig_status
run_tdinv (const data *p, gpueig_info *info)
{
  const gpueig_tdinv_problem t = { .type = p->type,
                                   .n = p->n,
                                   .c = p->e,
                                   .a = p->d,
                                   .b = p->e,
                                   .band = -1,
                                   .x = p->v };
  return gpueig_tdinv (ctx, &t, &options, info);
}

/* --- the answers --- */

static double
symmetric_ratio (const data *p)
{
  const size_t size = gpueig_scalar_size (p->type);
  const size_t real = gpueig_real_size (p->type);
  double worst = 0;
  for (int64_t i = 0; i < p->pages; i++)
    {
      const char *v = p->v + (size_t) (i * p->n * p->n) * size;
      const double r = measure_residual (
          p->type, p->n, p->n, p->a + (size_t) (i * p->n * p->n) * size, v,
          p->lambda + (size_t) (i * p->n) * real);
      const double o = measure_orthogonality (p->type, p->n, p->n, v);
      worst = worst_of (worst, worst_of (r, o));
    }
  return worst;
}

static double
general_ratio (const data *p)
{
  const size_t size = gpueig_scalar_size (p->type);
  const size_t pair = 2 * gpueig_real_size (p->type);
  double worst = 0;
  for (int64_t i = 0; i < p->pages; i++)
    {
      const measure_pairs m = measure_general (
          p->type, p->n, p->a + (size_t) (i * p->n * p->n) * size,
          p->v + (size_t) (i * p->n * p->n) * pair,
          p->w + (size_t) (i * p->n * p->n) * pair,
          p->lambda + (size_t) (i * p->n) * pair);
      worst = worst_of (worst, worst_of (m.right, m.left));
      worst = worst_of (worst, m.length * (LIMIT_GENERAL / LIMIT_LENGTH));
    }
  /* The table's bar is that of symmetric matrices.  */
  return worst * (LIMIT_RESIDUAL / LIMIT_GENERAL);
}

/* |T X - I| of the diagonally dominant T, which is well conditioned.  */
static double
inverse_ratio (const data *p)
{
  double worst = 0;
  for (int64_t j = 0; j < p->n; j++)
    for (int64_t i = 0; i < p->n; i++)
      {
        double _Complex sum = i == j ? -1 : 0;
        sum += measure_get (p->type, p->d, i)
               * measure_get (p->type, p->v, i + p->n * j);
        if (i > 0)
          sum += measure_get (p->type, p->e, i - 1)
                 * measure_get (p->type, p->v, i - 1 + p->n * j);
        if (i + 1 < p->n)
          sum += measure_get (p->type, p->e, i)
                 * measure_get (p->type, p->v, i + 1 + p->n * j);
        worst = worst_of (worst, cabs (sum));
      }
  return worst / measure_eps (p->type);
}

static const struct
{
  const char *name;
  solver *run;
  measure *ratio;
  int is_general;
  ge_solver_id solver;
} table[] = {
  { "eig", run_eig, symmetric_ratio, 0, GE_EIG_SYMMETRIC },
  { "jacobi_eig", run_jacobi, symmetric_ratio, 0, GE_JACOBI_EIG },
  { "onesided_eig", run_onesided, symmetric_ratio, 0, GE_ONESIDED_EIG },
  { "mrrr", run_mrrr, symmetric_ratio, 0, GE_MRRR },
  { "eig_general", run_general, general_ratio, 1, GE_EIG_GENERAL },
  { "complex_eig", run_complex, general_ratio, 1, GE_COMPLEX_EIG },
  { "tdinv", run_tdinv, inverse_ratio, 0, GE_TDINV },
};

static void *
room (int64_t count)
{
  /* Two extra doubles an element are room for every type.  */
  void *x = calloc ((size_t) count + 1, sizeof (double _Complex));
  if (! x)
    exit (2);
  return x;
}

static data
make (gpueig_type type, int64_t n, int64_t pages, int is_general)
{
  const int64_t all = n * n * pages;
  measure_random r = { (uint64_t) (n + 7 * type) };
  data p = { type,     n,          pages,      room (all), room (n),
             room (n), room (all), room (all), room (all) };
  for (int64_t i = 0; i < pages; i++)
    measure_random_symmetric (
        &r, type, n, p.a + (size_t) (i * n * n) * gpueig_scalar_size (type));
  for (int64_t i = 0; is_general && i < all; i++)
    measure_set (type, p.a, i, measure_normal (&r) + I * measure_normal (&r));
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (type, p.d, i, 4 + measure_uniform (&r));
      measure_set (type, p.e, i, 1 + measure_uniform (&r) / 2);
    }
  return p;
}

static void
discard (data *p)
{
  free (p->a);
  free (p->d);
  free (p->e);
  free (p->lambda);
  free (p->v);
  free (p->w);
}

/* Each allocation or each CUDA call of a call fails once.  */
static void
fail_each (int64_t (*hook) (gpueig_context *, int64_t), const char *what,
           solver *run, const data *p, const char *name)
{
  gpueig_info info;
  hook (ctx, 0);
  run (p, &info);
  const int64_t total = hook (ctx, 0);
  int64_t bad = 0;
  for (int64_t k = 1; k <= total; k++)
    {
      gpueig_trim (ctx);
      hook (ctx, k);
      const gpueig_status status = run (p, &info);
      hook (ctx, 0);
      bad += status != GPUEIG_OK && status != GPUEIG_OUT_OF_MEMORY
             && status != GPUEIG_DEVICE_ERROR;
      bad += run (p, &info) != GPUEIG_OK;
    }
  CHECK (bad == 0, "%s: each of %d failing %s is reported", name, (int) total,
         what);
}

static void
try_method (int row, const char *method, gpueig_type type, int64_t n,
            int64_t pages)
{
  char name[128];
  gpueig_info info;
  data p = make (type, n, pages, table[row].is_general);
  snprintf (name, sizeof name, "%s %s, %s, n=%d, %d pages", table[row].name,
            method, check_type_name[type], (int) n, (int) pages);
  options.method = method;
  const gpueig_status status = table[row].run (&p, &info);
  if (status == GPUEIG_NO_DEVICE && options.backend == GPUEIG_CUDA)
    check_skip ("%s: %s", name, gpueig_message (ctx));
  else
    {
      CHECK (status == GPUEIG_OK, "%s: %s", name, gpueig_message (ctx));
      CHECK_RATIO (table[row].ratio (&p), LIMIT_RESIDUAL, "%s", name);
      if (n == 6 && ! quick)
        {
          fail_each (gpueig_fail_allocation, "allocations", table[row].run, &p,
                     name);
          fail_each (gpueig_fail_device_call, "CUDA calls", table[row].run, &p,
                     name);
        }
    }
  discard (&p);
}

static void
try_sizes (int row, const char *method, int64_t largest)
{
  static const int64_t sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 6, 3 }, { 33, 2 }, { 70, 1 } };
  for (int type = quick; type < 4; type += 1 + quick)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      if (sizes[i][0] <= largest)
        try_method (row, method, (gpueig_type) type, sizes[i][0], sizes[i][1]);
}

/* test_small [LARGEST-ORDER [quick [SOLVER]]]  */
int
main (int argc, char **argv)
{
  check_begin ("small");
  const int64_t largest = argc > 1 ? atoi (argv[1]) : 70;
  quick = argc > 2;
  ctx = check_context (&options);
  for (int row = 0; row < (int) (sizeof table / sizeof table[0]); row++)
    {
      if (argc > 3 && strcmp (argv[3], table[row].name) != 0)
        continue;
      for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
        if (has_method (table[row].solver, options.backend, m))
          try_sizes (row, ge_method_name (m), largest);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
