/* Claims, for gpueig_schur and for method "qr" of gpueig_eig_general on the backend
   under test: U S U' is A, U is unitary and S has the documented form to the last
   bit, for matrices that are known to be hard, on both sides of every switch of the
   order; eigenvectors pass LAPACK's bars; the same call gives the same bits; a page
   does not depend on its neighbours, "qr" of stacks of gpueig_complex_eig included;
   pages for which the GPU's iteration fails are solved by LAPACK, with info->fallback;
   errors are reported; after failing allocations the next call succeeds.

   test_schur ORDER KIND: up to this order, and of these matrices only.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_schur.h"
#include "limits.h"
#include "schur_matrices.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_SCHUR 20.0 /* LAPACK's own, xCHKHS and xDRVES */

static gpueig_context *ctx;
static gpueig_options options;
static int on_gpu;

/* --- one problem --- */

typedef struct
{
  gpueig_type type, form; /* of A and of S */
  int64_t n, pages;
  char *a, *s, *u;
  gpueig_info info;
  gpueig_status status;
} solved;

static solved
begin (gpueig_type type, int widen, int64_t n, int64_t pages)
{
  solved p = { .type = type, .form = type, .n = n, .pages = pages };
  if (widen)
    p.form = complex_type (type);
  p.a = check_array (p.type, n * n * pages + 1);
  p.s = check_array (p.form, n * n * pages + 1);
  p.u = check_array (p.form, n * n * pages + 1);
  return p;
}

static void
end (solved *p)
{
  free (p->a);
  free (p->s);
  free (p->u);
}

static void
solve (solved *p, int vectors, int64_t max_sweeps)
{
  gpueig_options o = options;
  o.max_sweeps = max_sweeps;
  const gpueig_schur_problem problem = { .type = p->type,
                                         .n = p->n,
                                         .pages = p->pages,
                                         .a = p->a,
                                         .widen = p->form != p->type,
                                         .s = p->s,
                                         .u = vectors ? p->u : NULL };
  p->status = gpueig_schur (ctx, &problem, &o, &p->info);
}

/* Is page PAGE of S exactly of the documented form?  */
static int
has_form (const solved *p, int64_t page)
{
  const int64_t n = p->n, at = page * n * n;
  int good = 1, before = 0;
  for (int64_t j = 0; j < n; j++)
    {
      for (int64_t i = j + 2; i < n; i++)
        good &= measure_get (p->form, p->s, at + i + n * j) == 0;
      if (j + 1 == n)
        break;
      const double complex low
          = measure_get (p->form, p->s, at + j + 1 + n * j);
      if (low == 0)
        {
          before = 0;
          continue;
        }
      const double complex up
          = measure_get (p->form, p->s, at + j + n * (j + 1));
      good &= ! gpueig_is_complex (p->form) && ! before && creal (up) != 0
              && (creal (low) < 0) != (creal (up) < 0)
              && measure_get (p->form, p->s, at + j + n * j)
                     == measure_get (p->form, p->s, at + (j + 1) * (n + 1));
      before = 1;
    }
  return good;
}

/* |A U - U S| / (|A| n eps) in the 1-norm; 0 where both are 0.  */
static double
residual (const solved *p, int64_t page)
{
  const int64_t n = p->n, at = page * n * n;
  FREED double complex *x = check_memory (3 * n * n + n, sizeof *x);
  double complex *u = x + n * n, *s = u + n * n, *y = s + n * n;
  double norm = 0, worst = 0;
  for (int64_t e = 0; e < n * n; e++)
    {
      x[e] = measure_get (p->type, p->a, at + e);
      u[e] = measure_get (p->form, p->u, at + e);
      s[e] = measure_get (p->form, p->s, at + e);
    }
  for (int64_t j = 0; j < n; j++)
    {
      double column = 0, sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          column += cabs (x[i + n * j]);
          y[i] = 0;
        }
      for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
          y[i] += x[i + n * k] * u[k + n * j] - u[i + n * k] * s[k + n * j];
      for (int64_t i = 0; i < n; i++)
        sum += cabs (y[i]);
      norm = worst_of (norm, column);
      worst = worst_of (worst, sum);
    }
  return worst == 0 ? 0 : worst / (norm * (double) n * measure_eps (p->type));
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

