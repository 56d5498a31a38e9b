/* Stacks of small orders: reduction to tridiagonal form and Q, several pages per warp or
   one per block of two warps.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As stack_reduce.cuh, with Q, for pages of order at most N.  LANES lanes
   process a page; lane l has the columns l, l + LANES, ... of the matrix
   in registers, N rows each.  In every step the update of element i + 1 is stored in
   register i, so register 0 always has the element in the row of the step, and the
   same code for M rows serves several steps.  The lanes exchange data through shared
   memory: as the matrix is Hermitian, the elements in register 0 form the column
   that the reflector reduces; all lanes read it and y = A v from shared memory.

   Reflectors are not scaled: H = I - tau v v^H with v = x - beta e_1, beta = -phase
   |x|, phase = x_1 / |x_1|, tau = 1 / (|x| (|x| + |x_1|)), which is Hermitian.  The
   off-diagonal elements beta of a complex page become real by a diagonal matrix of
   phases, A = (Q D) T (Q D)^H.  Afterwards each lane has rows of Q and applies the
   reflectors from the right; a column is done after its step.  */

#ifndef GE_STACK_SMALL_CUH
#define GE_STACK_SMALL_CUH 1

#include "tridiagonal/stack.cuh"

#include "tridiagonal/householder.cuh"

/* A team, which has FIT pages: a warp, or for more than 32 LANES a block of two warps.  */
template <int LANES> struct small_shape
{
  enum
  {
    TEAM = LANES > 32 ? 64 : 32, /* threads */
    THREADS = LANES > 32 ? TEAM : 4 * TEAM,
    FIT = TEAM / LANES,
    EACH = FIT * (THREADS / TEAM) /* pages of a block */
  };
};

template <int LANES>
GE_DEVICE_INLINE void
small_barrier (void)
{
  if (LANES > 32)
    __syncthreads ();
  else
    this_warp ().sync ();
}

/* Independent parts of the sums of C columns, so that enough of them are in progress; small
   pages have more warps instead.  */
template <int N, int C> struct small_sums
{
  enum
  {
    SUMS = C > 2 || N < 20 ? 1 : 4 / C
  };
};

template <typename T> struct small_arguments
{
  int n;
  int64_t pages;
  const T *a;
  T *v; /* NULL: without Q */
  double *d, *e;
  ge_stack_page *page;
};

/* Numbers that are loaded together, 16 bytes.  */
template <typename T> struct alignas (16) small_group
{
  static constexpr int COUNT = 16 / sizeof (T);
  T x[COUNT];
};

/* A page's shared memory: an odd number of 16 bytes, so that the pages of a warp use
   different banks.  */
template <typename T, int N, int LANES> struct alignas (16) small_space
{
  typedef ge_real<T> R;
  T v[N * N]; /* reflector j from row j + 1 on begins at N j */
  T first[N]; /* first element of each, instead of v[N j] */
  T y[N];
  T phase[N]; /* of D */
  double d[N], e[N];
  R tau[N];
  R parts[(LANES + 3) / 4 * 4];
  double2
      space[1
            + (N * (N + 3) * (int) sizeof (T) + 16 * N + N * (int) sizeof (R)
               + (LANES + 3) / 4 * 4 * (int) sizeof (R))
                  / 16 % 2];
};

/* The position of a lane.  */
struct small_place
{
  int me;     /* index among the lanes of the page */
  int active; /* nonzero if the lane belongs to a page */
};

/* Sums of squares below this limit are of elements that are negligible compared with
   the largest one, whose exponent is that of reduce_scale; the squares may
   underflow.  */
template <typename R>
GE_DEVICE_INLINE R
small_least (void)
{
  return sizeof (R) == 8 ? (R) 0x1p-400 : (R) 0x1p-60;
}

/* The square of the modulus of a number below this limit may have underflowed, so that
   it gives no phase.  */
template <typename R>
GE_DEVICE_INLINE R
small_phase (void)
{
  return sizeof (R) == 8 ? (R) 0x1p-900 : (R) 0x1p-110;
}

/* The reflector of a step.  */
template <typename T> struct small_reflector
{
  typedef ge_real<T> R;
  T beta, first; /* first: element of v */
  R tau, size;   /* size: the off-diagonal element of T */
  T turn;        /* beta / size */
};

