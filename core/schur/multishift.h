/* The small-bulge multishift QR iteration on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_MULTISHIFT_H
#define GE_SCHUR_MULTISHIFT_H 1

#include <stdint.h>

/* H <- U' H U, the Schur form of the N-by-N matrix H, which is upper Hessenberg in rows
   and columns FIRST .. BELOW - 1 and upper triangular outside; Z <- Z U, unless it is
   NULL.  H does not depend on whether Z is wanted.  SPACE: ge_multishift_bytes.  Products
   are BLAS's.  Nonzero if there is no convergence.  Any thread may call it.  */
#define GE_MULTISHIFT(suffix)                                                  \
  int64_t ge_multishift_bytes_##suffix (int64_t n);                            \
  int ge_multishift_##suffix (int64_t n, int64_t first, int64_t below,         \
                              void *h, void *z, void *space);
GE_MULTISHIFT (s)
GE_MULTISHIFT (d)
GE_MULTISHIFT (c)
GE_MULTISHIFT (z)
#undef GE_MULTISHIFT

#endif
