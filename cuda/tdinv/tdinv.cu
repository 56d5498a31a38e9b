/* The inverse of a tridiagonal matrix on the GPU: methods and panels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   X is computed in panels of whole columns that fit in device memory, so its
   size is limited by the host's memory only.  A panel takes the device a
   millisecond and its copy to the host a hundred times longer, so computing
   ahead would gain nothing; the copy itself is parallel (transfer.cu).  */

#include "tdinv/tdinv.cuh"
#include "tdinv/numbers.cuh"

#include <string.h>

enum
{
  THREADS = 256,
  SMALL = 1 << 20 /* bytes of a matrix that is uploaded without waiting */
};

/* The matrix and the generators of its inverse, on the device.  */
template <typename T> struct tdinv_state
{
  const gpueig_tdinv_problem *problem;
  int64_t
      exponent; /* the matrix on the device is that of the problem times 2^-exponent */
  T *c, *a, *b;
  int64_t *columns;
  tdinv_factors<ge_real<T>> f;
  tdinv_result *device_result, result;
  int singular, by_tree; /* by_tree: Sherman-Morrison, T is double */
  int in_cluster;        /* nonzero: generators by one_cluster.cu */
  int small;             /* nonzero: uploaded by upload_small */
  tdinv_tree tree;
};

/* --- a singular matrix --- */

/* Inf in all entries of a panel, 0 outside the matrix in a band.  A grid-stride
   loop over the entries.  */
template <typename T>
static __global__ void
write_infinity (tdinv_panel<T> o)
{
  int64_t height = o.band < 0 ? o.n : 2 * o.band + 1;
  int64_t count = height * (o.end - o.begin);
  int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t i = at % height;
      if (o.band >= 0)
        i += o.begin + at / height - o.band;
      tdinv_put (&o, at,
                 i >= 0 && i < o.n ? make_number<T> (INFINITY, 0) : zero<T> ());
    }
}

/* --- memory --- */

template <typename R>
static gpueig_status
alloc_mantissas (gpueig_context *ctx, int64_t n, int complex, R **re, R **im)
{
  *im = NULL;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, re));
  return complex ? GE_ALLOC (ctx, GE_DEVICE, n, im) : GPUEIG_OK;
}

template <typename R>
static gpueig_status
alloc_row (gpueig_context *ctx, int64_t n, int complex, tdinv_row_factor<R> *f)
{
  GE_TRY (alloc_mantissas (ctx, n, complex, &f->re, &f->im));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &f->e));
  return GE_ALLOC (ctx, GE_DEVICE, n / TDINV_GROUP + 1, &f->top);
}

template <typename R>
static gpueig_status
alloc_column (gpueig_context *ctx, int64_t n, int complex,
              tdinv_column_factor<R> *f)
{
  GE_TRY (alloc_mantissas (ctx, n, complex, &f->re, &f->im));
  return GE_ALLOC (ctx, GE_DEVICE, n, &f->e);
}

/* Copy COUNT words of 16 bytes from pinned host memory.  */
GE_KERNEL (THREADS)
fetch (const uint4 *from, uint4 *to, int64_t count)
{
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t k = (int64_t) blockIdx.x * THREADS + threadIdx.x; k < count;
       k += step)
    to[k] = from[k];
}

/* The result, which is zero, and the three diagonals, in one piece of memory:
   host and device addresses, sizes.  */
typedef struct
{
  const void *host[4];
  char *device[4];
  size_t bytes[4], total;
} upload_parts;

/* A small matrix is copied by a kernel, without waiting for it: the next kernel
   then begins at once, but some microseconds late after a copy by the driver.  */
