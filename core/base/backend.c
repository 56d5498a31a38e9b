/* Creation and destruction of contexts, the plugin, and the choice of a backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/sample.h"
#include "base/solver.h"
#include "devices/shares.h"
#include "mpi/mpi.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
gpueig_status_id (gpueig_status status)
{
  static const char *const id[] = {
#define STATUS_ID(name, id, text) id,
    GPUEIG_STATUS_LIST (STATUS_ID)
#undef STATUS_ID
  };
  return id[status];
}

const char *
gpueig_status_text (gpueig_status status)
{
  static const char *const text[] = {
#define STATUS_TEXT(name, id, text) text,
    GPUEIG_STATUS_LIST (STATUS_TEXT)
#undef STATUS_TEXT
  };
  return text[status];
}

gpueig_options
gpueig_default_options (void)
{
  return (gpueig_options){ .method = "auto" };
}

/* --- creation and destruction --- */

gpueig_status
gpueig_create (gpueig_context **ctx)
{
  *ctx = calloc (1, sizeof **ctx);
  if (! *ctx)
    return GPUEIG_OUT_OF_MEMORY;
  ge_workspace_begin (*ctx);
  return GPUEIG_OK;
}

static void
unload_plugin (gpueig_context *ctx)
{
  if (ctx->plugin)
    {
      ge_close_children (ctx);
      ge_trim_space (ctx, GE_DEVICE, 0);
      ge_trim_space (ctx, GE_PINNED, 0);
      ctx->plugin->close (ctx);
      ctx->plugin = NULL;
    }
  /* No dlclose: threads of the CUDA runtime may still execute its code.  */
  ctx->plugin_handle = NULL;
  ctx->plugin_tried = 0;
  ctx->plugin_reason[0] = '\0';
  ctx->fault[0] = '\0';
  ctx->fault_told = 0;
}

void
gpueig_destroy (gpueig_context *ctx)
{
  if (! ctx)
    return;
  ge_join_detached (ctx);
  ge_end_threads (ctx);
  ge_release (ctx, 0);
  unload_plugin (ctx);
  ge_workspace_end (ctx);
  free (ctx->plugin_file);
  free (ctx->worker_file);
  free (ctx);
}

void
gpueig_set_callbacks (gpueig_context *ctx, const gpueig_callbacks *cb)
{
  ctx->callbacks = cb ? *cb : (gpueig_callbacks){ 0 };
}

void
gpueig_trim (gpueig_context *ctx)
{
  for (int s = 0; s < GE_SPACES; s++)
    ge_trim_space (ctx, (ge_space) s, 0);
  ge_trim_children (ctx, GE_HOST);
}

/* --- plugin --- */

/* *COPY = a copy of FILE; NULL if FILE is NULL or "".  */
static gpueig_status
copy_name (gpueig_context *ctx, const char *file, char **copy)
{
  *copy = NULL;
  if (! file || ! *file)
    return GPUEIG_OK;
  *copy = strdup (file);
  return *copy ? GPUEIG_OK
               : gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
}

gpueig_status
gpueig_set_plugin (gpueig_context *ctx, const char *file)
{
  char *copy;
  GE_TRY (copy_name (ctx, file, &copy));
  unload_plugin (ctx);
  free (ctx->plugin_file);
  ctx->plugin_file = copy;
  ctx->plugin_named = 1;
  return GPUEIG_OK;
}

/* Set ctx->plugin_file to the default: gpueig_cuda.so in the folder of the file that
   contains this code or in its subfolder gpueig; the former if neither exists.  */
static void
find_plugin (gpueig_context *ctx)
{
  static const char *const places[]
      = { "gpueig_cuda.so", "gpueig/gpueig_cuda.so" };
  Dl_info self;
  char file[4096];
  if (! dladdr (&ge_cpu_backend, &self) || ! self.dli_fname)
    return;
  const char *slash = strrchr (self.dli_fname, '/');
  const int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  for (int i = 0; i < 2; i++)
    {
      const int size = snprintf (file, sizeof file, "%.*s%s", length,
                                 self.dli_fname, places[i]);
      if (size >= (int) sizeof file
          || (access (file, R_OK) != 0 && (i > 0 || ctx->plugin_file)))
        continue;
      char *copy = strdup (file);
      if (! copy)
        return;
      free (ctx->plugin_file);
      ctx->plugin_file = copy;
      if (access (file, R_OK) == 0)
        return;
    }
}

