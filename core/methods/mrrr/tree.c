/* MRRR: the driver.  Brackets all eigenvalues level by level of the
   representation tree, then computes all vectors at once.  Linked into core and
   the plugin; the work is done by a backend's operations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   I. S. Dhillon and B. N. Parlett, LAA 387 (2004) 1-28; breadth first and all
   vectors at the end as L. Wang and Y. Zhao, Computer Science 39 (2012), on
   CUDA.  What is different here:

   - Representations are double-double for double precision problems and double
     for single precision ones (Petschow, Quintana-Orti and Bientinesi, arXiv
     1304.1864, use the next wider format too).  A vector is good to
     (working precision) / (relative gap), so a relative gap of 2^-38 makes a
     singleton where LAPACK needs 1e-3: the tree has one level for most
     matrices and two for glued and Wilkinson ones.
   - Brackets are found by counts in double, from representations rounded to
     double, which for a singleton need not be better than a fraction of the
     gap: Newton's iteration on the twisted factorisation does the rest.
   - Vectors of clusters that the tree does not separate, and vectors whose residual
     or inner products with neighbours exceed a limit, are computed by inverse
     iteration with reorthogonalisation.  */

#include "mrrr/mrrr.h"
#include "mrrr/math.h"
#include "mrrr/separation.h"

#include <string.h>

static double
largest (const ge_mrrr_eigenpair *p)
{
  return ge_mrrr_largest (p->lo, p->hi);
}

/* --- first brackets: a grid over the spectrum of every block --- */

typedef struct
{
  int64_t first, last; /* pairs of one block or one node */
} range;

/* The run of pairs from FIRST on with the same node.  */
static range
same_node (const ge_mrrr *m, int64_t first)
{
  range r = { first, first };
  while (r.last + 1 < m->n_pairs
         && m->pairs[r.last + 1].node == m->pairs[first].node)
    r.last++;
  return r;
}

/* The number of points of the grid, two per eigenvalue: one pass instead of log2 (2 n)
   bisections.  All parts of a spectrum use the grid of the whole.  */
static int64_t
points_of (const ge_mrrr *m, range r)
{
  return 2 * (m->whole > 0 ? m->whole : r.last - r.first + 1) + 14;
}

static gpueig_status
bracket_on_grid (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  int64_t total = 0, k;
  int32_t *node, *count;
  double *x;
  int mark = ge_mark (ctx);
  for (int64_t i = 0; i < m->n_pairs; i = same_node (m, i).last + 1)
    total += points_of (m, same_node (m, i));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, total, &node));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, total, &count));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, total, &x));
  k = 0;
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      range r = same_node (m, i);
      int64_t points = points_of (m, r);
      const ge_mrrr_eigenpair *p = &m->pairs[i];
      i = r.last;
      if (p->node < 0)
        continue;
      for (int64_t j = 0; j < points; j++, k++)
        {
          node[k] = p->node;
          x[k] = p->lo
                 + (p->hi - p->lo) * ((double) (j + 1) / (double) (points + 1));
        }
    }
  if (k > 0)
    GE_TRY (m->ops->count (m, k, node, x, count));
  k = 0;
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      range r = same_node (m, i);
      int64_t points = points_of (m, r), j = 0;
      if (m->pairs[i].node >= 0)
        {
          for (; i <= r.last; i++)
            {
              ge_mrrr_eigenpair *p = &m->pairs[i];
              while (j < points && count[k + j] < p->index)
                j++;
              p->lo = j > 0 ? x[k + j - 1] : p->lo;
              p->hi = j < points ? x[k + j] : p->hi;
            }
          k += points;
        }
      i = r.last;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- classification --- */

/* The distance between the brackets of neighbours I and I + 1 of one node, and
   whether they are linked.  */
static double
gap_after (const ge_mrrr *m, int64_t i)
{
  return m->pairs[i + 1].lo - m->pairs[i].hi;
}

static int
linked (const ge_mrrr *m, int64_t i)
{
  return ge_mrrr_linked (m->is_double, gap_after (m, i), largest (&m->pairs[i]),
                         largest (&m->pairs[i + 1]));
}

/* Set gap and flags of the pairs of a node; returns the number of pairs that are neither
   single nor at their limit.  */
