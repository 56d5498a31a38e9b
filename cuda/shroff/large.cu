/* The Jacobi-like method for one matrix of any order on the GPU: sweeps, then
   Newton refinement by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/similarity.cuh"
#include "shroff/shroff.cuh"
#include "shroff/large.cuh"
#include "schur/schur.cuh"

#include <math.h>

enum
{
  ROUNDS_BETWEEN_CHECKS = 128,
  BALANCING_PASSES = 6,
  NEWTON_STEPS = 3
};

template <typename R> struct large_state
{
  large_problem<R> p;
  cpx<R> *a0; /* the matrix, scaled to size 1 */
  cpx<R> *lambda;
  int exponent;
  double off, norm; /* |off (A)|_F / |A|_F, |A|_F */
};

template <typename R>
static gpueig_status
allocate (gpueig_context *ctx, int64_t n, large_state<R> *s)
{
  large_problem<R> *p = &s->p;
  p->n = (int) n;
  p->m = (int) (n + 1) / 2;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &s->a0));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &s->lambda));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * n, &p->a, &p->v));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 4 * p->m, &p->j));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n, &p->t));
  return GE_ALLOC (ctx, GE_DEVICE, 2, &p->sums);
}

/* Upload a page and scale it to real and imaginary parts below 1.  */
template <typename R>
static gpueig_status
load (gpueig_context *ctx, const gpueig_general *g, int64_t page,
      large_state<R> *s, gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const int complex_in = gpueig_is_complex (g->type);
  const int more = sizeof (R) == 8 ? 201 : 21; /* than ge_cuda_scale_up */
  const int64_t reals = square * (1 + complex_in);
  R *input;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, reals, &input));
  GE_TRY (ge_upload (ctx, input, (const R *) g->a + page * reals, reals, info));
  GE_TRY (ge_cuda_scale_up (ctx, reals, input, &s->exponent));
  s->exponent += more;
  GE_LAUNCH (large_load<R>, ge_blocks (square, LARGE_THREADS), LARGE_THREADS, 0,
             (int) n, complex_in, input, (R) ldexp (1, -more), s->a0, s->p.a,
             s->p.v);
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

/* --- sweeps --- */

/* Compute p->t and p->sums.  */
template <typename R>
static gpueig_status
measure (gpueig_context *ctx, const large_problem<R> *p)
{
  GE_LAUNCH (large_norms<R>, 2 * (unsigned) p->n, LARGE_THREADS, 0, *p);
  GE_LAUNCH (large_measure<R>, 1, LARGE_THREADS, 0, *p);
  return GPUEIG_OK;
}

template <typename R>
static gpueig_status
scale (gpueig_context *ctx, const large_problem<R> *p, int powers)
{
  GE_TRY (measure (ctx, p));
  GE_LAUNCH (large_scaling<R>, ge_blocks (p->n, LARGE_THREADS), LARGE_THREADS,
             0, *p, powers);
  GE_LAUNCH (large_apply_scaling<R>,
             ge_blocks ((int64_t) p->n * p->n, LARGE_THREADS), LARGE_THREADS, 0,
             *p);
  return GPUEIG_OK;
}

template <typename R>
static gpueig_status
read_sums (gpueig_context *ctx, large_state<R> *s)
{
  double sums[2];
  GE_TRY (ge_fetch (ctx, sums, s->p.sums, 2));
  s->norm = sqrt (sums[0] + sums[1]);
  s->off = s->norm > 0 ? sqrt (sums[0]) / s->norm : 0;
  return GPUEIG_OK;
}

