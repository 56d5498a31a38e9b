/* The entries of a tridiagonal inverse on the GPU, each written once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of TDINV_TILE rows and up to COLUMNS columns.  A thread
   keeps the row factors of its rows in registers; the column factors are in
   shared memory.  Every store of a warp fills whole sectors of 32 bytes, for
   every n.  The kernels may begin before the generators are there, see
   one_cluster.cu.  */

#include "tdinv/numbers.cuh"
#include "base/cluster.cuh"

enum
{
  THREADS = 256,
  ROWS = TDINV_TILE / THREADS, /* per thread, THREADS apart */
  COLUMNS = 16 /* per block: few, so that the last wave of blocks is short */
};

/* --- generators that are being computed --- */

static __device__ __forceinline__ int32_t
load_relaxed (const int32_t *p)
{
  int32_t x;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];"
               : "=r"(x)
               : "l"(p)
               : "memory");
  return x;
}

/* All blocks of the kernel that computes them are resident, since this kernel has
   begun; so they come.  */
template <typename R>
static __device__ __forceinline__ void
wait_for_factors (const tdinv_factors<R> *f)
{
  if (! f->ready)
    return;
  if (threadIdx.x == 0)
    {
      while (load_relaxed (f->ready) < f->blocks)
        __nanosleep (40);
      __threadfence ();
    }
  __syncthreads ();
}

/* This kernel ends after that one: the last block waits for it.  */
template <typename R>
static __device__ __forceinline__ void
wait_for_norms (const tdinv_factors<R> *f)
{
  if (f->ready && blockIdx.x == gridDim.x - 1)
    wait_for_previous_kernel ();
}

/* --- full columns --- */

template <typename T> struct columns_of_block
{
  int64_t j[COLUMNS], above[COLUMNS];
  T v[COLUMNS], q[COLUMNS];
  int32_t ve[COLUMNS], qe[COLUMNS];
};

template <typename T> struct row_of_thread
{
  T u, p;
  int32_t ue, pe;
  int64_t below;
};

/* The largest reference exponent of the groups of rows FROM to TO
   (inclusive).  */
template <typename R>
static __device__ int64_t
top_of_rows (const tdinv_row_factor<R> *f, int64_t from, int64_t to)
{
  int64_t top = f->top[from / TDINV_GROUP];
  for (int64_t g = from / TDINV_GROUP + 1; g <= to / TDINV_GROUP; g++)
    top = f->top[g] > top ? f->top[g] : top;
  return top;
}

/* The row factors of row I with exponents relative to those of the block.  */
template <typename T, typename R>
static __device__ __forceinline__ void
load_row (const tdinv_factors<R> *f, int64_t i, int64_t u_top, int64_t p_top,
          row_of_thread<T> *r)
{
  tdinv_get (f->u.re, f->u.im, i, &r->u);
  tdinv_get (f->p.re, f->p.im, i, &r->p);
  r->ue = tdinv_limited (f->u.e[i] + f->u.top[i / TDINV_GROUP] - u_top);
  r->pe = tdinv_limited (f->p.e[i] + f->p.top[i / TDINV_GROUP] - p_top);
  r->below = f->below[i];
}

/* Entry (I, column K of the block).  WHERE: 1, all of the block's entries are
   on or above the diagonal; -1, all below it; 0, both occur.  */
template <int WHERE, typename T>
static __device__ __forceinline__ T
entry_at (const row_of_thread<T> *r, const columns_of_block<T> *s, int k,
          int64_t i)
{
  int64_t j = s->j[k];
  if (WHERE > 0 || (WHERE == 0 && i <= j))
    return i >= s->above[k] ? tdinv_product (r->u, s->v[k], r->ue + s->ve[k])
                            : make_number<T> (0, 0);
  return r->below <= j ? tdinv_product (r->p, s->q[k], r->pe + s->qe[k])
                       : make_number<T> (0, 0);
}

/* Write rows ROW + m THREADS of the columns FIRST, FIRST + STEP, ... of the
   block, whose first column is column BEGIN of the panel.  */
template <int WHERE, typename T>
static __device__ __forceinline__ void
write_rows (const tdinv_panel<T> *o, const row_of_thread<T> *r,
            const columns_of_block<T> *s, int64_t row, int64_t begin, int first,
            int step, int columns)
{
  int64_t at = row + o->n * (begin + first), stride = o->n * step;
  for (int k = first; k < columns; k += step, at += stride)
#pragma unroll
    for (int m = 0; m < ROWS; m++)
      if (row + m * THREADS >= 0 && row + m * THREADS < o->n)
        tdinv_put (o, at + m * THREADS,
                   entry_at<WHERE> (&r[m], s, k, row + m * THREADS));
}

/* Grid: tiles times strips of COLUMNS columns; blocks of THREADS threads.
   Unless n is a multiple of the number of elements of a 32-byte sector, columns
   begin in the middle of a sector, and a warp that writes parts of sectors runs
   at half the speed.  So the rows of a tile are shifted by column to begin at a
   sector boundary; columns with the same shift are STEP apart and are written
   together.  The two barriers order the initialisation, the filling and the
   reading of the shared column factors.  */
