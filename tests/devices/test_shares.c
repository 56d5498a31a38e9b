/* Claim: shares of a spectrum, of the columns of an inverse and of the pages of a stack, all
   eigenvalues or some, solved by the CPU one after the other, are together the result of the
   whole, bit for bit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"
#include "tridiagonal_matrices.h"
#include "devices/devices.h"
#include "run/solvers.h"
#include "tdinv/tdinv.h"

#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

typedef struct
{
  const char *name;
  int64_t n;
  int shares; /* of two or three that are wanted, this many are made */
  tridiagonal_matrix *fill;
} matrix;

/* Pairs of eigenvalues that agree to working precision (wilkinson); clusters of as many
   eigenvalues as there are copies, 41; an element of the off-diagonal that is taken for zero;
   all eigenvalues close to 1 or to 2.  */
DEFINE_TRIDIAGONAL (glued_41, , fabs (i % 41 - 20.0), i % 41 == 40 ? 1e-11 : 1)
DEFINE_TRIDIAGONAL (one_split, , rndn (), i == n / 3 ? 1e-17 : rndn ())
DEFINE_TRIDIAGONAL (one_or_two, , i < n / 8 ? 1 : 2, 1e-9)

/* The sum of a figure of info, 0 if there is none.  */
static double
figure (const gpueig_info *info, const char *name)
{
  for (int i = 0; i < info->n_extra; i++)
    if (strcmp (info->extra[i].name, name) == 0)
      return info->extra[i].value;
  return 0;
}

static void
check_spectrum (const matrix *m, gpueig_type type, int64_t first, int64_t last,
                int vectors, int n_shares)
{
  const int64_t n = m->n, columns = last - first + 1;
  const size_t real = gpueig_real_size (type);
  FREED double *d = check_array (GPUEIG_DOUBLE, n);
  FREED double *e = check_array (GPUEIG_DOUBLE, n);
  FREED char *a = check_array (type, n), *b = check_array (type, n);
  FREED char *lambda = check_array (type, columns), *v = NULL;
  FREED char *parts = check_array (type, columns), *w = NULL;
  if (vectors)
    {
      v = check_array (type, n * columns);
      w = check_array (type, n * columns);
    }
  dice.state = 7;
  m->fill ((int) n, d, e);
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (type, a, i, d[i]);
      measure_set (type, b, i, e[i]);
    }
  gpueig_mrrr_problem p = { .type = type,
                            .n = n,
                            .pages = 1,
                            .d = a,
                            .e = b,
                            .select = GPUEIG_SELECT_ALL,
                            .lambda = lambda,
                            .v = v };
  if (first > 1 || last < n)
    {
      p.select = GPUEIG_SELECT_INDEX;
      p.first = first;
      p.last = last;
    }
  gpueig_info info;
  ge_division division;
  double fallbacks = 0, clusters = 0, whole;
  /* as on a GPU; "auto" of the CPU uses xSTEVD for some whole spectra */
  gpueig_options mrrr = options;
  mrrr.method = "mrrr";
  gpueig_status status = gpueig_mrrr (ctx, &p, &mrrr, &info);
  CHECK (status == GPUEIG_OK, "%s: the whole", m->name);
  whole = figure (&info, "clusters");
  const int mark = ge_mark (ctx);
  status
      = ge_divide (ctx, GE_MRRR, GE_METHOD_MRRR_MRRR, &p, n_shares, &division);
  CHECK (status == GPUEIG_OK
             && division.shares == (m->shares > 1 ? n_shares : 1)
             && division.units == columns,
         "%s: %d shares", m->name, division.shares);
  p.lambda = parts;
  p.v = w;
  for (int i = 0; division.shares > 1 && i < division.shares; i++)
    {
      gpueig_mrrr_problem share;
      const int64_t count = division.begin[i + 1] - division.begin[i];
      ge_mrrr_entry.share (&p, &division, i, ctx, &share);
      status = gpueig_mrrr (ctx, &share, &mrrr, &info);
      fallbacks += figure (&info, "fallbacks");
      clusters += figure (&info, "clusters");
      CHECK (status == GPUEIG_OK && count >= columns / division.shares * 7 / 8,
             "%s: share %d has %lld of %lld", m->name, i, (long long) count,
             (long long) columns);
    }
  ctx->spectrum_first = ctx->spectrum_last = 0;
  ge_release (ctx, mark);
  if (division.shares > 1)
    {
      CHECK (fallbacks == 0 && clusters == whole,
             "%s: %g vectors by inverse iteration, %g clusters, wanted %g",
             m->name, fallbacks, clusters, whole);
      CHECK (memcmp (lambda, parts, (size_t) columns * real) == 0
                 && (! vectors
                     || memcmp (v, w, (size_t) (n * columns) * real) == 0),
             "%s, %s, %lld to %lld%s: %d shares have the bits of the whole",
             m->name, check_type_name[type], (long long) first,
             (long long) last, vectors ? "" : ", values", division.shares);
    }
}

