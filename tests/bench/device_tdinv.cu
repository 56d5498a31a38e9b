/* Time of the tridiagonal inverse on a GPU, measured by CUDA events, beside that of
   cudaMemset for as many bytes, of method "pivoted" (cuSPARSE's gtsv2, twice) and of
   cuSOLVER's getrf and getrs for the dense matrix.  cudaMemset is timed twice: in a
   loop on an idle GPU ("memset", to which the rate of the generators refers), where the
   time includes that of the launch; and, as the solver is, behind an upload of three
   diagonals that is in flight when it is launched ("behind").
     device_tdinv gpueig_cuda.so [n ...]     -n: without the libraries
   Medians of warm runs, double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_clock.cuh"
#include "gpueig.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  RUNS = 7
};

static __global__ void
fetch (const double *from, double *to, int64_t count)
{
  const int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t k = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; k < count;
       k += step)
    to[k] = from[k];
}

/* Seconds to write BYTES with cudaMemset, *BEHIND an upload of COUNT numbers and on an
   idle GPU.  Memory that has just been allocated is slower at first: hence the runs
   before.  */
static double
fill_time (size_t bytes, int64_t count, double *behind)
{
  enum
  {
    BEFORE = 20
  };
  const size_t small = sizeof (double) * (size_t) count;
  double times[2][RUNS], *pinned, *device;
  void *x;
  cudaEvent_t start, stop;
  cudaStream_t stream;
  must (cudaMalloc (&x, bytes) == cudaSuccess
            && cudaMalloc (&device, small) == cudaSuccess
            && cudaMallocHost (&pinned, small) == cudaSuccess
            && cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking)
                   == cudaSuccess,
        "memory");
  memset (pinned, 0, small);
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  for (int i = 0; i < BEFORE; i++)
    cudaMemsetAsync (x, i, bytes, stream);
  cudaStreamSynchronize (stream);
  for (int i = 0; i < 2 * RUNS; i++)
    {
      float ms = 0;
      if (i < RUNS)
        fetch<<<64, 256, 0, stream>>> (pinned, device, count);
      cudaEventRecord (start, stream);
      cudaMemsetAsync (x, i, bytes, stream);
      cudaEventRecord (stop, stream);
      cudaEventSynchronize (stop);
      cudaEventElapsedTime (&ms, start, stop);
      times[i / RUNS][i % RUNS] = 1e-3 * ms;
    }
  cudaFree (x);
  cudaFree (device);
  cudaFreeHost (pinned);
  cudaStreamDestroy (stream);
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  *behind = median (times[0], RUNS);
  return median (times[1], RUNS);
}

static double
uniform (void)
{
  return 2.0 * rand () / RAND_MAX - 1;
}

/* Seconds of getrf, and getrs with the identity, for the dense matrix.  */
static double
dense_time (int n, const double *c, const double *a, const double *b)
{
  size_t bytes = sizeof (double) * (size_t) n * (size_t) n;
  double *host = (double *) calloc (bytes, 1), *t, *x, *work, times[3];
  int *pivot, *result, length;
  cusolverDnHandle_t handle;
  cudaEvent_t start, stop;
  must (host && cudaMalloc (&t, bytes) == cudaSuccess
            && cudaMalloc (&x, bytes) == cudaSuccess,
        "memory");
  cudaMalloc (&pivot, sizeof (int) * (size_t) n);
  cudaMalloc (&result, sizeof (int));
  cusolverDnCreate (&handle);
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  must (cusolverDnDgetrf_bufferSize (handle, n, n, t, n, &length) == 0,
        "getrf_bufferSize");
  cudaMalloc (&work, sizeof (double) * (size_t) length);
  for (int run = 0; run < 3; run++)
    {
      float ms = 0;
      memset (host, 0, bytes);
      for (size_t i = 0; i < (size_t) n; i++)
        host[i + i * (size_t) n] = 1;
      cudaMemcpy (x, host, bytes, cudaMemcpyHostToDevice);
      for (size_t i = 0; i < (size_t) n; i++)
        {
          host[i + i * (size_t) n] = a[i];
          if (i + 1 < (size_t) n)
            {
              host[i + 1 + i * (size_t) n] = c[i];
              host[i + (i + 1) * (size_t) n] = b[i];
            }
        }
      cudaMemcpy (t, host, bytes, cudaMemcpyHostToDevice);
      cudaEventRecord (start);
      cusolverDnDgetrf (handle, n, n, t, n, work, pivot, result);
      cusolverDnDgetrs (handle, CUBLAS_OP_N, n, n, t, n, pivot, x, n, result);
      cudaEventRecord (stop);
      cudaEventSynchronize (stop);
      cudaEventElapsedTime (&ms, start, stop);
      times[run] = 1e-3 * ms;
    }
  cusolverDnDestroy (handle);
  cudaFree (t);
  cudaFree (x);
  cudaFree (work);
  cudaFree (pivot);
  cudaFree (result);
  free (host);
  return median (times, 3);
}

