/* Pages that are scaled and balanced before a function of them is computed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_FUNCTIONS_SCALED_H
#define GE_FUNCTIONS_SCALED_H 1

#include "functions/functions.h"

/* f (A) = 2^WHOLE FACTOR X + ADD I of a page A with a function X of the scaled page.  */
typedef struct
{
  ge_point factor;
  int whole;
  double add;
} ge_unscaling;

/* How a block of order 2 becomes one of a Schur form: not at all, where there is none; by S = [1, 0;
   m, 1]; by S = [1, m; 0, 1]; by S = [m, 1; 1, 0].  */
typedef enum
{
  GE_BLOCK_STAYS,
  GE_BLOCK_REDUCED,
  GE_BLOCK_SHEARED,
  GE_BLOCK_SWAPPED,
  GE_BLOCK_FAILS
} ge_block_step;

/* The block that begins in a row; FACTOR: m.  */
typedef struct
{
  ge_point factor;
  ge_block_step step;
} ge_block_reduction;

/* ge_funm_sums: of the moduli in each row and column of A, and those on its diagonal.
   ge_funm_balance: BALANCED = D^-1 P' A P D; ORDER: 2 N integers, as of ge_balance and exponents
   of D; SPACE: 8 N + 16 integers, aligned for numbers.  ge_funm_permute: D = I.
   ge_funm_order: an ORDER in which A is upper triangular but for blocks of order 2, zero if there
   is none; COUNT: N integers.
   ge_funm_reduce: A <- S^-1 A S of an A in this order, a Schur form; S has such blocks, and a BLOCK
   for each row.  Zero if rounding errors of an eigenvalue matter, or A is singular and KIND the
   logarithm: A is undefined.
   ge_funm_expand: X <- S X S^-1.
   ge_funm_exponent: of the largest element of A, 0 if that is zero.
   ge_funm_shift_exponents: A <- 2^EXPONENT A.
   ge_funm_unscale: TO, and of real types TO_IM unless it is NULL, are f (A) from FROM, FROM_IM
   (NULL: 0), which are those of the balanced page.
   ge_funm_widen: TO = 2^EXPONENT (X + i X_IM), X_IM as above.  */
#define GE_SCALED_TYPED(suffix)                                                \
  void ge_funm_sums_##suffix (int64_t n, const void *a, double *rows,          \
                              double *columns, double *diagonal);              \
  void ge_funm_balance_##suffix (int64_t n, const void *a, void *balanced,     \
                                 int *order, int *space);                      \
  void ge_funm_permute_##suffix (int64_t n, const void *a, void *permuted,     \
                                 int *order);                                  \
  int ge_funm_order_##suffix (int64_t n, const void *a, int *order,            \
                              int *count);                                     \
  int ge_funm_reduce_##suffix (int64_t n, void *a, gpueig_funm_kind kind,      \
                               ge_block_reduction *block);                     \
  void ge_funm_expand_##suffix (int64_t n, const ge_block_reduction *block,    \
                                void *x);                                      \
  int ge_funm_exponent_##suffix (int64_t n, const void *a);                    \
  void ge_funm_shift_exponents_##suffix (int64_t n, int exponent, void *a);    \
  void ge_funm_unscale_##suffix (int64_t n, const int *order,                  \
                                 const ge_unscaling *how, const void *from,    \
                                 const void *from_im, void *to, void *to_im);  \
  void ge_funm_widen_##suffix (int64_t n, int exponent, const void *x,         \
                               const void *x_im, ge_point *to);
GE_FOR_TYPES (GE_SCALED_TYPED)

/* Nonzero if a page that is neither Hermitian nor triangular, with the sums of ge_funm_sums, is to
   be scaled or balanced.  */
int ge_funm_wants_scaling (const gpueig_funm_problem *p, const double *rows,
                           const double *columns, const double *diagonal);

/* The pages of the set, with copies in host memory.  */
gpueig_status ge_funm_by_scaling (ge_page_set *s);

#endif
