/* Element-wise cyclic Jacobi on a matrix in global memory: for "Accuracy" "high",
   see core/jacobi/cyclic_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/jacobi.cuh"

enum
{
  THREADS = 256
};

/* The rotation of a pair of columns (p, q): cosine c, sine times phase w, new
   diagonal elements.  ROTATES is 0 where the element is negligible.  */
template <typename T> struct rotation_pair
{
  typedef typename real_of<T>::type R;
  T w;
  R c, near_p, near_q;
  int p, q, rotates;
};

/* The rotations of a round, one pair per thread.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    rotations_kernel (int m, int round, const T *a, int64_t ld, double tol,
                      double floor, rotation_pair<T> *pairs)
{
  typedef typename real_of<T>::type R;
  int k = blockIdx.x * THREADS + threadIdx.x, i, j;
  if (k >= m / 2)
    return;
  ge_round_pair (m, round, k, &i, &j);
  R ap = real_part (a[i + ld * i]), aq = real_part (a[j + ld * j]), tg = 0;
  T g = a[i + ld * j];
  rotation_pair<T> r;
  r.p = i;
  r.q = j;
  r.c = 1;
  r.w = make_number<T> (0, 0);
  r.rotates = ! negligible (ap, aq, g, (R) tol, (R) floor, 1);
  if (r.rotates)
    rotation_of (ap, aq, g, 1, &r.c, &r.w, &tg);
  r.near_p = ap - tg;
  r.near_q = aq + tg;
  pairs[k] = r;
}

/* Grid: (ROW_BLOCKS + strips of V, pairs).  Block (x, y) has the columns of
   pair y: for x < ROW_BLOCKS of A, thread k having the rows of pair k (all of
   both triangles), otherwise THREADS rows of V.  The tiles are disjoint, so no
   synchronisation is needed.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    rotate_kernel (int m, T *a, T *v, int64_t ld, int row_blocks,
                   const rotation_pair<T> *pairs)
{
  int half = m / 2, l = blockIdx.y;
  const rotation_pair<T> g = pairs[l];
  int64_t cp = ld * g.p, cq = ld * g.q;
  if ((int) blockIdx.x >= row_blocks)
    {
      int64_t i = (int64_t) (blockIdx.x - row_blocks) * THREADS + threadIdx.x;
      if (i < m && g.rotates)
        rotate_elements (g.c, g.w, &v[i + cp], &v[i + cq]);
      return;
    }
  int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= half)
    return;
  const rotation_pair<T> f = pairs[k];
  if (! f.rotates && ! g.rotates)
    return;
  if (k == l)
    {
      a[g.p + cp] = make_number<T> (g.near_p, 0);
      a[g.q + cq] = make_number<T> (g.near_q, 0);
      a[g.p + cq] = a[g.q + cp] = make_number<T> (0, 0);
      return;
    }
  T x00 = a[f.p + cp], x01 = a[f.p + cq], x10 = a[f.q + cp], x11 = a[f.q + cq];
  rotate_elements (g.c, g.w, &x00, &x01);
  rotate_elements (g.c, g.w, &x10, &x11);
  rotate_elements (f.c, conjugate (f.w), &x00, &x10);
  rotate_elements (f.c, conjugate (f.w), &x01, &x11);
  a[f.p + cp] = x00;
  a[f.p + cq] = x01;
  a[f.q + cp] = x10;
  a[f.q + cq] = x11;
}

/* Replace A by (A + A') / 2: its triangles have different rounding errors
   because they were computed in different order.  Grid: (row blocks, columns),
   one thread per element above the diagonal.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS) symmetrise_kernel (int m, T *a, int64_t ld)
{
  typedef typename real_of<T>::type R;
  int64_t j = blockIdx.y, i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (i >= j || j >= m)
    return;
  T mean = times ((R) 0.5, plus (a[i + ld * j], conjugate (a[j + ld * i])));
  a[i + ld * j] = mean;
  a[j + ld * i] = conjugate (mean);
}

template <typename T>
static gpueig_status
sweep (gpueig_context *ctx, int m, T *a, T *v, int64_t ld,
       const ge_jacobi_control *control, rotation_pair<T> *pairs)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int half = m / 2, row_blocks = (half + THREADS - 1) / THREADS;
  int strips = v ? (m + THREADS - 1) / THREADS : 0;
  int64_t look = (int64_t) 4000000000 / ((int64_t) m * m) + 1;
  dim3 grid ((unsigned) (row_blocks + strips), (unsigned) half);
  dim3 square ((unsigned) ((m + THREADS - 1) / THREADS), (unsigned) m);
  for (int round = 0; round < m - 1; round++)
    {
      GE_LAUNCH (rotations_kernel<T>, row_blocks, THREADS, 0, stream)
      (m, round, a, ld, control->tol, 0.0, pairs);
      LAUNCHED ();
      GE_LAUNCH (rotate_kernel<T>, grid, THREADS, 0, stream)
      (m, a, v, ld, row_blocks, pairs);
      LAUNCHED ();
      if (round % look == look - 1)
        {
          CU (cudaStreamSynchronize (stream));
          GE_TRY (ge_check_interrupt (ctx));
        }
    }
  GE_LAUNCH (symmetrise_kernel<T>, square, THREADS, 0, stream) (m, a, ld);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_cyclic (gpueig_context *ctx, int64_t n, T *a, T *v, double unit,
                       double norm, const ge_jacobi_control *control,
                       gpueig_info *info)
{
  int64_t ld = ge_jacobi_padded (n), left;
  int m = (int) (n + (n & 1)), mark = ge_mark (ctx);
  double off2;
  rotation_pair<T> *pairs;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, m / 2, &pairs));
  for (int64_t k = 0;; k++)
    {
      GE_TRY (ge_cuda_jacobi_measure (ctx, n, (const T *) a, ld, control->tol,
                                      0, 1, unit, &off2, &left));
      ge_jacobi_note (ctx, info, k ? "sweep" : "start",
                      norm > 0 ? sqrt (off2) / norm : 0);
      if (left == 0)
        break;
      if (info->sweeps >= control->max_sweeps)
        {
          ge_release (ctx, mark);
          return ge_jacobi_unfinished (ctx, control);
        }
      info->sweeps++;
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (sweep (ctx, m, a, v, ld, control, pairs));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANCE(T)                                                            \
  template gpueig_status ge_cuda_jacobi_cyclic (                               \
      gpueig_context *, int64_t, T *, T *, double, double,                     \
      const ge_jacobi_control *, gpueig_info *);
INSTANCE (float)
INSTANCE (double)
INSTANCE (cuComplex)
INSTANCE (cuDoubleComplex)
