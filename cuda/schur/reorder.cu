/* The order of a Schur form: its windows are exchanged on the host (schur/rounds.c), the
   rest of the form and the vectors are multiplied here.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/products.cuh"
#include "schur/reorder.cuh"
#include "schur/schur.cuh"

enum
{
  THREADS = 256,
  COPY_BLOCKS = 8 /* for each window */
};

/* The blocks, or Q and the blocks, of a round: of one window with WIDTH^2 elements at
   most.  */
template <typename T> struct page
{
  gpueig_context *ctx;
  int n, width;
  T *s, *u;                   /* U NULL: no vectors */
  T *blocks, *q, *transforms; /* TRANSFORMS: Q as apply_windows wants it */
  ge_reorder_device host;
};

/* Copy the diagonal blocks of the windows AT between S and BLOCKS, and with Q also it to
   TRANSFORMS.  Grid: (COPY_BLOCKS, windows).  */
template <typename T>
GE_KERNEL (THREADS)
copy_blocks (int n, T *s, hop at, int width, T *blocks, const T *q,
             T *transforms)
{
  const chain_window c = at.window[blockIdx.y];
  const int size = c.last - c.first + 1;
  const int64_t begin = (int64_t) blockIdx.y * width * width;
  for (int e = blockIdx.x * THREADS + threadIdx.x; e < size * size;
       e += COPY_BLOCKS * THREADS)
    {
      const int i = e % size, j = e / size;
      T *const here = s + c.first + i + (c.first + j) * n;
      if (! q)
        blocks[begin + e] = *here;
      else
        {
          *here = blocks[begin + e];
          transforms[(int64_t) blockIdx.y * GE_WINDOW_ORDER * GE_WINDOW_ORDER
                     + i + j * GE_WINDOW_ORDER]
              = q[begin + e];
        }
    }
}

/* The windows AT, with all columns behind and all rows above them.  */
static hop
hop_of (int n, int count, const ge_reorder_place *at)
{
  hop h = {};
  h.chains = count;
  for (int k = 0; k < count; k++)
    {
      chain_window *const w = &h.window[k];
      w->first = (int) at[k].first;
      w->last = w->first + at[k].width - 1;
      w->left = w->last + 1;
      w->right = n - 1;
      w->below = w->first - 1;
    }
  return h;
}

template <typename T>
static gpueig_status
fetch (void *data, int count, const ge_reorder_place *at)
{
  const page<T> *p = (const page<T> *) data;
  gpueig_context *ctx = p->ctx;
  GE_LAUNCH (copy_blocks<T>, dim3 (COPY_BLOCKS, count), THREADS, 0, p->n, p->s,
             hop_of (p->n, count, at), p->width, p->blocks, (const T *) NULL,
             (T *) NULL);
  return ge_fetch (ctx, (T *) p->host.blocks, p->blocks,
                   (int64_t) count * p->width * p->width);
}

/* Products with up to COLUMNS columns, or ROWS rows, given with the windows.  */
template <typename T>
static gpueig_status
multiply (const page<T> *p, T *a, const hop *at, int columns, int rows)
{
  return launch_products<T, SMALL_TILE> (p->ctx, p->n, a, at, p->width, 0,
                                         columns, rows, p->transforms,
                                         ge_cuda_of (p->ctx)->stream);
}

template <typename T>
static gpueig_status
apply (void *data, int count, const ge_reorder_place *at)
{
  const page<T> *p = (const page<T> *) data;
  gpueig_context *ctx = p->ctx;
  const int64_t elements = (int64_t) count * p->width * p->width;
  hop all = hop_of (p->n, count, at);
  GE_TRY (ge_put (ctx, p->blocks, (const T *) p->host.blocks, elements));
  GE_TRY (ge_put (ctx, p->q, (const T *) p->host.q, elements));
  GE_LAUNCH (copy_blocks<T>, dim3 (COPY_BLOCKS, count), THREADS, 0, p->n, p->s,
             all, p->width, p->blocks, p->q, p->transforms);
  GE_TRY (multiply (p, p->s, &all, p->n, 0));
  GE_TRY (multiply (p, p->s, &all, 0, p->n));
  for (int k = 0; k < count; k++)
    all.window[k].below = p->n - 1;
  return p->u ? multiply (p, p->u, &all, 0, p->n) : GPUEIG_OK;
}

/* Rows of windows whose products fit into shared memory.  */
template <typename T>
static int
rows_of_windows (gpueig_context *ctx)
{
  int rows = GE_WINDOW_ORDER;
  while (rows > 36
         && ! ge_shared_fits (ctx, product_bytes<T> (rows, SMALL_TILE)))
    rows -= 4;
  return rows;
}

template <typename T>
static gpueig_status
reorder_page (gpueig_context *ctx, const ge_schur_problem *problem,
              gpueig_info *info)
{
  const gpueig_schur_problem *g = &problem->schur;
  const ge_reorder_job *job = problem->job;
  const int64_t n = g->n, square = n * n;
  page<T> p = {};
  const int mark = ge_mark (ctx);
  p.ctx = ctx;
  p.n = (int) n;
  p.width = rows_of_windows<T> (ctx);
  const int64_t round = (int64_t) GE_REORDER_PLACES * p.width * p.width;
  GE_TRY ((allow_products<T, SMALL_TILE> (ctx, p.width)));
  p.s = (T *) g->s;
  p.u = (T *) g->u;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, round, &p.blocks, &p.q));
  GE_TRY (
      GE_ALLOC (ctx, GE_DEVICE,
                (int64_t) GE_REORDER_PLACES * GE_WINDOW_ORDER * GE_WINDOW_ORDER,
                &p.transforms));
  T *blocks, *q;
  GE_TRY (ge_alloc_each (ctx, GE_PINNED, round, &blocks, &q));
  p.host.data = &p;
  p.host.width = p.width;
  p.host.blocks = blocks;
  p.host.q = q;
  p.host.fetch = fetch<T>;
  p.host.apply = apply<T>;
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (ge_copy (ctx, p.s, (const T *) g->a, square));
  if (p.u)
    GE_TRY (ge_copy (ctx, p.u, (const T *) problem->from_u, square));
  GE_TRY (job->rounds (ctx, job, &p.host));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_reorder (gpueig_context *ctx, const ge_schur_problem *problem,
                 gpueig_info *info)
{
  const gpueig_schur_problem *g = &problem->schur;
  if (g->n > GE_MATRIX_ORDER)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "an order of %lld is more than %d", (long long) g->n,
                        (int) GE_MATRIX_ORDER);
  return GE_CUDA_BY_TYPE (g->type, reorder_page, (ctx, problem, info));
}
