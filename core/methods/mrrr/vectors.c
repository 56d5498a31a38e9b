/* MRRR after the tree: eigenvalues to full precision, the order of the columns,
   vectors, their verification, and inverse iteration for those that fail it.  Linked
   into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/mrrr.h"
#include "mrrr/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  int64_t first, last; /* pairs of one block */
} range;

/* --- values and the order of the columns --- */

typedef struct
{
  double lambda;
  int32_t pair;
} ranked;

static int
by_value (const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  if (x->lambda != y->lambda)
    return x->lambda < y->lambda ? -1 : 1;
  return (x->pair > y->pair) - (x->pair < y->pair);
}

/* The eigenvalue of the scaled matrix minus SHIFT.  */
static double
shifted_value (const ge_mrrr *m, const ge_mrrr_eigenpair *p, double shift)
{
  if (p->flags & MRRR_DIRECT)
    return p->x_hi - shift;
  const ge_mrrr_node *node = &m->nodes[p->node];
  ge_dd total = ge_add_dd (ge_make_dd (node->total_hi, node->total_lo),
                           ge_make_dd (-shift, 0));
  return ge_add_dd (total, ge_make_dd (p->x_hi, p->x_lo)).hi;
}

static double
value_of (const ge_mrrr *m, const ge_mrrr_eigenpair *p)
{
  return shifted_value (m, p, 0);
}

/* Sort the candidates, keep il .. iu, set lambda and the column numbers.  *DONE is set
   to zero unless they were sorted.  */
gpueig_status
ge_mrrr_rank_values (ge_mrrr *m, int *done)
{
  gpueig_context *ctx = m->ctx;
  ranked *order;
  int64_t n = 0;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &order));
  for (int64_t i = 0; i < m->n_pairs; i++)
    if (m->pairs[i].flags & MRRR_WANTED)
      order[n++] = (ranked){ value_of (m, &m->pairs[i]), (int32_t) i };
  int sorted = 1;
  for (int64_t k = 1; k < n; k++)
    sorted &= order[k - 1].lambda <= order[k].lambda;
  if (! sorted)
    qsort (order, (size_t) n, sizeof *order, by_value);
  *done &= sorted;
  for (int64_t k = 0; k < n; k++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[order[k].pair];
      int64_t column = m->first + k - m->il;
      if (column < 0 || column > m->iu - m->il)
        {
          p->flags &= ~MRRR_WANTED;
          continue;
        }
      p->column = (int32_t) column;
      m->lambda[column] = ldexp (order[k].lambda, m->exponent);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Solve blocks of order 1 and 2 directly.  */
void
ge_mrrr_direct_values (ge_mrrr *m)
{
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[i];
      const ge_mrrr_block *b = &m->blocks[p->block];
      double lambda[2] = { m->sd[b->begin], 0 }, z[4];
      if (b->size > 2)
        continue;
      if (b->size == 2)
        ge_mrrr_solve_2x2 (m->sd[b->begin], m->se[b->begin],
                           m->sd[b->begin + 1], lambda, z);
      p->x_hi = lambda[p->index - 1];
      p->flags |= MRRR_DIRECT | MRRR_SINGLE;
    }
}

static gpueig_status
direct_vectors (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  int32_t *column, *begin, *size;
  double *z, lambda[2], both[4] = { 1, 0, 0, 0 };
  int64_t n = 0;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &column));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &begin));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &size));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * m->n_pairs, &z));
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      const ge_mrrr_eigenpair *p = &m->pairs[i];
      const ge_mrrr_block *b = &m->blocks[p->block];
      if (! (p->flags & MRRR_DIRECT) || ! (p->flags & MRRR_WANTED))
        continue;
      both[0] = 1;
      if (b->size == 2)
        ge_mrrr_solve_2x2 (m->sd[b->begin], m->se[b->begin],
                           m->sd[b->begin + 1], lambda, both);
      column[n] = p->column;
      begin[n] = b->begin;
      size[n] = b->size;
      memcpy (z + 2 * n, both + 2 * (p->index - 1), 2 * sizeof *z);
      n++;
    }
  if (n > 0)
    GE_TRY (m->ops->store (m, n, column, begin, size, z, 2));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- vectors --- */

