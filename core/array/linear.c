/* Products and systems of linear equations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double
eps_of (gpueig_type type)
{
  return gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
}

/* --- products --- */

gpueig_status
ge_array_multiply (ge_place *place, gpueig_type type, const char *op, int64_t m,
                   int64_t n, int64_t k, int64_t pages, const void *a,
                   const void *b, void *c)
{
  const ge_product p = { .type = type,
                         .ta = op[0],
                         .tb = op[1],
                         .m = m,
                         .n = n,
                         .k = k,
                         .pages = pages,
                         .stride_a = m * k,
                         .stride_b = k * n,
                         .a = a,
                         .b = b,
                         .c = c };
  GE_TRY (ge_check_interrupt (place->ctx));
  return place->ops->multiply (place->ctx, &p);
}

gpueig_status
ge_array_in_type (ge_place *place, const ge_array *a, gpueig_type type,
                  const void **data)
{
  void *copy;
  *data = a->block.ptr;
  if (a->shape.type == type)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, type, a->shape.count, &copy));
  *data = copy;
  return ge_array_copy (place, a->shape.count, type, copy, a->shape.type,
                        a->block.ptr);
}

static int64_t
pages_of (const gpueig_shape *s)
{
  int64_t pages = 1;
  for (int d = 2; d < s->n_dims; d++)
    pages *= s->dims[d];
  return pages;
}

gpueig_status
ge_array_make_hermitian (ge_place *place, gpueig_type type, int64_t n,
                         int64_t pages, void *c)
{
  const gpueig_shape shape = {
    .type = type, .n_dims = 3, .dims = { n, n, pages }, .count = n * n * pages
  };
  void *adjoint;
  GE_TRY (ge_array_scratch (place, type, shape.count, &adjoint));
  ge_map half = ge_map_over (GE_MAP_TIMES, &shape);
  half.to = half.x = ge_view_of (&shape, c);
  half.y = (ge_view){ .type = ge_make_real (type), .re = 0.5 };
  GE_TRY (ge_array_map (place, &half));
  ge_map turn = ge_map_over (GE_MAP_CONJ, &shape);
  turn.to = ge_view_of (&shape, adjoint);
  turn.x = ge_view_of (&shape, c);
  turn.x.stride[0] = n;
  turn.x.stride[1] = 1;
  GE_TRY (ge_array_map (place, &turn));
  ge_map sum = ge_map_over (GE_MAP_PLUS, &shape);
  sum.to = sum.x = ge_view_of (&shape, c);
  sum.y = ge_view_of (&shape, adjoint);
  return ge_array_map (place, &sum);
}

/* The dimensions of op (X) for the letter OF of an operand X.  */
static gpueig_shape
shape_of_op (char of, const gpueig_shape *x)
{
  gpueig_shape r = *x;
  if (of == 'N')
    return r;
  r.dims[0] = x->dims[1];
  r.dims[1] = x->dims[0];
  return r;
}

GE_ARRAY_PUBLIC (gpueig_array_multiply, result, (ctx, ta, x, tb, y, result),
                 char ta, gpueig_array x, char tb, gpueig_array y,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a, b;
  GE_TRY (ge_array_get (&place, x, &a));
  GE_TRY (ge_array_get (&place, y, &b));
  const gpueig_type type = ge_common_type (a.shape.type, b.shape.type);
  const gpueig_shape of_a = shape_of_op (ta, &a.shape),
                     of_b = shape_of_op (tb, &b.shape);
  const int64_t pages[2] = { pages_of (&a.shape), pages_of (&b.shape) };
  ge_product p = { .type = type,
                   .ta = ta,
                   .tb = tb,
                   .m = of_a.dims[0],
                   .k = of_a.dims[1],
                   .n = of_b.dims[1] };
  gpueig_shape shape = pages[0] == 1 ? b.shape : a.shape;
  if (p.k != of_b.dims[0]
      || (pages[0] != 1 && pages[1] != 1
          && (a.shape.n_dims != b.shape.n_dims
              || memcmp (a.shape.dims + 2, b.shape.dims + 2,
                         sizeof a.shape.dims - 2 * sizeof *a.shape.dims)
                     != 0)))
    return ge_nonconformant (ctx, &of_a, &of_b);
  p.pages = pages[0] == 1 ? pages[1] : pages[0];
  p.stride_a = pages[0] == 1 ? 0 : p.m * p.k;
  p.stride_b = pages[1] == 1 ? 0 : p.k * p.n;
  shape.type = type;
  shape.dims[0] = p.m;
  shape.dims[1] = p.n;
  GE_TRY (ge_array_make_few (&place, &shape, 1, result, &p.c));
  if (p.m == 0 || p.n == 0 || p.pages == 0)
    return GPUEIG_OK;
  if (p.k == 0)
    return ge_array_clear (&place, &shape, p.c);
  GE_TRY (ge_array_in_type (&place, &a, type, &p.a));
  GE_TRY (ge_array_in_type (&place, &b, type, &p.b));
  GE_TRY (place.ops->multiply (ctx, &p));
  /* X' X and X X' are Hermitian to the last bit, as in Octave.  */
  if (x == y && (ta == 'N') != (tb == 'N')
      && (p.m > 1 || gpueig_is_complex (type))
      && ((ta != 'T' && tb != 'T') || ! gpueig_is_complex (type)))
    return ge_array_make_hermitian (&place, type, p.m, p.pages, p.c);
  return GPUEIG_OK;
}

