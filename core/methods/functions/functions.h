/* Functions of matrices: by eigenvectors, by the Schur form, by products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   functions.c        gpueig_funm: which page is solved how
   polar.c            gpueig_polar
   points.c           functions of a number and of a 2-by-2 triangular matrix
   hermitian.c        from eigenvectors and singular vectors, in either memory
   scaled.h, scaled.c, scaled_typed.c
                      pages far from their balanced form or from the middle of the range
   blocks_typed.c     those of them that are triangular but for blocks of order 2
   form_typed.c       from a Schur form in host memory
   singular_typed.c   with zero eigenvalues
   groups_typed.c     with eigenvalues of very different moduli
   rounding_typed.c   rounding errors of eigenvalues next to zero and to the negative axis
   on_gpu.c           from a Schur form in memory of a GPU
   triangular.c       square roots, logarithms, powers of a triangular matrix (calc.h)
   products.c         exponentials and integer powers by products of matrices
   calc_typed.c       the operations of these two on the CPU
   calc_array.c       and on a GPU, by the operations on arrays
   pages_on_gpu.c     powers and exponentials of many pages there at once  */

#ifndef GE_FUNCTIONS_H
#define GE_FUNCTIONS_H 1

#include "array/array.h"
#include "base/entry.h"
#include "array/cpu.h"
#include "gpueig_functions.h"

typedef double _Complex ge_point;

/* --- points.c --- */

ge_point ge_point_of (double re, double im);

static inline ge_point
ge_power (const gpueig_funm_problem *p)
{
  return ge_point_of (p->power, p->power_im);
}

/* f (z), the principal value: the imaginary part of a negative Z counts as +0.  */
ge_point ge_point_function (gpueig_funm_kind kind, ge_point power, ge_point z);

/* f (T) (1, 2) of T = [x t; 0 y].  Al-Mohy, Higham, SIAM J. Sci. Comput. 34 (2012),
   section 5; Higham, Lin, SIAM J. Matrix Anal. Appl. 32 (2011), section 5.  */
ge_point ge_point_corner (gpueig_funm_kind kind, ge_point power, ge_point x,
                          ge_point y, ge_point t);

/* 2^(EXPONENT POWER), without the factor 2^*WHOLE.  */
ge_point ge_two_to_the (double exponent, ge_point power, int *whole);

/* Nonzero if the straight line from X to Y, much shorter than its distance from 0, crosses the
   negative real axis, which belongs to the upper side.  */
int ge_is_across_the_cut (ge_point x, ge_point y);

/* The largest modulus that an eigenvalue that is zero but for rounding errors may have, in
   a page whose eigenvalues are at most MOST.  */
double ge_funm_tiny (const gpueig_funm_problem *p, double most);

/* Relative rounding errors of eigenvalues, and of triple ones at most.  */
#define GE_ROUNDING(n, eps) (4 * sqrt ((double) (n)) * (double) (eps))
#define GE_TRIPLE_NOISE(n, eps) cbrt (30 * (double) (n) * (eps))

/* A triangular page is scaled if elements are more than this many powers of two larger than
   the eigenvalues.  */
#define GE_MOST_COUPLING(is_double) ((is_double) ? 100 : 20)

/* The moduli of eigenvalues of a triangular page that are treated as one group by powers, see
   groups_typed.c.  */
#define GE_GROUP_RANGE(is_double) ((is_double) ? 1024 : 64)

/* Nonzero if rounding errors of the eigenvalue Z of a matrix with elements up to SIZE may decide
   whether Z is zero, or on which side of the negative real axis.  */
int ge_funm_matters (const gpueig_funm_problem *p, ge_point z, double size);

/* f of an eigenvalue of a Hermitian matrix, TINY from the largest one.  */
ge_point ge_funm_value (const gpueig_funm_problem *p, double value, double tiny,
                        int *state);

/* Find whether any of the N eigenvalues Z is real and negative, so that f is not principal;
   for logarithms eigenvalues within rounding errors of zero do not count.  */
enum
{
  GE_NEGATIVE = 1,
  GE_NEGATIVE_BY_ROUNDING = 2
};
int ge_funm_negative (const gpueig_funm_problem *p, int64_t n,
                      const ge_point *z);

