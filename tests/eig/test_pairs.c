/* Claims about gpueig_eig_symmetric with B on the backend under test: in a stack, pages
   whose B is not definite are told and do not change the others, and a page's bits do not
   depend on its neighbours, nor on whether those are ill-conditioned; pages solve their
   problems, also where B is nearly singular; failing allocations and interrupts end the call and nothing else; parts of
   the spectrum too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

typedef enum
{
  USUAL,
  INDEFINITE,
  ILL_CONDITIONED,
  KINDS
} kind;

static kind
random_kind (measure_random *r)
{
  return (kind) (measure_chance (r) * KINDS);
}

/* Page P of (A, B), of order N.  */
static void
make_page (measure_random *r, gpueig_type type, int64_t n, kind what, char *a,
           char *b)
{
  const double reg = gpueig_is_double (type) ? 1e-9 : 1e-4;
  measure_random_symmetric (r, type, n, a);
  measure_random_symmetric (r, type, n, b);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n && what == ILL_CONDITIONED; i++)
      measure_set (type, b, i + n * j,
                   exp (-pow ((double) (i - j) / 10, 2)) + reg * (i == j));
  for (int64_t i = 0; i < n && what != ILL_CONDITIONED; i++)
    measure_set (type, b, i + n * i, 4.0 * (double) n);
  if (what == INDEFINITE)
    measure_set (type, b, (n + 1) * (n / 2), -1.0);
}

/* A stack with random kinds, solved, and solved again with its pages in another order and
   with other kinds beside the first.  */
static void
test_stack (measure_random *r, gpueig_type type, int64_t n, int64_t first,
            int64_t last)
{
  enum
  {
    PAGES = 6
  };
  const size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  const int64_t square = n * n, columns = last - first + 1;
  const size_t page = (size_t) square * size;
  const size_t part = (size_t) (n * columns) * size;
  int indefinite[PAGES], again[PAGES];
  kind what[PAGES];
  FREED char *a = check_array (type, PAGES * square);
  FREED char *b = check_array (type, PAGES * square);
  FREED char *a2 = check_array (type, PAGES * square);
  FREED char *b2 = check_array (type, PAGES * square);
  FREED char *v = check_array (type, PAGES * n * columns);
  FREED char *v2 = check_array (type, PAGES * n * columns);
  FREED char *lambda = check_array (type, PAGES * columns);
  FREED char *lambda2 = check_array (type, PAGES * columns);
  for (int p = 0; p < PAGES; p++)
    {
      /* At least two of the usual kind, which are solved as a stack.  */
      what[p] = p < 2 ? USUAL : random_kind (r);
      make_page (r, type, n, what[p], a + (size_t) p * page,
                 b + (size_t) p * page);
    }
  gpueig_symmetric s = { .type = type,
                         .n = n,
                         .pages = PAGES,
                         .a = a,
                         .b = b,
                         .select = GPUEIG_SELECT_INDEX,
                         .first = first,
                         .last = last,
                         .indefinite = indefinite,
                         .lambda = lambda,
                         .v = v };
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "stack of pairs, %s n=%d: %s", check_type_name[type], (int) n,
         gpueig_message (ctx));
  for (int p = 0; p < PAGES; p++)
    CHECK (what[p] == INDEFINITE
               ? indefinite[p] > 0 && indefinite[p] <= n / 2 + 1
               : indefinite[p] == 0,
           "page %d of kind %d: minor %d", p + 1, (int) what[p], indefinite[p]);
  /* The pages in reverse order; pages that were not usual get another kind.  */
  for (int p = 0; p < PAGES; p++)
    {
      const int q = PAGES - 1 - p;
      memcpy (a2 + (size_t) q * page, a + (size_t) p * page, page);
      memcpy (b2 + (size_t) q * page, b + (size_t) p * page, page);
      if (p > 3)
        make_page (r, type, n, random_kind (r), a2 + (size_t) q * page,
                   b2 + (size_t) q * page);
    }
  s.a = a2;
  s.b = b2;
  s.indefinite = again;
  s.lambda = lambda2;
  s.v = v2;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "the same with other neighbours: %s", gpueig_message (ctx));
  for (int p = 0; p < 4; p++)
    {
      const int q = PAGES - 1 - p;
      CHECK (indefinite[p] == again[q], "state of page %d", p + 1);
      if (indefinite[p])
        continue;
      CHECK (memcmp (lambda + (size_t) (p * columns) * real,
                     lambda2 + (size_t) (q * columns) * real,
                     (size_t) columns * real)
                     == 0
                 && memcmp (v + (size_t) p * part, v2 + (size_t) q * part, part)
                        == 0,
             "bits of page %d, %s n=%d, with other neighbours", p + 1,
             check_type_name[type], (int) n);
    }
  s.indefinite = NULL;
  s.pages = 1;
  make_page (r, type, n, INDEFINITE, a2, b2);
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_NOT_DEFINITE,
         "without flags an indefinite B is a failure");
}

