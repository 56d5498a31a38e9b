/* gpueig_jacobi_eig on the CPU for one page: scaling, method, sorting.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/jacobi_typed.h"
#include "run/solvers.h"

#include <stdlib.h>
#include <string.h>

/* pages * n^3 from which on all threads are used, about 0.1 ms of work.  */
enum
{
  SHARED_WORK = 4000
};

/* Sums are computed in a fixed number of parts, so that they do not depend on the
   number of threads.  */
enum
{
  PARTS = 64
};

/* --- norms --- */

typedef struct
{
  const real_t *r;
  int64_t reals;
  real_t scale;
  double sums[PARTS];
} squares;

static void
add_squares (void *data, int64_t part, int thread)
{
  squares *s = data;
  const real_t *r = s->r, scale = s->scale;
  const int64_t stop = s->reals * (part + 1) / PARTS;
  double own = 0;
  (void) thread;
#pragma omp simd reduction(+ : own)
  for (int64_t i = s->reals * part / PARTS; i < stop; i++)
    {
      double x = (double) (r[i] * scale);
      own += x * x;
    }
  s->sums[part] = own;
}

double
FN (ge_frobenius) (gpueig_context *ctx, int64_t count, const scalar_t *a,
                   real_t scale)
{
  squares s = { (const real_t *) a, count * (1 + GE_COMPLEX), scale, { 0 } };
  double sum = 0;
  ge_share_pass (ctx, PARTS, count > 100000, add_squares, &s);
  for (int part = 0; part < PARTS; part++)
    sum += s.sums[part];
  return sqrt (sum);
}

void
FN (ge_jacobi_note) (gpueig_context *ctx, gpueig_info *info, const char *what,
                     double off)
{
  ge_info_off (info, off);
  ge_report (ctx, "jacobi %-9s %3lld  off(A)/norm(A) = %.3e", what,
             (long long) info->sweeps, off);
}

gpueig_status
FN (ge_jacobi_unfinished) (gpueig_context *ctx,
                           const ge_jacobi_control *control)
{
  return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                      "no convergence in %lld sweeps, the best approximation "
                      "so far is returned",
                      (long long) control->max_sweeps);
}

/* --- sorting --- */

static int
compare_columns (const void *x, const void *y, void *data)
{
  const real_t *lambda = data;
  int64_t i = *(const int64_t *) x, j = *(const int64_t *) y;
  if (lambda[i] != lambda[j])
    return lambda[i] < lambda[j] ? -1 : 1;
  return i < j ? -1 : 1;
}

void
FN (ge_jacobi_order) (int64_t n, const real_t *lambda, int64_t *order)
{
  for (int64_t j = 0; j < n; j++)
    order[j] = j;
  qsort_r (order, (size_t) n, sizeof *order, compare_columns, (void *) lambda);
}

/* Sort LAMBDA and the vectors to ascending order, and multiply LAMBDA by UNSCALE.  */
static gpueig_status
sort_results (gpueig_context *ctx, int64_t n, real_t unscale, real_t *lambda,
              scalar_t *v)
{
  int64_t *order;
  real_t *values;
  scalar_t *column;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &column));
  FN (ge_jacobi_order) (n, lambda, order);
  for (int64_t j = 0; j < n; j++)
    values[j] = lambda[order[j]] * unscale;
  memcpy (lambda, values, (size_t) n * sizeof *lambda);
  if (v)
    ge_permute_columns (n, (size_t) n * sizeof *v, v, order, column);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- scaling --- */

static real_t
choose_scale (int64_t n, real_t largest, int high)
{
  return (real_t) ge_jacobi_scale (GE_DOUBLE, n, (double) largest, high);
}

static void
identity (int64_t n, scalar_t *v)
{
  memset (v, 0, (size_t) (n * n) * sizeof *v);
  for (int64_t j = 0; j < n; j++)
    v[j + n * j] = 1;
}

/* --- approximate eigenvectors --- */

gpueig_status
FN (ge_jacobi_start) (gpueig_context *ctx, int64_t n, const scalar_t *a,
                      real_t *lambda, scalar_t *v, int *failed)
{
  const int mark = ge_mark (ctx);
  const ge_plan plan = { .backend = GPUEIG_CPU, .method = GE_METHOD_EIG_MRRR };
  const gpueig_options none = { .backend = GPUEIG_CPU };
  const gpueig_symmetric s = { .type = (gpueig_type) GE_SCALAR,
                               .n = n,
                               .pages = 1,
                               .a = a,
                               .lambda = lambda,
                               .v = v };
  gpueig_info info;
  ge_info_begin (&info);
  const gpueig_status status
      = ge_cpu_eig_symmetric (ctx, &s, &plan, &none, &info);
  ge_release (ctx, mark);
  *failed = status == GPUEIG_SOLVER_FAILED;
  return *failed ? GPUEIG_OK : status;
}

