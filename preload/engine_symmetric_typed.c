/* Symmetric and Hermitian matrices, pairs, and tridiagonal matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pair is reduced by the Cholesky factor of B, as in LAPACK's xSYGV: its factor is a
   result of the call anyhow.  */

#include "engine_copy.h"

#include <stdlib.h>

#define larrr_ LAPACK (slarrr_, dlarrr_, slarrr_, dlarrr_)
void larrr_ (const lapack_int *n, const real_t *d, real_t *e, lapack_int *info);

enum
{
  /* From this order on LAPACK gets several threads for the parts of a pair.  */
  SEVERAL_THREADS = 400
};

/* --- copies --- */

/* Copy the square of side BLOCK at (I0, J0) of the stored triangle, and the mirror
   image.  */
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

/* Copy real columns to complex ones.  */
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

/* Copy the stored triangle of A to both triangles of FULL, N-by-N; zero if FULL is not
   finite.  The imaginary parts of the diagonal count as zero.  */
static int
mirror (gpueig_context *ctx, const ge_request *r, const scalar_t *a,
        int64_t lda, scalar_t *full)
{
  run_copies (ctx, mirror_piece,
              (copies){ r->n, r->n, a, lda, full, r->n, .upper = r->upper });
  return is_finite (ctx, r->n, full);
}

/* --- solvers --- */

/* Scratch memory of a call: copies of inputs, and results until all of them are
   complete.  */
typedef struct
{
  scalar_t *full, *factor; /* the matrix; B and then its Cholesky factor */
  real_t *d, *e;           /* or the tridiagonal matrix */
  real_t *lambda;          /* N elements */
  void *v; /* room for the columns; real of a tridiagonal matrix */
} spaces;

/* Columns for which vectors need room.  */
static int64_t
columns (const ge_request *r)
{
  return r->range == 'I' ? r->iu - r->il + 1 : r->n;
}

static gpueig_status
solve_standard (gpueig_context *ctx, const gpueig_options *options,
                ge_request *r, const spaces *s)
{
  /* A matrix in the place of its vectors is gpueig_mrrr's, which copies it first.  */
  const int apart
      = s->full && s->full != s->v && r->range != 'V' && columns (r) == r->n;
  const gpueig_symmetric problem
      = { .type = s->full     ? r->type
                  : GE_DOUBLE ? GPUEIG_DOUBLE
                              : GPUEIG_FLOAT,
          .n = r->n,
          .pages = 1,
          .a = s->full,
          .d = s->d,
          .e = s->e,
          .symmetric = apart,
          .select = r->range == 'A' || apart ? GPUEIG_SELECT_ALL
                    : r->range == 'I'        ? GPUEIG_SELECT_INDEX
                                             : GPUEIG_SELECT_INTERVAL,
          .first = r->il,
          .last = r->iu,
          .vl = r->lower,
          .vu = r->limit,
          .found = &r->found,
          .lambda = s->lambda,
          .v = s->v };
  return (apart ? gpueig_eig_symmetric : gpueig_mrrr) (ctx, &problem, options,
                                                       NULL);
}

static ge_blas_limit
blas_limit (const ge_request *r)
{
  return r->n < SEVERAL_THREADS ? GE_BLAS_ONE : GE_BLAS_ALL;
}

/* Replace the matrix by the standard problem of the pair, and B by its Cholesky factor;
   zero if that fails or is not finite.  */
static int
reduce_pair (gpueig_context *ctx, const ge_request *r, const spaces *s)
{
  const char *const uplo = r->upper ? "U" : "L";
  const lapack_int n = (lapack_int) r->n, itype = r->itype;
  lapack_int info = 0;
  if (! mirror (ctx, r, r->b, r->ldb, s->factor))
    return 0;
  const ge_blas_limit limit = blas_limit (r);
  ge_limit_blas (ctx, limit);
  potrf_ (uplo, &n, s->factor, &n, &info, 1);
  if (info == 0)
    hegst_ (&itype, uplo, &n, s->full, &n, s->factor, &n, &info, 1);
  ge_unlimit_blas (ctx, limit);
  return info == 0 && mirror (ctx, r, s->full, r->n, s->full);
}

/* Compute the pair's vectors from those of the standard problem.  */
static void
back_transform (gpueig_context *ctx, const ge_request *r, const spaces *s)
{
  const char *const uplo = r->upper ? "U" : "L";
  const lapack_int n = (lapack_int) r->n, m = (lapack_int) r->found;
  const scalar_t one = make_ (1, 0);
  if (m == 0)
    return;
  const ge_blas_limit limit = blas_limit (r);
  ge_limit_blas (ctx, limit);
  if (r->itype == 3)
    trmm_ ("L", uplo, r->upper ? "C" : "N", "N", &n, &m, &one, s->factor, &n,
           s->v, &n, 1, 1, 1, 1);
  else
    trsm_ ("L", uplo, r->upper ? "N" : "C", "N", &n, &m, &one, s->factor, &n,
           s->v, &n, 1, 1, 1, 1);
  ge_unlimit_blas (ctx, limit);
}

