/* gpu_jacobi_eig on the GPU: pages, scaling, choice of the method, sorting.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.cuh"
#include "jacobi/jacobi.cuh"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  THREADS = 256,
  REDUCE_BLOCKS = 128
};

typedef enum
{
  SMALL,
  BLOCK,
  CYCLIC,
  REFINE,
  CLASSICAL
} jacobi_method;

/* --- kernels of a page --- */

/* By block: the largest modulus of real and imaginary parts, and the sum of
   squares of SCALE times the elements.  A grid-stride loop and a tree in shared
   memory.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    norm_kernel (int64_t count, const T *a, double scale, double *most,
                 double *squares)
{
  __shared__ double m[THREADS], s[THREADS];
  double most_here = 0, sum = 0;
  int t = threadIdx.x;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + t; i < count;
       i += (int64_t) THREADS * gridDim.x)
    {
      double re = fabs ((double) real_part (a[i])),
             im = fabs ((double) imaginary_part (a[i]));
      most_here = fmax (most_here, fmax (re, im));
      re *= scale;
      im *= scale;
      sum += re * re + im * im;
    }
  m[t] = most_here;
  s[t] = sum;
  for (int step = THREADS / 2; step > 0; step /= 2)
    {
      __syncthreads ();
      if (t < step)
        {
          m[t] = fmax (m[t], m[t + step]);
          s[t] += s[t + step];
        }
    }
  if (t == 0)
    {
      most[blockIdx.x] = m[0];
      squares[blockIdx.x] = s[0];
    }
}

/* OUT (ld-by-ld, zero padding) = SCALE * A (order, order); ORDER may be NULL.
   Grid: (row blocks, columns), one thread per element; so for the kernels
   below.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS) pack_kernel (int64_t n, const T *a, double scale,
                                         const int *order, int64_t ld, T *out)
{
  typedef typename real_of<T>::type R;
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i >= ld)
    return;
  T x = make_number<T> (0, 0);
  if (i < n && j < n)
    x = times ((R) scale,
               a[(order ? order[i] : i) + n * (order ? order[j] : j)]);
  out[i + ld * j] = x;
}

/* V = the permutation matrix of ORDER, 1 on the diagonal of the padding.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    identity_kernel (int64_t n, const int *order, int64_t ld, T *v)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i < ld)
    v[i + ld * j] = make_number<T> (i == (j < n ? order[j] : j), 0);
}

/* OUT (n-by-n) = columns ORDER of V.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    unpack_kernel (int64_t n, const T *v, int64_t ld, const int *order, T *out)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i < n)
    out[i + n * j] = v[i + ld * order[j]];
}

template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    diagonal_kernel (int64_t n, const T *a, int64_t ld,
                     typename real_of<T>::type *diagonal)
{
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j < n)
    diagonal[j] = real_part (a[j + ld * j]);
}

/* Conversion between single and working precision, zero padding.  */
template <typename L, typename T>
__global__ void
__launch_bounds__ (THREADS)
    convert_kernel (int64_t n, const T *from, int64_t ld_from, L *to,
                    int64_t ld_to, int64_t padded)
{
  int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x, j = blockIdx.y;
  if (i >= padded)
    return;
  if (i < n && j < n)
    to[i + ld_to * j] = make_number<L> (real_part (from[i + ld_from * j]),
                                        imaginary_part (from[i + ld_from * j]));
  else
    to[i + ld_to * j] = make_number<L> (0, 0);
}

static dim3
columns_grid (int64_t rows, int64_t columns)
{
  return dim3 ((unsigned) ((rows + THREADS - 1) / THREADS), (unsigned) columns);
}

/* --- on the host --- */

template <typename T>
static gpueig_status
norms (gpueig_context *ctx, int64_t count, const T *a, double scale,
       double *most, double *frobenius)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  double *parts, host[2 * REDUCE_BLOCKS];
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * REDUCE_BLOCKS, &parts));
  GE_LAUNCH (norm_kernel<T>, REDUCE_BLOCKS, THREADS, 0, stream)
  (count, a, scale, parts, parts + REDUCE_BLOCKS);
  LAUNCHED ();
  CU (cudaMemcpyAsync (host, parts, sizeof host, cudaMemcpyDeviceToHost,
                       stream));
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  double sum = 0;
  *most = 0;
  for (int i = 0; i < REDUCE_BLOCKS; i++)
    {
      *most = fmax (*most, host[i]);
      sum += host[REDUCE_BLOCKS + i];
    }
  *frobenius = sqrt (sum);
  return GPUEIG_OK;
}

/* Sort the N values LAMBDA on the device, ascending for SIGN = 1, descending
   for -1, and multiply them by UNSCALE; ORDER, on the device, becomes their old
   indices.  */
