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
operations (const gpueig_symmetric *s, const stage_times *t, int stage)
{
  const double n = (double) s->n, unit = gpueig_is_complex (s->type) ? 4 : 1;
  const double cube = unit * n * n * n * 1e-12;
  return stage == REDUCTION_1                 ? 4 * cube / 3
         : stage == REDUCTION_2               ? 6 * t->band * cube / n
         : stage == BACK_1 || stage == BACK_2 ? 2 * cube
                                              : 0;
}

/* Seconds on the device of gpu_eig's method "mrrr", with the own reduction.  */
static double
own_time (const bench *b, const gpueig_symmetric *s, stage_times *stages)
{
  const gpueig_callbacks lines = { NULL, take_line, stages };
  gpueig_info info;
  double seconds = NAN;
  stages->stage = STAGES;
  if (s->n < LARGEST)
    seconds = solve_time (b, gpueig_eig_symmetric, s, "mrrr",
                          s->n < LARGE ? runs_of_order (s->n) : 1, &info,
                          s->n < LARGE);
  gpueig_set_callbacks (b->ctx, &lines);
  const double shown
      = solve_time (b, gpueig_eig_symmetric, s, "mrrr", 1, &info, 0, 1);
  gpueig_set_callbacks (b->ctx, NULL);
  return s->n < LARGE ? seconds : shown;
}

static double
peer_time (const gpueig_symmetric *s)
{
  const cudaDataType type = data_type[s->type], real = real_data_type (s->type);
  const size_t bytes = bytes_of (s->type, s->n * s->n);
  void *const a = device_memory (bytes);
  void *const lambda = device_memory (sizeof (double) * (size_t) s->n);
  return library_time (
      s->n < LARGE, runs_of_order (s->n), 1,
      [&] { copy_bytes (a, s->a, bytes); },
      [&] (library *l, int only_size) {
        return GENERIC_CALL (Xsyevd, (), (), NULL, vector_mode (s->v != NULL),
                             CUBLAS_FILL_MODE_LOWER, s->n, type, a, s->n, real,
                             lambda, type);
      });
}

static void
measure (const bench *b, const char *order)
{
  const gpueig_symmetric s = hermitian_problem (b, atoll (order), 1);
  stage_times t = {};
  const double own = own_time (b, &s, &t);
  const double peer = b->option['N'] ? NAN : peer_time (&s);
  printf ("%lld", (long long) s.n);
  print_numbers ({ own, peer, peer / own });
  printf (",%d", t.band);
  for (int i = 0; i < STAGES; i++)
    if (i == TRIDIAGONAL || i == VERIFICATION)
      print_numbers ({ t.seconds[i] });
    else
      print_numbers ({ t.seconds[i], operations (&s, &t, i) / t.seconds[i] });
}

int
main (int argc, char **argv)
{
  return run_bench (
      argc, argv,
      "n,mrrr [s],Xsyevd [s],Xsyevd/mrrr,band,reduction 1 [s],reduction 1 "
      "TF/s,reduction 2 [s],reduction 2 TF/s,tridiagonal [s],back 2 [s],back 2 "
      "TF/s,back 1 [s],back 1 TF/s,verification [s]",
      "", 2.5, atof, measure);
}