static void
check_pages (const solved *p, const char *what)
{
  const int64_t n = p->n;
  CHECK (p->status == GPUEIG_OK, "%s, %s n=%d: %s", what,
         check_type_name[p->type], (int) n, gpueig_message (ctx));
  if (p->status != GPUEIG_OK)
    return;
  double error = 0, orthogonality = 0;
  int good = 1;
  for (int64_t k = 0; k < p->pages; k++)
    {
      const char *u
          = p->u + (size_t) (k * n * n) * gpueig_scalar_size (p->form);
      error = worst_of (error, residual (p, k));
      orthogonality
          = worst_of (orthogonality, measure_orthogonality (p->form, n, n, u));
      good &= has_form (p, k);
    }
  CHECK (good, "%s, %s n=%d: the form", what, check_type_name[p->type],
         (int) n);
  CHECK_RATIO (error, LIMIT_SCHUR, "%s, %s n=%d: A U - U S", what,
               check_type_name[p->type], (int) n);
  CHECK_RATIO (orthogonality, LIMIT_SCHUR, "%s, %s n=%d: U'U - I", what,
               check_type_name[p->type], (int) n);
}

/* --- claims about Schur forms --- */

static void
test_form (gpueig_type type, int widen, int kind, int64_t n)
{
  measure_random r = { (uint64_t) (100 * n + kind) };
  CLEANUP (end)
  solved p = begin (type, widen, n, 1), again = begin (type, widen, n, 1);
  const size_t bytes = (size_t) (n * n) * gpueig_scalar_size (p.form);
  make (&r, kind, type, n, p.a);
  memcpy (again.a, p.a, (size_t) (n * n) * gpueig_scalar_size (type));
  solve (&p, 1, 0);
  check_pages (&p, kinds[kind]);
  solve (&again, 1, 0);
  CHECK (memcmp (p.s, again.s, bytes) == 0 && memcmp (p.u, again.u, bytes) == 0,
         "%s, %s n=%d: the same bits", kinds[kind], check_type_name[type],
         (int) n);
  CHECK (p.info.fallback[0] == '\0', "%s, %s n=%d: no page is for %s",
         kinds[kind], check_type_name[type], (int) n, p.info.fallback);
  solve (&again, 0, 0);
  const double norm = frobenius (type, n * n, p.a);
  CHECK (again.status == GPUEIG_OK && has_form (&again, 0),
         "%s, %s n=%d: the form without U", kinds[kind], check_type_name[type],
         (int) n);
  CHECK_RATIO (fabs (frobenius (p.form, n * n, again.s) - norm)
                   / ((norm > 0 ? norm : 1) * (double) n * measure_eps (type)),
               LIMIT_SCHUR, "%s, %s n=%d: the norm of S without U", kinds[kind],
               check_type_name[type], (int) n);
}

/* Pages of any size have the results of one page alone.  */
static void
test_pages (gpueig_type type, int64_t n)
{
  measure_random r = { 7 };
  const size_t size = gpueig_scalar_size (type), square = (size_t) (n * n);
  CLEANUP (end) solved p = begin (type, 0, n, 3), one = begin (type, 0, n, 1);
  const double factors[3] = { 1, 0x1p90, 0x1p-90 };
  int same = 1;
  for (int k = 0; k < 3; k++)
    for (int64_t e = 0; e < n * n; e++)
      measure_set (type, p.a, k * n * n + e, factors[k] * measure_normal (&r));
  solve (&p, 1, 0);
  check_pages (&p, "pages");
  for (size_t k = 0; k < 3; k++)
    {
      memcpy (one.a, p.a + k * square * size, square * size);
      solve (&one, 1, 0);
      same &= ! memcmp (one.s, p.s + k * square * size, square * size)
              && ! memcmp (one.u, p.u + k * square * size, square * size);
    }
  CHECK (same, "%s n=%d: a page alone has the same bits", check_type_name[type],
         (int) n);
}

/* One deflation window is not enough for this order.  */
static void
test_forced_failure (gpueig_type type)
{
  measure_random r = { 3 };
  CLEANUP (end) solved p = begin (type, 0, 97, 1);
  make (&r, 0, type, p.n, p.a);
  solve (&p, 1, 1);
  check_pages (&p, "forced failure");
  CHECK (strcmp (p.info.fallback, on_gpu ? "gees" : "") == 0,
         "%s: LAPACK finishes what the iteration does not: \"%s\"",
         check_type_name[type], p.info.fallback);
}

static void
test_errors (void)
{
  measure_random r = { 5 };
  CLEANUP (end) solved p = begin (GPUEIG_DOUBLE, 1, 20, 2);
  make (&r, 0, p.type, p.n, p.a);
  make (&r, 0, p.type, p.n, p.a + 400 * sizeof (double));
  CHECK_FAILING_ALLOCATIONS ((solve (&p, 1, 0), p.status),
                             "failing allocations: %s", gpueig_message (ctx));
  solve (&p, 1, 0);
  check_pages (&p, "after them");
  measure_set (p.type, p.a, 401, NAN);
  solve (&p, 1, 0);
  CHECK (p.status == GPUEIG_NONFINITE, "NaN is told: %s", gpueig_message (ctx));
  p.n = 0;
  solve (&p, 1, 0);
  CHECK (p.status == GPUEIG_OK, "order 0: %s", gpueig_message (ctx));
}

