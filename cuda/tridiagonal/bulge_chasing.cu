/* Reduction of a band to tridiagonal form, see bulge_chasing.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/bulge_chasing.cuh"

#include "tridiagonal/householder.cuh"
#include "base/launch.cuh"
#include "base/numbers.cuh"
#include "tridiagonal/band_reduction.cuh"
#include "tridiagonal/chase_order.h"
#include "tridiagonal/chase_ring.cuh"

enum
{
  SWEEPS_AT_ONCE
  = 16384 /* of a launch: some tenths of a second at order 65536 */
};

template <typename T> struct chase
{
  int64_t n, most_tasks;
  int64_t begin, end; /* sweeps */
  packet_planes<T> band;
  ge_real<T> *d, *e;
  T *v, *tau;
};

/* --- the elements of a task ---

   A thread has row lane and columns wid + WARPS m of both b-by-b blocks, in
   registers; they are padded with zeros at the end of the matrix.

   Every element that sweep s reads was stored by sweep s - 1, and no element is
   stored before the last read of the value in its place; so packets of step s
   (exchange.cuh; step 0: the band as given) are all the order that there is
   between sweeps; within a cluster the slots of its ring are (chase_ring.cuh).
   Row b - 1 of a task's blocks comes from the next task of the sweep before and
   arrives last; the remainder is read ahead.  */

template <typename T> struct chase_shared
{
  T right[WARPS][B + 1]; /* of the block times the previous v, by warps */
  T y[WARPS][B + 1];     /* of the diagonal block times v */
  T first[B];            /* the first column of the block below the diagonal */
  T mirror[B][B + 1];    /* column q of the diagonal block, from memory */
};

template <typename T> struct chase_task
{
  packet_planes<T> at; /* element (0, 0) of the diagonal block */
  int rows, k;
  T v, v_columns[COLUMNS], tau;
};

#define FOR_ELEMENTS(...)                                                      \
  _Pragma ("unroll") for (int m = 0; m < COLUMNS; m++)                         \
  {                                                                            \
    const int r = lane, q = wid + WARPS * m;                                   \
    __VA_ARGS__                                                                \
  }

/* A task of full size after the sweep's first: its blocks have all elements, see
   block_below.  */
template <typename T>
GE_DEVICE_INLINE bool
is_inner (const chase_task<T> &x)
{
  return x.k > 0 && x.rows == B;
}

/* The two blocks of a task: the packet of element (R, Q), in memory for all R and
   Q, and whether it is waited for; others are zero.  In the first task the block
   below the diagonal is the column of the sweep alone; later its row b - 1 is zero
   but for the last element.  Above its diagonal the diagonal block has the packet of element
   (Q, Q): mirror_block sets these elements, since reads along a row take a line of memory each.  */
struct block_below
{
  template <typename TASK>
  GE_DEVICE_INLINE auto
  packet_of (const TASK &x, int r, int q)
  {
    return x.at + ((2 * B - 1) * (q - (x.k > 0 ? B : 1)) + r);
  }
  template <bool INNER, typename TASK>
  GE_DEVICE_INLINE bool
  has (const TASK &x, int r, int q)
  {
    const bool given = r < B - 1 || q == B - 1;
    return INNER ? given : r < x.rows && (x.k > 0 ? given : q == 0);
  }
};
/* The block below the diagonal as the sweep that stored it has it; in the first task it stored
   none.  */
struct block_stored
{
  template <typename TASK>
  GE_DEVICE_INLINE auto
  packet_of (const TASK &x, int r, int q)
  {
    return x.at + ((2 * B - 1) * (q - B) + r);
  }
  template <bool INNER, typename TASK>
  GE_DEVICE_INLINE bool
  has (const TASK &x, int r, int q)
  {
    const bool stored = q > 0 || r == 0;
    return stored && (INNER || (x.k > 0 && r < x.rows));
  }
};
struct block_diagonal
{
  template <typename TASK>
  GE_DEVICE_INLINE auto
  packet_of (const TASK &x, int r, int q)
  {
    return x.at + ((2 * B - 1) * q + max (r, q));
  }
  template <bool INNER, typename TASK>
  GE_DEVICE_INLINE bool
  has (const TASK &x, int r, int q)
  {
    return INNER || max (r, q) < x.rows;
  }
};

