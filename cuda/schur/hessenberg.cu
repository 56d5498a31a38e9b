/* Reduction to Hessenberg form: panels of columns by one cooperative kernel each,
   the rest of the matrix by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   G. Quintana-Orti, R. van de Geijn, Improving the performance of reduction to
   Hessenberg form, ACM Trans. Math. Softw. 32, 2006; LAPACK's xLAHR2.  In a panel
   A <- (I - V T V')' A (I - V T V'), Y = A V T.  A thread block owns some rows of
   A, V and Y; a column needs three barriers of the grid: after the products with V',
   after the norm, and after the product of A with the new reflector.  Norms are
   computed relative to the largest element, so that squares do not underflow (see
   base/similarity.cuh).  */

#include "base/blas.cuh"
#include "base/teams.cuh"
#include "schur/numbers.cuh"
#include "schur/schur.cuh"

enum
{
  THREADS = 512,
  WARPS = THREADS / 32,
  MOST_COLUMNS = 32, /* columns of a panel: one per lane */
  MOST_GROUPS = 8,   /* of eight rows each of which a thread has one */
  LEAST_ROWS = 8     /* of a block of threads */
};

template <typename T> struct panel
{
  int n, begin, columns; /* first column and number */
  int rows;              /* of a block of threads */
  T *a, *v, *y, *t;      /* v: column j of the panel is column begin + j */
  T *column;             /* n elements */
  T *outside; /* row_elements (rows) per block; NULL: in shared memory */
  T *sums, *more_sums; /* MOST_COLUMNS per block; for two exchanges */
  ge_real<T>
      *norms; /* 2 per block: the largest modulus, and a sum of squares */
};

/* SUM[k] = sum of SUMS over the blocks of the grid, for each of COUNT columns,
   the same bits in all blocks.  SPACE: WARPS * MOST_COLUMNS numbers in shared
   memory.  A barrier at the end.  */
template <typename T>
static __device__ void
sum_blocks (const T *sums, int count, T *space, T *sum)
{
  const int k = threadIdx.x % 32, group = threadIdx.x / 32;
  T s = zero<T> ();
  if (k < count)
    for (int g = group; g < (int) gridDim.x; g += WARPS)
      s = plus (s, sums[g * MOST_COLUMNS + k]);
  space[group * MOST_COLUMNS + k] = s;
  __syncthreads ();
  if (group == 0)
    {
      for (int g = 1; g < WARPS; g++)
        s = plus (s, space[g * MOST_COLUMNS + k]);
      sum[k] = s;
    }
  __syncthreads ();
}

/* SUMS[k] = sum over the block's rows of conj (V (i, k)) x (i), for k < COUNT:
   its part of V' x.  */
template <typename T>
static __device__ void
project_rows (int rows, const T *v, const T *x, int count, T *space, T *sums)
{
  const int k = threadIdx.x % 32, group = threadIdx.x / 32;
  T s = zero<T> ();
  if (k < count)
    for (int i = group; i < rows; i += WARPS)
      s = conj_mul_add (v[i * MOST_COLUMNS + k], x[i], s);
  space[group * MOST_COLUMNS + k] = s;
  __syncthreads ();
  if (group == 0 && k < count)
    {
      for (int g = 1; g < WARPS; g++)
        s = plus (s, space[g * MOST_COLUMNS + k]);
      sums[k] = s;
    }
}

/* x (i) -= sum over k < COUNT of M (i, k) f (k), the block's rows.  */
template <typename T>
static __device__ void
subtract_columns (int rows, const T *m, const T *f, int count, T *x)
{
  const int k = threadIdx.x % 32;
  for (int i = threadIdx.x / 32; i < rows; i += WARPS)
    {
      const T s = sum_over<32> (
          k < count ? times (m[i * MOST_COLUMNS + k], f[k]) : zero<T> ());
      if (k == 0)
        x[i] = minus (x[i], s);
    }
}

/* Shared memory of a block.  V, Y, x and A v grow with its rows; where they do not fit,
   they are in device memory.  */
