/* The product of a symmetric matrix, of which the lower triangle is read, and the
   vectors of a panel, on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   X = A V is bound by the memory that A takes, so every element below the diagonal
   is used twice.  A is cut into strips of STRIP rows, a strip up to the diagonal
   into units of UNIT columns; blocks take equal runs of units, strip by strip.
   A block keeps the sums of A V for the rows of its strip in registers, and
   what a unit adds to its own columns, A' V, goes to memory.  sum_kernel adds
   all these parts in a fixed order.  */

#ifndef GE_TRIDIAGONAL_SYMMETRIC_PRODUCT_CUH
#define GE_TRIDIAGONAL_SYMMETRIC_PRODUCT_CUH 1

#include <cuda_pipeline.h>

#include "base/cluster.cuh"
#include "base/launch.cuh"
#include "base/tensor.cuh"

enum
{
  VECTORS = 32,
  UNIT = 16,       /* columns */
  STRIP_WARPS = 8, /* of 32 rows each */
  STRIP = 32 * STRIP_WARPS,
  UNIT_STAGES = 3, /* units in shared memory */
  UNIT_PART = VECTORS * UNIT
};

/* A unit and the rows of V that belong to its columns, both by columns, in distances
   free of bank conflicts.  */
struct unit_stage
{
  double a[UNIT][STRIP + 4];
  double v[VECTORS][UNIT + 4];
};
struct unit_memory
{
  unit_stage stage[UNIT_STAGES];
  double sums[2][STRIP_WARPS][UNIT_PART]; /* A' V of each warp's rows */
};

typedef struct
{
  int64_t ld; /* of A, V, X */
  const double *a, *v;
  double *x;
  /* parts of UNIT rows of X, by columns: of the strips of every block, and of units */
  double *strip_parts, *unit_parts;
  int strips;
  int shift; /* rows that the first strip lacks */
  int each;  /* units per block */
} symmetric_product;

/* The first unit of a strip.  A strip begins with column 0, or up to UNIT - 1 columns
   before it.  */
static __host__ __device__ inline int
first_unit (int shift, int strip)
{
  return strip * (strip + 1) / 2 * (STRIP / UNIT) - strip * (shift / UNIT);
}

/* Unit NUMBER of all: columns from COLUMN on, rows from ROW on; none are below 0.  */
typedef struct
{
  int number, row, column;
} unit_place;

GE_DEVICE_INLINE void
next_unit (const symmetric_product &q, unit_place &u)
{
  u.number++;
  u.column += UNIT;
  if (u.column == u.row + STRIP)
    {
      u.column = -(q.shift % UNIT);
      u.row += STRIP;
    }
}

/* Rows and columns below 0 are read from row and column 0 of A, where they meet zeros of
   V or are left out of X.  */
GE_DEVICE_INLINE void
fetch_unit (const symmetric_product &q, const unit_place &u, unit_stage &s)
{
  const int t = (int) threadIdx.x, j = u.column + t % UNIT;
  const double *a = q.a + max (u.row + t, 0),
               *v = q.v + max (j, 0) + q.ld * (t / UNIT);
#pragma unroll
  for (int k = 0; k < UNIT; k++)
    __pipeline_memcpy_async (&s.a[k][t], a + q.ld * max (u.column + k, 0),
                             sizeof (double));
#pragma unroll
  for (int k = 0; k < UNIT_PART / STRIP; k++)
    __pipeline_memcpy_async (&s.v[t / UNIT + k * (STRIP / UNIT)][t % UNIT],
                             v + q.ld * (k * (STRIP / UNIT)), sizeof (double),
                             j < 0 ? sizeof (double) : 0);
}

/* The warp's rows of V, transposed, as left operands.  */
GE_DEVICE_INLINE void
load_vectors (const symmetric_product &q, int row, int lane,
              double (&v)[2][4][4])
{
#pragma unroll
  for (int e = 0; e < 32; e++)
    {
      const int h = e / 16, k = e / 4 % 4, f = e % 4;
      const int i = row + 8 * k + lane % 4 + f / 2 * 4;
      v[h][k][f] = i >= 0 ? q.v[i + q.ld * (16 * h + lane / 4 + f % 2 * 8)] : 0;
    }
}

/* The place of vector I, column J of a unit's sums, free of bank conflicts for pairs of
   numbers.  */
GE_DEVICE_INLINE int
unit_index (int i, int j)
{
  return i * UNIT + (j ^ (i & 1) << 3);
}

