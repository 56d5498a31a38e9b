/* One symmetric or Hermitian matrix on several GPUs, for matrices that do not
   fit on one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Uses cusolverMgSyevd of the CUDA toolkit, which is loaded at its first use.
   It is slower on two GPUs than Xsyevd on one, so it is chosen only where the
   memory of one GPU is too small.  Columns
   are distributed block-cyclically: block b of BLOCK columns is on device b
   modulo the number of devices.  The call takes minutes and cannot be
   interrupted, so it runs on a thread of its own with its own memory, see
   core/base/detached.c.  The caller verifies the results.  */

#include "base/libraries.cuh"
#include "eig/cusolver_mg.h"
#include "base/checks.h"
#include "base/verify_by_sampling.h"
#include "mrrr/solve.cuh"
#include "tridiagonal/tridiagonal.cuh"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With GPUEIG_NO_CUSOLVERMG it is not compiled.  */
#if defined(__has_include) && ! defined(GPUEIG_NO_CUSOLVERMG)
#  if __has_include(<cusolverMg.h>)
#    define DISABLE_CUSOLVERMG_DEPRECATED 1
#    include <cusolverMg.h>
#    define HAVE_ENGINE 1
#  endif
#endif

#ifdef HAVE_ENGINE

static const int64_t BLOCK = 256; /* columns */

enum
{
  THREADS = 256
};

/* --- the library --- */

typedef struct
{
  void *library;
  decltype (&cusolverMgCreate) create;
  decltype (&cusolverMgDestroy) destroy;
  decltype (&cusolverMgDeviceSelect) select;
  decltype (&cusolverMgCreateDeviceGrid) create_grid;
  decltype (&cusolverMgDestroyGrid) destroy_grid;
  decltype (&cusolverMgCreateMatrixDesc) create_matrix;
  decltype (&cusolverMgDestroyMatrixDesc) destroy_matrix;
  decltype (&cusolverMgSyevd_bufferSize) size;
  decltype (&cusolverMgSyevd) syevd;
} engine;

/* Nonzero if the library and all its functions are found.  It is never
   unloaded, because threads that it started may still run in it.  The copies of a GPU that
   tests have are none for it.  */
static int
load_engine (engine *e)
{
  char name[40];
  if (getenv ("GPUEIG_DEVICE_COPIES"))
    return 0;
  (void) snprintf (name, sizeof name, "libcusolverMg.so.%d",
                   CUSOLVER_VER_MAJOR);
  e->library = ge_open_library (name, NULL, 0);
  if (! e->library)
    return 0;
#  define FIND(field, symbol)                                                  \
    *(void **) &e->field = ge_library_symbol (e->library, #symbol)
  FIND (create, cusolverMgCreate);
  FIND (destroy, cusolverMgDestroy);
  FIND (select, cusolverMgDeviceSelect);
  FIND (create_grid, cusolverMgCreateDeviceGrid);
  FIND (destroy_grid, cusolverMgDestroyGrid);
  FIND (create_matrix, cusolverMgCreateMatrixDesc);
  FIND (destroy_matrix, cusolverMgDestroyMatrixDesc);
  FIND (size, cusolverMgSyevd_bufferSize);
  FIND (syevd, cusolverMgSyevd);
#  undef FIND
  return e->create && e->destroy && e->select && e->create_grid
         && e->destroy_grid && e->create_matrix && e->destroy_matrix && e->size
         && e->syevd;
}

void
ge_cuda_engines (char *text, size_t size)
{
  engine e;
  if (load_engine (&e))
    (void) snprintf (text, size, "cusolverMg");
}

/* --- the job --- */

typedef struct
{
  engine e;
  cusolverMgHandle_t handle;
  cudaLibMgGrid_t grid;
  cudaLibMgMatrixDesc_t matrix;
  int n_devices, devices[GPUEIG_MAX_DEVICES];
  int n; /* order */
  cusolverEigMode_t mode;
  cudaDataType type, real;
  size_t size; /* bytes of an element */
  void *a[GPUEIG_MAX_DEVICES], *work[GPUEIG_MAX_DEVICES];
  int64_t work_elements;
  void *lambda;                                      /* on the host */
  int peers[GPUEIG_MAX_DEVICES][GPUEIG_MAX_DEVICES]; /* enabled here */
  int lost;
  int result;
  cusolverStatus_t status;
  cudaError_t error;
} mg_job;

/* Number of column blocks.  */
static int64_t
all_blocks (const mg_job *j)
{
  return ((int64_t) j->n + BLOCK - 1) / BLOCK;
}

static int64_t
room_elements (const mg_job *j)
{
  const int64_t blocks = (all_blocks (j) + j->n_devices - 1) / j->n_devices;
  return blocks * BLOCK * j->n;
}

static cudaError_t
synchronize_all (const mg_job *j)
{
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < j->n_devices && error == cudaSuccess; k++)
    {
      error = cudaSetDevice (j->devices[k]);
      if (error == cudaSuccess)
        error = cudaDeviceSynchronize ();
    }
  return error;
}

