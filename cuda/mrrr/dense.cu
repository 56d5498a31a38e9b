/* Dense symmetric and Hermitian matrices by reduction to tridiagonal form and
   MRRR, see solve.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/similarity.cuh"
#include "base/numbers.cuh"
#include "base/verify.cuh"
#include "mrrr/solve.cuh"
#include "tridiagonal/tridiagonal.cuh"

#include <float.h>
#include <math.h>

/* A matrix and its reduction, on the device.  */
template <typename T> struct dense
{
  T *a; /* 2^-exponent times the page */
  int exponent;
  T *h; /* copy of a, overwritten by the reflectors */
  ge_tridiagonal<T> q;
};

enum
{
  SHIFT_THREADS = 256
};

/* H <- H - *SHIFT I, SHIFT being the middle of the diagonal: the errors of the reduction
   are relative to what remains, which is little where eigenvalues are clustered.  0 where
   an element of the diagonal is smaller than another, since it would lose digits.  One
   block.  */
template <typename T>
GE_KERNEL (SHIFT_THREADS)
shift_kernel (int64_t n, T *h, ge_real<T> *shift)
{
  typedef ge_real<T> R;
  __shared__ R space[SHIFT_THREADS / 32];
  R high = real_part (h[0]), low = -high, small = -fabs (high);
  for (int64_t i = threadIdx.x; i < n; i += SHIFT_THREADS)
    {
      const R x = real_part (h[i * (n + 1)]);
      high = fmax (high, x);
      low = fmax (low, -x);
      small = fmax (small, -fabs (x));
    }
  high = block_max (high, space, SHIFT_THREADS / 32);
  low = block_max (low, space, SHIFT_THREADS / 32);
  small = block_max (small, space, SHIFT_THREADS / 32);
  const R middle = -4 * small >= fmax (high, low) ? (high - low) / 2 : 0;
  for (int64_t i = threadIdx.x; i < n; i += SHIFT_THREADS)
    h[i * (n + 1)] = minus (h[i * (n + 1)], make_number<T> (middle, 0));
  if (threadIdx.x == 0)
    *shift = middle;
}

/* Copy T, its off-diagonal and the shift behind D, to the host as doubles, scaled back to
   the page itself. *GOOD: all elements are finite.  What the way back needs of the reflectors is
   computed meanwhile.  */
template <typename T>
static gpueig_status
fetch_tridiagonal (gpueig_context *ctx, ge_mrrr_page<T> *q, dense<T> *m,
                   const ge_real<T> *d, int *good)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  cudaStream_t stream = cuda->stream;
  const size_t n = (size_t) q->n;
  R *staged;
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2 * q->n, &staged));
  GE_TRY (ge_get (ctx, staged, d, 2 * n));
  CU (cudaEventRecord (cuda->ready, stream));
  if (q->p->v)
    GE_TRY (ge_cuda_prepare_back<T> (ctx, q->p->select == GPUEIG_SELECT_ALL,
                                     &m->q));
  CU (cudaEventSynchronize (cuda->ready));
  *good = 1;
  for (size_t i = 0; i < n; i++)
    {
      q->d[i] = ldexp ((double) staged[i] + (double) staged[2 * n - 1],
                       m->exponent);
      q->e[i] = i + 1 < n ? ldexp ((double) staged[n + i], m->exponent) : 0;
      *good &= isfinite (q->d[i]) && isfinite (q->e[i]);
    }
  return GPUEIG_OK;
}

/* MRRR on the other stream, during what fetch_tridiagonal began: memory that this
   uses is in the frame of the page.  */
template <typename T>
static gpueig_status
solve_aside (gpueig_context *ctx, ge_mrrr_page<T> *q, gpueig_info *info)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  cudaStream_t stream = cuda->stream;
  cuda->stream = cuda->side;
  const gpueig_status status = ge_cuda_solve_tridiagonal<T> (ctx, q, info);
  cuda->stream = stream;
  /* After a failure too: its memory is given to others.  */
  const cudaError_t error = cudaStreamSynchronize (cuda->side);
  GE_TRY (status);
  return ge_cuda_status (ctx, error, "MRRR");
}

/* V = Q Z, as a real product, or the reflectors one block after the other.  */
template <typename T>
static gpueig_status
transform_back (gpueig_context *ctx, ge_mrrr_page<T> *q, const dense<T> *m)
{
  typedef ge_real<T> R;
  const int64_t n = q->n, rows = n * (1 + is_complex<T>::value);
  ge_cuda_report (ctx, "back-transformation of %lld vectors",
                  (long long) q->count);
  if (m->q.q)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * q->count, &q->v));
      CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, CUBLAS_OP_N, CUBLAS_OP_N, rows,
                       q->count, n, (R) 1, (const R *) m->q.q, rows, q->z, n,
                       (R) 0, (R *) q->v, rows));
      return GPUEIG_OK;
    }
  GE_TRY (ge_cuda_take_real_vectors<T> (ctx, q));
  return ge_cuda_transform_back<T> (ctx, &m->q, q->count, q->v);
}

