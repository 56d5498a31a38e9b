/* Stacks of symmetric and Hermitian matrices, timed on the GPU: gpu_eig with "auto" and
   one-sided Jacobi compared with cuSOLVER's syevjBatched and XsyevBatched in the same
   process; medians of warm runs with random matrices.
     device_stacks [-v] [-N] [-m MB] [-p PAGES] [-M METHOD] [TYPE | N] ...
   Without arguments the whole table, with vectors: types s d c z as in LAPACK, stacks
   of 100 MB, at most 100000 pages.  -v: eigenvalues alone; -N: without cuSOLVER;
   -m: size of a stack in MB; -p: number of pages instead; -M: gpu_eig's method instead
   of "auto"; types and orders choose rows.  GPUEIG_TEST_PLUGIN, if set, names the
   plugin.  Prints CSV, which tests/bench/run.sh writes to a file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

enum
{
  MOST_PAGES = 100000,
  MOST_CHOSEN = 32 /* orders */
};

static const int all_orders[]
    = { 4, 8, 10, 16, 20, 24, 32, 40, 48, 64, 80, 100, 128, 160, 200, 256 };

static const char letters[] = "sdcz";
static const char *const type_names[]
    = { "single", "double", "complex single", "complex double" };

typedef gpueig_status solver (gpueig_context *, const gpueig_symmetric *,
                              const gpueig_options *, gpueig_info *);

/* Seconds per page on the device, NaN for a failure; INFO: of the last run.  */
static double
page_time (gpueig_context *ctx, const gpueig_symmetric *s, solver *run,
           const char *method, gpueig_info *info)
{
  gpueig_options options = gpueig_default_options ();
  options.backend = GPUEIG_CUDA;
  options.method = method;
  if (run (ctx, s, &options, info) == GPUEIG_OK)
    return solve_time (ctx, run, s, method, RUNS, info) / (double) s->pages;
  printf ("# note: %s, n = %lld: %s\n", method, (long long) s->n,
          gpueig_message (ctx));
  return NAN;
}

/* --- cuSOLVER's batched solvers; their vectors are not verified --- */

typedef struct
{
  cusolverDnHandle_t handle;
  syevjInfo_t params;
  cusolverEigMode_t mode;
  int n, pages, size; /* SIZE: of syevj's work, in scalars */
  size_t device_bytes, host_bytes;
  void *a, *lambda, *device_work, *host_work;
  int *result;
} peer;

#define SYEVJ(T, R, NAME)                                                      \
  static cusolverStatus_t syevj_##NAME (peer *p, int only_size)                \
  {                                                                            \
    return only_size ? cusolverDn##NAME##jBatched_bufferSize (                 \
               p->handle, p->mode, CUBLAS_FILL_MODE_LOWER, p->n, (T *) p->a,   \
               p->n, (R *) p->lambda, &p->size, p->params, p->pages)           \
                     : cusolverDn##NAME##jBatched (                            \
                         p->handle, p->mode, CUBLAS_FILL_MODE_LOWER, p->n,     \
                         (T *) p->a, p->n, (R *) p->lambda,                    \
                         (T *) p->device_work, p->size, p->result, p->params,  \
                         p->pages);                                            \
  }
SYEVJ (float, float, Ssyev)
SYEVJ (double, double, Dsyev)
SYEVJ (cuComplex, float, Cheev)
SYEVJ (cuDoubleComplex, double, Zheev)

static cusolverStatus_t (*const syevj[]) (peer *, int)
    = { syevj_Ssyev, syevj_Dsyev, syevj_Cheev, syevj_Zheev };

static cusolverStatus_t
syev (peer *p, const gpueig_symmetric *s, int only_size)
{
  const cudaDataType type = data_type[s->type];
  const cudaDataType real
      = gpueig_is_double (s->type) ? CUDA_R_64F : CUDA_R_32F;
  return only_size ? cusolverDnXsyevBatched_bufferSize (
             p->handle, NULL, p->mode, CUBLAS_FILL_MODE_LOWER, p->n, type, p->a,
             p->n, real, p->lambda, type, &p->device_bytes, &p->host_bytes,
             p->pages)
                   : cusolverDnXsyevBatched (
                       p->handle, NULL, p->mode, CUBLAS_FILL_MODE_LOWER, p->n,
                       type, p->a, p->n, real, p->lambda, type, p->device_work,
                       p->device_bytes, p->host_work, p->host_bytes, p->result,
                       p->pages);
}

/* Seconds per page on the device by syevjBatched (JACOBI nonzero) or XsyevBatched, NaN
   for a failure.  */
static double
peer_time (const gpueig_symmetric *s, int jacobi)
{
  const size_t scalar = gpueig_scalar_size (s->type);
  const size_t bytes = (size_t) (s->n * s->n * s->pages) * scalar;
  peer p = {};
  p.n = (int) s->n;
  p.pages = (int) s->pages;
  p.mode = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  must (cusolverDnCreate (&p.handle) == 0
            && cusolverDnCreateSyevjInfo (&p.params) == 0,
        "cusolverDnCreate");
  p.a = device_memory (bytes);
  p.lambda = device_memory (sizeof (double) * (size_t) (s->n * s->pages));
  p.result = (int *) device_memory (sizeof (int) * (size_t) s->pages);
  must ((jacobi ? syevj[s->type](&p, 1) : syev (&p, s, 1)) == 0,
        "size of the workspace");
  if (jacobi)
    p.device_bytes = (size_t) p.size * scalar;
  p.host_work = host_memory (p.host_bytes + 1);
  p.device_work = device_memory (p.device_bytes + 1);
  int failed = 0;
  const double seconds = median_of (1, RUNS, [&] {
    must (cudaMemcpy (p.a, s->a, bytes, cudaMemcpyHostToDevice) == cudaSuccess,
          "upload");
    return event_time ([&] {
      failed |= ! failed
                && (jacobi ? syevj[s->type](&p, 0) : syev (&p, s, 0)) != 0;
    });
  });
  cudaFree (p.a);
  cudaFree (p.lambda);
  cudaFree (p.result);
  cudaFree (p.device_work);
  free (p.host_work);
  cusolverDnDestroySyevjInfo (p.params);
  cusolverDnDestroy (p.handle);
  return failed ? NAN : seconds / (double) s->pages;
}

