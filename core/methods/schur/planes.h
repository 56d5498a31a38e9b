/* A window stored as planes of real and imaginary parts, and arithmetic on its elements;
   see window.h.  Included once per scalar type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/window_lanes.h"

/* H and V have n columns, and SPARE_COLUMNS more of zeros.  H has n rows, padded with zeros
   up to LD.  V has n rows if WHOLE; otherwise it has only the first ROUND rows, and
   ge_planes_schur computes only the diagonal blocks of the Schur form.  */
typedef struct
{
  int n, whole;
  int64_t ld, ldv;
  real_t *h[2], *v[2];
} planes;

enum
{
  SPARE_ROWS = 8,
  SPARE_COLUMNS = 8
};

static inline int64_t
planes_ld (int n)
{
  /* an odd number of half cache lines, so that columns map to different cache sets */
  return ((n + SPARE_ROWS + ROUND - 1) / ROUND | 1) * ROUND;
}

static inline scalar_t
get (const planes *w, int64_t i, int64_t j)
{
  const int64_t e = i + j * w->ld;
  return make_ (w->h[0][e], GE_COMPLEX ? w->h[1][e] : 0);
}

static inline void
put_element (const planes *w, int64_t i, int64_t j, scalar_t x)
{
  const int64_t e = i + j * w->ld;
  w->h[0][e] = re_ (x);
  if (GE_COMPLEX)
    w->h[1][e] = im_ (x);
}

static inline scalar_t
mul (scalar_t a, scalar_t b)
{
  return make_ (re_ (a) * re_ (b) - im_ (a) * im_ (b),
                re_ (a) * im_ (b) + im_ (a) * re_ (b));
}

static inline scalar_t
scaled (scalar_t a, real_t f)
{
  return make_ (re_ (a) * f, im_ (a) * f);
}

static inline int
is_zero (scalar_t x)
{
  return re_ (x) == 0 && im_ (x) == 0;
}

/* Smaller numbers count as 0.  */
#define LEAST (GE_REAL_MIN / GE_EPS)

/* Nonzero if the subdiagonal element BELOW of the diagonal block [before above; below
   here] is negligible by the criterion of Ahues and Tisseur (LAPACK working note 122);
   OTHERS: the size of the neighbours of BELOW on the subdiagonal.  */
static inline int
is_negligible (scalar_t before, scalar_t above, scalar_t below, scalar_t here,
               real_t others)
{
  const real_t low = abs1_ (below), up = abs1_ (above);
  if (low <= LEAST)
    return 1;
  real_t size = abs1_ (before) + abs1_ (here);
  size = size == 0 ? others : size;
  if (low > GE_EPS * size)
    return 0;
  const real_t difference = abs1_ (before - here);
  const real_t ab = fmax_ (low, up), ba = fmin_ (low, up);
  const real_t aa = fmax_ (abs1_ (here), difference);
  const real_t bb = fmin_ (abs1_ (here), difference);
  const real_t s = aa + ab;
  return ba * (ab / s) <= fmax_ (LEAST, GE_EPS * (bb * (aa / s)));
}

/* A bulge of two shifts: reflectors at rows FIRST .. STOP - 1 take it there; BEGINS: that
   at row FIRST is made from the shifts.  */
typedef struct
{
  int first, stop, begins;
  real_t re[2], im[2];
} bulge;

/* window_typed.c.  ge_short_reflector: the reflector that maps (x0, x1, x2) to BETA e1.
   ge_planes_schur: overwrite H by its Schur form and multiply V by the Schur vectors;
   nonzero if the iteration fails.  ge_planes_standardize: standard form of the 2-by-2
   block in row K.  */
short_reflector FN (ge_short_reflector) (scalar_t x0, scalar_t x1, scalar_t x2,
                                         scalar_t *beta);
int FN (ge_planes_schur) (const planes *w, int64_t *steps);
void FN (ge_planes_standardize) (const planes *w, int k);

/* Chase COUNT bulges, the one at the bottom first, in the active block with the rows
   TOP .. BOTTOM of H, which may be beyond the window; multiply V by the reflectors.  */
void FN (ge_planes_chase) (const planes *w, int top, int bottom, int count,
                           const bulge *bulges);

/* exchange_typed.c, real types */
int FN (ge_planes_exchange) (const planes *w, int k, int n1, int n2);
