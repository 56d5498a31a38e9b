/* Claim: results of several GPUs are those of one of them, bit for bit.  On the devices
   of GPUEIG_DEVICE, "all" by default; a single GPU counts as two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <stdio.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick;

/* As many bytes as there are elements.  */
static void *
copy_of (const void *x, size_t bytes)
{
  return memcpy (check_memory (1, bytes), x, bytes);
}

static void
fill (gpueig_type type, int64_t count, void *x)
{
  measure_random r = { 11 };
  for (int64_t i = 0; i < count; i++)
    measure_set (type, x, i, measure_normal (&r));
}

/* --- stacks, and tridiagonal inverses --- */

static void
check (int which, const char *method, gpueig_type type, int64_t n,
       int64_t pages, int outputs)
{
  const any_solver *solver = &solvers[which];
  char what[120];
  gpueig_info info, info_all;
  gpueig_options o = one, p = all;
  CLEANUP (free_problem)
  any_problem x = make_problem (solver, type, n, pages, outputs);
  CLEANUP (free_problem)
  any_problem y = make_problem (solver, type, n, pages, outputs);
  fill_problem (&x, 13);
  fill_problem (&y, 13);
  snprintf (what, sizeof what, "%s, %s, %s, n = %lld, %lld pages, %d outputs",
            solver->name, method, check_type_name[type], (long long) n,
            (long long) pages, outputs);
  o.method = p.method = method;
  gpueig_status status = solve_problem (ctx, &x, &o, &info);
  CHECK (status == GPUEIG_OK, "%s: %s", what, gpueig_message (ctx));
  status = solve_problem (ctx, &y, &p, &info_all);
  CHECK (status == GPUEIG_OK && info_all.n_devices > 1, "%s: %d devices: %s",
         what, info_all.n_devices, gpueig_message (ctx));
  CHECK (same_values (&x, &y) && same_vectors (&x, &y),
         "%s: the bits of one device", what);
  const size_t history = (size_t) info.n_off * sizeof *info.off;
  CHECK (info.sweeps == info_all.sweeps && info.n_off == info_all.n_off
             && (solver->kind != GENERAL_MATRIX
                 || memcmp (info.off, info_all.off, history) == 0)
             && strcmp (info.method, info_all.method) == 0,
         "%s: info of one device", what);
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

static void
check_mrrr (gpueig_type type, int64_t n, int64_t pages, int64_t first,
            int64_t last)
{
  const size_t real = gpueig_real_size (type);
  const int64_t columns = last - first + 1;
  FREED char *d = check_array (type, n * pages),
             *e = check_array (type, n * pages);
  FREED char *lambda = check_array (type, columns * pages);
  FREED char *v = check_array (type, n * columns * pages);
  const size_t values = (size_t) (columns * pages) * real;
  const size_t vectors = (size_t) (n * columns * pages) * real;
  gpueig_info info, info_all;
  int64_t found = 0;
  fill (type, n * pages, d);
  fill (type, n * pages, e);
  gpueig_mrrr_problem p = { .type = type,
                            .n = n,
                            .pages = pages,
                            .d = d,
                            .e = e,
                            .select = GPUEIG_SELECT_INDEX,
                            .first = first,
                            .last = last,
                            .found = pages == 1 ? &found : NULL,
                            .lambda = lambda,
                            .v = v };
  gpueig_status status = gpueig_mrrr (ctx, &p, &one, &info);
  CHECK (status == GPUEIG_OK, "mrrr: %s", gpueig_message (ctx));
  FREED char *x = copy_of (lambda, values), *y = copy_of (v, vectors);
  memset (lambda, 0xff, values);
  memset (v, 0xff, vectors);
  status = gpueig_mrrr (ctx, &p, &all, &info_all);
  CHECK (status == GPUEIG_OK && info_all.n_devices > 1
             && (pages > 1 || found == columns)
             && memcmp (lambda, x, values) == 0 && memcmp (v, y, vectors) == 0,
         "mrrr, %s, n = %lld, %lld pages, %lld to %lld: the bits of one device "
         "(of %d)",
         check_type_name[type], (long long) n, (long long) pages,
         (long long) first, (long long) last, info_all.n_devices);
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
