/* Aggressive early deflation of a window on one core of the host.  The window is
   copied there and back; the device applies the accumulated U to the rest of H and Z.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A thread block needs three to four times as long for the Schur form of a window as
   one core, because each step depends on the one before.  Kernels read and write the
   pinned host memory directly, so that both copies cost one synchronization.  */

#include "base/blas.cuh"
#include "base/teams.cuh"
#include "schur/iteration.cuh"
#include "schur/window.h"

enum
{
  /* At the end of a window; their eigenvalues are shifts.  The device waits for them.  */
  SHIFT_ROWS = 24,
  FETCH_THREADS = 512,
  STORE_THREADS = 256,
  STORE_BLOCKS = 32
};

/* Find the active block that ends in row BOTTOM: the whole block, with small
   ones above it as far as there is room, if it has at most MOST rows, otherwise
   its trailing window of at most WANTED rows.  Copy the window to WINDOW, the element
   left of it behind that.  One thread block.  */
template <typename T>
GE_KERNEL (FETCH_THREADS)
fetch_window (int n, T *h, int bottom, int most, int wanted, T *window,
              window_place *place)
{
  __shared__ int space[FETCH_THREADS / 32];
  const int t = threadIdx.x;
  int top = 0;
  for (int k = 1 + t; k <= bottom; k += FETCH_THREADS)
    if (negligible (h, n, k, bottom))
      top = k;
  top = block_reduce<cooperative_groups::greater<int>> (top, space,
                                                        FETCH_THREADS / 32);
  /* Several small blocks are processed together.  */
  int low = top;
  const int lowest = bottom - most + 1 > 0 ? bottom - most + 1 : 0;
  for (int k = lowest + t; k < top; k += FETCH_THREADS)
    if (k < low && (k == 0 || negligible (h, n, k, bottom)))
      low = k;
  top = block_reduce<cooperative_groups::less<int>> (low, space,
                                                     FETCH_THREADS / 32);
  const int rows = bottom - top + 1;
  const int size = rows <= most || rows <= wanted ? rows : wanted;
  const int first = bottom - size + 1;
  for (int e = t; e < size * size; e += FETCH_THREADS)
    {
      const int i = e % size, j = e / size;
      window[e] = i <= j + 1 ? h[first + i + (first + j) * n] : zero<T> ();
    }
  __syncthreads ();
  if (t != 0)
    return;
  window[size * size] = first > top ? h[first + (first - 1) * n] : zero<T> ();
  if (top > 0)
    h[top + (top - 1) * n] = zero<T> ();
  place->top = top;
  place->first = first;
  place->size = size;
}

/* Copy the results of the host: the window to H if CHANGED, U with leading
   dimension LD, the SHIFTS.  A grid-stride loop.  */
template <typename T>
GE_KERNEL (STORE_THREADS)
store_window (int n, T *h, window_place place, int changed, const T *window,
              const T *from, int shifts, const ge_complex<T> *given, T *u,
              int ld, ge_complex<T> *shift)
{
  const int size = place.size, first = place.first;
  const int stride = gridDim.x * STORE_THREADS;
  const int start = blockIdx.x * STORE_THREADS + threadIdx.x;
  for (int e = start; changed && e < size * size; e += stride)
    {
      const int i = e % size, j = e / size;
      if (i <= j + 1)
        h[first + i + (first + j) * n] = window[e];
      u[i + j * ld] = from[e];
    }
  for (int e = start; e < shifts; e += stride)
    shift[e] = given[e];
  if (changed && start == 0 && first > place.top)
    h[first + (first - 1) * n] = window[size * size];
}

/* --- the host's side --- */

#define BY_TYPE(T, R, suffix)                                                  \
  static inline int64_t space_of (const T *, int n)                            \
  {                                                                            \
    return ge_window_reals_##suffix (n);                                       \
  }                                                                            \
  static inline void deflate (int n, T *h, T *u, int exceptional,              \
                              ge_complex<T> *shifts, R *space,                 \
                              ge_window_result *result)                        \
  {                                                                            \
    ge_deflate_window_##suffix (n, h, u, h + n * n, exceptional, shifts,       \
                                space, result);                                \
  }                                                                            \
  static inline int list_shifts (int n, const T *h, int ld, const T *spike,    \
                                 int exceptional, ge_complex<T> *shifts,       \
                                 R *space)                                     \
  {                                                                            \
    return ge_window_shifts_##suffix (n, h, ld, spike, shifts, space,          \
                                      exceptional);                            \
  }
