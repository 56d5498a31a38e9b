/* Claims about gpueig_funm on the backend under test, for stacks of every kind of small
   matrices:
   roots_satisfy_their_equation: where a root or power exists it satisfies the equation that
     defines it, with elements not larger than they must be; where none exists, which exact
     arithmetic decides, the state says so
   exp_inverts_log: exp (log (A)) = A for pages that are not singular
   exponentials_have_errors_of_condition: exponentials have errors of their condition
   functions_of_a_stack: all of these for a stack
   ends_of_the_range: roots of matrices times powers of two up to the ends of the range
   every_family_in_other_units: that, for a family, also in other units (D A D^-1)
   families_in_one_stack: every family in one stack, and one page of each alone
   all_matrices_of_small_integers: all matrices of order N of integers from -MOST to MOST, every
     STEP-th of them
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "families.h"
#include "function_call.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In units of n eps: of |A| |A^(p-1)| and |X|^q in X^q = A^p; of the condition of the
   exponential.  */
#define LIMIT_EQUATION 100.0
#define LIMIT_EXPONENTIAL 40.0
/* |X|^q / |A^p|, the square of a condition number for all but nearly defective ones.  */
#define LIMIT_GROWTH 1e6

/* --- a stack --- */

typedef struct
{
  call c;
  page *page;
  int exponent; /* of the factor of all pages */
} stack;

/* A GPU computes functions of such pages one after the other: it gets one in so many.  */
static int pages_apart = 1;

/* Element K of page AT as it is stored: with its units, times i for every third page of a
   complex type.  */
static NUMBER
given (const stack *s, int64_t at, int k)
{
  const page *p = &s->page[at];
  const int n = (int) s->c.n,
            e = p->units[k % n] - p->units[k / n] + s->exponent;
  const NUMBER x
      = p->a.x[k] * (gpueig_is_complex (s->c.type) && at % 3 == 2 ? I : 1);
  return join (ldexpl (creall (x), e), ldexpl (cimagl (x), e));
}

static stack
begin (gpueig_type type, int64_t n, int64_t pages)
{
  return (stack){ .c = begin_call (type, n, pages, 0),
                  .page = check_memory (pages, sizeof (page)) };
}

static void
end (stack *s)
{
  free (s->page);
  end_call (&s->c);
}

/* Store the pages; what a page is by the precision of the type is what is asked for.  */
static void
store (stack *s)
{
  const int64_t square = s->c.n * s->c.n;
  for (int64_t at = 0; at < s->c.pages; at++)
    for (int k = 0; k < square; k++)
      {
        const NUMBER x = given (s, at, k);
        measure_set (s->c.type, s->c.a, at * square + k,
                     (double) creall (x) + (double) cimagl (x) * _Complex_I);
      }
}

/* Page AT of X (or of A) without units and the factor 2^EXPONENT.  */
static matrix
pagelement (const stack *s, const char *x, int64_t at, int exponent)
{
  const int n = (int) s->c.n;
  matrix m = { .n = n };
  for (int k = 0; k < n * n; k++)
    {
      const int64_t element = at * n * n + k;
      const double complex z = x == s->c.x
                                   ? value (&s->c, element)
                                   : measure_get (s->c.type, x, element);
      const int e
          = s->page[at].units[k / n] - s->page[at].units[k % n] - exponent;
      m.x[k] = join (ldexpl ((long double) creal (z), e),
                     ldexpl ((long double) cimag (z), e));
    }
  return m;
}

/* --- claims --- */

static matrix
power_of (const matrix *a, int p)
{
  matrix x = *a;
  for (; p > 1; p--)
    x = multiply (&x, a);
  return x;
}

typedef struct
{
  const char *name;
  gpueig_funm_kind kind;
  double power;
  int p, q; /* X^q = A^p */
} root;

static const root roots[] = { { "sqrtm", GPUEIG_SQRTM, 0.5, 1, 2 },
                              { "A^(1/3)", GPUEIG_MPOWER, 1. / 3, 1, 3 },
                              { "A^2.5", GPUEIG_MPOWER, 2.5, 5, 2 },
                              { "A^-1.5", GPUEIG_MPOWER, -1.5, -3, 2 } };

/* The largest error of a page of a stack.  */
typedef struct
{
  double error;
  int at; /* -1: none */
} worst_page;

static void
take_error (worst_page *w, double error, int64_t at)
{
  if (! (error <= w->error))
    *w = (worst_page){ error, (int) at };
}

typedef struct
{
  worst_page equation, growth;
  int unsaid;
} verdict;

