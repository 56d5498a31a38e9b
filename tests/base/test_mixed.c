/* Claims about stacks whose pages are of many kinds in random order, for every function that
   takes stacks on the backend under test; all four types, one, two and three outputs:
   pages_do_not_influence_each_other: each page passes the bars, has the same bits wherever it
     stands and whatever its neighbours are, and agrees with the page solved alone; eigenvalues
     alone are as good as those with vectors
   every_function_at_an_order: that, for every function at an order
   many_pages_of_small_orders: that, for up to 66000 pages of small orders
   pages_of_matrix_products: that, at orders at which a GPU takes stacks through matrix products
   quick_stacks_for_sanitizers: small enough for a sanitizer: two types, a page of each kind,
     one stack
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "limits.h"
#include "matrices.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the functions --- */

enum
{
  TRIDIAGONAL = 1,
  ONE_BY_ONE = 2, /* a GPU solves page by page: small stacks */
  TO_256 = 4      /* every order that a GPU takes by kernels for stacks */
};

static const struct
{
  const any_solver *solver;
  const char *method;
  int kind;
} table[] = { { &solvers[SOLVE_EIG], "auto", 0 },
              { &solvers[SOLVE_EIG], "ql", 0 },
              { &solvers[SOLVE_EIG], "dc", TO_256 },
              { &solvers[SOLVE_JACOBI], "auto", 0 },
              { &solvers[SOLVE_ONESIDED], "auto", 0 },
              { &solvers[SOLVE_ONESIDED], "hestenes", 0 },
              { &solvers[SOLVE_ONESIDED], "cholesky", 0 },
              { &solvers[SOLVE_MRRR], "auto", ONE_BY_ONE },
              { &solvers[SOLVE_MRRR], "auto", TRIDIAGONAL | ONE_BY_ONE },
              { &solvers[SOLVE_MRRR], "ql", TRIDIAGONAL },
              { &solvers[SOLVE_MRRR], "dc", TRIDIAGONAL | TO_256 },
              { &solvers[SOLVE_COMPLEX], "auto", 0 },
              { &solvers[SOLVE_COMPLEX], "shroff", 0 },
              { &solvers[SOLVE_COMPLEX], "qr", 0 },
              { &solvers[SOLVE_EIG_GENERAL], "auto", ONE_BY_ONE },
              { &solvers[SOLVE_SCHUR], "auto", ONE_BY_ONE },
              { &solvers[SOLVE_SVD], "auto", 0 } };

enum
{
  ROWS = COUNT (table)
};

/* Is there the method of a row, for pages of TYPE and order N?  */
static int
is_there (int row, gpueig_type type, int64_t n)
{
  const ge_solver_id id = table[row].solver->id;
  return has_method (id, options.backend,
                     ge_find_method (id, table[row].method), n)
         && ! (table[row].kind & TRIDIAGONAL && gpueig_is_complex (type));
}

/* --- stacks --- */

/* PAGES pages of all kinds.  */
static any_problem
make_pool (int row, gpueig_type type, int64_t n, int64_t pages)
{
  any_problem s = make_problem (table[row].solver, type, n, pages, 1);
  measure_random r = { (uint64_t) (1000 * n + type) };
  for (int64_t p = 0; p < pages; p++)
    mixed_page (&r, (int) (p % PAGE_KINDS), type, n,
                s.solver->kind == SYMMETRIC_MATRIX, a_page (&s, p));
  if (table[row].kind & TRIDIAGONAL)
    take_diagonals (&s);
  return s;
}

/* A stack of pages of a pool: page P is ORDER[P] of it; page Q of it stands at AT[Q] - 1.  */
typedef struct
{
  any_problem s;
  int64_t *order, *at;
} mixture;

static void
free_mixture (mixture *m)
{
  free_problem (&m->s);
  free (m->order);
  free (m->at);
}

/* Solve PAGES pages of the pool in random order, all of them if there are enough.  */
static mixture
solve_mixed (int row, const any_problem *pool, int64_t pages, int outputs,
             uint64_t seed, const char *what)
{
  measure_random r = { seed };
  mixture m = { .s = make_problem (table[row].solver, pool->type, pool->n,
                                   pages, outputs),
                .order = check_memory (pages, sizeof *m.order),
                .at = check_memory (pool->pages, sizeof *m.at) };
  if (pool->d)
    take_diagonals (&m.s);
  measure_shuffle (&r, pages, m.order);
  for (int64_t p = 0; p < pages; p++)
    {
      if (m.order[p] >= pool->pages)
        m.order[p] = measure_integer (&r, 0, pool->pages - 1);
      copy_page (&m.s, p, pool, m.order[p]);
      m.at[m.order[p]] = p + 1;
    }
  options.method = table[row].method;
  CHECK (solve_problem (ctx, &m.s, &options, &m.s.info) == GPUEIG_OK,
         "%s, %d pages: %s", what, (int) pages, gpueig_message (ctx));
  return m;
}

