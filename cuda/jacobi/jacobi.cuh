/* Declarations shared by the files of gpu_jacobi_eig on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   jacobi_eig.cu   choice of the method; one page: scaling, sorting
   start.cu        eigenvectors by the solvers of gpu_eig, and which pages they are not
                   accurate for
   refine.cu       refinement of approximate eigenvectors by matrix products
   onesided_eig.cu gpu_onesided_eig: rotations of columns; large matrices as gpu_jacobi_eig
   windows.cu      close eigenvalues in adjacent columns; shared.cuh: its sweeps
   published/classical.cu  pivoting by the largest element; for comparison with
                   the paper, not in "auto"  */

#ifndef GE_JACOBI_CUH
#define GE_JACOBI_CUH 1

#include "base/numbers.cuh"
#include "base/scalar.cuh"
#include "base/round_robin.h"
#include "jacobi/control.h"

/* --- arithmetic for the four types --- */

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
#define GE_REAL_OPS(R)                                                         \
  GE_DEVICE_INLINE R square_of (R x) { return x * x; }                         \
  GE_DEVICE_INLINE R size_of (R x) { return fabs (x); }                        \
  GE_DEVICE_INLINE void rotate_elements (R c, R w, R *x, R *y)                 \
  {                                                                            \
    R u = *x, v = *y;                                                          \
    *x = fma (c, u, -w * v);                                                   \
    *y = fma (w, u, c * v);                                                    \
  }                                                                            \
  /* c, w, and t |g| of the rotation of [a g; conj (g) b].  */                 \
  GE_DEVICE_INLINE void rotation_of (R a, R b, R g, R *c, R *w, R *tg)         \
  {                                                                            \
    R s, t;                                                                    \
    quick_rotation (a, b, g, &s, c, &t);                                       \
    *w = s;                                                                    \
    *tg = t * g;                                                               \
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
  GE_DEVICE_INLINE void rotation_of (R a, R b, C g, R *c, C *w, R *tg)         \
  {                                                                            \
    R square = square_of (g), inverse = inverse_root (square);                 \
    R size = square * inverse, pr = g.x * inverse, pi = g.y * inverse, s, t;   \
    quick_rotation (a, b, size, &s, c, &t);                                    \
    *w = MAKE (s * pr, s * pi);                                                \
    *tg = t * size;                                                            \
  }
GE_COMPLEX_OPS (cuComplex, float, make_cuComplex)
GE_COMPLEX_OPS (cuDoubleComplex, double, make_cuDoubleComplex)

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

/* The order padded to whole windows, the leading dimension of all matrices.  */
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

/* --- whole matrices on the device; LD = ge_jacobi_padded (n), zero padding --- */

/* All pages by a solver of gpu_eig; with vectors S must be in device memory, and LEFT, one
   per page, is set to whether they are not accurate to rounding errors.  *WORST: the
   largest |A V z - V diag (lambda) z| / |A|_F of a page, z random.  */
template <typename T>
gpueig_status
ge_cuda_jacobi_start (gpueig_context *ctx, const gpueig_symmetric *s,
                      unsigned char *left, double *worst, gpueig_info *info);

/* Diagonalise the windows of 64 adjacent columns of the Hermitian A, shifted by SHIFT
   blocks of 32, in which an element exceeds FLOOR and SHARE times the gap of its diagonal
   elements, and apply the rotations to A, V and a second Hermitian matrix R.  U: 64 by
   64 numbers, ACTIVE: a flag for each.  */
template <typename T>
gpueig_status ge_cuda_jacobi_windows (gpueig_context *ctx, int shift,
                                      double floor, double share, int64_t ld,
                                      T *a, T *v, T *r, T *u, int *active);

/* V: approximate eigenvectors on entry.  A is not changed; the eigenvalues are
   returned in LAMBDA.  GPUEIG_SOLVER_FAILED: V was not nearly orthonormal, or is not
   orthonormal to rounding errors.  */
template <typename T>
gpueig_status ge_cuda_jacobi_refine (gpueig_context *ctx, int64_t n, const T *a,
                                     T *v, ge_real<T> *lambda, double norm,
                                     const ge_jacobi_control *control,
                                     gpueig_info *info);

/* On entry A is the matrix, scaled to elements of at most 1, and V (NULL: not wanted) a
   unitary matrix X.  On exit A is diagonal to working precision, and V is X times the
   eigenvectors of A.  */
template <typename T>
gpueig_status ge_cuda_jacobi_classical (gpueig_context *ctx, int64_t n, T *a,
                                        T *v, double norm,
                                        const ge_jacobi_control *control,
                                        gpueig_info *info);

/* Solve S by eigenvectors of gpu_eig's solvers, refined where they are not accurate; the guess is not
   used.  Eigenvalues are in host memory.  */
template <typename T>
gpueig_status ge_cuda_jacobi_preconditioned (gpueig_context *ctx,
                                             const gpueig_symmetric *s,
                                             const ge_jacobi_control *control,
                                             gpueig_info *info);

#endif
