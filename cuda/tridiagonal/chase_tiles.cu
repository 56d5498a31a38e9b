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
  constexpr R SCALE = HALVES_SCALE (R);
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

/* The columns that WARPS warps have.  */
template <typename T, int WARPS>
static constexpr int
columns_of_warps (void)
{
  constexpr int PARTS = 1 + is_complex<T>::value;
  return WARPS * tiles_shape<ge_real<T>, PARTS, WARPS>::WIDE * TILE_COLUMNS
         / PARTS;
}

/* Sets of WARPS warps in a block; complex numbers of double precision would need more
   shared memory for eight.  */
template <typename R, int PARTS, int WARPS>
static constexpr int
sets (void)
{
  return WARPS == 1 && PARTS == 2 ? 4 : MOST_WARPS / WARPS;
}

/* Pieces of records in shared memory at a time: as many as there is room for.  */
template <typename R, int PARTS, int WARPS, int RING = 8>
static constexpr int
pieces_at_once (void)
{
  if constexpr (RING == 2
                || sets<R, PARTS, WARPS> ()
                           * sizeof (tiles_memory<R, PARTS, WARPS, RING>)
                       <= TILES_SHARED)
    return RING;
  else
    return pieces_at_once<R, PARTS, WARPS, RING - 1> ();
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
    MOST_CHAIN = 4, /* groups */
    ALIGNED = 16 / sizeof (R)
  };
  int64_t ld, places; /* see tiles_columns */
  int64_t numbers, records;
};

/* The kernel for WARPS warps of a set; SINGLE: with one record at a time.  */
template <typename T, int WARPS, bool SINGLE> struct tiles_kernel
{
  typedef ge_real<T> R;
  static constexpr int PARTS = tiles_space<T>::PARTS,
                       SETS = SINGLE ? 1 : sets<R, PARTS, WARPS> (),
                       RING = SINGLE ? 1 : pieces_at_once<R, PARTS, WARPS> (),
                       THREADS = SETS * WARPS * 32,
                       CHAIN = tiles_shape<R, PARTS, WARPS>::CHAIN,
                       AT_ONCE = CHASE_GROUPS / CHAIN; /* chains */
  static constexpr int COLUMNS = columns_of_warps<T, WARPS> ();
  static constexpr size_t SHARED
      = SETS * sizeof (tiles_memory<R, PARTS, WARPS, RING>);
  static_assert (SHARED <= (size_t) (SINGLE ? GE_LEAST_SHARED
                                            : (int) TILES_SHARED),
                 "the records");
  static constexpr auto *KERNEL
      = chase_tiles_kernel<R, PARTS, WARPS, RING, SETS>;
};

