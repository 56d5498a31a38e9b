/* gpueig_jacobi_eig on the CPU: two-sided Jacobi.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   jacobi_eig.c        gpueig_jacobi_eig, choice of the method, pages
   pages_typed.c       one page: scaling, method, sorting
   cyclic_typed.c      element-wise cyclic Jacobi in tournament order
   refine_typed.c      refinement of approximate eigenvectors, by GEMMs
   accurate_typed.c    whether they need it
   pair.c, pair_typed.c  definite pairs (A, B)
   newton_typed.c      their refinement
   published/classical_typed.c  the largest element as pivot: for comparison with a
                       paper, never chosen by "auto"  */

#ifndef GE_JACOBI_H
#define GE_JACOBI_H 1

#include "base/solver.h"
#include "jacobi/control.h"

typedef enum
{
  GE_JACOBI_CYCLIC, /* "block" */
  GE_JACOBI_REFINE, /* "preconditioned" */
  GE_JACOBI_CLASSICAL
} ge_jacobi_method;

/* ge_jacobi_page solves one page; GUESS and V may be NULL.  With GPUEIG_NO_CONVERGENCE
   LAMBDA and V are those of the last sweep.  ge_jacobi_pages solves all pages by the
   cyclic method, one thread per page.  */
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