/* Nonzero if any of the eigenvalues Z is zero.  */
int ge_funm_is_singular (const gpueig_funm_problem *p, const ge_point *z);

/* A Schur form of order N with the diagonal VALUES, below it BESIDE and above it ABOVE, the
   latter two with N elements, the last of which does not count.  VALUES become the
   eigenvalues; nonzero if it has blocks of order 2.  These become upper triangular,
   T = G' T G, by the unitary and symmetric matrix G with DIAGONAL and with BESIDE above and
   below it.  */
int ge_funm_blocks (int64_t n, ge_point *values, ge_point *subdiagonal,
                    const ge_point *above, ge_point *diagonal);

/* --- typed files --- */

/* T = Q [Z X; 0 R] Q', Z of order ZEROS strictly upper triangular, R nonsingular.  */
typedef struct
{
  void *q, *rest; /* Q; R, which becomes f (R) */
  int64_t zeros;
  int moved;   /* Q is not the identity */
  int is_root; /* the power is a square root */
  int lost;    /* T is within rounding errors of a matrix without the power */
} ge_singular;

/* ge_is_upper: 0, or one of these.

   ge_is_schur_form: nonzero if A is its own Schur form.

   ge_funm_schur: X, X_IM, of a real type alone if *IS_COMPLEX, are f of the page A from its
   Schur form T, U (NULL: the identity, T is the page); WORK: GE_FUNM_WORK (n) elements of the
   type; *ROOTS: the square roots of matrices that were taken.  Returns gpueig_funm_state.

   ge_funm_noise: a bound of rounding errors of A u and A' u for a unit vector U, by moduli of
   elements: parts of A of another size do not count unless they are coupled.

   ge_funm_condition: the condition number of eigenvalue K of the upper triangular T: the
   product of the 2-norms of its right and left eigenvectors whose element K is 1; SPACE: N
   complex numbers of double precision.

   ge_funm_split: S of T for the power P, T = [Z X; 0 R]; memory from *AT on, which is advanced.
   Eigenvalues up to NEAR may be zero within their rounding errors NOISE, of real types only
   one; with NOISE = NULL those that are 0.  ge_funm_join: T <- f (T) of f (z) = z^P, P > 0, from
   s->rest = f (R), R^(P - 1) if P > 1; nonzero if there is none, T then has infinite elements.

   ge_funm_separate: T becomes D of groups_typed.c, S where D is zero; GROUP: from 0 on, of each
   eigenvalue.  Returns the number of groups; of one T does not change.  ge_funm_unite: T, f (D)
   and S, becomes f (T).  ge_funm_take_group: the elements PART of T between eigenvalues of group
   G; returns their number; ge_funm_put_group: the reverse.  SPACE: n-by-n.

   ge_funm_turn, of complex types alone: the angle by which the cut of the logarithm is turned
   down from the negative real axis for the eigenvalues of the triangular T; *ON_AXIS: there are
   such within rounding errors; SPACE: N complex numbers of double precision.  */
enum
{
  GE_UPPER_TRIANGULAR = 1,
  GE_DIAGONAL
};

/* In addition to gpueig_funm_state: a negative power of a singular page; a real page has a
   complex function.  */
enum
{
  GE_FUNM_INFINITE = 128,
  GE_FUNM_COMPLEX = 256
};

#define GE_FUNM_WORK(n) (39 * (n) * (n) + 200 * (n) + 4000)
#define GE_FUNM_TYPED(suffix)                                                  \
  int ge_funm_schur_##suffix (const gpueig_funm_problem *p, const void *a,     \
                              const void *t, const void *u, void *x,           \
                              void *x_im, void *work, int *is_complex,         \
                              int *roots);                                     \
  int ge_is_upper_##suffix (int64_t n, const void *a);                         \
  int ge_is_schur_form_##suffix (int64_t n, const void *a);                    \
  double ge_funm_noise_##suffix (int64_t n, const void *a, const void *u);     \
  double ge_funm_condition_##suffix (int64_t n, const void *t, int64_t k,      \
                                     void *space);                             \
  void ge_funm_split_##suffix (int64_t n, void *t, const double *noise,        \
                               double near, double p, ge_singular *s,          \
                               char **at);                                     \
  int ge_funm_join_##suffix (int64_t n, void *t, double p,                     \
                             const ge_singular *s, char *at);                  \
  int64_t ge_funm_separate_##suffix (int64_t n, void *t, int64_t *group,       \
                                     void *space);                             \
  void ge_funm_unite_##suffix (int64_t n, int64_t groups,                      \
                               const int64_t *group, void *t, void *space);    \
  int64_t ge_funm_take_group_##suffix (int64_t n, const int64_t *group,        \
                                       int64_t g, const void *t, void *part);  \
  void ge_funm_put_group_##suffix (int64_t n, const int64_t *group, int64_t g, \
                                   const void *part, void *t);                 \
  double ge_funm_turn_##suffix (int64_t n, const void *t, void *space,         \
                                int *on_axis);