static void
judge_root (const stack *s, const root *r, int64_t at, verdict *v)
{
  const matrix a = pagelement (s, s->c.a, at, s->exponent),
               x = pagelement (s, s->c.x, at, s->exponent * r->p / r->q);
  const int p = abs (r->p),
            index = s->page[at].integer ? index_of (&s->page[at].a) : 0,
            exists = r->p > 0 ? index < r->power + 1 : index == 0;
  const double n_eps = (double) s->c.n * measure_eps (s->c.type);
  if (! exists)
    {
      /* Larger blocks of zero are computed as eigenvalues that are not near zero.  */
      v->unsaid += index <= 3 && ! (s->c.state[at] & GPUEIG_FUNM_SINGULAR);
      return;
    }
  /* Of a matrix next to one without the power nothing is known.  */
  if (! s->page[at].integer && s->c.state[at] & GPUEIG_FUNM_SINGULAR)
    return;
  const matrix left = power_of (&x, r->q), right = power_of (&a, p),
               before = power_of (&a, p - 1);
  const matrix one = identity (a.n),
               product = r->p > 0 ? left : multiply (&left, &right);
  const matrix *target = r->p > 0 ? &right : &one;
  const double size
      = pow (norm_of (&x), r->q) * (r->p > 0 ? 1 : norm_of (&right)),
      least = norm_of (target),
      scale = p > 1 ? norm_of (&a) * norm_of (&before) : least,
      error = distance (&product, target) / fmax (size, scale) / n_eps;
  if (size == 0 && least == 0)
    return;
  take_error (&v->equation, error, at);
  if (r->p > 0 && least > 0)
    take_error (&v->growth, size / least, at);
}

static void
roots_satisfy_their_equation (stack *s, const root *r, const char *what,
                              double limit_growth)
{
  verdict v = { .equation = { 0, -1 }, .growth = { 0, -1 } };
  CHECK (solve (&s->c, r->kind, r->power) == GPUEIG_OK, "%s of %s: %s", r->name,
         what, gpueig_message (ctx));
  for (int64_t at = 0; at < s->c.pages; at++)
    judge_root (s, r, at, &v);
  CHECK_RATIO (v.equation.error, LIMIT_EQUATION,
               "equation of %s, %s %s n=%d 2^%d, page %d", r->name,
               check_type_name[s->c.type], what, (int) s->c.n, s->exponent,
               v.equation.at);
  CHECK_RATIO (v.growth.error, limit_growth,
               "growth of %s, %s %s n=%d 2^%d, page %d", r->name,
               check_type_name[s->c.type], what, (int) s->c.n, s->exponent,
               v.growth.at);
  CHECK (v.unsaid == 0,
         "%s of %s %s n=%d: %d pages without one are not reported", r->name,
         check_type_name[s->c.type], what, (int) s->c.n, v.unsaid);
}

/* exp (log (A)) = A for pages that are not singular.  */
static void
exp_inverts_log (stack *s, const char *what)
{
  worst_page worst = { 0, -1 };
  CHECK (solve (&s->c, GPUEIG_LOGM, 0) == GPUEIG_OK, "logm of %s: %s", what,
         gpueig_message (ctx));
  for (int64_t at = 0; at < s->c.pages; at++)
    {
      const matrix a = pagelement (s, s->c.a, at, 0);
      if (s->c.state[at] & GPUEIG_FUNM_SINGULAR
          || (s->page[at].integer && index_of (&s->page[at].a) > 0))
        continue;
      const matrix x = pagelement (s, s->c.x, at, 0), e = exponential (&x);
      const double norm = norm_of (&x), size = fmax (1, norm),
                   error = distance (&e, &a) / norm_of (&a) / size
                           / ((double) s->c.n * measure_eps (s->c.type));
      /* A logarithm without digits is that of a matrix next to a singular one.  */
      if (norm < 1e4)
        take_error (&worst, error, at);
    }
  CHECK_RATIO (worst.error, LIMIT_EQUATION, "exp of logm, %s %s n=%d, page %d",
               check_type_name[s->c.type], what, (int) s->c.n, worst.at);
}

/* The condition number of the exponential E of A, from a few directions.  */
static double
condition (const matrix *a, const matrix *e)
{
  const double h = 1e-7 * norm_of (a);
  double most = 1;
  for (int direction = 0; direction < 4; direction++)
    {
      matrix near = *a;
      double size = 0;
      for (int k = 0; k < a->n * a->n; k++)
        {
          const double d = sin (1 + 3 * k + 7 * direction);
          near.x[k] += h * d;
          size = fmax (size, fabs (d));
        }
      near = exponential (&near);
      most = fmax (most, distance (&near, e) / norm_of (e) / 1e-7);
    }
  return most;
}

