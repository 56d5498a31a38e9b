/* MRRR's kernels: representations on the device, Sturm counts, brackets and new
   representations; the others are in mrrr/factors.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every eigenvalue has two threads, in two warps of one block (HALF 0 and 1):
   one runs the stationary qd recurrence from the top of the matrix down to the
   twist, the other the progressive one from the bottom up to it.  The
   recurrences are chains of dependent operations, so this halves the time.  A
   block has 32 eigenvalues, which are neighbours in sorted lists so that their
   recurrences have about the same lengths.  All eigenvalues of a block belong
   to root representations (ROOT), whose arrays all threads read together, or
   all to deeper ones, which are stored [index][node].  */

#ifndef GE_MRRR_BRACKETS_CUH
#define GE_MRRR_BRACKETS_CUH 1

#include "mrrr/halving.h"
#include "mrrr/operations.cuh"
#include "mrrr/newton.h"
#include "mrrr/separation.h"

enum
{
  MAX_POINTS = 7,
  /* of bisect_one_kernel: pairs of a block, and points */
  FEW_PAIRS = 8,
  ALL_POINTS = 1 << MRRR_BITS,
  ONE_THREADS = 2 * FEW_PAIRS * ALL_POINTS
};

/* How a thread reads its representation: a root, a deeper one, or a deeper one
   with stored w.  */
enum
{
  ROOT,
  DEEP,
  DEEP_W
};

/* --- overloads for both working precisions --- */