template <typename R>
static gpueig_status
sort_values (gpueig_context *ctx, int64_t n, int sign, R *lambda,
             double unscale, int *order)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int mark = ge_mark (ctx), *columns;
  jacobi_key *keys;
  R *values;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &keys));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &columns));
  CU (cudaMemcpyAsync (values, lambda, (size_t) n * sizeof (R),
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  for (int64_t j = 0; j < n; j++)
    {
      keys[j].value = sign * (double) values[j];
      keys[j].column = (int) j;
    }
  qsort (keys, (size_t) n, sizeof *keys, jacobi_compare_keys);
  for (int64_t j = 0; j < n; j++)
    {
      columns[j] = keys[j].column;
      values[j] = (R) (sign * keys[j].value * unscale);
    }
  CU (cudaMemcpyAsync (lambda, values, (size_t) n * sizeof (R),
                       cudaMemcpyHostToDevice, stream));
  CU (cudaMemcpyAsync (order, columns, (size_t) n * sizeof (int),
                       cudaMemcpyHostToDevice, stream));
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- approximate eigenvectors --- */

/* X = eigenvectors of A in single precision.  */
template <typename T>
static gpueig_status
start_vectors (gpueig_context *ctx, int64_t n, int64_t ld, const T *a, T *x)
{
  typedef typename single_of<T>::type L;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int mark = ge_mark (ctx);
  L *low;
  typename real_of<L>::type *values;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &low));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &values));
  GE_LAUNCH ((convert_kernel<L, T>), columns_grid (n, n), THREADS, 0, stream)
  (n, a, ld, low, n, n);
  LAUNCHED ();
  GE_TRY (ge_cuda_eigenvectors<L> (ctx, n, low, values));
  GE_LAUNCH ((convert_kernel<T, L>), columns_grid (ld, ld), THREADS, 0, stream)
  (n, low, n, x, ld, ld);
  LAUNCHED ();
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* X = GUESS, scaled by a power of 2 only where its squares would over- or
   underflow, so that an orthonormal guess stays orthonormal.  */
template <typename T>
static gpueig_status
take_guess (gpueig_context *ctx, int64_t n, int64_t ld, const T *guess, T *x)
{
  typedef typename real_of<T>::type R;
  double most, frobenius;
  GE_TRY (norms (ctx, n * n, guess, 1, &most, &frobenius));
  GE_LAUNCH (pack_kernel<T>, columns_grid (ld, ld), THREADS, 0,
             ge_cuda_of (ctx)->stream)
  (n, guess, ge_jacobi_guess_scale (sizeof (R) == 8, most), NULL, ld, x);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* --- one page --- */

/* The computation for one page on the device; LAMBDA is unsorted.  V may be
   NULL.  NORM is that of UNIT SCALE A, whose squares are in range.  */
template <typename T>
static gpueig_status
run_method (gpueig_context *ctx, jacobi_method method, int64_t n, int64_t ld,
            const T *a, const T *guess, double scale, double unit, double norm,
            T *work, T *v, typename real_of<T>::type *lambda, int *order,
            const ge_jacobi_control *control, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  dim3 all = columns_grid (ld, ld);
  gpueig_status status;
  if (method == REFINE)
    {
      GE_LAUNCH (pack_kernel<T>, all, THREADS, 0, stream)
      (n, a, scale, NULL, ld, work);
      LAUNCHED ();
      if (guess)
        status = take_guess (ctx, n, ld, guess, v);
      else
        status = start_vectors (ctx, n, ld, (const T *) work, v);
      if (status == GPUEIG_OK)
        status = ge_cuda_jacobi_refine (ctx, n, (const T *) work, v, lambda,
                                        norm, control, info);
      /* There are no starting vectors, or they cannot be made orthonormal:
         block Jacobi needs none.  */
      if (status != GPUEIG_SOLVER_FAILED)
        return status;
    }
  /* Large diagonal elements first, which saves a sweep.  */
  GE_LAUNCH (diagonal_kernel<T>, (unsigned) ((n + THREADS - 1) / THREADS),
             THREADS, 0, stream)
  (n, a, n, lambda);
  LAUNCHED ();
  GE_TRY (sort_values (ctx, n, -1, lambda, 1, order));
  GE_LAUNCH (pack_kernel<T>, all, THREADS, 0, stream)
  (n, a, scale, order, ld, work);
  LAUNCHED ();
  if (v)
    {
      GE_LAUNCH (identity_kernel<T>, all, THREADS, 0, stream)
      (n, order, ld, v);
      LAUNCHED ();
    }
  if (method == CYCLIC)
    status = ge_cuda_jacobi_cyclic (ctx, n, work, v, unit, norm, control, info);
  else if (method == CLASSICAL)
    status = ge_cuda_jacobi_classical (ctx, n, work, v, norm, control, info);
  else
    status = ge_cuda_jacobi_block (ctx, n, work, v, norm,
                                   control->tol * norm / sqrt ((double) n),
                                   control, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_LAUNCH (diagonal_kernel<T>, (unsigned) ((n + THREADS - 1) / THREADS),
             THREADS, 0, stream)
  (n, work, ld, lambda);
  LAUNCHED ();
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
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
solve_page (gpueig_context *ctx, jacobi_method method,
            const gpueig_symmetric *s, int64_t page,
            const ge_jacobi_control *control, gpueig_info *info,
            gpueig_info *total)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t n = s->n, ld = ge_jacobi_padded (n), square = n * n;
  size_t bytes = (size_t) square * sizeof (T);
  T *a, *guess = NULL, *work, *v = NULL;
  R *lambda;
  double most, norm;
  int *order, mark = ge_mark (ctx);
  int vectors = s->v || method == REFINE;

  if (ld > 65535)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "order %lld is too large for this solver on the GPU, "
                        "65535 is the limit",
                        (long long) n);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld, &lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld, &order));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld * ld, &work));
  if (vectors)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ld * ld, &v));
  if (method == REFINE)
    GE_TRY (reserve (ctx, 3, ld * ld * (int64_t) sizeof (T)));
  GE_TRY (ge_upload (ctx, a, (const T *) s->a + page * square, bytes, total));
  if (s->guess && method == REFINE)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &guess));
      GE_TRY (ge_upload (ctx, guess, (const T *) s->guess + page * square,
                         bytes, total));
    }
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (norms (ctx, square, (const T *) a, 1, &most, &norm));
  const double near_one = ge_jacobi_scale (sizeof (R) == 8, n, most, 0);
  const double scale
      = ge_jacobi_scale (sizeof (R) == 8, n, most, control->high);
  if (near_one != 1)
    GE_TRY (norms (ctx, square, (const T *) a, near_one, &most, &norm));
  gpueig_status status = run_method (
      ctx, method, n, ld, (const T *) a, (const T *) guess, scale,
      near_one / scale, norm, work, v, lambda, order, control, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_TRY (sort_values (ctx, n, 1, lambda, 1 / scale, order));
  if (s->v)
    {
      GE_LAUNCH (unpack_kernel<T>, columns_grid (n, n), THREADS, 0, stream)
      (n, v, ld, order, a);
      LAUNCHED ();
    }
  GE_TRY (ge_timer_stop (ctx, &total->time_solve));
  GE_TRY (ge_download (ctx, (R *) s->lambda + page * n, lambda,
                       (size_t) n * sizeof (R), total));
  if (s->v)
    GE_TRY (ge_download (ctx, (T *) s->v + page * square, a, bytes, total));
  ge_release (ctx, mark);
  return status;
}

