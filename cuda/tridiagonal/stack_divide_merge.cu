/* Stacks: the merges of a level of divide and conquer, see stack_divide.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One block per merge, a thread per eigenvalue: its root of the secular equation, its
   element of the corrected z and its column of U.  */

#include "tridiagonal/stack_divide.cuh"

#include "base/numbers.cuh"

/* The parts of a block's shared memory.  Entries are sorted by the eigenvalues of the
   halves, or live ones in the same order.  */
struct merge_space
{
  /* entries */
  double *d, *z, *c, *s, *value;
  /* first row of the vector in the first half, else the last one */
  double *edge;
  /* live ones: poles, z and their squares, then corrected z; roots */
  double *pole, *weight, *square, *base, *tau;
  short *place;  /* of an entry in the halves */
  short *live;   /* the entry of a live one */
  short *number; /* its inverse */
  short *rank;   /* of an entry among the new eigenvalues */
  unsigned char *kind;
};

enum
{
  MERGE_DOUBLES = 11,
  MERGE_BYTES = MERGE_DOUBLES * 8 + 4 * 2 + 1 /* an entry */
};

GE_DEVICE_INLINE merge_space
divide_shared (double *x, int m)
{
  short *const i = (short *) (x + MERGE_DOUBLES * m);
  return { x,         x + m,     x + 2 * m,  x + 3 * m,
           x + 4 * m, x + 5 * m, x + 6 * m,  x + 7 * m,
           x + 8 * m, x + 9 * m, x + 10 * m, i,
           i + m,     i + 2 * m, i + 3 * m,  (unsigned char *) (i + 4 * m) };
}

/* Entry T of the halves, sorted; LEFT entries in the first one, E between them; FIRST and
   LAST row of its vector.  */
GE_DEVICE_INLINE void
merge_sort (const merge_space &s, int m, int left, double e, int t,
            double first, double last)
{
  const double mine = s.value[t], root = sqrt (fabs (e));
  const int at = t < left
                     ? t + ge_divide_below (m - left, s.value + left, mine, 0)
                     : t - left + ge_divide_below (left, s.value, mine, 1);
  s.d[at] = mine;
  s.place[at] = (short) t;
  s.z[at] = t < left ? root * last : copysign (root, e) * first;
  s.edge[at] = t < left ? first : last;
}

/* As ge_divide_deflate, by the first warp: 32 entries at a time, one after the other only
   where one of them is turned.  */
GE_DEVICE_INLINE int
merge_deflate (const merge_space &s, int m, double norm, double tol)
{
  const ge_warp warp = this_warp ();
  const ge_divide_entries to = { s.kind, s.c, s.s, s.pole, s.weight, s.live };
  const int lane = warp.thread_rank ();
  ge_divide_scan scan = { -1, 0, 0, 0 };
  for (int from = 0; from < m; from += 32)
    {
      const int i = from + lane, end = min (from + 32, m);
      const double d = i < m ? s.d[i] : 0, z = i < m ? s.z[i] : 0;
      const bool counts = i < m && fabs (z) * norm > tol;
      const unsigned all = warp.ballot (counts),
                     lower = all & ((1u << lane) - 1);
      /* the one before, of these or of those before */
      const int near = lower ? 31 - __clz (lower) : -1,
                before = near < 0 ? scan.before : from + near;
      double d0 = warp.shfl (d, max (near, 0)),
             z0 = warp.shfl (z, max (near, 0));
      if (near < 0)
        {
          d0 = scan.d;
          z0 = scan.z;
        }
      const bool follows = counts && before >= 0;
      if (warp.any (follows && ge_divide_turns (d0, z0, d, z, tol)))
        {
          for (int k = from; lane == 0 && k < end; k++)
            ge_divide_scan_entry (&scan, k, s.d, s.z, norm, tol, &to);
          scan = { warp.shfl (scan.before, 0), warp.shfl (scan.live, 0),
                   warp.shfl (scan.d, 0), warp.shfl (scan.z, 0) };
          continue;
        }
      if (i < m && ! counts)
        s.kind[i] = GE_DIVIDE_ZERO;
      const int first = scan.live - (scan.before < 0);
      if (follows)
        ge_divide_set_live (&to, before, first + __popc (lower), d0, z0);
      if (all)
        {
          const int last = 31 - __clz (all);
          scan = { from + last, first + __popc (all), warp.shfl (d, last),
                   warp.shfl (z, last) };
        }
    }
  if (lane == 0)
    scan.live = ge_divide_end_scan (&scan, &to);
  return scan.live;
}

