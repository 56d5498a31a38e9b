/* Common to two-sided Jacobi on both backends: options and their defaults, widths of
   blocks, scale of a matrix, info of several pages.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_CONTROL_H
#define GE_JACOBI_CONTROL_H 1

#include "base/context.h"
#include "base/inline.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Stopping criterion: |a_ij| <= tol sqrt |a_ii a_jj| or |a_ij| <= a floor that each method
   documents, for all i != j.  */
typedef struct
{
  double tol;
  int64_t max_sweeps;
  int64_t max_rotations; /* classical; 0: no limit */
  double close_guess; /* a guess with a larger off (X'AX) / |A| is not used */
} ge_jacobi_control;

/* Columns of a block, and of the problem of a pair of blocks.  */
enum
{
  GE_JACOBI_WIDTH = 32,
  GE_JACOBI_PAIR = 2 * GE_JACOBI_WIDTH
};

/* Read OPTIONS; the defaults are eps and 50 sweeps, about four times the number that
   the slowest matrices need.  */
static inline ge_jacobi_control
ge_jacobi_read_options (const gpueig_options *options, gpueig_type type)
{
  ge_jacobi_control control;
  control.tol = options->tol;
  control.max_sweeps = options->max_sweeps;
  control.max_rotations = options->max_rotations;
  control.close_guess = INFINITY;
  if (control.tol == 0)
    control.tol = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  if (control.max_sweeps == 0)
    control.max_sweeps = 50;
  return control;
}

/* The power of two that scales a matrix with the LARGEST element to near 1.  */
static inline double
ge_jacobi_scale (int is_double, double largest)
{
  const int limit = is_double ? 1020 : 124;
  int e;
  if (largest == 0)
    return 1;
  frexp (largest, &e);
  return ldexp (1, -e < -limit ? -limit : -e > limit ? limit : -e);
}

/* The power of two that scales a guess with the LARGEST element to near 1; 1 unless
   squares could over- or underflow.  */
static inline double
ge_jacobi_guess_scale (int is_double, double largest)
{
  const double safe = is_double ? 1e75 : 1e9;
  if (largest < safe && largest > 1 / safe)
    return 1;
  return ge_jacobi_scale (is_double, largest);
}

/* Merge ONE, the info of page P, into INFO: that of the page with the most sweeps.  */
static inline void
ge_jacobi_merge_info (gpueig_info *info, const gpueig_info *one, int64_t p)
{
  if (p > 0 && one->sweeps <= info->sweeps)
    return;
  info->sweeps = one->sweeps;
  info->n_off = one->n_off;
  memcpy (info->off, one->off, sizeof info->off);
  info->n_extra = one->n_extra;
  memcpy (info->extra, one->extra, sizeof info->extra);
}

#endif
