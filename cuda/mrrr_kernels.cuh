/* MRRR's kernels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   An eigenvalue is served by two threads, of two warps of one block: one goes
   down from the top of the matrix, one up from its bottom, and they meet at the
   twist.  The steps are chains of dependent operations, so this halves the time
   of everything; a block has 32 eigenvalues, neighbours in lists that are sorted
   so that their chains have about the same lengths.  Blocks are of one kind,
   first the ROOTs (whose arrays all threads read together), then deeper ones,
   whose representations lie [index][node].  */

#ifndef GE_MRRR_KERNELS_CUH
#define GE_MRRR_KERNELS_CUH 1

#include "mrrr.h"
#include "mrrr_newton.h"

/* A representation on the device.  Deeper ones keep only the pivots d, STRIDE
   apart; w = e^2 / d is formed where it is used.  */
typedef struct
{
  const double *d_hi, *d_lo, *w_hi, *w_lo, *e;
  long long stride;
  int n, begin;
} mrrr_rep;

/* What an operation is asked for one eigenvalue, and what it answers.  */
typedef struct
{
  double a, b, gap; /* bracket, or point, or shift */
  int node, index, twist, column;
} mrrr_job;

typedef struct
{
  double a, b;
} mrrr_answer;

enum
{
  WARP = 32,
  MAX_POINTS = 15
};

/* --- both working precisions under one name --- */

template <typename WIDE>
static __device__ __forceinline__ WIDE wide_make (double hi, double lo);
template <>
__device__ __forceinline__ double
wide_make<double> (double hi, double)
{
  return hi;
}
template <>
__device__ __forceinline__ ge_dd
wide_make<ge_dd> (double hi, double lo)
{
  return ge_make_dd (hi, lo);
}

#define OVERLOADS(WIDE, sfx)                                                   \
  static __device__ __forceinline__ double wide_high (WIDE a)                  \
  {                                                                            \
    return ge_high_##sfx (a);                                                  \
  }                                                                            \
  static __device__ __forceinline__ double wide_low (WIDE a)                   \
  {                                                                            \
    return ge_low_##sfx (a);                                                   \
  }                                                                            \
  static __device__ __forceinline__ WIDE wide_add (WIDE a, WIDE b)             \
  {                                                                            \
    return ge_add_##sfx (a, b);                                                \
  }                                                                            \
  static __device__ __forceinline__ WIDE wide_sub (WIDE a, WIDE b)             \
  {                                                                            \
    return ge_sub_##sfx (a, b);                                                \
  }                                                                            \
  static __device__ __forceinline__ WIDE wide_pivot (WIDE d, WIDE s)           \
  {                                                                            \
    return ge_pivot_##sfx (d, s);                                              \
  }                                                                            \
  static __device__ __forceinline__ WIDE wide_next (WIDE w, WIDE s, WIDE p,    \
                                                    double inverse, WIDE x)    \
  {                                                                            \
    return ge_next_##sfx (w, s, p, inverse, x);                                \
  }                                                                            \
  static __device__ __forceinline__ WIDE wide_ratio (double e, WIDE d)         \
  {                                                                            \
    return ge_ratio_##sfx (e, d);                                              \
  }
OVERLOADS (double, pl)
OVERLOADS (ge_dd, dd)
#undef OVERLOADS

template <bool ROOT>
static __device__ __forceinline__ double
load_d (const mrrr_rep &a, int i)
{
  return __ldg (a.d_hi + (ROOT ? (long long) i : i * a.stride));
}

template <bool ROOT>
static __device__ __forceinline__ double
load_w (const mrrr_rep &a, int i)
{
  if (ROOT)
    return __ldg (a.w_hi + i);
  return ge_ratio_pl (__ldg (a.e + i), load_d<ROOT> (a, i));
}

template <typename WIDE, bool ROOT>
static __device__ __forceinline__ WIDE
load_wide_d (const mrrr_rep &a, int i)
{
  long long at = ROOT ? (long long) i : i * a.stride;
  return wide_make<WIDE> (__ldg (a.d_hi + at),
                          sizeof (WIDE) > 8 ? __ldg (a.d_lo + at) : 0);
}

