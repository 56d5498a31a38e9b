/* Elementwise operations and reductions on the CPU.  A map is computed in blocks along
   its first dimension: both operands are loaded into buffers of the type of the
   computation, combined, and stored.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "array/cpu.h"

#include "array/elementwise.h"
#include "array/functions.h"

enum
{
  BLOCK = 512
};

#if GE_COMPLEX
typedef number_t element_t;
#else
typedef real_t element_t;
#endif

#include "array/combine.h"

/* --- blocks --- */

/* Offset in VIEW of index I of dimension D.  */
static inline int64_t
offset (const ge_view *view, int d, int64_t i)
{
  return view->stride[d] * (view->list[d] ? view->list[d][i] : i);
}

/* OUT: COUNT elements from offset BASE and index START of dimension 0 on.  */
#define LOAD(TYPE, re, im)                                                     \
  {                                                                            \
    const TYPE *from = view->data;                                             \
    if (view->list[0])                                                         \
      for (int64_t i = 0; i < count; i++)                                      \
        {                                                                      \
          const int64_t k = base + offset (view, 0, start + i);                \
          out[i] = ELEMENT (from[re], im);                                     \
        }                                                                      \
    else                                                                       \
      for (int64_t i = 0; i < count; i++)                                      \
        {                                                                      \
          const int64_t k = base + step * (start + i);                         \
          out[i] = ELEMENT (from[re], im);                                     \
        }                                                                      \
    break;                                                                     \
  }

static void
load_elements (const ge_view *view, int64_t base, int64_t start, int64_t count,
               element_t *out)
{
  const int64_t step = view->stride[0];
  if (! view->data)
    {
      for (int64_t i = 0; i < count; i++)
        out[i] = ELEMENT (view->re, view->im);
      return;
    }
  switch (view->bytes ? -1 : (int) view->type)
    {
    case -1:
      LOAD (unsigned char, k, 0)
    case GPUEIG_FLOAT:
      LOAD (float, k, 0)
    case GPUEIG_DOUBLE:
      LOAD (double, k, 0)
    case GPUEIG_COMPLEX_FLOAT:
      LOAD (float, 2 * k, from[2 * k + 1])
    case GPUEIG_COMPLEX_DOUBLE:
      LOAD (double, 2 * k, from[2 * k + 1])
    }
}

#define STORE(TYPE, complex)                                                   \
  {                                                                            \
    TYPE *to = view->data;                                                     \
    for (int64_t i = 0; i < count; i++)                                        \
      {                                                                        \
        const int64_t k = base + offset (view, 0, start + i);                  \
        to[k * (1 + complex)] = (TYPE) RE (in[i]);                             \
        if (complex)                                                           \
          to[k * (1 + complex) + complex] = (TYPE) IM (in[i]);                 \
      }                                                                        \
    break;                                                                     \
  }

static void
store_elements (const ge_view *view, int64_t base, int64_t start, int64_t count,
                const element_t *in)
{
  switch (view->type)
    {
    case GPUEIG_FLOAT:
      STORE (float, 0)
    case GPUEIG_DOUBLE:
      STORE (double, 0)
    case GPUEIG_COMPLEX_FLOAT:
      STORE (float, 1)
    case GPUEIG_COMPLEX_DOUBLE:
      STORE (double, 1)
    }
}

