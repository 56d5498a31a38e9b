/* Vectors of the tridiagonal matrix to those of the band, real double precision, by the
   tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The same block reflectors as in chase_back.cu, of 32 sweeps.  A warp owns 16 columns
   of Z and works on their transpose: the rows of the current windows are in its
   registers, as accumulators of the tensor cores, 8 columns a tile.  Window k of CHAIN
   groups, one after the other, are b + 32 CHAIN rows; from k to k + 1 they move
   on by b rows: b new ones are read, b are done.  So Z is read and written once
   every 32 CHAIN sweeps, which would else take longer than the products.

     W = Z' V,  W <- -W T',  Z' <- Z' + W V'

   V is a parallelogram, reflector r is zero but in rows r .. r + b - 1 of its window:
   in tiles of 8, reflectors 8 m .. 8 m + 7 need the tiles m .. m + b / 8.  V and
   -T' come as records, made before by a kernel, and are copied to shared
   memory one task ahead, as the new rows are.  */

#include "base/cluster.cuh"
#include "base/tensor.cuh"
#include "tridiagonal/chase_back.cuh"
#include "tridiagonal/schedule.h"
#include "tridiagonal/tridiagonal.cuh"

enum
{
  SWEEPS = 32, /* of a group */
  CHAINS_AT_ONCE = 8,
  ODD_T = SWEEPS + 8, /* distances of rows in shared memory: no bank conflicts */
  COLUMNS = 16        /* of Z, a warp */
};

#define ODD_V(B) ((B) + SWEEPS + 8)
#define ODD_Z(B) ((B) + 8)
/* Numbers of a record, laid out as shared memory wants it.  */
#define RECORD(B) (SWEEPS * (ODD_V (B) + ODD_T))

/* --- records --- */

/* Chains of CHAIN groups: the first begins with group FIRST, the next with FIRST -
   CHAIN, ...; where the records of each begin.  They are in the order in which
   they are used: task by task, in a task from the chain's last group to its
   first.  */
typedef struct
{
  int64_t n, most_tasks;
  const double *v, *tau;
  int64_t first, chains, chain;
  int64_t offset[CHAINS_AT_ONCE + 1];
} record_plan;

/* Tasks of group S, 0 behind the last one.  */
static __host__ __device__ inline int64_t
group_tasks (int64_t n, int64_t b, int64_t s)
{
  const int64_t s0 = s * SWEEPS;
  return s0 < ge_chase_sweeps (n) ? ge_chase_tasks (n, b, s0) : 0;
}

/* Task blockIdx.x of group z of chain y: V, row after row of V', halves of 16 numbers
   exchanged in every second four rows, and -T', row i holding -T (j, i) for
   j = 0 .. 31 (zero for j > i).  */
template <int B>
static __global__ void
record_kernel (record_plan p, double *records)
{
  constexpr int HEIGHT = B + SWEEPS;
  __shared__ double v[SWEEPS][HEIGHT + 1], t[SWEEPS][SWEEPS + 1], tau[SWEEPS];
  const int64_t low = p.first - (int64_t) blockIdx.y * p.chain, k = blockIdx.x;
  const int64_t s0 = (low + blockIdx.z) * SWEEPS;
  if (k >= group_tasks (p.n, B, low + blockIdx.z))
    return;
  int64_t place = p.offset[blockIdx.y];
  for (int64_t c = 0; c < p.chain; c++)
    {
      const int64_t tasks = group_tasks (p.n, B, low + c);
      place += k < tasks ? k : tasks;
      place += c > blockIdx.z && k < tasks;
    }
  const int64_t row0 = ge_chase_row (B, s0, k);
  double *record = records + RECORD (B) * place;
  const int threads = (int) blockDim.x, x = (int) threadIdx.x;
  for (int e = x; e < SWEEPS * HEIGHT; e += threads)
    {
      const int r = e / HEIGHT, i = e % HEIGHT;
      const int64_t sweep = s0 + r, row = row0 + i;
      double value = 0;
      if (sweep < ge_chase_sweeps (p.n) && i >= r && i < r + B && row < p.n)
        value = p.v[ge_chase_offset (p.n, sweep) + row - sweep - 1];
      v[r][i] = value;
      record[r * ODD_V (B) + (i ^ ((r & 4) << 1))] = value;
    }
  if (x < SWEEPS)
    tau[x] = s0 + x < ge_chase_sweeps (p.n)
                     && k < ge_chase_tasks (p.n, B, s0 + x)
                 ? p.tau[k + p.most_tasks * (s0 + x)]
                 : 0;
  __syncthreads ();
  for (int e = x; e < SWEEPS * SWEEPS; e += threads)
    {
      const int i = e / SWEEPS, j = e % SWEEPS;
      double sum = 0;
      for (int r = j; i < j && r < i + B; r++)
        sum = fma (v[i][r], v[j][r], sum);
      t[i][j] = sum;
    }
  __syncthreads ();
  /* xLARFT's recurrence, thread i has row i */
  if (x < SWEEPS)
    {
      const ge_warp warp = this_warp ();
      for (int j = 0; j < SWEEPS; j++)
        {
          double sum = 0;
          for (int l = x; l < j; l++)
            sum = fma (t[x][l], t[l][j], sum);
          warp.sync ();
          if (x < j)
            t[x][j] = -tau[j] * sum;
          else if (x == j)
            t[x][x] = tau[x];
          warp.sync ();
        }
    }
  __syncthreads ();
  for (int e = x; e < SWEEPS * SWEEPS; e += threads)
    {
      const int i = e / SWEEPS, j = e % SWEEPS;
      record[SWEEPS * ODD_V (B) + i * ODD_T + j] = j <= i ? -t[j][i] : 0;
    }
}

