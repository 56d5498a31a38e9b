/* Claims about problems of any solver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
check_solve (gpueig_context *ctx, any_problem *p, const gpueig_options *options,
             const char *method, const char *format, ...)
{
  char text[100];
  gpueig_options o = *options;
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  p->method = o.method = method ? method : o.method;
  snprintf (p->what, sizeof p->what, "%s, %s by %s, %s n=%d, %d pages", text,
            p->solver->name, o.method, check_type_name[p->type], (int) p->n,
            (int) p->pages);
  p->status = solve_problem (ctx, p, &o, &p->info);
  CHECK (p->status == GPUEIG_OK, "%s: %s", p->what, gpueig_message (ctx));
  return p->status == GPUEIG_OK;
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
      const double _Complex low
          = measure_get (p->vectors, p->w, at + j + 1 + n * j);
      if (low == 0)
        {
          before = 0;
          continue;
        }
      const double _Complex up
          = measure_get (p->vectors, p->w, at + j + n * (j + 1));
      good &= ! gpueig_is_complex (p->vectors) && ! before && creal (up) != 0
              && (creal (low) < 0) != (creal (up) < 0)
              && measure_get (p->vectors, p->w, at + j + n * j)
                     == measure_get (p->vectors, p->w, at + (j + 1) * (n + 1));
      before = 1;
    }
  return good;
}

/* Exactly conjugate pairs in adjacent columns, real vectors of real eigenvalues; V may be
   NULL.  */
static int
has_pairs (const any_problem *p, const char *lambda, const char *v)
{
  const int64_t n = p->n;
  int good = 1;
  for (int64_t j = 0; j < n; j++)
    {
      const double _Complex x = measure_get (p->values, lambda, j);
      const int two = cimag (x) != 0;
      if (two && j + 1 == n)
        return 0;
      good &= ! two || measure_get (p->values, lambda, j + 1) == conj (x);
      for (int64_t i = n * j; v && i < n * (j + 1); i++)
        {
          const double _Complex u = measure_get (p->values, v, i);
          good &= two ? measure_get (p->values, v, i + n) == conj (u)
                      : cimag (u) == 0;
        }
      j += two;
    }
  return good;
}

/* Ascending real parts, of which close ones count as equal, see
   core/methods/shroff/order.h.  */
static int
is_ordered (const any_problem *p, const char *lambda)
{
  double equal = 0;
  int sorted = 1;
  for (int64_t i = 0; i < p->n; i++)
    equal = fmax (equal, cabs (measure_get (p->values, lambda, i)));
  equal *= 8 * sqrt ((double) p->n) * (double) p->n * measure_eps (p->values);
  for (int64_t i = 0; i + 1 < p->n; i++)
    sorted &= creal (measure_get (p->values, lambda, i))
              <= creal (measure_get (p->values, lambda, i + 1)) + equal;
  return sorted;
}

/* The largest elements of all columns of X are real.  */
static int
has_phases (const any_problem *p, const char *x)
{
  int real = 1;
  for (int64_t j = 0; x && j < p->n; j++)
    {
      double largest = 0, largest_real = 0;
      for (int64_t i = j * p->n; i < (j + 1) * p->n; i++)
        {
          const double _Complex e = measure_get (p->values, x, i);
          largest = worst_of (largest, cabs (e));
          if (cimag (e) == 0)
            largest_real = worst_of (largest_real, cabs (e));
        }
      real &= largest_real >= largest * (1 - 100 * measure_eps (p->type));
    }
  return real;
}

/* Is page PAGE as documented?  */
static int
has_order (const any_problem *p, int64_t page)
{
  const int64_t n = p->n;
  const solver_kind kind = p->solver->kind;
  if (kind == SCHUR_FORM)
    return has_form (p, page);
  const char *lambda = page_of (p->values, p->lambda, columns_of (p), page);
  if (kind != GENERAL_MATRIX)
    return kind != SYMMETRIC_MATRIX || ascending (p, lambda);
  const char *v = p->v ? v_page (p, page) : NULL,
             *w = p->w ? page_of (p->vectors, p->w, n * n, page) : NULL;
  return (gpueig_is_complex (p->type) || has_pairs (p, lambda, v))
         && (p->solver->id != GE_COMPLEX_EIG
             || (is_ordered (p, lambda) && has_phases (p, v)
                 && has_phases (p, w)));
}

