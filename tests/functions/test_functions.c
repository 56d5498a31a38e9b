/* Claims about gpueig_funm on the backend under test:
   hard_matrices_have_small_errors: the forward error of square roots, logarithms, exponentials
     and powers of hard matrices is below 10 n eps times the condition number (by the derivative
     in quadruple precision); results are real where the documentation says so, of the principal
     branch; states and reciprocal condition numbers are reported
   random_matrices_satisfy_equations: larger matrices satisfy the equations of the functions
   a_page_has_the_function_it_has_alone: a page of a mixed stack has the function that it has
     alone; after failing allocations the next call succeeds
   reflections_have_the_closed_form: exponentials of reflections are those of the closed form,
     and Hermitian bit for bit
   quick_stacks_for_sanitizers: small enough for a sanitizer: stacks of all functions by two
     types
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "function_call.h"
#include "quad.h"
#define REAL quad
#define NUMBER quad_complex
#include "small_matrix.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_FUNCTION 10.0 /* |X - f (A)| / (|f (A)| n eps cond) */
#define LIMIT_EQUATION 20.0 /* of larger, well-conditioned matrices */

/* --- hard matrices --- */

typedef struct
{
  const char *name;
  int n;
  int negative;    /* eigenvalues on the negative real axis */
  int only;        /* 0: all functions, else those of bits 1 << kind */
  double a[16];    /* by rows */
  int skip_single; /* out of range there */
} hard;

enum
{
  ROOTS = 1 << GPUEIG_SQRTM | 1 << GPUEIG_LOGM | 1 << GPUEIG_MPOWER,
  EXP = 1 << GPUEIG_EXPM
};

static const hard matrices[] = {
  { "general", 3, 0, 0, { 4, 1, -2, 3, 5, 1, 0, -1, 3 }, 0 },
  { "nonnormal", 3, 0, 0, { 1, 1e3, 5e5, 0, 2, -1e3, 0, 0, 3 }, 0 },
  { "nearly defective", 2, 0, 0, { 2, 1, 1e-13, 2 }, 0 },
  { "Jordan block",
    4,
    0,
    0,
    { 3, 1, 0, 0, 0, 3, 1, 0, 0, 0, 3, 1, 0, 0, 0, 3 },
    0 },
  { "full Jordan block", 3, 0, 0, { 2, 1, -1, 0, 3, -1, -1, 1, 1 + 1e-9 }, 0 },
  { "identity and nilpotent", 3, 0, 0, { 1, 2, 3, 0, 1, 4, 0, 0, 1 }, 0 },
  { "close eigenvalues", 2, 0, 0, { 1, 1e3, 0, 1 + 1e-9 }, 0 },
  { "nilpotent", 3, 0, EXP, { 0, 1e5, 3, 0, 0, -2e4, 0, 0, 0 }, 0 },
  { "negative eigenvalue", 3, 1, 0, { -4, 1, 2, 0, 5, 1, 1, 0, 3 }, 0 },
  { "negative symmetric", 3, 1, 0, { -2, 1, 0, 1, 3, 1, 0, 1, 1 }, 0 },
  { "large", 2, 0, ROOTS, { 5e200, 4e200, 3e200, 4.5e200 }, 1 },
  { "small", 2, 0, ROOTS, { 5e-200, 4e-200, 3e-200, 4.5e-200 }, 1 },
  { "graded", 3, 0, ROOTS, { 1e4, 10, 1, 10, 1, 1e-3, 2, 1e-3, 1e-3 }, 0 },
  { "positive definite, cond 1e12", /* V diag (1, 1e-6, 1e-12) V' in binary */
    2,
    0,
    0,
    { 1, 1 - 0x1p-40, 1 - 0x1p-40, 1 },
    1 },
  { "skew", 3, 0, EXP, { 0, 20, -5, -20, 0, 11, 5, -11, 0 }, 0 },
  { "rotation by nearly pi",
    2,
    0,
    0,
    { -0.99999999, 1.4142135588e-4, -1.4142135588e-4, -0.99999999 },
    1 },
  { "stochastic",
    4,
    0,
    0,
    { .9, .1, 0, 0, .05, .85, .1, 0, 0, .2, .7, .1, .25, 0, 0, .75 },
    0 },
  { "generator",
    4,
    0,
    EXP,
    { -1, 1, 0, 0, 10, -30, 20, 0, 0, 100, -200, 100, 3, 0, 0, -3 },
    0 },
  { "overscaled", 2, 0, EXP, { 1, 1e6, 0, -1 }, 0 },
  { "complex pair", 2, 0, 0, { 1, 1e4, -1e-4, 1 }, 0 },
};

