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

/* The largest off (X'AX) / |A| of a guess X that saves time for S, a matrix of a stack of
   PAGES.  A step squares the error: on the CPU one must be enough, or two where one window
   holds a real matrix.  On a GPU, by measured times, small stacks are solved together.  */
static inline double
ge_jacobi_close_guess (const gpueig_symmetric *s, gpueig_backend backend,
                       int64_t pages)
{
  static const struct
  {
    int64_t n;
    double single, twice;
  } gpu[] = { { 64, 3e-5, 1e-9 },  { 96, 5e-4, 2e-8 },  { 128, 3e-3, 2e-7 },
              { 192, 2e-2, 2e-4 }, { 256, 5e-3, 2e-4 }, { 384, 2e-2, 3e-3 },
              { 512, 2e-2, 2e-2 } };
  const int rows = (int) (sizeof gpu / sizeof gpu[0]);
  const int is_double = gpueig_is_double (s->type), together = 256;
  double close = 0;
  if (backend != GPUEIG_CUDA)
    return sqrt (is_double ? DBL_EPSILON : FLT_EPSILON)
           * (s->n <= GE_JACOBI_PAIR && ! gpueig_is_complex (s->type) ? 1
                                                                      : 0.25);
  for (int k = 0; k < rows && (pages == 1 || s->n > together); k++)
    if (s->n >= gpu[k].n)
      close = is_double ? gpu[k].twice : gpu[k].single;
  return close;
}

/* A sample of COUNT of N columns, at equal distances, the last one included.  */
typedef struct
{
  int64_t first, step, count;
} ge_jacobi_sample;

static inline ge_jacobi_sample
ge_jacobi_columns (int64_t n)
{
  const int64_t count = n < 8 ? n : 8, step = n > 8 ? (n - 1) / 7 : 1;
  const ge_jacobi_sample s = { n - 1 - (count - 1) * step, step, count };
  return s;
}

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

/* Is X close to the eigenvectors of A: is off (X'AX), if X is orthonormal, at most
   LIMIT |A|?  From elements of the residuals of the columns of ge_jacobi_columns, which are A
   and X, of N elements each, at distances of STRIDE.  O(n).  */
#ifdef __cplusplus
extern "C"
{
#endif
#define GE_JACOBI_CLOSE(suffix)                                                \
  int ge_jacobi_is_close_##suffix (int64_t n, const void *a, const void *x,    \
                                   int64_t stride, double limit);
  GE_JACOBI_CLOSE (s)
  GE_JACOBI_CLOSE (d)
  GE_JACOBI_CLOSE (c)
  GE_JACOBI_CLOSE (z)
#ifdef __cplusplus
}
#endif

#endif