/* The packets of a block that a thread has read.  */
template <typename T> struct chase_packets
{
  packet<T> at[COLUMNS];
};

/* All reads are in flight at once, since none is conditional.  */
template <typename BLOCK, typename T>
GE_DEVICE_INLINE void
look_up_block (const chase_task<T> &x, chase_packets<T> &seen, int lane,
               int wid)
{
  FOR_ELEMENTS (seen.at[m] = look_up_packet (BLOCK::packet_of (x, r, q));)
}

/* Wait until all have arrived.  */
template <typename BLOCK, bool INNER, typename T>
GE_DEVICE_INLINE void
receive_part (const chase_task<T> &x, T (&block)[COLUMNS],
              chase_packets<T> &seen, unsigned step, int lane, int wid)
{
  for (;;)
    {
      bool all = true;
      FOR_ELEMENTS (all &= ! BLOCK::template has<INNER> (x, r, q)
                           || has_arrived (seen.at[m], step);)
      if (all)
        break;
      look_up_block<BLOCK> (x, seen, lane, wid);
    }
  FOR_ELEMENTS (block[m] = BLOCK::template has<INNER> (x, r, q)
                               ? number_of (seen.at[m])
                               : zero<T> ();)
}
template <typename BLOCK, typename T>
GE_DEVICE_INLINE void
receive_block (const chase_task<T> &x, T (&block)[COLUMNS],
               chase_packets<T> &seen, unsigned step, int lane, int wid)
{
  if (is_inner (x))
    receive_part<BLOCK, true> (x, block, seen, step, lane, wid);
  else
    receive_part<BLOCK, false> (x, block, seen, step, lane, wid);
}

/* Set the diagonal block above its diagonal.  One barrier.  */
template <typename T>
GE_DEVICE_INLINE void
mirror_block (chase_shared<T> &s, T (&block)[COLUMNS], int lane, int wid)
{
  FOR_ELEMENTS (if (r > q) s.mirror[q][r] = block[m];)
  __syncthreads ();
  FOR_ELEMENTS (if (r < q) block[m] = conjugate (s.mirror[r][q]);)
}

/* --- a task --- */

/* Where a sweep's blocks come from and go to: memory, or slots of rings, the first one of
   which is number IN and OUT.  RANK: of this block in its cluster.  */
template <typename T> struct chase_links
{
  chase_ring<T> *ring;
  int rank, in, out;
};

/* The sum over the warps of row R.  */
template <typename T>
GE_DEVICE_INLINE T
sum_over_warps (const T (&parts)[WARPS][B + 1], int r)
{
  T sum[WARPS];
#pragma unroll
  for (int w = 0; w < WARPS; w++)
    sum[w] = parts[w][r];
#pragma unroll
  for (int step = 1; step < WARPS; step *= 2)
#pragma unroll
    for (int w = 0; w < WARPS; w += 2 * step)
      sum[w] = plus (sum[w], sum[w + step]);
  return sum[0];
}

/* X, a number of each row, for the thread's column number M.  */
template <typename T>
GE_DEVICE_INLINE T
of_column (const ge_warp &warp, T x, int wid, int m)
{
  return shuffle_from (warp, x, wid + WARPS * m);
}

/* Apply H of the task before, in X, from the right to the block below the
   diagonal; returns the row's element of its first column then.  One barrier,
   between the partial sums of the warps and their use; after it the slot of L may be
   written.  */
