/* Stacks of the smallest pages on the GPU: one-sided Jacobi, a thread and its registers for
   each page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As stack.cu.  Pages have N columns of N elements; what a page lacks are zeros.  The
   pages of a block pass through shared memory, so that threads with neighbouring numbers
   access neighbouring elements.  */

#include "onesided/tile.cuh"
#include "svd/stack.cuh"

enum
{
  THREADS = 128
};

/* A page: columns of F, and of V.  */
template <typename T, int N> struct small_page
{
  column<T, N> f[N], v[N];
};

template <typename T, int N>
GE_DEVICE_INLINE void
exchange_pair (column<T, N> *x, column<T, N> *y)
{
  const column<T, N> z = *x;
  *x = *y;
  *y = z;
}

/* Make columns X and Y of F orthogonal, the longer one X; *COSINE and *MOVED: see
   rotate_columns.  */
template <typename T, int N>
GE_DEVICE_INLINE void
rotate_pair (small_page<T, N> *p, int x, int y, ge_real<T> tol, float *cosine,
             float *moved)
{
  typedef ge_real<T> R;
  R a = squared_length<T, N> (&p->f[x]), b = squared_length<T, N> (&p->f[y]);
  R re, im, d, h, s, t, wr = 1, wi = 0;
  int exchange;
  inner_product<T, N> (&p->f[x], &p->f[y], &re, &im);
  const R larger = fmax_ (a, b), smaller = fmin_ (a, b);
  const R scale = ge_quick_reciprocal (larger);
  R square = is_complex<T>::value ? fma_ (re, re, im * im) : re * re;
  if (! (square > tol * tol * (a * b)
         && smaller > shortest<R> () * shortest<R> ()))
    return;
  d = re;
  if (is_complex<T>::value)
    {
      d = sqrt_ (square);
      wr = re / d;
      wi = -im / d;
    }
  const R c = square * ge_quick_reciprocal (a * b);
  ge_onesided_half_angle (a * scale, b * scale, d * scale, c, 1, &t, &h, &s,
                          &exchange);
  *cosine = fmaxf (*cosine, (float) c);
  *moved = fmaxf (
      *moved,
      exchange ? 1.0f
               : (float) fmin_ (s * s * larger * ge_quick_reciprocal (smaller),
                                (R) 1e30));
  apply_rotation<T, N> (&p->f[x], &p->f[y], h, s, wr, wi);
  apply_rotation<T, N> (&p->v[x], &p->v[y], h, s, wr, wi);
}

/* The number of sweeps, 0 if they were not enough.  */
template <typename T, int N>
GE_DEVICE_INLINE int
converge (small_page<T, N> *p, ge_real<T> tol)
{
  for (int sweep = 1; sweep <= MOST_SWEEPS; sweep++)
    {
      float cosine = 0, moved = 0;
#pragma unroll
      for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = i + 1; j < N; j++)
          rotate_pair<T, N> (p, i, j, tol, &cosine, &moved);
      if (ge_onesided_done ((float) N, sqrtf (moved), sqrtf (cosine),
                            (float) tol))
        return sweep;
    }
  return 0;
}

/* Page A of shared memory; the exponent of the scaling, 32768 if an element is not
   finite.  */
template <typename T, int N>
GE_DEVICE_INLINE int
load (const svd_stack<T> &s, const T *a, small_page<T, N> *p)
{
  typedef ge_real<T> R;
  const int wide = s.m < s.n;
  R most = 0, sum = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
#pragma unroll
    for (int i = 0; i < N; i++)
      {
        const T x = i < s.l && j < s.k ? a[wide ? j + s.m * i : i + s.m * j]
                                       : zero<T> ();
        p->f[j].re[i] = real_part (x);
        most = fmax_ (most, fabs_ (real_part (x)));
        sum += 0 * real_part (x);
        p->v[j].re[i] = i == j;
        if (is_complex<T>::value)
          {
            p->f[j].im[i] = wide ? -imaginary_part (x) : imaginary_part (x);
            most = fmax_ (most, fabs_ (imaginary_part (x)));
            sum += 0 * imaginary_part (x);
            p->v[j].im[i] = 0;
          }
      }
  if (sum != 0)
    return 32768;
  const int e = exponent_of (most), half = -e / 2;
  const R first = scale_by ((R) 1, half), second = scale_by ((R) 1, -e - half);
#pragma unroll
  for (int j = 0; j < N; j++)
#pragma unroll
    for (int i = 0; i < N; i++)
      {
        p->f[j].re[i] = p->f[j].re[i] * first * second;
        if (is_complex<T>::value)
          p->f[j].im[i] = p->f[j].im[i] * first * second;
      }
  return e;
}

/* Lengths, descending, and the columns of F of length 1; nonzero if one of the COUNT first
   is too short for that.  */
