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

/* T = f (T); OWN: T is the page; WORK: scratch memory of a
   calculation; STATE, the result: see ge_triangular.  */
static int
calculate (const gpueig_funm_problem *p, scalar_t *t, int own, int state,
           void *work, int *roots)
{
  ge_calc c;
  char *at = work;
  ge_calc_begin (&c, (gpueig_type) GE_SCALAR, p->n,
                 p->power_im != 0 ? GE_CALC_MOST : GE_CALC_BUFFERS, &at);
  c.is_upper = FN (ge_is_upper) (p->n, t);
  c.own = own;
  ge_triangular (&c, p->kind, ge_power (p), t, roots, &state);
  return state;
}

/* --- 2-by-2 blocks --- */

#if GE_COMPLEX
/* T = G' T G, of which the first K + 2 rows of column K are not zero, or with BACK
   T = G T G'.  */
static void
rotate (int64_t n, scalar_t *t, const ge_point *diagonal,
        const ge_point *beside, int back)
{
  for (int64_t k = 0; k + 1 < n; k++)
    {
      if (beside[k] == 0)
        continue;
      /* The block [x, y; y, x] for a real x and an imaginary y; its inverse has -y.  */
      const scalar_t x
          = make_ ((real_t) creal (diagonal[k]), 0),
          y = make_ (0, (real_t) cimag (back ? -beside[k] : beside[k]));
      for (int64_t i = 0; i < (back ? n : k + 2); i++)
        {
          const scalar_t p = t[i + k * n], q = t[i + (k + 1) * n];
          t[i + k * n] = mul_ (p, x) + mul_ (q, y);
          t[i + (k + 1) * n] = mul_ (p, y) + mul_ (q, x);
        }
      for (int64_t j = back ? 0 : k; j < n; j++)
        {
          const scalar_t p = t[k + j * n], q = t[k + 1 + j * n];
          t[k + j * n] = mul_ (p, x) - mul_ (q, y);
          t[k + 1 + j * n] = mul_ (q, x) - mul_ (p, y);
        }
      if (! back)
        t[k + 1 + k * n] = 0;
    }
}

int FN (ge_funm_blocks_of) (const gpueig_funm_problem *p, const real_t *form,
                            const ge_point *values, const ge_point *diagonal,
                            const ge_point *beside, int own, int state,
                            real_t *re, real_t *im, void *work, int *roots);

/* RE + i IM = f (FORM) of a real Schur form, see ge_funm_blocks.  */
int
FN (ge_funm_blocks_of) (const gpueig_funm_problem *p, const real_t *form,
                        const ge_point *values, const ge_point *diagonal,
                        const ge_point *beside, int own, int state, real_t *re,
                        real_t *im, void *work, int *roots)
{
  const int64_t n = p->n, square = n * n;
  scalar_t *t = work;
  for (int64_t i = 0; i < square; i++)
    t[i] = make_ (form[i], 0);
  rotate (n, t, diagonal, beside, 0);
  for (int64_t k = 0; k < n; k++)
    t[k + k * n]
        = make_ ((real_t) creal (values[k]), (real_t) cimag (values[k]));
  state = calculate (p, t, own, state, t + square, roots);
  rotate (n, t, diagonal, beside, 1);
  for (int64_t i = 0; i < square; i++)
    {
      re[i] = re_ (t[i]);
      im[i] = im_ (t[i]);
    }
  return state;
}
#else
#  define BLOCKS LAPACK (ge_funm_blocks_of_c, ge_funm_blocks_of_z, , )
int BLOCKS (const gpueig_funm_problem *p, const real_t *form,
            const ge_point *values, const ge_point *diagonal,
            const ge_point *beside, int own, int state, real_t *re, real_t *im,
            void *work, int *roots);
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

/* Element (I, J) of T, 0 outside of the matrix.  */
static ge_point
element (int64_t n, const scalar_t *t, int64_t i, int64_t j)
{
  return i < n && j < n ? ge_point_of ((double) re_ (t[i + j * n]),
                                       (double) im_ (t[i + j * n]))
                        : 0;
}

int
FN (ge_funm_schur) (const gpueig_funm_problem *p, const void *form,
                    const void *u, void *x, void *x_im, void *work,
                    int *is_complex, int *roots)
{
  const int64_t n = p->n, square = n * n;
  const scalar_t *t = form;
  char *at = work;
  scalar_t *f = ge_take (&at, 3 * square, sizeof *f), *f_im = f + square,
           *spare = f_im + square;
  ge_point *values = ge_take (&at, 4 * n, sizeof *values), *beside = values + n,
           *above = beside + n, *diagonal = above + n;
  int negative;
  for (int64_t k = 0; k < n; k++)
    {
      values[k] = element (n, t, k, k);
      beside[k] = element (n, t, k + 1, k);
      above[k] = element (n, t, k, k + 1);
    }
  const int blocks
      = ge_funm_blocks (n, values, beside, above, diagonal, &negative);
  const int beyond = ge_funm_negative (p, values, negative), own = ! u,
            is_triangular = GE_COMPLEX || ! (blocks || negative);
  int state = beyond ? GPUEIG_FUNM_NEGATIVE : 0;
#if ! GE_COMPLEX
  if (! is_triangular)
    state = BLOCKS (p, t, values, diagonal, beside, own, state, f, f_im, at,
                    roots);
#endif
  if (is_triangular)
    {
      memcpy (f, t, (size_t) square * sizeof *f);
      state = calculate (p, f, own, state, at, roots);
    }
  transform (n, u, f, spare, x);
  *is_complex = negative && beyond && ! GE_COMPLEX;
  if (*is_complex && x_im)
    transform (n, u, f_im, spare, x_im);
  return state;
}