/* The reflector for the first element ALPHA and SQUARES, the sum of squares of the
   other elements.  */
template <typename T>
GE_DEVICE_INLINE small_reflector<T>
small_reflect (T alpha, ge_real<T> squares)
{
  typedef ge_real<T> R;
  const R least = small_least<R> ();
  small_reflector<T> h;
  if constexpr (is_complex<T>::value)
    {
      const R square = add_square (alpha, (R) 0);
      /* An alpha without a phase, small enough for SQUARES to count, is negligible in H, but not
         in v, whose product with A has it.  */
      const int has_phase = square >= small_phase<R> ();
      const R modulus = has_phase ? sqrt (square) : 0;
      const T phase
          = has_phase ? times (1 / modulus, alpha) : make_number<T> (1, 0);
      if (! (squares >= least))
        return square >= least
                   ? small_reflector<T>{ alpha, zero<T> (), 0, modulus, phase }
                   : small_reflector<T>{ zero<T> (), zero<T> (), 0, 0,
                                         make_number<T> (1, 0) };
      h.size = sqrt (square + squares);
      h.turn = make_number<T> (-real_part (phase), -imaginary_part (phase));
      h.beta = times (h.size, h.turn);
      h.first = minus (alpha, h.beta);
      h.tau = 1 / (h.size * (h.size + modulus));
    }
  else
    {
      if (! (squares >= least))
        return { alpha, 0, 0, alpha, 1 };
      const R norm = sqrt (fma (alpha, alpha, squares));
      h.beta = h.size = -copysign (norm, alpha);
      h.first = alpha - h.beta;
      h.tau = 1 / (norm * (norm + fabs (alpha)));
      h.turn = 1;
    }
  return h;
}

template <typename T, int N>
GE_DEVICE_INLINE T
sum_of (const T *x)
{
  if constexpr (N == 1)
    return x[0];
  else
    return plus (sum_of<T, N / 2> (x), sum_of<T, N - N / 2> (x + N / 2));
}

/* Y = A' V for the columns that are left of A and V, whose first element is *ALPHA.
   Returns the sum of squares of the other elements of V.  */
template <typename T, int N, int C, int M>
GE_DEVICE_INLINE ge_real<T>
small_product (const T *v, T (*a)[N], T *y, T *alpha)
{
  typedef small_group<T> group;
  constexpr int G = group::COUNT, SUMS = small_sums<N, C>::SUMS;
  ge_real<T> squares[2] = { 0, 0 };
  T sum[C][SUMS];
#pragma unroll
  for (int c = 0; c < C; c++)
#pragma unroll
    for (int l = 0; l < SUMS; l++)
      sum[c][l] = zero<T> ();
#pragma unroll
  for (int i = 0; i < M; i += G)
    {
      const group some = *(const group *) (v + i);
#pragma unroll
      for (int u = 0; u < G; u++)
        if (i + u < M)
          {
            if (i + u == 0)
              *alpha = some.x[u];
            else
              squares[(i + u) % 2]
                  = add_square (some.x[u], squares[(i + u) % 2]);
#pragma unroll
            for (int c = 0; c < C; c++)
              sum[c][(i + u) % SUMS] = conj_mul_add (a[c][i + u + 1], some.x[u],
                                                     sum[c][(i + u) % SUMS]);
          }
    }
#pragma unroll
  for (int c = 0; c < C; c++)
    y[c] = sum_of<T, SUMS> (sum[c]);
  return squares[0] + squares[1];
}

/* A less V G and Y F, V with FIRST as its first element, moved by one row.  */
template <typename T, int N, int C, int M>
GE_DEVICE_INLINE void
small_update (const T *v, const T *y, T first, const T *f, const T *g,
              T (*a)[N])
{
  typedef small_group<T> group;
  constexpr int G = group::COUNT;
#pragma unroll
  for (int i = 0; i < M; i += G)
    {
      const group some = *(const group *) (v + i);
      const group product_of = *(const group *) (y + i);
#pragma unroll
      for (int u = 0; u < G; u++)
        if (i + u < M)
          {
            const T vi = i + u == 0 ? first : some.x[u];
#pragma unroll
            for (int c = 0; c < C; c++)
              a[c][i + u] = mul_sub (product_of.x[u], f[c],
                                     mul_sub (vi, g[c], a[c][i + u + 1]));
          }
    }
}

