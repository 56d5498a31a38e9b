/* gpueig_complex_eig: general matrices, one or very many, by the Jacobi-like
   method of Eberlein and Shroff; what it cannot serve is finished by LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "complex_block.h"
#include "cpu.h"
#include "eig_general.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = { "auto", "shroff", "geev", NULL };

enum
{
  MAX_SWEEPS = 60,
  /* "auto" on the CPU, by measurement: complex and real pages up to these
     orders are faster by the Jacobi-like method, lanes full.  */
  SHROFF_COMPLEX = 16,
  SHROFF_REAL = 8,
  /* A GPU pays for single matrices from here on; for stacks from this many
     elements on.  */
  CUDA_PAYS_ORDER = 128,
  CUDA_PAYS_ELEMENTS = 20000
};

static int
cuda_pays (const gpueig_general *g)
{
  return g->n >= CUDA_PAYS_ORDER
         || g->n * g->n * g->pages >= CUDA_PAYS_ELEMENTS;
}

/* Pages that the method gave up are finished by LAPACK on all cores.  */
gpueig_status
ge_finish_pages (gpueig_context *ctx, const gpueig_general *g,
                 const unsigned char *state, gpueig_info *info)
{
  int64_t count = 0, limited = 0, *list;
  for (int64_t p = 0; p < g->pages; p++)
    {
      count += state[p] == GE_PAGE_STALLED;
      limited += state[p] == GE_PAGE_LIMITED;
    }
  ge_info_extra (info, "fallback_pages", (double) count);
  if (count > 0)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &list));
      int64_t at = 0;
      for (int64_t p = 0; p < g->pages; p++)
        if (state[p] == GE_PAGE_STALLED)
          list[at++] = p;
      ge_report (ctx, "geev finishes %lld of %lld pages", (long long) count,
                 (long long) g->pages);
      ge_info_fallback (info, "geev");
      GE_TRY (ge_geev_pages (ctx, g, list, count));
    }
  if (limited > 0)
    return gpueig_fail (
        ctx, GPUEIG_NO_CONVERGENCE,
        "no convergence of %lld of %lld matrices in %lld sweeps",
        (long long) limited, (long long) g->pages, (long long) info->sweeps);
  return GPUEIG_OK;
}

static gpueig_status
complex_eig (gpueig_context *ctx, const gpueig_general *g,
             const gpueig_options *options, gpueig_info *info)
{
  GE_TRY (ge_check_options (ctx, options, methods));
  GE_TRY (ge_check_general (ctx, g));
  ge_info_method (info, strcmp (options->method, "auto") ? options->method
                                                         : "shroff");
  if (g->n == 0 || g->pages == 0)
    return GPUEIG_OK;
  if (strcmp (options->method, "geev") == 0)
    return ge_run (ctx, GE_EIG_GENERAL, cuda_pays (g), g, options, info);
  unsigned char *state;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &state));
  memset (state, GE_PAGE_DONE, (size_t) g->pages);
  ge_complex_problem problem = { *g, state };
  GE_TRY (ge_run (ctx, GE_COMPLEX_EIG, cuda_pays (g), &problem, options, info));
  return ge_finish_pages (ctx, g, state, info);
}

gpueig_status
gpueig_complex_eig (gpueig_context *ctx, const gpueig_general *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, options, info);
  return ge_end (&call, complex_eig (ctx, problem, options, info));
}

/* --- the CPU's solver --- */

/* Smaller is better, unless the user says otherwise.  */
static int
shroff_is_faster (const gpueig_general *g)
{
  int lanes = gpueig_is_double (g->type) ? 8 : 16;
  int64_t order = gpueig_is_complex (g->type) ? SHROFF_COMPLEX : SHROFF_REAL;
  return g->n <= order && 2 * g->pages >= lanes;
}

typedef struct
{
  gpueig_context *ctx;
  gpueig_status status;
} watch_data;

static int
watch_sweep (void *data, int sweep, double off)
{
  watch_data *w = data;
  ge_report (w->ctx, "sweep %2d  off %.2e", sweep, off);
  w->status = ge_check_interrupt (w->ctx);
  return w->status != GPUEIG_OK;
}

