/* gpu_jacobi_eig on the GPU: choice of the method; pages: scaling, sorting.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/plugin.h"
#include "base/similarity.cuh"
#include "base/solver.h"
#include "jacobi/jacobi.cuh"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  THREADS = 256
};

/* --- kernels of a page --- */

/* OUT (ld-by-ld, zero padding) = A.  Grid: (row blocks, columns), one thread per element; so
   for the kernels below.  */
template <typename T>
GE_KERNEL (THREADS)
pack_kernel (int64_t n, const T *a, int64_t ld, T *out)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i >= ld)
    return;
  out[i + ld * j] = i < n && j < n ? a[i + n * j] : make_number<T> (0, 0);
}

template <typename T> GE_KERNEL (THREADS) identity_kernel (int64_t ld, T *v)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i < ld)
    v[i + ld * j] = make_number<T> (i == j, 0);
}

/* OUT (n-by-n) = columns ORDER of V.  */
template <typename T>
GE_KERNEL (THREADS)
unpack_kernel (int64_t n, const T *v, int64_t ld, const int *order, T *out)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i < n)
    out[i + n * j] = v[i + ld * order[j]];
}

template <typename T>
GE_KERNEL (THREADS)
diagonal_kernel (int64_t n, const T *a, int64_t ld, ge_real<T> *diagonal)
{
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j < n)
    diagonal[j] = real_part (a[j + ld * j]);
}

static dim3
columns_grid (int64_t rows, int64_t columns)
{
  return dim3 (ge_blocks (rows, THREADS), (unsigned) columns);
}

/* --- on the host --- */

/* Scale the COUNT elements A to real and imaginary parts below 1, by 2^-*EXPONENT; *NORM: the
   2-norm of the result.  */
template <typename T>
static gpueig_status
scale_down (gpueig_context *ctx, int64_t count, T *a, int *exponent,
            double *norm)
{
  typedef ge_real<T> R;
  const int more = sizeof (R) == 8 ? 201 : 21; /* than ge_cuda_scale_up */
  const int64_t reals = count * (1 + is_complex<T>::value);
  R value;
  GE_TRY (ge_cuda_scale_up (ctx, reals, (R *) a, exponent));
  GE_TRY (ge_cuda_scale (ctx, reals, -more, (R *) a));
  *exponent += more;
  CUBLAS (ge_nrm2 (ge_cuda_of (ctx)->blas, reals, (const R *) a, &value));
  *norm = value;
  return GPUEIG_OK;
}

/* Sort the N values LAMBDA on the device, ascending, and multiply them by 2^EXPONENT; ORDER,
   on the device, becomes their old indices.  */
template <typename R>
static gpueig_status
sort_values (gpueig_context *ctx, int64_t n, R *lambda, int exponent,
             int *order)
{
  int mark = ge_mark (ctx), *columns;
  jacobi_key *keys;
  R *values;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &keys, &values, &columns));
  GE_TRY (ge_fetch (ctx, values, lambda, n));
  for (int64_t j = 0; j < n; j++)
    {
      keys[j].value = (double) values[j];
      keys[j].column = (int) j;
    }
  qsort (keys, (size_t) n, sizeof *keys, jacobi_compare_keys);
  for (int64_t j = 0; j < n; j++)
    {
      columns[j] = keys[j].column;
      values[j] = (R) ldexp (keys[j].value, exponent);
    }
  GE_TRY (ge_put (ctx, lambda, values, n));
  GE_TRY (ge_send (ctx, order, columns, n));
  return ge_close_frame (ctx, mark);
}

/* --- one page --- */

/* Refinement of GUESS; LAMBDA is unsorted.  NORM is that of A.  */
template <typename T>
static gpueig_status
refine (gpueig_context *ctx, int64_t n, int64_t ld, const T *a, const T *guess,
        double norm, T *work, T *v, ge_real<T> *lambda,
        const ge_jacobi_control *control, gpueig_info *info)
{
  GE_LAUNCH (pack_kernel<T>, columns_grid (ld, ld), THREADS, 0, n, a, ld, work);
  GE_LAUNCH (pack_kernel<T>, columns_grid (ld, ld), THREADS, 0, n, guess, ld,
             v);
  return ge_cuda_jacobi_refine (ctx, n, (const T *) work, v, lambda, norm,
                                control, info);
}

