/* Preconditioned Jacobi: refinement of approximate eigenvectors to working precision by
   matrix products; clusters that products do not separate by the eigenvectors of X'AX.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One step, for X with X'X = I - R and S = X'AX (Ogita and Aishima, JJIAM 35,
   2018, written with the orthogonalised matrix): B = S + (R S + S R) / 2 is A
   in the basis X (I + R/2), to second order; lambda its diagonal;

       E_ij = B_ij / (lambda_j - lambda_i),     X <- X (I + R/2 + E).

   Converges quadratically in the distance from the eigenvectors.  Ogita and
   Aishima set E to zero within clusters; here close neighbours in the sorted
   spectrum, for which a first-order correction is not sufficient, are first
   diagonalised exactly in windows of 64 columns, twice with the windows shifted by
   half.  Two steps from single precision are then enough in most cases.  Pairs that
   remain unseparated (clusters wider than a window) need the eigenvectors of X'AX, for
   which steps with E = 0 make X orthonormal first.  If the square of the correction is below rounding errors, the step
   is accepted without computing B and R again.  The result is verified
   (ge_jacobi_is_orthonormal).

   Floor: 4 tol max |lambda|, the rounding errors of X'AX.

   Vectors from a solver in working precision need no step, and lambda is Rayleigh's
   quotients, if X is orthonormal and the columns of A X - X diag (lambda), which then
   have the norms of those of the off-diagonal part of X'AX, are not larger than columns
   of n elements of the floor (ge_jacobi_is_accurate): a third of the products of a
   step.  */

#include "base/products.h"
#include "eig/symmetric.h"
#include "jacobi/jacobi_typed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
  W = GE_JACOBI_PAIR, /* columns of a window */
  MAX_STEPS = 8,
  TILE = 32
};

/* Rotation angles whose squares are of the size of rounding errors.  */
#define SAFE_SHARE (64 * sqrt_ (GE_EPS))

typedef struct
{
  int64_t n;
  const scalar_t *a;
  scalar_t *x, *w, *b, *r; /* w: A X, then the next X */
  real_t *lambda;
  double floor_tol;
  real_t floor;
  double delta; /* a bound of the 2-norm of the correction */
  double bound; /* bound of the error after the correction, in units of n eps;
                          a large overestimate unless E has rank one */
  double off,
      r_norm; /* Frobenius norms of the off-diagonal part of B, and of R */
  int64_t unseparated; /* number of unseparated pairs */
  double *sums; /* 2 n + 2 partial sums, added in a fixed order, so that results
                          do not depend on the threads */
  int multiplied; /* W is A X */
} refine_state;

/* --- B, R and lambda --- */

/* Compute B and R in a strip of columns from J0 on below the diagonal, and the mirror
   image above it; SUMS: sums of squares of their elements.  */
static void
form_tiles (const refine_state *s, int64_t j0, double sums[2])
{
  const int64_t n = s->n, j1 = j0 + TILE < n ? j0 + TILE : n;
  scalar_t *b = s->b, *r = s->r;
  double off = 0, r_norm = 0;
  for (int64_t i0 = j0; i0 < n; i0 += TILE)
    for (int64_t j = j0; j < j1; j++)
      for (int64_t i = i0 > j ? i0 : j + 1; i < i0 + TILE && i < n; i++)
        {
          scalar_t rij = -r[i + n * j];
          scalar_t bij
              = b[i + n * j] + rij * ((s->lambda[i] + s->lambda[j]) / 2);
          r[i + n * j] = rij;
          r[j + n * i] = conj_ (rij);
          b[i + n * j] = bij;
          b[j + n * i] = conj_ (bij);
          off += 2 * (double) abs2_ (bij);
          r_norm += 2 * (double) abs2_ (rij);
        }
  sums[0] = off;
  sums[1] = r_norm;
}

static void
form_piece (void *data, int64_t t, int thread)
{
  refine_state *s = data;
  (void) thread;
  form_tiles (s, t * TILE, &s->sums[2 * t]);
}

