/* Blocked cyclic two-sided Jacobi.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Blocks of GE_JACOBI_WIDTH columns are paired in tournament order.  The 64-by-64
   problem of a pair of blocks is diagonalised approximately, by one element-wise sweep
   (Abdelfattah and Fasi, arXiv 2601.17979: more inner sweeps are not faster), and the
   transformation is applied to the rest of the matrix and to the vectors by GEMMs.
   Pairs whose off-diagonal elements are all negligible are skipped, as are tiles
   between two such pairs, so a sweep over a nearly diagonal matrix is cheap.  Only the
   tiles on and below the diagonal are computed, the others are their adjoints.

   Stopping: every |a_ij| <= tol sqrt |a_ii a_jj| or <= the floor.  */

#include "jacobi/jacobi_typed.h"
#include "base/schedule.h"

#include <string.h>

enum
{
  B = GE_JACOBI_WIDTH,
  P = GE_JACOBI_PAIR,
  INNER_SWEEPS = 1
};

typedef struct
{
  int64_t n, ld; /* order, and order padded to whole pairs */
  int blocks;    /* even */
  scalar_t *a;   /* ld-by-ld */
  scalar_t *v;   /* n-by-n, or NULL */
  scalar_t *u;   /* transformation U of each pair of blocks, P-by-P */
  scalar_t *d;   /* its diagonal tile after the transformation */
  int *first, *second, *active;
  char *memory; /* scratch of the inner solver and for tiles, per thread */
  size_t stride;
  real_t tol, floor;
} block_state;

/* Copy tile (G, H) of A, of the pairs of blocks G and H of this round.  */
static void
gather_tile (const block_state *s, int g, int h, scalar_t *tile)
{
  const int rows[2] = { s->first[g], s->second[g] };
  const int columns[2] = { s->first[h], s->second[h] };
  for (int bj = 0; bj < 2; bj++)
    for (int j = 0; j < B; j++)
      for (int bi = 0; bi < 2; bi++)
        memcpy (tile + (bj * B + j) * P + bi * B,
                s->a + s->ld * (columns[bj] * B + j) + rows[bi] * B,
                B * sizeof *tile);
}

static void
scatter_tile (block_state *s, int g, int h, const scalar_t *tile)
{
  const int rows[2] = { s->first[g], s->second[g] };
  const int columns[2] = { s->first[h], s->second[h] };
  for (int bj = 0; bj < 2; bj++)
    for (int j = 0; j < B; j++)
      for (int bi = 0; bi < 2; bi++)
        memcpy (s->a + s->ld * (columns[bj] * B + j) + rows[bi] * B,
                tile + (bj * B + j) * P + bi * B, B * sizeof *tile);
}

static void
adjoint_tile (const scalar_t *tile, scalar_t *out)
{
  for (int j = 0; j < P; j++)
    for (int i = 0; i < P; i++)
      out[i * P + j] = conj_ (tile[j * P + i]);
}

static scalar_t *
thread_tiles (const block_state *s, int thread)
{
  return (scalar_t *) (s->memory + (size_t) thread * s->stride);
}

/* The inner problem of pair G: U and the transformed diagonal tile.  */
static void
solve_pair (void *data, int64_t g, int thread)
{
  block_state *s = data;
  const real_t tol = s->tol, floor = s->floor;
  FN (ge_cyclic) w;
  double off2;
  scalar_t *tile = thread_tiles (s, thread);
  scalar_t *u = s->u + g * P * P, *d = s->d + g * P * P;
  gather_tile (s, (int) g, (int) g, tile);
  s->active[g] = FN (ge_count_off) (NULL, P, tile, P, tol, floor, &off2) > 0;
  if (! s->active[g])
    return;
  FN (ge_cyclic_lay_out) (&w, P, P, 1, tile + 3 * P * P);
  FN (ge_cyclic_load) (&w, P, tile, P, 1, NULL);
  int64_t rotations = 1;
  for (int k = 0; k < INNER_SWEEPS && rotations > 0; k++)
    FN (ge_cyclic_sweep) (NULL, &w, tol, floor, &rotations);
  for (int j = 0; j < P; j++)
    {
      FN (ge_cyclic_vector) (&w, j, u + j * P);
      for (int i = 0; i < P; i++)
        {
          real_t im = 0;
#if GE_COMPLEX
          im = w.a[1][w.ld * j + i];
#endif
          d[j * P + i] = make_ (w.a[0][w.ld * j + i], im);
        }
    }
}

/* Tile (g, h) <- U_g' tile U_h, and its mirror image.  */
static void
update_tile (block_state *s, int g, int h, int thread)
{
  const lapack_int p = P;
  const scalar_t one = 1, zero = 0;
  scalar_t *tile = thread_tiles (s, thread), *t1 = tile + P * P,
           *t2 = t1 + P * P;
  if (g == h)
    {
      if (s->active[g])
        scatter_tile (s, g, g, s->d + (int64_t) g * P * P);
      return;
    }
  if (! s->active[g] && ! s->active[h])
    return;
  gather_tile (s, g, h, tile);
  if (s->active[h])
    {
      gemm_ ("N", "N", &p, &p, &p, &one, tile, &p, s->u + (int64_t) h * P * P,
             &p, &zero, t1, &p, 1, 1);
      scalar_t *swap = tile;
      tile = t1;
      t1 = swap;
    }
  if (s->active[g])
    {
      gemm_ ("C", "N", &p, &p, &p, &one, s->u + (int64_t) g * P * P, &p, tile,
             &p, &zero, t2, &p, 1, 1);
      tile = t2;
    }
  scatter_tile (s, g, h, tile);
  scalar_t *mirror = tile == t2 ? t1 : t2;
  adjoint_tile (tile, mirror);
  scatter_tile (s, h, g, mirror);
}