/* --- the product --- */

/* Shared memory of a block: records on their way, twice the new rows of every warp, and
   the barriers at which they arrive.  */
template <int B, int WARPS, int RECORDS> struct tiles_memory
{
  double record[RECORDS][RECORD (B)];
  double rows[WARPS][2][COLUMNS * ODD_Z (B)];
  arrival record_came[RECORDS], rows_came[WARPS][2];
};

/* A warp's view of its work.  */
template <int B, int WARPS, int RECORDS> struct tiles_state
{
  tiles_memory<B, WARPS, RECORDS> *memory;
  const double *records; /* the next one to fetch */
  int64_t left;          /* that many */
  int turn;              /* records used */
  int row_turn;          /* sets of new rows used */
  double *z;
  int ldz, lane, wid;
};

#define TILES_TEMPLATE template <int B, int WARPS, int RECORDS>
#define TILES_STATE tiles_state<B, WARPS, RECORDS>

/* The record that is used as number NUMBER, by one thread.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_record (TILES_STATE &s, int number)
{
  if (s.left == 0)
    return;
  if (threadIdx.x == 0)
    {
      arrival *a = s.memory->record_came + number % RECORDS;
      expect_bytes (a, RECORD (B) * sizeof (double));
      copy_in_bulk (s.memory->record[number % RECORDS], s.records,
                    RECORD (B) * sizeof (double), a);
    }
  s.records += RECORD (B);
  s.left--;
}

/* B rows of the warp's columns from ROW on, as set NUMBER.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_rows (const TILES_STATE &s, int row, int number)
{
  arrival *a = &s.memory->rows_came[s.wid][number & 1];
  double *to = s.memory->rows[s.wid][number & 1];
  if (s.lane == 0)
    expect_bytes (a, COLUMNS * B * sizeof (double));
  if (s.lane < COLUMNS)
    copy_in_bulk (to + s.lane * ODD_Z (B), s.z + s.lane * s.ldz + row,
                  B * sizeof (double), a);
}

/* A tile of the accumulators, 8 rows of 16 columns of Z, from shared or device memory
   and to device memory.  */
template <bool SHARED>
GE_DEVICE_INLINE void
load_tile (double tile[4], const double *z, int ld, int lane)
{
  const double2 *x = (const double2 *) (z + lane / 4 * ld + lane % 4 * 2);
  const double2 *y = (const double2 *) (z + (lane / 4 + 8) * ld + lane % 4 * 2);
  const double2 a = SHARED ? *x : __ldcg (x), b = SHARED ? *y : __ldcg (y);
  tile[0] = a.x;
  tile[1] = a.y;
  tile[2] = b.x;
  tile[3] = b.y;
}
GE_DEVICE_INLINE void
store_tile (const double tile[4], double *z, int ld, int lane)
{
  __stcg ((double2 *) (z + lane / 4 * ld + lane % 4 * 2),
          make_double2 (tile[0], tile[1]));
  __stcg ((double2 *) (z + (lane / 4 + 8) * ld + lane % 4 * 2),
          make_double2 (tile[2], tile[3]));
}

