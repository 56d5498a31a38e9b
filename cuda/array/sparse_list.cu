/* Sums, products and transposes of sparse matrices: a list of terms, each with its place in the
   result, which CUB's stable radix sort orders by places; terms of one place are combined in
   their order, and zeros are left out.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Not cuSPARSE's geam and SpGEMM: those leave zeros in the result, and neither has 64-bit indices
   throughout nor promises the same bits in each run.  */

#include "array/combine.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

enum
{
  THREADS = 256
};

#define FOR_ALL(i, count)                                                      \
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < (count);  \
       i += (int64_t) gridDim.x * THREADS)

static unsigned
blocks_of (int64_t count)
{
  const int64_t blocks = (count + THREADS - 1) / THREADS;
  return (unsigned) (blocks < INT32_MAX ? blocks : INT32_MAX);
}

/* --- terms --- */

/* The row of LIST, starts of ROWS rows and the end of the last one, that has element E.  */
GE_DEVICE_INLINE int64_t
row_of (const void *list, int wide, int64_t rows, int64_t e)
{
  int64_t low = 0, high = rows;
  while (high - low > 1)
    {
      const int64_t middle = low + (high - low) / 2;
      if (ge_sparse_number (list, wide, middle) <= e)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* KEYS and VALUES: the elements of S in a result with COLUMNS columns, or their transpose,
   NEGATIVE or not.  */
template <typename E>
GE_KERNEL (THREADS)
elements_kernel (ge_sparse s, int64_t columns, int transposes, int negative,
                 int64_t *keys, E *values)
{
  const E *from = (const E *) s.values;
  FOR_ALL (e, s.elements)
  {
    const int64_t i = row_of (s.starts, s.wide, s.rows, e),
                  k = ge_sparse_number (s.indices, s.wide, e);
    keys[e] = transposes ? k * columns + i : i * columns + k;
    values[e] = negative ? co_minus (E (), from[e]) : from[e];
  }
}

/* COUNTS: of each element of A the number of its products, and a zero.  */
GE_KERNEL (THREADS)
count_kernel (ge_sparse a, ge_sparse b, int64_t *counts)
{
  FOR_ALL (e, a.elements + 1)
  {
    if (e == a.elements)
      {
        counts[e] = 0;
        break;
      }
    const int64_t k = ge_sparse_number (a.indices, a.wide, e);
    counts[e] = ge_sparse_number (b.starts, b.wide, k + 1)
                - ge_sparse_number (b.starts, b.wide, k);
  }
}

/* KEYS and VALUES: COUNT products; those of element e of A begin at FIRST[e].  */
template <typename E>
GE_KERNEL (THREADS)
products_kernel (ge_sparse a, ge_sparse b, int64_t count, const int64_t *first,
                 int64_t *keys, E *values)
{
  const E *x = (const E *) a.values, *y = (const E *) b.values;
  FOR_ALL (t, count)
  {
    const int64_t e = row_of (first, 1, a.elements, t),
                  i = row_of (a.starts, a.wide, a.rows, e),
                  k = ge_sparse_number (a.indices, a.wide, e),
                  f = ge_sparse_number (b.starts, b.wide, k) + t - first[e];
    keys[t] = i * b.columns + ge_sparse_number (b.indices, b.wide, f);
    values[t] = co_combine (GE_PRODUCT, x[e], y[f]);
  }
}

/* --- results --- */

/* Combine the sorted terms of each place in VALUES of the first one; KEPT: 1 where there is an
   element of the result, otherwise 0, and a zero at the end.  */
template <typename E>
GE_KERNEL (THREADS)
combine_kernel (gpueig_sparse_op op, int64_t count, const int64_t *keys,
                E *values, int64_t *kept)
{
  const int is_product = op == GPUEIG_SPARSE_TIMES;
  FOR_ALL (t, count + 1)
  {
    const int is_first = t < count && (t == 0 || keys[t - 1] != keys[t]);
    kept[t] = 0;
    if (! is_first)
      continue;
    const int64_t key = keys[t];
    E x = values[t];
    int64_t end = t + 1;
    for (; end < count && keys[end] == key; end++)
      x = co_combine (is_product ? GE_PRODUCT : GE_SUM, x, values[end]);
    values[t] = x;
    kept[t] = op == GPUEIG_SPARSE_TRANSPOSE
              || (! co_is_zero (x) && ! (is_product && end - t < 2));
  }
}

/* The terms whose places in the result differ from those of the next.  */
template <typename E>
GE_KERNEL (THREADS)
collect_kernel (int64_t count, const int64_t *places, const int64_t *keys,
                const E *values, int64_t *to_keys, E *to_values)
{
  FOR_ALL (t, count)
  {
    const int64_t at = places[t];
    if (places[t + 1] == at)
      continue;
    to_keys[at] = keys[t];
    to_values[at] = values[t];
  }
}

/* X[i] = X[0] + ... + X[i - 1] for COUNT elements; *LAST: the last of them.  */
static gpueig_status
sum_before (gpueig_context *ctx, int64_t *x, int64_t count, int64_t *last)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int mark = ge_mark (ctx);
  size_t bytes = 0;
  char *space;
  CU (cub::DeviceScan::ExclusiveSum (NULL, bytes, x, x, (int) count, stream));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (cub::DeviceScan::ExclusiveSum (space, bytes, x, x, (int) count, stream));
  GE_TRY (ge_fetch (ctx, last, x + count - 1, 1));
  return ge_close_frame (ctx, mark);
}

/* Sort COUNT terms by KEYS below LIMIT.  */
template <typename E>
static gpueig_status
sort_terms (gpueig_context *ctx, int64_t count, int64_t limit,
            cub::DoubleBuffer<int64_t> *keys, cub::DoubleBuffer<E> *values)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int mark = ge_mark (ctx);
  size_t bytes = 0;
  char *space;
  int bits = 1;
  while ((limit - 1) >> bits)
    bits++;
  CU (cub::DeviceRadixSort::SortPairs (NULL, bytes, *keys, *values, (int) count,
                                       0, bits, stream));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) bytes, &space));
  CU (cub::DeviceRadixSort::SortPairs (space, bytes, *keys, *values,
                                       (int) count, 0, bits, stream));
  return ge_close_frame (ctx, mark);
}