/* Compute B, R (both triangles) and lambda from X.  */
static gpueig_status
form (gpueig_context *ctx, refine_state *s)
{
  const int64_t order = s->n, n = order;
  const int64_t tiles = (order + TILE - 1) / TILE;
  double off = 0, r_norm = 0, largest = 0;
  scalar_t *b = s->b, *r = s->r;
  GE_TRY (FN (ge_half_product) (ctx, n, s->x, s->x, r));
  if (! s->multiplied)
    GE_TRY (FN (ge_square_product) (ctx, n, "N", s->a, s->x, 0, s->w));
  s->multiplied = 0;
  GE_TRY (FN (ge_half_product) (ctx, n, s->x, s->w, b));
  for (int64_t j = 0; j < order; j++)
    {
      real_t rjj = 1 - re_ (r[j + n * j]), bjj = re_ (b[j + n * j]);
      r[j + n * j] = rjj;
      s->lambda[j] = bjj + rjj * bjj;
      b[j + n * j] = s->lambda[j];
      largest = ge_larger (largest, (double) fabs_ (s->lambda[j]));
      r_norm += (double) rjj * (double) rjj;
    }
  s->floor = (real_t) (s->floor_tol * largest);
  GE_TRY (ge_run_pieces (ctx, tiles, 2 * (double) (n * n), form_piece, s));
  for (int64_t t = 0; t < tiles; t++)
    {
      off += s->sums[2 * t];
      r_norm += s->sums[2 * t + 1];
    }
  s->off = sqrt (off);
  s->r_norm = sqrt (r_norm);
  return GPUEIG_OK;
}

/* --- the correction --- */

/* X <- X + X M, M stored in R.  */
static gpueig_status
correct (gpueig_context *ctx, refine_state *s)
{
  size_t bytes = (size_t) (s->n * s->n) * sizeof *s->x;
  memcpy (s->w, s->x, bytes);
  GE_TRY (FN (ge_square_product) (ctx, s->n, "N", s->x, s->r, 1, s->w));
  memcpy (s->x, s->w, bytes);
  return GPUEIG_OK;
}

/* --- windows --- */

/* Nonzero if the first-order correction is not accurate, since eigenvalues I and J are
   close.  */
static int
is_close (const refine_state *s, int64_t i, int64_t j, real_t share)
{
  real_t size = abs_ (s->b[i + s->n * j]);
  return size > s->floor && size > share * fabs_ (s->lambda[i] - s->lambda[j]);
}

/* Diagonalise the window that starts at FIRST, and store U and lambda.  Return 0, with
   nothing changed, if a first-order correction is as accurate.  MEMORY: the workspace of
   xSYEVD, of SIZES, and the window.  */
static int
solve_window (refine_state *s, int64_t first, int size, const int sizes[3],
              char *memory, scalar_t *u)
{
  real_t lambda[W];
  scalar_t *b = (scalar_t *) memory;
  int wanted = 0;
  for (int64_t j = first; j < first + size && ! wanted; j++)
    for (int64_t i = first; i < j && ! wanted; i++)
      wanted = is_close (s, i, j, SAFE_SHARE);
  if (! wanted)
    return 0;
  for (int64_t j = 0; j < size; j++)
    memcpy (b + size * j, s->b + first + s->n * (first + j),
            (size_t) size * sizeof *b);
  if (FN (ge_syevd) (size, b, lambda, u, b + W * W, sizes) != 0)
    return 0;
  memcpy (s->lambda + first, lambda, (size_t) size * sizeof *lambda);
  return 1;
}

/* Multiply SIZE columns of Z from FIRST on by U; T is scratch (n-by-W).  */
static void
transform_columns (int64_t order, scalar_t *z, int64_t first, lapack_int size,
                   const scalar_t *u, scalar_t *t)
{
  multiply_ ("N", "N", order, size, size, 1, z + order * first, order, u, size,
             0, t, order);
  memcpy (z + order * first, t, (size_t) (order * size) * sizeof *z);
}

