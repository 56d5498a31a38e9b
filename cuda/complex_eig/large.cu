/* The Jacobi-like method for one matrix of any order on the GPU: sweeps, then
   Newton refinement by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "complex_eig/large.cuh"
#include "complex_eig/large_refine.cuh"
#include "complex_eig/complex_eig.cuh"
#include "eig/general.cuh"

#include <string.h>

enum
{
  /* Tiles of a block per side, with the border. 32 was slower up to order 1024,
     because there are fewer blocks then and fewer of them fit a
     multiprocessor.  */
  SIDE = 16,
  /* Above this order a sweep takes so long that it is not launched as a graph,
     and interrupts are polled between rounds.  */
  GRAPH_UP_TO = 1500,
  ROUNDS_BETWEEN_CHECKS = 128,
  BALANCING_PASSES = 6,
  /* From this order on sweeps in single precision precede those in double
     precision.  */
  PREPARE_FROM = 512
};

template <typename R> struct large_state
{
  large_problem<R> p;
  cpx<R> *a0; /* the matrix, scaled to size 1 */
  int exponent, hermitian;
  double off, norm; /* |off (A)|_F / |A|_F, |A|_F */
};

static inline unsigned
blocks_for (int64_t count)
{
  return (unsigned) ((count + LARGE_THREADS - 1) / LARGE_THREADS);
}

template <typename C>
static void
swap (C **x, C **y)
{
  C *keep = *x;
  *x = *y;
  *y = keep;
}

template <typename R>
static gpueig_status
allocate (gpueig_context *ctx, int64_t n, large_state<R> *s)
{
  large_problem<R> *p = &s->p;
  memset (s, 0, sizeof *s);
  const int side = SIDE - 2;
  p->n = (int) n;
  p->m = (int) (n + 1) / 2;
  p->blocks = (p->m + side - 1) / side;
  const int64_t parts = (int64_t) p->m * p->blocks;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &s->a0));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p->a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p->next));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &p->v));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 4 * p->m, &p->j));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 4 * p->m, &p->old_j));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, parts, &p->row_c));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, parts, &p->col_c));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, parts, &p->row_g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, parts, &p->col_g));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n, &p->t));
  return GE_ALLOC (ctx, GE_DEVICE, 2, &p->sums);
}

/* Upload a page, scale it to largest element near 1, and test whether it is
   Hermitian.  */
template <typename R>
static gpueig_status
load (gpueig_context *ctx, const gpueig_general *g, int64_t page,
      large_state<R> *s, gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const int complex_in = gpueig_is_complex (g->type);
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  unsigned long long found[2], *device;
  R *input;
  double largest;
  int e = 0, mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * (1 + complex_in), &input));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &device));
  GE_TRY (ge_upload (ctx, input,
                     (const R *) g->a + page * square * (1 + complex_in),
                     (size_t) (square * (1 + complex_in)) * sizeof (R), info));
  CU (cudaMemsetAsync (device, 0, sizeof found, stream));
  GE_LAUNCH (large_inspect<R>, (unsigned) n, LARGE_THREADS, 0, stream)
  ((int) n, complex_in, input, device);
  LAUNCHED ();
  CU (cudaMemcpyAsync (found, device, sizeof found, cudaMemcpyDeviceToHost,
                       stream));
  CU (cudaStreamSynchronize (stream));
  memcpy (&largest, &found[0], sizeof largest);
  if (largest > 0)
    (void) frexp (largest, &e);
  s->exponent = e;
  s->hermitian = found[1] == 0;
  s->p.shear = s->hermitian ? 0 : 1;
  GE_LAUNCH (large_load<R>, blocks_for (square), LARGE_THREADS, 0, stream)
  ((int) n, complex_in, input, (R) ldexp (1.0, -e / 2),
   (R) ldexp (1.0, -(e - e / 2)), s->a0, s->p.a, s->p.v);
  LAUNCHED ();
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- sweeps --- */

template <typename R>
static gpueig_status
scale (gpueig_context *ctx, const large_problem<R> *p, int powers)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  GE_LAUNCH (large_norms<R>, 2 * (unsigned) p->n, LARGE_THREADS, 0, stream)
  (*p);
  LAUNCHED ();
  GE_LAUNCH (large_measure<R>, 1, LARGE_THREADS, 0, stream) (*p);
  LAUNCHED ();
  GE_LAUNCH (large_scaling<R>, blocks_for (p->n), LARGE_THREADS, 0, stream)
  (*p, powers);
  LAUNCHED ();
  GE_LAUNCH (large_apply_scaling<R>, blocks_for ((int64_t) p->n * p->n),
             LARGE_THREADS, 0, stream)
  (*p);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename R, int H>