gpueig_status
gpueig_set_worker (gpueig_context *ctx, const char *file)
{
  char *copy;
  GE_TRY (copy_name (ctx, file, &copy));
  free (ctx->worker_file);
  ctx->worker_file = copy;
  return GPUEIG_OK;
}

#define NO_CUDA(...)                                                           \
  (void) snprintf (ctx->plugin_reason, sizeof ctx->plugin_reason, __VA_ARGS__)

/* Load the plugin, in the first call only; sets ctx->plugin or, if that fails,
   ctx->plugin_reason.  */
static void
load_plugin (gpueig_context *ctx)
{
  if (ctx->plugin_tried)
    return;
  ctx->plugin_tried = 1;
  if (! ctx->plugin_named && ! ctx->plugin_file)
    find_plugin (ctx);
  if (! ctx->plugin_file)
    {
      NO_CUDA ("this build has no CUDA plugin (nvcc was not found)");
      return;
    }
  FILE *there = fopen (ctx->plugin_file, "rb");
  if (! there)
    {
      NO_CUDA ("the CUDA plugin %.150s is missing; a build on a machine with "
               "nvcc makes it",
               ctx->plugin_file);
      return;
    }
  fclose (there);
  void *handle = dlopen (ctx->plugin_file, RTLD_NOW | RTLD_LOCAL);
  if (! handle)
    {
      NO_CUDA ("the CUDA plugin cannot be loaded: %.200s", dlerror ());
      return;
    }
  const ge_plugin *plugin = dlsym (handle, "gpueig_plugin");
  if (! plugin || strcmp (plugin->abi, GE_PLUGIN_ABI) != 0)
    {
      NO_CUDA ("the CUDA plugin is of another version (%s, wanted %s)",
               plugin ? plugin->abi : "unknown", GE_PLUGIN_ABI);
      dlclose (handle);
      return;
    }
  if (plugin->open (ctx) != GPUEIG_OK)
    {
      NO_CUDA ("%.255s", ctx->message);
      ctx->message[0] = '\0';
      return;
    }
  ctx->plugin_handle = handle;
  ctx->plugin = plugin;
}

/* Write to TEXT, of SIZE bytes, the reason why no GPU can be used.  */
static void
why_no_gpu (const gpueig_context *ctx, char *text, size_t size)
{
  if (ge_device_is_lost (ctx))
    (void) snprintf (
        text, size,
        "the GPU was lost by an earlier fault (%.159s); this process "
        "(Octave) must be restarted to use it",
        ctx->fault);
  else
    (void) snprintf (text, size, "%s", ctx->plugin_reason);
}

void
gpueig_query (gpueig_context *ctx, gpueig_machine *machine)
{
  memset (machine, 0, sizeof *machine);
  load_plugin (ctx);
  machine->threads = ge_threads ();
  snprintf (machine->blas, sizeof machine->blas, "%s", ge_blas_description ());
  machine->blas_threads = ge_blas_threads ();
  /* The query itself may reveal a fault.  */
  if (ctx->plugin && ! ge_device_is_lost (ctx))
    ctx->plugin->query (ctx, machine);
  machine->cuda = ctx->plugin && ! ge_device_is_lost (ctx);
  if (! machine->cuda)
    {
      machine->n_devices = 0;
      why_no_gpu (ctx, machine->reason, sizeof machine->reason);
    }
  ge_mpi_query (ctx, machine);
}

/* --- choice of the backend --- */

/* Report order, type and backend (WHERE) of a call before the solver runs.  */
static void
report_start (gpueig_context *ctx, ge_solver_id id, const void *problem,
              const char *where)
{
  static const char *const names[]
      = { "single", "double", "complex single", "complex double" };
  gpueig_type type;
  int64_t n, pages;
  if (! ctx->display)
    return;
  ge_describe (id, problem, &type, &n, &pages);
  if (pages == 1)
    ge_report (ctx, "order %lld, %s, on %s", (long long) n, names[type], where);
  else
    ge_report (ctx, "order %lld, %s, %lld pages, on %s", (long long) n,
               names[type], (long long) pages, where);
}

