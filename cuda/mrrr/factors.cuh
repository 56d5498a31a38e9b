/* MRRR's kernels: twist indices, eigenvalues to full precision, eigenvectors,
   operations on columns of V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_FACTORS_CUH
#define GE_MRRR_FACTORS_CUH 1

#include "mrrr/brackets.cuh"
#include "base/teams.cuh"

/* --- twists --- */

/* Store a pivot between the two phases of twist_kernel.  In single precision it
   is clamped, which can only affect the choice of the twist index.  */
GE_DEVICE_INLINE void
store_pivot (double *to, double pivot)
{
  *to = pivot;
}

GE_DEVICE_INLINE void
store_pivot (float *to, double pivot)
{
  *to = (float) fmin (fmax (fabs (pivot), 0x1p-120), 0x1p120);
}

/* The largest diagonal element of the inverse on one side of the middle, at
   index BEST, relative to the one at the middle: 2^(400 level) gain.  */
typedef struct
{
  double gain, level, best;
} summit;

GE_DEVICE_INLINE void
climb (summit *top, double plus, double minus, int r, double *rho,
       double *depth)
{
  double before = top->best, x = *rho * fabs (minus) * ge_inverse (fabs (plus));
  ge_twist_step (plus, minus, r, rho, depth, &top->best);
  if (top->best != before)
    {
      top->gain *= x;
      if (top->gain > 0x1p400)
        {
          top->gain *= 0x1p-400;
          top->level += 1;
        }
    }
}

/* First phase: both threads of a job run their recurrences to the middle and
   store their pivots in WORK, whose rows are LD apart; *S is the state at the
   middle.  */
template <int KIND, int HALF, typename REAL>
GE_DEVICE_INLINE void
walk_in (const mrrr_rep &a, double x, REAL *work, long long ld, double *s)
{
  int n = a.n, k = n / 2, last = n - 2;
  *s = HALF ? __ldg (a.d_hi + (n - 1) * (KIND == ROOT ? 1 : a.stride)) - x : -x;
  walk<8> (
      HALF ? last - k + 1 : k,
      [&] (int t) { return load_row<double, KIND> (a, HALF ? last - t : t); },
      [&] (const raw_row &r, int t) {
        double w = row_w<double, KIND> (r), d = r.d_hi;
        double pivot = ge_count_step (HALF ? w : d, HALF ? d : w, x, s);
        store_pivot (&work[(HALF ? last - t + 1 : t) * ld], pivot);
      });
}

/* Second phase: each thread continues to the other end of the matrix, combining
   its pivots with those that the other thread has stored.  */
template <int KIND, int HALF, typename REAL>
GE_DEVICE_INLINE void
walk_out (const mrrr_rep &a, double x, const REAL *work, long long ld, double s,
          summit *top)
{
  int n = a.n, k = n / 2, last = n - 2;
  double rho = 1, depth = 0;
  top->gain = 1;
  top->level = 0;
  top->best = k;
  walk<8> (
      HALF ? k : last - k + 1,
      [&] (int t) {
        int i = HALF ? k - 1 - t : k + t;
        raw_row r = load_row<double, KIND> (a, i);
        r.other = (double) work[(HALF ? i : i + 1) * ld];
        return r;
      },
      [&] (const raw_row &r, int t) {
        double w = row_w<double, KIND> (r), d = r.d_hi;
        double pivot = ge_count_step (HALF ? w : d, HALF ? d : w, x, &s);
        climb (top, r.other, pivot, HALF ? k - 1 - t : k + t + 1, &rho, &depth);
      });
}

/* answer.a = the twist index of job k at the middle of its bracket: where
   |gamma_r| is smallest, that is where the diagonal of the inverse is largest
   (Parlett, Dhillon).  Blocks of 64 threads; WORK has a column for every job.
   The barrier between the phases orders the stores and loads of WORK, both
   within the block.  */