/* --- claims --- */

/* Pages have the same bits in X and in Y.  */
static void
check_same (const mixture *x, const mixture *y, const char *what)
{
  int64_t count = 0, kind = PAGE_RANDOM;
  for (int64_t p = 0; p < y->s.pages; p++)
    {
      const int64_t at = x->at[y->order[p]];
      if (at && ! same_page (&x->s, at - 1, &y->s, p))
        {
          count++;
          kind = y->order[p] % PAGE_KINDS;
        }
    }
  CHECK (count == 0, "%s: the same bits anywhere in %d pages (%d differ: %s)",
         what, (int) y->s.pages, (int) count, page_kind_name[kind]);
}

/* The error of page P of S, which is page Q of the pool: of its vectors, and of its values
   beside those of KNOWN, which passed with their vectors, if it has the page.  */
static double
ratio_of (const any_problem *s, int64_t p, int64_t q, const mixture *known)
{
  const int64_t at = known ? known->at[q] : 0;
  const double vectors = s->outputs > 1 ? page_ratio (s, p) : 0;
  if (! s->lambda || ! at)
    return vectors;
  return worst_of (vectors,
                   values_error (s, p, &known->s, at - 1)
                       / (gpueig_is_complex (s->values) ? LIMIT_GENERAL
                                                        : LIMIT_EIGENVALUES));
}

static void
check_pages (const mixture *m, const mixture *known, const char *what)
{
  double worst = 0;
  int64_t kind = 0;
  for (int64_t p = 0; p < m->s.pages; p++)
    {
      const double ratio = ratio_of (&m->s, p, m->order[p], known);
      if (! (ratio <= worst))
        {
          worst = worst_of (worst, ratio);
          kind = m->order[p] % PAGE_KINDS;
        }
    }
  CHECK_RATIO (worst, 1, "%s: mixed pages, worst %s", what,
               page_kind_name[kind]);
}

typedef struct
{
  int64_t repeat; /* pages of each kind in the pool */
  int64_t pages;  /* of the second stack */
  int64_t alone;  /* every so many of the pool's */
} plan;

static void
pages_do_not_influence_each_other (int row, gpueig_type type, int64_t n,
                                   plan how)
{
  CLEANUP (free_problem)
  any_problem pool = make_pool (row, type, n, how.repeat * PAGE_KINDS);
  CLEANUP (free_mixture) mixture two = { .order = NULL };
  for (int k = pool.solver->kind == GENERAL_MATRIX ? 3 : 2; k > 0; k--)
    {
      char what[120];
      double worst = 0;
      (void) snprintf (what, sizeof what, "%s %s%s, %s n=%d, %d output%s",
                       pool.solver->name, table[row].method,
                       pool.d ? " (d, e)" : "", check_type_name[type], (int) n,
                       k, k > 1 ? "s" : "");
      mixture few = solve_mixed (row, &pool, pool.pages + 5, k, 1, what);
      CLEANUP (free_mixture)
      mixture many = solve_mixed (row, &pool, how.pages, k, 2, what);
      const mixture *known = k == 1 ? &two : &few;
      check_pages (&few, k == 1 ? known : NULL, what);
      if (strcmp (few.s.info.method, many.s.info.method) == 0)
        check_same (&few, &many, what);
      else
        {
          /* "auto" solves so many pages by another method: these among themselves */
          CLEANUP (free_mixture)
          mixture more = solve_mixed (row, &pool, how.pages, k, 3, what);
          check_same (&many, &more, what);
          check_pages (&many, k == 1 ? known : NULL, what);
        }
      for (int64_t q = 0; q < pool.pages; q += how.alone)
        {
          CLEANUP (free_problem)
          any_problem one = make_problem (pool.solver, type, n, 1, k);
          if (pool.d)
            take_diagonals (&one);
          copy_page (&one, 0, &pool, q);
          if (solve_problem (ctx, &one, &options, &one.info) != GPUEIG_OK)
            CHECK (0, "%s alone: %s", what, gpueig_message (ctx));
          worst = worst_of (worst, ratio_of (&one, 0, q, known));
        }
      CHECK_RATIO (worst, 1, "%s: pages alone", what);
      if (k == 2)
        two = few;
      else
        free_mixture (&few);
    }
}

/* How much is tried: a GPU gets more, since most of the kernels are its own.  */
typedef enum
{
  CPU_USUAL,
  GPU_USUAL,
  LONG
} level;

