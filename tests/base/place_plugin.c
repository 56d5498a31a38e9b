/* A plugin without CUDA that simulates several GPUs, whose solvers are the context's of the CPU
   backend: this plugin has a copy of core, and only one copy may limit the threads of the BLAS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   "Device" memory can be accessed only inside of the plugin: outside of it an access by
   core ends the process.  What GPUEIG_FAKE names happens in every call of a solver:
     state     pages of pairs, general problems, Schur forms and singular values are left
     left      every fourth page is, and GPUEIG_FAKE_COPIED counts bytes between both memories
     order     eigenvalues and vectors are returned in descending order
     twice     as left, and attempts at these pages on the GPU fail
     failed    GPUEIG_SOLVER_FAILED
     memory    GPUEIG_OUT_OF_MEMORY
     lost      the GPU is lost
     small     the GPU has little memory, and its solvers end the process
     copies    copies beside the computation fail
     pages     the GPU has no memory for more than two pages
     one, one memory, one lost    the second GPU fails, has no memory, is lost
     slow      no convergence on the second GPU
     endless   solvers run until they are stopped
   as on a GPU where a matrix is then needed in host memory.  GPUEIG_FAKE_DEVICES is the number
   of GPUs, 2 by default.
   The hooks gpueig_fail_device_call and gpueig_fault_device_call work as in the CUDA plugin: the
   first makes a call fail, the second loses the "GPU" or, for an invalid launch, makes the call
   fail.  A call that uses a lost GPU ends the process with status 97.  */

#include "array/ops.h"
#include "base/checks.h"
#include "place_memory.h"
#include "place_of_call.h"
#include "plan/plan.h"
#include "schur/reorder.h"
#include "svd/svd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
touch (const gpueig_context *ctx, const char *what)
{
  if (! ge_device_is_lost (ctx))
    return;
  fprintf (stderr, "place_plugin: %s\n", what);
  _exit (97);
}

static gpueig_status
checked_call (gpueig_context *ctx)
{
  touch (ctx, "a call after the GPU was lost");
  ctx->device_count++;
  if (ctx->device_fail && ctx->device_count == ctx->device_fail)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR,
                        "cudaErrorUnknown (simulated) in pretend_kernel");
  if (! ctx->device_fault || ctx->device_count != ctx->device_fault)
    return GPUEIG_OK;
  if (ctx->fault_kind == GPUEIG_FAULT_LAUNCH)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR,
                        "cudaErrorInvalidConfiguration in impossible_launch");
  return ge_device_lost (ctx, "%s",
                         ctx->fault_kind == GPUEIG_FAULT_TRAP
                             ? "cudaErrorLaunchFailure in trap_kernel"
                             : "cudaErrorIllegalAddress in "
                               "wild_address_kernel");
}

static gpueig_status
fake_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  size_t size = PAGE;
  GE_TRY (checked_call (ctx));
  while (size < bytes && size < ARENA)
    size *= 2;
  pthread_mutex_lock (&lock);
  if (! arena)
    arena = reserve ();
  if (arena && is_open)
    mprotect (arena, ARENA, PROT_READ | PROT_WRITE);
  *ptr = ! arena || size < bytes ? NULL : take_block (size);
  pthread_mutex_unlock (&lock);
  return *ptr ? GPUEIG_OK : GPUEIG_OUT_OF_MEMORY;
}

static void
fake_release (gpueig_context *ctx, void *ptr)
{
  touch (ctx, "memory of a lost GPU was freed");
  pthread_mutex_lock (&lock);
  for (int i = 0; i < n_blocks; i++)
    if (blocks[i].at == ptr)
      blocks[i].is_free = 1;
  pthread_mutex_unlock (&lock);
}

static int64_t
fake_available (gpueig_context *ctx)
{
  touch (ctx, "a lost GPU was asked for its memory");
  return (int64_t) (ARENA - used);
}

/* What is pinned for a lost GPU is not released: check_sanitizers.sh tells LeakSanitizer.  */
static gpueig_status
fake_pinned_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  return ctx->memory[GE_HOST].alloc (ctx, bytes, ptr);
}

/* --- the plugin --- */

static gpueig_status
fake_open (gpueig_context *ctx)
{
  const ge_memory memory = { .alloc = fake_alloc,
                             .release = fake_release,
                             .available = fake_available };
  ctx->memory[GE_DEVICE] = memory;
  ctx->memory[GE_PINNED] = ctx->memory[GE_HOST];
  ctx->memory[GE_PINNED].alloc = fake_pinned_alloc;
  return GPUEIG_OK;
}

static void
fake_close (gpueig_context *ctx)
{
  memset (&ctx->memory[GE_DEVICE], 0, sizeof (ge_memory));
  memset (&ctx->memory[GE_PINNED], 0, sizeof (ge_memory));
  /* Solvers of the CPU plan in contexts of GPUs too.  */
  ge_forget_machine (ctx);
}

