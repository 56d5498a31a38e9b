/* Verification of a library's eigenpairs on the host by random sampling.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_VERIFY_BY_SAMPLING_H
#define GE_VERIFY_BY_SAMPLING_H 1

#include "base/context.h"
#include "base/dd.h"

#include <math.h>

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

/* Sample page 0 of S; S->b must be NULL.  SPACE: GE_SAMPLE_VECTORS n doubles.  CTX may be
   NULL, for one thread.  */
enum
{
  GE_SAMPLE_VECTORS = 8
};
void ge_sample_page (gpueig_context *ctx, const gpueig_symmetric *s,
                     double *space, ge_sample *sample);

/* The residual without V of the N-by-N A and its tridiagonal form (D, E).  SPACE: n
   doubles.  */
void ge_sample_reduction (gpueig_context *ctx, gpueig_type type, int64_t n,
                          const void *a, const double *d, const double *e,
                          double *space, ge_sample *sample);

/* The orthogonality of the N-by-N V of TYPE, for the same z.  */
double ge_sample_orthogonality (gpueig_context *ctx, gpueig_type type,
                                int64_t n, const void *v, double *space);

/* Whether results of a library of order N with these errors are right.  */
int ge_sample_passes (gpueig_type type, int64_t n, const ge_sample *sample);

/* GPUEIG_SOLVER_FAILED, with both values in the message, if the eigenpairs of page 0
   that the library ENGINE computed are not right.  */
gpueig_status ge_check_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                              const char *engine);

/* --- eigenvalues of general matrices ---

   The trace and the trace of the square of 2^-exponent A, and |2^-exponent A|_F.  Eigenvalues
   with these moments need not be right, but those of A + E have them up to sqrt (n) |E|_F and
   2 |E|_F |A|_F, however ill-conditioned they are.  O(n^2).  */
typedef struct
{
  int exponent;
  double trace[2], squares[2], norm;
} ge_moments;

/* Limit for |E|_F / |A|_F, in eps; LAPACK's tests permit 20 n eps.  */
#define GE_MOMENTS_LIMIT(n) (20 * (n) + 60)

void ge_find_moments (gpueig_type type, int64_t n, const void *a,
                      ge_moments *m);

/* Nonzero if *OTHER, moments of a matrix that has the eigenvalues of that with *M up to
   rounding errors of TYPE, or moments of these eigenvalues, are those of *M.  */
int ge_moments_agree (gpueig_type type, int64_t n, const ge_moments *m,
                      const ge_moments *other);

/* Nonzero if the N complex numbers LAMBDA have the moments *M, or of the N-by-N A.  */
int ge_values_agree (gpueig_type type, int64_t n, const ge_moments *m,
                     const void *lambda);
int ge_are_eigenvalues (gpueig_type type, int64_t n, const void *a,
                        const void *lambda);

/* |A U z - U S z| / |A|_F and the orthogonality of U, of a Schur form S of A, whose
   moments are *M; one thread.  */
void ge_sample_form (gpueig_type type, int64_t n, const void *a,
                     const ge_moments *m, const void *s, const void *u,
                     double *space, ge_sample *sample);

/* *SUM += X with rounding errors of eps^2: those of a plain sum of N equal numbers can be as
   large as N eps / 2 times the sum, which is more than LAPACK's errors.  */
static inline void
ge_accumulate (ge_dd *sum, double x)
{
  const ge_dd s = dd_two (sum->hi, x);
  sum->hi = s.hi;
  sum->lo += s.lo;
}

/* 2^E; for small pages ldexp takes long.  */
static inline double
ge_power_of_2 (int e)
{
  return e == 0 ? 1 : ldexp (1, e);
}

/* |x - y| of N complex numbers, real and imaginary parts apart.  */
double ge_sample_distance (int64_t n, double *const x[2], double *const y[2]);

/* Typed parts, verify_by_sampling_typed.c.  Real and imaginary parts of vectors are separate
   arrays; X is n-by-n, interleaved.
     multiply   y = 2^-exponent X z
     adjoint    y = 2^-exponent X' z
     lengths    2-norms of the columns of X, of any range
     sums       trace and sum of squares of the moduli of 2^-exponent X
     moments    *M of 2^-exponent X, |exponent| <= 1000 */
#define GE_SAMPLE_PROTOTYPES(suffix)                                           \
  void ge_sample_multiply_##suffix (                                           \
      gpueig_context *, int64_t n, int64_t columns, const void *x,             \
      int exponent, double *const z[2], double *const y[2]);                   \
  void ge_sample_adjoint_##suffix (                                            \
      gpueig_context *, int64_t n, int64_t columns, const void *x,             \
      int exponent, double *const z[2], double *const y[2]);                   \
  void ge_sample_lengths_##suffix (int64_t n, int64_t columns, const void *x,  \
                                   double *length);                            \
  void ge_sample_sums_##suffix (gpueig_context *, int64_t n, const void *x,    \
                                int exponent, double *work, double *trace,     \
                                double *squares);                              \
  void ge_sum_moments_##suffix (int64_t n, const void *x, int exponent,        \
                                ge_moments *m);
GE_FOR_TYPES (GE_SAMPLE_PROTOTYPES)
#undef GE_SAMPLE_PROTOTYPES

GPUEIG_END_C

#endif
