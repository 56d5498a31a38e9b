/* Claims, for gpueig_schur and for method "qr" of gpueig_eig_general on the backend
   under test: U S U' is A, U is unitary and S has the documented form to the last
   bit, for matrices that are known to be hard, on both sides of every switch of the
   order; eigenvectors pass LAPACK's bars; the same call gives the same bits; a page
   does not depend on its neighbours, "qr" of stacks of gpueig_complex_eig included;
   pages for which the GPU's iteration fails are solved by LAPACK, with info->fallback;
   after failing allocations the next call succeeds.

   test_schur ORDER KIND: up to this order, and of these matrices only.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general_matrices.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static int on_gpu;

/* With WIDEN U and S are complex.  */
static any_problem
begin (gpueig_type type, int widen, int64_t n, int64_t pages)
{
  any_problem p = make_problem (&solvers[SOLVE_SCHUR], type, n, pages, 2);
  if (widen)
    {
      free (p.v);
      free (p.w);
      p.vectors = complex_type (type);
      p.v = check_array (p.vectors, n * n * pages);
      p.w = check_array (p.vectors, n * n * pages);
    }
  return p;
}

/* Is page PAGE of S exactly of the documented form?  */
static int
has_form (const any_problem *p, int64_t page)
{
  const int64_t n = p->n, at = page * n * n;
  int good = 1, before = 0;
  for (int64_t j = 0; j < n; j++)
    {
      for (int64_t i = j + 2; i < n; i++)
        good &= measure_get (p->vectors, p->w, at + i + n * j) == 0;
      if (j + 1 == n)
        break;
      const double complex low
          = measure_get (p->vectors, p->w, at + j + 1 + n * j);
      if (low == 0)
        {
          before = 0;
          continue;
        }
      const double complex up
          = measure_get (p->vectors, p->w, at + j + n * (j + 1));
      good &= ! gpueig_is_complex (p->vectors) && ! before && creal (up) != 0
              && (creal (low) < 0) != (creal (up) < 0)
              && measure_get (p->vectors, p->w, at + j + n * j)
                     == measure_get (p->vectors, p->w, at + (j + 1) * (n + 1));
      before = 1;
    }
  return good;
}

/* The form and the errors of all pages.  */
static void
check_pages (const any_problem *p)
{
  int good = 1;
  for (int64_t k = 0; k < p->pages; k++)
    good &= has_form (p, k);
  CHECK (good, "the form, %s", p->what);
  check_errors (p, USUAL_NONE);
}

static double
frobenius (gpueig_type type, int64_t count, const char *x)
{
  double sum = 0;
  for (int64_t i = 0; i < count; i++)
    {
      const double size = cabs (measure_get (type, x, i));
      sum += size * size;
    }
  return sqrt (sum);
}

/* --- claims about Schur forms --- */

static void
test_form (gpueig_type type, int widen, int kind, int64_t n)
{
  measure_random r = { (uint64_t) (100 * n + kind) };
  const char *name = general_names[kind];
  CLEANUP (free_problem)
  any_problem p = begin (type, widen, n, 1), again = begin (type, widen, n, 1);
  general_matrix (&r, kind, type, n, p.a);
  copy_page (&again, 0, &p, 0);
  if (! check_solve (ctx, &p, &options, NULL, "%s", name))
    return;
  check_pages (&p);
  check_solve (ctx, &again, &options, NULL, "%s again", name);
  CHECK (same_vectors (&p, &again), "the same bits, %s", p.what);
  CHECK (p.info.fallback[0] == '\0', "no page is for %s, %s", p.info.fallback,
         p.what);
  any_problem alone = again;
  alone.v = NULL;
  check_solve (ctx, &alone, &options, NULL, "%s without U", name);
  const double norm = frobenius (type, n * n, p.a);
  CHECK (has_form (&alone, 0), "the form, %s", alone.what);
  CHECK_RATIO (fabs (frobenius (p.vectors, n * n, alone.w) - norm)
                   / ((norm > 0 ? norm : 1) * (double) n * measure_eps (type)),
               LIMIT_GENERAL, "the norm of S, %s", alone.what);
}

