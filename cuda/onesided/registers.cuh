/* One-sided Jacobi with every page in the registers of one multiprocessor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The columns of A + shift are rotated.  A group of L lanes holds two columns x
   and y, lane l the rows l, l + L, ...  Groups are in a line; columns follow
   the odd-even transposition ordering: positions 2 g and 2 g + 1 are paired in group g
   and exchanged, then 2 g + 1 and 2 g + 2 are paired, and so on; after as many
   rounds as columns every pair has been formed once.  So only one column of a group
   is moved at a time, y to the left neighbour or x to the right one, by shuffles
   where a warp holds whole pages, else through one of two buffers in shared
   memory with one barrier a round.  The squared lengths travel with their
   columns and are computed anew in every sweep.  Sums are taken in a fixed
   order: the same page gives the same bits at any position of the stack.

   SPAN is what a page is spread over: WARP, part of a warp; 1, a block; 2 or more,
   a cluster of that many blocks, whose buffers are distributed shared memory
   (compute capability 9).  */

#ifndef GE_ONESIDED_REGISTERS_CUH
#define GE_ONESIDED_REGISTERS_CUH 1

#include "onesided/tile.cuh"

#include "base/launch.cuh"

#include <string.h>

#define FROZEN 2 /* no cosine is larger */

/* --- a round --- */

template <typename R> struct sweep_state
{
  R tol;              /* FROZEN for a page that has converged */
  float cosine, sine; /* squares, the largest this thread saw */
};

/* Make x and y orthogonal; LONGER: where the longer one goes, +1 x, -1 y.  A and
   B are their squared lengths.  */
template <typename T, int L, int R>
GE_DEVICE_INLINE void
orthogonalize_pair (column<T, R> *x, column<T, R> *y, ge_real<T> *a,
                    ge_real<T> *b, int longer, sweep_state<ge_real<T>> *state)
{
  typedef ge_real<T> real;
  real re, im, d, square, t, h, s, wr = 1, wi = 0;
  int exchange;
  inner_product<T, R> (x, y, &re, &im);
  re = group_sum<L> (re);
  if (is_complex<T>::value)
    im = group_sum<L> (im);
  square = is_complex<T>::value ? fma_ (re, re, im * im) : re * re;
  real product = *a * *b;
  if (! (square > state->tol * state->tol * product))
    return;
  d = re;
  if (is_complex<T>::value)
    {
      d = sqrt_ (square);
      wr = re / d;
      wi = -im / d;
    }
  float cosine = (float) square * __frcp_rn ((float) product);
  ge_onesided_half_angle (*a, *b, d, (real) cosine, longer, &t, &h, &s,
                          &exchange);
  real na = fma_ (-t, d, *a), nb = fma_ (t, d, *b);
  *a = exchange ? nb : na;
  *b = exchange ? na : nb;
  state->cosine = fmaxf (state->cosine, cosine);
  state->sine = fmaxf (state->sine, exchange ? 1.0f : (float) (s * s));
  apply_rotation<T, R> (x, y, h, s, wr, wi);
}

/* Shift column x with its squared length to another group of the page, BY
   threads further; BUFFER is this direction's own.  */
template <typename T, int R, int SPAN>
GE_DEVICE_INLINE void
shift_column (const thread_position *p, int by, column<T, R> *x, ge_real<T> *a,
              ge_real<T> *buffer)
{
  int from = p->local - by;
  from += from < 0 ? p->threads : from >= p->threads ? -p->threads : 0;
  if constexpr (SPAN == WARP)
    {
      int lane = (p->first + from) & 31;
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          x->re[r] = this_warp ().shfl (x->re[r], lane);
          if (is_complex<T>::value)
            x->im[r] = this_warp ().shfl (x->im[r], lane);
        }
      *a = this_warp ().shfl (*a, lane);
    }
  else
    {
      const int C = 1 + is_complex<T>::value, stride = p->share;
      if (p->active)
        {
          const int to = threadIdx.x;
#pragma unroll
          for (int r = 0; r < R; r++)
            {
              buffer[C * r * stride + to] = x->re[r];
              if (is_complex<T>::value)
                buffer[(C * r + 1) * stride + to] = x->im[r];
            }
          buffer[C * R * stride + to] = *a;
        }
      page_barrier<SPAN> ();
      if (p->active)
        {
          const ge_real<T> *there = buffer;
          if (SPAN > 1)
            {
              int rank = from / stride;
              from -= rank * stride;
              if (rank != p->rank)
                there = memory_of<SPAN> (buffer, rank);
            }
#pragma unroll
          for (int r = 0; r < R; r++)
            {
              x->re[r] = there[C * r * stride + from];
              if (is_complex<T>::value)
                x->im[r] = there[(C * r + 1) * stride + from];
            }
          *a = there[C * R * stride + from];
        }
    }
}

