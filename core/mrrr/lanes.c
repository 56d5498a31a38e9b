/* MRRR on the CPU: the operations of mrrr.h, threads over packs of eigenvalues,
   SIMD across the eigenvalues of a pack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Only root representations are stored.  For eigenvalues deeper in the tree every
   operation recomputes the representations from the root, one pass per level: this is
   faster than reading them from memory, needs O(n) memory per thread, and the results
   do not depend on the number of threads.  */

#include "base/clones.h"
#include "base/solver.h"
#include "mrrr/mrrr.h"
#include "mrrr/lanes.h"
#include "mrrr/math.h"
#include "mrrr/newton.h"

#include <math.h>
#include <string.h>

#define GE_PASTE_(a, b) a##_##b
#define GE_PASTE(a, b) GE_PASTE_ (a, b)
#define INLINE static inline __attribute__ ((always_inline))

enum
{
  LANES = 32
};
#define ALIGNED _Alignas(64)

typedef struct
{
  int64_t n;
  int shared;
  const double *e, *d_hi, *d_lo, *w_hi, *w_lo;
} representation;

typedef struct
{
  double *d_hi, *d_lo, *w_hi, *w_lo;
} lane_arrays;

#define AT(array, i, l) ((array)[shared ? (i) : (i) *LANES + (l)])

#define SFX pl
#define WIDE double
#include "mrrr/lane_steps.h"
#undef SFX
#undef WIDE
#define SFX dd
#define WIDE ge_dd
#include "mrrr/lane_steps.h"
#undef SFX
#undef WIDE

#include "mrrr/lane_counts.h"

/* --- packs --- */

/* Up to LANES pairs or nodes (ID) of the same block and depth, COUNT in use; the other
   lanes repeat the last one.  */
typedef struct
{
  int64_t begin;
  int count;
} pack;

/* Scratch memory of a thread.  */
typedef struct
{
  lane_arrays own;
  double *z;
} scratch;

typedef struct
{
  scratch *scratch; /* per thread */
} lanes;

static gpueig_status
lanes_begin (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  lanes *a;
  int64_t words = m->max_size * LANES;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 1, &a));
  m->backend = a;
  const int threads = ge_threads ();
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &a->scratch));
  for (int t = 0; t < threads; t++)
    {
      double *p;
      GE_TRY (GE_ALLOC (ctx, GE_HOST, 5 * words, &p));
      a->scratch[t].own
          = (lane_arrays){ p, p + words, p + 2 * words, p + 3 * words };
      a->scratch[t].z = p + 4 * words;
    }
  return GPUEIG_OK;
}

/* Divide a list of nodes into packs; returns their number.  */
static int64_t
cut (const ge_mrrr *m, int64_t n, const int32_t *nodes, pack *packs)
{
  int64_t count = 0;
  for (int64_t k = 0; k < n;)
    {
      const ge_mrrr_node *first = &m->nodes[nodes[k]];
      int64_t end = k + 1;
      while (end < n && end < k + LANES)
        {
          const ge_mrrr_node *next = &m->nodes[nodes[end]];
          if (next->block != first->block || next->depth != first->depth)
            break;
          end++;
        }
      packs[count++] = (pack){ k, (int) (end - k) };
      k = end;
    }
  return count;
}

static representation
root_of (const ge_mrrr *m, int32_t block)
{
  const ge_mrrr_block *b = &m->blocks[block];
  int64_t i = b->begin;
  return (representation){ b->size,     1,           m->se + i,  m->d_hi + i,
                           m->d_lo + i, m->w_hi + i, m->w_lo + i };
}

/* The representations of NODE[0 .. LANES - 1], of one block and depth: the root,
   or shifted copies in SC.  */