/* --- stacks of small pages --- */

template <typename T>
static gpueig_status
solve_small (gpueig_context *ctx, const gpueig_symmetric *s,
             const ge_jacobi_control *control, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  const int64_t n = s->n, pages = s->pages, square = n * n;
  const size_t bytes = (size_t) (square * pages) * sizeof (T);
  int64_t unfinished;
  T *a, *v = NULL;
  R *lambda;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages * square, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages * n, &lambda));
  if (s->v)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages * square, &v));
  GE_TRY (ge_upload (ctx, a, s->a, bytes, info));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (ge_cuda_jacobi_small (ctx, n, pages, (const T *) a, v, lambda,
                                control, &info->sweeps, &unfinished));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, s->lambda, lambda,
                       (size_t) (pages * n) * sizeof (R), info));
  if (s->v)
    GE_TRY (ge_download (ctx, s->v, v, bytes, info));
  ge_release (ctx, mark);
  ge_report (ctx, "jacobi %lld pages of order %lld: at most %lld sweeps",
             (long long) pages, (long long) n, (long long) info->sweeps);
  return unfinished ? ge_jacobi_unfinished (ctx, control) : GPUEIG_OK;
}

/* --- the solver --- */

static jacobi_method
choose_method (const gpueig_symmetric *s, ge_method method,
               const gpueig_options *options, gpueig_info *info)
{
  if (method == GE_METHOD_JACOBI_CLASSICAL)
    {
      ge_info_method (info, "classical");
      return CLASSICAL;
    }
  if (! options->high_accuracy && method == GE_METHOD_JACOBI_PRECONDITIONED)
    {
      ge_info_method (info, "preconditioned");
      return REFINE;
    }
  ge_info_method (info, "block");
  if (s->n <= GE_JACOBI_PAIR)
    return SMALL;
  return options->high_accuracy ? CYCLIC : BLOCK;
}

gpueig_status
ge_cuda_jacobi_eig (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const gpueig_symmetric *s = (const gpueig_symmetric *) problem;
  gpueig_status result = GPUEIG_OK;
  const ge_jacobi_control control = ge_jacobi_read_options (options, s->type);
  jacobi_method method = choose_method (s, plan->method, options, info);
  if (method == SMALL)
    return GE_CUDA_BY_TYPE (s->type, solve_small, (ctx, s, &control, info));
  for (int64_t p = 0; p < s->pages; p++)
    {
      gpueig_info one;
      memset (&one, 0, sizeof one);
      GE_TRY (ge_check_interrupt (ctx));
      gpueig_status status = GE_CUDA_BY_TYPE (
          s->type, solve_page, (ctx, method, s, p, &control, &one, info));
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else
        GE_TRY (status);
      ge_jacobi_merge_info (info, &one, p);
      ge_report_pages (ctx, info->method, p + 1, s->pages);
    }
  return result;
}
