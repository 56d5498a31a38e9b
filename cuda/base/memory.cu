/* Problems in memory of a GPU: where it is, copies, and what core asks of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/numbers.cuh"
#include "base/teams.cuh"

#include <limits.h>

/* --- memory --- */

/* *DEVICE: the GPU that has POINTER, -1 for host memory.  */
static gpueig_status
find_gpu (gpueig_context *ctx, const void *pointer, int *device)
{
  cudaPointerAttributes attributes;
  CU (cudaPointerGetAttributes (&attributes, pointer));
  *device = attributes.type == cudaMemoryTypeDevice
                    || attributes.type == cudaMemoryTypeManaged
                ? attributes.device
                : -1;
  return GPUEIG_OK;
}

static gpueig_status
locate (gpueig_context *ctx, const void *pointer, int *device)
{
  GE_TRY (find_gpu (ctx, pointer, device));
  return *device >= 0
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                            "the place is GPUEIG_DEVICE, but an array is not "
                            "in memory of a GPU");
}

/* Without a copy through the host, where the hardware can.  */
static int
reaches (gpueig_context *ctx, int device)
{
  const int mine = ge_cuda_of (ctx)->device;
  int can = mine == device;
  if (can || cudaDeviceCanAccessPeer (&can, mine, device) != cudaSuccess
      || ! can)
    return can;
  const cudaError_t error = cudaDeviceEnablePeerAccess (device, 0);
  if (error != cudaSuccess)
    (void) cudaGetLastError ();
  return error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
}

static gpueig_status
wait_for_caller (gpueig_context *ctx)
{
  GE_TRY (ge_wait (ctx));
  CU (cudaStreamSynchronize (cudaStreamLegacy));
  return GPUEIG_OK;
}

static gpueig_status
copy (gpueig_context *ctx, void *to, const void *from, size_t bytes)
{
  gpueig_info info = {};
  int source, target;
  GE_TRY (find_gpu (ctx, from, &source));
  GE_TRY (find_gpu (ctx, to, &target));
  if (source < 0)
    return ge_upload_bytes (ctx, to, from, bytes, &info);
  if (target < 0)
    return ge_download_bytes (ctx, to, from, bytes, &info);
  CU (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDefault,
                       ge_cuda_of (ctx)->stream));
  return ge_wait (ctx);
}

static gpueig_status
put (gpueig_context *ctx, void *to, const void *from, size_t bytes, int direct)
{
  gpueig_info info = {};
  return direct             ? ge_move (ctx, to, from, bytes, cudaMemcpyDefault)
         : bytes <= GE_POST ? ge_post (ctx, to, from, bytes)
                            : ge_upload_bytes (ctx, to, from, bytes, &info);
}

static gpueig_status
get (gpueig_context *ctx, void *to, const void *from, size_t bytes, int direct)
{
  GE_TRY (ge_move (ctx, to, from, bytes,
                   direct ? cudaMemcpyDefault : cudaMemcpyDeviceToHost));
  return ge_wait (ctx);
}

/* --- inspection ---

   A block takes a pair of tiles, one above the diagonal and its mirror image, and loads
   both by rows of the tile; the image is read in shared memory.  */

enum
{
  TILE = 32,
  ROWS = 8 /* of threads */
};

/* Doubles in an order that unsigned integers have, so that they can be compared by
   atomic operations.  */
struct page_found
{
  unsigned long long largest, least, most; /* see ge_page_facts */
  int bad;                                 /* a part is not finite */
  int different;                           /* not the conjugate transpose */
};

static __host__ __device__ unsigned long long
ordered (double x)
{
  long long bits;
  memcpy (&bits, &x, sizeof bits);
  return bits < 0 ? ~(unsigned long long) bits
                  : (unsigned long long) bits | 1ULL << 63;
}

static double
from_ordered (unsigned long long key)
{
  const unsigned long long bits = key >> 63 ? key & ~(1ULL << 63) : ~key;
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static __global__ void
clear_found (int64_t pages, page_found *found)
{
  const int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t p = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; p < pages;
       p += step)
    {
      found[p].largest = ordered (0);
      found[p].least = ULLONG_MAX;
      found[p].most = 0;
      found[p].bad = found[p].different = 0;
    }
}

