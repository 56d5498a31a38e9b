/* Claims, for every function that takes stacks on the backend under test: in a
   stack whose pages are of many kinds in random order each page passes the bars,
   has the same bits wherever it stands and whatever its neighbours are, and
   agrees with the page solved alone; eigenvalues alone are as good as those that
   come with vectors.  Orders 1 to 64 (on a GPU 256, by QL and divide
   and conquer, and one-sided 200), 1 to 66 000
   pages, all four types, one, two and three outputs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "limits.h"
#include "matrices.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

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
  ROWS = sizeof table / sizeof table[0]
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

typedef any_problem stack;

static stack
make_stack (int row, gpueig_type type, int64_t n, int64_t pages, int outputs)
{
  stack s = make_problem (table[row].solver, type, n, pages, outputs);
  if (table[row].kind & TRIDIAGONAL)
    take_diagonals (&s);
  return s;
}

/* The results of page P of S become those of page Q of POOL.  */
static void
keep_page (const stack *s, int64_t p, stack *pool, int64_t q)
{
  const int64_t n = s->n;
  char *const from[] = { s->lambda, s->v, s->w };
  char *const to[] = { pool->lambda, pool->v, pool->w };
  for (int i = 0; i < 3; i++)
    {
      if (! from[i])
        continue;
      const gpueig_type type = i == 0 ? s->values : s->vectors;
      const int64_t count = i == 0 ? n : n * n;
      memcpy (page_of (type, to[i], count, q),
              page_of (type, from[i], count, p),
              (size_t) count * gpueig_scalar_size (type));
    }
}

/* A pool of pages of all kinds.  */
static stack
make_pool (int row, gpueig_type type, int64_t n, int64_t pages, int outputs)
{
  stack s = make_problem (table[row].solver, type, n, pages, outputs);
  measure_random r = { (uint64_t) (1000 * n + type) };
  for (int64_t p = 0; p < pages; p++)
    mixed_page (&r, (int) (p % PAGE_KINDS), type, n,
                s.solver->kind == SYMMETRIC_MATRIX, a_page (&s, p));
  if (table[row].kind & TRIDIAGONAL)
    take_diagonals (&s);
  return s;
}

/* --- the bars --- */

/* Eigenvalues X of page P of S against those of page Q of KNOWN, which passed the
   bars with their vectors.  */
static double
values_ratio (stack *s, int64_t p, stack *known, int64_t q)
{
  const int64_t n = s->n;
  if (! s->lambda)
    return 0;
  const char *a = a_page (s, p);
  const char *x = page_of (s->values, s->lambda, n, p);
  const char *y = page_of (s->values, known->lambda, n, q);
  const double norm = measure_norm (s->type, n, n, a);
  if (! gpueig_is_complex (s->values))
    return measure_eigenvalues (s->type, n, x, y, norm > 0 ? norm : 1)
           / LIMIT_EIGENVALUES;
  return mixed_spectrum (s->type, n, a, x, y) / LIMIT_GENERAL;
}

/* --- the tests --- */

/* How many pages did not have the bits of the same page elsewhere, and of which
   kind the last of them was.  */
typedef struct
{
  int64_t count;
  int kind;
} differences;

/* Solve PAGES pages of the pool in random order, all of them at least once if
   FIRST.  The answers go to the pool the first time and must be the same after
   that.  *INFO: of the call.  */