template <typename T, int R>
GE_DEVICE_INLINE void
exchange_columns (column<T, R> *x, column<T, R> *y, ge_real<T> *a,
                  ge_real<T> *b)
{
  column<T, R> z = *x;
  ge_real<T> c = *a;
  *x = *y;
  *y = z;
  *a = *b;
  *b = c;
}

/* --- a page --- */

/* Scale the page to elements below 1 and add the shift.  */
template <typename T, int L, int R, int SPAN>
GE_DEVICE_INLINE onesided_scaling<ge_real<T>>
prepare (const thread_position *p, int n, column<T, R> *x, column<T, R> *y,
         ge_real<T> *scratch)
{
  typedef ge_real<T> real;
  onesided_scaling<real> scaling;
  real largest = 0, dx = 0, dy = 0, sx = 0, sy = 0;
  int jx = 2 * p->group, jy = jx + 1;
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      largest = fmax_ (largest, fmax_ (fabs_ (x->re[r]), fabs_ (y->re[r])));
      if (is_complex<T>::value)
        largest = fmax_ (largest, fmax_ (fabs_ (x->im[r]), fabs_ (y->im[r])));
    }
  largest = page_max<L, SPAN> (p, group_max<L> (largest), scratch);
  scaling.exponent = exponent_of (largest);
  int half = -scaling.exponent / 2, rest = -scaling.exponent - half;
  real f = scale_by ((real) 1, half), g = scale_by ((real) 1, rest);
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      int i = r * L + p->lane;
      x->re[r] = x->re[r] * f * g;
      y->re[r] = y->re[r] * f * g;
      sx += fabs_ (x->re[r]);
      sy += fabs_ (y->re[r]);
      if (is_complex<T>::value)
        {
          x->im[r] = x->im[r] * f * g;
          y->im[r] = y->im[r] * f * g;
          sx += fabs_ (x->im[r]);
          sy += fabs_ (y->im[r]);
        }
      dx = i == jx ? x->re[r] : dx;
      dy = i == jy ? y->re[r] : dy;
    }
  sx = group_sum<L> (sx);
  sy = group_sum<L> (sy);
  dx = group_sum<L> (dx);
  dy = group_sum<L> (dy);
  /* Upper bounds of -lambda and of the norm; columns beyond n do not count.  */
  real upper = p->active && jx < n ? sx - fabs_ (dx) - dx : -2 * (real) n;
  if (p->active && jy < n)
    upper = fmax_ (upper, sy - fabs_ (dy) - dy);
  upper = page_max<L, SPAN> (p, upper, scratch);
  real norm = page_max<L, SPAN> (p, p->active ? fmax_ (sx, sy) : 0, scratch);
  scaling.shift = ge_onesided_shift (-upper, norm);
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      int i = r * L + p->lane;
      if (p->active && i == jx && jx < n)
        x->re[r] += scaling.shift;
      if (p->active && i == jy && jy < n)
        y->re[r] += scaling.shift;
    }
  return scaling;
}

/* All pairs once.  */
template <typename T, int L, int R, int SPAN>
GE_DEVICE_INLINE void
sweep_page (const thread_position *p, column<T, R> *x, column<T, R> *y,
            sweep_state<ge_real<T>> *state, int longer, ge_real<T> *buffer,
            int buffer_size)
{
  typedef ge_real<T> real;
  real a = group_sum<L> (squared_length<T, R> (x));
  real b = group_sum<L> (squared_length<T, R> (y));
  int last = p->group == p->groups - 1;
  state->cosine = state->sine = 0;
  for (int round = 0; round < p->groups; round++)
    {
      orthogonalize_pair<T, L, R> (x, y, &a, &b, longer, state);
      shift_column<T, R, SPAN> (p, -L, y, &b, buffer);
      /* The ends of the line have no partner.  A warp's groups take part
         in the sums of the others whatever they do with them.  */
      sweep_state<real> idle = { (real) FROZEN, 0, 0 };
      if (L == 1)
        {
          if (! last)
            orthogonalize_pair<T, L, R> (x, y, &a, &b, longer, state);
        }
      else
        orthogonalize_pair<T, L, R> (x, y, &a, &b, longer,
                                     last ? &idle : state);
      if (last)
        exchange_columns<T, R> (x, y, &a, &b);
      shift_column<T, R, SPAN> (p, L, x, &a, buffer + buffer_size);
    }
}