/* --- the oracle --- */

static const char *const names[] = { "sqrtm", "logm", "expm", "mpower" };

static matrix
from_array (gpueig_type type, int n, const void *x)
{
  matrix q = { .n = n };
  for (int k = 0; k < n * n; k++)
    q.x[k] = quad_of (measure_get (type, x, k));
  return q;
}

/* f (A).  With NEGATIVE, A turned by -arctan (3 / 4) has no eigenvalue on the cut.  */
static matrix
oracle (gpueig_funm_kind kind, double power, int negative, const matrix *a)
{
  if (kind == GPUEIG_EXPM)
    return exponential (a);
  const quad fifth = 1 / (quad) 5;
  /* arctan (3 / 4) = 2 arctan (1 / 3) in digits that double has, and the rest */
  quad angle = 0, term = 1 / (quad) 3;
  for (int k = 1; k < 80; k += 2)
    {
      angle += (k % 4 == 1 ? 2 : -2) * term / k;
      term /= 9;
    }
  const matrix turned = scale ((4 - 3 * _Complex_I) * fifth, a);
  matrix x = logarithm (negative ? &turned : a);
  for (int i = 0; negative && i < x.n; i++)
    x.x[i + x.n * i] += angle * _Complex_I;
  if (kind == GPUEIG_LOGM)
    return x;
  x = scale (kind == GPUEIG_SQRTM ? 0.5 : power + power_im * _Complex_I, &x);
  return exponential (&x);
}

/* The condition number of f at A: the 2-norm of the derivative, by its action on the
   units and the power method, times |A| / |f (A)|.  */
static double
condition (gpueig_funm_kind kind, double power, int negative, const matrix *a)
{
  static double complex k[SQUARE][SQUARE];
  double complex v[SQUARE], w[SQUARE];
  const int n = a->n, square = n * n;
  const matrix f = oracle (kind, power, negative, a);
  const quad h = norm_of (a) * (quad) 1e-16, s = norm_of (a) / norm_of (&f) / h;
  double norm = 0;
  for (int d = 0; d < square; d++)
    {
      matrix near = *a;
      near.x[d] += h;
      near = oracle (kind, power, negative, &near);
      near = add (&near, -1, &f);
      for (int e = 0; e < square; e++)
        k[d][e] = quad_round (near.x[e] * s);
      v[d] = 1 + d % 3;
    }
  for (int step = 0; step < 60; step++)
    {
      double sum = 0;
      for (int e = 0; e < square; e++)
        {
          w[e] = 0;
          for (int d = 0; d < square; d++)
            w[e] += k[d][e] * v[d];
        }
      for (int d = 0; d < square; d++)
        {
          v[d] = 0;
          for (int e = 0; e < square; e++)
            v[d] += conj (k[d][e]) * w[e];
          sum += cabs (v[d]) * cabs (v[d]);
        }
      sum = sqrt (sum);
      norm = sqrt (sum);
      for (int d = 0; d < square; d++)
        v[d] /= sum;
    }
  return norm;
}

/* --- claims --- */

