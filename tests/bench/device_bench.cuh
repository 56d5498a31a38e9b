/* Shared by the programs that measure with CUDA events: failure, random matrices, medians
   of runs, limits of time, arguments and output.  A program prints a table as CSV: notes, the
   names of the columns, and a row for each of its arguments that is no option.
     PROGRAM [PLUGIN] [OPTION | TYPE | WHAT] ...
   TYPE s d c z as in LAPACK; -t SECONDS: what there is no time for is left out; -N: without
   other libraries.  PLUGIN: a file with its folder, or GPUEIG_TEST_PLUGIN names it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef DEVICE_BENCH_CUH
#define DEVICE_BENCH_CUH 1

#include "clock.h"
#include "gpueig.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

enum
{
  MOST_RUNS = 8,
  RUNS = 5
};

typedef struct
{
  gpueig_context *ctx;
  gpueig_type type;
  int option[128]; /* by letter: 1 or its value */
} bench;

static inline void
must (int good, const char *what)
{
  if (! good)
    {
      printf ("failed: %s\n", what);
      exit (1);
    }
}

/* --- memory, until the end of a row of the table --- */

static std::vector<void *> host_blocks, device_blocks;

static inline void *
host_memory (size_t bytes)
{
  void *x = malloc (bytes);
  must (x != NULL, "memory");
  host_blocks.push_back (x);
  return x;
}

static inline void *
device_memory (size_t bytes)
{
  void *x;
  must (cudaMalloc (&x, bytes) == cudaSuccess, "memory");
  device_blocks.push_back (x);
  return x;
}

static inline void
copy_bytes (void *to, const void *from, size_t bytes)
{
  must (cudaMemcpy (to, from, bytes, cudaMemcpyDefault) == cudaSuccess, "copy");
}

static inline void *
on_device (const void *host, size_t bytes)
{
  void *const x = device_memory (bytes);
  copy_bytes (x, host, bytes);
  return x;
}

static inline void
release_memory (void)
{
  for (void *x : host_blocks)
    free (x);
  for (void *x : device_blocks)
    cudaFree (x);
  host_blocks.clear ();
  device_blocks.clear ();
}

/* --- matrices --- */

static const cudaDataType data_type[4]
    = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };

static inline cudaDataType
real_data_type (gpueig_type type)
{
  return gpueig_is_double (type) ? CUDA_R_64F : CUDA_R_32F;
}

static inline size_t
bytes_of (gpueig_type type, int64_t count)
{
  return (size_t) count * gpueig_scalar_size (type);
}

/* A pseudorandom number between -1/2 and 1/2, a function of the index I.  */
static inline double
uniform (uint64_t i)
{
  uint64_t h = (i + 1) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  h ^= h >> 32;
  return (double) (h >> 11) / 9007199254740992.0 - 0.5;
}

static inline void
set_real (gpueig_type type, void *a, int64_t i, double x)
{
  if (gpueig_is_double (type))
    ((double *) a)[i] = x;
  else
    ((float *) a)[i] = (float) x;
}

static inline double
get_real (gpueig_type type, const void *a, int64_t i)
{
  return gpueig_is_double (type) ? ((const double *) a)[i]
                                 : (double) ((const float *) a)[i];
}

/* Random n-by-n Hermitian pages, SHIFT added to the diagonal.  */
static inline void
fill_hermitian (gpueig_type type, int64_t n, int64_t pages, uint64_t seed,
                double shift, void *a)
{
  const int parts = 1 + gpueig_is_complex (type);
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t c = 0; c < n * pages; c++)
    for (int64_t i = 0; i < n; i++)
      {
        const int64_t j = c % n, page = c / n * n * n;
        const int64_t low = i > j ? i : j, high = i > j ? j : i;
        const uint64_t at = seed + 2 * (uint64_t) (page + low + n * high);
        const int64_t x = parts * (page + i + n * j);
        set_real (type, a, x, uniform (at) + (i == j ? shift : 0));
        if (parts == 2)
          set_real (type, a, x + 1,
                    i == j  ? 0
                    : i > j ? uniform (at + 1)
                            : -uniform (at + 1));
      }
}

/* A problem of random Hermitian pages in host memory, with vectors unless -v is given.  */
static inline gpueig_symmetric
hermitian_problem (const bench *b, int64_t n, int64_t pages)
{
  const size_t bytes = bytes_of (b->type, n * n * pages);
  void *const a = host_memory (bytes);
  gpueig_symmetric s = {};
  s.type = b->type;
  s.n = n;
  s.pages = pages;
  s.a = a;
  s.lambda = host_memory (sizeof (double) * (size_t) (n * pages));
  s.v = b->option['v'] ? NULL : host_memory (bytes);
  fill_hermitian (s.type, n, pages, 0, 0, a);
  return s;
}

