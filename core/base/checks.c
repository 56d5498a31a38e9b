/* Checks of the arguments of a C caller: options, sizes, pointers, data.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "base/gpu_memory.h"
#include "base/solver.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum
{
  STRIP = 32,   /* columns that ge_strip_is_symmetric checks */
  PIECE = 65536 /* elements of a piece */
};

int
ge_largest_exponent (gpueig_context *ctx, gpueig_type type, int64_t count,
                     const void *x)
{
  return GE_BY_TYPE (type, ge_largest_exponent, (ctx, count, x));
}

int64_t
ge_find_nonfinite (gpueig_context *ctx, gpueig_type type, const void *x,
                   int64_t count)
{
  int64_t at = 0;
  if (ge_largest_exponent (ctx, type, count, x) != GE_NOT_FINITE)
    return -1;
  while (isfinite (ge_real_at (type, x, at)))
    at++;
  return at >> gpueig_is_complex (type);
}

typedef struct
{
  gpueig_context *ctx; /* NULL where pages are on several threads */
  gpueig_type type;
  const void *a;
  int64_t count;
  int *exponents;
} exponents_pass;

static void
find_exponent (void *data, int64_t p, int thread)
{
  const exponents_pass *e = data;
  (void) thread;
  e->exponents[p] = ge_largest_exponent (
      e->ctx, e->type, e->count,
      ge_page (e->a, p, e->count, gpueig_scalar_size (e->type)));
}

void
ge_find_exponents (gpueig_context *ctx, gpueig_type type, const void *a,
                   int64_t count, int64_t pages, int *exponents)
{
  exponents_pass e = { pages > 1 ? NULL : ctx, type, a, count, exponents };
  ge_share_pages (ctx, count, pages, find_exponent, &e);
}

/* A piece is a set of strips of one large page, or a set of small pages.  */
typedef struct
{
  gpueig_type type;
  const char *a;
  int64_t n, strips, pages, at_once;
  unsigned char *symmetric; /* a flag per page, or NULL: only BAD is wanted */
  atomic_int_fast64_t bad; /* the first page that is not symmetric and finite */
} symmetry;

static void
symmetry_piece (void *data, int64_t i, int thread)
{
  symmetry *s = data;
  const size_t bytes = (size_t) (s->n * s->n) * gpueig_scalar_size (s->type);
  const int64_t all = s->strips * s->pages, from = i * s->at_once;
  const int64_t to = from + s->at_once < all ? from + s->at_once : all;
  (void) thread;
  for (int64_t k = from; k < to; k++)
    {
      const int64_t p = k / s->strips;
      unsigned char *flag = s->symmetric ? s->symmetric + p : NULL;
      int64_t bad = s->bad;
      if ((flag ? ! __atomic_load_n (flag, __ATOMIC_RELAXED) : p >= bad)
          || GE_BY_TYPE (
              s->type, ge_strip_is_symmetric,
              (s->a + (size_t) p * bytes, s->n, k % s->strips * STRIP)))
        continue;
      if (flag)
        __atomic_store_n (flag, 0, __ATOMIC_RELAXED);
      while (p < bad && ! atomic_compare_exchange_weak (&s->bad, &bad, p))
        ;
    }
}

/* The first page that is not symmetric and finite, or PAGES.  SYMMETRIC: NULL, or
   flags of the pages, all 1; those of pages that are not become 0.  */
static int64_t
first_unsymmetric (gpueig_context *ctx, gpueig_type type, const void *a,
                   int64_t n, int64_t pages, unsigned char *symmetric)
{
  symmetry s = { .type = type,
                 .a = a,
                 .n = n,
                 .pages = pages,
                 .symmetric = symmetric,
                 .bad = pages };
  s.strips = (n + STRIP - 1) / STRIP;
  s.at_once = 1 + PIECE / (n * STRIP + 1);
  const int64_t all = s.strips * pages;
  ge_share_pass (ctx, (all + s.at_once - 1) / s.at_once,
                 0.5 * (double) (n * n * pages), symmetry_piece, &s);
  return s.bad;
}

int
ge_is_symmetric (gpueig_context *ctx, gpueig_type type, const void *a,
                 int64_t n, int64_t pages)
{
  return first_unsymmetric (ctx, type, a, n, pages, NULL) == pages;
}