static void
work (void *data)
{
  mg_job *j = (mg_job *) data;
  j->error = cudaSetDevice (j->devices[0]);
  if (j->error != cudaSuccess)
    return;
  j->status = j->e.syevd (j->handle, j->mode, CUBLAS_FILL_MODE_LOWER, j->n,
                          j->a, 1, 1, j->matrix, j->lambda, j->real, j->type,
                          j->work, j->work_elements, &j->result);
  j->error = synchronize_all (j);
}

/* Access of devices to each other's memory is the process's: it lasts until the last job
   that uses it ends, of whatever context, and is left alone where the program enabled
   it.  */
static struct
{
  pthread_mutex_t lock;
  int users[GPUEIG_MAX_DEVICES][GPUEIG_MAX_DEVICES];
} peers = { PTHREAD_MUTEX_INITIALIZER, {} };

/* Let the current device FROM access memory of TO; nonzero: until leave_peer.  */
static int
use_peer (int from, int to)
{
  int used = 0;
  if (from >= GPUEIG_MAX_DEVICES || to >= GPUEIG_MAX_DEVICES)
    return 0;
  pthread_mutex_lock (&peers.lock);
  if (peers.users[from][to] > 0
      || cudaDeviceEnablePeerAccess (to, 0) == cudaSuccess)
    used = ++peers.users[from][to];
  else
    cudaGetLastError (); /* it was enabled before */
  pthread_mutex_unlock (&peers.lock);
  return used;
}

static void
leave_peer (int from, int to)
{
  pthread_mutex_lock (&peers.lock);
  if (--peers.users[from][to] == 0)
    cudaDeviceDisablePeerAccess (to);
  pthread_mutex_unlock (&peers.lock);
}

static void
discard (void *data)
{
  mg_job *j = (mg_job *) data;
  j->lost |= synchronize_all (j) != cudaSuccess;
  if (! j->lost)
    {
      if (j->matrix)
        j->e.destroy_matrix (j->matrix);
      if (j->grid)
        j->e.destroy_grid (j->grid);
      if (j->handle)
        j->e.destroy (j->handle);
      for (int k = 0; k < j->n_devices; k++)
        {
          cudaSetDevice (j->devices[k]);
          cudaFree (j->a[k]);
          cudaFree (j->work[k]);
          for (int i = 0; i < j->n_devices; i++)
            if (j->peers[k][i])
              leave_peer (j->devices[k], j->devices[i]);
        }
    }
  free (j->lambda);
  free (j);
}

/* --- preparation --- */

/* Enable peer access between all devices where the machine supports it.  */
static void
connect_peers (mg_job *j)
{
  for (int k = 0; k < j->n_devices; k++)
    for (int i = 0; i < j->n_devices; i++)
      {
        int can = 0;
        if (i == k || cudaSetDevice (j->devices[k]) != cudaSuccess)
          continue;
        cudaDeviceCanAccessPeer (&can, j->devices[k], j->devices[i]);
        j->peers[k][i] = can && use_peer (j->devices[k], j->devices[i]);
      }
}

/* Allocate BYTES on the current device, number K, within the limit that tests
   set.  */
