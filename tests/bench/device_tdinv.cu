/* Time of the tridiagonal inverse on a GPU, measured by CUDA events, beside that of
   cudaMemset for as many bytes and of cuSOLVER's getrf and getrs for the dense matrix.  cudaMemset is timed twice: in a
   loop on an idle GPU ("memset", to which the rate of the generators refers), where the
   time includes that of the launch; and, as the solver is, behind an upload of three
   diagonals that is in flight when it is launched ("behind").
     device_tdinv gpueig_cuda.so [n ...]     -n: without the libraries
   Medians of warm runs, double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

enum
{
  FILLS = 7
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
  double *pinned, *const device = (double *) device_memory (small);
  void *const x = device_memory (bytes);
  cudaStream_t stream;
  must (cudaMallocHost (&pinned, small) == cudaSuccess
            && cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking)
                   == cudaSuccess,
        "memory");
  memset (pinned, 0, small);
  for (int i = 0; i < BEFORE; i++)
    cudaMemsetAsync (x, i, bytes, stream);
  cudaStreamSynchronize (stream);
  const auto fill = [&] { cudaMemsetAsync (x, 1, bytes, stream); };
  *behind = median_of (0, FILLS, [&] {
    fetch<<<64, 256, 0, stream>>> (pinned, device, count);
    return event_time (fill, stream);
  });
  const double seconds
      = median_of (0, FILLS, [&] { return event_time (fill, stream); });
  cudaFree (x);
  cudaFree (device);
  cudaFreeHost (pinned);
  cudaStreamDestroy (stream);
  return seconds;
}

/* Seconds of getrf, and getrs with the identity, for the dense matrix.  */
static double
dense_time (int n, const double *c, const double *a, const double *b)
{
  const size_t order = (size_t) n, bytes = sizeof (double) * order * order;
  int length;
  cusolverDnHandle_t handle;
  double *const host = (double *) host_memory (bytes);
  double *const t = (double *) device_memory (bytes);
  double *const x = (double *) device_memory (bytes);
  int *const pivot = (int *) device_memory (sizeof (int) * order);
  int *const result = (int *) device_memory (sizeof (int));
  cusolverDnCreate (&handle);
  must (cusolverDnDgetrf_bufferSize (handle, n, n, t, n, &length) == 0,
        "getrf_bufferSize");
  double *const work
      = (double *) device_memory (sizeof (double) * (size_t) length);
  const double seconds = median_of (0, 3, [&] {
    memset (host, 0, bytes);
    for (size_t i = 0; i < order; i++)
      host[i + i * order] = 1;
    cudaMemcpy (x, host, bytes, cudaMemcpyHostToDevice);
    for (size_t i = 0; i < order; i++)
      {
        host[i + i * order] = a[i];
        if (i + 1 < order)
          {
            host[i + 1 + i * order] = c[i];
            host[i + (i + 1) * order] = b[i];
          }
      }
    cudaMemcpy (t, host, bytes, cudaMemcpyHostToDevice);
    return event_time ([&] {
      cusolverDnDgetrf (handle, n, n, t, n, work, pivot, result);
      cusolverDnDgetrs (handle, CUBLAS_OP_N, n, n, t, n, pivot, x, n, result);
    });
  });
  cusolverDnDestroy (handle);
  cudaFree (t);
  cudaFree (x);
  cudaFree (work);
  cudaFree (pivot);
  cudaFree (result);
  free (host);
  return seconds;
}

/* Device seconds of a method; copy seconds of the last run to *TRANSFER.  */
static double
method_time (gpueig_context *ctx, const gpueig_tdinv_problem *p,
             const char *method, int runs, double *transfer)
{
  gpueig_info info;
  const double seconds = solve_time (ctx, gpueig_tdinv, p, method, runs, &info);
  *transfer = info.time_transfer;
  return seconds;
}

static void
measure (gpueig_context *ctx, int64_t n)
{
  int peers = n > 0 && n <= 16384;
  n = n < 0 ? -n : n;
  const size_t bytes = sizeof (double) * (size_t) (n * n);
  const size_t column = sizeof (double) * (size_t) n;
  double rcond, copy, ignore;
  double *const c = (double *) host_memory (column);
  double *const a = (double *) host_memory (column);
  double *const b = (double *) host_memory (column);
  double *const x = (double *) host_memory (bytes);
  for (int64_t i = 0; i < n; i++)
    {
      const uint64_t at = 3 * (uint64_t) i;
      c[i] = 2 * uniform (at);
      b[i] = 2 * uniform (at + 1);
      a[i] = 2 + 2 * uniform (at + 2);
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
  double own
      = method_time (ctx, &p, "generators", n > 20000 ? 2 : FILLS, &copy);
  double tree
      = method_time (ctx, &p, "sherman-morrison", n > 20000 ? 1 : 3, &ignore);
  double dense = peers ? dense_time ((int) n, c, a, b) : 0;
  printf ("%7lld %9.1f %9.1f %6.1f%% %9.1f %9.1f  %7.3f %6.1f"
          " %9.1f %6.1f%%\n",
          (long long) n, 1e6 * fill, 1e6 * own, 100 * fill / own, 1e6 * tree,
          1e6 * dense, copy, (double) bytes / 1e9 / copy, 1e6 * behind,
          100 * behind / own);
  fflush (stdout);
  free (c);
  free (a);
  free (b);
  free (x);
}

int
main (int argc, char **argv)
{
  static const int64_t orders[]
      = { 1000, 2048, 4095, 4096, 8191, 8192, 16383, 16384, 32768 };
  must (argc > 1, "the plugin is the first argument");
  gpueig_context *ctx = open_context (argv[1]);
  printf ("device clock, microseconds; copy to the host\n"
          "      n    memset generators of fill   sherman     getrf"
          "   copy s   GB/s    behind of behind\n");
  for (int i = 2; i < argc; i++)
    measure (ctx, atoll (argv[i]));
  for (size_t i = 0; argc == 2 && i < sizeof orders / sizeof orders[0]; i++)
    measure (ctx, orders[i]);
  gpueig_destroy (ctx);
  return 0;
}
