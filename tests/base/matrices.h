/* Test matrices with names: pages of stacks, hard symmetric ones, LAPACK's and hard general
   ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MATRICES_H
#define MATRICES_H 1

#include "check.h"

/* X (KIND, name, element): the element (I, J) of a matrix of order N, or LENGTH as a number.
   X, R, OTHER: a random matrix, its element, and that of its conjugate transpose; TO: where a
   permutation sends a row; TURN: -i for complex matrices, else 1; SMALL and BIG depend on the
   precision.  Symmetric pages are completed from their upper triangles.  First those of
   stacks.  */
#define EACH_PAGE(X)                                                           \
  X (ZERO, "zero", 0)                                                          \
  X (IDENTITY, "identity", i == j)                                             \
  X (MULTIPLE, "multiple", i == j ? 3.25 : 0)                                  \
  X (TRIANGULAR, "triangular", i == j || (i < j && ! symmetric) ? r : 0)       \
  X (DEFECTIVE, "defective", i == j ? 1 : i + 1 == j)                          \
  X (SYMMETRIC, "symmetric", (r + other) / 2)                                  \
  X (SKEW, "skew",                                                             \
     ! symmetric         ? (r - other) / 2                                     \
     : cimag (turn) != 0 ? I * (r - other) / 2                                 \
                         : i + j == n - 1)                                     \
  X (PERMUTATION, "permutation", (to[i] == j) + (symmetric && to[j] == i))     \
  X (GRADED, "graded",                                                         \
     (i == j ? 5 : r) * pow (10, -6 * (double) (i + j) / length))              \
  X (RANK_ONE, "rank one", x[i] * conj (symmetric ? x[j] : x[n * n - 1 - j]))  \
  X (HUGE, "huge", ldexp (1, big) * r)                                         \
  X (TINY, "tiny", ldexp (1, -big) * r)                                        \
  X (CLUSTER, "cluster", (i == j) + r * small)                                 \
  X (RANDOM, "random", r)                                                      \
  X (WILKINSON, "Wilkinson",                                                   \
     i == j       ? fabs ((double) (2 * i - n + 1) / 2)                        \
     : i + 1 == j ? turn                                                       \
                  : 0)                                                         \
  X (GLUED, "glued",                                                           \
     i == j        ? fabs ((double) (i % 21 - 10))                             \
     : i + 1 != j  ? 0                                                         \
     : j % 21 == 0 ? 1e-7 * turn                                               \
                   : turn)                                                     \
  X (CLEMENT, "Clement",                                                       \
     i + 1 == j ? sqrt ((double) (j * (n - j))) * turn : 0)                    \
  X (GEOMETRIC, "geometric",                                                   \
     i == j       ? exp2 ((double) -i)                                         \
     : i + 1 == j ? exp2 ((double) -j) * turn                                  \
                  : 0)                                                         \
  X (NEGLIGIBLE, "negligible", /* squares near those that are left out */      \
     i == j ? 2                                                                \
            : pow (10, -(big > 500 ? 149 : 16) - 4 / (1 + cabs (r)))           \
                  * (creal (r) > 0 ? turn : 1))

/* Symmetric ones that are not for stacks; with JOINED LAPACK's divide and conquer fails, and
   GROUPS, a diagonal of a few values with widths of their own, are reflected.  */
#define EACH_SYMMETRIC(X)                                                      \
  X (PLUS_MINUS, "plus-minus", i == j ? 1 - 2 * (double) (i % 2) : 0)          \
  X (EXCHANGE, "exchange", i + j == n - 1)                                     \
  X (KRON, "kron", i < n / 2 && j >= (n + 1) / 2 ? r : 0)                      \
  X (BIPARTITE, "bipartite", i<n / 2 && j >= (n + 1) / 2 && creal (r)> 0)      \
  X (GRAM, "gram", gram (n, i, j, x))                                          \
  X (TWO_CLUSTERS, "two clusters",                                             \
     (i != j       ? 0                                                         \
      : i % 3 == 0 ? 2                                                         \
                   : -1)                                                       \
         + r * (big > 500 ? 1e-9 : 1e-4))                                      \
  X (ONES, "ones", 1)                                                          \
  X (JOINED, "joined blocks",                                                  \
     i == j       ? fabs ((double) (i % 6) - 2.5)                              \
     : i + 1 == j ? turn * (i % 6 == 5 ? pow (10, -joint[i / 6 % 7]) : 1)      \
                  : 0)                                                         \
  X (GROUPS, "groups",                                                         \
     i == j ? (double) (i % 5 - 2)                                             \
                  + creal (r) * pow (10, -17 * (double) (i % 5) / 4)           \
            : 0)

