/* Claim: the windows of several groups at a time (ge_reorder_rounds, which a GPU uses) give
   the order and the errors of one group at a time, with windows of any width; a GPU's part,
   copies of diagonal blocks and products with Q, is done here element by element.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "forms.h"
#include "schur/reorder.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_SCHUR 20.0 /* as LAPACK's own for xGEES */

static gpueig_context *ctx;

typedef struct
{
  gpueig_type type;
  int64_t n;
  char *s, *u;
  ge_reorder_device device;
  int most; /* windows of a round */
} page;

static double complex
element (const page *p, const void *x, int64_t i)
{
  return measure_get (p->type, x, i);
}

static gpueig_status
fetch (void *data, int count, const ge_reorder_place *at)
{
  page *p = data;
  const int64_t square = (int64_t) p->device.width * p->device.width;
  p->most = count > p->most ? count : p->most;
  for (int k = 0; k < count; k++)
    {
      CHECK (
          at[k].width <= p->device.width
              && (k == 0 || at[k].first >= at[k - 1].first + at[k - 1].width),
          "window %d of a round is disjoint from those above", k);
      for (int64_t j = 0; j < at[k].width; j++)
        for (int64_t i = 0; i < at[k].width; i++)
          measure_set (
              p->type, p->device.blocks, k * square + i + j * at[k].width,
              element (p, p->s, at[k].first + i + (at[k].first + j) * p->n));
    }
  return GPUEIG_OK;
}

/* ROWS of the columns of X that window K has times its Q, or, with LEFT, the columns behind
   it times Q'.  */
static void
multiply (const page *p, int k, const ge_reorder_place *at, int left, char *x)
{
  const int64_t n = p->n, w = at->width, first = at->first;
  const int64_t square = (int64_t) p->device.width * p->device.width;
  const int64_t from = left ? first + w : 0;
  const int64_t below = left || x == p->u ? n : first;
  double complex row[GE_REORDER_WINDOW];
  for (int64_t v = from; v < below; v++)
    {
      for (int64_t j = 0; j < w; j++)
        {
          row[j] = 0;
          for (int64_t i = 0; i < w; i++)
            {
              const double complex q
                  = element (p, p->device.q, k * square + i + j * w);
              row[j] += left ? conj (q) * element (p, x, first + i + v * n)
                             : element (p, x, v + (first + i) * n) * q;
            }
        }
      for (int64_t j = 0; j < w; j++)
        measure_set (p->type, x, left ? first + j + v * n : v + (first + j) * n,
                     row[j]);
    }
}

static gpueig_status
apply (void *data, int count, const ge_reorder_place *at)
{
  page *p = data;
  const int64_t square = (int64_t) p->device.width * p->device.width;
  for (int k = 0; k < count; k++)
    {
      for (int64_t j = 0; j < at[k].width; j++)
        for (int64_t i = 0; i < at[k].width; i++)
          measure_set (
              p->type, p->s, at[k].first + i + (at[k].first + j) * p->n,
              element (p, p->device.blocks, k * square + i + j * at[k].width));
      multiply (p, k, &at[k], 1, p->s);
    }
  for (int k = 0; k < count; k++)
    {
      multiply (p, k, &at[k], 0, p->s);
      multiply (p, k, &at[k], 0, p->u);
    }
  return GPUEIG_OK;
}

static void
test_form (measure_random *r, gpueig_type type, int64_t n, int width,
           int clusters)
{
  const int64_t square = n * n, blocks = (int64_t) width * width;
  FREED char *s = check_array (type, square), *u = check_array (type, square),
             *s2 = check_array (type, square), *u2 = check_array (type, square),
             *space = check_array (type, 2 * GE_REORDER_PLACES * blocks);
  FREED int64_t *rank = check_memory (2 * n, sizeof *rank);
  FREED unsigned char *flags = check_memory (2 * n, 1);
  const size_t bytes = (size_t) square * gpueig_scalar_size (type);
  page p = { .type = type, .n = n, .s = s, .u = u };
  gpueig_options options = gpueig_default_options ();
  p.device
      = (ge_reorder_device){ .data = &p,
                             .width = width,
                             .blocks = space,
                             .q = ge_page (space, GE_REORDER_PLACES, blocks,
                                           gpueig_scalar_size (type)),
                             .fetch = fetch,
                             .apply = apply };
  make_form (r, type, n, clusters, s, u, rank);
  const gpueig_ordschur_problem form = { .type = type,
                                         .n = n,
                                         .pages = 1,
                                         .s = s,
                                         .u = u,
                                         .rank = rank,
                                         .s_sorted = s2,
                                         .u_sorted = u2 };
  options.backend = GPUEIG_CPU;
  CHECK (gpueig_ordschur (ctx, &form, &options, NULL) == GPUEIG_OK,
         "one group at a time");
  ge_reorder_job job
      = { .form = &form, .rank = rank + n, .block = flags, .moves = flags + n };
  memcpy (job.rank, rank, (size_t) n * sizeof *rank);
  GE_BY_TYPE (type, ge_schur_blocks, (n, s, job.block));
  for (int64_t i = 0; i + 1 < n; i++)
    if (job.block[i])
      job.rank[i] = job.rank[i + 1]
          = rank[i] > rank[i + 1] ? rank[i] : rank[i + 1];
  FREED char *before = check_array (type, square);
  memcpy (before, s, bytes);
  const char *name = check_type_name[type];
  CHECK (ge_reorder_rounds (ctx, &job, &p.device) == GPUEIG_OK,
         "%s n=%d: several groups at a time", name, (int) n);
  CHECK (p.most > 1, "%s n=%d: %d windows in a round", name, (int) n, p.most);
  /* Exchanges change eigenvalues by rounding errors only.  */
  double order = 0;
  for (int64_t i = 0; i < n; i++)
    order = worst_of (order, cabs (element (&p, s, i * (n + 1))
                                   - element (&p, s2, i * (n + 1))));
  CHECK_RATIO (order * (double) n, 0.3, "%s n=%d, width %d: the order", name,
               (int) n, width);
  CHECK_RATIO (measure_orthogonality (type, n, n, u), LIMIT_SCHUR,
               "%s n=%d, width %d: U'U - I", name, (int) n, width);
  CHECK_RATIO (measure_form (type, type, n, before, s, u), LIMIT_SCHUR,
               "%s n=%d, width %d: S U - U S", name, (int) n, width);
}

int
main (void)
{
  measure_random r = { 7 };
  check_begin ("rounds");
  CHECK (gpueig_create (&ctx) == GPUEIG_OK, "a context");
  for (int type = 0; type < 4; type++)
    {
      test_form (&r, (gpueig_type) type, 131, 36, 2);
      test_form (&r, (gpueig_type) type, 160, 64, 4);
      test_form (&r, (gpueig_type) type, 200, 48, 2);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
