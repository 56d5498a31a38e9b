/* Copies of matrices by all threads, for the engine's typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ENGINE_COPY_H
#define GE_ENGINE_COPY_H 1

#include "base/checks.h"
#include "lapack/lapack.h"
#include "engine.h"

#include <stdatomic.h>
#include <string.h>

enum
{
  BLOCK = 64 /* columns of a piece, side of the squares that are transposed */
};

typedef struct
{
  int64_t n, m; /* rows, columns */
  const void *from;
  int64_t ldfrom;
  scalar_t *to;
  int64_t ldto;
  int upper;            /* the triangle that is copied */
  const real_t *lambda; /* complex eigenvalues of packed columns */
  atomic_int *bad;      /* set for columns that cannot be packed */
} copies;

static inline void
run_copies (gpueig_context *ctx, ge_piece *piece, copies c)
{
  ge_share_pass (ctx, (c.m + BLOCK - 1) / BLOCK, 0.5 * (double) (c.n * c.m),
                 piece, &c);
}

static inline void
columns_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const scalar_t *a = c->from;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < c->m && j < (piece + 1) * BLOCK; j++)
    memcpy (c->to + c->ldto * j, a + c->ldfrom * j, (size_t) c->n * sizeof *a);
}

/* Copy an N-by-M matrix.  */
static inline void
copy (gpueig_context *ctx, int64_t n, int64_t m, const scalar_t *from,
      int64_t ldfrom, scalar_t *to, int64_t ldto)
{
  run_copies (ctx, columns_piece,
              (copies){ n, m, from, ldfrom, to, .ldto = ldto });
}

/* Nonzero if N-by-N numbers of A are finite.  All input is checked with it before
   anything else: what becomes of NaN and Inf is the next routine's affair.  */
static inline int
is_finite (gpueig_context *ctx, int64_t n, const scalar_t *a)
{
  return ge_find_nonfinite (ctx, (gpueig_type) GE_SCALAR, a, n * n) < 0;
}

#endif
