/* Eigenvectors of one general page whose balanced form has large residuals, again from its
   eigenvalues.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Eigenvalues d of the balanced form are those of A up to small errors also where the vectors, scaled
   back, are not (D. S. Watkins, ETNA 23, 2006): they have another vector with a small residual.
   It is found by inverse iteration with A - d = P L U, which begins with the vector that there is, so
   that equal eigenvalues keep their different vectors.  Everything is in double precision.  */

#include "base/verify_by_sampling.h"
#include "eig/general.h"
#include "lapack/lapack.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

void zgetrf_ (const lapack_int *m, const lapack_int *n, number *a,
              const lapack_int *lda, lapack_int *ipiv, lapack_int *info);
void zgetrs_ (const char *trans, const lapack_int *n, const lapack_int *nrhs,
              const number *a, const lapack_int *lda, const lapack_int *ipiv,
              number *b, const lapack_int *ldb, lapack_int *info, size_t);

typedef struct
{
  int64_t n;
  const scalar_t *a;
  number *u; /* L and U of A - d */
  lapack_int *pivot;
  number *x, *y;   /* a vector, and the next one */
  double *part[4]; /* real and imaginary parts of a vector, and of a product */
  double norm;
} repair;

static char *
lay_out_repair (char *at, int64_t n, repair *p)
{
  p->n = n;
  p->u = ge_take (&at, n * n, sizeof (number));
  p->pivot = ge_take (&at, n, sizeof (lapack_int));
  p->x = ge_take (&at, n, sizeof (number));
  p->y = ge_take (&at, n, sizeof (number));
  for (int i = 0; i < 4; i++)
    p->part[i] = ge_take (&at, n, sizeof (double));
  return at;
}

int64_t
FN (ge_repair_bytes) (int64_t n)
{
  repair p;
  return lay_out_repair (GE_NOWHERE, n, &p) - GE_NOWHERE;
}

static double
size_of (number x)
{
  return fabs (creal (x)) + fabs (cimag (x));
}

static number
number_of (double re, double im)
{
  number x;
  ((double *) &x)[0] = re;
  ((double *) &x)[1] = im;
  return x;
}

/* A - D = P L U; pivots are not 0.  */
static void
factor (repair *p, number d)
{
  const lapack_int n = (lapack_int) p->n;
  lapack_int info;
  for (int64_t k = 0; k < p->n * p->n; k++)
    p->u[k] = number_of ((double) re_ (p->a[k]), (double) im_ (p->a[k]));
  for (int64_t k = 0; k < p->n; k++)
    p->u[k * (p->n + 1)] -= d;
  zgetrf_ (&n, &n, p->u, &n, p->pivot, &info);
  /* Small pivots of a graded page can have all of their digits.  */
  for (int64_t k = 0; info > 0 && k < p->n; k++)
    if (p->u[k * (p->n + 1)] == 0)
      p->u[k * (p->n + 1)] = p->norm * (double) GE_EPS;
}

/* X <- (A - d)^-1 X, of LEFT (A - d)'^-1 X.  */
static void
solve_shifted (const repair *p, int left, number *x)
{
  const lapack_int n = (lapack_int) p->n, one = 1;
  lapack_int info;
  zgetrs_ (left ? "C" : "N", &n, &one, p->u, &n, p->pivot, x, &n, &info, 1);
}

/* X of 2-norm 1; 0 if it has none.  */
static int
normalize (int64_t n, number *x)
{
  double most = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    most = ge_larger (size_of (x[i]), most);
  if (! (most > 0) || isinf (most))
    return 0;
  for (int64_t i = 0; i < n; i++)
    {
      x[i] = number_of (creal (x[i]) / most, cimag (x[i]) / most);
      sum += creal (x[i]) * creal (x[i]) + cimag (x[i]) * cimag (x[i]);
    }
  for (int64_t i = 0; i < n; i++)
    x[i] = number_of (creal (x[i]) / sqrt (sum), cimag (x[i]) / sqrt (sum));
  return 1;
}

/* |A x - d x|, or |A' x - conj (d) x| of LEFT, 1-norms, of X with 2-norm 1, in units of
   n eps |A|.  */
static double
residual_of (const repair *p, number d, int left, const number *x)
{
  double sum = 0;
  const number e = left ? conj (d) : d;
  double *const *const r = p->part + 2;
  for (int64_t i = 0; i < p->n; i++)
    {
      p->part[0][i] = creal (x[i]);
      p->part[1][i] = cimag (x[i]);
    }
  (left ? FN (ge_sample_adjoint)
        : FN (ge_sample_multiply)) (NULL, p->n, p->n, p->a, 0, p->part, r);
  for (int64_t i = 0; i < p->n; i++)
    {
      const double re
          = r[0][i] - creal (e) * creal (x[i]) + cimag (e) * cimag (x[i]),
          im = r[1][i] - creal (e) * cimag (x[i]) - cimag (e) * creal (x[i]);
      sum += hypot (re, im);
    }
  return sum == 0 ? 0 : sum / (p->norm * (double) p->n * (double) GE_EPS);
}

/* X after two steps, unless the residual of X, the result, is smaller before.  */
static double
iterate_inverse (const repair *p, number d, int left, double residual)
{
  const size_t bytes = (size_t) p->n * sizeof (number);
  memcpy (p->y, p->x, bytes);
  for (int step = 0; step < 2; step++)
    {
      solve_shifted (p, left, p->y);
      if (! normalize (p->n, p->y))
        return residual;
    }
  const double after = residual_of (p, d, left, p->y);
  if (! (after < residual))
    return residual;
  memcpy (p->x, p->y, bytes);
  return after;
}

/* X to column OUT, its largest element real, or to OUT's conjugate, which follows it.  */
static void
store_column (int64_t n, const number *x, int pair, real_t *out)
{
  int64_t at = 0;
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double size = hypot (creal (x[i]), cimag (x[i]));
      at = size > most ? i : at;
      most = fmax (size, most);
    }
  const double c = creal (x[at]) / most, s = -cimag (x[at]) / most;
  for (int64_t i = 0; i < n; i++)
    {
      const double re = creal (x[i]) * c - cimag (x[i]) * s,
                   im = i == at ? 0 : creal (x[i]) * s + cimag (x[i]) * c;
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
      const number d
          = number_of ((double) values[2 * j], (double) values[2 * j + 1]);
      const int pair = ! GE_COMPLEX && cimag (d) != 0;
      int factored = 0;
      for (int left = 0; left < 2; left++)
        {
          real_t *const out = vectors[left] + 2 * n * j;
          for (int64_t i = 0; i < n; i++)
            p.x[i] = number_of ((double) out[2 * i], (double) out[2 * i + 1]);
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