static void
report_end (gpueig_context *ctx, gpueig_status status, const gpueig_info *info,
            double start)
{
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    ge_report (ctx, "%s: %.3g s", info->method, ge_now () - start);
}

static gpueig_status
no_gpu (gpueig_context *ctx)
{
  char why[sizeof ctx->message];
  why_no_gpu (ctx, why, sizeof why);
  return gpueig_fail (ctx, GPUEIG_NO_DEVICE, "no usable GPU: %.480s", why);
}

static void
note_devices (gpueig_info *info, const int *devices, int n)
{
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = devices[0];
  info->n_devices = n;
  memcpy (info->devices, devices, (size_t) n * sizeof *devices);
}

static gpueig_status
run_on_device (gpueig_context *ctx, ge_solver_id id, int device,
               const void *problem, const gpueig_options *options,
               gpueig_info *info)
{
  char where[32];
  GE_TRY (ctx->plugin->select (ctx, device));
  note_devices (info, &device, 1);
  snprintf (where, sizeof where, "GPU %d", device);
  report_start (ctx, id, problem, where);
  const double start = ge_now ();
  const gpueig_status status
      = ctx->plugin->backend.solver[id](ctx, problem, options, info);
  report_end (ctx, status, info, start);
  return status;
}

/* One matrix on N devices if it exceeds the memory of the first; *TAKEN is set to 0
   if this function solved nothing.  */
static gpueig_status
eig_on_devices (gpueig_context *ctx, const gpueig_symmetric *s,
                const gpueig_options *options, const int *devices, int n,
                gpueig_info *info, int *taken)
{
  const char *method = options->method;
  *taken = 0;
  if (! ctx->plugin->eig_on_devices || s->pages != 1 || s->b
      || (strcmp (method, "auto") != 0 && strcmp (method, "syevd") != 0))
    return GPUEIG_OK;
  note_devices (info, devices, n);
  const double start = ge_now ();
  ge_trim_children (ctx, GE_DEVICE);
  gpueig_status status
      = ctx->plugin->eig_on_devices (ctx, s, devices, n, info, taken);
  if (*taken && status == GPUEIG_OK)
    status = ge_check_pairs (ctx, s, info->method);
  if (*taken)
    report_end (ctx, status, info, start);
  return status;
}

/* Nonzero if the parts of a spectrum must be solved again on one device: vectors by
   inverse iteration are orthogonalised against those of the whole spectrum, which no
   single part has.  */
static int
must_be_whole (const ge_division *division, gpueig_status status,
               const gpueig_info *info)
{
  int failed = status == GPUEIG_SOLVER_FAILED;
  for (int i = 0; i < info->n_extra; i++)
    failed |= strcmp (info->extra[i].name, "fallbacks") == 0
              && info->extra[i].value > 0;
  return division->spectrum && failed;
}

static void
tell_found (const gpueig_mrrr_problem *p, int64_t count)
{
  if (p->found)
    *p->found = count;
}

static gpueig_status
run_on_devices (gpueig_context *ctx, ge_solver_id id, const void *problem,
                const gpueig_options *options, gpueig_info *info)
{
  int devices[GPUEIG_MAX_DEVICES], n;
  char where[8 + 4 * GPUEIG_MAX_DEVICES] = "GPUs";
  ge_division division;
  GE_TRY (ge_find_devices (ctx, options, devices, &n));
  if (id == GE_EIG_SYMMETRIC && n > 1)
    {
      int taken;
      GE_TRY (eig_on_devices (ctx, problem, options, devices, n, info, &taken));
      if (taken)
        return GPUEIG_OK;
    }
  const int mark = ge_mark (ctx);
  GE_TRY (ge_divide (ctx, id, problem, options, n, &division));
  n = division.shares;
  if (n == 1)
    return run_on_device (ctx, id, devices[0], problem, options, info);
  for (int i = 0; i < n; i++)
    {
      const size_t used = strlen (where);
      snprintf (where + used, sizeof where - used, "%s%d", i ? "," : " ",
                devices[i]);
    }
  note_devices (info, devices, n);
  report_start (ctx, id, problem, where);
  const double start = ge_now ();
  const gpueig_status status
      = ge_run_shares (ctx, id, problem, options, &division, devices, info);
  ge_release (ctx, mark);
  if (must_be_whole (&division, status, info))
    {
      ge_info_begin (info);
      ge_trim_children (ctx, GE_DEVICE);
      return run_on_device (ctx, id, devices[0], problem, options, info);
    }
  if (division.spectrum && status == GPUEIG_OK)
    tell_found (problem, division.units);
  report_end (ctx, status, info, start);
  return status;
}