/* The sum of the PARTs of all lanes, in two halves with a barrier between them: the lanes of
   a warp that has one page add theirs before.  */
template <int LANES, typename R>
GE_DEVICE_INLINE void
small_put_part (small_place p, R part, R *parts)
{
  if (LANES > 32)
    {
      part = warp_sum (this_warp (), p.active ? part : 0);
      if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = part;
    }
  else if (p.active)
    parts[p.me] = part;
}
template <int LANES, typename R>
GE_DEVICE_INLINE R
small_sum (const R *parts)
{
  constexpr int COUNT = LANES > 32 ? 2 : LANES, SUMS = LANES > 8 ? 4 : 1;
  R sum[SUMS] = {};
#pragma unroll
  for (int l = 0; l < COUNT; l++)
    sum[l % SUMS] += parts[l];
  return sum_of<R, SUMS> (sum);
}

/* Steps FROM to TO - 1; in each the column has at most M elements below the diagonal.
   *PHASE: element of D for the column of the step.  POSITION: indices of the lane's
   columns in the reflector, modulo N.  */
template <typename T, int N, int C, int M, int LANES>
GE_DEVICE_INLINE void
small_steps (small_space<T, N, LANES> *s, small_place p, int from, int to,
             T (*a)[N], int *position, T *phase)
{
  typedef ge_real<T> R;
  for (int k = from; k < to; k++)
    {
      T *const v = s->v + k * N;
      T x[C], y[C];
#pragma unroll
      for (int c = 0; c < C; c++)
        {
          const int j = p.me + c * LANES;
          x[c] = j > k ? conjugate (a[c][0]) : zero<T> ();
          if (p.active)
            v[position[c]] = x[c];
          if (p.active && j == k)
            s->d[k] = (double) real_part (a[c][0]) * reduce_scale<R>::back;
        }
      small_barrier<LANES> ();
      T alpha = zero<T> ();
      const R squares = small_product<T, N, C, M> (v, a, y, &alpha);
      const small_reflector<T> h = small_reflect<T> (alpha, squares);
      R part = 0;
#pragma unroll
      for (int c = 0; c < C; c++)
        {
          const int j = p.me + c * LANES;
          y[c] = mul_sub (conjugate (a[c][1]), h.beta, y[c]);
          if (j <= k)
            y[c] = zero<T> ();
          if (j == k + 1)
            x[c] = h.first;
          part += real_part (conj_mul_add (x[c], y[c], zero<T> ()));
          if (p.active)
            s->y[position[c]] = y[c];
          position[c] = position[c] > 0 ? position[c] - 1 : N - 1;
        }
      small_put_part<LANES> (p, part, s->parts);
      if (is_complex<T>::value)
        *phase = times (*phase, h.turn);
      if (p.active && p.me == 0)
        {
          s->first[k] = h.first;
          s->tau[k] = h.tau;
          s->e[k] = (double) h.size * reduce_scale<R>::back;
          s->phase[k + 1] = *phase;
        }
      small_barrier<LANES> ();
      /* v^H A v */
      const R kappa = h.tau * (h.tau * small_sum<LANES> (s->parts));
      T g[C], f[C];
#pragma unroll
      for (int c = 0; c < C; c++)
        {
          f[c] = times (h.tau, conjugate (x[c]));
          g[c] = mul_add (-kappa, conjugate (x[c]),
                          times (h.tau, conjugate (y[c])));
        }
      small_update<T, N, C, M> (v, s->y, h.first, f, g, a);
    }
}

