/* The QR algorithm on one small window of a matrix on one core: for early deflation
   beside a GPU, and for blocks too small for one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Nothing is allocated, any thread may call.  Real and imaginary parts of the
   window lie in planes of their own, with space around them, so that several
   rows or columns are one wide operation.  */

#ifndef GE_SCHUR_WINDOW_H
#define GE_SCHUR_WINDOW_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* What was found.  */
  typedef struct
  {
    int failed;     /* the iteration gave up; H and V are undefined */
    int undeflated; /* rows at the top that are left */
    int shifts;     /* even */
    int64_t steps;  /* reflectors of the QR iteration */
  } ge_window_result;

/* ge_window_reals: reals of SPACE for order N.  ge_deflate_window: aggressive early
   deflation of the upper Hessenberg N-by-N window H, SPIKE being the element
   left of its first one: H <- U' H U, Hessenberg in its rows that are left and
   a Schur form below; the element left of it becomes SPIKE conj (U (0, 0)).
   SHIFTS: N complex numbers, the eigenvalues that are left, pairs of
   conjugates together.  Without spike (0) everything deflates: the Schur form.
   Where nothing deflates, H stays and U is not written.  EXCEPTIONAL: shifts that
   are no eigenvalues of the window.  */
#define GE_WINDOW(suffix, R)                                                   \
  int64_t ge_window_reals_##suffix (int n);                                    \
  void ge_deflate_window_##suffix (int n, void *h, void *u, const void *spike, \
                                   int exceptional, void *shifts, R *space,    \
                                   ge_window_result *result);
  GE_WINDOW (s, float)
  GE_WINDOW (d, double)
  GE_WINDOW (c, float)
  GE_WINDOW (z, double)
#undef GE_WINDOW

#ifdef __cplusplus
}
#endif

#endif