static int
is_fake (const char *what)
{
  const char *text = getenv ("GPUEIG_FAKE");
  return text && strcmp (text, what) == 0;
}

static int
there (void)
{
  const char *text = getenv ("GPUEIG_FAKE_DEVICES");
  return text ? atoi (text) : 2;
}

static gpueig_status
fake_select (gpueig_context *ctx, int device)
{
  return device < there () ? checked_call (ctx)
                           : gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                                          "there is no GPU %d", device);
}

static gpueig_status
fake_count (gpueig_context *ctx, int *devices)
{
  *devices = there ();
  return checked_call (ctx);
}

static void
fake_query (gpueig_context *ctx, gpueig_machine *machine)
{
  touch (ctx, "a lost GPU was queried");
  machine->n_devices = there ();
}

static void
fake_describe (gpueig_context *ctx, int device, gpueig_device *d)
{
  (void) ctx;
  (void) device;
  d->memory = is_fake ("small") ? 1 << 18 : (int64_t) ARENA;
}

static gpueig_status
locate (gpueig_context *ctx, const void *pointer, int *device)
{
  *device = 0;
  return is_device (pointer)
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "not on a GPU");
}

static int
reaches (gpueig_context *ctx, int device)
{
  (void) ctx;
  return device < there ();
}

static gpueig_status
wait_for_caller (gpueig_context *ctx)
{
  (void) ctx;
  return GPUEIG_OK;
}

static void
count_copy (size_t bytes)
{
  const char *before = getenv ("GPUEIG_FAKE_COPIED");
  char text[32];
  snprintf (text, sizeof text, "%llu",
            bytes + (before ? strtoull (before, NULL, 10) : 0));
  setenv ("GPUEIG_FAKE_COPIED", text, 1);
}

static gpueig_status
copy (gpueig_context *ctx, void *to, const void *from, size_t bytes)
{
  GE_TRY (checked_call (ctx));
  if (is_fake ("left") && ! (is_device (to) && is_device (from)))
    count_copy (bytes);
  enter ();
  memcpy (to, from, bytes);
  return leave (GPUEIG_OK);
}

static gpueig_status
put (gpueig_context *ctx, void *to, const void *from, size_t bytes, int direct)
{
  return is_device (to) && is_device (from) == (direct != 0)
             ? copy (ctx, to, from, bytes)
             : gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "put between places");
}

static gpueig_status
get (gpueig_context *ctx, void *to, const void *from, size_t bytes, int direct)
{
  return is_device (from) && is_device (to) == (direct != 0)
             ? copy (ctx, to, from, bytes)
             : gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "get between places");
}

/* The real number PART (0, 1) of element I of A.  */
static double
part_of (gpueig_type type, const void *a, int64_t i, int part)
{
  const int64_t at = gpueig_is_complex (type) ? 2 * i + part : i;
  if (part && ! gpueig_is_complex (type))
    return 0;
  return gpueig_is_double (type) ? ((const double *) a)[at]
                                 : (double) ((const float *) a)[at];
}

static gpueig_status
inspect (gpueig_context *ctx, gpueig_type type, const void *a, int64_t n,
         int64_t pages, ge_page_facts *facts)
{
  (void) ctx;
  enter ();
  for (int64_t p = 0; p < pages; p++)
    {
      ge_page_facts f = { 0, INFINITY, -INFINITY, 1, 1 };
      const void *page = ge_page (a, p, n * n, gpueig_scalar_size (type));
      for (int64_t k = 0; k < n * n; k++)
        for (int part = 0; part < 2; part++)
          {
            const double x = part_of (type, page, k, part);
            const double y = part_of (type, page, k % n * n + k / n, part);
            f.finite &= isfinite (x) != 0;
            f.symmetric &= x == (part ? -y : y);
            f.largest = fmax (f.largest, fabs (x));
            if (k / n == k % n && part == 0)
              {
                f.least_diagonal = fmin (f.least_diagonal, x);
                f.most_diagonal = fmax (f.most_diagonal, x);
              }
          }
      f.symmetric &= f.finite;
      if (facts)
        facts[p] = f;
      else if (! f.symmetric)
        return leave (GPUEIG_NOT_SYMMETRIC);
    }
  return leave (GPUEIG_OK);
}

/* --- copies beside the computation: done when they begin --- */

static gpueig_status
open_lanes (gpueig_context *ctx, int count)
{
  return count <= GE_LANES
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "%d lanes", count);
}

static int
enter_lanes (gpueig_context *ctx)
{
  (void) ctx;
  return 0;
}

