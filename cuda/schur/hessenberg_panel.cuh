/* The kernel that reduces a panel of columns to Hessenberg form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   G. Quintana-Orti, R. van de Geijn, Improving the performance of reduction to
   Hessenberg form, ACM Trans. Math. Softw. 32, 2006; LAPACK's xLAHR2.  In a panel
   A <- (I - V T V')' A (I - V T V'), Y = A V T.  A thread block owns some rows of A, V
   and Y.  With v, tau the reflector of column j, z = V' v and c the conjugate of row j + 1
   of V,

     y = tau (A v - Y z),   T (:, i) = tau (e_i - T z),
     next column = x - V T' V' x,   x = A (:, j + 1) - Y c,   V' x = V' A (:, j + 1) - G c,

   where G = V' Y is kept by all blocks: V' y = tau (V' A v - G z), v' Y = (Y' v)'.  So
   the four products V' v, V' A v, Y' v and V' A (:, j + 1), which are sums over all
   blocks, can be exchanged together: block m adds up the parts of sum number m, and all
   blocks read the sums.  One more exchange gives all of them the next column, of which each
   computes the norm.  Messages (base/exchange.cuh) need no barriers: a block that
   sends a part of step j + 1 has the column of step j + 1 from all blocks, which had read
   the sums of step j before, so that one buffer of each kind suffices.

   A large matrix is streamed from device memory.  GROUP blocks then multiply the rows of
   all of them, each with a part of the columns, so that the pieces of columns are long, and
   exchange the sums.  */

#ifndef GE_SCHUR_HESSENBERG_PANEL_CUH
#define GE_SCHUR_HESSENBERG_PANEL_CUH 1

#include "base/cache.cuh"
#include "base/exchange.cuh"
#include "schur/window.cuh"

enum
{
  PANEL_THREADS = 512,
  PANEL_WARPS = PANEL_THREADS / 32,
  PANEL_COLUMNS = 32, /* of a panel at most: one per lane */
  PANEL_SUMS = 4 * PANEL_COLUMNS,
  PANEL_PIECE = 2048 /* bytes of a column at a time, at most */
};

template <typename T> struct panel
{
  int n, begin, columns; /* first column and number */
  int rows;              /* of a block of threads */
  int group;             /* a power of 2 that divides the number of blocks */
  float kept;            /* the part of A that is to stay in the cache */
  T *a, *v, *tau;        /* reflector j has column j of v, 1 in row j + 1 */
  /* Factors of the update of the rest of A: the panel's columns of Y and V; three times as
     many, the second ones V; and [T; -(V' Y)' T], 2 PANEL_COLUMNS rows.  */
  T *left, *right, *factor;
  T *outside; /* row_elements (rows) per block; NULL: in shared memory */
  /* Messages: the current column, n; parts of sums, PANEL_SUMS per block; sums; parts of
     products, GROUP times ROWS per block.  */
  packet<T> *column, *parts, *sums, *products;
};

/* Shared memory of a block.  V, Y and three columns grow with its rows; where they do not
   fit, they are in device memory.  */
template <typename T> struct panel_space
{
  T *v, *y;         /* its rows, one after another */
  T *x, *ax, *next; /* of the column or of v; A v; A (:, j + 1) */
  T *t; /* T by columns; below its diagonal rows begin + 2, ... of V */
  T *g; /* V' Y by columns */
  T *sums, *f, *h; /* PANEL_SUMS and two times PANEL_COLUMNS */
  T *top;          /* of the column: rows begin + 1, ... */
  T *space;        /* sums of warps */
  T *vector;       /* the column's elements for this block's columns of A */
  double *norms;   /* two sums of squares of each warp */
};

static __device__ __host__ size_t
row_elements (int rows)
{
  return (size_t) rows * (2 * PANEL_COLUMNS + 3);
}

template <typename T> struct piece
{
  enum
  {
    ROWS = PANEL_PIECE / (sizeof (T) > 8 ? sizeof (T) : 8)
  };
};

