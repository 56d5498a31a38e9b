/* The beginning of a call, its options, its backend, and its end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/plan.h"
#include "run/solvers.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

/* --- choice of the backend --- */

/* Report order, type and backend (WHERE) of a call before the solver runs.  */
static void
report_start (gpueig_context *ctx, const ge_shape *shape, const char *where)
{
  static const char *const names[]
      = { "single", "double", "complex single", "complex double" };
  if (! ctx->display)
    return;
  if (shape->pages == 1)
    ge_report (ctx, "order %lld, %s, on %s", (long long) shape->n,
               names[shape->type], where);
  else
    ge_report (ctx, "order %lld, %s, %lld pages, on %s", (long long) shape->n,
               names[shape->type], (long long) shape->pages, where);
}

static void
report_end (gpueig_context *ctx, gpueig_status status, const gpueig_info *info,
            double start)
{
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    ge_report (ctx, "%s: %.3g s", info->method, ge_now () - start);
}

/* The first line of "Display", "iter".  */
static void
report_plan (gpueig_context *ctx, const ge_plan *plan)
{
  static const char *const backends[] = { "auto", "cpu", "cuda", "mpi" };
  if (plan->seconds > 0)
    ge_report (ctx, "plan: %s on %s, %s %.2g s", ge_method_name (plan->method),
               backends[plan->backend],
               plan->estimated ? "estimated" : "expected", plan->seconds);
  else
    ge_report (ctx, "plan: %s", backends[plan->backend]);
}

/* What the functions below pass on.  */
typedef struct
{
  gpueig_context *ctx;
  ge_solver_id id;
  const ge_solver_entry *entry;
  const void *problem;
  ge_shape shape;
  ge_plan plan;
  const gpueig_options *options;
  gpueig_info *info;
  ge_page_ranges *left; /* after an error of GPUs: pages for the CPU */
} job;

static void
note_devices (gpueig_info *info, const int *devices, int n)
{
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = devices[0];
  info->n_devices = n;
  memcpy (info->devices, devices, (size_t) n * sizeof *devices);
}

/* Run SOLVER after a report, WHERE names its place.  */
static gpueig_status
run_solver (const job *j, ge_solver *solver, const char *where)
{
  report_start (j->ctx, &j->shape, where);
  GE_TRY (ge_check_inputs (j->ctx, j->entry, j->problem));
  const double start = ge_now ();
  const gpueig_status status
      = solver (j->ctx, j->problem, &j->plan, j->options, j->info);
  if (j->plan.backend == GPUEIG_CPU)
    j->info->time_solve = ge_now () - start;
  report_end (j->ctx, status, j->info, start);
  return status;
}

static ge_solver_run
run_of (const job *j)
{
  return (ge_solver_run){ .solver = j->ctx->plugin->solver[j->id],
                          .entry = j->entry,
                          .problem = j->problem,
                          .plan = &j->plan,
                          .options = j->options };
}

static gpueig_status
run_on_device (const job *j, int device)
{
  char where[32];
  GE_TRY (ge_select_device (j->ctx, device));
  note_devices (j->info, &device, 1);
  snprintf (where, sizeof where, "GPU %d", device);
  report_start (j->ctx, &j->shape, where);
  const ge_solver_run run = run_of (j);
  const double start = ge_now ();
  int64_t done;
  const gpueig_status status = ge_run_chunks (j->ctx, &run, j->info, &done);
  *j->left = (ge_page_ranges){ done > 0, { done }, { j->shape.pages } };
  report_end (j->ctx, status, j->info, start);
  return status;
}

/* What exceeds the memory of the first of N devices, on all of them; *TAKEN is set to 0
   if this function solved nothing.  */
static gpueig_status
share_one (const job *j, const int *devices, int n, int *taken)
{
  *taken = 0;
  if (! j->entry->share_one || n == 1 || j->shape.pages != 1
      || j->ctx->on_device)
    return GPUEIG_OK;
  ge_trim_children (j->ctx, GE_DEVICE);
  const double start = ge_now ();
  const gpueig_status status = j->entry->share_one (
      j->ctx, j->problem, &j->plan, devices, n, j->info, taken);
  if (*taken)
    {
      note_devices (j->info, devices, n);
      report_end (j->ctx, status, j->info, start);
    }
  return status;
}