static int
start (gpueig_context *ctx, int lane, void *to, const void *from, size_t bytes)
{
  (void) lane;
  return copy (ctx, to, from, bytes) != GPUEIG_OK;
}

static int
finish (gpueig_context *ctx, int lane)
{
  (void) ctx;
  (void) lane;
  return is_fake ("copies");
}

static gpueig_status
failure (gpueig_context *ctx, int error)
{
  return error ? gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "a copy (simulated)")
               : GPUEIG_OK;
}

#include "place_arrays.h"

/* --- solvers --- */

/* Exchange elements I and J, of SIZE bytes, of X.  */
static void
exchange (char *x, int64_t i, int64_t j, size_t size)
{
  for (size_t k = 0; k < size; k++)
    {
      const char c = x[(size_t) i * size + k];
      x[(size_t) i * size + k] = x[(size_t) j * size + k];
      x[(size_t) j * size + k] = c;
    }
}

static void
reverse (const gpueig_symmetric *s)
{
  const size_t real = gpueig_real_size (s->type);
  const size_t column = (size_t) s->n * gpueig_scalar_size (s->type);
  for (int64_t p = 0; p < s->pages; p++)
    for (int64_t i = 0; i < s->n / 2; i++)
      {
        exchange ((char *) s->lambda + (size_t) (p * s->n) * real, i,
                  s->n - 1 - i, real);
        if (s->v)
          exchange ((char *) s->v + (size_t) (p * s->n) * column, i,
                    s->n - 1 - i, column);
      }
}

/* The vectors of gpueig_onesided_eig by the GPU that does not fail have the other sign.  */
static void
mark_vectors (ge_solver_id id, const void *problem)
{
  const gpueig_symmetric *s = problem;
  if (id != GE_ONESIDED_EIG || ! s->v)
    return;
  const int64_t reals
      = s->n * s->n * s->pages * (1 + gpueig_is_complex (s->type));
  enter ();
  for (int64_t i = 0; i < reals; i++)
    if (gpueig_is_double (s->type))
      ((double *) s->v)[i] *= -1;
    else
      ((float *) s->v)[i] *= -1;
  leave (GPUEIG_OK);
}

static gpueig_status
solve (ge_solver_id id, gpueig_context *ctx, const void *problem,
       const ge_plan *plan, const gpueig_options *options, gpueig_info *info)
{
  ge_shape shape;
  ctx->solvers[id]->describe (problem, &shape);
  const int second = options->device == 1;
  GE_TRY (checked_call (ctx));
  while (is_fake ("endless"))
    {
      usleep (1000);
      GE_TRY (ge_check_interrupt (ctx));
    }
  if (is_fake ("failed") || (is_fake ("twice") && plan->named))
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED, "as was asked");
  if (is_fake ("one") && second)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "as was asked");
  if (is_fake ("lost") || (is_fake ("one lost") && second))
    return ge_device_lost (ctx, "cudaErrorFake in fake_kernel");
  if (is_fake ("small"))
    abort ();
  if (is_fake ("memory") || (is_fake ("pages") && shape.pages > 2)
      || (is_fake ("one memory") && second))
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "as was asked");
  enter ();
  const gpueig_status status
      = leave (solve_there (id, ctx, problem, plan, options, info));
  if (status == GPUEIG_OK
      && (is_fake ("one") || is_fake ("one lost") || is_fake ("one memory")))
    mark_vectors (id, problem);
  return status == GPUEIG_OK && is_fake ("slow") && second
             ? gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE, "as was asked")
             : status;
}

#define FAKE(name, id)                                                         \
  static gpueig_status name (gpueig_context *ctx, const void *problem,         \
                             const ge_plan *plan,                              \
                             const gpueig_options *options, gpueig_info *info) \
  {                                                                            \
    return solve (id, ctx, problem, plan, options, info);                      \
  }
FAKE (fake_jacobi, GE_JACOBI_EIG)
FAKE (fake_onesided, GE_ONESIDED_EIG)
FAKE (fake_tdinv, GE_TDINV)
FAKE (fake_complex, GE_COMPLEX_EIG)

/* Pages of PROBLEM are left, which its flags tell: MARK; their first array is spoiled.  */
static void
leave_pages (const gpueig_context *ctx, ge_solver_id id, const void *problem,
             int mark)
{
  const ge_layout *layout = ctx->solvers[id]->layout;
  char *const flags = ge_pointer_at (problem, layout->flags);
  ge_argument x[GE_ARGUMENTS];
  ge_shape shape;
  ctx->solvers[id]->describe (problem, &shape);
  layout->arguments (problem, x);
  enter ();
  for (int64_t p = 0; flags && p < shape.pages; p++)
    {
      const int64_t wide = mark;
      if (! is_fake ("state") && (ctx->first_page + p) % 4)
        continue;
      memcpy (flags + (size_t) p * layout->flag_size,
              layout->flag_size == sizeof wide ? (const void *) &wide
                                               : (const void *) &mark,
              layout->flag_size);
      memset (ge_page (ge_pointer_at (problem, x->offset), p,
                       x->count / shape.pages, x->size),
              0xff, x->size);
    }
  leave (GPUEIG_OK);
}

