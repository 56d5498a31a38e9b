/* Products of small tiles by the tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Double precision, IEEE rounding of every product-and-sum.  A warp holds tiles in
   the fragments of the instruction mma.m16n8k8 (PTX ISA): with r = lane / 4 and
   c = lane % 4 a lane has

     A (16-by-8)  a[0] = (r, c), a[1] = (r + 8, c), a[2] = (r, c + 4), a[3] = (r + 8, c + 4)
     B (8-by-8)   b[0] = (c, r), b[1] = (c + 4, r)
     C (16-by-8)  c[0] = (r, 2 c), c[1] = (r, 2 c + 1), c[2], c[3] = the same 8 rows on

   sm_80 has m8n8k4 only, four of which make one m16n8k8.  */

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
#endif

#endif