template <typename WIDE> GE_DEVICE_INLINE WIDE wide_make (double hi, double lo);
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
  GE_DEVICE_INLINE double wide_high (WIDE a) { return ge_high_##sfx (a); }     \
  GE_DEVICE_INLINE double wide_low (WIDE a) { return ge_low_##sfx (a); }       \
  GE_DEVICE_INLINE WIDE wide_add (WIDE a, WIDE b)                              \
  {                                                                            \
    return ge_add_##sfx (a, b);                                                \
  }                                                                            \
  GE_DEVICE_INLINE WIDE wide_sub (WIDE a, WIDE b)                              \
  {                                                                            \
    return ge_sub_##sfx (a, b);                                                \
  }                                                                            \
  GE_DEVICE_INLINE WIDE wide_pivot (WIDE d, WIDE s)                            \
  {                                                                            \
    return ge_pivot_##sfx (d, s);                                              \
  }                                                                            \
  GE_DEVICE_INLINE WIDE wide_next (WIDE w, WIDE s, WIDE p, double inverse,     \
                                   WIDE x)                                     \
  {                                                                            \
    return ge_next_##sfx (w, s, p, inverse, x);                                \
  }                                                                            \
  GE_DEVICE_INLINE WIDE wide_ratio (double e, WIDE d)                          \
  {                                                                            \
    return ge_ratio_##sfx (e, d);                                              \
  }
OVERLOADS (double, pl)
OVERLOADS (ge_dd, dd)
#undef OVERLOADS

/* --- rows of a representation --- */

/* Row i as stored; w is present for KIND = ROOT, w_hi also for DEEP_W.  */
typedef struct
{
  double d_hi, d_lo, w_hi, w_lo, e, other;
} raw_row;

template <typename WIDE, int KIND>
GE_DEVICE_INLINE raw_row
load_row (const mrrr_rep &a, int i)
{
  long long at = KIND == ROOT ? (long long) i : i * a.stride;
  raw_row r;
  r.d_hi = __ldg (a.d_hi + at);
  r.d_lo = sizeof (WIDE) > 8 ? __ldg (a.d_lo + at) : 0;
  r.w_hi = KIND == DEEP ? 0 : __ldg (a.w_hi + at);
  r.w_lo = KIND == ROOT && sizeof (WIDE) > 8 ? __ldg (a.w_lo + at) : 0;
  r.e = __ldg (a.e + i);
  r.other = 0;
  return r;
}

template <typename WIDE>
GE_DEVICE_INLINE WIDE
row_d (const raw_row &r)
{
  return wide_make<WIDE> (r.d_hi, r.d_lo);
}

template <typename WIDE, int KIND>
GE_DEVICE_INLINE WIDE
row_w (const raw_row &r)
{
  if (KIND == DEEP)
    return wide_ratio (r.e, row_d<WIDE> (r));
  return wide_make<WIDE> (r.w_hi, r.w_lo);
}

/* Call step (load (t), t) for t = 0 .. LENGTH - 1, in chunks: the next CHUNK
   rows are loaded while the current ones are processed (software pipelining).
   The recurrence is one chain of dependent operations and would otherwise wait
   for memory in every chunk.  */
template <int CHUNK, typename LOAD, typename STEP>
GE_DEVICE_INLINE void
walk (int length, LOAD load, STEP step)
{
  raw_row now[CHUNK], next[CHUNK];
  if (length <= 0)
    return;
#pragma unroll
  for (int j = 0; j < CHUNK; j++)
    now[j] = load (min (j, length - 1));
  int t = 0;
  for (; t + CHUNK <= length; t += CHUNK)
    {
#pragma unroll
      for (int j = 0; j < CHUNK; j++)
        next[j] = load (min (t + CHUNK + j, length - 1));
#pragma unroll
      for (int j = 0; j < CHUNK; j++)
        step (now[j], t + j);
#pragma unroll
      for (int j = 0; j < CHUNK; j++)
        now[j] = next[j];
    }
#pragma unroll
  for (int j = 0; j < CHUNK; j++)
    if (t + j < length)
      step (now[j], t + j);
}

/* --- assignment of jobs --- */

/* The job of a lane: blocks of root jobs first, then the others.  Lanes past
   the end (*VALID is 0) repeat the last job, so that all lanes reach the
   barriers.  */
GE_DEVICE_INLINE int
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

/* Upper (HALF 0) or lower part of a Sturm count at X: the number of negative
   pivots of the part, and s_k or p_k at the middle k = n / 2 in *PART.  GUARD:
   with protection against zero pivots and overflow.  */
template <int KIND, int HALF, bool GUARD>
GE_DEVICE_INLINE int
count_part (const mrrr_rep &a, double x, double *part)
{
  int k = a.n / 2, last = a.n - 2, count = 0;
  double s
      = HALF ? __ldg (a.d_hi + (a.n - 1) * (KIND == ROOT ? 1 : a.stride)) - x
             : -x;
  walk<8> (
      HALF ? last - k + 1 : k,
      [&] (int t) { return load_row<double, KIND> (a, HALF ? last - t : t); },
      [&] (const raw_row &r, int) {
        double w = row_w<double, KIND> (r), d = r.d_hi;
        double pivot
            = GUARD ? ge_count_step (HALF ? w : d, HALF ? d : w, x, &s)
                    : ge_count_step_free (HALF ? w : d, HALF ? d : w, x, &s);
        count += __double2hiint (pivot) < 0;
      });
  *part = s;
  return count;
}

template <int KIND, int HALF>
GE_DEVICE_INLINE int
count_safely (const mrrr_rep &a, double x, double *part)
{
  int count = count_part<KIND, HALF, false> (a, x, part);
  if (! (fabs (*part) < 1e300))
    count = count_part<KIND, HALF, true> (a, x, part);
  return count;
}

template <int KIND>
GE_DEVICE_INLINE int
count_half_of (const mrrr_rep &a, int half, double x, double *part)
{
  return half ? count_safely<KIND, 1> (a, x, part)
              : count_safely<KIND, 0> (a, x, part);
}

GE_DEVICE_INLINE int
count_half (const mrrr_rep &a, int root, int half, double x, double *part)
{
  if (root)
    return count_half_of<ROOT> (a, half, x, part);
  return a.w_hi ? count_half_of<DEEP_W> (a, half, x, part)
                : count_half_of<DEEP> (a, half, x, part);
}

/* answer.a = number of eigenvalues below job.a.  Blocks of 64 threads; the
   halves are combined through shared memory after one barrier: gamma_k = s_k +
   p_k + x.  */
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
  below[half][lane] = count_half (a, root, half, x, &p);
  part[half][lane] = p;
  __syncthreads ();
  if (half == 0 && valid)
    {
      double gamma = part[0][lane] + part[1][lane] + x;
      answers[k].a = below[0][lane] + below[1][lane] + (gamma < 0);
    }
}

/* Refine brackets in PASSES passes with POINTS points each, with the same bits
   for any number of points (mrrr/halving.h).  Blocks of 64 POINTS threads: two
   warps for each point.  The first barrier of a pass is before the counts are
   read, the second before they are overwritten; every thread updates its own
   copy of the bracket.  With PAIRS, which are single or not, the brackets are
   theirs instead of JOBS'; FIRST is the number of their first eigenvalue.  */
GE_KERNEL (2 * WARP * MAX_POINTS)
bisect_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n_root, int n,
               int points, int passes, mrrr_answer *answers, mrrr_single *pairs,
               int first)
{
  __shared__ double part[2][MAX_POINTS][WARP];
  __shared__ int below[2][MAX_POINTS][WARP];
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, root, valid;
  int half = warp % 2, point = warp / 2;
  int k = job_of (lane, n_root, n, &root, &valid);
  const bool closed
      = pairs && (pairs[k].flags & (MRRR_SINGLE | MRRR_LIMIT)) != 0;
  if (__syncthreads_and (closed))
    return;
  mrrr_rep a = reps[pairs ? 0 : jobs[k].node];
  double lo = pairs ? pairs[k].lo : jobs[k].a;
  double hi = pairs ? pairs[k].hi : jobs[k].b;
  int index = pairs ? first + k : jobs[k].index;
  for (int pass = 0; pass < passes; pass++)
    {
      const double x = ge_mrrr_point (lo, hi, points, point + 1);
      double p;
      below[half][point][lane] = count_half (a, root, half, x, &p);
      part[half][point][lane] = p;
      __syncthreads ();
      unsigned above = 0;
      for (int j = 0; j < points; j++)
        {
          const double at = ge_mrrr_point (lo, hi, points, j + 1);
          const double gamma = part[0][j][lane] + part[1][j][lane] + at;
          const int count = below[0][j][lane] + below[1][j][lane] + (gamma < 0);
          above |= (unsigned) (count >= index) << j;
        }
      ge_mrrr_halve (&lo, &hi, points, above);
      __syncthreads ();
    }
  if (warp == 0 && valid && ! closed)
    {
      double *to = pairs ? &pairs[k].lo : &answers[k].a;
      to[0] = lo;
      to[1] = hi;
    }
}

