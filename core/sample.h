/* Sampled checks of what a library computed, on the host.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SAMPLE_H
#define GE_SAMPLE_H 1

#include "internal.h"

GPUEIG_BEGIN_C

/* For one random vector z, always the same:
     residual       |A V z - V diag (lambda) z| / |A|_F
     orthogonality  largest element of V'V z - z
   and without V, residual being that of the sums,
     |trace (A) - sum (lambda)| / |A|_F, ||A|_F^2 - sum (lambda^2)| / |A|_F^2.
   NaN becomes Inf.  O(n^2).  */
typedef struct
{
  double residual, orthogonality;
} ge_sample;

/* Page 0 of S, B not among its arrays.  */
gpueig_status ge_sample_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                               ge_sample *sample);

/* GPUEIG_SOLVER_FAILED, with the figures, when the eigenpairs of page 0 that
   ENGINE computed cannot be right.  */
gpueig_status ge_check_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                              const char *engine);

/* Typed parts, sample_typed.c.  Complex numbers in planes; N-by-N X times
   2^-EXPONENT.
     multiply   Y = X z
     adjoint    Y = X' z
     sums       the trace and the sum of squares */
#define GE_SAMPLE_PROTOTYPES(suffix)                                           \
  void ge_sample_multiply_##suffix (                                           \
      gpueig_context *, int64_t n, const void *x, int exponent,                \
      const double *z_re, const double *z_im, double *y_re, double *y_im);     \
  void ge_sample_adjoint_##suffix (gpueig_context *, int64_t n, const void *x, \
                                   const double *z_re, const double *z_im,     \
                                   double *y_re, double *y_im);                \
  void ge_sample_sums_##suffix (gpueig_context *, int64_t n, const void *x,    \
                                int exponent, double *work, double *trace,     \
                                double *squares);                              \
  int ge_sample_exponent_##suffix (gpueig_context *, int64_t n, const void *x);
GE_SAMPLE_PROTOTYPES (s)
GE_SAMPLE_PROTOTYPES (d)
GE_SAMPLE_PROTOTYPES (c)
GE_SAMPLE_PROTOTYPES (z)
#undef GE_SAMPLE_PROTOTYPES

/* The exponent of the largest part of N-by-N X; 0 for zeros.  */
int ge_sample_exponent (gpueig_context *ctx, gpueig_type type, int64_t n,
                        const void *x);

GPUEIG_END_C

#endif