/* P rows of the vectors, from ROW on, times U_g; padded rows and columns are
   skipped.  */
static void
update_vectors (block_state *s, int g, int64_t row, int thread)
{
  const scalar_t one = 1, zero = 0;
  int64_t n = s->n, rows = row + P <= n ? P : n - row;
  const lapack_int m = (lapack_int) rows, p = P;
  scalar_t *tile = thread_tiles (s, thread), *out = tile + P * P;
  const int columns[2] = { s->first[g], s->second[g] };
  if (! s->active[g])
    return;
  for (int j = 0; j < P; j++)
    {
      int64_t column = (int64_t) columns[j / B] * B + j % B;
      if (column < n)
        memcpy (tile + j * P, s->v + n * column + row,
                (size_t) rows * sizeof *tile);
      else
        memset (tile + j * P, 0, (size_t) rows * sizeof *tile);
    }
  gemm_ ("N", "N", &m, &p, &p, &one, tile, &p, s->u + (int64_t) g * P * P, &p,
         &zero, out, &p, 1, 1);
  for (int j = 0; j < P; j++)
    {
      int64_t column = (int64_t) columns[j / B] * B + j % B;
      if (column < n)
        memcpy (s->v + n * column + row, out + j * P,
                (size_t) rows * sizeof *tile);
    }
}

/* Update column I of tiles, or a block of rows of the vectors.  */
static void
update_piece (void *data, int64_t i, int thread)
{
  block_state *s = data;
  const int pairs = s->blocks / 2;
  if (i < pairs)
    for (int g = 0; g <= i; g++)
      update_tile (s, g, (int) i, thread);
  else
    for (int g = 0; g < pairs; g++)
      update_vectors (s, g, (i - pairs) * P, thread);
}

static gpueig_status
play_round (gpueig_context *ctx, block_state *s, int round)
{
  const int pairs = s->blocks / 2, shared = pairs > 3;
  const int64_t rows = s->v ? (s->n + P - 1) / P : 0;
  for (int g = 0; g < pairs; g++)
    ge_round_pair (s->blocks, round, g, &s->first[g], &s->second[g]);
  GE_TRY (ge_run_pieces (ctx, pairs, shared, solve_pair, s));
  return ge_run_pieces (ctx, pairs + rows, shared, update_piece, s);
}

static gpueig_status
sweeps (gpueig_context *ctx, block_state *s, double norm,
        const ge_jacobi_control *control, gpueig_info *info)
{
  double off2;
  for (int64_t sweep = 0;; sweep++)
    {
      int64_t left
          = FN (ge_count_off) (ctx, s->n, s->a, s->ld, s->tol, s->floor, &off2);
      FN (ge_jacobi_note)
      (ctx, info, sweep ? "sweep" : "start", norm > 0 ? sqrt (off2) / norm : 0);
      if (left == 0)
        return GPUEIG_OK;
      if (info->sweeps >= control->max_sweeps)
        return FN (ge_jacobi_unfinished) (ctx, control);
      info->sweeps++;
      for (int round = 0; round < s->blocks - 1; round++)
        GE_TRY (play_round (ctx, s, round));
    }
}

gpueig_status
FN (ge_jacobi_block) (gpueig_context *ctx, int64_t n, scalar_t *a, scalar_t *v,
                      real_t *lambda, real_t floor,
                      const ge_jacobi_control *control, gpueig_info *info)
{
  block_state s
      = { .n = n, .v = v, .tol = (real_t) control->tol, .floor = floor };
  int mark = ge_mark (ctx);
  int64_t pairs = (n + P - 1) / P;
  s.blocks = (int) (2 * pairs);
  s.ld = pairs * P;
  s.stride = 3 * P * P * sizeof (scalar_t) + FN (ge_cyclic_bytes) (P, P, 1);
  s.stride = (s.stride + 63) / 64 * 64;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s.ld * s.ld, &s.a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pairs * P * P, &s.u));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pairs * P * P, &s.d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pairs, &s.first));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pairs, &s.second));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pairs, &s.active));
  GE_TRY (
      GE_ALLOC (ctx, GE_HOST, ge_threads () * (int64_t) s.stride, &s.memory));
  for (int64_t j = 0; j < s.ld; j++)
    {
      memset (s.a + s.ld * j, 0, (size_t) s.ld * sizeof *s.a);
      if (j < n)
        memcpy (s.a + s.ld * j, a + n * j, (size_t) n * sizeof *s.a);
    }
  ge_limit_blas (ctx, GE_BLAS_ONE);
  gpueig_status status
      = sweeps (ctx, &s, FN (ge_frobenius) (ctx, n * n, a, 1), control, info);
  ge_unlimit_blas (ctx, GE_BLAS_ONE);
  for (int64_t j = 0; j < n; j++)
    lambda[j] = re_ (s.a[s.ld * j + j]);
  ge_release (ctx, mark);
  return status;
}
