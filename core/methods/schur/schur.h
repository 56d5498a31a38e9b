/* The Schur form and its order on the CPU, by our QR iteration and by LAPACK's xGEES, also
   for pages on which the GPU's QR algorithm fails; parts of that that run on the host.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   schur.c          gpueig_schur, and the CPU's solver
   gees_typed.c     xGEES by type (qr.h)
   qr_typed.c       Hessenberg form and iteration in its place
   hessenberg_typed.c  the first of them
   multishift_typed.c  the multishift iteration on large matrices
   reorder.c, reorder_typed.c  the order of the eigenvalues (reorder.h)
   rounds.c         which rows move, windows of several groups at a time
   balance_typed.c  scaling and balancing, for the GPU too (balance.h)
   window_typed.c   the QR algorithm on a small window, for the GPU's iteration
   deflation_typed.c  early deflation there (window.h)
   exchange_typed.c   exchange of blocks (planes.h, window_lanes.h)
   bulges.h, standard_form.h  shared with cuda/schur  */

#ifndef GE_SCHUR_H
#define GE_SCHUR_H 1

#include "base/solver.h"
#include "gpueig_schur.h"

/* A problem as passed to solvers.  TYPE and A are those of the result (a real A is already
   widened).  Solvers set STATE nonzero for pages that they could not solve.  With JOB the
   solver reorders the form A with the vectors FROM_U instead.  */
typedef struct
{
  gpueig_schur_problem schur;
  unsigned char *state; /* one per page, 0 on entry */
  const void *from_u;
  const struct ge_reorder_job *job; /* see reorder.h */
} ge_schur_problem;

#endif