/* The largest |A v - lambda B v| / (|A| n eps), 1-norms.  */
static double
pair_residual (gpueig_type type, int64_t n, const char *a, const char *b,
               const char *v, const char *lambda)
{
  const gpueig_type real = real_type (type);
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double value = creal (measure_get (real, lambda, j));
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double _Complex x = 0;
          for (int64_t k = 0; k < n; k++)
            x += (measure_get (type, a, i + n * k)
                  - value * measure_get (type, b, i + n * k))
                 * measure_get (type, v, k + n * j);
          sum += cabs (x);
        }
      worst = worst_of (worst, sum);
    }
  return worst
         / (measure_norm (type, n, n, a) * (double) n * measure_eps (type));
}

/* All eigenpairs of well-conditioned pages.  */
static void
test_solutions (measure_random *r, gpueig_type type, int64_t n, int64_t pages)
{
  const size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  const size_t page = (size_t) (n * n) * size;
  FREED char *a = check_array (type, pages * n * n);
  FREED char *b = check_array (type, pages * n * n);
  FREED char *v = check_array (type, pages * n * n);
  FREED char *lambda = check_array (type, pages * n);
  for (int64_t p = 0; p < pages; p++)
    make_page (r, type, n, USUAL, a + (size_t) p * page, b + (size_t) p * page);
  gpueig_symmetric s = symmetric_problem (type, n, pages, a, lambda, v);
  s.b = b;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "%d pairs, %s n=%d: %s", (int) pages, check_type_name[type], (int) n,
         gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p++)
    {
      const size_t at = (size_t) p * page;
      const char *values = lambda + (size_t) (p * n) * real;
      CHECK_BOTH (pair_residual (type, n, a + at, b + at, v + at, values),
                  LIMIT_RESIDUAL, n, USUAL_EIG_RESIDUAL,
                  "pair residual, %s n=%d, page %d of %d",
                  check_type_name[type], (int) n, (int) p + 1, (int) pages);
      CHECK_BOTH (measure_b_orthogonality (type, n, b + at, v + at),
                  LIMIT_ORTHOGONALITY, n, USUAL_EIG_ORTHOGONALITY,
                  "V' B V = I, %s n=%d, page %d of %d", check_type_name[type],
                  (int) n, (int) p + 1, (int) pages);
    }
}

/* The largest |A v - lambda B v| / ((|A| + |lambda| |B|) |v| n eps), 1-norms.  */
static double
column_error (gpueig_type type, int64_t n, const char *a, const char *b,
              const char *v, const char *lambda)
{
  const double norm_a = measure_norm (type, n, n, a),
               norm_b = measure_norm (type, n, n, b);
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double value = creal (measure_get (real_type (type), lambda, j));
      double error = 0, length = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double _Complex x = 0;
          for (int64_t k = 0; k < n; k++)
            x += (measure_get (type, a, i + n * k)
                  - value * measure_get (type, b, i + n * k))
                 * measure_get (type, v, k + n * j);
          error += cabs (x);
          length += cabs (measure_get (type, v, i + n * j));
        }
      worst = worst_of (worst,
                        error / ((norm_a + fabs (value) * norm_b) * length));
    }
  return worst / ((double) n * measure_eps (type));
}

/* One page whose B is a kernel matrix with condition numbers to 1e13: every column has a
   small error in its own norm, and a GPU leaves nothing to the CPU, but below order 128.  */
