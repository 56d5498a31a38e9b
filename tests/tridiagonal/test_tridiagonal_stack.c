/* Claims, for stacks of order 5 to 32 and 48 to 256, dense ones of all four types and
   real tridiagonal ones (d, e), on the backend under test: in a stack that mixes pages of
   19 kinds in random order every page meets the limits and the "usual" limits; its
   result does not depend on its position, bit for bit; eigenvalues alone
   and parts of the spectrum agree with those of the whole.  On a GPU by QL and by divide
   and conquer, with orders around every switch between kernels; pages for which QL does
   not converge are solved by another method.  An argument: that order alone.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"
#include "mixed_pages.h"

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

/* Row I of the diagonal and the element below it.  */
static void
hard_row (int kind, int64_t n, int64_t i, double *d, double *e)
{
  const double x = (double) i, m = (double) n;
  *d = 0;
  *e = 1;
  if (kind == WILKINSON)
    *d = fabs (x - (m - 1) / 2);
  else if (kind == GLUED_WILKINSON)
    {
      *d = fabs ((double) (i % 21) - 10);
      *e = i % 21 == 20 ? 1e-7 : 1;
    }
  else if (kind == CLEMENT)
    *e = sqrt ((x + 1) * (m - 1 - x));
  else
    {
      *d = exp2 (-x);
      *e = exp2 (-x - 1);
    }
}

/* Store a page of kind KIND in A.  */
static void
make_page (measure_random *r, int kind, gpueig_type type, int64_t n, char *a)
{
  double d, e;
  if (kind < PAGE_KINDS)
    {
      mixed_page (r, kind, type, n, 1, a);
      return;
    }
  const double digits = gpueig_is_double (type) ? 149 : 16;
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, i % (n + 1) == 0 ? 2 : 0);
  for (int64_t k = 0; k < n * n && kind == NEGLIGIBLE; k++)
    if (k / n < k % n)
      {
        const double x = pow (10, -digits - 4 * measure_chance (r));
        const double complex z
            = gpueig_is_complex (type) && measure_chance (r) < 0.5 ? x * I : x;
        measure_set (type, a, k, z);
        measure_set (type, a, k / n + n * (k % n), conj (z));
      }
  for (int64_t i = 0; i < n && kind != NEGLIGIBLE; i++)
    {
      hard_row (kind, n, i, &d, &e);
      measure_set (type, a, i + n * i, d);
      if (i + 1 == n)
        break;
      /* Hermitian: with a phase */
      const double complex z = gpueig_is_complex (type) ? e * I : e;
      measure_set (type, a, i + 1 + n * i, z);
      measure_set (type, a, i + n * (i + 1), conj (z));
    }
}

/* --- a stack and its answers --- */

typedef struct
{
  gpueig_type type, real;
  int64_t n, pages;
  int tridiagonal;
  char *a, *d, *e, *lambda, *v;
} stack;

static char *
at (char *x, gpueig_type type, int64_t count, int64_t p)
{
  return x + (size_t) (count * p) * gpueig_scalar_size (type);
}

static stack
new_stack (gpueig_type type, int64_t n, int64_t pages, int tridiagonal)
{
  stack s = { .type = type,
              .real = real_type (type),
              .n = n,
              .pages = pages,
              .tridiagonal = tridiagonal };
  s.a = check_array (type, n * n * pages);
  s.d = check_array (s.real, n * pages);
  s.e = check_array (s.real, n * pages);
  s.lambda = check_array (s.real, n * pages);
  s.v = check_array (type, n * n * pages);
  return s;
}

static void
free_stack (stack *s)
{
  free (s->a);
  free (s->d);
  free (s->e);
  free (s->lambda);
  free (s->v);
}

/* D and E of page P; A becomes tridiagonal.  */
static void
take_diagonals (stack *s, int64_t p)
{
  const int64_t n = s->n;
  char *a = at (s->a, s->type, n * n, p);
  for (int64_t j = 0; j < n; j++)
    {
      measure_set (s->real, at (s->d, s->real, n, p), j,
                   measure_get (s->type, a, j + n * j));
      if (j + 1 < n)
        measure_set (s->real, at (s->e, s->real, n - 1, p), j,
                     measure_get (s->type, a, j + 1 + n * j));
      for (int64_t i = 0; i < n; i++)
        if (i > j + 1 || j > i + 1)
          measure_set (s->type, a, i + n * j, 0);
    }
}