template <bool WRITES, typename T>
GE_DEVICE_INLINE T
apply_right (const chase_task<T> &x, chase_shared<T> &s,
             const chase_links<T> &l, T (&below)[COLUMNS], int lane, int wid)
{
  T sum = zero<T> ();
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    sum = mul_add (below[m], x.v_columns[m], sum);
  s.right[wid][lane] = sum;
  if (wid == 0)
    s.first[lane] = below[0];
  if (WRITES && wid == 1 && lane == 0)
    wait_for_slot (*l.ring, l.out + x.k, 32);
  __syncthreads ();
  const T u = times (sum_over_warps (s.right, lane), x.tau);
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    below[m] = mul_conj_sub (u, x.v_columns[m], below[m]);
  /* v is 1 there, or zero with tau */
  return minus (s.first[lane], u);
}

/* The reflector of the column FIRST, computed by every warp; returns beta.  TAU is
   corrected such that H is unitary, |tau|^2 v'v = 2 re (tau): of matrices with clusters,
   whose diagonal blocks are close to multiples of I, the error of H H' is that of the
   result.  0.75 - 0.25 t is 1 / (2 t) to 13 per cent from 1 to 2.  */
template <typename T>
GE_DEVICE_INLINE ge_real<T>
make_reflector (chase_task<T> &x, const ge_warp &warp, T first, int wid)
{
  typedef ge_real<T> R;
  const int lane = (int) warp.thread_rank ();
  const R squares
      = warp_sum (warp, lane > 0 ? add_square (first, (R) 0) : (R) 0);
  const T alpha = shuffle_from (warp, first, 0);
  const auto r
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const T scale = make_number<T> (r.scale_re, r.scale_im);
  x.tau = make_number<T> (r.tau_re, r.tau_im);
  const R size = fma (abs2 (scale), squares, (R) 1),
          excess = fma (r.tau_re, fma (r.tau_re, size, (R) -2),
                        r.tau_im * r.tau_im * size);
  x.tau = mul_sub (excess * fma ((R) -0.25, r.tau_re, (R) 0.75), x.tau, x.tau);
  x.v = lane > 0 ? times (first, scale) : make_number<T> (r.tau_re != 0, 0);
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    x.v_columns[m] = of_column (warp, x.v, wid, m);
  return r.beta;
}

/* Apply H' from the left to the block below the diagonal, and send it to L's next sweep, or
   to memory; what its first column becomes is known.  */
template <bool WRITES, typename T>
GE_DEVICE_INLINE void
apply_left (const chase_task<T> &x, const chase_links<T> &l,
            const ge_warp &warp, const T (&below)[COLUMNS], unsigned step,
            int wid)
{
  const int lane = (int) warp.thread_rank ();
  T product[4];
  static_assert (COLUMNS == 4, "warp_sum_of_four");
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    product[m] = conj_mul_add (x.v, below[m], zero<T> ());
  const T z = times (conjugate (x.tau), warp_sum_of_four (warp, product));
  chase_part<T> part;
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    part.x[m] = mul_sub (x.v, shuffle_from (warp, z, 8 * m), below[m]);
  if (WRITES)
    hand_part (*l.ring, l.out + x.k, BELOW, part, l.rank + 1);
  else if (x.k > 0)
    FOR_ELEMENTS (send_number_if (q > 0 && r < x.rows,
                                  block_below::packet_of (x, r, q), part.x[m],
                                  step);)
}

/* The warps' parts of y = D v for the diagonal block D.  */
template <typename T>
GE_DEVICE_INLINE void
multiply_diagonal (const chase_task<T> &x, chase_shared<T> &s,
                   const T (&diagonal)[COLUMNS], int lane, int wid)
{
  T sum = zero<T> ();
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    sum = mul_add (diagonal[m], x.v_columns[m], sum);
  s.y[wid][lane] = sum;
}

