/* Solution of a block of general pages by the Jacobi-like method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_BLOCK_H
#define GE_COMPLEX_BLOCK_H 1

#include "base/solver.h"
#include "shroff/shroff.h"

typedef struct
{
  const gpueig_general *problem;
  double tol;     /* stop at |off (A)|_F <= tol |A|_F */
  int max_sweeps; /* limit of sweeps; a page that reaches it has stalled */
  int limited;    /* nonzero: the limit is the user's, see GE_PAGE_LIMITED */
  int lanes;      /* pages of a block: 1 or ge_block_lanes */
} ge_block_job;

/* Result of a block: the largest number of sweeps of a page, and after each sweep the
   largest |off (A)|_F / |A|_F of its pages.  */
typedef struct
{
  int sweeps;
  double off[GPUEIG_MAX_HISTORY];
} ge_block_report;

/* Callback of single pages: after every sweep, and with SWEEP = 0 within sweeps and
   refinement.  May be NULL.  A nonzero result stops the computation.  */
typedef int ge_block_watch (void *data, int sweep, double off);

/* Bytes of workspace.  */
int64_t ge_block_bytes_c (int64_t n, int lanes);
int64_t ge_block_bytes_z (int64_t n, int lanes);

/* The number of lanes of a block of this precision.  */
int ge_block_lanes_c (void);
int ge_block_lanes_z (void);

/* Solve pages FIRST .. FIRST + COUNT - 1, COUNT <= lanes; STATE[page] is set
   to one of GE_PAGE_DONE ...  Any thread may call it.  */
void ge_block_run_c (const ge_block_job *job, int64_t first, int count,
                     void *space, unsigned char *state, ge_block_report *report,
                     ge_block_watch *watch, void *data);
void ge_block_run_z (const ge_block_job *job, int64_t first, int count,
                     void *space, unsigned char *state, ge_block_report *report,
                     ge_block_watch *watch, void *data);

#endif
