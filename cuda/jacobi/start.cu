/* Eigenvectors for gpu_jacobi_eig by the solvers of gpu_eig, and their verification.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/plugin.h"
#include "base/verify.cuh"
#include "jacobi/jacobi.cuh"
#include "plan/forms.h"

#include <float.h>
#include <string.h>

/* Errors of page P: see ge_cuda_eigenpairs.  */
template <typename T>
static gpueig_status
find_errors (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
             double *orthogonality, double *residual)
{
  typedef ge_real<T> R;
  const int64_t n = s->n;
  const R *lambda = (const R *) s->lambda + p * n;
  const int mark = ge_mark (ctx);
  T *scalars;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &scalars));
  for (int64_t i = 0; i < n; i++)
    scalars[i] = to_scalar (lambda[i], T ());
  GE_TRY (ge_cuda_eigenpairs<T> (ctx, n, n, (const T *) s->a + p * n * n,
                                 (const T *) s->v + p * n * n, scalars,
                                 orthogonality, residual));
  return ge_close_frame (ctx, mark);
}

/* All pages of S by METHOD, whose name binds if NAMED; what it overwrites is a copy.  */
template <typename T>
static gpueig_status
eig_by (gpueig_context *ctx, const gpueig_symmetric *s, ge_method method,
        int named, gpueig_info *info)
{
  typedef ge_real<T> R;
  const gpueig_options usual = {};
  const int64_t values = s->n * s->pages, all = s->n * values;
  const int in_place
      = method == GE_METHOD_EIG_MRRR || method == GE_METHOD_EIG_SYEVD;
  gpueig_symmetric copy = *s;
  R *lambda = (R *) s->lambda;
  T *a = (T *) s->v;
  const int mark = ge_mark (ctx);
  copy.guess = NULL;
  if (! in_place)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, values, &lambda));
  if (method != GE_METHOD_EIG_ONESIDED)
    {
      if (! in_place || ! a)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &a));
      GE_TRY (ge_copy (ctx, a, (const T *) s->a, all));
      copy.a = a;
    }
  copy.lambda = lambda;
  const gpueig_status status
      = ge_cuda_eig_by (ctx, &copy, method, named, &usual, info);
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  if (! in_place)
    GE_TRY (ge_fetch (ctx, (R *) s->lambda, lambda, values));
  ge_release (ctx, mark);
  return status;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_start (gpueig_context *ctx, const gpueig_symmetric *s,
                      unsigned char *left, double *worst, gpueig_info *info)
{
  typedef ge_real<T> R;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  gpueig_info one;
  const int mark = ge_mark (ctx);
  static const ge_method first[]
      = { GE_METHOD_EIG_ONESIDED, GE_METHOD_EIG_DC, GE_METHOD_EIG_MRRR };
  const int64_t pages = ge_stack_pages (ctx, s->pages);
  const ge_jacobi_start start = ge_jacobi_start_of (s->n, pages);
  ge_info_begin (&one);
  const ge_method methods[]
      = { first[start], GE_METHOD_EIG_SYEVD, GE_METHOD_EIG_MRRR };
  gpueig_status status = GPUEIG_SOLVER_FAILED;
  for (int i = 0; i < 3 && status == GPUEIG_SOLVER_FAILED; i++)
    {
      ge_release (ctx, mark);
      status = eig_by<T> (ctx, s, methods[i], i > 0, &one);
    }
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  info->time_solve += one.time_solve;
  info->time_transfer += one.time_transfer;
  if (! s->v)
    return GPUEIG_OK;
  memset (left, 0, (size_t) s->pages);
  *worst = 0;
  GE_TRY (ge_timer_start (ctx));
  /* Vectors of stacks are products of rotations and reflections.  */
  const int verifies = pages == 1 || start == GE_START_MRRR;
  for (int64_t p = 0; p < s->pages && verifies; p++)
    {
      double orthogonality, residual;
      GE_TRY (find_errors<T> (ctx, s, p, &orthogonality, &residual));
      left[p] = ! ge_cuda_passes_check (s->n, eps, 0, orthogonality, residual);
      *worst = residual > *worst ? residual : *worst;
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_jacobi_start)
