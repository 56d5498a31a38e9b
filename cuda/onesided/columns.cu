/* One-sided Jacobi with columns in global memory: the methods that the register
   kernel does not have, and larger orders.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One warp orthogonalises a pair of columns.  Pairs follow the odd-even
   transposition ordering: n tracks, columns keep their place in memory and a
   permutation in closed form (track_at) gives the columns of a round; the
   longer column of a pair goes to the lower track, as on the CPU.  A stack is
   solved by one block per page, a single large page by one launch per
   round.  */

#include "onesided/onesided.cuh"

#include <string.h>

#define WARPS 8 /* per block */

/* --- one block per page --- */

/* Maxima over the block, in all threads; SCRATCH: 2 WARPS floats.  */
template <typename T>
static __device__ void
block_maxima (float *cosine, float *sine, float *scratch)
{
  int warp = threadIdx.x / 32;
  if ((threadIdx.x & 31) == 0)
    {
      scratch[warp] = *cosine;
      scratch[WARPS + warp] = *sine;
    }
  __syncthreads ();
  for (int k = 0; k < WARPS; k++)
    {
      *cosine = fmaxf (*cosine, scratch[k]);
      *sine = fmaxf (*sine, scratch[WARPS + k]);
    }
  __syncthreads ();
}

/* Sweeps until all cosines are below tolerance, or will be after the rotations of
   the last sweep (quadratic convergence).  The number of sweeps, negative if it did
   not converge.  The barrier after every round orders the columns.  */
template <typename T>
static __device__ int
block_converge (const shape *w, T *f, int sweeps, int max_sweeps,
                float *scratch, float *worst)
{
  int warp = threadIdx.x / 32, n = w->n;
  float tol = (float) w->tol, cosine = 1, sine = 1;
  while (sweeps < max_sweeps)
    {
      cosine = sine = 0;
      for (int round = 0; round < n; round++)
        {
          int first = round & 1, pairs = (n - first) / 2;
          for (int g = warp; g < pairs; g += WARPS)
            {
              int k = track_at (n, round, first + 2 * g);
              int l = track_at (n, round, first + 2 * g + 1);
              rotate_columns<32, 1> (w, f + (int64_t) w->rows * min (k, l),
                                     f + (int64_t) w->rows * max (k, l),
                                     &cosine, &sine);
            }
          __syncthreads ();
        }
      block_maxima<T> (&cosine, &sine, scratch);
      cosine = sqrtf (cosine);
      sine = sqrtf (sine);
      sweeps++;
      if (cosine <= tol || ge_onesided_done ((float) n, sine, cosine, tol))
        {
          *worst = cosine;
          return sweeps;
        }
    }
  *worst = cosine;
  return -sweeps;
}

/* W <- W + shift V for [W; V], columns FROM, FROM + STEP, ..., by one
   block.  */
template <typename T>
static __device__ void
add_shifted (int n, T *f, ge_real<T> shift, int from, int step)
{
  for (int j = from; j < n; j += step)
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      {
        T *w = f + (int64_t) 2 * n * j + i, v = w[n];
        set_number (w, fma_ (shift, real_part (v), real_part (*w)),
                    fma_ (shift, imaginary_part (v), imaginary_part (*w)));
      }
}

template <typename T>
static __host__ __device__ double
rounding (ge_real<T> norm)
{
  return (sizeof (norm) == 8 ? DBL_EPSILON : FLT_EPSILON) * (double) norm;
}

/* All sweeps of one page by one block of WARPS warps.  F holds n columns of
   ROWS elements per page; for "hestenes" A above V.  */
template <typename T>
GE_KERNEL (32 * WARPS)
converge_pages (const onesided_stack<T> s, int rows)
{
  __shared__ float scratch[2 * WARPS];
  int n = s.n, sweeps = 0;
  float worst = 0;
  int64_t page = blockIdx.x;
  T *f = s.f + page * n * rows;
  onesided_scaling<ge_real<T>> scaling = s.scaling[page];
  shape w = { n, n, rows, (double) s.tol, 0 };
  if (isnan (scaling.shift))
    return;
  /* Columns that vanish up to rounding have no direction.  */
  if (rows > n)
    w.floor = rounding<T> (scaling.frobenius);
  sweeps = block_converge<T> (&w, f, 0, s.max_sweeps, scratch, &worst);
  if (rows > n && sweeps > 0)
    {
      add_shifted (n, f, scaling.shift, 0, 1);
      __syncthreads ();
      w.floor = 0;
      sweeps = block_converge<T> (&w, f, sweeps, s.max_sweeps, scratch, &worst);
    }
  if (threadIdx.x == 0)
    {
      atomicMax (&s.counts->sweeps, abs (sweeps));
      atomicMax (&s.counts->worst, __float_as_int (worst));
      if (sweeps < 0)
        atomicAdd (&s.counts->unconverged, 1);
    }
}

