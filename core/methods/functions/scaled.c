/* Functions of pages that are far from their balanced form or near an end of the range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   f (A) = D f (D^-1 A D) D^-1: rounding errors are small relative to the norm of the matrix that
   is computed with, and elements of A of another size than in the balanced matrix would be
   lost (R. C. Ward, Numerical computation of the matrix exponential with accuracy estimate,
   SIAM J. Numer. Anal. 14, 1977).  Roots, powers and logarithms are homogeneous, so that A
   can be scaled to a norm near 1.  */

#include "functions/scaled.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define LN_2 0.69314718055994530942

enum
{
  IMBALANCE = 16 /* of the norms of a row and of the column with its number */
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

static gpueig_status
balance_pages (ge_page_set *s, balanced_pages *b)
{
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = s->p->n;
  const size_t size = gpueig_scalar_size (s->p->type);
  double *space;
  void *page;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 4 * n + 8, &space));
  GE_TRY (ge_alloc (ctx, GE_HOST, n * n, size, &page));
  for (int64_t i = 0; i < s->count; i++)
    {
      void *balanced = ge_funm_page (s, b->p.a, i);
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (copy_page (s, page, ge_funm_page (s, s->p->a, s->list[i])));
      GE_BY_TYPE (s->p->type, ge_funm_balance,
                  (n, page, balanced, b->order + 2 * n * i, (int *) space));
      b->exponent[i] = exponent_of_page (s->p, balanced);
      if (b->exponent[i] != 0)
        GE_BY_TYPE (s->p->type, ge_funm_shift_exponents,
                    (n, -b->exponent[i], balanced));
    }
  return GPUEIG_OK;
}

static gpueig_status
unbalance_pages (ge_page_set *s, const balanced_pages *b)
{
  gpueig_context *ctx = s->place.ctx;
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  const size_t size = gpueig_scalar_size (p->type);
  char *page;
  GE_TRY (ge_alloc (ctx, GE_HOST, 2 * square, size, (void **) &page));
  char *page_im = page + (size_t) square * size;
  for (int64_t i = 0; i < s->count; i++)
    {
      const int64_t at = s->list[i];
      const ge_unscaling how = unscaling_of (p, b->exponent[i]);
      const int has_im = b->is_complex && p->x_im;
      GE_BY_TYPE (p->type, ge_funm_unscale,
                  (n, b->order + 2 * n * i, &how, ge_funm_page (s, b->p.x, i),
                   has_im ? ge_funm_page (s, b->p.x_im, i) : NULL, page,
                   has_im ? page_im : NULL));
      GE_TRY (copy_page (s, ge_funm_page (s, p->x, at), page));
      if (has_im)
        GE_TRY (copy_page (s, ge_funm_page (s, p->x_im, at), page_im));
      ge_funm_note (s, at, b->p.state[i], b->p.roots[i], has_im);
      if (p->rcond)
        p->rcond[at] = b->p.rcond[i];
    }
  return GPUEIG_OK;
}

gpueig_status
ge_funm_by_scaling (ge_page_set *s)
{
  gpueig_context *ctx = s->place.ctx;
  balanced_pages b = { .is_complex = 0 };
  gpueig_info part;
  GE_TRY (allocate_pages (s, &b));
  GE_TRY (balance_pages (s, &b));
  ge_info_begin (&part);
  GE_TRY (ge_funm_balanced (ctx, &b.p, s->options, &part));
  ge_funm_take_info (s->info, &part);
  return unbalance_pages (s, &b);
}