/* Eigenpairs from orthogonal columns; SIGMA holds the lengths of a page's
   columns in shared memory.  Every sweep reverses the order of the columns; FLIP
   undoes it where a page waited an odd number of sweeps for its neighbours, so
   that equal lengths keep one order.  */
template <typename T, int L, int R, int SPAN>
GE_DEVICE_INLINE void
store_page (const thread_position *p, const onesided_stack<T> *s, int64_t page,
            int present, const column<T, R> *x, const column<T, R> *y,
            onesided_scaling<ge_real<T>> scaling, int flip, ge_real<T> *sigma)
{
  typedef ge_real<T> real;
  int n = s->n, columns = 2 * p->groups, missing = columns - n;
  real square[2], length[2];
  square[0] = group_sum<L> (squared_length<T, R> (x));
  square[1] = group_sum<L> (squared_length<T, R> (y));
  page_barrier<SPAN> ();
  for (int k = 0; k < 2; k++)
    {
      length[k] = sqrt_ (square[k]);
      for (int b = 0; b < (SPAN > 1 ? SPAN : 1); b++)
        if (p->active && p->lane == 0)
          memory_of<SPAN> (sigma, b)[2 * p->group + k] = length[k];
    }
  page_barrier<SPAN> ();
  for (int k = 0; k < 2; k++)
    {
      int me = 2 * p->group + k, rank = 0;
      real mine = length[k];
      for (int j = p->lane; p->active && j < columns; j += L)
        rank += sigma[j] < mine
                || (sigma[j] == mine && (flip ? j > me : j < me));
      rank = group_sum<L> (rank);
      /* A column that only fills up an odd order is zero: the shortest.  */
      int to = rank - missing;
      if (! (p->active && present) || to < 0)
        continue;
      real value = (s->square ? mine * mine : mine) - scaling.shift;
      real inverse = 1 / mine;
      if (p->lane == 0)
        s->lambda[page * n + to] = scale_by (value, scaling.exponent);
      if (! s->v)
        continue;
      T *v = s->v + page * n * n + (int64_t) to * n;
      const column<T, R> *z = k == 0 ? x : y;
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          int i = r * L + p->lane;
          if (i < n)
            set_number (&v[i], z->re[r] * inverse,
                        is_complex<T>::value ? z->im[r] * inverse : 0);
        }
    }
}

/* The largest cosine and sine of the sweep; MARKS: two integers in the shared
   memory of a page's first block, zero before and after.  */
template <int L, int SPAN, typename R>
GE_DEVICE_INLINE void
sweep_maxima (const thread_position *p, sweep_state<R> *state, int *marks)
{
  if constexpr (SPAN == WARP)
    {
      state->cosine = page_max<L, SPAN> (p, state->cosine, (float *) 0);
      state->sine = page_max<L, SPAN> (p, state->sine, (float *) 0);
    }
  else
    {
      /* Floats that are not negative compare as their bits.  */
      int *there = memory_of<SPAN> (marks, 0);
      int cosine = tile_max<32> (__float_as_int (state->cosine));
      int sine = tile_max<32> (__float_as_int (state->sine));
      if ((threadIdx.x & 31) == 0)
        {
          atomicMax (&there[0], cosine);
          atomicMax (&there[1], sine);
        }
      page_barrier<SPAN> ();
      state->cosine = __int_as_float (there[0]);
      state->sine = __int_as_float (there[1]);
      page_barrier<SPAN> ();
      if (p->rank == 0 && threadIdx.x == 0)
        marks[0] = marks[1] = 0;
      page_barrier<SPAN> ();
    }
}

/* Reals of shared memory: two buffers, lengths, scratch for maxima.  */
template <typename T, int R>
static __host__ __device__ __forceinline__ int
buffer_reals (int threads)
{
  return (R * (1 + is_complex<T>::value) + 1) * threads;
}

