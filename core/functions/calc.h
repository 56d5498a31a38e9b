/* Calculations with n-by-n matrices in one memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_FUNCTIONS_CALC_H
#define GE_FUNCTIONS_CALC_H 1

#include "functions/functions.h"

enum
{
  GE_CALC_BUFFERS = 6 /* products.c names them */
};

typedef struct ge_calc ge_calc;

typedef struct
{
  /* C = A B.  */
  gpueig_status (*multiply) (ge_calc *c, const void *a, const void *b,
                             void *to);
  /* TO = sum of FACTOR[k] * M[k], k < COUNT, + IDENTITY I; TO may be one of M.  */
  gpueig_status (*combine) (ge_calc *c, int count, const double *factor,
                            const void *const *m, double identity, void *to);
  /* B = A^-1 B; A is overwritten.  *AT: 0, or the number of a pivot that is zero.  */
  gpueig_status (*solve) (ge_calc *c, void *a, void *b, int64_t *at);
  /* The 1-norm.  */
  gpueig_status (*norm) (ge_calc *c, const void *a, double *norm);
  /* *POWER: an estimate from above of the 1-norm of |FACTOR A|^K.  */
  gpueig_status (*abs_power) (ge_calc *c, const void *a, int k, double factor,
                              double *power);
  gpueig_status (*mean) (ge_calc *c, const void *a,
                         ge_point *mean); /* of the diagonal */
  gpueig_status (*add) (ge_calc *c, void *a, ge_point value); /* to diagonal */
  gpueig_status (*scale) (ge_calc *c, ge_point factor, void *a);
  gpueig_status (*fill) (ge_calc *c, double value, void *a);
  /* If A is upper triangular, the diagonal and the superdiagonal of X = exp (FACTOR A)
     are computed from those of A.  */
  gpueig_status (*exact) (ge_calc *c, const void *a, double factor, void *x);
} ge_calc_ops;

struct ge_calc
{
  gpueig_context *ctx;
  const ge_calc_ops *ops;
  gpueig_type type;
  int64_t n;
  int is_upper;
  int shared; /* the only calculation: all threads take part, and it is interruptible */
  void *m[GE_CALC_BUFFERS]; /* n-by-n */
  void *pivots;             /* n int64_t */
  double *lines;            /* 2 n */
  /* of calc_array.c: a ge_place, n-by-n; pivots are there 2 n int64_t, lines 6 n */
  void *place, *spare;
};

/* RESULT = exp (A); A is overwritten.  */
gpueig_status ge_calc_exponential (ge_calc *c, void *a, void *result);

/* Exponentials or integer powers of all pages on the selected GPU, A and X in its memory or
   in host memory; HERMITIAN: of each page.  */
gpueig_status ge_calc_on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
                              const unsigned char *hermitian);

/* RESULT = A^POWER, POWER an integer; *RCOND: of A if that is negative.  */
gpueig_status ge_calc_power (ge_calc *c, const void *a, double power,
                             void *result, double *rcond);

#define GE_CALC_TYPED(suffix)                                                  \
  gpueig_status ge_calc_multiply_##suffix (ge_calc *, const void *,            \
                                           const void *, void *);              \
  gpueig_status ge_calc_combine_##suffix (                                     \
      ge_calc *, int, const double *, const void *const *, double, void *);    \
  gpueig_status ge_calc_solve_##suffix (ge_calc *, void *, void *, int64_t *); \
  gpueig_status ge_calc_norm_##suffix (ge_calc *, const void *, double *);     \
  gpueig_status ge_calc_abs_power_##suffix (ge_calc *, const void *, int,      \
                                            double, double *);                 \
  gpueig_status ge_calc_mean_##suffix (ge_calc *, const void *, ge_point *);   \
  gpueig_status ge_calc_add_##suffix (ge_calc *, void *, ge_point);            \
  gpueig_status ge_calc_scale_##suffix (ge_calc *, ge_point, void *);          \
  gpueig_status ge_calc_fill_##suffix (ge_calc *, double, void *);             \
  gpueig_status ge_calc_exact_##suffix (ge_calc *, const void *, double,       \
                                        void *);
GE_CALC_TYPED (s)
GE_CALC_TYPED (d)
GE_CALC_TYPED (c)
GE_CALC_TYPED (z)

/* The operations on matrices in host memory, of the type of FN in a typed file.  */
#define GE_CALC_OPS(FN)                                                        \
  {                                                                            \
    FN (ge_calc_multiply), FN (ge_calc_combine), FN (ge_calc_solve),           \
        FN (ge_calc_norm), FN (ge_calc_abs_power), FN (ge_calc_mean),          \
        FN (ge_calc_add), FN (ge_calc_scale), FN (ge_calc_fill),               \
        FN (ge_calc_exact)                                                     \
  }

#endif
