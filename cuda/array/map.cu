/* Elementwise operations with broadcasting, indices and conversions; searches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The frequent operations of elements of one type, without lists and bands, have a kernel of
   their own, without the registers and branches that all together need.  */

#include "array/array.cuh"

#define GE_SHARED_MATH "array/functions.h"
#include "base/precisions.cuh"

enum
{
  THREADS = 256,
  EACH = 4, /* rows of a thread */
  ANY = -1,
  PARTS = -2, /* copies with lists and bands */
  BLOCKS_PER_MULTIPROCESSOR = 16
};

/* --- one element --- */

template <typename E>
GE_DEVICE_INLINE void
set_element (E *z, double re, double im)
{
  if constexpr (is_pair<E>::value)
    *z = { (decltype (z->re)) re, (decltype (z->im)) im };
  else
    *z = (E) re;
}

template <typename E>
GE_DEVICE_INLINE double
first_part (E z)
{
  if constexpr (is_pair<E>::value)
    return z.re;
  else
    return z;
}

template <typename E>
GE_DEVICE_INLINE double
second_part (E z)
{
  if constexpr (is_pair<E>::value)
    return z.im;
  else
    return 0;
}

template <typename E>
GE_DEVICE_INLINE E
load (const ge_view &view, int64_t k)
{
  E z;
  double re = view.re, im = view.im;
  if (view.data)
    switch (view.bytes ? -1 : (int) view.type)
      {
      case -1:
        re = ((const unsigned char *) view.data)[k];
        im = 0;
        break;
      case GPUEIG_FLOAT:
        re = ((const float *) view.data)[k];
        im = 0;
        break;
      case GPUEIG_DOUBLE:
        re = ((const double *) view.data)[k];
        im = 0;
        break;
      case GPUEIG_COMPLEX_FLOAT:
        re = ((const float2 *) view.data)[k].x;
        im = ((const float2 *) view.data)[k].y;
        break;
      default:
        re = ((const double2 *) view.data)[k].x;
        im = ((const double2 *) view.data)[k].y;
        break;
      }
  set_element (&z, re, im);
  return z;
}

template <typename E>
GE_DEVICE_INLINE void
store (const ge_view &view, int64_t k, E z)
{
  const double re = first_part (z), im = second_part (z);
  switch (view.type)
    {
    case GPUEIG_FLOAT:
      ((float *) view.data)[k] = (float) re;
      break;
    case GPUEIG_DOUBLE:
      ((double *) view.data)[k] = re;
      break;
    case GPUEIG_COMPLEX_FLOAT:
      ((float2 *) view.data)[k] = make_float2 ((float) re, (float) im);
      break;
    default:
      ((double2 *) view.data)[k] = make_double2 (re, im);
      break;
    }
}

template <typename E>
GE_DEVICE_INLINE E
combine (ge_map_op op, E x, E y, int x_real, int y_real)
{
  if constexpr (is_pair<E>::value)
    return el_complex (op, x, y, x_real, y_real);
  else
    return el_real (op, x, y);
}

template <typename E>
GE_DEVICE_INLINE int
holds (ge_map_op op, E x, E y, int x_real, int y_real)
{
  if constexpr (is_pair<E>::value)
    return el_test (op, x, y, x_real, y_real);
  else
    return el_real (op, x, y) != 0;
}

/* Note in map.beyond that OP (X, Y) is complex.  */
template <typename E>
GE_DEVICE_INLINE void
check (const ge_map &map, ge_map_op op, E x, E y)
{
  if constexpr (! is_pair<E>::value)
    if (map.beyond && el_is_beyond (op, x, y))
      *map.beyond = 1;
}

/* --- indices --- */

typedef struct
{
  int64_t to, x, y;
  int outside; /* of the band */
} place_of_element;

/* OP: that of a kernel.  */
template <int OP = ANY>
GE_DEVICE_INLINE int64_t
offset (const ge_view &view, int d, int64_t i)
{
  if (OP < 0 && view.list[d])
    i = view.list[d][i];
  return view.stride[d] * i;
}

