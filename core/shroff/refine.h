/* Refinement of approximate eigenpairs of general pages in SIMD lanes.  Only for typed
   files.  Layout: separate planes of real and imaginary parts, element (i, j) of lane x
   at (i + n j) L + x of its plane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_REFINE_H
#define GE_REFINE_H 1

#include "shroff/sweep.h"

typedef struct
{
  int n, lanes, left;
  int fixed;      /* LAMBDA is not changed */
  real_t *a;      /* the matrix, 2 planes of n n */
  real_t *v;      /* approximate right eigenvectors, columns of 2-norm 1 */
  real_t *lambda; /* 2 planes of n */
  real_t *y;      /* with LEFT: left eigenvectors, columns */
  real_t *r, *lu, *old, *old_lambda; /* scratch */
  /* per lane, in units of n eps |A|_1: |A V - V D|_1 and |A' Y - Y D'|_1 */
  real_t ratio[GE_LANES], left_ratio[GE_LANES];
  real_t norm[GE_LANES]; /* |A|_1 */
  ge_stop *stop;         /* polled between columns; may be NULL */
} ge_refine;

/* Lay S out AT an aligned address; returns the end.  */
char *FN (ge_refine_lay_out) (ge_refine *s, int n, int lanes, int left,
                              char *at);

/* Improve V and LAMBDA, then compute Y, until the ratios are as small as LAPACK's or
   do not decrease any more.  A is overwritten.  */
void FN (ge_refine_run) (ge_refine *s);

#endif
