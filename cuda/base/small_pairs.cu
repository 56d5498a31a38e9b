/* Definite pairs of small order, reduced and transformed back with all of a page in
   shared memory, see pairs.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A team of threads per page, several pages per block up to order 32.  L X = A column
   by column, thread j has column j; then L C^H = X^H, whose column j is row j of X; and
   row j of the Cholesky factor L is L(0:j,0:j) y = B(0:j,j), which thread j solves while
   the others publish the rows that it needs.  With rows and columns in reverse order
   V = L^-H Y is the same substitution once more.  Elements of the right-hand side are
   taken PANEL at a time, in registers; L lies in panels of as many rows, of which all
   threads of a team read the same element at the same time.  A page's bits depend on
   its order and on nothing else.  */

#include "base/numbers.cuh"
#include "base/pairs.cuh"

enum
{
  THREADS = 128,           /* of a block with several pages */
  BATCH = 8,               /* numbers that a thread loads at once */
  BLOCK_SHARED = 48 * 1024 /* more pages than fit in it do not share a block */
};

/* Numbers that are read together, 16 bytes.  */
template <typename T> struct alignas (16) packet
{
  static constexpr int COUNT = 16 / sizeof (T);
  T x[COUNT];
};

template <typename T, int TEAM> struct panel_of
{
  static constexpr int ROWS = TEAM == 8 || sizeof (T) == 16 ? 8 : 16;
};

template <typename T> struct pairs_arguments
{
  int n, columns;
  int64_t pages;
  T *a, *b; /* pairs_back: V with COLUMNS columns, L */
  int *state;
  int bytes; /* of shared memory, a page */
};

/* Elements of L's panels before panel Q.  */
__host__ __device__ constexpr int
panels_before (int rows, int q)
{
  return rows * rows * (q * (q + 1) / 2);
}

/* The shared memory of a page; thread ME of its team.  */
template <typename T> struct page_memory
{
  T *l;                /* panels: element k of row r at k ROWS + r */
  T *x;                /* n-by-n, columns LD apart, which is odd */
  double *space;       /* of the sums of a team of several warps */
  ge_real<T> *inverse; /* of L's diagonal elements */
  int *failed;
  int n, ld, me;
};

static inline int
round_up (int x, int to)
{
  return (x + to - 1) / to * to;
}

/* Bytes of a page: an odd number of 16 bytes, so that the pages of a warp use different
   banks.  */
template <typename T, int TEAM>
static int
page_bytes (int n)
{
  constexpr int rows = panel_of<T, TEAM>::ROWS;
  const int panels = (n + rows - 1) / rows;
  const int bytes = panels_before (rows, panels) * (int) sizeof (T)
                    + round_up ((n | 1) * n * (int) sizeof (T), 16)
                    + round_up (panels * rows * (int) sizeof (ge_real<T>), 16)
                    + (THREADS / 32) * (int) sizeof (double) + 16;
  return bytes + (bytes / 16 % 2 == 0 ? 16 : 0);
}

template <typename T, int TEAM>
GE_DEVICE_INLINE page_memory<T>
lay_out (char *at, int n)
{
  typedef ge_real<T> R;
  constexpr int rows = panel_of<T, TEAM>::ROWS;
  const int panels = (n + rows - 1) / rows;
  page_memory<T> s;
  s.n = n;
  s.ld = n | 1;
  s.me = threadIdx.x % TEAM;
  s.l = (T *) at;
  at += panels_before (rows, panels) * sizeof (T);
  s.space = (double *) at;
  at += THREADS / 32 * sizeof (double);
  s.failed = (int *) at;
  at += 16;
  s.inverse = (R *) at;
  at += (panels * rows * sizeof (R) + 15) / 16 * 16;
  s.x = (T *) at;
  /* Rows that fill up the last panel, and elements above the diagonal.  */
  for (int i = s.me; i < panels_before (rows, panels); i += TEAM)
    s.l[i] = zero<T> ();
  for (int i = s.me; i < panels * rows; i += TEAM)
    s.inverse[i] = 1;
  if (s.me == 0)
    *s.failed = 0;
  return s;
}

/* Row I of L.  */
template <typename T, int P>
GE_DEVICE_INLINE T *
row_of (const page_memory<T> &s, int i)
{
  return s.l + panels_before (P, i / P) + i % P;
}

