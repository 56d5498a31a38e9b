/* One general random matrix of each order: method "qr" beside cuSOLVER's Xgeev; or stacks of
   them by gpueig_complex_eig, method "qr" beside "shroff".
     device_general [-v | -b] [-s PAGES] N ...
   Right vectors, -v: eigenvalues only, -b: right and left vectors (Xgeev: right ones).  -s:
   stacks of so many pages, fewer of larger orders and for "shroff" above 16.  Seconds of one
   matrix: in all, of the reduction to Hessenberg form, of the QR iteration, and of its part
   on the host; numbers of deflation windows, sweeps and steps.  Of stacks: per page, and
   pages that LAPACK finished.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

typedef struct
{
  gpueig_type type;
  int64_t n;
  int right, left, runs;
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
  gpueig_general g = {};
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
  const cudaDataType type = data_type[p->type];
  const cudaDataType pair
      = gpueig_is_double (p->type) ? CUDA_C_64F : CUDA_C_32F;
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
  const cusolverEigMode_t mode
      = p->right || p->left ? CUSOLVER_EIG_MODE_VECTOR : none;
  const int64_t n = p->n;
  void *const a = device_memory (p->bytes), *const v = device_memory (p->bytes);
  void *const lambda = device_memory (16 * (size_t) n);
  return library_time (
      n < 4096, p->runs, 1,
      [&] { cudaMemcpy (a, p->a, p->bytes, cudaMemcpyHostToDevice); },
      [&] (library *l, int only_size) {
        return GENERIC_CALL (Xgeev, NULL, none, mode, n, type, a, n, pair,
                             lambda, type, NULL, n, type, v, n, type);
      });
}

static problem
make_problem (const bench *b, int64_t n, int64_t pages, int runs)
{
  problem p = {};
  p.type = b->type;
  p.n = n;
  p.right = ! b->option['v'];
  p.left = b->option['b'];
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
measure_stack (const bench *b, int64_t n)
{
  gpueig_info info, other = {};
  const int64_t fit = 6000000 / (n * n) + 1, most = b->option['s'];
  const int64_t pages = most < fit ? most : fit;
  const int64_t few = n > 16 && pages > 8 ? 8 : pages;
  problem p = make_problem (b, n, pages, 3);
  const double own
      = own_time (b->ctx, gpueig_complex_eig, &p, pages, "qr", &info)
        / (double) pages;
  const double shroff = b->option['N'] ? NAN
                                       : own_time (b->ctx, gpueig_complex_eig,
                                                   &p, few, "shroff", &other)
                                             / (double) few;
  printf ("%lld,%lld", (long long) n, (long long) pages);
  print_number (own);
  print_number (shroff);
  print_number (shroff / own);
  printf (",%.0f,%.0f\n", figure (&info, "fallback_pages"),
          figure (&other, "fallback_pages"));
}

static void
measure (const bench *b, int64_t n)
{
  gpueig_info info;
  problem p = make_problem (b, n, 1, n >= 1000 ? 1 : n >= 256 ? 3 : RUNS);
  const double own = own_time (b->ctx, gpueig_eig_general, &p, 1, "qr", &info);
  const double peer = b->option['N'] ? NAN : peer_time (&p);
  printf ("%lld", (long long) n);
  print_number (own);
  print_number (peer);
  print_number (peer / own);
  print_number (figure (&info, "hessenberg_time"));
  print_number (figure (&info, "iteration_time"));
  print_number (figure (&info, "host_time"));
  printf (",%.0f,%.0f,%.0f,%s\n", figure (&info, "windows"),
          figure (&info, "qr_sweeps"), figure (&info, "ticks"),
          info.fallback[0] ? info.fallback : "none");
}

int
main (int argc, char **argv)
{
  int stacks = 0;
  for (int i = 1; i < argc; i++)
    stacks |= strcmp (argv[i], "-s") == 0;
  return run_bench (
      argc, argv,
      stacks ? "n,pages,qr [s],shroff [s],shroff/qr,qr: by LAPACK,shroff: by "
               "LAPACK"
             : "n,qr [s],Xgeev [s],Xgeev/qr,Hessenberg [s],iteration [s],host "
               "[s],windows,sweeps,steps,fallback",
      "s", 2, atof, [] (const bench *b, const char *order) {
        if (b->option['s'])
          measure_stack (b, atoll (order));
        else
          measure (b, atoll (order));
      });
}