static gpueig_status
run_gather (gpueig_context *ctx, const large_problem<R> *p)
{
  void (*kernel) (large_problem<R>) = large_gather<R, H>;
  const int bytes = (int) sizeof (large_tiles<R, H>);
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  GE_ALLOW_SHARED (kernel, bytes);
  GE_LAUNCH_AS ("large_gather", kernel, (unsigned) (p->blocks * p->blocks),
                LARGE_THREADS, bytes, stream)
  (*p);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* The transformations of ROUND, and V by those of the round before.  */
template <typename R>
static gpueig_status
find_round (gpueig_context *ctx, const large_problem<R> *p, int round)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int vectors = round > 0 ? (p->n + 63) / 64 * ((p->m + 3) / 4) : 0;
  const int finders = round < 2 * p->m - 1 ? (p->m + 7) / 8 : 0;
  GE_LAUNCH (large_transformations<R>, (unsigned) (finders + vectors),
             LARGE_THREADS, 0, stream)
  (*p, round, finders);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename R, int H>
static gpueig_status
update_round (gpueig_context *ctx, const large_problem<R> *p, int round)
{
  void (*kernel) (large_problem<R>, int) = large_update<R, H>;
  const int bytes = (int) sizeof (large_tiles<R, H>);
  if (round == 0)
    GE_ALLOW_SHARED (kernel, bytes);
  GE_LAUNCH_AS ("large_update", kernel, (unsigned) (p->blocks * p->blocks),
                LARGE_THREADS, bytes, ge_cuda_of (ctx)->stream)
  (*p, round);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Launch all kernels of a sweep.  P is passed by value because A and NEXT are
   exchanged in every round.  */
template <typename R>
static gpueig_status
enqueue_sweep (gpueig_context *ctx, large_problem<R> p, int check)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  GE_TRY (scale (ctx, &p, 0));
  GE_TRY ((run_gather<R, SIDE> (ctx, &p)));
  for (int round = 0; round < 2 * p.m - 1; round++)
    {
      GE_TRY (find_round (ctx, &p, round));
      GE_TRY ((update_round<R, SIDE> (ctx, &p, round)));
      swap (&p.a, &p.next);
      swap (&p.j, &p.old_j);
      if (check && round % ROUNDS_BETWEEN_CHECKS == ROUNDS_BETWEEN_CHECKS - 1)
        {
          CU (cudaStreamSynchronize (stream));
          GE_TRY (ge_check_interrupt (ctx));
        }
    }
  GE_TRY (find_round (ctx, &p, 2 * p.m - 1));
  GE_LAUNCH (large_norms<R>, 2 * (unsigned) p.n, LARGE_THREADS, 0, stream) (p);
  LAUNCHED ();
  GE_LAUNCH (large_measure<R>, 1, LARGE_THREADS, 0, stream) (p);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Record a sweep as a CUDA graph: a launch costs four times a graph's node.  */
template <typename R>
static gpueig_status
record_sweep (gpueig_context *ctx, const large_state<R> *s,
              cudaGraphExec_t *exec)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  cudaGraph_t graph = NULL;
  CU (cudaStreamBeginCapture (stream, cudaStreamCaptureModeThreadLocal));
  gpueig_status status = enqueue_sweep (ctx, s->p, 0);
  cudaError_t ended = cudaStreamEndCapture (stream, &graph);
  if (status == GPUEIG_OK)
    status = ge_cuda_status (ctx, ended, "cudaStreamEndCapture");
  if (status == GPUEIG_OK)
    status = ge_cuda_status (ctx, cudaGraphInstantiate (exec, graph, 0),
                             "cudaGraphInstantiate");
  if (graph && ! ge_device_is_lost (ctx))
    cudaGraphDestroy (graph);
  return status;
}

template <typename R>
static gpueig_status
read_sums (gpueig_context *ctx, large_state<R> *s)
{
  double sums[2];
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (sums, s->p.sums, sizeof sums, cudaMemcpyDeviceToHost,
                       stream));
  CU (cudaStreamSynchronize (stream));
  s->norm = sqrt (sums[0] + sums[1]);
  s->off = s->norm > 0 ? sqrt (sums[0]) / s->norm : 0;
  return GPUEIG_OK;
}