template <bool CONJUGATE, typename T>
GE_DEVICE_INLINE T
conjugate_if (T x)
{
  if constexpr (CONJUGATE)
    return conjugate (x);
  else
    return x;
}

/* y -= X times a column of a panel, from row FROM on.  */
template <int P, typename T>
GE_DEVICE_INLINE void
subtract_column (const T *column, T x, T *y, int from)
{
  constexpr int G = packet<T>::COUNT;
#pragma unroll
  for (int r = 0; r < P; r += G)
    if (r + G > from)
      {
        const packet<T> some = *(const packet<T> *) (column + r);
#pragma unroll
        for (int u = 0; u < G; u++)
          if (r + u >= from)
            y[r + u] = mul_sub (some.x[u], x, y[r + u]);
      }
}

/* x <- L^-1 x, or conj (x) <- L^-1 conj (x): the elements are STEP apart.  */
template <int P, bool CONJUGATE, typename T>
GE_DEVICE_INLINE void
substitute (const page_memory<T> &s, T *x, int step)
{
  const T *column = s.l;
  for (int first = 0; first < s.n; first += P)
    {
      T y[P];
#pragma unroll
      for (int r = 0; r < P; r++)
        y[r] = first + r < s.n ? conjugate_if<CONJUGATE> (x[(first + r) * step])
                               : zero<T> ();
      for (int k = 0; k < first; k++, column += P)
        subtract_column<P> (column, conjugate_if<CONJUGATE> (x[k * step]), y,
                            0);
#pragma unroll
      for (int k = 0; k < P; k++, column += P)
        {
          y[k] = times (s.inverse[first + k], y[k]);
          subtract_column<P> (column, y[k], y, k + 1);
        }
#pragma unroll
      for (int r = 0; r < P; r++)
        if (first + r < s.n)
          x[(first + r) * step] = conjugate_if<CONJUGATE> (y[r]);
    }
}

/* Row I of L from Y, which thread I has: the diagonal element, if it is positive.  */
template <typename T>
GE_DEVICE_INLINE void
take_pivot (const page_memory<T> &s, int i, T y, T *element)
{
  typedef ge_real<T> R;
  R pivot = real_part (y);
  if (! (pivot > 0))
    {
      if (*s.failed == 0)
        *s.failed = i + 1;
      pivot = 1;
    }
  const R root = sqrt (pivot);
  *element = make_number<T> (root, 0);
  s.inverse[i] = 1 / root;
}

/* L from the columns of B in X; the identity if B is not definite.  Returns 0 or the
   order of the leading minor that is not positive.  Ends with a barrier.  */
template <int TEAM, int P, typename T>
GE_DEVICE_INLINE int
factor (const page_memory<T> &s)
{
  const int me = s.me, active = me < s.n;
  const T *const b = s.x + me * s.ld;
  T *const mine = row_of<T, P> (s, active ? me : 0);
  const T *panel = s.l;
  for (int first = 0; first < s.n; first += P)
    {
      T y[P];
#pragma unroll
      for (int r = 0; r < P; r++)
        y[r] = active && first + r <= me ? b[first + r] : zero<T> ();
      if (active && me >= first)
        for (int k = 0; k < first; k++)
          subtract_column<P> (panel + k * P, conjugate (mine[k * P]), y, 0);
      panel += first * P;
#pragma unroll
      for (int r = 0; r < P; r++)
        {
          const int i = first + r;
          if (i >= s.n)
            break;
          if (me == i)
            take_pivot (s, i, y[r], mine + i * P);
          team_sync<TEAM> ();
          const T z = times (s.inverse[i], y[r]);
          if (me > i && active)
            mine[i * P] = conjugate (z);
          team_sync<TEAM> ();
          subtract_column<P> (panel + r * P, z, y, r + 1);
        }
      panel += P * P;
    }
  const int failed = *s.failed;
  if (failed)
    {
      /* the last columns may still be read by others */
      team_sync<TEAM> ();
      for (int k = 0; active && k <= me; k++)
        mine[k * P] = make_number<T> (k == me, 0);
      if (active)
        s.inverse[me] = 1;
    }
  team_sync<TEAM> ();
  return failed;
}

/* |x|^2, twice where x stands for two elements of a Hermitian matrix.  */
template <typename T>
GE_DEVICE_INLINE double
square_of (T x, int diagonal)
{
  const double re = (double) real_part (x), im = (double) imaginary_part (x);
  const double square = fma (re, re, im * im);
  return diagonal ? square : 2 * square;
}