/* Store the sums of the warp's rows, and clear them.  */
GE_DEVICE_INLINE void
store_rows (double *part, int lane, double (&x)[2][4][4])
{
#pragma unroll
  for (int e = 0; e < 32; e++)
    {
      const int h = e / 16, t = e / 4 % 4, f = e % 4;
      const int row = 16 * h + f / 2 * 8 + lane / 4;
      part[row / UNIT * UNIT_PART + (8 * t + lane % 4 * 2 + f % 2) * UNIT
           + row % UNIT]
          = x[h][t][f];
      x[h][t][f] = 0;
    }
}

/* The right operands of step K of the products below: 8 vectors, 8 rows of A.  */
typedef struct
{
  double v[2], a[2];
} unit_operands;

template <bool DIAGONAL>
GE_DEVICE_INLINE unit_operands
load_operands (const unit_stage &s, int row, int u, int k, int below, int r,
               int c)
{
  unit_operands o;
  const int i = row + 8 * k + c, j = u + r;
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      o.v[h] = s.v[8 * k + r][u + c + 4 * h];
      o.a[h] = DIAGONAL && i + 4 * h + below <= j ? 0 : s.a[j][i + 4 * h];
    }
  return o;
}

/* X += A V and SUMS = A' V for the warp's rows of a unit; those of A from its row
   I - J of column J on count for X, and below it for SUM.  ASIDE is done between the
   products.  */
template <bool DIAGONAL, typename F>
GE_DEVICE_INLINE void
multiply_unit (const unit_stage &s, int wid, int lane, int below,
               const double (&v)[2][4][4], double (&x)[2][4][4], double *sums,
               F aside)
{
  const int r = lane / 4, c = lane % 4, row = 32 * wid;
#pragma unroll
  for (int u = 0; u < UNIT; u += 8)
    {
      double a[2][4], sum[2][4];
#pragma unroll
      for (int e = 0; e < 8; e++)
        {
          const int i = row + e / 4 * 16 + r + e % 2 * 8,
                    j = u + c + e / 2 % 2 * 4;
          a[e / 4][e % 4] = DIAGONAL && i + below < j ? 0 : s.a[j][i];
        }
#pragma unroll
      for (int e = 0; e < 8; e++)
        sum[e / 4][e % 4] = 0;
      unit_operands now = load_operands<DIAGONAL> (s, row, u, 0, below, r, c);
#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          const unit_operands next = load_operands<DIAGONAL> (
              s, row, u, k < 3 ? k + 1 : k, below, r, c);
#pragma unroll
          for (int h = 0; h < 2; h++)
            {
              multiply_tiles (sum[h], v[h][k][0], v[h][k][1], v[h][k][2],
                              v[h][k][3], now.a[0], now.a[1]);
              multiply_tiles (x[h][k], a[h][0], a[h][1], a[h][2], a[h][3],
                              now.v[0], now.v[1]);
            }
          if (u == 0)
            aside (k);
          now = next;
        }
#pragma unroll
      for (int e = 0; e < 4; e++)
        *(double2 *) (sums + unit_index (e * 8 + r, u + 2 * c))
            = make_double2 (sum[e / 2][e % 2 * 2], sum[e / 2][e % 2 * 2 + 1]);
    }
}

/* The sums of the warps' parts of a unit.  */
GE_DEVICE_INLINE void
store_unit (const double (*sums)[UNIT_PART], double *part)
{
#pragma unroll
  for (int k = 0; k < UNIT_PART / STRIP; k++)
    {
      const int e = (int) threadIdx.x + k * STRIP;
      double sum[2] = { 0, 0 };
#pragma unroll
      for (int w = 0; w < STRIP_WARPS; w++)
        sum[w % 2] += sums[w][unit_index (e / UNIT, e % UNIT)];
      part[e] = sum[0] + sum[1];
    }
}

/* A barrier a unit: before it the unit has come and the one before is finished in all
   warps.  */
