/* Claim: results of several GPUs are those of one of them, bit for bit.  On the devices
   of GPUEIG_DEVICE, "all" by default; a single GPU counts as two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick;

/* As many bytes as there are elements.  */
static void *
copy_of (const void *x, size_t bytes)
{
  void *copy = malloc (bytes);
  if (! copy)
    exit (2);
  memcpy (copy, x, bytes);
  return copy;
}

static void
fill (gpueig_type type, int64_t count, void *x)
{
  measure_random r = { 11 };
  for (int64_t i = 0; i < count; i++)
    {
      const double re = measure_normal (&r), im = measure_normal (&r);
      measure_set (type, x, i, gpueig_is_complex (type) ? re + im * I : re);
    }
}

/* --- stacks of symmetric matrices --- */

typedef gpueig_status symmetric_solver (gpueig_context *,
                                        const gpueig_symmetric *,
                                        const gpueig_options *, gpueig_info *);

static const struct
{
  const char *name;
  symmetric_solver *solve;
} solvers[] = { { "eig", gpueig_eig_symmetric },
                { "jacobi_eig", gpueig_jacobi_eig },
                { "onesided_eig", gpueig_onesided_eig } };

static void
check_symmetric (int which, const char *method, gpueig_type type, int64_t n,
                 int64_t pages, int vectors)
{
  const size_t size = gpueig_scalar_size (type);
  const size_t real = gpueig_real_size (type);
  char *a = check_array (type, n * n * pages);
  char *lambda = check_array (type, n * pages), *v = NULL;
  measure_random r = { 13 };
  gpueig_info info, info_all;
  gpueig_options o = one, p = all;
  for (int64_t k = 0; k < pages; k++)
    measure_random_symmetric (&r, type, n, a + (size_t) (k * n * n) * size);
  if (vectors)
    v = check_array (type, n * n * pages);
  gpueig_symmetric s = {
    .type = type, .n = n, .pages = pages, .a = a, .lambda = lambda, .v = v
  };
  o.method = p.method = method;
  gpueig_status status = solvers[which].solve (ctx, &s, &o, &info);
  CHECK (status == GPUEIG_OK, "%s: %s", solvers[which].name,
         gpueig_message (ctx));
  const size_t values = (size_t) (n * pages) * real;
  const size_t matrices = (size_t) (n * n * pages) * size;
  char *lambda_one = copy_of (lambda, values);
  char *v_one = v ? copy_of (v, matrices) : NULL;
  memset (lambda, 0xff, values);
  if (v)
    memset (v, 0xff, matrices);
  status = solvers[which].solve (ctx, &s, &p, &info_all);
  CHECK (status == GPUEIG_OK && info_all.n_devices > 1,
         "%s, %s, n = %lld, %lld pages: %d devices: %s", solvers[which].name,
         method, (long long) n, (long long) pages, info_all.n_devices,
         gpueig_message (ctx));
  CHECK (memcmp (lambda, lambda_one, values) == 0
             && (! v || memcmp (v, v_one, matrices) == 0),
         "%s, %s, %s, n = %lld, %lld pages%s: the bits of one device",
         solvers[which].name, method, check_type_name[type], (long long) n,
         (long long) pages, v ? "" : ", values");
  CHECK (info.sweeps == info_all.sweeps && info.n_off == info_all.n_off
             && strcmp (info.method, info_all.method) == 0,
         "%s, n = %lld: info of one device", solvers[which].name,
         (long long) n);
  free (a);
  free (lambda);
  free (v);
  free (lambda_one);
  free (v_one);
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
      check_symmetric (2, "auto", GPUEIG_DOUBLE, n, pages, 1);
      check_symmetric (0, "auto", GPUEIG_DOUBLE, n, pages, 1);
      if (i < 6)
        check_symmetric (1, "auto", GPUEIG_DOUBLE, n, pages, 1);
      if (i < 9 && ! quick)
        {
          check_symmetric (2, "auto", GPUEIG_COMPLEX_DOUBLE, n, pages, 1);
          check_symmetric (2, "auto", GPUEIG_FLOAT, n, pages, 1);
          check_symmetric (2, "auto", GPUEIG_COMPLEX_FLOAT, n, pages, 1);
          check_symmetric (2, "auto", GPUEIG_DOUBLE, n, pages, 0);
        }
    }
  check_symmetric (2, "cholesky", GPUEIG_DOUBLE, 24, 300, 1);
  check_symmetric (2, "hestenes", GPUEIG_DOUBLE, 24, 300, 1);
  if (quick)
    return;
  check_symmetric (0, "dc", GPUEIG_DOUBLE, 64, 90, 1);
  check_symmetric (0, "ql", GPUEIG_DOUBLE, 24, 300, 1);
  check_symmetric (0, "syevd", GPUEIG_COMPLEX_DOUBLE, 64, 40, 1);
}

