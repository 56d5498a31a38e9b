/* Symmetric and Hermitian matrices, pairs, and tridiagonal matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pair is reduced by the Cholesky factor of B, as in LAPACK's xSYGV: its factor is a
   result of the call anyhow.  */

#include "lapack/lapack.h"
#include "preload/engine.h"

#include <stdlib.h>
#include <string.h>

#define trmm_ LAPACK (strmm_, dtrmm_, ctrmm_, ztrmm_)
void trmm_ (const char *side, const char *uplo, const char *transa,
            const char *diag, const lapack_int *m, const lapack_int *n,
            const scalar_t *alpha, const scalar_t *a, const lapack_int *lda,
            scalar_t *b, const lapack_int *ldb, size_t, size_t, size_t, size_t);

#define larrr_ LAPACK (slarrr_, dlarrr_, slarrr_, dlarrr_)
void larrr_ (const lapack_int *n, const real_t *d, real_t *e, lapack_int *info);

enum
{
  BLOCK = 64, /* side of the squares in which matrices are transposed */
  /* From this order on LAPACK gets several threads for the parts of a pair.  */
  SEVERAL_THREADS = 400
};

/* --- copies, in pieces of BLOCK columns --- */

typedef struct
{
  int64_t n, m; /* rows, columns */
  int upper;
  const void *from;
  int64_t ldfrom;
  scalar_t *to;
  int64_t ldto;
} copies;

/* The square of side BLOCK at (I0, J0) of the stored triangle, and its mirror image.  */
static void
mirror_block (const copies *c, int64_t i0, int64_t j0)
{
  const int64_t n = c->n, upper = c->upper;
  const int64_t i1 = i0 + BLOCK < n ? i0 + BLOCK : n;
  const int64_t j1 = j0 + BLOCK < n ? j0 + BLOCK : n;
  const scalar_t *a = c->from;
  for (int64_t j = j0; j < j1; j++)
    {
      const int64_t from = ! upper && i0 <= j ? j : i0;
      const int64_t to = upper && i1 > j ? j + 1 : i1;
      for (int64_t i = from; i < to; i++)
        {
          const scalar_t x = a[i + c->ldfrom * j];
          c->to[i + n * j] = i == j ? make_ (re_ (x), 0) : x;
          c->to[j + n * i] = i == j ? make_ (re_ (x), 0) : conj_ (x);
        }
    }
}

static void
mirror_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const int64_t j0 = piece * BLOCK;
  (void) thread;
  for (int64_t i0 = c->upper ? 0 : j0; i0 < (c->upper ? j0 + 1 : c->n);
       i0 += BLOCK)
    mirror_block (c, i0, j0);
}

static void
triangle_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const scalar_t *a = c->from;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < c->m && j < (piece + 1) * BLOCK; j++)
    {
      const int64_t first = c->upper ? 0 : j;
      const int64_t count = c->upper ? j + 1 : c->n - j;
      memcpy (c->to + first + c->ldto * j, a + first + c->ldfrom * j,
              (size_t) count * sizeof *a);
    }
}

static void
columns_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const scalar_t *a = c->from;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < c->m && j < (piece + 1) * BLOCK; j++)
    memcpy (c->to + c->ldto * j, a + c->ldfrom * j, (size_t) c->n * sizeof *a);
}

/* From real columns.  */
static void
real_columns_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const real_t *a = c->from;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < c->m && j < (piece + 1) * BLOCK; j++)
    for (int64_t i = 0; i < c->n; i++)
      c->to[i + c->ldto * j] = make_ (a[i + c->ldfrom * j], 0);
}

static void
run_copies (gpueig_context *ctx, ge_piece *piece, copies c)
{
  ge_share_pass (ctx, (c.m + BLOCK - 1) / BLOCK, c.n >= GE_ENGINE_SHARED, piece,
                 &c);
}

/* Copy the stored triangle of A to both triangles of FULL, N-by-N.  The imaginary parts
   of the diagonal count as zero.  */