static int64_t
classify (ge_mrrr *m, range r)
{
  const ge_mrrr_node *node = &m->nodes[m->pairs[r.first].node];
  int64_t open = 0;
  for (int64_t i = r.first; i <= r.last; i++)
    {
      ge_mrrr_eigenpair *p = &m->pairs[i];
      if (p->flags & MRRR_SINGLE)
        continue;
      double left = i > r.first ? gap_after (m, i - 1) : node->gap_left;
      double right = i < r.last ? gap_after (m, i) : node->gap_right;
      int apart = (i == r.first || ! linked (m, i - 1))
                  && (i == r.last || ! linked (m, i));
      p->gap = fmin (left, right);
      p->flags = ge_mrrr_classify (p->flags, p->lo, p->hi, p->gap,
                                   apart && m->vectors && ! m->inverse);
      open += ! (p->flags & (MRRR_SINGLE | MRRR_LIMIT));
    }
  return open;
}

/* Narrow all brackets of the current level until each is single or at its limit.  */
static gpueig_status
resolve (ge_mrrr *m, int32_t *list)
{
  for (int round = 0;; round++)
    {
      int64_t n = 0, singles = 0;
      for (int64_t i = 0; i < m->n_pairs; i++)
        {
          if (m->pairs[i].node < 0)
            continue;
          range r = same_node (m, i);
          classify (m, r);
          for (; i <= r.last; i++)
            {
              ge_mrrr_eigenpair *p = &m->pairs[i];
              if (round == 40)
                p->flags |= MRRR_LIMIT;
              singles += (p->flags & MRRR_SINGLE) != 0;
              if (! (p->flags
                     & (MRRR_SINGLE | MRRR_LIMIT | MRRR_DIRECT | MRRR_FAILED)))
                list[n++] = (int32_t) i;
            }
          i = r.last;
        }
      if (n == 0)
        return GPUEIG_OK;
      ge_report (m->ctx, "level %d: %lld brackets open, %lld isolated",
                 (int) m->depth, (long long) n, (long long) singles);
      GE_TRY (m->ops->bisect (m, n, list));
    }
}

/* --- clusters --- */

/* The cluster that begins with pair I: the run of linked ones of its node.  */
static range
cluster_at (const ge_mrrr *m, int64_t i)
{
  range r = { i, i };
  while (r.last + 1 < m->n_pairs
         && m->pairs[r.last + 1].node == m->pairs[i].node
         && ! (m->pairs[r.last + 1].flags & MRRR_SINGLE) && linked (m, r.last))
    r.last++;
  return r;
}

static int
wanted (const ge_mrrr *m, range r)
{
  for (int64_t i = r.first; i <= r.last; i++)
    if (m->pairs[i].flags & MRRR_WANTED)
      return 1;
  return 0;
}

static void
add_node (ge_mrrr *m, range r)
{
  int32_t parent = m->pairs[r.first].node, id = (int32_t) m->n_nodes++;
  const ge_mrrr_node *p = &m->nodes[parent];
  ge_mrrr_node *c = &m->nodes[id];
  memset (c, 0, sizeof *c);
  c->block = p->block;
  c->parent = parent;
  c->depth = p->depth + 1;
  c->growth = INFINITY;
  c->gap_left = p->gap_left;
  c->gap_right = p->gap_right;
  if (r.first > 0 && m->pairs[r.first - 1].node == parent)
    c->gap_left = gap_after (m, r.first - 1);
  if (r.last + 1 < m->n_pairs && m->pairs[r.last + 1].node == parent)
    c->gap_right = gap_after (m, r.last);
}

/* Distance of the first trial shift from its cluster: so small that the cluster's
   eigenvalues have relative gaps, but larger than the uncertainty of the brackets.  */
static double
step_out (const ge_mrrr *m, range r)
{
  const ge_mrrr_eigenpair *a = &m->pairs[r.first], *b = &m->pairs[r.last];
  return 0x1p-48 * fmax (largest (a), largest (b)) + (b->hi - a->lo) / 16;
}

/* Trial shift number TRIAL: at the left end, at the right end, then at larger
   distances.  */
static double
trial_shift (const ge_mrrr *m, const ge_mrrr_node *c, range r, int trial)
{
  double out = step_out (m, r) * (double) (1 << 2 * (trial / 2));
  if (trial % 2 == 0)
    return m->pairs[r.first].lo - fmin (out, c->gap_left / 4);
  return m->pairs[r.last].hi + fmin (out, c->gap_right / 4);
}

/* The largest growth with which the best of the trials before TRIAL is accepted.  */
static double
accepted_growth (const ge_mrrr *m, const ge_mrrr_node *c, int trial)
{
  const ge_mrrr_block *b = &m->blocks[c->block];
  return (trial <= 2 ? 8 : 64) * (b->high - b->low);
}