/* --- stacks of general matrices --- */

static void
check_general_pages (int front, gpueig_type type, int64_t n, int64_t pages,
                     int vectors)
{
  const size_t pair = 2 * gpueig_real_size (type);
  const gpueig_type out
      = gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  char *a = check_array (type, n * n * pages);
  char *x[3], *y[3];
  const size_t bytes[3]
      = { (size_t) (n * pages) * pair, (size_t) (n * n * pages) * pair,
          (size_t) (n * n * pages) * pair };
  gpueig_info info, info_all;
  gpueig_status status;
  int same = 1;
  fill (type, n * n * pages, a);
  for (int k = 0; k < 3; k++)
    x[k] = check_array (out, k == 0 ? n * pages : n * n * pages);
  gpueig_general g = { .type = type,
                       .n = n,
                       .pages = pages,
                       .a = a,
                       .balance = 1,
                       .lambda = x[0],
                       .v = vectors ? x[1] : NULL,
                       .w = vectors ? x[2] : NULL };
  status = front ? gpueig_eig_general (ctx, &g, &one, &info)
                 : gpueig_complex_eig (ctx, &g, &one, &info);
  CHECK (status == GPUEIG_OK, "general: %s", gpueig_message (ctx));
  for (int k = 0; k < 3; k++)
    {
      y[k] = copy_of (x[k], bytes[k]);
      if (k == 0 || vectors)
        memset (x[k], 0xff, bytes[k]);
    }
  status = front ? gpueig_eig_general (ctx, &g, &all, &info_all)
                 : gpueig_complex_eig (ctx, &g, &all, &info_all);
  for (int k = 0; k < (vectors ? 3 : 1); k++)
    same &= memcmp (x[k], y[k], bytes[k]) == 0;
  CHECK (status == GPUEIG_OK && info_all.n_devices > 1 && same,
         "%s, %s, n = %lld, %lld pages%s: the bits of one device (of %d)",
         front ? "eig_general" : "complex_eig", check_type_name[type],
         (long long) n, (long long) pages, vectors ? "" : ", values",
         info_all.n_devices);
  CHECK (info.sweeps == info_all.sweeps && info.n_off == info_all.n_off
             && memcmp (info.off, info_all.off,
                        (size_t) info.n_off * sizeof *info.off)
                    == 0,
         "complex_eig, n = %lld: info of one device", (long long) n);
  free (a);
  for (int k = 0; k < 3; k++)
    {
      free (x[k]);
      free (y[k]);
    }
}

static void
test_general (void)
{
  check_general_pages (0, GPUEIG_COMPLEX_DOUBLE, 8, 1601, 1);
  check_general_pages (0, GPUEIG_DOUBLE, 16, 400, 0);
  if (quick)
    return;
  for (int type = 0; type < 4; type++)
    {
      check_general_pages (0, (gpueig_type) type, 32, 301, 1);
      check_general_pages (0, (gpueig_type) type, 100, 23, 1);
    }
  check_general_pages (0, GPUEIG_COMPLEX_DOUBLE, 150, 17, 1);
  check_general_pages (1, GPUEIG_DOUBLE, 64, 30, 1);
}

