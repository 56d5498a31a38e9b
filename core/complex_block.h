/* A block of general pages from input to output by the Jacobi-like method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_BLOCK_H
#define GE_COMPLEX_BLOCK_H 1

#include "core.h"

enum
{
  GE_PAGE_DONE,
  GE_PAGE_STALLED, /* the answer is not good: a Schur-based solver is due */
  GE_PAGE_LIMITED, /* the user's sweep limit was reached */
  GE_PAGE_AGAIN,   /* eigenvalues alone are not sure: once more with vectors */
  GE_PAGE_RAW,     /* pairs, phases and order are still to be made */
  GE_PAGE_RAW_HERMITIAN /* the same, and the page is Hermitian */
};

typedef struct
{
  const gpueig_general *problem;
  double tol;          /* stop at |off (A)|_F <= tol |A|_F */
  int max_sweeps;      /* then the page has stalled, or */
  int limited;         /* nonzero: was limited by the user */
  int lanes;           /* pages of a block: 1 or all lanes */
  int vectors;         /* work with V, even if only eigenvalues are wanted */
  const int64_t *list; /* the pages; NULL: all */
} ge_block_job;

/* What a block tells: the most sweeps of a page and off / |A|_F after each, the
   largest of its pages.  */
typedef struct
{
  int sweeps;
  double off[GPUEIG_MAX_HISTORY];
} ge_block_report;

/* Of general_form.h, for pages of other solvers.  */
int64_t ge_form_bytes_c (int64_t n);
int64_t ge_form_bytes_z (int64_t n);
void ge_form_sort_c (int64_t n, void *scratch, float *lambda, float *v,
                     float *w);
void ge_form_sort_z (int64_t n, void *scratch, double *lambda, double *v,
                     double *w);
float ge_form_raw_c (int64_t n, int real, int hermitian, void *scratch,
                     float *lambda, float *v, float *w);
double ge_form_raw_z (int64_t n, int real, int hermitian, void *scratch,
                      double *lambda, double *v, double *w);

/* Between sweeps of a single page, and, SWEEP being 0, within them and within
   what follows; may be NULL.  Nonzero: stop.  */
typedef int ge_block_watch (void *data, int sweep, double off);

/* Bytes of workspace.  */
int64_t ge_block_bytes_c (int64_t n, int lanes);
int64_t ge_block_bytes_z (int64_t n, int lanes);

/* How many lanes a block of this precision has.  */
int ge_block_lanes_c (void);
int ge_block_lanes_z (void);

/* The pages numbered job->list[FIRST .. FIRST + COUNT - 1], COUNT <= lanes;
   STATE[page] says how it went.  Any thread may call it.  */
void ge_block_run_c (const ge_block_job *job, int64_t first, int count,
                     void *space, unsigned char *state, ge_block_report *report,
                     ge_block_watch *watch, void *data);
void ge_block_run_z (const ge_block_job *job, int64_t first, int count,
                     void *space, unsigned char *state, ge_block_report *report,
                     ge_block_watch *watch, void *data);

#endif
