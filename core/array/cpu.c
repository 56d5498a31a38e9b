/* The CPU's operations on arrays: pieces for all threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"
#include "array/cpu.h"

#include <string.h>

/* Elements of a piece; fewer than SHARED_FROM are not worth waking other threads.  */
enum
{
  PIECE = 1 << 15,
  HUGE_FROM = 8 << 20 /* bytes */
};

static gpueig_status
copy_in (gpueig_context *ctx, void *to, const void *host, size_t bytes)
{
  (void) ctx;
  memcpy (to, host, bytes);
  return GPUEIG_OK;
}

static gpueig_status
copy_out (gpueig_context *ctx, void *host, const void *from, size_t bytes)
{
  if (bytes >= HUGE_FROM)
    ge_prepare_output (host, bytes);
  return copy_in (ctx, host, from, bytes);
}

static gpueig_status
no_wait (gpueig_context *ctx)
{
  (void) ctx;
  return GPUEIG_OK;
}

static int64_t
map_range (const ge_map *map, int64_t begin, int64_t end)
{
  return GE_BY_TYPE (map->type, ge_cpu_map, (map, begin, end));
}

static void
map_piece (void *data, int64_t i, int thread)
{
  const ge_map *map = data;
  const int64_t begin = i * PIECE, end = begin + PIECE;
  (void) thread;
  map_range (map, begin, end < map->count ? end : map->count);
}

static gpueig_status
map_all (gpueig_context *ctx, const ge_map *map)
{
  ge_share_pass (ctx, (map->count + PIECE - 1) / PIECE, (double) map->count,
                 map_piece, (void *) map);
  return GPUEIG_OK;
}

/* Piece by piece, since most searches end early or not at all.  */
static gpueig_status
find_first (gpueig_context *ctx, const ge_map *map, int64_t *first)
{
  (void) ctx;
  *first = -1;
  for (int64_t begin = 0; begin < map->count && *first < 0; begin += PIECE)
    *first = map_range (
        map, begin, begin + PIECE < map->count ? begin + PIECE : map->count);
  return GPUEIG_OK;
}

/* Outputs of a reduction, or columns of a scan, are shared out by pages, or by blocks of
   rows of one page; the order of a sum does not depend on the number of threads.  */
typedef struct
{
  int scan;
  const ge_reduction *r;
  int64_t blocks;
} row_job;

enum
{
  ROWS = 512
};

static void
row_piece (void *data, int64_t i, int thread)
{
  const row_job *job = data;
  const ge_reduction *r = job->r;
  const int64_t from = i % job->blocks * ROWS,
                to = from + ROWS < r->left ? from + ROWS : r->left,
                page = i / job->blocks;
  (void) thread;
  if (job->scan)
    GE_BY_TYPE (r->type, ge_cpu_scan, (r, page, from, to));
  else
    GE_BY_TYPE (r->type, ge_cpu_reduce, (r, page, from, to));
  if (! job->scan && r->at)
    GE_BY_TYPE (r->type, ge_cpu_locate, (r, page, from, to));
}

static gpueig_status
share_rows (gpueig_context *ctx, int scan, const ge_reduction *r)
{
  row_job job = { .scan = scan, .r = r, .blocks = (r->left + ROWS - 1) / ROWS };
  ge_share_pass (ctx, job.blocks * r->right,
                 (double) (r->left * r->n * r->right), row_piece, &job);
  return GPUEIG_OK;
}

static gpueig_status
reduce_all (gpueig_context *ctx, const ge_reduction *r)
{
  return share_rows (ctx, 0, r);
}

static gpueig_status
scan_all (gpueig_context *ctx, const ge_scan *s)
{
  return share_rows (ctx, 1, s);
}

static gpueig_status
select_all (gpueig_context *ctx, gpueig_type type, int64_t count, const void *x,
            double *list, int64_t *n)
{
  (void) ctx;
  *n = GE_BY_TYPE (type, ge_cpu_select, (x, count, list));
  return GPUEIG_OK;
}

static gpueig_status
pick (gpueig_context *ctx, gpueig_type type, int64_t count, const double *x,
      int64_t limit, const void *from, void *to, int *bad)
{
  (void) ctx;
  GE_BY_TYPE (type, ge_cpu_pick, (count, x, limit, from, to, bad));
  return GPUEIG_OK;
}