void
check_errors (const any_problem *p, usual_errors usual)
{
  const solver_kind kind = p->solver->kind;
  const double *limit = problem_limits[kind];
  measure_pairs worst = { 0 };
  int good = 1;
  for (int64_t page = 0; page < p->pages; page++)
    {
      good &= has_order (p, page);
      if (! p->v)
        continue;
      const measure_pairs m = page_errors (p, page, columns_of (p));
      worst.right = worst_of (worst.right, m.right);
      worst.left = worst_of (worst.left, m.left);
      worst.length = worst_of (worst.length, m.length);
    }
  CHECK (good, "order, pairs, phases, form, %s", p->what);
  if (! p->v)
    return;
  CHECK_BOTH (worst.right, limit[0], p->n, usual.residual, "residual, %s",
              p->what);
  if (kind == GENERAL_MATRIX)
    CHECK_BOTH (worst.left, limit[0], p->n, usual.residual, "left residual, %s",
                p->what);
  CHECK_BOTH (worst.length,
              strcmp (p->method, "stemr") == 0 ? LIMIT_STEMR : limit[1], p->n,
              kind == SYMMETRIC_MATRIX ? usual.orthogonality : INFINITY,
              "vectors, %s", p->what);
}

void
check_values (const any_problem *p, const any_problem *known,
              usual_errors usual)
{
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    worst = worst_of (worst, values_error (p, page, known, page));
  if (gpueig_is_complex (p->values))
    CHECK_RATIO (worst, LIMIT_GENERAL, "eigenvalues, %s", p->what);
  else
    CHECK_BOTH (worst, LIMIT_EIGENVALUES, p->n, usual.values, "eigenvalues, %s",
                p->what);
}

void
check_alone (gpueig_context *ctx, const any_problem *p,
             const gpueig_options *options, usual_errors usual, int exact)
{
  any_problem alone = *p;
  FREED char *lambda = check_array (p->values, p->n * p->pages);
  gpueig_options o = *options;
  o.method = p->method;
  alone.v = NULL;
  alone.lambda = lambda;
  CHECK (solve_problem (ctx, &alone, &o, &alone.info) == GPUEIG_OK,
         "without vectors, %s: %s", p->what, gpueig_message (ctx));
  if (exact)
    CHECK (same_values (p, &alone), "the bits of values alone, %s", p->what);
  else
    check_values (&alone, p, usual);
}

void
check_reference (gpueig_context *ctx, const any_problem *p, usual_errors usual)
{
  const gpueig_type wide
      = gpueig_is_complex (p->type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE;
  const int64_t count = p->n * p->n * p->pages;
  gpueig_options cpu = gpueig_default_options ();
  FREED char *a = check_array (wide, count);
  FREED double *values = check_array (GPUEIG_DOUBLE, p->n * p->pages);
  FREED char *rounded = check_array (p->values, p->n * p->pages);
  cpu.backend = GPUEIG_CPU;
  for (int64_t i = 0; i < count; i++)
    measure_set (wide, a, i, measure_get (p->type, p->a, i));
  const gpueig_symmetric s
      = symmetric_problem (wide, p->n, p->pages, a, values, NULL);
  CHECK (gpueig_eig_symmetric (ctx, &s, &cpu, NULL) == GPUEIG_OK,
         "reference, %s: %s", p->what, gpueig_message (ctx));
  for (int64_t i = 0; i < p->n * p->pages; i++)
    measure_set (p->values, rounded, i, values[i]);
  any_problem reference = *p;
  reference.lambda = rounded;
  check_values (p, &reference, usual);
}

int
same_page (const any_problem *p, int64_t i, const any_problem *q, int64_t j)
{
  const int64_t n = columns_of (p), square = p->n * n;
  return same_bits (p->values, p->lambda, n * i, q->lambda, n * j, n)
         && same_bits (p->vectors, p->v, square * i, q->v, square * j, square)
         && same_bits (p->vectors, p->w, square * i, q->w, square * j, square);
}

int
same_values (const any_problem *p, const any_problem *q)
{
  return same_bits (p->values, p->lambda, 0, q->lambda, 0,
                    columns_of (p) * p->pages);
}

int
same_vectors (const any_problem *p, const any_problem *q)
{
  const int64_t count = p->n * columns_of (p) * p->pages;
  return same_bits (p->vectors, p->v, 0, q->v, 0, count)
         && same_bits (p->vectors, p->w, 0, q->w, 0, count);
}
