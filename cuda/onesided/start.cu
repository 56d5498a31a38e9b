/* Starting vectors of one-sided Jacobi by matrix products: eigenvectors in
   single precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.cuh"
#include "tridiagonal/stack.cuh"
#include "onesided/onesided.cuh"
#include "onesided/large.cuh"

/* The scaled pages in single precision without their shift, which would cost
   digits.  One block per column.  */
template <typename T, typename S>
static __global__ void
to_single (const onesided_pages<T> p, S *to)
{
  const int64_t n = p.n, j = blockIdx.x, page = blockIdx.y;
  const ge_real<T> shift = p.scaling[page].shift;
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

/* Eigenvectors of a single page, in place.  */
template <typename S>
static gpueig_status
start_alone (gpueig_context *ctx, int64_t n, S *a)
{
  float *lambda;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  GE_TRY (ge_cuda_eigenvectors<S> (ctx, n, a, lambda));
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
onesided_start (gpueig_context *ctx, onesided_pages<T> *p, int *good)
{
  typedef ge_single<T> S;
  const int64_t n = p->n;
  const dim3 grid = onesided_columns_of (p);
  /* G and X are unused now, and large enough.  */
  S *a = (S *) p->g, *v = a;
  gpueig_status status = GPUEIG_OK;
  int mark = ge_mark (ctx);
  GE_LAUNCH ((to_single<T, S>), grid, LARGE_THREADS, 0, *p, a);
  if (p->single)
    status = start_alone<S> (ctx, n, a);
  else
    {
      v = (S *) p->x;
      status = ge_stack_basis<S> (ctx, n, p->pages, a, v, NULL);
    }
  *good = status == GPUEIG_OK;
  if (! *good && status != GPUEIG_SOLVER_FAILED)
    return status;
  GE_LAUNCH ((from_single<T, S>), grid, LARGE_THREADS, 0, *p, v);
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (onesided_start)