static void
print_number (double x)
{
  if (isfinite (x))
    printf (",%.4g", x);
  else
    printf (",");
}

static void
measure (gpueig_context *ctx, int type, int64_t n, int vectors, double bytes,
         double pages, const char *method, int with_peers)
{
  gpueig_symmetric s;
  gpueig_info info;
  double best = INFINITY, others[2] = { NAN, NAN };
  memset (&s, 0, sizeof s);
  s.type = (gpueig_type) type;
  const double page = (double) (n * n) * (double) gpueig_scalar_size (s.type);
  s.n = n;
  s.pages
      = (int64_t) fmin (MOST_PAGES, pages > 0 ? pages : ceil (bytes / page));
  s.symmetric = 1;
  const size_t size = (size_t) page * (size_t) s.pages;
  void *a = host_memory (size);
  s.a = a;
  s.v = vectors ? host_memory (size) : NULL;
  s.lambda = host_memory (sizeof (double) * (size_t) (n * s.pages));
  fill_hermitian (s.type, n, s.pages, 0, 0, a);
  const double jacobi = page_time (ctx, &s, gpueig_onesided_eig, "auto", &info);
  const double own = page_time (ctx, &s, gpueig_eig_symmetric, method, &info);
  for (int k = 0; k < 2 && with_peers; k++)
    {
      others[k] = peer_time (&s, k == 0);
      best = fmin (best, others[k]);
    }
  printf ("%s,%lld,%lld,%s", type_names[type], (long long) n,
          (long long) s.pages, info.method);
  print_number (own);
  print_number (jacobi);
  print_number (others[0]);
  print_number (others[1]);
  print_number (best / own);
  print_number (best / jacobi);
  printf ("\n");
  fflush (stdout);
  free (a);
  free (s.v);
  free (s.lambda);
}

static void
print_head (gpueig_context *ctx, int vectors)
{
  char date[16];
  gpueig_machine machine;
  const char *commit = getenv ("GPUEIG_COMMIT");
  const time_t now = time (NULL);
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  gpueig_query (ctx, &machine);
  must (machine.cuda, machine.reason);
  printf ("# stacks of symmetric and Hermitian matrices, %s, a page\n"
          "# %s, gpueig %s, commit %s\n"
          "# %s, CUDA %g, %d CPU threads\n"
          "# compare: gpu_eig [s] | syevj-batched [s] | syev-batched [s]\n"
          "# compare: onesided [s] | syevj-batched [s] | syev-batched [s]\n"
          "# bar: 10\n"
          "# note: seconds a page by the GPU's clock, medians of %d warm runs, "
          "all solvers in one process\n"
          "type,n,pages,method,gpu_eig [s],onesided [s],syevj-batched [s],"
          "syev-batched [s],best peer/gpu_eig,best peer/onesided\n",
          vectors ? "with vectors" : "eigenvalues", date, GPUEIG_VERSION,
          commit ? commit : "unknown", machine.device[0].name,
          machine.runtime_version / 1000.0, machine.threads, RUNS);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  int chosen[4] = { 0, 0, 0, 0 }, any = 0, vectors = 1, count = 0;
  int with_peers = 1;
  int orders[MOST_CHOSEN];
  double bytes = 1e8, pages = 0;
  const char *method = "auto";
  for (int i = 1; i < argc; i++)
    {
      const char *type = strchr (letters, argv[i][0]);
      if (strcmp (argv[i], "-v") == 0)
        vectors = 0;
      else if (strcmp (argv[i], "-m") == 0 && i + 1 < argc)
        bytes = 1e6 * atof (argv[++i]);
      else if (strcmp (argv[i], "-p") == 0 && i + 1 < argc)
        pages = atof (argv[++i]);
      else if (strcmp (argv[i], "-M") == 0 && i + 1 < argc)
        method = argv[++i];
      else if (strcmp (argv[i], "-N") == 0)
        with_peers = 0;
      else if (type)
        any = chosen[type - letters] = 1;
      else
        {
          must (count < MOST_CHOSEN && atoi (argv[i]) > 0, argv[i]);
          orders[count++] = atoi (argv[i]);
        }
    }
  if (count == 0)
    {
      count = (int) (sizeof all_orders / sizeof all_orders[0]);
      memcpy (orders, all_orders, sizeof all_orders);
    }
  gpueig_context *ctx = open_context (getenv ("GPUEIG_TEST_PLUGIN"));
  print_head (ctx, vectors);
  for (int type = 0; type < 4; type++)
    for (int i = 0; i < count && (chosen[type] || ! any); i++)
      measure (ctx, type, orders[i], vectors, bytes, pages, method, with_peers);
  gpueig_destroy (ctx);
  return 0;
}
