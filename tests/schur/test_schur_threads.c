/* Claim: the bits of gpueig_schur on the CPU depend neither on the number of threads of
   OpenBLAS nor on that of the backend, for one matrix on both sides of every switch of the
   order, with and without the possibility to interrupt.  Each number is tried in a process of
   its own, as users set it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_schur.h"

#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  int64_t n;
  const char *method;
} calls[] = { { 60, "qr" },  { 200, "qr" },  { 300, "qr" },
              { 520, "qr" }, { 90, "gees" }, { 510, "gees" } };

enum
{
  CALLS = sizeof calls / sizeof *calls
};

static int
go_on (void *data)
{
  (void) data;
  return 0;
}

static uint64_t
hash_of (uint64_t hash, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * UINT64_C (1099511628211);
  return hash;
}

/* The hash of S and U of call I, or 0.  */
static uint64_t
solve (gpueig_context *ctx, int i, gpueig_type type)
{
  const int64_t square = calls[i].n * calls[i].n;
  const size_t bytes = (size_t) square * gpueig_scalar_size (type);
  gpueig_schur_problem p = { .type = type, .n = calls[i].n, .pages = 1 };
  gpueig_options options = gpueig_default_options ();
  gpueig_info info;
  uint64_t hash = UINT64_C (1469598103934665603);
  char *a = check_array (type, square);
  measure_random random = { 5 };
  for (int64_t k = 0; k < square; k++)
    measure_set (type, a, k, measure_normal (&random));
  p.a = a;
  p.s = check_array (type, square);
  p.u = check_array (type, square);
  options.backend = GPUEIG_CPU;
  options.method = calls[i].method;
  if (gpueig_schur (ctx, &p, &options, &info) != GPUEIG_OK)
    hash = 0;
  else
    hash = hash_of (hash_of (hash, p.s, bytes), p.u, bytes);
  free (a);
  free (p.s);
  free (p.u);
  return hash;
}

/* The child: all hashes, one a line.  */
static int
print_hashes (void)
{
  const gpueig_callbacks callbacks = { .interrupted = go_on };
  gpueig_context *ctx;
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return 1;
  for (int interruptible = 0; interruptible < 2; interruptible++)
    {
      if (interruptible)
        gpueig_set_callbacks (ctx, &callbacks);
      for (int i = 0; i < CALLS; i++)
        for (int type = 0; type < 4; type++)
          printf ("%016llx\n",
                  (unsigned long long) solve (ctx, i, (gpueig_type) type));
    }
  gpueig_destroy (ctx);
  return 0;
}

enum
{
  LINES = 2 * CALLS * 4
};

/* The hashes with BLAS threads of OpenBLAS and THREADS of the backend.  */
static int
hashes_of (const char *program, int blas, int threads,
           unsigned long long hash[LINES])
{
  char command[4096];
  int count = 0;
  snprintf (command, sizeof command,
            "OPENBLAS_NUM_THREADS=%d OMP_NUM_THREADS=%d '%s' child", blas,
            threads, program);
  FILE *pipe = popen (command, "r");
  while (pipe && count < LINES && fscanf (pipe, "%llx", &hash[count]) == 1)
    count++;
  return pipe && pclose (pipe) == 0 && count == LINES;
}

int
main (int argc, char **argv)
{
  static const int other[][2] = { { 2, 1 }, { 4, 1 }, { 1, 2 }, { 2, 4 } };
  unsigned long long first[LINES] = { 0 }, hash[LINES] = { 0 };
  if (argc > 1 && strcmp (argv[1], "child") == 0)
    return print_hashes ();
  check_begin ("schur_threads");
  CHECK (hashes_of (argv[0], 1, 1, first), "a process with one thread");
  for (size_t k = 0; k < sizeof other / sizeof *other; k++)
    {
      const int blas = other[k][0], threads = other[k][1];
      CHECK (hashes_of (argv[0], blas, threads, hash),
             "a process with %d and %d threads", blas, threads);
      for (int i = 0; i < LINES; i++)
        CHECK (first[i] != 0 && hash[i] == first[i],
               "%s, %s n=%d, %s, %d and %d threads",
               calls[i / 4 % CALLS].method, check_type_name[i % 4],
               (int) calls[i / 4 % CALLS].n,
               i < LINES / 2 ? "plain" : "interruptible", blas, threads);
    }
  return check_end ();
}