/* --- factors of a square matrix --- */

gpueig_status
ge_array_is_banded (ge_place *place, gpueig_type type, int64_t n, const void *a,
                    int64_t lower, int64_t upper, int *is)
{
  const gpueig_shape shape = ge_matrix_shape (type, n, n);
  ge_map map = ge_map_over (GE_MAP_NE, &shape);
  int64_t at = -1;
  map.x = ge_view_of (&shape, a);
  map.y = (ge_view){ .type = type };
  map.banded = 1;
  /* the elements below the band, then those above it */
  map.lower = -n;
  map.upper = lower - 1;
  ge_map above = map;
  if (lower > -n)
    GE_TRY (ge_array_find (place, &map, &at));
  above.lower = upper + 1;
  above.upper = n;
  if (at < 0 && upper < n)
    GE_TRY (ge_array_find (place, &above, &at));
  *is = at < 0;
  return GPUEIG_OK;
}

/* Nonzero in *MAY if A is Hermitian with a positive diagonal.  */
static gpueig_status
may_be_definite (ge_place *place, gpueig_type type, int64_t n, const void *a,
                 int *may)
{
  const gpueig_shape shape = ge_matrix_shape (type, n, n);
  int64_t at;
  GE_TRY (ge_array_is_symmetric (place, &shape, a, 1, may));
  if (! *may)
    return GPUEIG_OK;
  /* Complex numbers are compared by modulus: of a Hermitian matrix take the real
     part, the first component.  */
  const gpueig_type real = ge_make_real (type);
  ge_view line = ge_view_diagonal (type, n, a, 0);
  line.type = real;
  line.stride[0] *= 1 + gpueig_is_complex (type);
  GE_TRY (ge_array_find_line (place, GE_MAP_LE, real, n, line,
                              (ge_view){ .type = real }, &at));
  *may = at < 0;
  return GPUEIG_OK;
}

/* Factor F->A, which holds a copy of A; *SINGULAR: a pivot is zero.  */
static gpueig_status
factor_square (ge_place *place, const ge_array *a, ge_factors *f, int *singular)
{
  const int64_t n = f->n;
  int upper, lower, definite = 0;
  int64_t at = 0;
  *singular = 0;
  GE_TRY (ge_array_is_banded (place, f->type, n, f->a, 0, n, &upper));
  GE_TRY (ge_array_is_banded (place, f->type, n, f->a, -n, 0, &lower));
  if (upper || lower)
    {
      f->kind = upper ? GE_UPPER : GE_LOWER;
      GE_TRY (ge_array_find_line (place, GE_MAP_EQ, f->type, n,
                                  ge_view_diagonal (f->type, n, f->a, 0),
                                  (ge_view){ .type = f->type }, &at));
      *singular = at >= 0;
      return GPUEIG_OK;
    }
  GE_TRY (may_be_definite (place, f->type, n, f->a, &definite));
  if (definite)
    {
      f->kind = GE_CHOLESKY;
      GE_TRY (place->ops->factor (place->ctx, f, &at));
      if (at == 0)
        return GPUEIG_OK;
      GE_TRY (ge_array_copy (place, n * n, f->type, f->a, a->shape.type,
                             a->block.ptr));
    }
  f->kind = GE_LU;
  GE_TRY (ge_alloc (place->ctx, place->space, n, sizeof (int64_t), &f->pivots));
  GE_TRY (place->ops->factor (place->ctx, f, &at));
  *singular = at > 0;
  return GPUEIG_OK;
}

