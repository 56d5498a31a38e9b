/* One dense symmetric or Hermitian random matrix of each order beside cuSOLVER's Xsyevd, and
   in a separate run the stages, between lines of "Display" (each is printed after a
   synchronisation).
     device_dense [-v] N ...
   -v: eigenvalues only.  From order 20000 on Xsyevd runs once, without a warm-up, and
   gpu_eig once after one, from 50000 on without.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

enum
{
  LARGE = 20000,
  LARGEST = 50000
};

/* Stages of a call, with the lines that begin them.  */
enum
{
  REDUCTION_1,
  REDUCTION_2,
  TRIDIAGONAL,
  BACK_2,
  BACK_1,
  VERIFICATION,
  STAGES
};

static const struct
{
  const char *line;
  int stage;
} beginnings[] = { { "reduction to tridiagonal form", REDUCTION_1 },
                   { "band of width", REDUCTION_2 },
                   { "tridiagonal eigenproblem", TRIDIAGONAL },
                   { "back-transformation", BACK_2 },
                   { "back through the reduction to a band", BACK_1 },
                   { "verification", VERIFICATION },
                   { "verified", STAGES } };

typedef struct
{
  double seconds[STAGES], since;
  int stage, band; /* STAGES: none; 0: one stage */
} stage_times;

typedef struct
{
  gpueig_type type;
  int64_t n;
  int vectors, runs;
  size_t bytes;
  void *a, *v;
  double *lambda;
} problem;

static void
take_line (void *data, const char *line)
{
  stage_times *t = (stage_times *) data;
  for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
    if (strncmp (line, beginnings[i].line, strlen (beginnings[i].line)) == 0)
      {
        const double time = now ();
        if (t->stage < STAGES)
          t->seconds[t->stage] += time - t->since;
        t->stage = beginnings[i].stage;
        t->since = time;
        if (t->stage == REDUCTION_2)
          sscanf (line, "band of width %d", &t->band);
        if (t->stage == BACK_2 && t->band == 0)
          t->stage = BACK_1;
      }
}

/* Operations of a stage, in units of 10^12.  */
static double
operations (const problem *p, const stage_times *t, int stage)
{
  const double n = (double) p->n, unit = gpueig_is_complex (p->type) ? 4 : 1;
  const double cube = unit * n * n * n * 1e-12;
  return stage == REDUCTION_1                 ? 4 * cube / 3
         : stage == REDUCTION_2               ? 6 * t->band * cube / n
         : stage == BACK_1 || stage == BACK_2 ? 2 * cube
                                              : 0;
}

/* Seconds on the device of gpu_eig's method "mrrr", with the own reduction.  */
static double
own_time (gpueig_context *ctx, const problem *p, stage_times *stages)
{
  gpueig_options options = gpueig_default_options ();
  gpueig_symmetric s = {};
  gpueig_info info;
  double seconds = 0;
  s.type = p->type;
  s.n = p->n;
  s.pages = 1;
  s.a = p->a;
  s.lambda = p->lambda;
  s.v = p->vectors ? p->v : NULL;
  memset (stages, 0, sizeof *stages);
  stages->stage = STAGES;
  if (p->n < LARGE)
    seconds
        = solve_time (ctx, gpueig_eig_symmetric, &s, "mrrr", p->runs, &info);
  options.backend = GPUEIG_CUDA;
  options.method = "mrrr";
  if (p->n >= LARGE && p->n < LARGEST)
    must (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
          gpueig_message (ctx));
  const gpueig_callbacks lines = { NULL, take_line, stages };
  gpueig_set_callbacks (ctx, &lines);
  options.display = 1;
  must (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
        gpueig_message (ctx));
  gpueig_set_callbacks (ctx, NULL);
  return p->n < LARGE ? seconds : info.time_solve;
}

static double
peer_time (const problem *p)
{
  const cudaDataType type = data_type[p->type], real = real_data_type (p->type);
  const cusolverEigMode_t mode
      = p->vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  void *const a = device_memory (p->bytes);
  void *const lambda = device_memory (sizeof (double) * (size_t) p->n);
  return library_time (
      p->n < LARGE, p->runs, 1,
      [&] { cudaMemcpy (a, p->a, p->bytes, cudaMemcpyHostToDevice); },
      [&] (library *l, int only_size) {
        return GENERIC_CALL (Xsyevd, NULL, mode, CUBLAS_FILL_MODE_LOWER, p->n,
                             type, a, p->n, real, lambda, type);
      });
}

static void
measure (const bench *b, int64_t n)
{
  problem p = {};
  stage_times t;
  p.type = b->type;
  p.n = n;
  p.vectors = ! b->option['v'];
  p.runs = n >= 8192 ? 1 : n >= 2048 ? 3 : RUNS;
  p.bytes = (size_t) (n * n) * gpueig_scalar_size (p.type);
  p.a = host_memory (p.bytes);
  p.v = host_memory (p.bytes);
  p.lambda = (double *) host_memory (sizeof (double) * (size_t) n);
  fill_hermitian (p.type, n, 1, 0, 0, p.a);
  const double own = own_time (b->ctx, &p, &t);
  const double peer = b->option['N'] ? NAN : peer_time (&p);
  printf ("%lld", (long long) n);
  print_number (own);
  print_number (peer);
  print_number (peer / own);
  printf (",%d", t.band);
  for (int i = 0; i < STAGES; i++)
    {
      const double work = operations (&p, &t, i);
      print_number (t.seconds[i]);
      if (i != TRIDIAGONAL && i != VERIFICATION)
        print_number (work / t.seconds[i]);
    }
  printf ("\n");
}

int
main (int argc, char **argv)
{
  return run_bench (
      argc, argv,
      "n,mrrr [s],Xsyevd [s],Xsyevd/mrrr,band,reduction 1 [s],reduction 1 "
      "TF/s,reduction 2 [s],reduction 2 TF/s,tridiagonal [s],back 2 [s],back 2 "
      "TF/s,back 1 [s],back 1 TF/s,verification [s]",
      "", 2.5, atof,
      [] (const bench *b, const char *order) { measure (b, atoll (order)); });
}