template <typename WIDE, bool ROOT>
static __device__ __forceinline__ WIDE
load_wide_w (const mrrr_rep &a, int i)
{
  if (ROOT)
    return wide_make<WIDE> (__ldg (a.w_hi + i),
                            sizeof (WIDE) > 8 ? __ldg (a.w_lo + i) : 0);
  return wide_ratio (__ldg (a.e + i), load_wide_d<WIDE, ROOT> (a, i));
}

/* --- which job a thread has --- */

/* The job of a lane: ROOT blocks first.  VALID is 0 for lanes past the end,
   which repeat the last one.  */
static __device__ __forceinline__ int
job_of (int lane, int n_root, int n, int *root, int *valid)
{
  int root_blocks = (n_root + WARP - 1) / WARP, b = blockIdx.x;
  *root = b < root_blocks;
  int first = *root ? b * WARP : n_root + (b - root_blocks) * WARP;
  int end = *root ? n_root : n;
  int k = first + lane;
  *valid = k < end;
  return *valid ? k : end - 1;
}

/* --- counts --- */

/* The upper part: s_K and the negative pivots above K.  */
template <bool ROOT>
static __device__ __forceinline__ int
count_down (const mrrr_rep &a, int k, double x, double *s_out)
{
  double s = -x;
  int count = 0;
#pragma unroll 8
  for (int i = 0; i < k; i++)
    {
      double plus
          = ge_count_step (load_d<ROOT> (a, i), load_w<ROOT> (a, i), x, &s);
      count += __double2hiint (plus) < 0;
    }
  *s_out = s;
  return count;
}

/* The lower part: p_K and the negative pivots below K.  */
template <bool ROOT>
static __device__ __forceinline__ int
count_up (const mrrr_rep &a, int k, double x, double *p_out)
{
  double p = load_d<ROOT> (a, a.n - 1) - x;
  int count = 0;
#pragma unroll 8
  for (int i = a.n - 2; i >= k; i--)
    {
      double minus
          = ge_count_step_up (load_d<ROOT> (a, i), load_w<ROOT> (a, i), x, &p);
      count += __double2hiint (minus) < 0;
    }
  *p_out = p;
  return count;
}

template <bool ROOT>
static __device__ __forceinline__ int
count_half (const mrrr_rep &a, int half, double x, double *part)
{
  int k = a.n / 2;
  return half ? count_up<ROOT> (a, k, x, part)
              : count_down<ROOT> (a, k, x, part);
}

/* answer.a = eigenvalues below job.a.  64 threads.  */
static __global__ void
count_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
              mrrr_answer *answers)
{
  __shared__ double part[2][WARP];
  __shared__ int below[2][WARP];
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_rep a = reps[jobs[k].node];
  double x = jobs[k].a, p;
  below[half][lane] = root ? count_half<true> (a, half, x, &p)
                           : count_half<false> (a, half, x, &p);
  part[half][lane] = p;
  __syncthreads ();
  if (half == 0 && valid)
    {
      double gamma = part[0][lane] + part[1][lane] + x;
      answers[k].a = below[0][lane] + below[1][lane] + (gamma < 0);
    }
}

/* Narrow brackets PASSES times by POINTS points each.  64 POINTS threads.  */
static __global__ void
bisect_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
               int points, int passes, mrrr_answer *answers)
{
  __shared__ double part[2][MAX_POINTS][WARP];
  __shared__ int below[2][MAX_POINTS][WARP];
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, root, valid;
  int half = warp % 2, point = warp / 2;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_rep a = reps[jobs[k].node];
  double lo = jobs[k].a, hi = jobs[k].b;
  int index = jobs[k].index;
  for (int pass = 0; pass < passes; pass++)
    {
      double step = (hi - lo) / (points + 1), p;
      double x = lo + step * (point + 1);
      below[half][point][lane] = root ? count_half<true> (a, half, x, &p)
                                      : count_half<false> (a, half, x, &p);
      part[half][point][lane] = p;
      __syncthreads ();
      int j = 0;
      for (; j < points; j++)
        {
          double at = lo + step * (j + 1);
          double gamma = part[0][j][lane] + part[1][j][lane] + at;
          if (below[0][j][lane] + below[1][j][lane] + (gamma < 0) >= index)
            break;
        }
      double new_lo = j > 0 ? lo + step * j : lo;
      hi = j < points ? lo + step * (j + 1) : hi;
      lo = new_lo;
      __syncthreads ();
    }
  if (warp == 0 && valid)
    {
      answers[k].a = lo;
      answers[k].b = hi;
    }
}

