/* The tridiagonal inverse, double, beside cudaMemset for as many bytes and cuSOLVER's getrf and
   getrs for the dense matrix.  cudaMemset is timed twice: in a loop on an idle GPU, where the
   time includes that of the launch; and, as the solver is, behind an upload of three
   diagonals that is in flight when it is launched.
     device_tdinv N ...
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
  cudaFreeHost (pinned);
  cudaStreamDestroy (stream);
  return seconds;
}

/* Seconds of getrf, and getrs with the identity, for the dense matrix.  */
static double
dense_time (int n, const double *c, const double *a, const double *b)
{
  const size_t order = (size_t) n, bytes = sizeof (double) * order * order;
  double *const host = (double *) host_memory (bytes);
  double *const t = (double *) device_memory (bytes);
  double *const x = (double *) device_memory (bytes);
  int *const pivot = (int *) device_memory (sizeof (int) * order);
  const auto set = [&] {
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
  };
  return library_time (0, 3, 1, set, [&] (library *l, int only_size) {
    int length = 0;
    if (only_size)
      {
        const cusolverStatus_t status
            = cusolverDnDgetrf_bufferSize (l->handle, n, n, t, n, &length);
        l->bytes = sizeof (double) * (size_t) length;
        return status;
      }
    cusolverDnDgetrf (l->handle, n, n, t, n, (double *) l->work, pivot,
                      l->info);
    return cusolverDnDgetrs (l->handle, CUBLAS_OP_N, n, n, t, n, pivot, x, n,
                             l->info);
  });
}

static void
measure (const bench *bench, const char *order)
{
  gpueig_info info;
  const int64_t n = atoll (order);
  const size_t bytes = sizeof (double) * (size_t) (n * n);
  const size_t column = sizeof (double) * (size_t) n;
  double rcond;
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
  gpueig_tdinv_problem p = {};
  p.type = GPUEIG_DOUBLE;
  p.n = n;
  p.c = c;
  p.a = a;
  p.b = b;
  p.band = -1;
  p.x = x;
  p.rcond = &rcond;
  double behind, fill = fill_time (bytes, 3 * n, &behind);
  const double own = solve_time (bench, gpueig_tdinv, &p, "generators",
                                 n > 20000 ? 2 : FILLS, &info);
  const double tree = solve_time (bench, gpueig_tdinv, &p, "sherman-morrison",
                                  n > 20000 ? 1 : 3, &info);
  const double dense
      = bench->option['N'] || n > 16384 ? NAN : dense_time ((int) n, c, a, b);
  printf ("%lld", (long long) n);
  print_numbers (
      { own, fill, 100 * fill / own, tree, dense, behind, 100 * behind / own });
}

int
main (int argc, char **argv)
{
  return run_bench (
      argc, argv,
      "n,generators [s],memset [s],% of memset's "
      "rate,sherman-morrison [s],getrf+getrs [s],memset behind an "
      "upload [s],% of that rate",
      "", 2, atof, measure);
}