static void
hard_matrices_have_small_errors (const hard *m, gpueig_funm_kind kind,
                                 double power)
{
  call c = begin_call (GPUEIG_DOUBLE, m->n, 1, 1);
  double cond = 0;
  for (int t = 1; t < 8; t++)
    {
      /* double first, for the condition number; from 4 on times 1 + i / 4 */
      const gpueig_type type = (gpueig_type) (t % 4);
      const int turned = t >= 4;
      if ((power_im != 0 && ! gpueig_is_complex (type))
          || (m->skip_single && ! gpueig_is_double (type))
          || (turned && ! gpueig_is_complex (type)))
        continue;
      end_call (&c);
      c = begin_call (type, m->n, 1, 1);
      for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++)
          measure_set (type, c.a, i + m->n * j,
                       m->a[m->n * i + j]
                           * (turned ? 1 + 0.25 * _Complex_I : 1));
      const gpueig_status status = solve (&c, kind, power);
      CHECK (status == GPUEIG_OK, "%s of %s: %s", names[kind], m->name,
             gpueig_message (ctx));
      if (status != GPUEIG_OK)
        continue;
      const int negative = m->negative && ! turned;
      const matrix a = from_array (type, m->n, c.a),
                   f = oracle (kind, power, negative, &a);
      matrix x = { .n = m->n };
      if (! (cond > 0) || t == 4)
        cond = fmax (1, condition (kind, power, negative, &a));
      for (int k = 0; k < m->n * m->n; k++)
        x.x[k] = quad_of (value (&c, k));
      CHECK_RATIO (distance (&x, &f) / norm_of (&f)
                       / (m->n * measure_eps (type) * cond),
                   LIMIT_FUNCTION, "%s of %s, %s, cond %.1e", names[kind],
                   m->name, check_type_name[type], cond);
      const int cut = negative && kind != GPUEIG_EXPM
                      && (kind != GPUEIG_MPOWER || power != floor (power));
      CHECK (c.is_complex == (cut && ! gpueig_is_complex (type)),
             "%s of %s, %s: real or complex", names[kind], m->name,
             check_type_name[type]);
      CHECK (((c.state[0] & GPUEIG_FUNM_NEGATIVE) != 0) == cut
                 || (gpueig_is_complex (type) && m->negative),
             "%s of %s, %s: state", names[kind], m->name,
             check_type_name[type]);
    }
  end_call (&c);
}

/* Random A of KIND 0 general, 1 Hermitian, 2 triangular, 3 Hermitian definite, its
   eigenvalues around CENTER: roots multiplied give A, exponentials of logarithms too.  */
static void
random_matrices_satisfy_equations (gpueig_type type, int64_t n, int kind,
                                   double center)
{
  call c = begin_call (type, n, 1, 1), d = begin_call (type, n, 1, 1);
  measure_random r = { (uint64_t) (7 * n + kind) };
  double complex *x = check_memory (4 * n * n, sizeof *x), *a = x + n * n,
                 *y = a + n * n, *z = y + n * n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        double complex v
            = measure_normal (&r) + measure_normal (&r) * _Complex_I;
        v = (i == j ? creal (v) : v) / sqrt ((double) n);
        if (kind == 2 && i > j)
          v = 0;
        if (kind == 2 && i < j)
          v /= 4;
        if (kind % 2 && i < j)
          v = conj (measure_get (type, c.a, j + n * i));
        measure_set (type, c.a, i + n * j, v + (i == j ? center : 0));
      }
  for (int64_t k = 0; k < n * n; k++)
    a[k] = measure_get (type, c.a, k);
  const char *const what = kind == 0   ? "general"
                           : kind == 1 ? "Hermitian"
                           : kind == 2 ? "triangular"
                                       : "definite";
  CHECK (solve (&c, GPUEIG_SQRTM, 0) == GPUEIG_OK, "sqrtm: %s",
         gpueig_message (ctx));
  for (int64_t k = 0; k < n * n; k++)
    x[k] = value (&c, k);
  CHECK_RATIO (measure_product (type, n, x, x, a), LIMIT_EQUATION,
               "sqrtm (A)^2, %s %s n=%d", what, check_type_name[type], (int) n);
  CHECK (solve (&c, GPUEIG_MPOWER, -0.5) == GPUEIG_OK, "mpower: %s",
         gpueig_message (ctx));
  for (int64_t k = 0; k < n * n; k++)
    {
      y[k] = value (&c, k);
      z[k] = k % (n + 1) == 0;
    }
  /* A^-0.5 sqrtm (A) = I: only well-conditioned ones */
  if (center > 2)
    {
      CHECK_RATIO (measure_product (type, n, x, y, z), LIMIT_EQUATION,
                   "A^-0.5 A^0.5, %s %s n=%d", what, check_type_name[type],
                   (int) n);
      CHECK (solve (&c, GPUEIG_LOGM, 0) == GPUEIG_OK && ! c.is_complex,
             "logm: %s", gpueig_message (ctx));
      memcpy (d.a, c.x, (size_t) (n * n) * gpueig_scalar_size (type));
      CHECK (solve (&d, GPUEIG_EXPM, 0) == GPUEIG_OK, "expm: %s",
             gpueig_message (ctx));
      for (int64_t k = 0; k < n * n; k++)
        y[k] = value (&d, k);
      CHECK_RATIO (measure_product (type, n, z, y, a), LIMIT_EQUATION,
                   "expm (logm (A)), %s %s n=%d", what, check_type_name[type],
                   (int) n);
    }
  free (x);
  end_call (&c);
  end_call (&d);
}

