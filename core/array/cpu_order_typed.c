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

#if ! GE_COMPLEX
static inline void
exchange_elements (real_t *x, real_t *y)
{
  const real_t z = *x;
  *x = *y;
  *y = z;
}

/* Put the element of X that is K-th in order in its place, smaller ones before it and larger
   ones behind; no NaN is there (C. A. R. Hoare, Algorithm 65, 1961).  0 if it takes too
   long.  */
static int
select_element (real_t *x, int64_t n, int64_t k)
{
  int64_t low = 0, high = n - 1;
  for (int round = 0; low < high; round++)
    {
      const real_t a = x[low], b = x[low + (high - low) / 2], c = x[high];
      const real_t pivot = fmax_ (fmin_ (a, b), fmin_ (fmax_ (a, b), c));
      int64_t i = low, j = high;
      if (round == 60)
        return 0;
      while (i <= j)
        {
          while (x[i] < pivot)
            i++;
          while (x[j] > pivot)
            j--;
          if (i <= j)
            exchange_elements (&x[i++], &x[j--]);
        }
      if (k > j && k < i)
        break;
      low = k <= j ? low : i;
      high = k <= j ? j : high;
    }
  return 1;
}

/* Find the middle elements, as with MIDDLE in ge_sort; 0 if that takes too long.  */
static int
find_middle (const real_t *x, int64_t n, real_t *to)
{
  for (int64_t i = 0; i < n; i++)
    {
      to[i] = x[i];
      if (x[i] != x[i])
        {
          to[n - 1] = x[i];
          return 1;
        }
    }
  const int64_t k = (n - 1) / 2;
  if (! select_element (to, n, k))
    return 0;
  for (int64_t i = k + 2; k + 1 == n / 2 && i < n; i++)
    if (to[i] < to[k + 1])
      exchange_elements (&to[i], &to[k + 1]);
  return 1;
}
#endif

void
FN (ge_cpu_sort_column) (const ge_sort *s, int64_t column, ge_item *items)
{
  const element_t *x = (const element_t *) s->x + s->n * column;
  element_t *to = (element_t *) s->to + s->n * column;
#if ! GE_COMPLEX
  if (s->middle && find_middle (x, s->n, to))
    return;
#endif
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
FN (ge_cpu_locate) (const ge_reduction *r, int64_t page, int64_t from,
                    int64_t to)
{
  const element_t *x = (const element_t *) r->x + r->left * r->n * page;
  const element_t *found = (const element_t *) r->to + r->left * page;
  for (int64_t i = from; i < to; i++)
    {
      int64_t k = 0;
      while (k < r->n && ! is_beside (x[i + r->left * k], found[i]))
        k++;
      r->at[i + r->left * page] = (double) (k < r->n ? k + 1 : 1);
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

void
FN (ge_cpu_pick) (int64_t count, const double *x, int64_t limit,
                  const void *from, void *to, int *bad)
{
  const element_t *source = from;
  element_t *z = to;
  for (int64_t i = 0; i < count; i++)
    {
      const int64_t k
          = x[i] >= 1 && x[i] <= (double) limit ? (int64_t) x[i] : 0;
      if (k < 1 || (double) k != x[i])
        *bad = 1;
      else
        z[i] = source[k - 1];
    }
}
