/* What the parts of one-sided Jacobi through matrix products share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_LARGE_CUH
#define GE_ONESIDED_LARGE_CUH 1

#include "onesided/onesided.cuh"

enum
{
  LARGE_THREADS = 128
};

/* Maxima that kernels find in a page, floats as their bits.  */
typedef struct
{
  float deviation; /* of Q'Q from the identity */
  float cosine;    /* the largest */
  float easy;      /* the largest of pairs with a small rotation */
  float paired;    /* of pairs with a large one that commutes with the others */
  float hard;      /* of the remaining ones */
  float norm;      /* of the small rotations, or of that deviation */
} onesided_figures;

/* What is to be done with a page.  The first three are in work.  */
typedef enum
{
  ONESIDED_ROTATING,
  ONESIDED_FINISHING, /* DONE as soon as Q is orthonormal again */
  ONESIDED_LEAVING,   /* LEFT then */
  ONESIDED_DONE,      /* the columns F are orthogonal */
  ONESIDED_LEFT,      /* F needs sweeps */
  ONESIDED_PLAIN      /* Q is no basis: alone once more, then sweeps over M */
} onesided_state;

/* Pages on the device, n^2 numbers each.  */
template <typename T> struct onesided_pages
{
  typedef typename real_of<T>::type R;
  int64_t n, pages;
  int64_t stack;    /* pages of the whole stack */
  int64_t together; /* of these, as many as one GPU for all takes at once */
  const onesided_scaling<R> *scaling;
  T *m, *q, *f, *g, *x;    /* M = A + shift, basis, F = MQ, Q'Q, correction */
  R *d;                    /* Rayleigh quotients */
  int *partner;            /* of a column, that a large rotation would turn */
  T *s;                    /* of a column: q'Mq with its partner */
  int *active;             /* pages that kernels change */
  onesided_figures *found; /* of a page */

  /* on the host, a page each */
  onesided_figures *figures;
  onesided_state *state;
  float *last; /* largest cosine of the step before */
  int *flags;  /* for ACTIVE */
};

/* A block a column.  */
template <typename T>
static inline dim3
onesided_columns_of (const onesided_pages<T> *p)
{
  return dim3 ((unsigned) p->n, (unsigned) p->pages);
}

/* Q: eigenvectors in single precision, of any quality.  G and X are scratch.
   *GOOD: there are any.  */
template <typename T>
gpueig_status onesided_start (gpueig_context *ctx, onesided_pages<T> *p,
                              int *good);

/* G <- (3 I - G) / 2 in active pages, I in the others, with its deviation.  */
template <typename T>
gpueig_status onesided_newton_schulz (gpueig_context *ctx,
                                      const onesided_pages<T> *p);

/* X, which holds H = Q'MQ, becomes the correction that makes Q its eigenvectors up
   to second order; I in pages that are not active.  ROUGH: Q is not orthonormal
   but G holds Q'Q, which the correction sees to as well, as T. Ogita and K. Aishima
   (JJIAM 35 (2018) 1007) do.  */
template <typename T>
gpueig_status onesided_rotations (gpueig_context *ctx,
                                  const onesided_pages<T> *p,
                                  typename real_of<T>::type tol, int rough);

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