template <typename T, bool OUTSIDE>
GE_DEVICE_INLINE panel_space<T>
divide_panel_space (const panel<T> &p, double2 *memory)
{
  panel_space<T> s;
  s.norms = (double *) memory;
  T *const inside = (T *) (s.norms + 2 * PANEL_WARPS);
  s.v = OUTSIDE ? p.outside + blockIdx.x * row_elements (p.rows) : inside;
  s.y = s.v + p.rows * PANEL_COLUMNS;
  s.x = s.y + p.rows * PANEL_COLUMNS;
  s.ax = s.x + p.rows;
  s.next = s.ax + p.rows;
  s.t = OUTSIDE ? inside : s.next + p.rows;
  s.g = s.t + PANEL_COLUMNS * PANEL_COLUMNS;
  s.sums = s.g + PANEL_COLUMNS * PANEL_COLUMNS;
  s.f = s.sums + PANEL_SUMS;
  s.h = s.f + PANEL_COLUMNS;
  s.top = s.h + PANEL_COLUMNS;
  s.space = s.top + PANEL_COLUMNS;
  s.vector = s.space + PANEL_WARPS * piece<T>::ROWS;
  return s;
}

template <typename T>
GE_DEVICE_INLINE T
sum_of_lanes (T x)
{
  return warp_sum (this_warp (), x);
}

/* --- a column and its reflector --- */

/* Squares of numbers below SMALL are added up multiplied by LARGE^2.  */
template <typename R> struct square_bounds
{
  static constexpr double SMALL = sizeof (R) == 8 ? 0x1p-490 : 0,
                          LARGE = 0x1p500, LEAST_SUM = 0x1p-900;
};

/* Receive column J below row J: S.top, S.vector, and S.norms of the rows below row
   J + 1.  */