static void
solve_mixed (int row, stack *pool, int64_t pages, int first, uint64_t seed,
             const char *what, differences *different, gpueig_info *info)
{
  CLEANUP (free_problem)
  stack s = make_stack (row, pool->type, pool->n, pages, pool->outputs);
  measure_random r = { seed };
  FREED int64_t *order = check_memory (pages, sizeof *order);
  for (int64_t p = 0; p < pages; p++)
    {
      const int64_t any = measure_integer (&r, 0, pool->pages - 1);
      order[p] = first && p < pool->pages ? p : any;
    }
  for (int64_t p = pages - 1; p > 0; p--)
    {
      const int64_t q = measure_integer (&r, 0, p);
      const int64_t keep = order[p];
      order[p] = order[q];
      order[q] = keep;
    }
  for (int64_t p = 0; p < pages; p++)
    copy_page (&s, p, pool, order[p]);
  options.method = table[row].method;
  CHECK (solve_problem (ctx, &s, &options, info) == GPUEIG_OK,
         "%s, %d pages: %s", what, (int) pages, gpueig_message (ctx));
  FREED char *known = check_memory (pool->pages, 1);
  for (int64_t p = 0; p < pages; p++)
    {
      if (first && ! known[order[p]])
        keep_page (&s, p, pool, order[p]);
      else if (! same_page (&s, p, pool, order[p]))
        {
          different->count++;
          different->kind = (int) (order[p] % PAGE_KINDS);
        }
      known[order[p]] = 1;
    }
}

/* The worst ratio of all pages of POOL, and the kind of that page.  KNOWN: with
   vectors.  */
static void
check_pool (stack *pool, stack *known, double *worst, int *kind)
{
  for (int64_t q = 0; q < pool->pages; q++)
    {
      const double r = pool->outputs > 1 ? page_ratio (pool, q)
                                         : values_ratio (pool, q, known, q);
      if (! (r <= *worst))
        {
          *worst = worst_of (*worst, r);
          *kind = (int) (q % PAGE_KINDS);
        }
    }
}

/* Pages alone: the bars again, and the eigenvalues of the stack.  */
static double
solve_alone (int row, stack *pool, stack *known, int64_t step, const char *what)
{
  double worst = 0;
  gpueig_info info;
  for (int64_t q = 0; q < pool->pages; q += step)
    {
      CLEANUP (free_problem)
      stack s = make_stack (row, pool->type, pool->n, 1, pool->outputs);
      copy_page (&s, 0, pool, q);
      if (solve_problem (ctx, &s, &options, &info) != GPUEIG_OK)
        CHECK (0, "%s alone: %s", what, gpueig_message (ctx));
      double r = values_ratio (&s, 0, known, q);
      worst = worst_of (worst, r);
      r = s.outputs > 1 ? page_ratio (&s, 0) : 0;
      worst = worst_of (worst, r);
    }
  return worst;
}

typedef struct
{
  int64_t repeat; /* pages of each kind in the pool */
  int64_t pages;  /* of the second stack */
  int64_t alone;  /* every so many of the pool's */
} plan;

static void
test_row (int row, gpueig_type type, int64_t n, plan how)
{
  const int64_t pages = how.repeat * PAGE_KINDS;
  const int outputs = table[row].solver->kind == GENERAL_MATRIX ? 3 : 2;
  stack pool[4];
  for (int k = outputs; k > 0; k--)
    {
      char what[120];
      double worst = 0;
      int kind = 0;
      (void) snprintf (what, sizeof what, "%s %s%s, %s n=%d, %d output%s",
                       table[row].solver->name, table[row].method,
                       table[row].kind & TRIDIAGONAL ? " (d, e)" : "",
                       check_type_name[type], (int) n, k, k > 1 ? "s" : "");
      pool[k] = make_pool (row, type, n, pages, k);
      differences different = { 0, PAGE_RANDOM };
      gpueig_info few, many;
      solve_mixed (row, &pool[k], pages + 5, 1, 1, what, &different, &few);
      check_pool (&pool[k], &pool[2], &worst, &kind);
      solve_mixed (row, &pool[k], how.pages, 0, 2, what, &different, &many);
      if (strcmp (few.method, many.method) != 0)
        {
          /* "auto" solves so many pages by another method: these among
             themselves */
          different.count = 0;
          solve_mixed (row, &pool[k], how.pages, 1, 3, what, &different, &many);
          check_pool (&pool[k], &pool[2], &worst, &kind);
          solve_mixed (row, &pool[k], how.pages, 0, 4, what, &different, &many);
        }
      CHECK (different.count == 0,
             "%s: the same bits anywhere in %d pages (%d differ: %s)", what,
             (int) how.pages, (int) different.count,
             page_kind_name[different.kind]);
      CHECK_RATIO (worst, 1, "%s: mixed pages, worst %s", what,
                   page_kind_name[kind]);
      CHECK_RATIO (
          solve_alone (row, &pool[k], &pool[k > 1 ? k : 2], how.alone, what), 1,
          "%s: pages alone", what);
    }
  for (int k = 1; k <= outputs; k++)
    free_problem (&pool[k]);
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
test_order (gpueig_type type, int64_t n, level how)
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
      test_row (row, type, n, p);
    }
}

