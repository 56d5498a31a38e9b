/* Functions of pages in memory of a GPU from their Schur forms, by the operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Make *G, the matrix of ge_funm_blocks in the type WIDE, NULL without blocks; VALUES: the
   eigenvalues of T.  */
static gpueig_status
find_blocks (ge_page_set *s, const void *t, gpueig_type wide, void **g,
             ge_point *values)
{
  const gpueig_type type = s->p->type;
  const int64_t n = s->p->n;
  const gpueig_shape shape = ge_matrix_shape (wide, n, n);
  ge_place *place = &s->place;
  ge_point *subdiagonal, *above, *diagonal;
  void *there;
  *g = NULL;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, 3 * n, &subdiagonal));
  GE_TRY (ge_array_scratch (place, GPUEIG_COMPLEX_DOUBLE, n, &there));
  memset (subdiagonal, 0, (size_t) (3 * n) * sizeof *subdiagonal);
  above = subdiagonal + n;
  diagonal = above + n;
  GE_TRY (ge_move_line (place, type, n, t, 0, values, 0, there));
  if (n > 1 && ! gpueig_is_complex (type))
    {
      GE_TRY (ge_move_line (place, type, n, t, -1, subdiagonal, 0, there));
      GE_TRY (ge_move_line (place, type, n, t, 1, above, 0, there));
    }
  if (! ge_funm_blocks (n, values, subdiagonal, above, diagonal))
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, wide, n * n, g));
  GE_TRY (ge_array_clear (place, &shape, *g));
  GE_TRY (ge_move_line (place, wide, n, *g, 0, diagonal, 1, there));
  GE_TRY (ge_move_line (place, wide, n, *g, 1, subdiagonal, 1, there));
  return ge_move_line (place, wide, n, *g, -1, subdiagonal, 1, there);
}

/* T = G' T G or, with BACK, G T G'; WORK: n-by-n.  */
static gpueig_status
turn (ge_place *place, gpueig_type type, int64_t n, const void *g, int back,
      void *t, void *work)
{
  GE_TRY (ge_array_multiply (place, type, back ? "NC" : "NN", n, n, n, 1, t, g,
                             work));
  return ge_array_multiply (place, type, back ? "NN" : "CN", n, n, n, 1, g,
                            work, t);
}

/* F = f (T) of a page in Schur form with the eigenvalues VALUES and the matrix G of find_blocks,
   in the type WIDE of F; OWN: T is the page.  */
static gpueig_status
of_form (ge_page_set *s, const void *t, int own, gpueig_type wide,
         const void *g, ge_point *values, void *f, int *roots, int *state)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n;
  const gpueig_shape shape = ge_matrix_shape (wide, n, n);
  ge_place *place = &s->place;
  void *work;
  ge_calc c;
  GE_TRY (ge_array_scratch (place, wide, n * n, &work));
  GE_TRY (ge_array_copy (place, n * n, wide, f, p->type, t));
  if (g)
    {
      GE_TRY (turn (place, wide, n, g, 0, f, work));
      ge_map upper = ge_map_over (GE_MAP_COPY, &shape);
      upper.banded = 1;
      upper.upper = n;
      upper.x = upper.to = ge_view_of (&shape, f);
      GE_TRY (ge_array_map (place, &upper));
      GE_TRY (ge_move_line (place, wide, n, f, 0, values, 1, work));
    }
  GE_TRY (
      ge_calc_begin_on_gpu (&c, place, wide, n, 1,
                            p->power_im != 0 ? GE_CALC_MOST : GE_CALC_BUFFERS));
  c.own = own;
  GE_TRY (c.ops->find_upper (&c, f));
  GE_TRY (ge_triangular (&c, p->kind, ge_power (p), 0, f, roots, state));
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
  GE_TRY (ge_array_multiply (&s->place, type, "NN", n, n, n, 1, u, f, work));
  return ge_array_multiply (&s->place, type, "NC", n, n, n, 1, work, u, x);
}

