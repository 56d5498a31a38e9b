/* gpueig_complex_eig on the GPU: sweeps of the Jacobi-like method on all pages side by side,
   then Newton's refinement as in core/methods/shroff/refine_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/schur.cuh"
#include "shroff/shroff.cuh"

#include <string.h>

enum
{
  ROUNDS_BETWEEN_CHECKS = 128,
  BALANCING_PASSES = 10,
  NEWTON_STEPS = 3
};

/* A launch of COUNT threads or warps.  */
#define LAUNCH_THREADS(kernel, count, ...)                                     \
  GE_LAUNCH (kernel, ge_blocks (count, THREADS), THREADS, 0, __VA_ARGS__)
#define LAUNCH_WARPS(kernel, count, ...)                                       \
  LAUNCH_THREADS (kernel, WARP *(count), __VA_ARGS__)

template <typename R>
static gpueig_status
load (gpueig_context *ctx, const gpueig_general *g, shroff_stack<R> *s)
{
  const int64_t n = g->n, all = n * n * g->pages;
  const int complex_in = gpueig_is_complex (g->type);
  const R *const in = (const R *) g->a;
  s->n = (int) n;
  s->m = (int) (n + 1) / 2;
  s->count = (int) g->pages;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, all, &s->a0, &s->a, &s->z));
  /* Left vectors change the right ones, of which they need multiples.  */
  s->v = g->w ? NULL : (cpx<R> *) g->v;
  s->y = (cpx<R> *) g->w;
  s->lambda = (cpx<R> *) g->lambda;
  if (! s->v)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &s->v));
  if (! s->y)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &s->y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 4 * s->m * g->pages, &s->j));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * g->pages, &s->old));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * n * g->pages, &s->t));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, g->pages, &s->page));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s->total));
  GE_TRY (ge_clear (ctx, s->page, g->pages));
  LAUNCH_THREADS (shroff_exponents<R>, all << complex_in, *s,
                  (int) (n * n) << complex_in, in);
  LAUNCH_THREADS (shroff_load<R>, all, *s, complex_in, in);
  return GPUEIG_OK;
}

/* --- sweeps --- */

/* Which pages go on after SWEEPS sweeps; their number, and the largest |off (A)|_F.  */
template <typename R>
static gpueig_status
measure (gpueig_context *ctx, const shroff_stack<R> &s, int sweeps, double tol,
         int limited, shroff_total *total)
{
  const int64_t n = s.n, count = s.count;
  GE_TRY (ge_clear (ctx, s.total, 1));
  LAUNCH_WARPS (shroff_norms<R>, 2 * n * count, s);
  LAUNCH_WARPS (shroff_measure<R>, count, s, sweeps, tol, limited);
  return ge_fetch (ctx, total, s.total, 1);
}