/* Nonzero if the parts of a spectrum must be solved again on one device: vectors by
   inverse iteration are orthogonalised against those of the whole spectrum, which no
   single part has.  */
static int
must_be_whole (const ge_division *division, gpueig_status status,
               const gpueig_info *info)
{
  return division->spectrum
         && (status == GPUEIG_SOLVER_FAILED
             || ge_info_value (info, "fallbacks") > 0);
}

static gpueig_status
run_on_devices (const job *j)
{
  gpueig_context *ctx = j->ctx;
  int devices[GPUEIG_MAX_DEVICES], n, taken;
  char where[8 + 4 * GPUEIG_MAX_DEVICES] = "GPUs";
  ge_division division;
  GE_TRY (ge_find_devices (ctx, j->options, devices, &n));
  GE_TRY (share_one (j, devices, n, &taken));
  if (taken)
    return GPUEIG_OK;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_divide (ctx, j->id, j->plan.method, j->problem, n, &division));
  n = division.shares;
  if (n == 1)
    return run_on_device (j, devices[0]);
  for (int i = 0; ctx->on_device && ! j->entry->units && i < n; i++)
    if (devices[i] == ctx->selected)
      ge_favour_share (&division, i, j->shape.n);
  for (int i = 0; i < n; i++)
    {
      const size_t used = strlen (where);
      snprintf (where + used, sizeof where - used, "%s%d", i ? "," : " ",
                devices[i]);
    }
  note_devices (j->info, devices, n);
  report_start (ctx, &j->shape, where);
  const double start = ge_now ();
  const ge_solver_run run = run_of (j);
  const gpueig_status status
      = ge_run_shares (ctx, &run, &division, devices, j->info, j->left);
  ge_release (ctx, mark);
  if (must_be_whole (&division, status, j->info))
    {
      ge_info_begin (j->info);
      ge_trim_children (ctx, GE_DEVICE);
      return run_on_device (j, devices[0]);
    }
  if (division.spectrum && status == GPUEIG_OK && j->entry->found)
    j->entry->found (j->problem, division.units);
  report_end (ctx, status, j->info, start);
  return status;
}

/* GPUEIG_OUT_OF_MEMORY if what the solver needs at least exceeds the GPU's memory.  */
static gpueig_status
check_device_memory (const job *j)
{
  const int64_t there = ge_machine_of (j->ctx, j->options)->device_memory;
  return there == 0 || j->plan.device_bytes <= there
             ? GPUEIG_OK
             : gpueig_fail (j->ctx, GPUEIG_OUT_OF_MEMORY,
                            "out of GPU memory: at least %.6g MiB needed, the "
                            "GPU has %.6g MiB",
                            (double) j->plan.device_bytes / 1048576.0,
                            (double) there / 1048576.0);
}

/* Before a call on GPUs.  */
static gpueig_status
prepare_gpus (const job *j)
{
  gpueig_context *ctx = j->ctx;
  GE_TRY (ge_need_gpu (ctx));
  GE_TRY (check_device_memory (j));
  if (! ctx->plugin->solver[j->id])
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the CUDA backend does not have this solver");
  /* Calls with one device and with several use different contexts: free what the
     other kind has cached on the GPUs.  Cached pinned memory is kept, since its
     allocation takes longer than most calls.  */
  if (j->options->n_devices == 0 && ctx->n_children > 0)
    ge_trim_children (ctx, GE_DEVICE);
  return GPUEIG_OK;
}

static gpueig_status
run_on_workers (const job *j)
{
  if (! j->entry->mpi)
    return gpueig_fail (j->ctx, GPUEIG_BAD_OPTION,
                        "the backend \"mpi\" does not have this solver");
  snprintf (j->info->backend, sizeof j->info->backend, "mpi");
  return run_solver (j, j->entry->mpi, "MPI");
}

/* Run the job as planned, if a method that was named exists there.  */
static gpueig_status
run_plan (const job *j)
{
  const gpueig_backend backend = j->plan.backend;
  if (j->plan.named)
    GE_TRY (
        ge_check_method (j->ctx, j->id, j->plan.method, backend, &j->shape));
  GE_TRY (gpueig_need_memory (j->ctx, (double) j->plan.host_bytes,
                              "scratch memory"));
  gpueig_status status = backend == GPUEIG_CUDA ? prepare_gpus (j) : GPUEIG_OK;
  if (status == GPUEIG_OK)
    status = backend == GPUEIG_MPI   ? run_on_workers (j)
             : backend == GPUEIG_CPU ? run_solver (j, j->entry->cpu, "the CPU")
             : j->options->n_devices != 0
                 ? run_on_devices (j)
                 : run_on_device (j, j->options->device);
  return status;
}

