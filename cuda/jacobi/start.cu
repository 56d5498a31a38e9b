/* Eigenvectors for gpu_jacobi_eig by the solvers of gpu_eig, and their verification.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/plugin.h"
#include "base/teams.cuh"
#include "base/verify.cuh"
#include "jacobi/jacobi.cuh"
#include "tridiagonal/stack.cuh"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
  WARPS = 4,
  THREADS = 32 * WARPS
};

/* Signs of a fixed pseudorandom sequence.  */
static __device__ int
sign_of (int j)
{
  return (j * 2654435761u + 12345u) >> 17 & 1 ? 1 : -1;
}

/* One block per page of order N: with z of signs, ERRORS[2 page] = max |V'V z - z| and
   ERRORS[2 page + 1] = |A V z - V diag (lambda) z| / |A|_F, A and LAMBDA being scaled by a
   power of 2 such that squares are in range.  Shared memory: 2 n numbers.  */
template <typename T>
GE_KERNEL (THREADS)
verify_kernel (int n, const T *a, const T *v, const ge_real<T> *lambda,
               ge_real<T> *errors)
{
  typedef ge_real<T> R;
  extern __shared__ __align__ (16) char memory[];
  __shared__ R space[WARPS];
  T *x = (T *) memory, *y = x + n;
  const int t = threadIdx.x, most = sizeof (R) == 8 ? 1000 : 120;
  const int64_t page = blockIdx.x, square = (int64_t) n * n;
  a += page * square;
  v += page * square;
  lambda += page * n;
  R largest = 0, rest = 0, norm = 0, worst = 0;
  for (int e = t; e < square; e += THREADS)
    largest = fmax (
        largest, fmax (fabs (real_part (a[e])), fabs (imaginary_part (a[e]))));
  largest = block_max (largest, space, WARPS);
  const int exponent = largest > 0 ? -ilogb (largest) : 0;
  const R scale = ldexp ((R) 1, exponent < most ? exponent : most);
  for (int i = t; i < n; i += THREADS)
    {
      T sum = make_number<T> (0, 0), times_lambda = sum;
      for (int j = 0; j < n; j++)
        {
          const T z = times ((R) sign_of (j), v[i + n * j]);
          sum = plus (sum, z);
          times_lambda = plus (times_lambda, times (scale * lambda[j], z));
        }
      x[i] = sum;
      y[i] = times_lambda;
    }
  __syncthreads ();
  for (int i = t; i < n; i += THREADS)
    {
      T r = times ((R) -1, y[i]);
      for (int j = 0; j < n; j++)
        {
          const T e = times (scale, a[i + n * j]);
          r = mul_add (e, x[j], r);
          norm += square_of (e);
        }
      rest += square_of (r);
    }
  for (int j = t / 32; j < n; j += WARPS)
    {
      T sum = make_number<T> (0, 0);
      for (int i = t % 32; i < n; i += 32)
        sum = mul_add (conjugate (v[i + n * j]), x[i], sum);
      const R re = tile_sum<32> (real_part (sum)),
              im = tile_sum<32> (imaginary_part (sum));
      worst = fmax (worst, fmax (fabs (re - sign_of (j)), fabs (im)));
    }
  rest = block_sum (rest, space, WARPS);
  norm = block_sum (norm, space, WARPS);
  worst = block_max (worst, space, WARPS);
  if (t > 0)
    return;
  errors[2 * page] = worst;
  errors[2 * page + 1] = rest == 0 ? 0 : sqrt (rest / norm); /* NaN stays */
}

/* Both errors of every page, see verify_kernel.  */
template <typename T>
static gpueig_status
find_errors (gpueig_context *ctx, const gpueig_symmetric *s, ge_real<T> *errors)
{
  typedef ge_real<T> R;
  const int64_t n = s->n, count = n * s->pages;
  const size_t shared = 2 * (size_t) n * sizeof (T);
  R *lambda, *device;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * s->pages, &device));
  GE_TRY (ge_put (ctx, lambda, (const R *) s->lambda, count));
  GE_LAUNCH (verify_kernel<T>, (unsigned) s->pages, THREADS, shared, (int) n,
             (const T *) s->a, (const T *) s->v, lambda, device);
  return ge_fetch (ctx, errors, device, 2 * s->pages);
}

/* The same of page P of any order.  */
template <typename T>
static gpueig_status
find_errors_of (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
                double *orthogonality, double *residual)
{
  typedef ge_real<T> R;
  const int64_t n = s->n;
  const R *lambda = (const R *) s->lambda + p * n;
  const int mark = ge_mark (ctx);
  T *scalars;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &scalars));
  for (int64_t i = 0; i < n; i++)
    scalars[i] = to_scalar (lambda[i], T ());
  GE_TRY (ge_cuda_eigenpairs<T> (ctx, n, n, (const T *) s->a + p * n * n,
                                 (const T *) s->v + p * n * n, scalars,
                                 orthogonality, residual));
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_jacobi_start (gpueig_context *ctx, const gpueig_symmetric *s,
                      unsigned char *left, double *worst, gpueig_info *info)
{
  typedef ge_real<T> R;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const gpueig_options usual = {};
  gpueig_symmetric all = *s;
  gpueig_info one;
  ge_plan plan = {};
  R *errors = NULL;
  const int mark = ge_mark (ctx);
  const int alone = ge_stack_pages (ctx, s->pages) == 1;
  plan.backend = GPUEIG_CUDA;
  const int64_t most = alone ? 192 : GE_STACK_ORDER; /* by divide and conquer */
  plan.method = s->n <= GE_STACK_SMALL ? GE_METHOD_EIG_ONESIDED
                : s->n <= most         ? GE_METHOD_EIG_DC
                                       : GE_METHOD_EIG_MRRR;
  all.guess = NULL;
  ge_info_begin (&one);
  const gpueig_status status
      = ge_cuda_eig_symmetric (ctx, &all, &plan, &usual, &one);
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  info->time_solve += one.time_solve;
  info->time_transfer += one.time_transfer;
  if (! s->v)
    return GPUEIG_OK;
  GE_TRY (ge_timer_start (ctx));
  if (! alone && s->n <= GE_STACK_ORDER)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * s->pages, &errors));
      GE_TRY (find_errors<T> (ctx, s, errors));
    }
  *worst = 0;
  for (int64_t p = 0; p < s->pages; p++)
    {
      double orthogonality = errors ? (double) errors[2 * p] : 0;
      double residual = errors ? (double) errors[2 * p + 1] : 0;
      if (! errors)
        GE_TRY (find_errors_of<T> (ctx, s, p, &orthogonality, &residual));
      left[p] = ! ge_cuda_passes_check (s->n, eps, 0, orthogonality, residual);
      *worst = residual > *worst ? residual : *worst;
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_jacobi_start)
