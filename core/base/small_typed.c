/* Products of small matrices, see products.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   In OpenBLAS a product takes a buffer, under one lock for all threads: pages of stacks
   on many threads wait for each other.  */

#include "base/products.h"

enum
{
  SMALL = 256, /* sizes up to it are for this file */
  PARTS = 2,   /* real and imaginary, or two vectors of rows */
  STRIP = 64   /* columns of half a larger product */
};

/* Here s += x y is an fma.  */
#ifdef __clang__
#  define CONTRACTED
#else
#  define CONTRACTED __attribute__ ((optimize ("fp-contract=fast")))
#endif

#define BYTES 32
#define SIZED(name) name##_32
/* See is_supported.  */
#if GE_HAVE_CLONES
#  define TARGET __attribute__ ((target ("fma")))
#else
#  define TARGET
#endif
#include "base/small_tiles.h"

#if GE_HAVE_CLONES
#  define BYTES 64
#  define SIZED(name) name##_64
#  define TARGET __attribute__ ((target ("avx512f,fma")))
#  include "base/small_tiles.h"
#endif

/* Nonzero where fma is an instruction; elsewhere OpenBLAS is faster.  */
static int
is_supported (void)
{
#if ! defined __x86_64__
  return 1;
#elif GE_HAVE_CLONES
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
#else
  return 0;
#endif
}

/* As ge_gemm; LOWER: the tiles that intersect the lower triangle.  Rows that fill half a tile
   of long vectors at most are left to short ones.  */
static void
multiply_small (int lower, char opx, char opy, int64_t m, int64_t n, int64_t k,
                real_t alpha, const scalar_t *x, int64_t ldx, const scalar_t *y,
                int64_t ldy, real_t beta, scalar_t *z, int64_t ldz)
{
  int64_t done = 0;
#if GE_HAVE_CLONES
  const int64_t rows = 64 / (int) sizeof (real_t) * (GE_COMPLEX ? 1 : PARTS),
                rest = m % rows;
  if (__builtin_cpu_supports ("avx512f"))
    done = rest > rows / 2 || (lower && m > rows / 2) ? m : m - rest;
  if (done > 0)
    multiply_small_64 (lower, opx, opy, done, n, k, alpha, x, ldx, y, ldy, beta,
                       z, ldz);
#endif
  if (done < m)
    multiply_small_32 (lower, opx, opy, m - done, n, k, alpha,
                       x + (opx == 'N' ? done : done * ldx), ldx, y, ldy, beta,
                       z + done, ldz);
}

void
FN (ge_gemm) (const char *opx, const char *opy, int64_t m, int64_t n, int64_t k,
              int alpha, const scalar_t *x, int64_t ldx, const scalar_t *y,
              int64_t ldy, int beta, scalar_t *z, int64_t ldz)
{
  if (m <= 0 || n <= 0)
    return;
  if (m <= SMALL && n <= SMALL && k <= SMALL && is_supported ())
    multiply_small (0, *opx, *opy, m, n, k, (real_t) alpha, x, ldx, y, ldy,
                    (real_t) beta, z, ldz);
  else
    multiply_ (opx, opy, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
}

void
FN (ge_half_gemm) (int64_t n, const scalar_t *x, const scalar_t *y, scalar_t *z)
{
  const int small = n <= SMALL && is_supported ();
  if (small)
    multiply_small (1, 'N', 'N', n, n, n, 1, x, n, y, n, 0, z, n);
  for (int64_t j = 0; j < n && ! small; j += STRIP)
    {
      const int64_t columns = n - j < STRIP ? n - j : STRIP;
      FN (ge_gemm)
      ("N", "N", n - j, columns, n, 1, x + j, n, y + j * n, n, 0, z + j + j * n,
       n);
    }
}
