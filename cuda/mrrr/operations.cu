/* MRRR on the GPU: the operations of core/methods/mrrr/mrrr.h as kernels.  The driver
   runs on the host and exchanges O(n) numbers with the device per stage; each
   operation is one kernel over all eigenvalues of a level of the representation
   tree.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/factors.cuh"
#include "mrrr/operations.cuh"

#include <string.h>

enum
{
  FEW_NODES = 32
};

/* --- representations on the device --- */

static void
describe_node (ge_mrrr *m, int64_t id)
{
  gpu_state *g = gpu_of (m);
  const ge_mrrr_node *node = &m->nodes[id];
  const ge_mrrr_block *b = &m->blocks[node->block];
  mrrr_rep *r = &g->host_reps[id];
  memset (r, 0, sizeof *r);
  r->n = b->size;
  r->begin = b->begin;
  r->e = g->e + b->begin;
  r->stride = 1;
  r->d_hi = g->d_hi + b->begin;
  r->d_lo = g->d_lo + b->begin;
  r->w_hi = g->w_hi + b->begin;
  r->w_lo = g->w_lo + b->begin;
  if (node->depth > 0)
    {
      const level_store *s = &g->level[node->depth];
      r->d_hi = s->d_hi + node->column;
      r->d_lo = s->d_lo + node->column;
      r->w_hi = s->w ? s->w + node->column : NULL;
      r->w_lo = NULL;
      r->stride = s->count;
    }
}

/* Upload the descriptions of the nodes created since the last call, whose columns are known.  */
static gpueig_status
describe_nodes (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  int64_t first = g->n_reps;
  if (first == m->n_nodes)
    return GPUEIG_OK;
  for (; g->n_reps < m->n_nodes; g->n_reps++)
    describe_node (m, g->n_reps);
  return ge_put (ctx, g->reps + first, g->host_reps + first, g->n_reps - first);
}

static gpueig_status
gpu_begin (ge_mrrr *m)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g;
  double *roots, *staged;
  int64_t n = m->n;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 1, &g));
  memset (g, 0, sizeof *g);
  m->backend = g;
  /* The driver's largest list: 2 points per eigenpair and 14 per block of T,
     which has at least 3 rows.  Longer lists of counts are cut.  */
  g->capacity = 7 * n + 64;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 5 * n, &roots));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 5 * n, &staged));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m->max_nodes, &g->reps));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, m->max_nodes, &g->host_reps));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, g->capacity, &g->jobs));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, g->capacity, &g->host_jobs));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, g->capacity, &g->answers));
  /* Few operations set both members, and whole answers are fetched.  */
  GE_TRY (ge_clear (ctx, g->answers, g->capacity));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, g->capacity, &g->host_answers));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->capacity, &g->order));
  const double *parts[5] = { m->d_hi, m->d_lo, m->w_hi, m->w_lo, m->se };
  for (int k = 0; k < 5; k++)
    memcpy (staged + k * n, parts[k], (size_t) n * sizeof (double));
  GE_TRY (ge_put (ctx, roots, staged, 5 * n));
  g->d_hi = roots;
  g->d_lo = roots + n;
  g->w_hi = roots + 2 * n;
  g->w_lo = roots + 3 * n;
  g->e = roots + 4 * n;
  return describe_nodes (m);
}

/* --- jobs --- */

/* Jobs are sorted by kind, root representations first, so that a thread block
   has jobs of one kind.  Sets ORDER and *N_ROOT from the node of every entry of
   the list.  */
static void
order_jobs (ge_mrrr *m, int64_t n, const int32_t *node_of_entry, int *n_root)
{
  gpu_state *g = gpu_of (m);
  int64_t k = 0;
  for (int64_t i = 0; i < n; i++)
    if (m->nodes[node_of_entry[i]].depth == 0)
      g->order[k++] = (int32_t) i;
  *n_root = (int) k;
  for (int64_t i = 0; i < n; i++)
    if (m->nodes[node_of_entry[i]].depth != 0)
      g->order[k++] = (int32_t) i;
}

