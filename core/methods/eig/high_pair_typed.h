/* Internal interface of the typed files of definite pairs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_HIGH_PAIR_TYPED_H
#define GE_HIGH_PAIR_TYPED_H 1

#include "base/products.h"
#include "lapack/lapack.h"

#define pair FN (ge_pair)
#define pair_factor FN (ge_pair_factor)
#define pair_decompose FN (ge_pair_decompose)
#define pair_make_hermitian FN (ge_pair_make_hermitian)
#define pair_refine FN (ge_pair_refine)

/* A pair, scaled: A = 2^-shift_a D A_given D and so on, D = diag (2^d_i).  */
typedef struct
{
  int64_t n;
  scalar_t *a, *b, *x;
  real_t *lambda;
  real_t error; /* set by pair_refine, in units of n eps */
  int *d, shift_a, shift_b;
  const gpueig_options *options;
  gpueig_info *info;
  gpueig_status status; /* of the solver: GPUEIG_OK or GPUEIG_NO_CONVERGENCE */
} pair;

/* A(p, p) = L L' with complete pivoting.  */
typedef struct
{
  scalar_t *l; /* zeros above the diagonal */
  lapack_int *p;
} pair_factor;

/* F: the factor of the N-by-N M; *DEFINITE is 0 if M is not positive definite.  */
gpueig_status pair_decompose (gpueig_context *ctx, int64_t n, const scalar_t *m,
                              pair_factor *f, int *definite);

void pair_make_hermitian (int64_t n, scalar_t *c);

/* Refine X and lambda, unless FIXED, of the pair (A, B) to a backward error of ENOUGH n
   eps; below 1 one step is made in any case: newton_typed.c.  */
gpueig_status pair_refine (gpueig_context *ctx, pair *q, int fixed,
                           real_t enough);

#endif