/* Copy the guess, scaled only if squares would over- or underflow: an orthonormal guess
   remains orthonormal.  */
static void
take_guess (gpueig_context *ctx, int64_t n, const scalar_t *guess, scalar_t *v)
{
  real_t largest = FN (ge_largest_part) (ctx, n * n, guess);
  real_t scale = (real_t) ge_jacobi_guess_scale (GE_DOUBLE, (double) largest);
  for (int64_t i = 0; i < n * n; i++)
    v[i] = guess[i] * scale;
}

/* Is X close to the eigenvectors of A: is off (X'AX), if X is orthonormal, at most
   LIMIT |A|?  From the residuals of some columns, O(n^2).  */
static gpueig_status
is_close (gpueig_context *ctx, int64_t order, const scalar_t *a,
          const scalar_t *x, double limit, int *close)
{
  enum
  {
    COLUMNS = 8
  };
  const lapack_int n = (lapack_int) order;
  const lapack_int count = n < COLUMNS ? n : COLUMNS;
  const scalar_t one = 1, zero = 0;
  const double norm = FN (ge_frobenius) (ctx, order * order, a, 1);
  const int mark = ge_mark (ctx);
  double sum = 0;
  scalar_t *v, *w;
  *close = 1;
  if (isinf (limit))
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * count, &v));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * count, &w));
  for (int64_t k = 0; k < count; k++)
    memcpy (v + order * k, x + order * (order * k / count),
            (size_t) order * sizeof *v);
  gemm_ ("N", "N", &n, &count, &n, &one, a, &n, v, &n, &zero, w, &n, 1, 1);
  for (int64_t k = 0; k < count; k++)
    {
      double vv = 0, vw = 0, residual = 0;
      for (int64_t i = order * k; i < order * (k + 1); i++)
        {
          vv += (double) abs2_ (v[i]);
          vw += (double) (re_ (v[i]) * re_ (w[i]) + im_ (v[i]) * im_ (w[i]));
        }
      for (int64_t i = order * k; i < order * (k + 1) && vv > 0; i++)
        residual += (double) abs2_ (w[i] - v[i] * (real_t) (vw / vv));
      sum += vv > 0 ? residual / vv : INFINITY;
    }
  ge_release (ctx, mark);
  *close = sum * (double) n <= (double) count * limit * limit * norm * norm;
  return GPUEIG_OK;
}

/* --- one page --- */

static gpueig_status
cyclic_page (gpueig_context *ctx, int64_t n, const scalar_t *a, real_t scale,
             real_t *lambda, scalar_t *v, const ge_jacobi_control *control,
             gpueig_info *info)
{
  FN (ge_cyclic) w;
  char *memory;
  int64_t *order, rows = v ? n : 0, rotations;
  int threads = ge_threads ();
  /* Norms are of the matrix with elements near 1, which UNIT leads to.  */
  const real_t near_one
      = choose_scale (n, FN (ge_largest_part) (ctx, n * n, a), 0);
  const double unit = (double) near_one / (double) scale;
  double norm = FN (ge_frobenius) (ctx, n * n, a, near_one), off2;
  real_t tol = (real_t) control->tol;
  real_t floor = control->high ? 0 : (real_t) (norm / sqrt ((double) n)) * tol;
  gpueig_status status = GPUEIG_OK;

  GE_TRY (GE_ALLOC (ctx, GE_HOST,
                    (int64_t) FN (ge_cyclic_bytes) (n, rows, threads),
                    &memory));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &order));
  FN (ge_cyclic_lay_out) (&w, n, rows, threads, memory);
  /* Large diagonal elements first: graded matrices converge in fewer sweeps.  */
  for (int64_t j = 0; j < n; j++)
    lambda[j] = -re_ (a[j + n * j]);
  FN (ge_jacobi_order) (n, lambda, order);
  FN (ge_cyclic_load) (&w, n, a, n, scale, order);
  for (;;)
    {
      int64_t left = FN (ge_cyclic_count) (&w, tol, floor, unit, &off2);
      FN (ge_jacobi_note)
      (ctx, info, info->sweeps ? "sweep" : "start",
       norm > 0 ? sqrt (off2) / norm : 0);
      if (left == 0)
        break;
      if (info->sweeps == control->max_sweeps)
        {
          status = FN (ge_jacobi_unfinished) (ctx, control);
          break;
        }
      GE_TRY (ge_check_interrupt (ctx));
      info->sweeps++;
      GE_TRY (FN (ge_cyclic_sweep) (ctx, &w, tol, floor, &rotations));
    }
  for (int64_t j = 0; j < n; j++)
    lambda[j] = FN (ge_cyclic_diagonal) (&w, j);
  /* Rows of the vectors are in the permuted order.  */
  for (int64_t j = 0; j < n && v; j++)
    for (int64_t i = 0; i < n; i++)
      v[order[i] + n * j]
          = make_ (w.v[0][w.ldv * j + i], w.v[GE_COMPLEX][w.ldv * j + i]);
  return status;
}

