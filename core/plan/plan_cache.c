/* Knowledge of this machine: its measured times, and gpueig_plan.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/plan.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  RECENT = 64 /* plans that are kept */
};

typedef struct
{
  ge_solver_id solver;
  ge_method method;
  gpueig_backend backend;
  ge_shape shape;
  ge_plan plan;
  int used;
} recent_plan;

struct ge_plan_cache
{
  ge_machine machine;
  int device;      /* whose properties are in machine, -1: none */
  int one;         /* not several */
  char file[4096]; /* of machine.own, or "" */
  recent_plan recent[RECENT];
};

/* Enter DEVICE's properties once the plugin has been loaded.  */
static void
note_device (gpueig_context *ctx, struct ge_plan_cache *k,
             const gpueig_options *options)
{
  const int one = options->n_devices == 0;
  int device = one ? options->device : 0;
  ge_machine *m = &k->machine;
  const int has_gpu
      = (ctx->plugin || ! ctx->plugin_tried) && ! ge_device_is_lost (ctx);
  gpueig_device d = { .multiprocessors = 0 };
  if (! ctx->plugin)
    device = -1;
  if (has_gpu == m->has_gpu && device == k->device && one == k->one)
    return;
  m->has_gpu = has_gpu;
  k->device = device;
  k->one = one;
  if (device >= 0 && ctx->plugin->describe)
    ctx->plugin->describe (ctx, device, &d);
  m->hardware.rate[0] = d.rate[0];
  m->hardware.rate[1] = d.rate[1];
  m->hardware.bandwidth = d.bandwidth;
  m->device_memory = one ? d.memory : 0;
  memset (k->recent, 0, sizeof k->recent);
}

const ge_machine *
ge_machine_of (gpueig_context *ctx, const gpueig_options *options)
{
  static const ge_machine unknown
      = { .hardware = { .threads = 1 }, .cores = 1, .has_gpu = 1 };
  struct ge_plan_cache *k = ctx->plans;
  char gpu[128];
  if (k && k->machine.hardware.threads != ge_threads ())
    {
      k->machine.hardware.threads = ge_threads ();
      memset (k->recent, 0, sizeof k->recent);
    }
  if (k)
    {
      note_device (ctx, k, options);
      return &k->machine;
    }
  k = calloc (1, sizeof *k);
  if (! k)
    return &unknown;
  ctx->plans = k;
  k->device = -1;
  ge_find_cpu (&k->machine.hardware);
  k->machine.cores = omp_get_num_procs ();
  k->machine.has_gpu = 1;
  ge_gpu_name (gpu, sizeof gpu);
  if (ge_times_file (gpu, k->machine.hardware.threads, k->file, sizeof k->file))
    {
      const gpueig_status status
          = ge_read_times (ctx, k->file, &k->machine.own);
      if (status != GPUEIG_OK)
        ge_notice (ctx, "%s", ctx->message);
      ctx->message[0] = '\0';
    }
  if (k->machine.own.count == 0)
    k->file[0] = '\0';
  note_device (ctx, k, options);
  return &k->machine;
}

void
ge_forget_machine (gpueig_context *ctx)
{
  struct ge_plan_cache *k = ctx->plans;
  if (! k)
    return;
  free ((void *) k->machine.own.line);
  free (k);
  ctx->plans = NULL;
}

const char *
gpueig_times_in_use (gpueig_context *ctx)
{
  const gpueig_options options = gpueig_default_options ();
  ge_machine_of (ctx, &options);
  return ctx->plans && ctx->plans->file[0] ? ctx->plans->file : "builtin";
}

/* --- plans --- */

static int
same_shape (const ge_shape *x, const ge_shape *y)
{
  return x->n == y->n && x->pages == y->pages && x->type == y->type
         && x->outputs == y->outputs && x->pair == y->pair
         && x->guess == y->guess && x->is_tridiagonal == y->is_tridiagonal
         && x->spectrum == y->spectrum && x->part == y->part
         && x->on_device == y->on_device && x->high_accuracy == y->high_accuracy
         && x->limited == y->limited;
}

void
ge_plan_call (gpueig_context *ctx, const gpueig_options *options,
              ge_solver_id solver, ge_method method, gpueig_backend backend,
              const ge_shape *shape, ge_plan *plan)
{
  const ge_machine *machine = ge_machine_of (ctx, options);
  struct ge_plan_cache *k = ctx->plans;
  const int64_t parts[]
      = { shape->n, shape->pages, solver,
          method,   backend,      shape->outputs + 4 * (int) shape->spectrum };
  uint64_t mixed = 0;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    mixed = (mixed ^ (uint64_t) parts[i]) * 0x9E3779B97F4A7C15u;
  recent_plan *r = k ? &k->recent[(mixed >> 32) % RECENT] : NULL;
  if (r && r->used && r->solver == solver && r->method == method
      && r->backend == backend && same_shape (&r->shape, shape))
    {
      *plan = r->plan;
      return;
    }
  ge_make_plan (machine, ctx->solvers[solver], method, backend, shape, plan);
  if (r)
    *r = (recent_plan){ solver, method, backend, *shape, *plan, 1 };
}