/* Root T of the K, to EPS.  Nonzero: it was not found.  */
GE_DEVICE_INLINE int
merge_root (const merge_space &s, int k, int t, double eps)
{
  double total = 0, tau;
  int origin;
  if (t == k - 1)
    for (int i = 0; i < k; i++)
      total += s.square[i];
  const int count
      = ge_divide_root (k, t, eps, s.pole, s.square, total, &origin, &tau);
  const double root = s.pole[origin] + tau;
  s.base[t] = s.pole[origin];
  s.tau[t] = tau;
  s.value[s.live[t]] = root;
  s.number[s.live[t]] = (short) t;
  return count >= GE_DIVIDE_MOST || ! isfinite (root);
}

/* The column of U that belongs to entry T, rows N apart, if U is not NULL; FIRST and
   LAST: its products with the rows of the halves.  */
template <typename R>
GE_DEVICE_INLINE void
merge_column (const merge_space &s, int m, int left, int k, int n, int t, R *u,
              double *first, double *last)
{
  const bool is_live = s.kind[t] == GE_DIVIDE_LIVE;
  const int j = is_live ? s.number[t] : 0;
  const double base = is_live ? s.base[j] : 0, tau = is_live ? s.tau[j] : 0;
  const double scale
      = is_live ? ge_divide_scale (k, s.pole, s.square, base, tau) : 0;
  double top = 0, bottom = 0;
  const auto put = [&] (int i, double x) {
    const int row = s.place[i];
    if (u)
      u[(int64_t) row * n] = (R) x;
    if (row < left)
      top = fma (s.edge[i], x, top);
    else
      bottom = fma (s.edge[i], x, bottom);
  };
  /* live entry L, whose element is X, and the turned ones before it */
  const auto put_live = [&] (int l, double x) {
    const int end = l > 0 ? s.live[l - 1] : -1;
    int at = s.live[l];
    for (int i = at - 1; i > end; i--)
      if (s.kind[i] == GE_DIVIDE_TURNED)
        {
          const double unit = i == t;
          put (at, fma (s.s[i], unit, s.c[i] * x));
          x = fma (s.c[i], unit, -s.s[i] * x);
          at = i;
        }
    put (at, x);
  };
  for (int i = 0; i < m; i++)
    if (s.kind[i] == GE_DIVIDE_ZERO)
      put (i, i == t);
  int l = 0;
  for (; l + 3 < k; l += 4)
    {
      double y[4];
      ge_divide_inverses (s.pole + l, base, tau, y);
#pragma unroll
      for (int q = 0; q < 4; q++)
        put_live (l + q, is_live ? s.square[l + q] * scale * y[q] : 0);
    }
  for (; l < k; l++)
    put_live (l, is_live ? s.square[l] * scale
                               * ge_inverse ((s.pole[l] - base) - tau)
                         : 0);
  *first = top;
  *last = bottom;
}

/* The rank of value T among the M; equal ones keep their order.  */
GE_DEVICE_INLINE short
merge_rank (const merge_space &s, int m, int t)
{
  const double mine = s.value[t];
  int rank = 0;
  for (int i = 0; i < m; i++)
    rank += s.value[i] < mine || (s.value[i] == mine && i < t);
  return (short) rank;
}

