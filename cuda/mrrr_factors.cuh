/* MRRR's kernels: twists, eigenvalues to full precision, vectors, columns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_FACTORS_CUH
#define GE_MRRR_FACTORS_CUH 1

#include "mrrr_brackets.cuh"

/* --- twists --- */

/* Pivots between the two phases; in single precision they are clamped, which
   matters to nothing but an odd choice of the twist.  */
static __device__ __forceinline__ void
keep (double *to, double pivot)
{
  *to = pivot;
}

static __device__ __forceinline__ void
keep (float *to, double pivot)
{
  *to = (float) fmin (fmax (fabs (pivot), 0x1p-120), 0x1p120);
}

/* The largest element of the inverse's diagonal on one side of the middle,
   relative to the middle: 2^(400 level) gain at BEST.  */
typedef struct
{
  double gain, level, best;
} summit;

static __device__ __forceinline__ void
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

/* Both threads walk to the middle and keep their pivots, then on to the other
   end beside the other's.  Rows of WORK are LD apart.  */
template <int KIND, typename REAL>
static __device__ __forceinline__ void
twist (const mrrr_rep &a, int half, double x, REAL *work, long long ld,
       summit *top)
{
  int n = a.n, k = n / 2;
  double s = -x, rho = 1, depth = 0;
  top->gain = 1;
  top->level = 0;
  top->best = k;
  if (half == 0)
    {
#pragma unroll 4
      for (int i = 0; i < k; i++)
        keep (&work[i * ld],
              ge_count_step (load_d<KIND> (a, i), load_w<KIND> (a, i), x, &s));
    }
  else
    {
      s = load_d<KIND> (a, n - 1) - x;
#pragma unroll 4
      for (int i = n - 2; i >= k; i--)
        keep (
            &work[(i + 1) * ld],
            ge_count_step_up (load_d<KIND> (a, i), load_w<KIND> (a, i), x, &s));
    }
  __syncthreads ();
  if (half == 0)
    {
#pragma unroll 4
      for (int i = k; i < n - 1; i++)
        {
          double plus
              = ge_count_step (load_d<KIND> (a, i), load_w<KIND> (a, i), x, &s);
          climb (top, (double) work[(i + 1) * ld], plus, i + 1, &rho, &depth);
        }
    }
  else
    {
#pragma unroll 4
      for (int i = k - 1; i >= 0; i--)
        {
          double minus = ge_count_step_up (load_d<KIND> (a, i),
                                           load_w<KIND> (a, i), x, &s);
          climb (top, (double) work[i * ld], minus, i, &rho, &depth);
        }
    }
}

/* answer.a = the twist of job k at the middle of its bracket.  64 threads; WORK
   has a column for every job.  */