GE_KERNEL (STRIP, 1)
unit_kernel (symmetric_product q)
{
  extern __shared__ __align__ (16) unsigned char unit_bytes[];
  unit_memory *memory = (unit_memory *) unit_bytes;
  const int wid = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;
  const int all = first_unit (q.shift, q.strips);
  const int begin = q.each * (int) blockIdx.x;
  const int end = begin + q.each < all ? begin + q.each : all;
  int strip = 0;
  begin_in_turn ();
  if (begin >= end)
    return;
  while (first_unit (q.shift, strip + 1) <= begin)
    strip++;
  unit_place now
      = { begin, strip * STRIP - q.shift,
          (begin - first_unit (q.shift, strip)) * UNIT - q.shift % UNIT },
      next = now;
  double v[2][4][4], x[2][4][4];
  double *rows
      = q.strip_parts
        + (int64_t) ((int) blockIdx.x + strip) * (STRIP / UNIT * UNIT_PART)
        + wid * (32 / UNIT) * UNIT_PART;
#pragma unroll
  for (int e = 0; e < 32; e++)
    x[e / 16][e / 4 % 4][e % 4] = 0;
  load_vectors (q, now.row + 32 * wid, lane, v);
  for (int i = 0; i < UNIT_STAGES - 1; i++, next_unit (q, next))
    {
      if (next.number < end)
        fetch_unit (q, next, memory->stage[i]);
      __pipeline_commit ();
    }
  for (int place = 0, before = UNIT_STAGES - 1; now.number < end;
       next_unit (q, now), next_unit (q, next))
    {
      const int turn = (int) (now.number & 1);
      __pipeline_wait_prior (UNIT_STAGES - 2);
      __syncthreads ();
      if (now.column <= 0 && now.number > begin)
        {
          store_rows (rows, lane, x);
          rows += STRIP / UNIT * UNIT_PART;
          load_vectors (q, now.row + 32 * wid, lane, v);
        }
      auto aside = [&] (int k) {
        if (k == 0 && next.number < end)
          fetch_unit (q, next, memory->stage[before]);
        if (k == 0)
          __pipeline_commit ();
        if (k == 1 && now.number > begin)
          store_unit (memory->sums[turn ^ 1],
                      q.unit_parts + (int64_t) (now.number - 1) * UNIT_PART);
      };
      double *sums = memory->sums[turn][wid];
      if (now.column >= now.row)
        multiply_unit<true> (memory->stage[place], wid, lane,
                             (int) (now.row - now.column), v, x, sums, aside);
      else
        multiply_unit<false> (memory->stage[place], wid, lane, 0, v, x, sums,
                              aside);
      before = place;
      place = place + 1 < UNIT_STAGES ? place + 1 : 0;
    }
  __syncthreads ();
  store_unit (memory->sums[(end - 1) & 1],
              q.unit_parts + (int64_t) (end - 1) * UNIT_PART);
  store_rows (rows, lane, x);
}

/* UNIT rows of X.  */
GE_KERNEL (UNIT_PART)
sum_kernel (symmetric_product q)
{
  const int tile = (int) blockIdx.x + q.shift / UNIT, /* of all strips */
      strip = tile * UNIT / STRIP,
            i = tile * UNIT - q.shift + (int) threadIdx.x % UNIT;
  double sum = 0;
  begin_in_turn ();
  for (int p = first_unit (q.shift, strip) / q.each;
       p <= (first_unit (q.shift, strip + 1) - 1) / q.each; p++)
    sum += q.strip_parts[(int64_t) ((p + strip) * (STRIP / UNIT)
                                    + tile % (STRIP / UNIT))
                             * UNIT_PART
                         + threadIdx.x];
#pragma unroll 8
  for (int s = strip; s < q.strips; s++)
    sum += q.unit_parts[(int64_t) (first_unit (q.shift, s) + (int) blockIdx.x)
                            * UNIT_PART
                        + threadIdx.x];
  if (i >= 0)
    q.x[i + q.ld * (threadIdx.x / UNIT)] = sum;
}

/* Numbers of work space for order M.  */
static inline int64_t
symmetric_parts (gpueig_context *ctx, int64_t m)
{
  const int64_t strips = (m + STRIP - 1) / STRIP,
                blocks = ge_cuda_of (ctx)->multiprocessors;
  return (strips * (strips + 1) / 2 + blocks + strips) * STRIP * VECTORS;
}

/* X = A V, M-by-VECTORS, leading dimension LD, of the lower triangle of A; PARTS: work
   space.  */
static inline gpueig_status
symmetric_times (gpueig_context *ctx, int m, const double *a, const double *v,
                 double *x, int64_t ld, double *parts)
{
  const int blocks = ge_cuda_of (ctx)->multiprocessors;
  const int strips = (m + STRIP - 1) / STRIP, shift = strips * STRIP - m;
  const int units = first_unit (shift, strips);
  const symmetric_product q = { ld,
                                a,
                                v,
                                x,
                                parts + (int64_t) units * UNIT_PART,
                                parts,
                                strips,
                                shift,
                                (units + blocks - 1) / blocks };
  GE_ALLOW_SHARED (unit_kernel, sizeof (unit_memory));
  GE_TRY (ge_launch_in_turn (ctx, "unit_kernel", unit_kernel, blocks, STRIP,
                             sizeof (unit_memory), 1, q));
  return ge_launch_in_turn (ctx, "sum_kernel", sum_kernel,
                            strips * (STRIP / UNIT) - shift / UNIT, UNIT_PART,
                            0, 1, q);
}

#endif
