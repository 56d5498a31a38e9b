/* Claim: results of several GPUs are those of one of them, bit for bit.  On the devices
   of GPUEIG_DEVICE, "all" by default; a single GPU counts as two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick;

/* --- stacks, and tridiagonal inverses --- */

/* X on one device and Y, the same problem, on all.  */
static void
compare (any_problem *x, any_problem *y, const char *method)
{
  const gpueig_info *info = &x->info, *info_all = &y->info;
  check_solve (ctx, x, &one, method, "one device, %d outputs", x->outputs);
  check_solve (ctx, y, &all, method, "all devices, %d outputs", y->outputs);
  CHECK (info_all->n_devices > 1, "%d devices, %s", info_all->n_devices,
         y->what);
  CHECK (same_values (x, y) && same_vectors (x, y),
         "the bits of one device, %s", y->what);
  const size_t history = (size_t) info->n_off * sizeof *info->off;
  CHECK (info->sweeps == info_all->sweeps && info->n_off == info_all->n_off
             && (x->solver->kind != GENERAL_MATRIX
                 || memcmp (info->off, info_all->off, history) == 0)
             && strcmp (info->method, info_all->method) == 0,
         "info of one device, %s", y->what);
}

static void
check (int which, const char *method, gpueig_type type, int64_t n,
       int64_t pages, int outputs)
{
  const any_solver *solver = &solvers[which];
  CLEANUP (free_problem)
  any_problem x = make_problem (solver, type, n, pages, outputs),
              y = make_problem (solver, type, n, pages, outputs);
  fill_problem (&x, 13);
  fill_problem (&y, 13);
  compare (&x, &y, method);
}

static void
test_symmetric (void)
{
  static const struct
  {
    int64_t n, pages;
  } sizes[] = { { 8, 1601 }, { 24, 300 }, { 64, 90 },   { 97, 31 },
                { 128, 17 }, { 200, 21 }, { 256, 45 },  { 300, 19 },
                { 383, 16 }, { 500, 3 },  { 64, 2100 }, { 256, 1000 } };
  const int count = quick ? 3 : 12;
  for (int i = 0; i < count; i++)
    {
      const int64_t n = sizes[i].n, pages = sizes[i].pages;
      check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, n, pages, 2);
      check (SOLVE_EIG, "auto", GPUEIG_DOUBLE, n, pages, 2);
      if (i < 6)
        check (SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, n, pages, 2);
      if (i < 9 && ! quick)
        {
          check (SOLVE_ONESIDED, "auto", GPUEIG_COMPLEX_DOUBLE, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_FLOAT, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_COMPLEX_FLOAT, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, n, pages, 1);
        }
    }
  check (SOLVE_ONESIDED, "cholesky", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_ONESIDED, "hestenes", GPUEIG_DOUBLE, 24, 300, 2);
  if (quick)
    return;
  check (SOLVE_EIG, "dc", GPUEIG_DOUBLE, 64, 90, 2);
  check (SOLVE_EIG, "ql", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_EIG, "syevd", GPUEIG_COMPLEX_DOUBLE, 64, 40, 2);
}

static void
test_general (void)
{
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 8, 1601, 3);
  check (SOLVE_COMPLEX, "auto", GPUEIG_DOUBLE, 16, 400, 1);
  if (quick)
    return;
  for (int type = 0; type < 4; type++)
    {
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 32, 301, 3);
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 100, 23, 3);
    }
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 150, 17, 3);
  check (SOLVE_EIG_GENERAL, "auto", GPUEIG_DOUBLE, 64, 30, 3);
}

/* --- tridiagonal matrices --- */

/* Eigenvalues FIRST to LAST of tridiagonal matrices.  */
static void
check_mrrr (gpueig_type type, int64_t n, int64_t pages, int64_t first,
            int64_t last)
{
  measure_random r = { 11 };
  int64_t found[2] = { 0, 0 };
  any_problem p[2];
  for (int k = 0; k < 2; k++)
    {
      /* A is not needed.  */
      p[k] = make_problem (&solvers[SOLVE_MRRR], type, n, pages, 2);
      p[k].d = check_array (type, n * pages);
      p[k].e = check_array (type, n * pages);
      p[k].first = first;
      p[k].last = last;
      p[k].found = pages == 1 ? &found[k] : NULL;
    }
  for (int64_t i = 0; i < 2 * n * pages; i++)
    {
      const double x = measure_normal (&r);
      for (int k = 0; k < 2; k++)
        measure_set (type, i % 2 ? p[k].e : p[k].d, i / 2, x);
    }
  compare (&p[0], &p[1], "auto");
  CHECK (pages > 1 || found[1] == last - first + 1, "all are found, %s",
         p[1].what);
  free_problem (&p[0]);
  free_problem (&p[1]);
}

static void
test_tridiagonal (void)
{
  check_mrrr (GPUEIG_DOUBLE, 60, 5, 1, 60);
  check (SOLVE_TDINV, "generators", GPUEIG_DOUBLE, quick ? 1500 : 3001, 1, 2);
  if (quick)
    return;
  check_mrrr (GPUEIG_DOUBLE, 1500, 1, 1, 1500);
  check_mrrr (GPUEIG_FLOAT, 2000, 1, 1, 2000);
  check_mrrr (GPUEIG_DOUBLE, 6000, 1, 101, 5900);
  check (SOLVE_TDINV, "generators", GPUEIG_COMPLEX_DOUBLE, 2000, 1, 2);
  check (SOLVE_TDINV, "sherman-morrison", GPUEIG_DOUBLE, 2000, 1, 2);
}

int
main (int argc, char **argv)
{
  gpueig_machine machine;
  check_begin ("gpus");
  ctx = check_gpus (&one, &all, &machine);
  if (! ctx)
    return check_end ();
  quick = argc > 1 && strcmp (argv[1], "quick") == 0;
  const char *part = argc > 2 ? argv[2] : "";
  if (! *part || strcmp (part, "symmetric") == 0)
    test_symmetric ();
  if (! *part || strcmp (part, "general") == 0)
    test_general ();
  if (! *part || strcmp (part, "tridiagonal") == 0)
    test_tridiagonal ();
  gpueig_destroy (ctx);
  return check_end ();
}
