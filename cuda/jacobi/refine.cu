/* Preconditioned Jacobi on the GPU; see core/methods/jacobi/refine_typed.c for the method
   and its sources.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/teams.cuh"
#include "eig/symmetric.cuh"
#include "jacobi/jacobi.cuh"
#include "base/verify.cuh"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  THREADS = 256,
  TILE = 32,
  MAX_STEPS = 8
};

template <typename T> struct refine_state
{
  int64_t n, ld;
  const T *a;
  T *x, *w, *b, *r, *u;
  ge_real<T> *lambda;
  double *columns; /* results by column: three arrays of n, and 3 sums */
  int *active;
  double floor_tol, eps;
  /* on the host, set by form () and find_correction () */
  double floor, off, r_norm, delta, bound;
  int64_t unseparated;
};

/* --- sums over columns, in a fixed order --- */

/* OUT: sum of x, sum of y, maximum of z over N columns.  One block.  */
GE_KERNEL (THREADS)
sum_columns_kernel (int64_t n, const double *x, const double *y,
                    const double *z, double *out)
{
  __shared__ double space[THREADS / 32];
  double sx = 0, sy = 0, sz = 0;
  for (int64_t j = threadIdx.x; j < n; j += THREADS)
    {
      sx += x[j];
      sy += y[j];
      sz = larger_of<double> () (z[j], sz);
    }
  sx = block_sum (sx, space, THREADS / 32);
  sy = block_sum (sy, space, THREADS / 32);
  sz = block_max (sz, space, THREADS / 32);
  if (threadIdx.x > 0)
    return;
  out[0] = sx;
  out[1] = sy;
  out[2] = sz;
}

template <typename T>
static gpueig_status
sum_columns (gpueig_context *ctx, refine_state<T> *s, double host[3])
{
  int64_t n = s->n;
  double *out = s->columns + 3 * n;
  GE_LAUNCH (sum_columns_kernel, 1, THREADS, 0, n, s->columns, s->columns + n,
             s->columns + 2 * n, out);
  return ge_fetch (ctx, host, out, 3);
}

/* --- B, R, lambda --- */

/* Lower triangle of Z = X' Y, in panels of columns from the diagonal down; 9/16
   of the operations of the whole product.  */
template <typename T>
static gpueig_status
half_product (gpueig_context *ctx, int64_t n, int64_t ld, const T *x,
              const T *y, T *z)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int64_t panel = (n + 7) / 8;
  panel = panel < 256 ? 256 : (panel + 63) / 64 * 64;
  for (int64_t j = 0; j < n; j += panel)
    {
      int64_t width = n - j < panel ? n - j : panel;
      CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), CUBLAS_OP_N, n - j, width,
                       n, 1, x + ld * j, ld, y + ld * j, ld, 0, z + ld * j + j,
                       ld));
    }
  return GPUEIG_OK;
}

/* Diagonals: R_jj = 1 - (X'X)_jj, lambda_j = B_jj (1 + R_jj).  One thread per
   column.  */
template <typename T>
GE_KERNEL (THREADS)
diagonal_kernel (int64_t n, int64_t ld, T *b, T *r, ge_real<T> *lambda)
{
  typedef ge_real<T> R;
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j >= n)
    return;
  R rjj = 1 - real_part (r[j + ld * j]), bjj = real_part (b[j + ld * j]);
  R value = bjj + rjj * bjj;
  r[j + ld * j] = make_number<T> (rjj, 0);
  b[j + ld * j] = make_number<T> (value, 0);
  lambda[j] = value;
}

/* Off the diagonal: R = -X'X, B += R (lambda_i + lambda_j) / 2, computed in the
   lower triangle and mirrored.  One block of 32 by 8 threads per 32-by-32 tile,
   transposed through shared memory; the barrier is between writing and reading
   it.  */
template <typename T>
__global__ void
form_kernel (int64_t n, int64_t ld, T *b, T *r, const ge_real<T> *lambda)
{
  __shared__ T tb[TILE][TILE + 1], tr[TILE][TILE + 1];
  int64_t i0 = (int64_t) blockIdx.x * TILE, j0 = (int64_t) blockIdx.y * TILE;
  int tx = threadIdx.x;
  if (i0 < j0)
    return;
  for (int y = threadIdx.y; y < TILE; y += blockDim.y)
    {
      int64_t i = i0 + tx, j = j0 + y;
      if (i < n && i > j)
        {
          T rij = times ((ge_real<T>) -1, r[i + ld * j]);
          T bij
              = plus (b[i + ld * j], times ((lambda[i] + lambda[j]) / 2, rij));
          r[i + ld * j] = rij;
          b[i + ld * j] = bij;
          tb[y][tx] = bij;
          tr[y][tx] = rij;
        }
    }
  __syncthreads ();
  for (int y = threadIdx.y; y < TILE; y += blockDim.y)
    {
      int64_t i = i0 + y, j = j0 + tx;
      if (i < n && i > j)
        {
          b[j + ld * i] = conjugate (tb[tx][y]);
          r[j + ld * i] = conjugate (tr[tx][y]);
        }
    }
}