template <typename REAL>
static __global__ void
twist_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
              REAL *work, long long ld, mrrr_answer *answers, const int *open)
{
  __shared__ summit tops[2][WARP];
  if (open && *open)
    return;
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_rep a = reps[jobs[k].node];
  double x = jobs[k].a + (jobs[k].b - jobs[k].a) / 2;
  double s;
  summit top;
  /* Within a block ROOT is uniform, within a warp HALF: no divergence.  */
  if (root && half)
    walk_in<ROOT, 1> (a, x, work + k, ld, &s);
  else if (root)
    walk_in<ROOT, 0> (a, x, work + k, ld, &s);
  else if (half)
    walk_in<DEEP, 1> (a, x, work + k, ld, &s);
  else
    walk_in<DEEP, 0> (a, x, work + k, ld, &s);
  __syncthreads ();
  if (root && half)
    walk_out<ROOT, 1> (a, x, work + k, ld, s, &top);
  else if (root)
    walk_out<ROOT, 0> (a, x, work + k, ld, s, &top);
  else if (half)
    walk_out<DEEP, 1> (a, x, work + k, ld, s, &top);
  else
    walk_out<DEEP, 0> (a, x, work + k, ld, s, &top);
  tops[half][lane] = top;
  __syncthreads ();
  if (half == 0 && valid)
    {
      summit up = tops[1][lane];
      int other = up.level > top.level
                  || (up.level == top.level && up.gain > top.gain);
      answers[k].a = other ? up.best : top.best;
    }
}

/* --- eigenvalues and vectors --- */

/* One half of a twisted factorisation: its contribution to gamma, to |z|^2 and
   to the Sturm count.  */
template <typename WIDE> struct half_factor
{
  WIDE part;
  double sum;
  int count;
};

/* One step of the recurrence towards the twist, from above or below; returns
   the ratio of two neighbouring entries of the vector.  */
template <typename WIDE, int KIND, int HALF>
GE_DEVICE_INLINE double
factor_step (const raw_row &r, WIDE x, half_factor<WIDE> *h)
{
  WIDE d = row_d<WIDE> (r), w = row_w<WIDE, KIND> (r);
  WIDE pivot = wide_pivot (HALF ? w : d, h->part);
  double inverse = ge_inverse (wide_high (pivot));
  double f = r.e * inverse;
  h->part = wide_next (HALF ? d : w, h->part, pivot, inverse, x);
  h->sum = f * f * (1 + h->sum);
  h->count += wide_high (pivot) < 0;
  return -f;
}

template <typename WIDE, int KIND, int HALF>
GE_DEVICE_INLINE half_factor<WIDE>
factor_begin (const mrrr_rep &a, WIDE x)
{
  half_factor<WIDE> h;
  h.part = wide_sub (HALF ? row_d<WIDE> (load_row<WIDE, KIND> (a, a.n - 1))
                          : wide_make<WIDE> (0, 0),
                     x);
  h.sum = 0;
  h.count = 0;
  return h;
}

template <typename WIDE, int KIND, int HALF>
GE_DEVICE_INLINE half_factor<WIDE>
factor_part (const mrrr_rep &a, int r, WIDE x)
{
  half_factor<WIDE> h = factor_begin<WIDE, KIND, HALF> (a, x);
  int last = a.n - 2;
  walk<4> (
      HALF ? last - r + 1 : r,
      [&] (int t) { return load_row<WIDE, KIND> (a, HALF ? last - t : t); },
      [&] (const raw_row &row, int) {
        factor_step<WIDE, KIND, HALF> (row, x, &h);
      });
  return h;
}

template <typename WIDE, int KIND>
GE_DEVICE_INLINE half_factor<WIDE>
factor_half (const mrrr_rep &a, int half, int r, WIDE x)
{
  return half ? factor_part<WIDE, KIND, 1> (a, r, x)
              : factor_part<WIDE, KIND, 0> (a, r, x);
}

/* --- 32 columns of V through shared memory ---

   The threads of a warp compute 32 columns, one each, 32 steps at a time.  TILE
   (one per warp) holds these steps, so that global memory is read and written
   along the columns, coalesced.  Step t of a lane is row FIRST + DIRECTION t of
   its column Z, t < LENGTH.  Warp barriers separate the accesses by step and by
   column; they also order the accesses to global memory within the warp.  */