/* Device seconds of a method; copy seconds to *TRANSFER.  */
static double
method_time (gpueig_context *ctx, const gpueig_tdinv_problem *p,
             const char *method, int runs, double *transfer)
{
  double solve[RUNS], copy[RUNS];
  gpueig_options options = gpueig_default_options ();
  options.backend = GPUEIG_CUDA;
  options.method = method;
  for (int i = -1; i < runs; i++)
    {
      gpueig_info info;
      gpueig_status status = gpueig_tdinv (ctx, p, &options, &info);
      must (status == GPUEIG_OK, gpueig_message (ctx));
      if (i >= 0)
        {
          solve[i] = info.time_solve;
          copy[i] = info.time_transfer;
        }
    }
  *transfer = median (copy, runs);
  return median (solve, runs);
}

static void
measure (gpueig_context *ctx, int64_t n)
{
  int peers = n > 0 && n <= 16384;
  n = n < 0 ? -n : n;
  size_t bytes = sizeof (double) * (size_t) (n * n);
  double *c = (double *) malloc (sizeof (double) * (size_t) n), rcond, copy;
  double *a = (double *) malloc (sizeof (double) * (size_t) n), ignore;
  double *b = (double *) malloc (sizeof (double) * (size_t) n);
  double *x = (double *) malloc (bytes);
  must (a && b && c && x, "memory");
  for (int64_t i = 0; i < n; i++)
    {
      c[i] = uniform ();
      b[i] = uniform ();
      a[i] = 2 + uniform ();
    }
  gpueig_tdinv_problem p;
  memset (&p, 0, sizeof p);
  p.type = GPUEIG_DOUBLE;
  p.n = n;
  p.c = c;
  p.a = a;
  p.b = b;
  p.band = -1;
  p.x = x;
  p.rcond = &rcond;
  double behind, fill = fill_time (bytes, 3 * n, &behind);
  double own = method_time (ctx, &p, "generators", n > 20000 ? 2 : RUNS, &copy);
  double tree
      = method_time (ctx, &p, "sherman-morrison", n > 20000 ? 1 : 3, &ignore);
  double pivoted = peers ? method_time (ctx, &p, "pivoted", 1, &ignore) : 0;
  double dense = peers ? dense_time ((int) n, c, a, b) : 0;
  printf ("%7lld %9.1f %9.1f %6.1f%% %9.1f %9.1f %9.1f  %7.3f %6.1f"
          " %9.1f %6.1f%%\n",
          (long long) n, 1e6 * fill, 1e6 * own, 100 * fill / own, 1e6 * tree,
          1e6 * pivoted, 1e6 * dense, copy, (double) bytes / 1e9 / copy,
          1e6 * behind, 100 * behind / own);
  fflush (stdout);
  free (c);
  free (a);
  free (b);
  free (x);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  static const int64_t orders[]
      = { 1000, 2048, 4095, 4096, 8191, 8192, 16383, 16384, 32768 };
  must (argc > 1 && gpueig_create (&ctx) == GPUEIG_OK, "usage");
  must (gpueig_set_plugin (ctx, argv[1]) == GPUEIG_OK, "plugin");
  printf ("device clock, microseconds; copy to the host\n"
          "      n    memset generators of fill   sherman   pivoted     getrf"
          "   copy s   GB/s    behind of behind\n");
  for (int i = 2; i < argc; i++)
    measure (ctx, atoll (argv[i]));
  for (size_t i = 0; argc == 2 && i < sizeof orders / sizeof orders[0]; i++)
    measure (ctx, orders[i]);
  gpueig_destroy (ctx);
  return 0;
}
