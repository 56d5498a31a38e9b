/* Declarations shared by the files of one-sided Jacobi by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_LARGE_CUH
#define GE_ONESIDED_LARGE_CUH 1

#include "onesided/onesided.cuh"

enum
{
  LARGE_THREADS = 128
};

/* Maxima over a page, which kernels accumulate with atomicMax on the bits of
   nonnegative floats.  */
typedef struct
{
  float deviation; /* of Q'Q from the identity */
  float cosine;    /* the largest */
  float easy;      /* largest cosine of pairs with a small rotation */
  float
      paired; /* of pairs with a large rotation that is disjoint from all others */
  float hard; /* of the remaining pairs */
  float norm; /* 1-norm of the small rotations, or of Q'Q - I */
} onesided_figures;

/* The state of a page.  Steps work on pages in the first three states.  */
typedef enum
{
  ONESIDED_ROTATING,
  ONESIDED_FINISHING,    /* DONE once Q is orthonormal again */
  ONESIDED_UNORTHOGONAL, /* LEFT once Q is orthonormal again */
  ONESIDED_DONE,         /* the columns F are orthogonal */
  ONESIDED_LEFT,         /* F needs ordinary sweeps */
  ONESIDED_PLAIN /* no usable Q: solved again alone, then sweeps over M */
} onesided_state;

/* Pages that are solved together, n^2 numbers each, on the device.  */
template <typename T> struct onesided_pages
{
  typedef ge_real<T> R;
  int64_t n, pages;
  int64_t
      together; /* pages that one GPU would take at once if it had the whole stack */
  int single; /* one page as if it were alone, see onesided_large */
  const onesided_scaling<R> *scaling;
  T *m, *q, *f, *g, *x; /* M = A + shift, basis, F = MQ, Q'Q, correction */
  R *d;                 /* Rayleigh quotients */
  int *partner; /* of a column: the other column of its large rotation */
  T *s;         /* of a column: q'Mq with its partner */
  int *active;  /* nonzero: kernels change the page */
  onesided_figures *found; /* of a page */

  /* on the host, one per page */
  onesided_figures *figures;
  onesided_state *state;
  float *last;  /* largest cosine of the step before */
  int *flags;   /* for ACTIVE */
  float cosine; /* the largest of the last step */
  int *sent[2]; /* copies of FLAGS that may still be in flight */
  int turn;     /* of SENT */
};

/* Grid of one block per column: (columns, pages).  */
template <typename T>
static inline dim3
onesided_columns_of (const onesided_pages<T> *p)
{
  return dim3 ((unsigned) p->n, (unsigned) p->pages);
}

/* Compute Q: eigenvectors in single precision, of any quality.  G and X are
   scratch. *GOOD: zero if there are none.  */
template <typename T>
gpueig_status onesided_start (gpueig_context *ctx, onesided_pages<T> *p,
                              int *good);

/* G <- (3 I - G) / 2 (Newton-Schulz) in active pages, I in the others; computes
   the deviation of G from I before.  */
template <typename T>
gpueig_status onesided_newton_schulz (gpueig_context *ctx,
                                      const onesided_pages<T> *p);

/* On entry X is H = Q'MQ; on return it is the correction by which Q is
   multiplied to give the eigenvectors to second order, I in pages that are not
   active.  ROUGH: Q is not orthonormal and G is Q'Q, which the correction then
   includes (T.  Ogita and K.  Aishima, JJIAM 35 (2018) 1007).  */
template <typename T>
gpueig_status onesided_rotations (gpueig_context *ctx,
                                  const onesided_pages<T> *p, ge_real<T> tol,
                                  int rough);

/* X <- I in pages that are not active.  */
template <typename T>
gpueig_status onesided_stop_pages (gpueig_context *ctx,
                                   const onesided_pages<T> *p);

/* TO, which holds Q times a factor, <- Q in pages that are not active, where a
   product with I may not have kept the bits.  */
template <typename T>
gpueig_status onesided_keep_pages (gpueig_context *ctx,
                                   const onesided_pages<T> *p, T *to);

#endif
