/* What the parts of the tridiagonal inverse share, on the CPU and on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_H
#define GE_TDINV_H 1

#include "internal.h"

GPUEIG_BEGIN_C

/* The semiseparable form of the inverse, O(n) numbers (see
   tdinv_generators_typed.c), rows and columns from 0:

     X(i, j) = u(i) v(j)   for first(j) <= i <= j
     X(i, j) = p(i) q(j)   for j < i <= last(j)
     X(i, j) = 0           elsewhere

   A factor is a mantissa, 1 <= max (|re|, |im|) < 2 or 0, and an exponent of
   two of its own, so that a product rounds once and underflows gradually.
   Mantissas are reals of the precision of the type, IM is NULL for real
   types.  */
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

/* From a condition of the determinant of two to this on, double-double has no
   correct digit of it.  */
#define GE_TDINV_SINGULAR 100

/* The typed parts.
     generate          the generators, for every method: they give rcond
     by_*              write X; by_sherman_morrison and by_pivoting say in
                       *SERVED whether they could, else nothing is written
     by_infinity       what `inv' gives for a singular matrix
   Where there is an EXPONENT, the problem is 2^-EXPONENT times the one that X
   (and the generators) belong to.  */
#define GE_TDINV_PROTOTYPES(suffix)                                            \
  gpueig_status ge_tdinv_generate_##suffix (                                   \
      gpueig_context *, const gpueig_tdinv_problem *, ge_tdinv_generators *);  \
  gpueig_status ge_tdinv_by_generators_##suffix (gpueig_context *,             \
                                                 const gpueig_tdinv_problem *, \
                                                 const ge_tdinv_generators *); \
  gpueig_status ge_tdinv_by_sherman_morrison_##suffix (                        \
      gpueig_context *, const gpueig_tdinv_problem *, int64_t exponent,        \
      const ge_tdinv_generators *, int *served);                               \
  gpueig_status ge_tdinv_by_pivoting_##suffix (gpueig_context *,               \
                                               const gpueig_tdinv_problem *,   \
                                               int64_t exponent, int *served); \
  gpueig_status ge_tdinv_by_infinity_##suffix (gpueig_context *,               \
                                               const gpueig_tdinv_problem *);
GE_TDINV_PROTOTYPES (s)
GE_TDINV_PROTOTYPES (d)
GE_TDINV_PROTOTYPES (c)
GE_TDINV_PROTOTYPES (z)
#undef GE_TDINV_PROTOTYPES

/* What a backend gets.  Far from 1, products of elements leave the range:
   SCALED is GIVEN with bands 2^-EXPONENT times its own, the largest element in
   [1, 2); it is GIVEN, and EXPONENT 0, where that is close to 1, or where small
   elements would lose bits.  */
typedef struct
{
  gpueig_tdinv_problem given, scaled;
  int64_t exponent;
} ge_tdinv_problem;

/* Of COUNT reals, tdinv_scale_typed.c.  */
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

GPUEIG_END_C

#endif
