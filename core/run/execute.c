/* From a plan to results: one attempt after the other, each for the pages that those before it
   left.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/solvers.h"

#include <stdio.h>
#include <string.h>

/* --- one attempt --- */

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

/* The first lines of "Display", "iter": the plan, and COUNT attempts that may follow.  */
static void
report_plan (gpueig_context *ctx, const ge_plan *plan,
             const ge_attempt *attempts, int count)
{
  static const char *const backends[] = { "auto", "cpu", "cuda", "mpi" };
  if (plan->seconds > 0)
    ge_report (ctx, "plan: %s on %s, %s %.2g s", ge_method_name (plan->method),
               backends[plan->backend],
               plan->estimated ? "estimated" : "expected", plan->seconds);
  else
    ge_report (ctx, "plan: %s", backends[plan->backend]);
  for (int i = 0; i < count; i++)
    {
      const ge_attempt *a = &attempts[i];
      char reasons[sizeof ((gpueig_attempt *) 0)->reasons];
      ge_describe_reasons (a, sizeof reasons, reasons);
      ge_report (ctx, "plan, if %s: %s%s%s", reasons,
                 a->method == GE_AUTO ? "" : ge_method_name (a->method),
                 a->method == GE_AUTO ? "" : " on ", backends[a->backend]);
    }
}

/* A call of ge_run.  */
typedef struct
{
  gpueig_context *ctx;
  ge_solver_id id;
  const ge_solver_entry *entry;
  const void *problem;
  ge_shape shape;
  ge_method wanted; /* by the options */
  int is_part;      /* of a method of the CPU */
  ge_plan plan;
  const gpueig_options *options;
  gpueig_info *info;
  unsigned char *solved; /* by GPUs before one failed, see ge_solver_run */
  int *parts; /* set if the parts of a spectrum must be solved as one */
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
                          .options = j->options,
                          .solved = j->solved };
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
  const gpueig_status status = ge_run_chunks (j->ctx, &run, j->info);
  report_end (j->ctx, status, j->info, start);
  return status;
}

/* Solve a matrix that exceeds the memory of the first of N devices on all of them; *TAKEN is
   set to 0 if this function solved nothing.  */