/* The trials of node FIRST + K but the first one, from TRIAL on.  */
static void
set_trials (const ge_mrrr *m, int64_t first, const range *cluster, int64_t k,
            ge_mrrr_node *trial)
{
  for (int t = 1; t < MRRR_TRIALS; t++)
    {
      ge_mrrr_node *to = trial + t - 1;
      *to = m->nodes[first + k];
      to->column = -1;
      to->shift = trial_shift (m, to, cluster[k], t);
    }
}

/* Take the first of the trials of node C that is accepted, or the best; its first one was
   not accepted.  */
static void
take_trial (const ge_mrrr *m, ge_mrrr_node *c, const ge_mrrr_node *trial)
{
  for (int t = 1; t < MRRR_TRIALS && ! (c->growth <= accepted_growth (m, c, t));
       t++)
    if (trial[t - 1].growth < c->growth)
      {
        c->growth = trial[t - 1].growth;
        c->shift = trial[t - 1].shift;
        c->column = trial[t - 1].column;
      }
}

/* Compute the representations of nodes FIRST .., whose shifts are chosen by element growth, as
   LAPACK's DLARRF: growth up to 8 times the spread is accepted at once, up to 64 times if no
   trial is better.  The growth of the other trials is computed in one pass, of few nodes in the
   first.  LIST and WHICH: scratch for all nodes and trials, and all nodes.  */
static gpueig_status
represent_clusters (ge_mrrr *m, int64_t first, const range *cluster,
                    int32_t *list, int32_t *which)
{
  enum
  {
    OTHERS = MRRR_TRIALS - 1
  };
  ge_mrrr_node *const trials = m->nodes + m->max_nodes;
  const int64_t count = m->n_nodes - first;
  /* Not where they are more columns than the vectors.  */
  const int at_once
      = count <= m->ops->few_nodes && count * MRRR_TRIALS <= m->iu - m->il + 1;
  int64_t n = 0, changed = 0;
  for (int64_t k = 0; k < count; k++)
    {
      ge_mrrr_node *c = &m->nodes[first + k];
      c->shift = trial_shift (m, c, cluster[k], 0);
      c->column = (int32_t) k;
      list[k] = (int32_t) (first + k);
      if (at_once)
        set_trials (m, first, cluster, k, trials + k * OTHERS);
    }
  for (int64_t j = 0; at_once && j < count * OTHERS; j++)
    {
      trials[j].column = (int32_t) (count + j);
      list[count + j] = (int32_t) (m->max_nodes + j);
    }
  GE_TRY (m->ops->represent (m, at_once ? count * MRRR_TRIALS : count, list));
  for (int64_t k = 0; k < count; k++)
    {
      ge_mrrr_node *c = &m->nodes[first + k];
      if (! (c->growth < INFINITY))
        c->growth = INFINITY;
      if (! (c->growth <= accepted_growth (m, c, 1)))
        which[n++] = (int32_t) k;
    }
  for (int64_t k = 0; ! at_once && k < n; k++)
    {
      set_trials (m, first, cluster, which[k], trials + k * OTHERS);
      for (int64_t j = k * OTHERS; j < (k + 1) * OTHERS; j++)
        list[j] = (int32_t) (m->max_nodes + j);
    }
  if (! at_once && n > 0)
    GE_TRY (m->ops->represent (m, n * OTHERS, list));
  for (int64_t k = 0; k < n; k++)
    {
      ge_mrrr_node *c = &m->nodes[first + which[k]];
      take_trial (m, c, trials + (at_once ? which[k] : k) * OTHERS);
      if (c->column < 0)
        {
          c->column = which[k];
          list[changed++] = (int32_t) (first + which[k]);
        }
    }
  return changed ? m->ops->represent (m, changed, list) : GPUEIG_OK;
}

/* Convert the brackets of a cluster's pairs to its new representation: shifted, widened
   by the errors of the parent's counts, and verified by counts.  */