gpueig_status
gpueig_find_symmetric (gpueig_context *ctx, gpueig_type type, const void *a,
                       int64_t n, int64_t pages, gpueig_place place,
                       unsigned char *symmetric, int64_t *count)
{
  memset (symmetric, 1, (size_t) pages);
  *count = 0;
  if (place == GPUEIG_HOST || n == 0 || pages == 0)
    (void) first_unsymmetric (ctx, type, a, n, pages, symmetric);
  else
    {
      ge_page_facts *facts;
      const int mark = ge_mark (ctx);
      const gpueig_status status = ge_inspect (ctx, type, a, n, pages, &facts);
      for (int64_t p = 0; p < pages && status == GPUEIG_OK; p++)
        symmetric[p] = (unsigned char) facts[p].symmetric;
      ge_release (ctx, mark);
      GE_TRY (status);
    }
  for (int64_t p = 0; p < pages; p++)
    *count += symmetric[p];
  return GPUEIG_OK;
}

/* "" for a single matrix, " of page P" for a stack.  */
static const char *
page_text (int64_t page, int64_t pages, char *buffer, size_t size)
{
  buffer[0] = '\0';
  if (pages > 1)
    snprintf (buffer, size, " of page %lld", (long long) page + 1);
  return buffer;
}

static gpueig_status
check_sizes (gpueig_context *ctx, gpueig_type type, int64_t n, int64_t pages)
{
  int64_t square, total;
  if ((unsigned) type > GPUEIG_COMPLEX_DOUBLE)
    return gpueig_fail (ctx, GPUEIG_WRONG_TYPE, "unknown scalar type %d",
                        (int) type);
  if (n < 0 || pages < 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "negative size: order %lld, %lld pages", (long long) n,
                        (long long) pages);
  GE_TRY (ge_multiply (ctx, n, n, &square));
  GE_TRY (ge_multiply (ctx, square, pages, &total));
  return ge_multiply (ctx, total, 16, &total);
}

/* *GOOD: every page on a GPU is symmetric.  */
static gpueig_status
find_symmetric_on_device (gpueig_context *ctx, gpueig_type type, const void *a,
                          int64_t n, int64_t pages, int *good)
{
  const int mark = ge_mark (ctx);
  GE_TRY (ge_go_to_memory (ctx, a));
  const gpueig_status status
      = ctx->plugin->memory->inspect (ctx, type, a, n, pages, NULL);
  ge_release (ctx, mark);
  *good = status == GPUEIG_OK;
  return status == GPUEIG_NOT_SYMMETRIC ? GPUEIG_OK : status;
}

/* Inspect *A on a GPU: *GOOD: every page is finite, and symmetric if that is WANTED.  If
   not, *A becomes a copy in host memory, in the caller's frame, for the message.  */
static gpueig_status
inspect_on_device (gpueig_context *ctx, gpueig_type type, const void **a,
                   int64_t n, int64_t pages, int wanted, int *good)
{
  const size_t size = gpueig_scalar_size (type);
  ge_page_facts *facts;
  void *copy;
  *good = 1;
  if (wanted)
    GE_TRY (find_symmetric_on_device (ctx, type, *a, n, pages, good));
  else
    GE_TRY (ge_inspect (ctx, type, *a, n, pages, &facts));
  for (int64_t p = 0; ! wanted && p < pages; p++)
    *good &= facts[p].finite;
  if (*good)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (ctx, GE_HOST, pages, (size_t) (n * n) * size, &copy));
  GE_TRY (ctx->plugin->memory->copy (ctx, copy, *a,
                                     (size_t) (n * n * pages) * size));
  *a = copy;
  return GPUEIG_OK;
}

/* The message names the first element that is not finite, counted from 1.  */
gpueig_status
ge_check_finite (gpueig_context *ctx, gpueig_type type, const void *a,
                 int64_t m, int64_t n, int64_t pages, const char *what)
{
  char page[40];
  const int64_t at = ge_find_nonfinite (ctx, type, a, m * n * pages);
  if (at < 0)
    return GPUEIG_OK;
  return gpueig_fail (
      ctx, GPUEIG_NONFINITE,
      "%s must be finite, but element (%lld, %lld)%s is NaN or Inf", what,
      (long long) (at % m) + 1, (long long) (at / m % n) + 1,
      page_text (at / (m * n), pages, page, sizeof page));
}

gpueig_status
gpueig_check_finite (gpueig_context *ctx, gpueig_type type, const void *a,
                     int64_t n, int64_t pages, gpueig_place place,
                     const char *what)
{
  const int mark = ge_mark (ctx);
  gpueig_status status = GPUEIG_OK;
  int good = 0;
  if (place != GPUEIG_HOST && n > 0 && pages > 0)
    status = inspect_on_device (ctx, type, &a, n, pages, 0, &good);
  if (status == GPUEIG_OK && ! good)
    status = ge_check_finite (ctx, type, a, n, n, pages, what);
  ge_release (ctx, mark);
  return status;
}

