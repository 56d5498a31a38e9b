/* Classical Jacobi on the GPU: candidates for the pivot, and their reduction
   over all thread blocks.  See jacobi/published/classical.cu.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_CLASSICAL_CUH
#define GE_JACOBI_CLASSICAL_CUH 1

#include "jacobi/jacobi.cuh"
#include "base/teams.cuh"

/* --- candidates for the pivot --- */

#define NO_INDEX UINT32_MAX

/* A candidate: WEIGHT is the modulus (squared for complex types), INDEX holds
   the row, the column and the sign of a real element.  An empty candidate
   (none) has weight 0 and loses against every element.  */
template <typename R> struct choice
{
  R weight;
  unsigned index;
};

GE_DEVICE_INLINE float
weight_of (float x)
{
  return fabsf (x);
}
GE_DEVICE_INLINE double
weight_of (double x)
{
  return fabs (x);
}
GE_DEVICE_INLINE float
weight_of (cuComplex x)
{
  return square_of (x);
}
GE_DEVICE_INLINE double
weight_of (cuDoubleComplex x)
{
  return square_of (x);
}

template <typename T>
GE_DEVICE_INLINE choice<typename real_of<T>::type>
choice_of (T x, int row, int column)
{
  choice<typename real_of<T>::type> c;
  c.weight = weight_of (x);
  c.index = (unsigned) row << 16 | (unsigned) column << 1 | (real_part (x) < 0);
  return c;
}

template <typename R>
GE_DEVICE_INLINE choice<R>
none (void)
{
  choice<R> c = { 0, NO_INDEX };
  return c;
}

template <typename R>
GE_DEVICE_INLINE int
row_of (choice<R> c)
{
  return (int) (c.index >> 16);
}

template <typename R>
GE_DEVICE_INLINE int
column_of (choice<R> c)
{
  return (int) (c.index >> 1 & 0x7fff);
}

/* The larger weight; of equal ones the first in storage order.  */
template <typename R>
GE_DEVICE_INLINE void
better (choice<R> *x, choice<R> y)
{
  if (y.weight > x->weight || (y.weight == x->weight && y.index < x->index))
    *x = y;
}

/* The best candidate of a warp, in all lanes.  Non-negative floating point
   numbers are ordered as their bits, so integer reductions serve.  */
GE_DEVICE_INLINE unsigned
warp_largest (unsigned x)
{
  return cooperative_groups::reduce (this_warp (), x,
                                     cooperative_groups::greater<unsigned> ());
}
GE_DEVICE_INLINE unsigned
warp_smallest (unsigned x)
{
  return cooperative_groups::reduce (this_warp (), x,
                                     cooperative_groups::less<unsigned> ());
}

GE_DEVICE_INLINE choice<double>
warp_best (choice<double> x)
{
  unsigned high = (unsigned) __double2hiint (x.weight);
  unsigned low = (unsigned) __double2loint (x.weight);
  unsigned most = warp_largest (high);
  unsigned rest = warp_largest (high == most ? low : 0);
  x.index = warp_smallest (high == most && low == rest ? x.index : NO_INDEX);
  x.weight = __hiloint2double ((int) most, (int) rest);
  return x;
}
GE_DEVICE_INLINE choice<float>
warp_best (choice<float> x)
{
  unsigned bits = __float_as_uint (x.weight);
  unsigned most = warp_largest (bits);
  x.index = warp_smallest (bits == most ? x.index : NO_INDEX);
  x.weight = __uint_as_float (most);
  return x;
}

/* --- memory --- */

/* Loads from L2, which sees the stores of other blocks; L1 is not coherent.  */
GE_DEVICE_INLINE float
load_uncached (const float *x)
{
  return __ldcg (x);
}
GE_DEVICE_INLINE double
load_uncached (const double *x)
{
  return __ldcg (x);
}
GE_DEVICE_INLINE cuComplex
load_uncached (const cuComplex *x)
{
  return __ldcg (x);
}
GE_DEVICE_INLINE cuDoubleComplex
load_uncached (const cuDoubleComplex *x)
{
  return __ldcg (x);
}

/* Element (i, j), i < j, is at [row_start (n, i) + j].  */
static __host__ __device__ __forceinline__ int64_t
row_start (int64_t n, int64_t i)
{
  return n + i * (2 * n - i - 1) / 2 - i - 1;
}

/* --- exchange between blocks --- */

/* A candidate and the number (stamp) of the exchange that it belongs to, 16
   bytes that are read and written as one.  */
typedef ulonglong2 pivot_message;

