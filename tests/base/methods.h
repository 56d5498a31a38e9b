/* The methods of a solver, from the library's list.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef METHODS_H
#define METHODS_H 1

#include "gpueig_methods.h"

/* Nonzero if METHOD is "auto", or one of SOLVER's that can be named on BACKEND.  */
static inline int
has_method (ge_solver_id solver, gpueig_backend backend, ge_method method)
{
  const ge_method_row *row = &ge_method_table[method];
  const unsigned place = backend == GPUEIG_CUDA ? GE_ON_CUDA : GE_ON_CPU;
  return method == GE_AUTO
         || (row->solver == solver && (row->places & place)
             && ! (row->traits & GE_UNNAMED));
}

#endif
