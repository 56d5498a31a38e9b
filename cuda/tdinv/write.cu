/* The entries of a tridiagonal inverse on the GPU, each written once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of TDINV_TILE rows and COLUMNS columns.  A thread keeps the row
   factors of its rows in registers; the column factors are in shared memory.  Every
   store of a warp fills whole sectors of 32 bytes, for every n.

   The kernels may begin before the generators are there, see one_cluster.cu.  Until
   then resident blocks fill their tiles with zeros, which remain where the exponents
   of the factors show that all entries underflow, as those of most tiles of a large
   diagonally dominant matrix do.  */

#include "tdinv/numbers.cuh"
#include "base/cluster.cuh"
#include "base/launch.cuh"

enum
{
  THREADS = 256,
  ROWS = TDINV_TILE / THREADS, /* per thread, THREADS apart */
  COLUMNS = 16, /* per block: few, so that the last wave of blocks is short */
  AT_ONCE = 4,  /* columns that are filled with zeros at once */
  SECTOR = 32,  /* bytes */
  MOST_LEAD = SECTOR / 4
};

/* --- generators that are being computed --- */

/* All blocks of the kernel that computes them are resident, since this kernel has
   begun; so they come.  */
template <typename R>
GE_DEVICE_INLINE int
are_ready (const tdinv_factors<R> *f)
{
  int32_t blocks;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
               : "=r"(blocks)
               : "l"(f->ready)
               : "memory");
  return blocks >= f->blocks;
}

template <typename R>
GE_DEVICE_INLINE void
wait_for_factors (const tdinv_factors<R> *f)
{
  if (f->ready)
    {
      if (threadIdx.x == 0)
        while (! are_ready (f))
          __nanosleep (40);
      __syncthreads ();
    }
}

/* This kernel ends after that one: the last block waits for it.  */
template <typename R>
GE_DEVICE_INLINE void
wait_for_norms (const tdinv_factors<R> *f)
{
  if (f->ready && blockIdx.x == gridDim.x - 1)
    wait_for_previous_kernel ();
}

/* --- entries --- */

/* X with zeros that are not negative: an entry is the same bits whether its tile is
   known to be zero or not.  */
template <typename T>
GE_DEVICE_INLINE T
positive_zero (T x)
{
  if constexpr (is_complex<T>::value)
    return { x.x + 0, x.y + 0 };
  else
    return x + 0;
}

/* --- full columns --- */

template <typename T> struct columns_of_block
{
  int64_t j[COLUMNS], above[COLUMNS];
  T v[COLUMNS], q[COLUMNS];
  int32_t ve[COLUMNS], qe[COLUMNS];
  /* Nonzero: there are entries on or above the diagonal; below it; maybe nonzero
     ones.  */
  int upper, lower, nonzero;
};

/* Row factors with exponents relative to those of the block: one in the registers of
   a thread, COUNT of them in shared memory.  */
template <typename T> struct row_of_thread
{
  T u, p;
  int32_t ue, pe;
  int64_t below;
};
template <typename T, int COUNT> struct rows_of_block
{
  T u[COUNT], p[COUNT];
  int64_t below[COUNT];
  int32_t ue[COUNT], pe[COUNT];
};

/* The tile of a block: COLUMNS columns of the panel from BEGIN on, and rows from TOP
   on.  U_TOP and P_TOP are the reference exponents.  Unless n is a multiple of
   PER_SECTOR, the number of elements of a sector, columns begin in the middle of one,
   and a warp that writes parts of sectors runs at half the speed.  So the rows of a
   tile are moved up, by column, to begin at a sector: by LEAD rows at most.  Columns
   that are STEP apart are moved by the same number.  Moving to whole lines of 128 bytes
   instead helps only where most tiles are zero.  */
typedef struct
{
  int64_t begin, top, u_top, p_top;
  int columns, per_sector, lead, step;
} tile_of_block;

/* The first row of the tile in its column K, maybe negative.  */
template <typename T>
GE_DEVICE_INLINE int64_t
first_row (const tdinv_panel<T> *o, const tile_of_block *b, int k)
{
  return b->top - (o->n * (b->begin + k) & (b->per_sector - 1));
}

/* Store element AT of a panel.  STREAMING: it need not stay in the cache, which is
   faster where whole lines are written, and slower for columns that begin within
   one.  */