static gpueig_status
send_jobs (ge_mrrr *m, int64_t n)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  return ge_put (ctx, g->jobs, g->host_jobs, n);
}

static gpueig_status
get_answers (ge_mrrr *m, int64_t n)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  GE_TRY (ge_fetch (ctx, g->host_answers, g->answers, n));
  return ge_check_interrupt (ctx);
}

/* Upload jobs for a list of eigenpairs: their brackets or, for VALUES nonzero,
   their eigenvalues.  */
static gpueig_status
send_pairs (ge_mrrr *m, int64_t n, const int32_t *list, int values, int *n_root)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  int32_t *nodes;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &nodes));
  for (int64_t k = 0; k < n; k++)
    nodes[k] = m->pairs[list[k]].node;
  order_jobs (m, n, nodes, n_root);
  ge_release (ctx, mark);
  for (int64_t k = 0; k < n; k++)
    {
      const ge_mrrr_eigenpair *p = &m->pairs[list[g->order[k]]];
      mrrr_job *job = &g->host_jobs[k];
      job->a = values ? p->x_hi : p->lo;
      job->b = values ? p->x_lo : p->hi;
      job->gap = p->gap;
      job->node = p->node;
      job->index = p->index;
      job->twist = p->twist;
      job->column = p->column;
    }
  return send_jobs (m, n);
}

static ge_mrrr_eigenpair *
pair_of_job (ge_mrrr *m, const int32_t *list, int64_t k)
{
  return &m->pairs[list[gpu_of (m)->order[k]]];
}

/* --- the operations --- */

gpueig_status
ge_cuda_start_count (ge_mrrr *m, int n_root, int64_t n)
{
  gpueig_context *ctx = m->ctx;
  const gpu_state *g = gpu_of (m);
  GE_LAUNCH (count_kernel, blocks_for (n_root, n), 2 * WARP, 0, g->reps,
             g->jobs, n_root, (int) n, g->answers);
  return GPUEIG_OK;
}

static gpueig_status
gpu_count (ge_mrrr *m, int64_t n, const int32_t *node, const double *x,
           int32_t *count)
{
  gpu_state *g = gpu_of (m);
  int n_root;
  GE_TRY (describe_nodes (m));
  for (int64_t start = 0; start < n; start += g->capacity)
    {
      int64_t part = n - start < g->capacity ? n - start : g->capacity;
      order_jobs (m, part, node + start, &n_root);
      for (int64_t k = 0; k < part; k++)
        {
          g->host_jobs[k].a = x[start + g->order[k]];
          g->host_jobs[k].node = node[start + g->order[k]];
        }
      GE_TRY (send_jobs (m, part));
      GE_TRY (ge_cuda_start_count (m, n_root, part));
      GE_TRY (get_answers (m, part));
      for (int64_t k = 0; k < part; k++)
        count[start + g->order[k]] = (int32_t) g->host_answers[k].a;
    }
  return GPUEIG_OK;
}

static size_t
shared_of_one (const ge_mrrr *m)
{
  return sizeof (one_counts) + sizeof (double2) * (size_t) m->max_size;
}

int
ge_cuda_bisects_at_once (const ge_mrrr *m, int64_t n)
{
  return n <= FEW_PAIRS * ge_cuda_of (m->ctx)->multiprocessors
         && ge_shared_fits (m->ctx, shared_of_one (m));
}

