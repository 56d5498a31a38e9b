/* Sorting, positions of elements that are not zero.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Columns of real numbers that are short are sorted by a block each, by CUB's stable merge sort;
   longer ones in a few such pieces, after which each element counts what is before it in the
   other pieces; one column that is not very long by CUB's merge sort of the device, which is
   stable as well.  Otherwise all columns are sorted at once by its stable radix sort: positions
   by the keys of their elements (for complex numbers first the argument, then the modulus), and
   then by their columns.  One column of real numbers needs no positions.  */

#include "array/combine.cuh"

#include <cub/block/block_merge_sort.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <type_traits>

enum
{
  THREADS = 256,
  PIECE = 2048, /* numbers that one block sorts */
  MOST = 8 * PIECE
};

static unsigned
blocks_for (int64_t count)
{
  const int64_t blocks = (count + THREADS - 1) / THREADS;
  return (unsigned) (blocks < 65535 ? blocks : 65535);
}

#define FOR_ALL(i, count)                                                      \
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count;    \
       i += (int64_t) gridDim.x * THREADS)

/* --- keys --- */

/* The key of X; a pair has two, in this order: of the argument and of the modulus.  */
template <typename K, typename E>
GE_DEVICE_INLINE K
key_of (E x, int pass, int descending)
{
  if constexpr (! is_pair<E>::value)
    return el_key (x, descending);
  else if (el_is_nan (x))
    return el_key (x.re != x.re ? x.re : x.im, descending);
  else
    return el_key (pass ? el_abs (x) : el_arg (x), descending);
}

/* Keys of pass PASS of the elements X[AT[i]]; in pass 0 AT is set to 0, 1, ...  */
template <typename E, typename K>
GE_KERNEL (THREADS)
keys_kernel (int64_t count, int pass, int descending, const E *x, uint32_t *at,
             K *keys)
{
  FOR_ALL (i, count)
  {
    const uint32_t k = pass == 0 ? (uint32_t) i : at[i];
    if (pass == 0)
      at[i] = k;
    keys[i] = key_of<K> (x[k], pass, descending);
  }
}

GE_KERNEL (THREADS)
columns_kernel (int64_t count, uint32_t n, const uint32_t *at,
                uint32_t *columns)
{
  FOR_ALL (i, count)
  columns[i] = at[i] / n;
}

template <typename E>
GE_KERNEL (THREADS)
gather_kernel (int64_t count, uint32_t n, const E *x, const uint32_t *at, E *to,
               double *positions)
{
  FOR_ALL (i, count)
  {
    to[i] = x[at[i]];
    if (positions)
      positions[i] = (double) (at[i] % n + 1);
  }
}

/* --- sorting --- */

/* Sort COUNT positions AT by the lower BITS bits of their KEYS.  */
template <typename K>
static gpueig_status
sort_pairs (gpueig_context *ctx, int64_t count, int bits,
            cub::DoubleBuffer<K> *keys, cub::DoubleBuffer<uint32_t> *at)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  size_t bytes = 0;
  char *space;
  CU (cub::DeviceRadixSort::SortPairs (NULL, bytes, *keys, *at, count, 0, bits,
                                       stream));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (cub::DeviceRadixSort::SortPairs (space, bytes, *keys, *at, count, 0, bits,
                                       stream));
  return GPUEIG_OK;
}

template <typename K> struct is_before
{
  __device__ __forceinline__ bool
  operator() (K x, K y) const
  {
    return x < y;
  }
};

/* Sort pieces of at most EACH * WIDTH numbers, PIECES in each column of N, all but the last one of
   EACH * WIDTH if there are several; POSITIONS may be NULL.  */
