/* Refinement of approximate eigenpairs of general pages, lanes side by side.
   Only for typed files; the layout is that of shroff_lanes.h without seats:
   element (i, j) of lane x at (i + n j) L + x of its plane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_REFINE_H
#define GE_REFINE_H 1

#include "shroff_lanes.h"

typedef struct
{
  int n, lanes, left;
  real_t *a;      /* the matrix, 2 planes of n n */
  real_t *v;      /* approximate right eigenvectors, columns of 2-norm 1 */
  real_t *lambda; /* 2 planes of n */
  real_t *y;      /* with LEFT: rows become left eigenvectors, V^-1 to start */
  real_t *r, *lu, *old, *old_lambda; /* scratch */
  /* per lane: |A V - V D|_1 and |Y A - D Y| in units of n eps |A|_1, the
     latter the largest row with its norm divided out */
  real_t ratio[GE_LANES], left_ratio[GE_LANES];
  real_t norm[GE_LANES];   /* |A|_1 */
  real_t frozen[GE_LANES]; /* nonzero: V is orthonormal and stays as it is */
  /* An estimate of |X^-1|_F^2, X the vectors V as they came in coordinates
     divided by BALANCE (n per lane), columns of norm 1.  Where it reaches 1 /
     eps, eigenvalues come from a page that is defective but for rounding: each
     fits its vector, and all together do not fit the page.  */
  const real_t *balance;
  real_t inverse2[GE_LANES];
  ge_stop *stop; /* asked between columns; may be NULL */
} ge_refine;

int64_t FN (ge_refine_reals) (int64_t n, int lanes, int left);
void FN (ge_refine_place) (ge_refine *s, int n, int lanes, int left,
                           real_t *space);

/* Improve V and LAMBDA, then make Y, until the ratios are as small as LAPACK's
   own or improve no more.  */
void FN (ge_refine_run) (ge_refine *s);

#endif