static int
leaves (void)
{
  return is_fake ("left") || is_fake ("state") || is_fake ("twice");
}

static gpueig_status
fake_symmetric (gpueig_context *ctx, const void *problem, const ge_plan *plan,
                const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  const gpueig_status status
      = solve (GE_EIG_SYMMETRIC, ctx, problem, plan, options, info);
  if (status == GPUEIG_OK && leaves ())
    leave_pages (ctx, GE_EIG_SYMMETRIC, s,
                 s->b ? GE_PAIR_LEFT : GE_PAGE_FAILED);
  enter ();
  if (status == GPUEIG_OK && is_fake ("order")
      && s->select == GPUEIG_SELECT_ALL)
    reverse (s);
  return leave (status);
}

/* NAME solves a PROBLEM, of which it leaves pages that get MARK.  */
#define FAKE_STATE(name, id, mark)                                             \
  static gpueig_status name (gpueig_context *ctx, const void *problem,         \
                             const ge_plan *plan,                              \
                             const gpueig_options *options, gpueig_info *info) \
  {                                                                            \
    const gpueig_status status                                                 \
        = solve (id, ctx, problem, plan, options, info);                       \
    if (status == GPUEIG_OK && leaves ())                                      \
      leave_pages (ctx, id, problem, mark);                                    \
    return status;                                                             \
  }
FAKE_STATE (fake_general, GE_EIG_GENERAL, 1)
FAKE_STATE (solve_schur, GE_SCHUR, 1)
FAKE_STATE (solve_svd, GE_SVD, 1)
FAKE_STATE (fake_mrrr, GE_MRRR, GE_PAGE_FAILED)

/* A new order is that of the scaled form with its ranks, of which no page is left.  */
static gpueig_status
fake_schur (gpueig_context *ctx, const void *problem, const ge_plan *plan,
            const gpueig_options *options, gpueig_info *info)
{
  ge_schur_problem p = *(const ge_schur_problem *) problem;
  if (! p.job)
    return solve_schur (ctx, problem, plan, options, info);
  ge_reorder_job job = *p.job;
  gpueig_ordschur_problem form = *job.form;
  form.s = p.schur.a;
  form.u = p.from_u;
  form.s_sorted = p.schur.s;
  form.u_sorted = p.schur.u;
  form.rank = job.rank;
  job.form = &form;
  p.job = &job;
  return solve (GE_SCHUR, ctx, &p, plan, options, info);
}

/* A stack with a page that is not finite is left.  */
static gpueig_status
fake_svd (gpueig_context *ctx, const void *problem, const ge_plan *plan,
          const gpueig_options *options, gpueig_info *info)
{
  const ge_svd_problem *p = problem;
  enter ();
  const int64_t bad = ge_find_nonfinite (ctx, p->svd.type, p->svd.a,
                                         p->svd.m * p->svd.n * p->svd.pages);
  leave (GPUEIG_OK);
  if (bad < 0)
    return solve_svd (ctx, problem, plan, options, info);
  memset (p->state, 1, (size_t) p->svd.pages);
  return GPUEIG_OK;
}

static const ge_device_memory device_memory = { .locate = locate,
                                                .reaches = reaches,
                                                .wait = wait_for_caller,
                                                .copy = copy,
                                                .put = put,
                                                .get = get,
                                                .inspect = inspect,
                                                .open_lanes = open_lanes,
                                                .enter = enter_lanes,
                                                .start = start,
                                                .finish = finish,
                                                .failure = failure };

extern const ge_plugin gpueig_plugin;

__attribute__ ((visibility ("default"))) const ge_plugin gpueig_plugin = {
  .abi = GE_PLUGIN_ABI,
  .open = fake_open,
  .close = fake_close,
  .select = fake_select,
  .count = fake_count,
  .query = fake_query,
  .describe = fake_describe,
  .solver = {
    [GE_JACOBI_EIG] = fake_jacobi,
    [GE_ONESIDED_EIG] = fake_onesided,
    [GE_EIG_SYMMETRIC] = fake_symmetric,
    [GE_MRRR] = fake_mrrr,
    [GE_TDINV] = fake_tdinv,
    [GE_EIG_GENERAL] = fake_general,
    [GE_COMPLEX_EIG] = fake_complex,
    [GE_SCHUR] = fake_schur,
    [GE_SVD] = fake_svd,
  },
  .arrays = &array_ops,
  .memory = &device_memory,
};
