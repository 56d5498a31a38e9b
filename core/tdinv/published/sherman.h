/* The tree of the recursive Sherman-Morrison method, for C and for CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Needs GE_INLINE of scalar.h or scalar.cuh.

   On level k the rows are divided into 2^k nodes of about n / 2^k rows; the leaves, on
   level tdinv_levels (n), have one or two rows, all two if n is a power of two, as in
   the paper.  */

#ifndef GE_TDINV_SHERMAN_H
#define GE_TDINV_SHERMAN_H 1

/* The number of levels; 0 for n <= 2.  */
GE_INLINE int
tdinv_levels (int64_t n)
{
  int levels = 0;
  while (((int64_t) 2 << levels) < n)
    levels++;
  return levels;
}

/* The first row of node T on level K.  */
GE_INLINE int64_t
tdinv_node_begin (int64_t n, int k, int64_t t)
{
  return (t * n) >> k;
}

/* The node on level K that contains row J.  */
GE_INLINE int64_t
tdinv_node_of (int64_t n, int k, int64_t j)
{
  return (((j + 1) << k) - 1) / n;
}

#endif