#ifdef GPUEIG_EMULATED
GE_DEVICE_INLINE double2
shared_pair (const double *p)
{
  return *(const double2 *) p;
}
GE_DEVICE_INLINE double
shared_one (const double *p)
{
  return *p;
}
#else
/* Loads that the compiler leaves where they stand: hoisted, they would need more
   registers than there are.  */
GE_DEVICE_INLINE double2
shared_pair (const double *p)
{
  double2 x;
  asm volatile ("ld.shared.v2.f64 {%0, %1}, [%2];"
                : "=d"(x.x), "=d"(x.y)
                : "r"((unsigned) __cvta_generic_to_shared (p)));
  return x;
}
GE_DEVICE_INLINE double
shared_one (const double *p)
{
  double x;
  asm volatile ("ld.shared.f64 %0, [%1];"
                : "=d"(x)
                : "r"((unsigned) __cvta_generic_to_shared (p)));
  return x;
}
#endif

/* The block reflector RECORD on the window that begins with tile FROM of Z.  An
   accumulator is the next product's left operand as it is, if the right operand's
   rows are taken in the order 0, 2, 4, 6, 1, 3, 5, 7; W keeps its columns in the
   natural order by taking V's in the order SIGMA.  */
template <int B, int CHAIN>
GE_DEVICE_INLINE void
apply_record (double (&z)[B / 8 + 4 * CHAIN][4], int from,
              const double *record, int lane)
{
  const double *v_rows = record, *t_rows = record + SWEEPS * ODD_V (B);
  constexpr int TILES = B / 8 + 4, M = SWEEPS / 8;
  const int r = lane / 4, c = lane % 4, sigma = r / 2 + 4 * (r & 1);
  double w[M][4], tw[M][4];
#pragma unroll
  for (int m = 0; m < M; m++)
#pragma unroll
    for (int q = 0; q < 4; q++)
      w[m][q] = tw[m][q] = 0;
#pragma unroll
  for (int k = 0; k < TILES; k++)
#pragma unroll
    for (int m = 0; m < M; m++)
      if (m <= k && k <= m + B / 8)
        {
          const int reflector = 8 * m + sigma;
          const double2 v
              = shared_pair (v_rows + reflector * ODD_V (B)
                             + ((8 * k + 2 * c) ^ ((reflector & 4) << 1)));
          const double *x = z[from + k];
          multiply_tiles (w[m], x[0], x[2], x[1], x[3], v.x, v.y);
        }
#pragma unroll
  for (int m = 0; m < M; m++)
#pragma unroll
    for (int q = 0; q <= m; q++)
      {
        const double *t = t_rows + (8 * m + c) * ODD_T + 8 * q + sigma;
        multiply_tiles (tw[q], w[m][0], w[m][2], w[m][1], w[m][3],
                        shared_one (t), shared_one (t + 4 * ODD_T));
      }
#pragma unroll
  for (int m = 0; m < M; m++)
#pragma unroll
    for (int k = 0; k < TILES; k++)
      if (m <= k && k <= m + B / 8)
        {
          const double *v = v_rows + (8 * m + c) * ODD_V (B) + r;
          multiply_tiles (z[from + k], tw[m][0], tw[m][2], tw[m][1], tw[m][3],
                          shared_one (v + 8 * k),
                          shared_one (v + 4 * ODD_V (B) + ((8 * k) ^ 8)));
        }
}

/* The rows of the windows move on: those that are done are stored, new ones come
   from shared memory.  */
template <int B, int CHAIN>
GE_DEVICE_INLINE void
store_done (double (&x)[B / 8 + 4 * CHAIN][4], double *z, int ldz, int lane)
{
#pragma unroll
  for (int k = 0; k < B / 8; k++)
    store_tile (x[k], z + 8 * k, ldz, lane);
#pragma unroll
  for (int k = 0; k < 4 * CHAIN; k++)
#pragma unroll
    for (int q = 0; q < 4; q++)
      x[k][q] = x[k + B / 8][q];
}

