/* The tridiagonal inverse on the CPU and on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tdinv.c             gpueig_tdinv: checks, choice of method and backend
   outside_typed.c     search for elements outside the three diagonals
   scale_typed.c       range of the elements, scaling by powers of two
   generators_typed.c  the semiseparable generators: O(n), also rcond
   write_typed.c       the entries from the generators: O(n^2)
   published/sherman_typed.c  for comparison with a paper, never chosen by "auto"  */

#ifndef GE_TDINV_H
#define GE_TDINV_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

/* The semiseparable form of the inverse, O(n) numbers (see
   tdinv/generators_typed.c), rows and columns from 0:

     X(i, j) = u(i) v(j)   for first(j) <= i <= j
     X(i, j) = p(i) q(j)   for j < i <= last(j)
     X(i, j) = 0           elsewhere

   A factor has a mantissa, 1 <= max (|re|, |im|) < 2 or 0, and an exponent of two, so that
   a product rounds once and underflows gradually.  Mantissas are reals of the precision
   of the type; IM is NULL for real types.  */
typedef struct
{
  void *re, *im;
  int64_t *e;
} ge_tdinv_factor;

typedef struct
{
  int64_t n;
  ge_tdinv_factor u, v, p, q;
  int64_t *first, *last;
  double rcond; /* 1 / (|T| |X|), 1-norms; 0 for a singular T */
  int singular; /* the determinant has no correct digit, or is zero */
} ge_tdinv_generators;

/* If the condition number of the determinant is 2 to this power or larger, no digit of
   the determinant computed in double-double is correct.  */
#define GE_TDINV_SINGULAR 100

/* The typed parts.
     generate          compute the generators; needed by every method, for rcond
     by_*              write X
     by_infinity       write Inf, as `inv' for a singular matrix  */
#define GE_TDINV_PROTOTYPES(suffix)                                            \
  gpueig_status ge_tdinv_generate_##suffix (                                   \
      gpueig_context *, const gpueig_tdinv_problem *, ge_tdinv_generators *);  \
  gpueig_status ge_tdinv_by_generators_##suffix (gpueig_context *,             \
                                                 const gpueig_tdinv_problem *, \
                                                 const ge_tdinv_generators *); \
  gpueig_status ge_tdinv_by_infinity_##suffix (gpueig_context *,               \
                                               const gpueig_tdinv_problem *);
GE_FOR_TYPES (GE_TDINV_PROTOTYPES)
#undef GE_TDINV_PROTOTYPES

/* The problem as passed to backends.  SCALED is GIVEN with its diagonals multiplied by
   2^-EXPONENT, the largest element in [1, 2), so that products of elements stay in range;
   it is equal to GIVEN, and EXPONENT 0, if the largest element is close to 1, or if small
   elements would lose bits.  */
typedef struct
{
  gpueig_tdinv_problem given, scaled;
  int64_t exponent;
} ge_tdinv_problem;

/* Nonzero if the recursive Sherman-Morrison formula may be tried.  */
static inline int
ge_tdinv_try_sherman (const ge_tdinv_problem *p)
{
  return p->given.type == GPUEIG_DOUBLE && p->given.band < 0
         && ! p->given.columns && p->exponent == 0;
}

static inline gpueig_status
ge_tdinv_fail_sherman (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "the Sherman-Morrison formula is not for this matrix");
}

/* Invert by the recursive Sherman-Morrison formula.  *ACCEPTED becomes 0, and nothing is
   written, if the formula is not accurate enough for the matrix.  */
gpueig_status ge_tdinv_by_sherman_morrison (gpueig_context *,
                                            const gpueig_tdinv_problem *,
                                            const ge_tdinv_generators *,
                                            int *accepted);

/* For COUNT reals, tdinv/scale_typed.c.  */
#define GE_TDINV_REAL_PROTOTYPES(suffix)                                       \
  void ge_tdinv_exponents_##suffix (int64_t count, const void *,               \
                                    int64_t *from, int64_t *to);               \
  void ge_tdinv_multiply_##suffix (int64_t count, const void *,                \
                                   int64_t exponent, void *to);
GE_TDINV_REAL_PROTOTYPES (s)
GE_TDINV_REAL_PROTOTYPES (d)
#undef GE_TDINV_REAL_PROTOTYPES

/* --- shape of the output --- */

static inline int64_t
ge_tdinv_columns (const gpueig_tdinv_problem *t)
{
  return t->columns ? t->n_columns : t->n;
}

/* Rows of the output array.  */
static inline int64_t
ge_tdinv_rows (const gpueig_tdinv_problem *t)
{
  return t->band < 0 ? t->n : 2 * t->band + 1;
}

/* gpueig_outside_tridiagonal for a matrix with PARTS reals per element,
   tdinv/outside_typed.c.  */
int64_t ge_outside_tridiagonal_s (gpueig_context *, int64_t n, int parts,
                                  const void *matrix);
int64_t ge_outside_tridiagonal_d (gpueig_context *, int64_t n, int parts,
                                  const void *matrix);

GPUEIG_END_C

#endif