template <typename REAL> struct column_walk
{
  REAL *z;
  int first, direction, length;
};

/* The address of step T of column C of the warp's 32, or NULL past its end.  */
template <typename REAL>
GE_DEVICE_INLINE REAL *
place_in (const column_walk<REAL> &way, int c, int t)
{
  const lane_tile<32> warp = this_warp ();
  REAL *z = (REAL *) warp.shfl ((unsigned long long) way.z, c);
  int first = warp.shfl (way.first, c), length = warp.shfl (way.length, c);
  return t < length ? z + (first + (long long) way.direction * t) : NULL;
}

/* Load steps T0 .. T0 + 31 into registers: a lane loads the step with its own
   number of all 32 columns.  The loads are independent, and overlap the work on
   the tile before.  */
template <typename REAL>
GE_DEVICE_INLINE void
read_ahead (const column_walk<REAL> &way, int t0, REAL ahead[WARP])
{
#pragma unroll
  for (int c = 0; c < WARP; c++)
    {
      const REAL *at = place_in (way, c, t0 + (int) (threadIdx.x % WARP));
      ahead[c] = at ? *at : (REAL) 0;
    }
}

template <typename REAL>
GE_DEVICE_INLINE void
fill_tile (const REAL ahead[WARP], REAL tile[WARP][WARP + 1])
{
  this_warp ().sync ();
#pragma unroll
  for (int c = 0; c < WARP; c++)
    tile[threadIdx.x % WARP][c] = ahead[c];
  this_warp ().sync ();
}

template <typename REAL>
static __device__ __noinline__ void
write_tile (const column_walk<REAL> &way, int t0, REAL tile[WARP][WARP + 1])
{
  int lane = threadIdx.x % WARP;
  this_warp ().sync ();
#pragma unroll 8
  for (int c = 0; c < WARP; c++)
    {
      REAL *at = place_in (way, c, t0 + lane);
      if (at)
        *at = tile[lane][c];
    }
  this_warp ().sync ();
}

GE_DEVICE_INLINE int
longest (int length)
{
  return tile_max<WARP> (length);
}

/* As factor_part, and the ratios z_i / z_{i+1} above the twist, z_i / z_{i-1}
   below it, are stored in the lane's column.  */
template <typename WIDE, int KIND, int HALF, typename REAL>
GE_DEVICE_INLINE half_factor<WIDE>
factor_and_keep (const mrrr_rep &a, int r, int valid, WIDE x, REAL *z,
                 REAL tile[WARP][WARP + 1])
{
  enum
  {
    CHUNK = 4
  };
  half_factor<WIDE> h = factor_begin<WIDE, KIND, HALF> (a, x);
  int lane = threadIdx.x % WARP, n = a.n;
  column_walk<REAL> way;
  way.z = z;
  way.first = HALF ? n - 1 : 0;
  way.direction = HALF ? -1 : 1;
  way.length = ! valid ? 0 : HALF ? n - 1 - r : r;
  int steps = longest (way.length);
  raw_row now[CHUNK], next[CHUNK];
#pragma unroll
  for (int k = 0; k < CHUNK; k++)
    now[k]
        = load_row<WIDE, KIND> (a, HALF ? max (n - 2 - k, 0) : min (k, n - 1));
  /* As walk, with the tile written after every 32 steps.  */
  for (int t0 = 0; t0 < steps; t0 += WARP)
    {
#pragma unroll 1
      for (int t = t0; t < t0 + WARP; t += CHUNK)
        {
#pragma unroll
          for (int k = 0; k < CHUNK; k++)
            {
              int at = t + CHUNK + k;
              next[k] = load_row<WIDE, KIND> (a, HALF ? max (n - 2 - at, 0)
                                                      : min (at, n - 1));
            }
#pragma unroll
          for (int k = 0; k < CHUNK; k++)
            if (t + k < way.length)
              tile[t - t0 + k][lane]
                  = (REAL) factor_step<WIDE, KIND, HALF> (now[k], x, &h);
#pragma unroll
          for (int k = 0; k < CHUNK; k++)
            now[k] = next[k];
        }
      write_tile (way, t0, tile);
    }
  return h;
}

