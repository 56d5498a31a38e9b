/* Columns of a tridiagonal inverse by cuSPARSE's pivoted solver gtsv2, for
   comparison.  It pivots with diagonal blocks of order one or two, by which
   some matrices lose three digits; one step of iterative refinement restores
   them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tdinv/methods.cuh"
#include "tdinv/numbers.cuh"

#include <cusparse.h>

enum
{
  THREADS = 256,
  GROUP = 1024 /* columns per call of the solver */
};

static gpueig_status
cusparse_status (gpueig_context *ctx, cusparseStatus_t error, const char *call)
{
  ge_cuda_note (ctx, call);
  if (error == CUSPARSE_STATUS_SUCCESS)
    return ge_cuda_status (ctx, cudaSuccess, call);
  return ge_cuda_failure (ctx, error == CUSPARSE_STATUS_ALLOC_FAILED,
                          cusparseGetErrorName (error), call);
}

#define CUSPARSE(call) GE_TRY (cusparse_status (ctx, (call), #call))

#define GTSV2(T, L)                                                            \
  static cusparseStatus_t gtsv2_size (cusparseHandle_t h, int m, int n,        \
                                      const T *dl, const T *d, const T *du,    \
                                      const T *x, size_t *bytes)               \
  {                                                                            \
    return cusparse##L##gtsv2_bufferSizeExt (h, m, n, dl, d, du, x, m, bytes); \
  }                                                                            \
  static cusparseStatus_t gtsv2 (cusparseHandle_t h, int m, int n,             \
                                 const T *dl, const T *d, const T *du, T *x,   \
                                 void *buffer)                                 \
  {                                                                            \
    return cusparse##L##gtsv2 (h, m, n, dl, d, du, x, m, buffer);              \
  }
GTSV2 (float, S)
GTSV2 (double, D)
GTSV2 (cuComplex, C)
GTSV2 (cuDoubleComplex, Z)

/* The solver requires at least three rows, and zeros at the unused ends of the
   off-diagonals: the matrix is extended by rows of the identity.  One thread
   per row.  */
template <typename T>
static __global__ void
pad (int64_t n, int64_t m, const T *c, const T *a, const T *b, T *dl, T *d,
     T *du)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  d[i] = i < n ? a[i] : make_number<T> (1, 0);
  dl[i] = i > 0 && i < n ? c[i - 1] : make_number<T> (0, 0);
  du[i] = i < n - 1 ? b[i] : make_number<T> (0, 0);
}

/* Columns FROM to FROM + COLUMNS - 1 of the panel's part E of the identity; X
   is zero before.  One thread per column.  */
template <typename T>
static __global__ void
set_identity (tdinv_panel<T> o, int64_t from, int64_t m, int64_t columns, T *x)
{
  int64_t k = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (k < columns)
    x[m * k + (o.columns ? o.columns[from + k] : from + k)]
        = make_number<T> (1, 0);
}

/* R = E - T X.  A grid-stride loop over the elements.  */
template <typename T>
static __global__ void
residual (tdinv_panel<T> o, int64_t from, int64_t m, int64_t columns,
          const T *dl, const T *d, const T *du, const T *x, T *r)
{
  int64_t count = m * columns, step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t k = at / m, i = at % m;
      int64_t one = o.columns ? o.columns[from + k] : from + k;
      T sum = minus (make_number<T> (i == one, 0), times_unfused (d[i], x[at]));
      if (i > 0)
        sum = minus (sum, times_unfused (dl[i], x[at - 1]));
      if (i < m - 1)
        sum = minus (sum, times_unfused (du[i], x[at + 1]));
      r[at] = sum;
    }
}

/* X <- X + R where R is finite; entries of X may have overflowed.  A
   grid-stride loop.  */
template <typename R>
static __global__ void
correct (int64_t count, const R *r, R *x)
{
  int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    if (isfinite (r[at]))
      x[at] += r[at];
}

/* Copy the solved columns, or their band, to the panel.  A grid-stride
   loop.  */
template <typename T>
static __global__ void
put_columns (tdinv_panel<T> o, int64_t from, int64_t m, int64_t columns,
             const T *x)
{
  int64_t height = o.band < 0 ? o.n : 2 * o.band + 1;
  int64_t count = height * columns, step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t k = at / height, i = at % height;
      if (o.band >= 0)
        i += from + k - o.band;
      T y = i >= 0 && i < o.n ? x[i + m * k] : make_number<T> (0, 0);
      tdinv_put (&o, at + height * (from - o.begin), tdinv_unscaled (&o, y));
    }
}

template <typename T>
static gpueig_status
solve (gpueig_context *ctx, cusparseHandle_t handle, const T *c, const T *a,
       const T *b, const tdinv_panel<T> *o)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t n = o->n, m = n < 3 ? 3 : n, columns = o->end - o->begin;
  int64_t group = columns;
  const int64_t reals = sizeof (T) / sizeof (typename real_of<T>::type);
  T *dl, *d, *du, *x, *r;
  char *buffer;
  size_t bytes = 0;
  if (group > GROUP)
    group = GROUP;
  if (m > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "a size of %lld is more than cuSPARSE's %d",
                        (long long) m, INT32_MAX);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m, &dl));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m, &d));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m, &du));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m * group, &x));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m * group, &r));
  CUSPARSE (cusparseSetStream (handle, stream));
  GE_LAUNCH (pad<T>, (unsigned) ((m + THREADS - 1) / THREADS), THREADS, 0,
             stream)
  (n, m, c, a, b, dl, d, du);
  LAUNCHED ();
  CUSPARSE (gtsv2_size (handle, (int) m, (int) group, dl, d, du, x, &bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &buffer));
  for (int64_t from = o->begin; from < o->end; from += group)
    {
      int64_t count = o->end - from < group ? o->end - from : group;
      GE_TRY (ge_check_interrupt (ctx));
      CU (cudaMemsetAsync (x, 0, (size_t) (m * count) * sizeof (T), stream));
      GE_LAUNCH (set_identity<T>, (unsigned) ((count + THREADS - 1) / THREADS),
                 THREADS, 0, stream)
      (*o, from, m, count, x);
      LAUNCHED ();
      CUSPARSE (gtsv2 (handle, (int) m, (int) count, dl, d, du, x, buffer));
      GE_LAUNCH (residual<T>, 1024, THREADS, 0, stream)
      (*o, from, m, count, dl, d, du, x, r);
      LAUNCHED ();
      CUSPARSE (gtsv2 (handle, (int) m, (int) count, dl, d, du, r, buffer));
      GE_LAUNCH (correct<typename real_of<T>::type>, 1024, THREADS, 0, stream)
      (m * count * reals, (const typename real_of<T>::type *) r,
       (typename real_of<T>::type *) x);
      LAUNCHED ();
      GE_LAUNCH (put_columns<T>, 1024, THREADS, 0, stream)
      (*o, from, m, count, x);
      LAUNCHED ();
      CU (cudaStreamSynchronize (stream));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
tdinv_cuda_write_pivoted (gpueig_context *ctx, const T *c, const T *a,
                          const T *b, const tdinv_panel<T> *panel)
{
  cusparseHandle_t handle;
  if (panel->end == panel->begin)
    return GPUEIG_OK;
  int mark = ge_mark (ctx);
  CUSPARSE (cusparseCreate (&handle));
  gpueig_status status = solve (ctx, handle, c, a, b, panel);
  if (! ge_device_is_lost (ctx))
    cusparseDestroy (handle);
  ge_release (ctx, mark);
  return status;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_write_pivoted (                            \
      gpueig_context *, const T *, const T *, const T *,                       \
      const tdinv_panel<T> *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