static gpueig_status
upload_small (gpueig_context *ctx, const upload_parts *parts, gpueig_info *info)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const double start = ge_now ();
  char *pinned;
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, (int64_t) parts->total, &pinned));
  for (int k = 0; k < 4; k++)
    if (parts->bytes[k] > 0)
      memcpy (pinned + (parts->device[k] - parts->device[0]), parts->host[k],
              parts->bytes[k]);
  info->time_transfer += ge_now () - start;
  CU (cudaEventRecord (cuda->upload, cuda->stream));
  GE_LAUNCH (fetch, 64, THREADS, 0, (const uint4 *) pinned,
             (uint4 *) parts->device[0],
             (int64_t) (parts->total / sizeof (uint4)));
  return GPUEIG_OK;
}

static gpueig_status
upload_large (gpueig_context *ctx, const upload_parts *parts, gpueig_info *info)
{
  for (int k = 0; k < 4; k++)
    if (parts->bytes[k] > 0)
      GE_TRY (ge_upload (ctx, parts->device[k], parts->host[k], parts->bytes[k],
                         info));
  return GPUEIG_OK;
}

/* Time of upload_small on the device, once the stream has been synchronised.  */
static gpueig_status
add_upload_time (gpueig_context *ctx, gpueig_info *info)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  float ms = 0;
  CU (cudaEventElapsedTime (&ms, cuda->upload, cuda->start));
  info->time_transfer += 1e-3 * ms;
  return GPUEIG_OK;
}

/* Bytes of a diagonal and the space after it.  */
template <typename T>
static size_t
stride_of (int64_t n)
{
  return ((size_t) n * sizeof (T) + 255) / 256 * 256;
}

template <typename T>
static gpueig_status
upload_matrix (gpueig_context *ctx, const gpueig_tdinv_problem *t,
               const tdinv_state<T> *s, gpueig_info *info)
{
  static const tdinv_result none = {};
  const size_t bytes = (size_t) t->n * sizeof (T), off = bytes - sizeof (T);
  const upload_parts parts = { { &none, t->c, t->a, t->b },
                               { (char *) s->device_result, (char *) s->c,
                                 (char *) s->a, (char *) s->b },
                               { sizeof none, off, bytes, off },
                               256 + 3 * stride_of<T> (t->n) };
  return s->small ? upload_small (ctx, &parts, info)
                  : upload_large (ctx, &parts, info);
}

/* Memory for the generators, and the list of columns.  */
template <typename T>
static gpueig_status
prepare (gpueig_context *ctx, const ge_tdinv_problem *p, tdinv_state<T> *s,
         gpueig_info *info)
{
  const gpueig_tdinv_problem *t = &p->scaled;
  int64_t n = t->n;
  int complex = is_complex<T>::value;
  s->problem = t;
  s->exponent = p->exponent;
  s->columns = NULL;
  s->f.n = n;
  s->f.ready = NULL;
  const size_t stride = stride_of<T> (n), total = 256 + 3 * stride;
  char *memory;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) total, &memory));
  s->device_result = (tdinv_result *) memory;
  s->c = (T *) (memory + 256);
  s->a = (T *) (memory + 256 + stride);
  s->b = (T *) (memory + 256 + 2 * stride);
  s->small = total <= SMALL;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n, &s->f.above, &s->f.below));
  GE_TRY (alloc_row (ctx, n, complex, &s->f.u));
  GE_TRY (alloc_row (ctx, n, complex, &s->f.p));
  GE_TRY (alloc_column (ctx, n, complex, &s->f.v));
  GE_TRY (alloc_column (ctx, n, complex, &s->f.q));
  GE_TRY (tdinv_cuda_cluster_fits<T> (ctx, n, &s->in_cluster));
  if (t->columns)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, t->n_columns, &s->columns));
      GE_TRY (ge_upload (ctx, s->columns, t->columns, t->n_columns, info));
    }
  return GPUEIG_OK;
}