/* Pages of all kinds, real and complex results, in one stack and alone.  */
static void
a_page_has_the_function_it_has_alone (gpueig_type type, gpueig_funm_kind kind,
                                      double power, int64_t n)
{
  const int64_t pages = 9, square = n * n;
  const size_t size = gpueig_scalar_size (type);
  call c = begin_call (type, n, pages, 1), one = begin_call (type, n, 1, 1);
  measure_random r = { (uint64_t) (31 * n + kind) };
  for (int64_t p = 0; p < pages; p++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < n; i++)
        {
          double v = measure_normal (&r) / sqrt ((double) n);
          if (p % 3 == 1)
            v = i <= j
                    ? v
                    : creal (measure_get (type, c.a, p * square + j + n * i));
          if (p % 3 == 2 && i > j)
            v = 0;
          v += i != j ? 0 : p > 5 && p % 3 < 2 ? -4 : 4;
          measure_set (type, c.a, p * square + i + n * j, v);
        }
  CHECK (solve (&c, kind, power) == GPUEIG_OK, "stack: %s",
         gpueig_message (ctx));
  double worst = 0;
  int same = 1;
  for (int64_t p = 0; p < pages; p++)
    {
      double norm = 0, error = 0;
      memcpy (one.a, page_of (type, c.a, square, p), (size_t) square * size);
      CHECK (solve (&one, kind, power) == GPUEIG_OK, "alone: %s",
             gpueig_message (ctx));
      for (int64_t k = 0; k < square; k++)
        {
          norm = fmax (norm, cabs (value (&one, k)));
          error = worst_of (
              error, cabs (value (&one, k) - value (&c, p * square + k)));
        }
      worst = worst_of (worst, error / norm);
      same &= one.state[0] == c.state[p] && one.rcond[0] > 0;
    }
  CHECK_RATIO (worst / ((double) n * measure_eps (type)), 100,
               "%s of a stack, %s n=%d", names[kind], check_type_name[type],
               (int) n);
  CHECK (same, "%s of a stack, %s: states", names[kind], check_type_name[type]);
  if (type == GPUEIG_DOUBLE || power_im != 0)
    {
      c.pages = 3; /* one of each kind */
      CHECK_FAILING_ALLOCATIONS (solve (&c, kind, power),
                                 "failing allocations, %s %s", names[kind],
                                 check_type_name[type]);
    }
  end_call (&c);
  end_call (&one);
}

/* exp (c H) = cosh (c) I + sinh (c) H for two reflections H = I - 2 v v', one page and another,
   with large and small C; Hermitian bit for bit.  */