gpueig_status
ge_cuda_start_bisect (ge_mrrr *m, int at_once, int n_root, int64_t n,
                      mrrr_single *pairs, int first)
{
  gpueig_context *ctx = m->ctx;
  const gpu_state *g = gpu_of (m);
  int bits_a_pass = 1, blocks = blocks_for (n_root, n);
  int each = blocks / ge_cuda_of (ctx)->multiprocessors;
  if (at_once)
    {
      const size_t shared = shared_of_one (m);
      GE_ALLOW_SHARED (bisect_one_kernel, shared);
      GE_LAUNCH (bisect_one_kernel,
                 (unsigned) ((n + FEW_PAIRS - 1) / FEW_PAIRS), ONE_THREADS,
                 shared, g->reps, g->jobs, (int) n, g->answers, pairs, first);
      return GPUEIG_OK;
    }
  /* More points per pass where they run on idle multiprocessors.  Deeper
     representations are read from memory in every pass, so they get two bits
     per pass in any case.  */
  if (each < 1)
    bits_a_pass = 3;
  else if (each < 3 || n_root < n)
    bits_a_pass = 2;
  int points = (1 << bits_a_pass) - 1;
  GE_LAUNCH (bisect_kernel, blocks, 2 * WARP * points, 0, g->reps, g->jobs,
             n_root, (int) n, points, MRRR_BITS / bits_a_pass, g->answers,
             pairs, first);
  return GPUEIG_OK;
}

/* PADDED: LIST, where the last pair of each node is repeated until the next one begins at a block
   of bisect_one_kernel.  Returns the number of elements.  */
static int64_t
pad_list (const ge_mrrr *m, int64_t n, const int32_t *list, int32_t *padded)
{
  int64_t count = 0;
  for (int64_t k = 0; k < n; k++)
    {
      padded[count++] = list[k];
      while (
          (k + 1 == n || m->pairs[list[k + 1]].node != m->pairs[list[k]].node)
          && count % FEW_PAIRS > 0)
        padded[count++] = list[k];
    }
  return count;
}

static gpueig_status
gpu_bisect (ge_mrrr *m, int64_t n, const int32_t *list)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  int32_t *padded;
  int n_root;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, FEW_PAIRS * n, &padded));
  const int64_t count = pad_list (m, n, list, padded);
  const int at_once
      = count <= g->capacity && ge_cuda_bisects_at_once (m, count);
  if (at_once)
    {
      n = count;
      list = padded;
    }
  GE_TRY (send_pairs (m, n, list, 0, &n_root));
  GE_TRY (ge_cuda_start_bisect (m, at_once, n_root, n, NULL, 0));
  GE_TRY (get_answers (m, n));
  for (int64_t k = 0; k < n; k++)
    {
      ge_mrrr_eigenpair *p = pair_of_job (m, list, k);
      p->lo = g->host_answers[k].a;
      p->hi = g->host_answers[k].b;
    }
  return ge_close_frame (ctx, mark);
}

/* Storage for the representations of a new depth.  The first call for a depth
   has all of its nodes.  How many these are no estimate knows: where memory is
   too short for them, another method may do.  */
static gpueig_status
new_level (ge_mrrr *m, int64_t count)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  level_store *s = &g->level[++g->depth];
  int64_t cells;
  s->count = count;
  GE_TRY (ge_multiply (ctx, m->max_size, count, &cells));
  gpueig_status status = GE_ALLOC (ctx, GE_DEVICE, cells, &s->d_hi);
  s->d_lo = s->d_hi;
  if (status == GPUEIG_OK && m->is_double)
    status = GE_ALLOC (ctx, GE_DEVICE, cells, &s->d_lo);
  if (status == GPUEIG_OUT_OF_MEMORY)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "MRRR: no memory for %lld representations",
                        (long long) count);
  GE_TRY (status);
  /* The array V is not used before the twists: until then it holds w of this
     level.  */
  size_t real = m->is_double ? sizeof (double) : sizeof (float);
  size_t room = (size_t) (m->n * (m->iu - m->il + 1)) * real / sizeof (double);
  s->w = (size_t) cells <= room ? (double *) m->v : NULL;
  return GPUEIG_OK;
}

