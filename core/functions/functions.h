/* Functions of matrices: by eigenvectors, by the Schur form, by products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   functions.c        gpueig_funm: which page is solved how
   polar.c            gpueig_polar
   points.c           functions of a number and of a 2-by-2 triangular matrix
   form_typed.c       V f (lambda) V', and U f (T) U' of a Schur form
   on_gpu.c           both, and polar decompositions, on a GPU
   triangular.c       square roots, logarithms, powers of a triangular matrix (calc.h)
   products.c         exponentials and integer powers by products of matrices
   calc_typed.c       the operations of these two on the CPU
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

/* f of an eigenvalue of a Hermitian matrix; what is below TINY in modulus may be rounding
   errors of zero.  */
ge_point ge_funm_value (const gpueig_funm_problem *p, double value, double tiny,
                        int *state);

/* --- form_typed.c ---

   ge_is_upper: 0, or one of these.  X, X_IM, of a real type alone if *IS_COMPLEX, are f of
   one page from its eigenvalues and vectors or from its Schur form T, U (NULL: the
   identity).

   ge_polar_page: U = W V' and, if not NULL, H = V diag (S) V'; WORK: n-by-n.

   WORK: GE_FUNM_WORK (n) elements of the type; *ROOTS: the square roots of matrices that
   were taken.  Return gpueig_funm_state.

   ge_funm_residual: |X X - A| / |A| in the Frobenius norm; X_IM: NULL, or the imaginary
   parts; WORK: n-by-n.  */
enum
{
  GE_UPPER_TRIANGULAR = 1,
  GE_DIAGONAL
};

#define GE_FUNM_WORK(n) (17 * (n) * (n) + 24 * (n) + 256)
#define GE_FUNM_TYPED(suffix)                                                  \
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

/* --- on_gpu.c ---

   Solve problems whose arrays are in memory of the selected GPU.  HERMITIAN: the pages that
   are solved by their eigenvectors; PRODUCTS: the others by products; HAS_IM: set for pages
   with imaginary parts.  */
gpueig_status ge_funm_on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
                              const gpueig_options *options, gpueig_info *info,
                              const unsigned char *hermitian, int products,
                              unsigned char *has_im);
/* Pages that are Hermitian and not diagonal (calc_array.c).  */
gpueig_status ge_find_hermitian_on_gpu (gpueig_context *ctx,
                                        const gpueig_funm_problem *p,
                                        unsigned char *hermitian);
gpueig_status ge_polar_on_gpu (gpueig_context *ctx,
                               const gpueig_polar_problem *p,
                               const gpueig_options *options,
                               gpueig_info *info);

/* --- functions.c --- */

/* Where and how another function solved a part of the problem.  */
void ge_funm_take_info (gpueig_info *info, const gpueig_info *part);

/* *ON_GPU: whether to compute there: the user named it, or SOLVER would be planned there for
   SHAPE; GPUEIG_NO_DEVICE if it was named and cannot be used.  */
gpueig_status ge_funm_choose (gpueig_context *ctx,
                              const gpueig_options *options,
                              ge_solver_id solver, const ge_shape *shape,
                              int *on_gpu);

#endif
