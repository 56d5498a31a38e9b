/* gpu_onesided_eig on the GPU: choice of the solver for a stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "onesided/onesided.cuh"

#include "base/pairs.cuh"
#include "base/plugin.h"
#include "plan/forms.h"

#include <math.h>
#include <string.h>

/* Nonzero if pages of order N are rotated in registers.  */
template <typename T>
static int
in_registers (gpueig_context *ctx, int64_t n, int64_t together)
{
  return onesided_in_registers<T> (ctx, n)
         && ge_onesided_in_registers (n, together, sizeof (ge_real<T>) == 8,
                                      is_complex<T>::value);
}

/* Solve S, a chunk of the problem's pages.  */
template <typename T>
static gpueig_status
run_shifted (gpueig_context *ctx, onesided_stack<T> *s,
             const onesided_plan *plan)
{
  if (in_registers<T> (ctx, s->n, s->together))
    return onesided_registers<T> (ctx, s);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) s->n * s->n * s->pages, &s->f));
  GE_TRY (onesided_prepare<T> (ctx, s, ONESIDED_SHIFTED));
  return onesided_columns<T> (ctx, s, ONESIDED_SHIFTED, plan);
}

/* Solve pages without a Cholesky factor one by one, with normal accuracy.  */
template <typename T>
static gpueig_status
run_indefinite (gpueig_context *ctx, const onesided_stack<T> *s,
                const onesided_plan *plan)
{
  int64_t square = (int64_t) s->n * s->n;
  onesided_scaling<ge_real<T>> *scaling;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &scaling));
  GE_TRY (ge_fetch (ctx, scaling, s->scaling, s->pages));
  for (int64_t p = 0; p < s->pages; p++)
    if (isnan (scaling[p].shift))
      {
        onesided_stack<T> one = *s;
        const int mark = ge_mark (ctx);
        one.pages = one.together = 1;
        one.a = s->a + p * square;
        one.f = NULL;
        one.square = 0;
        one.scaling = s->scaling + p;
        one.lambda = s->lambda + p * s->n;
        one.v = s->v ? s->v + p * square : NULL;
        GE_TRY (run_shifted<T> (ctx, &one, plan));
        ge_release (ctx, mark);
      }
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
run_stack (gpueig_context *ctx, onesided_stack<T> *s, const onesided_plan *plan,
           onesided_result *result)
{
  onesided_method method = plan->method;
  int64_t rows = method == ONESIDED_HESTENES ? 2 * s->n : s->n;
  onesided_counts host;
  GE_TRY (ge_clear (ctx, s->counts, 1));
  s->square = method == ONESIDED_CHOLESKY || method == ONESIDED_COLUMNS;
  if (method == ONESIDED_SHIFTED)
    GE_TRY (run_shifted<T> (ctx, s, plan));
  else
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, rows * s->n * s->pages, &s->f));
      GE_TRY (onesided_prepare<T> (ctx, s, method));
      GE_TRY (onesided_columns<T> (ctx, s, method, plan));
    }
  for (int again = 0; again < 2; again++)
    {
      GE_TRY (ge_fetch (ctx, &host, s->counts, 1));
      if (again || host.indefinite == 0)
        break;
      result->normal += host.indefinite;
      GE_TRY (run_indefinite<T> (ctx, s, plan));
    }
  float worst;
  memcpy (&worst, &host.worst, sizeof worst);
  result->sweeps = host.sweeps > result->sweeps ? host.sweeps : result->sweeps;
  result->converged &= host.unconverged == 0;
  result->off = worst > result->off ? worst : result->off;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
solve_stack (gpueig_context *ctx, const gpueig_symmetric *problem,
             const onesided_plan *plan, onesided_result *result,
             gpueig_info *info)
{
  const int64_t n = problem->n, pages = problem->pages;
  onesided_stack<T> s;
  T *const a = (T *) problem->a, *const b = (T *) problem->b;
  int *state;
  if (n > 46340)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "order %lld is too large for this solver on a GPU",
                        (long long) n);
  GE_TRY (ge_check_interrupt (ctx));
  memset (&s, 0, sizeof s);
  s.n = (int) n;
  s.pages = pages;
  s.tol = (ge_real<T>) plan->tol;
  s.max_sweeps = plan->max_sweeps;
  s.together = ge_stack_pages (ctx, pages);
  s.a = a;
  s.v = (T *) problem->v;
  s.lambda = (ge_real<T> *) problem->lambda;
  if (b)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &state));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s.scaling));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s.counts));
  GE_TRY (ge_timer_start (ctx));
  if (b)
    GE_TRY (ge_cuda_reduce_pairs<T> (ctx, n, pages, a, b, state));
  GE_TRY (run_stack<T> (ctx, &s, plan, result));
  if (b && s.v)
    GE_TRY (ge_cuda_pairs_back<T> (ctx, n, n, pages, b, s.v));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (b)
    GE_TRY (ge_fetch (ctx, problem->indefinite, state, pages));
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_onesided_by (gpueig_context *ctx, const gpueig_symmetric *s,
                     ge_method method, const gpueig_options *options,
                     gpueig_info *info)
{
  onesided_plan how;
  onesided_result result;
  memset (&result, 0, sizeof result);
  result.converged = 1;
  ge_onesided_plan (ctx, s, method, options, &how, info);
  GE_TRY (
      GE_CUDA_BY_TYPE (s->type, solve_stack, (ctx, s, &how, &result, info)));
  return ge_onesided_fill_info (ctx, s, &how, &result, info);
}

template <typename T>
static int
rotates (gpueig_context *ctx, const gpueig_symmetric *s)
{
  return in_registers<T> (ctx, s->n, ge_stack_pages (ctx, s->pages));
}

int
ge_cuda_onesided_rotates (gpueig_context *ctx, const gpueig_symmetric *s)
{
  return GE_CUDA_BY_TYPE (s->type, rotates, (ctx, s));
}
