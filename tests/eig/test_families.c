/* A claim about gpueig_schur, gpueig_eig_general and gpueig_complex_eig on the backend under
   test:
   families_are_within_the_limits: for families of small matrices, skew ones above all, also
     times large and small powers of 2: Schur forms, vectors and eigenvalues, with vectors and
     without, of stacks and of single pages, are within the limits; forms are in standard form;
     where the QR iteration of this library is named no other method follows, on a GPU for
     normal matrices
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "limits.h"
#include "small_errors.h"
#include "small_families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- results --- */

/* PAGES pages and what is computed of them, EXPONENT: that of the power of 2 by which the
   family was multiplied.  */
typedef struct
{
  const family *f;
  gpueig_type type;
  int64_t n, pages;
  int exponent;
  char *a, *s, *u, *lambda, *v, *w;
} stack;

/* The largest errors, in units of n eps |A|.  */
typedef struct
{
  double form, orthogonality, residual, values;
  int64_t shapes; /* pages whose form is not in standard form */
} errors;

/* The COUNT numbers of TYPE at X, page PAGE, times 2^-EXPONENT.  */
static void
fetch (gpueig_type type, const char *x, int64_t count, int64_t page,
       int exponent, number *to)
{
  const double f = ldexp (1, -exponent);
  for (int64_t k = 0; k < count; k++)
    to[k] = f * measure_get (type, x, count * page + k);
}

static int
is_standard (const stack *k, const number *s)
{
  const int64_t n = k->n;
  int good = 1;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j + 1; i < n; i++)
      {
        const double x = creal (s[i + n * j]);
        if (s[i + n * j] == 0)
          continue;
        const double above = creal (s[j + n * i]);
        good &= i == j + 1 && ! gpueig_is_complex (k->type)
                && s[j * (n + 1)] == s[i * (n + 1)] && above != 0
                && (x > 0) != (above > 0)
                && (i + 1 == n || s[i + 1 + n * i] == 0);
      }
  return good;
}

/* |A U - U S| and |U' U - I| of page PAGE.  */
static void
measure_page_form (const stack *k, int64_t page, const number *a, double unit,
                   errors *e)
{
  const int64_t n = k->n, square = n * n;
  number s[MOST * MOST], u[MOST * MOST], x[MOST * MOST] = { 0 };
  fetch (k->type, k->s, square, page, k->exponent, s);
  fetch (k->type, k->u, square, page, 0, u);
  e->shapes += ! is_standard (k, s);
  multiply (n, 0, u, s, x);
  multiply (n, 0, a, u, x);
  const double error = norm_of (n, x), norm = norm_of (n, a);
  e->form = worst_of (e->form, error == 0 ? 0 : error / (unit * norm));
  memset (x, 0, sizeof x);
  for (int64_t i = 0; i < n; i++)
    x[i * (n + 1)] = 1;
  multiply (n, 1, u, u, x);
  e->orthogonality = worst_of (e->orthogonality, norm_of (n, x) / unit);
}

typedef enum
{
  FORM,    /* s and u */
  VECTORS, /* lambda, v and w */
  VALUES   /* lambda */
} outputs;

static errors
measure_stack (const stack *k, outputs what)
{
  const int64_t n = k->n;
  const gpueig_type pair = complex_type (k->type);
  const double unit = (double) n * measure_eps (k->type);
  errors e = { 0 };
  for (int64_t p = 0; p < k->pages; p++)
    {
      number a[MOST * MOST], v[MOST * MOST], lambda[MOST];
      fetch (k->type, k->a, n * n, p, k->exponent, a);
      if (what == FORM)
        {
          measure_page_form (k, p, a, unit, &e);
          continue;
        }
      fetch (pair, k->lambda, n, p, k->exponent, lambda);
      e.values = worst_of (
          e.values, spectrum_error (n, (n < 5 && p < PART) || p % 16 == 0, a,
                                    lambda, unit));
      for (int left = 0; what == VECTORS && left < 2; left++)
        {
          fetch (pair, left ? k->w : k->v, n * n, p, 0, v);
          const double norm = norm_of (n, a);
          const double error = vector_error (n, a, left, lambda, v);
          e.residual
              = worst_of (e.residual, error == 0 ? 0 : error / (unit * norm));
        }
    }
  return e;
}

/* --- calls --- */

typedef enum
{
  SCHUR,
  EIG,
  NOT_BALANCED,
  COMPLEX_EIG,
  SHROFF,
  CALLS
} call;

static const char *const call_name[CALLS]
    = { "schur", "eig", "eig, not balanced", "complex_eig",
        "complex_eig by shroff" };

