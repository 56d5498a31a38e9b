/* Claims, for stacks of order 5 to 32 and 48 to 256, dense ones of all four types and
   real tridiagonal ones (d, e), on the backend under test: in a stack that mixes pages of
   19 kinds in random order every page meets the limits and the "usual" limits; its
   result does not depend on its position, bit for bit; eigenvalues alone
   and parts of the spectrum agree with those of the whole.  On a GPU by QL and by divide
   and conquer, with orders around every switch between kernels; pages for which QL does
   not converge are solved by another method.  An argument: that order alone.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mixed_pages.h"
#include "solvers.h"
#include "tridiagonal_matrices.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

enum
{
  ONLY_QL = 32, /* up to this order divide and conquer is QL */
  WILKINSON = PAGE_KINDS,
  GLUED_WILKINSON,
  CLEMENT,
  GEOMETRIC, /* diagonal 2^-i, off-diagonal half of that */
  NEGLIGIBLE, /* diagonal 2, the squares of all others near those that are left out */
  KINDS,
  EXTRA = 5 /* pages that are there twice */
};

static const char *
kind_name (int kind)
{
  static const char *const more[] = { "Wilkinson", "glued Wilkinson", "Clement",
                                      "geometric", "negligible" };
  return kind < PAGE_KINDS ? page_kind_name[kind] : more[kind - PAGE_KINDS];
}

/* Store a page of kind KIND in page PAGE of P.  */
static void
make_page (measure_random *r, int kind, any_problem *p, int64_t page)
{
  static tridiagonal_matrix *const rows[]
      = { wilkinson, glued_7, clement, geometric };
  const gpueig_type type = p->type;
  const int64_t n = p->n;
  char *a = a_page (p, page);
  if (kind < PAGE_KINDS)
    {
      mixed_page (r, kind, type, n, 1, a);
      return;
    }
  if (kind < NEGLIGIBLE)
    {
      double d[256], e[256];
      rows[kind - PAGE_KINDS]((int) n, d, e);
      fill_tridiagonal (p, page, d, e);
      /* Hermitian: with a phase */
      for (int64_t i = 0; i + 1 < n && gpueig_is_complex (type); i++)
        {
          measure_set (type, a, i + 1 + n * i, e[i] * I);
          measure_set (type, a, i + n * (i + 1), -e[i] * I);
        }
      return;
    }
  const double digits = gpueig_is_double (type) ? 149 : 16;
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, i % (n + 1) == 0 ? 2 : 0);
  for (int64_t k = 0; k < n * n; k++)
    if (k / n < k % n)
      {
        const double x = pow (10, -digits - 4 * measure_chance (r));
        const double complex z
            = gpueig_is_complex (type) && measure_chance (r) < 0.5 ? x * I : x;
        measure_set (type, a, k, z);
        measure_set (type, a, k / n + n * (k % n), conj (z));
      }
}

/* --- checks --- */

/* The limits for every page of P, of kind KIND[page].  TIMES: factor of the "usual" limits
   relative to those for QL.  */
static void
check_pages (const any_problem *p, const int *kind, double times)
{
  const int64_t n = p->n;
  int worst = 0;
  double most = 0;
  for (int64_t page = 0; page < p->pages; page++)
    {
      const double r = page_ratio (p, page);
      if (! (r <= most))
        {
          most = worst_of (r, most);
          worst = kind[page];
        }
    }
  CHECK (n <= 200 || most < 1, "worst %s, %s", kind_name (worst), p->what);
  usual_errors usual = USUAL_STACK;
  usual.residual *= times;
  usual.orthogonality *= times;
  check_errors (p, usual);
}

/* Pages with equal contents have equal bits.  */
static void
check_bits (const any_problem *p, const any_problem *q, const int64_t *page)
{
  int64_t different = 0;
  for (int64_t k = 0; k < q->pages; k++)
    different += ! same_page (p, page[k], q, k);
  CHECK (different == 0, "%s: the same bits elsewhere (%d pages differ)",
         q->what, (int) different);
}

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages, int tridiagonal)
{
  const int solver = tridiagonal ? SOLVE_MRRR : SOLVE_EIG;
  any_problem p = make_problem (&solvers[solver], type, n, pages, 2);
  if (tridiagonal)
    take_diagonals (&p);
  return p;
}

