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
      page[at].status = GE_STACK_RUNNING;
      page[at].exponent = exponent;
      page[at].started = 0;
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      dd[at * n + i] = ldexp ((double) d[i], -exponent);
      ee[at * n + i] = i < n - 1 ? ldexp ((double) e[i], -exponent) : 0;
    }
}

template <typename R>
static gpueig_status
upload_tridiagonal (gpueig_context *ctx, const ge_stack_problem *p,
                    int64_t first, int64_t pages, double *d, double *e,
                    ge_stack_page *page, gpueig_info *info)
{
  const int64_t n = p->n;
  R *rd, *re;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &rd));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &re));
  GE_TRY (ge_upload (ctx, rd, (const R *) p->d + first * n,
                     (size_t) (n * pages) * sizeof (R), info));
  if (n > 1)
    GE_TRY (ge_upload (ctx, re, (const R *) p->e + first * (n - 1),
                       (size_t) ((n - 1) * pages) * sizeof (R), info));
  GE_LAUNCH (scale_kernel<R>, (unsigned) pages, 64, 0, ge_cuda_of (ctx)->stream)
  ((int) n, rd, re, d, e, page);
  LAUNCHED ();
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- a chunk --- */

/* As many pages as fit into memory and take less than about half a second.  */
template <typename T>
static int64_t
pages_at_once (gpueig_context *ctx, const ge_stack_problem *p)
{
  typedef typename real_of<T>::type R;
  const double n = (double) p->n;
  const double by_ql
      = 2 * n * n * sizeof (T)
        + 2.0 * ge_stack_capacity ((int) p->n) * sizeof (R)
        + ge_stack_table_size ((int) p->n) * sizeof (ge_stack_sweep);
  const double by_dividing = 3 * n * n * sizeof (T) + n * n * sizeof (R);
  const double vectors = ! p->v ? 0 : p->divide ? by_dividing : by_ql;
  const double matrices = (1 + (p->b != NULL)) * n * n * sizeof (T);
  const double bytes = matrices + vectors + 96 * n + 256;
  const double room = 0.8 * (double) ctx->memory[GE_DEVICE].available (ctx);
  const double quick = 1e12 / (10 * n * n * n);
  double pages = fmin (room / bytes, fmax (quick, 4096));
  pages = fmin (fmin (pages, (double) p->pages), 1e7);
  return pages < 1 ? 1 : (int64_t) pages;
}

/* Allocate the arrays for eigenvalues of PAGES pages of order N.  */
template <typename T>
static gpueig_status
allocate_values (gpueig_context *ctx, int64_t n, int64_t pages, int divide,
                 ge_stack<T> *s)
{
  memset (s, 0, sizeof *s);
  s->divide = divide && n > GE_STACK_SMALL;
  s->n = (int) n;
  s->pages = pages;
  s->max_sweeps = GE_STACK_SWEEPS;
  s->capacity = ge_stack_capacity (s->n);
  s->table_size = ge_stack_table_size (s->n);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->d));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->e));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->rank));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s->page));
  if (s->divide)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n * pages, &s->parts));
  return GE_ALLOC (ctx, GE_DEVICE, 2, &s->unfinished);
}

/* Allocate the arrays for vectors, but V.  */
template <typename T>
static gpueig_status
allocate_vectors (gpueig_context *ctx, ge_stack<T> *s)
{
  const int64_t together = GE_STACK_TOGETHER, square = (int64_t) s->n * s->n;
  const int64_t pages = (s->pages + together - 1) / together * together;
  s->q = s->v;
  if (s->divide)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * s->pages, &s->q));
      return GE_ALLOC (ctx, GE_DEVICE, square * s->pages, &s->u);
    }
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * (int64_t) s->capacity * pages,
                    &s->rotations));
  return GE_ALLOC (ctx, GE_DEVICE, s->table_size * pages, &s->table);
}

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, const ge_stack_problem *p, int64_t pages,
          ge_stack<T> *s)
{
  const int64_t n = p->n, square = n * n;
  GE_TRY (allocate_values<T> (ctx, n, pages, p->divide, s));
  if (p->max_sweeps > 0 && p->max_sweeps < GE_STACK_SWEEPS)
    s->max_sweeps = (int) p->max_sweeps;
  if (p->a)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * pages, &s->a));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s->tau));
    }
  if (! p->v)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * pages, &s->v));
  return allocate_vectors<T> (ctx, s);
}

/* Download COUNT contiguous columns of HEIGHT numbers of each of PAGES pages
   with N columns.  */
template <typename T>
static gpueig_status
download_columns (gpueig_context *ctx, const T *from, int64_t height, int64_t n,
                  int64_t first, int64_t count, int64_t pages, T *to,
                  gpueig_info *info)
{
  const size_t bytes = (size_t) (height * count) * sizeof (T);
  T *some;
  if (count == n)
    return ge_download (ctx, to, from, bytes * (size_t) pages, info);
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, height * count * pages, &some));
  CU (cudaMemcpy2DAsync (some, bytes, from + height * first,
                         (size_t) (height * n) * sizeof (T), bytes,
                         (size_t) pages, cudaMemcpyDeviceToDevice,
                         ge_cuda_of (ctx)->stream));
  GE_TRY (ge_download (ctx, to, some, bytes * (size_t) pages, info));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* STATUS: nonzero for the pages where QL failed.  */
