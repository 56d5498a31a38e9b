/* What is known of this machine: its measured times, and gpueig_plan.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/plan.h"
#include "run/run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ge_knowledge
{
  ge_machine machine;
  char file[4096]; /* of machine.own, or "" */
};

void
ge_gpu_name (char *name, size_t size)
{
  static const char folder[] = "/proc/driver/nvidia/gpus";
  char file[512], line[256];
  struct dirent *entry;
  DIR *d = opendir (folder);
  name[0] = '\0';
  while (d && (entry = readdir (d)) && ! name[0])
    {
      snprintf (file, sizeof file, "%s/%s/information", folder, entry->d_name);
      FILE *f = entry->d_name[0] == '.' ? NULL : fopen (file, "r");
      while (f && fgets (line, sizeof line, f))
        if (strncmp (line, "Model:", 6) == 0)
          {
            line[strcspn (line, "\n")] = '\0';
            snprintf (name, size, "%s", line + 6 + strspn (line + 6, " \t"));
          }
      if (f)
        fclose (f);
    }
  if (d)
    closedir (d);
}

const ge_machine *
ge_machine_of (gpueig_context *ctx)
{
  static const ge_machine unknown = { .threads = 1, .has_gpu = 1 };
  struct ge_knowledge *k = ctx->knowledge;
  char gpu[128];
  if (k && k->machine.threads == ge_threads ())
    return &k->machine;
  ge_forget_machine (ctx);
  k = calloc (1, sizeof *k);
  if (! k)
    return &unknown;
  ctx->knowledge = k;
  k->machine.threads = ge_threads ();
  k->machine.has_gpu = 1;
  ge_gpu_name (gpu, sizeof gpu);
  if (ge_times_file (gpu, k->machine.threads, k->file, sizeof k->file))
    {
      const gpueig_status status
          = ge_read_times (ctx, k->file, &k->machine.own);
      if (status != GPUEIG_OK)
        ge_notice (ctx, "%s", ctx->message);
      ctx->message[0] = '\0';
    }
  if (k->machine.own.count == 0)
    k->file[0] = '\0';
  return &k->machine;
}

void
ge_forget_machine (gpueig_context *ctx)
{
  struct ge_knowledge *k = ctx->knowledge;
  if (! k)
    return;
  free ((void *) k->machine.own.row);
  free (k);
  ctx->knowledge = NULL;
}

const char *
gpueig_times_in_use (gpueig_context *ctx)
{
  ge_machine_of (ctx);
  return ctx->knowledge && ctx->knowledge->file[0] ? ctx->knowledge->file
                                                   : "builtin";
}

/* --- gpueig_plan --- */

gpueig_status
gpueig_plan (gpueig_context *ctx, const gpueig_task *task,
             const gpueig_options *options, gpueig_forecast *forecast)
{
  static const ge_solver_id solvers[]
      = { GE_EIG_SYMMETRIC, GE_EIG_GENERAL, GE_JACOBI_EIG, GE_ONESIDED_EIG,
          GE_COMPLEX_EIG,   GE_MRRR,        GE_TDINV,      GE_SCHUR };
  const gpueig_options standard = gpueig_default_options ();
  ge_method method;
  ge_plan plan;
  ctx->message[0] = '\0';
  if (! options)
    options = &standard;
  if ((unsigned) task->function >= sizeof solvers / sizeof solvers[0]
      || (unsigned) task->type > GPUEIG_COMPLEX_DOUBLE || task->n < 1
      || task->pages < 1)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "no such task: order %lld, %lld pages",
                        (long long) task->n, (long long) task->pages);
  const ge_solver_id solver = solvers[task->function];
  const ge_shape shape
      = { .type = task->type,
          .n = task->n,
          .pages = task->pages,
          .outputs = task->vectors,
          .pair = task->pair,
          .guess = task->guess,
          .is_tridiagonal = task->tridiagonal || solver == GE_TDINV,
          .high_accuracy = options->high_accuracy,
          .columns = task->n };
  GE_TRY (ge_check_options (ctx, solver, options, &method));
  if (options->backend != GPUEIG_AUTO)
    GE_TRY (ge_check_method (ctx, solver, method, options->backend, &shape));
  ge_make_plan (ge_machine_of (ctx), solver, method, options->backend, &shape,
                task->on_device, &plan);
  *forecast = (gpueig_forecast){ .backend = plan.backend,
                                 .seconds = plan.seconds,
                                 .estimated = plan.estimated };
  snprintf (forecast->method, sizeof forecast->method, "%s",
            ge_method_name (plan.method));
  return GPUEIG_OK;
}