/* One pass for both properties; a second one only to tell which of them fails.  */
static gpueig_status
check_symmetric_pages (gpueig_context *ctx, gpueig_type type, const void *a,
                       int64_t n, int64_t pages, gpueig_place place, int pair,
                       const char *what)
{
  int good = 0;
  if (place != GPUEIG_HOST)
    GE_TRY (inspect_on_device (ctx, type, &a, n, pages, 1, &good));
  if (good)
    return GPUEIG_OK;
  int64_t bad = first_unsymmetric (ctx, type, a, n, pages, NULL);
  if (bad == pages)
    return GPUEIG_OK;
  char page[40];
  GE_TRY (gpueig_check_finite (ctx, type, a, n, pages, GPUEIG_HOST, what));
  return gpueig_fail (ctx, GPUEIG_NOT_SYMMETRIC,
                      "%s%s must be %s to the last bit; symmetrise it with "
                      "(%s + %s') / 2, or call gpu_eig (%s) for a general %s",
                      what, page_text (bad, pages, page, sizeof page),
                      gpueig_is_complex (type) ? "Hermitian" : "symmetric",
                      what, what, pair ? "A, B" : "A",
                      pair ? "pair" : "matrix");
}

gpueig_status
ge_check_symmetric_sizes (gpueig_context *ctx, const gpueig_symmetric *p)
{
  GE_TRY (check_sizes (ctx, p->type, p->n, p->pages));
  if (p->select == GPUEIG_SELECT_ALL)
    ge_report_found (p, p->n);
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  return p->a && p->lambda
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "a or lambda is NULL");
}

gpueig_status
ge_check_symmetric (gpueig_context *ctx, const gpueig_symmetric *p)
{
  GE_TRY (ge_check_symmetric_sizes (ctx, p));
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  if (! p->symmetric)
    GE_TRY (check_symmetric_pages (ctx, p->type, p->a, p->n, p->pages, p->place,
                                   p->b != NULL, "A"));
  if (! p->symmetric && p->b)
    GE_TRY (check_symmetric_pages (ctx, p->type, p->b, p->n, p->pages, p->place,
                                   1, "B"));
  if (p->guess)
    GE_TRY (gpueig_check_finite (ctx, p->type, p->guess, p->n, p->pages,
                                 p->place, "Guess"));
  return GPUEIG_OK;
}

gpueig_status
ge_check_all_selected (gpueig_context *ctx, const gpueig_symmetric *p)
{
  return p->select == GPUEIG_SELECT_ALL
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "Jacobi methods compute all eigenvalues");
}

gpueig_status
ge_check_selection (gpueig_context *ctx, const gpueig_symmetric *p)
{
  if ((unsigned) p->select > GPUEIG_SELECT_INTERVAL)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown selection %d",
                        (int) p->select);
  if (p->select == GPUEIG_SELECT_INDEX
      && ! (p->first >= 1 && p->first <= p->last && p->last <= p->n))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "eigenvalues %lld to %lld were asked for, but there "
                        "are 1 to %lld",
                        (long long) p->first, (long long) p->last,
                        (long long) p->n);
  if (p->select == GPUEIG_SELECT_INTERVAL && ! (p->vl < p->vu))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the interval (%g, %g] is empty or reversed", p->vl,
                        p->vu);
  if (p->select == GPUEIG_SELECT_INTERVAL && p->pages > 1)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "an interval can be asked of one matrix only, but "
                        "there are %lld pages",
                        (long long) p->pages);
  return GPUEIG_OK;
}

gpueig_status
ge_report_found (const gpueig_symmetric *p, int64_t found)
{
  for (int64_t page = 0; p->found && page < p->pages; page++)
    p->found[page] = found;
  return GPUEIG_OK;
}

gpueig_status
ge_check_general_sizes (gpueig_context *ctx, const gpueig_general *p)
{
  GE_TRY (check_sizes (ctx, p->type, p->n, p->pages));
  return p->n == 0 || p->pages == 0 || (p->a && p->lambda)
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "a or lambda is NULL");
}

gpueig_status
ge_check_general (gpueig_context *ctx, const gpueig_general *p)
{
  GE_TRY (ge_check_general_sizes (ctx, p));
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  GE_TRY (
      gpueig_check_finite (ctx, p->type, p->a, p->n, p->pages, p->place, "A"));
  return p->b ? gpueig_check_finite (ctx, p->type, p->b, p->n, p->pages,
                                     p->place, "B")
              : GPUEIG_OK;
}