static void
add_piece (void *data, int64_t i, int thread)
{
  const ge_scaled_sum *s = data;
  const int64_t begin = i * PIECE,
                end = begin + PIECE < s->count ? begin + PIECE : s->count;
  (void) thread;
  if (s->minus_x)
    for (int64_t k = begin; k < end; k++)
      s->to[k] = s->factor * s->y[k] - s->x[k];
  else if (s->minus_y)
    for (int64_t k = begin; k < end; k++)
      s->to[k] = s->x[k] - s->factor * s->y[k];
  else
    for (int64_t k = begin; k < end; k++)
      s->to[k] = s->x[k] + s->factor * s->y[k];
}

static gpueig_status
add_scaled (gpueig_context *ctx, const ge_scaled_sum *s)
{
  ge_share_pass (ctx, (s->count + PIECE - 1) / PIECE, (double) s->count,
                 add_piece, (void *) s);
  return GPUEIG_OK;
}

static gpueig_status
cpu_multiply (gpueig_context *ctx, const ge_product *p)
{
  return GE_BY_TYPE (p->type, ge_cpu_multiply, (ctx, p));
}

static void
multiply_rows (void *data, int64_t i, int thread)
{
  const ge_sparse_product *p = data;
  const int64_t from = i * ROWS,
                to = from + ROWS < p->a.rows ? from + ROWS : p->a.rows;
  (void) thread;
  GE_BY_TYPE (p->type, ge_cpu_multiply_sparse, (p, from, to));
}

static gpueig_status
multiply_sparse (gpueig_context *ctx, const ge_sparse_product *p)
{
  ge_share_pass (ctx, (p->a.rows + ROWS - 1) / ROWS, (double) p->a.elements,
                 multiply_rows, (void *) p);
  return GPUEIG_OK;
}

static gpueig_status
combine_sparse (gpueig_context *ctx, ge_sparse_list *list)
{
  return GE_BY_TYPE (list->type, ge_cpu_combine_sparse, (ctx, list));
}

static gpueig_status
compress_sparse (gpueig_context *ctx, const ge_sparse_list *list, int wide,
                 void *starts, void *indices, int64_t *longest)
{
  int64_t e = 0;
  (void) ctx;
  *longest = 0;
  for (int64_t i = 0; i < list->rows; i++)
    {
      const int64_t first = e, base = i * list->columns;
      ge_sparse_set (starts, wide, i, e);
      for (; e < list->elements && list->keys[e] < base + list->columns; e++)
        ge_sparse_set (indices, wide, e, list->keys[e] - base);
      *longest = e - first > *longest ? e - first : *longest;
    }
  ge_sparse_set (starts, wide, list->rows, e);
  return GPUEIG_OK;
}

static gpueig_status
cpu_factor (gpueig_context *ctx, const ge_factors *f, int64_t *at)
{
  return GE_BY_TYPE (f->type, ge_cpu_factor, (ctx, f, at));
}

static gpueig_status
cpu_solve (gpueig_context *ctx, const ge_factors *f, char trans, int64_t count,
           void *b)
{
  return GE_BY_TYPE (f->type, ge_cpu_solve, (ctx, f, trans, count, b));
}

static gpueig_status
svd (gpueig_context *ctx, gpueig_type type, int64_t m, int64_t n, void *a,
     void *s, void *u, void *vt)
{
  return GE_BY_TYPE (type, ge_cpu_svd, (ctx, m, n, a, s, u, vt));
}

static gpueig_status
cpu_root (gpueig_context *ctx, gpueig_type type, int64_t n, void *t)
{
  (void) ctx;
  GE_BY_TYPE (type, ge_cpu_root, (n, t));
  return GPUEIG_OK;
}

const ge_array_ops ge_cpu_array_ops = { .upload = copy_in,
                                        .download = copy_out,
                                        .wait = no_wait,
                                        .map = map_all,
                                        .find = find_first,
                                        .reduce = reduce_all,
                                        .scan = scan_all,
                                        .sort = ge_cpu_sort,
                                        .select = select_all,
                                        .pick = pick,
                                        .add_scaled = add_scaled,
                                        .multiply = cpu_multiply,
                                        .multiply_sparse = multiply_sparse,
                                        .combine_sparse = combine_sparse,
                                        .compress_sparse = compress_sparse,
                                        .factor = cpu_factor,
                                        .solve = cpu_solve,
                                        .svd = svd,
                                        .root = cpu_root };
