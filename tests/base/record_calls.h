/* What record.c calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef RECORD_CALLS_H
#define RECORD_CALLS_H 1

#include "matrices.h"
#include "solvers.h"

enum
{
  ALL_SOLVERS = SOLVERS + 10, /* record.c has more */
  EACH = -1,                  /* solver */
  RANDOM = -1,                /* kind of pages */
  LARGE = 1000000 /* elements of what is solved by several GPUs only */
};

/* Ways to a solver: ALL GPUs; chunks of at most CHUNK pages; FEW stand for all where many
   calls are made.  */
typedef struct
{
  const char *name;
  gpueig_backend backend;
  gpueig_place place;
  int few, all;
  int64_t chunk;
} way;

static const way ways[] = {
  { "cpu", GPUEIG_CPU, GPUEIG_HOST, 1, 0, 0 },
  { "array to cpu", GPUEIG_CPU, GPUEIG_DEVICE, 0, 0, 0 },
  { "gpu", GPUEIG_CUDA, GPUEIG_HOST, 0, 0, 0 },
  { "gpu, chunks", GPUEIG_CUDA, GPUEIG_HOST, 1, 0, 2 },
  { "gpus", GPUEIG_CUDA, GPUEIG_HOST, 0, 1, 50 },
  { "array", GPUEIG_CUDA, GPUEIG_DEVICE, 0, 0, 0 },
  { "array, chunks", GPUEIG_CUDA, GPUEIG_DEVICE, 1, 0, 2 },
  { "array, gpus", GPUEIG_CUDA, GPUEIG_DEVICE, 0, 1, 0 },
  { "auto", GPUEIG_AUTO, GPUEIG_HOST, 1, 0, 2 },
  { "auto, gpus", GPUEIG_AUTO, GPUEIG_HOST, 0, 1, 0 },
  { "auto array", GPUEIG_AUTO, GPUEIG_DEVICE, 1, 0, 2 },
  { "mpi", GPUEIG_MPI, GPUEIG_HOST, 1, 0, 0 },
};

/* What is special about a problem; of a stack about the page in its middle, which has the
   KIND.  */
enum
{
  HIGH = 1 << 0,        /* accuracy; A is definite, but that page of a stack */
  SWEEP = 1 << 1,       /* one is the limit */
  INDEX = 1 << 2,       /* part of the spectrum */
  INTERVAL = 1 << 3,    /* part of the spectrum */
  PAIR = 1 << 4,        /* with a definite B */
  ILL = 1 << 5,         /* B is ill-conditioned */
  NEGATIVE = 1 << 6,    /* B is indefinite */
  FLAGS = 1 << 7,       /* of pages with indefinite B */
  MARKS = 1 << 8,       /* every other page of a general problem is symmetric */
  DIAGONALS = 1 << 9,   /* instead of A */
  VALUES = 1 << 10,     /* without vectors */
  NOT_FINITE = 1 << 11, /* A */
  UNEQUAL = 1 << 12,    /* A is not symmetric */
  BAND = 1 << 13,       /* of an inverse */
  COLUMNS = 1 << 14,    /* of an inverse */
  WEAK = 1 << 15,       /* diagonal of a tridiagonal matrix */
  SPOILED = 1 << 16,    /* LAPACK's singular values fail */
  STEEP = 1 << 17,      /* A is indefinite, its diagonal positive, to 1e31 */
  GUESS = 1 << 18
};

/* Calls of a solver by a method, or by each if METHOD is NULL, for TYPES.  */
typedef struct
{
  enum
  {
    FEW, /* ways */
    ALL,
    FAILURES, /* each allocation, call of CUDA and interrupt of a call */
    FAKE      /* what GPUEIG_FAKE names, the name of the row */
  } how;
  const char *types, *name;
  int solver;
  const char *method;
  int64_t n, pages;
  int kind;
  unsigned traits;
} row;

