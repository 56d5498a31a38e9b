/* Functions of pages that are far from their balanced form or near an end of the range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   f (A) = D f (D^-1 A D) D^-1: rounding errors are small relative to the norm of the matrix that
   is computed with, and elements of A of another size than in the balanced matrix would be
   lost (R. C. Ward, Numerical computation of the matrix exponential with accuracy estimate,
   SIAM J. Numer. Anal. 14, 1977).  Roots, powers and logarithms are homogeneous, so that A
   can be scaled to a norm near 1.

   Pages that are triangular but for blocks of order 2 are made triangular instead
   (blocks_typed.c).

   Where D enlarges rounding errors of f (D^-1 A D) to more than f (A) has itself, the page is
   computed without D, too: errors are now relative to the norm of A.  X is a function of a matrix
   near A only if it commutes with A, by which one of the two is chosen.  */

#include "functions/scaled.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define LN_2 0.69314718055994530942

enum
{
  IMBALANCE = 16, /* of the norms of a row and of the column with its number */
  MOST_GROWTH = 8 /* bits by which D may enlarge errors */
};

/* Powers of two that norms may reach before a page is scaled.  Exponentials, which are not
   homogeneous: before sums of elements overflow.  */
static int
largest_exponent (const gpueig_funm_problem *p)
{
  const int is_double = gpueig_is_double (p->type);
  return p->kind == GPUEIG_EXPM ? (is_double ? 1000 : 110)
         : is_double            ? 480
                                : 50;
}

int
ge_funm_wants_scaling (const gpueig_funm_problem *p, const double *rows,
                       const double *columns, const double *diagonal)
{
  const double most = ldexp (1, largest_exponent (p));
  double largest = 0;
  for (int64_t i = 0; i < p->n; i++)
    {
      const double row = rows[i], column = columns[i];
      largest = fmax (largest, row);
      if (row > 0 && column > 0
          && (row / IMBALANCE > column || column / IMBALANCE > row))
        return 1;
      /* An eigenvalue that a permutation isolates is computed exactly.  */
      if (p->kind != GPUEIG_EXPM
          && (row <= diagonal[i] || column <= diagonal[i]))
        return 1;
    }
  return ! (largest <= most)
         || (p->kind != GPUEIG_EXPM && largest > 0 && largest < 1 / most);
}

/* The power of two by which the page A in host memory is divided, even for roots.  */
static int
exponent_of_page (const gpueig_funm_problem *p, const void *a)
{
  const int exponent = GE_BY_TYPE (p->type, ge_funm_exponent, (p->n, a)),
            most = largest_exponent (p);
  return p->kind != GPUEIG_EXPM && (exponent > most || exponent < -most)
             ? exponent / 2 * 2
             : 0;
}

static ge_unscaling
unscaling_of (const gpueig_funm_problem *p, int exponent)
{
  ge_unscaling u = { .factor = 1 };
  if (p->kind == GPUEIG_SQRTM)
    u.whole = exponent / 2;
  else if (p->kind == GPUEIG_LOGM)
    u.add = exponent * LN_2;
  else if (p->kind == GPUEIG_MPOWER && exponent != 0)
    u.factor = ge_two_to_the (exponent, ge_power (p), &u.whole);
  return u;
}

/* The balanced pages of a set.  */
typedef struct
{
  gpueig_funm_problem p;
  int *order, *exponent;
  ge_block_reduction *block; /* N of a page that is REDUCED */
  char *reduced;
  int is_complex;
} balanced_pages;

static gpueig_status
allocate_pages (const ge_page_set *s, balanced_pages *b)
{
  gpueig_context *ctx = s->place.ctx;
  const int64_t pages = s->count, count = s->p->n * s->p->n * pages;
  const size_t size = gpueig_scalar_size (s->p->type);
  void *a;
  b->p = *s->p;
  b->p.pages = pages;
  b->p.place = GPUEIG_HOST;
  b->p.residual = NULL;
  b->p.is_complex = &b->is_complex;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * s->p->n * pages, &b->order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &b->exponent));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->p->n * pages, &b->block));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &b->reduced));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &b->p.state));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &b->p.rcond));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &b->p.roots));
  GE_TRY (ge_alloc (ctx, GE_HOST, count, size, &a));
  b->p.a = a;
  GE_TRY (ge_alloc (ctx, GE_HOST, count, size, &b->p.x));
  return s->p->x_im ? ge_alloc (ctx, GE_HOST, count, size, &b->p.x_im)
                    : GPUEIG_OK;
}

/* Between page PAGE of the call and host memory.  */
static gpueig_status
copy_page (const ge_page_set *s, void *to, const void *from)
{
  const size_t bytes
      = (size_t) (s->p->n * s->p->n) * gpueig_scalar_size (s->p->type);
  return ge_copy (s->place.ctx, ge_funm_place (s), to, from, bytes);
}