/* --- reciprocal condition number ---

   N. J. Higham, FORTRAN codes for estimating the one-norm of a real or complex matrix,
   ACM TOMS 14, 1988: a lower bound of the norm of the inverse from a few solutions with
   one right-hand side, usually within a factor of 3.  The vectors, of length n, are kept
   on the host; the systems are solved in place.  */

enum
{
  STEPS = 5
};

static double
modulus (gpueig_type type, const void *x, int64_t i)
{
  double part[2];
  ge_array_number (type, x, i, part);
  return hypot (part[0], part[1]);
}

static void
put_number (gpueig_type type, void *x, int64_t i, double re, double im)
{
  const int64_t at = gpueig_is_complex (type) ? 2 * i : i;
  if (gpueig_is_double (type))
    ((double *) x)[at] = re;
  else
    ((float *) x)[at] = (float) re;
  if (! gpueig_is_complex (type))
    return;
  if (gpueig_is_double (type))
    ((double *) x)[at + 1] = im;
  else
    ((float *) x)[at + 1] = (float) im;
}

/* Replace X by the signs x / |x|, and store them in SIGNS.  Return nonzero if a sign of a
   real X differs from the one that was in SIGNS.  */
static int
take_signs (gpueig_type type, int64_t n, void *x, void *signs)
{
  const size_t size = gpueig_scalar_size (type);
  for (int64_t i = 0; i < n; i++)
    {
      double part[2];
      ge_array_number (type, x, i, part);
      const double r = hypot (part[0], part[1]);
      if (r == 0)
        put_number (type, x, i, 1, 0);
      else
        put_number (type, x, i, part[0] / r, part[1] / r);
    }
  const int changed = memcmp (x, signs, (size_t) n * size) != 0;
  memcpy (signs, x, (size_t) n * size);
  return changed;
}

static double
sum_of_moduli (gpueig_type type, int64_t n, const void *x)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += modulus (type, x, i);
  return sum;
}

/* X = op (A)^-1 X for a vector on the host; AT has room for it in PLACE.  */
static gpueig_status
solve_on_host (ge_place *place, const ge_factors *f, char trans, void *x,
               void *at)
{
  const size_t bytes = (size_t) f->n * gpueig_scalar_size (f->type);
  GE_TRY (place->ops->upload (place->ctx, at, x, bytes));
  GE_TRY (place->ops->solve (place->ctx, f, trans, 1, at));
  return place->ops->download (place->ctx, x, at, bytes);
}

/* Compute *RCOND from the 1-norm NORM of A and an estimate of the 1-norm of the
   inverse.  */
static gpueig_status
estimate_rcond (ge_place *place, const ge_factors *f, double norm,
                double *rcond)
{
  gpueig_context *ctx = place->ctx;
  const gpueig_type type = f->type;
  const int64_t n = f->n;
  void *x, *signs, *at;
  int64_t j = -1;
  double estimate = 0;
  *rcond = 0;
  if (! (norm > 0))
    return GPUEIG_OK;
  GE_TRY (ge_alloc (ctx, GE_HOST, n, gpueig_scalar_size (type), &x));
  GE_TRY (ge_alloc (ctx, GE_HOST, n, gpueig_scalar_size (type), &signs));
  GE_TRY (ge_array_scratch (place, type, n, &at));
  memset (signs, 0, (size_t) n * gpueig_scalar_size (type));
  for (int64_t i = 0; i < n; i++)
    put_number (type, x, i, 1.0 / (double) n, 0);
  for (int step = 0; step < STEPS; step++)
    {
      GE_TRY (solve_on_host (place, f, 'N', x, at));
      const double sum = sum_of_moduli (type, n, x);
      if (step > 0 && ! (sum > estimate))
        break;
      estimate = sum;
      if (! take_signs (type, n, x, signs) && ! gpueig_is_complex (type))
        break;
      GE_TRY (solve_on_host (place, f, 'C', x, at));
      int64_t most = 0;
      for (int64_t i = 1; i < n; i++)
        if (modulus (type, x, i) > modulus (type, x, most))
          most = i;
      if (most == j)
        break;
      j = most;
      for (int64_t i = 0; i < n; i++)
        put_number (type, x, i, i == j, 0);
    }
  /* A vector with alternating signs, against cancellation in the steps above.  */
  for (int64_t i = 0; i < n; i++)
    {
      const double size = 1 + (n > 1 ? (double) i / (double) (n - 1) : 0);
      put_number (type, x, i, i % 2 ? -size : size, 0);
    }
  GE_TRY (solve_on_host (place, f, 'N', x, at));
  const double other = 2 * sum_of_moduli (type, n, x) / (3 * (double) n);
  estimate = ge_larger (estimate, other);
  *rcond = estimate > 0 && estimate <= DBL_MAX ? 1 / estimate / norm : 0;
  return GPUEIG_OK;
}