/* Pages of any size have the results of one page alone.  */
static void
test_pages (gpueig_type type, int64_t n)
{
  measure_random r = { 7 };
  CLEANUP (free_problem)
  any_problem p = begin (type, 0, n, 3), one = begin (type, 0, n, 1);
  const double factors[3] = { 1, 0x1p90, 0x1p-90 };
  int same = 1;
  for (int64_t k = 0; k < 3 * n * n; k++)
    measure_set (type, p.a, k, factors[k / (n * n)] * measure_normal (&r));
  check_solve (ctx, &p, &options, NULL, "pages");
  check_pages (&p);
  for (int k = 0; k < 3; k++)
    {
      copy_page (&one, 0, &p, k);
      check_solve (ctx, &one, &options, NULL, "a page");
      same &= same_page (&one, 0, &p, k);
    }
  CHECK (same, "a page alone has the same bits, %s", p.what);
}

/* One deflation window is not enough for this order.  */
static void
test_forced_failure (gpueig_type type)
{
  measure_random r = { 3 };
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, 0, 97, 1);
  general_matrix (&r, 0, type, p.n, p.a);
  o.max_sweeps = 1;
  check_solve (ctx, &p, &o, NULL, "forced failure");
  check_pages (&p);
  CHECK (strcmp (p.info.fallback, on_gpu ? "gees" : "") == 0,
         "LAPACK finishes what the iteration does not: \"%s\", %s",
         p.info.fallback, p.what);
}

static void
test_failing_allocations (void)
{
  measure_random r = { 5 };
  CLEANUP (free_problem) any_problem p = begin (GPUEIG_DOUBLE, 1, 20, 2);
  general_matrix (&r, 0, p.type, p.n, a_page (&p, 0));
  general_matrix (&r, 0, p.type, p.n, a_page (&p, 1));
  CHECK_FAILING_ALLOCATIONS (solve_problem (ctx, &p, &options, NULL),
                             "failing allocations: %s", gpueig_message (ctx));
  check_solve (ctx, &p, &options, NULL, "after them");
  check_pages (&p);
}

/* --- claims about method "qr" --- */

static void
test_vectors (gpueig_type type, int kind, int64_t n, int64_t max_sweeps)
{
  measure_random r = { (uint64_t) (100 * n + kind) };
  const any_solver *general = &solvers[SOLVE_EIG_GENERAL];
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (general, type, n, 1, 3),
              again = make_problem (general, type, n, 1, 3);
  o.max_sweeps = max_sweeps;
  general_matrix (&r, kind, type, n, p.a);
  copy_page (&again, 0, &p, 0);
  check_solve (ctx, &p, &o, "qr", "%s", general_names[kind]);
  check_solve (ctx, &again, &o, "qr", "%s again", general_names[kind]);
  CHECK (strcmp (p.info.method, "qr") == 0, "\"%s\" ran, %s", p.info.method,
         p.what);
  check_errors (&p, (usual_errors){ .residual = USUAL_QR });
  CHECK (same_vectors (&p, &again), "the same bits, %s", p.what);
  CHECK (strcmp (p.info.fallback, on_gpu && max_sweeps > 0 ? "geevx" : "") == 0,
         "\"%s\" finished, %s", p.info.fallback, p.what);
}

/* Nonzero if the eigenvalues LAMBDA ascend by real parts, of which close ones count as
   equal, see core/complex_eig/order.h.  */
static int
is_ascending (gpueig_type pair, int64_t n, const char *lambda)
{
  double equal = 0;
  int sorted = 1;
  for (int64_t i = 0; i < n; i++)
    equal = fmax (equal, cabs (measure_get (pair, lambda, i)));
  equal *= 8 * sqrt ((double) n) * (double) n * measure_eps (pair);
  for (int64_t i = 0; i + 1 < n; i++)
    sorted &= creal (measure_get (pair, lambda, i))
              <= creal (measure_get (pair, lambda, i + 1)) + equal;
  return sorted;
}