static gpueig_status
share_one (const job *j, const int *devices, int n, int *taken)
{
  *taken = 0;
  if (! j->entry->share_one || n == 1 || j->shape.pages != 1
      || j->shape.on_device)
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
  for (int i = 0; j->shape.on_device && ! j->entry->units && i < n; i++)
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
      = ge_run_shares (ctx, &run, &division, devices, j->info);
  ge_release (ctx, mark);
  if (must_be_whole (&division, status, j->info))
    {
      *j->parts = 1;
      return status;
    }
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

static gpueig_status
run_plan (const job *j)
{
  const gpueig_backend backend = j->plan.backend;
  if (j->is_part)
    return j->entry->cpu (j->ctx, j->problem, &j->plan, j->options, j->info);
  GE_TRY (gpueig_need_memory (j->ctx, (double) j->plan.host_bytes,
                              "scratch memory"));
  if (backend == GPUEIG_CUDA)
    GE_TRY (prepare_gpus (j));
  return backend == GPUEIG_MPI        ? run_on_workers (j)
         : backend == GPUEIG_CPU      ? run_solver (j, j->entry->cpu, "the CPU")
         : j->options->n_devices != 0 ? run_on_devices (j)
                                      : run_on_device (j, j->options->device);
}

/* --- the plan --- */

static void
make_plan (job *j, gpueig_backend backend)
{
  ge_shape stack = j->shape;
  stack.pages = ge_stack_pages (j->ctx, stack.pages);
  ge_plan_call (j->ctx, j->options, j->id, j->wanted, backend, &stack,
                &j->plan);
}

/* Plan for GPUEIG_AUTO; where a GPU could be faster, its properties count, which are known
   once the plugin has been loaded.  */
static void
choose_backend (job *j)
{
  make_plan (j, GPUEIG_AUTO);
  if (j->plan.backend != GPUEIG_CUDA || j->ctx->plugin || j->ctx->plugin_tried)
    return;
  ge_load_plugin (j->ctx);
  make_plan (j, GPUEIG_AUTO);
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
            .wanted = method,
            .options = options };
  j.entry->describe (problem, &j.shape);
  j.shape.high_accuracy = options->high_accuracy;
  j.shape.on_device = on_device;
  j.shape.limited = options->tol > 0 || options->max_sweeps > 0;
  if (options->backend == GPUEIG_CUDA)
    ge_load_plugin (ctx);
  if (options->backend == GPUEIG_AUTO)
    choose_backend (&j);
  else
    make_plan (&j, options->backend);
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

/* --- attempts --- */

/* No page of J's problem is marked; *COPY: that with flags in the caller's frame if it had none.  */
static gpueig_status
clear_flags (job *j, ge_problem *copy)
{
  const ge_layout *layout = j->entry->layout;
  if (! layout->flags)
    return GPUEIG_OK;
  void *flags = ge_pointer_at (j->problem, layout->flags);
  if (! flags)
    {
      GE_TRY (ge_alloc (j->ctx, GE_HOST, j->shape.pages, layout->flag_size,
                        &flags));
      memcpy (copy->data.bytes, j->problem, layout->size);
      ge_set_pointer (copy->data.bytes, layout->flags, flags);
      j->problem = copy->data.bytes;
    }
  memset (flags, 0, (size_t) j->shape.pages * layout->flag_size);
  return GPUEIG_OK;
}

/* Why page P, of a call that returned no error, is left; 0: it is not.  */
static unsigned
why_left (const job *j, int64_t p)
{
  const ge_layout *layout = j->entry->layout;
  if (j->entry->left)
    return j->entry->left (j->problem, p);
  return layout->flag_size == 1
                 && ((const char *) ge_pointer_at (j->problem,
                                                   layout->flags))[p]
             ? GE_LEFT_PAGES
             : 0;
}

/* *REASON: why the attempt with STATUS left something; 0: it did not.  */
static gpueig_status
find_reason (const job *j, gpueig_status status, unsigned *reason)
{
  *reason = *j->parts ? GE_LEFT_PARTS : ge_reason_of (status);
  if (status != GPUEIG_OK)
    return status;
  if (j->entry->inspect)
    GE_TRY (j->entry->inspect (j->ctx, j->problem, j->info));
  for (int64_t p = 0; p < j->shape.pages; p++)
    *reason |= why_left (j, p);
  return GPUEIG_OK;
}

/* *LIST: the COUNT pages that the attempt with STATUS left and A serves.  Where A has no
   method of its own, pages that GPUs have solved before one failed are not left.  */
static gpueig_status
list_left (const job *j, gpueig_status status, const ge_attempt *a,
           int64_t **list, int64_t *count)
{
  const unsigned char *const solved = a->method == GE_AUTO ? j->solved : NULL;
  *count = 0;
  GE_TRY (GE_ALLOC (j->ctx, GE_HOST, j->shape.pages, list));
  for (int64_t p = 0; p < j->shape.pages; p++)
    if (status == GPUEIG_OK ? (why_left (j, p) & a->serves) != 0
                            : ! (solved && solved[p]))
      (*list)[(*count)++] = p;
  return GPUEIG_OK;
}

/* The spectrum of which the parts cannot be joined, on one GPU.  */
static gpueig_status
run_whole (const job *j)
{
  int devices[GPUEIG_MAX_DEVICES], n;
  ge_info_begin (j->info);
  ge_trim_children (j->ctx, GE_DEVICE);
  GE_TRY (ge_find_devices (j->ctx, j->options, devices, &n));
  *j->parts = 0;
  return run_on_device (j, devices[0]);
}

/* ONE is of attempt A, which solved COUNT pages left by others.  */
static void
note_attempt (const job *j, const ge_attempt *a, unsigned reason, int64_t count,
              const gpueig_info *one)
{
  gpueig_info *info = j->info;
  const char *name = ge_method_name (a->method);
  char before[sizeof info->fallback];
  if (one->fallback[0])
    name = one->fallback;
  if (reason == GE_LEFT_CLASS
      || (a->backend == GPUEIG_CUDA && a->serves == GE_LEFT_ILL_CONDITIONED))
    {
      ge_merge_info (j->entry, 0, info, one, 0);
      return;
    }
  if (reason == GE_LEFT_FAILED)
    ge_info_method (info, ge_method_name (j->plan.method));
  memcpy (before, info->fallback, sizeof before);
  ge_merge_info (j->entry, 0, info, one, 0);
  if (reason != GE_LEFT_ILL_CONDITIONED || j->options->backend == GPUEIG_CUDA)
    {
      ge_info_fallback (info, name);
      if (j->plan.backend == GPUEIG_CPU && j->entry->equal_methods
          && reason != GE_LEFT_UNCONVERGED)
        ge_info_planned (info, &j->plan, j->shape.pages);
      return;
    }
  /* What "auto" does with such pages.  */
  ge_info_fallback (info, before);
  if (count < j->shape.pages)
    return;
  ge_info_method (info, name);
  snprintf (info->backend, sizeof info->backend, "cpu");
  info->device = -1;
  info->n_devices = 0;
}

/* Solve the COUNT pages of LIST as A says.  */
static gpueig_status
run_next (const job *j, const ge_attempt *a, unsigned reason,
          const int64_t *list, int64_t count)
{
  gpueig_context *ctx = j->ctx;
  gpueig_info one;
  ge_left_pages pages;
  int unused = 0;
  gpueig_options usual = *j->options;
  job rest = *j;
  rest.info = &one;
  rest.solved = NULL;
  rest.parts = &unused;
  /* Limits are of the method that left the pages.  */
  usual.max_sweeps = 0;
  if (a->backend == GPUEIG_CUDA)
    rest.options = &usual;
  ge_info_begin (&one);
  if (a->method == GE_AUTO)
    make_plan (&rest, GPUEIG_CPU);
  else
    {
      ge_plan_part (a->backend, a->method, 1, &rest.plan);
      ge_report (ctx, "%s solves %lld of %lld pages",
                 ge_method_name (a->method), (long long) count,
                 (long long) j->shape.pages);
    }
  ge_make_problem (ctx, j->entry->layout, j->problem, GE_HOST, &pages.all);
  GE_TRY (
      ge_take_pages (ctx, list, count,
                     a->backend == GPUEIG_CUDA ? pages.all.spaces : ge_on_host,
                     j->info, &pages));
  rest.problem = pages.some.data.bytes;
  rest.shape.pages = count;
  if (a->backend == GPUEIG_CUDA)
    (void) clear_flags (&rest, NULL); /* it has some */
  const gpueig_status status = ge_put_pages (ctx, &pages, run_plan (&rest));
  /* The method exists on the GPU only: report why there is no GPU.  */
  if (status == GPUEIG_NO_DEVICE && ge_device_is_lost (ctx))
    return ge_no_gpu (ctx);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  if (a->method != GE_AUTO)
    note_attempt (j, a, reason, count, &one);
  else
    {
      *j->info = one;
      if (reason != GE_LEFT_NO_DEVICE && ! one.fallback[0])
        ge_info_fallback (j->info, "cpu");
    }
  return status;
}

/* The job as planned, then the COUNT attempts for what is left.  */
static gpueig_status
run_attempts (const job *j, const ge_attempt *attempts, int count)
{
  gpueig_context *ctx = j->ctx;
  const int mark = ge_mark (ctx);
  int kept = mark; /* beyond the list */
  int64_t *list = NULL, pages = 0;
  unsigned reason;
  gpueig_status status = find_reason (j, run_plan (j), &reason);
  for (int i = 0; i < count && reason; i++)
    {
      const ge_attempt *a = &attempts[i];
      if (! (a->serves & reason))
        continue;
      if (status != GPUEIG_OK)
        ge_release (ctx, kept);
      if ((reason & GE_LEFT_PAGES) && j->entry->check_data)
        GE_TRY (j->entry->check_data (ctx, j->problem, j->info));
      if (reason == GE_LEFT_PARTS)
        status = run_whole (j);
      else
        {
          /* An attempt that fails leaves the pages that it got.  */
          if (status == GPUEIG_OK || ! list)
            GE_TRY (list_left (j, status, a, &list, &pages));
          kept = ge_mark (ctx);
          status = run_next (j, a, reason, list, pages);
        }
      status = find_reason (j, status, &reason);
    }
  if (status == GPUEIG_OK && reason)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "no method solved every page");
  if (status != GPUEIG_NOT_SYMMETRIC || ! j->entry->check_data)
    return status;
  ge_release (ctx, mark);
  ge_info_begin (j->info);
  GE_TRY (j->entry->check_data (ctx, j->problem, j->info));
  return status;
}