/* As count_part of ROWS, N of d and w, in shared memory.  */
template <int HALF, bool GUARD>
GE_DEVICE_INLINE int
count_rows (const double2 *rows, int n, double x, double *part)
{
  const int k = n / 2, length = HALF ? n - 1 - k : k;
  const double2 *at = HALF ? rows + n - 2 : rows;
  int count = 0;
  double s = HALF ? rows[n - 1].x - x : -x;
#pragma unroll 4
  for (int t = 0; t < length; t++)
    {
      const double2 r = HALF ? at[-t] : at[t];
      const double pivot
          = GUARD ? ge_count_step (HALF ? r.y : r.x, HALF ? r.x : r.y, x, &s)
                  : ge_count_step_free (HALF ? r.y : r.x, HALF ? r.x : r.y, x,
                                        &s);
      count += __double2hiint (pivot) < 0;
    }
  *part = s;
  return count;
}

template <int HALF>
GE_DEVICE_INLINE int
count_rows_safely (const double2 *rows, int n, double x, double *part)
{
  int count = count_rows<HALF, false> (rows, n, x, part);
  if (! (fabs (*part) < 1e300))
    count = count_rows<HALF, true> (rows, n, x, part);
  return count;
}

/* The counts of both halves at the points of a block.  */
typedef struct
{
  double part[2][ALL_POINTS][FEW_PAIRS];
  int below[2][ALL_POINTS][FEW_PAIRS];
} one_counts;

/* As bisect_kernel, where few pairs leave multiprocessors idle: all MRRR_BITS bisections in one
   pass, whose points but the last are those of a block's threads.  The pairs of a block have one
   representation, of which d and w are in shared memory.  */
