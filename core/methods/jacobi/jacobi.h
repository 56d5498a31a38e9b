/* gpueig_jacobi_eig on the CPU: two-sided Jacobi.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   jacobi_eig.c        gpueig_jacobi_eig, choice of the method, pages
   pages_typed.c       one page: scaling, method, sorting
   refine_typed.c      refinement of approximate eigenvectors, by GEMMs
   accurate_typed.c    whether they need it
   close_typed.c       whether a guess is close to them
   published/classical_typed.c  the largest element as pivot: for comparison with a
                       paper, never chosen by "auto"  */

#ifndef GE_JACOBI_H
#define GE_JACOBI_H 1

#include "base/solver.h"
#include "jacobi/control.h"

/* One page, by the classical method or by refinement of approximate vectors; GUESS and V
   may be NULL.  With GPUEIG_NO_CONVERGENCE LAMBDA and V are those of the last sweep;
   GPUEIG_SOLVER_FAILED if there are no approximate vectors, or the refined ones are not
   orthonormal.  */
#define GE_JACOBI_PROTOTYPES(suffix)                                           \
  gpueig_status ge_jacobi_page_##suffix (                                      \
      gpueig_context *, int classical, int64_t n, const void *a,               \
      const void *guess, void *lambda, void *v, const ge_jacobi_control *,     \
      gpueig_info *);
GE_FOR_TYPES (GE_JACOBI_PROTOTYPES)

#endif
