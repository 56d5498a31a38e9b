/* Functions of one page from its Schur form.
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

/* The eigenvalues Z of T; *NEGATIVE: some are real and negative.  Nonzero if T has 2-by-2
   blocks.  */
static int
get_eigenvalues (int64_t n, const scalar_t *t, ge_point *z, int *negative)
{
  int blocks = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *d = t + j * (n + 1);
      z[j] = ge_point_of ((double) re_ (*d), (double) im_ (*d));
      if (j + 1 < n && d[1] != 0)
        {
          const double above = fabs ((double) re_ (d[n])),
                       below = fabs ((double) re_ (d[1]));
          z[j] = ge_point_of (creal (z[j]), sqrt (above) * sqrt (below));
          z[j + 1] = conj (z[j]);
          blocks = 1;
          j++;
        }
      else
        *negative |= creal (z[j]) < 0 && cimag (z[j]) == 0;
    }
  return blocks;
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
  char *at = (char *) rest;
  ge_point *z = ge_take (&at, n, sizeof *z);
  int negative = 0, state;
  const int blocks = get_eigenvalues (n, t, z, &negative),
            beyond = ge_funm_negative (p, z, negative);
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
  *is_complex = negative && beyond && ! GE_COMPLEX;
  if (*is_complex && x_im)
    transform (n, u, f_im, spare, x_im);
  return beyond ? state | GPUEIG_FUNM_NEGATIVE : state;
}