/* The classical method; V may be NULL.  */
template <typename T>
static gpueig_status
rotate (gpueig_context *ctx, int64_t n, int64_t ld, const T *a, double norm,
        T *work, T *v, ge_real<T> *lambda, const ge_jacobi_control *control,
        gpueig_info *info)
{
  GE_LAUNCH (pack_kernel<T>, columns_grid (ld, ld), THREADS, 0, n, a, ld, work);
  if (v)
    GE_LAUNCH (identity_kernel<T>, columns_grid (ld, ld), THREADS, 0, ld, v);
  const gpueig_status status
      = ge_cuda_jacobi_classical (ctx, n, work, v, norm, control, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_LAUNCH (diagonal_kernel<T>, ge_blocks (n, THREADS), THREADS, 0, n, work,
             ld, lambda);
  return status;
}

/* Allocate COUNT blocks of BYTES into the workspace's cache, so that the device
   timer does not include allocation.  */
static gpueig_status
reserve (gpueig_context *ctx, int count, int64_t bytes)
{
  int mark = ge_mark (ctx);
  char *block;
  for (int i = 0; i < count; i++)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, bytes, &block));
  return ge_close_frame (ctx, mark);
}

/* Page PAGE: by refinement of the guess, if there is one, else by the classical method, which
   overwrites the matrix.  */
template <typename T>
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page,
            const ge_jacobi_control *control, gpueig_info *info,
            gpueig_info *total)
{
  typedef ge_real<T> R;
  int64_t n = s->n, ld = ge_jacobi_padded (n), square = n * n;
  T *a = (T *) s->a + page * square, *work, *v = NULL;
  const T *const guess = s->guess ? (const T *) s->guess + page * square : NULL;
  R *lambda;
  double norm;
  int exponent, *order, mark = ge_mark (ctx);

  if (ld > 65535)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "order %lld is too large for this solver on the GPU, "
                        "65535 is the limit",
                        (long long) n);
  if (guess)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &a));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, ld, &lambda, &order));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld * ld, &work));
  if (s->v || guess)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld * ld, &v));
  if (guess)
    GE_TRY (reserve (ctx, 3, ld * ld * (int64_t) sizeof (T)));
  if (guess)
    GE_TRY (ge_copy (ctx, a, (const T *) s->a + page * square, square));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (scale_down (ctx, square, a, &exponent, &norm));
  const gpueig_status status
      = guess ? refine<T> (ctx, n, ld, a, guess, norm, work, v, lambda, control,
                           info)
              : rotate<T> (ctx, n, ld, a, norm, work, v, lambda, control, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_TRY (sort_values (ctx, n, lambda, exponent, order));
  if (s->v)
    GE_LAUNCH (unpack_kernel<T>, columns_grid (n, n), THREADS, 0, n, v, ld,
               order, (T *) s->v + page * square);
  GE_TRY (ge_timer_stop (ctx, &total->time_solve));
  GE_TRY (ge_fetch (ctx, (R *) s->lambda + page * n, lambda, n));
  ge_release (ctx, mark);
  return status;
}

/* --- the solver --- */

/* Page P of S alone and without the guess.  */
template <typename T>
static gpueig_symmetric
page_of (const gpueig_symmetric *s, int64_t p)
{
  const int64_t n = s->n;
  gpueig_symmetric one = *s;
  one.pages = 1;
  one.guess = NULL;
  one.a = (const T *) s->a + p * n * n;
  one.lambda = (ge_real<T> *) s->lambda + p * n;
  one.v = s->v ? (T *) s->v + p * n * n : NULL;
  return one;
}

/* *CLOSE: the guess of page P saves time, see ge_jacobi_close_guess.  */
template <typename T>
static gpueig_status
is_close (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
          double limit, int *close)
{
  const int64_t n = s->n;
  const ge_jacobi_sample c = ge_jacobi_columns (n);
  const size_t column = (size_t) n * sizeof (T);
  const T *of[] = { (const T *) s->a, (const T *) s->guess };
  T *sample[2], *there;
  const int mark = ge_mark (ctx);
  *close = isinf (limit);
  if (*close)
    return GPUEIG_OK;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n * c.count, &sample[0], &sample[1]));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * c.count, &there));
  for (int k = 0; k < 2; k++)
    {
      CU (cudaMemcpy2DAsync (there, column, of[k] + n * (n * p + c.first),
                             column * (size_t) c.step, column, (size_t) c.count,
                             cudaMemcpyDeviceToDevice,
                             ge_cuda_of (ctx)->stream));
      GE_TRY (ge_fetch (ctx, sample[k], (const T *) there, n * c.count));
    }
  *close = GE_BY_TYPE (s->type, ge_jacobi_is_close,
                       (n, sample[0], sample[1], n, limit));
  return ge_close_frame (ctx, mark);
}