static void
mirror (gpueig_context *ctx, int64_t n, int upper, const scalar_t *a,
        int64_t lda, scalar_t *full)
{
  run_copies (ctx, mirror_piece, (copies){ n, n, upper, a, lda, full, n });
}

/* --- solvers --- */

/* All results at once or a part; LAMBDA has N elements, V room for the columns.  */
static gpueig_status
solve_standard (gpueig_context *ctx, const gpueig_options *options,
                ge_request *r, const scalar_t *full, real_t *lambda,
                scalar_t *v)
{
  if (r->range == 'A' || (r->range == 'I' && r->iu - r->il + 1 == r->n))
    {
      const gpueig_symmetric problem = { .type = r->type,
                                         .n = r->n,
                                         .pages = 1,
                                         .a = full,
                                         .symmetric = 1,
                                         .lambda = lambda,
                                         .v = v };
      r->found = r->n;
      return gpueig_eig_symmetric (ctx, &problem, options, NULL);
    }
  const gpueig_mrrr_problem problem
      = { .type = r->type,
          .n = r->n,
          .pages = 1,
          .a = full,
          .select
          = r->range == 'I' ? GPUEIG_SELECT_INDEX : GPUEIG_SELECT_INTERVAL,
          .first = r->il,
          .last = r->iu,
          .vl = r->lower,
          .vu = r->limit,
          .found = &r->found,
          .lambda = lambda,
          .v = v };
  return gpueig_mrrr (ctx, &problem, options, NULL);
}

/* Columns for which vectors need room.  */
static int64_t
columns (const ge_request *r)
{
  return r->range == 'I' ? r->iu - r->il + 1 : r->n;
}

/* Replace FULL by the standard problem of the pair, and FACTOR by B's Cholesky factor.
   Nonzero: done.  */
static int
reduce (gpueig_context *ctx, const ge_request *r, scalar_t *full,
        scalar_t *factor)
{
  const char *const uplo = r->upper ? "U" : "L";
  const lapack_int n = (lapack_int) r->n, itype = r->itype;
  lapack_int info = 0;
  run_copies (ctx, triangle_piece,
              (copies){ r->n, r->n, r->upper, r->b, r->ldb, factor, r->n });
  const ge_blas_limit limit
      = r->n < SEVERAL_THREADS ? GE_BLAS_ONE : GE_BLAS_ALL;
  ge_limit_blas (ctx, limit);
  potrf_ (uplo, &n, factor, &n, &info, 1);
  if (info == 0)
    hegst_ (&itype, uplo, &n, full, &n, factor, &n, &info, 1);
  ge_unlimit_blas (ctx, limit);
  if (info != 0)
    return 0;
  mirror (ctx, r->n, r->upper, full, r->n, full);
  return 1;
}

/* The pair's vectors from those of the standard problem, V.  */
static void
back_transform (gpueig_context *ctx, const ge_request *r,
                const scalar_t *factor, scalar_t *v)
{
  const char *const uplo = r->upper ? "U" : "L";
  const lapack_int n = (lapack_int) r->n, m = (lapack_int) r->found;
  const scalar_t one = make_ (1, 0);
  if (m == 0)
    return;
  const ge_blas_limit limit
      = r->n < SEVERAL_THREADS ? GE_BLAS_ONE : GE_BLAS_ALL;
  ge_limit_blas (ctx, limit);
  if (r->itype == 3)
    trmm_ ("L", uplo, r->upper ? "C" : "N", "N", &n, &m, &one, factor, &n, v,
           &n, 1, 1, 1, 1);
  else
    trsm_ ("L", uplo, r->upper ? "N" : "C", "N", &n, &m, &one, factor, &n, v,
           &n, 1, 1, 1, 1);
  ge_unlimit_blas (ctx, limit);
}

