/* One definite pair on the CPU, for pairs.c, hard_pairs.c and scale_pair.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_PAIR_H
#define GE_EIG_PAIR_H 1

#include "base/context.h"
#include "base/solver.h"

/* Results of ge_pair_reduce; a negative number is minus the order of a leading minor of
   B that is not positive.  */
enum
{
  GE_PAIR_USUAL,
  GE_PAIR_GRADED,
  GE_PAIR_WRONG /* of ge_pair_is_reduced */
};

/* How ge_pair_scales leaves a page: as it is, scaled, or to ge_extreme_pair.  */
enum
{
  GE_PAIR_AS_GIVEN,
  GE_PAIR_SCALED,
  GE_PAIR_EXTREME
};

/* Sizes of the workspace of ge_pair_graded: in bytes, of LAPACK's array, and of ge_syevd.  */
typedef struct
{
  int64_t bytes;
  int scalars, syevd[3];
} ge_pair_sizes;

/* scale_pair_typed.c, for one page, without threads of its own; ROW is scratch for n
   integers:
   ge_pair_scales    the exponents D (n) of a congruence, and *SHIFT, such that
                     2^-shift diag (2^d) A diag (2^d) and diag (2^d) B diag (2^d) are
                     far from over- and underflow, and units that are far apart are taken
                     out of them; returns GE_PAIR_...
   ge_pair_exponent  that of the largest element of diag (2^d) A diag (2^d), INT32_MIN if there
                     are zeros only
   ge_pair_may_scale 0 if ge_pair_scales leaves pages A and B of these facts as given
   ge_pair_equilibrate  U: exponents such that the largest element of every row of
                     diag (2^-u) A diag (2^-u) is near 1; ROW is INT32_MIN for rows of
                     zeros
   ge_pair_scaled    TO = 2^-shift diag (2^d) A diag (2^d)
   ge_pair_rows_scaled  V (n-by-columns) = diag (2^d) V
   ge_identity       TO = I (base/products.h)
   pair_typed.c, for one page, without threads of its own:
   ge_pair_reduce    L L^H = B, C = L^-1 A L^-H Hermitian; whether C is graded
   ge_pair_back      V = L^-H V, columns FROM to TO - 1
   ge_pair_graded    all eigenvalues, and all vectors V unless it is NULL, of a page whose
                     C is graded; returns LAPACK's info, or minus the order of a
                     leading minor of B that is not positive  */
#define GE_PAIR_PROTOTYPES(suffix)                                             \
  int ge_pair_scales_##suffix (gpueig_context *, int64_t n, const void *a,     \
                               const void *b, int *d, int *row, int *shift);   \
  int ge_pair_exponent_##suffix (int64_t n, const void *a, const int *d);      \
  void ge_pair_equilibrate_##suffix (int64_t n, const void *a, const void *b,  \
                                     int *u, int *row);                        \
  void ge_identity_##suffix (int64_t n, void *to);                             \
  int ge_pair_may_scale_##suffix (const ge_page_facts *a,                      \
                                  const ge_page_facts *b);                     \
  void ge_pair_scaled_##suffix (int64_t n, const void *a, const int *d,        \
                                int shift, void *to);                          \
  void ge_pair_rows_scaled_##suffix (int64_t n, int64_t columns, const int *d, \
                                     void *v);                                 \
  int ge_pair_reduce_##suffix (int64_t n, const void *a, const void *b,        \
                               void *c, void *l);                              \
  void ge_pair_back_##suffix (int64_t n, int64_t from, int64_t to,             \
                              const void *l, void *v);                         \
  gpueig_status ge_pair_graded_size_##suffix (gpueig_context *, int64_t n,     \
                                              ge_pair_sizes *sizes);           \
  int ge_pair_graded_##suffix (int64_t n, const void *a, const void *b,        \
                               void *lambda, void *v, void *space,             \
                               const ge_pair_sizes *sizes);
GE_FOR_TYPES (GE_PAIR_PROTOTYPES)

/* One pair in double precision, with LAMBDA (n) ascending and V (n-by-n).
   extreme_pair_typed.c: LAMBDA has Inf or 0 for numbers out of range, V may be NULL.
   GPUEIG_NO_CONVERGENCE if errors are large.  *MINOR, if it is not 0: the order of a leading
   minor of B that is not positive, then there are no results.
   high_pair_typed.c: by Jacobi.  A and B are overwritten, V is B-orthonormal.
   GPUEIG_NOT_DEFINITE if B is not positive definite.  */
#define GE_DOUBLE_PAIR_PROTOTYPES(suffix)                                      \
  gpueig_status ge_extreme_pair_##suffix (                                     \
      gpueig_context *ctx, int64_t n, const void *a, const void *b,            \
      double *lambda, void *v, int *minor);                                    \
  gpueig_status ge_high_pair_##suffix (                                        \
      gpueig_context *ctx, int64_t n, void *a, void *b, double *lambda,        \
      void *v, const gpueig_options *options, gpueig_info *info);
GE_DOUBLE_PAIR_PROTOTYPES (d)
GE_DOUBLE_PAIR_PROTOTYPES (z)

/* verify_pair.c, see there; SPACE: GE_VERIFY_PAIR n doubles; one thread.  Nonzero if page 0 of S,
   of COUNT eigenvalues and V, is right, its RESIDUALS unless they are known, or if the factor L of
   its B, with zeros above the diagonal, and the reduced matrix C are.  */
enum
{
  GE_VERIFY_PAIR = 12
};
int ge_pair_is_solved (const gpueig_symmetric *s, int64_t count, int residuals,
                       double *space);
int ge_pair_is_reduced (const gpueig_symmetric *s, const void *c, const void *l,
                        double *space);

/* hard_pairs.c.  Pages of S in host memory, of any units, one after the other, by Jacobi.  */
gpueig_status ge_solve_extreme (gpueig_context *ctx, const gpueig_symmetric *s,
                                gpueig_info *info);

/* pairs.c.  The outputs of S, one page, from all its eigenpairs LAMBDA, ascending, and V.  */
void ge_select_pairs (const gpueig_symmetric *s, const void *lambda,
                      const void *v);

#endif