GE_KERNEL (ONE_THREADS)
bisect_one_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n,
                   mrrr_answer *answers, mrrr_single *pairs, int first)
{
  extern __shared__ double2 space_of_one[];
  one_counts *const counts = (one_counts *) space_of_one;
  double2 *const rows = (double2 *) (counts + 1);
  const int lane = threadIdx.x % FEW_PAIRS,
            half = threadIdx.x >= ONE_THREADS / 2,
            point = threadIdx.x / FEW_PAIRS % ALL_POINTS;
  const int mine = blockIdx.x * FEW_PAIRS + lane, k = min (mine, n - 1);
  const bool closed
      = pairs && (pairs[k].flags & (MRRR_SINGLE | MRRR_LIMIT)) != 0;
  if (__syncthreads_and (closed))
    return;
  const mrrr_rep a = reps[pairs ? 0 : jobs[k].node];
  for (int i = threadIdx.x; i < a.n; i += ONE_THREADS)
    {
      const raw_row r = a.w_lo ? load_row<double, ROOT> (a, i)
                               : load_row<double, DEEP> (a, i);
      rows[i].x = r.d_hi;
      rows[i].y = a.w_lo ? r.w_hi : row_w<double, DEEP> (r);
    }
  double lo = pairs ? pairs[k].lo : jobs[k].a,
         hi = pairs ? pairs[k].hi : jobs[k].b, p;
  const int index = pairs ? first + k : jobs[k].index;
  const double x
      = ge_mrrr_point (lo, hi, ALL_POINTS - 1, min (point + 1, ALL_POINTS - 1));
  __syncthreads ();
  counts->below[half][point][lane]
      = half ? count_rows_safely<1> (rows, a.n, x, &p)
             : count_rows_safely<0> (rows, a.n, x, &p);
  counts->part[half][point][lane] = p;
  __syncthreads ();
  if (half || point > 0 || mine >= n || closed)
    return;
  for (int width = ALL_POINTS / 2, at = width; width > 0; width /= 2)
    {
      const double middle = lo + (hi - lo) / 2;
      const double gamma = counts->part[0][at - 1][lane]
                           + counts->part[1][at - 1][lane] + middle;
      const int upper = counts->below[0][at - 1][lane]
                            + counts->below[1][at - 1][lane] + (gamma < 0)
                        >= index;
      if (upper)
        hi = middle;
      else
        lo = middle;
      at += upper ? -(width / 2) : width / 2;
    }
  double *const to = pairs ? &pairs[k].lo : &answers[k].a;
  to[0] = lo;
  to[1] = hi;
}

/* --- representations --- */

/* The representation of a child from its parent's at the shift SHIFT: L+ D+ L+'
   = L D L' - shift I by the differential stationary qd transform, into column
   AT of D_HI, D_LO and W, unless they are NULL, elements COUNT apart. answer.a is the
   largest |pivot|, the element growth.  */
template <typename WIDE, int KIND>
static __device__ void
represent (const mrrr_rep &parent, double shift, long long count,
           double *__restrict__ d_hi, double *__restrict__ d_lo,
           double *__restrict__ w, mrrr_answer *answer)
{
  WIDE x = wide_make<WIDE> (shift, 0), s = wide_make<WIDE> (-shift, 0);
  double growth = 0;
  walk<4> (
      parent.n, [&] (int i) { return load_row<WIDE, KIND> (parent, i); },
      [&] (const raw_row &r, int i) {
        WIDE plus = wide_pivot (row_d<WIDE> (r), s);
        double inverse = ge_inverse (wide_high (plus));
        s = wide_next (row_w<WIDE, KIND> (r), s, plus, inverse, x);
        if (d_hi)
          d_hi[i * count] = wide_high (plus);
        if (d_hi && sizeof (WIDE) > 8)
          d_lo[i * count] = wide_low (plus);
        if (w)
          w[i * count] = r.e * r.e * inverse;
        growth = fmax (growth, fabs (wide_high (plus)));
      });
  answer->a = growth;
}

/* One thread per new representation: job.a is the shift, job.index the parent,
   job.column the column of the result, or -1: only the growth is computed.  */
template <typename WIDE>
static __global__ void
represent_kernel (const mrrr_rep *reps, const mrrr_job *jobs, int n,
                  int from_root, long long count, double *d_hi, double *d_lo,
                  double *w, mrrr_answer *answers)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  mrrr_rep parent = reps[jobs[k].index];
  const int at = jobs[k].column;
  d_hi = at < 0 ? NULL : d_hi + at;
  w = at < 0 || ! w ? NULL : w + at;
  if (from_root)
    represent<WIDE, ROOT> (parent, jobs[k].a, count, d_hi, d_lo + at, w,
                           &answers[k]);
  else
    represent<WIDE, DEEP> (parent, jobs[k].a, count, d_hi, d_lo + at, w,
                           &answers[k]);
}

#endif