/* All attempts, and what their info says of the call.  */
static gpueig_status
run_all (job *j, const ge_attempt *attempts, int count)
{
  ge_problem copy;
  GE_TRY (clear_flags (j, &copy));
  if (j->plan.backend == GPUEIG_CUDA && j->options->backend == GPUEIG_AUTO
      && j->entry->layout->pages)
    {
      GE_TRY (GE_ALLOC (j->ctx, GE_HOST, j->shape.pages, &j->solved));
      memset (j->solved, 0, (size_t) j->shape.pages);
    }
  const gpueig_status status = run_attempts (j, attempts, count);
  if (ge_info_value (j->info, "normal_accuracy") > 0)
    ge_info_fallback (j->info, ge_method_name (GE_METHOD_ONESIDED_SHIFTED));
  return status;
}

gpueig_status
ge_run (gpueig_context *ctx, ge_solver_id id, ge_method method,
        const void *problem, const gpueig_options *options, gpueig_info *info)
{
  int parts = 0;
  ge_attempt attempts[GPUEIG_ATTEMPTS];
  const int on_device
      = ge_spaces_of (ctx->solvers[id]->layout, problem).matrices == GE_DEVICE;
  GE_TRY (ge_check_named_device (ctx, options));
  job j = plan_job (ctx, id, method, problem, on_device, options);
  j.info = info;
  j.parts = &parts;
  /* ge_plans_gpu has decided.  */
  if (on_device && j.plan.backend != GPUEIG_CUDA)
    make_plan (&j, GPUEIG_CUDA);
  const int count
      = ge_list_attempts (j.entry, &j.shape, options, &j.plan, attempts);
  if (ctx->display)
    report_plan (ctx, &j.plan, attempts, count);
  if (j.plan.named)
    GE_TRY (ge_check_method (ctx, id, j.plan.method, j.plan.backend, &j.shape));
  return run_all (&j, attempts, count);
}

gpueig_status
ge_run_part (gpueig_context *ctx, ge_solver_id solver, ge_method method,
             int named, const void *problem, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_options none = { .backend = GPUEIG_CPU };
  gpueig_info unused = { .sweeps = 0 };
  int parts = 0;
  ge_attempt attempts[GPUEIG_ATTEMPTS];
  job j = { .ctx = ctx,
            .id = solver,
            .entry = ctx->solvers[solver],
            .problem = problem,
            .is_part = 1,
            .options = options ? options : &none,
            .info = info ? info : &unused,
            .parts = &parts };
  j.entry->describe (problem, &j.shape);
  ge_plan_part (GPUEIG_CPU, method, named, &j.plan);
  ge_info_begin (&unused);
  return run_all (
      &j, attempts,
      ge_list_attempts (j.entry, &j.shape, j.options, &j.plan, attempts));
}
