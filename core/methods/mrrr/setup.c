/* MRRR before the tree: scaling, splitting, root representations, and selection of the
   eigenvalues of each block.  Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "mrrr/mrrr.h"
#include "mrrr/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative perturbation of the pivots of the root of an N-by-N block in units of eps:
   separates equal eigenvalues of matrices with repeated parts, such as glued ones
   (Dhillon, Parlett and Voemel, SISC 27 (2005)).  It moves eigenvalues by as much; in
   small blocks, where rounding errors are smaller, it is smaller too.  */
static double
perturbation (int64_t n)
{
  return fmin (4, (double) n / 8);
}

/* --- scaling and splitting --- */

double
ge_mrrr_largest_element (int64_t n, const double *d, const double *e)
{
  double largest = 0;
  for (int64_t i = 0; i < n; i++)
    largest = fmax (largest, fmax (fabs (d[i]), i + 1 < n ? fabs (e[i]) : 0));
  return largest;
}

double
ge_mrrr_scale (int64_t n, const double *d, const double *e, int exponent,
               double *sd, double *se)
{
  double norm = 0, before = 0;
  for (int64_t i = 0; i < n; i++)
    {
      sd[i] = ldexp (d[i], -exponent);
      se[i] = i + 1 < n ? ldexp (e[i], -exponent) : 0;
      norm = fmax (norm, fabs (sd[i]) + fabs (se[i]) + before);
      before = fabs (se[i]);
    }
  return norm;
}

/* Scale T by a power of two to entries below 1, which is exact; then set off-diagonal
   entries that are smaller than rounding errors to zero.  */
static void
scale_and_split (ge_mrrr *m)
{
  frexp (ge_mrrr_largest_element (m->n, m->d, m->e), &m->exponent);
  const double norm
      = ge_mrrr_scale (m->n, m->d, m->e, m->exponent, m->sd, m->se);
  for (int64_t i = 0; i + 1 < m->n; i++)
    if (fabs (m->se[i]) <= 0.5 * ge_mrrr_eps (m) * norm)
      m->se[i] = 0;
}

static void
find_blocks (ge_mrrr *m)
{
  int64_t n = m->n, begin = 0;
  m->n_blocks = 0;
  m->max_size = 0;
  for (int64_t i = 0; i < n; i++)
    {
      if (i + 1 < n && m->se[i] != 0)
        continue;
      ge_mrrr_block *b = &m->blocks[m->n_blocks++];
      memset (b, 0, sizeof *b);
      b->begin = (int32_t) begin;
      b->size = (int32_t) (i + 1 - begin);
      b->node = -1;
      b->low = INFINITY;
      b->high = -INFINITY;
      for (int64_t k = begin; k <= i; k++)
        {
          double r = (k > begin ? fabs (m->se[k - 1]) : 0) + fabs (m->se[k]);
          b->low = fmin (b->low, m->sd[k] - r);
          b->high = fmax (b->high, m->sd[k] + r);
        }
      m->max_size = b->size > m->max_size ? b->size : m->max_size;
      begin = i + 1;
    }
}

/* The root of block B: T - sigma I with sigma a sixteenth of the spread below
   the Gershgorin discs.  It is definite and diagonally dominant, so it has no
   element growth and needs no trials.  LAPACK's root is closer to the end of the
   spectrum; this is not needed here, since vectors are computed in double-double and
   eigenvalues that are close relative to the spread form a cluster with its own
   representation.  */
static void
make_root (ge_mrrr *m, int32_t block)
{
  ge_mrrr_block *b = &m->blocks[block];
  double spread = b->high - b->low, sigma = b->low - spread / 16;
  double amount = m->vectors ? perturbation (b->size) * ge_mrrr_eps (m) : 0;
  ge_mrrr_node *node = &m->nodes[m->n_nodes];
  b->node = (int32_t) m->n_nodes++;
  memset (node, 0, sizeof *node);
  node->block = block;
  node->parent = -1;
  node->total_hi = sigma;
  node->gap_left = node->gap_right = spread;

  ge_dd w = ge_make_dd (0, 0);
  for (int64_t i = b->begin; i < b->begin + b->size; i++)
    {
      ge_dd a = dd_two (m->sd[i], -sigma);
      ge_dd pivot = ge_sub_dd (a, w);
      double factor = 1 + amount * ge_counter_random ((unsigned long long) i);
      pivot = ge_mul_dd (pivot, ge_make_dd (factor, 0));
      m->d_hi[i] = pivot.hi;
      m->d_lo[i] = pivot.lo;
      w = ge_ratio_dd (m->se[i], pivot);
      m->w_hi[i] = w.hi;
      m->w_lo[i] = w.lo;
    }
}