/* --- systems of equations --- */

/* F->a = A, or A' if WIDE, in F->type.  */
static gpueig_status
copy_tall (ge_place *place, const ge_array *a, int wide, const ge_factors *f)
{
  ge_map map = ge_map_over (wide && gpueig_is_complex (f->type) ? GE_MAP_CONJ
                                                                : GE_MAP_COPY,
                            &a->shape);
  const gpueig_shape copy = ge_matrix_shape (f->type, f->m, f->n);
  map.type = f->type;
  map.x = ge_view_of (&a->shape, a->block.ptr);
  map.to = ge_view_of (&copy, f->a);
  if (wide)
    {
      map.to.stride[0] = f->m;
      map.to.stride[1] = 1;
    }
  return ge_array_map (place, &map);
}

/* Compute the X of least norm that minimizes the norm of A X - B, where A = F->a = U S V',
   m >= n, or A = F->a' if WIDE, without singular values below m eps times the largest.  */
static gpueig_status
solve_by_svd (ge_place *place, int wide, const ge_factors *f, int64_t count,
              const void *b, void *x)
{
  gpueig_context *ctx = place->ctx;
  const gpueig_type type = f->type, real = ge_make_real (type);
  const int64_t m = f->m, n = f->n;
  void *s, *u, *vt, *y, *values;
  GE_TRY (ge_array_scratch (place, real, n, &s));
  GE_TRY (ge_array_scratch (place, type, m * n, &u));
  GE_TRY (ge_array_scratch (place, type, n * n, &vt));
  GE_TRY (ge_array_scratch (place, type, n * count, &y));
  GE_TRY (ge_alloc (ctx, GE_HOST, n, gpueig_scalar_size (real), &values));
  GE_TRY (place->ops->svd (ctx, type, m, n, f->a, s, u, vt));
  const size_t bytes = (size_t) n * gpueig_scalar_size (real);
  GE_TRY (place->ops->download (ctx, values, s, bytes));
  const double limit = modulus (real, values, 0) * (double) m * eps_of (type);
  for (int64_t i = 0; i < n; i++)
    {
      const double value = modulus (real, values, i);
      put_number (real, values, i, value > limit ? 1 / value : 0, 0);
    }
  GE_TRY (place->ops->upload (ctx, s, values, bytes));
  const char *const op = wide ? "NN" : "CN";
  GE_TRY (ge_array_multiply (place, type, op, n, count, wide ? n : m, 1,
                             wide ? vt : u, b, y));
  const gpueig_shape shape = ge_matrix_shape (type, n, count);
  ge_map scale = ge_map_over (GE_MAP_TIMES, &shape);
  scale.to = scale.x = ge_view_of (&shape, y);
  scale.y = (ge_view){ .data = s, .type = real, .stride = { 1, 0 } };
  GE_TRY (ge_array_map (place, &scale));
  return ge_array_multiply (place, type, op, wide ? m : n, count, n, 1,
                            wide ? u : vt, y, x);
}

static gpueig_status
solve_square (ge_place *place, const ge_array *a, int64_t count, const void *b,
              gpueig_type type, void *x, double *rcond)
{
  const int64_t n = a->shape.dims[0];
  ge_factors f = { .type = type, .m = n, .n = n };
  double norm;
  int singular;
  GE_TRY (ge_array_scratch (place, type, n * n, &f.a));
  GE_TRY (ge_array_copy (place, n * n, type, f.a, a->shape.type, a->block.ptr));
  GE_TRY (ge_array_norm_1 (place, type, n, n, f.a, &norm));
  GE_TRY (factor_square (place, a, &f, &singular));
  if (! singular)
    GE_TRY (estimate_rcond (place, &f, norm, rcond));
  if (*rcond >= eps_of (type) || ! (norm <= DBL_MAX))
    {
      GE_TRY (ge_array_copy (place, n * count, type, x, type, b));
      return place->ops->solve (place->ctx, &f, 'N', count, x);
    }
  GE_TRY (ge_array_copy (place, n * n, type, f.a, a->shape.type, a->block.ptr));
  return solve_by_svd (place, 0, &f, count, b, x);
}

