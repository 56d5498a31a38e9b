/* QR factorisation of a tall panel in one cooperative launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The M rows of the panel are distributed over the blocks in equal contiguous
   runs.  A warp has columns warp, warp + 16, ... of its block's rows in
   registers, a lane the rows lane, lane + 32, ... Column j is reduced by H = I
   - tau v v' (householder.cuh) with one exchange: with x =
   column j below row j, every block sends its part of P' x for all columns of
   the panel P, and the owner of row j sends that row.  From the sums every warp
   computes tau, the scale of v, and the update of its columns,

     P <- H' P = P - conj (tau) v (v' P),   v' P = P (j, :) + conj (scale) x' P,

   redundantly and in the same order, therefore with the same bits.  For the
   columns left of j the sums give V' v, from which the triangular factor of the
   block reflector is computed.

   Exchange: messages (exchange.cuh) through device memory.  Two alternating buffers
   are enough because every block sends in every step and receives from all.  */

#ifndef GE_TRIDIAGONAL_PANEL_CUH
#define GE_TRIDIAGONAL_PANEL_CUH 1

#include "tridiagonal/householder.cuh"
#include "base/exchange.cuh"

template <typename T> struct panel
{
  int64_t m, lda; /* rows, leading dimension */
  int rows;       /* rows per block */
  T *p; /* m-by-GE_BAND; becomes V: unit lower trapezoidal, zeros above */
  T *copies[2]; /* two more copies of V */
  /* R, upper triangular: (i, j) is number i + LD_R j, step 0.  */
  packet_planes<T> r;
  int64_t ld_r;
  T *tau;  /* GE_BAND */
  T *gram; /* GE_BAND-by-GE_BAND, strictly upper: V' V */
  /* Two buffers of (blocks + 1) * GE_BAND packets, the last GE_BAND for row j.  They are
     cleared before the first panel; later panels use larger step numbers, BASE
     + 1 to BASE + GE_BAND.  */
  packet<T> *messages;
  unsigned base;
  const unsigned *done; /* 1: there is nothing to do; or NULL */
};

enum
{
  PANEL_WARPS = 16,
  PANEL_THREADS = PANEL_WARPS * 32
};

/* Rows of a lane, so that a thread's part of the panel fits into its registers; a block has
   at most 32 times as many.  */
template <typename T>
static constexpr int
panel_rows (void)
{
  return (int) (1024 / (GE_BAND * sizeof (T) / 4)) < 16
             ? (int) (1024 / (GE_BAND * sizeof (T) / 4))
             : 16;
}

template <typename T>
static constexpr size_t
panel_shared_bytes (void)
{
  return (2 * (size_t) panel_rows<T> () * 32 + 2 * GE_BAND) * sizeof (T);
}

/* State of a thread.  */
template <typename T> struct panel_state
{
  enum
  {
    COLUMNS = GE_BAND / PANEL_WARPS,
    ROWS = panel_rows<T> ()
  };
  panel<T> p;
  T *x;         /* two columns of the block */
  T *own, *row; /* sent by the block: its sums, and row j */
  int blocks, block, lane, wid;
  int64_t first;
  T a[COLUMNS][ROWS]; /* column wid + 16 q, row first + lane + 32 h */
  int unit[COLUMNS];  /* nonzero if the column's tau is not zero */
};

/* Column j in shared memory, from the lane's first row on.  */
template <typename T>
GE_DEVICE_INLINE T *
column_of_step (const panel_state<T> &s, int j)
{
  return s.x + (j & 1) * panel_state<T>::ROWS * 32 + s.lane;
}

/* Send the GE_BAND numbers at FROM as part G of step J.  */
template <typename T>
GE_DEVICE_INLINE void
send_part (const panel_state<T> &s, int j, int g, const T *from)
{
  const int at = ((j & 1) * (s.blocks + 1) + g) * GE_BAND;
  if (threadIdx.x < GE_BAND)
    send_number (s.p.messages + at + threadIdx.x, from[threadIdx.x],
                 s.p.base + (unsigned) j + 1);
}

/* Compute and send this block's sums, and row j if the block owns it.  The
   barrier is between the warps' sums and sending.  */
