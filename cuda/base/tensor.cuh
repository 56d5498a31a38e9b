/* Products of small tiles by the tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Double precision, IEEE rounding of every product-and-sum.  A warp holds tiles in
   the fragments of the instruction mma.m16n8k8 (PTX ISA): with r = lane / 4 and
   c = lane % 4 a lane has

     A (16-by-8)  a[0] = (r, c), a[1] = (r + 8, c), a[2] = (r, c + 4), a[3] = (r + 8, c + 4)
     B (8-by-8)   b[0] = (c, r), b[1] = (c + 4, r)
     C (16-by-8)  c[0] = (r, 2 c), c[1] = (r, 2 c + 1), c[2], c[3] = the same 8 rows on

   sm_80 has m8n8k4 only, four of which make one m16n8k8.

   Single precision, in the same fragments: numbers are sums of two with 11 bits each (TF32).
   The tensor cores truncate sums: they sum few products, the small ones first.

   Half precision, with exact products and sums in single precision that are truncated,
   not rounded: mma.m16n8k16 and m16n8k8.  C as above, a[] and b[] have two numbers in 32
   bits, the columns of A and rows of B 2 c and 2 c + 1:

     A (16-by-16) a[0], a[1] = rows r, r + 8, a[2], a[3] = the same 8 columns on
     B (16-by-8)  b[0], b[1] = column r, the second 8 rows on  */

#ifndef GE_TENSOR_CUH
#define GE_TENSOR_CUH 1

#include "base/numbers.cuh"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
/* One of the four products of 8-by-4 and 4-by-8 tiles; the parts of the
   fragments are those of m16n8k8.  */
GE_DEVICE_INLINE void
multiply_small_tiles (double c[2], double a, double b)
{
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
               "{%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
}
GE_DEVICE_INLINE void
multiply_tiles (double c[4], double a0, double a1, double a2, double a3,
                double b0, double b1)
{
  multiply_small_tiles (c, a0, b0);
  multiply_small_tiles (c + 2, a1, b0);
  multiply_small_tiles (c, a2, b1);
  multiply_small_tiles (c + 2, a3, b1);
}
GE_DEVICE_INLINE void
multiply_thin_tiles (double c[4], double a0, double a1, double a2, double a3,
                     double b0, double b1)
{
  multiply_tiles (c, a0, a1, a2, a3, b0, b1);
}
#else
GE_DEVICE_INLINE void
multiply_tiles (double c[4], double a0, double a1, double a2, double a3,
                double b0, double b1)
{
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a0), "d"(a1), "d"(a2), "d"(a3), "d"(b0), "d"(b1));
}

/* By two instructions m16n8k4, of which one warp alone can keep the tensor cores busy, if others
   come between the two; of m16n8k8 it takes two warps.  */
GE_DEVICE_INLINE void
multiply_thin_tiles (double c[4], double a0, double a1, double a2, double a3,
                     double b0, double b1)
{
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
               "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a0), "d"(a1), "d"(b0));
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
               "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a2), "d"(a3), "d"(b1));
}
#endif

/* COUNT numbers as sums of two of 11 bits, which the tensor cores multiply exactly; they
   ignore the other bits of SMALL.  */
template <int COUNT> struct short_pair
{
  unsigned large[COUNT], small[COUNT];
};
template <int COUNT>
GE_DEVICE_INLINE short_pair<COUNT>
split (const float (&x)[COUNT])
{
  short_pair<COUNT> p;
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    {
      p.large[i] = (__float_as_uint (x[i]) + 0x1000) & 0xffffe000;
      p.small[i] = __float_as_uint (x[i] - __uint_as_float (p.large[i]));
    }
  return p;
}

/* C += A B */
GE_DEVICE_INLINE void
multiply_short (float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* C += the products of small and large parts; those of small ones are negligible.  */
GE_DEVICE_INLINE void
add_small (float (&c)[4], const short_pair<4> &a, const short_pair<2> &b)
{
  multiply_short (c, a.small, b.large);
  multiply_short (c, a.large, b.small);
}

GE_DEVICE_INLINE void
multiply_tiles (float c[4], float a0, float a1, float a2, float a3, float b0,
                float b1)
{
  const short_pair<4> x = split<4> ({ a0, a1, a2, a3 });
  const short_pair<2> y = split<2> ({ b0, b1 });
  float sum[4] = {};
  add_small (sum, x, y);
  multiply_short (sum, x.large, y.large);
#pragma unroll
  for (int k = 0; k < 4; k++)
    c[k] += sum[k];
}

/* C += A B; both together if there are 4 numbers of A, the first 8 columns and rows if
   there are two.  */
GE_DEVICE_INLINE void
multiply_halves (float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
GE_DEVICE_INLINE void
multiply_halves (float (&c)[4], const unsigned (&a)[2], const unsigned (&b)[1])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

/* B for multiply_halves twice, X and Y: blocks of 8 by 8 numbers in shared memory, each
   column of B, or row if TRANSPOSED, together.  AT: the address, in shared memory, of column
   lane % 8 of block lane / 8, of those of X and then those of Y.  */
template <bool TRANSPOSED>
GE_DEVICE_INLINE void
load_halves (unsigned (&x)[1], unsigned (&y)[1], unsigned at)
{
  if constexpr (TRANSPOSED)
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
        : "=r"(x[0]), "=r"(y[0])
        : "r"(at));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(x[0]), "=r"(y[0])
                 : "r"(at));
}
template <bool TRANSPOSED>
GE_DEVICE_INLINE void
load_halves (unsigned (&x)[2], unsigned (&y)[2], unsigned at)
{
  if constexpr (TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(y[0]), "=r"(y[1])
                 : "r"(at));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(y[0]), "=r"(y[1])
                 : "r"(at));
}

/* C += X Y of the products of X with the parts of Y, or of conj (Y).  The first two
   numbers of a tile are real parts, the others imaginary ones.  */
template <bool CONJUGATE, typename R, int PARTS>
GE_DEVICE_INLINE void
add_products (R (&c)[4], const R (&sum)[PARTS][4])
{
#pragma unroll
  for (int q = 0; q < 4; q++)
    {
      c[q] += sum[0][q];
      if (PARTS == 2)
        c[q] += CONJUGATE == q < 2 ? sum[PARTS - 1][q ^ 2]
                                   : -sum[PARTS - 1][q ^ 2];
    }
}

#endif