template <typename T>
GE_DEVICE_INLINE void
put_streaming (const tdinv_panel<T> *o, int64_t at, T x)
{
  if constexpr (is_complex<T>::value)
    if (o->x_re)
      {
        __stcs (o->x_re + at, x.x);
        __stcs (o->x_im + at, x.y);
        return;
      }
  __stcs (o->x + at, x);
}
template <int STREAMING, typename T>
GE_DEVICE_INLINE void
put (const tdinv_panel<T> *o, int64_t at, T x)
{
  if (STREAMING)
    put_streaming (o, at, x);
  else
    tdinv_put (o, at, x);
}

/* Columns FROM to TO (exclusive) of the tile, zero.  */
template <int STREAMING, typename T>
GE_DEVICE_INLINE void
write_zeros (const tdinv_panel<T> *o, const tile_of_block *b, int from, int to)
{
#pragma unroll 1
  for (int k = from; k < to; k++)
    {
      const int64_t row = first_row (o, b, k) + threadIdx.x;
      const int64_t at = row + o->n * (b->begin + k);
#pragma unroll
      for (int m = 0; m < ROWS; m++)
        if (row + m * THREADS >= 0 && row + m * THREADS < o->n)
          put<STREAMING> (o, at + m * THREADS, make_number<T> (0, 0));
    }
}

/* Wait for the factors.  Meanwhile columns of the tile are filled with zeros; returns
   how many.  Where the other stores of aligned columns bypass the cache these do too, or
   they would occupy it.  */
template <int MOVED, typename T, typename R>
GE_DEVICE_INLINE int
fill_while_waiting (const tdinv_factors<R> *f, const tdinv_panel<T> *o,
                    const tile_of_block *b)
{
  int filled = 0, ready = f->ready == NULL;
  while (! ready && filled < b->columns)
    {
      ready = __syncthreads_or (threadIdx.x == 0 && are_ready (f));
      if (! ready)
        {
          const int to = min (filled + AT_ONCE, b->columns);
          write_zeros<MOVED == 1> (o, b, filled, to);
          filled = to;
        }
    }
  if (! ready)
    wait_for_factors (f);
  return filled;
}

/* The row factors of row I, of which WHERE needs those above the diagonal (1), below
   it (-1) or both (0).  */
template <int WHERE, typename T, typename R>
GE_DEVICE_INLINE void
load_row (const tdinv_factors<R> *f, const tile_of_block *b, int64_t i,
          row_of_thread<T> *r)
{
  if (WHERE >= 0)
    {
      tdinv_get (f->u.re, f->u.im, i, &r->u);
      r->ue = tdinv_limited (f->u.e[i] + f->u.top[i / TDINV_GROUP] - b->u_top);
    }
  if (WHERE <= 0)
    {
      tdinv_get (f->p.re, f->p.im, i, &r->p);
      r->pe = tdinv_limited (f->p.e[i] + f->p.top[i / TDINV_GROUP] - b->p_top);
      r->below = f->below[i];
    }
}

/* Row factors from and to shared memory.  */
template <int WHERE, typename T, int COUNT>
GE_DEVICE_INLINE void
get_row (const rows_of_block<T, COUNT> *all, int at, row_of_thread<T> *r)
{
  if (WHERE >= 0)
    {
      r->u = all->u[at];
      r->ue = all->ue[at];
    }
  if (WHERE <= 0)
    {
      r->p = all->p[at];
      r->pe = all->pe[at];
      r->below = all->below[at];
    }
}
template <int WHERE, typename T, int COUNT>
GE_DEVICE_INLINE void
keep_row (rows_of_block<T, COUNT> *all, int at, const row_of_thread<T> *r)
{
  if (WHERE >= 0)
    {
      all->u[at] = r->u;
      all->ue[at] = r->ue;
    }
  if (WHERE <= 0)
    {
      all->p[at] = r->p;
      all->pe[at] = r->pe;
      all->below[at] = r->below;
    }
}

/* Entry (I, column K of the tile).  WHERE: 1, all of the tile's entries are on or
   above the diagonal; -1, all below it; 0, both occur.  */
template <int WHERE, typename T>
GE_DEVICE_INLINE T
entry_at (const row_of_thread<T> *r, const columns_of_block<T> *s, int k,
          int64_t i)
{
  int64_t j = s->j[k];
  T x = make_number<T> (0, 0);
  if (WHERE > 0 || (WHERE == 0 && i <= j))
    {
      if (i >= s->above[k])
        x = tdinv_product (r->u, s->v[k], r->ue + s->ve[k]);
    }
  else if (r->below <= j)
    x = tdinv_product (r->p, s->q[k], r->pe + s->qe[k]);
  return positive_zero (x);
}

