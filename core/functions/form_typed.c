/* Functions of one page from its eigenvectors or its Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A real Schur form with 2-by-2 blocks becomes a complex triangular one by unitary
   transformations of the blocks, which are undone afterwards: then the function of a real
   matrix is real up to rounding errors, and so are the products with U.  */

#include "functions/calc.h"
#include "base/products.h"

#include <complex.h>
#include <math.h>
#include <string.h>

int
FN (ge_is_upper) (int64_t n, const void *matrix)
{
  const scalar_t *a = matrix;
  int diagonal = 1;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      if (i != j && a[i + j * n] != 0)
        {
          diagonal = 0;
          if (i > j)
            return 0;
        }
  return diagonal ? GE_DIAGONAL : GE_UPPER_TRIANGULAR;
}

/* --- eigenvectors --- */

/* X = (X + X') / 2.  */
static void
make_hermitian (int64_t n, scalar_t *x)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const scalar_t mean = x[i + j * n] / 2 + conj_ (x[j + i * n]) / 2;
        x[i + j * n] = mean;
        x[j + i * n] = conj_ (mean);
      }
}

/* X = V diag (RE + i IM) V', where these have N numbers, IM NULL: zeros; WORK: n-by-n.  */
static void
compose (int64_t n, const scalar_t *v, const real_t *re, const real_t *im,
         scalar_t *work, scalar_t *x)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      work[i + j * n] = v[i + j * n] * make_ (re[j], im ? im[j] : 0);
  FN (ge_gemm) ("N", "C", n, n, n, 1, work, n, v, n, 0, x, n);
}

int
FN (ge_funm_hermitian) (const gpueig_funm_problem *p, const void *lambda,
                        const void *v, void *x, void *x_im, void *work,
                        int *is_complex)
{
  const int64_t n = p->n;
  const real_t *values = lambda;
  real_t *f = (real_t *) ((scalar_t *) work + n * n), *f_im = f + n;
  int state = 0, any = 0;
  const real_t most = fmax_ (fabs_ (values[0]), fabs_ (values[n - 1]));
  const double tiny = (double) ((real_t) n * GE_EPS * most);
  for (int64_t j = 0; j < n; j++)
    {
      const ge_point z = ge_funm_value (p, (double) values[j], tiny, &state);
      f[j] = (real_t) creal (z);
      f_im[j] = (real_t) cimag (z);
      any |= f_im[j] != 0;
    }
  const int parts = any && ! GE_COMPLEX && x_im ? 2 : 1;
  for (int part = 0; part < parts; part++)
    {
      scalar_t *to = part ? x_im : x;
      compose (n, v, part ? f_im : f, any && GE_COMPLEX ? f_im : NULL, work,
               to);
      if (! (any && GE_COMPLEX))
        make_hermitian (n, to);
    }
  *is_complex = any && ! GE_COMPLEX;
  return state;
}

void
FN (ge_polar_page) (int64_t m, int64_t n, const void *w, const void *s,
                    const void *v, void *u, void *h, void *work)
{
  FN (ge_gemm) ("N", "C", m, n, n, 1, w, m, v, n, 0, u, m);
  if (! h)
    return;
  compose (n, v, s, NULL, work, h);
  make_hermitian (n, h);
}

/* --- triangular matrices --- */

/* T = f (T); WORK: scratch memory of a calculation.  */
static int
calculate (const gpueig_funm_problem *p, scalar_t *t, void *work, int *roots)
{
  ge_calc c;
  char *at = work;
  int state;
  ge_calc_begin (&c, (gpueig_type) GE_SCALAR, p->n,
                 p->power_im != 0 ? GE_CALC_MOST : GE_CALC_BUFFERS, &at);
  c.is_upper = FN (ge_is_upper) (p->n, t);
  ge_triangular (&c, p->kind, ge_power (p), t, roots, &state);
  return state;
}

/* --- 2-by-2 blocks --- */

#if GE_COMPLEX
/* T, with a subdiagonal, becomes upper triangular; G, n numbers, gets at k and k + 1 the
   first column of the unitary transformation of a block, or zeros.  Or, with BACK, this
   is undone.  */
static void
rotate (int64_t n, scalar_t *t, scalar_t *g, int back)
{
  for (int64_t k = 0; k + 1 < n; k++)
    {
      const scalar_t below = t[k + 1 + k * n];
      real_t w = 0;
      if (! back)
        {
          g[k] = 0;
          if (below != 0)
            {
              const real_t b = re_ (t[k + (k + 1) * n]);
              w = sqrt_ (fabs_ (b)) * sqrt_ (fabs_ (re_ (below)));
              const real_t r = (real_t) hypot ((double) b, (double) w);
              g[k] = make_ (b / r, 0);
              g[k + 1] = make_ (0, w / r);
            }
        }
      if (g[k] == 0)
        continue;
      /* The transformation [x, -conj (y); y, conj (x)] = [x, y; y, x] for a real x and
         an imaginary y; its inverse has -y.  */
      const scalar_t x = g[k], y = back ? -g[k + 1] : g[k + 1];
      for (int64_t i = 0; i < (back ? n : k + 2); i++)
        {
          const scalar_t p = t[i + k * n], q = t[i + (k + 1) * n];
          t[i + k * n] = p * x + q * y;
          t[i + (k + 1) * n] = p * y + q * x;
        }
      for (int64_t j = back ? 0 : k; j < n; j++)
        {
          const scalar_t p = t[k + j * n], q = t[k + 1 + j * n];
          t[k + j * n] = p * x - q * y;
          t[k + 1 + j * n] = q * x - p * y;
        }
      if (! back)
        {
          const real_t a = re_ (t[k + k * n]);
          t[k + k * n] = make_ (a, w);
          t[k + 1 + (k + 1) * n] = make_ (a, -w);
          t[k + 1 + k * n] = 0;
        }
      k++;
    }
}

