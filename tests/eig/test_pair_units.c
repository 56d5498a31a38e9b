/* Claims about definite pairs (D A D, D B D), D powers of two up to the ends of the range, A
   with elements of about 1 and B = M B0 M with a well-conditioned B0 and M from 1 to the
   ends of the range, by all functions for them on the backend under test:
   units_do_not_matter: eigenvalues and vectors of the pair (A, B), which has other units, pass
     the bars, whatever D is, and no error is reported
   units_do_not_matter_in_stacks: that, for pages of a stack among ordinary ones
   unrepresentable_values_are_inf_or_0: eigenvalues that are not representable are Inf or 0, and
     the others do not suffer from them
   zeros_are_no_errors: eigenvalues that are 0, since A is or since they underflow
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"
#include "wide.h"

#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PAGES = 4,
  MOST = 40 /* order */
};

/* What A is.  */
typedef enum
{
  INDEFINITE,
  DEFINITE,
  SADDLE,   /* without a diagonal in its first half */
  SINGULAR, /* with a row of zeros, of rank n / 2 */
  KINDS
} kind;

static const char *const kind_name[KINDS]
    = { "indefinite", "definite", "saddle", "singular" };

/* --- pairs --- */

/* The pair in units of its own: A, B0 and the exponents of M; eigenvalues LAMBDA.  */
typedef struct
{
  int n;
  wide a[MOST * MOST], b[MOST * MOST];
  int m[MOST];
  long double lambda[MOST];
} base_pair;

static wide
entry (measure_random *r, gpueig_type type)
{
  const double re = measure_uniform (r);
  return gpueig_is_complex (type) ? re + I * measure_uniform (r) : re;
}

/* X, in this order the digits of TYPE.  */
static wide
rounded (gpueig_type type, wide x)
{
  double _Complex y;
  char space[16];
  measure_set (type, space, 0, (double _Complex) x);
  y = measure_get (type, space, 0);
  return y;
}

/* Eigenvalues of the N-by-N C, which is destroyed, ascending, by Jacobi's method.  */
static void
eigenvalues (int n, wide *c, long double *lambda)
{
  for (int sweep = 0, rotated = 1; rotated && sweep < 60; sweep++)
    {
      rotated = 0;
      for (int q = 1; q < n; q++)
        for (int p = 0; p < q; p++)
          {
            const wide d = c[p + n * q];
            const long double a = creall (c[p + n * p]),
                              b = creall (c[q + n * q]), size = cabsl (d);
            if (! (size > 1e-21L * sqrtl (fabsl (a)) * sqrtl (fabsl (b)))
                || size == 0)
              continue;
            rotated = 1;
            const long double z = (b - a) / (2 * size);
            const long double t
                = (z < 0 ? -1 : 1) / (fabsl (z) + sqrtl (1 + z * z));
            const long double cosine = 1 / sqrtl (1 + t * t);
            const wide sine = t * cosine * (d / size);
            for (int i = 0; i < n; i++)
              {
                const wide x = c[i + n * p], y = c[i + n * q];
                c[i + n * p] = cosine * x - conjl (sine) * y;
                c[i + n * q] = sine * x + cosine * y;
              }
            for (int i = 0; i < n; i++)
              {
                const wide x = c[p + n * i], y = c[q + n * i];
                c[p + n * i] = cosine * x - sine * y;
                c[q + n * i] = conjl (sine) * x + cosine * y;
              }
            c[p + n * q] = c[q + n * p] = 0;
            c[p + n * p] = creall (c[p + n * p]);
            c[q + n * q] = creall (c[q + n * q]);
          }
    }
  for (int i = 0; i < n; i++)
    {
      int at = i;
      for (; at > 0 && lambda[at - 1] > creall (c[i + n * i]); at--)
        lambda[at] = lambda[at - 1];
      lambda[at] = creall (c[i + n * i]);
    }
}

