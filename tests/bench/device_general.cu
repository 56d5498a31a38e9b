/* Time of one general matrix on a GPU, measured by CUDA events: method "qr" beside
   cuSOLVER's Xgeev in the same process, medians of warm runs on random matrices; or of
   stacks of them by gpueig_complex_eig, method "qr" beside "shroff".
     device_general gpueig_cuda.so [-r | -v | -l | -b | -f] [-N] [-s PAGES] [-t SECONDS]
                    TYPE N ...
   TYPE s d c z as in LAPACK; -r (default): right vectors, -v: eigenvalues only, -l: left
   ones, -b: right and left vectors, -f: the Schur form (Xgeev: right ones), -o: its
   eigenvalues in the left half-plane to the top, whole calls, beside the CPU; -N: without
   Xgeev, the CPU or "shroff"; -s: stacks of so many pages, fewer of larger orders and for "shroff" above 64; -t: orders for
   which there is no time are left out.  Output is CSV.  Of one matrix: milliseconds in
   all, of the reduction to Hessenberg form, of the QR iteration, and of its part on the
   host; numbers of deflation windows, sweeps and steps.  Of stacks: microseconds per
   page, and pages that LAPACK finished.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

typedef struct
{
  gpueig_type type;
  int64_t n;
  int right, left, form, order, runs;
  size_t bytes;
  void *a, *v, *w, *lambda;
} problem;

typedef gpueig_status solver (gpueig_context *, const gpueig_general *,
                              const gpueig_options *, gpueig_info *);

/* Seconds on the device of METHOD for the first PAGES of P; INFO: statistics of the last
   run.  */
static double
own_time (gpueig_context *ctx, solver *solve, const problem *p, int64_t pages,
          const char *method, gpueig_info *info)
{
  gpueig_general g;
  memset (&g, 0, sizeof g);
  g.type = p->type;
  g.n = p->n;
  g.pages = pages;
  g.a = p->a;
  g.balance = 1;
  g.lambda = p->lambda;
  g.v = p->right ? p->v : NULL;
  g.w = p->left ? p->w : NULL;
  return solve_time (ctx, solve, &g, method, p->runs, info);
}

/* Of the Schur form and its vectors.  */
static double
form_time (gpueig_context *ctx, const problem *p, gpueig_info *info)
{
  gpueig_schur_problem g;
  memset (&g, 0, sizeof g);
  g.type = p->type;
  g.n = p->n;
  g.pages = 1;
  g.a = p->a;
  g.s = p->v;
  g.u = p->w;
  return solve_time (ctx, gpueig_schur, &g, "qr", p->runs, info);
}

/* Seconds of calls on BACKEND that change the order of the form in P->v and P->w.  */
static double
order_time (gpueig_context *ctx, const problem *p, gpueig_backend backend)
{
  gpueig_ordschur_problem g;
  gpueig_options options = gpueig_default_options ();
  options.backend = backend;
  memset (&g, 0, sizeof g);
  g.type = p->type;
  g.n = p->n;
  g.pages = 1;
  g.s = p->v;
  g.u = p->w;
  g.order = GPUEIG_SCHUR_LHP;
  g.s_sorted = (char *) p->v + p->bytes;
  g.u_sorted = (char *) p->w + p->bytes;
  return median_of (1, p->runs, [&] {
    const double start = now ();
    must (gpueig_ordschur (ctx, &g, &options, NULL) == GPUEIG_OK,
          gpueig_message (ctx));
    return now () - start;
  });
}

static double
figure (const gpueig_info *info, const char *name)
{
  for (int i = 0; i < info->n_extra; i++)
    if (strcmp (info->extra[i].name, name) == 0)
      return info->extra[i].value;
  return 0;
}

static double
peer_time (const problem *p)
{
  void *device_work, *host_work = NULL;
  size_t device_bytes, host_bytes;
  cusolverDnHandle_t handle;
  const cudaDataType type = data_type[p->type];
  const cudaDataType pair
      = gpueig_is_double (p->type) ? CUDA_C_64F : CUDA_C_32F;
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
  const cusolverEigMode_t mode
      = p->right || p->left ? CUSOLVER_EIG_MODE_VECTOR : none;
  const int64_t n = p->n;
  void *const a = device_memory (p->bytes), *const v = device_memory (p->bytes);
  void *const lambda = device_memory (16 * (size_t) n);
  int *const result = (int *) device_memory (sizeof (int));
  must (cusolverDnCreate (&handle) == 0, "cusolverDnCreate");
  must (cusolverDnXgeev_bufferSize (handle, NULL, none, mode, n, type, a, n,
                                    pair, lambda, type, NULL, n, type, v, n,
                                    type, &device_bytes, &host_bytes)
            == 0,
        "Xgeev_bufferSize");
  device_work = device_memory (device_bytes + 1);
  must (cudaMallocHost (&host_work, host_bytes + 1) == cudaSuccess, "memory");
  const double seconds = median_of (n < 4096, p->runs, [&] {
    cudaMemcpy (a, p->a, p->bytes, cudaMemcpyHostToDevice);
    return event_time ([&] {
      must (cusolverDnXgeev (handle, NULL, none, mode, n, type, a, n, pair,
                             lambda, type, NULL, n, type, v, n, type,
                             device_work, device_bytes, host_work, host_bytes,
                             result)
                == 0,
            "Xgeev");
    });
  });
  cusolverDnDestroy (handle);
  cudaFree (a);
  cudaFree (v);
  cudaFree (lambda);
  cudaFree (result);
  cudaFree (device_work);
  cudaFreeHost (host_work);
  return seconds;
}

