/* What the parts of gpueig_jacobi_eig on the CPU share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   jacobi_eig.c              front, choice of the method, pages
   jacobi/pages_typed.c        one page: scaling, method, sorting
   jacobi/cyclic_typed.c     element-wise cyclic Jacobi in tournament order
   jacobi/block_typed.c      blocked cyclic Jacobi
   jacobi/refine_typed.c     from approximate eigenvectors, by GEMMs
   jacobi/published/classical_typed.c  the largest element as pivot  */

#ifndef GE_JACOBI_H
#define GE_JACOBI_H 1

#include "base/solver.h"

/* When to stop: |a_ij| <= tol sqrt |a_ii a_jj|, or, unless HIGH, below the floor
   that each method documents.  */
typedef struct
{
  double tol;
  int64_t max_sweeps;
  int64_t max_rotations; /* classical; 0: no limit */
  int high;
} ge_jacobi_control;

typedef enum
{
  GE_JACOBI_CYCLIC, /* "block" where one block is all there is */
  GE_JACOBI_BLOCK,
  GE_JACOBI_REFINE, /* "preconditioned" */
  GE_JACOBI_CLASSICAL
} ge_jacobi_method;

/* Columns of a block, and of the problem of a pair of blocks.  */
enum
{
  GE_JACOBI_WIDTH = 32,
  GE_JACOBI_PAIR = 2 * GE_JACOBI_WIDTH
};

/* GUESS and V may be NULL.  GPUEIG_NO_CONVERGENCE leaves the best so far in
   LAMBDA and V.  ge_jacobi_pages does all pages by the cyclic method, the pages
   spread over the threads.  */
#define GE_JACOBI_PROTOTYPES(suffix)                                           \
  gpueig_status ge_jacobi_page_##suffix (                                      \
      gpueig_context *, ge_jacobi_method, int64_t n, const void *a,            \
      const void *guess, void *lambda, void *v, const ge_jacobi_control *,     \
      gpueig_info *);                                                          \
  gpueig_status ge_jacobi_pages_##suffix (                                     \
      gpueig_context *, const gpueig_symmetric *, const ge_jacobi_control *,   \
      gpueig_info *);
GE_JACOBI_PROTOTYPES (s)
GE_JACOBI_PROTOTYPES (d)
GE_JACOBI_PROTOTYPES (c)
GE_JACOBI_PROTOTYPES (z)

#endif