template <typename T>
GE_DEVICE_INLINE void
receive_column (const panel<T> &p, const panel_space<T> &s, int j)
{
  enum
  {
    AHEAD = 4
  };
  typedef square_bounds<ge_real<T>> bounds;
  const int rank = (int) blockIdx.x % p.group;
  const unsigned step = (unsigned) j + 1;
  double large = 0, small = 0;
  for (int i = j + 1 + (int) threadIdx.x; i < p.n; i += AHEAD * PANEL_THREADS)
    {
      packet<T> m[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        if (i + k * PANEL_THREADS < p.n)
          m[k] = look_up_packet (p.column + i + k * PANEL_THREADS);
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        {
          const int row = i + k * PANEL_THREADS;
          if (row >= p.n)
            break;
          const T x = receive_number (p.column + row, m[k], step);
          if (row % p.group == rank)
            s.vector[row / p.group] = x;
          if (row - p.begin <= PANEL_COLUMNS)
            s.top[row - p.begin - 1] = x;
          if (row == j + 1)
            continue;
          const double re = real_part (x), im = imaginary_part (x);
          if (fmax (fabs (re), fabs (im)) >= bounds::SMALL)
            large += re * re + im * im;
          else
            {
              const double u = bounds::LARGE * re, v = bounds::LARGE * im;
              small += u * u + v * v;
            }
        }
    }
  this_warp ().sync ();
  large = warp_sum (this_warp (), large);
  small = warp_sum (this_warp (), small);
  if (threadIdx.x % 32 == 0)
    {
      s.norms[threadIdx.x / 32] = large;
      s.norms[PANEL_WARPS + threadIdx.x / 32] = small;
    }
}

/* The reflector that maps column J from its subdiagonal X0 on to BETA e1; below that its
   vector is SCALE times the column.  Norms are computed relative to a power of 2, so that
   squares do not underflow.  */
template <typename T>
GE_DEVICE_INLINE void
find_reflector (const panel_space<T> &s, T x0, T *tau, T *beta, T *scale)
{
  typedef ge_real<T> R;
  typedef square_bounds<R> bounds;
  const int lane = threadIdx.x % 32;
  const double sum = warp_sum<PANEL_WARPS> (this_warp (), s.norms[lane]);
  const double large = this_warp ().shfl (sum, 0),
               small = this_warp ().shfl (sum, PANEL_WARPS);
  const R rest = (R) large, all = abs2 (x0) + rest;
  if (rest > limits_of<R>::least_square ()
      && all < limits_of<R>::largest_square ())
    {
      reflector<T> r;
      set_reflector (x0, make_number<T> (1, 0), zero<T> (), all, &r);
      *tau = r.tau;
      *beta = r.beta;
      *scale = r.v1;
      return;
    }
  const bool tiny = sizeof (R) == 8 && large < bounds::LEAST_SUM;
  const double squares
      = tiny ? large * bounds::LARGE * bounds::LARGE + small : large;
  const double size = tiny ? 1 / bounds::LARGE : 1;
  *beta = x0;
  *scale = *tau = zero<T> ();
  if (! (size * sqrt (squares) > limits_of<R>::least ()))
    return;
  const double whole = fmax (size * sqrt (squares), (double) abs1 (x0)),
               g = 1 / whole, q = size * g;
  const double re = g * real_part (x0), im = g * imaginary_part (x0);
  const double norm = sqrt (re * re + im * im + q * q * squares);
  const double b = re >= 0 ? -norm : norm;
  *tau = make_number<T> ((R) ((b - re) / b), (R) (-im / b));
  /* g / (re + i im - b) */
  const double d = g / ((re - b) * (re - b) + im * im);
  *scale = make_number<T> ((R) (d * (re - b)), (R) (-d * im));
  *beta = make_number<T> ((R) (b * whole), 0);
}

/* --- A times the column --- */

/* The sums over this block's columns c > J + 1 of A (i, c) x (c), to OUT, for up to LANES
   GROUPS of ROWS rows from row FIRST on.  A warp has LANES rows of each group and 32 / LANES
   columns at a time, and several such loads in flight.  Returns the number of rows.  */
template <int LANES, int GROUPS, typename T>
static __device__ int
multiply_rows (const panel<T> &p, int first, int rows, int j,
               const panel_space<T> &s, T *out)
{
  enum
  {
    COLUMNS = 32 / LANES,
    STEP = PANEL_WARPS * COLUMNS, /* columns at a time */
    MANY = (sizeof (T) > 8 ? 16 : 32) / GROUPS,
    AHEAD = MANY < 8 ? MANY : 8 /* columns, as many as fit into registers */
  };
  static_assert (LANES * GROUPS <= 256, "pieces");
  const int t = threadIdx.x, n = p.n, warp = t / 32;
  const int slot = t % COLUMNS + warp * COLUMNS, row = t % 32 / COLUMNS;
  const int rank = (int) blockIdx.x % p.group;
  const int made = GE_AT_MOST (rows, LANES * GROUPS);
  /* the first of the block's columns after column j + 1 */
  const int begin = j + 2 + (rank - (j + 2) % p.group + p.group) % p.group;
  const uint64_t policy = keep_part (p.kept);
  const T *a[GROUPS];
  T sum[GROUPS];
  for (int g = 0; g < GROUPS; g++)
    {
      const int r = row + LANES * g;
      a[g] = p.a + first + (r < rows ? r : rows - 1);
      sum[g] = zero<T> ();
    }
  for (int c = begin + slot * p.group; c < n; c += AHEAD * STEP * p.group)
    {
      T x[AHEAD][GROUPS], v[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        {
          const int at = c + k * STEP * p.group;
          const int column = at < n ? at : c;
          v[k] = s.vector[column / p.group];
          v[k] = at < n ? v[k] : zero<T> ();
#pragma unroll
          for (int g = 0; g < GROUPS; g++)
            x[k][g] = load_by (a[g] + column * n, policy);
        }
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
          sum[g] = mul_add (x[k][g], v[k], sum[g]);
    }
  __syncthreads ();
  for (int g = 0; g < GROUPS; g++)
    {
      if constexpr (COLUMNS > 1)
        sum[g] = sum_over<COLUMNS> (sum[g]);
      if (t % COLUMNS == 0)
        s.space[(warp * GROUPS + g) * LANES + row] = sum[g];
    }
  __syncthreads ();
  if (t < made)
    {
      T total = s.space[t];
      for (int w = 1; w < PANEL_WARPS; w++)
        total = plus (total, s.space[w * GROUPS * LANES + t]);
      out[t] = total;
    }
  return made;
}

/* S.ax = A times the column below row J + 1.  */
template <typename T>
GE_DEVICE_INLINE void
multiply_strip (const panel<T> &p, const panel_space<T> &s, int first, int rows,
                int j)
{
  if (p.group == 1)
    {
      for (int r = 0; r < rows;)
        {
          const int left = rows - r, at = first + r;
          r += left > 16  ? multiply_rows<8, 4> (p, at, left, j, s, s.ax + r)
               : left > 8 ? multiply_rows<8, 2> (p, at, left, j, s, s.ax + r)
                          : multiply_rows<8, 1> (p, at, left, j, s, s.ax + r);
        }
      return;
    }
  /* the rows of all blocks of the group */
  const int t = threadIdx.x, rank = (int) blockIdx.x % p.group;
  const int begin = first - rank * p.rows, left = p.n - begin;
  const int all = left < p.group * p.rows ? left : p.group * p.rows;
  const unsigned step = (unsigned) j + 1;
  constexpr int most = piece<T>::ROWS;
  for (int r = 0; r < all;)
    {
      T *const out = s.space; /* read by the thread that writes it */
      const int made
          = multiply_rows<32, most / 32> (p, begin + r, all - r, j, s, out);
      if (t < made)
        {
          const int owner = (r + t) / p.rows, row = (r + t) % p.rows;
          if (owner == rank)
            s.ax[row] = out[t];
          else
            send_number (
                p.products
                    + ((size_t) (blockIdx.x - rank + owner) * p.group + rank)
                          * p.rows
                    + row,
                out[t], step);
        }
      r += made;
    }
  __syncthreads ();
  for (int r = t; r < rows; r += PANEL_THREADS)
    {
      const packet<T> *from
          = p.products + (size_t) blockIdx.x * p.group * p.rows + r;
      T sum = zero<T> ();
      for (int k = 0; k < p.group; k++)
        sum = plus (
            sum, k == rank ? s.ax[r]
                           : receive_number (from + k * p.rows,
                                             look_up_packet (from + k * p.rows),
                                             step));
      s.ax[r] = sum;
    }
}

/* --- sums over all blocks --- */

/* The kinds of sums; those of kind q are numbers q PANEL_COLUMNS + k.  */
enum
{
  V_TIMES_V,    /* V' v */
  V_TIMES_AV,   /* V' A v */
  Y_TIMES_V,    /* Y' v */
  V_TIMES_NEXT, /* V' A (:, j + 1) */
};

/* Nonzero if sum number M is needed of column I of the panel.  */
static __device__ __forceinline__ int
is_summed (int m, int i)
{
  const int kind = m / PANEL_COLUMNS, k = m % PANEL_COLUMNS;
  return kind == V_TIMES_V || kind == Y_TIMES_V ? k < i : k <= i;
}

/* S.sums.  */
template <typename T>
GE_DEVICE_INLINE void
sum_over_blocks (const panel<T> &p, const panel_space<T> &s, int rows, int i)
{
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int kind = warp % 4, blocks = (int) gridDim.x;
  const unsigned step = (unsigned) (p.begin + i) + 1;
  const T *const m = kind == Y_TIMES_V ? s.y : s.v;
  const T *const x = kind == V_TIMES_AV     ? s.ax
                     : kind == V_TIMES_NEXT ? s.next
                                            : s.x;
  T sum = zero<T> ();
  if (is_summed (kind * 32 + lane, i))
    for (int r = warp / 4; r < rows; r += PANEL_WARPS / 4)
      sum = conj_mul_add (m[r * PANEL_COLUMNS + lane], x[r], sum);
  s.space[warp * 32 + lane] = sum;
  __syncthreads ();
  if (t < PANEL_SUMS && is_summed (t, i))
    {
      for (int w = 1; w < PANEL_WARPS / 4; w++)
        sum = plus (sum, s.space[w * PANEL_SUMS + t]);
      send_number (p.parts + t * blocks + blockIdx.x, sum, step);
    }
  for (int number = (int) blockIdx.x + blocks * (PANEL_WARPS - 1 - warp);
       number < PANEL_SUMS; number += blocks * PANEL_WARPS)
    if (is_summed (number, i))
      {
        const packet<T> *from = p.parts + number * blocks;
        T part = zero<T> ();
        for (int b = lane; b < blocks; b += 4 * 32)
          {
            packet<T> first[4];
#pragma unroll
            for (int k = 0; k < 4; k++)
              if (b + 32 * k < blocks)
                first[k] = look_up_packet (from + b + 32 * k);
#pragma unroll
            for (int k = 0; k < 4; k++)
              if (b + 32 * k < blocks)
                part = plus (
                    part, receive_number (from + b + 32 * k, first[k], step));
          }
        this_warp ().sync ();
        part = warp_sum (this_warp (), part);
        send_number_if (lane == 0, p.sums + number, part, step);
      }
  if (t < PANEL_SUMS && is_summed (t, i))
    s.sums[t] = receive_number (p.sums + t, look_up_packet (p.sums + t), step);
  __syncthreads ();
}

/* Column I of T, G and Y, row I of G; of the column after column I of the panel, x to S.x and V' x
   to S.f.  */
template <typename T>
GE_DEVICE_INLINE void
finish_column (const panel_space<T> &s, int rows, int i, T tau)
{
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const T *const to_av = s.sums + V_TIMES_AV * PANEL_COLUMNS,
                 *const to_v = s.sums + Y_TIMES_V * PANEL_COLUMNS,
                 *const to_next = s.sums + V_TIMES_NEXT * PANEL_COLUMNS;
  const T none = zero<T> ();
  const T z = lane < i ? s.sums[V_TIMES_V * PANEL_COLUMNS + lane] : none;
  /* row j + 1 of V, where that of column I is 1 */
  const T c = lane < i ? conjugate (s.t[i + lane * PANEL_COLUMNS]) : none;
  for (int l = warp; l <= i; l += PANEL_WARPS)
    {
      const T t = lane >= l && lane < i ? s.t[l + lane * PANEL_COLUMNS] : none;
      const T g = lane >= i ? none
                  : l < i   ? s.g[l + lane * PANEL_COLUMNS]
                            : conjugate (to_v[lane]);
      const T tz = sum_of_lanes (times (t, z));
      const T gz = sum_of_lanes (times (g, z));
      const T gc = sum_of_lanes (times (g, c));
      const T last = times (tau, minus (to_av[l], gz));
      if (l == i && lane < i)
        s.g[i + lane * PANEL_COLUMNS] = g;
      if (lane == 0)
        {
          s.t[l + i * PANEL_COLUMNS] = l == i ? tau : negate (times (tau, tz));
          s.g[l + i * PANEL_COLUMNS] = last;
          s.f[l] = minus (to_next[l], plus (gc, last));
        }
    }
  for (int r = warp; r < rows; r += PANEL_WARPS)
    {
      const T y = lane < i ? s.y[r * PANEL_COLUMNS + lane] : none;
      const T yz = sum_of_lanes (times (y, z));
      const T yc = sum_of_lanes (times (y, c));
      const T last = times (tau, minus (s.ax[r], yz));
      if (lane == 0)
        {
          s.y[r * PANEL_COLUMNS + i] = last;
          s.x[r] = minus (s.next[r], plus (yc, last));
        }
    }
  __syncthreads ();
}

/* S.x = the rows of the column after column I of the panel, with all reflectors; sent by
   the first lane of the warp that has the row.  */
template <typename T>
GE_DEVICE_INLINE void
next_column (const panel<T> &p, const panel_space<T> &s, int first, int rows,
             int i)
{
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int count = i + 1, j = p.begin + count;
  const T f = lane < count ? s.f[lane] : zero<T> ();
  for (int l = warp; l < count; l += PANEL_WARPS)
    {
      const T sum = sum_of_lanes (
          lane <= l ? times (conjugate (s.t[lane + l * PANEL_COLUMNS]), f)
                    : zero<T> ());
      if (lane == 0)
        s.h[l] = sum;
    }
  __syncthreads ();
  const T h = lane < count ? s.h[lane] : zero<T> ();
  for (int r = warp; r < rows; r += PANEL_WARPS)
    {
      const T sum = sum_of_lanes (
          lane < count ? times (s.v[r * PANEL_COLUMNS + lane], h) : zero<T> ());
      const T x = minus (s.x[r], sum);
      if (lane == 0)
        s.x[r] = x;
      send_number_if (lane == 0 && first + r > j, p.column + first + r, x,
                      (unsigned) j + 1);
    }
  __syncthreads ();
}

/* This block's rows of the vector, to s.x, V and p.v, of the reduced column J, and A v;
   the first rows of the vector, below the diagonal of S.t.  */
template <typename T>
GE_DEVICE_INLINE void
store_column (const panel<T> &p, const panel_space<T> &s, int first, int rows,
              int i, T beta, T scale)
{
  const int t = threadIdx.x, n = p.n, j = p.begin + i;
  for (int r = t; r < rows; r += PANEL_THREADS)
    {
      const int row = first + r;
      const T x = s.x[r];
      const T v = row == j + 1  ? make_number<T> (1, 0)
                  : row > j + 1 ? times (x, scale)
                                : zero<T> ();
      s.v[r * PANEL_COLUMNS + i] = v;
      p.v[row + j * n] = v;
      p.a[row + j * n] = row <= j ? x : row == j + 1 ? beta : zero<T> ();
      s.x[r] = v;
      s.ax[r] = mul_add (scale, s.ax[r], s.next[r]);
    }
  if (t > i && t < PANEL_COLUMNS)
    s.t[t + i * PANEL_COLUMNS]
        = p.begin + 1 + t < n ? times (s.top[t], scale) : zero<T> ();
  __syncthreads ();
}

/* Y, V and the factor of the panel.  */
template <typename T>
GE_DEVICE_INLINE void
store_panel (const panel<T> &p, const panel_space<T> &s, int first, int rows)
{
  const int t = threadIdx.x, n = p.n, columns = p.columns;
  T *const right = p.right + columns * n;
  for (int e = t; e < rows * columns; e += PANEL_THREADS)
    {
      const int r = e % rows, k = e / rows, at = first + r + k * n;
      p.left[at] = s.y[r * PANEL_COLUMNS + k];
      p.left[at + columns * n] = right[at] = s.v[r * PANEL_COLUMNS + k];
    }
  if (blockIdx.x > 0)
    return;
  if (t < columns)
    p.left[p.begin + t * n] = p.left[p.begin + (columns + t) * n] = zero<T> ();
  for (int e = t; e < columns * columns; e += PANEL_THREADS)
    {
      const int r = e % columns, k = e / columns;
      T sum = zero<T> ();
      for (int l = 0; l <= k; l++)
        sum = conj_mul_add (s.g[l + r * PANEL_COLUMNS],
                            s.t[l + k * PANEL_COLUMNS], sum);
      T *const to = p.factor + r + k * (2 * PANEL_COLUMNS);
      to[0] = r <= k ? s.t[r + k * PANEL_COLUMNS] : zero<T> ();
      to[columns] = negate (sum);
    }
}

/* Reduce one panel.  Cooperative launch of at most one block per multiprocessor.  */
template <typename T, bool OUTSIDE>
GE_KERNEL (PANEL_THREADS, 1)
reduce_panel (panel<T> p)
{
  extern __shared__ double2 memory[];
  const int t = threadIdx.x, n = p.n;
  const int first = p.begin + 1 + (int) blockIdx.x * p.rows, left = n - first;
  const int rows = left < p.rows ? (left > 0 ? left : 0) : p.rows;
  const panel_space<T> s = divide_panel_space<T, OUTSIDE> (p, memory);
  for (int r = t; r < rows; r += PANEL_THREADS)
    {
      s.x[r] = p.a[first + r + p.begin * n];
      send_number (p.column + first + r, s.x[r], (unsigned) p.begin + 1);
    }
  for (int i = 0; i < p.columns; i++)
    {
      const int j = p.begin + i;
      T tau, beta, scale;
      for (int r = t; r < rows; r += PANEL_THREADS)
        s.next[r] = p.a[first + r + (j + 1) * n];
      receive_column (p, s, j);
      __syncthreads ();
      multiply_strip (p, s, first, rows, j);
      find_reflector (s, s.top[i], &tau, &beta, &scale);
      if (blockIdx.x == 0 && t == 0)
        p.tau[j] = tau;
      __syncthreads ();
      store_column (p, s, first, rows, i, beta, scale);
      sum_over_blocks (p, s, rows, i);
      finish_column (s, rows, i, tau);
      if (i + 1 < p.columns)
        next_column (p, s, first, rows, i);
    }
  store_panel (p, s, first, rows);
}

#endif