/* Apply all groups of sweeps to the columns, from the last to the first.  */
template <typename T, int WARPS, bool SINGLE>
static gpueig_status
apply_groups (gpueig_context *ctx, const tiles_call<T> &q,
              chase_record_of<T> *records)
{
  typedef tiles_kernel<T, WARPS, SINGLE> K;
  constexpr int PARTS = K::PARTS, CHAIN = K::CHAIN;
  const int64_t sweeps = ge_chase_sweeps (q.n),
                groups = (sweeps + CHASE_SWEEPS - 1) / CHASE_SWEEPS;
  tiles_arguments<typename K::R, PARTS> a
      = { q.columns.z + 1,
          (int) q.columns.ld,
          (size_t) q.columns.ld * (PARTS == 2 ? q.columns.places : 8),
          { q.n, ge_chase_most_tasks (q.n, GE_BAND), 0, 0, CHAIN, { 0 } },
          records };
  chase_plan &p = a.plan;
  GE_ALLOW_SHARED (K::KERNEL, K::SHARED);
  for (p.first = (groups - 1) / CHAIN * CHAIN; p.first >= 0;
       p.first -= p.chains * CHAIN)
    {
      p.chains = p.first / CHAIN + 1;
      if (p.chains > K::AT_ONCE)
        p.chains = K::AT_ONCE;
      for (int64_t y = 0; y < p.chains; y++)
        p.offset[y + 1]
            = p.offset[y]
              + CHAIN * chase_group_tasks (q.n, p.first - y * CHAIN);
      GE_TRY ((ge_cuda_make_records<T> (ctx, &p, q.v, q.tau, records)));
      GE_LAUNCH_AS ("chase_tiles_kernel", K::KERNEL,
                    (unsigned) (q.columns.places / K::COLUMNS), K::THREADS,
                    K::SHARED, a);
      if (q.n >= GE_STOPPABLE)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

/* Space for COLUMNS columns, in multiples of BLOCK.  */
template <typename T>
static tiles_space<T>
space_for (int64_t n, int64_t columns, int64_t block)
{
  typedef tiles_space<T> S;
  tiles_space<T> s;
  s.places = (columns + block - 1) / block * block;
  /* the windows of a chain extend so far past the last row */
  s.ld = (n + 2 * GE_BAND + 2 * CHASE_SWEEPS * S::MOST_CHAIN + 5) / S::ALIGNED
         * S::ALIGNED;
  s.numbers = s.ld * s.places * S::PARTS + S::ALIGNED;
  s.records = CHASE_GROUPS * ge_chase_most_tasks (n, GE_BAND);
  return s;
}

/* Apply all reflectors to COLUMNS columns of Z, WARPS warps of a set, in a padded copy whose real
   and imaginary parts are apart.  */
template <typename T, int WARPS, bool SINGLE>
static gpueig_status
chase_back (gpueig_context *ctx, tiles_call<T> q, int64_t columns, T *z)
{
  typedef tiles_kernel<T, WARPS, SINGLE> K;
  const int64_t n = q.n;
  const tiles_space<T> s = space_for<T> (n, columns, K::COLUMNS);
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

/* The columns that all multiprocessors take at once, of WARPS warps each.  */
template <typename T, int WARPS>
static int64_t
columns_at_once (const ge_cuda *cuda)
{
  return (int64_t) cuda->multiprocessors * columns_of_warps<T, WARPS> ();
}

/* Choose the warps of a set, so that no multiprocessor is idle.  Columns are done in
   passes of as many as occupy the GPU once or twice; the last pass may have fewer warps.  */
template <typename T>
static gpueig_status
choose_warps (gpueig_context *ctx, const tiles_call<T> &q, int64_t columns,
              T *z)
{
  constexpr bool DOUBLE = sizeof (ge_real<T>) == sizeof (double);
  constexpr int MANY = DOUBLE ? 2 : MOST_WARPS, HALF = DOUBLE ? 2 : 4,
                FEW = HALF / 2;
  const ge_cuda *cuda = ge_cuda_of (ctx);
  const bool single = ! cuda->clusters || cuda->shared_per_block < TILES_SHARED;
  const int64_t most = columns_at_once<T, MOST_WARPS> (cuda),
                half = columns_at_once<T, HALF> (cuda);
  for (int64_t left = columns; left > 0;)
    {
      int64_t pass = left < most ? left : most;
      if (single)
        GE_TRY ((chase_back<T, MOST_WARPS, true> (ctx, q, pass, z)));
      else if (pass > most - most / 16)
        GE_TRY ((chase_back<T, MANY, false> (ctx, q, pass, z)));
      else if (pass <= columns_at_once<T, FEW> (cuda))
        GE_TRY ((chase_back<T, FEW, false> (ctx, q, pass, z)));
      else
        {
          pass = pass < half ? pass : half;
          GE_TRY ((chase_back<T, HALF, false> (ctx, q, pass, z)));
        }
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
  const int64_t most = columns_at_once<T, MOST_WARPS> (ge_cuda_of (ctx));
  const tiles_space<T> s = space_for<T> (n, columns < most ? columns : most,
                                         columns_of_warps<T, MOST_WARPS> ());
  return (double) s.numbers * sizeof (ge_real<T>)
         + (double) s.records * sizeof (chase_record_of<T>);
}

GE_INSTANTIATE (ge_cuda_chase_back)
GE_INSTANTIATE (ge_cuda_chase_back_bytes)