/* Multiply SIZE rows of Z from FIRST on by U' from the left.  */
static void
transform_rows (int64_t order, scalar_t *z, int64_t first, lapack_int size,
                const scalar_t *u, scalar_t *t)
{
  multiply_ ("C", "N", size, order, size, 1, u, size, z + first, order, 0, t,
             size);
  for (int64_t j = 0; j < order; j++)
    memcpy (z + first + order * j, t + size * j, (size_t) size * sizeof *z);
}

typedef struct
{
  int64_t first;
  int size, turned;
  scalar_t *u;
} window;

/* Data common to the pieces of a pass over all windows; MEMORY and T per thread.  */
typedef struct
{
  refine_state *s;
  window *list;
  char *memory;
  int64_t stride;
  int sizes[3];
  scalar_t *t;
} window_pass;

static void
solve_piece (void *data, int64_t k, int thread)
{
  const window_pass *p = data;
  window *w = &p->list[k];
  w->turned = solve_window (p->s, w->first, w->size, p->sizes,
                            p->memory + thread * p->stride, w->u);
}

static void
columns_piece (void *data, int64_t k, int thread)
{
  const window_pass *p = data;
  const window *w = &p->list[k];
  scalar_t *z[3] = { p->s->x, p->s->b, p->s->r };
  const int64_t n = p->s->n;
  for (int m = 0; m < 3 && w->turned; m++)
    transform_columns (n, z[m], w->first, w->size, w->u, p->t + thread * n * W);
}

static void
rows_piece (void *data, int64_t k, int thread)
{
  const window_pass *p = data;
  const window *w = &p->list[k];
  scalar_t *z[2] = { p->s->b, p->s->r };
  const int64_t n = p->s->n, first = w->first, size = w->size;
  for (int m = 0; m < 2 && w->turned; m++)
    transform_rows (n, z[m], first, (lapack_int) size, w->u,
                    p->t + thread * n * W);
  /* Set the off-diagonal elements of a diagonalised window to zero.  */
  for (int64_t j = first; j < first + size && w->turned; j++)
    for (int64_t i = first; i < first + size; i++)
      p->s->b[i + n * j] = i == j ? p->s->lambda[j] : 0;
}