static gpueig_status
run_on_cuda (gpueig_context *ctx, ge_solver_id id, const void *problem,
             const gpueig_options *options, gpueig_info *info)
{
  load_plugin (ctx);
  if (! ctx->plugin || ge_device_is_lost (ctx))
    return no_gpu (ctx);
  if (! ctx->plugin->backend.solver[id])
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the CUDA backend does not have this solver");
  /* Calls with one device and with several use different contexts: free what the
     other kind has cached on the GPUs.  Cached pinned memory is kept, since its
     allocation takes longer than most calls.  */
  if (options->n_devices != 0)
    return run_on_devices (ctx, id, problem, options, info);
  if (ctx->n_children > 0)
    ge_trim_children (ctx, GE_DEVICE);
  return run_on_device (ctx, id, options->device, problem, options, info);
}

static gpueig_status
run_on_cpu (gpueig_context *ctx, ge_solver_id id, const void *problem,
            const gpueig_options *options, gpueig_info *info)
{
  snprintf (info->backend, sizeof info->backend, "cpu");
  report_start (ctx, id, problem, "the CPU");
  double start = ge_now ();
  gpueig_status status = ge_cpu_backend.solver[id](ctx, problem, options, info);
  info->time_solve = ge_now () - start;
  report_end (ctx, status, info, start);
  return status;
}

static gpueig_status
run_on_workers (gpueig_context *ctx, ge_solver_id id, const void *problem,
                const gpueig_options *options, gpueig_info *info)
{
  ge_solver *solver = ge_mpi_backend.solver[id];
  if (! solver)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the backend \"mpi\" does not have this solver");
  snprintf (info->backend, sizeof info->backend, "mpi");
  report_start (ctx, id, problem, "MPI");
  const double start = ge_now ();
  const gpueig_status status = solver (ctx, problem, options, info);
  report_end (ctx, status, info, start);
  return status;
}

gpueig_status
ge_run (gpueig_context *ctx, ge_solver_id id, int cuda_pays,
        const void *problem, const gpueig_options *options, gpueig_info *info)
{
  int fell_back = 0;
  if (options->backend == GPUEIG_MPI)
    return run_on_workers (ctx, id, problem, options, info);
  if (options->backend == GPUEIG_CUDA)
    return run_on_cuda (ctx, id, problem, options, info);
  if (options->backend == GPUEIG_AUTO && cuda_pays)
    {
      int mark = ge_mark (ctx);
      gpueig_status status = run_on_cuda (ctx, id, problem, options, info);
      if (status != GPUEIG_NO_DEVICE && status != GPUEIG_DEVICE_ERROR
          && status != GPUEIG_OUT_OF_MEMORY && status != GPUEIG_SOLVER_FAILED)
        return status;
      fell_back = status != GPUEIG_NO_DEVICE;
      ge_release (ctx, mark);
      ge_info_begin (info);
    }
  gpueig_status status = run_on_cpu (ctx, id, problem, options, info);
  /* The method exists on the GPU only: report why there is no GPU.  */
  if (status == GPUEIG_NO_DEVICE && ge_device_is_lost (ctx))
    return no_gpu (ctx);
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
  ge_release (ctx, 0);
  ctx->in_use = 0;
  end_threads (ctx);
  return 1;
}

void
ge_begin (ge_call *call, gpueig_context *ctx, const gpueig_options **options,
          gpueig_info **info)
{
  if (! *options)
    {
      call->default_options = gpueig_default_options ();
      *options = &call->default_options;
    }
  if (! *info)
    *info = &call->own_info;
  if (ctx->depth++ == 0)
    begin_threads (ctx);
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
ge_check_options (gpueig_context *ctx, const gpueig_options *options,
                  const char *const *methods)
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
  if (options->n_devices != 0)
    GE_TRY (ge_check_devices (ctx, options));
  for (const char *const *m = methods; *m; m++)
    if (strcmp (*m, options->method) == 0)
      return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown method \"%s\"",
                      options->method);
}
