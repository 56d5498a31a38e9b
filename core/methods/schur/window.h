/* The QR algorithm on a small window of a matrix on one core of the host: for early
   deflation in the GPU's QR algorithm, and for blocks too small for the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   No memory is allocated; any thread may call these functions.  Real and imaginary parts
   of the window are stored in separate planes, padded, so that operations on several
   rows or columns are SIMD operations.  */

#ifndef GE_SCHUR_WINDOW_H
#define GE_SCHUR_WINDOW_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Result of ge_deflate_window.  */
  typedef struct
  {
    int failed;     /* no convergence; H and V are undefined */
    int undeflated; /* number of undeflated rows, at the top */
    int shifts;     /* even */
    int64_t steps;  /* reflectors of the QR iteration */
  } ge_window_result;

/* ge_window_reals: number of reals of SPACE for order N.  ge_deflate_window: aggressive
   early deflation of the upper Hessenberg N-by-N window H, where SPIKE is the element of
   the matrix left of H(0, 0).  H <- U' H U, upper Hessenberg in the undeflated rows and
   a Schur form in the rows below; the element left of H(0, 0) becomes
   SPIKE conj (U(0, 0)).  SHIFTS: on exit the undeflated eigenvalues, conjugate pairs in
   adjacent places (room for N complex numbers).  With SPIKE = 0 all rows deflate: the
   Schur form.  If nothing deflates, H is unchanged and U is not written.  EXCEPTIONAL
   nonzero: exceptional shifts instead of eigenvalues of the window.

   ge_window_shifts: the eigenvalues of H, with leading dimension LD, without those at the
   end of its Schur form that deflate at once, or exceptional shifts, in a fraction of that
   time; returns their number, even, or 0 if the iteration fails.  */
#define GE_WINDOW(suffix, R)                                                   \
  int64_t ge_window_reals_##suffix (int n);                                    \
  void ge_deflate_window_##suffix (int n, void *h, void *u, const void *spike, \
                                   int exceptional, void *shifts, R *space,    \
                                   ge_window_result *result);                  \
  int ge_window_shifts_##suffix (int n, const void *h, int ld,                 \
                                 const void *spike, void *shifts, R *space,    \
                                 int exceptional);
  GE_WINDOW (s, float)
  GE_WINDOW (d, double)
  GE_WINDOW (c, float)
  GE_WINDOW (z, double)
#undef GE_WINDOW

#ifdef __cplusplus
}
#endif

#endif