/* By column: squared 2-norms of B off its diagonal and of R, and |lambda|.  One
   block per column.  */
template <typename T>
GE_KERNEL (THREADS)
norms_kernel (int64_t n, int64_t ld, const T *b, const T *r, double *out)
{
  __shared__ double scratch[THREADS / 32];
  int64_t j = blockIdx.x;
  double off = 0, size = 0;
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      off += i != j ? (double) square_of (b[i + ld * j]) : 0;
      size += (double) square_of (r[i + ld * j]);
    }
  off = block_sum (off, scratch, THREADS / 32);
  size = block_sum (size, scratch, THREADS / 32);
  if (threadIdx.x == 0)
    {
      out[j] = off;
      out[n + j] = size;
      out[2 * n + j] = fabs ((double) real_part (b[j + ld * j]));
    }
}

template <typename T>
static gpueig_status
form (gpueig_context *ctx, refine_state<T> *s)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int64_t n = s->n, ld = s->ld;
  double sums[3];
  GE_TRY (ge_check_interrupt (ctx));
  GE_TRY (half_product (ctx, n, ld, (const T *) s->x, (const T *) s->x, s->r));
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, 1, s->a, ld,
                   (const T *) s->x, ld, 0, s->w, ld));
  GE_TRY (half_product (ctx, n, ld, (const T *) s->x, (const T *) s->w, s->b));
  unsigned tiles = ge_blocks (n, TILE);
  GE_LAUNCH (diagonal_kernel<T>, ge_blocks (n, THREADS), THREADS, 0, n, ld,
             s->b, s->r, s->lambda);
  GE_LAUNCH (form_kernel<T>, dim3 (tiles, tiles), dim3 (TILE, 8), 0, n, ld,
             s->b, s->r, s->lambda);
  GE_LAUNCH (norms_kernel<T>, (unsigned) n, THREADS, 0, n, ld, s->b, s->r,
             s->columns);
  GE_TRY (sum_columns (ctx, s, sums));
  s->off = sqrt (sums[0]);
  s->r_norm = sqrt (sums[1]);
  s->floor = s->floor_tol * sums[2];
  return GPUEIG_OK;
}

/* --- the correction --- */

/* Column j of M = R/2 + E into R (core/methods/jacobi/refine_typed.c); its 1-norm, its
   sum of squares, and the number of its pairs that first order cannot separate.
   One block per column.  */
template <typename T>
GE_KERNEL (THREADS)
correction_kernel (int64_t n, int64_t ld, const T *b, T *r, double floor_,
                   double share, int first_order, double *out)
{
  typedef ge_real<T> R;
  __shared__ double scratch[THREADS / 32];
  int64_t j = blockIdx.x;
  R floor = (R) floor_, safe = (R) share, lj = real_part (b[j + ld * j]);
  double column = 0, squares = 0, close = 0;
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      T m = times ((R) 0.5, r[i + ld * j]);
      if (i != j)
        {
          T x = b[i + ld * j];
          R gap = lj - real_part (b[i + ld * i]), least = fabs (gap);
          R size = size_of (x);
          if (size > floor && size > (R) 0.1 * least)
            close += 1;
          else if (first_order && size < least * (size > floor ? 1 : safe))
            m = plus (m, times (1 / gap, x));
        }
      r[i + ld * j] = m;
      double size2 = (double) square_of (m);
      column += sqrt (size2);
      squares += size2;
    }
  column = block_sum (column, scratch, THREADS / 32);
  squares = block_sum (squares, scratch, THREADS / 32);
  close = block_sum (close, scratch, THREADS / 32);
  if (threadIdx.x == 0)
    {
      out[j] = squares;
      out[n + j] = close;
      out[2 * n + j] = column;
    }
}

template <typename T>
static gpueig_status
find_correction (gpueig_context *ctx, refine_state<T> *s, int first_order)
{
  double sums[3], n = (double) s->n;
  GE_LAUNCH (correction_kernel<T>, (unsigned) s->n, THREADS, 0, s->n, s->ld,
             s->b, s->r, s->floor, 64 * sqrt (s->eps), first_order, s->columns);
  GE_TRY (sum_columns (ctx, s, sums));
  s->unseparated = (int64_t) (sums[1] / 2);
  s->delta = fmin (sums[2], sqrt (sums[0]));
  s->bound = fmin (sums[2] * sums[2], sqrt (n) * sums[0]) / (n * s->eps);
  return GPUEIG_OK;
}