/* The windows of CHAIN groups from group LOW on.  */
template <int CHAIN, int B, int WARPS, int RECORDS>
GE_DEVICE_INLINE void
apply_chain (TILES_STATE &s, const ge_warp &warp, int n, int low)
{
  constexpr int TILES = B / 8 + 4 * CHAIN;
  const int row0 = low * SWEEPS;
  int tasks[CHAIN];
#pragma unroll
  for (int c = 0; c < CHAIN; c++)
    tasks[c] = (int) group_tasks (n, B, low + c);
  double x[TILES][4];
  /* the chain before has written what is read now */
  publish_for_bulk_copies ();
  warp.sync ();
#pragma unroll
  for (int k = 0; k < 4 * CHAIN; k++)
    load_tile<false> (x[k], s.z + row0 + 8 * k, s.ldz, s.lane);
  fetch_rows (s, row0 + SWEEPS * CHAIN, s.row_turn);
  for (int task = 0; task < tasks[0]; task++)
    {
      const int row = row0 + B * task, set = s.row_turn & 1;
      wait_for_phase (&s.memory->rows_came[s.wid][set],
                      (unsigned) (s.row_turn >> 1) & 1);
#pragma unroll
      for (int k = 0; k < B / 8; k++)
        load_tile<true> (x[k + 4 * CHAIN],
                         s.memory->rows[s.wid][set] + 8 * k, ODD_Z (B), s.lane);
      s.row_turn++;
      warp.sync ();
      if (task + 1 < tasks[0])
        fetch_rows (s, row + B + SWEEPS * CHAIN, s.row_turn);
#pragma unroll
      for (int c = CHAIN - 1; c >= 0; c--)
        if (task < tasks[c])
          {
            /* all warps are done with the record before, its place is free */
            __syncthreads ();
            fetch_record (s, s.turn + RECORDS - 1);
            wait_for_phase (s.memory->record_came + s.turn % RECORDS,
                            (unsigned) (s.turn / RECORDS) & 1);
            apply_record<B, CHAIN> (x, 4 * c,
                                    s.memory->record[s.turn % RECORDS], s.lane);
            s.turn++;
          }
      store_done<B, CHAIN> (x, s.z + row, s.ldz, s.lane);
    }
#pragma unroll
  for (int k = 0; k < 4 * CHAIN; k++)
    store_tile (x[k], s.z + row0 + B * tasks[0] + 8 * k, s.ldz, s.lane);
}

/* CHAINS chains, the first from group FIRST on, with COUNT records on Z; a block has WARPS * 16 columns.  Z: row 1 of the first column,
   16-byte aligned, LDZ even; behind the n - 1 rows there is room for a chain's
   windows.  */
template <int B, int WARPS, int RECORDS, int CHAIN>
static __global__ void
__launch_bounds__ (WARPS * 32, 1)
    chase_back_kernel (double *z, int ldz, int n, int first, int chains,
                       const double *records, int64_t count)
{
  extern __shared__ __align__ (16) unsigned char tiles_bytes[];
  const ge_warp warp = this_warp ();
  TILES_STATE s;
  s.memory = (tiles_memory<B, WARPS, RECORDS> *) tiles_bytes;
  s.records = records;
  s.left = count;
  s.turn = s.row_turn = 0;
  s.lane = (int) warp.thread_rank ();
  s.wid = (int) threadIdx.x / 32;
  s.ldz = ldz;
  s.z = z + (size_t) (blockIdx.x * WARPS + s.wid) * COLUMNS * (size_t) ldz;
  if (threadIdx.x < RECORDS)
    begin_arrivals (s.memory->record_came + threadIdx.x);
  if (s.lane < 2)
    begin_arrivals (&s.memory->rows_came[s.wid][s.lane]);
  __syncthreads ();
  for (int i = 0; i < RECORDS - 1; i++)
    fetch_record (s, i);
  for (int q = 0; q < chains; q++)
    apply_chain<CHAIN> (s, warp, n, first - q * CHAIN);
}

/* --- the driver --- */

/* Groups of a chain: what the registers hold.  */
template <int B>
static constexpr int
chain_length (void)
{
  return B == 32 ? 3 : 2;
}

/* Records in shared memory: what it holds beside the rows.  */
template <int B, int WARPS>
static constexpr int
records_at_once (void)
{
  return B == 64 && WARPS == 8 ? 2 : 3;
}