static void
merge_reports (const ge_block_report *from, ge_block_report *to)
{
  to->sweeps = from->sweeps > to->sweeps ? from->sweeps : to->sweeps;
  for (int i = 0; i < GPUEIG_MAX_HISTORY; i++)
    to->off[i] = from->off[i] > to->off[i] ? from->off[i] : to->off[i];
}

static void
run_block (const ge_block_job *job, int64_t first, int count, void *space,
           unsigned char *state, ge_block_report *report, ge_block_watch *watch,
           void *data)
{
  if (gpueig_is_double (job->problem->type))
    ge_block_run_z (job, first, count, space, state, report, watch, data);
  else
    ge_block_run_c (job, first, count, space, state, report, watch, data);
}

/* All pages in blocks of job->lanes, spread over the cores; the user may stop
   it between chunks of blocks.  */
static gpueig_status
run_blocks (gpueig_context *ctx, const ge_block_job *job, char *space,
            int64_t bytes, int threads, unsigned char *state,
            ge_block_report *reports)
{
  const int64_t pages = job->problem->pages, n = job->problem->n;
  const int64_t blocks = (pages + job->lanes - 1) / job->lanes;
  const int64_t work = 1 + n * n * n * job->lanes;
  const int64_t chunk = threads * (1 + 2000000 / work);
  for (int64_t start = 0; start < blocks; start += chunk)
    {
      int64_t stop = start + chunk < blocks ? start + chunk : blocks;
      GE_TRY (ge_check_interrupt (ctx));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
      for (int64_t i = start; i < stop; i++)
        {
          int me = omp_get_thread_num ();
          int64_t first = i * job->lanes;
          int count
              = (int) (pages - first < job->lanes ? pages - first : job->lanes);
          run_block (job, first, count, space + me * bytes, state, &reports[me],
                     NULL, NULL);
        }
      ge_report (ctx, "%lld of %lld blocks of pages", (long long) stop,
                 (long long) blocks);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_complex_eig (gpueig_context *ctx, const void *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  const ge_complex_problem *c = problem;
  const gpueig_general *g = &c->general;
  const int is_double = gpueig_is_double (g->type);
  if (strcmp (options->method, "auto") == 0 && ! shroff_is_faster (g))
    {
      ge_info_method (info, "geev");
      return ge_geev_pages (ctx, g, NULL, g->pages);
    }
  ge_info_method (info, "shroff");
  ge_block_job job = { .problem = g,
                       .tol = options->tol > 0 ? options->tol
                              : is_double      ? 1e-9
                                               : 1e-4,
                       .max_sweeps = options->max_sweeps > 0
                                         ? (int) (options->max_sweeps < 10000
                                                      ? options->max_sweeps
                                                      : 10000)
                                         : MAX_SWEEPS,
                       .limited = options->max_sweeps > 0 };
  const int lanes = is_double ? ge_block_lanes_z () : ge_block_lanes_c ();
  job.lanes = g->n <= 32 && 2 * g->pages >= lanes ? lanes : 1;
  const int64_t bytes
      = ((is_double ? ge_block_bytes_z : ge_block_bytes_c) (g->n, job.lanes)
         + 63)
        / 64 * 64;
  int threads = ge_threads ();
  if (threads > (g->pages + job.lanes - 1) / job.lanes)
    threads = (int) ((g->pages + job.lanes - 1) / job.lanes);
  char *space;
  ge_block_report *reports;
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) bytes, (void **) &space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &reports));
  memset (reports, 0, (size_t) threads * sizeof *reports);
  if (g->pages == 1)
    {
      watch_data w = { ctx, GPUEIG_OK };
      run_block (&job, 0, 1, space, c->state, reports, watch_sweep, &w);
      GE_TRY (w.status);
    }
  else
    GE_TRY (run_blocks (ctx, &job, space, bytes, threads, c->state, reports));
  for (int i = 1; i < threads; i++)
    merge_reports (&reports[i], &reports[0]);
  info->sweeps = reports[0].sweeps;
  for (int i = 0; i < reports[0].sweeps && i < GPUEIG_MAX_HISTORY - 1; i++)
    ge_info_off (info, reports[0].off[i]);
  return GPUEIG_OK;
}