static void
test_ill_conditioned (measure_random *r, gpueig_type type, int64_t n)
{
  const double most = gpueig_is_double (type) ? 1e-12 : 1e-4;
  FREED char *a = check_array (type, n * n);
  FREED char *b = check_array (type, n * n);
  FREED char *v = check_array (type, n * n);
  FREED char *lambda = check_array (type, n);
  FREED char *part = check_array (type, n);
  for (double reg = 1e-2; reg >= most; reg /= 100)
    {
      gpueig_info info;
      make_page (r, type, n, ILL_CONDITIONED, a, b);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, b, (n + 1) * i, 1 + reg);
      gpueig_symmetric s = symmetric_problem (type, n, 1, a, lambda, v);
      s.b = b;
      CHECK (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK
                 && (n < 128 || info.fallback[0] == '\0'),
             "ill-conditioned pair, %s n=%d: %s %s", check_type_name[type],
             (int) n, gpueig_message (ctx), info.fallback);
      CHECK_RATIO (column_error (type, n, a, b, v, lambda), LIMIT_RESIDUAL,
                   "columns of an ill-conditioned pair, %s n=%d, reg %g",
                   check_type_name[type], (int) n, reg);
      CHECK_RATIO (measure_b_orthogonality (type, n, b, v) * reg,
                   LIMIT_ORTHOGONALITY,
                   "V' B V = I of an ill-conditioned pair, %s n=%d, reg %g",
                   check_type_name[type], (int) n, reg);
      s.lambda = part;
      s.select = GPUEIG_SELECT_INDEX;
      s.first = 1 + n / 3;
      s.last = n / 2;
      const size_t real = gpueig_real_size (type);
      CHECK (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK
                 && memcmp (part, lambda + (size_t) (s.first - 1) * real,
                            (size_t) (s.last - s.first + 1) * real)
                        == 0,
             "a part of an ill-conditioned pair, %s n=%d, reg %g: %s",
             check_type_name[type], (int) n, reg, gpueig_message (ctx));
    }
}

/* Pairs D A D, D B D with well-conditioned B and D of a large spread: elements of the
   reduced matrix may cancel, which a GPU, too, leaves to what is made for it.  */
static void
test_steep (measure_random *r, gpueig_type type, int64_t n)
{
  enum
  {
    PAGES = 2
  };
  const double spread = gpueig_is_double (type) ? 56 : 18;
  const size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  FREED char *a = check_array (type, PAGES * n * n);
  FREED char *b = check_array (type, PAGES * n * n);
  FREED char *v = check_array (type, PAGES * n * n);
  FREED char *lambda = check_array (type, PAGES * n);
  gpueig_info info;
  for (int64_t p = 0; p < PAGES; p++)
    {
      char *const x[2]
          = { page_of (type, a, n * n, p), page_of (type, b, n * n, p) };
      make_page (r, type, n, USUAL, x[0], x[1]);
      for (int64_t k = 0; k < 2 * n * n; k++)
        {
          const int64_t i = k / 2 % n, j = k / 2 / n;
          const double to = spread * (double) (i + j) / (double) (n - 1);
          measure_set (type, x[k % 2], k / 2,
                       measure_get (type, x[k % 2], k / 2)
                           * exp2 (rint (to - spread)));
        }
    }
  gpueig_symmetric s = symmetric_problem (type, n, PAGES, a, lambda, v);
  s.b = b;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
         "steep pairs, %s n=%d: %s", check_type_name[type], (int) n,
         gpueig_message (ctx));
  /* larger ones are solved level by level */
  CHECK (options.backend != GPUEIG_CUDA || n > 256 || info.fallback[0],
         "steep pairs, %s n=%d, are left to the CPU", check_type_name[type],
         (int) n);
  for (size_t p = 0; p < PAGES; p++)
    {
      const size_t at = p * (size_t) (n * n) * size;
      CHECK_RATIO (column_error (type, n, a + at, b + at, v + at,
                                 lambda + p * (size_t) n * real),
                   LIMIT_RESIDUAL, "columns of a steep pair, %s n=%d",
                   check_type_name[type], (int) n);
    }
}

/* Every allocation of a call fails once.  */
static void
test_failing_allocations (int64_t n, kind what, gpueig_select select)
{
  measure_random r = { 12 };
  int64_t found[2];
  const int pages = select == GPUEIG_SELECT_INTERVAL ? 1 : 2;
  FREED char *a = check_array (GPUEIG_DOUBLE, 2 * n * n);
  FREED char *b = check_array (GPUEIG_DOUBLE, 2 * n * n);
  FREED char *v = check_array (GPUEIG_DOUBLE, 2 * n * n);
  FREED char *lambda = check_array (GPUEIG_DOUBLE, 2 * n);
  const size_t page = (size_t) (n * n) * sizeof (double);
  make_page (&r, GPUEIG_DOUBLE, n, USUAL, a + page, b + page);
  make_page (&r, GPUEIG_DOUBLE, n, what, a, b);
  gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                         .n = n,
                         .pages = pages,
                         .a = a,
                         .b = b,
                         .select = select,
                         .first = 2,
                         .last = 5,
                         .vl = -1,
                         .vu = 1,
                         .found = found,
                         .lambda = lambda,
                         .v = v };
  CHECK_FAILING_ALLOCATIONS (gpueig_eig_symmetric (ctx, &s, &options, NULL),
                             "failing allocations, order %d, kind %d: %s",
                             (int) n, (int) what, gpueig_message (ctx));
}

