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
#include "mrrr/separation.h"

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

/* BODY (A, shared, ...), inlined for both values of A->shared.  */
#define BY_SHARED(a, body, ...)                                                \
  ((a)->shared ? body (a, 1, __VA_ARGS__) : body (a, 0, __VA_ARGS__))

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

/* Pairs or nodes FIRST .. FIRST + COUNT - 1 of a list, at most LANES, of the same block and
   depth.  */
typedef struct
{
  int64_t first;
  int count;
} pack;

/* A request: NODES of a list, with points X or the pairs of LIST.  */
typedef struct
{
  const int32_t *nodes, *list;
  const double *x;
  int32_t *count;
  int bits;
} request;

/* A pack, on one thread: nodes, pairs or points of the lanes, of which unused ones repeat
   the last one; representations of the nodes and their growth.  */
typedef struct
{
  ge_mrrr *m;
  const request *q;
  int64_t first;
  int count;
  int32_t node[LANES];
  ge_mrrr_eigenpair *pair[LANES];
  ALIGNED double x[LANES], growth[LANES];
  representation a;
  double *z;
} lane_pack;

/* Scratch memory of a thread.  */
typedef struct
{
  lane_arrays own;
  double *z;
} scratch;

static gpueig_status
lanes_begin (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  scratch *all;
  int64_t words = m->max_size * LANES;
  const int threads = ge_threads ();
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &all));
  m->backend = all;
  for (int t = 0; t < threads; t++)
    {
      double *p;
      GE_TRY (GE_ALLOC (ctx, GE_HOST, 5 * words, &p));
      all[t].own = (lane_arrays){ p, p + words, p + 2 * words, p + 3 * words };
      all[t].z = p + 4 * words;
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

/* Find the representations of the nodes of P: the root, or shifted copies in OWN.  */
static void
derive (lane_pack *p, lane_arrays *own)
{
  const ge_mrrr *m = p->m;
  const ge_mrrr_node *any = &m->nodes[p->node[0]];
  p->a = root_of (m, any->block);
  for (int depth = 1; depth <= any->depth; depth++)
    {
      ALIGNED double shift[LANES];
      for (int l = 0; l < LANES; l++)
        {
          int32_t id = p->node[l];
          while (m->nodes[id].depth > depth)
            id = m->nodes[id].parent;
          shift[l] = m->nodes[id].shift;
        }
      if (m->is_double)
        represent_dd (&p->a, shift, own, p->growth);
      else
        represent_pl (&p->a, shift, own, p->growth);
      p->a = (representation){ p->a.n,    0,         p->a.e,   own->d_hi,
                               own->d_lo, own->w_hi, own->w_lo };
    }
}

typedef void pack_work (lane_pack *p);

typedef struct
{
  ge_mrrr *m;
  const pack *packs;
  pack_work *work;
  const request *q;
} pack_pass;

static void
pack_piece (void *data, int64_t i, int thread)
{
  const pack_pass *pass = data;
  const request *q = pass->q;
  scratch *sc = (scratch *) pass->m->backend + thread;
  lane_pack p = { .m = pass->m,
                  .q = q,
                  .first = pass->packs[i].first,
                  .count = pass->packs[i].count,
                  .z = sc->z };
  for (int l = 0; l < LANES; l++)
    {
      const int64_t k = p.first + (l < p.count ? l : p.count - 1);
      p.node[l] = q->nodes[k];
      p.pair[l] = q->list ? &p.m->pairs[q->list[k]] : NULL;
      p.x[l] = q->x ? q->x[k] : 0;
    }
  derive (&p, &sc->own);
  pass->work (&p);
}

static gpueig_status
for_packs (ge_mrrr *m, int64_t n, int64_t passes, pack_work *work,
           const request *q)
{
  pack *packs;
  int mark = ge_mark (m->ctx);
  GE_TRY (GE_ALLOC (m->ctx, GE_HOST, n, &packs));
  const int64_t count = cut (m, n, q->nodes, packs);
  pack_pass p = { m, packs, work, q };
  GE_TRY (ge_run_pieces (m->ctx, count,
                         10 * (double) (m->max_size * passes * count),
                         pack_piece, &p));
  ge_release (m->ctx, mark);
  return GPUEIG_OK;
}

/* --- operations on nodes --- */

static void
count_pack (lane_pack *p)
{
  ALIGNED double count[LANES];
  count_lanes (&p->a, p->x, count);
  for (int l = 0; l < p->count; l++)
    p->q->count[p->first + l] = (int32_t) count[l];
}

static gpueig_status
lanes_count (ge_mrrr *m, int64_t n, const int32_t *node, const double *x,
             int32_t *count)
{
  const request q = { .nodes = node, .x = x, .count = count };
  return for_packs (m, n, 1, count_pack, &q);
}

/* Only the growth is computed, see above.  */
static void
represent_pack (lane_pack *p)
{
  for (int l = 0; l < p->count; l++)
    p->m->nodes[p->node[l]].growth = p->growth[l];
}

static gpueig_status
lanes_represent (ge_mrrr *m, int64_t n, const int32_t *list)
{
  const request q = { .nodes = list };
  return for_packs (m, n, 4, represent_pack, &q);
}

/* --- operations on pairs --- */

static void
bisect_pack (lane_pack *p)
{
  ALIGNED double lo[LANES], hi[LANES], x[LANES], count[LANES];
  double index[LANES];
  for (int l = 0; l < LANES; l++)
    {
      lo[l] = p->pair[l]->lo;
      hi[l] = p->pair[l]->hi;
      index[l] = p->pair[l]->index;
    }
  for (int bit = 0; bit < p->q->bits; bit++)
    {
      for (int l = 0; l < LANES; l++)
        x[l] = lo[l] + (hi[l] - lo[l]) / 2;
      count_lanes (&p->a, x, count);
      for (int l = 0; l < LANES; l++)
        {
          hi[l] = count[l] >= index[l] ? x[l] : hi[l];
          lo[l] = count[l] >= index[l] ? lo[l] : x[l];
        }
    }
  for (int l = 0; l < p->count; l++)
    {
      p->pair[l]->lo = lo[l];
      p->pair[l]->hi = hi[l];
    }
}

static void
twist_pack (lane_pack *p)
{
  ALIGNED double x[LANES], r[LANES];
  for (int l = 0; l < LANES; l++)
    x[l] = p->pair[l]->lo + (p->pair[l]->hi - p->pair[l]->lo) / 2;
  twist_lanes (&p->a, x, r, p->z);
  for (int l = 0; l < p->count; l++)
    p->pair[l]->twist = (int32_t) r[l];
}

/* State of the iterations of a pack.  */
typedef struct
{
  ALIGNED double x_hi[LANES], x_lo[LANES], r[LANES];
  ALIGNED double gamma[LANES], norm2[LANES], below[LANES];
} pack_state;

static void
load_state (const lane_pack *p, pack_state *s)
{
  for (int l = 0; l < LANES; l++)
    {
      s->x_hi[l] = p->pair[l]->x_hi;
      s->x_lo[l] = p->pair[l]->x_lo;
      s->r[l] = p->pair[l]->twist;
    }
}

static void
refine_pack (lane_pack *p)
{
  const int is_double = p->m->is_double;
  ge_mrrr_newton state[LANES];
  pack_state s;
  load_state (p, &s);
  for (int l = 0; l < LANES; l++)
    {
      const ge_mrrr_eigenpair *pair = p->pair[l];
      ge_mrrr_newton_begin (&state[l], pair->lo, pair->hi, pair->gap);
      s.x_hi[l] = state[l].x_hi;
      s.x_lo[l] = 0;
    }
  int open = 1;
  /* First steps in plain double if the working precision is double-double.  */
  for (int step = 0; step < MRRR_FIRST_STEPS && open && is_double; step++)
    {
      evaluate_pl (&p->a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      open = 0;
      for (int l = 0; l < LANES; l++)
        {
          open |= ge_mrrr_newton_first (&state[l], s.gamma[l], s.norm2[l]);
          s.x_hi[l] = state[l].x_hi;
        }
    }
  open = 1;
  for (int step = 0; step < MRRR_STEPS_MAX && open; step++)
    {
      if (is_double)
        evaluate_dd (&p->a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      else
        evaluate_pl (&p->a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below);
      open = 0;
      for (int l = 0; l < LANES; l++)
        {
          open |= ge_mrrr_newton_step (&state[l], is_double, s.gamma[l],
                                       s.norm2[l],
                                       s.below[l] >= p->pair[l]->index);
          s.x_hi[l] = state[l].x_hi;
          s.x_lo[l] = state[l].x_lo;
        }
    }
  for (int l = 0; l < p->count; l++)
    {
      p->pair[l]->x_hi = s.x_hi[l];
      p->pair[l]->x_lo = s.x_lo[l];
    }
}

/* Copy the vectors of a pack to their columns, scaled, zero outside the block.  */
#define WRITE_COLUMNS(name, real)                                              \
  static void name (const lane_pack *p, const double *norm2)                   \
  {                                                                            \
    const ge_mrrr *m = p->m;                                                   \
    real *v = m->v;                                                            \
    int64_t n = m->n, tile = 16;                                               \
    const ge_mrrr_block *b = &m->blocks[p->pair[0]->block];                    \
    for (int l = 0; l < p->count; l++)                                         \
      {                                                                        \
        real *column = v + n * p->pair[l]->column;                             \
        memset (column, 0, (size_t) b->begin * sizeof (real));                 \
        memset (column + b->begin + b->size, 0,                                \
                (size_t) (n - b->begin - b->size) * sizeof (real));            \
      }                                                                        \
    for (int64_t i0 = 0; i0 < b->size; i0 += tile)                             \
      {                                                                        \
        int64_t i1 = i0 + tile < b->size ? i0 + tile : b->size;                \
        for (int l = 0; l < p->count; l++)                                     \
          {                                                                    \
            real *column = v + n * p->pair[l]->column + b->begin;              \
            double scale = 1 / sqrt (norm2[l]);                                \
            for (int64_t i = i0; i < i1; i++)                                  \
              column[i] = (real) (p->z[i * LANES + l] * scale);                \
          }                                                                    \
      }                                                                        \
  }
WRITE_COLUMNS (write_float, float)
WRITE_COLUMNS (write_double, double)

static void
vectors_pack (lane_pack *p)
{
  const ge_mrrr *m = p->m;
  ALIGNED double norm2[LANES];
  pack_state s;
  load_state (p, &s);
  if (m->is_double)
    factor_dd (&p->a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below, p->z);
  else
    factor_pl (&p->a, s.x_hi, s.x_lo, s.r, s.gamma, s.norm2, s.below, p->z);
  multiply_factors (p->a.n, s.r, p->z, norm2);
  for (int l = 0; l < p->count; l++)
    p->pair[l]->residual = fabs (s.gamma[l]) / sqrt (norm2[l]);
  if (m->is_double)
    write_double (p, norm2);
  else
    write_float (p, norm2);
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
  const request q = { .nodes = nodes, .list = list, .bits = bits };
  GE_TRY (for_packs (m, n, passes, work, &q));
  ge_release (m->ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
lanes_bisect (ge_mrrr *m, int64_t n, const int32_t *list)
{
  return for_pairs (m, n, list, MRRR_BITS, bisect_pack, MRRR_BITS);
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

const ge_mrrr_ops ge_mrrr_lanes
    = { lanes_begin,    lanes_count,    lanes_bisect,  lanes_represent,
        lanes_twist,    lanes_refine,   lanes_vectors, ge_lanes_dots,
        ge_lanes_store, ge_lanes_fetch, NULL,          0 };