static gpueig_status
take_memory (gpueig_context *ctx, const mg_job *j, int k, int64_t bytes,
             void **ptr)
{
  size_t there = 0, total = 0;
  const int64_t most = ge_cuda_of (ctx)->most_memory;
  if (most == 0 || bytes <= most)
    {
      const cudaError_t error = cudaMalloc (ptr, (size_t) bytes);
      if (error == cudaSuccess)
        return GPUEIG_OK;
      *ptr = NULL;
      if (error != cudaErrorMemoryAllocation)
        return ge_cuda_status (ctx, error, "cudaMalloc");
      cudaGetLastError ();
    }
  if (cudaMemGetInfo (&there, &total) != cudaSuccess)
    cudaGetLastError ();
  if (most > 0 && (int64_t) there > most)
    there = (size_t) most;
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "out of GPU memory: %.6g MiB needed on each of %d GPUs, "
                      "%.6g MiB available on GPU %d",
                      (double) bytes / 1048576.0, j->n_devices,
                      (double) there / 1048576.0, j->devices[k]);
}

static gpueig_status
open_engine (gpueig_context *ctx, mg_job *j)
{
  CUSOLVER (j->e.create (&j->handle));
  CUSOLVER (j->e.select (j->handle, j->n_devices, j->devices));
  CUSOLVER (j->e.create_grid (&j->grid, 1, j->n_devices, j->devices,
                              CUDALIBMG_GRID_MAPPING_COL_MAJOR));
  CUSOLVER (j->e.create_matrix (&j->matrix, j->n, j->n, j->n, BLOCK, j->type,
                                j->grid));
  return GPUEIG_OK;
}

/* The matrix and the work space on all devices.  */
static gpueig_status
allocate (gpueig_context *ctx, mg_job *j)
{
  const int64_t bytes = room_elements (j) * (int64_t) j->size;
  for (int k = 0; k < j->n_devices; k++)
    {
      CU (cudaSetDevice (j->devices[k]));
      GE_TRY (take_memory (ctx, j, k, bytes, &j->a[k]));
    }
  CUSOLVER (j->e.size (j->handle, j->mode, CUBLAS_FILL_MODE_LOWER, j->n, j->a,
                       1, 1, j->matrix, j->lambda, j->real, j->type,
                       &j->work_elements));
  const int64_t more = j->work_elements * (int64_t) j->size;
  ge_report (ctx, "cusolverMg: %.4g MiB on each of %d GPUs",
             (double) (bytes + more) / 1048576.0, j->n_devices);
  const int64_t most = ge_cuda_of (ctx)->most_memory;
  if (most > 0 && bytes + more > most)
    return take_memory (ctx, j, 0, bytes + more, &j->work[0]);
  for (int k = 0; k < j->n_devices; k++)
    {
      CU (cudaSetDevice (j->devices[k]));
      GE_TRY (take_memory (ctx, j, k, more, &j->work[k]));
    }
  return GPUEIG_OK;
}

/* --- copies --- */

template <typename R>
static __global__ void
scale_block (int64_t count, R first, R second, R *x)
{
  const int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += step)
    x[i] = x[i] * first * second;
}

/* Copy the columns of device K from or to the host's array X, block by
   block.  */
static cudaError_t
copy_columns (const mg_job *j, int k, char *x, int to_host)
{
  const int64_t n = j->n, column = n * (int64_t) j->size;
  cudaError_t error = cudaSetDevice (j->devices[k]);
  for (int64_t b = k; b < all_blocks (j) && error == cudaSuccess;
       b += j->n_devices)
    {
      const int64_t first = b * BLOCK;
      const int64_t columns = n - first < BLOCK ? n - first : BLOCK;
      char *host = x + first * column;
      char *device = (char *) j->a[k] + b / j->n_devices * BLOCK * column;
      const size_t bytes = (size_t) (columns * column);
      error = to_host
                  ? cudaMemcpy (host, device, bytes, cudaMemcpyDeviceToHost)
                  : cudaMemcpy (device, host, bytes, cudaMemcpyHostToDevice);
    }
  return error;
}

/* Arguments of the parallel copies, one per device.  */
typedef struct
{
  const mg_job *job;
  char *x;
  int to_host;
  cudaError_t errors[GPUEIG_MAX_DEVICES];
} copies;

static void
copy_piece (void *data, int64_t k, int thread)
{
  copies *c = (copies *) data;
  (void) thread;
  c->errors[k] = copy_columns (c->job, (int) k, c->x, c->to_host);
}