/* --- claims about method "qr" --- */

static void
test_vectors (gpueig_type type, int kind, int64_t n, int64_t max_sweeps)
{
  measure_random r = { (uint64_t) (100 * n + kind) };
  const any_solver *general = &solvers[SOLVE_EIG_GENERAL];
  gpueig_options o = options;
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem p = make_problem (general, type, n, 1, 3),
              again = make_problem (general, type, n, 1, 3);
  o.method = "qr";
  o.max_sweeps = max_sweeps;
  make (&r, kind, type, n, p.a);
  memcpy (again.a, p.a, (size_t) (n * n) * gpueig_scalar_size (type));
  CHECK (solve_problem (ctx, &p, &o, &info) == GPUEIG_OK
             && solve_problem (ctx, &again, &o, &info) == GPUEIG_OK
             && strcmp (info.method, "qr") == 0,
         "%s, %s, %s n=%d: %s", info.method, kinds[kind], check_type_name[type],
         (int) n, gpueig_message (ctx));
  check_general (measure_general (type, n, p.a, p.v, p.w, p.lambda), n,
                 USUAL_QR, "qr, %s, %s n=%d", kinds[kind],
                 check_type_name[type], (int) n);
  CHECK (same_vectors (&p, &again), "qr, %s, %s n=%d: the same bits",
         kinds[kind], check_type_name[type], (int) n);
  CHECK (strcmp (info.fallback, on_gpu && max_sweeps > 0 ? "geevx" : "") == 0,
         "qr, %s, %s n=%d: \"%s\" finished", kinds[kind], check_type_name[type],
         (int) n, info.fallback);
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
  gpueig_info info = { 0 };
  int same = 1, sorted = 1;
  CLEANUP (free_problem)
  any_problem all = make_problem (solver, type, n, pages, 3),
              part = make_problem (solver, type, n, fewer, 3);
  o.method = "qr";
  o.max_sweeps = max_sweeps;
  for (int64_t p = 0; p < pages; p++)
    {
      char *a = page_of (type, all.a, n * n, p);
      make (&r, (int) (p % KINDS), type, n, a);
      /* The other way round.  */
      if (pages - 1 - p < fewer)
        memcpy (page_of (type, part.a, n * n, pages - 1 - p), a,
                (size_t) (n * n) * gpueig_scalar_size (type));
    }
  for (int k = 0; k < 2; k++)
    CHECK (solve_problem (ctx, k ? &part : &all, &o, &info) == GPUEIG_OK
               && strcmp (info.method, "qr") == 0
               && strcmp (info.fallback, on_gpu && max_sweeps > 0 ? "geev" : "")
                      == 0,
           "stack, %s n=%d: by \"%s\", \"%s\" finished: %s",
           check_type_name[type], (int) n, info.method, info.fallback,
           gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p++)
    {
      same &= pages - 1 - p >= fewer
              || same_page (&all, p, &part, pages - 1 - p);
      sorted &= is_ascending (all.values, n,
                              page_of (all.values, all.lambda, n, p));
    }
  CHECK (same, "stack, %s n=%d: a page's bits do not depend on the others",
         check_type_name[type], (int) n);
  CHECK (sorted, "stack, %s n=%d: the order", check_type_name[type], (int) n);
  CHECK_RATIO (problem_ratio (&all), 1, "stack, %s n=%d: residual, length",
               check_type_name[type], (int) n);
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
        for (int k = 0; k < KINDS && orders[i] <= most; k++)
          {
            /* of the larger ones some kinds */
            const int some = orders[i] > 200 ? 6 : orders[i] > 20 ? 3 : 1;
            if (only < 0 ? (k + (int) i + t) % some != 0 || ! check_turn (3)
                         : k != only)
              continue;
            test_form (type, 0, k, orders[i]);
            test_vectors (type, k, orders[i], 0);
          }
      if (! gpueig_is_complex (type))
        for (int k = 0; k < KINDS; k++)
          test_form (type, 1, k, 12);
      test_pages (type, 11);
      for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++)
        /* of the larger ones a type each */
        if (stacks[i] <= most && only < 0
            && (all || stacks[i] < 10 || (i + (size_t) t) % 4 == 0))
          test_stack (type, stacks[i], 3 * KINDS, 0);
      test_stack (type, 12, 40, 1);
      if (most >= 97)
        {
          test_forced_failure (type);
          test_vectors (type, 0, 97, 1);
        }
    }
  test_errors ();
  gpueig_destroy (ctx);
  return check_end ();
}