/* X from the lower triangle of a Hermitian matrix.  Returns this thread's part of the
   sum of squares.  */
template <typename T>
GE_DEVICE_INLINE double
load_hermitian (const page_memory<T> &s, const T *from)
{
  const int n = s.n, i = s.me, last = i < n ? i : -1;
  double sum = 0;
  for (int first = 0; first <= last; first += BATCH)
    {
      T some[BATCH];
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        some[k] = first + k <= last ? from[i + n * (first + k)] : zero<T> ();
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        {
          const int j = first + k;
          if (j < last)
            s.x[j + s.ld * i] = conjugate (some[k]);
          if (j == last)
            some[k] = make_number<T> (real_part (some[k]), 0);
          if (j <= last)
            s.x[i + s.ld * j] = some[k];
          sum += square_of (some[k], j == last);
        }
    }
  return sum;
}

/* This thread's part of the sum of squares of the Hermitian matrix whose lower triangle
   is in X.  */
template <typename T>
GE_DEVICE_INLINE double
squares_of (const page_memory<T> &s)
{
  double sum = 0;
  for (int j = 0; s.me < s.n && j <= s.me; j++)
    sum += square_of (s.x[s.me + s.ld * j], s.me == j);
  return sum;
}

/* The lower triangle in X, mirrored, with a real diagonal.  */
template <typename T>
GE_DEVICE_INLINE void
store_hermitian (const page_memory<T> &s, T *to)
{
  const int n = s.n, i = s.me;
  for (int j = 0; i < n && j < n; j++)
    {
      T x = j <= i ? s.x[i + s.ld * j] : conjugate (s.x[j + s.ld * i]);
      if (i == j)
        x = make_number<T> (real_part (x), 0);
      to[i + n * j] = x;
    }
}

template <typename T>
GE_DEVICE_INLINE void
store_identity (const page_memory<T> &s, T *to)
{
  for (int j = 0; s.me < s.n && j < s.n; j++)
    to[s.me + s.n * j] = make_number<T> (s.me == j, 0);
}

/* The team's page, in *AT; its shared memory, or NULL for none.  */
template <int TEAM, typename T>
GE_DEVICE_INLINE char *
find_page (const pairs_arguments<T> &q, char *memory, int64_t *at)
{
  const int team = threadIdx.x / TEAM;
  *at = blockIdx.x * (int64_t) (blockDim.x / TEAM) + team;
  return *at < q.pages ? memory + (size_t) team * q.bytes : NULL;
}

template <typename T, int TEAM>
GE_KERNEL (THREADS)
reduce_pairs_kernel (pairs_arguments<T> q)
{
  extern __shared__ __align__ (16) char memory[];
  constexpr int P = panel_of<T, TEAM>::ROWS;
  int64_t at;
  char *const mine = find_page<TEAM> (q, memory, &at);
  if (! mine)
    return; /* with the whole team */
  const page_memory<T> s = lay_out<T, TEAM> (mine, q.n);
  const int n = q.n;
  T *const a = q.a + at * n * n, *const b = q.b + at * n * n;
  const double squares_b = load_hermitian (s, b);
  team_sync<TEAM> ();
  const int failed = factor<TEAM, P> (s);
  const double squares_a = load_hermitian (s, a);
  if (s.me < n)
    for (int j = 0; j <= s.me; j++)
      b[s.me + n * j] = row_of<T, P> (s, s.me)[j * P];
  team_sync<TEAM> ();
  if (s.me < n)
    substitute<P, false> (s, s.x + s.ld * s.me, 1);
  team_sync<TEAM> ();
  if (s.me < n)
    substitute<P, true> (s, s.x + s.me, s.ld);
  team_sync<TEAM> ();
  const double sum_a = team_sum<TEAM> (squares_a, s.space);
  const double sum_b = team_sum<TEAM> (squares_b, s.space);
  const double sum_c = team_sum<TEAM> (squares_of (s), s.space);
  const int state
      = ge_pair_state (n, failed, sqrt (sum_a), sqrt (sum_b), sqrt (sum_c));
  if (state == 0)
    store_hermitian (s, a);
  else
    store_identity (s, a);
  if (s.me == 0)
    q.state[at] = state;
}

