/* MRRR's operation singles on the GPU, for a matrix of one block whose eigenvalues are
   all singletons of the root: the decisions that the driver (core/methods/mrrr/tree.c,
   vectors.c) makes between its operations are kernels too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/operations.cuh"
#include "mrrr/separation.h"

#include <limits.h>

/* Pairs FIRST_WANTED .. FIRST_WANTED + WANTED - 1 of N have vectors, in this order;
   pair k is number INDEX + k of the block.  */
typedef struct
{
  mrrr_single *pairs;
  int n, index, points, vectors, is_double, first_wanted, wanted;
  double lo, hi, gap; /* of the spectrum */
  int *open;          /* number of pairs that are not single */
} singles;

static __device__ __forceinline__ double
grid_point (const singles &s, int j)
{
  return s.lo + (s.hi - s.lo) * ((double) (j + 1) / (double) (s.points + 1));
}

/* Jobs of the counts at the points of the grid.  */
static __global__ void
grid_kernel (singles s, mrrr_job *jobs)
{
  const int j = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= s.points)
    return;
  jobs[j].a = grid_point (s, j);
  jobs[j].node = 0;
}

/* First brackets from these counts.  */
static __global__ void
bracket_kernel (singles s, const mrrr_answer *counts)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= s.n)
    return;
  int below = -1, above = s.points;
  while (above - below > 1)
    {
      const int j = (below + above) / 2;
      if (counts[j].a < s.index + k)
        below = j;
      else
        above = j;
    }
  mrrr_single p = {};
  p.lo = below >= 0 ? grid_point (s, below) : s.lo;
  p.hi = above < s.points ? grid_point (s, above) : s.hi;
  s.pairs[k] = p;
}

/* Gaps and flags.  The last time with JOBS, which are the wanted pairs', and
   *S.OPEN, zero before.  */
static __global__ void
classify_kernel (singles s, mrrr_job *jobs)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= s.n)
    return;
  mrrr_single *p = s.pairs + k;
  const double lo = p->lo, hi = p->hi, size = ge_mrrr_largest (lo, hi);
  if (! (p->flags & MRRR_SINGLE))
    {
      double left = s.gap, right = s.gap;
      int apart = s.vectors;
      if (k > 0)
        {
          left = lo - p[-1].hi;
          apart &= ! ge_mrrr_linked (
              s.is_double, left, ge_mrrr_largest (p[-1].lo, p[-1].hi), size);
        }
      if (k + 1 < s.n)
        {
          right = p[1].lo - hi;
          apart &= ! ge_mrrr_linked (s.is_double, right, size,
                                     ge_mrrr_largest (p[1].lo, p[1].hi));
        }
      p->gap = fmin (left, right);
      p->flags = ge_mrrr_classify (p->flags, lo, hi, p->gap, apart);
    }
  const int column = k - s.first_wanted;
  if (! jobs)
    return;
  if (! (p->flags & MRRR_SINGLE))
    atomicAdd (s.open, 1);
  if (column >= 0 && column < s.wanted)
    {
      const mrrr_job job = { lo, hi, p->gap, 0, s.index + k, 0, column };
      jobs[column] = job;
    }
}

/* SORTED: JOBS by their twists, which are in ANSWERS, and by column.  As many
   comparisons as pairs of jobs, by blocks of 256 threads.  */
static __global__ void
sort_kernel (singles s, const mrrr_job *jobs, const mrrr_answer *answers,
             mrrr_job *sorted)
{
  __shared__ int twists[256];
  if (*s.open)
    return;
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  const int own = k < s.wanted ? (int) answers[k].a : 0;
  int place = 0;
  for (int begin = 0; begin < s.wanted; begin += 256)
    {
      const int i = begin + (int) threadIdx.x;
      __syncthreads ();
      twists[threadIdx.x] = i < s.wanted ? (int) answers[i].a : INT_MAX;
      __syncthreads ();
#pragma unroll 8
      for (int l = 0; l < 256; l++)
        place += twists[l] < own || (twists[l] == own && begin + l < k);
    }
  if (k >= s.wanted)
    return;
  mrrr_job job = jobs[k];
  job.twist = own;
  sorted[place] = job;
}