/* Compute page PAGE from the Schur form T, U on the CPU, with copies in host memory.  */
static gpueig_status
by_cpu (ge_page_set *s, int64_t page, const void *t, const void *u)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  const size_t size = gpueig_scalar_size (p->type),
               bytes = (size_t) square * size;
  ge_place *place = &s->place;
  gpueig_context *ctx = place->ctx;
  const void *const from[] = { ge_funm_page (s, p->a, page), t, u };
  char *all, *to[5];
  void *work;
  int is_complex = 0, roots = 0;
  GE_TRY (ge_alloc (ctx, GE_HOST, 5 * square, size, (void **) &all));
  GE_TRY (ge_alloc (ctx, GE_HOST, GE_FUNM_WORK (p->n), size, &work));
  for (int k = 0; k < 5; k++)
    to[k] = all + (size_t) k * bytes;
  for (int k = 0; k < 2 + (u != NULL); k++)
    GE_TRY (place->ops->download (ctx, to[k], from[k], bytes));
  GE_TRY (place->ops->wait (ctx));
  const int state = GE_BY_TYPE (p->type, ge_funm_schur,
                                (p, to[0], to[1], u ? to[2] : NULL, to[3],
                                 to[4], work, &is_complex, &roots));
  if (is_complex && ! p->x_im)
    return ge_funm_need_imaginary (ctx);
  GE_TRY (place->ops->upload (ctx, ge_funm_page (s, p->x, page), to[3], bytes));
  if (is_complex)
    GE_TRY (place->ops->upload (ctx, ge_funm_page (s, p->x_im, page), to[4],
                                bytes));
  ge_funm_note (s, page, state, roots, is_complex);
  return place->ops->wait (ctx);
}

/* X and X_IM of page PAGE, which has imaginary parts if HAS_IM, from F = f (T) in the type
   WIDE.  */
static gpueig_status
put_page (ge_page_set *s, int64_t page, const void *u, gpueig_type wide,
          const void *f, int has_im)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  ge_place *place = &s->place;
  void *part, *work;
  GE_TRY (ge_array_scratch (place, wide, square, &work));
  if (wide == p->type)
    return transform (s, u, f, work, ge_funm_page (s, p->x, page));
  GE_TRY (ge_array_scratch (place, p->type, square, &part));
  const ge_view form = ge_view_line (wide, f), none = { .type = wide },
                to = ge_view_line (p->type, part);
  GE_TRY (ge_array_map_line (place, GE_MAP_REAL, wide, square, form, none, to));
  GE_TRY (transform (s, u, part, work, ge_funm_page (s, p->x, page)));
  if (! has_im)
    return GPUEIG_OK;
  if (! p->x_im)
    return ge_funm_need_imaginary (place->ctx);
  GE_TRY (ge_array_map_line (place, GE_MAP_IMAG, wide, square, form, none, to));
  return transform (s, u, part, work, ge_funm_page (s, p->x_im, page));
}

gpueig_status
ge_funm_form_on_gpu (ge_page_set *s, int64_t page, const void *t, const void *u)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n;
  ge_place *place = &s->place;
  ge_point *values;
  void *f, *g;
  double size, most = 0;
  int roots, matters = 0;
  /* Eigenvalues next to zero, which calculate of form_typed.c treats, relative to SIZE, and those
     of groups.  */
  const int is_double = gpueig_is_double (p->type);
  const double small = p->kind == GPUEIG_MPOWER && p->power > 1
                           ? (is_double ? DBL_EPSILON : FLT_EPSILON)
                           : ldexp (1, -GE_MOST_COUPLING (is_double));
  /* A real form without blocks and negative eigenvalues would do with real numbers.  */
  const gpueig_type wide = ge_make_complex (p->type);
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, n, &values));
  GE_TRY (find_blocks (s, t, wide, &g, values));
  GE_TRY (ge_array_frobenius (place, p->type, n * n, t, &size));
  for (int64_t i = 0; i < n; i++)
    most = fmax (most, cabs (values[i]));
  for (int64_t i = 0; i < n; i++)
    matters |= u ? ge_funm_matters (p, values[i], size)
                 : cabs (values[i]) <= small * size
                       || (p->kind == GPUEIG_MPOWER
                           && cabs (values[i]) * GE_GROUP_RANGE (is_double)
                                  <= most);
  if (matters)
    return by_cpu (s, page, t, u);
  const int negative = ge_funm_negative (p, n, values) & GE_NEGATIVE,
            has_im = wide != p->type && (negative || p->power_im != 0);
  int state = negative ? GPUEIG_FUNM_NEGATIVE : 0;
  GE_TRY (ge_array_scratch (place, wide, n * n, &f));
  GE_TRY (of_form (s, t, ! u, wide, g, values, f, &roots, &state));
  GE_TRY (put_page (s, page, u, wide, f, has_im));
  ge_funm_note (s, page, state, roots, has_im);
  return GPUEIG_OK;
}