template <typename R>
static gpueig_status
sweep_once (gpueig_context *ctx, large_state<R> *s)
{
  const large_problem<R> *p = &s->p;
  const unsigned finders = (unsigned) (p->m + LARGE_PAIRS - 1) / LARGE_PAIRS;
  const dim3 tiles (ge_blocks (p->m + p->n, LARGE_THREADS), (unsigned) p->m);
  GE_TRY (scale (ctx, p, 0));
  for (int round = 0; round < 2 * p->m - 1; round++)
    {
      GE_LAUNCH (large_transformations<R>, finders, LARGE_THREADS, 0, *p,
                 round);
      GE_LAUNCH (large_update<R>, tiles, LARGE_THREADS, 0, *p, round);
      if (round % ROUNDS_BETWEEN_CHECKS == ROUNDS_BETWEEN_CHECKS - 1)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  GE_TRY (measure (ctx, p));
  return read_sums (ctx, s);
}

template <typename R>
static gpueig_status
iterate (gpueig_context *ctx, large_state<R> *s, double tol, int limit,
         int limited, int *converged, gpueig_info *info)
{
  double history[GPUEIG_MAX_HISTORY];
  int sweep = 0;
  GE_TRY (scale (ctx, &s->p, 1)); /* for the sums; balances too */
  GE_TRY (read_sums (ctx, s));
  *converged = s->off <= tol;
  while (! *converged && sweep < limit)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (sweep_once (ctx, s));
      const int slot
          = sweep < GPUEIG_MAX_HISTORY ? sweep : GPUEIG_MAX_HISTORY - 1;
      history[slot] = s->off;
      ge_info_off (info, s->off);
      sweep++;
      info->sweeps++;
      ge_report (ctx, "sweep %2d  off %.2e", sweep, s->off);
      *converged = s->off <= tol;
      if (! *converged && ! limited && slot == sweep - 1
          && no_progress (history[slot], slot < 5 ? 0 : history[slot - 5], slot,
                          s->p.n))
        break;
    }
  return GPUEIG_OK;
}

/* --- refinement --- */

/* X <- V^-1 X, or OP of V; V is overwritten.  */
template <typename R>
static gpueig_status
solve_with_vectors (gpueig_context *ctx, int64_t n, cublasOperation_t op,
                    cpx<R> *v, cpx<R> *x)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cudaDataType type = cuda_type<cpx<R>>::value;
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int64_t *pivots;
  int *result, mark = ge_mark (ctx);
  CUSOLVER (cusolverDnXgetrf_bufferSize (cuda->solver, NULL, n, n, type, v, n,
                                         type, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &pivots));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  CUSOLVER (cusolverDnXgetrf (cuda->solver, NULL, n, n, type, v, n, pivots,
                              type, device_work, device_bytes, host_work,
                              host_bytes, result));
  CUSOLVER (cusolverDnXgetrs (cuda->solver, NULL, op, n, n, type, v, n, pivots,
                              type, x, n, result));
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

/* *RATIO = |A V - V D|_1 / (n eps |A|_1); R = A V - V D; with LEFT of A' and conj (D).  */
template <typename R>
static gpueig_status
measure_residual (gpueig_context *ctx, const large_state<R> *s, const cpx<R> *v,
                  int left, cpx<R> *r, unsigned long long *device,
                  double *ratio)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t n = s->p.n;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double worst[2];
  CUBLAS (ge_gemm (cuda->blas, left ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_OP_N, n,
                   n, n, (R) 1, s->a0, n, v, n, (R) 0, r, n));
  GE_TRY (ge_clear (ctx, device, 2));
  GE_LAUNCH (large_residual<R>, (unsigned) n, LARGE_THREADS, 0, (int) n, s->a0,
             v, s->lambda, left, r, device);
  GE_TRY (ge_fetch (ctx, (unsigned long long *) worst, device, 2));
  *ratio = worst[0] == 0 ? 0 : worst[0] / (worst[1] * (double) n * eps);
  return GPUEIG_OK;
}

/* Eigenvalues from the diagonal of A, refined with V and the matrix A0 (see
   core/shroff/refine_typed.c); A is overwritten.  *RATIO: of the residual.  */
template <typename R>
static gpueig_status
refine (gpueig_context *ctx, large_state<R> *s, double *ratio)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t n = s->p.n, square = n * n;
  const double good = 0.3;
  cpx<R> *r = s->p.a, *v = s->p.v, *lu, *f;
  unsigned long long *device;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &lu, &f));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &device));
  GE_LAUNCH (large_values<R>, ge_blocks (n, LARGE_THREADS), LARGE_THREADS, 0,
             (int) n, s->p.a, 1, s->lambda);
  GE_LAUNCH (large_normalize<R>, (unsigned) n, LARGE_THREADS, 0, (int) n,
             (const cpx<R> *) NULL, v);
  GE_TRY (measure_residual (ctx, s, v, 0, r, device, ratio));
  for (int step = 0; step < NEWTON_STEPS && ! (*ratio <= good); step++)
    {
      GE_TRY (ge_copy (ctx, lu, v, square));
      GE_TRY (solve_with_vectors<R> (ctx, n, CUBLAS_OP_N, lu, r));
      GE_LAUNCH (large_correction<R>, ge_blocks (square, LARGE_THREADS),
                 LARGE_THREADS, 0, (int) n, s->lambda, r, f);
      GE_LAUNCH (large_values<R>, ge_blocks (n, LARGE_THREADS), LARGE_THREADS,
                 0, (int) n, r, 0, s->lambda);
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, (R) 1, v,
                       n, f, n, (R) 0, lu, n));
      GE_LAUNCH (large_normalize<R>, (unsigned) n, LARGE_THREADS, 0, (int) n,
                 lu, v);
      const double before = *ratio;
      GE_TRY (measure_residual (ctx, s, v, 0, r, device, ratio));
      if (! (*ratio < before / 4))
        break;
    }
  return ge_close_frame (ctx, mark);
}

