/* One-sided Jacobi on the CPU: choice of the implementation for a stack of pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "onesided/onesided_typed.h"

typedef struct
{
  int64_t n, pages;
  const scalar_t *a;
  real_t *lambda;
  scalar_t *v;
} stack;

static scalar_t *
vectors (const stack *s, int64_t page)
{
  return s->v ? s->v + page * s->n * s->n : NULL;
}

static void
merge (onesided_result *all, const onesided_result *one)
{
  all->sweeps = one->sweeps > all->sweeps ? one->sweeps : all->sweeps;
  all->converged &= one->converged;
  all->normal += one->normal;
  all->off = one->off > all->off ? one->off : all->off;
}

/* Estimated seconds for a page of order N.  */
static double
page_seconds (int64_t n)
{
  return 30e-9 * (double) (n * n * n) + 1e-7;
}

/* Pages FROM to TO, STEP per piece; WORK and RESULTS per thread.  */
typedef struct
{
  const stack *s;
  const onesided_plan *plan;
  int64_t from, to, step, work_size;
  scalar_t *work;
  onesided_result *results;
} page_run;

static void
run_piece (void *data, int64_t i, int thread)
{
  const page_run *r = data;
  const stack *s = r->s;
  const int64_t n = s->n, p = r->from + i * r->step;
  const int64_t count = r->to - p < r->step ? r->to - p : r->step;
  scalar_t *own = r->work + r->work_size * thread;
  if (r->step > 1)
    onesided_group (n, count, s->a + p * n * n, r->plan, s->lambda + p * n,
                    vectors (s, p), (real_t *) own, &r->results[thread]);
  else
    onesided_page (n, s->a + p * n * n, r->plan, 0, s->lambda + p * n,
                   vectors (s, p), own, &r->results[thread]);
}

/* Solve all pages in chunks of about 0.1 s, between which interrupts are polled.  */
static gpueig_status
run_chunks (gpueig_context *ctx, const stack *s, const onesided_plan *plan,
            int64_t step, onesided_result *result)
{
  int64_t n = s->n, threads = ge_threads ();
  int64_t size = step > 1 ? ONESIDED_GROUP_WORK (n) : ONESIDED_PAGE_WORK (n);
  int64_t chunk = (int64_t) (0.1 / page_seconds (n)) / step * step;
  page_run r = { .s = s, .plan = plan, .step = step };
  chunk = chunk < threads * step ? threads * step : chunk;
  r.work_size = (size + 63) / 64 * 64;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, r.work_size * threads, &r.work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &r.results));
  for (int64_t t = 0; t < threads; t++)
    r.results[t] = (onesided_result){ .converged = 1 };
  for (int64_t p = 0; p < s->pages; p += chunk)
    {
      int64_t to = p + chunk < s->pages ? p + chunk : s->pages;
      GE_TRY (ge_check_interrupt (ctx));
      r.from = p;
      r.to = to;
      ge_share_pass (ctx, (to - p + step - 1) / step,
                     (double) (to - p) * page_seconds (n) * 1e9, run_piece, &r);
      ge_report_pages (ctx, "one-sided Jacobi", to, s->pages);
    }
  for (int64_t t = 0; t < threads; t++)
    merge (result, &r.results[t]);
  return GPUEIG_OK;
}

/* Solve the pages one after the other, each on all cores.  */
static gpueig_status
run_singly (gpueig_context *ctx, const stack *s, onesided_plan *plan,
            onesided_result *result)
{
  int64_t n = s->n;
  scalar_t *work;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, ONESIDED_PAGE_WORK (n), &work));
  plan->ctx = ctx;
  for (int64_t p = 0; p < s->pages && ! result->interrupted; p++)
    onesided_page (n, s->a + p * n * n, plan, 1, s->lambda + p * n,
                   vectors (s, p), work, result);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_onesided_stack) (gpueig_context *ctx, const gpueig_symmetric *problem,
                        onesided_plan *plan, onesided_result *result)
{
  stack s
      = { problem->n, problem->pages, problem->a, problem->lambda, problem->v };
  int64_t n = s.n;
  const ge_onesided_form form = ge_onesided_form_of (
      plan->method == ONESIDED_SHIFTED, n, ge_stack_pages (ctx, s.pages));
  plan->ctx = plan->history ? ctx : NULL;
  if (form == GE_ONESIDED_ALONE)
    return run_singly (ctx, &s, plan, result);
  return run_chunks (ctx, &s, plan,
                     form == GE_ONESIDED_LANES ? ONESIDED_LANES : 1, result);
}