/* --- representations --- */

/* The representation of job.node from that of job.index (its parent) at the
   shift job.a, into D_HI and D_LO, COUNT apart, column job.column; answer.a is
   the largest |pivot|.  */
template <typename WIDE, bool ROOT>
static __device__ void
represent (const mrrr_rep &parent, double shift, long long count,
           double *__restrict__ d_hi, double *__restrict__ d_lo,
           mrrr_answer *answer)
{
  WIDE x = wide_make<WIDE> (shift, 0), s = wide_make<WIDE> (-shift, 0);
  double growth = 0;
#pragma unroll 4
  for (int i = 0; i < parent.n; i++)
    {
      WIDE plus = wide_pivot (load_wide_d<WIDE, ROOT> (parent, i), s);
      s = wide_next (load_wide_w<WIDE, ROOT> (parent, i), s, plus,
                     ge_inverse (wide_high (plus)), x);
      d_hi[i * count] = wide_high (plus);
      if (sizeof (WIDE) > 8)
        d_lo[i * count] = wide_low (plus);
      growth = fmax (growth, fabs (wide_high (plus)));
    }
  answer->a = growth;
}

template <typename WIDE>
static __global__ void
represent_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n,
                  int from_root, long long count, double *d_hi, double *d_lo,
                  mrrr_answer *answers)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  mrrr_rep parent = reps[jobs[k].index];
  double *hi = d_hi + jobs[k].column, *lo = d_lo + jobs[k].column;
  if (from_root)
    represent<WIDE, true> (parent, jobs[k].a, count, hi, lo, &answers[k]);
  else
    represent<WIDE, false> (parent, jobs[k].a, count, hi, lo, &answers[k]);
}

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
template <bool ROOT, typename REAL>
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
              ge_count_step (load_d<ROOT> (a, i), load_w<ROOT> (a, i), x, &s));
    }
  else
    {
      s = load_d<ROOT> (a, n - 1) - x;
#pragma unroll 4
      for (int i = n - 2; i >= k; i--)
        keep (
            &work[(i + 1) * ld],
            ge_count_step_up (load_d<ROOT> (a, i), load_w<ROOT> (a, i), x, &s));
    }
  __syncthreads ();
  if (half == 0)
    {
#pragma unroll 4
      for (int i = k; i < n - 1; i++)
        {
          double plus
              = ge_count_step (load_d<ROOT> (a, i), load_w<ROOT> (a, i), x, &s);
          climb (top, (double) work[(i + 1) * ld], plus, i + 1, &rho, &depth);
        }
    }
  else
    {
#pragma unroll 4
      for (int i = k - 1; i >= 0; i--)
        {
          double minus = ge_count_step_up (load_d<ROOT> (a, i),
                                           load_w<ROOT> (a, i), x, &s);
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
    twist<true> (a, half, x, work + k, ld, &top);
  else
    twist<false> (a, half, x, work + k, ld, &top);
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

/* With STORE, entries z_i / z_{i+1} above the twist and z_i / z_{i-1} below it
   go to Z.  */
template <typename WIDE, bool ROOT, bool STORE, typename REAL>
static __device__ __forceinline__ half_factor<WIDE>
factor_half (const mrrr_rep &a, int half, int r, WIDE x, REAL *__restrict__ z)
{
  half_factor<WIDE> h;
  double sum = 0;
  int count = 0;
  if (half == 0)
    {
      WIDE s = wide_sub (wide_make<WIDE> (0, 0), x);
#pragma unroll 4
      for (int i = 0; i < r; i++)
        {
          WIDE plus = wide_pivot (load_wide_d<WIDE, ROOT> (a, i), s);
          double inverse = ge_inverse (wide_high (plus));
          double f = __ldg (a.e + i) * inverse;
          s = wide_next (load_wide_w<WIDE, ROOT> (a, i), s, plus, inverse, x);
          sum = f * f * (1 + sum);
          count += wide_high (plus) < 0;
          if (STORE)
            z[i] = (REAL) -f;
        }
      h.part = s;
    }
  else
    {
      WIDE p = wide_sub (load_wide_d<WIDE, ROOT> (a, a.n - 1), x);
#pragma unroll 4
      for (int i = a.n - 2; i >= r; i--)
        {
          WIDE minus = wide_pivot (load_wide_w<WIDE, ROOT> (a, i), p);
          double inverse = ge_inverse (wide_high (minus));
          double f = __ldg (a.e + i) * inverse;
          p = wide_next (load_wide_d<WIDE, ROOT> (a, i), p, minus, inverse, x);
          sum = f * f * (1 + sum);
          count += wide_high (minus) < 0;
          if (STORE)
            z[i + 1] = (REAL) -f;
        }
      h.part = p;
    }
  h.sum = sum;
  h.count = count;
  return h;
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

template <typename WIDE, bool ROOT>
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
      half_factor<double> h = factor_half<double, ROOT, false, double> (
          a, half, job.twist, x, NULL);
      meet (room, half, lane, h, x, &gamma, &norm2, &below);
      int open = ge_mrrr_newton_first (&s, gamma, norm2);
      if (! __syncthreads_or (open))
        break;
    }
  for (int step = 0; step < MRRR_STEPS_MAX; step++)
    {
      WIDE x = wide_make<WIDE> (s.x_hi, s.x_lo);
      half_factor<WIDE> h = factor_half<WIDE, ROOT, false, double> (
          a, half, job.twist, x, NULL);
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
    refine<WIDE, true> (a, job, half, lane, &room, &answer);
  else
    refine<WIDE, false> (a, job, half, lane, &room, &answer);
  if (half == 0 && valid)
    answers[k] = answer;
}

/* Entries from factors, outward from the twist, where z is SCALE.  */
template <typename REAL>
static __device__ __forceinline__ void
multiply_half (int half, int n, int r, double scale, REAL *z)
{
  double at = scale;
  if (half == 0)
    {
      z[r] = (REAL) scale;
#pragma unroll 8
      for (int i = r - 1; i >= 0; i--)
        {
          at *= (double) z[i];
          at = fabs (at) < 0x1p-1000 ? 0 : at;
          z[i] = (REAL) at;
        }
    }
  else
    {
#pragma unroll 8
      for (int i = r + 1; i < n; i++)
        {
          at *= (double) z[i];
          at = fabs (at) < 0x1p-1000 ? 0 : at;
          z[i] = (REAL) at;
        }
    }
}

/* Column job.column of V for the eigenvalue (job.a, job.b); answer.a is the
   residual's norm.  64 threads.  */
template <typename WIDE, typename REAL>
static __global__ void
vectors_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
                REAL *v, long long ld, mrrr_answer *answers)
{
  __shared__ meeting room;
  int lane = threadIdx.x % WARP, half = threadIdx.x / WARP, root, valid, below;
  int k = job_of (lane, n_root, n, &root, &valid);
  mrrr_job job = jobs[k];
  mrrr_rep a = reps[job.node];
  WIDE x = wide_make<WIDE> (job.a, job.b);
  REAL *z = v + ld * job.column + a.begin;
  half_factor<WIDE> h;
  double gamma, norm2;
  h.part = x;
  h.sum = 0;
  h.count = 0;
  if (valid && root)
    h = factor_half<WIDE, true, true, REAL> (a, half, job.twist, x, z);
  else if (valid)
    h = factor_half<WIDE, false, true, REAL> (a, half, job.twist, x, z);
  meet (&room, half, lane, h, x, &gamma, &norm2, &below);
  if (! valid)
    return;
  double scale = 1 / sqrt (norm2);
  multiply_half (half, a.n, job.twist, scale, z);
  if (half == 0)
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