/* The place of this thread where a page has P->THREADS of a warp.  Returns the page; *AT: its
   number in the block.  */
template <int L>
GE_DEVICE_INLINE int64_t
place_in_warp (thread_position *p, int *at)
{
  int lane = threadIdx.x & 31, fit = 32 / p->threads;
  p->share = p->threads;
  p->slot = lane / p->threads;
  p->active = p->slot < fit;
  if (! p->active) /* the rest of a warp does as if it were the last page */
    p->slot = fit - 1;
  p->first = p->slot * p->threads;
  p->local = p->active ? lane - p->first : lane & (L - 1);
  int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  *at = warp * fit + p->slot;
  return ((int64_t) blockIdx.x * warps + warp) * fit + p->slot;
}

/* The place of this thread where a page has SPAN blocks.  */
template <int L, int SPAN>
GE_DEVICE_INLINE int64_t
place_in_blocks (thread_position *p)
{
  p->share = (p->groups + SPAN - 1) / SPAN * L;
  p->rank = SPAN > 1 ? blockIdx.x % SPAN : 0;
  p->local = p->rank * p->share + threadIdx.x;
  p->active = threadIdx.x < p->share && p->local < p->threads;
  if (! p->active)
    p->local = threadIdx.x & (L - 1);
  return blockIdx.x / SPAN;
}

template <typename T, int L, int R, int SPAN, int THREADS, int MIN>
GE_KERNEL (THREADS, MIN)
rotate_pages (const onesided_stack<T> s)
{
  typedef ge_real<T> real;
  extern __shared__ double shared[];
  real *memory = (real *) shared;
  thread_position p;
  int64_t page;
  p.groups = (s.n + 1) / 2;
  p.threads = p.groups * L;
  real *sigma, *buffer = NULL, *scratch = NULL;
  int *marks = NULL, size = 0;
  p.slot = p.first = p.rank = 0;
  if constexpr (SPAN == WARP)
    {
      int at;
      page = place_in_warp<L> (&p, &at);
      sigma = memory + at * 2 * p.groups;
    }
  else
    {
      page = place_in_blocks<L, SPAN> (&p);
      size = buffer_reals<T, R> (p.share);
      buffer = memory;
      sigma = buffer + 2 * size;
      scratch = sigma + 2 * p.groups;
      marks = (int *) (scratch + 32);
      if (threadIdx.x == 0)
        marks[0] = marks[1] = 0;
      page_barrier<SPAN> ();
    }
  p.lane = p.local & (L - 1);
  p.group = p.local / L;

  int present = page < s.pages, n = s.n;
  column<T, R> x, y;
  onesided_scaling<real> scaling;
  const T *from = (s.f ? s.f : s.a) + (present ? page : 0) * n * n;
  int own = present && p.active;
  load_column<T, L, R> (from, n, 2 * p.group, p.lane, own && 2 * p.group < n,
                        &x);
  load_column<T, L, R> (from, n, 2 * p.group + 1, p.lane,
                        own && 2 * p.group + 1 < n, &y);
  if (s.f)
    scaling = s.scaling[present ? page : 0];
  else
    scaling = prepare<T, L, R, SPAN> (&p, n, &x, &y, scratch);

  sweep_state<real> state = { present ? s.tol : (real) FROZEN, 0, 0 };
  int sweeps = 0, mine = 0, done = ! present;
  float worst = 0, tol = (float) s.tol;
  while (sweeps < s.max_sweeps)
    {
      sweep_page<T, L, R, SPAN> (&p, &x, &y, &state, sweeps & 1 ? -1 : 1,
                                 buffer, size);
      sweep_maxima<L, SPAN> (&p, &state, marks);
      sweeps++;
      if (! done)
        {
          float cosine = sqrtf (state.cosine), sine = sqrtf (state.sine);
          mine = sweeps;
          worst = cosine;
          done = cosine <= tol || 2 * (float) n * sine * cosine <= tol;
          if (done)
            state.tol = FROZEN;
        }
      if (SPAN == WARP ? this_warp ().all (done) : done)
        break;
    }
  store_page<T, L, R, SPAN> (&p, &s, page, present, &x, &y, scaling,
                             (sweeps - mine) & 1, sigma);
  if (p.active && present && p.local == 0)
    {
      atomicMax (&s.counts->sweeps, mine);
      atomicMax (&s.counts->worst, __float_as_int (worst));
      if (! done)
        atomicAdd (&s.counts->unconverged, 1);
    }
  /* No block may exit while another may read its shared memory.  */
  if (SPAN > 1)
    page_barrier<SPAN> ();
}