/* Z = OP (X, Y); the operation is a constant in each loop.  */
static void
combine_elements (const ge_map *map, int64_t count, const element_t *x,
                  const element_t *y, element_t *z)
{
#if GE_COMPLEX
  const int x_real = ! gpueig_is_complex (map->x.type),
            y_real = ! gpueig_is_complex (map->y.type);
#  define COMBINE(name)                                                        \
  case GE_MAP_##name:                                                          \
    for (int64_t i = 0; i < count; i++)                                        \
      z[i] = GE_MAP_##name >= GE_MAP_EQ                                        \
                 ? ELEMENT (                                                   \
                     el_test (GE_MAP_##name, x[i], y[i], x_real, y_real), 0)   \
                 : el_complex (GE_MAP_##name, x[i], y[i], x_real, y_real);     \
    break;
#  define FUNCTION(name)                                                       \
  case GE_MAP_##name:                                                          \
    for (int64_t i = 0; i < count; i++)                                        \
      z[i] = el_complex_function (GE_MAP_##name, x[i], x_real);                \
    break;
#else
#  define COMBINE(name)                                                        \
  case GE_MAP_##name:                                                          \
    for (int64_t i = 0; i < count; i++)                                        \
      z[i] = el_real (GE_MAP_##name, x[i], y[i]);                              \
    break;
#  define FUNCTION(name)                                                       \
  case GE_MAP_##name:                                                          \
    for (int64_t i = 0; i < count; i++)                                        \
      z[i] = el_function (GE_MAP_##name, x[i]);                                \
    break;
#endif
  switch (map->op)
    {
      GE_MAP_UNARY (COMBINE)
      GE_MAP_FUNCTIONS (FUNCTION)
      GE_MAP_BINARY (COMBINE)
    }
}

/* Zeros for rows START .. START + COUNT - 1 of COLUMN outside the band.  */
static void
clear_outside (const ge_map *map, int64_t start, int64_t column, int64_t count,
               element_t *z)
{
  for (int64_t i = 0; i < count; i++)
    {
      const int64_t d = column - (start + i);
      if (d < map->lower || d > map->upper)
        z[i] = ELEMENT (0, 0);
    }
}

#if ! GE_COMPLEX
/* Nonzero if the operation is complex for one of COUNT elements.  */
static int
is_beyond (ge_map_op op, int64_t count, const real_t *x, const real_t *y)
{
  int is = 0;
  for (int64_t i = 0; i < count; i++)
    is |= el_is_beyond (op, x[i], y[i]);
  return is;
}
#endif

/* --- maps --- */

/* Offset of VIEW for the indices of the dimensions from 1 on.  */
static int64_t
base_of (const ge_view *view, int n_dims, const int64_t *index)
{
  int64_t base = 0;
  for (int d = 1; d < n_dims; d++)
    base += offset (view, d, index[d]);
  return base;
}

int64_t
FN (ge_cpu_map) (const ge_map *map, int64_t begin, int64_t end)
{
  element_t x[BLOCK], y[BLOCK] = { ELEMENT (0, 0) }, z[BLOCK];
  int64_t index[GE_MAP_DIMS], left = begin;
  for (int d = 0; d < map->n_dims; d++)
    {
      index[d] = left % map->dims[d];
      left /= map->dims[d];
    }
  while (begin < end)
    {
      int64_t count = map->dims[0] - index[0];
      count = count < end - begin ? count : end - begin;
      count = count < BLOCK ? count : BLOCK;
      load_elements (&map->x, base_of (&map->x, map->n_dims, index), index[0],
                     count, x);
      if (map->op >= GE_MAP_PLUS)
        load_elements (&map->y, base_of (&map->y, map->n_dims, index), index[0],
                       count, y);
#if ! GE_COMPLEX
      if (map->beyond && is_beyond (map->op, count, x, y))
        __atomic_store_n (map->beyond, 1, __ATOMIC_RELAXED);
#endif
      combine_elements (map, count, x, y, z);
      if (map->banded)
        clear_outside (map, index[0], index[1], count, z);
      const int64_t base = base_of (&map->to, map->n_dims, index);
      if (map->op < GE_MAP_EQ)
        store_elements (&map->to, base, index[0], count, z);
      else
        for (int64_t i = 0; i < count; i++)
          {
            const int is = RE (z[i]) != 0;
            if (map->to.data)
              ((unsigned char *)
                   map->to.data)[base + offset (&map->to, 0, index[0] + i)]
                  = (unsigned char) is;
            else if (is)
              return begin + i;
          }
      begin += count;
      index[0] += count;
      for (int d = 0; d + 1 < map->n_dims && index[d] == map->dims[d]; d++)
        {
          index[d] = 0;
          index[d + 1]++;
        }
    }
  return -1;
}

/* --- reductions --- */

/* S, COUNT partial results, with COUNT elements of X; OP is a constant in each loop.  */
static void
accumulate (ge_reduce_op op, int64_t count, const element_t *x, element_t *s)
{
  switch (op)
    {
#define ACCUMULATE(name)                                                       \
  case name:                                                                   \
    for (int64_t i = 0; i < count; i++)                                        \
      s[i] = co_combine (name, s[i], co_term (name, x[i]));                    \
    break;
      ACCUMULATE (GE_SUM)
      ACCUMULATE (GE_SUM_ABS)
      ACCUMULATE (GE_SUM_SQUARES)
      ACCUMULATE (GE_LARGEST)
      ACCUMULATE (GE_SMALLEST)
      ACCUMULATE (GE_LARGEST_ABS)
      ACCUMULATE (GE_PRODUCT)
      ACCUMULATE (GE_ANY)
      ACCUMULATE (GE_ALL)
    }
}

/* The partial result before the first element, which is X.  */
static element_t
initial (ge_reduce_op op, element_t x)
{
  if (op == GE_LARGEST || op == GE_SMALLEST)
    return x;
  return ELEMENT (op == GE_PRODUCT || op == GE_ALL, 0);
}

/* X, COUNT elements, or in D the differences to CENTER, of which every STEP-th is used.  */
static const element_t *
centered (int64_t count, const element_t *x, const element_t *center, int step,
          element_t *d)
{
  for (int64_t i = 0; center && i < count; i++)
    d[i] = co_minus (x[i], center[step * i]);
  return center ? d : x;
}

/* One column X: LANES partial results, combined at the end.  */
static element_t
reduce_column (const ge_reduction *r, const element_t *x,
               const element_t *center)
{
  enum
  {
    LANES = 8 /* divides BLOCK */
  };
  element_t s[LANES], d[BLOCK];
  for (int k = 0; k < LANES; k++)
    s[k] = initial (r->op, x[0]);
  for (int64_t from = 0; from < r->n; from += BLOCK)
    {
      const int64_t count = r->n - from < BLOCK ? r->n - from : BLOCK;
      const element_t *y = centered (count, x + from, center, 0, d);
      int64_t i = 0;
      for (; i + LANES <= count; i += LANES)
        accumulate (r->op, LANES, y + i, s);
      accumulate (r->op, count - i, y + i, s);
    }
  for (int k = 1; k < LANES; k++)
    s[0] = co_combine (r->op, s[0], s[k]);
  return s[0];
}

/* Reduce rows FROM .. TO - 1 of PAGE, at most BLOCK rows.  */
void
FN (ge_cpu_reduce) (const ge_reduction *r, int64_t page, int64_t from,
                    int64_t to)
{
  const int64_t count = to - from, at = from + r->left * page;
  const element_t *x = (const element_t *) r->x + r->left * r->n * page + from;
  const element_t *center
      = r->center ? (const element_t *) r->center + at : NULL;
  const int real = ! ge_keeps_elements (r->op);
  element_t s[BLOCK], d[BLOCK];
  if (r->left == 1)
    s[0] = reduce_column (r, x, center);
  else
    {
      for (int64_t i = 0; i < count; i++)
        s[i] = initial (r->op, x[i]);
      for (int64_t k = 0; k < r->n; k++)
        accumulate (r->op, count,
                    centered (count, x + r->left * k, center, 1, d), s);
    }
  for (int64_t i = 0; i < count; i++)
    {
      const element_t result = co_finish (r->divisor, r->root, s[i]);
      if (real)
        ((real_t *) r->to)[at + i] = RE (result);
      else
        ((element_t *) r->to)[at + i] = result;
    }
}

/* Scan rows FROM .. TO - 1 of PAGE.  */
void
FN (ge_cpu_scan) (const ge_scan *s, int64_t page, int64_t from, int64_t to)
{
  const int64_t start = s->left * s->n * page;
  const element_t *x = (const element_t *) s->x + start;
  element_t *z = (element_t *) s->to + start;
  for (int64_t i = from; i < to; i++)
    z[i] = x[i];
  for (int64_t k = 1; k < s->n; k++)
    for (int64_t i = from + s->left * k; i < to + s->left * k; i++)
      z[i] = co_combine (s->op, z[i - s->left], x[i]);
}
