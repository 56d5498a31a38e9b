/* Functions of pages in memory of a GPU from their Schur forms, and by products, by the
   operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* --- Schur forms --- */

/* *G: the unitary matrix of base type WIDE, with blocks of order 2, for which G' T G is upper
   triangular, and VALUES its diagonal; NULL if T, in Schur form, is.  Its transformations
   are those of form_typed.c.  *NEGATIVE: T has real negative eigenvalues.  */
static gpueig_status
find_blocks (ge_page_set *s, void *t, gpueig_type wide, void **g,
             ge_point *values, int *negative)
{
  const gpueig_type type = s->p->type;
  const int64_t n = s->p->n;
  const gpueig_shape shape = { .type = wide, .n_dims = 2, .dims = { n, n } };
  ge_place *place = &s->place;
  ge_point *below, *above, *line, *raw;
  void *there;
  int blocks = 0;
  *g = NULL;
  *negative = 0;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, 4 * n, &below));
  GE_TRY (ge_array_scratch (place, wide, n, &there));
  above = below + n;
  line = above + n;
  raw = line + n;
  GE_TRY (ge_move_line (place, type, n, t, 0, values, 0, raw, there));
  for (int64_t k = 0; k < n; k++)
    below[k] = above[k] = 0;
  if (n > 1 && ! gpueig_is_complex (type))
    {
      GE_TRY (ge_move_line (place, type, n, t, -1, below, 0, raw, there));
      GE_TRY (ge_move_line (place, type, n, t, 1, above, 0, raw, there));
    }
  for (int64_t k = 0; k < n; k++)
    {
      line[k] = 1;
      if (below[k] == 0)
        {
          *negative |= cimag (values[k]) == 0 && creal (values[k]) < 0;
          above[k] = 0;
          continue;
        }
      const double b = creal (above[k]),
                   w = sqrt (fabs (b)) * sqrt (fabs (creal (below[k]))),
                   r = hypot (b, w);
      blocks = 1;
      line[k] = line[k + 1] = b / r;
      above[k] = below[k] = ge_point_of (0, w / r);
      above[k + 1] = below[k + 1] = 0;
      values[k] = ge_point_of (creal (values[k]), w);
      values[k + 1] = conj (values[k]);
      k++;
    }
  if (! blocks)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, wide, n * n, g));
  GE_TRY (ge_array_clear (place, &shape, *g));
  GE_TRY (ge_move_line (place, wide, n, *g, 0, line, 1, raw, there));
  GE_TRY (ge_move_line (place, wide, n, *g, 1, above, 1, raw, there));
  return ge_move_line (place, wide, n, *g, -1, below, 1, raw, there);
}

/* T = G' T G or, with BACK, G T G'; WORK: n-by-n.  */
static gpueig_status
turn (ge_place *place, gpueig_type type, int64_t n, const void *g, int back,
      void *t, void *work)
{
  GE_TRY (ge_funm_multiply (place, type, back ? "NC" : "NN", n, n, n, 1, t, g,
                            work));
  return ge_funm_multiply (place, type, back ? "NN" : "CN", n, n, n, 1, g, work,
                           t);
}

/* F = f (T) of a page in Schur form, in the type WIDE of F; *BEYOND: ge_funm_negative.  */
static gpueig_status
of_form (ge_page_set *s, void *t, gpueig_type wide, void *f, int *negative,
         int *beyond, int *roots, int *state)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n;
  const gpueig_shape shape = { .type = wide, .n_dims = 2, .dims = { n, n } };
  ge_place *place = &s->place;
  ge_point *values;
  void *g, *work;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, 2 * n, &values));
  GE_TRY (ge_array_scratch (place, wide, n * n, &work));
  GE_TRY (ge_array_copy (place, n * n, wide, f, p->type, t));
  GE_TRY (find_blocks (s, t, wide, &g, values, negative));
  *beyond = ge_funm_negative (p, values, *negative);
  if (g)
    {
      GE_TRY (turn (place, wide, n, g, 0, f, work));
      ge_map upper = ge_map_over (GE_MAP_COPY, &shape);
      upper.banded = 1;
      upper.upper = n;
      upper.x = upper.to = ge_view_of (&shape, f);
      GE_TRY (ge_array_map (place, &upper));
      GE_TRY (ge_move_line (place, wide, n, f, 0, values, 1, values + n, work));
    }
  GE_TRY (ge_triangular_on_gpu (place, p->kind, ge_power (p), wide, n, f, roots,
                                state));
  return g ? turn (place, wide, n, g, 1, f, work) : GPUEIG_OK;
}