static representation
derive (const ge_mrrr *m, const int32_t *node, scratch *sc, double *growth)
{
  const ge_mrrr_node *any = &m->nodes[node[0]];
  representation a = root_of (m, any->block);
  for (int depth = 1; depth <= any->depth; depth++)
    {
      ALIGNED double shift[LANES];
      for (int l = 0; l < LANES; l++)
        {
          int32_t id = node[l];
          while (m->nodes[id].depth > depth)
            id = m->nodes[id].parent;
          shift[l] = m->nodes[id].shift;
        }
      if (m->is_double)
        represent_dd (&a, shift, &sc->own, growth);
      else
        represent_pl (&a, shift, &sc->own, growth);
      a = (representation){
        a.n, 0, a.e, sc->own.d_hi, sc->own.d_lo, sc->own.w_hi, sc->own.w_lo
      };
    }
  return a;
}

typedef void pack_work (ge_mrrr *m, const pack *p, const void *arguments,
                        scratch *sc);

typedef struct
{
  ge_mrrr *m;
  const pack *packs;
  pack_work *work;
  const void *arguments;
} pack_pass;

static void
pack_piece (void *data, int64_t i, int thread)
{
  const pack_pass *p = data;
  const lanes *a = p->m->backend;
  p->work (p->m, &p->packs[i], p->arguments, &a->scratch[thread]);
}

static gpueig_status
for_packs (ge_mrrr *m, int64_t n, const int32_t *nodes, int64_t passes,
           pack_work *work, const void *arguments)
{
  pack *packs;
  int mark = ge_mark (m->ctx);
  GE_TRY (GE_ALLOC (m->ctx, GE_HOST, n, &packs));
  const int64_t count = cut (m, n, nodes, packs);
  pack_pass p = { m, packs, work, arguments };
  GE_TRY (ge_run_pieces (m->ctx, count, m->max_size * passes * count > 10000,
                         pack_piece, &p));
  ge_release (m->ctx, mark);
  return GPUEIG_OK;
}

/* --- counts --- */

typedef struct
{
  const int32_t *node, *list;
  const double *x;
  int32_t *count;
  int bits;
} request;

static void
lanes_nodes (const pack *p, const int32_t *nodes, int32_t *node)
{
  for (int l = 0; l < LANES; l++)
    node[l] = nodes[p->begin + (l < p->count ? l : p->count - 1)];
}

static void
count_lanes (const representation *a, const double *x, double *count)
{
  if (a->shared)
    count_shared (a, x, count);
  else
    count_own (a, x, count);
}

static void
count_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double x[LANES], count[LANES], growth[LANES];
  lanes_nodes (p, q->node, node);
  representation a = derive (m, node, sc, growth);
  for (int l = 0; l < LANES; l++)
    x[l] = q->x[p->begin + (l < p->count ? l : p->count - 1)];
  count_lanes (&a, x, count);
  for (int l = 0; l < p->count; l++)
    q->count[p->begin + l] = (int32_t) count[l];
}

static gpueig_status
lanes_count (ge_mrrr *m, int64_t n, const int32_t *node, const double *x,
             int32_t *count)
{
  request q = { .node = node, .x = x, .count = count };
  return for_packs (m, n, node, 1, count_pack, &q);
}

/* --- operations on pairs --- */

static void
bisect_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double lo[LANES], hi[LANES], x[LANES], count[LANES], growth[LANES];
  double index[LANES];
  lanes_nodes (p, q->node, node);
  representation a = derive (m, node, sc, growth);
  for (int l = 0; l < LANES; l++)
    {
      const ge_mrrr_eigenpair *pair
          = &m->pairs[q->list[p->begin + (l < p->count ? l : p->count - 1)]];
      lo[l] = pair->lo;
      hi[l] = pair->hi;
      index[l] = pair->index;
    }
  for (int bit = 0; bit < q->bits; bit++)
    {
      for (int l = 0; l < LANES; l++)
        x[l] = lo[l] + (hi[l] - lo[l]) / 2;
      count_lanes (&a, x, count);
      for (int l = 0; l < LANES; l++)
        {
          hi[l] = count[l] >= index[l] ? x[l] : hi[l];
          lo[l] = count[l] >= index[l] ? lo[l] : x[l];
        }
    }
  for (int l = 0; l < p->count; l++)
    {
      ge_mrrr_eigenpair *pair = &m->pairs[q->list[p->begin + l]];
      pair->lo = lo[l];
      pair->hi = hi[l];
    }
}