/* COUNT approximately normal numbers.  */
static inline void
fill_normal (gpueig_type type, int64_t count, void *a)
{
  for (int64_t i = 0; i < count * (1 + gpueig_is_complex (type)); i++)
    {
      double sum = 0;
      for (uint64_t k = 0; k < 4; k++)
        sum += uniform (4 * (uint64_t) i + k);
      set_real (type, a, i, sum);
    }
}

/* --- times --- */

/* The median of COUNT times that RUN returns, after a first one if WARM.  */
template <typename F>
static double
median_of (int warm, int count, F run)
{
  double times[MOST_RUNS];
  if (warm)
    run ();
  for (int i = 0; i < count; i++)
    times[i] = run ();
  qsort (times, (size_t) count, sizeof *times, ascending_numbers);
  return times[count / 2];
}

/* Seconds of LAUNCH on the GPU.  */
template <typename F>
static double
event_time (F launch, cudaStream_t stream = 0)
{
  cudaEvent_t start, stop;
  float ms = 0;
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  cudaEventRecord (start, stream);
  launch ();
  cudaEventRecord (stop, stream);
  must (cudaEventSynchronize (stop) == cudaSuccess, "a kernel");
  cudaEventElapsedTime (&ms, start, stop);
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  return 1e-3 * ms;
}

/* How often a solver of one matrix of order N runs.  */
static inline int
runs_of_order (int64_t n)
{
  return n >= 8192 ? 1 : n >= 2048 ? 3 : RUNS;
}

/* Median seconds of SOLVE's METHOD on the device, after a first run if WARM; INFO: statistics
   of the last one.  */
template <typename P>
static double
solve_time (const bench *b,
            gpueig_status (*solve) (gpueig_context *, const P *,
                                    const gpueig_options *, gpueig_info *),
            const P *problem, const char *method, int runs, gpueig_info *info,
            int warm = 1, int display = 0)
{
  gpueig_options options = gpueig_default_options ();
  options.backend = GPUEIG_CUDA;
  options.method = method;
  options.display = display;
  return median_of (warm, runs, [&] {
    must (solve (b->ctx, problem, &options, info) == GPUEIG_OK,
          gpueig_message (b->ctx));
    return info->time_solve;
  });
}

/* --- cuSOLVER --- */

static inline cusolverEigMode_t
vector_mode (int vectors)
{
  return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

/* BYTES and HOST_BYTES of WORK, in bytes; INFO has room for as many pages as there are.  */
typedef struct
{
  cusolverDnHandle_t handle;
  void *work, *host_work;
  size_t bytes, host_bytes;
  int *info;
} library;

/* Median seconds of CALL (LIBRARY, 0), each time after SET has put its data in place; NaN if
   it fails.  CALL (LIBRARY, 1) sets the sizes of the workspaces.  */
template <typename S, typename F>
static double
library_time (int warm, int runs, int64_t pages, S set, F call)
{
  library l = {};
  int failed = 0;
  must (cusolverDnCreate (&l.handle) == 0
            && cudaMalloc (&l.info, sizeof (int) * (size_t) pages) == 0,
        "cusolverDnCreate");
  double seconds = NAN;
  if (call (&l, 1) == 0)
    {
      must (cudaMalloc (&l.work, l.bytes + 256) == 0
                && cudaMallocHost (&l.host_work, l.host_bytes + 256) == 0,
            "memory of the workspaces");
      seconds = median_of (warm, runs, [&] {
        set ();
        return event_time ([&] { failed |= ! failed && call (&l, 0) != 0; });
      });
      cudaFree (l.work);
      cudaFreeHost (l.host_work);
    }
  cudaFree (l.info);
  cusolverDnDestroy (l.handle);
  return failed ? NAN : seconds;
}

/* A call of cuSOLVER's generic interface on library L, or of the sizes of its workspaces: with the
   arguments that both have, but for the workspaces and INFO.  AFTER_SIZE and AFTER, in
   parentheses, end the two lists of arguments: () or (, arguments).  */
#define GENERIC_CALL(NAME, AFTER_SIZE, AFTER, ...)                             \
  (only_size ? cusolverDn##NAME##_bufferSize (                                 \
       l->handle, __VA_ARGS__, &l->bytes, &l->host_bytes LIST_OF AFTER_SIZE)   \
             : cusolverDn##NAME (l->handle, __VA_ARGS__, l->work, l->bytes,    \
                                 l->host_work, l->host_bytes,                  \
                                 l->info LIST_OF AFTER))