static void
test_spectra (void)
{
  static const matrix matrices[] = {
    { "(1,4,1)", 1500, 2, one_four_one },
    { "random", 1500, 2, normal },
    { "Wilkinson", 1601, 2, wilkinson },
    { "glued", 1435, 2, glued_41 },
    { "split", 1500, 1, one_split },
    { "two clusters", 1500, 1, one_or_two },
  };
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
    {
      const matrix *m = &matrices[i];
      check_spectrum (m, GPUEIG_DOUBLE, 1, m->n, 1, 2);
      check_spectrum (m, GPUEIG_DOUBLE, 1, m->n, 0, 2);
    }
  check_spectrum (&matrices[1], GPUEIG_FLOAT, 1, 1500, 1, 2);
  const matrix large = { "random", 2400, 2, normal };
  check_spectrum (&large, GPUEIG_DOUBLE, 101, 2300, 1, 3);
  const matrix few = { "few", 600, 1, normal };
  check_spectrum (&few, GPUEIG_DOUBLE, 1, 600, 1, 2);
}

static void
check_columns (gpueig_type type, int listed, int planes)
{
  enum
  {
    ORDER = 1500,
    LISTED = 1400
  };
  const int64_t n = ORDER, columns = listed ? LISTED : n;
  const size_t size = gpueig_scalar_size (type);
  measure_random r = { 3 };
  char *bands[3], *x = check_array (type, n * columns);
  FREED char *parts = check_array (type, n * columns);
  static int64_t list[LISTED];
  double rcond = 0, other = 0;
  for (int k = 0; k < 3; k++)
    {
      bands[k] = check_array (type, n);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, bands[k], i, measure_normal (&r) + (k == 1 ? 5 : 0));
    }
  for (int64_t i = 0; i < LISTED; i++)
    list[i] = (7 * i) % n;
  const size_t half = planes ? (size_t) (n * columns) * size / 2 : 0;
  ge_tdinv_problem p = { .given = { .type = type,
                                    .n = n,
                                    .c = bands[0],
                                    .a = bands[1],
                                    .b = bands[2],
                                    .columns = listed ? list : NULL,
                                    .n_columns = columns,
                                    .band = -1,
                                    .x = x,
                                    .x_im = planes ? x + half : NULL,
                                    .rcond = &rcond } };
  p.scaled = p.given;
  gpueig_info info;
  ge_division division;
  const ge_plan plan = { .backend = GPUEIG_CPU };
  gpueig_status status = ge_cpu_tdinv (ctx, &p, &plan, &options, &info);
  CHECK (status == GPUEIG_OK, "the whole inverse");
  p.given.x = p.scaled.x = parts;
  p.given.x_im = p.scaled.x_im = planes ? parts + half : NULL;
  p.given.rcond = p.scaled.rcond = &other;
  CHECK (ge_divide (ctx, GE_TDINV, GE_AUTO, &p, 2, &division) == GPUEIG_OK
             && division.shares == 2,
         "columns are divided");
  for (int i = 0; i < division.shares; i++)
    {
      ge_tdinv_problem share;
      ge_tdinv_entry.share (&p, &division, i, ctx, &share);
      status = ge_cpu_tdinv (ctx, &share, &plan, &options, &info);
      CHECK (status == GPUEIG_OK, "share %d of the columns", i);
    }
  CHECK (memcmp (x, parts, (size_t) (n * columns) * size) == 0
             && rcond == other,
         "%s%s%s: shares of the columns have the bits of the whole",
         check_type_name[type], listed ? ", listed" : "",
         planes ? ", in planes" : "");
  ge_release (ctx, 0);
  for (int k = 0; k < 3; k++)
    free (bands[k]);
  free (x);
}