/* Is a row tried with this order?  Some of them pay for few only.  */
static int
wanted (int row, gpueig_type type, int64_t n, level how)
{
  const int kind = table[row].kind, on_gpu = options.backend == GPUEIG_CUDA;
  const int rare = strcmp (table[row].method, "auto") != 0;
  if (! is_there (row, type, n) || (n > 64 && ! (kind & TO_256)))
    return 0;
  if (on_gpu && kind & ONE_BY_ONE)
    return n <= 3 || n == 5 || n == 17 || n == 33;
  if (how == LONG)
    return 1;
  if (kind & TO_256)
    return n > 32 && n % 16 < 2;
  if (rare)
    return n <= 5 || n == 8 || n == 11 || n == 32;
  return n <= 20 || n == 33
         || (n == 64 && table[row].solver->kind == SYMMETRIC_MATRIX)
         || how == GPU_USUAL;
}

static void
every_function_at_an_order (gpueig_type type, int64_t n, level how)
{
  for (int row = 0; row < ROWS; row++)
    {
      const int few
          = options.backend == GPUEIG_CUDA && table[row].kind & ONE_BY_ONE;
      if (! wanted (row, type, n, how) || ! check_turn (2))
        continue;
      plan p = { n <= 8 && ! few ? 3 : 1, 40, 5 };
      if (how != CPU_USUAL && ! few)
        p.pages = n <= 20 ? 1000 : n <= 64 ? 100 : 40;
      if (how == LONG && n <= 8)
        p.alone = 1;
      pages_do_not_influence_each_other (row, type, n, p);
    }
}

/* Many pages of the smallest orders.  */
static void
many_pages_of_small_orders (gpueig_type type, int64_t n, int64_t pages)
{
  for (int row = 0; row < ROWS; row++)
    if (is_there (row, type, n) && ! (table[row].kind & TO_256)
        && (options.backend != GPUEIG_CUDA || ! (table[row].kind & ONE_BY_ONE)))
      pages_do_not_influence_each_other (row, type, n, (plan){ 2, pages, 14 });
}

/* Orders at which a GPU takes stacks through matrix products.  Both stacks have as
   many pages, since methods are chosen by it.  */
static void
pages_of_matrix_products (gpueig_type type)
{
  for (int row = 0; row < ROWS; row++)
    if (table[row].solver->id == GE_ONESIDED_EIG
        && strcmp (table[row].method, "auto") == 0)
      for (int64_t n = 97; n <= 200; n += 103)
        pages_do_not_influence_each_other (
            row, type, n, (plan){ 2, 2 * PAGE_KINDS + 5, PAGE_KINDS });
}

/* Small enough for a sanitizer: two types, a page of each kind, one stack.  */
static void
quick_stacks_for_sanitizers (int64_t largest, const char *name)
{
  static const int64_t orders[] = { 2, 3, 5, 8, 12, 17, 33 };
  for (gpueig_type t = GPUEIG_DOUBLE; t <= GPUEIG_COMPLEX_FLOAT; t++)
    for (size_t i = 0; i < COUNT (orders); i++)
      for (int row = 0; row < ROWS; row++)
        if (orders[i] <= largest && ! (table[row].kind & ONE_BY_ONE)
            && is_there (row, t, orders[i])
            && (! name || strcmp (name, table[row].solver->name) == 0))
          pages_do_not_influence_each_other (row, t, orders[i],
                                             (plan){ 1, 9, PAGE_KINDS });
}

/* test_mixed [LARGEST-ORDER quick [FUNCTION]]  */
int
main (int argc, char **argv)
{
  static const int64_t orders[]
      = { 24,  31,  32,  33,  40,  48,  49,  53,  54,  55,  63,  64,
          65,  80,  81,  95,  96,  97,  112, 113, 114, 127, 128, 129,
          144, 145, 150, 160, 161, 170, 171, 200, 226, 227, 255, 256 };
  begin_test ("mixed");
  if (argc > 2)
    {
      quick_stacks_for_sanitizers (atoi (argv[1]), argc > 3 ? argv[3] : NULL);
      return end_test ();
    }
  const level how = getenv ("GPUEIG_TEST_LONG")      ? LONG
                    : options.backend == GPUEIG_CUDA ? GPU_USUAL
                                                     : CPU_USUAL;
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int64_t n = 1; n <= 20; n++)
        every_function_at_an_order (type, n, how);
      for (size_t i = 0; i < COUNT (orders); i++)
        every_function_at_an_order (type, orders[i], how);
      if (how != CPU_USUAL)
        pages_of_matrix_products (type);
      if (type == GPUEIG_DOUBLE || how != CPU_USUAL)
        many_pages_of_small_orders (type, 3, 66000);
      for (int64_t n = 2; n <= 8 && how == LONG; n++)
        many_pages_of_small_orders (type, n, n < 5 ? 66000 : 9000);
    }
  return end_test ();
}