static gpueig_status
check_count (gpueig_context *ctx, int64_t count)
{
  if (count < INT32_MAX)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "%lld terms are too many for a sparse result on a GPU",
                      (long long) count);
}

/* *COUNT: the number of terms; *FIRST, of a product: where those of each element of A begin.  */
static gpueig_status
count_terms (gpueig_context *ctx, const ge_sparse_list *list, int64_t *count,
             int64_t **first)
{
  const int64_t elements = list->a.elements;
  *count = elements + list->b.elements;
  GE_TRY (check_count (ctx, *count));
  if (list->op != GPUEIG_SPARSE_MULTIPLY)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, elements + 1, first));
  GE_LAUNCH (count_kernel, blocks_of (elements + 1), THREADS, 0, list->a,
             list->b, *first);
  GE_TRY (sum_before (ctx, *first, elements + 1, count));
  return check_count (ctx, *count);
}

template <typename E>
static gpueig_status
make_terms (gpueig_context *ctx, const ge_sparse_list *list, int64_t count,
            const int64_t *first, int64_t *keys, E *values)
{
  const ge_sparse *a = &list->a, *b = &list->b;
  if (list->op == GPUEIG_SPARSE_MULTIPLY)
    {
      GE_LAUNCH (products_kernel<E>, blocks_of (count), THREADS, 0, *a, *b,
                 count, first, keys, values);
      return GPUEIG_OK;
    }
  if (a->elements > 0)
    GE_LAUNCH (elements_kernel<E>, blocks_of (a->elements), THREADS, 0, *a,
               list->columns, list->op == GPUEIG_SPARSE_TRANSPOSE, 0, keys,
               values);
  if (b->elements > 0)
    GE_LAUNCH (elements_kernel<E>, blocks_of (b->elements), THREADS, 0, *b,
               list->columns, 0, list->op == GPUEIG_SPARSE_MINUS,
               keys + a->elements, values + a->elements);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
combine (gpueig_context *ctx, ge_sparse_list *list)
{
  typedef typename element_of<T>::type E;
  int64_t count, *first = NULL, *key_lists[2];
  E *value_lists[2];
  GE_TRY (count_terms (ctx, list, &count, &first));
  list->elements = 0;
  if (count == 0)
    return GPUEIG_OK;
  for (int k = 0; k < 2; k++)
    GE_TRY (ge_alloc_each (ctx, GE_DEVICE, count + 1, &key_lists[k],
                           &value_lists[k]));
  cub::DoubleBuffer<int64_t> keys (key_lists[0], key_lists[1]);
  cub::DoubleBuffer<E> values (value_lists[0], value_lists[1]);
  GE_TRY (
      make_terms (ctx, list, count, first, keys.Current (), values.Current ()));
  GE_TRY (sort_terms (ctx, count, list->rows * list->columns, &keys, &values));
  int64_t *const places = keys.Alternate ();
  GE_LAUNCH (combine_kernel<E>, blocks_of (count + 1), THREADS, 0, list->op,
             count, keys.Current (), values.Current (), places);
  GE_TRY (sum_before (ctx, places, count + 1, &list->elements));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, list->elements, &list->keys));
  list->values = values.Alternate ();
  GE_LAUNCH (collect_kernel<E>, blocks_of (count), THREADS, 0, count, places,
             keys.Current (), values.Current (), list->keys,
             (E *) list->values);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_combine_sparse (gpueig_context *ctx, ge_sparse_list *list)
{
  return GE_CUDA_BY_TYPE (list->type, combine, (ctx, list));
}