/* Copy all columns, with one thread per device where there are enough.  */
static gpueig_status
copy_all (gpueig_context *ctx, const mg_job *j, char *x, int to_host,
          gpueig_info *info)
{
  const double start = ge_now ();
  copies c = { j, x, to_host, { cudaSuccess } };
  ge_share_pass (ctx, j->n_devices, GE_MANY_OPERATIONS, copy_piece, &c);
  info->time_transfer += ge_now () - start;
  for (int k = 0; k < j->n_devices; k++)
    GE_TRY (ge_cuda_status (ctx, c.errors[k], "a copy between host and GPUs"));
  return GPUEIG_OK;
}

enum
{
  TOUCHED = 256 /* memory pages of a work item */
};

typedef struct
{
  char *x;
  int64_t pages;
} touched;

static void
touch_piece (void *data, int64_t piece, int thread)
{
  const touched *t = (const touched *) data;
  (void) thread;
  for (int64_t p = piece * TOUCHED; p < (piece + 1) * TOUCHED && p < t->pages;
       p++)
    t->x[p * 4096] = 0;
}

/* First touch of a large result array by all threads, to parallelise the page
   faults.  */
static void
touch_result (gpueig_context *ctx, char *x, size_t bytes)
{
  touched t = { x, (int64_t) (bytes / 4096) };
  ge_prepare_output (x, bytes);
  ge_share_pass (ctx, (t.pages + TOUCHED - 1) / TOUCHED, GE_MANY_OPERATIONS,
                 touch_piece, &t);
}

template <typename R>
static gpueig_status
scale_all (gpueig_context *ctx, const mg_job *j, int exponent)
{
  const int64_t reals = room_elements (j) * (int64_t) (j->size / sizeof (R));
  const R first = (R) ldexp (1.0, -(exponent / 2));
  const R second = (R) ldexp (1.0, -(exponent - exponent / 2));
  for (int k = 0; k < j->n_devices; k++)
    {
      CU (cudaSetDevice (j->devices[k]));
      GE_LAUNCH_ON (0, scale_block<R>, 4096, THREADS, 0, reals, first, second,
                    (R *) j->a[k]);
    }
  CU (synchronize_all (j));
  return GPUEIG_OK;
}

/* --- the solver --- */

/* The status of the finished job.  The device that failed stays the current
   one, so that ge_cuda_status recognises it as lost.  */
static gpueig_status
outcome (gpueig_context *ctx, const mg_job *j)
{
  for (int k = 0; k < j->n_devices; k++)
    {
      CU (cudaSetDevice (j->devices[k]));
      const cudaError_t error = cudaDeviceSynchronize ();
      if (error != cudaSuccess)
        return ge_cuda_status (ctx, error, "cusolverMgSyevd");
    }
  GE_TRY (ge_cusolver_status (ctx, j->status, "cusolverMgSyevd"));
  GE_TRY (ge_cuda_status (ctx, j->error, "cusolverMgSyevd"));
  if (j->result != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "cusolverMgSyevd failed with info %d", j->result);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
solve (gpueig_context *ctx, mg_job **job, const gpueig_symmetric *s,
       gpueig_info *info)
{
  typedef ge_real<T> R;
  mg_job *j = *job;
  /* Scaled so that sums of squares are far from underflow, see
     base/similarity.cuh.  */
  const int exponent = ge_largest_exponent (ctx, s->type, s->n * s->n, s->a)
                       - (sizeof (R) == 8 ? 200 : 20);
  connect_peers (j);
  GE_TRY (open_engine (ctx, j));
  GE_TRY (allocate (ctx, j));
  GE_TRY (copy_all (ctx, j, (char *) s->a, 0, info));
  GE_TRY (scale_all<R> (ctx, j, exponent));
  const double start = ge_now ();
  const gpueig_status status = ge_run_detachable (ctx, work, discard, j);
  if (status != GPUEIG_OK)
    {
      *job = NULL; /* the detached thread owns it now */
      return status;
    }
  info->time_solve += ge_now () - start;
  GE_TRY (outcome (ctx, j));
  for (int64_t i = 0; i < s->n; i++)
    ((R *) s->lambda)[i] = (R) ldexp ((double) ((R *) j->lambda)[i], exponent);
  if (! s->v)
    return GPUEIG_OK;
  touch_result (ctx, (char *) s->v, (size_t) (s->n * s->n) * sizeof (T));
  return copy_all (ctx, j, (char *) s->v, 1, info);
}

template <typename T>
static gpueig_status
solve_on_devices (gpueig_context *ctx, const gpueig_symmetric *s,
                  const int *devices, int n, gpueig_info *info)
{
  typedef ge_real<T> R;
  engine e;
  if (! load_engine (&e))
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "a matrix of order %lld needs more memory than one "
                        "GPU has, and libcusolverMg, which uses several, "
                        "is missing",
                        (long long) s->n);
  mg_job *j
      = gpueig_allocation_fails (ctx) ? NULL : (mg_job *) calloc (1, sizeof *j);
  if (! j)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  j->e = e;
  j->n_devices = n;
  memcpy (j->devices, devices, (size_t) n * sizeof *devices);
  j->n = (int) s->n;
  j->mode = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  j->type = cuda_type<T>::value;
  j->real = cuda_type<R>::value;
  j->size = sizeof (T);
  j->lambda = calloc ((size_t) s->n, sizeof (R));
  gpueig_status status;
  if (! j->lambda)
    status = gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  else
    status = solve<T> (ctx, &j, s, info);
  if (j)
    {
      j->lost = ge_device_is_lost (ctx);
      discard (j);
    }
  return status;
}