/* The larger of PART and of the parts of X; *BAD if they are not finite.  */
template <typename T>
GE_DEVICE_INLINE double
larger_part (double part, T x, int *bad)
{
  const double re = real_part (x), im = imaginary_part (x);
  /* x - x is 0 for finite x only.  */
  *bad |= ! (re - re == 0) || ! (im - im == 0);
  return fmax (part, fmax (fabs (re), fabs (im)));
}

/* The element (I, J) of the page, zero outside.  */
template <typename T>
GE_DEVICE_INLINE T
element (const T *a, int64_t n, int64_t i, int64_t j)
{
  return i < n && j < n ? a[i + n * j] : zero<T> ();
}

/* Findings of the threads of a block in tiles of one page.  */
struct tile_facts
{
  double part;
  int bad, different;
};

/* Called by all threads of a block.  */
GE_DEVICE_INLINE void
flush_facts (const tile_facts *f, page_found *found)
{
  const double part = cooperative_groups::reduce (
      this_warp (), f->part, cooperative_groups::greater<double> ());
  const int bad = __syncthreads_or (f->bad);
  const int different = __syncthreads_or (f->different);
  if (this_warp ().thread_rank () == 0 && part > 0)
    atomicMax (&found->largest, ordered (part));
  if (threadIdx.x == 0 && threadIdx.y == 0 && bad)
    found->bad = 1;
  if (threadIdx.x == 0 && threadIdx.y == 0 && different)
    found->different = 1;
}

/* Pair number PAIR of tiles: ROW <= COLUMN.  */
GE_DEVICE_INLINE void
tiles_of_pair (int64_t pair, int64_t *row, int64_t *column)
{
  int64_t c = (int64_t) ((sqrt (8.0 * (double) pair + 1) - 1) / 2);
  while (c * (c + 1) / 2 > pair)
    c--;
  while ((c + 1) * (c + 2) / 2 <= pair)
    c++;
  *column = c;
  *row = pair - c * (c + 1) / 2;
}

/* Compare the tile (ROW, COLUMN) of the page AT with its mirror image, for *F and, unless it
   is NULL, *FOUND.  Called by all threads of a block.  */
template <typename T>
GE_DEVICE_INLINE void
look_at_tiles (const T *at, int64_t n, int64_t row, int64_t column,
               tile_facts *f, page_found *found)
{
  __shared__ T image[TILE][TILE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int c = y; c < TILE; c += ROWS)
    {
      const T below = element (at, n, column * TILE + x, row * TILE + c);
      image[c][x] = below;
      f->part = larger_part (f->part, below, &f->bad);
    }
  __syncthreads ();
  for (int c = y; c < TILE; c += ROWS)
    {
      const int64_t i = row * TILE + x, j = column * TILE + c;
      const T other = image[x][c];
      const T above = row == column ? image[c][x] : element (at, n, i, j);
      f->part = larger_part (f->part, above, &f->bad);
      f->different |= ! (real_part (above) == real_part (other)
                         && imaginary_part (above) == -imaginary_part (other));
      if (found && i == j && i < n)
        {
          const unsigned long long key = ordered ((double) real_part (above));
          atomicMin (&found->least, key);
          atomicMax (&found->most, key);
        }
    }
  __syncthreads (); /* before the image is written again */
}

template <typename T>
GE_KERNEL (TILE *ROWS)
inspect_kernel (const T *a, int64_t n, int64_t tiles, int64_t pages,
                page_found *found)
{
  const int64_t pairs = tiles * (tiles + 1) / 2, all = pairs * pages;
  int64_t last = blockIdx.x / pairs;
  tile_facts f = { 0, 0, 0 };
  for (int64_t k = blockIdx.x; k < all; k += gridDim.x)
    {
      const int64_t page = k / pairs;
      int64_t row, column;
      tiles_of_pair (k % pairs, &row, &column);
      if (page != last)
        {
          flush_facts (&f, found + last);
          f.part = 0;
          f.bad = f.different = 0;
          last = page;
        }
      look_at_tiles (a + page * n * n, n, row, column, &f, found + page);
    }
  if (blockIdx.x < all)
    flush_facts (&f, found + last);
}

enum
{
  BLOCKS_PER_MULTIPROCESSOR = 8
};