static gpueig_status
move_brackets (ge_mrrr *m, int64_t first, const range *cluster)
{
  gpueig_context *ctx = m->ctx;
  int64_t count = m->n_nodes - first, n = 0;
  int32_t *node, *who, *below;
  double *x, *room;
  int mark = ge_mark (ctx);
  for (int64_t k = 0; k < count; k++)
    n += cluster[k].last - cluster[k].first + 1;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &node));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &who));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &below));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &room));
  n = 0;
  for (int64_t k = 0; k < count; k++)
    {
      ge_mrrr_node *c = &m->nodes[first + k];
      const ge_mrrr_node *parent = &m->nodes[c->parent];
      ge_dd total = ge_add_dd (ge_make_dd (parent->total_hi, parent->total_lo),
                               ge_make_dd (c->shift, 0));
      double out = step_out (m, cluster[k]);
      c->total_hi = total.hi;
      c->total_lo = total.lo;
      for (int64_t i = cluster[k].first; i <= cluster[k].last; i++, n++)
        {
          ge_mrrr_eigenpair *p = &m->pairs[i];
          p->lo = (p->lo - c->shift) - out / 4;
          p->hi = (p->hi - c->shift) + out / 4;
          p->node = (int32_t) (first + k);
          p->flags &= ~MRRR_LIMIT;
          who[n] = (int32_t) i;
          room[n] = out;
        }
    }
  for (int step = 0; n > 0; step++)
    {
      int64_t left = 0;
      for (int64_t k = 0; k < n; k++)
        {
          node[2 * k] = node[2 * k + 1] = m->pairs[who[k]].node;
          x[2 * k] = m->pairs[who[k]].lo;
          x[2 * k + 1] = m->pairs[who[k]].hi;
        }
      GE_TRY (m->ops->count (m, 2 * n, node, x, below));
      for (int64_t k = 0; k < n; k++)
        {
          ge_mrrr_eigenpair *p = &m->pairs[who[k]];
          int low = below[2 * k] < p->index;
          int high = below[2 * k + 1] >= p->index;
          if (low && high)
            continue;
          if (step == 30)
            {
              p->flags |= MRRR_FAILED | MRRR_LIMIT;
              continue;
            }
          p->lo -= low ? 0 : room[k];
          p->hi += high ? 0 : room[k];
          room[left] = 2 * room[k];
          who[left++] = who[k];
        }
      n = left;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Build the next level: representations of all clusters, *FOUND of them.  No workspace
   frame here and in represent_clusters, since a backend may keep memory that it
   allocates for a level until the end of the call.  */
static gpueig_status
descend (ge_mrrr *m, int64_t *found)
{
  gpueig_context *ctx = m->ctx;
  range *cluster;
  int32_t *list, *which;
  int64_t first = m->n_nodes, count = 0;
  *found = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &cluster));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, MRRR_TRIALS * m->n_pairs, &list));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m->n_pairs, &which));
  for (int64_t i = 0; i < m->n_pairs; i++)
    {
      const ge_mrrr_eigenpair *p = &m->pairs[i];
      if (p->node < 0 || (p->flags & (MRRR_SINGLE | MRRR_FAILED)))
        continue;
      range r = cluster_at (m, i);
      i = r.last;
      if (! wanted (m, r))
        continue;
      if (m->depth == MRRR_MAX_DEPTH || m->n_nodes == m->max_nodes)
        {
          for (int64_t k = r.first; k <= r.last; k++)
            m->pairs[k].flags |= MRRR_FAILED;
          continue;
        }
      cluster[count++] = r;
      add_node (m, r);
    }
  if (count > 0)
    {
      m->depth++;
      m->n_clusters += count;
      ge_report (ctx, "level %d: %lld clusters", (int) m->depth,
                 (long long) count);
      GE_TRY (represent_clusters (m, first, cluster, list, which));
      GE_TRY (move_brackets (m, first, cluster));
    }
  *found = count;
  return GPUEIG_OK;
}

/* --- all steps --- */

gpueig_status
ge_mrrr_solve (ge_mrrr *m)
{
  int32_t *list;
  int64_t clusters = 1;
  int done = 0;
  GE_TRY (ge_mrrr_setup (m));
  GE_TRY (GE_ALLOC (m->ctx, GE_HOST, m->n_pairs, &list));
  GE_TRY (m->ops->begin (m));
  ge_mrrr_direct_values (m);
  if (m->ops->singles && m->n_blocks == 1 && m->blocks[0].node >= 0
      && ! m->inverse)
    GE_TRY (m->ops->singles (m, points_of (m, same_node (m, 0)), &done));
  else
    GE_TRY (bracket_on_grid (m));
  if (! done)
    GE_TRY (resolve (m, list));
  while (! done && m->vectors && ! m->inverse && clusters > 0)
    {
      GE_TRY (descend (m, &clusters));
      GE_TRY (resolve (m, list));
    }
  if (! done)
    GE_TRY (ge_mrrr_refine_values (m, list));
  GE_TRY (ge_mrrr_rank_values (m, &done));
  return m->vectors ? ge_mrrr_vectors (m, list, done) : GPUEIG_OK;
}