static int polls;

static int
interrupted (void *data)
{
  return --polls < 0 || data == NULL;
}

/* A large pair, stopped at some polls.  */
static void
test_interrupts (kind what)
{
  enum
  {
    N = 450
  };
  measure_random r = { 13 };
  gpueig_info info;
  FREED char *a = check_array (GPUEIG_DOUBLE, N * N);
  FREED char *b = check_array (GPUEIG_DOUBLE, N * N);
  FREED char *v = check_array (GPUEIG_DOUBLE, N * N);
  FREED char *lambda = check_array (GPUEIG_DOUBLE, N);
  make_page (&r, GPUEIG_DOUBLE, N, what, a, b);
  gpueig_symmetric s = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, v);
  s.b = b;
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .data = &info };
  gpueig_set_callbacks (ctx, &callbacks);
  polls = 1 << 20;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
         "a large pair: %s", gpueig_message (ctx));
  CHECK_BOTH (measure_b_orthogonality (GPUEIG_DOUBLE, N, b, v)
                  / (what == USUAL ? 1 : 1e9),
              LIMIT_ORTHOGONALITY, N, USUAL_EIG_ORTHOGONALITY,
              "V' B V = I, kind %d", (int) what);
  const int used = (1 << 20) - polls;
  for (int k = 0; k < used; k += 1 + used / 4)
    {
      polls = k;
      const gpueig_status status
          = gpueig_eig_symmetric (ctx, &s, &options, &info);
      /* While a library call runs, the number of polls depends on its time.  */
      CHECK (status == GPUEIG_INTERRUPTED
                 || (k > 0 && polls >= 0 && status == GPUEIG_OK),
             "stopped at poll %d of %d", k, used);
    }
  gpueig_set_callbacks (ctx, NULL);
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
         "the next call works");
}

int
main (void)
{
  static const int64_t orders[] = { 1, 2, 9, 20, 33, 70, 270 };
  measure_random r = { 14 };
  check_begin ("pairs");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
      {
        const int64_t n = orders[i];
        const int64_t first = 1 + (int64_t) (measure_chance (&r) * (double) n);
        const int64_t more
            = (int64_t) (measure_chance (&r) * (double) (n - first));
        if (check_turn (2))
          test_stack (&r, (gpueig_type) t, n, 1, n);
        if (check_turn (2))
          test_stack (&r, (gpueig_type) t, n, first, first + more);
      }
  for (int i = 0; i < 48; i++)
    {
      const gpueig_type type = (gpueig_type) (i % 4);
      const int64_t n
          = 1 + (int64_t) (measure_chance (&r) * (i < 32 ? 33 : 160));
      const int64_t pages
          = 1 + (int64_t) (measure_chance (&r) * (n < 34 ? 40 : 5));
      const int64_t first = 1 + (int64_t) (measure_chance (&r) * (double) n);
      if (! check_turn (3))
        continue;
      test_solutions (&r, type, n, pages);
      test_stack (&r, type, n, i % 3 ? 1 : first, n);
    }
  for (int t = 0; t < 4; t++)
    {
      test_ill_conditioned (&r, (gpueig_type) t, 45);
      test_ill_conditioned (&r, (gpueig_type) t, 160);
      test_ill_conditioned (&r, (gpueig_type) t, 300);
      for (int64_t n = 20; n < 300; n += 125)
        test_steep (&r, (gpueig_type) t, n);
    }
  for (int select = 0; select < 3; select++)
    for (int what = 0; what < KINDS; what += ILL_CONDITIONED)
      {
        test_failing_allocations (20, (kind) what, (gpueig_select) select);
        if (select == GPUEIG_SELECT_ALL)
          test_failing_allocations (410, (kind) what, GPUEIG_SELECT_ALL);
      }
  test_interrupts (USUAL);
  test_interrupts (ILL_CONDITIONED);
  gpueig_destroy (ctx);
  return check_end ();
}