/* One sweep, by graph EXEC[parity] where there are graphs.  */
template <typename R>
static gpueig_status
sweep_once (gpueig_context *ctx, large_state<R> *s, cudaGraphExec_t *exec,
            int parity)
{
  if (s->p.n <= GRAPH_UP_TO)
    {
      if (! exec[parity])
        GE_TRY (record_sweep (ctx, s, &exec[parity]));
      CU (cudaGraphLaunch (exec[parity], ge_cuda_of (ctx)->stream));
    }
  else
    GE_TRY (enqueue_sweep (ctx, s->p, 1));
  swap (&s->p.a, &s->p.next); /* an odd number of rounds */
  return read_sums (ctx, s);
}

template <typename R>
static gpueig_status
iterate (gpueig_context *ctx, large_state<R> *s, double tol, int limit,
         int limited, cudaGraphExec_t *exec, int *converged, gpueig_info *info)
{
  double history[GPUEIG_MAX_HISTORY];
  int sweep = 0;
  GE_TRY (scale (ctx, &s->p, 1)); /* for the sums; balances too */
  GE_TRY (read_sums (ctx, s));
  *converged = s->off <= tol;
  while (! *converged && sweep < limit)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (sweep_once (ctx, s, exec, sweep % 2));
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

/* --- sweeps in single precision first --- */

static void
forget_graphs (const gpueig_context *ctx, cudaGraphExec_t *exec)
{
  for (int i = 0; i < 2; i++)
    {
      if (exec[i] && ! ge_device_is_lost (ctx))
        cudaGraphExecDestroy (exec[i]);
      exec[i] = NULL;
    }
}

/* Sweeps in single precision; their V as the initial vectors of S, in double
   precision, and A = V^-1 A V, which is nearly diagonal, so that the sweeps in
   double precision converge quadratically. *READY = 0 if single precision did
   not converge.  */
static gpueig_status
prepare (gpueig_context *ctx, large_state<double> *s, int balance, int limit,
         cudaGraphExec_t *exec, int *ready, gpueig_info *info)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t n = s->p.n, square = n * n;
  const unsigned many = blocks_for (square);
  large_state<float> f;
  int mark = ge_mark (ctx);
  GE_TRY (allocate (ctx, n, &f));
  f.p.shear = 1;
  GE_LAUNCH ((large_convert<double, float>), many, LARGE_THREADS, 0,
             cuda->stream)
  ((size_t) square, s->a0, f.p.a);
  LAUNCHED ();
  GE_LAUNCH (large_identity<float>, many, LARGE_THREADS, 0, cuda->stream)
  ((int) n, f.p.v);
  LAUNCHED ();
  for (int pass = 1; balance && pass < BALANCING_PASSES; pass++)
    GE_TRY (scale (ctx, &f.p, 1));
  GE_TRY (iterate (ctx, &f, 1e-5, limit, 0, exec, ready, info));
  forget_graphs (ctx, exec);
  if (*ready)
    {
      GE_LAUNCH ((large_convert<float, double>), many, LARGE_THREADS, 0,
                 cuda->stream)
      ((size_t) square, f.p.v, s->p.v);
      LAUNCHED ();
      GE_LAUNCH (large_normalize<double>, (unsigned) n, LARGE_THREADS, 0,
                 cuda->stream)
      ((int) n, s->p.v, (const cpx<double> *) NULL, s->p.v);
      LAUNCHED ();
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, 1.0,
                       s->a0, n, s->p.v, n, 0.0, s->p.a, n));
      CU (cudaMemcpyAsync (s->p.next, s->p.v, (size_t) square * sizeof *s->p.v,
                           cudaMemcpyDeviceToDevice, cuda->stream));
      GE_TRY (solve_with_vectors<double> (ctx, n, s->p.next, s->p.a));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Single precision needs no preparation.  */
static gpueig_status
prepare (gpueig_context *, large_state<float> *, int, int, cudaGraphExec_t *,
         int *ready, gpueig_info *)
{
  *ready = 0;
  return GPUEIG_OK;
}

/* --- a page --- */

