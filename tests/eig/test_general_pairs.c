/* Claims about gpueig_eig_general with B: right and left vectors have small residuals, the
   scale of LAPACK's, and come in conjugate pairs; also where B is singular, with infinite
   eigenvalues, and where A and B have a common null vector, with one that is NaN; eigenvalues
   alone are the same; marked pages have the results of gpueig_eig_symmetric, and the others
   their own bits; what cannot be solved is refused; failing allocations and interrupts are
   reported, and a page that can be interrupted has the bits of one that cannot.
   Data on a GPU: test_place.c.  Octave's results: gpu_eig.m.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static measure_random rng = { 43 };

typedef enum
{
  USUAL,
  SINGULAR, /* a column of B is zero */
  NO_PENCIL /* the same one of A, too */
} kind;

static void
fill (any_problem *p, kind what)
{
  const int64_t n = p->n;
  for (int64_t k = 0; k < n * n * p->pages; k++)
    {
      const int zero = k / n % n == n / 2;
      measure_set (p->type, p->a, k,
                   zero && what == NO_PENCIL
                       ? 0
                       : measure_normal (&rng) + I * measure_normal (&rng));
      measure_set (p->type, p->b, k,
                   zero && what != USUAL
                       ? 0
                       : measure_normal (&rng) + I * measure_normal (&rng));
    }
}

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages, int outputs, kind what)
{
  any_problem p
      = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, pages, outputs);
  p.b = check_array (type, n * n * pages);
  fill (&p, what);
  return p;
}

static double _Complex value (const any_problem *p, int64_t j)
{
  return measure_get (p->values, p->lambda, j);
}

/* Column J, of all pages, of V: the residual of the pair (ALPHA, BETA), right or LEFT, in
   units of n eps (|beta| |A| + |alpha| |B|) |v|; *SCALE: the largest |re| + |im|.  */
static double
column_residual (const any_problem *p, const char *v, int left, int64_t j,
                 double _Complex alpha, double _Complex beta, double *scale)
{
  const int64_t n = p->n, page = j / n * n * n;
  double error = 0, length = 0, size = 0;
  *scale = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double _Complex sum = 0;
      const double _Complex vi = measure_get (p->vectors, v, i + n * j);
      for (int64_t k = 0; k < n; k++)
        {
          const int64_t at = page + (left ? k + n * i : i + n * k);
          const double _Complex a = measure_get (p->type, p->a, at),
                                b = measure_get (p->type, p->b, at),
                                x = beta * a - alpha * b;
          sum += (left ? conj (x) : x) * measure_get (p->vectors, v, k + n * j);
          size += cabs (beta * a) + cabs (alpha * b);
        }
      error += cabs (sum);
      length += cabs (vi);
      *scale = fmax (*scale, fabs (creal (vi)) + fabs (cimag (vi)));
    }
  return error == 0 ? 0 : error / (size * length * measure_eps (p->type));
}

static int
is_infinite (double _Complex x)
{
  return isinf (creal (x)) || isinf (cimag (x));
}

/* Every column of P, which was solved with three outputs.  */
static void
check_columns (const any_problem *p, kind what)
{
  double worst = 0, scale = 0;
  int64_t infinite = 0, none = 0, pairs = 1;
  for (int64_t j = 0; j < p->n * p->pages; j++)
    {
      const double _Complex x = value (p, j);
      const int far = ! (cabs (x) <= 1), inf = is_infinite (x);
      double s[2];
      infinite += inf;
      if (! inf && x != x)
        {
          none++;
          continue;
        }
      for (int left = 0; left < 2; left++)
        worst = worst_of (worst, column_residual (p, left ? p->w : p->v, left,
                                                  j, far ? 1 : x,
                                                  inf   ? 0
                                                  : far ? 1 / x
                                                        : 1,
                                                  &s[left]));
      scale = worst_of (scale, worst_of (fabs (s[0] - 1), fabs (s[1] - 1)));
      if (! gpueig_is_complex (p->type) && cimag (x) > 0)
        for (int64_t i = 0; i < p->n; i++)
          pairs
              &= cabs (value (p, j + 1) - conj (x))
                     <= 4 * measure_eps (p->type) * cabs (x)
                 && measure_get (p->vectors, p->v, i + p->n * (j + 1))
                        == conj (measure_get (p->vectors, p->v, i + p->n * j));
    }
  CHECK_RATIO (worst, LIMIT_GENERAL, "residuals, %s", p->what);
  CHECK_RATIO (scale / measure_eps (p->type), 8, "scale, %s", p->what);
  CHECK (pairs, "conjugate pairs, %s", p->what);
  CHECK (what == USUAL      ? infinite + none == 0
         : what == SINGULAR ? infinite == p->pages && none == 0
                            : infinite == 0 && none == p->pages,
         "kind %d: %d infinite, %d NaN, %s", (int) what, (int) infinite,
         (int) none, p->what);
  CHECK (strcmp (p->info.method, "qz") == 0
             && strcmp (p->info.backend, "cpu") == 0,
         "%s on %s, %s", p->info.method, p->info.backend, p->what);
}

