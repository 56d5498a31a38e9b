/* Stacks of symmetric and Hermitian matrices by reduction to tridiagonal form:
   memory, copies, and pages where QL fails.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack.cuh"

#include "base/pairs.cuh"
#include "base/plugin.h"

#include <math.h>
#include <string.h>

/* --- tridiagonal matrices --- */

/* Convert to double precision, scaled to a largest element below 1.  One block
   per page.  */
template <typename R>
static __global__ void
scale_kernel (int n, const R *d, const R *e, double *dd, double *ee,
              ge_stack_page *page)
{
  __shared__ int exponent;
  const int64_t at = blockIdx.x;
  d += at * n;
  e += at * (n - 1);
  if (threadIdx.x == 0)
    {
      double largest = 0;
      for (int i = 0; i < n; i++)
        {
          largest = fmax (largest, fabs ((double) d[i]));
          if (i < n - 1)
            largest = fmax (largest, fabs ((double) e[i]));
        }
      (void) frexp (largest, &exponent);
      page[at] = ge_stack_page{ GE_STACK_RUNNING, exponent };
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      dd[at * n + i] = ldexp ((double) d[i], -exponent);
      ee[at * n + i] = i < n - 1 ? ldexp ((double) e[i], -exponent) : 0;
    }
}

/* --- kernels of small orders and of others --- */

/* A = Q T Q^H, and for QL Q if S->v.  */
template <typename T>
static gpueig_status
tridiagonal (gpueig_context *ctx, const ge_stack<T> *s)
{
  return ge_stack_by_ql<T> (s->n) ? ge_stack_small_reduce<T> (ctx, s)
                                  : ge_stack_reduce<T> (ctx, s);
}

/* Divide and conquer, or for small orders QL and its rotations, in as many rounds as the
   memory for rotations makes necessary; one is usual. *FAILED: number of pages that did
   not converge, unless FAILED is NULL; IDENTITY: see ge_stack_divide.  */
template <typename T>
static gpueig_status
solve (gpueig_context *ctx, const ge_stack<T> *s, int identity, int *failed)
{
  int *counts, all_failed = 0;
  const int mark = ge_mark (ctx);
  if (! ge_stack_by_ql<T> (s->n))
    return ge_stack_divide<T> (ctx, s, identity, failed);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2, &counts));
  do
    {
      GE_TRY (ge_clear (ctx, s->unfinished, 2));
      GE_TRY (ge_stack_small_ql<T> (ctx, s));
      if (s->v)
        GE_TRY (ge_stack_small_rotate<T> (ctx, s, identity));
      GE_TRY (ge_get (ctx, counts, s->unfinished, 2));
      GE_TRY (ge_cuda_check_interrupt (ctx));
      all_failed += counts[1];
      identity = 0;
    }
  while (counts[0] > 0);
  if (failed)
    *failed = all_failed;
  return ge_close_frame (ctx, mark);
}

/* --- memory --- */

/* Allocate the arrays for eigenvalues of PAGES pages of order N.  */
template <typename T>
static gpueig_status
allocate_values (gpueig_context *ctx, int64_t n, int64_t pages, ge_stack<T> *s)
{
  memset (s, 0, sizeof *s);
  s->n = (int) n;
  s->pages = pages;
  s->max_sweeps = GE_STACK_SWEEPS;
  s->table_size = 3 * s->n + 8; /* usually enough for one round */
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * pages, &s->d, &s->e, &s->rank));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s->page));
  if (! ge_stack_by_ql<T> (n))
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n * pages, &s->parts));
  return GE_ALLOC (ctx, GE_DEVICE, 2, &s->unfinished);
}

/* Allocate the arrays for vectors, but V.  */
template <typename T>
static gpueig_status
allocate_vectors (gpueig_context *ctx, ge_stack<T> *s)
{
  const int64_t together = GE_STACK_TOGETHER, n = s->n, square = n * n;
  const int64_t pages = (s->pages + together - 1) / together * together;
  s->q = s->v;
  if (! ge_stack_by_ql<T> (n))
    {
      const int64_t back = ge_stack_back_size<T> (s->n),
                    size = back > square ? back : square;
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * s->pages, &s->q));
      return GE_ALLOC (ctx, GE_DEVICE, size * s->pages, &s->u);
    }
  GE_TRY (
      GE_ALLOC (ctx, GE_DEVICE, 2 * n * s->table_size * pages, &s->rotations));
  return GE_ALLOC (ctx, GE_DEVICE, s->table_size * pages, &s->table);
}

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, const gpueig_symmetric *p, int64_t max_sweeps,
          ge_stack<T> *s)
{
  const int64_t n = p->n, pages = p->pages, square = n * n;
  const int part = ge_part_columns (p) < n;
  GE_TRY (allocate_values<T> (ctx, n, pages, s));
  if (max_sweeps > 0 && max_sweeps < GE_STACK_SWEEPS)
    s->max_sweeps = (int) max_sweeps;
  s->a = (T *) p->a;
  s->lambda = (ge_real<T> *) p->lambda;
  if (part)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->lambda));
  if (p->a)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->tau));
  if (! p->v)
    return GPUEIG_OK;
  s->v = (T *) p->v;
  if (part)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * pages, &s->v));
  return allocate_vectors<T> (ctx, s);
}

