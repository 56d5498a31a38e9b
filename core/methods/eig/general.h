/* General pages on the CPU: by LAPACK, also those that other solvers could not solve and
   pairs, or by our QR algorithm.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_GENERAL_H
#define GE_EIG_GENERAL_H 1

#include "base/scale_general.h"
#include "run/solvers.h"

/* Solve pages LIST[0 .. COUNT - 1] of PROBLEM on all threads by LAPACK or our OWN QR algorithm,
   pairs by xGGEV: small pages in parallel, large ones one after the other with a multithreaded
   BLAS.  LIST = NULL: pages 0 .. COUNT - 1.  LEFT, of all pages: nonzero for those for which it
   does not converge or whose eigenvalues are wrong; NULL: that is an error.  */
gpueig_status ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem,
                             int own, const int64_t *list, int64_t count,
                             unsigned char *left);

/* Order the results of LAPACK's solver for pages that were scaled by 2^-EXPONENTS, or
   NULL, as LAPACK orders those of PROBLEM, the pages without scaling.  */
gpueig_status ge_order_scaled (gpueig_context *ctx,
                               const gpueig_general *problem,
                               const int *exponents);

/* Solve PROBLEM, in which PROBLEM->symmetric marks some pages, those by gpueig_eig_symmetric
   and the others by SOLVE, which may return GPUEIG_NO_CONVERGENCE; ID: of the call.  In
   GE_COMPLEX_EIG marked pages of a stack with others are solved one by one on the CPU, so that the
   bits of a page do not depend on the number of pages.  */
typedef gpueig_status ge_general_call (gpueig_context *,
                                       const gpueig_general *problem,
                                       const gpueig_options *, gpueig_info *);
gpueig_status ge_eig_mixed (gpueig_context *ctx, const gpueig_general *problem,
                            ge_solver_id id, ge_general_call *solve,
                            const gpueig_options *options, gpueig_info *info);

/* balanced.c.  A page that is to be balanced, and bytes for it in ge_page_place.more, or for its
   VALUES alone by ge_solve_page.  */
ge_page_step ge_solve_balanced;
int64_t ge_balanced_bytes (const gpueig_general *g, int values);

/* Typed parts, eig/general_typed.c.  SPACE of the last two: GE_GEEV_SPACE n doubles.  */
enum
{
  GE_GEEV_SPACE = 10
};

#define GE_GEEV_PROTOTYPES(suffix)                                             \
  gpueig_status ge_geevx_size_##suffix (gpueig_context *, int64_t n, int pair, \
                                        int left, int right, int64_t *bytes,   \
                                        int64_t *lwork);                       \
  int ge_geevx_##suffix (int64_t n, const void *a, const void *b, int balance, \
                         void *lambda, void *v, void *w, void *space,          \
                         int lwork);                                           \
  int ge_has_nan_##suffix (int64_t count, const void *x);                      \
  double ge_balance_spread_##suffix (int64_t n, const void *a, void *space);   \
  double ge_geev_residual_##suffix (int64_t n, const void *a,                  \
                                    const void *lambda, const void *v,         \
                                    int left, int64_t count, double *space);   \
  int ge_are_geev_vectors_##suffix (int64_t n, const void *a, int balance,     \
                                    const void *lambda, const void *v,         \
                                    const void *w, void *space);               \
  void ge_order_like_##suffix (int64_t n, const void *wanted, void *lambda,    \
                               void *v, void *w, void *space);
GE_FOR_TYPES (GE_GEEV_PROTOTYPES)

/* Typed parts for pairs, eig/qz_typed.c: as ge_geevx, or with TEAM ge_qr_page, whose SPACE gets
   ge_qz_bytes in addition; GE_WRONG_RESULT if the results are wrong.  */
#define GE_QZ_PROTOTYPES(suffix)                                               \
  int64_t ge_qz_bytes_##suffix (int64_t n);                                    \
  int ge_qz_page_##suffix (const ge_team *team, int64_t n, const void *a,      \
                           const void *b, void *lambda, void *v, void *w,      \
                           void *space, int lwork);
GE_FOR_TYPES (GE_QZ_PROTOTYPES)

/* qr_typed.c, on the threads of a team.  ge_qr_page: as ge_geevx, with ge_qr_bytes of SPACE,
   which may begin with the matrix; nonzero if there is no convergence.  TEAM has at most
   THREADS.  */
#define GE_QR_PROTOTYPES(suffix)                                               \
  int64_t ge_qr_bytes_##suffix (int64_t n, int left, int right, int threads);  \
  int ge_qr_page_##suffix (const ge_team *team, int64_t n, const void *a,      \
                           int balance, void *lambda, void *v, void *w,        \
                           void *space);
GE_FOR_TYPES (GE_QR_PROTOTYPES)

/* repair_typed.c: right and left vectors V and W of A with residuals above LIMIT, in units of
   n eps |A|, again from the eigenvalues LAMBDA, by inverse iteration; returns the largest
   residual after it.  SPACE: ge_repair_bytes.  */
#define GE_REPAIR(suffix)                                                      \
  int64_t ge_repair_bytes_##suffix (int64_t n);                                \
  double ge_repair_vectors_##suffix (int64_t n, const void *a,                 \
                                     const void *lambda, void *v, void *w,     \
                                     double limit, void *space);
GE_FOR_TYPES (GE_REPAIR)

/* vectors_typed.c, for complex types: Z <- Z X, X the right or LEFT eigenvectors of the
   Schur form T with the eigenvalues VALUES; the elements of T on and below the diagonal are
   overwritten, those of X have any size but are finite.  SPACE: ge_form_vectors_space
   scalars.  The bits do not depend on TEAM, which has at most THREADS.  */
#define GE_FORM_VECTORS(suffix)                                                \
  int64_t ge_form_vectors_space_##suffix (int64_t n, int threads);             \
  void ge_form_vectors_##suffix (const ge_team *team, int64_t n, int left,     \
                                 void *t, const void *values, void *z,         \
                                 void *space);
GE_FORM_VECTORS (c)
GE_FORM_VECTORS (z)

#endif