/* All groups of sweeps, from the last to the first, on BLOCKS blocks' columns.  */
template <int B, int WARPS>
static gpueig_status
apply_groups (gpueig_context *ctx, record_plan *p, double *records, double *z,
              int64_t ldz, int64_t blocks)
{
  constexpr int CHAIN = chain_length<B> ();
  constexpr int RECORDS = records_at_once<B, WARPS> ();
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t groups = (ge_chase_sweeps (p->n) + SWEEPS - 1) / SWEEPS;
  const size_t bytes = sizeof (tiles_memory<B, WARPS, RECORDS>);
  CU (cudaFuncSetAttribute (chase_back_kernel<B, WARPS, RECORDS, CHAIN>,
                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                            (int) bytes));
  p->chain = CHAIN;
  for (p->first = (groups - 1) / CHAIN * CHAIN; p->first >= 0;
       p->first -= p->chains * CHAIN)
    {
      p->chains = p->first / CHAIN + 1 < CHAINS_AT_ONCE
                      ? p->first / CHAIN + 1
                      : (int64_t) CHAINS_AT_ONCE;
      p->offset[0] = 0;
      for (int64_t q = 0; q < p->chains; q++)
        {
          p->offset[q + 1] = p->offset[q];
          for (int64_t c = 0; c < CHAIN; c++)
            p->offset[q + 1] += group_tasks (p->n, B, p->first - q * CHAIN + c);
        }
      const int64_t most
          = group_tasks (p->n, B, p->first - (p->chains - 1) * CHAIN);
      record_kernel<B>
          <<<dim3 ((unsigned) most, (unsigned) p->chains, CHAIN), 128, 0,
             stream>>> (*p, records);
      LAUNCHED ();
      chase_back_kernel<B, WARPS, RECORDS, CHAIN>
          <<<(unsigned) blocks, WARPS * 32, bytes, stream>>> (
              z, (int) ldz, (int) p->n, (int) p->first, (int) p->chains,
              records, p->offset[p->chains]);
      LAUNCHED ();
      if (p->n >= GE_STOPPABLE)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

template <int B, int WARPS>
static gpueig_status
chase_back_tiles (gpueig_context *ctx, int64_t n, const double *v,
                  const double *tau, int64_t columns, double *z)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t block = WARPS * COLUMNS;
  /* so many columns a pass as fill the GPU */
  int64_t blocks = (columns + block - 1) / block;
  if (blocks > cuda->multiprocessors)
    blocks = cuda->multiprocessors;
  const int64_t pass = blocks * block, most = ge_chase_most_tasks (n, B);
  /* windows of a chain reach so far behind the last row */
  const int64_t ldz = (n + 2 * B + 2 * SWEEPS * chain_length<B> () + 3) / 2 * 2;
  const size_t width = (size_t) n * sizeof (double);
  const size_t pitch = (size_t) ldz * sizeof (double);
  const int mark = ge_mark (ctx);
  const int64_t chained = CHAINS_AT_ONCE * chain_length<B> ();
  record_plan p = { n, most, v, tau, 0, 0, 0, { 0 } };
  double *padded, *records;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ldz * pass + 2, &padded));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, chained * most * RECORD (B), &records));
  /* row 0, which no reflector touches, before an address of 16 bytes */
  double *rows = padded + 1;
  CU (cudaMemsetAsync (padded, 0, (size_t) (ldz * pass + 2) * sizeof *padded,
                       cuda->stream));
  for (int64_t first = 0; first < columns; first += pass)
    {
      const int64_t count = columns - first < pass ? columns - first : pass;
      CU (cudaMemcpy2DAsync (rows, pitch, z + n * first, width, width,
                             (size_t) count, cudaMemcpyDeviceToDevice,
                             cuda->stream));
      GE_TRY ((apply_groups<B, WARPS> (ctx, &p, records, padded + 2, ldz,
                                       (count + block - 1) / block)));
      CU (cudaMemcpy2DAsync (z + n * first, width, rows, pitch, width,
                             (size_t) count, cudaMemcpyDeviceToDevice,
                             cuda->stream));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* As many warps a block as leave no multiprocessor idle: 2, 4 or 8.  */
template <int B>
static gpueig_status
choose_warps (gpueig_context *ctx, int64_t n, const double *v,
              const double *tau, int64_t columns, double *z)
{
  const int64_t filled = (int64_t) ge_cuda_of (ctx)->multiprocessors * COLUMNS;
  if (columns <= 2 * filled)
    return chase_back_tiles<B, 2> (ctx, n, v, tau, columns, z);
  if (columns <= 4 * filled)
    return chase_back_tiles<B, 4> (ctx, n, v, tau, columns, z);
  return chase_back_tiles<B, 8> (ctx, n, v, tau, columns, z);
}

gpueig_status
ge_cuda_chase_back_tiles (gpueig_context *ctx, int64_t n, int b,
                          const double *v, const double *tau, int64_t columns,
                          double *z)
{
  return b == 64 ? choose_warps<64> (ctx, n, v, tau, columns, z)
                 : choose_warps<32> (ctx, n, v, tau, columns, z);
}
