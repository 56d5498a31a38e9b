/* Claims, for gpueig_ordschur: with a trace of every eigenvalue (distinct ones, whose
   ranks are drawn at random) those of larger rank come first and those of equal rank
   keep their order; S and U stay a Schur form of the same matrix; a page does not depend on
   its neighbours, and the result may overwrite the input; an order that is there already
   changes no bit; forms that are none, NaN and missing vectors are errors; interrupts and
   failing allocations leave the context usable.  gpueig_schur with a region gives the
   bits of gpueig_ordschur; forms of any scale, subnormal ones too, are sorted as that of
   the matrix near 1.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_schur.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_SCHUR 20.0 /* as LAPACK's own for xGEES */

static gpueig_context *ctx;
static gpueig_options options;

typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  char *s, *u, *s2, *u2;
  int64_t *rank;
} forms;

/* S of order N, whose eigenvalue in row i has the modulus (i + 2) / n, with 2-by-2 blocks of
   real types; U = I; CLUSTERS ranks at random.  */
static void
make_form (measure_random *r, gpueig_type type, int64_t n, int clusters,
           char *s, char *u, int64_t *rank)
{
  const int is_complex = gpueig_is_complex (type);
  for (int64_t j = 0; j < n; j++)
    {
      for (int64_t i = 0; i < n; i++)
        {
          double complex x = i < j ? measure_normal (r) / (double) n : 0;
          if (is_complex)
            x += i < j ? measure_normal (r) / (double) n * I : 0;
          measure_set (type, s, i + n * j, x);
          measure_set (type, u, i + n * j, i == j);
        }
      const double size = (double) (j + 2) / (double) n;
      measure_set (type, s, j + n * j,
                   is_complex && j % 3 ? size * I
                   : j % 2             ? -size
                                       : size);
      rank[j] = (int64_t) (fabs (measure_uniform (r)) * clusters);
    }
  /* 2-by-2 blocks with eigenvalues +-(j + 2) i / n */
  for (int64_t j = 0; ! is_complex && j + 1 < n; j++)
    if (measure_uniform (r) > 0.3)
      {
        const double size = (double) (j + 2) / (double) n;
        measure_set (type, s, j + n * j, 0);
        measure_set (type, s, (j + 1) * (n + 1), 0);
        measure_set (type, s, j + 1 + n * j, size / 4);
        measure_set (type, s, j + n * (j + 1), -4 * size);
        rank[j + 1] = rank[j];
        j++;
      }
}

static forms
begin (measure_random *r, gpueig_type type, int64_t n, int64_t pages)
{
  forms f = { .type = type, .n = n, .pages = pages };
  f.s = check_array (type, n * n * pages + 1);
  f.u = check_array (type, n * n * pages + 1);
  f.s2 = check_array (type, n * n * pages + 1);
  f.u2 = check_array (type, n * n * pages + 1);
  f.rank = check_memory (n * pages, sizeof *f.rank);
  for (int64_t p = 0; p < pages; p++)
    {
      const int clusters = 1 + (int) (fabs (measure_uniform (r)) * 5);
      make_form (r, type, n, clusters, page_of (type, f.s, n * n, p),
                 page_of (type, f.u, n * n, p), f.rank + p * n);
    }
  return f;
}

static void
end (forms *f)
{
  free (f->s);
  free (f->u);
  free (f->s2);
  free (f->u2);
  free (f->rank);
}

static gpueig_status
sort (const forms *f, int64_t page, int64_t pages, char *s2, char *u2)
{
  const size_t at
      = (size_t) (page * f->n * f->n) * gpueig_scalar_size (f->type);
  const gpueig_ordschur_problem problem = { .type = f->type,
                                            .n = f->n,
                                            .pages = pages,
                                            .s = f->s + at,
                                            .u = f->u + at,
                                            .rank = f->rank + page * f->n,
                                            .s_sorted = s2,
                                            .u_sorted = u2 };
  return gpueig_ordschur (ctx, &problem, &options, NULL);
}