template <typename R, typename K, int EACH, int WIDTH>
GE_KERNEL (WIDTH)
pieces_kernel (int64_t columns, int n, int pieces, int descending, const R *x,
               R *to, double *positions)
{
  typedef cub::BlockMergeSort<K, WIDTH, EACH, int> merge_sort;
  __shared__ typename merge_sort::TempStorage space;
  for (int64_t i = blockIdx.x; i < columns * pieces; i += gridDim.x)
    {
      const int first = (int) (i % pieces) * EACH * WIDTH;
      const int64_t start = i / pieces * n + first;
      const int count = n - first < EACH * WIDTH ? n - first : EACH * WIDTH;
      K keys[EACH];
      int at[EACH];
      for (int u = 0; u < EACH; u++)
        {
          at[u] = (int) threadIdx.x * EACH + u;
          keys[u]
              = at[u] < count ? el_key (x[start + at[u]], descending) : ~(K) 0;
        }
      merge_sort (space).StableSort (keys, at, is_before<K> (), count, ~(K) 0);
      for (int u = 0; u < EACH; u++)
        {
          const int k = (int) threadIdx.x * EACH + u;
          if (k >= count)
            break;
          to[start + k] = x[start + at[u]];
          if (positions)
            positions[start + k] = first + at[u] + 1;
        }
      __syncthreads ();
    }
}

template <typename R, typename K, int EACH, int WIDTH>
static gpueig_status
sort_pieces (gpueig_context *ctx, const ge_sort *s, R *to, double *at)
{
  const int pieces = (int) ((s->n + EACH * WIDTH - 1) / (EACH * WIDTH));
  const int64_t blocks = s->count * pieces;
  GE_LAUNCH ((pieces_kernel<R, K, EACH, WIDTH>),
             (unsigned) (blocks < INT32_MAX ? blocks : INT32_MAX), WIDTH, 0,
             s->count, (int) s->n, pieces, s->descending, (const R *) s->x, to,
             at);
  return GPUEIG_OK;
}

/* TO: the columns of N of X, COUNT elements, of which pieces of PIECE are sorted.  Of equal
   elements those of the first pieces come first.  */
template <typename R>
GE_KERNEL (THREADS)
merge_kernel (uint32_t count, uint32_t n, int descending, const R *x,
              const double *from, R *to, double *positions)
{
  for (uint32_t i = blockIdx.x * THREADS + threadIdx.x; i < count;
       i += gridDim.x * THREADS)
    {
      const uint32_t start = i / n * n, own = (i - start) / PIECE;
      const auto key = el_key (x[i], descending);
      uint32_t at = i - own * PIECE;
      for (uint32_t p = 0; p * PIECE < n; p++)
        if (p != own)
          {
            const uint32_t first = start + p * PIECE;
            uint32_t low = first, high = start + n;
            high = first + PIECE < high ? first + PIECE : high;
            while (low < high)
              {
                const uint32_t middle = (low + high) / 2;
                const auto other = el_key (x[middle], descending);
                if (other < key || (other == key && p < own))
                  low = middle + 1;
                else
                  high = middle;
              }
            at += low - first;
          }
      to[at] = x[i];
      if (positions)
        positions[at] = from[i];
    }
}

/* Columns of a few pieces.  */
template <typename R, typename K>
static gpueig_status
sort_by_pieces (gpueig_context *ctx, const ge_sort *s)
{
  const int64_t count = s->n * s->count;
  const int mark = ge_mark (ctx);
  double *from = NULL;
  R *sorted;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &sorted));
  if (s->at)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &from));
  GE_TRY ((sort_pieces<R, K, 4, PIECE / 4> (ctx, s, sorted, from)));
  GE_LAUNCH (merge_kernel<R>, blocks_for (count), THREADS, 0, (uint32_t) count,
             (uint32_t) s->n, s->descending, sorted, from, (R *) s->to, s->at);
  return ge_close_frame (ctx, mark);
}

template <typename R> struct comes_before
{
  int descending;
  __device__ __forceinline__ bool
  operator() (R x, R y) const
  {
    return el_key (x, descending) < el_key (y, descending);
  }
};

struct position_of
{
  __host__ __device__ __forceinline__ double
  operator() (int64_t i) const
  {
    return (double) (i + 1);
  }
};