static gpueig_status
gpu_represent (ge_mrrr *m, int64_t n, const int32_t *list)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  int depth = m->nodes[list[0]].depth, threads = WARP;
  if (depth > g->depth)
    GE_TRY (new_level (m, n));
  const level_store *s = &g->level[depth];
  for (int64_t k = 0; k < n; k++)
    {
      const ge_mrrr_node *node = &m->nodes[list[k]];
      g->host_jobs[k].a = node->shift;
      g->host_jobs[k].node = list[k];
      g->host_jobs[k].index = node->parent;
      g->host_jobs[k].column = node->column;
    }
  GE_TRY (send_jobs (m, n));
  int blocks = (int) ((n + threads - 1) / threads);
  if (m->is_double)
    GE_LAUNCH (represent_kernel<ge_dd>, blocks, threads, 0, g->reps, g->jobs,
               (int) n, depth == 1, s->count, s->d_hi, s->d_lo, s->w,
               g->answers);
  else
    GE_LAUNCH (represent_kernel<double>, blocks, threads, 0, g->reps, g->jobs,
               (int) n, depth == 1, s->count, s->d_hi, s->d_lo, s->w,
               g->answers);
  GE_TRY (get_answers (m, n));
  for (int64_t k = 0; k < n; k++)
    m->nodes[list[k]].growth = g->host_answers[k].a;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_start_twist (ge_mrrr *m, const mrrr_batch &b)
{
  gpueig_context *ctx = m->ctx;
  const int blocks = blocks_for (b.n_root, b.n);
  const mrrr_rep *reps = gpu_of (m)->reps;
  const int64_t columns = m->iu - m->il + 1;
  if (m->is_double)
    GE_LAUNCH (twist_kernel, blocks, 2 * WARP, 0, reps, b.jobs, b.n_root, b.n,
               (double *) m->v, columns, b.answers, b.open);
  else
    GE_LAUNCH (twist_kernel, blocks, 2 * WARP, 0, reps, b.jobs, b.n_root, b.n,
               (float *) m->v, columns, b.answers, b.open);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_start_refine (ge_mrrr *m, const mrrr_batch &b)
{
  gpueig_context *ctx = m->ctx;
  GE_LAUNCH_AS ("refine_kernel",
                (m->is_double ? refine_kernel<ge_dd> : refine_kernel<double>),
                blocks_for (b.n_root, b.n), 2 * WARP, 0, gpu_of (m)->reps,
                b.jobs, b.n_root, b.n, b.answers, b.open);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_start_vectors (ge_mrrr *m, const mrrr_batch &b,
                       const mrrr_answer *values)
{
  gpueig_context *ctx = m->ctx;
  const int blocks = blocks_for (b.n_root, b.n);
  const mrrr_rep *reps = gpu_of (m)->reps;
  if (m->is_double)
    GE_LAUNCH (vectors_kernel<ge_dd>, blocks, 2 * WARP, 0, reps, b.jobs,
               b.n_root, b.n, values, (double *) m->v, m->n, b.answers, b.open);
  else
    GE_LAUNCH (vectors_kernel<double>, blocks, 2 * WARP, 0, reps, b.jobs,
               b.n_root, b.n, values, (float *) m->v, m->n, b.answers, b.open);
  return GPUEIG_OK;
}

static gpueig_status
gpu_twist (ge_mrrr *m, int64_t n, const int32_t *list)
{
  gpu_state *g = gpu_of (m);
  const int64_t columns = m->iu - m->il + 1;
  for (int64_t start = 0; start < n; start += columns)
    {
      const int64_t part = n - start < columns ? n - start : columns;
      mrrr_batch b = { g->jobs, 0, (int) part, g->answers, NULL };
      GE_TRY (send_pairs (m, part, list + start, 0, &b.n_root));
      GE_TRY (ge_cuda_start_twist (m, b));
      GE_TRY (get_answers (m, part));
      for (int64_t k = 0; k < part; k++)
        pair_of_job (m, list + start, k)->twist
            = (int32_t) g->host_answers[k].a;
    }
  return GPUEIG_OK;
}

static gpueig_status
gpu_refine (ge_mrrr *m, int64_t n, const int32_t *list)
{
  gpu_state *g = gpu_of (m);
  mrrr_batch b = { g->jobs, 0, (int) n, g->answers, NULL };
  if (n == 0)
    return GPUEIG_OK;
  GE_TRY (send_pairs (m, n, list, 0, &b.n_root));
  GE_TRY (ge_cuda_start_refine (m, b));
  GE_TRY (get_answers (m, n));
  for (int64_t k = 0; k < n; k++)
    {
      ge_mrrr_eigenpair *p = pair_of_job (m, list, k);
      p->x_hi = g->host_answers[k].a;
      p->x_lo = g->host_answers[k].b;
    }
  return GPUEIG_OK;
}

static gpueig_status
gpu_vectors (ge_mrrr *m, int64_t n, const int32_t *list)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  mrrr_batch b = { g->jobs, 0, (int) n, g->answers, NULL };
  if (n == 0)
    return GPUEIG_OK;
  GE_TRY (send_pairs (m, n, list, 1, &b.n_root));
  const size_t real = m->is_double ? sizeof (double) : sizeof (float);
  if (m->n_blocks > 1)
    CU (cudaMemsetAsync (m->v, 0, (size_t) (m->n * (m->iu - m->il + 1)) * real,
                         ge_cuda_of (ctx)->stream));
  GE_TRY (ge_cuda_start_vectors (m, b, NULL));
  GE_TRY (get_answers (m, n));
  for (int64_t k = 0; k < n; k++)
    pair_of_job (m, list, k)->residual = g->host_answers[k].a;
  return GPUEIG_OK;
}

static gpueig_status
gpu_dots (ge_mrrr *m, int64_t n, const int32_t *a, const int32_t *b,
          double *dots)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  for (int64_t k = 0; k < n; k++)
    {
      g->host_jobs[k].twist = a[k];
      g->host_jobs[k].column = b[k];
    }
  GE_TRY (send_jobs (m, n));
  int blocks = (int) ((n + 3) / 4);
  if (m->is_double)
    GE_LAUNCH (dots_kernel, blocks, 4 * WARP, 0, g->jobs, (int) n,
               (const double *) m->v, m->n, g->answers);
  else
    GE_LAUNCH (dots_kernel, blocks, 4 * WARP, 0, g->jobs, (int) n,
               (const float *) m->v, m->n, g->answers);
  GE_TRY (get_answers (m, n));
  for (int64_t k = 0; k < n; k++)
    dots[k] = g->host_answers[k].a;
  return GPUEIG_OK;
}