/* Stacks of method "qr" of gpueig_complex_eig: each page passes the bars and has the
   bits that it has in another position and alone; pages that reach the GPU's limit of
   sweeps are solved by LAPACK; real pages have exact pairs.  PAGES pages of all kinds.  */
static void
test_stack (gpueig_type type, int64_t n, int64_t pages, int64_t max_sweeps)
{
  measure_random r = { (uint64_t) (10 * n + pages) };
  const any_solver *solver = &solvers[SOLVE_COMPLEX];
  const int64_t fewer = pages - pages / 3;
  gpueig_options o = options;
  int same = 1, sorted = 1;
  CLEANUP (free_problem)
  any_problem all = make_problem (solver, type, n, pages, 3),
              part = make_problem (solver, type, n, fewer, 3);
  o.max_sweeps = max_sweeps;
  for (int64_t p = 0; p < pages; p++)
    {
      general_matrix (&r, (int) (p % GENERAL_HARD), type, n, a_page (&all, p));
      /* The other way round.  */
      if (pages - 1 - p < fewer)
        copy_page (&part, pages - 1 - p, &all, p);
    }
  for (int k = 0; k < 2; k++)
    {
      any_problem *p = k ? &part : &all;
      check_solve (ctx, p, &o, "qr", "all kinds");
      CHECK (strcmp (p->info.method, "qr") == 0
                 && strcmp (p->info.fallback,
                            on_gpu && max_sweeps > 0 ? "geev" : "")
                        == 0,
             "\"%s\" ran, \"%s\" finished, %s", p->info.method,
             p->info.fallback, p->what);
    }
  for (int64_t p = 0; p < pages; p++)
    {
      same &= pages - 1 - p >= fewer
              || same_page (&all, p, &part, pages - 1 - p);
      sorted &= is_ascending (all.values, n,
                              page_of (all.values, all.lambda, n, p));
    }
  CHECK (same, "a page's bits do not depend on the others, %s", all.what);
  CHECK (sorted, "the order, %s", all.what);
  check_errors (&all, USUAL_NONE);
}

int
main (int count, char **words)
{
  /* Windows have up to 64 rows; on the CPU matrices up to 256 are one.  */
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 16, 33, 63, 64, 65, 66, 97, 128, 140, 257, 330 };
  static const int64_t stacks[]
      = { 1, 2, 3, 4, 5, 8, 11, 16, 31, 32, 33, 48, 64, 65, 96, 97, 128 };
  const int64_t most = count > 1 ? atoi (words[1]) : 1000;
  const int only = count > 2 ? atoi (words[2]) : -1;
  check_begin ("schur");
  ctx = check_context (&options);
  on_gpu = options.backend == GPUEIG_CUDA;
  const int all = getenv ("GPUEIG_TEST_LONG") != NULL;
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int k = 0; k < GENERAL_HARD && orders[i] <= most; k++)
          {
            /* of the larger ones some kinds */
            const int some = (orders[i] > 200  ? 6
                              : orders[i] > 20 ? 3
                                               : 1)
                             * (all || orders[i] < 20 ? 1 : 2);
            if (only < 0 ? (k + (int) i + t) % some != 0 || ! check_turn (3)
                         : k != only)
              continue;
            test_form (type, 0, k, orders[i]);
            test_vectors (type, k, orders[i], 0);
          }
      if (! gpueig_is_complex (type))
        for (int k = 0; k < GENERAL_HARD; k++)
          test_form (type, 1, k, 12);
      test_pages (type, 11);
      for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++)
        /* of the larger ones a type each */
        if (stacks[i] <= most && only < 0
            && (all || stacks[i] < 10 || (i + (size_t) t) % 4 == 0))
          test_stack (type, stacks[i], 3 * GENERAL_HARD, 0);
      test_stack (type, 12, 40, 1);
      if (most >= 97)
        {
          test_forced_failure (type);
          test_vectors (type, 0, 97, 1);
        }
    }
  test_failing_allocations ();
  gpueig_destroy (ctx);
  return check_end ();
}