/* The steps of the reduction for rows of Q; column K + 1 of Q is final after step K.  */
template <typename T, int N, int C, int M, int LANES>
GE_DEVICE_INLINE void
small_form (const small_space<T, N, LANES> *s, small_place p, int n, int from,
            int to, T (*z)[N], T *out)
{
  typedef small_group<T> group;
  constexpr int G = group::COUNT, SUMS = small_sums<N, C>::SUMS;
  for (int k = from; k < to; k++)
    {
      const T *const v = s->v + k * N;
      T product[C], sum[C][SUMS];
#pragma unroll
      for (int c = 0; c < C; c++)
#pragma unroll
        for (int l = 0; l < SUMS; l++)
          sum[c][l] = zero<T> ();
#pragma unroll
      for (int i = 0; i < M; i += G)
        {
          group some = *(const group *) (v + i);
          if (i == 0)
            some.x[0] = s->first[k];
#pragma unroll
          for (int u = 0; u < G; u++)
            if (i + u < M)
#pragma unroll
              for (int c = 0; c < C; c++)
                sum[c][(i + u) % SUMS]
                    = mul_add (z[c][i + u], some.x[u], sum[c][(i + u) % SUMS]);
        }
#pragma unroll
      for (int c = 0; c < C; c++)
        product[c] = times (s->tau[k], sum_of<T, SUMS> (sum[c]));
      T done[C];
#pragma unroll
      for (int i = 0; i < M; i += G)
        {
          group some = *(const group *) (v + i);
          if (i == 0)
            some.x[0] = s->first[k];
#pragma unroll
          for (int u = 0; u < G; u++)
            if (i + u < M)
#pragma unroll
              for (int c = 0; c < C; c++)
                {
                  const T x = mul_conj_sub (product[c], some.x[u], z[c][i + u]);
                  if (i + u == 0)
                    done[c] = x;
                  else
                    z[c][i + u - 1] = x;
                }
        }
#pragma unroll
      for (int c = 0; c < C; c++)
        {
          const int row = p.me + c * LANES;
          if (is_complex<T>::value)
            done[c] = times (s->phase[k + 1], done[c]);
          if (p.active && row < n)
            out[(k + 1) * n + row] = done[c];
        }
    }
}

/* Load the page and scale it; returns its exponent.  Element (i, j) is read as the
   conjugate of (j, i), so that adjacent lanes read adjacent elements.  */
template <typename T, int N, int C, int LANES>
GE_DEVICE_INLINE int
small_load (small_space<T, N, LANES> *s, small_place p, int n, const T *page,
            T (*a)[N])
{
  typedef ge_real<T> R;
  R largest = 0;
#pragma unroll
  for (int c = 0; c < C; c++)
    {
      const int j = p.me + c * LANES;
#pragma unroll
      for (int i = 0; i < N; i++)
        {
          a[c][i] = page && i < n && j < n ? conjugate (page[i * n + j])
                                           : zero<T> ();
          largest = fmax (largest, largest_part (a[c][i]));
        }
    }
  if (p.active)
    s->parts[p.me] = largest;
  small_barrier<LANES> ();
#pragma unroll
  for (int l = 0; l < LANES; l++)
    largest = fmax (largest, s->parts[l]);
  const int exponent = exponent_of (largest);
  const int all = reduce_scale<R>::exponent - exponent, half = all / 2;
  const R f = ldexp ((R) 1, half), g = ldexp ((R) 1, all - half);
#pragma unroll
  for (int c = 0; c < C; c++)
#pragma unroll
    for (int i = 0; i < N; i++)
      a[c][i] = times (g, times (f, a[c][i]));
  return exponent;
}

