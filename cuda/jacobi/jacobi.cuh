/* Declarations shared by the files of gpu_jacobi_eig on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   jacobi_eig.cu   pages, scaling, choice of the method, sorting
   shared.cuh      element-wise sweeps in shared memory
   small.cu        pages of order up to 64, one thread block each
   block.cu        blocked cyclic Jacobi
   refine.cu       refinement of approximate eigenvectors by matrix products
   qr.cu           orthonormalization by Householder QR
   cyclic.cu       element-wise cyclic Jacobi in global memory
   published/classical.cu  pivoting by the largest element; for comparison with
                   the paper, not in "auto"  */

#ifndef GE_JACOBI_CUH
#define GE_JACOBI_CUH 1

#include "base/numbers.cuh"
#include "base/scalar.cuh"
#include "base/schedule.h"
#include "jacobi/control.h"

/* --- arithmetic for the four types --- */

GE_DEVICE_INLINE float
inverse_root (float x)
{
  return rsqrtf (x);
}
GE_DEVICE_INLINE double
inverse_root (double x)
{
  return rsqrt (x);
}

/* The Jacobi rotation of [a g; g b] by two reciprocal square roots and no
   division, a third of the latency: with d = b - a, h = sqrt (d^2 + 4 g^2), cos
   2 theta = |d| / h, c = sqrt ((1 + |d| / h) / 2), s = g / (h c).  One
   correction makes c^2 + s^2 = 1 to rounding, without bias (see
   ge_tangent_to_cs). d^2 + 4 g^2 must neither overflow nor vanish.  */
template <typename R>
GE_DEVICE_INLINE void
quick_rotation (R a, R b, R g, R *s, R *c, R *t)
{
  R d = b - a, half = (R) 0.5;
  R r = inverse_root (fma (d, d, 4 * g * g));
  R q = fma (half * fabs (d), r, half), rc = inverse_root (q);
  R sine = (d < 0 ? -g : g) * r * rc, cosine = q * rc;
  R left = fma (-sine, sine, fma (-cosine, cosine, (R) 1));
  *s = sine;
  *c = fma (half * left, rc, cosine);
  *t = sine * rc;
}

/* rotate_elements: elements of two columns, x <- c
   x - conj (w) y, y <- w x + c y; for two rows the caller passes conj (w).  */
#define GE_REAL_OPS(R)                                                          \
  GE_DEVICE_INLINE R square_of (R x) { return x * x; }                          \
  GE_DEVICE_INLINE R size_of (R x) { return fabs (x); }                         \
  GE_DEVICE_INLINE void rotate_elements (R c, R w, R *x, R *y)                  \
  {                                                                             \
    R u = *x, v = *y;                                                           \
    *x = fma (c, u, -w * v);                                                    \
    *y = fma (w, u, c * v);                                                     \
  }                                                                             \
  /* c, w, and t |g| of the rotation of [a g; conj (g) b].  SAFE: for any     \
     range of the elements; else squares must not underflow.  */ \
  GE_DEVICE_INLINE void rotation_of (R a, R b, R g, int safe, R *c, R *w,       \
                                     R *tg)                                     \
  {                                                                             \
    if (safe)                                                                   \
      {                                                                         \
        R t = ge_jacobi_tangent (a, b, g);                                      \
        ge_tangent_to_cs (t, c, w);                                             \
        *tg = t * g;                                                            \
      }                                                                         \
    else                                                                        \
      {                                                                         \
        R s, t;                                                                 \
        quick_rotation (a, b, g, &s, c, &t);                                    \
        *w = s;                                                                 \
        *tg = t * g;                                                            \
      }                                                                         \
  }
GE_REAL_OPS (float)
GE_REAL_OPS (double)

#define GE_COMPLEX_OPS(C, R, MAKE)                                             \
  GE_DEVICE_INLINE R square_of (C x) { return x.x * x.x + x.y * x.y; }         \
  GE_DEVICE_INLINE R size_of (C x) { return ge_hypot (x.x, x.y); }             \
  GE_DEVICE_INLINE void rotate_elements (R c, C w, C *x, C *y)                 \
  {                                                                            \
    C u = *x, v = *y, minus = MAKE (-w.x, w.y);                                \
    *x = mul_add (minus, v, times (c, u));                                     \
    *y = mul_add (w, u, times (c, v));                                         \
  }                                                                            \
  GE_DEVICE_INLINE void rotation_of (R a, R b, C g, int safe, R *c, C *w,      \
                                     R *tg)                                    \
  {                                                                            \
    R size, pr, pi, s, t;                                                      \
    if (safe)                                                                  \
      {                                                                        \
        ge_phase (g.x, g.y, &size, &pr, &pi);                                  \
        t = ge_jacobi_tangent (a, b, size);                                    \
        ge_tangent_to_cs (t, c, &s);                                           \
      }                                                                        \
    else                                                                       \
      {                                                                        \
        R square = square_of (g), inverse = inverse_root (square);             \
        size = square * inverse;                                               \
        pr = g.x * inverse;                                                    \
        pi = g.y * inverse;                                                    \
        quick_rotation (a, b, size, &s, c, &t);                                \
      }                                                                        \
    *w = MAKE (s * pr, s * pi);                                                \
    *tg = t * size;                                                            \
  }
GE_COMPLEX_OPS (cuComplex, float, make_cuComplex)
GE_COMPLEX_OPS (cuDoubleComplex, double, make_cuDoubleComplex)

/* Nonzero if the off-diagonal element G is negligible, as ge_negligible; by
   squares unless SAFE.  */