/* Offset, in the first dimension, of row ROW of a thread whose first row is FIRST.  */
template <int OP>
GE_DEVICE_INLINE int64_t
row_offset (const ge_view &view, int64_t first, int row)
{
  const int64_t step = blockDim.x;
  if (OP < 0)
    return offset<OP> (view, 0, first + row * step);
  return view.stride[0] * first + row * (view.stride[0] * step);
}

/* Offsets of an element.  */
GE_DEVICE_INLINE place_of_element
locate (const ge_map &map, int64_t element)
{
  place_of_element at = { 0, 0, 0, 0 };
  int64_t row = 0;
  int64_t left = element;
  for (int d = 0; d < map.n_dims; d++)
    {
      const int64_t rest = d + 1 < map.n_dims ? left / map.dims[d] : 0;
      const int64_t i = left - rest * map.dims[d];
      left = rest;
      at.to += offset (map.to, d, i);
      at.x += offset (map.x, d, i);
      at.y += offset (map.y, d, i);
      if (map.banded && d == 0)
        row = i;
      if (map.banded && d == 1)
        at.outside = i - row < map.lower || i - row > map.upper;
    }
  return at;
}

/* --- kernels --- */

template <typename E>
GE_DEVICE_INLINE E
function (ge_map_op op, E x, int x_real)
{
  if constexpr (is_pair<E>::value)
    return el_complex_function (op, x, x_real);
  else
    return el_function (op, x);
}

/* An element of a view of numbers of type E.  */
template <typename E>
GE_DEVICE_INLINE E
load_own (const ge_view &view, int64_t k)
{
  E z;
  set_element (&z, view.re, view.im);
  return view.data ? ((const E *) view.data)[k] : z;
}

/* Operation OP of elements of one type, or map.op, with OP = ANY, of any.  Threads of a block
   are in rows, the first dimension of the map, and in columns, one of all others each.  A
   thread has EACH rows, whose elements are loaded before they are used.  */
template <typename T, int OP>
GE_KERNEL (THREADS)
map_kernel (const __grid_constant__ ge_map map, int64_t columns)
{
  typedef typename element_of<T>::type E;
  constexpr int each = OP == ANY ? 1 : EACH;
  constexpr bool has_y = OP == ANY || OP >= GE_MAP_PLUS;
  const ge_map_op op = OP == ANY     ? map.op
                       : OP == PARTS ? GE_MAP_COPY
                                     : (ge_map_op) OP;
  const int x_real = map.x.type == GPUEIG_FLOAT || map.x.type == GPUEIG_DOUBLE;
  const int y_real = map.y.type == GPUEIG_FLOAT || map.y.type == GPUEIG_DOUBLE;
  const int64_t first = (int64_t) blockIdx.x * blockDim.x * each + threadIdx.x;
  for (int64_t column = (int64_t) blockIdx.y * blockDim.y + threadIdx.y;
       column < columns; column += (int64_t) gridDim.y * blockDim.y)
    {
      int64_t left = column, to = 0, at_x = 0, at_y = 0, second = 0;
      for (int d = 1; d < map.n_dims; d++)
        {
          const int64_t rest = d + 1 < map.n_dims ? left / map.dims[d] : 0;
          const int64_t i = left - rest * map.dims[d];
          left = rest;
          to += offset<OP> (map.to, d, i);
          at_x += offset<OP> (map.x, d, i);
          if (has_y)
            at_y += offset<OP> (map.y, d, i);
          second = d == 1 ? i : second;
        }
      E x[each], y[each];
      for (int k = 0; k < each; k++)
        {
          const int64_t row = first + k * blockDim.x;
          if (row >= map.dims[0])
            break;
          const int64_t i = at_x + row_offset<OP> (map.x, first, k),
                        j = has_y ? at_y + row_offset<OP> (map.y, first, k) : 0;
          x[k] = OP == ANY ? load<E> (map.x, i) : load_own<E> (map.x, i);
          if (has_y)
            y[k] = OP == ANY ? load<E> (map.y, j) : load_own<E> (map.y, j);
          else
            set_element (&y[k], 0, 0);
        }
      for (int k = 0; k < each; k++)
        {
          const int64_t row = first + k * blockDim.x;
          if (row >= map.dims[0])
            break;
          const int64_t i = to + row_offset<OP> (map.to, first, k);
          const int outside
              = OP < 0 && map.banded
                && (second - row < map.lower || second - row > map.upper);
          E z;
          if (op >= GE_MAP_EQ)
            {
              ((unsigned char *) map.to.data)[i]
                  = ! outside && holds (op, x[k], y[k], x_real, y_real);
              continue;
            }
          if (op >= GE_MAP_SQRT && op < GE_MAP_PLUS)
            z = function (op, x[k], x_real);
          else
            z = combine (op, x[k], y[k], x_real, y_real);
          if (ge_leaves_reals (op))
            check (map, op, x[k], y[k]);
          if (outside)
            set_element (&z, 0, 0);
          if (OP == ANY)
            store (map.to, i, z);
          else
            ((E *) map.to.data)[i] = z;
        }
    }
}

