/* Functions of matrices: by eigenvectors, by the Schur form, by products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   functions.c        gpueig_funm: which page is solved how
   polar.c            gpueig_polar
   points.c           functions of a number and of a 2-by-2 triangular matrix
   form_typed.c       V f (lambda) V', and U f (T) U' of a Schur form
   triangular_typed.c  square roots, logarithms, powers of a triangular matrix
   products.c         exponentials and integer powers by products of matrices (calc.h)
   calc_typed.c       these products on the CPU
   calc_array.c       and on a GPU, by the operations on arrays  */

#ifndef GE_FUNCTIONS_H
#define GE_FUNCTIONS_H 1

#include "base/solver.h"
#include "gpueig_functions.h"

typedef double _Complex ge_point;

/* --- points.c --- */

ge_point ge_point_of (double re, double im);

static inline ge_point
ge_power (const gpueig_funm_problem *p)
{
  return ge_point_of (p->power, p->power_im);
}

/* f (z), the principal value: the imaginary part of a negative Z counts as +0.  */
ge_point ge_point_function (gpueig_funm_kind kind, ge_point power, ge_point z);

/* f (T) (1, 2) of T = [x t; 0 y].  Al-Mohy, Higham, SIAM J. Sci. Comput. 34 (2012),
   section 5; Higham, Lin, SIAM J. Matrix Anal. Appl. 32 (2011), section 5.  */
ge_point ge_point_corner (gpueig_funm_kind kind, ge_point power, ge_point x,
                          ge_point y, ge_point t);

/* z^(2^-k) - 1 without cancellation.  Al-Mohy, Numer. Algorithms 59 (2012).  */
ge_point ge_point_root_minus_1 (ge_point z, int k);

/* --- triangular_typed.c ---

   ge_triangular: T, n-by-n upper triangular, is overwritten by f (T); for a real type f
   is real at its eigenvalues.

   form_typed.c: ge_is_upper: 1 for an upper triangular matrix, 2 for a diagonal one.  X, X_IM, of a real type alone if *IS_COMPLEX, are f of one page from its
   eigenvalues and vectors or from its Schur form T, U (NULL: the identity).

   ge_polar_page: U = W V' and, if not NULL, H = V diag (S) V'; WORK: n-by-n.

   WORK: GE_FUNM_WORK (n) elements of the type; *ROOTS: the square roots of matrices that
   were taken.  Return gpueig_funm_state.

   ge_funm_residual: |X X - A| / |A| in the Frobenius norm; X_IM: NULL, or the imaginary
   parts; WORK: n-by-n.  */
#define GE_FUNM_WORK(n) ((16 * (n) + 32) * ((n) + 1))
#define GE_FUNM_TYPED(suffix)                                                  \
  int ge_triangular_##suffix (gpueig_funm_kind kind, ge_point power,           \
                              int64_t n, void *t, void *work, int *roots);     \
  int ge_funm_hermitian_##suffix (const gpueig_funm_problem *p,                \
                                  const void *lambda, const void *v, void *x,  \
                                  void *x_im, void *work, int *is_complex);    \
  int ge_funm_schur_##suffix (const gpueig_funm_problem *p, const void *t,     \
                              const void *u, void *x, void *x_im, void *work,  \
                              int *is_complex, int *roots);                    \
  double ge_funm_residual_##suffix (int64_t n, const void *a, const void *x,   \
                                    const void *x_im, void *work);             \
  int ge_is_upper_##suffix (int64_t n, const void *a);                         \
  void ge_polar_page_##suffix (int64_t m, int64_t n, const void *w,            \
                               const void *s, const void *v, void *u, void *h, \
                               void *work);
GE_FUNM_TYPED (s)
GE_FUNM_TYPED (d)
GE_FUNM_TYPED (c)
GE_FUNM_TYPED (z)

#endif