/* The entries of the tile.  A thread keeps the factors of its rows in registers.
   MOVED: STEP is not 1; the factors of all rows are in shared memory first.  */
template <int WHERE, int MOVED, typename T, typename R>
GE_DEVICE_INLINE void
write_entries (const tdinv_factors<R> *f, const tdinv_panel<T> *o,
               const tile_of_block *b, const columns_of_block<T> *s,
               rows_of_block<T, MOVED> *all)
{
  row_of_thread<T> r[ROWS];
  if (MOVED > 1)
    {
#pragma unroll
      for (int m = 0; m <= ROWS; m++)
        {
          const int at = threadIdx.x + m * THREADS;
          const int64_t i = b->top - b->lead + at;
          if (at < TDINV_TILE + b->lead && i >= 0 && i < o->n)
            {
              load_row<WHERE> (f, b, i, &r[0]);
              keep_row<WHERE> (all, at, &r[0]);
            }
        }
      __syncthreads ();
    }
#pragma unroll 1
  for (int first = 0; first < b->step && first < b->columns; first++)
    {
      const int64_t row = first_row (o, b, first) + threadIdx.x;
#pragma unroll
      for (int m = 0; m < ROWS; m++)
        {
          const int64_t i = row + m * THREADS;
          if (i >= 0 && i < o->n)
            {
              if (MOVED > 1)
                get_row<WHERE> (all, (int) (i - b->top) + b->lead, &r[m]);
              else
                load_row<WHERE> (f, b, i, &r[m]);
            }
        }
      int64_t at = row + o->n * (b->begin + first);
      const int64_t stride = o->n * b->step;
      for (int k = first; k < b->columns; k += b->step, at += stride)
#pragma unroll
        for (int m = 0; m < ROWS; m++)
          if (row + m * THREADS >= 0 && row + m * THREADS < o->n)
            put<MOVED == 1> (o, at + m * THREADS,
                             entry_at<WHERE> (&r[m], s, k, row + m * THREADS));
    }
}

/* The largest reference exponent of the groups of rows FROM to TO
   (inclusive).  */
template <typename R>
GE_DEVICE_INLINE int64_t
top_of_rows (const tdinv_row_factor<R> *f, int64_t from, int64_t to)
{
  int64_t top = f->top[from / TDINV_GROUP];
#pragma unroll 4
  for (int64_t g = from / TDINV_GROUP + 1; g <= to / TDINV_GROUP; g++)
    top = max (top, f->top[g]);
  return top;
}

/* The column factors of the tile, and what it has.  The barriers order the
   initialisation, the filling and the reading.  */
template <typename T, typename R>
GE_DEVICE_INLINE void
load_columns (const tdinv_factors<R> *f, const tdinv_panel<T> *o,
              tile_of_block *b, columns_of_block<T> *s)
{
  const int64_t first = max (b->top - b->lead, (int64_t) 0);
  const int64_t last = min (b->top + TDINV_TILE, o->n) - 1;
  const int k = threadIdx.x;
  b->u_top = top_of_rows (&f->u, first, last);
  b->p_top = top_of_rows (&f->p, first, last);
  if (k < b->columns)
    {
      const int64_t at = o->begin + b->begin + k;
      const int64_t j = o->columns ? o->columns[at] : at;
      s->j[k] = j;
      s->above[k] = f->above[j];
      tdinv_get (f->v.re, f->v.im, j, &s->v[k]);
      tdinv_get (f->q.re, f->q.im, j, &s->q[k]);
      s->ve[k] = tdinv_limited (f->v.e[j] + b->u_top - o->exponent);
      s->qe[k] = tdinv_limited (f->q.e[j] + b->p_top - o->exponent);
      if (first <= j)
        s->upper = 1;
      if (last > j)
        s->lower = 1;
      if ((first <= j && ! tdinv_is_zero (s->ve[k], R ()))
          || (last > j && ! tdinv_is_zero (s->qe[k], R ())))
        s->nonzero = 1;
    }
  __syncthreads ();
}

/* Grid: tiles times strips of COLUMNS columns; blocks of THREADS threads.  MOVED is 1
   if columns begin at sectors, otherwise the number of rows of a tile with those by which
   it is moved.  */
template <typename T, int MOVED>
GE_KERNEL (THREADS, is_complex<T>::value ? 4
                    : MOVED > 1          ? 5
                                         : 6)