/* *FIRST: the smallest index for which the test is true, if it is smaller.  */
template <typename T>
GE_KERNEL (THREADS)
find_kernel (const __grid_constant__ ge_map map, unsigned long long *first)
{
  typedef typename element_of<T>::type E;
  const int x_real = map.x.type == GPUEIG_FLOAT || map.x.type == GPUEIG_DOUBLE;
  const int y_real = map.y.type == GPUEIG_FLOAT || map.y.type == GPUEIG_DOUBLE;
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < map.count;
       i += step)
    {
      if ((unsigned long long) i > *(volatile unsigned long long *) first)
        return;
      const place_of_element at = locate (map, i);
      if (! at.outside
          && holds (map.op, load<E> (map.x, at.x), load<E> (map.y, at.y),
                    x_real, y_real))
        {
          atomicMin (first, (unsigned long long) i);
          return;
        }
    }
}

/* BAD: mapped memory of the host.  */
template <typename T>
GE_KERNEL (THREADS)
pick_kernel (int64_t count, const double *x, int64_t limit, const T *from,
             T *to, int *bad)
{
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count;
       i += step)
    {
      const int64_t k
          = x[i] >= 1 && x[i] <= (double) limit ? (int64_t) x[i] : 0;
      if (k < 1 || (double) k != x[i])
        *bad = 1;
      else
        to[i] = from[k - 1];
    }
}

/* --- launches --- */

static unsigned
blocks_for (gpueig_context *ctx, int64_t count)
{
  const int64_t blocks = (count + THREADS - 1) / THREADS;
  const int64_t most
      = (int64_t) ge_cuda_of (ctx)->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
  return (unsigned) (blocks < most ? blocks : most);
}

/* The smallest power of two from N on, at most MOST.  */
static unsigned
power_from (int64_t n, unsigned most)
{
  unsigned p = 1;
  while (p < most && p < n)
    p *= 2;
  return p;
}

template <typename T, int OP>
static gpueig_status
launch_map (gpueig_context *ctx, const ge_map *map)
{
  const int64_t columns = map->count / map->dims[0];
  /* few rows of operands that lie in rows: their cache lines serve several columns */
  const int turned = map->n_dims > 1
                     && ((map->x.data && map->x.stride[0] > 1)
                         || (map->y.data && map->y.stride[0] > 1));
  const unsigned rows = power_from (map->dims[0], turned ? 16 : THREADS),
                 each = rows * (OP == ANY ? 1 : EACH);
  const dim3 block (rows, THREADS / rows);
  const int64_t across = (columns + block.y - 1) / block.y;
  const dim3 grid (ge_blocks (map->dims[0], each),
                   (unsigned) (across < 65535 ? across : 65535));
  GE_LAUNCH ((map_kernel<T, OP>), grid, block, 0, *map, columns);
  return GPUEIG_OK;
}

