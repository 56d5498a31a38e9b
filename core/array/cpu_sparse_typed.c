/* Operations on sparse matrices on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "array/cpu.h"

/* --- products with full matrices --- */

/* Rows FROM to TO - 1 of C, each element the sum of the products in the order of A's elements.  */
#define MULTIPLY_SPARSE(index)                                                 \
  {                                                                            \
    const index *starts = p->a.starts, *columns = p->a.indices;                \
    for (int64_t j = 0; j < p->n; j++)                                         \
      for (int64_t i = from; i < to; i++)                                      \
        {                                                                      \
          scalar_t sum = 0;                                                    \
          for (int64_t e = starts[i]; e < starts[i + 1]; e++)                  \
            sum += values[e] * b[columns[e] + j * p->a.columns];               \
          c[i + j * p->a.rows] = sum;                                          \
        }                                                                      \
  }

void
FN (ge_cpu_multiply_sparse) (const ge_sparse_product *p, int64_t from,
                             int64_t to)
{
  const scalar_t *values = p->a.values, *b = p->b;
  scalar_t *c = p->c;
  if (p->a.wide)
    MULTIPLY_SPARSE (int64_t)
  else
    MULTIPLY_SPARSE (int32_t)
}

/* --- sparse results: terms, sorted by their places --- */

typedef struct
{
  ge_item *items;
  scalar_t *values;
  int64_t count;
} term_list;

static int64_t
start_of (const ge_sparse *s, int64_t row)
{
  return ge_sparse_number (s->starts, s->wide, row);
}

static int64_t
column_of (const ge_sparse *s, int64_t e)
{
  return ge_sparse_number (s->indices, s->wide, e);
}

static int64_t
count_terms (const ge_sparse_list *list)
{
  int64_t count = 0;
  if (list->op != GPUEIG_SPARSE_MULTIPLY)
    return list->a.elements + list->b.elements;
  for (int64_t e = 0; e < list->a.elements; e++)
    {
      const int64_t row = column_of (&list->a, e);
      count += start_of (&list->b, row + 1) - start_of (&list->b, row);
    }
  return count;
}

static void
add_term (term_list *t, int64_t key, scalar_t value)
{
  t->items[t->count] = (ge_item){ .key = (uint64_t) key, .at = t->count };
  t->values[t->count++] = value;
}

/* The elements of S, multiplied by SIGN, or their products with those of list->b.  */
static void
add_terms (term_list *t, const ge_sparse_list *list, const ge_sparse *s,
           real_t sign)
{
  const scalar_t *values = s->values, *others = list->b.values;
  for (int64_t i = 0; i < s->rows; i++)
    for (int64_t e = start_of (s, i); e < start_of (s, i + 1); e++)
      {
        const int64_t k = column_of (s, e);
        if (list->op == GPUEIG_SPARSE_TRANSPOSE)
          add_term (t, k * list->columns + i, values[e]);
        else if (list->op != GPUEIG_SPARSE_MULTIPLY)
          add_term (t, i * list->columns + k, sign * values[e]);
        else
          for (int64_t f = start_of (&list->b, k);
               f < start_of (&list->b, k + 1); f++)
            add_term (t, i * list->columns + column_of (&list->b, f),
                      values[e] * others[f]);
      }
}

/* Combine the sorted terms of each place.  */
static void
combine_terms (const term_list *t, ge_sparse_list *list)
{
  const int keeps_zeros = list->op == GPUEIG_SPARSE_TRANSPOSE,
            is_product = list->op == GPUEIG_SPARSE_TIMES;
  scalar_t *values = list->values;
  list->elements = 0;
  for (int64_t i = 0, end; i < t->count; i = end)
    {
      const uint64_t key = t->items[i].key;
      scalar_t x = t->values[t->items[i].at];
      for (end = i + 1; end < t->count && t->items[end].key == key; end++)
        {
          const scalar_t y = t->values[t->items[end].at];
          x = is_product ? x * y : x + y;
        }
      if (is_product && end - i < 2)
        continue;
      if (x == 0 && ! keeps_zeros)
        continue;
      list->keys[list->elements] = (int64_t) key;
      values[list->elements++] = x;
    }
}

gpueig_status
FN (ge_cpu_combine_sparse) (gpueig_context *ctx, ge_sparse_list *list)
{
  const int64_t count = count_terms (list);
  term_list t = { .count = 0 };
  scalar_t *values;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &list->keys));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &values));
  list->values = values;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &t.values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * count, &t.items));
  add_terms (&t, list, &list->a, 1);
  if (list->op != GPUEIG_SPARSE_MULTIPLY && list->b.elements > 0)
    add_terms (&t, list, &list->b,
               list->op == GPUEIG_SPARSE_MINUS ? (real_t) -1 : 1);
  ge_cpu_sort_items (t.items, t.items + count, count);
  combine_terms (&t, list);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