/* Left vectors W from V^-1, the residual of which is *RATIO; V is overwritten, and A.  */
template <typename R>
static gpueig_status
left_vectors (gpueig_context *ctx, const large_state<R> *s, cpx<R> *w,
              double *ratio)
{
  const int64_t n = s->p.n;
  const int mark = ge_mark (ctx);
  unsigned long long *device;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &device));
  GE_TRY (ge_schur_identity (ctx, n, w));
  GE_TRY (solve_with_vectors<R> (ctx, n, CUBLAS_OP_C, s->p.v, w));
  GE_LAUNCH (large_normalize<R>, (unsigned) n, LARGE_THREADS, 0, (int) n,
             (const cpx<R> *) NULL, w);
  GE_TRY (measure_residual<R> (ctx, s, w, 1, s->p.a, device, ratio));
  return ge_close_frame (ctx, mark);
}

/* --- a page --- */

template <typename R>
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_general *g, int64_t page,
            const gpueig_options *options, int limit, unsigned char *state,
            gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const int limited = options->max_sweeps > 0;
  const double tol = ge_complex_tol (options, GPUEIG_CUDA, sizeof (R) == 8);
  double ratio = 0, left_ratio = 0;
  large_state<R> s;
  cpx<R> *w = NULL;
  int converged;
  GE_TRY (allocate (ctx, n, &s));
  if (g->w)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &w));
  GE_TRY (load (ctx, g, page, &s, info));
  GE_TRY (ge_timer_start (ctx));
  for (int pass = 1; g->balance && pass < BALANCING_PASSES; pass++)
    GE_TRY (scale (ctx, &s.p, 1));
  GE_TRY (iterate (ctx, &s, tol, limit, limited, &converged, info));
  state[page] = converged ? GE_PAGE_DONE : GE_PAGE_STALLED;
  if (! converged && ! limited)
    return ge_timer_stop (ctx, &info->time_solve);
  GE_TRY (refine (ctx, &s, &ratio));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (g->v)
    GE_TRY (ge_download (ctx, (cpx<R> *) g->v + page * square, s.p.v, square,
                         info));
  GE_TRY (ge_timer_start (ctx));
  if (g->w)
    GE_TRY (left_vectors<R> (ctx, &s, w, &left_ratio));
  GE_TRY (ge_cuda_scale (ctx, 2 * n, s.exponent, (R *) s.lambda));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (g->w)
    GE_TRY (
        ge_download (ctx, (cpx<R> *) g->w + page * square, w, square, info));
  GE_TRY (
      ge_download (ctx, (cpx<R> *) g->lambda + page * n, s.lambda, n, info));
  state[page] = ! converged                        ? GE_PAGE_LIMITED
                : ! (ratio < 5 && left_ratio < 10) ? GE_PAGE_STALLED
                                                   : GE_PAGE_UNNORMALIZED;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_complex_large (gpueig_context *ctx, const ge_general_problem *problem,
                       const gpueig_options *options, int limit,
                       gpueig_info *info)
{
  const gpueig_general *g = &problem->general;
  for (int64_t page = 0; page < g->pages; page++)
    {
      const int mark = ge_mark (ctx);
      gpueig_info one;
      ge_info_begin (&one);
      if (gpueig_is_double (g->type))
        GE_TRY (solve_page<double> (ctx, g, page, options, limit,
                                    problem->state, &one));
      else
        GE_TRY (solve_page<float> (ctx, g, page, options, limit, problem->state,
                                   &one));
      ge_release (ctx, mark);
      ge_info_merge_sweeps (info, &one);
      info->time_transfer += one.time_transfer;
      info->time_solve += one.time_solve;
      ge_report_pages (ctx, "shroff", page + 1, g->pages);
    }
  return GPUEIG_OK;
}