/* Let the CPU solve what the GPUs have left of a stack, or all.  */
static gpueig_status
finish_on_cpu (const job *j)
{
  gpueig_context *ctx = j->ctx;
  const ge_page_ranges *left = j->left;
  job rest = *j;
  ge_left_pages l;
  int64_t *list, count = 0;
  if (left->count == 0)
    return run_plan (j);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, j->shape.pages, &list));
  for (int i = 0; i < left->count; i++)
    for (int64_t p = left->first[i]; p < left->end[i]; p++)
      list[count++] = p;
  GE_TRY (ge_take_pages (ctx, j->entry->layout, j->problem, list, count,
                         j->info, &l));
  rest.problem = l.some.data.bytes;
  return ge_put_pages (ctx, &l, run_plan (&rest));
}

static void
make_plan (job *j, ge_method method, gpueig_backend backend)
{
  ge_shape stack = j->shape;
  stack.pages = ge_stack_pages (j->ctx, stack.pages);
  ge_plan_call (j->ctx, j->options, j->id, method, backend, &stack, &j->plan);
}

/* Plan for GPUEIG_AUTO; where a GPU could be faster, its properties count, which are known
   once the plugin has been loaded.  */
static void
choose_backend (job *j, ge_method method)
{
  make_plan (j, method, GPUEIG_AUTO);
  if (j->plan.backend != GPUEIG_CUDA || j->ctx->plugin || j->ctx->plugin_tried)
    return;
  ge_load_plugin (j->ctx);
  make_plan (j, method, GPUEIG_AUTO);
}

/* A job and its plan; ON_DEVICE: its matrices are on a GPU.  */
static job
plan_job (gpueig_context *ctx, ge_solver_id id, ge_method method,
          const void *problem, int on_device, const gpueig_options *options)
{
  job j = { .ctx = ctx,
            .id = id,
            .entry = ctx->solvers[id],
            .problem = problem,
            .options = options };
  j.entry->describe (problem, &j.shape);
  j.shape.high_accuracy = options->high_accuracy;
  j.shape.on_device = on_device;
  j.shape.limited = options->tol > 0 || options->max_sweeps > 0;
  if (options->backend == GPUEIG_CUDA)
    ge_load_plugin (ctx);
  if (options->backend == GPUEIG_AUTO)
    choose_backend (&j, method);
  else
    make_plan (&j, method, options->backend);
  return j;
}

int
ge_plans_gpu (gpueig_context *ctx, ge_solver_id solver, const void *problem,
              const gpueig_options *options)
{
  ge_method method;
  ge_shape shape;
  ctx->solvers[solver]->describe (problem, &shape);
  /* Wrong ones are refused there.  */
  return (unsigned) shape.type > GPUEIG_COMPLEX_DOUBLE
         || ge_parse_method (ctx, solver, options, &method) != GPUEIG_OK
         || plan_job (ctx, solver, method, problem, 1, options).plan.backend
                == GPUEIG_CUDA;
}

gpueig_status
ge_run (gpueig_context *ctx, ge_solver_id id, ge_method method,
        const void *problem, const gpueig_options *options, gpueig_info *info)
{
  ge_page_ranges left = { .count = 0 };
  job j = plan_job (ctx, id, method, problem, ctx->on_device, options);
  j.info = info;
  j.left = &left;
  /* ge_plans_gpu has decided.  */
  if (ctx->on_device && j.plan.backend != GPUEIG_CUDA)
    make_plan (&j, method, GPUEIG_CUDA);
  if (ctx->display)
    report_plan (ctx, &j.plan);
  if (options->backend != GPUEIG_AUTO)
    return run_plan (&j);
  int fell_back = 0;
  if (j.plan.backend == GPUEIG_CUDA)
    {
      const int mark = ge_mark (ctx);
      const gpueig_status status = run_plan (&j);
      if (ctx->on_device || ! ge_may_be_gpu (status))
        return status;
      fell_back = status != GPUEIG_NO_DEVICE;
      ge_release (ctx, mark);
      ge_info_begin (info);
      make_plan (&j, method, GPUEIG_CPU);
    }
  const gpueig_status status = finish_on_cpu (&j);
  /* The method exists on the GPU only: report why there is no GPU.  */
  if (status == GPUEIG_NO_DEVICE && ge_device_is_lost (ctx))
    return ge_no_gpu (ctx);
  if (fell_back && ! info->fallback[0])
    ge_info_fallback (info, "cpu");
  return status;
}

