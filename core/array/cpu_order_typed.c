/* Sorting, positions of extremes and of elements that are not zero, on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "array/cpu.h"

#include "array/elementwise.h"

#if GE_COMPLEX
typedef number_t element_t;
#  define RE(z) ((z).re)
#  define IM(z) ((z).im)
#else
typedef real_t element_t;
#  define RE(z) (z)
#  define IM(z) ((real_t) 0)
#endif

/* The number of passes, and the key of X in PASS: the last pass decides first.  */
#if GE_COMPLEX
enum
{
  PASSES = 2
};

static inline uint64_t
key_of (element_t x, int pass, int descending)
{
  const real_t nan = x.re != x.re ? x.re : x.im;
  if (nan != nan)
    return el_key (nan, descending);
  return el_key (pass ? el_abs (x) : el_arg (x), descending);
}
#else
enum
{
  PASSES = 1
};

static inline uint64_t
key_of (element_t x, int pass, int descending)
{
  (void) pass;
  return el_key (x, descending);
}
#endif

void
FN (ge_cpu_sort_column) (const ge_sort *s, int64_t column, ge_item *items)
{
  const element_t *x = (const element_t *) s->x + s->n * column;
  element_t *to = (element_t *) s->to + s->n * column;
  for (int64_t i = 0; i < s->n; i++)
    items[i].at = i;
  for (int pass = 0; pass < PASSES; pass++)
    {
      for (int64_t i = 0; i < s->n; i++)
        items[i].key = key_of (x[items[i].at], pass, s->descending);
      ge_cpu_sort_items (items, items + s->n, s->n);
    }
  for (int64_t i = 0; i < s->n; i++)
    to[i] = x[items[i].at];
  for (int64_t i = 0; s->at && i < s->n; i++)
    s->at[i + s->n * column] = (double) (items[i].at + 1);
}

/* Nonzero if neither of X and Y comes before the other.  */
static inline int
is_beside (element_t x, element_t y)
{
#if GE_COMPLEX
  return el_compare (x, y, 0, 0) == 0;
#else
  return x == y;
#endif
}

/* Rows FROM .. TO - 1 of PAGE.  */
void
FN (ge_cpu_locate) (const ge_reduction *r, double *at, int64_t page,
                    int64_t from, int64_t to)
{
  const element_t *x = (const element_t *) r->x + r->left * r->n * page;
  const element_t *found = (const element_t *) r->to + r->left * page;
  for (int64_t i = from; i < to; i++)
    {
      int64_t k = 0;
      while (k < r->n && ! is_beside (x[i + r->left * k], found[i]))
        k++;
      at[i + r->left * page] = (double) (k < r->n ? k + 1 : 1);
    }
}

int64_t
FN (ge_cpu_select) (const void *data, int64_t count, double *list)
{
  const element_t *x = data;
  int64_t n = 0;
  for (int64_t i = 0; i < count; i++)
    if (! (RE (x[i]) == 0 && IM (x[i]) == 0))
      list[n++] = (double) (i + 1);
  return n;
}