/* PAGES random matrices, and what WANTED asks for: "right", "left", "both" vectors,
   "form", "order" or "values".  */
static problem
make_problem (char letter, int64_t n, int64_t pages, int runs,
              const char *wanted)
{
  problem p;
  memset (&p, 0, sizeof p);
  p.type = type_of (letter);
  p.n = n;
  p.order = strcmp (wanted, "order") == 0;
  p.form = p.order || strcmp (wanted, "form") == 0;
  const int both = p.form || strcmp (wanted, "both") == 0;
  p.left = both || strcmp (wanted, "left") == 0;
  p.right = both || strcmp (wanted, "right") == 0;
  p.runs = runs;
  p.bytes = (size_t) (n * n * pages) * gpueig_scalar_size (p.type);
  p.a = host_memory (p.bytes);
  p.v = p.right ? host_memory (2 * p.bytes) : NULL;
  p.w = p.left ? host_memory (2 * p.bytes) : NULL;
  p.lambda = host_memory (16 * (size_t) (n * pages));
  fill_normal (p.type, n * n * pages, p.a);
  return p;
}

static void
free_problem (problem *p)
{
  free (p->a);
  free (p->v);
  free (p->w);
  free (p->lambda);
}

static void
measure_stack (gpueig_context *ctx, char letter, int64_t n, const char *wanted,
               int64_t pages, int with_peer)
{
  gpueig_info info, peer_info = {};
  const int64_t fit = 6000000 / (n * n) + 1;
  pages = pages < fit ? pages : fit;
  const int64_t few = n > 64 && pages > 8 ? 8 : pages;
  problem p = make_problem (letter, n, pages, 3, wanted);
  const double own
      = 1e6 / (double) pages
        * own_time (ctx, gpueig_complex_eig, &p, pages, "qr", &info);
  const double peer = with_peer ? 1e6 / (double) few
                                      * own_time (ctx, gpueig_complex_eig, &p,
                                                  few, "shroff", &peer_info)
                                : 0;
  printf ("%c,%lld,%lld,%s,%.3f,%.3f,%.2f,%.0f,%.0f,%.0f\n", letter,
          (long long) n, (long long) pages, wanted, own, peer, peer / own,
          figure (&info, "qr_sweeps"), figure (&info, "fallback_pages"),
          figure (&peer_info, "fallback_pages"));
  free_problem (&p);
}

static void
measure (gpueig_context *ctx, char letter, int64_t n, const char *wanted,
         int with_peer)
{
  gpueig_info info;
  problem p = make_problem (letter, n, 1,
                            n >= 1000  ? 1
                            : n >= 256 ? 3
                                       : RUNS,
                            wanted);
  double own = p.form ? form_time (ctx, &p, &info)
                      : own_time (ctx, gpueig_eig_general, &p, 1, "qr", &info);
  if (p.order)
    own = order_time (ctx, &p, GPUEIG_CUDA);
  const double peer = ! with_peer ? 0
                      : p.order   ? order_time (ctx, &p, GPUEIG_CPU)
                                  : peer_time (&p);
  printf ("%c,%lld,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%s\n",
          letter, (long long) n, wanted, 1e3 * own, 1e3 * peer, peer / own,
          1e3 * figure (&info, "hessenberg_time"),
          1e3 * figure (&info, "iteration_time"),
          1e3 * figure (&info, "host_time"), figure (&info, "windows"),
          figure (&info, "qr_sweeps"), figure (&info, "ticks"), info.fallback);
  free_problem (&p);
}

int
main (int argc, char **argv)
{
  int with_peer = 1;
  int64_t pages = 0;
  char letter = 'z';
  const char *wanted = "right";
  time_limit time = { now (), 0, 2, 0, 0 };
  must (argc > 1, "the plugin is the first argument");
  gpueig_context *ctx = open_context (argv[1]);
  for (int i = 2; i + 1 < argc; i++)
    if (strcmp (argv[i], "-s") == 0)
      pages = atoll (argv[i + 1]);
  print_library ();
  puts (pages > 0 ? "type,n,pages,wanted,qr,shroff,ratio,sweeps,qr_fallback,"
                    "shroff_fallback"
                  : "type,n,wanted,own,xgeev,ratio,hessenberg,iteration,host,"
                    "deflations,sweeps,steps,fallback");
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], "-s") == 0)
      i++;
    else if (strcmp (argv[i], "-t") == 0 && i + 1 < argc)
      time.limit = atof (argv[++i]);
    else if (strcmp (argv[i], "-N") == 0)
      with_peer = 0;
    else if (argv[i][0] == '-')
      wanted = argv[i][1] == 'v'   ? "values"
               : argv[i][1] == 'b' ? "both"
               : argv[i][1] == 'l' ? "left"
               : argv[i][1] == 'f' ? "form"
               : argv[i][1] == 'o' ? "order"
                                   : "right";
    else if (strchr ("sdcz", argv[i][0]))
      letter = argv[i][0];
    else
      measure_within (&time, atof (argv[i]), [&] {
        if (pages > 0)
          measure_stack (ctx, letter, atoll (argv[i]), wanted, pages,
                         with_peer);
        else
          measure (ctx, letter, atoll (argv[i]), wanted, with_peer);
      });
  gpueig_destroy (ctx);
  return 0;
}
