/* Elementwise operations with broadcasting, indices and conversions; searches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One thread per element and step of the grid.  The frequent, cheap operations have a
   kernel of their own, without the registers that powers and logarithms need.  */

#include "array/array.cuh"

#define GE_SHARED_MATH "array/functions.h"
#include "base/precisions.cuh"

enum
{
  THREADS = 256,
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
    switch (view.type)
      {
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
check (const ge_map &map, E x, E y)
{
  if constexpr (! is_pair<E>::value)
    if (map.beyond && el_is_beyond (map.op, x, y))
      *map.beyond = 1;
}

/* --- indices --- */

typedef struct
{
  int64_t to, x, y;
  int outside; /* of the band */
} place_of_element;

GE_DEVICE_INLINE int64_t
offset (const ge_view &view, int d, int64_t i)
{
  return view.stride[d] * (view.list[d] ? view.list[d][i] : i);
}

/* Offsets of element I, whose index I is of type I: 32 bits where they are enough.  */
template <typename I>
GE_DEVICE_INLINE place_of_element
locate (const ge_map &map, int64_t element)
{
  place_of_element at = { 0, 0, 0, 0 };
  int64_t row = 0;
  I left = (I) element;
  for (int d = 0; d < map.n_dims; d++)
    {
      const I size = (I) map.dims[d];
      const I rest = d + 1 < map.n_dims ? left / size : 0;
      const int64_t i = (int64_t) (left - rest * size);
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

template <typename T, typename I, bool CHEAP>
GE_KERNEL (THREADS)
map_kernel (const __grid_constant__ ge_map map)
{
  typedef typename element_of<T>::type E;
  const int x_real = map.x.type == GPUEIG_FLOAT || map.x.type == GPUEIG_DOUBLE;
  const int y_real = map.y.type == GPUEIG_FLOAT || map.y.type == GPUEIG_DOUBLE;
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < map.count;
       i += step)
    {
      const place_of_element at = locate<I> (map, i);
      const E x = load<E> (map.x, at.x), y = load<E> (map.y, at.y);
      E z = x;
      if (CHEAP)
        switch (map.op)
          {
          case GE_MAP_NEGATE:
            z = combine (GE_MAP_NEGATE, x, y, x_real, y_real);
            break;
          case GE_MAP_CONJ:
            z = combine (GE_MAP_CONJ, x, y, x_real, y_real);
            break;
          case GE_MAP_PLUS:
            z = combine (GE_MAP_PLUS, x, y, x_real, y_real);
            break;
          case GE_MAP_MINUS:
            z = combine (GE_MAP_MINUS, x, y, x_real, y_real);
            break;
          case GE_MAP_TIMES:
            z = combine (GE_MAP_TIMES, x, y, x_real, y_real);
            break;
          default:
            break;
          }
      else if (map.op >= GE_MAP_EQ)
        {
          ((unsigned char *) map.to.data)[at.to]
              = ! at.outside && holds (map.op, x, y, x_real, y_real);
          continue;
        }
      else
        {
          check (map, x, y);
          z = combine (map.op, x, y, x_real, y_real);
        }
      if (at.outside)
        set_element (&z, 0, 0);
      store (map.to, at.to, z);
    }
}

template <typename E>
GE_DEVICE_INLINE E
function (ge_map_op op, E x, int x_real)
{
  if constexpr (is_pair<E>::value)
    return el_complex_function (op, x, x_real);
  else
    return el_function (op, x);
}

/* A function of all COUNT elements of X.  */
template <typename T>
GE_KERNEL (THREADS)
function_kernel (const __grid_constant__ ge_map map)
{
  typedef typename element_of<T>::type E;
  const int x_real = map.x.type == GPUEIG_FLOAT || map.x.type == GPUEIG_DOUBLE;
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < map.count;
       i += step)
    {
      const E x = load<E> (map.x, i);
      check (map, x, E ());
      ((E *) map.to.data)[i] = function (map.op, x, x_real);
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
      const place_of_element at = locate<int64_t> (map, i);
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

template <typename T>
static gpueig_status
launch_map (gpueig_context *ctx, const ge_map *map)
{
  const unsigned blocks = blocks_for (ctx, map->count);
  const ge_map_op op = map->op;
  const int cheap = op == GE_MAP_COPY || op == GE_MAP_NEGATE
                    || op == GE_MAP_CONJ || op == GE_MAP_PLUS
                    || op == GE_MAP_MINUS || op == GE_MAP_TIMES;
  if (! cheap)
    GE_LAUNCH ((map_kernel<T, int64_t, false>), blocks, THREADS, 0, *map);
  else if (map->count > INT32_MAX)
    GE_LAUNCH ((map_kernel<T, int64_t, true>), blocks, THREADS, 0, *map);
  else
    GE_LAUNCH ((map_kernel<T, uint32_t, true>), blocks, THREADS, 0, *map);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
launch_function (gpueig_context *ctx, const ge_map *map)
{
  GE_LAUNCH (function_kernel<T>, blocks_for (ctx, map->count), THREADS, 0,
             *map);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_map (gpueig_context *ctx, const ge_map *map)
{
  if (map->op >= GE_MAP_SQRT && map->op < GE_MAP_PLUS)
    return GE_CUDA_BY_TYPE (map->type, launch_function, (ctx, map));
  return GE_CUDA_BY_TYPE (map->type, launch_map, (ctx, map));
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