/* --- selection of the eigenvalues --- */

/* By the signs of the pivots; one of zero counts as negative, so that eigenvalues of 1-by-1
   blocks are compared exactly.  Infinite pivots are right (J. Demmel, I. S. Dhillon, H. Ren,
   ETNA 3 (1995) 116), and squares of E, which could leave the range, are not formed.  */
int64_t
ge_mrrr_count (int64_t n, const double *d, const double *e, double x)
{
  int64_t count = 0;
  double q = 1;
  for (int64_t i = 0; i < n; i++)
    {
      const double b = i > 0 ? e[i - 1] : 0, t = b != 0 ? b / q : 0;
      q = (d[i] - x) - b * t;
      if (isnan (q)) /* both terms have overflowed */
        q = 2 * ((d[i] / 2 - x / 2) - b / 2 * t);
      if (q == 0)
        q = -DBL_MIN;
      count += q < 0;
    }
  return count;
}

static int64_t
count_block (const ge_mrrr *m, const ge_mrrr_block *b, double x)
{
  return ge_mrrr_count (b->size, m->sd + b->begin, m->se + b->begin, x);
}

static int64_t
count_all (const ge_mrrr *m, double x)
{
  int64_t count = 0;
  for (int64_t b = 0; b < m->n_blocks; b++)
    count += count_block (m, &m->blocks[b], x);
  return count;
}

/* A point with at most K eigenvalues up to it, close below eigenvalue K + 1, or with ABOVE at
   least K, close above eigenvalue K: bisection ends when a step costs more than the
   computation of the surplus eigenvalues.  */
static double
point_next_to (const ge_mrrr *m, int64_t k, int above, double low, double high)
{
  for (int step = 0; step < 60; step++)
    {
      const double x = low + (high - low) / 2;
      const int64_t c = count_all (m, x), surplus = above ? c - k : k - c;
      if (above == (surplus >= 0))
        high = x;
      else
        low = x;
      if (surplus >= 0 && surplus <= 4)
        break;
    }
  return above ? high : low;
}

static void
add_pair (ge_mrrr *m, int32_t block, int64_t index, int32_t flags)
{
  const ge_mrrr_block *b = &m->blocks[block];
  ge_mrrr_eigenpair *p = &m->pairs[m->n_pairs++];
  memset (p, 0, sizeof *p);
  p->block = block;
  p->index = (int32_t) index;
  p->node = b->node;
  p->flags = flags;
  p->column = -1;
  if (b->node < 0)
    return;
  /* Make the bracket relative to the root's shift, and widen it for the perturbation of the
     root.  */
  double spread = b->high - b->low, sigma = m->nodes[b->node].total_hi;
  p->lo = (b->low - sigma) - spread / 32;
  p->hi = (b->high - sigma) + spread / 32;
}

/* Add pairs FIRST .. LAST of a block; with vectors also a neighbour on each side, which
   determines the gap of the outermost pairs.  */
static void
add_pairs (ge_mrrr *m, int32_t block, int64_t first, int64_t last)
{
  if (first > last)
    return;
  int64_t size = m->blocks[block].size;
  int around = m->vectors && size > 2;
  for (int64_t k = first - around; k <= last + around; k++)
    if (k >= 1 && k <= size)
      add_pair (m, block, k, k >= first && k <= last ? MRRR_WANTED : 0);
}

/* In each round the bracket of a pair depends only on the brackets of the nearest
   neighbours, and there are at most 41 rounds.  With this many additional pairs on each side
   the results of a part of a spectrum are, bit for bit, those of the whole, provided that
   no cluster contains pairs of two parts.  */
enum
{
  AROUND_PART = 64
};

static void
add_part (ge_mrrr *m)
{
  const gpueig_context *ctx = m->ctx;
  const int64_t around = m->vectors && m->n > 2;
  int64_t from = ctx->spectrum_first - around;
  int64_t to = ctx->spectrum_last + around;
  from = from > 1 ? from : 1;
  to = to < m->n ? to : m->n;
  m->whole = to - from + 1;
  from = from > m->il - AROUND_PART ? from : m->il - AROUND_PART;
  to = to < m->iu + AROUND_PART ? to : m->iu + AROUND_PART;
  for (int64_t k = from; k <= to; k++)
    add_pair (m, 0, k, k >= m->il && k <= m->iu ? MRRR_WANTED : 0);
}