/* X = U F U', or F if U is NULL.  */
static gpueig_status
transform (ge_page_set *s, const void *u, const void *f, void *work, void *x)
{
  const int64_t n = s->p->n;
  const gpueig_type type = s->p->type;
  if (! u)
    return ge_array_copy (&s->place, n * n, type, x, type, f);
  GE_TRY (ge_funm_multiply (&s->place, type, "NN", n, n, n, 1, u, f, work));
  return ge_funm_multiply (&s->place, type, "NC", n, n, n, 1, work, u, x);
}

gpueig_status
ge_funm_form_on_gpu (ge_page_set *s, int64_t page, void *t, const void *u)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  ge_place *place = &s->place;
  void *f, *part, *work;
  int negative, beyond, roots, state;
  /* A real form without blocks and negative eigenvalues would do with real numbers.  */
  const gpueig_type wide = ge_make_complex (p->type);
  GE_TRY (ge_array_scratch (place, wide, square, &f));
  GE_TRY (of_form (s, t, wide, f, &negative, &beyond, &roots, &state));
  if (wide == p->type)
    {
      GE_TRY (ge_array_scratch (place, wide, square, &work));
      GE_TRY (transform (s, u, f, work, ge_funm_page (s, p->x, page)));
    }
  else
    {
      GE_TRY (ge_array_scratch (place, p->type, square, &part));
      GE_TRY (ge_array_scratch (place, p->type, square, &work));
      const ge_view form = ge_view_line (wide, f), none = { .type = wide },
                    to = ge_view_line (p->type, part);
      GE_TRY (
          ge_array_map_line (place, GE_MAP_REAL, wide, square, form, none, to));
      GE_TRY (transform (s, u, part, work, ge_funm_page (s, p->x, page)));
      negative &= beyond;
      if (negative && ! p->x_im)
        return ge_funm_need_imaginary (place->ctx);
      if (negative)
        {
          GE_TRY (ge_array_map_line (place, GE_MAP_IMAG, wide, square, form,
                                     none, to));
          GE_TRY (
              transform (s, u, part, work, ge_funm_page (s, p->x_im, page)));
        }
      s->has_im[page] = negative != 0;
    }
  if (p->roots)
    p->roots[page] = roots;
  if (p->state)
    p->state[page]
        = (unsigned char) (beyond ? state | GPUEIG_FUNM_NEGATIVE : state);
  return GPUEIG_OK;
}

/* --- products --- */

/* Positive integer powers, of many pages at once.  */
static gpueig_status
powers (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n, most = 1 + ((int64_t) 1 << 24) / square;
  for (int64_t i = 0; i < p->pages; i += most)
    {
      const int mark = ge_mark (s->place.ctx);
      GE_TRY (ge_powers_on_gpu (
          &s->place, p, p->pages - i < most ? p->pages - i : most,
          ge_funm_page (s, p->a, i), ge_funm_page (s, p->x, i)));
      ge_release (s->place.ctx, mark);
    }
  if (p->state)
    memset (p->state, 0, (size_t) p->pages);
  return GPUEIG_OK;
}

gpueig_status
ge_funm_products_on_gpu (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t square = p->n * p->n;
  if (p->kind == GPUEIG_MPOWER && p->power > 0)
    return powers (s);
  for (int64_t i = 0; i < s->count; i++)
    {
      const int64_t page = s->list[i];
      const int mark = ge_mark (ctx);
      double rcond;
      void *a;
      GE_TRY (ge_array_scratch (&s->place, p->type, square, &a));
      GE_TRY (ge_array_copy (&s->place, square, p->type, a, p->type,
                             ge_funm_page (s, p->a, page)));
      GE_TRY (ge_calc_on_gpu (&s->place, p, a, ge_funm_page (s, p->x, page),
                              &rcond));
      ge_funm_note_rcond (p, page, rcond);
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}
