/* Claims about gpueig_eig_symmetric with B on the backend under test. Scaled pairs: front.tst;
   interrupts, failing allocations: check_interrupt.sh, faults.tst.
   indefinite_pages_change_no_others: pages whose B is not definite are reported and do not
     change the others; a page's bits do not depend on its neighbours; parts of the spectrum too
   well_conditioned_pages_are_solved: all eigenpairs of well-conditioned pages pass the bars
   nearly_singular_b_has_small_errors: where B is a kernel matrix with condition numbers to 1e13
     every column has a small error in its own norm, and so have the products of two, for a random
     A, the identity, one of eigenvalues 1 and -1, and one of rank 3; from order 128 on a GPU leaves
     nothing to the CPU, but for the last
   units_are_taken_out: for pairs D A D, D B D with a large spread of D a GPU leaves nothing to
     the CPU
   overflowing_pages_change_no_others: a page whose reduced matrix has elements beyond the range
     does not change the others
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Page PAGE of P, a pair with B of kind WHAT.  */
static void
make_page (measure_random *r, any_problem *p, int64_t page, kind what)
{
  const gpueig_type type = p->type;
  const int64_t n = p->n;
  const double reg = gpueig_is_double (type) ? 1e-9 : 1e-4;
  char *b = page_of (type, p->b, n * n, page);
  measure_random_symmetric (r, type, n, a_page (p, page));
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

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages)
{
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, n, pages, 2);
  p.b = check_array (type, n * n * pages);
  return p;
}

/* The largest columnwise error of all pages.  */
static double
column_error (const any_problem *p)
{
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    worst = worst_of (worst, page_errors (p, page, p->n).right);
  return worst;
}

/* A stack with random kinds, solved, and solved again with its pages in another order and
   with other kinds beside the first.  */
static void
indefinite_pages_change_no_others (measure_random *r, gpueig_type type,
                                   int64_t n, int64_t first, int64_t last)
{
  enum
  {
    PAGES = 6
  };
  int indefinite[PAGES], again[PAGES];
  kind what[PAGES];
  CLEANUP (free_problem)
  any_problem p = begin (type, n, PAGES), q = begin (type, n, PAGES);
  p.first = q.first = first;
  p.last = q.last = last;
  p.indefinite = indefinite;
  q.indefinite = again;
  for (int k = 0; k < PAGES; k++)
    {
      /* At least two of the usual kind, which are solved as a stack.  */
      what[k] = k < 2 ? USUAL : random_kind (r);
      make_page (r, &p, k, what[k]);
    }
  check_solve (ctx, &p, &options, NULL, "pairs");
  for (int k = 0; k < PAGES; k++)
    CHECK (what[k] == INDEFINITE
               ? indefinite[k] > 0 && indefinite[k] <= n / 2 + 1
               : indefinite[k] == 0,
           "page %d of kind %d: minor %d", k + 1, (int) what[k], indefinite[k]);
  /* The pages in reverse order; pages that were not usual get another kind.  */
  for (int k = 0; k < PAGES; k++)
    if (k > 3)
      make_page (r, &q, PAGES - 1 - k, random_kind (r));
    else
      copy_page (&q, PAGES - 1 - k, &p, k);
  check_solve (ctx, &q, &options, NULL, "pairs with other neighbours");
  for (int k = 0; k < 4; k++)
    CHECK (indefinite[k] == again[PAGES - 1 - k]
               && (indefinite[k] || same_page (&p, k, &q, PAGES - 1 - k)),
           "state and bits of page %d, %s", k + 1, q.what);
  q.indefinite = NULL;
  q.pages = 1;
  make_page (r, &q, 0, INDEFINITE);
  CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_NOT_DEFINITE,
         "without flags an indefinite B is a failure");
}

/* All eigenpairs of well-conditioned pages.  */
static void
well_conditioned_pages_are_solved (measure_random *r, gpueig_type type,
                                   int64_t n, int64_t pages)
{
  CLEANUP (free_problem) any_problem p = begin (type, n, pages);
  for (int64_t k = 0; k < pages; k++)
    make_page (r, &p, k, USUAL);
  check_solve (ctx, &p, &options, NULL, "well-conditioned pairs");
  check_errors (&p, USUAL_EIG);
}