int FN (ge_funm_blocks) (const gpueig_funm_problem *p, const real_t *form,
                         real_t *re, real_t *im, void *work, int *roots);

/* RE + i IM = f (FORM) of a real Schur form.  */
int
FN (ge_funm_blocks) (const gpueig_funm_problem *p, const real_t *form,
                     real_t *re, real_t *im, void *work, int *roots)
{
  const int64_t n = p->n, square = n * n;
  scalar_t *t = work, *g = t + square, *rest = g + n + 1;
  for (int64_t i = 0; i < square; i++)
    t[i] = make_ (form[i], 0);
  rotate (n, t, g, 0);
  const int state = calculate (p, t, rest, roots);
  rotate (n, t, g, 1);
  for (int64_t i = 0; i < square; i++)
    {
      re[i] = re_ (t[i]);
      im[i] = im_ (t[i]);
    }
  return state;
}
#else
#  define BLOCKS LAPACK (ge_funm_blocks_c, ge_funm_blocks_z, , )
int BLOCKS (const gpueig_funm_problem *p, const real_t *form, real_t *re,
            real_t *im, void *work, int *roots);
#endif

/* --- Schur form --- */

/* X = U F U', or F if U is NULL.  */
static void
transform (int64_t n, const scalar_t *u, const scalar_t *f, scalar_t *spare,
           scalar_t *x)
{
  if (! u)
    {
      memcpy (x, f, (size_t) (n * n) * sizeof *x);
      return;
    }
  FN (ge_gemm) ("N", "N", n, n, n, 1, u, n, f, n, 0, spare, n);
  FN (ge_gemm) ("N", "C", n, n, n, 1, spare, n, u, n, 0, x, n);
}

int
FN (ge_funm_schur) (const gpueig_funm_problem *p, const void *form,
                    const void *u, void *x, void *x_im, void *work,
                    int *is_complex, int *roots)
{
  const int64_t n = p->n, square = n * n;
  const scalar_t *t = form;
  scalar_t *f = work, *f_im = f + square, *spare = f_im + square,
           *rest = spare + square;
  int blocks = 0, negative = 0, state;
  for (int64_t j = 0; j < n; j++)
    {
      const int starts = j + 1 < n && t[j + 1 + j * n] != 0,
                ends = j > 0 && t[j + (j - 1) * n] != 0;
      blocks |= starts;
      negative |= ! starts && ! ends && re_ (t[j + j * n]) < 0
                  && im_ (t[j + j * n]) == 0;
    }
#if GE_COMPLEX
  (void) blocks;
#else
  if (blocks || negative)
    state = BLOCKS (p, t, f, f_im, rest, roots);
  else
#endif
  {
    memcpy (f, t, (size_t) square * sizeof *f);
    state = calculate (p, f, rest, roots);
  }
  transform (n, u, f, spare, x);
  *is_complex = negative && ! GE_COMPLEX;
  if (*is_complex && x_im)
    transform (n, u, f_im, spare, x_im);
  return state | (negative ? GPUEIG_FUNM_NEGATIVE : 0);
}

/* --- residual --- */

/* The Frobenius norm of what has the norm SIZE and COUNT more elements X.  */
static double
add_norm (double size, int64_t count, const scalar_t *x)
{
  for (int64_t i = 0; i < count; i++)
    size = hypot (size, hypot ((double) re_ (x[i]), (double) im_ (x[i])));
  return size;
}

double
FN (ge_funm_residual) (int64_t n, const void *a, const void *x,
                       const void *x_im, void *work)
{
  const int64_t square = n * n;
  scalar_t *e = work;
  memcpy (e, a, (size_t) square * sizeof *e);
  FN (ge_gemm) ("N", "N", n, n, n, 1, x, n, x, n, -1, e, n);
  if (x_im)
    FN (ge_gemm) ("N", "N", n, n, n, -1, x_im, n, x_im, n, 1, e, n);
  double error = add_norm (0, square, e);
  if (x_im)
    {
      FN (ge_gemm) ("N", "N", n, n, n, 1, x, n, x_im, n, 0, e, n);
      FN (ge_gemm) ("N", "N", n, n, n, 1, x_im, n, x, n, 1, e, n);
      error = add_norm (error, square, e);
    }
  return error / add_norm (0, square, a);
}
