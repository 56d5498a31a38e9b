/* Claims about gpueig_eig_general with B, for all types. Data on a GPU: test_place.c. Octave's
   results: gpu_eig.m.
   pairs_have_small_residuals: right and left vectors have small residuals and the scale of
     LAPACK's, eigenvalues alone are the same; also where B is singular, with infinite
     eigenvalues, and where A and B have a common null vector, with NaN
   marked_definite_pages_are_real: marked pages with a definite B have real eigenvalues and the
     same vectors twice, the others the bits that they have without marks
   insolvable_pairs_are_refused: what cannot be solved is refused
   interrupts_and_allocations_are_reported: failing allocations and interrupts are reported, and
     a page that can be interrupted has the bits of one that cannot
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <complex.h>
#include <string.h>

static measure_random rng = { 43 };

typedef enum
{
  USUAL,
  SINGULAR, /* a column of B is zero */
  NO_PENCIL /* the same one of A, too */
} kind;

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages, kind what)
{
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, pages, 3);
  p.b = check_array (type, n * n * pages);
  for (int64_t k = 0; k < 2 * n * n * pages; k++)
    {
      const int zero
          = k / 2 / n % n == n / 2 && what >= (k % 2 ? SINGULAR : NO_PENCIL);
      measure_set (type, k % 2 ? p.b : p.a, k / 2,
                   zero ? 0
                        : measure_normal (&rng) + I * measure_normal (&rng));
    }
  return p;
}

static double _Complex value (const any_problem *p, int64_t j)
{
  return measure_get (p->values, p->lambda, j);
}

static int
is_infinite (double _Complex x)
{
  return isinf (creal (x)) || isinf (cimag (x));
}

/* The residual of vector J of all pages, right or LEFT, in units of
   eps (|beta| |A| + |alpha| |B|) |v|; *SCALE: its largest |re| + |im|.  */
static double
residual (const any_problem *p, int left, int64_t j, double *scale)
{
  const char *v = left ? p->w : p->v;
  const int64_t n = p->n, page = j / n * n * n;
  const double _Complex x = value (p, j), alpha = ! (cabs (x) <= 1) ? 1 : x,
                        beta = is_infinite (x) ? 0
                               : alpha == x    ? 1
                                               : 1 / x;
  double error = 0, length = 0, size = 0;
  *scale = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double _Complex sum = 0;
      const double _Complex vi = measure_get (p->vectors, v, i + n * j);
      for (int64_t k = 0; k < n; k++)
        {
          const int64_t at = page + (left ? k + n * i : i + n * k);
          const double _Complex y = beta * measure_get (p->type, p->a, at),
                                z = alpha * measure_get (p->type, p->b, at);
          sum += (left ? conj (y - z) : y - z)
                 * measure_get (p->vectors, v, k + n * j);
          size += cabs (y) + cabs (z);
        }
      error += cabs (sum);
      length += cabs (vi);
      *scale = fmax (*scale, fabs (creal (vi)) + fabs (cimag (vi)));
    }
  return error == 0 ? 0 : error / (size * length * measure_eps (p->type));
}

/* Every vector, but of eigenvalues that are NaN; pages of KINDS (or NULL) that are '1' have
   another scale.  */
static void
check_vectors (const any_problem *p, const char *kinds)
{
  double worst = 0, most = 0, scale;
  for (int64_t k = 0; k < 2 * p->n * p->pages; k++)
    if (is_infinite (value (p, k / 2)) || ! isnan (cabs (value (p, k / 2))))
      {
        worst = worst_of (worst, residual (p, k % 2, k / 2, &scale));
        if (! kinds || kinds[k / 2 / p->n] != '1')
          most = worst_of (most, fabs (scale - 1));
      }
  CHECK_RATIO (worst, LIMIT_GENERAL, "residuals, %s", p->what);
  CHECK_RATIO (most / measure_eps (p->type), 8, "scale, %s", p->what);
}

static void
pairs_have_small_residuals (gpueig_type type, int64_t n, int64_t pages,
                            kind what)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, what), q = copy_problem (&p);
  any_problem alone = q;
  double worst = 0;
  int64_t infinite = 0, none = 0;
  alone.v = alone.w = NULL;
  check_solve (ctx, &p, &options, NULL, "pairs of kind %d", (int) what);
  check_solve (ctx, &alone, &options, NULL, "their values");
  check_vectors (&p, NULL);
  for (int64_t j = 0; j < n * pages; j++)
    {
      const double _Complex x = value (&p, j), y = value (&q, j);
      infinite += is_infinite (x);
      none += ! is_infinite (x) && isnan (cabs (x));
      if (isfinite (cabs (x)))
        worst = worst_of (worst, cabs (x - y) / (1 + cabs (x * y)));
    }
  CHECK_RATIO (worst / measure_eps (type), 1e4, "values alone, %s", p.what);
  CHECK (infinite == (what == SINGULAR ? pages : 0)
             && none == (what == NO_PENCIL ? pages : 0),
         "%d infinite, %d NaN, %s", (int) infinite, (int) none, p.what);
  CHECK (strcmp (p.info.method, "qz") == 0
             && strcmp (p.info.backend, "cpu") == 0,
         "%s on %s, %s", p.info.method, p.info.backend, p.what);
}