static gpueig_status
windows (gpueig_context *ctx, refine_state *s)
{
  const int threads = ge_threads (), mark = ge_mark (ctx);
  const int64_t n = s->n, most = n / W + 2;
  const double operations = W * (double) (n * n) / 4;
  window_pass p = { .s = s };
  scalar_t *u;
  GE_TRY (FN (ge_syevd_size) (ctx, W, 1, &p.stride, p.sizes));
  p.stride += (int64_t) (W * W * sizeof *u);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, most * W * W, &u));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, most, &p.list));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * n * W, &p.t));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * p.stride, &p.memory));
  for (int shift = 0; shift < 2; shift++)
    {
      int64_t count = 0, turned = 0;
      for (int64_t first = shift * W / 2; first < n; first += W, count++)
        p.list[count] = (window){ .first = first,
                                  .size = (int) (n - first < W ? n - first : W),
                                  .u = u + count * W * W };
      GE_TRY (ge_run_pieces (ctx, count, 10.0 * W * W * (double) n, solve_piece,
                             &p));
      for (int64_t k = 0; k < count; k++)
        turned += p.list[k].turned;
      if (turned == 0)
        continue;
      GE_TRY (ge_run_pieces (ctx, count, operations, columns_piece, &p));
      GE_TRY (ge_run_pieces (ctx, count, operations, rows_piece, &p));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- its elements --- */

typedef struct
{
  refine_state *s;
  int first_order;
  atomic_int_fast64_t unseparated;
} correction;

/* Compute TILE columns of M = R/2 + E.  */
static void
correction_piece (void *data, int64_t i0, int thread)
{
  correction *c = data;
  refine_state *s = c->s;
  const int64_t n = s->n, begin = i0 * TILE;
  const int first_order = c->first_order;
  int64_t unseparated = 0;
  (void) thread;
  for (int64_t j = begin; j < begin + TILE && j < n; j++)
    {
      double column = 0, squares = 0;
      for (int64_t i = 0; i < n; i++)
        {
          scalar_t m = s->r[i + n * j] / 2, b = s->b[i + n * j];
          real_t gap = s->lambda[j] - s->lambda[i];
          if (i != j)
            {
              real_t size = abs_ (b), least = fabs_ (gap);
              /* Elements below the floor are rounding errors: corrected only if much
                 smaller than the gap, otherwise ignored, since close pairs would be
                 rotated by large angles.  */
              if (size > s->floor && size > (real_t) 0.1 * least)
                unseparated++;
              else if (first_order
                       && size < least * (size > s->floor ? 1 : SAFE_SHARE))
                m += b / gap;
            }
          s->r[i + n * j] = m;
          double size2 = (double) abs2_ (m);
          column += sqrt (size2);
          squares += size2;
        }
      s->sums[2 * j] = column;
      s->sums[2 * j + 1] = squares;
    }
  c->unseparated += unseparated;
}

/* Overwrite R by M = R/2 + E.  E is zero if FIRST_ORDER is 0, for negligible elements
   and for pairs that are too close.  */
static void
find_correction (gpueig_context *ctx, refine_state *s, int first_order)
{
  const int64_t n = s->n;
  double one_norm = 0, frobenius = 0;
  correction c = { .s = s, .first_order = first_order };
  ge_share_pass (ctx, (n + TILE - 1) / TILE, 2 * (double) (n * n),
                 correction_piece, &c);
  for (int64_t j = 0; j < n; j++)
    {
      one_norm = ge_larger (one_norm, s->sums[2 * j]);
      frobenius += s->sums[2 * j + 1];
    }
  double eps = (double) GE_EPS, root = sqrt ((double) n);
  s->delta = fmin (one_norm, sqrt (frobenius));
  s->bound = fmin (one_norm * one_norm, root * frobenius) / ((double) n * eps);
  s->unseparated = c.unseparated / 2;
}

/* Nonzero if LAMBDA is sorted well enough for windows, which need close eigenvalues in
   adjacent columns; deviations by a part of a window are allowed.  */
static int
is_sorted (const refine_state *s)
{
  real_t slack = s->floor
                 + fabs_ (s->lambda[0] - s->lambda[s->n - 1])
                       / (real_t) (8 * (s->n / W + 1));
  for (int64_t j = 1; j < s->n; j++)
    if (s->lambda[j - 1] > s->lambda[j] + slack)
      return 0;
  return 1;
}

/* Prepare X: orthonormal to first order, or else A's eigenvectors by another solver;
   eigenvalues ascending.  */
static gpueig_status
prepare_refinement (gpueig_context *ctx, refine_state *s)
{
  GE_TRY (form (ctx, s));
  if (! (s->r_norm < 0.1))
    {
      int failed;
      GE_TRY (FN (ge_jacobi_start) (ctx, s->n, s->a, s->lambda, s->x, &failed));
      if (failed)
        return GPUEIG_SOLVER_FAILED;
      GE_TRY (form (ctx, s));
    }
  if (is_sorted (s))
    return GPUEIG_OK;
  GE_TRY (ge_sort_pairs (ctx, (gpueig_type) GE_SCALAR, s->n, s->n, s->lambda,
                         s->x));
  return form (ctx, s);
}

/* --- orthonormality to rounding errors --- */

/* A step with E = 0 (Newton-Schulz iteration) squares the distance of X from a matrix
   with orthonormal columns.  */
static gpueig_status
orthonormality_step (gpueig_context *ctx, refine_state *s)
{
  GE_TRY (form (ctx, s));
  find_correction (ctx, s, 0);
  return correct (ctx, s);
}

/* Verify that X is orthonormal.  If not (errors of many rotations accumulate), do an
   orthonormality step; GPUEIG_SOLVER_FAILED if X is not orthonormal after it.  */
static gpueig_status
verify_refinement (gpueig_context *ctx, refine_state *s)
{
  int good;
  GE_TRY (FN (ge_jacobi_is_orthonormal) (ctx, s->n, s->x, &good));
  if (good)
    return GPUEIG_OK;
  size_t bytes = (size_t) s->n * sizeof *s->lambda;
  real_t *lambda;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->n, &lambda));
  memcpy (lambda, s->lambda, bytes);
  GE_TRY (orthonormality_step (ctx, s));
  memcpy (s->lambda, lambda, bytes);
  ge_release (ctx, mark);
  GE_TRY (FN (ge_jacobi_is_orthonormal) (ctx, s->n, s->x, &good));
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "refined eigenvectors are not orthonormal");
}