BY_TYPE (float, float, s)
BY_TYPE (double, double, d)
BY_TYPE (cuComplex, float, c)
BY_TYPE (cuDoubleComplex, double, z)
#undef BY_TYPE

/* X <- conj (Y) X */
template <typename T>
static inline void
multiply_conjugate (T *x, T y)
{
  const T z = *x;
  if constexpr (is_complex<T>::value)
    *x = { z.x * y.x + z.y * y.y, z.y * y.x - z.x * y.y };
  else
    *x = z * y;
}

template <typename T>
gpueig_status
ge_aed_prepare (gpueig_context *ctx, aed<T> *e, int whole, int most)
{
  const int64_t square = (int64_t) most * most;
  e->whole = whole;
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 1, &e->place));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, square + 1, &e->h));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, square, &e->u));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, most, &e->shifts));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, most, &e->undeflated));
  return GE_ALLOC (ctx, GE_HOST, space_of (e->h, most), &e->space);
}

template <typename T>
gpueig_status
ge_aed_fetch (gpueig_context *ctx, const aed<T> *e, int n, T *h, int bottom,
              int wanted)
{
  GE_LAUNCH (fetch_window<T>, 1, FETCH_THREADS, 0, n, h, bottom, e->whole,
             wanted, e->h, e->place);
  GE_TRY (ge_wait (ctx));
  return ge_check_interrupt (ctx);
}

/* Copy results to the device; SHIFTS: number of those in E->shifts.  */
template <typename T>
static gpueig_status
store (gpueig_context *ctx, const aed<T> *e, int n, T *h, int changed,
       int shifts, T *u, ge_complex<T> *shift)
{
  GE_LAUNCH (store_window<T>, STORE_BLOCKS, STORE_THREADS, 0, n, h, *e->place,
             changed, e->h, e->u, shifts, e->shifts, u,
             GE_STRIDE_OF (e->place->size), shift);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_aed_shifts (gpueig_context *ctx, const aed<T> *e, int exceptional,
               ge_complex<T> *shift, int *count, double *host_time)
{
  const double start = ge_now ();
  const int size = e->place->size, rows = GE_AT_MOST (size, SHIFT_ROWS);
  const int first = size - rows;
  *count = list_shifts (rows, e->h + first * (size + 1), size,
                        first == 0 ? e->h + size * size
                                   : e->h + first + (first - 1) * size,
                        exceptional, e->shifts, e->space);
  *host_time += ge_now () - start;
  return store<T> (ctx, e, 0, NULL, 0, *count, NULL, shift);
}

template <typename T>
void
ge_aed_deflate (const aed<T> *e, int exceptional, int shifts,
                deflation_result *r)
{
  ge_window_result found;
  const int size = e->place->size;
  const double start = ge_now ();
  deflate (size, e->h, e->u, exceptional, shifts ? e->shifts : e->undeflated,
           e->space, &found);
  r->host_time = ge_now () - start;
  r->failed = found.failed;
  r->changed = ! found.failed && found.undeflated < size;
  r->deflated = found.failed ? 0 : size - found.undeflated;
  r->shifts = shifts ? found.shifts : 0;
  r->steps = found.steps;
  if (found.failed)
    return;
  T *spike = e->h + size * size;
  if (found.undeflated == 0)
    memset (spike, 0, sizeof *spike);
  else if (r->changed)
    multiply_conjugate (spike, e->u[0]);
}

template <typename T>
gpueig_status
ge_aed_store (gpueig_context *ctx, const aed<T> *e, const deflation_result *r,
              int n, T *h, T *u, ge_complex<T> *shift)
{
  return store (ctx, e, n, h, r->changed, r->shifts, u, shift);
}

GE_INSTANTIATE (ge_aed_prepare)
GE_INSTANTIATE (ge_aed_fetch)
GE_INSTANTIATE (ge_aed_shifts)
GE_INSTANTIATE (ge_aed_deflate)
GE_INSTANTIATE (ge_aed_store)
