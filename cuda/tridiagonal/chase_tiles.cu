/* Back-transformation of vectors of the tridiagonal matrix to those of the band
   on tensor cores: the host's part of chase_tiles.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/chase_tiles.cuh"

#include "tridiagonal/tridiagonal.cuh"

/* Shared memory per block for which the sizes below are chosen, in bytes.  On GPUs with
   less, and before sm_90, records come one at a time.  */
enum
{
  TILES_SHARED = 227 * 1024,
  MOST_WARPS = 8 /* of a block */
};

/* Columns of Z in the layout of the kernel: row 1 of a column is 16-byte
   aligned, real and imaginary parts are separate arrays.  */
template <typename R> struct tiles_columns
{
  R *z;           /* row 0 of the first column */
  int64_t ld;     /* leading dimension, a multiple of 16 bytes */
  int64_t places; /* allocated columns, of which COUNT are used */
  int64_t count;
};

/* Copy column blockIdx.x of Z (n rows), times SCALE, to the layout TO, or back.  */
template <typename T, bool BACK>
static __global__ void
planes_kernel (int64_t n, T *z, tiles_columns<ge_real<T>> to)
{
  typedef ge_real<T> R;
  constexpr R SCALE = sizeof (R) == sizeof (double) ? 1 : HALVES_SCALE;
  const int64_t column = blockIdx.x;
  R *re = to.z + to.ld * column, *im = re + to.ld * to.places;
  T *x = z + n * column;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    if (BACK)
      x[i] = make_number<T> (re[i] * (1 / SCALE),
                             is_complex<T>::value ? im[i] * (1 / SCALE) : 0);
    else
      {
        re[i] = real_part (x[i]) * SCALE;
        if (is_complex<T>::value)
          im[i] = imaginary_part (x[i]) * SCALE;
      }
}

/* Groups per chain, limited by registers.  */
template <typename R, int PARTS>
static constexpr int
chain_length (void)
{
  return sizeof (R) == sizeof (float) ? 4 : 5 - PARTS;
}

/* Sets of warps per block where a multiprocessor would have few warps, limited by
   shared memory.  */
template <typename R, int PARTS, int WARPS>
static constexpr int
sets (void)
{
  return sizeof (R) == sizeof (float) ? 8 / WARPS
         : WARPS == 2                 ? 4 - PARTS
                                      : (WARPS == 4 && PARTS == 1) + 1;
}

/* Records in shared memory at a time: 4, or fewer where there is not enough of
   it.  */
template <typename R, int PARTS, int WARPS>
static constexpr int
records_at_once (void)
{
  constexpr int SETS = sets<R, PARTS, WARPS> ();
  return SETS * sizeof (tiles_memory<R, PARTS, WARPS, 4>) <= TILES_SHARED   ? 4
         : SETS * sizeof (tiles_memory<R, PARTS, WARPS, 3>) <= TILES_SHARED ? 3
                                                                            : 2;
}

template <typename T> struct tiles_call
{
  int64_t n;
  const T *v, *tau;
  tiles_columns<ge_real<T>> columns;
};

/* The work space of a pass.  */
template <typename T> struct tiles_space
{
  typedef ge_real<T> R;
  enum
  {
    PARTS = 1 + is_complex<T>::value,
    CHAIN = chain_length<R, PARTS> (),
    ALIGNED = 16 / sizeof (R)
  };
  int64_t ld, places; /* see tiles_columns */
  int64_t numbers, records;
};

/* Apply all groups of sweeps to the columns, from the last to the first.  SINGLE: one
   record at a time.  */