/* L^-1 M^-1 A M^-1 L^-H, B0 = L L', of rows in the order of descending M.  */
static void
reduce (const base_pair *p, wide *c)
{
  const int n = p->n;
  FREED wide *l = check_memory (n * n, sizeof *l);
  int order[MOST], key[MOST];
  for (int i = 0; i < n; i++)
    {
      int at = i;
      /* rows of zeros first */
      key[i] = 9999;
      for (int j = 0; j < n; j++)
        if (p->a[i + n * j] != 0)
          key[i] = p->m[i];
      for (; at > 0 && key[order[at - 1]] < key[i]; at--)
        order[at] = order[at - 1];
      order[at] = i;
    }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      {
        wide sum = p->b[order[i] + n * order[j]];
        for (int k = 0; k < j; k++)
          sum -= l[i + n * k] * conjl (l[j + n * k]);
        l[i + n * j] = i == j ? sqrtl (creall (sum)) : sum / l[j + n * j];
      }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const int row = order[i], column = order[j];
        c[i + n * j]
            = p->a[row + n * column] * ldexpl (1, -p->m[row] - p->m[column]);
      }
  for (int side = 0; side < 2; side++)
    {
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          {
            for (int k = 0; k < i; k++)
              c[i + n * j] -= l[i + n * k] * c[k + n * j];
            c[i + n * j] /= l[i + n * i];
          }
      wide_adjoint (n, n, c);
    }
}

/* P: elements are those of TYPE; M from 1 to 2^-MASS.  */
static void
make_pair (measure_random *r, gpueig_type type, int n, kind what, int mass,
           base_pair *p)
{
  FREED wide *c = check_memory (n * n, sizeof *c);
  p->n = n;
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        const int half = n / 2;
        wide x = i == j ? creall (entry (r, type)) : entry (r, type);
        if (what == DEFINITE)
          x = i == j ? 2 : x / n;
        if (what == SADDLE && i < half && j < half)
          x = 0;
        if (what == SINGULAR && (i < half || j < half))
          x = 0;
        p->a[i + n * j] = rounded (type, x);
        p->a[j + n * i] = conjl (p->a[i + n * j]);
        x = i == j ? 1 + 0.5 * measure_chance (r) : entry (r, type) / (2 * n);
        p->b[i + n * j] = rounded (type, x);
        p->b[j + n * i] = conjl (p->b[i + n * j]);
      }
  for (int i = 0; i < n; i++)
    p->m[i] = i == 0 ? 0 : -(int) (mass * measure_chance (r));
  p->m[n - 1] = n > 1 ? -mass : 0;
  reduce (p, c);
  eigenvalues (n, c, p->lambda);
}

/* D: from 2^-UNIT to 2^UNIT.  */
static void
make_units (measure_random *r, int n, int unit, int *d)
{
  for (int i = 0; i < n; i++)
    d[i] = (int) (unit * measure_uniform (r));
  d[0] = -unit;
  d[n - 1] = n > 1 ? unit : -unit;
}

/* Page PAGE of Q becomes P in the units D, A and B times 2^SHIFT.  */
static void
put_pair (any_problem *q, int64_t page, const base_pair *p, const int *d,
          const int shift[2])
{
  const int n = p->n;
  char *const a = a_page (q, page), *const b
                                    = page_of (q->type, q->b, n * n, page);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const int units = d[i] + d[j];
        measure_set (
            q->type, a, i + n * j,
            (double _Complex) (p->a[i + n * j] * ldexpl (1, units + shift[0])));
        measure_set (q->type, b, i + n * j,
                     (double _Complex) (
                         p->b[i + n * j]
                         * ldexpl (1, p->m[i] + p->m[j] + units + shift[1])));
      }
}

/* --- errors of page PAGE of Q, in the units of P --- */

typedef struct
{
  double values, relative, residual, orthogonality;
} errors;