template <typename T, int N>
GE_DEVICE_INLINE int
sort_columns (small_page<T, N> *p, int count, ge_real<T> *length)
{
  typedef ge_real<T> R;
  int bad = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    {
      const R square = squared_length<T, N> (&p->f[j]);
      length[j] = sqrt_ (square);
    }
#pragma unroll
  for (int pass = 0; pass < N; pass++)
#pragma unroll
    for (int j = 0; j < N - 1 - pass; j++)
      if (length[j] < length[j + 1])
        {
          const R z = length[j];
          length[j] = length[j + 1];
          length[j + 1] = z;
          exchange_pair<T, N> (&p->f[j], &p->f[j + 1]);
          exchange_pair<T, N> (&p->v[j], &p->v[j + 1]);
        }
#pragma unroll
  for (int j = 0; j < N; j++)
    {
      const R inverse = 1 / length[j];
      bad |= j < count && ! (length[j] > shortest<R> ());
#pragma unroll
      for (int i = 0; i < N; i++)
        {
          p->f[j].re[i] *= inverse;
          if (is_complex<T>::value)
            p->f[j].im[i] *= inverse;
        }
    }
  return bad;
}

/* PAGES pages of ELEMENTS numbers between BUFFER in shared and X in global memory.  */
template <typename T>
GE_DEVICE_INLINE void
copy_pages (int pages, int elements, const T *from, T *to)
{
  __syncthreads ();
  for (int i = threadIdx.x; i < pages * elements; i += THREADS)
    to[i] = from[i];
  __syncthreads ();
}

/* The first ROWS elements of the chosen columns X of a page, to the page TO.  */
template <typename T, int N>
GE_DEVICE_INLINE void
put_columns (const svd_stack<T> &s, const column<T, N> *x, int rows, T *to)
{
#pragma unroll
  for (int j = 0; j < N; j++)
#pragma unroll
    for (int i = 0; i < N; i++)
      if (i < rows && j >= s.first && j < s.first + s.values)
        to[i + rows * (j - s.first)] = make_number<T> (
            x[j].re[i],
            is_complex<T>::value ? x[j].im[i * is_complex<T>::value] : 0);
}

template <typename T, int N>
GE_KERNEL (THREADS)
small_pages (const svd_stack<T> s, int64_t pages)
{
  typedef ge_real<T> R;
  __shared__ T buffer[THREADS * N * N];
  const int64_t first = blockIdx.x * (int64_t) THREADS;
  const int count = (int) min (pages - first, (int64_t) THREADS);
  const int mine = min ((int) threadIdx.x, count - 1);
  const int is_page = (int) threadIdx.x < count, wide = s.m < s.n;
  small_page<T, N> p;
  R length[N];
  copy_pages (count, s.m * s.n, s.a + first * s.m * s.n, buffer);
  const int exponent = load<T, N> (s, buffer + mine * s.m * s.n, &p);
  const int sweeps = exponent == 32768 ? 0 : converge<T, N> (&p, s.tol);
  const int left = (sort_columns<T, N> (&p, s.k, length) && s.u) || sweeps == 0;
  if (is_page)
    {
      s.state[first + mine] = (unsigned char) left;
      if (left)
        atomicAdd (s.left, 1);
    }
  const int most = tile_max<32> (sweeps);
  if (threadIdx.x % 32 == 0)
    atomicMax (s.sweeps, most);
  __syncthreads ();
  R *values = (R *) buffer;
#pragma unroll
  for (int j = 0; j < N; j++)
    if (is_page && j >= s.first && j < s.first + s.values)
      values[mine * s.values + j - s.first] = scale_by (length[j], exponent);
  copy_pages (count, s.values, values, s.s + first * s.values);
  if (! s.u)
    return;
  const int in_u = s.m * s.values, in_v = s.n * s.values;
  if (is_page)
    put_columns<T, N> (s, wide ? p.v : p.f, s.m, buffer + mine * in_u);
  copy_pages (count, in_u, buffer, s.u + first * in_u);
  if (is_page)
    put_columns<T, N> (s, wide ? p.f : p.v, s.n, buffer + mine * in_v);
  copy_pages (count, in_v, buffer, s.v + first * in_v);
}

template <typename T, int N>
static gpueig_status
launch (gpueig_context *ctx, const svd_stack<T> *s, int64_t pages)
{
  GE_LAUNCH ((small_pages<T, N>), ge_blocks (pages, THREADS), THREADS, 0, *s,
             pages);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_svd_small (gpueig_context *ctx, const svd_stack<T> *s, int64_t pages)
{
  return s->l <= 2   ? launch<T, 2> (ctx, s, pages)
         : s->l == 3 ? launch<T, 3> (ctx, s, pages)
                     : launch<T, 4> (ctx, s, pages);
}

GE_INSTANTIATE (ge_svd_small)