template <typename R>
GE_KERNEL (GE_STACK_ORDER)
merge_kernel (divide_arguments<R> q, int level)
{
  extern __shared__ double merge_shared[];
  __shared__ int live, failed;
  const int n = q.n, t = threadIdx.x;
  const int64_t at = (int64_t) blockIdx.x >> level;
  const int part = (int) (blockIdx.x - (at << level));
  const int start = ge_divide_start (n, level, part);
  const int left = ge_divide_start (n, level + 1, 2 * part + 1) - start;
  const int m = ge_divide_start (n, level, part + 1) - start;
  const merge_space s = divide_shared (merge_shared, m);
  ge_stack_page *const page = q.page + at;
  const int64_t from = at * n + start;
  const double e = q.e[from + left - 1];
  /* By one thread: blocks of other parts of the page may set it meanwhile.  */
  int ends = t == 0 && (page->status == GE_STACK_FAILED || ! isfinite (e));
  double first = 0, last = 0;
  if (t < m)
    {
      s.value[t] = q.value[from + t];
      first = q.first_row[from + t];
      last = q.last_row[from + t];
      /* Numbers that are not finite cannot be sorted: two entries would have one place.  */
      ends |= ! isfinite (s.value[t] + first + last);
    }
  if (__syncthreads_or (ends))
    {
      if (t == 0)
        page->status = GE_STACK_FAILED;
      if (level == 0 && t == 0)
        atomicAdd (q.unfinished + 1, 1);
      return;
    }
  if (t < m)
    merge_sort (s, m, left, e, t, first, last);
  __syncthreads ();
  if (t < 32)
    {
      const int count = merge_deflate (s, m, sqrt (2 * fabs (e)), page->floor);
      if (t == 0)
        {
          failed = 0;
          live = count;
        }
    }
  __syncthreads ();
  const int k = live;
  const double eps = sizeof (R) == 4 ? FLT_EPSILON / 64 : DBL_EPSILON;
  if (t < k)
    s.square[t] = s.weight[t] * s.weight[t];
  if (t < m)
    s.value[t] = s.d[t];
  __syncthreads ();
  if (t < k && merge_root (s, k, t, eps))
    failed = 1;
  __syncthreads ();
  if (t < k)
    s.square[t] = copysign (ge_divide_weight (k, t, s.pole, s.base, s.tau),
                            s.weight[t]);
  if (t < m)
    s.rank[t] = merge_rank (s, m, t);
  __syncthreads ();
  if (t < m)
    {
      const int rank = s.rank[t];
      R *const u = q.u ? q.u + from * n + start + rank : NULL;
      merge_column<R> (s, m, left, k, n, t, u, &first, &last);
      q.value[from + rank] = s.value[t];
      q.first_row[from + rank] = first;
      q.last_row[from + rank] = last;
      if (level == 0)
        q.lambda[from + rank] = (R) ldexp (s.value[t], page->exponent);
    }
  if (t == 0 && failed)
    page->status = GE_STACK_FAILED;
  if (t == 0 && level == 0)
    {
      if (failed)
        atomicAdd (q.unfinished + 1, 1);
      else
        page->status = GE_STACK_DONE;
    }
}

template <typename R>
gpueig_status
ge_stack_divide_merge (gpueig_context *ctx, const divide_arguments<R> *q,
                       int level)
{
  const int most = ((q->n - 1) >> level) + 1;
  const size_t shared = (size_t) most * MERGE_BYTES + 16;
  static_assert (GE_STACK_ORDER * MERGE_BYTES + 16 <= GE_LEAST_SHARED,
                 "the largest order");
  GE_TRY (ge_one_launch (ctx, q->pages << level, q->pages));
  GE_ALLOW_SHARED (merge_kernel<R>, shared);
  GE_LAUNCH (merge_kernel<R>, (unsigned) (q->pages << level),
             (most + 31) / 32 * 32, shared, *q, level);
  return GPUEIG_OK;
}

template gpueig_status
ge_stack_divide_merge (gpueig_context *, const divide_arguments<float> *, int);
template gpueig_status
ge_stack_divide_merge (gpueig_context *, const divide_arguments<double> *, int);
