/* The QR iteration on device memory: arguments of its kernels, early deflation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_ITERATION_CUH
#define GE_SCHUR_ITERATION_CUH 1

#include "schur/window.cuh"

enum
{
  GE_MOST_CHAINS = 16
};

/* Leading dimension of U for a window of SIZE rows.  */
#define GE_STRIDE_OF(size)                                                     \
  ((size) <= GE_WINDOW_ORDER ? (int) GE_WINDOW_ORDER : (size))

/* The window of one chain in one hop.  */
typedef struct
{
  int first, last;   /* rows of H */
  int begin, end;    /* ticks */
  int bulge, bulges; /* number of the first one, and how many */
  int left, right;   /* columns of H that get products from the left */
  int above, below;  /* rows that get products from the right */
} chain_window;

typedef struct
{
  int top, bottom; /* of the active block */
  int pairs;       /* of shifts, used in turn */
  int chains;
  chain_window window[GE_MOST_CHAINS];
} hop;

/* --- early deflation, aed.cu --- */

/* The position of a window.  */
typedef struct
{
  int top;         /* first row of the active block, whose last row is given */
  int first, size; /* of the window */
} window_place;

typedef struct
{
  int failed;
  int changed;  /* nonzero: U is to be applied */
  int deflated; /* rows, at the bottom */
  int shifts;   /* even */
  int64_t steps;
  double host_time; /* seconds */
} deflation_result;

/* Host memory; what the device reads or writes is pinned.  */
template <typename T> struct aed
{
  int whole; /* rows of active blocks that are one window */
  window_place *place;
  T *h, *u;
  ge_complex<T> *shifts, *undeflated;
  ge_real<T> *space;
};

/* MOST: rows of a window.  */
template <typename T>
gpueig_status ge_aed_prepare (gpueig_context *ctx, aed<T> *e, int whole,
                              int most);

/* Copy to the host: the active block that ends in row BOTTOM if it has at most
   E->whole rows, otherwise its trailing window of WANTED rows.  */
template <typename T>
gpueig_status ge_aed_fetch (gpueig_context *ctx, const aed<T> *e, int n, T *h,
                            int bottom, int wanted);

/* SHIFT on the device <- COUNT shifts, an even number: eigenvalues of the last rows of the
   window.  0: they were not found.  */
template <typename T>
gpueig_status ge_aed_shifts (gpueig_context *ctx, const aed<T> *e,
                             int exceptional, ge_complex<T> *shift, int *count,
                             double *host_time);

/* Deflate the window in host memory; SHIFTS: the undeflated eigenvalues become shifts.  By
   any thread.  */
template <typename T>
void ge_aed_deflate (const aed<T> *e, int exceptional, int shifts,
                     deflation_result *r);

/* On the device: the deflated window in H, U, with leading dimension GE_STRIDE_OF (size),
   and the R->shifts shifts SHIFT.  */
template <typename T>
gpueig_status ge_aed_store (gpueig_context *ctx, const aed<T> *e,
                            const deflation_result *r, int n, T *h, T *u,
                            ge_complex<T> *shift);

#endif