typedef thrust::counting_iterator<int64_t> counting;
typedef thrust::transform_iterator<position_of, counting> counted;

/* One column.  */
template <typename R>
static gpueig_status
merge_column (gpueig_context *ctx, const ge_sort *s)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const R *x = (const R *) s->x;
  R *to = (R *) s->to;
  const int n = (int) s->n;
  const counted positions (counting (0), position_of ());
  const comes_before<R> before = { s->descending };
  char *space = NULL;
  size_t bytes = 0;
  const int mark = ge_mark (ctx);
  const auto sort = [&] {
    return s->at ? cub::DeviceMergeSort::SortPairsCopy (
               space, bytes, x, positions, to, s->at, n, before, stream)
                 : cub::DeviceMergeSort::SortKeysCopy (space, bytes, x, to, n,
                                                       before, stream);
  };
  CU (sort ());
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (sort ());
  return ge_close_frame (ctx, mark);
}

/* X with the positive NaN alone, which is behind Inf.  */
template <typename R>
GE_KERNEL (THREADS)
clean_kernel (int64_t count, const R *x, R *to)
{
  FOR_ALL (i, count)
  to[i] = x[i] == x[i] ? x[i] : (R) nan ("");
}

template <typename R> struct is_not_a_number
{
  __host__ __device__ __forceinline__ bool
  operator() (R x) const
  {
    return x != x;
  }
};

/* The numbers of FROM that are NaN, in their order, in TO.  */
template <typename R, typename I, typename O>
static gpueig_status
copy_nan (gpueig_context *ctx, int64_t count, I from, O to)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const is_not_a_number<R> is;
  int64_t *n;
  char *space;
  size_t bytes = 0;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &n));
  CU (cub::DeviceSelect::If (NULL, bytes, from, to, n, count, is, stream));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (cub::DeviceSelect::If (space, bytes, from, to, n, count, is, stream));
  return GPUEIG_OK;
}

/* A column of real numbers without positions: they are keys themselves, CUB taking -0 for 0.
   The bits of NaN are copied afterwards, to the end or, if DESCENDING, to the begin.  */