/* The number of columns of a panel: 60 per cent of the free memory.  */
static int64_t
panel_columns (gpueig_context *ctx, const gpueig_tdinv_problem *t)
{
  double there = (double) ctx->memory[GE_DEVICE].available (ctx);
  double column
      = (double) ge_tdinv_rows (t) * (double) gpueig_scalar_size (t->type);
  double fit = 0.6 * there / column;
  int64_t columns = ge_tdinv_columns (t);
  return fit >= (double) columns ? columns : fit < 1 ? 1 : (int64_t) fit;
}

template <typename T>
static gpueig_status
alloc_panel (gpueig_context *ctx, const tdinv_state<T> *s, int64_t columns,
             tdinv_panel<T> *o)
{
  const gpueig_tdinv_problem *t = s->problem;
  /* So that the imaginary part begins at a whole sector of 32 bytes.  */
  int64_t count = (ge_tdinv_rows (t) * columns + 31) / 32 * 32;
  o->n = t->n;
  o->band = t->band;
  o->exponent = s->exponent;
  o->columns = s->columns;
  o->x_re = o->x_im = NULL;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &o->x));
  if (t->x_im && is_complex<T>::value)
    {
      o->x_re = (ge_real<T> *) o->x;
      o->x_im = o->x_re + count;
    }
  return GPUEIG_OK;
}

/* --- the inverse --- */

/* Launch the generators, then the first panel on the main stream and
   concurrently the norms on the side stream, which then joins the main one.  */
template <typename T>
static gpueig_status
launch_concurrently (gpueig_context *ctx, tdinv_state<T> *s, int sequential,
                     const tdinv_panel<T> *o)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  GE_TRY (tdinv_cuda_generate (ctx, s->f.n, s->c, s->a, s->b, sequential, &s->f,
                               s->device_result));
  CU (cudaEventRecord (cuda->ready, cuda->stream));
  if (! s->by_tree)
    GE_TRY (tdinv_cuda_write (ctx, &s->f, o));
  CU (cudaStreamWaitEvent (cuda->side, cuda->ready, 0));
  const gpueig_status status = tdinv_cuda_norms (ctx, s->c, s->a, s->b, &s->f,
                                                 s->device_result, cuda->side);
  if (status != GPUEIG_OK)
    {
      /* before the frame's memory is used again; the first error counts */
      cudaStreamSynchronize (cuda->side);
      return status;
    }
  CU (cudaEventRecord (cuda->ready, cuda->side));
  CU (cudaStreamWaitEvent (cuda->stream, cuda->ready, 0));
  return GPUEIG_OK;
}

/* The generators, the first panel and the norms; then copy the result to the
   host.  */