/* The results of the wanted pairs.  */
static __global__ void
collect_kernel (singles s, const mrrr_job *sorted, const mrrr_answer *values,
                const mrrr_answer *residuals)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= s.wanted || *s.open)
    return;
  mrrr_single *p = s.pairs + s.first_wanted + sorted[k].column;
  p->twist = sorted[k].twist;
  p->x_hi = values[k].a;
  p->x_lo = values[k].b;
  p->residual = residuals[k].a;
}

enum
{
  SINGLES_THREADS = 256,
  /* Rounds of bisection: as many as eigenvalues at random distances need, more than
     the values alone.  */
  ROUNDS = 5,
  ROUNDS_OF_VALUES = 9
};

static gpueig_status
start_singles (ge_mrrr *m, const singles &s)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  const int threads = SINGLES_THREADS, grid = (s.n + threads - 1) / threads;
  const int rounds = m->vectors ? ROUNDS : ROUNDS_OF_VALUES,
            at_once = ge_cuda_bisects_at_once (m, s.n);
  mrrr_job *sorted = g->jobs + s.n;
  mrrr_answer *values = g->answers + s.n, *residuals = values + s.n;
  GE_LAUNCH (grid_kernel, (s.points + threads - 1) / threads, threads, 0, s,
             g->jobs);
  GE_TRY (ge_cuda_start_count (m, s.points, s.points));
  GE_LAUNCH (bracket_kernel, grid, threads, 0, s, g->answers);
  for (int round = 0; round <= rounds; round++)
    {
      GE_LAUNCH (classify_kernel, grid, threads, 0, s,
                 round == rounds && m->vectors ? g->jobs : NULL);
      if (round < rounds)
        GE_TRY (ge_cuda_start_bisect (m, at_once, s.n, s.n, s.pairs, s.index));
    }
  if (! m->vectors)
    return GPUEIG_OK;
  mrrr_batch b = { g->jobs, s.wanted, s.wanted, g->answers, s.open };
  GE_TRY (ge_cuda_start_twist (m, b));
  GE_LAUNCH (sort_kernel, (s.wanted + threads - 1) / threads, threads, 0, s,
             g->jobs, g->answers, sorted);
  b.jobs = sorted;
  b.answers = values;
  GE_TRY (ge_cuda_start_refine (m, b));
  b.answers = residuals;
  GE_TRY (ge_cuda_start_vectors (m, b, values));
  GE_LAUNCH (collect_kernel, grid, threads, 0, s, sorted, values, residuals);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_singles (ge_mrrr *m, int64_t points, int *done)
{
  gpueig_context *ctx = m->ctx;
  const int mark = ge_mark (ctx);
  mrrr_single *results;
  singles s = {};
  s.n = (int) m->n_pairs;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s.n + 1, &s.pairs));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, s.n + 1, &results));
  s.open = &s.pairs[s.n].flags;
  s.index = m->pairs[0].index;
  s.points = (int) points;
  s.vectors = m->vectors;
  s.is_double = m->is_double;
  while (! (m->pairs[s.first_wanted].flags & MRRR_WANTED))
    s.first_wanted++;
  s.wanted = (int) (m->iu - m->il + 1);
  s.lo = m->pairs[0].lo;
  s.hi = m->pairs[0].hi;
  s.gap = m->nodes[0].gap_left;
  ge_report (ctx, "%d eigenvalues of one block", s.n);
  GE_TRY (ge_clear (ctx, s.pairs + s.n, 1));
  GE_TRY (start_singles (m, s));
  GE_TRY (ge_fetch (ctx, results, s.pairs, m->n_pairs + 1));
  *done = m->vectors && results[s.n].flags == 0;
  for (int k = 0; k < s.n; k++)
    {
      ge_mrrr_eigenpair *p = m->pairs + k;
      const mrrr_single *r = results + k;
      p->lo = r->lo;
      p->hi = r->hi;
      p->gap = r->gap;
      p->flags |= r->flags;
      p->x_hi = r->x_hi;
      p->x_lo = r->x_lo;
      p->twist = r->twist;
      p->residual = r->residual;
    }
  ge_release (ctx, mark);
  return ge_check_interrupt (ctx);
}