/* H' D H of the diagonal block D, of which the lower triangle is sent to memory.  */
template <bool WRITES, typename T>
GE_DEVICE_INLINE void
apply_both (const chase_task<T> &x, const chase_links<T> &l,
            const chase_shared<T> &s, const ge_warp &warp,
            T (&diagonal)[COLUMNS], unsigned step, int wid)
{
  const int lane = (int) warp.thread_rank ();
  const T y = sum_over_warps (s.y, lane),
          dot = conj_mul_add (x.v, y, zero<T> ()),
          half
          = times (warp_sum (warp, real_part (dot)) / 2, conjugate (x.tau)),
          w = times (x.tau, mul_sub (half, x.v, y));
  chase_part<T> part;
  FOR_ELEMENTS ({
    const T vq = x.v_columns[m], wq = of_column (warp, w, wid, m);
    /* one rounding of an element that hardly changes */
    T value = plus (diagonal[m],
                    mul_conj_sub (w, vq, mul_conj_sub (x.v, wq, zero<T> ())));
    if (r == q)
      value = make_number<T> (real_part (value), 0);
    part.x[m] = diagonal[m] = value;
  })
  if (WRITES)
    hand_part (*l.ring, l.out + x.k, DIAGONAL, part, l.rank + 1);
  else
    FOR_ELEMENTS (send_number_if (r < x.rows && q <= r,
                                  x.at + ((2 * B - 1) * q + r), part.x[m],
                                  step);)
}

/* Wait until the sweep before has begun, and look ahead for the first task.  Only one thread
   waits long for memory.  */
template <bool READS, typename T>
GE_DEVICE_INLINE void
begin_sweep (const chase_task<T> &x, const chase_links<T> &l, unsigned step,
             chase_packets<T> &below, chase_packets<T> &diagonal, int lane,
             int wid)
{
  if (READS)
    {
      if (wid == 0)
        take_beta (*l.ring, l.in, 0);
      wait_for_block (*l.ring, l.in, BELOW);
      return;
    }
  if (threadIdx.x == 0)
    {
      const packet_planes<T> begun = block_below::packet_of (x, 0, 0);
      receive_number (begun, look_up_packet (begun), step);
    }
  __syncthreads ();
  look_up_block<block_below> (x, below, lane, wid);
  look_up_block<block_diagonal> (x, diagonal, lane, wid);
}

/* Two barriers a task, in apply_right and before the sums of y are used; what is
   read after one is stored again after the next.  */
template <bool READS, bool WRITES, typename T>
GE_DEVICE_INLINE void
run_sweep (const chase<T> &p, chase_shared<T> &s, const chase_links<T> &l,
           const ge_warp &warp, int64_t sweep)
{
  const int lane = (int) warp.thread_rank (), wid = (int) threadIdx.x / 32;
  const int64_t left = p.n - ge_chase_row (B, sweep, 0);
  const unsigned step = (unsigned) sweep;
  const int tasks = (int) ge_chase_tasks (p.n, B, sweep);
  T *v = p.v + ge_chase_offset (p.n, sweep) + lane,
    *tau = p.tau + p.most_tasks * sweep;
  chase_task<T> x, next;
  chase_packets<T> seen_below, seen_diagonal;
  x.k = 0;
  x.at = p.band + 2 * B * (sweep + 1);
  x.rows = left < B ? (int) left : B;
  x.tau = zero<T> ();
#pragma unroll
  for (int m = 0; m < COLUMNS; m++)
    x.v_columns[m] = zero<T> ();
  begin_sweep<READS> (x, l, step, seen_below, seen_diagonal, lane, wid);
  for (; x.k < tasks; x = next)
    {
      const bool more = x.rows == B;
      T below[COLUMNS], diagonal[COLUMNS];
      if (READS)
        {
          wait_for_block (*l.ring, l.in + x.k, DIAGONAL);
          take_below (*l.ring, l.in + x.k, x.k == 0, more, below);
        }
      else
        receive_block<block_below> (x, below, seen_below, step, lane, wid);
      const T first = apply_right<WRITES> (x, s, l, below, lane, wid);
      const auto beta = make_reflector (x, warp, first, wid);
      next = x;
      next.k++;
      next.at = x.at + 2 * B * B;
      next.rows = (int) (left - (int64_t) B * next.k);
      next.rows = next.rows < B ? next.rows : B;
      if (threadIdx.x == 0 && WRITES)
        hand_beta (*l.ring, l.out + x.k, make_number<T> (beta, 0), l.rank + 1);
      else if (threadIdx.x == 0 && x.k > 0)
        send_number (block_below::packet_of (x, 0, 0), make_number<T> (beta, 0),
                     step + 1);
      apply_left<WRITES> (x, l, warp, below, step + 1, wid);
      if (READS)
        {
          if (more)
            wait_for_block (*l.ring, l.in + x.k + 1, BELOW);
          take_diagonal (*l.ring, l.in + x.k, more, diagonal);
        }
      else
        {
          receive_block<block_diagonal> (x, diagonal, seen_diagonal, step, lane,
                                         wid);
          look_up_block<block_below> (next, seen_below, lane, wid);
          look_up_block<block_diagonal> (next, seen_diagonal, lane, wid);
          mirror_block (s, diagonal, lane, wid);
        }
      multiply_diagonal (x, s, diagonal, lane, wid);
      __syncthreads ();
      if (READS && threadIdx.x == 0)
        {
          leave_slot (*l.ring, l.in + x.k, l.rank - 1);
          if (next.k == tasks && more)
            {
              wait_for_block (*l.ring, l.in + next.k, DIAGONAL);
              leave_slot (*l.ring, l.in + next.k, l.rank - 1);
            }
        }
      apply_both<WRITES> (x, l, s, warp, diagonal, step + 1, wid);
      if (x.k == 0 && threadIdx.x == 0)
        {
          p.e[sweep] = beta;
          p.d[sweep + 1] = real_part (diagonal[0]);
        }
      if (p.v && wid == WARPS - 1)
        {
          if (lane < x.rows)
            v[x.k * B] = x.v;
          if (lane == 0)
            tau[x.k] = x.tau;
        }
    }
}