/* Eigenvalues FIRST .. LAST, from 1.  */
static gpueig_status
solve (const stack *s, int vectors, int64_t first, int64_t last,
       gpueig_info *info)
{
  const gpueig_mrrr_problem t
      = { .type = s->type,
          .n = s->n,
          .pages = s->pages,
          .d = s->d,
          .e = s->e,
          .select
          = first > 1 || last < s->n ? GPUEIG_SELECT_INDEX : GPUEIG_SELECT_ALL,
          .first = first,
          .last = last,
          .lambda = s->lambda,
          .v = vectors ? s->v : NULL };
  const gpueig_symmetric a = symmetric_problem (
      s->type, s->n, s->pages, s->a, s->lambda, vectors ? s->v : NULL);
  return s->tridiagonal ? gpueig_mrrr (ctx, &t, &options, info)
                        : gpueig_eig_symmetric (ctx, &a, &options, info);
}

/* --- checks --- */

/* Check the limits for every page p of S, of kind KIND[p].  TIMES: factor of the
   "usual" limits relative to those for QL.  */
static void
check_pages (stack *s, const int *kind, double times, const char *what)
{
  const int64_t n = s->n;
  double residual = 0, turned = 0;
  int worst_residual = 0, worst_turned = 0, sorted = 1;
  for (int64_t p = 0; p < s->pages; p++)
    {
      const char *a = at (s->a, s->type, n * n, p),
                 *v = at (s->v, s->type, n * n, p);
      const char *lambda = at (s->lambda, s->real, n, p);
      const double r = measure_residual (s->type, n, n, a, v, lambda);
      const double o = measure_orthogonality (s->type, n, n, v);
      if (! (r <= residual))
        {
          residual = worst_of (r, residual);
          worst_residual = kind[p];
        }
      if (! (o <= turned))
        {
          turned = worst_of (o, turned);
          worst_turned = kind[p];
        }
      for (int64_t j = 1; j < n; j++)
        sorted &= creal (measure_get (s->real, lambda, j))
                  >= creal (measure_get (s->real, lambda, j - 1));
    }
  CHECK_BOTH (residual, LIMIT_RESIDUAL, n, times * USUAL_STACK_RESIDUAL,
              "residual of %s, worst %s", what, kind_name (worst_residual));
  CHECK_BOTH (turned, LIMIT_ORTHOGONALITY, n, times * USUAL_STACK_ORTHOGONALITY,
              "orthogonality of %s, worst %s", what, kind_name (worst_turned));
  CHECK (sorted, "%s: eigenvalues ascend", what);
}

/* Pages with equal contents have equal bits.  */
static void
check_bits (stack *s, stack *other, const int64_t *page, const char *what)
{
  const int64_t n = s->n;
  const size_t values = (size_t) n * gpueig_scalar_size (s->real),
               vectors = (size_t) (n * n) * gpueig_scalar_size (s->type);
  int64_t different = 0;
  for (int64_t p = 0; p < other->pages; p++)
    different += memcmp (at (s->lambda, s->real, n, page[p]),
                         at (other->lambda, s->real, n, p), values)
                     != 0
                 || memcmp (at (s->v, s->type, n * n, page[p]),
                            at (other->v, s->type, n * n, p), vectors)
                        != 0;
  CHECK (different == 0, "%s: the same bits elsewhere (%d pages differ)", what,
         (int) different);
}

/* Eigenvalues in X of COLUMNS a page, from number FIRST on, against those of S.  */
static void
check_values (stack *s, stack *x, int64_t first, int64_t columns,
              const char *what)
{
  const int64_t n = s->n;
  double worst = 0;
  for (int64_t p = 0; p < s->pages; p++)
    {
      const double norm
          = measure_norm (s->type, n, n, at (s->a, s->type, n * n, p));
      const char *all = at (s->lambda, s->real, n, p);
      worst = worst_of (
          worst, measure_eigenvalues (
                     s->real, columns, at (x->lambda, s->real, columns, p),
                     all + (size_t) (first - 1) * gpueig_scalar_size (s->real),
                     norm > 0 ? norm * (double) n / (double) columns : 1));
    }
  CHECK_BOTH (worst, LIMIT_EIGENVALUES, n, USUAL_STACK_EIGENVALUES, "%s", what);
}

static void
copy_pages (stack *from, const int64_t *page, stack *to)
{
  const int64_t n = from->n;
  const size_t size = gpueig_scalar_size (from->type),
               real = gpueig_scalar_size (from->real);
  for (int64_t p = 0; p < to->pages; p++)
    {
      memcpy (at (to->a, to->type, n * n, p),
              at (from->a, to->type, n * n, page[p]), (size_t) (n * n) * size);
      memcpy (at (to->d, to->real, n, p), at (from->d, to->real, n, page[p]),
              (size_t) n * real);
      memcpy (at (to->e, to->real, n - 1, p),
              at (from->e, to->real, n - 1, page[p]), (size_t) (n - 1) * real);
    }
}