/* --- tridiagonal matrices --- */

static void
check_mrrr (gpueig_type type, int64_t n, int64_t pages, int64_t first,
            int64_t last)
{
  const size_t real = gpueig_real_size (type);
  const int64_t columns = last - first + 1;
  char *d = check_array (type, n * pages), *e = check_array (type, n * pages);
  char *lambda = check_array (type, columns * pages);
  char *v = check_array (type, n * columns * pages);
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
  char *x = copy_of (lambda, values), *y = copy_of (v, vectors);
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
  free (d);
  free (e);
  free (lambda);
  free (v);
  free (x);
  free (y);
}

static void
check_tdinv (gpueig_type type, int64_t n, const char *method)
{
  const size_t bytes = (size_t) (n * n) * gpueig_scalar_size (type);
  char *bands[3], *x = check_array (type, n * n);
  gpueig_options o = one, p = all;
  gpueig_info info, info_all;
  double rcond = 0, other = 0;
  for (int k = 0; k < 3; k++)
    {
      bands[k] = check_array (type, n);
      fill (type, n, bands[k]);
      for (int64_t i = 0; k == 1 && i < n; i++)
        measure_set (type, bands[k], i, measure_get (type, bands[k], i) + 9);
    }
  gpueig_tdinv_problem t = { .type = type,
                             .n = n,
                             .c = bands[0],
                             .a = bands[1],
                             .b = bands[2],
                             .band = -1,
                             .x = x,
                             .rcond = &rcond };
  o.method = p.method = method;
  gpueig_status status = gpueig_tdinv (ctx, &t, &o, &info);
  CHECK (status == GPUEIG_OK, "tdinv: %s", gpueig_message (ctx));
  char *y = copy_of (x, bytes);
  memset (x, 0xff, bytes);
  t.rcond = &other;
  status = gpueig_tdinv (ctx, &t, &p, &info_all);
  CHECK (status == GPUEIG_OK && info_all.n_devices > 1 && rcond == other
             && memcmp (x, y, bytes) == 0,
         "tdinv, %s, %s, n = %lld: the bits of one device (of %d)", method,
         check_type_name[type], (long long) n, info_all.n_devices);
  for (int k = 0; k < 3; k++)
    free (bands[k]);
  free (x);
  free (y);
}

static void
test_tridiagonal (void)
{
  check_mrrr (GPUEIG_DOUBLE, 60, 5, 1, 60);
  check_tdinv (GPUEIG_DOUBLE, quick ? 1500 : 3001, "generators");
  if (quick)
    return;
  check_mrrr (GPUEIG_DOUBLE, 1500, 1, 1, 1500);
  check_mrrr (GPUEIG_FLOAT, 2000, 1, 1, 2000);
  check_mrrr (GPUEIG_DOUBLE, 6000, 1, 101, 5900);
  check_tdinv (GPUEIG_COMPLEX_DOUBLE, 2000, "generators");
  check_tdinv (GPUEIG_DOUBLE, 2000, "sherman-morrison");
  check_tdinv (GPUEIG_DOUBLE, 2000, "pivoted");
}

int
main (int argc, char **argv)
{
  gpueig_machine machine;
  check_begin ("gpus");
  ctx = check_context (&all);
  gpueig_query (ctx, &machine);
  if (all.backend == GPUEIG_CUDA && machine.n_devices == 1)
    {
      setenv ("GPUEIG_DEVICE_COPIES", "2", 1);
      gpueig_query (ctx, &machine);
    }
  if (all.backend != GPUEIG_CUDA || machine.n_devices < 2)
    {
      check_skip ("there are not several GPUs");
      gpueig_destroy (ctx);
      return check_end ();
    }
  one = all;
  one.n_devices = 0;
  if (all.n_devices == 0)
    all.n_devices = GPUEIG_ALL_DEVICES;
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
