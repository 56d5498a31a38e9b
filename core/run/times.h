/* Measured times of the solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TIMES_H
#define GE_TIMES_H 1

#include "base/solver.h"

/* One measurement: PAGES random pages of order N, on the host, with VECTORS (nonzero) or
   eigenvalues alone.  A single matrix (PAGES 1) and stacks are different kinds of
   measurements.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend; /* GPUEIG_CPU or GPUEIG_CUDA */
  gpueig_type type;
  int vectors;
  int64_t n, pages;
  double seconds;  /* of the call, without transfers */
  double transfer; /* seconds between host and GPU */
} ge_time;

#endif