static void
exponentials_have_errors_of_condition (stack *s, const char *what)
{
  worst_page worst = { 0, -1 };
  CHECK (solve (&s->c, GPUEIG_EXPM, 0) == GPUEIG_OK, "expm of %s: %s", what,
         gpueig_message (ctx));
  for (int64_t at = 0; at < s->c.pages; at++)
    {
      const matrix a = pagelement (s, s->c.a, at, 0),
                   x = pagelement (s, s->c.x, at, 0);
      if (norm_of (&a) == 0
          || norm_of (&a) > (gpueig_is_double (s->c.type) ? 400 : 60))
        continue;
      const matrix e = exponential (&a);
      const double error = distance (&x, &e) / norm_of (&e) / condition (&a, &e)
                           / ((double) s->c.n * measure_eps (s->c.type));
      take_error (&worst, error, at);
    }
  CHECK_RATIO (worst.error, LIMIT_EXPONENTIAL, "expm, %s %s n=%d, page %d",
               check_type_name[s->c.type], what, (int) s->c.n, worst.at);
}

/* Functions of S; ROOTS of all from FIRST on, STEP apart.  */
static void
functions_of_a_stack (stack *s, const char *what, double limit_growth,
                      int powers)
{
  store (s);
  for (int k = 0; k < powers; k++)
    roots_satisfy_their_equation (s, &roots[k], what, limit_growth);
  exp_inverts_log (s, what);
  exponentials_have_errors_of_condition (s, what);
}

/* Roots of S in the units of the ends of the range.  */
static void
ends_of_the_range (stack *s, const char *what, double limit_growth)
{
  const int e = gpueig_is_double (s->c.type) ? 900 : 90;
  for (int sign = -1; sign <= 1; sign += 2)
    {
      s->exponent = sign * e;
      store (s);
      roots_satisfy_their_equation (s, &roots[0], what, limit_growth);
      roots_satisfy_their_equation (s, &roots[1], what, limit_growth);
    }
  s->exponent = 0;
}

static void
every_family_in_other_units (int family, gpueig_type type)
{
  const int is_single = ! gpueig_is_double (type);
  generator = (measure_random){ (uint64_t) (17 * family + 3) };
  for (int n = 2; n <= MOST_N; n++)
    {
      if (family == HAMILTONIAN && n % 2)
        continue;
      stack s = begin (type, n, 24 / pages_apart + 1);
      for (int64_t at = 0; at < s.c.pages; at++)
        s.page[at] = make_page (family, n, is_single);
      functions_of_a_stack (&s, family_name[family], LIMIT_GROWTH, 4);
      if (family != OTHER_UNITS && family != BLOCKS_OF_OTHER_SIZE && n % 2)
        ends_of_the_range (&s, family_name[family], LIMIT_GROWTH);
      end (&s);
    }
}

/* Every family in one stack, and one page of each alone.  */
static void
families_in_one_stack (gpueig_type type, int n)
{
  stack s = begin (type, n, (pages_apart > 1 ? 1 : 3) * FAMILIES), one;
  generator = (measure_random){ (uint64_t) n };
  for (int64_t at = 0; at < s.c.pages; at++)
    s.page[at]
        = make_page ((int) (at % FAMILIES), n, ! gpueig_is_double (type));
  functions_of_a_stack (&s, "mixed", LIMIT_GROWTH, 4);
  for (int64_t at = 0; at < FAMILIES; at++)
    {
      one = begin (type, n, 1);
      one.page[0] = s.page[at];
      functions_of_a_stack (&one, family_name[at], LIMIT_GROWTH, 4);
      end (&one);
    }
  end (&s);
}

/* All matrices of order N of integers from -MOST to MOST, every STEP-th of them.  */
static void
all_matrices_of_small_integers (gpueig_type type, int n, int most, int64_t step)
{
  const int base = 2 * most + 1;
  int64_t count = 1;
  for (int k = 0; k < n * n; k++)
    count *= base;
  stack s = begin (type, n, (count + step - 1) / step);
  for (int64_t at = 0; at < s.c.pages; at++)
    {
      int64_t digits = at * step;
      s.page[at].integer = 1;
      s.page[at].a.n = n;
      for (int k = 0; k < n * n; k++)
        {
          s.page[at].a.x[k] = (double) (digits % base - most);
          digits /= base;
        }
    }
  functions_of_a_stack (&s, "all integers", LIMIT_GROWTH, 4);
  end (&s);
}

int
main (void)
{
  begin_test ("function_families");
  if (options.backend == GPUEIG_CUDA)
    pages_apart = 13;
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int family = 0; family < FAMILIES; family++)
        if (check_turn (5))
          every_family_in_other_units (family, type);
      families_in_one_stack (type, 4);
      all_matrices_of_small_integers (type, 2, 3, pages_apart);
      all_matrices_of_small_integers (
          type, 3, 1, (type == GPUEIG_DOUBLE ? 1 : 11) * pages_apart);
    }
  return end_test ();
}