/* --- patterns --- */

/* The first of COUNT ascending KEYS that is not below LIMIT.  */
GE_DEVICE_INLINE int64_t
first_from (const int64_t *keys, int64_t count, int64_t limit)
{
  int64_t low = 0, high = count;
  while (low < high)
    {
      const int64_t middle = low + (high - low) / 2;
      if (keys[middle] < limit)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

GE_KERNEL (THREADS)
starts_kernel (ge_sparse_list list, int wide, void *starts,
               unsigned long long *longest)
{
  FOR_ALL (i, list.rows + 1)
  {
    const int64_t from
        = first_from (list.keys, list.elements, i * list.columns);
    ge_sparse_set (starts, wide, i, from);
    if (i == list.rows)
      break;
    const unsigned long long length
        = (unsigned long long) (first_from (list.keys, list.elements,
                                            (i + 1) * list.columns)
                                - from);
    if (length > *(volatile unsigned long long *) longest)
      atomicMax (longest, length);
  }
}

GE_KERNEL (THREADS)
indices_kernel (ge_sparse_list list, int wide, void *indices)
{
  FOR_ALL (e, list.elements)
  ge_sparse_set (indices, wide, e, list.keys[e] % list.columns);
}

gpueig_status
ge_cuda_compress_sparse (gpueig_context *ctx, const ge_sparse_list *list,
                         int wide, void *starts, void *indices,
                         int64_t *longest)
{
  const int mark = ge_mark (ctx);
  unsigned long long *most;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &most));
  GE_TRY (ge_clear (ctx, most, 1));
  GE_LAUNCH (starts_kernel, blocks_of (list->rows + 1), THREADS, 0, *list, wide,
             starts, most);
  if (list->elements > 0)
    GE_LAUNCH (indices_kernel, blocks_of (list->elements), THREADS, 0, *list,
               wide, indices);
  GE_TRY (ge_fetch (ctx, longest, (const int64_t *) most, 1));
  return ge_close_frame (ctx, mark);
}
