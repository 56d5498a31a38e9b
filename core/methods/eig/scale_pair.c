/* Scaling of symmetric definite pairs (A, B) with very large or small elements, or units far
   apart, for all backends: a congruence by powers of two, and a power of two for A.  The
   eigenvalues are those of (A, B) times that power.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "base/scale_general.h"
#include "eig/pair.h"
#include "eig/symmetric.h"

#include <float.h>
#include <math.h>

/* Pages that need scaling, and the copies of all pages.  */
typedef struct
{
  gpueig_context *ctx; /* NULL where pages are on several threads */
  const gpueig_symmetric *s;
  ge_pair_scaling *scaling;
  char *a, *b;
} pair_pass;

static void
find_scales (void *data, int64_t p, int thread)
{
  const pair_pass *w = data;
  const gpueig_symmetric s = ge_from_page (w->s, p, 1);
  (void) thread;
  w->scaling->how[p] = (unsigned char) GE_BY_TYPE (
      s.type, ge_pair_scales,
      (w->ctx, s.n, s.a, s.b, w->scaling->d + p * s.n,
       w->scaling->row + p * s.n, w->scaling->shift + p));
}

/* A and B of page P, TO_A and TO_B.  */
static void
put_scaled (const gpueig_symmetric *s, const ge_pair_scaling *scaling,
            int64_t p, const void *a, const void *b, void *to_a, void *to_b)
{
  const int *d = scaling->d + p * s->n;
  if (scaling->how[p] == GE_PAIR_EXTREME)
    {
      GE_BY_TYPE (s->type, ge_identity, (s->n, to_a));
      GE_BY_TYPE (s->type, ge_identity, (s->n, to_b));
      return;
    }
  GE_BY_TYPE (s->type, ge_pair_scaled, (s->n, a, d, scaling->shift[p], to_a));
  GE_BY_TYPE (s->type, ge_pair_scaled, (s->n, b, d, 0, to_b));
}

static void
scale_page (void *data, int64_t p, int thread)
{
  const pair_pass *w = data;
  const gpueig_symmetric s = ge_from_page (w->s, p, 1);
  const int64_t square = s.n * s.n;
  const size_t size = gpueig_scalar_size (s.type);
  (void) thread;
  put_scaled (&s, w->scaling, p, s.a, s.b, ge_page (w->a, p, square, size),
              ge_page (w->b, p, square, size));
}

/* Pairs on a GPU: those that need scaling pass through host memory.  */
static gpueig_status
scale_on_device (gpueig_context *ctx, pair_pass *w)
{
  const gpueig_symmetric *s = w->s;
  const ge_pair_scaling *scaling = w->scaling;
  const size_t bytes = (size_t) (s->n * s->n) * gpueig_scalar_size (s->type);
  const void *const from[] = { s->a, s->b };
  char **const to[] = { &w->a, &w->b };
  void *page[2];
  ge_page_facts *a, *b;
  GE_TRY (ge_inspect (ctx, s->type, s->a, s->n, s->pages, &a));
  GE_TRY (ge_inspect (ctx, s->type, s->b, s->n, s->pages, &b));
  for (int64_t p = 0; p < s->pages; p++)
    {
      scaling->how[p] = GE_PAIR_AS_GIVEN;
      if (! GE_BY_TYPE (s->type, ge_pair_may_scale, (&a[p], &b[p])))
        continue;
      for (int k = 0; k < 2 && ! *to[k]; k++)
        {
          GE_TRY (ge_alloc (ctx, GE_DEVICE, s->pages, bytes, (void **) to[k]));
          GE_TRY (ge_copy (ctx, s->place, *to[k], from[k],
                           (size_t) s->pages * bytes));
        }
      const int mark = ge_mark (ctx);
      for (int k = 0; k < 2; k++)
        GE_TRY (ge_to_host (ctx, s->place, *to[k] + (size_t) p * bytes, bytes,
                            &page[k]));
      scaling->how[p] = (unsigned char) GE_BY_TYPE (
          s->type, ge_pair_scales,
          (ctx, s->n, page[0], page[1], scaling->d + p * s->n,
           scaling->row + p * s->n, scaling->shift + p));
      if (scaling->how[p])
        put_scaled (s, scaling, p, page[0], page[1], page[0], page[1]);
      for (int k = 0; k < 2 && scaling->how[p]; k++)
        GE_TRY (ge_from_host (ctx, s->place, *to[k] + (size_t) p * bytes, bytes,
                              page[k]));
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

/* An end X of an interval times 2^-SHIFT; what is not 0 stays so, since eigenvalues of 0 are
   compared with it.  */
static double
scaled_bound (double x, int shift)
{
  const double y = ldexp (x, -shift);
  return y == 0 && x != 0 ? copysign (DBL_TRUE_MIN, x) : y;
}

gpueig_status
ge_scale_pairs (gpueig_context *ctx, gpueig_symmetric *s,
                ge_pair_scaling *scaling)
{
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t square = s->n * s->n;
  pair_pass w
      = { .ctx = s->pages > 1 ? NULL : ctx, .s = s, .scaling = scaling };
  int any = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->n * s->pages, &scaling->d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->n * s->pages, &scaling->row));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &scaling->shift));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &scaling->how));
  if (s->place == GPUEIG_DEVICE)
    GE_TRY (scale_on_device (ctx, &w));
  else
    ge_share_pages (ctx, square, s->pages, find_scales, &w);
  for (int64_t p = 0; p < s->pages; p++)
    any |= scaling->how[p];
  if (! any)
    {
      scaling->d = NULL;
      return GPUEIG_OK;
    }
  if (s->place == GPUEIG_HOST)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.a));
      GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.b));
      ge_share_pages (ctx, square, s->pages, scale_page, &w);
    }
  s->a = w.a;
  s->b = w.b;
  s->vl = scaled_bound (s->vl, scaling->shift[0]);
  s->vu = scaled_bound (s->vu, scaling->shift[0]);
  return GPUEIG_OK;
}

gpueig_status
ge_unscale_pairs (gpueig_context *ctx, const gpueig_symmetric *s, int64_t count,
                  const ge_pair_scaling *scaling)
{
  const size_t size = gpueig_scalar_size (s->type);
  int64_t bad = -1;
  for (int64_t p = 0; scaling->d && p < s->pages && bad < 0; p++)
    {
      void *lambda = ge_page (s->lambda, p, count, gpueig_real_size (s->type));
      void *x = ge_page (s->v, p, s->n * count, size), *v;
      const size_t bytes = (size_t) (s->n * count) * size;
      const int mark = ge_mark (ctx);
      if (scaling->how[p] != GE_PAIR_SCALED
          || (s->indefinite && s->indefinite[p]))
        continue;
      GE_BY_TYPE (s->type, ge_values_unscaled,
                  (count, scaling->shift[p], lambda));
      GE_TRY (ge_to_host (ctx, s->place, x, bytes, &v));
      if (! v)
        continue;
      GE_BY_TYPE (s->type, ge_pair_rows_scaled,
                  (s->n, count, scaling->d + p * s->n, v));
      bad = ge_find_nonfinite (ctx, s->type, v, s->n * count);
      GE_TRY (ge_from_host (ctx, s->place, x, bytes, v));
      ge_release (ctx, mark);
    }
  if (bad >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "eigenvectors of the pair (A, B) are beyond the range "
                        "of the numbers, scale B");
  return GPUEIG_OK;
}
