/* What a C caller can get wrong.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <stdio.h>

int64_t ge_find_nonfinite_s (const void *x, int64_t count);
int64_t ge_find_nonfinite_d (const void *x, int64_t count);
int ge_is_symmetric_s (const void *a, int64_t n);
int ge_is_symmetric_d (const void *a, int64_t n);
int ge_is_symmetric_c (const void *a, int64_t n);
int ge_is_symmetric_z (const void *a, int64_t n);

int64_t
ge_find_nonfinite (gpueig_type type, const void *x, int64_t count)
{
  int64_t reals = count << gpueig_is_complex (type);
  int64_t i = gpueig_is_double (type) ? ge_find_nonfinite_d (x, reals)
                                      : ge_find_nonfinite_s (x, reals);
  return i < 0 ? i : i >> gpueig_is_complex (type);
}

/* The first page that is not symmetric, or PAGES.  */
static int64_t
first_unsymmetric (gpueig_type type, const void *a, int64_t n, int64_t pages)
{
  size_t stride = (size_t) (n * n) * gpueig_scalar_size (type);
  int64_t bad = pages;
#pragma omp parallel for reduction(min : bad) if (n * n * pages > 100000)
  for (int64_t p = 0; p < pages; p++)
    {
      const char *page = (const char *) a + (size_t) p * stride;
      if (p < bad && ! GE_BY_TYPE (type, ge_is_symmetric, (page, n)))
        bad = p;
    }
  return bad;
}

int
gpueig_is_symmetric (gpueig_type type, const void *a, int64_t n, int64_t pages)
{
  return first_unsymmetric (type, a, n, pages) == pages;
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

/* Finite everywhere; the message names the first offender, 1-based.  */
gpueig_status
gpueig_check_finite (gpueig_context *ctx, gpueig_type type, const void *a,
                     int64_t n, int64_t pages, const char *what)
{
  char page[40];
  int64_t at = ge_find_nonfinite (type, a, n * n * pages);
  if (at < 0)
    return GPUEIG_OK;
  return gpueig_fail (
      ctx, GPUEIG_NONFINITE,
      "%s must be finite, but element (%lld, %lld)%s is NaN or Inf", what,
      (long long) (at % n) + 1, (long long) (at / n % n) + 1,
      page_text (at / (n * n), pages, page, sizeof page));
}

static gpueig_status
check_symmetric_pages (gpueig_context *ctx, gpueig_type type, const void *a,
                       int64_t n, int64_t pages, const char *what)
{
  int64_t bad = first_unsymmetric (type, a, n, pages);
  if (bad == pages)
    return GPUEIG_OK;
  char page[40];
  return gpueig_fail (
      ctx, GPUEIG_NOT_SYMMETRIC,
      "%s%s must be %s to the last bit; symmetrise it with "
      "(A + A') / 2, or use gpu_complex_eig for a general matrix",
      what, page_text (bad, pages, page, sizeof page),
      gpueig_is_complex (type) ? "Hermitian" : "symmetric");
}

gpueig_status
ge_check_symmetric (gpueig_context *ctx, const gpueig_symmetric *p)
{
  GE_TRY (check_sizes (ctx, p->type, p->n, p->pages));
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  if (! p->a || ! p->lambda)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "a or lambda is NULL");
  GE_TRY (gpueig_check_finite (ctx, p->type, p->a, p->n, p->pages, "A"));
  if (! p->symmetric)
    GE_TRY (check_symmetric_pages (ctx, p->type, p->a, p->n, p->pages, "A"));
  if (p->b)
    {
      GE_TRY (gpueig_check_finite (ctx, p->type, p->b, p->n, p->pages, "B"));
      if (! p->symmetric)
        GE_TRY (
            check_symmetric_pages (ctx, p->type, p->b, p->n, p->pages, "B"));
    }
  if (p->guess)
    GE_TRY (
        gpueig_check_finite (ctx, p->type, p->guess, p->n, p->pages, "Guess"));
  return GPUEIG_OK;
}

gpueig_status
ge_check_general (gpueig_context *ctx, const gpueig_general *p)
{
  GE_TRY (check_sizes (ctx, p->type, p->n, p->pages));
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  if (! p->a || ! p->lambda)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "a or lambda is NULL");
  return gpueig_check_finite (ctx, p->type, p->a, p->n, p->pages, "A");
}