write_columns (const __grid_constant__ tdinv_factors<ge_real<T>> f,
               const __grid_constant__ tdinv_panel<T> o, int64_t tiles,
               int lead, int step)
{
  __shared__ __align__ (16) char memory[sizeof (columns_of_block<T>)];
  __shared__ __align__ (16) char row_memory[sizeof (rows_of_block<T, MOVED>)];
  columns_of_block<T> *s = (columns_of_block<T> *) memory;
  rows_of_block<T, MOVED> *all = (rows_of_block<T, MOVED> *) row_memory;
  tile_of_block b;
  b.top = blockIdx.x % tiles * TDINV_TILE;
  b.begin = blockIdx.x / tiles * COLUMNS;
  b.columns = (int) min (o.end - o.begin - b.begin, (int64_t) COLUMNS);
  b.per_sector = SECTOR / (int) (o.x_re ? sizeof (ge_real<T>) : sizeof (T));
  b.lead = MOVED > 1 ? lead : 0;
  b.step = MOVED > 1 ? step : 1;
  if (threadIdx.x == 0)
    s->upper = s->lower = s->nonzero = 0;
  const int filled = fill_while_waiting<MOVED> (&f, &o, &b);
  __syncthreads ();
  load_columns (&f, &o, &b, s);
  if (! s->nonzero)
    write_zeros<MOVED == 1> (&o, &b, filled, b.columns);
  else if (! s->lower)
    write_entries<1, MOVED> (&f, &o, &b, s, all);
  else if (! s->upper)
    write_entries<-1, MOVED> (&f, &o, &b, s, all);
  else
    write_entries<0, MOVED> (&f, &o, &b, s, all);
  wait_for_norms (&f);
}

/* --- bands --- */

/* The band of a panel, 2 o.band + 1 entries per column.  A grid-stride loop over
   the entries.  */
template <typename T>
static __global__ void
write_band (tdinv_factors<ge_real<T>> f, tdinv_panel<T> o)
{
  int64_t height = 2 * o.band + 1, count = height * (o.end - o.begin);
  int64_t step = (int64_t) gridDim.x * blockDim.x;
  wait_for_factors (&f);
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t j = o.begin + at / height, i = j + at % height - o.band;
      T x = make_number<T> (0, 0), y;
      if (i >= 0 && i <= j && i >= f.above[j])
        {
          tdinv_get (f.u.re, f.u.im, i, &x);
          tdinv_get (f.v.re, f.v.im, j, &y);
          x = tdinv_product (x, y,
                             tdinv_limited (f.u.e[i] + f.u.top[i / TDINV_GROUP]
                                            + f.v.e[j] - o.exponent));
        }
      else if (i > j && i < o.n && f.below[i] <= j)
        {
          tdinv_get (f.p.re, f.p.im, i, &x);
          tdinv_get (f.q.re, f.q.im, j, &y);
          x = tdinv_product (x, y,
                             tdinv_limited (f.p.e[i] + f.p.top[i / TDINV_GROUP]
                                            + f.q.e[j] - o.exponent));
        }
      tdinv_put (&o, at, positive_zero (x));
    }
  wait_for_norms (&f);
}

/* --- host --- */

template <typename T>
gpueig_status
tdinv_cuda_write (gpueig_context *ctx, const tdinv_factors<ge_real<T>> *f,
                  const tdinv_panel<T> *o)
{
  /* The kernel may begin before the one that computes F has ended.  */
  const int overlaps = f->ready != NULL;
  const int64_t columns = o->end - o->begin;
  if (columns == 0)
    return GPUEIG_OK;
  if (o->band >= 0)
    return ge_launch_with (ctx, "write_band<T>", write_band<T>, 4096, THREADS,
                           0, 1, overlaps, *f, *o);
  const int per_sector
      = SECTOR / (int) (o->x_re ? sizeof (*o->x_re) : sizeof (T));
  int step = 1;
  while (o->n * step % per_sector != 0)
    step++;
  const int lead = step > 1 ? per_sector - 1 : 0;
  const int64_t tiles = (o->n + lead + TDINV_TILE - 1) / TDINV_TILE,
                strips = (columns + COLUMNS - 1) / COLUMNS;
  return ge_launch_with (
      ctx, "write_columns<T>",
      step > 1 ? write_columns<T, TDINV_TILE + MOST_LEAD> : write_columns<T, 1>,
      tiles * strips, THREADS, 0, 1, overlaps, *f, *o, tiles, lead, step);
}

GE_INSTANTIATE (tdinv_cuda_write)