/* "preconditioned" for A, scaled if squares of its elements could over- or underflow;
   GPUEIG_SOLVER_FAILED if there are no vectors to start from, or if the refined ones are
   not orthonormal.  */
static gpueig_status
refine_page (gpueig_context *ctx, int64_t n, const scalar_t *a,
             const scalar_t *guess, real_t *lambda, scalar_t *v,
             const ge_jacobi_control *control, gpueig_info *info)
{
  scalar_t *x = v;
  int close = 0, failed = 0;
  if (! x)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &x));
  if (guess)
    {
      take_guess (ctx, n, guess, x);
      GE_TRY (is_close (ctx, n, a, x, control->close_guess, &close));
    }
  if (! close)
    GE_TRY (FN (ge_jacobi_start) (ctx, n, a, lambda, x, &failed));
  return failed ? GPUEIG_SOLVER_FAILED
                : FN (ge_jacobi_refine) (ctx, n, a, x, lambda, control, info);
}

/* WORK = SCALE A, or A itself.  */
static gpueig_status
scaled (gpueig_context *ctx, int64_t n, const scalar_t *a, real_t scale,
        const scalar_t **work)
{
  scalar_t *copy;
  *work = a;
  if (scale == 1)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &copy));
  for (int64_t i = 0; i < n * n; i++)
    copy[i] = a[i] * scale;
  *work = copy;
  return GPUEIG_OK;
}

static gpueig_status
classical_page (gpueig_context *ctx, int64_t n, const scalar_t *a, real_t scale,
                real_t *lambda, scalar_t *v, const ge_jacobi_control *control,
                gpueig_info *info)
{
  scalar_t *work;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &work));
  if (v)
    identity (n, v);
  for (int64_t i = 0; i < n * n; i++)
    work[i] = a[i] * scale;
  return FN (ge_jacobi_classical) (ctx, n, work, v, lambda, control, info);
}

gpueig_status
FN (ge_jacobi_page) (gpueig_context *ctx, ge_jacobi_method method, int64_t n,
                     const void *a, const void *guess, void *lambda, void *v,
                     const ge_jacobi_control *control, gpueig_info *info)
{
  int mark = ge_mark (ctx);
  const double largest = (double) FN (ge_largest_part) (ctx, n * n, a);
  real_t scale = (real_t) ge_jacobi_guess_scale (GE_DOUBLE, largest);
  gpueig_status status = GPUEIG_SOLVER_FAILED;
  if (method == GE_JACOBI_REFINE)
    {
      const scalar_t *work;
      GE_TRY (scaled (ctx, n, a, scale, &work));
      status = refine_page (ctx, n, work, guess, lambda, v, control, info);
      /* If that fails, by rotations without the approximate vectors.  */
      method = GE_JACOBI_CYCLIC;
    }
  if (status == GPUEIG_SOLVER_FAILED)
    {
      ge_release (ctx, mark);
      scale = (real_t) ge_jacobi_scale (GE_DOUBLE, n, largest, control->high);
      status = (method == GE_JACOBI_CYCLIC ? cyclic_page : classical_page) (
          ctx, n, a, scale, lambda, v, control, info);
    }
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    GE_TRY (sort_results (ctx, n, 1 / scale, lambda, v));
  ge_release (ctx, mark);
  return status;
}

/* --- many small pages --- */

/* Solve a page on one thread with scratch MEMORY; returns the number of sweeps, or -1
   if the limit was reached.  */