static void
test_pairs (gpueig_type type, int64_t n, int64_t pages, kind what)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, 3, what),
              alone = begin (type, n, pages, 1, USUAL);
  double worst = 0;
  for (int64_t page = 0; page < pages; page++)
    copy_page (&alone, page, &p, page);
  if (! check_solve (ctx, &p, &options, NULL, "pairs of kind %d", (int) what)
      || ! check_solve (ctx, &alone, &options, NULL, "their values"))
    return;
  check_columns (&p, what);
  /* on the Riemann sphere */
  for (int64_t j = 0; j < n * pages; j++)
    {
      const double _Complex x = value (&p, j), y = value (&alone, j);
      if (isfinite (cabs (x)) && isfinite (cabs (y)))
        worst = worst_of (worst, cabs (x - y) / hypot (1, cabs (x))
                                     / hypot (1, cabs (y)));
      else
        worst = is_infinite (x) == is_infinite (y) ? worst : INFINITY;
    }
  CHECK_RATIO (worst / measure_eps (type), 1e4, "values alone, %s", p.what);
}

/* --- marked pages --- */

/* Page K of each kind: 0 general, 1 definite, 2 with B that is not definite.  */
static void
test_marked (gpueig_type type, int64_t n, const char *kinds)
{
  const int64_t pages = (int64_t) strlen (kinds);
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, 3, USUAL),
              q = begin (type, n, pages, 3, USUAL),
              s = make_problem (&solvers[SOLVE_EIG], type, n, pages, 2);
  unsigned char marks[8];
  gpueig_info info;
  int64_t definite = 0;
  s.b = check_array (type, n * n * pages);
  for (int64_t k = 0; k < pages; k++)
    {
      char *const b = page_of (type, p.b, n * n, k);
      marks[k] = kinds[k] != '0';
      if (marks[k])
        {
          measure_random_symmetric (&rng, type, n, a_page (&p, k));
          measure_random_symmetric (&rng, type, n, b);
          for (int64_t i = 0; i < n; i++)
            measure_set (type, b, (n + 1) * i,
                         kinds[k] == '1' ? 4.0 * (double) n : -1.0);
        }
      copy_page (&q, k, &p, k);
      if (kinds[k] == '1')
        copy_page (&s, definite++, &p, k);
    }
  s.pages = definite;
  const gpueig_general g = { .type = type,
                             .n = n,
                             .pages = pages,
                             .a = p.a,
                             .b = p.b,
                             .balance = 1,
                             .symmetric = marks,
                             .lambda = p.lambda,
                             .v = p.v,
                             .w = p.w };
  CHECK (gpueig_eig_general (ctx, &g, &options, &info) == GPUEIG_OK,
         "pages %s: %s", kinds, gpueig_message (ctx));
  check_solve (ctx, &q, &options, NULL, "pages %s without marks", kinds);
  check_solve (ctx, &s, &options, NULL, "the definite ones of %s", kinds);
  CHECK (definite == pages
             || strcmp (info.method, definite > 0 ? "auto" : "qz") == 0,
         "pages %s: method %s", kinds, info.method);
  definite = 0;
  for (int64_t k = 0; k < pages; k++)
    {
      int same = kinds[k] == '1' || same_page (&p, k, &q, k);
      for (int64_t i = 0; kinds[k] == '1' && i < n * n; i++)
        {
          const double _Complex x
              = measure_get (type, v_page (&s, definite), i);
          same &= measure_get (p.vectors, v_page (&p, k), i) == x
                  && measure_get (p.vectors, p.w, i + n * n * k) == x
                  && (i >= n
                      || value (&p, i + n * k)
                             == measure_get (s.values, s.lambda,
                                             i + n * definite));
        }
      definite += kinds[k] == '1';
      CHECK (same, "page %d of %s, %s", (int) k + 1, kinds, q.what);
    }
}