template <typename T>
static gpueig_status
find_failed (gpueig_context *ctx, const ge_stack<T> *s, unsigned char *status)
{
  ge_stack_page *page;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &page));
  CU (cudaMemcpyAsync (page, s->page, (size_t) s->pages * sizeof *page,
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  for (int64_t i = 0; i < s->pages; i++)
    status[i] = page[i].status == GE_STACK_FAILED;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
stack_eig (gpueig_context *ctx, const ge_stack_problem *p,
           unsigned char *status, int64_t *failed, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  const int64_t n = p->n, square = n * n, chunk = pages_at_once<T> (ctx, p);
  const int mark = ge_mark (ctx);
  ge_stack<T> s;
  T *b = NULL;
  int given_up, *state;
  *failed = 0;
  memset (status, 0, (size_t) p->pages);
  GE_TRY (allocate<T> (ctx, p, chunk, &s));
  if (p->b)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * chunk, &b));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, chunk, &state));
    }
  for (int64_t at = 0; at < p->pages; at += chunk)
    {
      s.pages = p->pages - at < chunk ? p->pages - at : chunk;
      GE_TRY (ge_check_interrupt (ctx));
      if (p->a)
        GE_TRY (ge_upload (ctx, s.a, (const T *) p->a + at * square,
                           (size_t) (square * s.pages) * sizeof (T), info));
      else
        GE_TRY (upload_tridiagonal<R> (ctx, p, at, s.pages, s.d, s.e, s.page,
                                       info));
      if (b)
        GE_TRY (ge_upload (ctx, b, (const T *) p->b + at * square,
                           (size_t) (square * s.pages) * sizeof (T), info));
      GE_TRY (ge_timer_start (ctx));
      if (b)
        GE_TRY (ge_cuda_reduce_pairs<T> (ctx, n, s.pages, s.a, b, state));
      if (p->a)
        GE_TRY (ge_stack_tridiagonal<T> (ctx, &s));
      GE_TRY (ge_stack_solve<T> (ctx, &s, ! p->a, &given_up));
      if (b && s.v)
        GE_TRY (ge_cuda_pairs_back<T> (ctx, n, n, s.pages, b, s.v));
      GE_TRY (ge_timer_stop (ctx, &info->time_solve));
      if (b)
        GE_TRY (ge_download (ctx, p->state + at, state,
                             (size_t) s.pages * sizeof *state, info));
      if (given_up > 0)
        GE_TRY (find_failed<T> (ctx, &s, status + at));
      *failed += given_up;
      GE_TRY (download_columns (ctx, s.lambda, 1, n, p->first, p->columns,
                                s.pages, (R *) p->lambda + at * p->columns,
                                info));
      if (s.v)
        GE_TRY (download_columns (ctx, s.v, n, n, p->first, p->columns, s.pages,
                                  (T *) p->v + at * n * p->columns, info));
      if (p->pages > chunk)
        ge_report (ctx, "pages %lld of %lld", (long long) (at + s.pages),
                   (long long) p->pages);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_stack_eig (gpueig_context *ctx, const ge_stack_problem *p,
                   unsigned char *status, int64_t *failed, gpueig_info *info)
{
  return GE_CUDA_BY_TYPE (p->type, stack_eig, (ctx, p, status, failed, info));
}

/* --- on the device --- */

template <typename T>
gpueig_status
ge_stack_basis (gpueig_context *ctx, int64_t n, int64_t pages, T *a, T *v)
{
  ge_stack<T> s;
  int failed;
  const int mark = ge_mark (ctx);
  GE_TRY (allocate_values<T> (ctx, n, pages, 1, &s));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s.tau));
  s.a = a;
  s.v = v;
  GE_TRY (allocate_vectors<T> (ctx, &s));
  GE_TRY (ge_stack_tridiagonal<T> (ctx, &s));
  GE_TRY (ge_stack_solve<T> (ctx, &s, 0, &failed));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template gpueig_status ge_stack_basis (gpueig_context *, int64_t, int64_t,
                                       float *, float *);
template gpueig_status ge_stack_basis (gpueig_context *, int64_t, int64_t,
                                       cuComplex *, cuComplex *);

/* --- the problem of the front doors --- */

gpueig_status
ge_cuda_stack_symmetric (gpueig_context *ctx, const gpueig_symmetric *s,
                         int divide, const gpueig_options *options,
                         gpueig_info *info)
{
  const int64_t n = s->n;
  const size_t size = gpueig_scalar_size (s->type),
               real = gpueig_real_size (s->type);
  const ge_stack_problem p = {
    s->type, n,         s->pages, s->a, NULL, NULL, 0, n, options->max_sweeps,
    divide,  s->lambda, s->v,     NULL, NULL
  };
  unsigned char *status;
  int64_t failed;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &status));
  GE_TRY (ge_cuda_stack_eig (ctx, &p, status, &failed, info));
  for (int64_t i = 0; i < s->pages && failed > 0; i++)
    if (status[i])
      {
        gpueig_symmetric one = *s;
        gpueig_options plain = *options;
        ge_plan shifted;
        memset (&shifted, 0, sizeof shifted);
        shifted.backend = GPUEIG_CUDA;
        shifted.method = GE_METHOD_ONESIDED_SHIFTED;
        plain.max_sweeps = 0;
        one.pages = 1;
        one.a = (const char *) s->a + (size_t) (i * n * n) * size;
        one.lambda = (char *) s->lambda + (size_t) (i * n) * real;
        one.v = s->v ? (char *) s->v + (size_t) (i * n * n) * size : NULL;
        const int mark = ge_mark (ctx);
        GE_TRY (ge_cuda_onesided_eig (ctx, &one, &shifted, &plain, info));
        ge_release (ctx, mark);
      }
  ge_info_method (info, divide ? "dc" : "ql");
  if (failed > 0)
    ge_info_fallback (info, "onesided");
  return GPUEIG_OK;
}