/* The modulus of the eigenvalue in row I of the form S.  */
static double
modulus (const forms *f, const char *s, int64_t at, int64_t i)
{
  const int64_t n = f->n;
  const int64_t first
      = i > 0 && measure_get (f->type, s, at + i + n * (i - 1)) != 0 ? i - 1
                                                                     : i;
  const double complex d = measure_get (f->type, s, at + first * (n + 1));
  double complex low = 0, up = 0;
  if (! gpueig_is_complex (f->type) && first + 1 < n)
    {
      low = measure_get (f->type, s, at + first + 1 + n * first);
      up = measure_get (f->type, s, at + first + n * (first + 1));
    }
  return low != 0 ? sqrt (creal (d) * creal (d) - creal (low * up)) : cabs (d);
}

/* Are the eigenvalues of page PAGE those of F in the order of their ranks?  */
static int
is_sorted (const forms *f, int64_t page)
{
  const int64_t n = f->n, at = page * n * n, *rank = f->rank + page * n;
  int64_t row = 0;
  int good = 1;
  for (int64_t wanted = 5; wanted >= 0; wanted--)
    for (int64_t i = 0; i < n; i++)
      if (rank[i] == wanted)
        {
          const double x = modulus (f, f->s, at, i);
          good &= fabs (modulus (f, f->s2, at, row++) - x)
                  < 0.4 / (double) n + 1e-3 * x;
        }
  return good && row == n;
}

static void
test_order (measure_random *r, gpueig_type type, int64_t n)
{
  CLEANUP (end) forms f = begin (r, type, n, 3);
  const size_t page = (size_t) (n * n) * gpueig_scalar_size (type);
  const char *name = check_type_name[type];
  CHECK (sort (&f, 0, 3, f.s2, f.u2) == GPUEIG_OK, "%s n=%d: %s", name, (int) n,
         gpueig_message (ctx));
  FREED char *s = check_array (type, n * n + 1),
             *u = check_array (type, n * n + 1);
  for (int64_t p = 0; p < 3; p++)
    {
      CHECK (is_sorted (&f, p), "%s n=%d: the order", name, (int) n);
      const char *u2 = f.u2 + (size_t) p * page;
      CHECK_RATIO (measure_form (type, type, n, f.s + (size_t) p * page,
                                 f.s2 + (size_t) p * page, u2),
                   LIMIT_SCHUR, "%s n=%d: S U - U S", name, (int) n);
      CHECK_RATIO (measure_orthogonality (type, n, n, u2), LIMIT_SCHUR,
                   "%s n=%d: U'U - I", name, (int) n);
      CHECK (sort (&f, p, 1, s, u) == GPUEIG_OK
                 && ! memcmp (s, f.s2 + (size_t) p * page, page)
                 && ! memcmp (u, f.u2 + (size_t) p * page, page),
             "%s n=%d: a page alone has the same bits", name, (int) n);
    }
  CHECK (sort (&f, 0, 3, f.s, f.u) == GPUEIG_OK
             && ! memcmp (f.s, f.s2, 3 * page)
             && ! memcmp (f.u, f.u2, 3 * page),
         "%s n=%d: in place", name, (int) n);
}

/* Ranks that fall along the diagonal: nothing moves.  */
static void
test_nothing (measure_random *r, gpueig_type type, int64_t n)
{
  CLEANUP (end) forms f = begin (r, type, n, 1);
  const size_t page = (size_t) (n * n) * gpueig_scalar_size (type);
  for (int64_t i = 0; i < n; i++)
    f.rank[i] = -i / 4;
  for (int64_t i = 0; i + 1 < n; i++)
    if (measure_get (type, f.s, i + 1 + n * i) != 0)
      f.rank[i + 1] = f.rank[i];
  CHECK (sort (&f, 0, 1, f.s2, f.u2) == GPUEIG_OK && ! memcmp (f.s, f.s2, page)
             && ! memcmp (f.u, f.u2, page),
         "%s n=%d: an order that is there changes no bit",
         check_type_name[type], (int) n);
}