/* TO: the columns of each page that P selects of FROM, with N columns of HEIGHT numbers.  */
template <typename T>
static gpueig_status
take_columns (gpueig_context *ctx, const gpueig_symmetric *p, const T *from,
              int64_t height, T *to)
{
  const size_t column = (size_t) height * sizeof (T),
               width = column * (size_t) ge_part_columns (p);
  CU (cudaMemcpy2DAsync (to, width, from + height * (p->first - 1),
                         column * (size_t) p->n, width, (size_t) p->pages,
                         cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* Mark the pages of P that failed, unless their pairs are marked already.  */
template <typename T>
static gpueig_status
mark_failed (gpueig_context *ctx, const ge_stack<T> *s,
             const gpueig_symmetric *p)
{
  ge_stack_page *page;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &page));
  GE_TRY (ge_fetch (ctx, page, s->page, s->pages));
  for (int64_t i = 0; i < s->pages; i++)
    if (page[i].status == GE_STACK_FAILED && ! (p->b && p->indefinite[i]))
      GE_TRY (ge_cuda_leave_page (ctx, p, i));
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
stack_eig (gpueig_context *ctx, const gpueig_symmetric *p, int64_t max_sweeps,
           gpueig_info *info)
{
  typedef ge_real<T> R;
  const int64_t n = p->n, pages = p->pages;
  const int mark = ge_mark (ctx);
  ge_stack<T> s;
  T *const b = (T *) p->b;
  int given_up, *state;
  GE_TRY (ge_check_interrupt (ctx));
  GE_TRY (allocate<T> (ctx, p, max_sweeps, &s));
  if (! p->a)
    GE_LAUNCH (scale_kernel<R>, (unsigned) pages, 64, 0, (int) n,
               (const R *) p->d, (const R *) p->e, s.d, s.e, s.page);
  if (b)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &state));
  GE_TRY (ge_timer_start (ctx));
  if (b)
    GE_TRY (ge_cuda_reduce_pairs<T> (ctx, n, pages, s.a, b, state));
  if (p->a)
    GE_TRY (tridiagonal<T> (ctx, &s));
  GE_TRY (solve<T> (ctx, &s, ! p->a, &given_up));
  if (b && s.v)
    GE_TRY (ge_cuda_pairs_back<T> (ctx, n, n, pages, b, s.v));
  if (ge_part_columns (p) < n)
    {
      GE_TRY (take_columns<R> (ctx, p, s.lambda, 1, (R *) p->lambda));
      if (s.v)
        GE_TRY (take_columns<T> (ctx, p, s.v, n, (T *) p->v));
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (b)
    GE_TRY (ge_fetch (ctx, p->indefinite, state, pages));
  if (given_up > 0)
    GE_TRY (mark_failed<T> (ctx, &s, p));
  ge_info_method (info, ge_stack_by_ql<T> (n) ? "ql" : "dc");
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_leave_page (gpueig_context *ctx, const gpueig_symmetric *s,
                    int64_t page)
{
  if (! s->indefinite)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "no eigenvectors of page %lld", (long long) page + 1);
  s->indefinite[page] = GE_PAGE_FAILED;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_stack_eig (gpueig_context *ctx, const gpueig_symmetric *s,
                   const gpueig_options *options, gpueig_info *info)
{
  return GE_CUDA_BY_TYPE (s->type, stack_eig,
                          (ctx, s, options->max_sweeps, info));
}

/* --- on the device --- */

template <typename T>
gpueig_status
ge_stack_basis (gpueig_context *ctx, int64_t n, int64_t pages, T *a, T *v,
                ge_real<T> *lambda)
{
  ge_stack<T> s;
  const int mark = ge_mark (ctx);
  GE_TRY (allocate_values<T> (ctx, n, pages, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s.tau));
  s.lambda = lambda;
  if (! lambda)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s.lambda));
  s.a = a;
  s.v = v;
  GE_TRY (allocate_vectors<T> (ctx, &s));
  GE_TRY (tridiagonal<T> (ctx, &s));
  GE_TRY (solve<T> (ctx, &s, 0, NULL));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_stack_basis)