/* --- beginning and end of a call --- */

/* While a detached job runs, this library and the BLAS use half of the threads: both
   share the thread pool of the BLAS, and with more threads than processors most time
   is spent in barriers.  */
static void
begin_threads (gpueig_context *ctx)
{
  ctx->omp_threads = ge_threads ();
  if (! gpueig_detached (ctx))
    return;
  omp_set_num_threads ((ctx->omp_threads + 1) / 2);
  ge_limit_blas (ctx, GE_BLAS_HALF);
}

static void
end_threads (gpueig_context *ctx)
{
  if (ge_threads () != ctx->omp_threads)
    omp_set_num_threads (ctx->omp_threads);
  ge_end_blas_limits (ctx);
}

int
gpueig_reset (gpueig_context *ctx)
{
  ctx->unwritten = -1;
  if (! ctx->depth)
    return 0;
  ctx->depth = 0;
  ctx->on_device = 0;
  ge_release (ctx, 0);
  ctx->in_use = 0;
  end_threads (ctx);
  return 1;
}

void
ge_begin (ge_call *call, gpueig_context *ctx, const gpueig_options **options,
          gpueig_info **info)
{
  if (! *options || ! (*options)->method)
    {
      call->default_options = *options ? **options : gpueig_default_options ();
      call->default_options.method = "auto";
      *options = &call->default_options;
    }
  if (! *info)
    *info = &call->own_info;
  if (ctx->depth++ == 0)
    {
      begin_threads (ctx);
      if (ctx->wait_arrays)
        ctx->wait_arrays (ctx);
    }
  call->ctx = ctx;
  call->info = *info;
  call->is_auto = (*options)->backend == GPUEIG_AUTO;
  call->mark = ge_mark (ctx);
  call->start = ge_now ();
  ctx->peak = ctx->in_use;
  ctx->message[0] = '\0';
  ctx->display = (*options)->display;
  ctx->start = ctx->last_line = call->start;
  ge_info_begin (*info);
}

/* Set info->device_lost in the first call with GPUEIG_AUTO that succeeds after the
   loss of the GPU.  */
static void
tell_loss (ge_call *call, gpueig_status status)
{
  gpueig_context *ctx = call->ctx;
  if (! call->is_auto || ctx->fault_told || ! ge_device_is_lost (ctx)
      || (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE))
    return;
  ctx->fault_told = 1;
  call->info->device_lost = 1;
}

gpueig_status
ge_end (ge_call *call, gpueig_status status)
{
  ge_release (call->ctx, call->mark);
  if (--call->ctx->depth == 0)
    {
      end_threads (call->ctx);
      call->ctx->unwritten = -1;
    }
  call->info->time_total = ge_now () - call->start;
  call->info->memory = call->ctx->peak;
  if (status == GPUEIG_NO_CONVERGENCE)
    call->info->converged = 0;
  if (status == GPUEIG_OK)
    call->ctx->message[0] = '\0';
  tell_loss (call, status);
  return status;
}

gpueig_status
ge_check_options (gpueig_context *ctx, ge_solver_id solver,
                  const gpueig_options *options, ge_method *method)
{
  if (! (options->tol >= 0 && options->tol < 1) || options->max_sweeps < 0
      || options->max_rotations < 0 || options->device < 0
      || options->workers < 0)
    return gpueig_fail (
        ctx, GPUEIG_BAD_OPTION,
        "options are out of range: tolerance %g (0 to 1), sweeps "
        "%lld, rotations %lld, device %d, workers %d (all not negative)",
        options->tol, (long long) options->max_sweeps,
        (long long) options->max_rotations, options->device, options->workers);
  if ((unsigned) options->backend > GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown backend %d",
                        (int) options->backend);
  if (options->n_devices != 0)
    GE_TRY (ge_check_devices (ctx, options));
  return ge_parse_method (ctx, solver, options, method);
}