/* Hand over to the next block what the sweep BEFORE has stored or will store in memory, as
   that sweep would.  Other sweeps of the cluster keep the pace of their first one, which
   would wait for memory in each task.  */
template <typename T>
GE_DEVICE_INLINE void
relay_sweep (const chase<T> &p, chase_shared<T> &s, const chase_links<T> &l,
             int64_t before)
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  const int64_t left = p.n - ge_chase_row (B, before, 0);
  const unsigned step = (unsigned) (before + 1);
  const int tasks = (int) ge_chase_tasks (p.n, B, before);
  chase_task<T> x;
  chase_packets<T> below, diagonal;
  x.at = p.band + 2 * B * (before + 1);
  for (x.k = 0; x.k < tasks; x.k++)
    {
      const int i = l.out + x.k;
      const int64_t rows = left - (int64_t) B * x.k;
      chase_part<T> part;
      x.rows = rows < B ? (int) rows : B;
      if (threadIdx.x == 0)
        wait_for_slot (*l.ring, i, 0);
      __syncthreads (); /* and S.mirror has been read */
      if (threadIdx.x == 0)
        {
          T beta = zero<T> (); /* complex in a single last row of the band */
          if (x.k > 0)
            {
              const auto at = block_stored::packet_of (x, 0, 0);
              beta = receive_number (at, look_up_packet (at), step);
            }
          hand_beta (*l.ring, i, beta, l.rank + 1);
        }
      if (x.k > 0)
        look_up_block<block_stored> (x, below, lane, wid);
      look_up_block<block_diagonal> (x, diagonal, lane, wid);
      receive_block<block_stored> (x, part.x, below, step, lane, wid);
      hand_part (*l.ring, i, BELOW, part, l.rank + 1);
      receive_block<block_diagonal> (x, part.x, diagonal, step, lane, wid);
      mirror_block (s, part.x, lane, wid);
      hand_part (*l.ring, i, DIAGONAL, part, l.rank + 1);
      x.at = x.at + 2 * B * B;
    }
}

/* Without clusters block i has sweeps begin + i, begin + i + gridDim.x, ...; otherwise the
   first block of a cluster relays, and the others have one sweep each.  A cooperative launch,
   so that the sweep before is always in progress.  */