/* A sweep limit with which QL fails for most pages: other methods solve them.  */
static void
check_given_up (stack *s, const int *kind, const char *what)
{
  char text[140];
  gpueig_info info;
  const char *expected = s->tridiagonal ? "mrrr" : "onesided";
  options.max_sweeps = 1;
  const gpueig_status status = solve (s, 1, 1, s->n, &info);
  options.max_sweeps = 0;
  (void) snprintf (text, sizeof text, "%s, given up", what);
  CHECK (status == GPUEIG_OK && strcmp (info.fallback, expected) == 0,
         "%s: finished by %s: \"%s\" %s", what, expected, info.fallback,
         gpueig_message (ctx));
  check_pages (s, kind, 2, text);
}

static void
test_stack (gpueig_type type, int64_t n, int tridiagonal)
{
  char what[100], text[140];
  int kind[KINDS + EXTRA];
  int64_t page[KINDS + EXTRA];
  gpueig_info info;
  measure_random r = { (uint64_t) (1000 * n + type) };
  stack s = new_stack (type, n, KINDS, tridiagonal),
        other = new_stack (type, n, KINDS + EXTRA, tridiagonal);
  (void) snprintf (what, sizeof what, "%s by %s, %s n=%d",
                   tridiagonal ? "mrrr (d, e)" : "eig", options.method,
                   check_type_name[type], (int) n);
  for (int64_t p = 0; p < KINDS; p++)
    {
      kind[p] = (int) ((p * 7 + n) % KINDS);
      make_page (&r, kind[p], type, n, at (s.a, type, n * n, p));
      if (tridiagonal)
        take_diagonals (&s, p);
    }
  CHECK (solve (&s, 1, 1, n, &info) == GPUEIG_OK, "%s: %s", what,
         gpueig_message (ctx));
  CHECK (info.fallback[0] == '\0', "%s: no page is given up", what);
  if (options.backend == GPUEIG_CUDA && strcmp (options.method, "auto") != 0)
    {
      const int divide = n > ONLY_QL;
      CHECK (strcmp (info.method, divide ? "dc" : "ql") == 0, "%s: by \"%s\"",
             what, info.method);
    }
  check_pages (&s, kind, 1, what);

  for (int64_t p = 0; p < other.pages; p++)
    page[p] = (p * 13 + 3) % KINDS;
  copy_pages (&s, page, &other);
  CHECK (solve (&other, 1, 1, n, &info) == GPUEIG_OK, "%s, other order: %s",
         what, gpueig_message (ctx));
  check_bits (&s, &other, page, what);

  stack alone = new_stack (type, n, KINDS, tridiagonal);
  for (int64_t p = 0; p < KINDS; p++)
    page[p] = p;
  copy_pages (&s, page, &alone);
  CHECK (solve (&alone, 0, 1, n, &info) == GPUEIG_OK, "%s, values: %s", what,
         gpueig_message (ctx));
  (void) snprintf (text, sizeof text, "eigenvalues alone of %s", what);
  check_values (&s, &alone, 1, n, text);
  if (tridiagonal)
    {
      const int64_t first = n / 3, last = n - 2;
      CHECK (solve (&alone, 0, first, last, &info) == GPUEIG_OK,
             "%s, a part: %s", what, gpueig_message (ctx));
      (void) snprintf (text, sizeof text, "a part of the eigenvalues of %s",
                       what);
      check_values (&s, &alone, first, last - first + 1, text);
    }
  if (options.backend == GPUEIG_CUDA && n < 128)
    check_given_up (&s, kind, what);
  free_stack (&s);
  free_stack (&other);
  free_stack (&alone);
}

/* So many pages that every lane has one, and that the last block of each kernel is
   not full: bits as in a small stack.  */
static void
test_many (gpueig_type type, int64_t n, int64_t pages)
{
  char what[100];
  gpueig_info info;
  measure_random r = { (uint64_t) (1000 * n + type) };
  stack s = new_stack (type, n, KINDS, 0), many = new_stack (type, n, pages, 0);
  FREED int64_t *page = check_memory (pages, sizeof *page);
  (void) snprintf (what, sizeof what, "%d pages, %s n=%d", (int) pages,
                   check_type_name[type], (int) n);
  for (int64_t p = 0; p < KINDS; p++)
    make_page (&r, (int) p, type, n, at (s.a, type, n * n, p));
  for (int64_t p = 0; p < pages; p++)
    page[p] = (p * 13 + p / 17) % KINDS;
  copy_pages (&s, page, &many);
  CHECK (solve (&s, 1, 1, n, &info) == GPUEIG_OK
             && solve (&many, 1, 1, n, &info) == GPUEIG_OK,
         "%s: %s", what, gpueig_message (ctx));
  check_bits (&s, &many, page, what);
  free_stack (&s);
  free_stack (&many);
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
