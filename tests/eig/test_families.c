/* A claim about gpueig_schur, gpueig_eig_general and gpueig_complex_eig on the backend under
   test:
   families_are_within_the_limits: for families of small matrices, skew ones above all, also
     times large and small powers of 2: Schur forms, vectors and eigenvalues, with vectors and
     without, of stacks and of single pages, are within the limits; forms are in standard form;
     where the QR iteration of this library is named no other method follows, on a GPU for
     normal matrices
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "small_families.h"
#include "solvers.h"

enum
{
  FORMS_ON_GPU = 60, /* pages of a stack that follow each other there */
  SINGLE = 8,        /* pages of a stack that are solved alone, too */
  SCALED = 100,      /* pages that are scaled */
  PART = 500,        /* pages for all calls */
  REAL = 1 << GPUEIG_FLOAT | 1 << GPUEIG_DOUBLE,
  ALL = 15
};

/* --- families --- */

/* Of orders FIRST .. LAST.  */
typedef struct
{
  const char *name;
  fill_page *fill;
  int64_t first, last, pages;
  int types, normal;
} family;

static const family families[]
    = { { "skew", fill_skew, 3, 3, 20000, REAL, 1 },
        { "skew of integers", fill_skew_integers, 3, 3, 20000, REAL, 1 },
        { "skew", fill_skew, 2, 5, 500, ALL, 1 },
        { "skew", fill_skew, 6, 12, 80, ALL, 1 },
        { "skew of integers", fill_skew_integers, 3, 4, 300, ALL, 1 },
        { "skew beside magic", fill_beside_magic, 7, 7, 300, ALL, 0 },
        { "all of -1, 0, 1", fill_digits, 3, 3, 19683, REAL, 0 },
        { "all of -3 .. 3", fill_digits, 2, 2, 2401, REAL, 0 },
        { "unitary", fill_unitary, 5, 5, 300, ALL, 1 },
        { "permutations", fill_permutation, 6, 6, 300, ALL, 1 },
        { "Hamiltonian", fill_hamiltonian, 6, 6, 300, ALL, 0 },
        { "companion", fill_companion, 5, 5, 300, ALL, 0 } };

/* --- calls --- */

typedef struct
{
  int solver;
  const char *method;
  int unbalanced;
} call;

static const call schur = { SOLVE_SCHUR, "qr", 0 },
                  eig = { SOLVE_EIG_GENERAL, "qr", 0 },
                  others[] = { { SOLVE_EIG_GENERAL, "qr", 1 },
                               { SOLVE_COMPLEX, "qr", 0 },
                               { SOLVE_COMPLEX, "shroff", 0 } };

/* Pages of a family times 2^EXPONENT.  */
typedef struct
{
  const family *f;
  any_problem pages;
  int exponent;
} stack;

static void
free_stack (stack *s)
{
  free_problem (&s->pages);
}

/* The first PAGES pages of S as C solves them, with as many OUTPUTS: errors are below the
   limits.  */
static any_problem
solve_pages (const stack *s, const call *c, int64_t pages, int outputs)
{
  any_problem p = make_problem (&solvers[c->solver], s->pages.type, s->pages.n,
                                pages, outputs);
  p.unbalanced = c->unbalanced;
  for (int64_t k = 0; k < pages; k++)
    copy_page (&p, k, &s->pages, k);
  if (! check_solve (ctx, &p, &options, c->method,
                     "%s times 2^%d, %d outputs%s", s->f->name, s->exponent,
                     outputs, c->unbalanced ? ", not balanced" : ""))
    return p;
  CHECK (strcmp (c->method, "shroff") == 0 || ! p.info.fallback[0]
             || (options.backend == GPUEIG_CUDA && ! s->f->normal),
         "\"%s\" followed, %s", p.info.fallback, p.what);
  check_errors (&p, USUAL_NONE);
  return p;
}

static void
check_stack (const stack *s)
{
  const int64_t all = s->pages.pages, part = all > PART ? PART : all,
                forms = options.backend == GPUEIG_CUDA && all > FORMS_ON_GPU
                            ? FORMS_ON_GPU
                            : all;
  any_problem form = solve_pages (s, &schur, forms, 2);
  free_problem (&form);
  CLEANUP (free_problem) any_problem known = solve_pages (s, &eig, all, 3);
  CLEANUP (free_problem) any_problem alone = solve_pages (s, &eig, all, 1);
  check_values (&known, &known, USUAL_NONE);
  check_values (&alone, &known, USUAL_NONE);
  for (size_t i = 0; i < COUNT (others); i++)
    {
      const call *c = &others[i];
      if (strcmp (c->method, "shroff") == 0 && ! s->f->normal)
        continue;
      CLEANUP (free_problem) any_problem values = solve_pages (s, c, all, 1);
      check_values (&values, &known, USUAL_NONE);
      if (c->unbalanced)
        continue;
      CLEANUP (free_problem) any_problem vectors = solve_pages (s, c, part, 3);
      check_values (&vectors, &known, USUAL_NONE);
    }
}

/* --- stacks --- */

static stack
new_stack (const family *f, gpueig_type type, int64_t n)
{
  measure_random r = { (uint64_t) (n + 68) };
  stack s = { .f = f,
              .pages = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n,
                                     f->pages, 1) };
  for (int64_t p = 0; p < f->pages; p++)
    {
      double complex x[MOST_OF_FAMILY * MOST_OF_FAMILY] = { 0 };
      f->fill (&(family_page){ &r, gpueig_is_complex (type), n, p }, x);
      for (int64_t e = 0; e < n * n; e++)
        measure_set (type, a_page (&s.pages, p), e, x[e]);
    }
  return s;
}

/* PAGES pages of S from page FIRST on, times 2^EXPONENT.  */
static stack
part_of (const stack *s, int64_t first, int64_t pages, int exponent)
{
  const any_problem *all = &s->pages;
  stack part
      = { .f = s->f,
          .pages = make_problem (all->solver, all->type, all->n, pages, 1),
          .exponent = exponent };
  for (int64_t p = 0; p < pages; p++)
    copy_page (&part.pages, p, all, first + p);
  measure_scale (all->type, all->n * all->n * pages, part.pages.a,
                 ldexp (1, exponent));
  return part;
}

static void
families_are_within_the_limits (const family *f, int64_t n, gpueig_type type)
{
  const int big = gpueig_is_double (type) ? 900 : 100;
  const int64_t few = f->pages < SCALED ? f->pages : SCALED;
  CLEANUP (free_stack) stack s = new_stack (f, type, n);
  check_stack (&s);
  for (int i = 0; i < SINGLE; i++)
    {
      CLEANUP (free_stack)
      stack one = part_of (&s, i * (f->pages - 1) / (SINGLE - 1), 1, 0);
      check_stack (&one);
    }
  for (int sign = -1; sign < 2; sign += 2)
    {
      CLEANUP (free_stack) stack scaled = part_of (&s, 0, few, sign * big);
      check_stack (&scaled);
    }
}

int
main (void)
{
  begin_test ("families");
  for (size_t i = 0; i < COUNT (families); i++)
    for (int64_t n = families[i].first; n <= families[i].last; n++)
      for (gpueig_type t = 0; t < 4; t++)
        if (families[i].types >> t & 1)
          families_are_within_the_limits (&families[i], n, t);
  return end_test ();
}
