/* MRRR's kernels: twists, eigenvalues to full precision, vectors, columns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_FACTORS_CUH
#define GE_MRRR_FACTORS_CUH 1

#include "mrrr/brackets.cuh"
#include "base/teams.cuh"

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

/* Both threads of a job walk to the middle and keep their pivots.  Rows of WORK
   are LD apart; *S is where the walk goes on.  */
template <int KIND, int HALF, typename REAL>
static __device__ __forceinline__ void
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
        keep (&work[(HALF ? last - t + 1 : t) * ld], pivot);
      });
}

/* Then on to the other end, beside the other's pivots.  */
template <int KIND, int HALF, typename REAL>
static __device__ __forceinline__ void
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
  double s;
  summit top;
  /* A block is of one kind, a warp of one half.  */
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

/* One thread's half of a twisted factorisation: its part of gamma, of |z|^2 and
   of the count.  */
template <typename WIDE> struct half_factor
{
  WIDE part;
  double sum;
  int count;
};

/* One step of the walk to the twist, from above or from below: the ratio of two
   entries of the vector.  */
template <typename WIDE, int KIND, int HALF>
static __device__ __forceinline__ double
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
static __device__ __forceinline__ half_factor<WIDE>
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
static __device__ __forceinline__ half_factor<WIDE>
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
static __device__ __forceinline__ half_factor<WIDE>
factor_half (const mrrr_rep &a, int half, int r, WIDE x)
{
  return half ? factor_part<WIDE, KIND, 1> (a, r, x)
              : factor_part<WIDE, KIND, 0> (a, r, x);
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

/* Column C of the warp's 32: where step T of it is, or NULL.  */
template <typename REAL>
static __device__ __forceinline__ REAL *
place_in (const column_walk<REAL> &way, int c, int t)
{
  const lane_tile<32> warp = this_warp ();
  REAL *z = (REAL *) warp.shfl ((unsigned long long) way.z, c);
  int first = warp.shfl (way.first, c), length = warp.shfl (way.length, c);
  return t < length ? z + (first + (long long) way.direction * t) : NULL;
}

/* Steps T0 .. T0 + 31: a thread's are those of its own number, of all columns.
   They are read into registers, so that all loads are under way together and
   beside the work on the tile before.  */
template <typename REAL>
static __device__ __forceinline__ void
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
static __device__ __forceinline__ void
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

static __device__ __forceinline__ int
longest (int length)
{
  return tile_max<WARP> (length);
}

/* As factor_part, and entries z_i / z_{i+1} above the twist, z_i / z_{i-1} below
   it, go to the lane's column.  */
template <typename WIDE, int KIND, int HALF, typename REAL>
static __device__ __forceinline__ half_factor<WIDE>
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
  /* As walk, with a pause for the memory after every 32 steps.  */
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
static __device__ __forceinline__ half_factor<WIDE>
factor_half_and_keep (const mrrr_rep &a, int half, int r, int valid, WIDE x,
                      REAL *z, REAL tile[WARP][WARP + 1])
{
  return half ? factor_and_keep<WIDE, KIND, 1> (a, r, valid, x, z, tile)
              : factor_and_keep<WIDE, KIND, 0> (a, r, valid, x, z, tile);
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
  half_factor<WIDE> h = root ? factor_half_and_keep<WIDE, ROOT> (
                            a, half, job.twist, valid, x, z, tiles[half])
                             : factor_half_and_keep<WIDE, DEEP> (
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
  sum = tile_sum<WARP> (sum);
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
