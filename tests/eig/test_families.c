/* Claims, for gpueig_schur, gpueig_eig_general and gpueig_complex_eig on the backend under test,
   for families of small matrices, skew ones above all, also times large and small powers of 2:
   Schur forms, vectors and eigenvalues, these with vectors and alone, of stacks and of single
   pages, are within the limits; forms are in standard form; where the QR iteration of this
   library is named no other method follows, on a GPU for normal matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

enum
{
  MOST = 12,          /* order */
  FORMS_ON_GPU = 60,  /* pages of a stack that follow each other there */
  SINGLE = 8,         /* pages of a stack that are solved alone, too */
  SCALED = 100,       /* pages that are scaled */
  PART = 500,         /* pages for all calls */
  REAL = 1 << GPUEIG_FLOAT | 1 << GPUEIG_DOUBLE,
  ALL = 15
};

typedef double complex number;

static gpueig_context *ctx;
static gpueig_options options;

/* --- families --- */

/* Page PAGE of order N to A, which is zero.  */
typedef void fill_page (measure_random *r, int is_complex, int64_t n,
                        int64_t page, number *a);

static void
fill_skew (measure_random *r, int is_complex, int64_t n, int64_t page,
           number *a)
{
  (void) page;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = is_complex ? j : j + 1; i < n; i++)
      {
        const double x = i > j ? measure_normal (r) : 0;
        a[i + n * j] = x + (is_complex ? I * measure_normal (r) : 0);
        a[j + n * i] = -conj (a[i + n * j]);
      }
}

static void
fill_skew_integers (measure_random *r, int is_complex, int64_t n, int64_t page,
                    number *a)
{
  (void) page;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = is_complex ? j : j + 1; i < n; i++)
      {
        const double x = i > j ? (double) measure_integer (r, -30, 30) : 0;
        const double y = (double) measure_integer (r, -30, 30);
        a[i + n * j] = x + (is_complex ? I * y : 0);
        a[j + n * i] = -conj (a[i + n * j]);
      }
}

/* blkdiag (skew, magic (4)), the skew matrix of order N - 4.  */
static void
fill_beside_magic (measure_random *r, int is_complex, int64_t n, int64_t page,
                   number *a)
{
  static const int magic[]
      = { 16, 5, 9, 4, 2, 11, 7, 14, 3, 10, 6, 15, 13, 8, 12, 1 };
  number skew[MOST * MOST] = { 0 };
  const int64_t m = n - 4;
  fill_skew (r, is_complex, m, page, skew);
  for (int64_t k = 0; k < m * m; k++)
    a[k % m + n * (k / m)] = skew[k];
  for (int64_t k = 0; k < 16; k++)
    a[m + k % 4 + n * (m + k / 4)] = magic[k];
}

/* The elements are the digits of PAGE to the base 2 LARGEST + 1, minus LARGEST.  */
static void
fill_digits (int64_t n, int64_t page, int largest, number *a)
{
  for (int64_t k = 0; k < n * n; k++, page /= 2 * largest + 1)
    a[k] = (double) (page % (2 * largest + 1) - largest);
}

static void
fill_ternary (measure_random *r, int is_complex, int64_t n, int64_t page,
              number *a)
{
  (void) r;
  (void) is_complex;
  fill_digits (n, page, 1, a);
}

static void
fill_septenary (measure_random *r, int is_complex, int64_t n, int64_t page,
                number *a)
{
  (void) r;
  (void) is_complex;
  fill_digits (n, page, 3, a);
}

static void
fill_unitary (measure_random *r, int is_complex, int64_t n, int64_t page,
              number *a)
{
  for (int64_t i = 0; i < n; i++)
    a[i * (n + 1)] = 1;
  for (int64_t k = 0; k < 2 + page % 3; k++)
    measure_reflect (r, is_complex, n, a, 0);
}

static void
fill_permutation (measure_random *r, int is_complex, int64_t n, int64_t page,
                  number *a)
{
  int64_t to[MOST];
  (void) page;
  measure_shuffle (r, n, to);
  for (int64_t j = 0; j < n; j++)
    a[to[j] + n * j] = is_complex && j % 2 ? I : 1;
}

/* [X G; Q -X'] with Hermitian G and Q.  */
static void
fill_hamiltonian (measure_random *r, int is_complex, int64_t n, int64_t page,
                  number *a)
{
  const int64_t m = n / 2;
  (void) page;
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < m; i++)
      {
        const number turn = is_complex ? I : 0;
        const number x = measure_normal (r) + turn * measure_normal (r);
        const number y = measure_normal (r) + turn * measure_normal (r);
        a[i + n * j] = x;
        a[m + j + n * (m + i)] = -conj (x);
        a[i + n * (m + j)] += y;
        a[j + n * (m + i)] += conj (y);
        a[m + i + n * j] -= conj (y) / 2;
        a[m + j + n * i] -= y / 2;
      }
}