/* Pages of symmetric matrices or, with PAIR, of pairs; of COUNT eigenvalues.  */
static void
test_pages (int64_t count, int pair)
{
  enum
  {
    N = 20,
    PAGES = 5,
    SHARES = 2
  };
  measure_random r = { 9 };
  const ge_division division
      = { .shares = SHARES, .units = PAGES, .begin = { 0, 2, PAGES } };
  double a[PAGES][N * N], b[PAGES][N * N] = { { 0 } };
  double lambda[2][PAGES * N], v[2][PAGES * N * N];
  for (int p = 0; p < PAGES; p++)
    {
      measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a[p]);
      for (int i = 0; i < N; i++)
        b[p][i * (N + 1)] = 1 + i + p;
    }
  gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, N, PAGES, a, lambda[0], v[0]);
  s.b = pair ? b : NULL;
  s.select = count < N ? GPUEIG_SELECT_INDEX : GPUEIG_SELECT_ALL;
  s.first = 3;
  s.last = 2 + count;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "the whole stack: %s", gpueig_message (ctx));
  s.lambda = lambda[1];
  s.v = v[1];
  for (int i = 0; i < SHARES; i++)
    {
      gpueig_context *child;
      gpueig_symmetric share;
      if (gpueig_create (&child) != GPUEIG_OK)
        exit (2);
      ge_make_share (&ge_symmetric_entry, &s, &division, i, child, &share);
      CHECK (gpueig_eig_symmetric (child, &share, &options, NULL) == GPUEIG_OK,
             "share %d: %s", i, gpueig_message (child));
      gpueig_destroy (child);
    }
  CHECK (! memcmp (lambda[0], lambda[1],
                   (size_t) (PAGES * count) * sizeof (double))
             && ! memcmp (v[0], v[1],
                          (size_t) (PAGES * N * count) * sizeof (double)),
         "shares of pages, %d of %d eigenvalues%s", (int) count, N,
         pair ? " of pairs" : "");
}

/* The share whose GPU has the data gets a part more, the others equal parts less.  */
static void
test_favoured (void)
{
  for (int n = 2; n <= 4; n++)
    for (int own = 0; own < n; own++)
      {
        ge_division d = { .shares = n, .units = 3840 * n };
        int right = 1;
        for (int i = 0; i <= n; i++)
          d.begin[i] = 3840 * i;
        ge_favour_share (&d, own);
        for (int i = 0; i < n; i++)
          right &= d.begin[i + 1] - d.begin[i]
                   == (i == own ? 3840 + 120 : 3840 - 120 / (n - 1));
        CHECK (right && d.begin[0] == 0 && d.begin[n] == d.units,
               "%d shares, of which %d has the data", n, own);
      }
}

int
main (void)
{
  check_begin ("shares");
  ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  for (int pair = 0; pair < 2; pair++)
    {
      test_pages (20, pair);
      test_pages (7, pair);
    }
  test_favoured ();
  test_spectra ();
  for (int type = 0; type < 4; type++)
    check_columns ((gpueig_type) type, 0, 0);
  check_columns (GPUEIG_DOUBLE, 1, 0);
  check_columns (GPUEIG_COMPLEX_DOUBLE, 0, 1);
  gpueig_destroy (ctx);
  return check_end ();
}