static gpueig_status
run (const stack *k, call c, outputs what, gpueig_info *info)
{
  gpueig_options o = options;
  const gpueig_schur_problem form = { .type = k->type,
                                      .n = k->n,
                                      .pages = k->pages,
                                      .a = k->a,
                                      .s = k->s,
                                      .u = k->u };
  const gpueig_general general = { .type = k->type,
                                   .n = k->n,
                                   .pages = k->pages,
                                   .a = k->a,
                                   .balance = c != NOT_BALANCED,
                                   .lambda = k->lambda,
                                   .v = what == VECTORS ? k->v : NULL,
                                   .w = what == VECTORS ? k->w : NULL };
  o.method = c == SHROFF ? "shroff" : "qr";
  return c == SCHUR        ? gpueig_schur (ctx, &form, &o, info)
         : c < COMPLEX_EIG ? gpueig_eig_general (ctx, &general, &o, info)
                           : gpueig_complex_eig (ctx, &general, &o, info);
}

static void
check_call (const stack *k, call c, outputs what)
{
  gpueig_info info;
  char name[160];
  const gpueig_status status = run (k, c, what, &info);
  snprintf (name, sizeof name, "%s%s of %d %s, order %d, %s, times 2^%d",
            call_name[c], what == VALUES ? ", values alone," : "",
            (int) k->pages, k->f->name, (int) k->n, check_type_name[k->type],
            k->exponent);
  CHECK (status == GPUEIG_OK, "%s: %s", name, gpueig_message (ctx));
  if (status != GPUEIG_OK)
    return;
  CHECK (c == SHROFF || info.fallback[0] == 0
             || (options.backend == GPUEIG_CUDA && ! k->f->normal),
         "%s: \"%s\" followed", name, info.fallback);
  const errors e = measure_stack (k, what);
  if (what == FORM)
    {
      CHECK (e.shapes == 0, "%s: %d are not in standard form", name,
             (int) e.shapes);
      CHECK_RATIO (e.form, LIMIT_GENERAL, "residual, %s", name);
      CHECK_RATIO (e.orthogonality, LIMIT_GENERAL, "orthogonality, %s", name);
      return;
    }
  CHECK_RATIO (e.values, LIMIT_GENERAL, "eigenvalues, %s", name);
  if (what == VECTORS)
    CHECK_RATIO (e.residual, LIMIT_GENERAL, "residual, %s", name);
}

static stack
new_stack (const family *f, gpueig_type type, int64_t n, int64_t pages,
           int exponent)
{
  const int64_t count = n * n * pages;
  const gpueig_type pair = complex_type (type);
  return (stack){ .f = f,
                  .type = type,
                  .n = n,
                  .pages = pages,
                  .exponent = exponent,
                  .a = check_array (type, count),
                  .s = check_array (type, count),
                  .u = check_array (type, count),
                  .lambda = check_array (pair, n * pages),
                  .v = check_array (pair, count),
                  .w = check_array (pair, count) };
}

static void
free_stack (stack *k)
{
  char *const all[] = { k->a, k->s, k->u, k->lambda, k->v, k->w };
  for (int i = 0; i < 6; i++)
    free (all[i]);
}

/* PAGES pages from page FIRST on of K, times 2^EXPONENT.  */
static stack
part_of (const stack *k, int64_t first, int64_t pages, int exponent)
{
  const int64_t square = k->n * k->n;
  stack part = new_stack (k->f, k->type, k->n, pages, exponent);
  for (int64_t e = 0; e < square * pages; e++)
    measure_set (k->type, part.a, e,
                 ldexp (1, exponent)
                     * measure_get (k->type, k->a, square * first + e));
  return part;
}

static void
check_stack (const stack *k)
{
  stack forms = *k;
  if (options.backend == GPUEIG_CUDA && forms.pages > FORMS_ON_GPU)
    forms.pages = FORMS_ON_GPU;
  check_call (&forms, SCHUR, FORM);
  for (call c = EIG; c < CALLS; c++)
    {
      stack part = *k;
      if (c > EIG && part.pages > PART)
        part.pages = PART;
      if (c == SHROFF && ! k->f->normal)
        break;
      check_call (k, c, VALUES);
      if (c != NOT_BALANCED)
        check_call (&part, c, VECTORS);
    }
}

static void
families_are_within_the_limits (const family *f, int64_t n, gpueig_type type)
{
  const int big = gpueig_is_double (type) ? 900 : 100;
  const int64_t few = f->pages < SCALED ? f->pages : SCALED;
  const int64_t square = n * n;
  measure_random r = { (uint64_t) (n + 68) };
  CLEANUP (free_stack) stack k = new_stack (f, type, n, f->pages, 0);
  for (int64_t p = 0; p < f->pages; p++)
    {
      number x[MOST * MOST] = { 0 };
      f->fill (&(family_page){ &r, gpueig_is_complex (type), n, p }, x);
      for (int64_t e = 0; e < square; e++)
        measure_set (type, k.a, square * p + e, x[e]);
    }
  check_stack (&k);
  for (int i = 0; i < SINGLE; i++)
    {
      CLEANUP (free_stack)
      stack one = part_of (&k, i * (f->pages - 1) / (SINGLE - 1), 1, 0);
      check_stack (&one);
    }
  for (int sign = -1; sign < 2; sign += 2)
    {
      CLEANUP (free_stack)
      stack scaled = part_of (&k, 0, few, sign * big);
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
