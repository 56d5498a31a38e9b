/* The recursive Sherman-Morrison formula on the CPU, see sherman.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tdinv/tdinv_typed.h"

#include "tdinv/entry.h"
#include "tdinv/published/sherman.h"

#if GE_DOUBLE && ! GE_COMPLEX

static gpueig_status
alloc_tree (gpueig_context *ctx, const gpueig_tdinv_problem *p, tdinv_tree *w)
{
  const int64_t n = p->n;
  double *at;
  *w = (tdinv_tree){
    .n = n, .levels = tdinv_levels (n), .c = p->c, .a = p->a, .b = p->b
  };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (2 * w->levels + 11) * n, &at));
  w->x = at;
  w->y = w->x + w->levels * n;
  w->above = w->y + w->levels * n;
  w->diagonal = w->above + n;
  w->below = w->diagonal + n;
  at = w->below + n;
  for (int i = 0; i < 2; i++, at += 4 * n)
    w->borders[i] = (tdinv_borders){ at, at + n, at + 2 * n, at + 3 * n };
  return GPUEIG_OK;
}

static void
grow_tree (const tdinv_tree *w)
{
  for (int64_t t = 0; t < (int64_t) 1 << w->levels; t++)
    tdinv_invert_leaf (w, t, w->borders[0]);
  for (int k = w->levels - 1, from = 0; k >= 0; k--, from = ! from)
    for (int64_t t = 0; t < (int64_t) 1 << k; t++)
      {
        const tdinv_node v = tdinv_make_node (w, k, t, w->borders[from]);
        for (int64_t i = v.begin; i < v.end; i++)
          tdinv_join (w, k, &v, i, w->borders[from], w->borders[! from]);
      }
}

/* OUT -= X Y over COUNT rows.  */
GE_CLONES (VECTOR, static, void, subtract,
           (int64_t count, const double *restrict x, double y,
            double *restrict out),
           (count, x, y, out))
{
  for (int64_t i = 0; i < count; i++)
    out[i] -= x[i] * y;
}

static void
fill_inverse (const void *state, int64_t column, int64_t j, int64_t r0,
              int64_t r1, double *re, double *im)
{
  const tdinv_tree *w = state;
  const int64_t n = w->n;
  int64_t t = tdinv_node_of (n, w->levels, j);
  (void) column;
  (void) im;
  memset (re, 0, (size_t) (r1 - r0) * sizeof *re);
  for (int64_t i = j - 1; i <= j + 1; i++)
    if (i >= r0 && i < r1)
      re[i - r0] = tdinv_leaf_entry (w, i, j);
  for (int k = w->levels - 1; k >= 0; k--)
    {
      t >>= 1;
      int64_t begin = tdinv_node_begin (n, k, t);
      int64_t end = tdinv_node_begin (n, k, t + 1);
      begin = begin > r0 ? begin : r0;
      end = end < r1 ? end : r1;
      if (begin < end)
        subtract (end - begin, w->x + n * k + begin, w->y[n * k + j],
                  re + (begin - r0));
    }
}

gpueig_status
ge_tdinv_by_sherman_morrison (gpueig_context *ctx,
                              const gpueig_tdinv_problem *problem,
                              const ge_tdinv_generators *g, int *accepted)
{
  const double *u = g->u.re, *v = g->v.re;
  double error = 0, largest = 0;
  int exceeds = 0;
  tdinv_tree w;
  GE_TRY (alloc_tree (ctx, problem, &w));
  grow_tree (&w);
  ge_report (ctx, "Sherman-Morrison: %d levels joined", w.levels);
  for (int64_t j = 0; j < w.n; j++)
    {
      const int64_t e = g->u.e[j] + g->v.e[j];
      const double want = tdinv_entry (u[j], v[j],
                                       (int32_t) (e < -9999  ? -9999
                                                  : e > 9999 ? 9999
                                                             : e));
      const double differs = fabs (tdinv_diagonal_entry (&w, j) - want);
      exceeds |= tdinv_exceeds (&w, j);
      error = differs > error || differs != differs ? differs : error;
      largest = fabs (want) > largest ? fabs (want) : largest;
    }
  *accepted = exceeds < 3 && tdinv_agrees (w.n, g->rcond, error, largest);
  return *accepted ? FN (ge_tdinv_write) (ctx, problem, 0, problem->n,
                                          fill_inverse, &w)
                   : GPUEIG_OK;
}

#endif