static void
test_region (gpueig_type type, int64_t n)
{
  measure_random r = { 3 };
  const size_t bytes = (size_t) (n * n) * gpueig_scalar_size (type);
  FREED char *a = check_array (type, n * n), *s = check_array (type, n * n),
             *u = check_array (type, n * n), *s2 = check_array (type, n * n),
             *u2 = check_array (type, n * n);
  for (int64_t e = 0; e < n * n; e++)
    measure_set (type, a, e, measure_normal (&r) / sqrt ((double) n));
  for (int order = GPUEIG_SCHUR_LHP; order <= GPUEIG_SCHUR_UDO; order++)
    {
      gpueig_schur_problem p
          = { .type = type, .n = n, .pages = 1, .a = a, .s = s, .u = u };
      gpueig_status status = gpueig_schur (ctx, &p, &options, NULL);
      const gpueig_ordschur_problem q = { .type = type,
                                          .n = n,
                                          .pages = 1,
                                          .s = s,
                                          .u = u,
                                          .order = (gpueig_schur_order) order,
                                          .s_sorted = s,
                                          .u_sorted = u };
      if (status == GPUEIG_OK)
        status = gpueig_ordschur (ctx, &q, &options, NULL);
      p.s = s2;
      p.u = u2;
      p.order = (gpueig_schur_order) order;
      if (status == GPUEIG_OK)
        status = gpueig_schur (ctx, &p, &options, NULL);
      CHECK (status == GPUEIG_OK && ! memcmp (s, s2, bytes)
                 && ! memcmp (u, u2, bytes),
             "%s n=%d: gpueig_schur by region %d", check_type_name[type],
             (int) n, order);
    }
}

/* SEED's matrix of small whole numbers, of order N, times 2^E: by region, and again from
   its Schur form.  */
static void
test_scale (gpueig_type type, int64_t n, uint64_t seed, int e)
{
  measure_random r = { seed };
  const int64_t square = n * n;
  const int is_double = gpueig_is_double (type);
  FREED char *a = check_array (type, square), *b = check_array (type, square),
             *s = check_array (type, square), *u = check_array (type, square),
             *unscaled = check_array (type, square);
  /* Rounding errors, of elements of size 8, to multiples of the smallest number too.  */
  const double limit = LIMIT_SCHUR * (double) n
                       * (8 * (is_double ? 0x1p-52 : 0x1p-23)
                          + ldexp (1, (is_double ? -1074 : -149) - e));
  const gpueig_schur_problem p = { .type = type,
                                   .n = n,
                                   .pages = 1,
                                   .a = b,
                                   .s = s,
                                   .u = u,
                                   .order = GPUEIG_SCHUR_LHP };
  const gpueig_ordschur_problem q = { .type = type,
                                      .n = n,
                                      .pages = 1,
                                      .s = s,
                                      .u = u,
                                      .order = GPUEIG_SCHUR_RHP,
                                      .s_sorted = s,
                                      .u_sorted = u };
  for (int64_t i = 0; i < square; i++)
    {
      measure_set (type, a, i, round (2 * measure_normal (&r)));
      measure_set (type, b, i, ldexp (creal (measure_get (type, a, i)), e));
    }
  for (int again = 0; again < 2; again++)
    {
      const gpueig_status status
          = again ? gpueig_ordschur (ctx, &q, &options, NULL)
                  : gpueig_schur (ctx, &p, &options, NULL);
      CHECK (status == GPUEIG_OK, "%s n=%d, seed %d, times 2^%d: %s",
             check_type_name[type], (int) n, (int) seed, e,
             gpueig_message (ctx));
      for (int64_t i = 0; i < square; i++)
        {
          const double complex x = measure_get (type, s, i);
          measure_set (type, unscaled, i,
                       ldexp (creal (x), -e) + I * ldexp (cimag (x), -e));
        }
      CHECK_RATIO (measure_form (type, type, n, a, unscaled, u)
                       * measure_norm (type, n, n, a) * (double) n
                       * measure_eps (type) / limit,
                   1, "%s n=%d, seed %d, times 2^%d: form",
                   check_type_name[type], (int) n, (int) seed, e);
    }
}

