/* One page whose singular values may span more than the range of numbers, to high relative
   accuracy: A = B D or D B with D diagonal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   D is on the right, else A' is taken.  A = F diag (2^e) with columns F near 1, in descending
   order of e.  Reflections from the left act on F alone: F = Q R, A = Q R diag (2^e).  Row i
   of R diag (2^e) is about 2^e_i, so its conjugate transpose has columns x_i 2^f_i with x_i
   near 1.  One-sided Jacobi (onesided/exponents.h) makes those orthogonal, X diag (2^f) =
   W S V', and

       A = Q V S W'.

   Z. Drmac and K. Veselic (SIMAX 29 (2008) 1322) do so with pivoting, which here would
   only save sweeps.  */

#include "base/products.h"
#include "onesided/exponents.h"
#include "svd/svd.h"

#include <string.h>

enum
{
  /* Exponents of lengths of columns or rows that differ by more are not for LAPACK.  */
  SPREAD = GE_DOUBLE ? 400 : 50
};

/* L-by-N is A, or its conjugate transpose if TURNED; K the shorter side.  */
typedef struct
{
  const ge_svd_graded_page *page;
  int turned;
  int64_t l, n, k, rank; /* RANK: nonzero values */
  scalar_t *f, *x, *v, *tau, *of_v, *work;
  real_t *sign, *mantissa;
  int *e, *exponent;
  int64_t *order, *by_value;
  lapack_int lwork;
} graded;

static int64_t
lay_out_graded (graded *g, char *space)
{
  const ge_svd_graded_page *p = g->page;
  char *at = space;
  const int64_t m = p->m, n = p->n, k = m < n ? m : n, longer = m + n - k;
  g->lwork = (lapack_int) (66 * (longer + 1));
  g->f = ge_take (&at, m * n, sizeof *g->f);
  g->x = ge_take (&at, longer * k, sizeof *g->x);
  g->v = ge_take (&at, p->vectors ? k * k : 0, sizeof *g->v);
  g->tau = ge_take (&at, k, sizeof *g->tau);
  g->of_v = ge_take (&at, n * p->of_v, sizeof *g->of_v);
  g->work = ge_take (&at, g->lwork, sizeof *g->work);
  g->sign = ge_take (&at, longer, sizeof *g->sign);
  g->mantissa = ge_take (&at, k, sizeof *g->mantissa);
  g->e = ge_take (&at, longer, sizeof *g->e);
  g->exponent = ge_take (&at, longer, sizeof *g->exponent);
  g->order = ge_take (&at, longer, sizeof *g->order);
  g->by_value = ge_take (&at, k, sizeof *g->by_value);
  return at - space;
}

int64_t
FN (ge_svd_graded_bytes) (const ge_svd_graded_page *p)
{
  graded g = { .page = p };
  return lay_out_graded (&g, NULL);
}

/* --- exponents --- */

/* Set E[i] to the exponent of the largest part of row I of A, or with COLUMNS of column I;
   return the difference of the largest and the least exponent of rows that are not
   zero.  */
static int
find_exponents (const ge_svd_graded_page *p, int columns, int *e)
{
  const scalar_t *a = p->a;
  const int64_t count = columns ? p->n : p->m;
  int least = INT32_MAX, most = INT32_MIN;
  for (int64_t i = 0; i < count; i++)
    {
      const int64_t inner = columns ? p->m : p->n;
      real_t largest = 0;
      for (int64_t j = 0; j < inner; j++)
        {
          const scalar_t x = columns ? a[j + p->m * i] : a[i + p->m * j];
          largest = fmax_ (largest, part_ (x));
        }
      e[i] = GE_EXPONENT_OF_ZERO;
      if (! (largest > 0))
        continue;
      (void) GE_MATH (frexp) (largest, &e[i]);
      least = e[i] < least ? e[i] : least;
      most = e[i] > most ? e[i] : most;
    }
  return most > least ? most - least : 0;
}

int
FN (ge_svd_is_graded) (const ge_svd_graded_page *p, void *space)
{
  graded g = { .page = p };
  lay_out_graded (&g, space);
  return find_exponents (p, 1, g.e) > SPREAD
         || find_exponents (p, 0, g.e) > SPREAD;
}

/* F diag (2^e) = A or A', columns in descending order of E; column i is column ORDER[i] of that
   matrix.  */
static void
load_page (graded *g)
{
  const ge_svd_graded_page *p = g->page;
  const scalar_t *a = p->a;
  g->turned = find_exponents (p, 0, g->e) > find_exponents (p, 1, g->exponent);
  if (! g->turned)
    memcpy (g->e, g->exponent, (size_t) p->n * sizeof *g->e);
  g->l = g->turned ? p->n : p->m;
  g->n = g->turned ? p->m : p->n;
  g->k = g->l < g->n ? g->l : g->n;
  for (int64_t j = 0; j < g->n; j++)
    {
      const int e = g->e[j];
      int64_t i = j;
      for (; i > 0 && g->e[i - 1] < e; i--)
        {
          g->e[i] = g->e[i - 1];
          g->order[i] = g->order[i - 1];
        }
      g->e[i] = e;
      g->order[i] = j;
    }
  for (int64_t j = 0; j < g->n; j++)
    for (int64_t i = 0; i < g->l; i++)
      {
        const int64_t from = g->order[j];
        const scalar_t x
            = g->turned ? conj_ (a[from + p->m * i]) : a[i + p->m * from];
        const int e = g->e[j] == GE_EXPONENT_OF_ZERO ? 0 : g->e[j];
        g->f[i + g->l * j] = times_power_ (x, -e);
      }
}

/* --- factors --- */