/* Separate the remaining pairs: X <- X times the eigenvectors of A in the basis X.  */
static gpueig_status
finish_refinement (gpueig_context *ctx, refine_state *s, double norm,
                   const ge_jacobi_control *control, gpueig_info *info)
{
  int failed;
  if (info->sweeps >= control->max_sweeps)
    return FN (ge_jacobi_unfinished) (ctx, control);
  for (int step = 0; ! (s->bound < 1) && step < MAX_STEPS; step++)
    GE_TRY (orthonormality_step (ctx, s));
  GE_TRY (form (ctx, s));
  FN (ge_jacobi_note) (ctx, info, "to mrrr", norm > 0 ? s->off / norm : 0);
  GE_TRY (FN (ge_jacobi_start) (ctx, s->n, s->b, s->lambda, s->r, &failed));
  if (failed)
    return GPUEIG_SOLVER_FAILED;
  GE_TRY (FN (ge_square_product) (ctx, s->n, "N", s->x, s->r, 0, s->w));
  memcpy (s->x, s->w, (size_t) (s->n * s->n) * sizeof *s->x);
  return GPUEIG_OK;
}

static gpueig_status
steps (gpueig_context *ctx, refine_state *s, double norm,
       const ge_jacobi_control *control, gpueig_info *info)
{
  int first_order = 1;
  double last = INFINITY;
  for (int step = 1;; step++)
    {
      FN (ge_jacobi_note) (ctx, info, "refine", norm > 0 ? s->off / norm : 0);
      GE_TRY (ge_check_interrupt (ctx));
      if (info->sweeps >= control->max_sweeps)
        return FN (ge_jacobi_unfinished) (ctx, control);
      info->sweeps++;
      if (first_order)
        GE_TRY (windows (ctx, s));
      find_correction (ctx, s, first_order);
      if (first_order && ! (s->delta <= 0.5 && s->delta <= 0.7 * last))
        {
          /* Outside the region of convergence: orthogonalise only.  */
          first_order = 0;
          GE_TRY (form (ctx, s));
          find_correction (ctx, s, 0);
        }
      last = s->delta;
      GE_TRY (correct (ctx, s));
      int accepted = s->bound < 1;
      if (accepted && first_order && s->unseparated == 0)
        return GPUEIG_OK;
      if (accepted || step == MAX_STEPS)
        return finish_refinement (ctx, s, norm, control, info);
      GE_TRY (form (ctx, s));
    }
}

gpueig_status
FN (ge_jacobi_refine) (gpueig_context *ctx, int64_t n, const scalar_t *a,
                       scalar_t *x, real_t *lambda,
                       const ge_jacobi_control *control, gpueig_info *info)
{
  refine_state s = { .n = n, .a = a, .x = x, .lambda = lambda };
  int mark = ge_mark (ctx);
  double norm = FN (ge_frobenius) (ctx, n * n, a, 1), off = 0;
  int accurate;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &s.w));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n + 2, &s.sums));
  s.floor_tol = 4 * control->tol;
  GE_TRY (FN (ge_jacobi_is_accurate) (ctx, n, a, x, s.floor_tol, s.w, lambda,
                                      s.sums, &accurate));
  s.multiplied = 1;
  if (accurate)
    {
      for (int64_t j = 0; j < n; j++)
        off += s.sums[j];
      FN (ge_jacobi_note)
      (ctx, info, "start", norm > 0 ? sqrt (off) / norm : 0);
      ge_release (ctx, mark);
      return GPUEIG_OK;
    }
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &s.b));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &s.r));
  GE_TRY (prepare_refinement (ctx, &s));
  gpueig_status status = steps (ctx, &s, norm, control, info);
  if (status == GPUEIG_OK)
    status = verify_refinement (ctx, &s);
  ge_release (ctx, mark);
  return status;
}
