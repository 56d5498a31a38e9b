/* Scaling by powers of two of general matrices with very large or small elements, for
   both backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK's xLANV2 compares a discriminant with eps in absolute terms: some eigenvalues
   that dgeev computes of a permutation matrix times 2^-60 have relative errors of 1, and small ones
   of a large graded page have larger errors where that is scaled down to a largest element of 1.
   Squares of eigenvalues also under- and overflow.  In a badly scaled page small
   eigenvalues depend on products of two small elements, so the factor is chosen such that these
   over the largest element stay above what QR iterations take for 0 as far as that permits.  */

#include "base/checks.h"
#include "base/gpu_memory.h"
#include "base/scale_general.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Pages whose largest element has an exponent in this range are not scaled, so that
   common matrices are not copied.  */
enum
{
  LEAST_EXPONENT = -3,
  MOST_EXPONENT = 20
};

static int
is_usual (int most)
{
  return most >= LEAST_EXPONENT && most <= MOST_EXPONENT;
}

/* The exponent e for a page whose largest element has exponent MOST: the page is
   multiplied by 2^-e.  */
static int
choose_exponent (const gpueig_general *g, const void *a, int most)
{
  const int is_double = gpueig_is_double (g->type);
  if (is_usual (most))
    return 0;
  if (most < 0)
    return most;
  /* The exponent above which xGEEV scales the matrix down.  */
  const int safe = is_double ? 458 : 39;
  /* The smallest normal number times the order over eps, and a few bits.  */
  const int negligible
      = (is_double ? DBL_MIN_EXP + DBL_MANT_DIG : FLT_MIN_EXP + FLT_MANT_DIG)
        + ilogb ((double) g->n) + 4;
  const int least = GE_BY_TYPE (g->type, ge_page_least_exponent, (g->n, a)),
            room = 2 * least - most - negligible,
            near = least + (is_double ? 20 : 3);
  int e = room < near ? room : near;
  e = e < most ? e : most;
  e = e < 0 ? 0 : e;
  return most - e > safe ? most - safe : e;
}

typedef struct
{
  const gpueig_general *g;
  int *e;
  char *copy;
} scaling_pass;

static void
scale_page (void *data, int64_t p, int thread)
{
  const scaling_pass *s = data;
  const gpueig_general *g = s->g;
  const size_t size = gpueig_scalar_size (g->type);
  const int64_t square = g->n * g->n;
  const void *page = ge_page (g->a, p, square, size);
  void *to = ge_page (s->copy, p, square, size);
  (void) thread;
  s->e[p] = choose_exponent (g, page, s->e[p]);
  if (s->e[p] == 0)
    memcpy (to, page, (size_t) square * size);
  else
    GE_BY_TYPE (g->type, ge_page_scaled, (g->n, page, s->e[p], to));
}

static int
exponent_of (const ge_page_facts *facts)
{
  return facts->largest > 0 ? ilogb (facts->largest) : 0;
}

/* Pages on a GPU: those that need scaling pass through host memory.  */
static gpueig_status
scale_on_device (gpueig_context *ctx, gpueig_general *g, int **exponents)
{
  const size_t bytes = (size_t) (g->n * g->n) * gpueig_scalar_size (g->type);
  ge_page_facts *facts;
  char *copy = NULL;
  void *page;
  GE_TRY (ge_inspect (ctx, g->type, g->a, g->n, g->pages, &facts));
  for (int64_t p = 0; p < g->pages; p++)
    {
      if (! facts[p].finite)
        return gpueig_check_finite (ctx, g->type, g->a, g->n, g->pages,
                                    GPUEIG_DEVICE, "A");
      const int most = exponent_of (&facts[p]);
      if (is_usual (most))
        continue;
      if (! copy)
        {
          GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, exponents));
          memset (*exponents, 0, (size_t) g->pages * sizeof **exponents);
          GE_TRY (ge_alloc (ctx, GE_DEVICE, g->pages, bytes, (void **) &copy));
          GE_TRY (
              ge_copy (ctx, g->place, copy, g->a, (size_t) g->pages * bytes));
          g->a = copy;
        }
      const int mark = ge_mark (ctx);
      GE_TRY (
          ge_to_host (ctx, g->place, copy + (size_t) p * bytes, bytes, &page));
      (*exponents)[p] = choose_exponent (g, page, most);
      GE_BY_TYPE (g->type, ge_page_scaled, (g->n, page, (*exponents)[p], page));
      GE_TRY (
          ge_from_host (ctx, g->place, copy + (size_t) p * bytes, bytes, page));
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_scale_general (gpueig_context *ctx, gpueig_general *g, int **exponents)
{
  const int64_t square = g->n * g->n;
  scaling_pass pass = { .g = g };
  int *e, any = 0;
  *exponents = NULL;
  if (g->place == GPUEIG_DEVICE)
    return scale_on_device (ctx, g, exponents);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &e));
  pass.e = e;
  ge_find_exponents (ctx, g->type, g->a, square, g->pages, e);
  for (int64_t p = 0; p < g->pages; p++)
    {
      if (e[p] == GE_NOT_FINITE)
        return ge_check_finite (ctx, g->type, g->a, g->n, g->n, g->pages, "A");
      any |= ! is_usual (e[p]);
    }
  if (! any)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (ctx, GE_HOST, square * g->pages,
                    gpueig_scalar_size (g->type), (void **) &pass.copy));
  ge_share_pages (ctx, square, g->pages, scale_page, &pass);
  g->a = pass.copy;
  *exponents = e;
  return GPUEIG_OK;
}

