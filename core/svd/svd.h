/* Singular value decompositions on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   svd.c           gpueig_svd, and the CPU's solver
   lapack_typed.c  one page by LAPACK, verified
   lanes_typed.c   small pages by one-sided Jacobi, one per SIMD lane
   pinv.c, pinv_typed.c  gpueig_pinv  */

#ifndef GE_SVD_H
#define GE_SVD_H 1

#include "base/solver.h"
#include "gpueig_svd.h"

/* A problem as passed to solvers, which set STATE nonzero for pages that they could not
   solve; LAPACK solves those.  HIGH: to high relative accuracy.  */
typedef struct
{
  gpueig_svd_problem svd;
  int high;
  unsigned char *state; /* one per page, 0 on entry */
} ge_svd_problem;

/* The short and the long side, the number of singular values wanted, of columns of U and
   of V.  */
static inline int64_t
ge_svd_short (const gpueig_svd_problem *p)
{
  return p->m < p->n ? p->m : p->n;
}

static inline int64_t
ge_svd_long (const gpueig_svd_problem *p)
{
  return p->m < p->n ? p->n : p->m;
}

static inline int64_t
ge_svd_values (const gpueig_svd_problem *p)
{
  return p->first ? p->last - p->first + 1 : ge_svd_short (p);
}

static inline int64_t
ge_svd_columns (const gpueig_svd_problem *p, int64_t rows)
{
  return p->full ? rows : ge_svd_values (p);
}

/* One page, whose arrays the caller passes; SPACE is workspace of
   ge_svd_lapack_bytes.  */
typedef struct
{
  const void *a;
  void *s, *u, *v;
} ge_svd_page;

typedef enum
{
  GE_SVD_DONE,
  GE_SVD_FELL_BACK, /* another routine of LAPACK finished the page */
  GE_SVD_FAILED
} ge_svd_outcome;

/* Solve COUNT <= GE_SVD_LANES pages from page FIRST on, with SPACE of
   ge_svd_lanes_bytes; *SWEEPS becomes the largest number.  */
#define GE_SVD_PROTOTYPES(suffix)                                              \
  gpueig_status ge_svd_lapack_bytes_##suffix (                                 \
      gpueig_context *, const ge_svd_problem *, int64_t *bytes);               \
  ge_svd_outcome ge_svd_lapack_##suffix (const ge_svd_problem *, ge_svd_page,  \
                                         void *space);                         \
  int ge_svd_lanes_##suffix (void);                                            \
  int64_t ge_svd_lanes_bytes_##suffix (const ge_svd_problem *);                \
  void ge_svd_group_##suffix (const ge_svd_problem *, int64_t first,           \
                              int64_t count, void *space, int *sweeps);        \
  gpueig_status ge_pinv_page_##suffix (                                        \
      gpueig_context *, const gpueig_pinv_problem *, ge_svd_page, void *x);
GE_SVD_PROTOTYPES (s)
GE_SVD_PROTOTYPES (d)
GE_SVD_PROTOTYPES (c)
GE_SVD_PROTOTYPES (z)
#undef GE_SVD_PROTOTYPES

#endif