static void
twist_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double x[LANES], r[LANES], growth[LANES];
  lanes_nodes (p, q->node, node);
  representation a = derive (m, node, sc, growth);
  for (int l = 0; l < LANES; l++)
    {
      const ge_mrrr_eigenpair *pair
          = &m->pairs[q->list[p->begin + (l < p->count ? l : p->count - 1)]];
      x[l] = pair->lo + (pair->hi - pair->lo) / 2;
    }
  if (a.shared)
    twist_shared (&a, x, r, sc->z);
  else
    twist_own (&a, x, r, sc->z);
  for (int l = 0; l < p->count; l++)
    m->pairs[q->list[p->begin + l]].twist = (int32_t) r[l];
}

/* State of the iterations of a pack; unused lanes are done from the beginning.  */
typedef struct
{
  ALIGNED double lo[LANES], hi[LANES];
  ALIGNED double x_hi[LANES], x_lo[LANES], r[LANES];
  ALIGNED double gamma[LANES], norm2[LANES], below[LANES];
  double gap[LANES], index[LANES];
  ge_mrrr_newton state[LANES];
} pack_state;

static void
load_state (ge_mrrr *m, const pack *p, const int32_t *list, pack_state *s)
{
  for (int l = 0; l < LANES; l++)
    {
      const ge_mrrr_eigenpair *pair
          = &m->pairs[list[p->begin + (l < p->count ? l : p->count - 1)]];
      s->x_hi[l] = pair->x_hi;
      s->x_lo[l] = pair->x_lo;
      s->r[l] = pair->twist;
      s->gap[l] = pair->gap;
      s->index[l] = pair->index;
      ge_mrrr_newton_begin (&s->state[l], pair->lo, pair->hi, pair->gap);
    }
}