static int64_t
small_page (int64_t n, const scalar_t *a, real_t *lambda, scalar_t *v,
            const ge_jacobi_control *control, char *memory)
{
  FN (ge_cyclic) w;
  int64_t order[GE_JACOBI_PAIR], sweeps = 0, left, rotations;
  real_t tol = (real_t) control->tol, values[GE_JACOBI_PAIR];
  real_t scale
      = choose_scale (n, FN (ge_largest_part) (NULL, n * n, a), control->high);
  double off2, sum = 0;
  FN (ge_cyclic_lay_out) (&w, n, v ? n : 0, 1, memory);
  FN (ge_cyclic_load) (&w, n, a, n, scale, NULL);
  for (int64_t i = 0; i < n * n; i++)
    sum += (double) abs2_ (a[i] * scale);
  real_t floor = control->high ? 0 : (real_t) sqrt (sum / (double) n) * tol;
  while ((left = FN (ge_cyclic_count) (&w, tol, floor, 0, &off2)) > 0
         && sweeps < control->max_sweeps)
    {
      FN (ge_cyclic_sweep) (NULL, &w, tol, floor, &rotations);
      sweeps++;
    }
  for (int64_t j = 0; j < n; j++)
    values[j] = FN (ge_cyclic_diagonal) (&w, j);
  FN (ge_jacobi_order) (n, values, order);
  for (int64_t j = 0; j < n; j++)
    {
      lambda[j] = values[order[j]] / scale;
      if (v)
        FN (ge_cyclic_vector) (&w, order[j], v + n * j);
    }
  return left > 0 ? -1 : sweeps;
}

/* MEMORY, MOST and UNFINISHED: one for each thread; a piece is AT_ONCE pages.  */
typedef struct
{
  const gpueig_symmetric *s;
  const ge_jacobi_control *control;
  char *memory;
  size_t stride;
  int64_t start, stop, at_once, *most, *unfinished;
} small_pages;

static void
small_piece (void *data, int64_t i, int thread)
{
  const small_pages *w = data;
  const gpueig_symmetric *s = w->s;
  const int64_t n = s->n, from = w->start + i * w->at_once;
  for (int64_t p = from; p < from + w->at_once && p < w->stop; p++)
    {
      const int64_t sweeps = small_page (
          n, (const scalar_t *) s->a + n * n * p, (real_t *) s->lambda + n * p,
          s->v ? (scalar_t *) s->v + n * n * p : NULL, w->control,
          w->memory + (size_t) thread * w->stride);
      w->unfinished[thread] += sweeps < 0;
      if (sweeps > w->most[thread])
        w->most[thread] = sweeps;
    }
}

gpueig_status
FN (ge_jacobi_pages) (gpueig_context *ctx, const gpueig_symmetric *s,
                      const ge_jacobi_control *control, gpueig_info *info)
{
  const int threads = ge_threads ();
  int64_t n = s->n, most = 0, unfinished = 0;
  int64_t batch = 1 + (int64_t) threads * 20000 / n;
  small_pages w = { .s = s, .control = control };
  w.at_once = 1 + 10000 / (n * n * n + 1);
  w.stride = (FN (ge_cyclic_bytes) (n, n, 1) + 63) / 64 * 64;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * (int64_t) w.stride, &w.memory));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &w.most));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &w.unfinished));
  memset (w.most, 0, (size_t) threads * sizeof *w.most);
  memset (w.unfinished, 0, (size_t) threads * sizeof *w.unfinished);
  for (int64_t start = 0; start < s->pages; start += batch)
    {
      int64_t stop = start + batch < s->pages ? start + batch : s->pages;
      GE_TRY (ge_check_interrupt (ctx));
      w.start = start;
      w.stop = stop;
      ge_share_pass (ctx, (stop - start + w.at_once - 1) / w.at_once,
                     (stop - start) * n * n * n > SHARED_WORK, small_piece, &w);
      if (stop < s->pages)
        ge_report_pages (ctx, "jacobi", stop, s->pages);
    }
  for (int t = 0; t < threads; t++)
    {
      most = w.most[t] > most ? w.most[t] : most;
      unfinished += w.unfinished[t];
    }
  info->sweeps = unfinished ? control->max_sweeps : most;
  ge_report (ctx, "jacobi %lld pages of order %lld: at most %lld sweeps",
             (long long) s->pages, (long long) n, (long long) info->sweeps);
  return unfinished ? FN (ge_jacobi_unfinished) (ctx, control) : GPUEIG_OK;
}