template <typename T>
GE_KERNEL (WARPS * 32, sizeof (T) < 16 ? 2 : 1)
chase_kernel (chase<T> p)
{
  extern __shared__ double2 chase_space[];
  __shared__ chase_shared<T> s;
  const ge_warp warp = this_warp ();
  const int size = cluster_size (), last = size - 1;
  const int workers = last > 0 ? last : 1, cluster = (int) blockIdx.x / size;
  chase_links<T> l = { (chase_ring<T> *) chase_space, cluster_rank (), 0, 0 };
  if (last > 0)
    open_ring (*l.ring);
  if (p.begin == 0 && blockIdx.x == 0 && threadIdx.x == 0)
    p.d[0] = real_part (number_of (look_up_packet (p.band)));
  const int stride = (int) gridDim.x / size * workers;
  for (int64_t first = p.begin + cluster * workers; first < p.end;
       first += stride)
    {
      const int64_t sweep = first + (last > 0 ? l.rank - 1 : 0);
      const bool writes = l.rank < last && sweep + 1 < p.end;
      if (sweep >= p.end)
        break;
      if (last == 0)
        run_sweep<false, false> (p, s, l, warp, sweep);
      else if (l.rank == 0)
        relay_sweep (p, s, l, sweep);
      else if (writes)
        run_sweep<true, true> (p, s, l, warp, sweep);
      else
        run_sweep<true, false> (p, s, l, warp, sweep);
      l.in += (int) ge_chase_tasks (p.n, B, sweep - 1);
      l.out += writes ? (int) ge_chase_tasks (p.n, B, sweep) : 0;
    }
  if (last > 0)
    close_ring (*l.ring, l.out);
}

/* --- the driver --- */

/* Blocks that are resident at once, in clusters if the GPU has them, at most as many as can
   have work: one on a multiprocessor, unless there is work for more.  */
template <typename T>
static gpueig_status
choose_blocks (gpueig_context *ctx, int64_t n,
               ge_resident_launch<chase<T>> *launch)
{
  const size_t ring = sizeof (chase_ring<T>),
               more_than_half = ge_cuda_of (ctx)->shared_per_block / 2 + 1024;
  const int64_t wanted = 3 * n / (4 * B) + 3; /* sweeps in progress */
  int64_t resident, workers = GE_PORTABLE_CLUSTER - 1;
  *launch = { chase_kernel<T>,
              "chase_kernel",
              WARPS * 32,
              ring > more_than_half ? ring : more_than_half,
              0,
              GE_PORTABLE_CLUSTER };
  GE_TRY (ge_cuda_resident_blocks (ctx, *launch, &resident));
  if (resident / GE_PORTABLE_CLUSTER * workers < wanted)
    {
      launch->shared = ring;
      GE_TRY (ge_cuda_resident_blocks (ctx, *launch, &resident));
    }
  if (resident == 0)
    {
      launch->cluster = 1;
      workers = 1;
      launch->shared = 0;
      GE_TRY (ge_cuda_resident_blocks (ctx, *launch, &resident));
    }
  launch->blocks = (wanted + workers - 1) / workers * launch->cluster;
  if (launch->blocks > resident)
    launch->blocks = resident;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_chase_bulges (gpueig_context *ctx, int64_t n, packet_planes<T> band,
                      ge_real<T> *d, ge_real<T> *e, T *v, T *tau)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t sweeps = ge_chase_sweeps (n);
  ge_resident_launch<chase<T>> launch;
  chase<T> p = { n, ge_chase_most_tasks (n, B), 0, 0, band, d, e, v, tau };
  GE_TRY (choose_blocks (ctx, n, &launch));
  for (; p.begin < sweeps; p.begin = p.end)
    {
      p.end = p.begin + SWEEPS_AT_ONCE < sweeps ? p.begin + SWEEPS_AT_ONCE
                                                : sweeps;
      if (p.begin > 0)
        GE_TRY (ge_cuda_check_interrupt (ctx));
      GE_TRY (ge_cuda_launch_resident (ctx, launch, p));
    }
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_cuda_chase_bulges)