/* General ones, accurate to USUAL_QR from ANY on.  */
#define EACH_GENERAL(X)                                                        \
  X (KAHAN, "kahan",                                                           \
     i > j ? 0 : pow (sin (1.2), (double) i) * (i == j ? 1 : -cos (1.2)))      \
  X (OF_ROOTS, "companion of 1 .. n", of_roots (n, i, j))                      \
  X (UPPER_ONES, "upper ones", j > i)                                          \
  X (TWO_CYCLES, "two cycles", two_cycles (n, i, j))                           \
  X (TOEPLITZ, "toeplitz", j == i + 1 ? 1 : i == j + 1 ? 0.01 : 0)             \
  X (SINES, "sines",                                                           \
     j < i ? 0                                                                 \
           : sin ((double) (3 * i + 7 * j + n)) + I * cos ((double) (i * j)))  \
  X (GRADED_SINES, "graded sines",                                             \
     (1 + sin ((double) (3 * i + 7 * j)))                                      \
         * pow (10, 8 * (double) (i - j) / length))                            \
  X (SMOKE, "smoke",                                                           \
     i == j ? cexp (2 * I * 3.14159265358979 * (double) i / length)            \
            : (i + 1) % n == j)                                                \
  X (RANK_ONE_SINES, "rank one of sines",                                      \
     (double) (i + 1) * sin ((double) (j + 1)))                                \
  X (ANY, "random", r)                                                         \
  X (CYCLIC, "cyclic", i == (j + 1) % n)                                       \
  X (NEAR_JORDAN, "perturbed Jordan block",                                    \
     i == j || j == i + 1 ? 1                                                  \
     : i == j + 1         ? 1e-9                                               \
                          : 0)                                                         \
  X (ALL_ONES, "ones", 1)                                                      \
  X (SIGNED_CYCLIC, "signed cyclic", i == (j + 1) % n ? i == 0 ? -1 : 1 : 0)   \
  X (GRADED_8, "graded", r *pow (10, -8 * (double) (i + j) / length))          \
  X (COMPANION, "companion", i == j + 1 ? 1 : i == 0 ? r : 0)                  \
  X (SCALED, "scaled", r *pow (10, 6 * (double) (i - j) / length))             \
  X (TWO_BLOCKS, "two blocks", (i < n / 2) == (j < n / 2) ? r : 0)             \
  X (NILPOTENT, "nilpotent", j == i + 1)                                       \
  X (FOUR_VALUES, "four values", i == j ? (double) (i % 4) : 1e-14 * r)        \
  X (GRCAR, "grcar", j == i - 1 ? -1 : j >= i && j <= i + 3)                   \
  X (CLEMENT_GENERAL, "clement",                                               \
     i == j + 1   ? (double) (j + 1) / length                                  \
     : j == i + 1 ? (double) (n - 1 - i) / length                              \
                  : 0)                                                         \
  X (FRANK, "frank",                                                           \
     j >= i - 1 ? (length - (double) (i > j ? i : j)) / length : 0)            \
  X (REFLECTIONS, "reflections", (i == j) - 2 / length) /* -1 once, else 1 */  \
  X (DED_IN, "ded.in", ded_in (n, i, j))                                       \
  X (STOCHASTIC, "stochastic", fabs (creal (r)) / length)                      \
  X (TINY_SUBDIAGONALS, "tiny subdiagonals",                                   \
     i <= j       ? r                                                          \
     : i == j + 1 ? 1e-11 * r                                                  \
                  : 0)                                                         \
  X (REPEATED, "repeated blocks",                                              \
     i / 4 == j / 4 ? sin ((double) (4 * (i % 4) + j % 4 + 1))                 \
     : i < j        ? 1e-3 * r                                                 \
                    : 0)                                                              \
  X (SHIFT, "shift", i == j + 1 ? 1 : j == n - 1 ? 1e-3 * r : 0)               \
  X (ISOLATED, "isolated eigenvalues",                                         \
     i > j && (j < n / 8 || i >= n - n / 8) ? 0 : r)

#define PAGE_NUMBER(kind, name, element) PAGE_##kind,
enum
{
  EACH_PAGE (PAGE_NUMBER) PAGE_KINDS,
  BEFORE_SYMMETRIC = PAGE_KINDS - 1,
  EACH_SYMMETRIC (PAGE_NUMBER) HARD_KINDS,
  BEFORE_GENERAL = HARD_KINDS - 1,
  EACH_GENERAL (PAGE_NUMBER) ALL_PAGES
};

extern const char *const page_kind_name[ALL_PAGES];

/* A page of order N to A, with SYMMETRIC equal to its conjugate transpose.  */
void mixed_page (measure_random *r, int kind, gpueig_type type, int64_t n,
                 int symmetric, void *a);

/* A symmetric matrix, the same for each KIND, TYPE and N.  */
void hard_matrix (int kind, gpueig_type type, int64_t n, void *a);

/* General matrix KIND: LAPACK's types 1 .. 21 (TESTING/EIG/zdrvev.f), those of stacks, general
   ones; its name, NULL if there is none of order N.  LAPACK's: zero, identity, Jordan block;
   diagonal with even, geometric, clustered moduli and random phases, the same times large and
   small numbers; U' T U with the three distributions and random moduli; X^-1 T X with
   cond (X) = 1 / sqrt (eps), scaled too; dense random, scaled too, with rows and columns
   of zeros that leave four eigenvalues 0.  */
enum
{
  GENERAL_ZEROS = 18, /* LAPACK's types 19 .. 21 */
  GENERAL_TYPES = 21,
  GENERAL_RANDOM = GENERAL_TYPES + PAGE_KINDS + PAGE_ANY - HARD_KINDS,
  GENERAL_ALL = GENERAL_TYPES + PAGE_KINDS + ALL_PAGES - HARD_KINDS
};
const char *general_any (uint64_t seed, int kind, gpueig_type type, int64_t n,
                         char *a);

#endif