template <typename R>
static gpueig_status
sort_numbers (gpueig_context *ctx, const ge_sort *s)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t count = s->n;
  const R *x = (const R *) s->x;
  R *clean, *to = (R *) s->to;
  char *space = NULL;
  size_t bytes = 0;
  const int mark = ge_mark (ctx), bits = 8 * (int) sizeof (R);
  const auto sort_keys = [&] {
    return s->descending ? cub::DeviceRadixSort::SortKeysDescending (
               space, bytes, clean, to, count, 0, bits, stream)
                         : cub::DeviceRadixSort::SortKeys (
                             space, bytes, clean, to, count, 0, bits, stream);
  };
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &clean));
  GE_LAUNCH (clean_kernel, blocks_for (count), THREADS, 0, count, x, clean);
  CU (sort_keys ());
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (sort_keys ());
  if (s->descending)
    GE_TRY (copy_nan<R> (ctx, count, x, to));
  else if (! s->middle)
    GE_TRY (copy_nan<R> (ctx, count, thrust::make_reverse_iterator (x + count),
                         thrust::make_reverse_iterator (to + count)));
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
sort (gpueig_context *ctx, const ge_sort *s)
{
  typedef typename element_of<T>::type E;
  typedef typename std::conditional<sizeof (ge_real<T>) == 4, uint32_t,
                                    uint64_t>::type K;
  const int64_t count = s->n * s->count;
  const unsigned blocks = blocks_for (count);
  const E *x = (const E *) s->x;
  uint32_t *at[2];
  K *keys[2];
  if constexpr (! is_pair<E>::value)
    {
      E *const to = (E *) s->to;
      if (s->n <= PIECE)
        return s->n <= THREADS
                   ? sort_pieces<E, K, 1, THREADS> (ctx, s, to, s->at)
               : s->n <= 4 * THREADS
                   ? sort_pieces<E, K, 4, THREADS> (ctx, s, to, s->at)
                   : sort_pieces<E, K, 4, PIECE / 4> (ctx, s, to, s->at);
    }
  if (count > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "more than %d elements are not sorted on a GPU; use "
                        "gather",
                        INT32_MAX);
  if constexpr (! is_pair<E>::value)
    {
      if (s->n <= MOST)
        return sort_by_pieces<E, K> (ctx, s);
      if (s->count == 1 && count <= (s->at ? 1 << 20 : 1 << 18))
        return merge_column<E> (ctx, s);
      if (s->count == 1 && ! s->at)
        return sort_numbers<E> (ctx, s);
    }
  const int mark = ge_mark (ctx);
  for (int k = 0; k < 2; k++)
    GE_TRY (ge_alloc_each (ctx, GE_DEVICE, count, &at[k], &keys[k]));
  cub::DoubleBuffer<uint32_t> positions (at[0], at[1]);
  for (int pass = 0; pass < 1 + is_pair<E>::value; pass++)
    {
      cub::DoubleBuffer<K> by (keys[0], keys[1]);
      GE_LAUNCH (keys_kernel<E>, blocks, THREADS, 0, count, pass, s->descending,
                 x, positions.Current (), by.Current ());
      GE_TRY (sort_pairs (ctx, count, 8 * (int) sizeof (K), &by, &positions));
    }
  if (s->count > 1)
    {
      int bits = 1;
      cub::DoubleBuffer<uint32_t> by ((uint32_t *) keys[0],
                                      (uint32_t *) keys[1]);
      while (s->count > (int64_t) 1 << bits)
        bits++;
      GE_LAUNCH (columns_kernel, blocks, THREADS, 0, count, (uint32_t) s->n,
                 positions.Current (), by.Current ());
      GE_TRY (sort_pairs (ctx, count, bits, &by, &positions));
    }
  GE_LAUNCH (gather_kernel<E>, blocks, THREADS, 0, count, (uint32_t) s->n, x,
             positions.Current (), (E *) s->to, s->at);
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_sort (gpueig_context *ctx, const ge_sort *s)
{
  return GE_CUDA_BY_TYPE (s->type, sort, (ctx, s));
}

/* --- elements that are not zero --- */

template <typename E> struct is_selected
{
  const E *x;
  __host__ __device__ __forceinline__ bool
  operator() (int64_t i) const
  {
    return ! co_is_zero (x[i]);
  }
};

/* In parts of PART elements, since CUB before CUDA 12.8 counts them in an int, and would take
   2^32 + 1 for one.  */
template <typename T>
static gpueig_status
select (gpueig_context *ctx, int64_t count, const void *x, double *list,
        int64_t *n)
{
  typedef typename element_of<T>::type E;
  typedef thrust::transform_iterator<is_selected<E>, counting> flags;
  constexpr int64_t PART = 1 << 24;
  const is_selected<E> selected = { (const E *) x };
  const int mark = ge_mark (ctx);
  int64_t *device_n, found;
  char *space = NULL;
  size_t bytes = 0;
  const auto select_part = [&] (int64_t first, int64_t some) {
    const counting from (first);
    return cub::DeviceSelect::Flagged (
        space, bytes, counted (from, position_of ()), flags (from, selected),
        list + *n, device_n, (int) some, ge_cuda_of (ctx)->stream);
  };
  *n = 0;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &device_n));
  CU (select_part (0, count < PART ? count : PART));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  for (int64_t first = 0; first < count; first += PART)
    {
      const int64_t left = count - first;
      CU (select_part (first, left < PART ? left : PART));
      GE_TRY (ge_fetch (ctx, &found, device_n, 1));
      *n += found;
    }
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_select (gpueig_context *ctx, gpueig_type type, int64_t count,
                const void *x, double *list, int64_t *n)
{
  return GE_CUDA_BY_TYPE (type, select, (ctx, count, x, list, n));
}