static void
fill_companion (measure_random *r, int is_complex, int64_t n, int64_t page,
                number *a)
{
  (void) page;
  for (int64_t j = 0; j < n; j++)
    {
      a[n * j] = (double) measure_integer (r, -3, 3)
                 + (is_complex ? I * (double) measure_integer (r, -3, 3) : 0);
      if (j + 1 < n)
        a[j + 1 + n * j] = 1;
    }
}

typedef struct
{
  const char *name;
  fill_page *fill;
  int64_t n, pages;
  int types, normal;
} family;

static const family families[]
    = { { "skew", fill_skew, 3, 20000, REAL, 1 },
        { "skew-Hermitian", fill_skew, 3, 500, ALL & ~REAL, 1 },
        { "skew of integers", fill_skew_integers, 3, 20000, REAL, 1 },
        { "skew of integers, complex", fill_skew_integers, 3, 500, ALL & ~REAL,
          1 },
        { "skew beside magic", fill_beside_magic, 7, 300, ALL, 0 },
        { "skew", fill_skew, 2, 200, ALL, 1 },
        { "skew", fill_skew, 4, 500, ALL, 1 },
        { "skew", fill_skew, 5, 500, ALL, 1 },
        { "skew", fill_skew, 6, 100, ALL, 1 },
        { "skew", fill_skew, 7, 100, ALL, 1 },
        { "skew", fill_skew, 8, 100, ALL, 1 },
        { "skew", fill_skew, 9, 100, ALL, 1 },
        { "skew", fill_skew, 10, 50, ALL, 1 },
        { "skew", fill_skew, 11, 50, ALL, 1 },
        { "skew", fill_skew, 12, 50, ALL, 1 },
        { "all of -1, 0, 1", fill_ternary, 3, 19683, REAL, 0 },
        { "all of -3 .. 3", fill_septenary, 2, 2401, REAL, 0 },
        { "unitary", fill_unitary, 5, 300, ALL, 1 },
        { "permutations", fill_permutation, 6, 300, ALL, 1 },
        { "Hamiltonian", fill_hamiltonian, 6, 300, ALL, 0 },
        { "companion", fill_companion, 5, 300, ALL, 0 } };

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

/* |x|^2 and 1 / x, faster than cabs and a quotient.  */
static inline double
square_of (number x)
{
  return creal (x) * creal (x) + cimag (x) * cimag (x);
}

static inline number
inverse_of (number x)
{
  const double f = 1 / square_of (x);
  return CMPLX (creal (x) * f, -cimag (x) * f);
}

/* The 1-norm; infinite where there is a NaN.  */
static double
norm_of (int64_t n, const number *a)
{
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += sqrt (square_of (a[i + n * j]));
      worst = worst_of (worst, sum);
    }
  return worst;
}

static inline number
times (number x, number y)
{
  return CMPLX (creal (x) * creal (y) - cimag (x) * cimag (y),
                creal (x) * cimag (y) + cimag (x) * creal (y));
}

/* C = A B - C; with ADJOINT of A' instead of A.  */
static void
multiply (int64_t n, int adjoint, const number *a, const number *b, number *c)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        number sum = -c[i + n * j];
        for (int64_t k = 0; k < n; k++)
          sum += times (adjoint ? conj (a[k + n * i]) : a[i + n * k],
                        b[k + n * j]);
        c[i + n * j] = sum;
      }
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

/* |A V - V D| / |V|, of left vectors of A' and conj (D).  */
static double
vector_error (int64_t n, const number *a, int left, const number *lambda,
              const number *v)
{
  number x[MOST * MOST];
  for (int64_t e = 0; e < n * n; e++)
    x[e] = times (left ? conj (lambda[e / n]) : lambda[e / n], v[e]);
  multiply (n, left, a, v, x);
  return norm_of (n, x) / norm_of (n, v);
}

/* 1 over the largest element of the inverse of A - X I, which is no smaller than its least
   singular value: elimination with partial pivoting, pivots below LEAST are replaced.  */