/* Set the pairs, sorted by block and index.  *FIRST is the global index of the smallest
   candidate.  */
static void
choose_pairs (ge_mrrr *m, int64_t *first)
{
  m->n_pairs = 0;
  *first = m->il;
  m->whole = 0;
  if (m->n_blocks == 1 && m->ctx->spectrum_first > 0)
    {
      add_part (m);
      return;
    }
  if (m->n_blocks == 1)
    {
      add_pairs (m, 0, m->il, m->iu);
      return;
    }
  double low = INFINITY, high = -INFINITY;
  for (int64_t b = 0; b < m->n_blocks; b++)
    {
      low = fmin (low, m->blocks[b].low);
      high = fmax (high, m->blocks[b].high);
    }
  double margin = 1e-6 * (high - low) + 0x1p-300;
  low -= margin;
  high += margin;
  double below = m->il == 1 ? low : point_next_to (m, m->il - 1, 0, low, high);
  double above = m->iu == m->n ? high : point_next_to (m, m->iu, 1, low, high);
  *first = 1;
  for (int64_t b = 0; b < m->n_blocks; b++)
    {
      const ge_mrrr_block *block = &m->blocks[b];
      int64_t skip = below == low ? 0 : count_block (m, block, below);
      int64_t last
          = above == high ? block->size : count_block (m, block, above);
      *first += skip;
      add_pairs (m, (int32_t) b, skip + 1, last);
    }
}

/* --- all steps --- */

gpueig_status
ge_mrrr_setup (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  int64_t n = m->n, first;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->sd));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->se));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->d_hi));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->d_lo));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->w_hi));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->w_lo));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->blocks));
  scale_and_split (m);
  find_blocks (m);

  /* At most n / 2 clusters per level, and one root per block.  */
  m->max_nodes = m->n_blocks + n * MRRR_MAX_DEPTH / 2 + 1;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->max_nodes + n * (MRRR_TRIALS - 1) / 2,
                    &m->nodes));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &m->pairs));
  m->n_nodes = 0;
  for (int64_t b = 0; b < m->n_blocks; b++)
    if (m->blocks[b].size > 2)
      make_root (m, (int32_t) b);
  choose_pairs (m, &first);
  /* The global index of the candidates' first, for the final selection.  */
  m->depth = 0;
  m->n_clusters = m->n_fallbacks = 0;
  m->first = first;
  return GPUEIG_OK;
}

/* --- pages of a problem, for both backends --- */

void
ge_mrrr_get_tridiagonal (const gpueig_symmetric *p, int64_t page, double *d,
                         double *e)
{
  int64_t n = p->n, at = page * n, at_e = page * (n - 1);
  for (int64_t i = 0; i < n; i++)
    {
      d[i] = ge_real_at (p->type, p->d, at + i);
      if (i + 1 < n)
        e[i] = ge_real_at (p->type, p->e, at_e + i);
    }
}

void
ge_mrrr_choose (const gpueig_symmetric *p, const double *d, const double *e,
                int64_t *il, int64_t *iu)
{
  *il = 1;
  *iu = p->n;
  if (p->select == GPUEIG_SELECT_INDEX)
    {
      *il = p->first;
      *iu = p->last;
    }
  else if (p->select == GPUEIG_SELECT_INTERVAL)
    {
      *il = ge_mrrr_count (p->n, d, e, p->vl) + 1;
      *iu = ge_mrrr_count (p->n, d, e, p->vu);
    }
}

void
ge_mrrr_put_values (const gpueig_symmetric *p, int64_t page, int64_t count,
                    const double *lambda)
{
  int64_t at = page * ge_part_columns (p);
  for (int64_t i = 0; i < count; i++)
    if (gpueig_is_double (p->type))
      ((double *) p->lambda)[at + i] = lambda[i];
    else
      ((float *) p->lambda)[at + i] = (float) lambda[i];
  if (p->found && p->select == GPUEIG_SELECT_INTERVAL)
    p->found[page] = count;
}

void
ge_mrrr_fill_info (const ge_mrrr *m, gpueig_info *info)
{
  ge_info_extra (info, "clusters", (double) m->n_clusters);
  ge_info_extra (info, "depth", (double) m->depth);
  ge_info_extra (info, "fallbacks", (double) m->n_fallbacks);
}