template <typename T>
static gpueig_status
first_pass (gpueig_context *ctx, tdinv_state<T> *s, int sequential,
            const tdinv_panel<T> *o, gpueig_info *info)
{
  GE_TRY (ge_timer_start (ctx));
  if (sequential || ! s->in_cluster)
    GE_TRY (launch_concurrently (ctx, s, sequential, o));
  else
    {
      GE_TRY (tdinv_cuda_generate_in_cluster (ctx, s->f.n, s->c, s->a, s->b,
                                              &s->f, s->device_result));
      if (! s->by_tree)
        GE_TRY (tdinv_cuda_write (ctx, &s->f, o));
    }
  s->f.ready = NULL;
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (s->small && ! sequential)
    GE_TRY (add_upload_time (ctx, info));
  CU (cudaMemcpy (&s->result, s->device_result, sizeof s->result,
                  cudaMemcpyDeviceToHost));
  s->singular = s->result.zero || s->result.condition >= GE_TDINV_SINGULAR;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
write_panel (gpueig_context *ctx, const tdinv_state<T> *s,
             const tdinv_panel<T> *o, gpueig_info *info)
{
  GE_TRY (ge_timer_start (ctx));
  if (s->singular)
    GE_LAUNCH (write_infinity<T>, 4096, THREADS, 0, *o);
  else if (s->by_tree)
    GE_TRY (
        tdinv_cuda_write_tree (ctx, &s->tree, (const tdinv_panel<double> *) o));
  else
    GE_TRY (tdinv_cuda_write (ctx, &s->f, o));
  return ge_timer_stop (ctx, &info->time_solve);
}

template <typename T>
static gpueig_status
download (gpueig_context *ctx, const gpueig_tdinv_problem *t,
          const tdinv_panel<T> *o, gpueig_info *info)
{
  typedef ge_real<T> R;
  int64_t rows = ge_tdinv_rows (t);
  size_t at = (size_t) (rows * o->begin);
  size_t count = (size_t) (rows * (o->end - o->begin));
  if (! o->x_re)
    return ge_download (ctx, (T *) t->x + at, o->x, count, info);
  GE_TRY (ge_download (ctx, (R *) t->x + at, o->x_re, count, info));
  return ge_download (ctx, (R *) t->x_im + at, o->x_im, count, info);
}

/* The Sherman-Morrison tree, if it does.  */
template <typename T>
static gpueig_status
try_tree (gpueig_context *ctx, tdinv_state<T> *s, gpueig_info *info)
{
  int accepted;
  GE_TRY (ge_timer_start (ctx));
  s->tree.n = s->f.n;
  s->tree.c = (const double *) s->c;
  s->tree.a = (const double *) s->a;
  s->tree.b = (const double *) s->b;
  GE_TRY (tdinv_cuda_grow_tree (ctx, (const tdinv_factors<double> *) &s->f,
                                s->result.rcond, &s->tree, &accepted));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  s->by_tree = accepted;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
invert (gpueig_context *ctx, const ge_tdinv_problem *p, int named_tree,
        gpueig_info *info)
{
  const gpueig_tdinv_problem *t = &p->given;
  tdinv_state<T> s;
  tdinv_panel<T> o;
  int64_t columns = ge_tdinv_columns (t), width;

  s.by_tree = named_tree && ge_tdinv_try_sherman (p);
  GE_TRY (prepare (ctx, p, &s, info));
  width = panel_columns (ctx, t);
  GE_TRY (alloc_panel (ctx, &s, width, &o));
  o.begin = 0;
  o.end = width;
  GE_TRY (upload_matrix (ctx, s.problem, &s, info));
  GE_TRY (first_pass (ctx, &s, 0, &o, info));
  if (s.result.deviates || s.result.zero)
    GE_TRY (first_pass (ctx, &s, 1, &o, info));
  if (s.singular)
    s.result.rcond = 0;
  if (t->rcond)
    *t->rcond = s.result.rcond;
  ge_report (ctx, "generators: order %lld, rcond %.3g", (long long) t->n,
             s.result.rcond);
  int written = ! s.singular && ! s.by_tree;
  if (s.by_tree && ! s.singular)
    GE_TRY (try_tree (ctx, &s, info));
  if (named_tree && ! s.by_tree && ! s.singular)
    return ge_tdinv_fail_sherman (ctx);
  for (; o.begin < columns; o.begin = o.end)
    {
      o.end = o.begin + width < columns ? o.begin + width : columns;
      GE_TRY (ge_check_interrupt (ctx));
      if (! written)
        GE_TRY (write_panel (ctx, &s, &o, info));
      written = 0;
      GE_TRY (download (ctx, t, &o, info));
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_tdinv (gpueig_context *ctx, const void *problem, const ge_plan *plan,
               const gpueig_options *, gpueig_info *info)
{
  const ge_tdinv_problem *p = (const ge_tdinv_problem *) problem;
  const int by_tree = plan->method == GE_METHOD_TDINV_SHERMAN;
  ge_info_method (info, ge_method_name (by_tree ? GE_METHOD_TDINV_SHERMAN
                                                : GE_METHOD_TDINV_GENERATORS));
  return GE_CUDA_BY_TYPE (p->given.type, invert, (ctx, p, by_tree, info));
}