void
ge_tridiagonal_methods (gpueig_context *ctx, const gpueig_options *options,
                        gpueig_type type, int64_t n, int64_t pages,
                        ge_method methods[GE_SPECTRA])
{
  for (int k = 0; k < GE_SPECTRA; k++)
    {
      const ge_shape shape
          = { .type = gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT,
              .n = n,
              .pages = pages,
              .outputs = 1,
              .is_tridiagonal = 1,
              .spectrum = (ge_spectrum) k };
      ge_plan plan;
      ge_plan_call (ctx, options, GE_MRRR, GE_AUTO, GPUEIG_CPU, &shape, &plan);
      methods[k] = plan.method;
    }
}

/* Add the attempts that may follow PLAN to FORECAST.  */
static void
forecast_attempts (gpueig_context *ctx, const gpueig_options *options,
                   ge_solver_id solver, const ge_shape *shape,
                   const ge_plan *plan, gpueig_forecast *forecast)
{
  ge_attempt attempts[GPUEIG_ATTEMPTS];
  forecast->n_attempts
      = ge_list_attempts (ctx->solvers[solver], shape, options, plan, attempts);
  for (int i = 0; i < forecast->n_attempts; i++)
    {
      gpueig_attempt *a = &forecast->attempts[i];
      ge_plan next = { .method = attempts[i].method };
      if (next.method == GE_AUTO)
        ge_plan_call (ctx, options, solver, GE_AUTO, attempts[i].backend, shape,
                      &next);
      a->backend = attempts[i].backend;
      snprintf (a->method, sizeof a->method, "%s",
                ge_method_name (next.method));
      ge_describe_reasons (&attempts[i], sizeof a->reasons, a->reasons);
    }
}

gpueig_status
gpueig_plan (gpueig_context *ctx, const gpueig_task *task,
             const gpueig_options *options, gpueig_forecast *forecast)
{
  /* The lists are in one order.  */
  _Static_assert((int) GPUEIG_FUNCTION_EIG_GENERAL == GE_EIG_GENERAL
                     && (int) GPUEIG_FUNCTION_SVD == GE_SVD,
                 "gpueig_function and GE_SOLVER_LIST differ");
  gpueig_options standard = options ? *options : gpueig_default_options ();
  ge_method method;
  ge_plan plan;
  ctx->message[0] = '\0';
  if (! standard.method)
    standard.method = "auto";
  options = &standard;
  if (! task || ! forecast)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the task or the forecast is NULL");
  if ((unsigned) task->function >= GE_SOLVERS
      || (unsigned) task->type > GPUEIG_COMPLEX_DOUBLE || task->n < 1
      || task->pages < 1)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "no such task: order %lld, %lld pages",
                        (long long) task->n, (long long) task->pages);
  const ge_solver_id solver = (ge_solver_id) task->function;
  const ge_shape shape
      = { .type = task->type,
          .n = task->n,
          .pages = task->pages,
          .outputs = task->vectors,
          .pair = task->pair,
          .guess = task->guess,
          .is_tridiagonal = task->tridiagonal || solver == GE_TDINV,
          .on_device = task->on_device,
          .high_accuracy = options->high_accuracy,
          .limited = options->tol > 0 || options->max_sweeps > 0 };
  GE_TRY (ge_check_options (ctx, solver, options, &method));
  if (options->backend != GPUEIG_AUTO)
    GE_TRY (ge_check_method (ctx, solver, method, options->backend, &shape));
  ge_plan_call (ctx, options, solver, method, options->backend, &shape, &plan);
  *forecast = (gpueig_forecast){ .backend = plan.backend,
                                 .seconds = plan.seconds,
                                 .estimated = plan.estimated,
                                 .host_bytes = plan.host_bytes,
                                 .device_bytes = plan.device_bytes };
  snprintf (forecast->method, sizeof forecast->method, "%s",
            ge_method_name (plan.method));
  forecast_attempts (ctx, options, solver, &shape, &plan, forecast);
  return GPUEIG_OK;
}

gpueig_status
ge_plan_place (gpueig_context *ctx, const gpueig_options *options,
               ge_solver_id solver, const ge_shape *shape, int *on_gpu)
{
  ge_shape there = *shape;
  ge_plan plan = { .backend = options->backend }, cpu;
  *on_gpu = 0;
  if (options->backend == GPUEIG_CUDA)
    GE_TRY (ge_need_gpu (ctx));
  /* On a GPU the steps after Schur forms run page by page.  */
  if (solver == GE_SCHUR)
    there.pages = 1;
  for (int again = 1; again && options->backend == GPUEIG_AUTO;)
    {
      ge_plan_call (ctx, options, solver, GE_AUTO, GPUEIG_AUTO, &there, &plan);
      /* The GPU's properties count once the plugin is there.  */
      again
          = plan.backend == GPUEIG_CUDA && ! ctx->plugin && ! ctx->plugin_tried;
      if (again)
        ge_load_plugin (ctx);
    }
  if (plan.backend == GPUEIG_CUDA && options->backend == GPUEIG_AUTO
      && there.pages < shape->pages)
    {
      ge_plan_call (ctx, options, solver, GE_AUTO, GPUEIG_CPU, shape, &cpu);
      if (cpu.seconds < plan.seconds * (double) shape->pages)
        return GPUEIG_OK;
    }
  *on_gpu = plan.backend == GPUEIG_CUDA && ctx->plugin && ctx->plugin->arrays
            && ctx->plugin->memory;
  return GPUEIG_OK;
}