static void
refine_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double growth[LANES];
  pack_state s;
  lanes_nodes (p, q->node, node);
  representation a = derive (m, node, sc, growth);
  load_state (m, p, q->list, &s);
  for (int l = 0; l < LANES; l++)
    {
      s.x_hi[l] = s.state[l].x_hi;
      s.x_lo[l] = 0;
    }
  int open = 1;
  /* First steps in plain double if the working precision is double-double.  */
  for (int step = 0; step < MRRR_FIRST_STEPS && open && m->is_double; step++)
    {
      evaluate_pl (&a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      open = 0;
      for (int l = 0; l < LANES; l++)
        {
          open |= ge_mrrr_newton_first (&s.state[l], s.gamma[l], s.norm2[l]);
          s.x_hi[l] = s.state[l].x_hi;
        }
    }
  open = 1;
  for (int step = 0; step < MRRR_STEPS_MAX && open; step++)
    {
      if (m->is_double)
        evaluate_dd (&a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      else
        evaluate_pl (&a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      open = 0;
      for (int l = 0; l < LANES; l++)
        {
          open |= ge_mrrr_newton_step (&s.state[l], m->is_double, s.gamma[l],
                                       s.norm2[l], s.below[l] >= s.index[l]);
          s.x_hi[l] = s.state[l].x_hi;
          s.x_lo[l] = s.state[l].x_lo;
        }
    }
  for (int l = 0; l < p->count; l++)
    {
      ge_mrrr_eigenpair *pair = &m->pairs[q->list[p->begin + l]];
      pair->x_hi = s.x_hi[l];
      pair->x_lo = s.x_lo[l];
    }
}

/* Copy the vectors of a pack to their columns, scaled, zero outside the block.  */
#define WRITE_COLUMNS(name, real)                                              \
  static void name (const ge_mrrr *m, const pack *p, const request *q,         \
                    const double *z, const double *norm2)                      \
  {                                                                            \
    real *v = m->v;                                                            \
    int64_t n = m->n, tile = 16;                                               \
    const ge_mrrr_eigenpair *first = &m->pairs[q->list[p->begin]];             \
    const ge_mrrr_block *b = &m->blocks[first->block];                         \
    for (int l = 0; l < p->count; l++)                                         \
      {                                                                        \
        real *column = v + n * m->pairs[q->list[p->begin + l]].column;         \
        memset (column, 0, (size_t) b->begin * sizeof (real));                 \
        memset (column + b->begin + b->size, 0,                                \
                (size_t) (n - b->begin - b->size) * sizeof (real));            \
      }                                                                        \
    for (int64_t i0 = 0; i0 < b->size; i0 += tile)                             \
      {                                                                        \
        int64_t i1 = i0 + tile < b->size ? i0 + tile : b->size;                \
        for (int l = 0; l < p->count; l++)                                     \
          {                                                                    \
            real *column                                                       \
                = v + n * m->pairs[q->list[p->begin + l]].column + b->begin;   \
            double scale = 1 / sqrt (norm2[l]);                                \
            for (int64_t i = i0; i < i1; i++)                                  \
              column[i] = (real) (z[i * LANES + l] * scale);                   \
          }                                                                    \
      }                                                                        \
  }
WRITE_COLUMNS (write_float, float)
WRITE_COLUMNS (write_double, double)

static void
vectors_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double growth[LANES], norm2[LANES];
  pack_state s;
  lanes_nodes (p, q->node, node);
  representation a = derive (m, node, sc, growth);
  load_state (m, p, q->list, &s);
  if (m->is_double)
    factor_dd (&a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below, sc->z);
  else
    factor_pl (&a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below, sc->z);
  multiply_factors (a.n, s.r, sc->z, norm2);
  for (int l = 0; l < p->count; l++)
    m->pairs[q->list[p->begin + l]].residual
        = fabs (s.gamma[l]) / sqrt (norm2[l]);
  if (m->is_double)
    write_double (m, p, q, sc->z, norm2);
  else
    write_float (m, p, q, sc->z, norm2);
}

/* Divide a list of pairs into packs by node, and run an operation on all packs.  */
static gpueig_status
for_pairs (ge_mrrr *m, int64_t n, const int32_t *list, int64_t passes,
           pack_work *work, int bits)
{
  int32_t *nodes;
  int mark = ge_mark (m->ctx);
  GE_TRY (GE_ALLOC (m->ctx, GE_HOST, n, &nodes));
  for (int64_t k = 0; k < n; k++)
    nodes[k] = m->pairs[list[k]].node;
  request q = { .node = nodes, .list = list, .bits = bits };
  GE_TRY (for_packs (m, n, nodes, passes, work, &q));
  ge_release (m->ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
lanes_bisect (ge_mrrr *m, int64_t n, const int32_t *list, int bits)
{
  return for_pairs (m, n, list, bits, bisect_pack, bits);
}

static gpueig_status
lanes_twist (ge_mrrr *m, int64_t n, const int32_t *list)
{
  return for_pairs (m, n, list, 4, twist_pack, 0);
}

static gpueig_status
lanes_refine (ge_mrrr *m, int64_t n, const int32_t *list)
{
  return for_pairs (m, n, list, 16, refine_pack, 0);
}

static gpueig_status
lanes_vectors (ge_mrrr *m, int64_t n, const int32_t *list)
{
  return for_pairs (m, n, list, 16, vectors_pack, 0);
}

/* --- representations: only the growth is computed, see above --- */

static void
represent_pack (ge_mrrr *m, const pack *p, const void *arguments, scratch *sc)
{
  const request *q = arguments;
  int32_t node[LANES];
  ALIGNED double growth[LANES] = { 0 };
  lanes_nodes (p, q->node, node);
  derive (m, node, sc, growth);
  for (int l = 0; l < p->count; l++)
    m->nodes[node[l]].growth = growth[l];
}

static gpueig_status
lanes_represent (ge_mrrr *m, int64_t n, const int32_t *list)
{
  request q = { .node = list };
  return for_packs (m, n, list, 4, represent_pack, &q);
}

const ge_mrrr_ops ge_mrrr_lanes
    = { lanes_begin,    lanes_count,    lanes_bisect,  lanes_represent,
        lanes_twist,    lanes_refine,   lanes_vectors, ge_lanes_dots,
        ge_lanes_store, ge_lanes_fetch, NULL };
