/* Classical Jacobi on the GPU, after T. Wang et al., "Implementing the Jacobi
   algorithm for solving eigenvalues of symmetric matrices with CUDA", IEEE NAS
   2012, section IV C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As in the paper the pivot is the largest off-diagonal element, and the iteration
   runs on the GPU.  Different from it: the paper searches all n (n - 1) / 2
   elements for every pivot; here the largest element of every column of the full
   matrix is maintained, so that a rotation costs O(n).  Two kernels per rotation
   find its pivot and apply it; the kernel boundary is the only synchronisation.
   After the last rotation both return at once.  */

#include "base/teams.cuh"
#include "jacobi/jacobi.cuh"

enum
{
  THREADS = 256,
  CHOOSERS = 1024,
  COLUMNS = 32, /* of a block that rotates */
  BATCH = 500   /* rotations between two polls for an interrupt */
};

/* On the device: the pivot (p, q), p < q, and its rotation.  WEIGHT: the square of the
   pivot's modulus.  */
template <typename T> struct classical_state
{
  typedef ge_real<T> R;
  int p, q; /* -1: none yet */
  int finished, ended;
  int64_t rotations;
  R c, tg, weight;
  T w;
};

/* A and V (or NULL) have leading dimension LD; BEST has the square of the modulus and the
   row of the largest off-diagonal element of every column.  */
template <typename T> struct classical_problem
{
  int64_t n, ld, limit;
  double least;
  T *a, *v;
  ranked<ge_real<T>> *best;
  classical_state<T> *state;
};

/* The largest off-diagonal element of column K, by the whole block of THREADS
   threads.  */
template <int THREADS, typename T>
static __device__ ranked<ge_real<T>>
search_column (const classical_problem<T> &x, int k)
{
  typedef ge_real<T> R;
  __shared__ ranked<R> space[THREADS / 32];
  const T *column = x.a + x.ld * k;
  ranked<R> best = { 0, INT_MAX };
#pragma unroll 4
  for (int i = threadIdx.x; i < (int) x.n; i += THREADS)
    if (i != k)
      best = first_largest () (best, ranked<R>{ square_of (column[i]), i });
  return block_reduce<first_largest> (best, space, THREADS / 32);
}

/* Grid: a block per column.  */
template <typename T> GE_KERNEL (THREADS) search_kernel (classical_problem<T> x)
{
  const auto best = search_column<THREADS> (x, (int) blockIdx.x);
  if (threadIdx.x == 0)
    x.best[blockIdx.x] = best;
}

/* One block: search the columns of the last rotation, and choose the pivot of the next
   one.  */
template <typename T>
GE_KERNEL (CHOOSERS)
choose_kernel (classical_problem<T> x)
{
  typedef ge_real<T> R;
  __shared__ ranked<R> space[CHOOSERS / 32];
  classical_state<T> s = *x.state;
  const int t = threadIdx.x;
  if (s.ended)
    return;
  T *app = x.a + (x.ld + 1) * s.p, *aqq = x.a + (x.ld + 1) * s.q;
  if (t == 0 && s.p >= 0)
    {
      *app = make_number<T> (real_part (*app) - s.tg, 0);
      *aqq = make_number<T> (real_part (*aqq) + s.tg, 0);
      x.a[s.p + x.ld * s.q] = x.a[s.q + x.ld * s.p] = make_number<T> (0, 0);
    }
  __syncthreads ();
  for (int k = s.p; k >= 0; k = k == s.p ? s.q : -1)
    {
      const ranked<R> best = search_column<CHOOSERS> (x, k);
      if (t == 0)
        x.best[k] = best;
    }
  __syncthreads ();
  ranked<R> top = { 0, INT_MAX };
  for (int k = t; k < (int) x.n; k += CHOOSERS)
    top = first_largest () (top, ranked<R>{ x.best[k].value, k });
  top = block_reduce<first_largest> (top, space, CHOOSERS / 32);
  if (t > 0)
    return;
  s.weight = top.value;
  s.finished = ! ((double) top.value > x.least);
  s.ended = s.finished || s.rotations == x.limit;
  if (! s.ended)
    {
      const int k = x.best[top.at].at;
      s.p = k < top.at ? k : top.at;
      s.q = k < top.at ? top.at : k;
      s.rotations++;
      rotation_of (real_part (x.a[(x.ld + 1) * s.p]),
                   real_part (x.a[(x.ld + 1) * s.q]), x.a[s.p + x.ld * s.q],
                   &s.c, &s.w, &s.tg);
    }
  *x.state = s;
}

