/* Solution of a block of general pages by the Jacobi-like method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_BLOCK_H
#define GE_COMPLEX_BLOCK_H 1

#include "base/solver.h"
#include "shroff/shroff.h"

/* Reals of SIZE bytes in a register of 64.  */
#define GE_BLOCK_LANES(size) (64 / (int) (size))

typedef struct
{
  const gpueig_general *problem;
  double tol;     /* stop at |off (A)|_F <= tol |A|_F */
  int max_sweeps; /* limit of sweeps; a page that reaches it has stalled */
  int limited;    /* nonzero: the limit is the user's, see GE_PAGE_LIMITED */
  int lanes;      /* pages of a block: 1 or GE_BLOCK_LANES */
} ge_block_job;

/* Result of a block: the largest number of sweeps of a page, and after each sweep the
   largest |off (A)|_F / |A|_F of its pages.  */
typedef struct
{
  int sweeps;
  double off[GPUEIG_MAX_HISTORY];
} ge_block_report;

/* ge_block_bytes: of workspace.
   ge_block_run: solve pages FIRST .. FIRST + COUNT - 1, COUNT <= lanes; STATE[page] is set
   to one of GE_PAGE_UNNORMALIZED ...  Any thread may call it, the calling one with its
   context CTX, to which sweeps are reported and whose interrupts end it; others with NULL.  */
#define GE_BLOCK_PROTOTYPES(suffix)                                            \
  int64_t ge_block_bytes_##suffix (int64_t n, int lanes);                      \
  gpueig_status ge_block_run_##suffix (                                        \
      gpueig_context *ctx, const ge_block_job *job, int64_t first, int count,  \
      void *space, unsigned char *state, ge_block_report *report);
GE_BLOCK_PROTOTYPES (c)
GE_BLOCK_PROTOTYPES (z)

#endif