/* Page I, balanced from A; SPACE: N-by-N and 12 N + 16 integers, aligned for numbers.  D is the
   identity for pages that are triangular, but for blocks of order 2, whether rows are in that
   order or not.  */
static void
balance_page (const ge_page_set *s, int64_t i, int permutes_only, const void *a,
              char *space, balanced_pages *b)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n;
  const size_t bytes = (size_t) (n * n) * gpueig_scalar_size (p->type);
  int *const order = b->order + 2 * n * i, *const other
                                           = (int *) (space + bytes);
  void *const balanced = ge_funm_page (s, b->p.a, i);
  GE_BY_TYPE (p->type, ge_funm_balance, (n, a, balanced, order, other + 2 * n));
  const int upper = GE_BY_TYPE (p->type, ge_is_upper, (n, balanced));
  b->reduced[i] = 0;
  if (! upper && p->kind != GPUEIG_EXPM
      && GE_BY_TYPE (p->type, ge_funm_order, (n, a, other, other + n)))
    {
      GE_BY_TYPE (p->type, ge_funm_permute, (n, a, space, other));
      b->reduced[i] = (char) GE_BY_TYPE (p->type, ge_funm_reduce,
                                         (n, space, p->kind, b->block + n * i));
    }
  if (b->reduced[i])
    {
      memcpy (order, other, 2 * (size_t) n * sizeof *order);
      memcpy (balanced, space, bytes);
    }
  else if (permutes_only || upper)
    GE_BY_TYPE (p->type, ge_funm_permute, (n, a, balanced, order));
  b->exponent[i] = GE_BY_TYPE (p->type, ge_is_upper, (n, balanced))
                       ? 0
                       : exponent_of_page (p, balanced);
  if (b->exponent[i] != 0)
    GE_BY_TYPE (p->type, ge_funm_shift_exponents,
                (n, -b->exponent[i], balanced));
}

static gpueig_status
balance_pages (ge_page_set *s, int permutes_only, balanced_pages *b)
{
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = s->p->n, square = n * n;
  const size_t size = gpueig_scalar_size (s->p->type);
  char *page;
  GE_TRY (ge_alloc (ctx, GE_HOST,
                    (int64_t) size * 2 * square
                        + (int64_t) sizeof (int) * (12 * n + 16),
                    1, (void **) &page));
  for (int64_t i = 0; i < s->count; i++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (copy_page (s, page, ge_funm_page (s, s->p->a, s->list[i])));
      balance_page (s, i, permutes_only, page, page + size * (size_t) square,
                    b);
    }
  return GPUEIG_OK;
}

/* The exponent of the largest element of X + i X_IM (NULL: 0).  */
static int
exponent_of_result (const gpueig_funm_problem *p, const void *x,
                    const void *x_im)
{
  const int re = GE_BY_TYPE (p->type, ge_funm_exponent, (p->n, x)),
            im
            = x_im ? GE_BY_TYPE (p->type, ge_funm_exponent, (p->n, x_im)) : re;
  return im > re ? im : re;
}

/* |A X - X A| / (|A| |X|) of the largest elements; infinite if X is 0, whose elements may have
   underflowed, or not finite.  SPACE: 2 n n numbers.  */
static double
commutator (const gpueig_funm_problem *p, const void *a, const void *x,
            const void *x_im, ge_point *space)
{
  const int64_t n = p->n;
  ge_point *b = space, *y = space + n * n;
  double most = 0;
  int any = 0;
  GE_BY_TYPE (p->type, ge_funm_widen,
              (n, -exponent_of_result (p, a, NULL), a, NULL, b));
  GE_BY_TYPE (p->type, ge_funm_widen,
              (n, -exponent_of_result (p, x, x_im), x, x_im, y));
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        ge_point sum = 0;
        any |= y[i + j * n] != 0;
        for (int64_t k = 0; k < n; k++)
          sum += b[i + k * n] * y[k + j * n] - y[i + k * n] * b[k + j * n];
        const double size = cabs (sum);
        if (! isfinite (size))
          return INFINITY;
        most = fmax (most, size);
      }
  return any ? most : INFINITY;
}

/* Nonzero if D enlarges rounding errors of page I, which is 2^WHOLE times its function, to more
   than X, X_IM (NULL: 0) has.  */