/* Operations with a kernel of their own for elements of one type.  */
// clang-format off
#define FREQUENT(X)                                                            \
  X (COPY) X (NEGATE) X (ABS) X (CONJ)                                         \
  X (PLUS) X (MINUS) X (TIMES) X (DIVIDE) X (POWER)                            \
  GE_MAP_FUNCTIONS (X)
// clang-format on

/* Nonzero if no view of MAP has a list, and no element is zero by its place.  */
static bool
is_plain (const ge_map *map)
{
  bool is = ! map->banded;
  for (int d = 0; d < map->n_dims; d++)
    is = is && ! map->to.list[d] && ! map->x.list[d] && ! map->y.list[d];
  return is;
}

template <typename T>
static gpueig_status
map_typed (gpueig_context *ctx, const ge_map *map)
{
  const gpueig_type type = map->type;
  if (map->to.type != type || map->x.bytes
      || (map->x.data && map->x.type != type)
      || (map->y.data && map->y.type != type))
    return launch_map<T, ANY> (ctx, map);
  if (! is_plain (map))
    return map->op == GE_MAP_COPY ? launch_map<T, PARTS> (ctx, map)
                                  : launch_map<T, ANY> (ctx, map);
  switch (map->op)
    {
#define CASE(name)                                                             \
  case GE_MAP_##name:                                                          \
    return launch_map<T, GE_MAP_##name> (ctx, map);
      FREQUENT (CASE)
#undef CASE
    default:
      return launch_map<T, ANY> (ctx, map);
    }
}

gpueig_status
ge_cuda_map (gpueig_context *ctx, const ge_map *map)
{
  return GE_CUDA_BY_TYPE (map->type, map_typed, (ctx, map));
}

template <typename T>
static gpueig_status
launch_find (gpueig_context *ctx, const ge_map *map, int64_t *first)
{
  const int mark = ge_mark (ctx);
  unsigned long long *found;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &found));
  CU (cudaMemsetAsync (found, 0xff, sizeof *found, ge_cuda_of (ctx)->stream));
  GE_LAUNCH (find_kernel<T>, blocks_for (ctx, map->count), THREADS, 0, *map,
             found);
  GE_TRY (ge_fetch (ctx, (unsigned long long *) first, found, 1));
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
launch_pick (gpueig_context *ctx, int64_t count, const double *x, int64_t limit,
             const void *from, void *to, int *bad)
{
  GE_LAUNCH (pick_kernel<T>, blocks_for (ctx, count), THREADS, 0, count, x,
             limit, (const T *) from, (T *) to, bad);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_pick (gpueig_context *ctx, gpueig_type type, int64_t count,
              const double *x, int64_t limit, const void *from, void *to,
              int *bad)
{
  return GE_CUDA_BY_TYPE (type, launch_pick,
                          (ctx, count, x, limit, from, to, bad));
}

gpueig_status
ge_cuda_find (gpueig_context *ctx, const ge_map *map, int64_t *first)
{
  return GE_CUDA_BY_TYPE (map->type, launch_find, (ctx, map, first));
}

/* --- scaled sums --- */

GE_KERNEL (THREADS)
add_scaled_kernel (ge_scaled_sum s)
{
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < s.count;
       i += step)
    {
      const double product = s.factor * s.y[i], x = s.x[i];
      s.to[i] = s.minus_x ? product - x : s.minus_y ? x - product : x + product;
    }
}

gpueig_status
ge_cuda_add_scaled (gpueig_context *ctx, const ge_scaled_sum *s)
{
  GE_LAUNCH (add_scaled_kernel, blocks_for (ctx, s->count), THREADS, 0, *s);
  return GPUEIG_OK;
}