template <typename R>
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_general *g, int64_t page,
            const gpueig_options *options, int limit, unsigned char *state,
            cudaGraphExec_t *exec, gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const double floor = eps * (4 + (double) n / 4);
  const int limited = options->max_sweeps > 0;
  double tol = ge_complex_tol (options, GE_COMPLEX_CUDA_LARGE, sizeof (R) == 8);
  double ratio = 0, left_ratio = 0;
  large_state<R> s;
  cpx<R> *lambda, *w = NULL;
  int converged;
  GE_TRY (allocate (ctx, n, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  if (g->w)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &w));
  GE_TRY (load (ctx, g, page, &s, info));
  if (s.hermitian && tol > floor)
    tol = floor;
  GE_TRY (ge_timer_start (ctx));
  int ready = 0;
  if (n >= PREPARE_FROM && ! s.hermitian && ! limited)
    GE_TRY (prepare (ctx, &s, g->balance, limit, exec, &ready, info));
  for (int pass = 1; g->balance && ! ready && pass < BALANCING_PASSES; pass++)
    GE_TRY (scale (ctx, &s.p, 1));
  GE_TRY (iterate (ctx, &s, tol, limit, limited, exec, &converged, info));
  if (! converged && ! limited)
    {
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      state[page] = GE_PAGE_STALLED;
      return GPUEIG_OK;
    }
  GE_TRY (large_refine<R> (ctx, n, s.a0, s.p.a, s.p.v, s.p.next, lambda,
                           s.exponent, s.hermitian, &ratio));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, (cpx<R> *) g->lambda + page * n, lambda,
                       (size_t) n * sizeof *lambda, info));
  if (g->v)
    GE_TRY (ge_download (ctx, (cpx<R> *) g->v + page * square, s.p.v,
                         (size_t) square * sizeof *lambda, info));
  if (g->w)
    {
      GE_TRY (ge_timer_start (ctx));
      if (s.hermitian)
        w = s.p.v;
      else
        GE_TRY (ge_left_vectors (ctx, n, s.a0, s.p.v, lambda, s.exponent, w,
                                 &left_ratio));
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      GE_TRY (ge_download (ctx, (cpx<R> *) g->w + page * square, w,
                           (size_t) square * sizeof *lambda, info));
    }
  state[page] = ! converged                    ? GE_PAGE_LIMITED
                : ratio < 5 && left_ratio < 10 ? GE_PAGE_UNNORMALIZED
                                               : GE_PAGE_STALLED;
  if (s.hermitian && state[page] == GE_PAGE_UNNORMALIZED)
    state[page] = GE_PAGE_UNNORMALIZED_HERMITIAN;
  return GPUEIG_OK;
}

/* The address of PAGE in an array with COUNT elements of SIZE bytes per
   page.  */
static void *
at_page (const void *base, int64_t page, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (page * count) * size : NULL;
}

/* Solve a page that has stalled by Xgeev.  */
static gpueig_status
finish_stalled (gpueig_context *ctx, const gpueig_general *g, int64_t page,
                unsigned char *state, gpueig_info *info)
{
  gpueig_general one = *g;
  const size_t size = gpueig_scalar_size (g->type);
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t n = g->n;
  one.pages = 1;
  one.a = at_page (g->a, page, n * n, size);
  one.lambda = at_page (g->lambda, page, n, pair);
  one.v = at_page (g->v, page, n * n, pair);
  one.w = at_page (g->w, page, n * n, pair);
  ge_report (ctx, "geev finishes page %lld", (long long) page + 1);
  GE_TRY (ge_cuda_geev (ctx, &one, state + page, info));
  ge_info_fallback (info, "geev");
  state[page] = state[page] ? GE_PAGE_STALLED : GE_PAGE_UNNORMALIZED;
  return GPUEIG_OK;
}

static gpueig_status
solve_pages (gpueig_context *ctx, const ge_general_problem *problem,
             const gpueig_options *options, int limit, cudaGraphExec_t *exec,
             gpueig_info *info)
{
  const gpueig_general *g = &problem->general;
  unsigned char *state = problem->state;
  for (int64_t page = 0; page < g->pages; page++)
    {
      const int mark = ge_mark (ctx);
      gpueig_info one;
      ge_info_begin (&one);
      if (gpueig_is_double (g->type))
        GE_TRY (solve_page<double> (ctx, g, page, options, limit, state, exec,
                                    &one));
      else
        GE_TRY (solve_page<float> (ctx, g, page, options, limit, state, exec,
                                   &one));
      ge_release (ctx, mark);
      ge_info_merge_sweeps (info, &one);
      info->time_transfer += one.time_transfer;
      info->time_solve += one.time_solve;
      if (state[page] == GE_PAGE_STALLED && options->max_sweeps == 0)
        GE_TRY (finish_stalled (ctx, g, page, state, info));
      forget_graphs (ctx, exec);
      ge_report_pages (ctx, "shroff", page + 1, g->pages);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_complex_large (gpueig_context *ctx, const ge_general_problem *problem,
                       const gpueig_options *options, int limit,
                       gpueig_info *info)
{
  cudaGraphExec_t exec[2] = { NULL, NULL };
  gpueig_status status = solve_pages (ctx, problem, options, limit, exec, info);
  forget_graphs (ctx, exec);
  return status;
}
