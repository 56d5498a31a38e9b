/* The sizes from which backend "auto" takes a GPU, of all functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Measured on 2026-11-22 with one H200 and 16 threads of its host, whole calls in Octave
   (the rows of backend "auto" in the table auto of tests/bench).  */

#include "base/solver.h"

/* The number of threads of the measurement.  */
#define THREADS 16

typedef struct
{
  int64_t order[4]; /* of one page, by type; 0: a GPU is never faster */
  int64_t
      batch_order;   /* up to this order a GPU solves all pages at once, and */
  double batch_work; /* is faster from so much work on: pages n^2 (n + 20) */
} cuda_size;

static const cuda_size sizes[GE_SIZES] = {
  /* single, double, complex single, complex double */
  [GE_SIZE_SYMMETRIC] = { { 128, 128, 128, 64 }, 256, 2e6 },
  [GE_SIZE_PAIR] = { { 192, 192, 192, 192 }, 0, 0 },
  [GE_SIZE_GENERAL] = { { 128, 128, 64, 64 }, 0, 0 },
  [GE_SIZE_SCHUR] = { { 128, 128, 64, 64 }, 0, 0 },
  [GE_SIZE_COMPLEX_EIG] = { { 128, 128, 64, 64 }, 128, 5e5 },
  [GE_SIZE_JACOBI_EIG] = { { 192, 128, 128, 64 }, 64, 1e6 },
  [GE_SIZE_ONESIDED_EIG] = { { 16, 16, 16, 16 }, 256, 5e6 },
  [GE_SIZE_MRRR_DENSE] = { { 192, 192, 128, 128 }, 256, 2e6 },
  [GE_SIZE_MRRR_TRIDIAGONAL] = { { 192, 128, 0, 0 }, 256, 2e6 },
  /* X must be in host memory, and a CPU writes it as fast as it is transferred */
  [GE_SIZE_TDINV] = { { 0, 0, 0, 0 }, 0, 0 },
};

int
ge_cuda_pays (ge_size_id id, gpueig_type type, int64_t n, int64_t pages)
{
  const cuda_size *s = &sizes[id];
  const int64_t threads = ge_threads (), order = s->order[type];
  if (pages > 1 && n <= s->batch_order)
    {
      const double work = (double) (n * n * pages) * (double) (n + 20);
      return work * THREADS >= s->batch_work * (double) threads;
    }
  /* The GPU solves one page after another, the CPU as many at once as it has threads,
     but each of them with a part of its cores.  */
  const int64_t at_once = pages < threads ? pages : threads;
  return order > 0 && n >= order * (at_once > 4 ? at_once / 4 : 1);
}