static double
distance (int64_t n, const number *a, number x, double least)
{
  number m[2 * MOST * MOST], pivot[MOST];
  double most = 0;
  memcpy (m, a, (size_t) (n * n) * sizeof *m);
  memset (m + n * n, 0, (size_t) (n * n) * sizeof *m);
  for (int64_t i = 0; i < n; i++)
    {
      m[i * (n + 1)] -= x;
      m[n * n + i * (n + 1)] = 1;
    }
  for (int64_t k = 0; k < n; k++)
    {
      int64_t p = k;
      for (int64_t i = k + 1; i < n; i++)
        if (square_of (m[i + n * k]) > square_of (m[p + n * k]))
          p = i;
      for (int64_t j = k; j < 2 * n && p != k; j++)
        {
          const number t = m[k + n * j];
          m[k + n * j] = m[p + n * j];
          m[p + n * j] = t;
        }
      if (square_of (m[k * (n + 1)]) < least * least)
        m[k * (n + 1)] = least;
      pivot[k] = inverse_of (m[k * (n + 1)]);
      for (int64_t i = k + 1; i < n; i++)
        {
          const number f = times (m[i + n * k], pivot[k]);
          for (int64_t j = k + 1; j < 2 * n; j++)
            m[i + n * j] -= times (f, m[k + n * j]);
        }
    }
  for (int64_t j = n; j < 2 * n; j++)
    for (int64_t k = n - 1; k >= 0; k--)
      {
        number *y = m + n * j;
        for (int64_t i = k + 1; i < n; i++)
          y[k] -= times (m[k + n * i], y[i]);
        y[k] = times (y[k], pivot[k]);
        most = worst_of (most, square_of (y[k]));
      }
  return 1 / sqrt (most);
}

/* How far the eigenvalues are from those of matrices near A: the trace, that of A^2, and if
   EACH the singularity of A - x I.  */
static double
spectrum_error (int64_t n, int each, const number *a, const number *lambda,
                double unit)
{
  const double norm = norm_of (n, a);
  number trace = 0, squares = 0;
  double worst = 0;
  if (norm == 0)
    unit = 1;
  for (int64_t i = 0; i < n; i++)
    {
      trace += a[i * (n + 1)] - lambda[i];
      squares -= times (lambda[i], lambda[i]);
      for (int64_t j = 0; j < n; j++)
        squares += times (a[i + n * j], a[j + n * i]);
      worst = worst_of (worst, cabs (lambda[i]) > 2 * norm ? INFINITY : 0);
      if (norm > 0 && each)
        worst
            = worst_of (worst, distance (n, a, lambda[i], unit * norm / 1000));
    }
  worst = worst_of (worst, cabs (trace));
  worst = worst_of (worst,
                    norm > 0 ? cabs (squares) / (2 * norm) : cabs (squares));
  return worst == 0 ? 0 : worst / (unit * (norm > 0 ? norm : 1));
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

/* The first PAGES pages from page FIRST on of K, times 2^EXPONENT.  */
static stack
part_of (const stack *k, int64_t first, int64_t pages, int exponent)
{
  const int64_t square = k->n * k->n;
  stack part = *k;
  part.pages = pages;
  part.exponent = exponent;
  part.a = check_array (k->type, square * pages);
  for (int64_t e = 0; e < square * pages; e++)
    {
      const number x = measure_get (k->type, k->a, square * first + e);
      measure_set (
          k->type, part.a, e,
          CMPLX (ldexp (creal (x), exponent), ldexp (cimag (x), exponent)));
    }
  return part;
}

static void
check_stack (const stack *k)
{
  const int on_gpu = options.backend == GPUEIG_CUDA;
  stack forms = *k;
  if (on_gpu && forms.pages > FORMS_ON_GPU)
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
test_family (const family *f, gpueig_type type)
{
  const int big = gpueig_is_double (type) ? 900 : 100;
  const int64_t n = f->n, square = n * n, count = square * f->pages;
  const gpueig_type pair = complex_type (type);
  measure_random r = { (uint64_t) (n + 68) };
  stack k = { .f = f, .type = type, .n = n, .pages = f->pages };
  FREED char *a = k.a = check_array (type, count);
  FREED char *s = k.s = check_array (type, count);
  FREED char *u = k.u = check_array (type, count);
  FREED char *v = k.v = check_array (pair, count);
  FREED char *w = k.w = check_array (pair, count);
  FREED char *lambda = k.lambda = check_array (pair, n * f->pages);
  for (int64_t p = 0; p < f->pages; p++)
    {
      number x[MOST * MOST] = { 0 };
      f->fill (&r, gpueig_is_complex (type), n, p, x);
      for (int64_t e = 0; e < square; e++)
        measure_set (type, a, square * p + e, x[e]);
    }
  check_stack (&k);
  for (int i = 0; i < SINGLE; i++)
    {
      stack one = part_of (&k, i * (f->pages - 1) / (SINGLE - 1), 1, 0);
      FREED char *of_one = one.a;
      check_stack (&one);
      (void) of_one;
    }
  for (int sign = -1; sign < 2; sign += 2)
    {
      stack scaled
          = part_of (&k, 0, f->pages < SCALED ? f->pages : SCALED, sign * big);
      FREED char *of_scaled = scaled.a;
      check_stack (&scaled);
      (void) of_scaled;
    }
}

int
main (void)
{
  check_begin ("families");
  ctx = check_context (&options);
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (int t = 0; t < 4; t++)
      if (families[i].types >> t & 1)
        test_family (&families[i], (gpueig_type) t);
  gpueig_destroy (ctx);
  return check_end ();
}