/* All pages of S one by one, or those in LEFT, of which the guess stays where it cannot be
   improved.  */
template <typename T>
static gpueig_status
solve_pages (gpueig_context *ctx, const gpueig_symmetric *s,
             const unsigned char *left, const ge_jacobi_control *control,
             gpueig_info *info)
{
  gpueig_status result = GPUEIG_OK;
  for (int64_t p = 0; p < s->pages; p++)
    {
      gpueig_info one;
      if (left && ! left[p])
        continue;
      memset (&one, 0, sizeof one);
      GE_TRY (ge_check_interrupt (ctx));
      const int mark = ge_mark (ctx);
      gpueig_status status = GPUEIG_SOLVER_FAILED;
      int close = 1;
      if (s->guess && ! left)
        GE_TRY (is_close<T> (ctx, s, p, control->close_guess, &close));
      if (close)
        status = solve_page<T> (ctx, s, p, control, &one, info);
      if (status == GPUEIG_SOLVER_FAILED)
        {
          const gpueig_symmetric alone = page_of<T> (s, p);
          ge_release (ctx, mark);
          status = left ? GPUEIG_OK
                        : ge_cuda_jacobi_preconditioned<T> (ctx, &alone,
                                                            control, &one);
        }
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else
        GE_TRY (status);
      ge_jacobi_merge_info (info, &one, left ? 1 : p);
      ge_report_pages (ctx, info->method, p + 1, s->pages);
    }
  return result;
}

/* Eigenvectors of gpu_eig's solvers, which are refined where they are not accurate.  */
template <typename T>
static gpueig_status
start_and_refine (gpueig_context *ctx, const gpueig_symmetric *s,
                  const ge_jacobi_control *control, gpueig_info *info)
{
  gpueig_symmetric refined = *s;
  unsigned char *left;
  double worst;
  int64_t count = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &left));
  GE_TRY (ge_cuda_jacobi_start<T> (ctx, s, left, &worst, info));
  for (int64_t p = 0; p < s->pages; p++)
    count += left[p];
  if (ge_stack_pages (ctx, s->pages) == 1)
    ge_jacobi_note (ctx, info, "start", worst);
  else
    ge_report (ctx, "jacobi: %lld of %lld pages are refined", (long long) count,
               (long long) s->pages);
  refined.guess = s->v;
  return solve_pages<T> (ctx, &refined, left, control, info);
}

template <typename T>
gpueig_status
ge_cuda_jacobi_preconditioned (gpueig_context *ctx, const gpueig_symmetric *s,
                               const ge_jacobi_control *control,
                               gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  const gpueig_status status
      = s->v ? start_and_refine<T> (ctx, s, control, info)
             : ge_cuda_jacobi_start<T> (ctx, s, NULL, NULL, info);
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  ge_release (ctx, mark);
  return status;
}

GE_INSTANTIATE (ge_cuda_jacobi_preconditioned)

gpueig_status
ge_cuda_jacobi_eig (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  gpueig_symmetric s = *(const gpueig_symmetric *) problem;
  ge_jacobi_control control = ge_jacobi_read_options (options, s.type);
  const int classical = plan->method == GE_METHOD_JACOBI_CLASSICAL;
  ge_info_method (info, ge_method_name (plan->method));
  if (options->high_accuracy)
    {
      /* vectors about as orthogonal as products of rotations; below twice eps rotations
         between columns of the same length may not end */
      gpueig_options high = *options;
      high.tol = 3 * control.tol;
      const gpueig_status status = ge_cuda_onesided_by (
          ctx, &s, GE_METHOD_ONESIDED_CHOLESKY, &high, info);
      ge_info_method (info, ge_method_name (plan->method));
      return status;
    }
  if (! plan->named)
    control.close_guess = ge_jacobi_close_guess (&s, GPUEIG_CUDA,
                                                 ge_stack_pages (ctx, s.pages));
  s.guess = classical || control.close_guess == 0 ? NULL : s.guess;
  return classical || s.guess
             ? GE_CUDA_BY_TYPE (s.type, solve_pages,
                                (ctx, &s, NULL, &control, info))
             : GE_CUDA_BY_TYPE (s.type, ge_cuda_jacobi_preconditioned,
                                (ctx, &s, &control, info));
}