static errors
measure (const any_problem *q, int64_t page, const base_pair *p, const int *d,
         const int shift[2])
{
  const int n = p->n;
  const long double unit = n * (long double) measure_eps (q->type),
                    most = gpueig_is_double (q->type) ? DBL_MAX : FLT_MAX,
                    least = gpueig_is_double (q->type) ? DBL_MIN : FLT_MIN;
  const char *const lambda = page_of (q->values, q->lambda, n, page);
  FREED wide *v = wide_copy (q->type, n * n, v_page (q, page)),
             *mb = check_memory (n * n, sizeof *mb),
             *av = check_memory (n * n, sizeof *av),
             *bv = check_memory (n * n, sizeof *bv),
             *gram = check_memory (n * n, sizeof *gram);
  errors e = { 0, 0, 0, 0 };
  long double norm = 0;
  for (int j = 0; j < n; j++)
    norm = fmaxl (norm, fabsl (p->lambda[j]));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        v[i + n * j] *= ldexpl (1, d[i]) * sqrtl (ldexpl (1, shift[1]));
        mb[i + n * j] = p->b[i + n * j] * ldexpl (1, p->m[i] + p->m[j]);
      }
  wide_multiply (n, n, n, p->a, v, av);
  wide_multiply (n, n, n, mb, v, bv);
  const long double norm_a = wide_norm (n, n, p->a),
                    norm_b = wide_norm (n, n, mb);
  for (int j = 0; j < n; j++)
    {
      const long double given = creal (measure_get (q->values, lambda, j));
      const long double want = ldexpl (p->lambda[j], shift[0] - shift[1]);
      const long double mine = ldexpl (given, shift[1] - shift[0]);
      /* Where the norm is not representable, eigenvalues of 0 are not known at all.  */
      const long double unknown = unit * ldexpl (norm, shift[0] - shift[1]);
      if (unknown > most && fabsl (want) < unknown)
        continue;
      if (fabsl (want) > most)
        e.values = worst_of (e.values,
                             isinf (given) && given * want > 0 ? 0 : INFINITY);
      else
        {
          const long double error = fabsl (given - want) - 2 * least;
          e.values = worst_of (
              e.values,
              (double) (error / (unit * ldexpl (norm, shift[0] - shift[1]))));
          if (fabsl (want) > least)
            e.relative = worst_of (e.relative,
                                   (double) (error / (unit * fabsl (want))));
        }
      long double rest = 0, length = 0;
      const long double value
          = fabsl (want) > most || fabsl (want) < least ? p->lambda[j] : mine;
      for (int i = 0; i < n; i++)
        {
          rest += cabsl (av[i + n * j] - value * bv[i + n * j]);
          length += cabsl (v[i + n * j]);
        }
      e.residual = worst_of (
          e.residual,
          (double) (rest
                    / ((norm_a + fabsl (value) * norm_b) * length * unit)));
    }
  wide_adjoint (n, n, v);
  wide_multiply (n, n, n, v, bv, gram);
  for (int j = 0; j < n; j++)
    gram[j + n * j] -= 1;
  e.orthogonality = (double) (wide_norm (n, n, gram) / unit);
  return e;
}

/* --- claims --- */

/* A case: exponents of the units and of M, and of A and B.  */
typedef struct
{
  int unit, mass, shift[2];
} spread;

/* Of double precision; single precision has about a ninth of the range.  */
static spread
scaled (spread s, gpueig_type type)
{
  if (! gpueig_is_double (type))
    s = (spread){ s.unit / 9, s.mass / 9, { s.shift[0] / 9, s.shift[1] / 9 } };
  return s;
}

/* The functions for pairs.  */
static const struct
{
  int solver, high;
  const char *name;
} functions[] = { { SOLVE_EIG, 0, "eig" },
                  { SOLVE_EIG, 1, "eig high" },
                  { SOLVE_JACOBI, 0, "jacobi" },
                  { SOLVE_JACOBI, 1, "jacobi high" } };

