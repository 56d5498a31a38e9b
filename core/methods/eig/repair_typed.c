/* Eigenvectors of one general page whose balanced form has large residuals, again from its
   eigenvalues.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Eigenvalues d of the balanced form are those of A up to small errors also where the vectors, scaled
   back, are not (D. S. Watkins, ETNA 23, 2006): they have another vector with a small residual.
   It is found by inverse iteration with A - d = P L U, which begins with the vector that there is, so
   that equal eigenvalues keep their different vectors.  Everything is in double precision.  */

#include "base/verify_by_sampling.h"
#include "eig/qr.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

/* scale_general_typed.c */
double FN (ge_page_norm) (int64_t n, const void *a);

typedef struct
{
  double re, im;
} number;

/* Real parts, then imaginary parts.  */
typedef struct
{
  double *re, *im;
} vector;

typedef struct
{
  int64_t n;
  const scalar_t *a;
  number *u;      /* L and U of A - d, by rows */
  int64_t *pivot; /* row K was exchanged with row PIVOT (K) */
  vector x, y, r;
  double norm;
} repair;

static char *
lay_out_repair (char *at, int64_t n, repair *p)
{
  vector *const all[] = { &p->x, &p->y, &p->r };
  p->n = n;
  p->u = ge_take (&at, n * n, sizeof (number));
  p->pivot = ge_take (&at, n, sizeof (int64_t));
  for (int i = 0; i < 3; i++)
    {
      all[i]->re = ge_take (&at, n, sizeof (double));
      all[i]->im = ge_take (&at, n, sizeof (double));
    }
  return at;
}

int64_t
FN (ge_repair_bytes) (int64_t n)
{
  repair p;
  char *start = (char *) (uintptr_t) 64;
  return lay_out_repair (start, n, &p) - start;
}

/* X - M Y.  */
static number
less_product (number x, number m, number y)
{
  return (number){ x.re - m.re * y.re + m.im * y.im,
                   x.im - m.re * y.im - m.im * y.re };
}

static number
quotient (number x, number y)
{
  const double most = fmax (fabs (y.re), fabs (y.im));
  const double c = y.re / most, s = y.im / most;
  const double unit = 1 / (most * (c * c + s * s));
  return (number){ (x.re * c + x.im * s) * unit, (x.im * c - x.re * s) * unit };
}

static double
size_of (number x)
{
  return fabs (x.re) + fabs (x.im);
}

/* A - D = P L U; pivots are not 0.  */
static void
factor (repair *p, number d)
{
  const int64_t n = p->n;
  number *const u = p->u;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      {
        const scalar_t x = p->a[i + n * j];
        u[n * i + j] = (number){ (double) re_ (x) - (i == j ? d.re : 0),
                                 (double) im_ (x) - (i == j ? d.im : 0) };
      }
  for (int64_t k = 0; k < n; k++)
    {
      int64_t at = k;
      for (int64_t i = k + 1; i < n; i++)
        at = size_of (u[n * i + k]) > size_of (u[n * at + k]) ? i : at;
      p->pivot[k] = at;
      for (int64_t j = 0; j < n && at != k; j++)
        {
          const number x = u[n * k + j];
          u[n * k + j] = u[n * at + j];
          u[n * at + j] = x;
        }
      number *const row = u + n * k;
      /* Small pivots of a graded page can have all of their digits.  */
      if (row[k].re == 0 && row[k].im == 0)
        row[k].re = p->norm * (double) GE_EPS;
      for (int64_t i = k + 1; i < n; i++)
        {
          number *const next = u + n * i;
          next[k] = quotient (next[k], row[k]);
          for (int64_t j = k + 1; j < n; j++)
            next[j] = less_product (next[j], next[k], row[j]);
        }
    }
}

static number
number_at (vector x, int64_t i)
{
  return (number){ x.re[i], x.im[i] };
}

static void
put (vector x, int64_t i, number value)
{
  x.re[i] = value.re;
  x.im[i] = value.im;
}

static void
exchange (vector x, int64_t k, int64_t i)
{
  const number first = number_at (x, k);
  put (x, k, number_at (x, i));
  put (x, i, first);
}

static number
conjugate (number x)
{
  return (number){ x.re, -x.im };
}

/* X <- (A - d)^-1 X.  */
static void
solve_right (const repair *p, vector x)
{
  const int64_t n = p->n;
  for (int64_t k = 0; k < n; k++)
    exchange (x, k, p->pivot[k]);
  for (int64_t i = 1; i < n; i++)
    {
      number sum = number_at (x, i);
      for (int64_t j = 0; j < i; j++)
        sum = less_product (sum, p->u[n * i + j], number_at (x, j));
      put (x, i, sum);
    }
  for (int64_t i = n - 1; i >= 0; i--)
    {
      number sum = number_at (x, i);
      for (int64_t j = i + 1; j < n; j++)
        sum = less_product (sum, p->u[n * i + j], number_at (x, j));
      put (x, i, quotient (sum, p->u[n * i + i]));
    }
}