static void
test_scales (gpueig_type type)
{
  const int lowest = gpueig_is_double (type) ? -1074 : -149;
  const int e[] = { lowest + 1,  lowest + 4,    lowest + 10, lowest + 30,
                    lowest + 60, -lowest - 100, -lowest - 64 };
  for (int i = 0; i < 7; i++)
    for (int n = 2; n < 9; n++)
      for (uint64_t seed = 1; seed < 6; seed++)
        test_scale (type, n, seed, e[i]);
}

static void
test_errors (void)
{
  double s[9] = { 1, 2, 0, 3, 4, 0, 0, 0, 5 }, u[9] = { 0 }, s2[9] = { 0 };
  const int64_t rank[3] = { 0, 0, 1 };
  gpueig_ordschur_problem p = { .type = GPUEIG_DOUBLE,
                                .n = 3,
                                .pages = 1,
                                .s = s,
                                .rank = rank,
                                .s_sorted = s2 };
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "a block that is not in standard form");
  s[1] = 0;
  s[2] = 1e-300;
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "an element in the corner");
  s[2] = 0;
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_OK && s2[0] == 5,
         "without vectors");
  p.u_sorted = u;
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "vectors of nothing");
  p.u = u;
  s[4] = NAN;
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_NONFINITE, "NaN");
  s[4] = 4;
  u[4] = INFINITY;
  CHECK (gpueig_ordschur (ctx, &p, &options, NULL) == GPUEIG_NONFINITE,
         "Inf in U");
}

static int polls_left;

static int
interrupted (void *data)
{
  (void) data;
  return polls_left-- == 0;
}

static void
test_interrupts (measure_random *r)
{
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  CLEANUP (end) forms f = begin (r, GPUEIG_COMPLEX_DOUBLE, 400, 1);
  for (int64_t j = 0; j < f.n; j++)
    f.rank[j] = j % 2 == 0;
  gpueig_set_callbacks (ctx, &callbacks);
  int stopped = 0;
  for (int k = 0; k < 1000; k += 2)
    {
      polls_left = k;
      const gpueig_status status = sort (&f, 0, 1, f.s2, f.u2);
      stopped += status == GPUEIG_INTERRUPTED;
      if (status != GPUEIG_INTERRUPTED)
        {
          CHECK (status == GPUEIG_OK && is_sorted (&f, 0),
                 "after the interrupts: %s", gpueig_message (ctx));
          break;
        }
    }
  CHECK (stopped > 2, "%d interrupts between windows", stopped);
  gpueig_set_callbacks (ctx, NULL);
}

static void
test_allocations (measure_random *r)
{
  CLEANUP (end) forms f = begin (r, GPUEIG_COMPLEX_FLOAT, 20, 4);
  CHECK_FAILING_ALLOCATIONS (sort (&f, 0, 4, f.s2, f.u2),
                             "failing allocations");
}

int
main (void)
{
  static const int64_t orders[]
      = { 0, 1, 2, 3, 7, 31, 95, 96, 97, 130, 193, 257 };
  measure_random r = { 1 };
  check_begin ("ordschur");
  ctx = check_context (&options);
  for (int type = GPUEIG_FLOAT; type <= GPUEIG_COMPLEX_DOUBLE; type++)
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
      {
        test_order (&r, (gpueig_type) type, orders[i]);
        test_nothing (&r, (gpueig_type) type, orders[i]);
      }
  for (int type = GPUEIG_FLOAT; type <= GPUEIG_COMPLEX_DOUBLE; type++)
    {
      test_region ((gpueig_type) type, 120);
      test_scales ((gpueig_type) type);
    }
  test_errors ();
  test_interrupts (&r);
  test_allocations (&r);
  gpueig_destroy (ctx);
  return check_end ();
}