/* --- launch --- */

/* Bytes of shared memory of a block that has 1 / SPAN of a page of order N, or,
   in a WARP, FIT pages for each of its WARPS warps.  */
template <typename T, int L, int R, int SPAN>
static size_t
shared_bytes (int n, int warps)
{
  typedef ge_real<T> real;
  const int groups = (n + 1) / 2;
  if (SPAN == WARP)
    return (size_t) (32 / (groups * L) * warps * 2 * groups) * sizeof (real);
  const int share = (groups + SPAN - 1) / (SPAN > 0 ? SPAN : 1) * L;
  return (size_t) (2 * buffer_reals<T, R> (share) + 2 * groups + 32)
             * sizeof (real)
         + 2 * sizeof (int);
}

/* Nonzero if this tile can be used for order N on this GPU.  */
template <typename T, int L, int R, int SPAN>
static int
tile_serves (gpueig_context *ctx, int n)
{
  if (n > L * R || (SPAN == WARP && (n + 1) / 2 * L > 32))
    return 0;
  return SPAN == WARP
         || ((SPAN == 1 || ge_cuda_of (ctx)->clusters)
             && ge_shared_fits (ctx, shared_bytes<T, L, R, SPAN> (n, 0)));
}

template <typename T, int L, int R, int SPAN, int THREADS, int MIN>
static gpueig_status
launch_pages (gpueig_context *ctx, const onesided_stack<T> *s)
{
  void (*kernel) (onesided_stack<T>)
      = rotate_pages<T, L, R, SPAN, THREADS, MIN>;
  const int home = SPAN == WARP ? 1 : SPAN;
  int groups = (s->n + 1) / 2, block;
  int64_t blocks;
  if (SPAN == WARP)
    {
      int fit = 32 / (groups * L);
      block = THREADS;
      blocks = (s->pages + fit * (block / 32) - 1) / (fit * (block / 32));
    }
  else
    {
      block = ((groups + home - 1) / home * L + 31) / 32 * 32;
      blocks = s->pages * home;
    }
  const size_t shared = shared_bytes<T, L, R, SPAN> (s->n, block / 32);
  GE_ALLOW_SHARED (kernel, shared);
  /* A grid has at most 2^31 - 1 blocks in x.  */
  GE_TRY (ge_one_launch (ctx, blocks, s->pages));
  return ge_launch_with (ctx, "rotate_pages", kernel, blocks, block, shared,
                         home, 0, *s);
}

/* --- which tile serves an order ---

   In a function of CTX, N and S: the first tile that serves order N takes S; with
   S = NULL it is only asked whether there is one.  MIN blocks at least share a
   multiprocessor.  */

#define TILE(L, R, SPAN, THREADS, MIN)                                         \
  if (tile_serves<T, L, R, SPAN> (ctx, n))                                     \
  return s ? launch_pages<T, L, R, SPAN, THREADS, MIN> (ctx, s) : GPUEIG_OK
#define WARPS(L, R, MIN) TILE (L, R, WARP, 128, MIN)
#define BLOCKS(L, R, SPAN, MIN) TILE (L, R, SPAN, THREADS_OF (L, R, SPAN), MIN)
#define THREADS_OF(L, R, SPAN)                                                 \
  ((((L) * (R) / 2 + (SPAN) -1) / (SPAN) * (L) + 31) / 32 * 32)

/* A status without a message: the caller then uses another method.  */
#define NO_TILE GPUEIG_OUT_OF_MEMORY

#define REGISTERS(T)                                                           \
  template <> int onesided_in_registers<T> (gpueig_context * ctx, int64_t n)   \
  {                                                                            \
    return n <= 256                                                            \
           && choose_tile (ctx, (int) n, (const onesided_stack<T> *) NULL)     \
                  == GPUEIG_OK;                                                \
  }                                                                            \
  template <>                                                                  \
  gpueig_status onesided_registers<T> (gpueig_context * ctx,                   \
                                       const onesided_stack<T> *s)             \
  {                                                                            \
    return choose_tile (ctx, s->n, s);                                         \
  }

#endif