template <typename T>
GE_DEVICE_INLINE void
send_sums (const panel_state<T> &s, const ge_warp &warp, int j)
{
  const T *x = column_of_step (s, j);
  const int64_t local = j - s.first;
  T sum[4] = { zero<T> (), zero<T> (), zero<T> (), zero<T> () };
#pragma unroll
  for (int h = 0; h < panel_state<T>::ROWS; h++)
    if (s.lane + 32 * h > local)
      {
        const T xi = x[32 * h];
#pragma unroll
        for (int q = 0; q < panel_state<T>::COLUMNS; q++)
          sum[q] = conj_mul_add (s.a[q][h], xi, sum[q]);
      }
    else if (s.lane + 32 * h == local)
#pragma unroll
      for (int q = 0; q < panel_state<T>::COLUMNS; q++)
        s.row[s.wid + PANEL_WARPS * q] = s.a[q][h];
  const T total = warp_sum_of_four (warp, sum);
  const int q = s.lane / 8;
  if ((s.lane & 7) == 0 && q < panel_state<T>::COLUMNS)
    s.own[s.wid + PANEL_WARPS * q] = total;
  __syncthreads ();
  send_part (s, j, s.block, s.own);
  if (local >= 0 && local < s.p.rows)
    send_part (s, j, s.blocks, s.row);
}

/* Receive the sums over all blocks for columns C, and row j there.  Fixed order
   of summation in all warps.  */
template <typename T, int COUNT>
GE_DEVICE_INLINE void
receive_sums (const panel_state<T> &s, const ge_warp &warp, int j,
              const int (&c)[COUNT], T (&sum)[COUNT], T (&row)[COUNT])
{
  const int buffer = (j & 1) * (s.blocks + 1) * GE_BAND;
  const unsigned step = s.p.base + (unsigned) j + 1;
#pragma unroll
  for (int q = 0; q < COUNT; q++)
    sum[q] = zero<T> ();
  for (int g = s.lane; g < s.blocks; g += 32)
    {
      packet<T> seen[COUNT];
#pragma unroll
      for (int q = 0; q < COUNT; q++)
        seen[q] = look_up_packet (s.p.messages + buffer + g * GE_BAND + c[q]);
#pragma unroll
      for (int q = 0; q < COUNT; q++)
        sum[q] = plus (
            sum[q], receive_number (s.p.messages + buffer + g * GE_BAND + c[q],
                                    seen[q], step));
    }
#pragma unroll
  for (int q = 0; q < COUNT; q++)
    {
      sum[q] = warp_sum (warp, sum[q]);
      const packet<T> *from = s.p.messages + buffer + s.blocks * GE_BAND + c[q];
      row[q] = receive_number (from, look_up_packet (from), step);
    }
}

/* Reduce column J by its reflector and apply H' to the columns right of it.  */
template <typename T>
GE_DEVICE_INLINE void
reduce_column (panel_state<T> &s, const ge_warp &warp, int j)
{
  constexpr int COLUMNS = panel_state<T>::COLUMNS;
  int c[COLUMNS + 1];
  T sum[COLUMNS + 1], row[COLUMNS + 1];
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    c[q] = s.wid + PANEL_WARPS * q;
  c[COLUMNS] = j;
  receive_sums<T, COLUMNS + 1> (s, warp, j, c, sum, row);
  const T alpha = row[COLUMNS];
  const auto r = ge_make_reflector (real_part (alpha), imaginary_part (alpha),
                                    real_part (sum[COLUMNS]));
  const T tau = make_number<T> (r.tau_re, r.tau_im);
  const T scale = make_number<T> (r.scale_re, r.scale_im);
  T f[COLUMNS];
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    {
      const T product = mul_add (conjugate (scale), conjugate (sum[q]), row[q]);
      f[q] = c[q] > j ? times (conjugate (tau), product) : zero<T> ();
      if (c[q] == j)
        s.unit[q] = r.tau_re != 0;
      if (s.block == 0 && s.lane == 0)
        {
          if (c[q] < j)
            s.p.gram[c[q] + GE_BAND * j]
                = r.tau_re == 0 ? zero<T> ()
                                : mul_add (scale, sum[q], conjugate (row[q]));
          else if (c[q] == j)
            s.p.tau[j] = tau;
        }
    }
  const T *x = column_of_step (s, j);
#pragma unroll
  for (int h = 0; h < panel_state<T>::ROWS; h++)
    {
      const int64_t i = s.first + s.lane + 32 * h;
      if (i < j)
        continue;
      const T v = i > j ? times (x[32 * h], scale) : make_number<T> (1, 0);
#pragma unroll
      for (int q = 0; q < COLUMNS; q++)
        if (c[q] > j)
          s.a[q][h] = mul_sub (v, f[q], s.a[q][h]);
        else if (c[q] == j)
          s.a[q][h] = i > j ? v : make_number<T> (r.beta, 0);
    }
}