template <typename T, typename R>
GE_DEVICE_INLINE int
negligible (R a, R b, T g, R tol, R floor, int safe)
{
  if (safe)
    return ge_negligible (a, b, size_of (g), tol, floor);
  R size2 = square_of (g);
  return size2 <= floor * floor || size2 <= tol * tol * fabs (a * b);
}

/* --- control and results --- */

/* Comparison for qsort: ascending values, equal ones by column.  */
typedef struct
{
  double value;
  int64_t column;
} jacobi_key;

static inline int
jacobi_compare_keys (const void *x, const void *y)
{
  const jacobi_key *a = (const jacobi_key *) x, *b = (const jacobi_key *) y;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  return a->column < b->column ? -1 : 1;
}

/* The order padded to whole pairs of blocks, the leading dimension of all
   matrices of the block method.  */
static inline int64_t
ge_jacobi_padded (int64_t n)
{
  return (n + GE_JACOBI_PAIR - 1) / GE_JACOBI_PAIR * GE_JACOBI_PAIR;
}

static inline void
ge_jacobi_note (gpueig_context *ctx, gpueig_info *info, const char *what,
                double off)
{
  ge_info_off (info, off);
  ge_report (ctx, "jacobi %-9s %3lld  off(A)/norm(A) = %.3e", what,
             (long long) info->sweeps, off);
}

static inline gpueig_status
ge_jacobi_unfinished (gpueig_context *ctx, const ge_jacobi_control *control)
{
  return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                      "no convergence in %lld sweeps, the best approximation "
                      "so far is returned",
                      (long long) control->max_sweeps);
}

/* The disjoint pairs of blocks of a parallel step: a round of the round-robin
   ordering or, with NEIGHBOURS, pairs of adjacent blocks shifted by ROUND
   blocks.  */
typedef struct
{
  int blocks;
  int neighbours;
  int round; /* or the shift */
} ge_pairing;

GE_INLINE void
ge_pair_blocks (ge_pairing p, int pair, int *first, int *second)
{
  if (! p.neighbours)
    {
      ge_round_pair (p.blocks, p.round, pair, first, second);
      return;
    }
  *first = (2 * pair + p.round) % p.blocks;
  *second = (2 * pair + p.round + 1) % p.blocks;
}

/* How the 64-by-64 problem of a pair of blocks is solved: one sweep over the
   cross pairs or, with ALL_PAIRS, over all pairs of its columns; with WINDOW to
   convergence, where an angle is so large that first-order perturbation theory
   is not accurate.  */
typedef struct
{
  int all_pairs, window;
  double tol, floor, share;
} ge_pair_task;

/* --- whole matrices on the device; LD = ge_jacobi_padded (n), zero padding ---

   On entry A is the matrix, scaled to elements of at most 1, and V (NULL: not
   wanted) a unitary matrix X.  On exit A is diagonal to working precision, and V
   is X times the eigenvectors of A.  */

template <typename T>
gpueig_status ge_cuda_jacobi_block (gpueig_context *ctx, int64_t n, T *a, T *v,
                                    double norm, double floor,
                                    const ge_jacobi_control *control,
                                    gpueig_info *info);

/* One parallel step: solve the problems of all pairs and apply the rotations to
   A and V (may be NULL), and to a second Hermitian matrix R (may be NULL).  U:
   64 by 64 numbers for each pair; ACTIVE: a flag for each pair, nonzero if it
   was rotated.  */
template <typename T>
gpueig_status ge_cuda_jacobi_round (gpueig_context *ctx, ge_pairing pairing,
                                    ge_pair_task task, int64_t ld, T *a, T *v,
                                    T *r, T *u, int *active);

/* Element-wise rotations only, for high relative accuracy.  NORM is that of UNIT A,
   whose squares are in range.  */
template <typename T>
gpueig_status ge_cuda_jacobi_cyclic (gpueig_context *ctx, int64_t n, T *a, T *v,
                                     double unit, double norm,
                                     const ge_jacobi_control *control,
                                     gpueig_info *info);

/* V: approximate eigenvectors on entry.  A is not changed; the eigenvalues are
   returned in LAMBDA.  */
template <typename T>
gpueig_status
ge_cuda_jacobi_refine (gpueig_context *ctx, int64_t n, const T *a, T *v,
                       typename real_of<T>::type *lambda, double norm,
                       const ge_jacobi_control *control, gpueig_info *info);

/* Replace the n-by-n X by the Q of its QR factorisation.  Synchronises.  */
template <typename T>
gpueig_status ge_cuda_orthonormalize (gpueig_context *ctx, int64_t n,
                                      int64_t ld, T *x);

template <typename T>
gpueig_status ge_cuda_jacobi_classical (gpueig_context *ctx, int64_t n, T *a,
                                        T *v, double norm,
                                        const ge_jacobi_control *control,
                                        gpueig_info *info);

/* All pages of a stack of order up to 64, on the device; *UNFINISHED: the
   number of pages that did not converge.  */
template <typename T>
gpueig_status ge_cuda_jacobi_small (gpueig_context *ctx, int64_t n,
                                    int64_t pages, const T *a, T *v,
                                    typename real_of<T>::type *lambda,
                                    const ge_jacobi_control *control,
                                    int64_t *sweeps, int64_t *unfinished);

/* *OFF2: sum of the squared moduli off the diagonal, times UNIT^2; *COUNT: number of elements
   above the diagonal that are not negligible.  Synchronises.  */
template <typename T>
gpueig_status ge_cuda_jacobi_measure (gpueig_context *ctx, int64_t n,
                                      const T *a, int64_t ld, double tol,
                                      double floor, int safe, double unit,
                                      double *off2, int64_t *count);

#endif