/* --- when --- */

/* Bytes of device memory, matrices included, that eig/symmetric.cu needs on one
   device.  */
template <typename T>
static gpueig_status
needed (gpueig_context *ctx, const gpueig_symmetric *s, double *bytes)
{
  if (ge_cuda_own_reduction_fits<T> (ctx, s->n))
    {
      const int64_t columns
          = s->select == GPUEIG_SELECT_INDEX ? s->last - s->first + 1 : s->n;
      *bytes = ge_cuda_dense_bytes<T> (ctx, s->n, s->v ? columns : 0);
      return GPUEIG_OK;
    }
  size_t on_device = 0, on_host = 0;
  void *none = (void *) 256; /* sizes only: nothing is read */
  CUSOLVER (cusolverDnXsyevd_bufferSize (
      ge_cuda_of (ctx)->solver, NULL,
      s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR,
      CUBLAS_FILL_MODE_LOWER, s->n, cuda_type<T>::value, none, s->n,
      cuda_type<ge_real<T>>::value, none, cuda_type<T>::value, &on_device,
      &on_host));
  *bytes = 2.0 * (double) s->n * (double) s->n * sizeof (T) + (double) on_device
           + 16.0 * (double) s->n * sizeof (T);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_eig_on_devices (gpueig_context *ctx, const gpueig_symmetric *s,
                        const int *devices, int n, gpueig_info *info,
                        int *taken)
{
  double bytes;
  *taken = 0;
  if (s->n > INT32_MAX)
    return GPUEIG_OK;
  GE_TRY (ge_cuda_select (ctx, devices[0]));
  /* All methods need less than the memory of ten matrices.  */
  const double matrices = 10.0 * (double) s->n * (double) s->n
                          * (double) gpueig_scalar_size (s->type);
  if (! ctx->share_matrix
      && matrices + 1e8 <= (double) ctx->memory[GE_DEVICE].available (ctx))
    return GPUEIG_OK;
  GE_TRY (GE_CUDA_BY_TYPE (s->type, needed, (ctx, s, &bytes)));
  /* Blocks of earlier calls would be larger than what they are taken for.  */
  ge_trim_space (ctx, GE_DEVICE, 0);
  const double there = (double) ctx->memory[GE_DEVICE].available (ctx);
  if (! ctx->share_matrix && bytes <= there)
    return GPUEIG_OK;
  *taken = 1;
  ge_info_method (info, "syevd");
  ge_report (ctx, "%.4g MiB are needed on one GPU, %.4g MiB are there",
             bytes / 1048576.0, there / 1048576.0);
  const gpueig_status status
      = GE_CUDA_BY_TYPE (s->type, solve_on_devices, (ctx, s, devices, n, info));
  if (! ge_device_is_lost (ctx))
    cudaSetDevice (devices[0]);
  return status;
}

#else

void
ge_cuda_engines (char *text, size_t size)
{
  (void) text;
  (void) size;
}

gpueig_status
ge_cuda_eig_on_devices (gpueig_context *, const gpueig_symmetric *, const int *,
                        int, gpueig_info *, int *taken)
{
  *taken = 0;
  return GPUEIG_OK;
}

#endif