/* Rotate the elements (K, p) and (K, q) and their mirror images.  Returns nonzero if
   column K must be searched: its largest element was one of them and has become
   smaller.  */
template <typename T>
static __device__ int
rotate_column (const classical_problem<T> &x, const classical_state<T> &s,
               int k)
{
  typedef ge_real<T> R;
  T *at_p = x.a + k + x.ld * s.p, *at_q = x.a + k + x.ld * s.q;
  T ep = *at_p, eq = *at_q;
  const ranked<R> old = x.best[k];
  rotate_elements (s.c, s.w, &ep, &eq);
  *at_p = ep;
  *at_q = eq;
  x.a[s.p + x.ld * k] = conjugate (ep);
  x.a[s.q + x.ld * k] = conjugate (eq);
  const ranked<R> now = first_largest () (ranked<R>{ square_of (ep), s.p },
                                          ranked<R>{ square_of (eq), s.q });
  const int was = old.at == s.p || old.at == s.q;
  x.best[k] = was ? now : first_largest () (old, now);
  return was && now.value < old.value;
}

/* Grid: a block per COLUMNS columns of A, and as many rows of V.  */
template <typename T> GE_KERNEL (THREADS) rotate_kernel (classical_problem<T> x)
{
  __shared__ int lost[COLUMNS];
  const classical_state<T> s = *x.state;
  const int t = threadIdx.x, first = COLUMNS * (int) blockIdx.x;
  const int k = first + t % COLUMNS;
  if (s.ended)
    return;
  if (t < COLUMNS)
    lost[t] = k < x.n && k != s.p && k != s.q ? rotate_column (x, s, k) : 0;
  else if (t < 2 * COLUMNS && x.v && k < x.n)
    rotate_elements (s.c, s.w, &x.v[k + x.ld * s.p], &x.v[k + x.ld * s.q]);
  __syncthreads ();
  for (int j = 0; j < COLUMNS; j++)
    if (lost[j])
      {
        const auto best = search_column<THREADS> (x, first + j);
        if (t == 0)
          x.best[first + j] = best;
      }
}

template <typename T>
static gpueig_status
iterate (gpueig_context *ctx, classical_problem<T> x, double norm,
         classical_state<T> *s, gpueig_info *info)
{
  const unsigned blocks = ge_blocks (x.n, COLUMNS);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, x.n, &x.best));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &x.state));
  GE_TRY (ge_put (ctx, x.state, s, 1));
  GE_LAUNCH (search_kernel<T>, (unsigned) x.n, THREADS, 0, x);
  while (! s->ended)
    {
      GE_TRY (ge_check_interrupt (ctx));
      for (int i = 0; i < BATCH; i++)
        {
          GE_LAUNCH (choose_kernel<T>, 1, CHOOSERS, 0, x);
          GE_LAUNCH (rotate_kernel<T>, blocks, THREADS, 0, x);
        }
      GE_TRY (ge_fetch (ctx, s, x.state, 1));
      ge_jacobi_note (ctx, info, s->ended ? "end" : "pivot",
                      norm > 0 ? sqrt ((double) s->weight) / norm : 0);
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_classical (gpueig_context *ctx, int64_t n, T *a, T *v,
                          double norm, const ge_jacobi_control *control,
                          gpueig_info *info)
{
  const int64_t ld = ge_jacobi_padded (n), pairs = n * (n - 1) / 2;
  const double least = control->tol * norm / sqrt ((double) n);
  const int mark = ge_mark (ctx);
  classical_problem<T> x
      = { n, ld, control->max_rotations, least * least, a, v, NULL, NULL };
  classical_state<T> s = {};
  s.p = s.q = -1;
  s.ended = s.finished = n < 2;
  if (x.limit == 0)
    x.limit = control->max_sweeps > INT64_MAX / (n * n)
                  ? INT64_MAX
                  : control->max_sweeps * pairs;
  GE_TRY (iterate (ctx, x, norm, &s, info));
  ge_release (ctx, mark);
  info->sweeps = pairs > 0 ? (s.rotations + pairs - 1) / pairs : 0;
  ge_info_extra (info, "rotations", (double) s.rotations);
  return s.finished ? GPUEIG_OK
                    : gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                                   "no convergence in %lld rotations",
                                   (long long) s.rotations);
}

GE_INSTANTIATE (ge_cuda_jacobi_classical)