/* X <- X + X M, with M in the array R.  */
template <typename T>
static gpueig_status
correct (gpueig_context *ctx, refine_state<T> *s)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  GE_TRY (ge_check_interrupt (ctx));
  GE_TRY (ge_copy (ctx, s->w, s->x, s->ld * s->ld));
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, s->n, s->n, s->n, 1,
                   (const T *) s->w, s->ld, (const T *) s->r, s->ld, 1, s->x,
                   s->ld));
  return GPUEIG_OK;
}

/* --- windows --- */

template <typename T>
static gpueig_status
windows (gpueig_context *ctx, refine_state<T> *s)
{
  for (int shift = 0; shift < 2; shift++)
    GE_TRY (ge_cuda_jacobi_windows (ctx, shift, s->floor, 64 * sqrt (s->eps),
                                    s->ld, s->b, s->x, s->r, s->u, s->active));
  return GPUEIG_OK;
}

/* --- starting vectors --- */

/* Sort the columns of X by lambda if they are far from sorted: windows contain
   adjacent columns, which must be neighbours in the spectrum.  */
template <typename T>
static gpueig_status
sort_start (gpueig_context *ctx, refine_state<T> *s, int *sorted)
{
  typedef ge_real<T> R;
  int64_t n = s->n;
  int mark = ge_mark (ctx);
  R *lambda;
  jacobi_key *keys;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &lambda, &keys));
  GE_TRY (ge_fetch (ctx, lambda, s->lambda, n));
  R slack
      = (R) s->floor
        + fabs (lambda[0] - lambda[n - 1]) / (R) (8 * (n / GE_JACOBI_PAIR + 1));
  *sorted = 1;
  for (int64_t j = 0; j < n; j++)
    {
      *sorted &= j == 0 || lambda[j - 1] <= lambda[j] + slack;
      keys[j].value = (double) lambda[j];
      keys[j].column = j;
    }
  if (! *sorted)
    {
      qsort (keys, (size_t) n, sizeof *keys, jacobi_compare_keys);
      for (int64_t j = 0; j < n; j++)
        GE_TRY (
            ge_copy (ctx, s->w + s->ld * j, s->x + s->ld * keys[j].column, n));
      for (int64_t j = 0; j < n; j++)
        GE_TRY (ge_copy (ctx, s->x + s->ld * j, s->w + s->ld * j, n));
    }
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
prepare_refinement (gpueig_context *ctx, refine_state<T> *s)
{
  int sorted;
  GE_TRY (form (ctx, s));
  if (! (s->r_norm < 0.1))
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "the guess is not orthonormal");
  GE_TRY (sort_start (ctx, s, &sorted));
  if (! sorted)
    GE_TRY (form (ctx, s));
  return GPUEIG_OK;
}

/* --- the method --- */

/* A step with E = 0: Newton-Schulz iteration, which squares the distance of X
   from a matrix with orthonormal columns.  */
template <typename T>
static gpueig_status
orthonormality_step (gpueig_context *ctx, refine_state<T> *s)
{
  GE_TRY (form (ctx, s));
  GE_TRY (find_correction (ctx, s, 0));
  return correct (ctx, s);
}

template <typename T>
static gpueig_status
is_orthonormal (gpueig_context *ctx, const refine_state<T> *s, int *good)
{
  double error;
  /* The rows of the padding are zero.  */
  GE_TRY (ge_cuda_orthogonality (ctx, s->ld, s->n, (const T *) s->x, &error));
  *good = error <= (4 * sqrt ((double) s->n) + 30) * s->eps;
  return GPUEIG_OK;
}

/* Verify that X is orthonormal.  Rounding errors of many rotations accumulate;
   then one more Newton-Schulz step is made, and GPUEIG_SOLVER_FAILED returned
   if that is not enough.  */
template <typename T>
static gpueig_status
verify (gpueig_context *ctx, refine_state<T> *s)
{
  typedef ge_real<T> R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const size_t bytes = (size_t) s->n * sizeof (R);
  int good, mark = ge_mark (ctx);
  R *lambda;
  GE_TRY (is_orthonormal (ctx, s, &good));
  if (good)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s->n, &lambda));
  CU (cudaMemcpyAsync (lambda, s->lambda, bytes, cudaMemcpyDeviceToDevice,
                       stream));
  GE_TRY (orthonormality_step (ctx, s));
  CU (cudaMemcpyAsync (s->lambda, lambda, bytes, cudaMemcpyDeviceToDevice,
                       stream));
  GE_TRY (ge_wait (ctx));
  ge_release (ctx, mark);
  GE_TRY (is_orthonormal (ctx, s, &good));
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "refined eigenvectors are not orthonormal");
}