/* A call of the interface of type T, whose sizes are integers: AFTER_SIZE follows the size of
   the workspace, AFTER follows INFO.  */
#define TYPED_CALL(T, NAME, AFTER_SIZE, AFTER, ...)                            \
  [&] {                                                                        \
    int size = (int) (l->bytes / sizeof (T));                                  \
    const cusolverStatus_t status                                              \
        = only_size ? cusolverDn##NAME##_bufferSize (l->handle, __VA_ARGS__,   \
                                                     &size LIST_OF AFTER_SIZE) \
                    : cusolverDn##NAME (l->handle, __VA_ARGS__, (T *) l->work, \
                                        size, l->info LIST_OF AFTER);          \
    l->bytes = (size_t) size * sizeof (T);                                     \
    return status;                                                             \
  }()
#define LIST_OF(...) __VA_ARGS__

/* X (type, scalar, real, letter of LAPACK, and with the next letters for Hermitian matrices).  */
#define EACH_TYPE(X)                                                           \
  X (GPUEIG_FLOAT, float, float, S, Ssy)                                       \
  X (GPUEIG_DOUBLE, double, double, D, Dsy)                                    \
  X (GPUEIG_COMPLEX_FLOAT, cuComplex, float, C, Che)                           \
  X (GPUEIG_COMPLEX_DOUBLE, cuDoubleComplex, double, Z, Zhe)

/* --- arguments and output --- */

/* The cells of the last columns of a row; those that are not finite or zero are empty.  */
static inline void
print_numbers (const std::vector<double> &numbers)
{
  for (double x : numbers)
    if (isfinite (x) && x != 0)
      printf (",%.6g", x);
    else
      printf (",");
}

/* MEASURE (BENCH, ARGUMENT) every argument but options; letters WITH_VALUE have one.  The
   next one takes about (n / last n) ^ POWER times as long as the last, n = SIZE (ARGUMENT);
   the first is always measured.  */
template <typename F, typename S>
static int
run_bench (int argc, char **argv, const char *columns, const char *with_value,
           double power, S size, F measure)
{
  bench b = {};
  double limit = 0, last = 0, last_size = 0;
  const double begin = now ();
  const int named = argc > 1 && strchr (argv[1], '/');
  const char *plugin = named ? argv[1] : getenv ("GPUEIG_TEST_PLUGIN");
  gpueig_machine machine;
  int v[3] = { 0, 0, 0 };
  b.type = GPUEIG_DOUBLE;
  must (gpueig_create (&b.ctx) == GPUEIG_OK, "gpueig_create");
  if (plugin)
    must (gpueig_set_plugin (b.ctx, plugin) == GPUEIG_OK,
          gpueig_message (b.ctx));
  gpueig_query (b.ctx, &machine);
  must (machine.cuda, machine.reason);
  cusolverGetProperty (MAJOR_VERSION, &v[0]);
  cusolverGetProperty (MINOR_VERSION, &v[1]);
  cusolverGetProperty (PATCH_LEVEL, &v[2]);
  printf ("# note: %s, the GPU's clock, medians of warm runs; cuSOLVER "
          "%d.%d.%d in the same process\n%s\n",
          machine.device[0].name, v[0], v[1], v[2], columns);
  for (int i = 1 + named; i < argc; i++)
    {
      const char *word = argv[i];
      const double start = now ();
      if (strcmp (word, "-t") == 0 && i + 1 < argc)
        limit = atof (argv[++i]);
      else if (word[0] == '-' && word[1] > 0 && ! word[2])
        {
          const int value = strchr (with_value, word[1]) && i + 1 < argc;
          b.option[(int) word[1]] = value ? atoi (argv[++i]) : 1;
        }
      else if (strchr ("sdcz", word[0]))
        b.type = word[0] == 's'   ? GPUEIG_FLOAT
                 : word[0] == 'd' ? GPUEIG_DOUBLE
                 : word[0] == 'c' ? GPUEIG_COMPLEX_FLOAT
                                  : GPUEIG_COMPLEX_DOUBLE;
      else if (limit > 0 && last > 0
               && start - begin + last * pow (size (word) / last_size, power)
                      > limit)
        printf ("# left out: no time for %s\n", word);
      else
        {
          measure (&b, word);
          printf ("\n");
          release_memory ();
          last = now () - start;
          last_size = size (word);
        }
      fflush (stdout);
    }
  gpueig_destroy (b.ctx);
  return 0;
}

#endif
