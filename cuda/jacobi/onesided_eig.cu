/* gpu_onesided_eig on the GPU: rotations of columns, or for large matrices preconditioned two-sided
   Jacobi.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/plugin.h"
#include "jacobi/jacobi.cuh"

/* "shifted" for large matrices.  */
template <typename T>
static gpueig_status
solve_large (gpueig_context *ctx, const gpueig_symmetric *s,
             const gpueig_options *options, gpueig_info *info)
{
  const int64_t count = s->n * s->pages;
  const ge_jacobi_control control = ge_jacobi_read_options (options, s->type);
  gpueig_symmetric copy = *s;
  ge_real<T> *lambda;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &lambda));
  copy.lambda = lambda;
  const gpueig_status status
      = ge_cuda_jacobi_preconditioned<T> (ctx, &copy, &control, info);
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  GE_TRY (ge_put (ctx, (ge_real<T> *) s->lambda, lambda, count));
  GE_TRY (ge_wait (ctx));
  return status;
}

gpueig_status
ge_cuda_onesided_eig (gpueig_context *ctx, const void *problem,
                      const ge_plan *plan, const gpueig_options *options,
                      gpueig_info *info)
{
  const gpueig_symmetric *s = (const gpueig_symmetric *) problem;
  if (plan->method != GE_METHOD_ONESIDED_SHIFTED || options->high_accuracy
      || ge_cuda_onesided_rotates (ctx, s))
    return ge_cuda_onesided_by (ctx, s, plan->method, options, info);
  const gpueig_status status
      = GE_CUDA_BY_TYPE (s->type, solve_large, (ctx, s, options, info));
  ge_info_method (info, ge_method_name (plan->method));
  return status;
}
