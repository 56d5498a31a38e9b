/* gpueig_complex_eig on the GPU: small pages in one launch, each in the shared
   memory of one multiprocessor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "shroff/pages.cuh"
#include "schur/schur.cuh"

#include <string.h>

enum
{
  LARGEST_PAGE = 16
};

template <typename R, int T, int TEAMS>
static gpueig_status
launch_teams (gpueig_context *ctx, const page_problem<R> *p)
{
  const size_t bytes = TEAMS * team_bytes (p->n, sizeof (R));
  void (*kernel) (page_problem<R>) = complex_pages<R, T, TEAMS>;
  const unsigned blocks = ge_blocks (p->count, TEAMS);
  GE_ALLOW_SHARED (kernel, bytes);
  GE_LAUNCH_AS ("complex_pages", kernel, blocks, T * TEAMS, bytes, *p);
  return GPUEIG_OK;
}

template <typename R>
static gpueig_status
launch (gpueig_context *ctx, const page_problem<R> *p)
{
  return p->n <= team_order<4> ()   ? launch_teams<R, 4, 16> (ctx, p)
         : p->n <= team_order<8> () ? launch_teams<R, 8, 8> (ctx, p)
                                    : launch_teams<R, 32, 2> (ctx, p);
}

/* Launches for COUNT pages, each well below a second, so that interrupts are
   polled in between.  */
template <typename R>
static gpueig_status
launch_all (gpueig_context *ctx, const page_problem<R> &p)
{
  const int64_t n = p.n, square = n * n, count = p.count;
  const int64_t chunk = 2000000000 / (n * n * n + 100);
  for (int64_t start = 0; start < count; start += chunk)
    {
      page_problem<R> part = p;
      part.count = (int) (count - start < chunk ? count - start : chunk);
      part.a = p.a + start * square * (1 + p.complex_in);
      part.lambda = p.lambda + start * n;
      part.state = p.state + start;
      part.v = p.v + start * square;
      part.w = p.left ? p.w + start * square : NULL;
      GE_TRY (launch (ctx, &part));
      if (start + chunk < count)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

template <typename R>
static gpueig_status
run_pages (gpueig_context *ctx, const ge_general_problem *problem,
           const gpueig_options *options, gpueig_info *info)
{
  const gpueig_general *g = &problem->general;
  const int64_t n = g->n, square = n * n, pages = g->pages;
  const int complex_in = gpueig_is_complex (g->type);
  page_problem<R> p;
  R *a;
  int sweeps;
  unsigned long long off[GPUEIG_MAX_HISTORY];
  GE_TRY (ge_one_launch (ctx, pages, pages));
  memset (&p, 0, sizeof p);
  p.complex_in = complex_in;
  p.n = (int) n;
  p.count = (int) pages;
  p.balance = g->balance;
  p.left = g->w != NULL;
  p.limited = options->max_sweeps > 0;
  p.max_sweeps = ge_complex_sweeps (options, n);
  p.tol = (R) ge_complex_tol (options, GPUEIG_CUDA, sizeof (R) == 8);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * pages * (1 + complex_in), &a));
  p.a = a;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &p.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &p.state));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &p.sweeps));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, GPUEIG_MAX_HISTORY, &p.off));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages * square, &p.v));
  if (p.left)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages * square, &p.w));
  GE_TRY (ge_upload (ctx, a, g->a, square * pages * (1 + complex_in), info));
  GE_TRY (ge_clear (ctx, p.sweeps, 1));
  GE_TRY (ge_clear (ctx, p.off, GPUEIG_MAX_HISTORY));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (launch_all (ctx, p));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, problem->state, p.state, pages, info));
  GE_TRY (ge_download (ctx, g->lambda, p.lambda, n * pages, info));
  if (g->v)
    GE_TRY (ge_download (ctx, g->v, p.v, square * pages, info));
  if (g->w)
    GE_TRY (ge_download (ctx, g->w, p.w, square * pages, info));
  GE_TRY (ge_download (ctx, &sweeps, p.sweeps, 1, info));
  GE_TRY (ge_download (ctx, off, p.off, GPUEIG_MAX_HISTORY, info));
  info->sweeps = sweeps;
  for (int i = 0; i < sweeps && i < GPUEIG_MAX_HISTORY; i++)
    {
      double x;
      memcpy (&x, &off[i], sizeof x);
      ge_info_off (info, x);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_complex_eig (gpueig_context *ctx, const void *problem,
                     const ge_plan *plan, const gpueig_options *options,
                     gpueig_info *info)
{
  const ge_general_problem *p = (const ge_general_problem *) problem;
  const gpueig_general *g = &p->general;
  if (plan->method == GE_METHOD_COMPLEX_QR)
    {
      const int64_t limit = plan->named ? options->max_sweeps : 0;
      ge_info_method (info, "qr");
      return ge_schur_stack_serves (ctx, g)
                 ? ge_cuda_schur_stack (ctx, g, 1, limit, p->state, info)
                 : ge_cuda_schur_pages (ctx, g, limit, p->state, info);
    }
  ge_info_method (info, "shroff");
  if (g->n <= LARGEST_PAGE)
    return gpueig_is_double (g->type)
               ? run_pages<double> (ctx, p, options, info)
               : run_pages<float> (ctx, p, options, info);
  const int limit = ge_complex_sweeps (options, g->n);
  return ge_cuda_complex_large (ctx, p, options, limit, info);
}
