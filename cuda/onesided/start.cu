/* Starting vectors of one-sided Jacobi by matrix products: eigenvectors in
   single precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.cuh"
#include "tridiagonal/stack.cuh"
#include "onesided/onesided.cuh"
#include "onesided/large.cuh"

#include <float.h>
#include <math.h>
#include <string.h>

/* Up to this order sweeps in registers are faster than cuSOLVER's batched solver,
   measured on an H100.  */
#define JACOBI_ORDER(S) (is_complex<S>::value ? 96 : 192)

/* Up to this order the bits of cuSOLVER's batched solver do not depend on the
   number of pages.  */
#define CUSOLVER_ORDER(S) (is_complex<S>::value ? 128 : 256)

/* QL is chosen up to LAST_ORDER from PAGES pages on, measured on an H200: up to
   some hundred pages it takes the time of one, 0.22 n^2 us.  */
typedef struct
{
  int64_t last_order, pages;
} ql_from;

static const ql_from ql_real[] = { { 224, 1024 },
                                   { 256, INT64_MAX },
                                   { 320, 1 },
                                   { GE_STACK_BASIS, 257 } },
                     ql_complex[]
                     = { { 128, 768 }, { 224, 1 }, { GE_STACK_BASIS, 257 } };

static int
ql_pays (int complex_pages, int64_t n, int64_t pages)
{
  const ql_from *row = complex_pages ? ql_complex : ql_real;
  if (n > GE_STACK_BASIS)
    return 0;
  while (n > row->last_order)
    row++;
  return pages >= row->pages;
}

/* The scaled pages in single precision without their shift, which would cost
   digits.  One block per column.  */
template <typename T, typename S>
static __global__ void
to_single (const onesided_pages<T> p, S *to)
{
  const int64_t n = p.n, j = blockIdx.x, page = blockIdx.y;
  const typename real_of<T>::type shift = p.scaling[page].shift;
  const int64_t at = page * n * n + n * j;
  for (int64_t i = threadIdx.x; i < n; i += LARGE_THREADS)
    {
      T x = p.m[at + i];
      set_number (&to[at + i],
                  (float) (i == j ? real_part (x) - shift : real_part (x)),
                  (float) imaginary_part (x));
    }
}

/* Q from single precision.  One block per column.  */
template <typename T, typename S>
static __global__ void
from_single (const onesided_pages<T> p, const S *from)
{
  const int64_t n = p.n, at = blockIdx.y * n * n + n * blockIdx.x;
  for (int64_t i = threadIdx.x; i < n; i += LARGE_THREADS)
    set_number (&p.q[at + i], real_part (from[at + i]),
                imaginary_part (from[at + i]));
}

/* Eigenvectors V of A by one-sided Jacobi in registers; pages that have not
   converged are usable starts as well.  */
template <typename S>
static gpueig_status
start_registers (gpueig_context *ctx, int64_t n, int64_t pages, const S *a,
                 S *v)
{
  onesided_stack<S> s;
  memset (&s, 0, sizeof s);
  s.n = (int) n;
  s.pages = pages;
  s.a = a;
  s.tol = FLT_EPSILON * sqrtf ((float) n);
  s.max_sweeps = 12;
  s.v = v;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * pages, &s.lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &s.scaling));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s.counts));
  return onesided_registers<S> (ctx, &s);
}

/* Eigenvectors of the pages A in place, by cuSOLVER's batched solver.  Where
   its bits depend on the number of pages, zero pages are appended, if there is
   memory, up to the number that one GPU would take at once.  */
template <typename T, typename S>
static gpueig_status
start_cusolver (gpueig_context *ctx, const onesided_pages<T> *p, S *a)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = p->n, square = n * n;
  const size_t mine = (size_t) (p->pages * square) * sizeof (S);
  int64_t count = p->pages;
  float *lambda;
  int *result;
  S *all = a;
  const int mark = ge_mark (ctx);
  const double room = (double) ctx->memory[GE_DEVICE].available (ctx);
  if (n > CUSOLVER_ORDER (S) && count < p->together
      && 20.0 * (double) (p->together * square) * sizeof (S) <= room)
    {
      count = p->together;
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count * square, &all));
      CU (cudaMemsetAsync (all, 0, (size_t) (count * square) * sizeof (S),
                           stream));
      CU (cudaMemcpyAsync (all, a, mine, cudaMemcpyDeviceToDevice, stream));
    }
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * count, &lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &result));
  GE_TRY (ge_cuda_syev_batched<S> (ctx, CUSOLVER_EIG_MODE_VECTOR, n, count, all,
                                   lambda, result));
  if (all != a)
    CU (cudaMemcpyAsync (a, all, mine, cudaMemcpyDeviceToDevice, stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Eigenvectors of a single page, in place.  */
template <typename S>
static gpueig_status
start_alone (gpueig_context *ctx, int64_t n, S *a)
{
  float *lambda;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  GE_TRY (ge_cuda_eigenvectors<S> (ctx, n, a, lambda));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
onesided_start (gpueig_context *ctx, onesided_pages<T> *p, int *good)
{
  typedef typename single_of<T>::type S;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = p->n;
  const dim3 grid = onesided_columns_of (p);
  /* G and X are unused now, and large enough.  */
  S *a = (S *) p->g, *v = a;
  gpueig_status status = GPUEIG_OK;
  int mark = ge_mark (ctx);
  GE_LAUNCH ((to_single<T, S>), grid, LARGE_THREADS, 0, stream) (*p, a);
  LAUNCHED ();
  if (p->pages == 1)
    status = start_alone<S> (ctx, n, a);
  else if (n <= JACOBI_ORDER (S) && onesided_in_registers<S> (ctx, n))
    {
      v = (S *) p->x;
      status = start_registers<S> (ctx, n, p->pages, a, v);
    }
  else if (ql_pays (is_complex<S>::value, n, p->stack))
    {
      v = (S *) p->x;
      status = ge_stack_basis<S> (ctx, n, p->pages, a, v);
    }
  else
    status = start_cusolver<T, S> (ctx, p, a);
  *good = status == GPUEIG_OK;
  if (! *good && status != GPUEIG_SOLVER_FAILED)
    return status;
  GE_LAUNCH ((from_single<T, S>), grid, LARGE_THREADS, 0, stream) (*p, v);
  LAUNCHED ();
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status onesided_start<T> (gpueig_context *,                  \
                                            onesided_pages<T> *, int *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