/* Load and store the block's rows of the panel.  */
template <typename T>
GE_DEVICE_INLINE void
load_panel (panel_state<T> &s)
{
#pragma unroll
  for (int q = 0; q < panel_state<T>::COLUMNS; q++)
    {
      const T *from = s.p.p + s.p.lda * (s.wid + PANEL_WARPS * q) + s.first;
      s.unit[q] = 0;
#pragma unroll
      for (int h = 0; h < panel_state<T>::ROWS; h++)
        {
          const int i = s.lane + 32 * h;
          s.a[q][h]
              = i < s.p.rows && s.first + i < s.p.m ? from[i] : zero<T> ();
        }
    }
}

template <typename T>
GE_DEVICE_INLINE void
store_panel (const panel_state<T> &s)
{
#pragma unroll
  for (int q = 0; q < panel_state<T>::COLUMNS; q++)
    {
      const int c = s.wid + PANEL_WARPS * q;
#pragma unroll
      for (int h = 0; h < panel_state<T>::ROWS; h++)
        {
          const int64_t i = s.first + s.lane + 32 * h;
          if (s.lane + 32 * h < s.p.rows && i < s.p.m)
            {
              const T v
                  = i > c ? s.a[q][h] : make_number<T> (i == c && s.unit[q], 0);
              if (i <= c)
                send_number (s.p.r + (i + s.p.ld_r * c), s.a[q][h], 0);
              s.p.p[i + s.p.lda * c] = v;
              s.p.copies[0][i + s.p.lda * c] = v;
              s.p.copies[1][i + s.p.lda * c] = v;
            }
        }
    }
}

/* Copy column J to shared memory by the warp that owns it.  The barrier also
   separates the reads of the exchange buffers of step J - 1 from the sends of
   step J + 1.  */
template <typename T>
GE_DEVICE_INLINE void
share_column (panel_state<T> &s, int j)
{
  T *x = column_of_step (s, j);
#pragma unroll
  for (int q = 0; q < panel_state<T>::COLUMNS; q++)
    if (s.wid + PANEL_WARPS * q == j)
#pragma unroll
      for (int h = 0; h < panel_state<T>::ROWS; h++)
        x[32 * h] = s.a[q][h];
  __syncthreads ();
}

/* Blocks of 16 warps, one per multiprocessor, all resident.  */
template <typename T> GE_KERNEL (PANEL_THREADS, 1) panel_kernel (panel<T> p)
{
  extern __shared__ __align__ (16) unsigned char panel_memory[];
  const ge_warp warp = this_warp ();
  panel_state<T> s;
  if (p.done && *p.done)
    return;
  s.p = p;
  s.x = (T *) panel_memory;
  s.own = s.x + 2 * panel_state<T>::ROWS * 32;
  s.row = s.own + GE_BAND;
  s.blocks = (int) gridDim.x;
  s.block = (int) blockIdx.x;
  s.lane = (int) warp.thread_rank ();
  s.wid = (int) threadIdx.x / 32;
  s.first = (int64_t) s.block * p.rows;
  load_panel (s);
  const int reflectors = p.m - 1 < GE_BAND ? (int) p.m - 1 : GE_BAND;
  for (int j = 0; j < reflectors; j++)
    {
      share_column (s, j);
      send_sums (s, warp, j);
      reduce_column (s, warp, j);
    }
  if (s.block == 0 && (int) threadIdx.x >= reflectors && threadIdx.x < GE_BAND)
    {
      const int c = (int) threadIdx.x;
      p.tau[c] = zero<T> ();
      for (int i = 0; i < c; i++)
        p.gram[i + GE_BAND * c] = zero<T> ();
    }
  store_panel (s);
}

#endif
