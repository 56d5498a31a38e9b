/* Common to two-sided Jacobi on both backends: options and their defaults, widths of
   blocks, scale of a matrix, info of several pages.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_CONTROL_H
#define GE_JACOBI_CONTROL_H 1

#include "base/backend.h"
#include "base/inline.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Stopping criterion: |a_ij| <= tol sqrt |a_ii a_jj| or, unless HIGH, |a_ij| <= a floor
   that each method documents, for all i != j.  */
typedef struct
{
  double tol;
  int64_t max_sweeps;
  int64_t max_rotations; /* classical; 0: no limit */
  int high;
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
  control.high = options->high_accuracy;
  control.close_guess = INFINITY;
  if (control.tol == 0)
    control.tol = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  if (control.max_sweeps == 0)
    control.max_sweeps = 50;
  return control;
}

/* The exponent of the power of two that scales a matrix of order N with largest element
   m 2^E, 1/2 <= m < 1: to near 1, or, for HIGH accuracy, to the largest for which no
   sum overflows, so that the smallest elements of a graded matrix stay normal
   numbers; their squares are not needed.  */
GE_INLINE int
ge_jacobi_exponent (int is_double, int64_t n, int e, int high)
{
  const int limit = is_double ? 1020 : 124;
  int bits = 0;
  while (bits < 30 && n >> bits > 0)
    bits++;
  e = (high ? (is_double ? 1014 : 118) - bits : 0) - e;
  return e < -limit ? -limit : e > limit ? limit : e;
}

static inline double
ge_jacobi_scale (int is_double, int64_t n, double largest, int high)
{
  int e;
  if (largest == 0)
    return 1;
  frexp (largest, &e);
  return ldexp (1, ge_jacobi_exponent (is_double, n, e, high));
}

/* The power of two that scales a guess with the LARGEST element to near 1; 1 unless
   squares could over- or underflow.  */
static inline double
ge_jacobi_guess_scale (int is_double, double largest)
{
  const double safe = is_double ? 1e75 : 1e9;
  if (largest < safe && largest > 1 / safe)
    return 1;
  return ge_jacobi_scale (is_double, 1, largest, 0);
}

/* Nonzero if with the diagonal elements LEAST > 0, the smallest, and LARGEST of a
   matrix, scaled for high accuracy, the smallest eigenvalues are subnormal
   numbers.  */
GE_INLINE int
ge_jacobi_exceeds (int is_double, double least)
{
  return least > 0 && least < (is_double ? 1e-306 : 1e-36);
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