template <typename T, int WARPS, bool SINGLE>
static gpueig_status
apply_groups (gpueig_context *ctx, const tiles_call<T> &q,
              chase_record_of<T> *records)
{
  typedef ge_real<T> R;
  constexpr int PARTS = tiles_space<T>::PARTS;
  constexpr int CHAIN = tiles_space<T>::CHAIN;
  constexpr int RECORDS = SINGLE ? 1 : records_at_once<R, PARTS, WARPS> ();
  const int64_t sweeps = ge_chase_sweeps (q.n), block = WARPS * TILE_COLUMNS;
  const int64_t groups = (sweeps + CHASE_SWEEPS - 1) / CHASE_SWEEPS;
  const unsigned blocks = ge_blocks (q.columns.count * PARTS, block);
  constexpr int SETS = SINGLE ? 1 : sets<R, PARTS, WARPS> ();
  constexpr size_t bytes
      = SETS * sizeof (tiles_memory<R, PARTS, WARPS, RECORDS>);
  static_assert (
      bytes <= (size_t) (SINGLE ? GE_LEAST_SHARED : (int) TILES_SHARED),
      "the records");
  const size_t far = (size_t) (PARTS == 2 ? q.columns.ld * q.columns.places
                                          : q.columns.ld * 8);
  chase_plan p
      = { q.n, ge_chase_most_tasks (q.n, GE_BAND), 0, 0, CHAIN, { 0 } };
  GE_ALLOW_SHARED ((chase_tiles_kernel<R, PARTS, WARPS, RECORDS, CHAIN, SETS>),
                   bytes);
  for (p.first = (groups - 1) / CHAIN * CHAIN; p.first >= 0;
       p.first -= p.chains * CHAIN)
    {
      p.chains = p.first / CHAIN + 1;
      if (p.chains > CHASE_CHAINS)
        p.chains = CHASE_CHAINS;
      for (int64_t y = 0; y < p.chains; y++)
        p.offset[y + 1]
            = p.offset[y]
              + CHAIN * chase_group_tasks (q.n, p.first - y * CHAIN);
      GE_TRY ((ge_cuda_make_records<T> (ctx, &p, q.v, q.tau, records)));
      GE_LAUNCH ((chase_tiles_kernel<R, PARTS, WARPS, RECORDS, CHAIN, SETS>),
                 blocks, SETS * WARPS * 32, bytes, q.columns.z + 1,
                 (int) q.columns.ld, far, p, records);
      if (q.n >= GE_STOPPABLE)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

template <typename T>
static tiles_space<T>
space_for (int64_t n, int64_t columns, int warps)
{
  typedef tiles_space<T> S;
  tiles_space<T> s;
  const int64_t block = warps * TILE_COLUMNS / S::PARTS;
  s.places = (columns + block - 1) / block * block;
  /* the windows of a chain extend so far past the last row */
  s.ld = (n + 2 * GE_BAND + 2 * CHASE_SWEEPS * S::CHAIN + 5) / S::ALIGNED
         * S::ALIGNED;
  s.numbers = s.ld * s.places * S::PARTS + S::ALIGNED;
  s.records = CHASE_CHAINS * S::CHAIN * ge_chase_most_tasks (n, GE_BAND);
  return s;
}

/* At most as many COLUMNS as all multiprocessors take at once.  */
template <typename T, int WARPS, bool SINGLE>
static gpueig_status
chase_back (gpueig_context *ctx, tiles_call<T> q, int64_t columns, T *z)
{
  const int64_t n = q.n;
  const tiles_space<T> s = space_for<T> (n, columns, WARPS);
  const int mark = ge_mark (ctx);
  ge_real<T> *padded;
  chase_record_of<T> *record;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s.numbers, &padded));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s.records, &record));
  q.columns = { padded + s.ALIGNED - 1, s.ld, s.places, columns };
  GE_TRY (ge_clear (ctx, padded, s.numbers));
  GE_LAUNCH ((planes_kernel<T, false>), (unsigned) columns, 256, 0, n, z,
             q.columns);
  GE_TRY ((apply_groups<T, WARPS, SINGLE> (ctx, q, record)));
  GE_LAUNCH ((planes_kernel<T, true>), (unsigned) columns, 256, 0, n, z,
             q.columns);
  return ge_close_frame (ctx, mark);
}

/* Columns of which every multiprocessor takes those of one warp.  */
template <typename T>
static int64_t
columns_of_warps (const ge_cuda *cuda)
{
  return (int64_t) cuda->multiprocessors * TILE_COLUMNS
         / (1 + is_complex<T>::value);
}

/* Choose 2, 4 or 8 warps per block so that no multiprocessor is idle.  Columns
   are done in passes of as many as occupy the GPU; the last pass has fewer
   warps per block.  */
template <typename T>
static gpueig_status
choose_warps (gpueig_context *ctx, const tiles_call<T> &q, int64_t columns,
              T *z)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  const bool single = ! cuda->clusters || cuda->shared_per_block < TILES_SHARED;
  const int64_t filled = columns_of_warps<T> (cuda);
  for (int64_t left = columns; left > 0;)
    {
      const int64_t pass
          = left < MOST_WARPS * filled ? left : MOST_WARPS * filled;
      if (single)
        GE_TRY ((chase_back<T, MOST_WARPS, true> (ctx, q, pass, z)));
      else if (pass <= 2 * filled)
        GE_TRY ((chase_back<T, 2, false> (ctx, q, pass, z)));
      else if (pass <= 4 * filled)
        GE_TRY ((chase_back<T, 4, false> (ctx, q, pass, z)));
      else
        GE_TRY ((chase_back<T, MOST_WARPS, false> (ctx, q, pass, z)));
      left -= pass;
      z += q.n * pass;
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_chase_back (gpueig_context *ctx, int64_t n, const T *v, const T *tau,
                    int64_t columns, T *z)
{
  const tiles_call<T> q = { n, v, tau, { NULL, 0, 0, 0 } };
  return choose_warps<T> (ctx, q, columns, z);
}

template <typename T>
double
ge_cuda_chase_back_bytes (gpueig_context *ctx, int64_t n, int64_t columns)
{
  const int64_t most = MOST_WARPS * columns_of_warps<T> (ge_cuda_of (ctx));
  const tiles_space<T> s
      = space_for<T> (n, columns < most ? columns : most, MOST_WARPS);
  return (double) s.numbers * sizeof (ge_real<T>)
         + (double) s.records * sizeof (chase_record_of<T>);
}

GE_INSTANTIATE (ge_cuda_chase_back)
GE_INSTANTIATE (ge_cuda_chase_back_bytes)