GE_DEVICE_INLINE unsigned long long
weight_bits (double x)
{
  return (unsigned long long) __double_as_longlong (x);
}
GE_DEVICE_INLINE unsigned long long
weight_bits (float x)
{
  return __float_as_uint (x);
}
GE_DEVICE_INLINE void
bits_weight (unsigned long long bits, double *x)
{
  *x = __longlong_as_double ((long long) bits);
}
GE_DEVICE_INLINE void
bits_weight (unsigned long long bits, float *x)
{
  *x = __uint_as_float ((unsigned) bits);
}

template <typename R>
GE_DEVICE_INLINE void
send (pivot_message *to, choice<R> c, unsigned stamp)
{
  unsigned long long x = weight_bits (c.weight);
  unsigned long long y = (unsigned long long) stamp << 32 | c.index;
  asm volatile("{\n\t.reg .b128 v;\n\tmov.b128 v, {%1, %2};\n\t"
               "st.relaxed.gpu.global.b128 [%0], v;\n\t}"
               :
               : "l"(to), "l"(x), "l"(y)
               : "memory");
}

/* Poll until the message carries STAMP.  */
template <typename R>
GE_DEVICE_INLINE choice<R>
receive (const pivot_message *from, unsigned stamp)
{
  unsigned long long x, y;
  choice<R> c;
  do
    asm volatile("{\n\t.reg .b128 v;\n\t"
                 "ld.relaxed.gpu.global.b128 v, [%2];\n\t"
                 "mov.b128 {%0, %1}, v;\n\t}"
                 : "=l"(x), "=l"(y)
                 : "l"(from)
                 : "memory");
  while (y >> 32 != stamp);
  bits_weight (x, &c.weight);
  c.index = (unsigned) y;
  return c;
}

/* The candidates of a block: the best outside rows p and q, in row p, and in
   row q.  */
enum
{
  OWN,
  IN_P,
  IN_Q,
  KINDS
};

/* Complex types: store the element of candidate C beside its message, since the
   weight is only its modulus.  For real types weight and sign are enough.  */
template <typename T>
GE_DEVICE_INLINE void
enclose (int64_t n, const T *a, choice<typename real_of<T>::type> c, T *values)
{
  if (is_complex<T>::value && c.index != NO_INDEX)
    *values = load_uncached (a + row_start (n, row_of (c)) + column_of (c));
}

/* All-to-all exchange by warp 0: publish this block's candidates as messages
   number STAMP, and compute the best of all blocks in RESULT.  The fence before
   the stores and the one after the loads, with the block barriers around the
   call, make what the block wrote before visible to all blocks afterwards.  Two
   sets of messages alternate: a block overwrites a set only after it has
   received the following messages of all blocks, each of which was sent after
   its sender had read that set.  */
template <typename T, typename R>
static __device__ void
exchange (int64_t n, const T *a, const choice<R> mine[KINDS], unsigned stamp,
          pivot_message *messages, T *values, choice<R> *result)
{
  int lane = threadIdx.x, blocks = (int) gridDim.x;
  size_t first = (size_t) (stamp & 1) * blocks * KINDS;
  pivot_message *box = messages + first;
  if (lane < KINDS)
    {
      choice<R> c = lane == OWN    ? mine[OWN]
                    : lane == IN_P ? mine[IN_P]
                                   : mine[IN_Q];
      size_t at = blockIdx.x * KINDS + lane;
      enclose (n, a, c, values + first + at);
      __threadfence ();
      send (box + at, c, stamp);
    }
  choice<R> best[KINDS];
  for (int kind = 0; kind < KINDS; kind++)
    best[kind] = none<R> ();
  for (int b = lane; b < blocks; b += 32)
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++)
      better (&best[kind], receive<R> (box + b * KINDS + kind, stamp));
  __threadfence ();
  for (int kind = 0; kind < KINDS; kind++)
    {
      best[kind] = warp_best (best[kind]);
      if (lane == 0)
        result[kind] = best[kind];
    }
}

/* The best candidate of RESULT and its value.  Candidates of kind OWN are sent
   by the block that owns the row, those of rows p and q by the block that owns
   the column.  */
template <typename T, typename R>
GE_DEVICE_INLINE choice<R>
choose_pivot (const choice<R> *result, unsigned stamp, const T *values,
              T *value)
{
  int kind = OWN, blocks = (int) gridDim.x;
  choice<R> pivot = result[OWN];
  for (int i = IN_P; i < KINDS; i++)
    {
      choice<R> before = pivot;
      better (&pivot, result[i]);
      kind = pivot.index != before.index ? i : kind;
    }
  if (! is_complex<T>::value)
    *value = make_number<T> (pivot.index & 1 ? -pivot.weight : pivot.weight, 0);
  else
    {
      int sender = (kind == OWN ? row_of (pivot) : column_of (pivot)) % blocks;
      *value = make_number<T> (0, 0);
      if (pivot.weight > 0)
        *value = load_uncached (values + ((stamp & 1) * blocks + sender) * KINDS
                                + kind);
    }
  return pivot;
}

#endif
