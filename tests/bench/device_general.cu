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

static double
figure (const gpueig_info *info, const char *name)
{
  for (int i = 0; i < info->n_extra; i++)
    if (strcmp (info->extra[i].name, name) == 0)
      return info->extra[i].value;
  return 0;
}

static double
peer_time (const gpueig_general *g, int runs)
{
  const cudaDataType type = data_type[g->type];
  const cudaDataType pair
      = gpueig_is_double (g->type) ? CUDA_C_64F : CUDA_C_32F;
  const int64_t n = g->n;
  const size_t bytes = bytes_of (g->type, n * n);
  void *const a = device_memory (bytes), *const v = device_memory (bytes);
  void *const lambda = device_memory (16 * (size_t) n);
  return library_time (
      n < 4096, runs, 1, [&] { copy_bytes (a, g->a, bytes); },
      [&] (library *l, int only_size) {
        return GENERIC_CALL (Xgeev, (), (), NULL, vector_mode (0),
                             vector_mode (g->v || g->w), n, type, a, n, pair,
                             lambda, type, NULL, n, type, v, n, type);
      });
}

static gpueig_general
general_problem (const bench *b, int64_t n, int64_t pages)
{
  gpueig_general g = {};
  const size_t bytes = bytes_of (b->type, n * n * pages);
  void *const a = host_memory (bytes);
  fill_normal (b->type, n * n * pages, a);
  g.type = b->type;
  g.n = n;
  g.pages = pages;
  g.a = a;
  g.balance = 1;
  g.lambda = host_memory (16 * (size_t) (n * pages));
  g.v = b->option['v'] ? NULL : host_memory (2 * bytes);
  g.w = b->option['b'] ? host_memory (2 * bytes) : NULL;
  return g;
}

static void
measure_stack (const bench *b, int64_t n)
{
  gpueig_info info, other = {};
  const int64_t fit = 6000000 / (n * n) + 1, most = b->option['s'];
  const int64_t pages = most < fit ? most : fit;
  gpueig_general g = general_problem (b, n, pages);
  const double own
      = solve_time (b, gpueig_complex_eig, &g, "qr", 3, &info) / (double) pages;
  g.pages = n > 16 && pages > 8 ? 8 : pages;
  const double shroff = b->option['N'] ? NAN
                                       : solve_time (b, gpueig_complex_eig, &g,
                                                     "shroff", 3, &other)
                                             / (double) g.pages;
  printf ("%lld,%lld", (long long) n, (long long) pages);
  print_numbers ({ own, shroff, shroff / own });
  printf (",%.0f,%.0f", figure (&info, "fallback_pages"),
          figure (&other, "fallback_pages"));
}

static void
measure (const bench *b, const char *order)
{
  gpueig_info info;
  const int64_t n = atoll (order);
  if (b->option['s'])
    {
      measure_stack (b, n);
      return;
    }
  const gpueig_general g = general_problem (b, n, 1);
  const int runs = n >= 1000 ? 1 : n >= 256 ? 3 : RUNS;
  const double own = solve_time (b, gpueig_eig_general, &g, "qr", runs, &info);
  const double peer = b->option['N'] ? NAN : peer_time (&g, runs);
  printf ("%lld", (long long) n);
  print_numbers ({ own, peer, peer / own, figure (&info, "hessenberg_time"),
                   figure (&info, "iteration_time"),
                   figure (&info, "host_time") });
  printf (",%.0f,%.0f,%.0f,%s", figure (&info, "windows"),
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
      "s", 2, atof, measure);
}