template <typename T, int TEAM>
GE_KERNEL (THREADS)
pairs_back_kernel (pairs_arguments<T> q)
{
  extern __shared__ __align__ (16) char memory[];
  constexpr int P = panel_of<T, TEAM>::ROWS;
  int64_t at;
  char *const mine = find_page<TEAM> (q, memory, &at);
  if (! mine)
    return; /* with the whole team */
  const page_memory<T> s = lay_out<T, TEAM> (mine, q.n);
  const int n = q.n, me = s.me;
  T *const v = q.a + at * n * q.columns;
  load_hermitian (s, q.b + at * n * n);
  team_sync<TEAM> ();
  /* L^H in reverse order: element (n - 1 - j, n - 1 - i) is conj (L(i,j)).  */
  for (int i = me; i < n; i++)
    row_of<T, P> (s, n - 1 - me)[(n - 1 - i) * P] = s.x[me + s.ld * i];
  if (me < n)
    s.inverse[n - 1 - me] = 1 / real_part (s.x[me + s.ld * me]);
  team_sync<TEAM> ();
  for (int j = 0; me < n && j < q.columns; j++)
    s.x[me + s.ld * j] = v[me + n * j];
  team_sync<TEAM> ();
  if (me < q.columns)
    substitute<P, false> (s, s.x + s.ld * me + n - 1, -1);
  team_sync<TEAM> ();
  for (int j = 0; me < n && j < q.columns; j++)
    v[me + n * j] = s.x[me + s.ld * j];
}

template <typename T, int TEAM>
static gpueig_status
launch (gpueig_context *ctx, pairs_arguments<T> q, int back)
{
  q.bytes = page_bytes<T, TEAM> (q.n);
  /* whole warps */
  const int least = TEAM < 32 ? 32 / TEAM : 1;
  int together = TEAM <= 32 ? THREADS / TEAM : 1;
  while (together > least && together * q.bytes > BLOCK_SHARED)
    together -= least;
  const size_t bytes = (size_t) together * (size_t) q.bytes;
  const int64_t blocks = (q.pages + together - 1) / together;
  GE_TRY (ge_one_launch (ctx, blocks, q.pages));
  if (back)
    {
      GE_ALLOW_SHARED ((pairs_back_kernel<T, TEAM>), bytes);
      GE_LAUNCH ((pairs_back_kernel<T, TEAM>), (unsigned) blocks,
                 together * TEAM, bytes, q);
    }
  else
    {
      GE_ALLOW_SHARED ((reduce_pairs_kernel<T, TEAM>), bytes);
      GE_LAUNCH ((reduce_pairs_kernel<T, TEAM>), (unsigned) blocks,
                 together * TEAM, bytes, q);
    }
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
launch_by_order (gpueig_context *ctx, const pairs_arguments<T> &q, int back)
{
  return q.n <= 8    ? launch<T, 8> (ctx, q, back)
         : q.n <= 16 ? launch<T, 16> (ctx, q, back)
         : q.n <= 32 ? launch<T, 32> (ctx, q, back)
         : q.n <= 64 ? launch<T, 64> (ctx, q, back)
                     : launch<T, THREADS> (ctx, q, back);
}

template <typename T>
int
ge_cuda_small_pairs_fit (gpueig_context *ctx, int64_t n)
{
  if (n > THREADS)
    return 0;
  /* Up to order 32 a warp of pages needs less than GE_LEAST_SHARED.  */
  return n <= 32
         || ge_shared_fits (ctx, (size_t) page_bytes<T, THREADS> ((int) n));
}

template <typename T>
gpueig_status
ge_cuda_reduce_small_pairs (gpueig_context *ctx, int64_t n, int64_t pages, T *a,
                            T *b, int *state)
{
  const pairs_arguments<T> q = { (int) n, (int) n, pages, a, b, state, 0 };
  return launch_by_order<T> (ctx, q, 0);
}

template <typename T>
gpueig_status
ge_cuda_small_pairs_back (gpueig_context *ctx, int64_t n, int64_t columns,
                          int64_t pages, const T *l, T *v)
{
  const pairs_arguments<T> q
      = { (int) n, (int) columns, pages, v, (T *) l, NULL, 0 };
  return launch_by_order<T> (ctx, q, 1);
}

GE_INSTANTIATE (ge_cuda_small_pairs_fit)
GE_INSTANTIATE (ge_cuda_reduce_small_pairs)
GE_INSTANTIATE (ge_cuda_small_pairs_back)