static void
check_page (const any_problem *q, int64_t page, const base_pair *p,
            const int *d, const spread *s, kind what, int function)
{
  char name[300];
  const errors e = measure (q, page, p, d, s->shift);
  snprintf (name, sizeof name, "%s, %s, units 2^%d, masses 2^-%d, shifts %d %d",
            q->what, kind_name[what], s->unit, s->mass, s->shift[0],
            s->shift[1]);
  CHECK_RATIO (e.values, LIMIT_EIGENVALUES, "values, %s", name);
  CHECK_RATIO (e.residual, LIMIT_RESIDUAL, "residual, %s", name);
  CHECK_RATIO (e.orthogonality, LIMIT_ORTHOGONALITY, "V' B V = I, %s", name);
  if (what == DEFINITE && functions[function].high)
    CHECK_RATIO (e.relative / 10, LIMIT_RELATIVE, "relative, %s", name);
}

/* One pair by all functions, in all units that S lists.  */
static void
units_do_not_matter (measure_random *r, gpueig_type type, int n, kind what,
                     const spread *list, int count)
{
  base_pair p;
  int d[MOST];
  for (int i = 0; i < count; i++)
    {
      const spread s = scaled (list[i], type);
      if (i == 0 || list[i].mass != list[i - 1].mass)
        make_pair (r, type, n, what, s.mass, &p);
      make_units (r, n, s.unit, d);
      for (int f = 0; f < 4; f++)
        {
          CLEANUP (free_problem)
          any_problem q
              = make_problem (&solvers[functions[f].solver], type, n, 1, 2);
          gpueig_options o = options;
          o.high_accuracy = functions[f].high;
          q.b = check_array (type, n * n);
          put_pair (&q, 0, &p, d, s.shift);
          if (! check_solve (ctx, &q, &o, NULL, "%s", functions[f].name))
            continue;
          CHECK (
              q.info.converged
                  && (! q.info.fallback[0] || options.backend == GPUEIG_CUDA),
              "nothing is told of errors: %s, %s, units 2^%d, masses 2^-%d: "
              "%s",
              q.what, kind_name[what], s.unit, s.mass, q.info.fallback);
          check_page (&q, 0, &p, d, &s, what, f);
        }
    }
}

/* Pages of all kinds side by side.  */
static void
units_do_not_matter_in_stacks (measure_random *r, gpueig_type type, int n)
{
  static const spread list[PAGES] = { { 0, 0, { 0, 0 } },
                                      { 480, 0, { 0, 0 } },
                                      { 0, 0, { 900, 90 } },
                                      { 0, 480, { 0, 0 } } };
  static base_pair p[PAGES];
  int d[PAGES][MOST];
  for (int f = 0; f < 4; f++)
    {
      CLEANUP (free_problem)
      any_problem q
          = make_problem (&solvers[functions[f].solver], type, n, PAGES, 2);
      gpueig_options o = options;
      o.high_accuracy = functions[f].high;
      q.b = check_array (type, n * n * PAGES);
      for (int page = 0; page < PAGES; page++)
        {
          const spread s = scaled (list[page], type);
          make_pair (r, type, n, INDEFINITE, s.mass, &p[page]);
          make_units (r, n, s.unit, d[page]);
          put_pair (&q, page, &p[page], d[page], s.shift);
        }
      if (check_solve (ctx, &q, &o, NULL, "stack by %s", functions[f].name))
        for (int page = 0; page < PAGES; page++)
          {
            const spread s = scaled (list[page], type);
            check_page (&q, page, &p[page], d[page], &s, INDEFINITE, f);
          }
    }
}

/* Parts of the spectrum, of which some eigenvalues are not representable, and B that is not
   definite.  */