static int
is_lossy (const ge_page_set *s, const balanced_pages *b, int64_t i, int whole,
          const void *x, const void *x_im)
{
  const gpueig_funm_problem *p = s->p;
  const int *scale = b->order + 2 * p->n * i + p->n;
  int least = scale[0], most = scale[0];
  if (b->reduced[i])
    return 0;
  for (int64_t k = 1; k < p->n; k++)
    {
      least = scale[k] < least ? scale[k] : least;
      most = scale[k] > most ? scale[k] : most;
    }
  const double of_balanced
      = exponent_of_result (p, ge_funm_page (s, b->p.x, i),
                            x_im ? ge_funm_page (s, b->p.x_im, i) : NULL);
  return most > least
         && of_balanced + whole + most - least
                > exponent_of_result (p, x, x_im) + (double) MOST_GROWTH;
}

/* Nonzero if X, X_IM (NULL: 0) commutes with page AT better than the result that is there.
   HOST: 3 n n elements.  */
static gpueig_status
compare (const ge_page_set *s, int64_t at, const void *x, const void *x_im,
         char *host, int *is_better)
{
  gpueig_context *ctx = s->place.ctx;
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  const size_t bytes = (size_t) square * gpueig_scalar_size (p->type);
  char *a = host, *old = host + bytes, *old_im = old + bytes;
  ge_point *space;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * square, &space));
  GE_TRY (copy_page (s, a, ge_funm_page (s, p->a, at)));
  GE_TRY (copy_page (s, old, ge_funm_page (s, p->x, at)));
  if (s->has_im[at])
    GE_TRY (copy_page (s, old_im, ge_funm_page (s, p->x_im, at)));
  const double of_old
      = commutator (p, a, old, s->has_im[at] ? old_im : NULL, space);
  *is_better = commutator (p, a, x, x_im, space) < of_old;
  return GPUEIG_OK;
}

/* Append to LOSSY, *N_LOSSY of them, the pages of which D enlarges errors.  NULL: they were
   computed with D, and the better result stays.  */
static gpueig_status
unbalance_pages (ge_page_set *s, const balanced_pages *b, int64_t *lossy,
                 int64_t *n_lossy)
{
  gpueig_context *ctx = s->place.ctx;
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  const size_t size = gpueig_scalar_size (p->type),
               bytes = (size_t) square * size;
  char *page;
  GE_TRY (ge_alloc (ctx, GE_HOST, 5 * square, size, (void **) &page));
  for (int64_t i = 0; i < s->count; i++)
    {
      const int64_t at = s->list[i];
      const int mark = ge_mark (ctx);
      const ge_unscaling how = unscaling_of (p, b->exponent[i]);
      const int has_im = b->is_complex && p->x_im;
      void *page_im = has_im ? page + bytes : NULL;
      int stays = 1;
      for (int k = 0; b->reduced[i] && k < 1 + has_im; k++)
        GE_BY_TYPE (
            p->type, ge_funm_expand,
            (n, b->block + n * i, ge_funm_page (s, k ? b->p.x_im : b->p.x, i)));
      GE_BY_TYPE (p->type, ge_funm_unscale,
                  (n, b->order + 2 * n * i, &how, ge_funm_page (s, b->p.x, i),
                   has_im ? ge_funm_page (s, b->p.x_im, i) : NULL, page,
                   page_im));
      if (! lossy)
        GE_TRY (compare (s, at, page, page_im, page + 2 * bytes, &stays));
      else if (is_lossy (s, b, i, how.whole, page, page_im))
        lossy[(*n_lossy)++] = at;
      ge_release (ctx, mark);
      if (! stays)
        continue;
      GE_TRY (copy_page (s, ge_funm_page (s, p->x, at), page));
      if (has_im)
        GE_TRY (copy_page (s, ge_funm_page (s, p->x_im, at), page_im));
      ge_funm_note (s, at, b->p.state[i], b->p.roots[i], has_im);
      if (p->rcond)
        p->rcond[at] = b->p.rcond[i];
    }
  return GPUEIG_OK;
}

static gpueig_status
solve_balanced (ge_page_set *s, int64_t *lossy, int64_t *n_lossy)
{
  gpueig_context *ctx = s->place.ctx;
  balanced_pages b = { .is_complex = 0 };
  gpueig_info part;
  GE_TRY (allocate_pages (s, &b));
  GE_TRY (balance_pages (s, ! lossy, &b));
  ge_info_begin (&part);
  GE_TRY (ge_funm_balanced (ctx, &b.p, s->options, &part));
  ge_funm_take_info (s->info, &part);
  return unbalance_pages (s, &b, lossy, n_lossy);
}

gpueig_status
ge_funm_by_scaling (ge_page_set *s)
{
  ge_page_set rest = *s;
  int64_t *lossy;
  GE_TRY (GE_ALLOC (s->place.ctx, GE_HOST, s->count, &lossy));
  rest.list = lossy;
  rest.count = 0;
  GE_TRY (solve_balanced (s, lossy, &rest.count));
  return rest.count > 0 ? solve_balanced (&rest, NULL, NULL) : GPUEIG_OK;
}
