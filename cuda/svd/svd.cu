/* gpu_svd on the GPU: data, and the choice of the method.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "svd/svd.cuh"

enum
{
  /* Most elements of a page with vectors by "jacobi"; where no other method serves.  */
  MOST_ELEMENTS = 1 << 16,
  MOST_HIGH = 1 << 22
};

/* Solve all pages: those that do not fit into shared memory are "gram"'s,
   unless the user named "jacobi", which a block needs minutes for if they are large.  */
template <typename T>
static gpueig_status
solve_pages (gpueig_context *ctx, const ge_svd_problem *problem,
             const svd_arrays<T> *arrays, const ge_plan *plan,
             gpueig_info *info)
{
  const gpueig_svd_problem *g = &problem->svd;
  const int64_t k = ge_svd_short (g), l = ge_svd_long (g);
  const int only = plan->named || problem->high;
  const int small = (l + k) * k + (g->full ? l * (l - k) : 0)
                    <= (problem->high ? MOST_HIGH : MOST_ELEMENTS);
  if (plan->method == GE_METHOD_SVD_JACOBI && small
      && (only || ge_svd_fits_shared<T> (ctx, g)))
    {
      ge_info_method (info, ge_method_name (GE_METHOD_SVD_JACOBI));
      return ge_svd_stack<T> (ctx, g, arrays, problem->high, problem->state,
                              &info->sweeps);
    }
  if (plan->method == GE_METHOD_SVD_JACOBI && only)
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "method \"jacobi\" of the CUDA backend has no solver "
                        "for %lld-by-%lld",
                        (long long) g->m, (long long) g->n);
  ge_info_method (info, ge_method_name (GE_METHOD_SVD_GRAM));
  const int together = ge_svd_fits_gram_stack (ctx, g);
  if (together)
    GE_TRY (ge_svd_gram_stack<T> (ctx, g, arrays, problem->state));
  for (int64_t i = 0; i < g->pages; i++)
    {
      if (together && ! problem->state[i])
        continue;
      const svd_arrays<T> page = ge_svd_page_of (g, arrays, i);
      GE_TRY (ge_svd_gram<T> (ctx, g, &page, &problem->state[i]));
      ge_report_pages (ctx, "gram", i + 1, g->pages);
    }
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
solve (gpueig_context *ctx, const ge_svd_problem *problem, const ge_plan *plan,
       gpueig_info *info)
{
  const gpueig_svd_problem *g = &problem->svd;
  const svd_arrays<T> to
      = { (const T *) g->a, (ge_real<T> *) g->s, (T *) g->u, (T *) g->v };
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (solve_pages<T> (ctx, problem, &to, plan, info));
  return ge_timer_stop (ctx, &info->time_solve);
}

gpueig_status
ge_cuda_svd (gpueig_context *ctx, const void *problem, const ge_plan *plan,
             const gpueig_options *options, gpueig_info *info)
{
  const ge_svd_problem *p = (const ge_svd_problem *) problem;
  (void) options;
  return GE_CUDA_BY_TYPE (p->svd.type, solve, (ctx, p, plan, info));
}