static int
is_single (const ge_mrrr_eigenpair *p)
{
  return (p->flags & MRRR_WANTED) && ! (p->flags & (MRRR_DIRECT | MRRR_FAILED));
}

/* List the wanted pairs that the tree has separated, sorted by depth, then by the row of
   their twist, so that packs of consecutive pairs need the same operations.  A counting
   sort per depth; a comparison sort would take as long as the computation on the
   GPU.  */
static gpueig_status
list_singles (ge_mrrr *m, int32_t *list, int64_t *count)
{
  gpueig_context *ctx = m->ctx;
  int64_t *position, n = 0;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n + 1, &position));
  for (int depth = 0; depth <= m->depth; depth++)
    {
      /* Two passes over the pairs: count the rows, then fill the list.  */
      memset (position, 0, (size_t) (m->n + 1) * sizeof *position);
      for (int fill = 0; fill < 2; fill++)
        {
          for (int64_t i = 0; i < m->n_pairs; i++)
            {
              const ge_mrrr_eigenpair *p = &m->pairs[i];
              if (! is_single (p) || m->nodes[p->node].depth != depth)
                continue;
              int64_t row = m->blocks[p->block].begin + p->twist;
              if (fill)
                list[n + position[row]++] = (int32_t) i;
              else
                position[row + 1]++;
            }
          for (int64_t row = 0; ! fill && row < m->n; row++)
            position[row + 1] += position[row];
        }
      n += m->n > 0 ? position[m->n - 1] : 0;
    }
  *count = n;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Vectors of a cluster may lack orthogonality if its representation is not relatively
   robust: compute inner products with the next two vectors, set MRRR_FAILED where they
   exceed the limit.  */
static gpueig_status
check_angles (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  int32_t *a, *b, *who;
  double *dots;
  int64_t n = 0;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * m->n_pairs, &a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * m->n_pairs, &b));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * m->n_pairs, &who));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * m->n_pairs, &dots));
  for (int64_t i = 0; i < m->n_pairs; i++)
    for (int64_t j = i + 1; j <= i + 2 && j < m->n_pairs; j++)
      {
        const ge_mrrr_eigenpair *p = &m->pairs[i], *q = &m->pairs[j];
        if (p->block != q->block || p->column < 0 || q->column < 0
            || ((p->flags | q->flags) & (MRRR_DIRECT | MRRR_FAILED))
            || (m->nodes[p->node].depth == 0 && m->nodes[q->node].depth == 0))
          continue;
        a[n] = p->column;
        b[n] = q->column;
        who[n++] = (int32_t) j;
      }
  if (n > 0)
    GE_TRY (m->ops->dots (m, n, a, b, dots));
  for (int64_t k = 0; k < n; k++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[who[k]];
      const double limit = 8 + 0.5 * m->blocks[p->block].size;
      if (! (fabs (dots[k]) <= limit * ge_mrrr_eps (m)))
        p->flags |= MRRR_FAILED;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Compute the failed vectors of one block by inverse iteration, orthogonalised against
   all other vectors of that block with close eigenvalues.  */
static gpueig_status
repair_block (ge_mrrr *m, range r)
{
  gpueig_context *ctx = m->ctx;
  const ge_mrrr_block *b = &m->blocks[m->pairs[r.first].block];
  int64_t size = b->size, cells;
  double *known, *work, *d, near = 1e-2 * (b->high - b->low);
  int mark = ge_mark (ctx);
  GE_TRY (ge_multiply (ctx, size, r.last - r.first + 2, &cells));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, cells, &known));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 6 * size, &work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, size, &d));
  /* Shifted by the lower bound, so that errors are relative to the spread of the
     spectrum instead of the norm.  */
  for (int64_t i = 0; i < size; i++)
    d[i] = m->sd[b->begin + i] - b->low;
  for (int64_t i = r.first; i <= r.last; i++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[i];
      int64_t count = 0;
      if (! (p->flags & MRRR_FAILED) || p->column < 0)
        continue;
      GE_TRY (ge_check_interrupt (ctx));
      double lambda = value_of (m, p);
      for (int64_t j = r.first; j <= r.last; j++)
        {
          const ge_mrrr_eigenpair *q = &m->pairs[j];
          if (q->column < 0 || (q->flags & MRRR_FAILED)
              || ! (fabs (value_of (m, q) - lambda) <= near))
            continue;
          GE_TRY (m->ops->fetch (m, q->column, b->begin, b->size,
                                 known + size * count));
          count++;
        }
      double *z = known + size * count;
      int32_t column = p->column, begin = b->begin, rows = b->size;
      double residual = ge_mrrr_inverse_iteration (size, d, m->se + b->begin,
                                                   shifted_value (m, p, b->low),
                                                   count, known, work, z);
      if (! (residual <= (double) size * ge_mrrr_eps (m) * (b->high - b->low)))
        return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                            "inverse iteration found no eigenvector for "
                            "eigenvalue %lld of a block of order %lld",
                            (long long) p->index, (long long) size);
      GE_TRY (m->ops->store (m, 1, &column, &begin, &rows, z, size));
      p->flags &= ~MRRR_FAILED;
      m->n_fallbacks++;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