static void
test_stack (gpueig_type type, int64_t n, int tridiagonal)
{
  int kind[KINDS + EXTRA];
  int64_t page[KINDS + EXTRA];
  measure_random r = { (uint64_t) (1000 * n + type) };
  CLEANUP (free_problem)
  any_problem s = begin (type, n, KINDS, 0),
              other = begin (type, n, KINDS + EXTRA, tridiagonal);
  for (int64_t p = 0; p < KINDS; p++)
    {
      kind[p] = (int) ((p * 7 + n) % KINDS);
      make_page (&r, kind[p], &s, p);
    }
  s.solver = other.solver;
  if (tridiagonal)
    take_diagonals (&s);
  check_solve (ctx, &s, &options, NULL, "all kinds");
  CHECK (s.info.fallback[0] == '\0', "%s: no page is given up", s.what);
  if (options.backend == GPUEIG_CUDA && strcmp (options.method, "auto") != 0)
    CHECK (strcmp (s.info.method, n > ONLY_QL ? "dc" : "ql") == 0,
           "%s: by \"%s\"", s.what, s.info.method);
  check_pages (&s, kind, 1);
  for (int64_t p = 0; p < other.pages; p++)
    {
      page[p] = (p * 13 + 3) % KINDS;
      copy_page (&other, p, &s, page[p]);
    }
  check_solve (ctx, &other, &options, NULL, "in another order");
  check_bits (&s, &other, page);
  check_alone (ctx, &s, &options, USUAL_STACK, 0);
  if (tridiagonal)
    {
      any_problem part = s;
      part.first = n / 3;
      part.last = n - 2;
      FREED char *lambda = check_array (s.values, n * KINDS);
      const int64_t columns = part.last - part.first + 1;
      double worst = 0;
      part.v = NULL;
      part.lambda = lambda;
      check_solve (ctx, &part, &options, NULL, "a part");
      for (int64_t p = 0; p < KINDS; p++)
        {
          const double norm = measure_norm (type, n, n, a_page (&s, p));
          worst = worst_of (
              worst,
              measure_eigenvalues (
                  type, columns, page_of (s.values, lambda, columns, p),
                  page_of (s.values, s.lambda, 1, n * p + part.first - 1),
                  norm > 0 ? norm * (double) n / (double) columns : 1));
        }
      CHECK_BOTH (worst, LIMIT_EIGENVALUES, n, USUAL_STACK.values, "values, %s",
                  part.what);
    }
  if (options.backend == GPUEIG_CUDA && n < 128)
    {
      /* A sweep limit with which QL fails for most pages: other methods solve them.  */
      const char *expected = tridiagonal ? "mrrr" : "onesided";
      options.max_sweeps = 1;
      check_solve (ctx, &s, &options, NULL, "given up");
      options.max_sweeps = 0;
      CHECK (strcmp (s.info.fallback, expected) == 0,
             "finished by %s: \"%s\", %s", expected, s.info.fallback, s.what);
      check_pages (&s, kind, 2);
    }
}

/* So many pages that every lane has one, and that the last block of each kernel is
   not full: bits as in a small stack.  */
static void
test_many (gpueig_type type, int64_t n, int64_t pages)
{
  measure_random r = { (uint64_t) (1000 * n + type) };
  CLEANUP (free_problem)
  any_problem s = begin (type, n, KINDS, 0), many = begin (type, n, pages, 0);
  FREED int64_t *page = check_memory (pages, sizeof *page);
  for (int64_t p = 0; p < KINDS; p++)
    make_page (&r, (int) p, &s, p);
  for (int64_t p = 0; p < pages; p++)
    {
      page[p] = (p * 13 + p / 17) % KINDS;
      copy_page (&many, p, &s, page[p]);
    }
  check_solve (ctx, &s, &options, NULL, "few pages");
  check_solve (ctx, &many, &options, NULL, "many pages");
  check_bits (&s, &many, page);
}

int
main (int argc, char **argv)
{
  static const int on_cpu[]
      = { 48, 129 },
      usual[] = { 5, 8, 11, 16, 17, 20, 23, 24, 31, 32, 48, 65, 97, 129 },
      all[]
      = { 5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,  17,
          18,  19,  20,  21,  22,  23,  24,  25,  28,  31,  32,  33,  48,
          49,  63,  64,  65,  80,  81,  95,  96,  97,  100, 112, 113, 114,
          127, 128, 129, 150, 160, 161, 170, 171, 200, 226, 227, 255, 256 };
  check_begin ("tridiagonal_stack");
  ctx = check_context (&options);
  const int gpu = options.backend == GPUEIG_CUDA;
  const int is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  const int chosen = argc > 1 ? atoi (argv[1]) : 0;
  const int *order = chosen > 0 ? &chosen
                     : is_long  ? all
                     : gpu      ? usual
                                : on_cpu;
  const size_t count = chosen > 0 ? 1
                       : is_long  ? sizeof all / sizeof all[0]
                       : gpu      ? sizeof usual / sizeof usual[0]
                                  : sizeof on_cpu / sizeof on_cpu[0];
  for (size_t i = 0; i < count; i++)
    for (int type = GPUEIG_FLOAT; type <= GPUEIG_COMPLEX_DOUBLE; type++)
      {
        options.method = ! gpu ? "auto" : order[i] > ONLY_QL ? "dc" : "ql";
        test_stack ((gpueig_type) type, order[i], 0);
        options.method = "auto";
        if (! gpueig_is_complex ((gpueig_type) type))
          test_stack ((gpueig_type) type, order[i], 1);
      }
  for (int type = GPUEIG_FLOAT;
       gpu && ! chosen && type <= GPUEIG_COMPLEX_DOUBLE; type++)
    {
      options.method = "ql";
      test_many ((gpueig_type) type, 16, 12003);
      options.method = "dc";
      test_many ((gpueig_type) type, 67, 1203);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
