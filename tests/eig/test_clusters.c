/* Claim: symmetric matrices whose eigenvalues form tight clusters are solved to the limits,
   and never end in an error, by every symmetric solver and method: tridiagonal ones of
   equal blocks that small elements join, given as (d, e) or full, and dense ones.  LAPACK's
   divide and conquer fails for some of them, as for the first.  With GPUEIG_TEST_LONG
   100 000 of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* mrrr takes (d, e) where the matrix is tridiagonal and real.  */
static const struct
{
  int solver;
  const char *method;
  int on_cpu; /* only */
} ways[] = { { SOLVE_EIG, "auto", 0 },      { SOLVE_EIG, "syevd", 0 },
             { SOLVE_EIG, "mrrr", 0 },      { SOLVE_MRRR, "auto", 0 },
             { SOLVE_MRRR, "stevd", 1 },    { SOLVE_MRRR, "stemr", 1 },
             { SOLVE_MRRR, "mrrr", 0 },     { SOLVE_JACOBI, "auto", 0 },
             { SOLVE_ONESIDED, "auto", 0 }, { SOLVE_EIG, "auto", 0 },
             { SOLVE_MRRR, "stevd", 1 },    { SOLVE_EIG, "syevd", 0 } };

enum
{
  WAYS = sizeof ways / sizeof ways[0],
  MOST = 120, /* order */
  CASES = 1200,
  CASES_LONG = 100000
};

typedef struct
{
  int n, tridiagonal;
  gpueig_type type;
  double d[MOST], e[MOST];
  char *a;
} matrix;

/* Blocks of order PERIOD, equal but for the elements that join them.  */
static void
joined_blocks (measure_random *r, matrix *m)
{
  const int period = 2 + (int) measure_integer (r, 0, 12 - 1),
            plain = measure_chance (r) < 0.5;
  const double least = plain ? -15 : -17;
  for (int i = 0; i < m->n; i++)
    {
      const double ladder = fabs (i % period - (period - 1) / 2.0);
      m->d[i] = i >= period ? m->d[i - period]
                : plain     ? ladder
                            : measure_uniform (r);
      m->e[i] = (i + 1) % period == 0
                    ? pow (10, floor (least * measure_chance (r)))
                : i >= period ? m->e[i - period]
                : plain       ? 1
                              : measure_uniform (r);
    }
}

/* The full matrix, reflected COUNT times.  */
static void
fill (measure_random *r, matrix *m, int count)
{
  const int n = m->n, is_complex = gpueig_is_complex (m->type);
  FREED double _Complex *a
      = check_memory ((int64_t) n * n, sizeof (double _Complex));
  for (int i = 0; i < n; i++)
    {
      a[i + n * i] = m->d[i];
      if (i + 1 < n)
        a[i + n * (i + 1)] = a[i + 1 + n * i] = m->e[i];
    }
  for (int k = 0; k < count; k++)
    measure_reflect (r, is_complex, n, a, 1);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        const double _Complex x = i == j ? creal (a[i + n * j]) : a[i + n * j];
        measure_set (m->type, m->a, i + n * j, x);
        measure_set (m->type, m->a, j + n * i, conj (x));
      }
}

/* A diagonal of a few values, each with a width of its own.  */
static void
clusters (measure_random *r, matrix *m)
{
  const int count = 1 + (int) measure_integer (r, 0, 9 - 1);
  double center[9] = { 0 }, width[9] = { 0 };
  for (int k = 0; k < count; k++)
    {
      center[k] = measure_chance (r) < 0.5
                      ? (int) measure_integer (r, 0, 7 - 1) - 3
                      : 10 * measure_uniform (r);
      width[k]
          = measure_chance (r) < 0.2 ? 0 : pow (10, -17 * measure_chance (r));
    }
  for (int i = 0; i < m->n; i++)
    {
      const int k = (int) measure_integer (r, 0, count - 1);
      m->d[i] = center[k] + width[k] * measure_normal (r);
      m->e[i] = 0;
    }
}

static void
check_solution (const matrix *m, int way, const char *name)
{
  const int64_t n = m->n;
  if (options.backend == GPUEIG_CUDA && ways[way].on_cpu)
    return;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[ways[way].solver], m->type, n, 1, 2);
  memcpy (p.a, m->a, (size_t) (n * n) * gpueig_scalar_size (m->type));
  if (m->tridiagonal && ! gpueig_is_complex (m->type)
      && ways[way].solver == SOLVE_MRRR)
    take_diagonals (&p);
  if (check_solve (ctx, &p, &options, ways[way].method, "%s", name))
    check_errors (&p, USUAL_NONE);
}

static void
random_case (int k, int seed)
{
  measure_random r = { (uint64_t) (seed * 1000003 + k) };
  FREED char *a = check_array (GPUEIG_COMPLEX_DOUBLE, MOST * MOST);
  matrix m = { .a = a };
  char name[40];
  m.n = 3
        + (int) measure_integer (&r, 0,
                                 measure_chance (&r) < 0.9 ? 59 : MOST - 4);
  m.type = measure_chance (&r) < 0.5 ? GPUEIG_DOUBLE
                                     : (gpueig_type) measure_integer (&r, 0, 3);
  m.tridiagonal = measure_chance (&r) < 0.6;
  if (m.tridiagonal)
    joined_blocks (&r, &m);
  else
    clusters (&r, &m);
  fill (&r, &m, m.tridiagonal ? 0 : 3);
  snprintf (name, sizeof name, "case %d", k);
  check_solution (&m, (int) measure_integer (&r, 0, WAYS - 1), name);
}

/* dstevd's vectors of this matrix are not orthogonal.  */
static void
known_case (gpueig_type type)
{
  static const int off[] = { 13, 13, 5, 11, 11, 3, 9 };
  measure_random r = { 1 };
  FREED char *a = check_array (type, 46 * 46);
  matrix m = { .n = 46, .type = type, .tridiagonal = 1, .a = a };
  for (int i = 0; i < m.n; i++)
    {
      m.d[i] = fabs (i % 6 - 2.5);
      m.e[i] = i % 6 == 5 && i < 42 ? pow (10, -off[i / 6]) : 1;
    }
  fill (&r, &m, 0);
  for (int way = 0; way < WAYS; way++)
    check_solution (&m, way, "known case");
}

int
main (void)
{
  const char *seed = getenv ("GPUEIG_TEST_SEED");
  const int cases = getenv ("GPUEIG_TEST_LONG") ? CASES_LONG : CASES;
  check_begin ("clusters");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    known_case ((gpueig_type) t);
  for (int k = 0; k < cases; k++)
    random_case (k, seed ? atoi (seed) : 1);
  gpueig_destroy (ctx);
  return check_end ();
}
