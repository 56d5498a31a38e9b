/* The QR iteration on device memory: what its kernels are told.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_ITERATION_CUH
#define GE_SCHUR_ITERATION_CUH 1

#include "schur/deflation.cuh"

enum
{
  GE_WINDOW_ROWS = 64, /* of a window of a sweep and of early deflation */
  GE_MOST_CHAINS = 16
};

/* What early deflation tells the host.  */
typedef struct
{
  int state;         /* GE_CONVERGED or GE_FAILED */
  int top;           /* of the active block, whose bottom is given */
  int first, size;   /* of the window */
  int changed;       /* U is to be applied */
  int deflated;      /* rows, at the bottom */
  int shifts, ticks; /* even number of shifts */
} deflation_result;

/* The window of one chain in one hop.  */
typedef struct
{
  int first, last;   /* rows of H */
  int begin, end;    /* ticks */
  int bulge, bulges; /* first one and number */
} chain_window;

typedef struct
{
  int top, bottom; /* of the active block */
  int chains;
  chain_window window[GE_MOST_CHAINS];
} hop;

#endif
