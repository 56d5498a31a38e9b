/* Verification of a library's eigenpairs on the host by random sampling.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_VERIFY_BY_SAMPLING_H
#define GE_VERIFY_BY_SAMPLING_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

/* For one fixed pseudo-random vector z:
     residual       |A V z - V diag (lambda) z| / |A|_F
     orthogonality  largest element of V'V z - z
   Without V the residual is the larger of
     |trace (A) - sum (lambda)| / |A|_F and ||A|_F^2 - sum (lambda^2)| / |A|_F^2.
   NaN is replaced by Inf; less what underflow explains, so possibly negative.  O(n^2).  */
typedef struct
{
  double residual, orthogonality;
} ge_sample;

/* Of page 0 of S; S->b must be NULL.  SPACE: GE_SAMPLE_VECTORS n doubles.  CTX may be
   NULL, for one thread.  */
enum
{
  GE_SAMPLE_VECTORS = 8
};
void ge_sample_page (gpueig_context *ctx, const gpueig_symmetric *s,
                     double *space, ge_sample *sample);

/* The orthogonality of the N-by-N V of TYPE, for the same z.  */
double ge_sample_orthogonality (gpueig_context *ctx, gpueig_type type,
                                int64_t n, const void *v, double *space);

/* Whether eigenpairs of order N with these errors are right.  */
int ge_sample_passes (gpueig_type type, int64_t n, const ge_sample *sample);

/* GPUEIG_SOLVER_FAILED, with both values in the message, if the eigenpairs of page 0
   that the library ENGINE computed are not right.  */
gpueig_status ge_check_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                              const char *engine);

/* Typed parts, verify_by_sampling_typed.c.  Real and imaginary parts of vectors are separate
   arrays; X is n-by-n, interleaved.
     multiply   y = 2^-exponent X z
     adjoint    y = X' z
     sums       trace and sum of squares of the moduli of 2^-exponent X */
#define GE_SAMPLE_PROTOTYPES(suffix)                                           \
  void ge_sample_multiply_##suffix (                                           \
      gpueig_context *, int64_t n, const void *x, int exponent,                \
      const double *z_re, const double *z_im, double *y_re, double *y_im);     \
  void ge_sample_adjoint_##suffix (gpueig_context *, int64_t n, const void *x, \
                                   const double *z_re, const double *z_im,     \
                                   double *y_re, double *y_im);                \
  void ge_sample_sums_##suffix (gpueig_context *, int64_t n, const void *x,    \
                                int exponent, double *work, double *trace,     \
                                double *squares);
GE_SAMPLE_PROTOTYPES (s)
GE_SAMPLE_PROTOTYPES (d)
GE_SAMPLE_PROTOTYPES (c)
GE_SAMPLE_PROTOTYPES (z)
#undef GE_SAMPLE_PROTOTYPES

GPUEIG_END_C

#endif