/* --- one page, one launch per round --- */

/* The pairs of one round, one per warp.  Columns of different pairs are disjoint;
   the kernel boundary separates rounds.  */
template <typename T>
GE_KERNEL (32 * WARPS)
rotate_round (shape w, T *f, int round, int *maxima)
{
  int first = round & 1, n = w.n;
  int g = blockIdx.x * WARPS + threadIdx.x / 32;
  float cosine = 0, sine = 0;
  if (g >= (n - first) / 2)
    return;
  int k = track_at (n, round, first + 2 * g);
  int l = track_at (n, round, first + 2 * g + 1);
  rotate_columns<32, 1> (&w, f + (int64_t) w.rows * min (k, l),
                         f + (int64_t) w.rows * max (k, l), &cosine, &sine);
  if ((threadIdx.x & 31) == 0 && cosine > 0)
    {
      atomicMax (&maxima[0], __float_as_int (cosine));
      atomicMax (&maxima[1], __float_as_int (sine));
    }
}

template <typename T>
static __global__ void
shift_columns (int n, T *f, const onesided_scaling<ge_real<T>> *s)
{
  add_shifted (n, f, s->shift, blockIdx.x, gridDim.x);
}

template <typename T>
static gpueig_status
page_sweep (gpueig_context *ctx, const shape *w, T *f, int *maxima,
            float found[2])
{
  int blocks = (w->n / 2 + WARPS - 1) / WARPS;
  GE_TRY (ge_clear (ctx, maxima, 2));
  for (int round = 0; round < w->n; round++)
    {
      if (w->n > 1)
        GE_LAUNCH (rotate_round<T>, blocks, 32 * WARPS, 0, *w, f, round,
                   maxima);
      if (round % 64 == 63)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  GE_TRY (ge_fetch (ctx, (int *) found, maxima, 2));
  found[0] = sqrtf (found[0]);
  found[1] = sqrtf (found[1]);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
page_converge (gpueig_context *ctx, const shape *w, T *f,
               const onesided_plan *plan, onesided_counts *host, int *maxima)
{
  float found[2] = { 1, 1 }, tol = (float) w->tol;
  while (host->sweeps < plan->max_sweeps)
    {
      GE_TRY (page_sweep<T> (ctx, w, f, maxima, found));
      host->sweeps++;
      ge_onesided_note (plan, found[0]);
      ge_report (ctx, "sweep %2d  largest cosine %9.2e", host->sweeps,
                 (double) found[0]);
      if (found[0] <= tol
          || ge_onesided_done ((float) w->n, found[0], found[1], tol))
        return GPUEIG_OK;
    }
  host->unconverged = 1;
  memcpy (&host->worst, found, sizeof host->worst);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
converge_singly (gpueig_context *ctx, const onesided_stack<T> *s, int rows,
                 const onesided_plan *plan, int64_t page)
{
  onesided_scaling<ge_real<T>> scaling;
  onesided_counts total;
  onesided_counts host;
  int n = s->n, *maxima, mark = ge_mark (ctx);
  T *f = s->f + page * n * rows;
  memset (&host, 0, sizeof host);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &maxima));
  GE_TRY (ge_get (ctx, &scaling, s->scaling + page, 1));
  GE_TRY (ge_fetch (ctx, &total, s->counts, 1));
  if (! isnan (scaling.shift))
    {
      shape w = { n, n, rows, (double) s->tol,
                  rows > n ? rounding<T> (scaling.frobenius) : 0 };
      GE_TRY (page_converge<T> (ctx, &w, f, plan, &host, maxima));
      if (rows > n && ! host.unconverged)
        {
          GE_LAUNCH (shift_columns<T>, 256, 256, 0, n, f, s->scaling + page);
          w.floor = 0;
          GE_TRY (page_converge<T> (ctx, &w, f, plan, &host, maxima));
        }
    }
  total.sweeps = host.sweeps > total.sweeps ? host.sweeps : total.sweeps;
  total.unconverged += host.unconverged;
  total.worst = host.worst > total.worst ? host.worst : total.worst;
  GE_TRY (ge_send (ctx, s->counts, &total, 1));
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
onesided_columns (gpueig_context *ctx, const onesided_stack<T> *s,
                  onesided_method method, const onesided_plan *plan)
{
  int rows = method == ONESIDED_HESTENES ? 2 * s->n : s->n;
  /* One block per page, unless that leaves most of the GPU idle.  */
  if (s->n < 128 || s->together * 4 > ge_cuda_of (ctx)->multiprocessors)
    GE_LAUNCH (converge_pages<T>, (unsigned) s->pages, 32 * WARPS, 0, *s, rows);
  else
    for (int64_t p = 0; p < s->pages; p++)
      GE_TRY (converge_singly<T> (ctx, s, rows, plan, p));
  return onesided_store<T> (ctx, s, rows);
}

GE_INSTANTIATE (onesided_columns)