template <typename WIDE, int KIND, typename REAL>
GE_DEVICE_INLINE half_factor<WIDE>
factor_half_and_keep (const mrrr_rep &a, int half, int r, int valid, WIDE x,
                      REAL *z, REAL tile[WARP][WARP + 1])
{
  return half ? factor_and_keep<WIDE, KIND, 1> (a, r, valid, x, z, tile)
              : factor_and_keep<WIDE, KIND, 0> (a, r, valid, x, z, tile);
}

/* Replace the ratios by the entries of the vector, outward from the twist,
   where it is SCALE.  Entries below 2^-1000 become zero.  */
template <typename REAL>
GE_DEVICE_INLINE void
multiply_half (int half, int n, int r, int valid, double scale, REAL *z,
               REAL tile[WARP][WARP + 1])
{
  int lane = threadIdx.x % WARP;
  double at = scale;
  column_walk<REAL> way;
  way.z = z;
  way.first = half ? r + 1 : r - 1;
  way.direction = half ? 1 : -1;
  way.length = ! valid ? 0 : half ? n - 1 - r : r;
  int steps = longest (way.length);
  REAL ahead[WARP];
  read_ahead (way, 0, ahead);
  for (int t0 = 0; t0 < steps; t0 += WARP)
    {
      fill_tile (ahead, tile);
      read_ahead (way, t0 + WARP, ahead);
      int stop = min (way.length - t0, WARP);
#pragma unroll 8
      for (int t = 0; t < stop; t++)
        {
          at *= (double) tile[t][lane];
          at = fabs (at) < 0x1p-1000 ? 0 : at;
          tile[t][lane] = (REAL) at;
        }
      write_tile (way, t0, tile);
    }
  if (half == 0 && valid)
    z[r] = (REAL) scale;
}

/* Exchange of the two halves through shared memory, called by all 64 threads of
   the block.  The caller must have a barrier before the next call.  */
typedef struct
{
  double hi[2][WARP], lo[2][WARP], sum[2][WARP];
  int count[2][WARP];
} half_exchange;

template <typename WIDE>
GE_DEVICE_INLINE void
join_halves (half_exchange *m, int half, int lane, half_factor<WIDE> h, WIDE x,
             double *gamma, double *norm2, int *below)
{
  m->hi[half][lane] = wide_high (h.part);
  m->lo[half][lane] = wide_low (h.part);
  m->sum[half][lane] = h.sum;
  m->count[half][lane] = h.count;
  __syncthreads ();
  WIDE g
      = wide_add (wide_add (wide_make<WIDE> (m->hi[0][lane], m->lo[0][lane]),
                            wide_make<WIDE> (m->hi[1][lane], m->lo[1][lane])),
                  x);
  *gamma = wide_high (g);
  *norm2 = 1 + m->sum[0][lane] + m->sum[1][lane];
  *below = m->count[0][lane] + m->count[1][lane] + (*gamma < 0);
}

/* The eigenvalue of JOB's bracket by bisection and Rayleigh quotient iteration
   (mrrr/newton.h), for WIDE = ge_dd first in double precision.  The loops end when
   all threads of the block are done; __syncthreads_or is also the barrier between
   two exchanges.  */
template <typename WIDE, int KIND>
static __device__ void
refine (const mrrr_rep &a, const mrrr_job &job, int half, int lane,
        half_exchange *room, mrrr_answer *answer)
{
  const bool is_wide = sizeof (WIDE) > 8;
  ge_mrrr_newton s;
  double gamma, norm2;
  int below;
  ge_mrrr_newton_begin (&s, job.a, job.b, job.gap);
  for (int step = 0; is_wide && step < MRRR_FIRST_STEPS; step++)
    {
      double x = s.x_hi;
      half_factor<double> h = factor_half<double, KIND> (a, half, job.twist, x);
      join_halves (room, half, lane, h, x, &gamma, &norm2, &below);
      int open = ge_mrrr_newton_first (&s, gamma, norm2);
      if (! __syncthreads_or (open))
        break;
    }
  for (int step = 0; step < MRRR_STEPS_MAX; step++)
    {
      WIDE x = wide_make<WIDE> (s.x_hi, s.x_lo);
      half_factor<WIDE> h = factor_half<WIDE, KIND> (a, half, job.twist, x);
      join_halves (room, half, lane, h, x, &gamma, &norm2, &below);
      int open
          = ge_mrrr_newton_step (&s, is_wide, gamma, norm2, below >= job.index);
      if (! __syncthreads_or (open))
        break;
    }
  if (half == 0)
    {
      answer->a = s.x_hi;
      answer->b = s.x_lo;
    }
}