/* Nonzero if D and E, which are copies, define the smallest eigenvalues to a higher
   accuracy, relative to themselves, than ours, which is relative to the norm: LAPACK's QL
   iteration and MRRR compute them so.  The matrix is graded, and with its diagonal scaled
   to ones it is diagonally dominant (xLARRR) or definite and well conditioned, which the
   pivots decide (Barlow and Demmel, SIAM J. Numer. Anal. 27 (1990)).  */
static int
is_graded (int64_t n, const real_t *d, real_t *e)
{
  const real_t least_pivot = (real_t) 0.001;
  const lapack_int order = (lapack_int) n;
  real_t pivot = 1, least = fabs_ (d[0]), most = least;
  lapack_int info = 1;
  for (int64_t i = 1; i < n; i++)
    {
      least = fmin_ (least, fabs_ (d[i]));
      most = fmax_ (most, fabs_ (d[i]));
    }
  if (! (most > 10 * least))
    return 0;
  larrr_ (&order, d, e, &info);
  for (int64_t i = 1; i < n && info != 0; i++)
    {
      pivot = 1 - (e[i - 1] / d[i - 1]) * (e[i - 1] / d[i]) / pivot;
      if (! (pivot > least_pivot) || (d[i] > 0) != (d[0] > 0))
        return 0;
    }
  return 1;
}

/* Copy the tridiagonal matrix; zero if it is not finite, or if LAPACK's eigenvalues are
   more accurate.  */
static int
copy_tridiagonal (gpueig_context *ctx, const ge_request *r, const spaces *s)
{
  const gpueig_type real = GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const size_t count = (size_t) r->n;
  memcpy (s->d, r->d, count * sizeof *s->d);
  if (count > 1)
    memcpy (s->e, r->e, (count - 1) * sizeof *s->e);
  return ge_find_nonfinite (ctx, real, s->d, 2 * r->n - 1) < 0
         && ! is_graded (r->n, s->d, s->e);
}

/* Zero if the triangle that is read has NaN or Inf.  */
static int
triangle_is_finite (gpueig_context *ctx, const ge_request *r)
{
  const gpueig_type real = GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const scalar_t *a = r->a;
  for (int64_t j = 0; j < r->n; j++)
    {
      const int64_t first = r->upper ? 0 : j;
      const int64_t count = r->upper ? j + 1 : r->n - j;
      if (ge_find_nonfinite (ctx, real, a + first + r->lda * j,
                             count * (1 + GE_COMPLEX))
          >= 0)
        return 0;
    }
  return 1;
}

/* Zero if LAPACK shall solve it, which may leave the place of the vectors as it is.  */
static int
solve_symmetric (gpueig_context *ctx, const gpueig_options *options,
                 ge_request *r, const spaces *s)
{
  if (s->full && s->full == r->z && ! triangle_is_finite (ctx, r))
    return 0;
  if (! (s->full ? mirror (ctx, r, r->a, r->lda, s->full)
                 : copy_tridiagonal (ctx, r, s))
      || (s->factor && ! reduce_pair (ctx, r, s)))
    return 0;
  r->status = solve_standard (ctx, options, r, s);
  if (r->status != GPUEIG_OK)
    return 0;
  if (s->v && s->factor)
    back_transform (ctx, r, s);
  memcpy (r->w, s->lambda, (size_t) r->found * sizeof (real_t));
  if (s->v && s->v != r->z)
    run_copies (ctx, s->full ? columns_piece : real_columns_piece,
                (copies){ r->n, r->found, s->v, r->n, r->z, .ldto = r->ldz });
  if (s->factor)
    run_copies (ctx, triangle_piece,
                (copies){ r->n, r->n, s->factor, r->n, r->b, r->ldb,
                          .upper = r->upper });
  return 1;
}

int
FN (ge_engine_symmetric) (gpueig_context *ctx, const gpueig_options *options,
                          ge_request *r)
{
  const int64_t n = r->n;
  if (! ge_is_lapack_int (n))
    return 0;
  /* The solver may write to Z itself unless that has less room or another type, or is A,
     which LAPACK gets if there is no result.  */
  const int direct = r->z && r->z != r->a && r->ldz == n && r->range != 'V'
                     && (r->a || ! GE_COMPLEX);
  spaces s = { .lambda = ge_engine_alloc (ctx, n, sizeof (real_t)) };
  if (direct)
    s.v = r->z;
  else if (r->z)
    s.v = ge_engine_alloc (ctx, n * columns (r),
                           r->a ? sizeof (scalar_t) : sizeof (real_t));
  /* The room of the vectors has the matrix until its reduction.  */
  const int shared
      = r->a && s.v && columns (r) == n && options->backend == GPUEIG_CPU;
  if (shared)
    s.full = s.v;
  else if (r->a)
    s.full = ge_engine_alloc (ctx, n * n, sizeof (scalar_t));
  else
    s.d = ge_engine_alloc (ctx, 2 * n, sizeof (real_t));
  s.e = s.d ? s.d + n : NULL;
  if (r->b)
    s.factor = ge_engine_alloc (ctx, n * n, sizeof (scalar_t));
  const int done = s.lambda && (s.full || s.d) && (s.factor || ! r->b)
                   && (s.v || ! r->z) && solve_symmetric (ctx, options, r, &s);
  free (s.lambda);
  if (! shared)
    free (s.full);
  free (s.d);
  free (s.factor);
  if (! direct)
    free (s.v);
  return done;
}