/* For pairs that first order cannot separate: X <- X times the eigenvectors of B, the
   matrix A in the basis X.  */
template <typename T>
static gpueig_status
finish (gpueig_context *ctx, refine_state<T> *s, double norm,
        const ge_jacobi_control *control, gpueig_info *info)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const size_t column = (size_t) s->n * sizeof (T),
               ld = (size_t) s->ld * sizeof (T);
  if (info->sweeps >= control->max_sweeps)
    return ge_jacobi_unfinished (ctx, control);
  for (int step = 0; ! (s->bound < 1) && step < MAX_STEPS; step++)
    GE_TRY (orthonormality_step (ctx, s));
  GE_TRY (form (ctx, s));
  ge_jacobi_note (ctx, info, "to mrrr", norm > 0 ? s->off / norm : 0);
  CU (cudaMemcpy2DAsync (s->r, column, s->b, ld, column, (size_t) s->n,
                         cudaMemcpyDeviceToDevice, cuda->stream));
  GE_TRY (ge_cuda_eigenvectors<T> (ctx, s->n, s->r, s->lambda));
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, s->n, s->n, s->n, 1,
                   (const T *) s->x, s->ld, (const T *) s->r, s->n, 0, s->w,
                   s->ld));
  CU (cudaMemcpy2DAsync (s->x, ld, s->w, ld, column, (size_t) s->n,
                         cudaMemcpyDeviceToDevice, cuda->stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
steps (gpueig_context *ctx, refine_state<T> *s, double norm,
       const ge_jacobi_control *control, gpueig_info *info)
{
  int first_order = 1;
  double last = INFINITY;
  GE_TRY (prepare_refinement (ctx, s));
  for (int step = 1;; step++)
    {
      ge_jacobi_note (ctx, info, "refine", norm > 0 ? s->off / norm : 0);
      GE_TRY (ge_check_interrupt (ctx));
      if (info->sweeps >= control->max_sweeps)
        return ge_jacobi_unfinished (ctx, control);
      info->sweeps++;
      if (first_order)
        GE_TRY (windows (ctx, s));
      GE_TRY (find_correction (ctx, s, first_order));
      if (first_order && ! (s->delta <= 0.5 && s->delta <= 0.7 * last))
        {
          /* Outside the region of convergence: orthogonalise only.  */
          first_order = 0;
          GE_TRY (form (ctx, s));
          GE_TRY (find_correction (ctx, s, 0));
        }
      last = s->delta;
      GE_TRY (correct (ctx, s));
      int accepted = s->bound < 1;
      if (accepted && first_order && s->unseparated == 0)
        break;
      if (accepted || step == MAX_STEPS)
        return finish (ctx, s, norm, control, info);
      GE_TRY (form (ctx, s));
    }
  /* Windows have reordered the eigenvalues, which are on the diagonal of B.  */
  CU (cudaMemcpy2DAsync (s->lambda, sizeof *s->lambda, s->b,
                         (size_t) (s->ld + 1) * sizeof (T), sizeof *s->lambda,
                         (size_t) s->n, cudaMemcpyDeviceToDevice,
                         ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_refine (gpueig_context *ctx, int64_t n, const T *a, T *x,
                       ge_real<T> *lambda, double norm,
                       const ge_jacobi_control *control, gpueig_info *info)
{
  refine_state<T> s;
  int mark = ge_mark (ctx);
  int64_t ld = ge_jacobi_padded (n), square = ld * ld;
  memset (&s, 0, sizeof s);
  s.n = n;
  s.ld = ld;
  s.a = a;
  s.x = x;
  s.lambda = lambda;
  s.eps = sizeof (ge_real<T>) == 8 ? DBL_EPSILON : FLT_EPSILON;
  s.floor_tol = 4 * control->tol;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &s.w, &s.b, &s.r));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld * GE_JACOBI_PAIR, &s.u));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld, &s.active));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * n + 3, &s.columns));
  GE_TRY (ge_clear (ctx, s.b, square));
  GE_TRY (ge_clear (ctx, s.r, square));
  gpueig_status status = steps (ctx, &s, norm, control, info);
  if (status == GPUEIG_OK)
    status = verify (ctx, &s);
  ge_release (ctx, mark);
  return status;
}

GE_INSTANTIATE (ge_cuda_jacobi_refine)