/* --- what is refused, and failures --- */

static void
test_errors (gpueig_type type)
{
  CLEANUP (free_problem) any_problem p = begin (type, 3, 2, 3, USUAL);
  const double _Complex was = measure_get (type, p.b, 4);
  gpueig_options o = options;
  const struct
  {
    char *matrix;
    const char *name;
    double is;
  } bad[] = { { p.b, "B must", (double) NAN },
              { p.b, "B must", INFINITY },
              { p.a, "A must", -INFINITY } };
  for (int k = 0; k < 3; k++)
    {
      measure_set (type, bad[k].matrix, 4, bad[k].is);
      CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_NONFINITE
                 && strncmp (gpueig_message (ctx), bad[k].name, 6) == 0,
             "%g: %s", bad[k].is, gpueig_message (ctx));
      measure_set (type, bad[k].matrix, 4, was);
    }
  o.method = "geev";
  CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_BAD_OPTION, "a method: %s",
         gpueig_message (ctx));
  o.method = "auto";
  o.backend = GPUEIG_MPI;
  CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_BAD_OPTION, "\"mpi\": %s",
         gpueig_message (ctx));
  o.backend = GPUEIG_CUDA;
  CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_NO_DEVICE, "\"cuda\": %s",
         gpueig_message (ctx));
  any_problem other = p;
  other.solver = &solvers[SOLVE_COMPLEX];
  CHECK (solve_problem (ctx, &other, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "gpueig_complex_eig: %s", gpueig_message (ctx));
  other = p;
  other.n = -1;
  CHECK (solve_problem (ctx, &other, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "order -1: %s", gpueig_message (ctx));
  other.n = 0;
  CHECK (solve_problem (ctx, &other, &options, NULL) == GPUEIG_OK, "order 0");
}

static int polls, stop_at;

static int
interrupted (void *data)
{
  (void) data;
  return ++polls == stop_at;
}

/* A large page and a stack.  */
static void
test_interrupts (gpueig_type type, int64_t n, int64_t pages)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, 3, USUAL),
              q = begin (type, n, pages, 3, USUAL);
  for (int64_t k = 0; k < pages; k++)
    copy_page (&q, k, &p, k);
  check_solve (ctx, &p, &options, NULL, "pairs");
  CHECK_FAILING_ALLOCATIONS (solve_problem (ctx, &q, &options, NULL),
                             "failing allocations, %s", p.what);
  gpueig_set_callbacks (ctx, &(gpueig_callbacks){ .interrupted = interrupted });
  stop_at = 1;
  polls = 0;
  CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_INTERRUPTED,
         "interrupted, %s", p.what);
  stop_at = 0;
  CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_OK
             && same_values (&p, &q) && same_vectors (&p, &q),
         "with a callback, %s", p.what);
  gpueig_set_callbacks (ctx, NULL);
}

int
main (void)
{
  static const int64_t orders[] = { 1, 2, 3, 8, 21, 64 };
  check_begin ("general_pairs");
  ctx = check_context (&options);
  options.backend = GPUEIG_AUTO;
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int k = 0; k < 3; k++)
          {
            test_pairs (type, orders[i], 1, (kind) k);
            test_pairs (type, orders[i], 5, (kind) k);
          }
      test_marked (type, 5, "0120211");
      test_marked (type, 33, "1021");
      test_marked (type, 5, "2202");
      test_marked (type, 4, "2");
      test_marked (type, 4, "111");
      test_errors (type);
      test_interrupts (type, 9, 40);
    }
  test_interrupts (GPUEIG_DOUBLE, 310, 1);
  gpueig_destroy (ctx);
  return check_end ();
}