template <typename T>
static gpueig_status
launch (gpueig_context *ctx, const void *a, int64_t n, int64_t pages,
        page_found *found)
{
  const int64_t tiles = (n + TILE - 1) / TILE;
  const int64_t most
      = (int64_t) ge_cuda_of (ctx)->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
  const double pieces
      = (double) tiles * (double) (tiles + 1) / 2 * (double) pages;
  const unsigned blocks
      = (unsigned) (pieces < (double) most ? pieces : (double) most);
  GE_LAUNCH (clear_found, 64, 256, 0, pages, found);
  GE_LAUNCH (inspect_kernel<T>, blocks, dim3 (TILE, ROWS), 0, (const T *) a, n,
             tiles, pages, found);
  return GPUEIG_OK;
}

/* *BAD becomes 1 if a number of PAGES pages of order N is not finite, or not the conjugate of
   its mirror image.  A block takes the same tiles of several pages.  */
template <typename T>
GE_KERNEL (TILE *ROWS)
symmetry_kernel (const T *a, int64_t n, int64_t pages, int *bad)
{
  int64_t row, column;
  tile_facts f = { 0, 0, 0 };
  tiles_of_pair (blockIdx.x, &row, &column);
  for (int64_t page = blockIdx.y; page < pages; page += gridDim.y)
    look_at_tiles (a + page * n * n, n, row, column, &f, (page_found *) NULL);
  if (f.bad | f.different)
    *bad = 1;
}

template <typename T>
static gpueig_status
launch_symmetry (gpueig_context *ctx, const void *a, int64_t n, int64_t pages,
                 int *bad)
{
  const int64_t tiles = (n + TILE - 1) / TILE, pairs = tiles * (tiles + 1) / 2;
  const int64_t blocks
      = (int64_t) ge_cuda_of (ctx)->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
  const int64_t most = blocks / pairs + 1;
  GE_TRY (ge_one_launch (ctx, pairs, pages));
  GE_LAUNCH (symmetry_kernel<T>,
             dim3 ((unsigned) pairs, (unsigned) (pages < most ? pages : most)),
             dim3 (TILE, ROWS), 0, (const T *) a, n, pages, bad);
  return GPUEIG_OK;
}

static gpueig_status
check_symmetry (gpueig_context *ctx, gpueig_type type, const void *a, int64_t n,
                int64_t pages)
{
  int *bad, host;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &bad));
  GE_TRY (ge_clear (ctx, bad, 1));
  GE_TRY (GE_CUDA_BY_TYPE (type, launch_symmetry, (ctx, a, n, pages, bad)));
  GE_TRY (ge_fetch (ctx, &host, bad, 1));
  return host ? GPUEIG_NOT_SYMMETRIC : GPUEIG_OK;
}

static gpueig_status
inspect (gpueig_context *ctx, gpueig_type type, const void *a, int64_t n,
         int64_t pages, ge_page_facts *facts)
{
  page_found *found, *host;
  if (! facts)
    return check_symmetry (ctx, type, a, n, pages);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &found));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &host));
  GE_TRY (GE_CUDA_BY_TYPE (type, launch, (ctx, a, n, pages, found)));
  GE_TRY (ge_fetch (ctx, host, found, pages));
  for (int64_t p = 0; p < pages; p++)
    {
      facts[p].largest = from_ordered (host[p].largest);
      facts[p].least_diagonal = from_ordered (host[p].least);
      facts[p].most_diagonal = from_ordered (host[p].most);
      facts[p].finite = ! host[p].bad;
      facts[p].symmetric = ! host[p].bad && ! host[p].different;
    }
  return GPUEIG_OK;
}

/* --- copies during the computation --- */

static int
enter (gpueig_context *ctx)
{
  return cudaSetDevice (ge_cuda_of (ctx)->device);
}

static int
start (gpueig_context *ctx, int lane, void *to, const void *from, size_t bytes)
{
  return cudaMemcpyAsync (to, from, bytes, cudaMemcpyDefault,
                          ge_cuda_of (ctx)->copy[lane]);
}

static int
finish (gpueig_context *ctx, int lane)
{
  return cudaStreamSynchronize (ge_cuda_of (ctx)->copy[lane]);
}

static gpueig_status
failure (gpueig_context *ctx, int error)
{
  return ge_cuda_status (ctx, (cudaError_t) error,
                         "a copy between host and GPU");
}

extern "C" const ge_device_memory ge_cuda_device_memory
    = { locate,  reaches,       wait_for_caller, copy,  put,    get,
        inspect, ge_open_lanes, enter,           start, finish, failure };