static lapack_int
factor_page (graded *g, int64_t rows, int64_t columns)
{
  const lapack_int m = (lapack_int) rows, n = (lapack_int) columns;
  lapack_int info = 0;
  geqrf_ (&m, &n, g->f, &m, g->tau, g->work, &g->lwork, &info);
  return info;
}

/* TO (ROWS-by-COLUMNS) <- the orthogonal factor, of COUNT reflectors, times TO.  */
static void
multiply_by_factor (graded *g, int64_t rows, int64_t columns, int64_t count,
                    scalar_t *to)
{
  const lapack_int m = (lapack_int) rows, n = (lapack_int) columns,
                   k = (lapack_int) count;
  lapack_int info;
  unmqr_ ("L", "N", &m, &n, &k, g->f, &m, g->tau, to, &m, g->work, &g->lwork,
          &info, 1, 1);
}

/* X diag (2^exponent) = (R diag (2^e))'.  */
static void
take_rows (graded *g)
{
  for (int64_t i = 0; i < g->k; i++)
    {
      scalar_t *x = g->x + g->n * i;
      int most = GE_EXPONENT_OF_ZERO;
      for (int64_t j = i; j < g->n; j++)
        {
          const scalar_t r = g->f[i + g->l * j];
          int e;
          (void) GE_MATH (frexp) (part_ (r), &e);
          most = part_ (r) > 0 && e + g->e[j] > most ? e + g->e[j] : most;
        }
      g->exponent[i] = most;
      memset (x, 0, (size_t) g->n * sizeof *x);
      for (int64_t j = i; j < g->n && most > GE_EXPONENT_OF_ZERO; j++)
        {
          const scalar_t r = conj_ (g->f[i + g->l * j]);
          x[j] = times_power_ (r, g->e[j] - most);
        }
    }
}

/* --- results --- */

/* Scale the columns of X to length 1, and set BY_VALUE to their order, with the values
   mantissa 2^exponent descending.  */
static void
sort_values (graded *g)
{
  g->rank = 0;
  for (int64_t c = 0; c < g->k; c++)
    {
      scalar_t *x = g->x + g->n * c;
      const real_t length = FN (ge_svd_length) (g->n, x);
      int e = 0, *exponent = &g->exponent[c];
      g->mantissa[c] = GE_MATH (frexp) (length, &e);
      *exponent = length > 0 ? *exponent + e : GE_EXPONENT_OF_ZERO;
      g->rank += length > 0;
      for (int64_t i = 0; i < g->n && length > 0; i++)
        x[i] /= length;
      int64_t at = c;
      for (; at > 0; at--)
        {
          const int64_t before = g->by_value[at - 1];
          const int higher = *exponent - g->exponent[before];
          if (higher < 0
              || (higher == 0 && g->mantissa[c] <= g->mantissa[before]))
            break;
          g->by_value[at] = before;
        }
      g->by_value[at] = c;
    }
}

/* Compute COLUMNS columns of Q V.  */
static void
put_left (graded *g, int64_t columns, scalar_t *to)
{
  const int64_t l = g->l, k = g->k;
  memset (to, 0, (size_t) (l * columns) * sizeof *to);
  for (int64_t c = 0; c < columns; c++)
    if (c < k)
      memcpy (to + l * c, g->v + k * g->by_value[c], (size_t) k * sizeof *to);
    else
      to[c + l * c] = make_ (1, 0);
  multiply_by_factor (g, l, columns, k, to);
}

/* Store COLUMNS columns of W; those beyond the rank complete a basis.  F is overwritten.  */
static lapack_int
put_right (graded *g, int64_t columns, scalar_t *to)
{
  const int64_t n = g->n, known = g->rank < columns ? g->rank : columns;
  scalar_t *more = to + n * known;
  memset (to, 0, (size_t) (n * columns) * sizeof *to);
  for (int64_t c = 0; c < known; c++)
    for (int64_t j = 0; j < n; j++)
      to[g->order[j] + n * c] = g->x[j + n * g->by_value[c]];
  if (known == columns)
    return 0;
  memcpy (g->f, to, (size_t) (n * known) * sizeof *to);
  const lapack_int info = factor_page (g, n, known);
  for (int64_t c = known; c < columns; c++)
    to[c + n * c] = make_ (1, 0);
  if (info == 0)
    multiply_by_factor (g, n, columns - known, known, more);
  return info;
}

int
FN (ge_svd_graded) (const ge_svd_graded_page *p, void *space)
{
  graded g = { .page = p };
  real_t *s = p->s;
  scalar_t *vt = p->vt;
  lay_out_graded (&g, space);
  load_page (&g);
  int info = factor_page (&g, g.l, g.n);
  if (info != 0)
    return info;
  take_rows (&g);
  for (int64_t j = 0; j < g.n; j++)
    g.sign[j] = 1;
  if (p->vectors)
    FN (ge_identity) (g.k, g.v);
  ge_onesided_columns columns = { .length = g.n,
                                  .count = g.k,
                                  .x = g.x,
                                  .e = g.exponent,
                                  .sign = g.sign,
                                  .v = p->vectors ? g.v : NULL };
  (void) FN (ge_onesided_orthogonalize) (NULL, &columns);
  if (columns.sweeps < 0)
    return 1;
  sort_values (&g);
  for (int64_t c = 0; c < g.k; c++)
    {
      s[c] = g.mantissa[g.by_value[c]];
      p->e[c] = g.exponent[g.by_value[c]];
    }
  if (! p->vectors)
    return 0;
  put_left (&g, g.turned ? p->of_v : p->of_u, g.turned ? g.of_v : p->u);
  info = put_right (&g, g.turned ? p->of_u : p->of_v, g.turned ? p->u : g.of_v);
  FN (ge_adjoint) (p->n, p->of_v, g.of_v, p->n, vt);
  return info;
}