template <typename T> struct panel_space
{
  T *v, *y;         /* its rows, one after another */
  T *x, *ax;        /* of the column, and A v */
  T *t;             /* MOST_COLUMNS^2, by columns */
  T *space, *f, *g; /* sums */
};

static __device__ __host__ size_t
row_elements (int rows)
{
  return 2 * (size_t) rows * (MOST_COLUMNS + 1);
}

/* ROWS: those in shared memory.  */
template <typename T>
static constexpr size_t
panel_bytes (int rows)
{
  return (2 * (size_t) rows * (MOST_COLUMNS + 1) + MOST_COLUMNS * MOST_COLUMNS
          + WARPS * 8 * MOST_GROUPS + 2 * MOST_COLUMNS)
         * sizeof (T);
}

/* Complete column I of Y and T, with z = V' v from all blocks; S.AX is the
   block's part of A v.  */
template <typename T>
static __device__ void
finish_column (const panel<T> &p, const panel_space<T> &s, int rows, int i,
               T tau)
{
  const int t = threadIdx.x, k = t % 32;
  sum_blocks (p.more_sums, i, s.space, s.f);
  subtract_columns (rows, s.y, s.f, i, s.ax);
  /* T (:, i) = -tau T z */
  for (int l = t / 32; l <= i; l += WARPS)
    {
      const T sum = sum_over<32> (
          k >= l && k < i ? times (s.t[l + k * MOST_COLUMNS], s.f[k])
                          : zero<T> ());
      if (k == 0)
        s.g[l]
            = l == i ? tau : times (make_number<T> (-1, 0), times (tau, sum));
    }
  __syncthreads ();
  for (int r = t; r < rows; r += THREADS)
    s.y[r * MOST_COLUMNS + i] = times (tau, s.ax[r]);
  if (t <= i)
    s.t[t + i * MOST_COLUMNS] = s.g[t];
  __syncthreads ();
}

/* The norm of x without its first element: SIZE is its largest element, the norm
   is SIZE sqrt (sum).  */
template <typename T, typename R>
static __device__ void
norm_of_blocks (const panel<T> &p, R *size, R *sum)
{
  __shared__ R space[WARPS];
  R most = 0, s = 0;
  for (int g = threadIdx.x; g < (int) gridDim.x; g += THREADS)
    most = fmax (most, p.norms[2 * g]);
  most = block_max (most, space, WARPS);
  for (int g = threadIdx.x; g < (int) gridDim.x; g += THREADS)
    {
      const R f = most > 0 ? p.norms[2 * g] / most : 0;
      s += f * f * p.norms[2 * g + 1];
    }
  *sum = block_sum (s, space, WARPS);
  *size = most;
}

/* A v for up to 8 GROUPS of ROWS rows from row FIRST on, into s.ax from ROW on; v is
   SCALE times the column below row J + 1, where it is 1.  A warp has 8 rows of each group
   and 4 columns at a time, and several such loads in flight.  Returns the number of
   rows.  */