/* answer = the eigenvalue of job's bracket as a double-double number.  Blocks
   of 64 threads.  */
template <typename WIDE>
static __global__ void
refine_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
               mrrr_answer *answers, const int *open)
{
  __shared__ half_exchange room;
  if (open && *open)
    return;
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_job job = jobs[k];
  mrrr_rep a = reps[job.node];
  mrrr_answer answer;
  if (root)
    refine<WIDE, ROOT> (a, job, half, lane, &room, &answer);
  else
    refine<WIDE, DEEP> (a, job, half, lane, &room, &answer);
  if (half == 0 && valid)
    answers[k] = answer;
}

/* Column job.column of V: the eigenvector of the eigenvalue (job.a, job.b), or that
   in VALUES, by a twisted factorisation; answer.a is the norm of its residual, |gamma| / |z|.
   Blocks of 64 threads; shared memory: the exchange of the halves and one tile
   per warp.  */
template <typename WIDE, typename REAL>
static __global__ void
vectors_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
                const mrrr_answer *values, REAL *v, long long ld,
                mrrr_answer *answers, const int *open)
{
  __shared__ half_exchange room;
  __shared__ REAL tiles[2][WARP][WARP + 1];
  if (open && *open)
    return;
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid, below;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_job job = jobs[k];
  mrrr_rep a = reps[job.node];
  WIDE x = values ? wide_make<WIDE> (values[k].a, values[k].b)
                  : wide_make<WIDE> (job.a, job.b);
  REAL *z = v + ld * job.column + a.begin;
  double gamma, norm2;
  half_factor<WIDE> h = root ? factor_half_and_keep<WIDE, ROOT> (
                            a, half, job.twist, valid, x, z, tiles[half])
                             : factor_half_and_keep<WIDE, DEEP> (
                                 a, half, job.twist, valid, x, z, tiles[half]);
  join_halves (&room, half, lane, h, x, &gamma, &norm2, &below);
  double scale = 1 / sqrt (norm2);
  multiply_half (half, a.n, job.twist, valid, scale, z, tiles[half]);
  if (half == 0 && valid)
    answers[k].a = fabs (gamma) * scale;
}

/* --- columns --- */

/* answer.a = V(:,job.twist)' * V(:,job.column).  One warp per job.  */
template <typename REAL>
static __global__ void
dots_kernel (const mrrr_job *jobs, int n, const REAL *v, long long ld,
             mrrr_answer *answers)
{
  int k = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
  if (k >= n)
    return;
  const REAL *x = v + ld * jobs[k].twist, *y = v + ld * jobs[k].column;
  double sum = 0;
  for (long long i = threadIdx.x % WARP; i < ld; i += WARP)
    sum += (double) x[i] * (double) y[i];
  sum = tile_sum<WARP> (sum);
  if (threadIdx.x % WARP == 0)
    answers[k].a = sum;
}

/* Column job.column of V = job.index elements of Z from row job.node on, zero
   elsewhere.  One block per column.  */
template <typename REAL>
static __global__ void
store_kernel (const mrrr_job *jobs, const double *z, long long ld_z, REAL *v,
              long long ld)
{
  mrrr_job job = jobs[blockIdx.x];
  REAL *column = v + ld * job.column;
  for (long long i = threadIdx.x; i < ld; i += blockDim.x)
    {
      long long at = i - job.node;
      column[i] = at >= 0 && at < job.index ? (REAL) z[ld_z * blockIdx.x + at]
                                            : (REAL) 0;
    }
}

#endif