static gpueig_status
gpu_store (ge_mrrr *m, int64_t n, const int32_t *column, const int32_t *begin,
           const int32_t *size, const double *z, int64_t ld)
{
  gpueig_context *ctx = m->ctx;
  gpu_state *g = gpu_of (m);
  double *device_z;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * ld, &device_z));
  for (int64_t k = 0; k < n; k++)
    {
      g->host_jobs[k].column = column[k];
      g->host_jobs[k].node = begin[k];
      g->host_jobs[k].index = size[k];
    }
  GE_TRY (send_jobs (m, n));
  GE_TRY (ge_put (ctx, device_z, z, n * ld));
  if (m->is_double)
    GE_LAUNCH (store_kernel, (int) n, 256, 0, g->jobs, device_z, ld,
               (double *) m->v, m->n);
  else
    GE_LAUNCH (store_kernel, (int) n, 256, 0, g->jobs, device_z, ld,
               (float *) m->v, m->n);
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

static gpueig_status
gpu_fetch (ge_mrrr *m, int32_t column, int32_t begin, int32_t size, double *z)
{
  gpueig_context *ctx = m->ctx;
  const int64_t real = m->is_double ? sizeof (double) : sizeof (float);
  const char *from = (const char *) m->v + (m->n * column + begin) * real;
  GE_TRY (ge_fetch (ctx, (char *) z, from, size * real));
  if (! m->is_double)
    for (int64_t i = size - 1; i >= 0; i--)
      {
        float x;
        memcpy (&x, (const char *) z + (size_t) i * sizeof x, sizeof x);
        z[i] = x;
      }
  return GPUEIG_OK;
}

const ge_mrrr_ops ge_mrrr_gpu
    = { gpu_begin, gpu_count,  gpu_bisect,      gpu_represent,
        gpu_twist, gpu_refine, gpu_vectors,     gpu_dots,
        gpu_store, gpu_fetch,  ge_cuda_singles, FEW_NODES };