/* clang-format off */
static const row rows[] = {
  { ALL, "d", "random", EACH, NULL, 33, 1, RANDOM, 0 },
  { FEW, "scz", "random", EACH, NULL, 33, 1, RANDOM, 0 },
  { ALL, "d", "random", EACH, NULL, 9, 5, RANDOM, 0 },
  { FEW, "scz", "random", EACH, NULL, 9, 5, RANDOM, 0 },
  { FEW, "d", "no vectors", EACH, "auto", 9, 5, RANDOM, VALUES },
  { FEW, "sd", "huge", EACH, "auto", 9, 3, PAGE_HUGE, 0 },
  { FEW, "sd", "tiny", EACH, "auto", 9, 3, PAGE_TINY, 0 },
  { FEW, "d", "zeros", EACH, "auto", 9, 3, PAGE_ZERO, 0 },
  { FEW, "d", "symmetric", EACH, "auto", 9, 3, PAGE_SYMMETRIC, 0 },
  { FEW, "d", "defective", EACH, "auto", 9, 3, PAGE_DEFECTIVE, 0 },
  { FEW, "d", "triangle", EACH, "auto", 9, 3, PAGE_TRIANGULAR, 0 },
  { FEW, "d", "NaN", EACH, "auto", 9, 3, RANDOM, NOT_FINITE },
  { FEW, "d", "unequal", EACH, "auto", 9, 3, RANDOM, UNEQUAL },
  { FEW, "sd", "high", EACH, NULL, 9, 1, RANDOM, HIGH },
  { FEW, "d", "high", EACH, "auto", 9, 3, RANDOM, HIGH },
  { FEW, "d", "one sweep", EACH, NULL, 24, 5, RANDOM, SWEEP },
  { FEW, "d", "one sweep", EACH, NULL, 97, 1, RANDOM, SWEEP },
  { FEW, "d", "defective", SOLVE_COMPLEX, "shroff", 9, 5, PAGE_DEFECTIVE, 0 },
  { FEW, "dz", "joined", SOLVE_EIG, NULL, 130, 3, PAGE_JOINED, 0 },
  { FEW, "sd", "joined", SOLVE_EIG, NULL, 130, 1, PAGE_JOINED, 0 },
  { FEW, "d", "joined", SOLVE_EIG, "syevd", 401, 1, PAGE_JOINED, 0 },
  { FEW, "sd", "joined", SOLVE_MRRR, NULL, 130, 1, PAGE_JOINED, 0 },
  { FEW, "d", "joined", SOLVE_MRRR, "stevd", 130, 3, PAGE_JOINED, 0 },
  { FEW, "sd", "T", SOLVE_MRRR, NULL, 40, 3, PAGE_GLUED, DIAGONALS },
  { FEW, "sd", "part", SOLVE_EIG, "auto", 40, 3, RANDOM, INDEX },
  { FEW, "sd", "part", SOLVE_MRRR, NULL, 40, 1, RANDOM, INDEX },
  { FEW, "sd", "between", SOLVE_EIG, "auto", 40, 1, RANDOM, INTERVAL },
  { ALL, "sd", "pair", SOLVE_EIG, NULL, 9, 5, RANDOM, PAIR },
  { FEW, "d", "one sweep", SOLVE_EIG, NULL, 24, 5, RANDOM, PAIR | SWEEP },
  { FEW, "d", "pair, part", SOLVE_EIG, "auto", 40, 3, RANDOM, PAIR | INDEX },
  { FEW, "sd", "ill", SOLVE_EIG, NULL, 40, 3, RANDOM, PAIR | ILL },
  { FEW, "d", "ill", SOLVE_EIG, "auto", 150, 1, RANDOM, PAIR | ILL },
  { FEW, "d", "minus", SOLVE_EIG, NULL, 9, 5, RANDOM, PAIR | NEGATIVE },
  { ALL, "d", "minus", SOLVE_EIG, "auto", 9, 5, RANDOM, PAIR | NEGATIVE | FLAGS },
  { FEW, "d", "pair", SOLVE_JACOBI, "auto", 9, 3, RANDOM, PAIR | HIGH },
  { FEW, "d", "hard", SOLVE_JACOBI, "auto", 12, 1, PAGE_RANK_ONE, PAIR | ILL },
  { FEW, "d", "hard", SOLVE_JACOBI, "auto", 14, 1, PAGE_RANK_ONE, PAIR | ILL },
  { FEW, "sd", "guess", SOLVE_JACOBI, NULL, 20, 3, RANDOM, GUESS },
  { FEW, "sd", "steep", SOLVE_JACOBI, "auto", 9, 3, RANDOM, HIGH | STEEP },
  { FEW, "sd", "steep", SOLVE_ONESIDED, "auto", 9, 3, RANDOM, HIGH | STEEP },
  { FEW, "s", "steep", SOLVE_JACOBI, "auto", 9, 1, RANDOM, HIGH | STEEP },
  { FEW, "sd", "pair", SOLVE_EIG, "auto", 9, 3, RANDOM, PAIR | HIGH },
  { FEW, "d", "large", SOLVE_EIG, "auto", 401, 1, RANDOM, PAIR | INDEX },
  { FEW, "d", "large", SOLVE_EIG_GENERAL, "geev", 501, 1, RANDOM, VALUES },
  { FEW, "d", "large", SOLVE_SVD, "gesdd", 520, 1, RANDOM, 0 },
  { FEW, "d", "marked", SOLVE_EIG_GENERAL, "auto", 9, 1, RANDOM, MARKS },
  { ALL, "d", "mixed", SOLVE_EIG_GENERAL, "auto", 9, 5, RANDOM, MARKS },
  { FEW, "d", "joined", SOLVE_EIG_GENERAL, "auto", 130, 3, PAGE_JOINED, MARKS },
  { FEW, "d", "pairs", SOLVE_EIG_GENERAL, "auto", 9, 5, RANDOM, PAIR },
  { ALL, "d", "pairs", SOLVE_EIG_GENERAL, "auto", 9, 3, RANDOM, PAIR | MARKS | NEGATIVE },
  { FEW, "sd", "weak", SOLVE_TDINV, NULL, 40, 1, RANDOM, WEAK },
  { FEW, "sd", "band", SOLVE_TDINV, "auto", 40, 1, RANDOM, BAND },
  { FEW, "sd", "columns", SOLVE_TDINV, "auto", 40, 1, RANDOM, COLUMNS },
  { FEW, "d", "spoiled", SOLVE_SVD, NULL, 12, 3, PAGE_GRADED, SPOILED },
  { FEW, "d", "spoiled", SOLVE_SVD, NULL, 12, 3, RANDOM, SPOILED | VALUES },
  { FEW, "d", "spoiled", SOLVE_SVD, "auto", 12, 3, RANDOM, SPOILED | HIGH },
  { FEW, "s", "engine", SOLVE_EIG, "elpa1", 9, 2, RANDOM, 0 },
  { FAILURES, "d", "", EACH, "auto", 5, 3, RANDOM, 0 },
  { FAILURES, "d", "glued", SOLVE_EIG, "mrrr", 40, 1, PAGE_GLUED, 0 },
  { FAILURES, "d", "glued", SOLVE_MRRR, "mrrr", 40, 1, PAGE_GLUED, 0 },
  { FAILURES, "d", "mixed", SOLVE_EIG_GENERAL, "auto", 9, 5, RANDOM, MARKS },
  { FAKE, "d", "state", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "state", SOLVE_EIG, "auto", 9, 5, RANDOM, PAIR },
  { FAKE, "d", "left", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "left", SOLVE_EIG, "auto", 9, 5, RANDOM, PAIR },
  { FAKE, "ds", "left", SOLVE_EIG, "auto", 9, 5, RANDOM, PAIR | INDEX },
  { FAKE, "d", "left", SOLVE_EIG, "auto", 9, 1, RANDOM, PAIR | INTERVAL },
  { FAKE, "d", "order", SOLVE_EIG, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "failed", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "memory", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "copies", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "pages", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "small", SOLVE_EIG, "auto", 200, 1, RANDOM, 0 },
  { FAKE, "d", "one", SOLVE_EIG, "auto", 24, 180, RANDOM, 0 },
  { FAKE, "d", "one memory", SOLVE_EIG, "auto", 24, 180, RANDOM, 0 },
  { FAKE, "d", "slow", SOLVE_EIG, "auto", 24, 180, RANDOM, 0 },
  { FAKE, "d", "failed", SOLVE_MRRR, "mrrr", 1400, 1, PAGE_WILKINSON, DIAGONALS },
  { FAKE, "d", "lost", EACH, "auto", 9, 5, RANDOM, 0 },
  { FAKE, "d", "one lost", SOLVE_EIG, "auto", 24, 180, RANDOM, 0 },
  { ALL, "d", "shared", EACH, "auto", 24, 180, RANDOM, 0 },
  { ALL, "d", "steep", SOLVE_ONESIDED, "auto", 24, 180, RANDOM, HIGH | STEEP },
  { ALL, "d", "shared", SOLVE_TDINV, "auto", 1500, 1, RANDOM, 0 },
  { ALL, "d", "shared", SOLVE_MRRR, "mrrr", 1500, 1, PAGE_WILKINSON, DIAGONALS },
  { ALL, "d", "glued", SOLVE_MRRR, "mrrr", 1500, 1, PAGE_GLUED, DIAGONALS },
};
/* clang-format on */

/* Fallbacks that calls must have, with GPUs of place_plugin and with real ones.  */
static const char *const wanted[2]
    = { "eig:cpu eig:mrrr eig:syevd jacobi_eig:cpu jacobi_eig:shifted "
        "jacobi_eig:syevd onesided_eig:cpu onesided_eig:shifted mrrr:cpu "
        "mrrr:mrrr mrrr:stevd eig_general:cpu eig_general:geev "
        "complex_eig:cpu complex_eig:geev schur:cpu schur:gees svd:cpu "
        "svd:gesdd svd:gesvd tdinv:cpu tdinv:generators sqrtm:cpu sqrtm:gees "
        "logm:gees polar:gesdd pinv:gesdd",
        "eig:cpu eig:mrrr eig:onesided eig:syevd jacobi_eig:shifted "
        "onesided_eig:cpu onesided_eig:shifted mrrr:mrrr mrrr:stevd "
        "eig_general:geev complex_eig:geev schur:gees svd:cpu "
        "tdinv:generators" };

#endif