static void
unrepresentable_values_are_inf_or_0 (void)
{
  static const double a[] = { 2, 1, 0, 1, 2, 0, 0, 0, -3 },
                      b[] = { 1e-308, 0, 0, 0, 1e200, 0, 0, 0, 1 };
  double lambda[3] = { 0 }, v[9] = { 0 }, wrong[9];
  int64_t found = 0;
  int indefinite = 0;
  gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                         .n = 3,
                         .pages = 1,
                         .a = a,
                         .b = b,
                         .lambda = lambda,
                         .v = v,
                         .found = &found };
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && fabs (lambda[0] + 3) < 1e-14
             && fabs (lambda[1] * 1e200 - 1.5) < 1e-14 && lambda[2] == INFINITY,
         "one beyond the range: %g %g %g", lambda[0], lambda[1], lambda[2]);
  s.select = GPUEIG_SELECT_INTERVAL;
  s.vl = -1;
  s.vu = 1e-199;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && found == 1 && fabs (lambda[0] * 1e200 - 1.5) < 1e-14,
         "%d in an interval: %g", (int) found, lambda[0]);
  s.select = GPUEIG_SELECT_INDEX;
  s.first = s.last = 2;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && fabs (lambda[0] * 1e200 - 1.5) < 1e-14
             && fabs (v[1] * 1e100) < 1.01 && fabs (v[1] * 1e100) > 0.99,
         "by number: %g", lambda[0]);
  memcpy (wrong, b, sizeof wrong);
  wrong[3] = wrong[1] = 1e-53;
  s.select = GPUEIG_SELECT_ALL;
  s.b = wrong;
  s.indefinite = &indefinite;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && indefinite == 2,
         "a B that is not definite: minor %d", indefinite);
}

/* A = SIZE I and a diagonal B of units far apart, the least of which is LEAST.  */
static void
zeros_are_no_errors (double size, double least)
{
  enum
  {
    ORDER = 6
  };
  double a[ORDER * ORDER] = { 0 }, b[ORDER * ORDER] = { 0 }, lambda[ORDER];
  int zeros = 0;
  for (int i = 0; i < ORDER; i++)
    {
      a[i * (ORDER + 1)] = size;
      b[i * (ORDER + 1)] = least * exp2 (30 * i);
    }
  const gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                               .n = ORDER,
                               .pages = 1,
                               .a = a,
                               .b = b,
                               .lambda = lambda };
  const gpueig_status status = gpueig_eig_symmetric (ctx, &s, &options, NULL);
  for (int i = 0; i < ORDER; i++)
    zeros += lambda[i] == 0;
  CHECK (status == GPUEIG_OK && zeros == ORDER, "A = %g I: %d zeros: %s", size,
         zeros, gpueig_message (ctx));
}

int
main (void)
{
  static const spread units[]
      = { { 0, 0, { 0, 0 } },       { 16, 0, { 0, 0 } },
          { 33, 0, { 0, 0 } },      { 100, 0, { 0, 0 } },
          { 265, 0, { 0, 0 } },     { 480, 0, { 0, 0 } },
          { 10, 0, { 900, 900 } },  { 40, 0, { -900, -900 } },
          { 0, 0, { 900, -90 } },   { 0, 0, { -900, 90 } },
          { 0, 0, { 1000, -300 } }, { 0, 0, { -1000, 300 } } },
      masses[] = { { 0, 200, { 0, 0 } },
                   { 0, 200, { 500, 0 } },
                   { 200, 200, { 0, 0 } },
                   { 0, 480, { 0, 0 } },
                   { 20, 480, { 0, 0 } } };
  static const int orders[] = { 2, 3, 5, 17, 40 };
  measure_random r = { 77 };
  begin_test ("pair_units");
  for (gpueig_type type = 0; type < 4; type++)
    for (int k = 0; k < 5; k++)
      {
        for (int what = 0; what < KINDS; what++)
          {
            /* Measures in long double take most of the time.  */
            const int large = k == 4;
            if (large && type != GPUEIG_DOUBLE && what != (int) type)
              continue;
            units_do_not_matter (&r, type, orders[k], (kind) what,
                                 units + (large ? 4 : 0), large ? 3 : 12);
            /* The units of rows of zeros are not known.  */
            if (what != SINGULAR)
              units_do_not_matter (&r, type, orders[k], (kind) what,
                                   masses + (large ? 2 : 0), large ? 2 : 5);
          }
        if (k < 4)
          units_do_not_matter_in_stacks (&r, type, orders[k]);
      }
  unrepresentable_values_are_inf_or_0 ();
  zeros_are_no_errors (0, 1);
  zeros_are_no_errors (1e-96, 1e250);
  return end_test ();
}