template <typename R>
static gpueig_status
sweep_once (gpueig_context *ctx, const shroff_stack<R> &s)
{
  const int64_t n = s.n, m = s.m, count = s.count;
  LAUNCH_THREADS (shroff_scale<R>, n * n * count, s, 0);
  for (int round = 0; round < 2 * m - 1; round++)
    {
      LAUNCH_WARPS (shroff_transformations<R>, m * count, s, round);
      LAUNCH_THREADS (shroff_update<R>, m * (m + 2 * n) * count, s, round);
      if (round % ROUNDS_BETWEEN_CHECKS == ROUNDS_BETWEEN_CHECKS - 1)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

/* Sweeps until all pages have converged or stalled, at most LIMIT.  */
template <typename R>
static gpueig_status
iterate (gpueig_context *ctx, const gpueig_general *g, const shroff_stack<R> &s,
         const gpueig_options *options, gpueig_info *info)
{
  const int limit = ge_complex_sweeps (options, s.n);
  const int64_t n = s.n;
  const int limited = options->max_sweeps > 0;
  const double tol = ge_complex_tol (options, GPUEIG_CUDA, sizeof (R) == 8);
  shroff_total total;
  GE_TRY (measure (ctx, s, 0, tol, limited, &total));
  for (int pass = 0; g->balance && pass < BALANCING_PASSES; pass++)
    {
      LAUNCH_THREADS (shroff_scale<R>, n * n * s.count, s, 1);
      LAUNCH_WARPS (shroff_norms<R>, 2 * n * s.count, s);
    }
  GE_TRY (measure (ctx, s, 0, tol, limited, &total));
  while (total.running > 0 && info->sweeps < limit)
    {
      double off;
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (sweep_once (ctx, s));
      info->sweeps++;
      GE_TRY (measure (ctx, s, (int) info->sweeps, tol, limited, &total));
      memcpy (&off, &total.off, sizeof off);
      ge_info_off (info, off);
      ge_report (ctx, "sweep %2d  off %.2e", (int) info->sweeps, off);
    }
  return GPUEIG_OK;
}

/* --- refinement --- */

/* R = A X - X D, with LEFT A^H X - X D^H, of step STEP; *RUNNING pages need another.  */
template <typename R>
static gpueig_status
measure_residual (gpueig_context *ctx, const shroff_stack<R> &s,
                  const cpx<R> *x, int left, cpx<R> *r, int step, int *running)
{
  const int64_t n = s.n, count = s.count;
  shroff_total total;
  GE_TRY (ge_clear (ctx, s.total, 1));
  LAUNCH_THREADS (shroff_product<R>, n * n * count, s, s.a0, left, x,
                  (const cpx<R> *) NULL, r);
  LAUNCH_WARPS (shroff_residual<R>, n * count, s, x, left, r);
  LAUNCH_THREADS (shroff_judge<R>, count, s, step, NEWTON_STEPS, left);
  GE_TRY (ge_fetch (ctx, &total, s.total, 1));
  *running = total.running;
  return GPUEIG_OK;
}

/* Newton's method for vectors V and the eigenvalues, by Y, whose columns span the
   complements; LEFT: V are left vectors, Y right ones, the eigenvalues stay.  */
template <typename R>
static gpueig_status
refine (gpueig_context *ctx, shroff_stack<R> s, cpx<R> *v, cpx<R> *y, int left)
{
  const int64_t n = s.n, count = s.count, all = n * n * count;
  int running;
  LAUNCH_WARPS (shroff_normalize<R>, n * count, s, v, y);
  GE_TRY (measure_residual (ctx, s, v, left, s.a, 0, &running));
  for (int step = 1; running > 0; step++)
    {
      LAUNCH_THREADS (shroff_product<R>, all, s, y, 1, s.a,
                      (const cpx<R> *) NULL, s.z);
      if (! left)
        LAUNCH_THREADS (shroff_values<R>, n * count, s, s.z);
      LAUNCH_THREADS (shroff_correct<R>, all, s, left);
      LAUNCH_THREADS (shroff_product<R>, all, s, v, 0, s.z, v, s.a);
      LAUNCH_WARPS (shroff_normalize<R>, n * count, s, s.a, (cpx<R> *) NULL);
      GE_TRY (measure_residual (ctx, s, s.a, left, s.z, step, &running));
      LAUNCH_THREADS (shroff_keep<R>, all, s, v, left);
      cpx<R> *const residual = s.z;
      s.z = s.a;
      s.a = residual;
    }
  return GPUEIG_OK;
}

/* --- a stack --- */

template <typename R>
static gpueig_status
run (gpueig_context *ctx, const gpueig_general *g,
     const gpueig_options *options, gpueig_info *info)
{
  const int64_t n = g->n, values = n * g->pages;
  const int limited = options->max_sweeps > 0;
  shroff_stack<R> s;
  unsigned char *state;
  /* Threads are numbered by int.  */
  GE_TRY (ge_one_launch (ctx, (2 * n * n + 64 * n + 64) * g->pages, g->pages));
  GE_TRY (load (ctx, g, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, g->pages, &state));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (iterate (ctx, g, s, options, info));
  LAUNCH_THREADS (shroff_values<R>, values, s, (const cpx<R> *) NULL);
  GE_TRY (refine (ctx, s, s.v, s.y, 0));
  if (g->w && g->v)
    GE_TRY (ge_copy (ctx, (cpx<R> *) g->v, (const cpx<R> *) s.v, n * values));
  if (g->w)
    GE_TRY (refine (ctx, s, s.y, s.v, 1));
  LAUNCH_THREADS (shroff_finish<R>, values, s, limited, state);
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  return ge_fetch (ctx, g->state, state, g->pages);
}

gpueig_status
ge_cuda_complex_eig (gpueig_context *ctx, const void *problem,
                     const ge_plan *plan, const gpueig_options *options,
                     gpueig_info *info)
{
  const gpueig_general *g = (const gpueig_general *) problem;
  if (plan->method == GE_METHOD_COMPLEX_QR)
    return ge_cuda_schur_qr (ctx, g, 1, plan, options, info);
  ge_info_method (info, "shroff");
  return gpueig_is_double (g->type) ? run<double> (ctx, g, options, info)
                                    : run<float> (ctx, g, options, info);
}
