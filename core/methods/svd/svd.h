/* Singular value decompositions on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   svd.c           gpueig_svd, and the CPU's solver
   lapack_typed.c  one page by LAPACK, verified
   graded_typed.c  one page whose values span more than the range of numbers
   gram_typed.c    one large or tall page by its Gram matrix
   lanes_typed.c   small pages by one-sided Jacobi, one per SIMD lane (lanes.h)
   start_typed.c   its starting vectors, by Gram matrices
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
  int high, gram; /* GRAM: on the CPU, pages may be solved by ge_svd_gram */
  unsigned char *state; /* one per page, 0 on entry */
} ge_svd_problem;

/* The short and the long side, the numbers of requested singular values and of columns of U
   and of V.  */
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

/* Nonzero if values without vectors come from a bidiagonal form, as in xGESDD without its
   queries and norms; for taller pages xGESDD reduces the triangular factor.  */
static inline int
ge_svd_by_bidiagonal_form (const ge_svd_problem *p)
{
  return ! p->svd.u && ! p->high
         && 6 * ge_svd_long (&p->svd) < 11 * ge_svd_short (&p->svd);
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

/* A page for ge_svd_graded: OF_U columns of U, OF_V rows of VT; the values are S 2^E.  */
typedef struct
{
  int64_t m, n, of_u, of_v;
  int vectors;
  const void *a;
  void *u, *vt, *s;
  int *e;
} ge_svd_graded_page;

/* ge_svd_is_graded: nonzero if the page is for ge_svd_graded, which returns LAPACK's info;
   both with SPACE of ge_svd_graded_bytes.
   ge_svd_scale: B = A 2^-EXPONENT, or if TRANSPOSE the conjugate transpose of it.
   ge_svd_deviation: the norm of Q'Q x - x, or with a wide Q of Q Q'x - x, for random signs
   x; SPACE for 3 max (ROWS, COLUMNS) scalars.  ge_svd_length: the norm of a vector.
   ge_svd_signs: X becomes N pseudorandom numbers 1 and -1.
   ge_svd_gram: solve a page with SPACE of ge_svd_gram_bytes; 0 if its condition is not
   moderate.  Not for square U and V of others than square pages, nor values alone.
   ge_svd_large_gram: the same, interruptible.
   ge_svd_start: F, N columns of L numbers, for HALVES of GROUP becomes F V, V, orthonormal
   eigenvectors of F'F or nearly so, below; SCRATCH of ge_svd_start_bytes.
   ge_svd_group: solve COUNT <= ge_svd_lanes () pages from page FIRST on, with SPACE
   of ge_svd_lanes_bytes; *SWEEPS becomes the largest number.  */
#define GE_SVD_PROTOTYPES(suffix, real)                                        \
  gpueig_status ge_svd_lapack_bytes_##suffix (                                 \
      gpueig_context *, const ge_svd_problem *, int64_t *bytes);               \
  ge_svd_outcome ge_svd_lapack_##suffix (const ge_svd_problem *, ge_svd_page,  \
                                         void *space);                         \
  int64_t ge_svd_graded_bytes_##suffix (const ge_svd_graded_page *);           \
  int ge_svd_is_graded_##suffix (const ge_svd_graded_page *, void *space);     \
  int ge_svd_graded_##suffix (const ge_svd_graded_page *, void *space);        \
  void ge_svd_scale_##suffix (int64_t m, int64_t n, const void *a,             \
                              int exponent, int transpose, void *b);           \
  real ge_svd_deviation_##suffix (int64_t rows, int64_t columns,               \
                                  const void *q, void *space);                 \
  real ge_svd_length_##suffix (int64_t n, const void *x);                      \
  void ge_svd_signs_##suffix (int64_t n, void *x);                             \
  int64_t ge_svd_gram_bytes_##suffix (const gpueig_svd_problem *);             \
  int ge_svd_gram_##suffix (const gpueig_svd_problem *, ge_svd_page,           \
                            void *space);                                      \
  gpueig_status ge_svd_large_gram_##suffix (                                   \
      gpueig_context *, const gpueig_svd_problem *, ge_svd_page, int *solved); \
  int64_t ge_svd_start_bytes_##suffix (int64_t n);                             \
  void ge_svd_start_##suffix (int64_t l, int64_t n, int64_t rows, int halves,  \
                              void *group, void *scratch);                     \
  int ge_svd_lanes_##suffix (void);                                            \
  int64_t ge_svd_lanes_bytes_##suffix (const ge_svd_problem *);                \
  void ge_svd_group_##suffix (const ge_svd_problem *, int64_t first,           \
                              int64_t count, void *space, int *sweeps);        \
  gpueig_status ge_pinv_page_##suffix (                                        \
      gpueig_context *, const gpueig_pinv_problem *, ge_svd_page, void *x);
GE_SVD_PROTOTYPES (s, float)
GE_SVD_PROTOTYPES (d, double)
GE_SVD_PROTOTYPES (c, float)
GE_SVD_PROTOTYPES (z, double)
#undef GE_SVD_PROTOTYPES

#endif