/* Verify residual and orthogonality, or the sums of all eigenvalues where there
   are no vectors.  A part of the eigenvalues without vectors cannot be
   verified: *GOOD is 1 then.  */
template <typename T>
static gpueig_status
verify (gpueig_context *ctx, const ge_mrrr_page<T> *q, const dense<T> *m,
        int again, int *good)
{
  typedef ge_real<T> R;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double orthogonality = 0, residual = 0;
  T *scalars;
  R *lambda;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_HOST, q->count, &scalars, &lambda));
  for (int64_t i = 0; i < q->count; i++)
    {
      lambda[i] = (R) ldexp (q->lambda[i], -m->exponent);
      scalars[i] = to_scalar (lambda[i], T ());
    }
  if (q->v)
    GE_TRY (ge_cuda_eigenpairs<T> (ctx, q->n, q->count, m->a, q->v, scalars,
                                   &orthogonality, &residual));
  else if (q->count == q->n)
    GE_TRY (ge_cuda_spectrum<T> (ctx, q->n, m->a, lambda, &residual));
  *good = ge_cuda_passes_check (q->n, eps, again, orthogonality, residual);
  return ge_close_frame (ctx, mark);
}

/* Reduction, MRRR, back-transformation and verification of (I - U U') A (I - U
   U'), or of A itself for U = NULL.  */
template <typename T>
static gpueig_status
solve (gpueig_context *ctx, ge_mrrr_page<T> *q, dense<T> *m, const T *u,
       int *good, gpueig_info *info)
{
  const int64_t n = q->n;
  ge_real<T> *d;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * n, &d));
  GE_TRY (ge_copy (ctx, m->h, m->a, n * n));
  if (u)
    GE_TRY (ge_cuda_reflect_both (ctx, n, u, m->h));
  GE_LAUNCH (shift_kernel<T>, 1, SHIFT_THREADS, 0, n, m->h, d + 2 * n - 1);
  ge_cuda_report (ctx, "reduction to tridiagonal form, order %lld",
                  (long long) n);
  GE_TRY (ge_cuda_tridiagonalize<T> (ctx, n, m->h, q->p->v != NULL, &m->q, d,
                                     d + n));
  GE_TRY (fetch_tridiagonal<T> (ctx, q, m, d, good));
  if (! *good)
    return GPUEIG_OK;
  GE_TRY (ge_check_interrupt (ctx));
  ge_cuda_report (ctx, "tridiagonal eigenproblem by MRRR");
  GE_TRY (solve_aside<T> (ctx, q, info));
  GE_TRY (ge_check_interrupt (ctx));
  if (q->z)
    {
      GE_TRY (transform_back<T> (ctx, q, m));
      if (u)
        GE_TRY (ge_cuda_reflect (ctx, n, q->count, u, q->v));
    }
  ge_cuda_report (ctx, "verification");
  if (q->count > 0)
    GE_TRY (verify<T> (ctx, q, m, u != NULL, good));
  GE_TRY (ge_check_interrupt (ctx));
  ge_cuda_report (ctx, "verified");
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_solve_dense (gpueig_context *ctx, ge_mrrr_page<T> *q, T *a,
                     int *exponent, gpueig_info *info)
{
  const int64_t n = q->n;
  dense<T> m;
  T *u;
  int good;
  m.a = a;
  GE_TRY (ge_cuda_scale_up (ctx, n * n * (1 + is_complex<T>::value),
                            (ge_real<T> *) a, exponent));
  m.exponent = *exponent;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &m.h));
  const int mark = ge_mark (ctx);
  const gpueig_status status = solve<T> (ctx, q, &m, NULL, &good, info);
  if (status != GPUEIG_SOLVER_FAILED)
    GE_TRY (status);
  if (status == GPUEIG_OK && good)
    return GPUEIG_OK;
  ge_release (ctx, mark);
  GE_TRY (ge_cuda_reflector (ctx, n, &u));
  GE_TRY (solve<T> (ctx, q, &m, u, &good, info));
  if (good)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "the reduction to tridiagonal form failed");
}

/* A, its reflectors and V; real vectors in addition to complex ones; less than 1024
   bytes per row for MRRR.  */
template <typename T>
double
ge_cuda_dense_bytes (gpueig_context *ctx, int64_t n, int64_t columns)
{
  const double vectors = (is_complex<T>::value ? 1.5 : 1) * (double) columns;
  return (2 * (double) n + vectors) * (double) n * sizeof (T)
         + 1024.0 * (double) n + ge_cuda_tridiagonal_bytes<T> (ctx, n, columns);
}

GE_INSTANTIATE (ge_cuda_dense_bytes)
GE_INSTANTIATE (ge_cuda_solve_dense)