repair (ge_mrrr *m)
{
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      range r = { i, i };
      int failed = 0;
      while (r.last + 1 < m->n_pairs
             && m->pairs[r.last + 1].block == m->pairs[i].block)
        r.last++;
      for (int64_t k = r.first; k <= r.last; k++)
        failed |= (m->pairs[k].flags & MRRR_FAILED) != 0;
      if (failed)
        GE_TRY (repair_block (m, r));
      i = r.last;
    }
  return GPUEIG_OK;
}

/* --- all steps --- */

/* Eigenvalues to working precision; for those the tree did not separate, the midpoint of
   the bracket.  */
gpueig_status
ge_mrrr_refine_values (ge_mrrr *m, int32_t *list)
{
  int64_t n;
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[i];
      if (p->flags & MRRR_DIRECT)
        continue;
      if (m->inverse)
        p->flags |= MRRR_FAILED;
      p->x_hi = p->lo + (p->hi - p->lo) / 2;
      p->x_lo = 0;
    }
  if (! m->vectors)
    return GPUEIG_OK;
  GE_TRY (list_singles (m, list, &n));
  ge_report (m->ctx, "%lld eigenvalues to full precision", (long long) n);
  GE_TRY (m->ops->twist (m, n, list));
  GE_TRY (list_singles (m, list, &n));
  return m->ops->refine (m, n, list);
}

gpueig_status
ge_mrrr_vectors (ge_mrrr *m, int32_t *list, int done)
{
  int64_t n;
  if (! done)
    {
      GE_TRY (list_singles (m, list, &n));
      ge_report (m->ctx, "%lld vectors", (long long) n);
      GE_TRY (m->ops->vectors (m, n, list));
    }
  int32_t block = -1;
  double limit = 0;
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[i];
      if (p->block != block)
        {
          /* LAPACK's DLARRV has the same limit.  */
          block = p->block;
          limit = 4 * fmax (1, log (m->blocks[block].size)) * ge_mrrr_eps (m);
        }
      if (is_single (p) && ! (p->residual <= limit * p->gap))
        p->flags |= MRRR_FAILED;
    }
  GE_TRY (direct_vectors (m));
  GE_TRY (check_angles (m));
  return repair (m);
}
