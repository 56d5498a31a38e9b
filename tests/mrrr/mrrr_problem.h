/* A tridiagonal problem of test_mrrr.c, its error measures, and its reference.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MRRR_PROBLEM_H
#define MRRR_PROBLEM_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

void dsyrk_ (const char *, const char *, const int *, const int *,
             const double *, const double *, const int *, const double *,
             double *, const int *, size_t, size_t);

static gpueig_context *ctx;
static gpueig_options options;
/* --- a tridiagonal problem in the class under test, and in double --- */

typedef struct
{
  gpueig_type type;
  int n, columns;
  double *d, *e, *lambda, *v; /* what was solved and came out, as double */
  void *td, *te, *tlambda, *tv;
} problem;

static problem
make_problem (gpueig_type type, int n)
{
  size_t size = gpueig_real_size (type);
  problem p = { .type = type, .n = n, .columns = n };
  p.d = check_memory (n, sizeof (double));
  p.e = check_memory (n, sizeof (double));
  p.lambda = check_memory (n, sizeof (double));
  p.v = check_memory ((int64_t) n * n, sizeof (double));
  p.td = check_memory (n, size);
  p.te = check_memory (n, size);
  p.tlambda = check_memory (n, size);
  p.tv = check_memory ((int64_t) n * n, size);
  return p;
}

static void
free_problem (problem *p)
{
  free (p->d);
  free (p->e);
  free (p->lambda);
  free (p->v);
  free (p->td);
  free (p->te);
  free (p->tlambda);
  free (p->tv);
}

/* d and e rounded to the class, so that both hold the same matrix.  */
static void
round_problem (problem *p)
{
  for (int i = 0; i < p->n; i++)
    {
      measure_set (p->type, p->td, i, p->d[i]);
      measure_set (p->type, p->te, i, p->e[i]);
      p->d[i] = creal (measure_get (p->type, p->td, i));
      p->e[i] = creal (measure_get (p->type, p->te, i));
    }
}

static gpueig_mrrr_problem
request (const problem *p)
{
  return (gpueig_mrrr_problem){ .type = p->type,
                                .n = p->n,
                                .pages = 1,
                                .d = p->td,
                                .e = p->te,
                                .lambda = p->tlambda,
                                .v = p->tv };
}

static gpueig_status
solve (problem *p, const gpueig_mrrr_problem *r, gpueig_info *info)
{
  gpueig_status status = gpueig_mrrr (ctx, r, &options, info);
  for (int i = 0; i < p->columns; i++)
    p->lambda[i] = creal (measure_get (p->type, p->tlambda, i));
  for (int64_t i = 0; i < (int64_t) p->n * p->columns; i++)
    p->v[i] = creal (measure_get (p->type, p->tv, i));
  return status;
}

/* --- measures --- */

static double
norm1 (const problem *p)
{
  double norm = 0;
  for (int i = 0; i < p->n; i++)
    norm = worst_of (norm, fabs (p->d[i]) + (i > 0 ? fabs (p->e[i - 1]) : 0)
                               + (i + 1 < p->n ? fabs (p->e[i]) : 0));
  return norm;
}

static double
residual (const problem *p)
{
  double worst = 0, norm = norm1 (p), scale = norm > 0 ? norm : 1;
  for (int j = 0; j < p->columns; j++)
    {
      const double *x = p->v + (int64_t) p->n * j;
      double sum = 0;
      for (int i = 0; i < p->n; i++)
        {
          double r = (p->d[i] / scale - p->lambda[j] / scale) * x[i];
          if (i > 0)
            r += p->e[i - 1] / scale * x[i - 1];
          if (i + 1 < p->n)
            r += p->e[i] / scale * x[i + 1];
          sum += fabs (r);
        }
      worst = sum > worst || isnan (sum) ? sum : worst;
    }
  return worst / (p->n * measure_eps (p->type));
}

static double
orthogonality (const problem *p)
{
  double one = 1, none = 0, worst = 0;
  int n = p->n, k = p->columns;
  FREED double *g = check_memory ((int64_t) k * k, sizeof (double));
  dsyrk_ ("L", "T", &k, &n, &one, p->v, &n, &none, g, &k, 1, 1);
  for (int j = 0; j < k; j++)
    {
      double sum = 0;
      for (int i = 0; i < k; i++)
        sum += fabs ((i >= j ? g[i + (int64_t) k * j] : g[j + (int64_t) k * i])
                     - (i == j));
      worst = sum > worst || isnan (sum) ? sum : worst;
    }
  return worst / (n * measure_eps (p->type));
}

static int
is_ascending (const problem *p)
{
  for (int i = 1; i < p->columns; i++)
    if (! (p->lambda[i - 1] <= p->lambda[i]))
      return 0;
  return 1;
}

/* --- reference: bisection by Sturm counts in quadruple precision --- */

static int
count_below (const problem *p, __float128 x)
{
  __float128 q = 1;
  int count = 0;
  for (int i = 0; i < p->n; i++)
    {
      __float128 b = i > 0 ? p->e[i - 1] : 0;
      q = p->d[i] - x - (b != 0 ? b * b / q : 0);
      if (q == 0)
        q = -(__float128) 1e-300 * (__float128) 1e-300;
      count += q < 0;
    }
  return count;
}

__attribute__ ((unused)) static double
reference (const problem *p, int index)
{
  __float128 hi = 2 * norm1 (p), lo = -hi;
  for (int step = 0; step < 110; step++)
    {
      __float128 mid = (lo + hi) / 2;
      if (count_below (p, mid) >= index)
        hi = mid;
      else
        lo = mid;
    }
  return (double) ((lo + hi) / 2);
}

#endif