template <typename T>
static __global__ void
__launch_bounds__ (THREADS)
    write_columns (tdinv_factors<typename real_of<T>::type> f, tdinv_panel<T> o,
                   int64_t tiles, int step)
{
  __shared__ char memory[sizeof (columns_of_block<T>)]
      __attribute__ ((aligned (16)));
  __shared__ int somewhere[2];
  columns_of_block<T> *s = (columns_of_block<T> *) memory;
  int64_t tile = blockIdx.x % tiles, begin = blockIdx.x / tiles * COLUMNS;
  int64_t left = o.end - o.begin - begin;
  int columns = (int) (left < COLUMNS ? left : COLUMNS);
  int sector = o.x_re ? 32 / (int) sizeof (*o.x_re) : 32 / (int) sizeof (T);
  int64_t bottom = (tile + 1) * TDINV_TILE - 1, top = bottom - TDINV_TILE + 1;
  top = top > 0 ? top - (sector - 1) : 0;
  bottom = bottom < o.n ? bottom : o.n - 1;
  wait_for_factors (&f);
  int64_t u_top = top_of_rows (&f.u, top, bottom);
  int64_t p_top = top_of_rows (&f.p, top, bottom);

  if (threadIdx.x < 2)
    somewhere[threadIdx.x] = 0;
  __syncthreads ();
  if ((int) threadIdx.x < columns)
    {
      int k = threadIdx.x;
      int64_t at = o.begin + begin + k, j = o.columns ? o.columns[at] : at;
      s->j[k] = j;
      s->above[k] = f.above[j];
      tdinv_get (f.v.re, f.v.im, j, &s->v[k]);
      tdinv_get (f.q.re, f.q.im, j, &s->q[k]);
      s->ve[k] = tdinv_limited (f.v.e[j] + u_top - o.exponent);
      s->qe[k] = tdinv_limited (f.q.e[j] + p_top - o.exponent);
      if (top <= j)
        somewhere[0] = 1; /* there are entries on or above the diagonal */
      if (bottom > j)
        somewhere[1] = 1; /* there are entries below it */
    }
  __syncthreads ();
  for (int first = 0; first < step && first < columns; first++)
    {
      int64_t shift = o.n % sector * (begin + first) % sector;
      int64_t row = tile * TDINV_TILE + threadIdx.x - shift;
      row_of_thread<T> r[ROWS];
#pragma unroll
      for (int m = 0; m < ROWS; m++)
        if (row + m * THREADS >= 0 && row + m * THREADS < o.n)
          load_row (&f, row + m * THREADS, u_top, p_top, &r[m]);
      if (! somewhere[1])
        write_rows<1> (&o, r, s, row, begin, first, step, columns);
      else if (! somewhere[0])
        write_rows<-1> (&o, r, s, row, begin, first, step, columns);
      else
        write_rows<0> (&o, r, s, row, begin, first, step, columns);
    }
  wait_for_norms (&f);
}

/* --- bands --- */

/* The band of a panel, 2 o.band + 1 entries per column.  A grid-stride loop over
   the entries.  */
template <typename T>
static __global__ void
write_band (tdinv_factors<typename real_of<T>::type> f, tdinv_panel<T> o)
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
      tdinv_put (&o, at, x);
    }
  wait_for_norms (&f);
}

/* --- host --- */

/* A launch on the context's stream; the kernel may begin before the one that
   computes F has ended.  */
static cudaLaunchConfig_t
configure (gpueig_context *ctx, int64_t blocks, int overlaps,
           cudaLaunchAttribute *attribute)
{
  cudaLaunchConfig_t c = {};
  c.gridDim = dim3 ((unsigned) blocks);
  c.blockDim = dim3 (THREADS);
  c.stream = ge_cuda_of (ctx)->stream;
  c.attrs = attribute;
  c.numAttrs = overlaps;
  attribute->id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute->val.programmaticStreamSerializationAllowed = 1;
  return c;
}

template <typename T>
gpueig_status
tdinv_cuda_write (gpueig_context *ctx,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  const tdinv_panel<T> *o)
{
  const int overlaps = f->ready != NULL;
  cudaLaunchAttribute attribute;
  int64_t columns = o->end - o->begin;
  if (columns == 0)
    return GPUEIG_OK;
  if (o->band >= 0)
    {
      const cudaLaunchConfig_t c = configure (ctx, 4096, overlaps, &attribute);
      ge_cuda_note (ctx, "write_band<T>");
      CU (cudaLaunchKernelEx (&c, write_band<T>, *f, *o));
    }
  else
    {
      int sector = 32 / (int) (o->x_re ? sizeof (*o->x_re) : sizeof (T));
      int step = 1;
      while (o->n * step % sector != 0)
        step++;
      /* The shift can move up to one sector less one of rows into one more
         tile.  */
      int64_t tiles
          = (o->n + (step > 1 ? sector - 1 : 0) + TDINV_TILE - 1) / TDINV_TILE;
      int64_t strips = (columns + COLUMNS - 1) / COLUMNS;
      const cudaLaunchConfig_t c
          = configure (ctx, tiles * strips, overlaps, &attribute);
      ge_cuda_note (ctx, "write_columns<T>");
      CU (cudaLaunchKernelEx (&c, write_columns<T>, *f, *o, tiles, step));
    }
  LAUNCHED ();
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_write (                                    \
      gpueig_context *, const tdinv_factors<real_of<T>::type> *,               \
      const tdinv_panel<T> *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