template <typename T, int N, int C>
GE_KERNEL (small_shape<N / C>::THREADS)
small_reduce_kernel (small_arguments<T> q)
{
  constexpr int LANES = N / C;
  typedef small_shape<LANES> shape;
  constexpr int FIT = shape::FIT;
  static_assert (N % C == 0 && N % 4 == 0, "columns are divided evenly");
  extern __shared__ double2 small_shared[];
  const int n = q.n;
  const int team = threadIdx.x / shape::TEAM, lane = threadIdx.x % shape::TEAM;
  const int slot = min (lane / LANES, FIT - 1);
  /* Lanes without a page compute the same as the first lane of the last page.  */
  const int active = lane < FIT * LANES;
  const small_place p = { active ? lane - slot * LANES : 0, active };
  const int64_t first = (int64_t) blockIdx.x * shape::EACH + team * FIT;
  const int64_t at = first + slot;
  if (first >= q.pages)
    return;
  const int present = at < q.pages;
  small_space<T, N, LANES> *const s
      = (small_space<T, N, LANES> *) small_shared + (team * FIT + slot);
  T a[C][N], phase = make_number<T> (1, 0);
  int position[C];
  const int exponent = small_load<T, N, C, LANES> (
      s, p, n, present ? q.a + at * n * n : NULL, a);
#pragma unroll
  for (int c = 0; c < C; c++)
    position[c] = (p.me + c * LANES + N - 1) % N;
  constexpr int Q = N / 4;
  const int end = n - 1;
  small_steps<T, N, C, N - 1, LANES> (s, p, 0, min (end, Q), a, position,
                                      &phase);
  small_steps<T, N, C, N - Q - 1, LANES> (s, p, Q, min (end, 2 * Q), a,
                                          position, &phase);
  small_steps<T, N, C, N - 2 * Q - 1, LANES> (s, p, 2 * Q, min (end, 3 * Q), a,
                                              position, &phase);
  small_steps<T, N, C, N - 3 * Q - 1, LANES> (s, p, 3 * Q, end, a, position,
                                              &phase);
#pragma unroll
  for (int c = 0; c < C; c++)
    if (p.active && p.me + c * LANES == n - 1)
      {
        s->d[n - 1]
            = (double) real_part (a[c][0]) * reduce_scale<ge_real<T>>::back;
        s->e[n - 1] = 0;
      }
  small_barrier<LANES> ();
  for (int i = p.me; i < n && present && p.active; i += LANES)
    {
      q.d[at * n + i] = s->d[i];
      q.e[at * n + i] = s->e[i];
    }
  if (present && p.active && p.me == 0)
    q.page[at] = ge_stack_page{ GE_STACK_RUNNING, exponent };
  if (! q.v)
    return;
  T *const out = q.v + at * n * n;
  const small_place r = { p.me, p.active && present };
#pragma unroll
  for (int c = 0; c < C; c++)
    {
      const int row = p.me + c * LANES;
#pragma unroll
      for (int i = 0; i < N; i++)
        a[c][i] = make_number<T> (i + 1 == row, 0);
      if (r.active && row < n)
        out[row] = make_number<T> (row == 0, 0);
    }
  small_form<T, N, C, N - 1, LANES> (s, r, n, 0, min (end, Q), a, out);
  small_form<T, N, C, N - Q - 1, LANES> (s, r, n, Q, min (end, 2 * Q), a, out);
  small_form<T, N, C, N - 2 * Q - 1, LANES> (s, r, n, 2 * Q, min (end, 3 * Q),
                                             a, out);
  small_form<T, N, C, N - 3 * Q - 1, LANES> (s, r, n, 3 * Q, end, a, out);
}

template <typename T, int N, int C>
static gpueig_status
launch_small (gpueig_context *ctx, const ge_stack<T> *s)
{
  constexpr int LANES = N / C, EACH = small_shape<LANES>::EACH;
  constexpr size_t shared = EACH * sizeof (small_space<T, N, LANES>);
  static_assert (shared <= 99 * 1024, "every GPU since sm_80 has that much");
  const int64_t blocks = (s->pages + EACH - 1) / EACH;
  const small_arguments<T> q
      = { s->n, s->pages, s->a, s->v, s->d, s->e, s->page };
  GE_TRY (ge_one_launch (ctx, blocks, s->pages));
  GE_ALLOW_SHARED ((small_reduce_kernel<T, N, C>), shared);
  GE_LAUNCH ((small_reduce_kernel<T, N, C>), (unsigned) blocks,
             small_shape<LANES>::THREADS, shared, q);
  return GPUEIG_OK;
}

/* Two or three columns per lane, so that several pages fill a warp; fewer of elements with
   four registers, and where a page would have more registers than a warp.  */
template <typename T>
gpueig_status
ge_stack_small_reduce (gpueig_context *ctx, const ge_stack<T> *s)
{
  constexpr int C = sizeof (T) == 16 ? 1 : 2;
  if (s->n <= 8)
    return launch_small<T, 8, C> (ctx, s);
  if (s->n <= 12)
    return launch_small<T, 12, 2> (ctx, s);
  if (s->n <= 16)
    return launch_small<T, 16, C> (ctx, s);
  if (s->n <= 20)
    return launch_small<T, 20, 2> (ctx, s);
  if (s->n <= 24)
    return launch_small<T, 24, 2 * C - 1> (ctx, s);
  if constexpr (sizeof (T) < 16)
    {
      if (s->n > 40)
        return launch_small<T, 48, (sizeof (T) == 4 ? 3 : 1)> (ctx, s);
      if (s->n > 32)
        return launch_small<T, 40, (sizeof (T) == 4 ? 4 : 2)> (ctx, s);
    }
  return launch_small<T, 32, C> (ctx, s);
}

#endif