/* Many pages of the smallest orders.  */
static void
test_many (gpueig_type type, int64_t n, int64_t pages)
{
  for (int row = 0; row < ROWS; row++)
    if (is_there (row, type, n) && ! (table[row].kind & TO_256)
        && (options.backend != GPUEIG_CUDA || ! (table[row].kind & ONE_BY_ONE)))
      test_row (row, type, n, (plan){ 2, pages, 14 });
}

/* Orders at which a GPU takes stacks through matrix products.  Both stacks have as
   many pages, since methods are chosen by it.  */
static void
test_products (gpueig_type type)
{
  static const int64_t orders[] = { 97, 200 };
  for (int i = 0; i < 2; i++)
    for (int row = 0; row < ROWS; row++)
      if (table[row].solver->id == GE_ONESIDED_EIG
          && strcmp (table[row].method, "auto") == 0)
        test_row (row, type, orders[i],
                  (plan){ 2, 2 * PAGE_KINDS + 5, PAGE_KINDS });
}

/* Small enough for a sanitizer: two types, a page of each kind, one stack.  */
static void
test_quickly (int64_t largest, const char *name)
{
  static const int64_t orders[] = { 2, 3, 5, 8, 12, 17, 33 };
  for (int t = GPUEIG_DOUBLE; t <= GPUEIG_COMPLEX_FLOAT; t++)
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
      for (int row = 0; row < ROWS; row++)
        if (orders[i] <= largest && ! (table[row].kind & ONE_BY_ONE)
            && is_there (row, (gpueig_type) t, orders[i])
            && (! name || strcmp (name, table[row].solver->name) == 0))
          test_row (row, (gpueig_type) t, orders[i],
                    (plan){ 1, 9, PAGE_KINDS });
}

/* test_mixed [LARGEST-ORDER quick [FUNCTION]]  */
int
main (int argc, char **argv)
{
  static const int64_t orders[]
      = { 24,  31,  32,  33,  40,  48,  49,  53,  54,  55,  63,  64,
          65,  80,  81,  95,  96,  97,  112, 113, 114, 127, 128, 129,
          150, 160, 161, 170, 171, 200, 226, 227, 255, 256 };
  check_begin ("mixed");
  ctx = check_context (&options);
  if (argc > 2)
    {
      test_quickly (atoi (argv[1]), argc > 3 ? argv[3] : NULL);
      gpueig_destroy (ctx);
      return check_end ();
    }
  const level how = getenv ("GPUEIG_TEST_LONG")      ? LONG
                    : options.backend == GPUEIG_CUDA ? GPU_USUAL
                                                     : CPU_USUAL;
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (int64_t n = 1; n <= 20; n++)
        test_order (type, n, how);
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        test_order (type, orders[i], how);
      if (how != CPU_USUAL)
        test_products (type);
      if (type == GPUEIG_DOUBLE || how != CPU_USUAL)
        test_many (type, 3, 66000);
      for (int64_t n = 2; n <= 8 && how == LONG; n++)
        test_many (type, n, n < 5 ? 66000 : 9000);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