static void
reflections_have_the_closed_form (gpueig_type type, int64_t n)
{
  const double size[] = { 20, -0.2 };
  call c = begin_call (type, n, 2, 1);
  measure_random r = { (uint64_t) n };
  double complex *v = check_memory (n, sizeof *v);
  double norm = 0, worst = 0;
  int hermitian = 1;
  for (int64_t i = 0; i < n; i++)
    {
      v[i] = measure_number (&r, type);
      norm += creal (v[i] * conj (v[i]));
    }
  for (int64_t k = 0; k < 2 * n * n; k++)
    {
      const int64_t i = k % n, j = k / n % n;
      const double complex h = (i == j) - 2 * v[i] * conj (v[j]) / norm;
      measure_set (type, c.a, k, size[k / n / n] * (i == j ? creal (h) : h));
    }
  CHECK (solve (&c, GPUEIG_EXPM, 0) == GPUEIG_OK, "reflections: %s",
         gpueig_message (ctx));
  for (int64_t k = 0; k < 2 * n * n; k++)
    {
      const int64_t i = k % n, j = k / n % n, page = k / n / n * n * n;
      const double t = size[k / n / n];
      const double complex h = (i == j) - 2 * v[i] * conj (v[j]) / norm;
      worst = worst_of (
          worst, cabs (value (&c, k) - (cosh (t) * (i == j) + sinh (t) * h))
                     / cosh (t) / fmax (1, fabs (t)));
      hermitian &= value (&c, k) == conj (value (&c, page + j + n * i));
    }
  CHECK_RATIO (worst / ((double) n * measure_eps (type)), LIMIT_FUNCTION,
               "expm of reflections, %s n=%d", check_type_name[type], (int) n);
  CHECK (hermitian, "expm of reflections, %s n=%d: Hermitian",
         check_type_name[type], (int) n);
  free (v);
  end_call (&c);
}

static const struct
{
  gpueig_funm_kind kind;
  double power;
} functions[] = { { GPUEIG_SQRTM, 0 },      { GPUEIG_LOGM, 0 },
                  { GPUEIG_EXPM, 0 },       { GPUEIG_MPOWER, 0.3 },
                  { GPUEIG_MPOWER, -0.75 }, { GPUEIG_MPOWER, 3.4 },
                  { GPUEIG_MPOWER, 5 },     { GPUEIG_MPOWER, -2 },
                  { GPUEIG_MPOWER, 0.99 } };

/* Small enough for a sanitizer: stacks of all functions, by the two types without failing
   allocations.  */
static void
quick_stacks_for_sanitizers (int64_t largest)
{
  for (gpueig_type t = GPUEIG_FLOAT; t <= GPUEIG_COMPLEX_DOUBLE; t += 3)
    for (size_t f = 0; f < COUNT (functions); f++)
      a_page_has_the_function_it_has_alone (t, functions[f].kind,
                                            functions[f].power, largest);
}

/* test_functions [LARGEST-ORDER quick]  */
int
main (int argc, char **argv)
{
  static const int64_t orders[] = { 1, 2, 3, 17, 33, 70, 130 };
  begin_test ("functions");
  if (argc > 2)
    {
      quick_stacks_for_sanitizers (atoi (argv[1]));
      return end_test ();
    }
  for (size_t f = 0; f < COUNT (functions); f++)
    for (size_t k = 0; k < COUNT (matrices); k++)
      if ((! matrices[k].only
           || (matrices[k].only & 1 << functions[f].kind) != 0)
          && check_turn (3)
          && (functions[f].power < 2 || ! matrices[k].skip_single)
          && functions[f].power > (matrices[k].skip_single ? -1 : -9))
        hard_matrices_have_small_errors (&matrices[k], functions[f].kind,
                                         functions[f].power);
  power_im = -1.5;
  for (size_t k = 0; k < COUNT (matrices); k++)
    if (! matrices[k].only && ! matrices[k].skip_single)
      hard_matrices_have_small_errors (&matrices[k], GPUEIG_MPOWER, 0.4);
  a_page_has_the_function_it_has_alone (GPUEIG_COMPLEX_FLOAT, GPUEIG_MPOWER,
                                        0.4, 9);
  a_page_has_the_function_it_has_alone (GPUEIG_COMPLEX_DOUBLE, GPUEIG_MPOWER,
                                        0.4, 9);
  power_im = 0;
  for (gpueig_type t = 0; t < 4; t++)
    {
      for (size_t i = 0; i < COUNT (orders); i++)
        {
          for (int kind = 0; kind < 4; kind++)
            random_matrices_satisfy_equations (t, orders[i], kind,
                                               kind == 1 ? 0 : 4);
          reflections_have_the_closed_form (t, orders[i]);
        }
      for (size_t f = 0; f < COUNT (functions); f++)
        a_page_has_the_function_it_has_alone (t, functions[f].kind,
                                              functions[f].power, 14);
    }
  return end_test ();
}