GE_FOR_TYPES (GE_FUNM_TYPED)

/* --- pages, in either memory --- */

/* Kinds of pages.  A diagonal matrix is computed as any triangular one: exactly.  */
enum
{
  GE_GENERAL_PAGE, /* all pages of integer powers */
  GE_HERMITIAN_PAGE,
  GE_SMALL_PAGE, /* of exponentials: Hermitian, of a norm below 1 */
  GE_UPPER_PAGE, /* a Schur form */
  GE_SCALED_PAGE /* see scaled.h */
};

/* Pages LIST[0 .. COUNT - 1] of a problem, ascending; HAS_IM: set for pages with imaginary
   parts.  */
typedef struct
{
  const gpueig_funm_problem *p;
  const gpueig_options *options;
  gpueig_info *info;
  unsigned char *has_im;
  ge_place place;
  const int64_t *list;
  int64_t count;
} ge_page_set;

static inline void *
ge_funm_page (const ge_page_set *s, const void *x, int64_t page)
{
  return ge_page (x, page, s->p->n * s->p->n, gpueig_scalar_size (s->p->type));
}

static inline gpueig_place
ge_funm_place (const ge_page_set *s)
{
  return s->place.space == GE_DEVICE ? GPUEIG_DEVICE : GPUEIG_HOST;
}

/* The place of operations on data at PLACE.  */
static inline ge_place
ge_place_at (gpueig_context *ctx, gpueig_place place)
{
  return place == GPUEIG_DEVICE ? (ge_place){ .ctx = ctx,
                                              .ops = ctx->plugin->arrays,
                                              .space = GE_DEVICE,
                                              .device = ctx->selected }
                                : (ge_place){ .ctx = ctx,
                                              .ops = &ge_cpu_array_ops,
                                              .space = GE_HOST,
                                              .device = -1 };
}

/* hermitian.c: *A: the pages of the set, contiguous; the pages by their eigenvectors; a polar
   decomposition; *VALUE: |X X - A| / |A| in the Frobenius norm, with the imaginary part Y of
   X if that is not NULL.  */
gpueig_status ge_funm_gather (ge_page_set *s, const void **a);
gpueig_status ge_funm_by_eigenvectors (ge_page_set *s);
gpueig_status ge_polar_of (ge_place *place, const gpueig_polar_problem *p,
                           const gpueig_options *options, gpueig_info *info);
gpueig_status ge_funm_residual (ge_page_set *s, int64_t page, const void *y,
                                double *value);

/* pages_on_gpu.c: positive integer powers of all pages; exponentials of a set, not of triangular
   pages, which are HERMITIAN then.  */
gpueig_status ge_powers_on_gpu (ge_page_set *s);
gpueig_status ge_exponentials_on_gpu (ge_page_set *s, int hermitian);

/* on_gpu.c: page PAGE of the problem from its Schur form T, U (NULL: as above).  */
gpueig_status ge_funm_form_on_gpu (ge_page_set *s, int64_t page, const void *t,
                                   const void *u);

/* --- functions.c --- */

gpueig_status ge_funm_need_imaginary (gpueig_context *ctx);

/* Note the results of a page: gpueig_funm_state, roots, whether X_IM has imaginary
   parts.  */
void ge_funm_note (const ge_page_set *s, int64_t page, int state, int roots,
                   int has_im);

/* Where and how another function solved a part of the problem.  */
void ge_funm_take_info (gpueig_info *info, const gpueig_info *part);

/* gpueig_funm without checks and without scaling.  */
gpueig_status ge_funm_balanced (gpueig_context *ctx, const void *problem,
                                const gpueig_options *options,
                                gpueig_info *info);

#endif