template <typename REAL>
static __global__ void
twist_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
              REAL *work, long long ld, mrrr_answer *answers)
{
  __shared__ summit tops[2][WARP];
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_rep a = reps[jobs[k].node];
  double x = jobs[k].a + (jobs[k].b - jobs[k].a) / 2;
  summit top;
  if (root)
    twist<ROOT> (a, half, x, work + k, ld, &top);
  else
    twist<DEEP> (a, half, x, work + k, ld, &top);
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

/* One thread's half of a twisted factorisation: its part of gamma, of |z|^2 and
   of the count.  */
template <typename WIDE> struct half_factor
{
  WIDE part;
  double sum;
  int count;
};

/* One step of the walk to the twist: row I from above, or from below.  */
template <typename WIDE, int KIND>
static __device__ __forceinline__ double
factor_step (const mrrr_rep &a, int half, int i, WIDE x, half_factor<WIDE> *h)
{
  WIDE d = load_wide_d<WIDE, KIND> (a, i), w = load_wide_w<WIDE, KIND> (a, i);
  WIDE pivot = wide_pivot (half ? w : d, h->part);
  double inverse = ge_inverse (wide_high (pivot));
  double f = __ldg (a.e + i) * inverse;
  h->part = wide_next (half ? d : w, h->part, pivot, inverse, x);
  h->sum = f * f * (1 + h->sum);
  h->count += wide_high (pivot) < 0;
  return -f;
}

template <typename WIDE, int KIND>
static __device__ __forceinline__ half_factor<WIDE>
factor_begin (const mrrr_rep &a, int half, WIDE x)
{
  half_factor<WIDE> h;
  h.part = half ? wide_sub (load_wide_d<WIDE, KIND> (a, a.n - 1), x)
                : wide_sub (wide_make<WIDE> (0, 0), x);
  h.sum = 0;
  h.count = 0;
  return h;
}

template <typename WIDE, int KIND>
static __device__ __forceinline__ half_factor<WIDE>
factor_half (const mrrr_rep &a, int half, int r, WIDE x)
{
  half_factor<WIDE> h = factor_begin<WIDE, KIND> (a, half, x);
  if (half == 0)
    {
#pragma unroll 4
      for (int i = 0; i < r; i++)
        factor_step<WIDE, KIND> (a, 0, i, x, &h);
    }
  else
    {
#pragma unroll 4
      for (int i = a.n - 2; i >= r; i--)
        factor_step<WIDE, KIND> (a, 1, i, x, &h);
    }
  return h;
}

/* --- 32 columns of V through shared memory ---

   The threads of a warp walk along 32 columns, 32 steps at a time; TILE holds
   these steps so that global memory is read and written along the columns.
   Step t of a lane is row FIRST + DIRECTION t of its column Z, t < LENGTH.  */
template <typename REAL> struct column_walk
{
  REAL *z;
  int first, direction, length;
};

template <typename REAL>
static __device__ __forceinline__ void
move_tile (const column_walk<REAL> &walk, int t0, int read,
           REAL tile[WARP][WARP + 1])
{
  int lane = threadIdx.x % WARP, t = t0 + lane;
  __syncwarp ();
  for (int c = 0; c < WARP; c++)
    {
      REAL *z
          = (REAL *) __shfl_sync (0xffffffffu, (unsigned long long) walk.z, c);
      int first = __shfl_sync (0xffffffffu, walk.first, c);
      int length = __shfl_sync (0xffffffffu, walk.length, c);
      if (t < length)
        {
          long long row = first + (long long) walk.direction * t;
          if (read)
            tile[lane][c] = z[row];
          else
            z[row] = tile[lane][c];
        }
    }
  __syncwarp ();
}

static __device__ __forceinline__ int
longest (int length)
{
  for (int step = WARP / 2; step > 0; step /= 2)
    length = max (length, __shfl_xor_sync (0xffffffffu, length, step));
  return length;
}

/* As factor_half, and entries z_i / z_{i+1} above the twist, z_i / z_{i-1} below
   it, go to the lane's column.  */
template <typename WIDE, int KIND, typename REAL>
static __device__ __forceinline__ half_factor<WIDE>
factor_and_keep (const mrrr_rep &a, int half, int r, int valid, WIDE x, REAL *z,
                 REAL tile[WARP][WARP + 1])
{
  half_factor<WIDE> h = factor_begin<WIDE, KIND> (a, half, x);
  int lane = threadIdx.x % WARP, n = a.n;
  column_walk<REAL> walk;
  walk.z = z;
  walk.first = half ? n - 1 : 0;
  walk.direction = half ? -1 : 1;
  walk.length = ! valid ? 0 : half ? n - 1 - r : r;
  int steps = longest (walk.length);
  for (int t0 = 0; t0 < steps; t0 += WARP)
    {
      int stop = min (walk.length - t0, WARP);
      if (half == 0)
        {
#pragma unroll 4
          for (int t = 0; t < stop; t++)
            tile[t][lane]
                = (REAL) factor_step<WIDE, KIND> (a, 0, t0 + t, x, &h);
        }
      else
        {
#pragma unroll 4
          for (int t = 0; t < stop; t++)
            tile[t][lane]
                = (REAL) factor_step<WIDE, KIND> (a, 1, n - 2 - t0 - t, x, &h);
        }
      move_tile (walk, t0, 0, tile);
    }
  return h;
}

/* Entries from factors, outward from the twist, where z is SCALE.  Entries below
   2^-1000 are zero.  */
template <typename REAL>
static __device__ __forceinline__ void
multiply_half (int half, int n, int r, int valid, double scale, REAL *z,
               REAL tile[WARP][WARP + 1])
{
  int lane = threadIdx.x % WARP;
  double at = scale;
  column_walk<REAL> walk;
  walk.z = z;
  walk.first = half ? r + 1 : r - 1;
  walk.direction = half ? 1 : -1;
  walk.length = ! valid ? 0 : half ? n - 1 - r : r;
  int steps = longest (walk.length);
  for (int t0 = 0; t0 < steps; t0 += WARP)
    {
      int stop = min (walk.length - t0, WARP);
      move_tile (walk, t0, 1, tile);
#pragma unroll 8
      for (int t = 0; t < stop; t++)
        {
          at *= (double) tile[t][lane];
          at = fabs (at) < 0x1p-1000 ? 0 : at;
          tile[t][lane] = (REAL) at;
        }
      move_tile (walk, t0, 0, tile);
    }
  if (half == 0 && valid)
    z[r] = (REAL) scale;
}

/* Exchange through shared memory; all 64 threads of the block come here.  */
typedef struct
{
  double hi[2][WARP], lo[2][WARP], sum[2][WARP];
  int count[2][WARP];
} meeting;

template <typename WIDE>
static __device__ __forceinline__ void
meet (meeting *m, int half, int lane, half_factor<WIDE> h, WIDE x,
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

template <typename WIDE, int KIND>
static __device__ void
refine (const mrrr_rep &a, const mrrr_job &job, int half, int lane,
        meeting *room, mrrr_answer *answer)
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
      meet (room, half, lane, h, x, &gamma, &norm2, &below);
      int open = ge_mrrr_newton_first (&s, gamma, norm2);
      if (! __syncthreads_or (open))
        break;
    }
  for (int step = 0; step < MRRR_STEPS_MAX; step++)
    {
      WIDE x = wide_make<WIDE> (s.x_hi, s.x_lo);
      half_factor<WIDE> h = factor_half<WIDE, KIND> (a, half, job.twist, x);
      meet (room, half, lane, h, x, &gamma, &norm2, &below);
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

/* answer = the eigenvalue from job's bracket.  64 threads.  */
template <typename WIDE>
static __global__ void
refine_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
               mrrr_answer *answers)
{
  __shared__ meeting room;
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

/* Column job.column of V for the eigenvalue (job.a, job.b); answer.a is the
   residual's norm.  64 threads.  */
template <typename WIDE, typename REAL>
static __global__ void
vectors_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
                REAL *v, long long ld, mrrr_answer *answers)
{
  __shared__ meeting room;
  __shared__ REAL tiles[2][WARP][WARP + 1];
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid, below;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_job job = jobs[k];
  mrrr_rep a = reps[job.node];
  WIDE x = wide_make<WIDE> (job.a, job.b);
  REAL *z = v + ld * job.column + a.begin;
  double gamma, norm2;
  half_factor<WIDE> h = root ? factor_and_keep<WIDE, ROOT> (
                            a, half, job.twist, valid, x, z, tiles[half])
                             : factor_and_keep<WIDE, DEEP> (
                                 a, half, job.twist, valid, x, z, tiles[half]);
  meet (&room, half, lane, h, x, &gamma, &norm2, &below);
  double scale = 1 / sqrt (norm2);
  multiply_half (half, a.n, job.twist, valid, scale, z, tiles[half]);
  if (half == 0 && valid)
    answers[k].a = fabs (gamma) * scale;
}

/* --- columns --- */

/* answer.a = V(:,job.twist)' * V(:,job.column), a warp each.  */
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
  for (int step = WARP / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync (0xffffffffu, sum, step);
  if (threadIdx.x % WARP == 0)
    answers[k].a = sum;
}

/* Column job.column: zero but for job.index rows from job.node, from Z.  */
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