template <int GROUPS, typename T>
static __device__ int
multiply_rows (const panel<T> &p, int first, int rows, int j, T scale,
               const panel_space<T> &s, int row)
{
  enum
  {
    STEP = THREADS / 8, /* columns at a time */
    MANY = (sizeof (T) > 8 ? 16 : 32) / GROUPS,
    AHEAD = MANY < 8 ? MANY : 8 /* columns, as many as fit into registers */
  };
  const int t = threadIdx.x, n = p.n, slot = t % 4 + t / 32 * 4;
  const int made = rows < 8 * GROUPS ? rows : 8 * GROUPS;
  const T *a[GROUPS];
  T sum[GROUPS];
  for (int g = 0; g < GROUPS; g++)
    {
      const int r = t % 32 / 4 + 8 * g;
      a[g] = p.a + first + (r < rows ? r : rows - 1);
      sum[g] = slot == 0 ? a[g][(j + 1) * n] : zero<T> ();
    }
  for (int c = j + 2 + slot; c < n; c += AHEAD * STEP)
    {
      T x[AHEAD][GROUPS], v[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        {
          const int column = c + k * STEP < n ? c + k * STEP : n - 1;
          v[k] = p.column[column];
#pragma unroll
          for (int g = 0; g < GROUPS; g++)
            x[k][g] = a[g][column * n];
        }
#pragma unroll
      for (int k = 0; k < AHEAD; k++)
        {
          v[k] = c + k * STEP < n ? times (v[k], scale) : zero<T> ();
#pragma unroll
          for (int g = 0; g < GROUPS; g++)
            sum[g] = mul_add (x[k][g], v[k], sum[g]);
        }
    }
  __syncthreads ();
  for (int g = 0; g < GROUPS; g++)
    {
      sum[g] = sum_over<4> (sum[g]);
      if (t % 4 == 0)
        s.space[(t / 32 * GROUPS + g) * 8 + t % 32 / 4] = sum[g];
    }
  __syncthreads ();
  if (t < made)
    {
      T total = s.space[t];
      for (int w = 1; w < WARPS; w++)
        total = plus (total, s.space[w * GROUPS * 8 + t]);
      s.ax[row + t] = total;
    }
  return made;
}

template <typename T, bool OUTSIDE>
GE_DEVICE_INLINE panel_space<T>
lay_out (const panel<T> &p, T *memory)
{
  panel_space<T> s;
  s.v = OUTSIDE ? p.outside + blockIdx.x * row_elements (p.rows) : memory;
  s.y = s.v + p.rows * MOST_COLUMNS;
  s.x = s.y + p.rows * MOST_COLUMNS;
  s.ax = s.x + p.rows;
  s.t = OUTSIDE ? memory : s.ax + p.rows;
  s.space = s.t + MOST_COLUMNS * MOST_COLUMNS;
  s.f = s.space + WARPS * 8 * MOST_GROUPS;
  s.g = s.f + MOST_COLUMNS;
  return s;
}

/* s.x = this block's rows of column I of the panel, multiplied by the reflectors before it,
   from the right first.  */
template <typename T>
GE_DEVICE_INLINE void
update_column (const panel<T> &p, const panel_space<T> &s, int first, int rows,
               int i, const cooperative_groups::grid_group &grid)
{
  const int t = threadIdx.x, n = p.n, j = p.begin + i;
  if (t < i)
    s.f[t] = conjugate (p.v[j + (p.begin + t) * n]);
  for (int r = t; r < rows; r += THREADS)
    s.x[r] = p.a[first + r + j * n];
  __syncthreads ();
  subtract_columns (rows, s.y, s.f, i, s.x);
  __syncthreads ();
  if (i == 0)
    return;
  project_rows (rows, s.v, s.x, i, s.space, p.sums + blockIdx.x * MOST_COLUMNS);
  grid.sync ();
  sum_blocks (p.sums, i, s.space, s.f);
  for (int l = t / 32; l < i; l += WARPS)
    {
      const int k = t % 32;
      const T sum = sum_over<32> (
          k <= l ? times (conjugate (s.t[k + l * MOST_COLUMNS]), s.f[k])
                 : zero<T> ());
      if (k == 0)
        s.g[l] = sum;
    }
  __syncthreads ();
  subtract_columns (rows, s.v, s.g, i, s.x);
  __syncthreads ();
}

/* This block's part of the norm of column J below its subdiagonal, to p.norms; s.x to
   p.column.  */
template <typename T>
GE_DEVICE_INLINE void
publish_column (const panel<T> &p, const panel_space<T> &s, int first, int rows,
                int j, ge_real<T> *space)
{
  typedef ge_real<T> R;
  const int t = threadIdx.x;
  R most = 0, sum = 0;
  for (int r = t; r < rows; r += THREADS)
    {
      p.column[first + r] = s.x[r];
      if (first + r > j + 1)
        most = fmax (most, abs1 (s.x[r]));
    }
  most = block_max (most, space, WARPS);
  const R f = most > limits_of<R>::least () ? 1 / most : 0;
  for (int r = t; r < rows; r += THREADS)
    if (first + r > j + 1)
      sum += abs2 (times (f, s.x[r]));
  sum = block_sum (sum, space, WARPS);
  if (t == 0)
    {
      p.norms[2 * blockIdx.x] = f == 0 ? 0 : most;
      p.norms[2 * blockIdx.x + 1] = sum;
    }
}

/* The reflector that maps column J from its subdiagonal X0 on to BETA e1; below that its
   vector is SCALE times the column.  */
template <typename T>
GE_DEVICE_INLINE void
find_reflector (const panel<T> &p, T x0, T *tau, T *beta, T *scale)
{
  typedef ge_real<T> R;
  R size, squares;
  norm_of_blocks (p, &size, &squares);
  *beta = x0;
  *scale = *tau = zero<T> ();
  if (! (size > 0))
    return;
  const R whole = fmax (size, abs1 (x0)), g = 1 / whole, q = size / whole;
  const T y = times (g, x0);
  const R norm = sqrt (abs2 (y) + q * q * squares);
  const R b = real_part (y) >= 0 ? -norm : norm;
  *tau = make_number<T> ((b - real_part (y)) / b, -imaginary_part (y) / b);
  *scale = times (
      g, divide (make_number<T> (1, 0), minus (y, make_number<T> (b, 0))));
  *beta = make_number<T> (b * whole, 0);
}

/* This block's rows of the vector, to s.x, V and p.v, and of the reduced column J.  */
template <typename T>
GE_DEVICE_INLINE void
store_column (const panel<T> &p, const panel_space<T> &s, int first, int rows,
              int i, T beta, T scale)
{
  const int n = p.n, j = p.begin + i;
  for (int r = threadIdx.x; r < rows; r += THREADS)
    {
      const int row = first + r;
      const T x = s.x[r];
      const T v = row == j + 1  ? make_number<T> (1, 0)
                  : row > j + 1 ? times (x, scale)
                                : zero<T> ();
      s.v[r * MOST_COLUMNS + i] = v;
      p.v[row + j * n] = v;
      p.a[row + j * n] = row <= j ? x : row == j + 1 ? beta : zero<T> ();
      s.x[r] = v;
    }
}

/* Y and T of the panel.  */
template <typename T>
GE_DEVICE_INLINE void
store_panel (const panel<T> &p, const panel_space<T> &s, int first, int rows)
{
  const int t = threadIdx.x, n = p.n;
  for (int e = t; e < rows * p.columns; e += THREADS)
    {
      const int r = e % rows, k = e / rows;
      p.y[first + r + k * n] = s.y[r * MOST_COLUMNS + k];
    }
  if (blockIdx.x > 0)
    return;
  if (t < p.columns)
    p.y[p.begin + t * n] = zero<T> ();
  for (int e = t; e < p.columns * p.columns; e += THREADS)
    {
      const int r = e % p.columns, k = e / p.columns;
      p.t[r + k * MOST_COLUMNS]
          = r <= k ? s.t[r + k * MOST_COLUMNS] : zero<T> ();
    }
}

/* Reduce one panel.  Cooperative launch of at most one block per multiprocessor.
   The barriers of the grid order the exchanges through SUMS, NORMS and MORE_SUMS:
   between writing one of them again and the last read of it there is always one of the
   other two.  */
template <typename T, bool OUTSIDE>
GE_KERNEL (THREADS, 1)
reduce_panel (panel<T> p)
{
  extern __shared__ double2 memory[];
  __shared__ ge_real<T> space[WARPS];
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid ();
  const int first = p.begin + 1 + (int) blockIdx.x * p.rows, left = p.n - first;
  const int rows = left < p.rows ? (left > 0 ? left : 0) : p.rows;
  const panel_space<T> s = lay_out<T, OUTSIDE> (p, (T *) memory);
  T tau = zero<T> (), beta, scale;
  for (int i = 0; i < p.columns; i++)
    {
      const int j = p.begin + i;
      if (i > 0)
        finish_column (p, s, rows, i - 1, tau);
      update_column (p, s, first, rows, i, grid);
      publish_column (p, s, first, rows, j, space);
      grid.sync ();
      find_reflector (p, p.column[j + 1], &tau, &beta, &scale);
      store_column (p, s, first, rows, i, beta, scale);
      __syncthreads ();
      project_rows (rows, s.v, s.x, i, s.space,
                    p.more_sums + blockIdx.x * MOST_COLUMNS);
      for (int r = 0; r < rows;)
        r += rows - r > 32 ? multiply_rows<MOST_GROUPS> (p, first + r, rows - r,
                                                         j, scale, s, r)
             : rows - r > 16
                 ? multiply_rows<4> (p, first + r, rows - r, j, scale, s, r)
             : rows - r > 8
                 ? multiply_rows<2> (p, first + r, rows - r, j, scale, s, r)
                 : multiply_rows<1> (p, first + r, rows - r, j, scale, s, r);
      grid.sync ();
    }
  finish_column (p, s, rows, p.columns - 1, tau);
  store_panel (p, s, first, rows);
}

/* --- the driver --- */

template <typename T, bool OUTSIDE>
static gpueig_status
launch_panel (gpueig_context *ctx, panel<T> *p, int blocks)
{
  const size_t bytes = panel_bytes<T> (OUTSIDE ? 0 : p->rows);
  void *arguments[] = { p };
  static_assert (panel_bytes<T> (0) <= GE_LEAST_SHARED, "rows outside");
  GE_ALLOW_SHARED ((reduce_panel<T, OUTSIDE>), bytes);
  ge_cuda_note (ctx, "reduce_panel");
  CU (cudaLaunchCooperativeKernel ((const void *) reduce_panel<T, OUTSIDE>,
                                   blocks, THREADS, arguments, bytes,
                                   ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* Set p->rows; returns the number of blocks.  */
template <typename T>
static int
divide_rows (gpueig_context *ctx, panel<T> *p)
{
  const int rows = p->n - p->begin - 1,
            most = ge_cuda_of (ctx)->multiprocessors;
  int blocks = (rows + LEAST_ROWS - 1) / LEAST_ROWS;
  blocks = blocks < most ? blocks : most;
  p->rows = (rows + blocks - 1) / blocks;
  p->rows = (p->rows + LEAST_ROWS - 1) / LEAST_ROWS * LEAST_ROWS;
  return (rows + p->rows - 1) / p->rows;
}

template <typename T>
static gpueig_status
run_panel (gpueig_context *ctx, panel<T> *p)
{
  const int blocks = divide_rows (ctx, p);
  return ge_shared_fits (ctx, panel_bytes<T> (p->rows))
             ? launch_panel<T, false> (ctx, p, blocks)
             : launch_panel<T, true> (ctx, p, blocks);
}

/* Allocate the rows of blocks that do not fit into shared memory; the first panel has
   the most.  */
template <typename T>
static gpueig_status
allocate_outside (gpueig_context *ctx, panel<T> *p)
{
  const int64_t blocks = divide_rows (ctx, p);
  if (ge_shared_fits (ctx, panel_bytes<T> (p->rows)))
    return GPUEIG_OK;
  return GE_ALLOC (ctx, GE_DEVICE, blocks * (int64_t) row_elements (p->rows),
                   &p->outside);
}

/* A <- Q' A Q for the rest of A after a panel.  W: 2 MOST_COLUMNS n.  Row BEGIN of V and Y
   is zero and part of the products, which read aligned memory then.  */
template <typename T>
static gpueig_status
update_rest (gpueig_context *ctx, const panel<T> *p, T *w)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t no = CUBLAS_OP_N, adjoint = ge_adjoint<T> ();
  const int64_t n = p->n, k = p->columns, begin = p->begin, above = begin + 1;
  const int64_t next = begin + k, m = n - begin, rest = n - next;
  const T *v = p->v + begin + begin * n;
  T *w2 = w + MOST_COLUMNS * n;
  /* rows above the panel */
  T *a = p->a + begin * n;
  CUBLAS (ge_gemm (blas, no, no, above, k, m, 1, a, n, v, n, 0, w, n));
  CUBLAS (ge_gemm (blas, no, no, above, k, k, 1, w, n, p->t, MOST_COLUMNS, 0,
                   w2, n));
  CUBLAS (ge_gemm (blas, no, adjoint, above, m, k, -1, w2, n, v, n, 1, a, n));
  if (rest <= 0)
    return GPUEIG_OK;
  /* rows of the panel: from the right, then from the left */
  a = p->a + begin + next * n;
  CUBLAS (ge_gemm (blas, no, adjoint, m, rest, k, -1, p->y + begin, n,
                   p->v + next + begin * n, n, 1, a, n));
  CUBLAS (ge_gemm (blas, adjoint, no, k, rest, m, 1, v, n, a, n, 0, w,
                   MOST_COLUMNS));
  CUBLAS (ge_gemm (blas, adjoint, no, k, rest, k, 1, p->t, MOST_COLUMNS, w,
                   MOST_COLUMNS, 0, w2, MOST_COLUMNS));
  CUBLAS (
      ge_gemm (blas, no, no, m, rest, k, -1, v, n, w2, MOST_COLUMNS, 1, a, n));
  return GPUEIG_OK;
}

/* Z = (I - V1 T1 V1') (I - V2 T2 V2') ..., from the last factor on.  */
template <typename T>
static gpueig_status
accumulate (gpueig_context *ctx, int64_t n, const T *v, const T *t, T *z, T *w)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t no = CUBLAS_OP_N, adjoint = ge_adjoint<T> ();
  T *w2 = w + MOST_COLUMNS * n;
  GE_TRY (ge_schur_identity (ctx, n, z));
  const int64_t last = n - 2, panels = (last + MOST_COLUMNS - 1) / MOST_COLUMNS;
  for (int64_t i = panels - 1; i >= 0; i--)
    {
      const int64_t begin = i * MOST_COLUMNS, m = n - begin;
      const int64_t left = last - begin;
      const int64_t k = left < MOST_COLUMNS ? left : (int64_t) MOST_COLUMNS;
      const T *x = v + begin + begin * n;
      T *to = z + begin + begin * n;
      CUBLAS (ge_gemm (cuda->blas, adjoint, no, k, m, m, 1, x, n, to, n, 0, w,
                       MOST_COLUMNS));
      CUBLAS (ge_gemm (cuda->blas, no, no, k, m, k, 1,
                       t + i * MOST_COLUMNS * MOST_COLUMNS, MOST_COLUMNS, w,
                       MOST_COLUMNS, 0, w2, MOST_COLUMNS));
      CUBLAS (ge_gemm (cuda->blas, no, no, m, m, k, -1, x, n, w2, MOST_COLUMNS,
                       1, to, n));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_hessenberg (gpueig_context *ctx, int n, T *a, T *z, T *v)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int panels = (n + MOST_COLUMNS - 1) / MOST_COLUMNS;
  const int mark = ge_mark (ctx);
  T *t, *w;
  ge_real<T> *norms;
  panel<T> p = {};
  p.n = n;
  p.a = a;
  p.v = v;
  if (n > 2)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE,
                        (int64_t) panels * MOST_COLUMNS * MOST_COLUMNS, &t));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) n * MOST_COLUMNS, &p.y));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * (int64_t) n * MOST_COLUMNS, &w));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &p.column));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE,
                        2 * (int64_t) cuda->multiprocessors * MOST_COLUMNS,
                        &p.sums));
      p.more_sums = p.sums + cuda->multiprocessors * MOST_COLUMNS;
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * cuda->multiprocessors, &norms));
      p.norms = norms;
      GE_TRY (allocate_outside (ctx, &p));
      /* Rows above a panel's reflectors are zero.  */
      GE_TRY (ge_clear (ctx, v, (int64_t) n * n));
      for (int i = 0; i * MOST_COLUMNS < n - 2; i++)
        {
          p.begin = i * MOST_COLUMNS;
          p.columns = n - 2 - p.begin;
          if (p.columns > MOST_COLUMNS)
            p.columns = MOST_COLUMNS;
          p.t = t + i * MOST_COLUMNS * MOST_COLUMNS;
          GE_TRY (run_panel (ctx, &p));
          GE_TRY (update_rest (ctx, &p, w));
          if (i % 8 == 7)
            {
              GE_TRY (ge_cuda_check_interrupt (ctx));
            }
        }
      if (z)
        GE_TRY (accumulate (ctx, n, v, t, z, w));
    }
  else if (z)
    GE_TRY (ge_schur_identity (ctx, n, z));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_hessenberg)