static int
solve_symmetric (gpueig_context *ctx, const gpueig_options *options,
                 ge_request *r, scalar_t *full, scalar_t *factor,
                 real_t *lambda, scalar_t *v)
{
  mirror (ctx, r->n, r->upper, r->a, r->lda, full);
  if (factor && ! reduce (ctx, r, full, factor))
    return 0;
  r->status = solve_standard (ctx, options, r, full, lambda, v);
  if (r->status != GPUEIG_OK)
    return 0;
  if (v && factor)
    back_transform (ctx, r, factor, v);
  memcpy (r->w, lambda, (size_t) r->found * sizeof (real_t));
  if (v && v != r->z)
    run_copies (ctx, columns_piece,
                (copies){ r->n, r->found, 0, v, r->n, r->z, r->ldz });
  if (factor)
    run_copies (ctx, triangle_piece,
                (copies){ r->n, r->n, r->upper, factor, r->n, r->b, r->ldb });
  return 1;
}

int
FN (ge_engine_symmetric) (gpueig_context *ctx, const gpueig_options *options,
                          ge_request *r)
{
  if (r->n > INT32_MAX)
    return 0;
  /* The solver may write to Z itself unless that is A, or has less room.  */
  const int direct = r->z && r->z != r->a && r->ldz == r->n && r->range != 'V';
  scalar_t *full = ge_engine_alloc (ctx, r->n * r->n, sizeof *full);
  scalar_t *factor
      = r->b ? ge_engine_alloc (ctx, r->n * r->n, sizeof *factor) : NULL;
  real_t *lambda = ge_engine_alloc (ctx, r->n, sizeof *lambda);
  scalar_t *v = direct ? r->z
                : r->z ? ge_engine_alloc (ctx, r->n * columns (r), sizeof *v)
                       : NULL;
  const int done
      = full && lambda && (factor || ! r->b) && (v || ! r->z)
        && solve_symmetric (ctx, options, r, full, factor, lambda, v);
  free (full);
  free (factor);
  free (lambda);
  if (! direct)
    free (v);
  return done;
}

/* --- tridiagonal matrices --- */

static int
solve_tridiagonal (gpueig_context *ctx, const gpueig_options *options,
                   ge_request *r, real_t *de, real_t *lambda, real_t *v)
{
  const size_t count = (size_t) r->n;
  lapack_int n = (lapack_int) r->n, info;
  real_t *d = de, *e = de + count;
  memcpy (d, r->d, count * sizeof *d);
  if (count > 1)
    memcpy (e, r->e, (count - 1) * sizeof *e);
  if (r->relative)
    {
      larrr_ (&n, d, e, &info);
      if (info == 0)
        return 0;
    }
  const gpueig_mrrr_problem problem
      = { .type = GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT,
          .n = r->n,
          .pages = 1,
          .d = d,
          .e = e,
          .select = r->range == 'A'   ? GPUEIG_SELECT_ALL
                    : r->range == 'I' ? GPUEIG_SELECT_INDEX
                                      : GPUEIG_SELECT_INTERVAL,
          .first = r->il,
          .last = r->iu,
          .vl = r->lower,
          .vu = r->limit,
          .found = &r->found,
          .lambda = lambda,
          .v = v };
  r->status = gpueig_mrrr (ctx, &problem, options, NULL);
  if (r->status != GPUEIG_OK)
    return 0;
  memcpy (r->w, lambda, (size_t) r->found * sizeof *lambda);
  if (v && (const void *) v != r->z)
    run_copies (ctx, real_columns_piece,
                (copies){ r->n, r->found, 0, v, r->n, r->z, r->ldz });
  return 1;
}

int
FN (ge_engine_tridiagonal) (gpueig_context *ctx, const gpueig_options *options,
                            ge_request *r)
{
  if (r->n > INT32_MAX)
    return 0;
  const int direct = r->z && ! GE_COMPLEX && r->ldz == r->n && r->range != 'V';
  real_t *de = ge_engine_alloc (ctx, 2 * r->n, sizeof *de);
  real_t *lambda = ge_engine_alloc (ctx, r->n, sizeof *lambda);
  real_t *v = direct ? r->z
              : r->z ? ge_engine_alloc (ctx, r->n * columns (r), sizeof *v)
                     : NULL;
  const int done = de && lambda && (v || ! r->z)
                   && solve_tridiagonal (ctx, options, r, de, lambda, v);
  free (de);
  free (lambda);
  if (! direct)
    free (v);
  return done;
}