/* Least squares by QR of A, m >= n, or of A', m < n: then the solution of least norm.  */
static gpueig_status
solve_rectangular (ge_place *place, const ge_array *a, int64_t count,
                   const void *b, gpueig_type type, void *x)
{
  gpueig_context *ctx = place->ctx;
  const int64_t m = a->shape.dims[0], n = a->shape.dims[1];
  const int wide = m < n;
  const int64_t rows = wide ? n : m, columns = wide ? m : n;
  ge_factors f = { .kind = GE_QR, .type = type, .m = rows, .n = columns };
  void *work;
  int64_t at, bad;
  GE_TRY (ge_array_scratch (place, type, m * n, &f.a));
  GE_TRY (ge_array_scratch (place, type, columns, &f.tau));
  GE_TRY (ge_array_scratch (place, type, rows * count, &work));
  GE_TRY (copy_tall (place, a, wide, &f));
  GE_TRY (place->ops->factor (ctx, &f, &at));

  /* Rank deficient if an element of R's diagonal is negligible.  */
  const gpueig_type real = ge_make_real (type);
  const ge_view own = ge_view_diagonal (type, rows, f.a, 0);
  double largest;
  void *sizes;
  GE_TRY (ge_array_norm_1 (place, type, rows, columns, f.a, &largest));
  GE_TRY (ge_array_scratch (place, real, columns, &sizes));
  GE_TRY (ge_array_map_line (place, GE_MAP_ABS, type, columns, own, GE_NO_VIEW,
                             ge_view_line (real, sizes)));
  const ge_view least
      = { .type = real, .re = largest * (double) rows * eps_of (type) };
  GE_TRY (ge_array_find_line (place, GE_MAP_LE, real, columns,
                              ge_view_line (real, sizes), least, &bad));
  if (bad >= 0 && largest <= DBL_MAX)
    {
      GE_TRY (copy_tall (place, a, wide, &f));
      return solve_by_svd (place, wide, &f, count, b, x);
    }

  gpueig_shape tall = ge_matrix_shape (type, rows, count);
  ge_factors r
      = { .kind = GE_UPPER, .type = type, .m = rows, .n = columns, .a = f.a };
  gpueig_shape top = ge_matrix_shape (type, columns, count);
  ge_map move = ge_map_over (GE_MAP_COPY, &top);
  if (! wide)
    {
      /* x = R^-1 (Q' b) */
      GE_TRY (ge_array_copy (place, rows * count, type, work, type, b));
      GE_TRY (place->ops->solve (ctx, &f, 'C', count, work));
      GE_TRY (place->ops->solve (ctx, &r, 'N', count, work));
      move.to = ge_view_of (&top, x);
      move.x = ge_view_of (&tall, work);
      return ge_array_map (place, &move);
    }
  /* x = Q (R^-H b), b above zeros */
  GE_TRY (ge_array_clear (place, &tall, work));
  move.to = ge_view_of (&tall, work);
  move.x = ge_view_of (&top, b);
  GE_TRY (ge_array_map (place, &move));
  GE_TRY (place->ops->solve (ctx, &r, 'C', count, work));
  GE_TRY (place->ops->solve (ctx, &f, 'N', count, work));
  return ge_array_copy (place, rows * count, type, x, type, work);
}

GE_ARRAY_PUBLIC (gpueig_array_solve, result, (ctx, x, y, result, rcond),
                 gpueig_array x, gpueig_array y, gpueig_array *result,
                 double *rcond)
{
  ge_place place = { .ctx = ctx };
  ge_array a, b;
  const void *right;
  void *data;
  *rcond = 0;
  GE_TRY (ge_array_get (&place, x, &a));
  GE_TRY (ge_array_get (&place, y, &b));
  const int64_t m = a.shape.dims[0], n = a.shape.dims[1];
  if (a.shape.n_dims > 2 || b.shape.n_dims > 2 || m != b.shape.dims[0])
    return ge_nonconformant (ctx, &a.shape, &b.shape);
  const gpueig_type type = ge_common_type (a.shape.type, b.shape.type);
  const gpueig_shape shape = ge_matrix_shape (type, n, b.shape.dims[1]);
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  *rcond = 1;
  if (n == 0 || b.shape.dims[1] == 0)
    return GPUEIG_OK;
  if (m == 0)
    return ge_array_clear (&place, &shape, data);
  GE_TRY (ge_array_in_type (&place, &b, type, &right));
  if (m != n)
    return solve_rectangular (&place, &a, b.shape.dims[1], right, type, data);
  *rcond = 0;
  return solve_square (&place, &a, b.shape.dims[1], right, type, data, rcond);
}