typedef enum
{
  RANDOM_A,
  IDENTITY_A,
  EXCHANGE_A,
  RANK_3_A,
  KINDS_OF_A
} kind_of_a;

static void
make_a (any_problem *p, kind_of_a what)
{
  const int64_t n = p->n;
  for (int64_t j = 0; j < n && what != RANDOM_A; j++)
    for (int64_t i = 0; i < n; i++)
      {
        double x = what == IDENTITY_A ? i == j : i + j == n - 1;
        for (int k = 1; k <= 3 && what == RANK_3_A; k++)
          x = (k > 1 ? x : 0)
              + sin ((double) (k * i * i)) * sin ((double) (k * j * j));
        measure_set (p->type, a_page (p, 0), i + n * j, x);
      }
}

/* One page whose B is a kernel matrix with condition numbers to 1e13: every column, and every two,
   have small errors in their own norms, and a GPU leaves nothing to the CPU, but below order 128
   and where A has a null space near that of B.  */
static void
nearly_singular_b_has_small_errors (measure_random *r, gpueig_type type,
                                    int64_t n, kind_of_a what)
{
  const double most = gpueig_is_double (type) ? 1e-12 : 1e-4;
  for (double reg = what == RANDOM_A ? 1e-2 : 100 * most; reg >= most;
       reg /= 100)
    {
      CLEANUP (free_problem) any_problem p = begin (type, n, 1);
      make_page (r, &p, 0, ILL_CONDITIONED);
      make_a (&p, what);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, p.b, (n + 1) * i, 1 + reg);
      check_solve (ctx, &p, &options, NULL,
                   "ill-conditioned pair, A %d, reg %g", (int) what, reg);
      CHECK (n < 128 || what == RANK_3_A || p.info.fallback[0] == '\0',
             "%s: %s", p.what, p.info.fallback);
      CHECK_RATIO (column_error (&p), LIMIT_RESIDUAL, "columns, %s", p.what);
      CHECK_RATIO (measure_pair_products (type, n, p.b, p.v),
                   LIMIT_ORTHOGONALITY, "V' B V = I, %s", p.what);
      any_problem part = p;
      FREED char *lambda = check_array (type, n);
      part.lambda = lambda;
      part.first = 1 + n / 3;
      part.last = n / 2;
      check_solve (ctx, &part, &options, NULL, "a part");
      CHECK (same_bits (p.values, lambda, 0, p.lambda, part.first - 1,
                        part.last - part.first + 1),
             "the bits of a part, %s", p.what);
    }
}

/* Pairs D A D, D B D with well-conditioned B and D of a large spread: units, which are taken out,
   so that a GPU leaves nothing to the CPU.  */
static void
units_are_taken_out (measure_random *r, gpueig_type type, int64_t n)
{
  enum
  {
    PAGES = 2
  };
  const double spread = gpueig_is_double (type) ? 56 : 18;
  CLEANUP (free_problem) any_problem p = begin (type, n, PAGES);
  for (int64_t page = 0; page < PAGES; page++)
    {
      char *const x[2]
          = { a_page (&p, page), page_of (type, p.b, n * n, page) };
      make_page (r, &p, page, USUAL);
      for (int64_t k = 0; k < 2 * n * n; k++)
        {
          const int64_t i = k / 2 % n, j = k / 2 / n;
          const double to = spread * (double) (i + j) / (double) (n - 1);
          measure_set (type, x[k % 2], k / 2,
                       measure_get (type, x[k % 2], k / 2)
                           * exp2 (rint (to - spread)));
        }
    }
  check_solve (ctx, &p, &options, NULL, "pairs with units");
  CHECK (! p.info.fallback[0], "%s are not left to the CPU: %s", p.what,
         p.info.fallback);
  CHECK_RATIO (column_error (&p), LIMIT_RESIDUAL, "columns, %s", p.what);
}