/* X <- (A - d)'^-1 X.  */
static void
solve_left (const repair *p, vector x)
{
  const int64_t n = p->n;
  for (int64_t i = 0; i < n; i++)
    {
      put (x, i, quotient (number_at (x, i), conjugate (p->u[n * i + i])));
      for (int64_t j = i + 1; j < n; j++)
        put (x, j,
             less_product (number_at (x, j), conjugate (p->u[n * i + j]),
                           number_at (x, i)));
    }
  for (int64_t i = n - 1; i > 0; i--)
    for (int64_t j = 0; j < i; j++)
      put (x, j,
           less_product (number_at (x, j), conjugate (p->u[n * i + j]),
                         number_at (x, i)));
  for (int64_t k = n - 1; k >= 0; k--)
    exchange (x, k, p->pivot[k]);
}

/* X of 2-norm 1; 0 if it has none.  */
static int
normalize (int64_t n, vector x)
{
  double most = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    most = ge_larger (size_of (number_at (x, i)), most);
  if (! (most > 0) || isinf (most))
    return 0;
  for (int64_t i = 0; i < n; i++)
    {
      x.re[i] /= most;
      x.im[i] /= most;
      sum += x.re[i] * x.re[i] + x.im[i] * x.im[i];
    }
  for (int64_t i = 0; i < n; i++)
    {
      x.re[i] /= sqrt (sum);
      x.im[i] /= sqrt (sum);
    }
  return 1;
}

/* |A x - d x|, or |A' x - conj (d) x| of LEFT, 1-norms, of X with 2-norm 1, in units of
   n eps |A|.  */
static double
residual_of (const repair *p, number d, int left, vector x)
{
  double sum = 0;
  const number e = left ? conjugate (d) : d;
  (left ? FN (ge_sample_adjoint) : FN (ge_sample_multiply)) (
      NULL, p->n, p->n, p->a, 0, (double *const[2]){ x.re, x.im },
      (double *const[2]){ p->r.re, p->r.im });
  for (int64_t i = 0; i < p->n; i++)
    {
      const number r = less_product (number_at (p->r, i), e, number_at (x, i));
      sum += hypot (r.re, r.im);
    }
  return sum == 0 ? 0 : sum / (p->norm * (double) p->n * (double) GE_EPS);
}

/* X after two steps, unless the residual of X, the result, is smaller before.  */
static double
iterate_inverse (const repair *p, number d, int left, double residual)
{
  const size_t bytes = (size_t) p->n * sizeof (double);
  memcpy (p->y.re, p->x.re, bytes);
  memcpy (p->y.im, p->x.im, bytes);
  for (int step = 0; step < 2; step++)
    {
      (left ? solve_left : solve_right) (p, p->y);
      if (! normalize (p->n, p->y))
        return residual;
    }
  const double after = residual_of (p, d, left, p->y);
  if (! (after < residual))
    return residual;
  memcpy (p->x.re, p->y.re, bytes);
  memcpy (p->x.im, p->y.im, bytes);
  return after;
}

/* X to column OUT, its largest element real, or to OUT's conjugate, which follows it.  */
static void
store_column (int64_t n, vector x, int pair, real_t *out)
{
  int64_t at = 0;
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double size = hypot (x.re[i], x.im[i]);
      at = size > most ? i : at;
      most = fmax (size, most);
    }
  const double c = x.re[at] / most, s = -x.im[at] / most;
  for (int64_t i = 0; i < n; i++)
    {
      const double re = x.re[i] * c - x.im[i] * s,
                   im = i == at ? 0 : x.re[i] * s + x.im[i] * c;
      out[2 * i] = (real_t) re;
      out[2 * i + 1] = (real_t) im;
      if (pair)
        {
          out[2 * (n + i)] = (real_t) re;
          out[2 * (n + i) + 1] = (real_t) -im;
        }
    }
}

double
FN (ge_repair_vectors) (int64_t n, const void *a, const void *lambda, void *v,
                        void *w, double limit, void *space)
{
  const real_t *values = lambda;
  real_t *const vectors[2] = { v, w };
  repair p = { .a = a };
  double worst = 0;
  lay_out_repair (space, n, &p);
  p.norm = FN (ge_page_norm) (n, a);
  for (int64_t j = 0; j < n; j++)
    {
      const number d = { (double) values[2 * j], (double) values[2 * j + 1] };
      const int pair = ! GE_COMPLEX && d.im != 0;
      int factored = 0;
      for (int left = 0; left < 2; left++)
        {
          real_t *const out = vectors[left] + 2 * n * j;
          for (int64_t i = 0; i < n; i++)
            put (p.x, i,
                 (number){ (double) out[2 * i], (double) out[2 * i + 1] });
          double residual = residual_of (&p, d, left, p.x);
          if (! (residual <= limit))
            {
              if (! factored)
                factor (&p, d);
              factored = 1;
              residual = iterate_inverse (&p, d, left, residual);
              store_column (n, p.x, pair, out);
            }
          worst = ge_larger (residual, worst);
        }
      j += pair;
    }
  return worst;
}