void
ge_unscale_general (const gpueig_general *g, const int *exponents)
{
  const size_t column = (size_t) g->n * 2 * gpueig_real_size (g->type);
  for (int64_t p = 0; exponents && p < g->pages; p++)
    if (exponents[p] != 0)
      GE_BY_TYPE (
          g->type, ge_values_unscaled,
          (2 * g->n, exponents[p], (char *) g->lambda + (size_t) p * column));
}

/* --- pages that need nothing before they are solved --- */

int
ge_is_plain (const ge_page_facts *facts)
{
  return facts->finite && ! facts->symmetric && is_usual (exponent_of (facts));
}

static void
look_at_page (void *data, int64_t p, int thread)
{
  const scaling_pass *s = data;
  const gpueig_general *g = s->g;
  const int64_t n = g->n;
  const void *page = ge_page (g->a, p, n * n, gpueig_scalar_size (g->type));
  (void) thread;
  if (! __atomic_load_n (s->e, __ATOMIC_RELAXED)
      && (! is_usual (ge_largest_exponent (NULL, g->type, n * n, page))
          || ge_is_symmetric (NULL, g->type, page, n, 1)))
    __atomic_store_n (s->e, 1, __ATOMIC_RELAXED);
}

int
ge_are_plain (gpueig_context *ctx, gpueig_type type, const void *a, int64_t n,
              int64_t pages)
{
  const gpueig_general g = { .type = type, .n = n, .pages = pages, .a = a };
  int other = 0;
  scaling_pass pass = { .g = &g, .e = &other };
  ge_share_pages (ctx, n * n, pages, look_at_page, &pass);
  return ! other;
}

/* Nonzero if G is a stack of which the host had better not look at all pages before they
   are where they are solved, and a few of them are plain.  */
static int
may_be_plain (const gpueig_general *g)
{
  enum
  {
    SAMPLE = 16,
    LARGE = 16 << 20 /* bytes */
  };
  const int64_t square = g->n * g->n;
  const size_t size = gpueig_scalar_size (g->type);
  int plain
      = g->pages >= 4 * SAMPLE && (size_t) (square * g->pages) * size >= LARGE;
  for (int64_t k = 0; plain && k < SAMPLE; k++)
    plain = ge_are_plain (
        NULL, g->type,
        ge_page (g->a, k * (g->pages - 1) / (SAMPLE - 1), square, size), g->n,
        1);
  return plain;
}

gpueig_status
ge_solve_plain (gpueig_context *ctx, const gpueig_general *g,
                ge_plain_call *solve, const gpueig_options *options,
                gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  if (g->place == GPUEIG_DEVICE || ! may_be_plain (g))
    return GPUEIG_NOT_SYMMETRIC;
  const gpueig_status status = solve (ctx, g, 1, options, info);
  if (status == GPUEIG_NOT_SYMMETRIC)
    {
      ge_release (ctx, mark);
      ge_info_begin (info);
    }
  return status;
}

ge_check
ge_unchecked_general (const void *problem)
{
  const gpueig_general *g = problem;
  return g->symmetric ? GE_CHECKED : GE_CHECK_PLAIN;
}