/* Pages '0' are general, '1' definite, '2' symmetric with B that is not definite.  */
static void
marked_definite_pages_are_real (gpueig_type type, int64_t n, const char *kinds)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, (int64_t) strlen (kinds), USUAL);
  unsigned char marks[8];
  for (int64_t k = 0; k < p.pages; k++)
    {
      char *const b = page_of (type, p.b, n * n, k);
      marks[k] = kinds[k] != '0';
      if (! marks[k])
        continue;
      measure_random_symmetric (&rng, type, n, a_page (&p, k));
      measure_random_symmetric (&rng, type, n, b);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, b, (n + 1) * i,
                     kinds[k] == '1' ? 4.0 * (double) n : -1.0);
    }
  CLEANUP (free_problem) any_problem q = copy_problem (&p);
  check_solve (ctx, &q, &options, NULL, "pages %s", kinds);
  p.marks = marks;
  check_solve (ctx, &p, &options, NULL, "pages %s, marked", kinds);
  check_vectors (&p, kinds);
  for (int64_t k = 0; k < p.pages; k++)
    {
      int good = kinds[k] == '1' || same_page (&p, k, &q, k);
      for (int64_t i = 0; kinds[k] == '1' && i < n * n; i++)
        good &= cimag (value (&p, n * k + i % n)) == 0
                && measure_get (p.vectors, p.v, n * n * k + i)
                       == measure_get (p.vectors, p.w, n * n * k + i);
      CHECK (good, "page %d, %s", (int) k + 1, p.what);
    }
}

static void
insolvable_pairs_are_refused (gpueig_type type)
{
  static const gpueig_status status[]
      = { GPUEIG_NONFINITE,    GPUEIG_NONFINITE, GPUEIG_BAD_OPTION,
          GPUEIG_BAD_OPTION,   GPUEIG_NO_DEVICE, GPUEIG_BAD_ARGUMENT,
          GPUEIG_BAD_ARGUMENT, GPUEIG_OK };
  for (int k = 0; k < 8; k++)
    {
      CLEANUP (free_problem) any_problem p = begin (type, 3, 2, USUAL);
      any_problem q = p;
      gpueig_options o = options;
      if (k < 2)
        measure_set (type, k ? p.b : p.a, 4, k ? (double) NAN : INFINITY);
      o.method = k == 2 ? "geev" : "auto";
      o.backend = k == 3 ? GPUEIG_MPI : k == 4 ? GPUEIG_CUDA : o.backend;
      q.solver = &solvers[k == 5 ? SOLVE_COMPLEX : SOLVE_EIG_GENERAL];
      q.n = k == 6 ? -1 : k == 7 ? 0 : 3;
      CHECK (solve_problem (ctx, &q, &o, NULL) == status[k]
                 && (k >= 2 || gpueig_message (ctx)[0] == "AB"[k]),
             "error %d: %s", k, gpueig_message (ctx));
    }
}

static void
interrupts_and_allocations_are_reported (gpueig_type type, int64_t n,
                                         int64_t pages)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, USUAL), q = copy_problem (&p);
  check_solve (ctx, &p, &options, NULL, "pairs");
  CHECK_FAILING_ALLOCATIONS (solve_problem (ctx, &q, &options, NULL),
                             "failing allocations, %s", p.what);
  check_interrupt_at (ctx, 1);
  CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_INTERRUPTED,
         "interrupted, %s", p.what);
  check_interrupt_at (ctx, INT64_MAX);
  CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_OK,
         "not interrupted, %s", p.what);
  CHECK (same_values (&p, &q) && same_vectors (&p, &q), "bits, %s", p.what);
  check_interrupt_at (ctx, 0);
}

int
main (void)
{
  static const int64_t orders[] = { 1, 2, 3, 8, 21, 64 };
  begin_test ("general_pairs");
  options.backend = GPUEIG_AUTO;
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int i = 0; i < 36; i++)
        pairs_have_small_residuals (type, orders[i / 6], i % 2 ? 5 : 1,
                                    (kind) (i / 2 % 3));
      marked_definite_pages_are_real (type, 5, "0120211");
      marked_definite_pages_are_real (type, 33, "1021");
      marked_definite_pages_are_real (type, 5, "2202");
      marked_definite_pages_are_real (type, 4, "2");
      marked_definite_pages_are_real (type, 4, "111");
      insolvable_pairs_are_refused (type);
      interrupts_and_allocations_are_reported (type, 9, 40);
    }
  interrupts_and_allocations_are_reported (GPUEIG_DOUBLE, 310, 1);
  return end_test ();
}