/* A page whose reduced matrix has elements beyond the range does not change the others.  */
static void
overflowing_pages_change_no_others (measure_random *r, gpueig_type type,
                                    int64_t n)
{
  enum
  {
    PAGES = 5,
    BAD = 2
  };
  int indefinite[PAGES];
  CLEANUP (free_problem) any_problem p = begin (type, n, PAGES);
  p.indefinite = indefinite;
  for (int k = 0; k < PAGES; k++)
    make_page (r, &p, k, USUAL);
  CLEANUP (free_problem) any_problem q = copy_problem (&p);
  char *b = page_of (type, q.b, n * n, BAD);
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (type, b, i, 0);
      measure_set (type, b, i * n, 0);
    }
  measure_set (type, b, 0, gpueig_is_double (type) ? 0x1p-1074 : 0x1p-149);
  check_solve (ctx, &p, &options, NULL, "pairs");
  const gpueig_status status = solve_problem (ctx, &q, &options, &q.info);
  CHECK (status == GPUEIG_OK
             || strstr (gpueig_message (ctx), "beyond the range"),
         "B with a subnormal eigenvalue, %s n=%d: %s", check_type_name[type],
         (int) n, gpueig_message (ctx));
  for (int k = 0; k < PAGES; k++)
    CHECK (k == BAD || same_page (&p, k, &q, k),
           "bits of page %d beside one that overflows, %s", k + 1, p.what);
}

/* All eigenpairs and a part of them, of orders up to LARGEST.  */
static void
parts_of_all_orders (measure_random *r, int64_t largest)
{
  static const int64_t orders[] = { 1, 2, 9, 20, 33, 70, 270 };
  for (gpueig_type t = 0; t < 4; t++)
    for (size_t i = 0; i < COUNT (orders) && orders[i] <= largest; i++)
      {
        const int64_t n = orders[i],
                      first = 1 + (int64_t) (measure_chance (r) * (double) n),
                      more
                      = (int64_t) (measure_chance (r) * (double) (n - first));
        if (check_turn (2))
          indefinite_pages_change_no_others (r, t, n, 1, n);
        if (check_turn (2))
          indefinite_pages_change_no_others (r, t, n, first, first + more);
      }
}

static void
stacks_of_random_sizes (measure_random *r, int count)
{
  for (int i = 0; i < count; i++)
    {
      const gpueig_type type = (gpueig_type) (i % 4);
      const int64_t n
          = 1 + (int64_t) (measure_chance (r) * (i % 5 < 3 ? 33 : 160));
      const int64_t pages
          = 1 + (int64_t) (measure_chance (r) * (n < 34 ? 40 : 5));
      const int64_t first = 1 + (int64_t) (measure_chance (r) * (double) n);
      if (! check_turn (3))
        continue;
      well_conditioned_pages_are_solved (r, type, n, pages);
      indefinite_pages_change_no_others (r, type, n, i % 3 ? 1 : first, n);
    }
}

/* test_pairs [LARGEST-ORDER quick]: quick is small enough for a sanitizer.  */
int
main (int argc, char **argv)
{
  const int64_t largest = argc > 2 ? atoi (argv[1]) : 270;
  measure_random r = { 14 };
  begin_test ("pairs");
  parts_of_all_orders (&r, largest);
  if (argc > 2)
    {
      nearly_singular_b_has_small_errors (&r, GPUEIG_DOUBLE, largest, RANDOM_A);
      nearly_singular_b_has_small_errors (&r, GPUEIG_COMPLEX_FLOAT, largest,
                                          RANDOM_A);
      return end_test ();
    }
  stacks_of_random_sizes (&r, getenv ("GPUEIG_TEST_LONG") ? 48 : 24);
  /* Large pages of a stack are solved side by side.  */
  well_conditioned_pages_are_solved (&r, GPUEIG_DOUBLE, 410, 2);
  indefinite_pages_change_no_others (&r, GPUEIG_DOUBLE, 410, 1, 410);
  for (gpueig_type t = 0; t < 4; t++)
    {
      for (kind_of_a what = RANDOM_A; what < KINDS_OF_A; what++)
        {
          nearly_singular_b_has_small_errors (&r, t, 45, what);
          nearly_singular_b_has_small_errors (&r, t, 160, what);
        }
      nearly_singular_b_has_small_errors (&r, t, 300, RANDOM_A);
      for (int64_t n = 20; n < 300; n += 125)
        {
          overflowing_pages_change_no_others (&r, t, n);
          units_are_taken_out (&r, t, n);
        }
    }
  return end_test ();
}
