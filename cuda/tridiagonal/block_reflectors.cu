/* Block reflectors, see block_reflectors.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/block_reflectors.cuh"

#include "base/cluster.cuh"
#include "base/launch.cuh"
#include "base/three_products.cuh"
#include "tridiagonal/tridiagonal.cuh"

/* Reflectors per block in the back-transformation, for orders below LARGE and
   from there on, and for complex vectors there, which are in planes.  */
enum
{
  BLOCK_REFLECTORS = 256,
  LARGE = 8000,
  LARGE_BLOCK_REFLECTORS = 512,
  PLANES_BLOCK_REFLECTORS = 1024,
  TRIANGLE
  = 128 /* columns at a time of products whose lower triangle is not used */
};

/* --- factors of few columns --- */

enum
{
  FACTOR_THREADS = 512
};

/* T of order K from V' V above its diagonal (leading dimension LD_GRAM) and
   TAU: diagonal blocks of order h are combined to ones of order 2 h by T12 =
   -T11 (V1' V2) T22, in place, with two barriers per level.  The last K - COUNT
   columns of V are zero.  PART has K K / 4 numbers.  */
template <typename T, int K>
GE_DEVICE_INLINE void
build_factor (const T *gram, int ld_gram, const T *tau, int count, T *t,
              T *part)
{
  constexpr int LD = K + 1;
  for (int e = (int) threadIdx.x; e < K * K; e += FACTOR_THREADS)
    {
      const int i = e % K, j = e / K;
      t[i + LD * j] = j >= count || i > j ? zero<T> ()
                      : i < j             ? gram[i + (size_t) ld_gram * j]
                                          : tau[j];
    }
  __syncthreads ();
#pragma unroll
  for (int h = 1; h < K; h *= 2)
    {
      /* element (i, j) of the off-diagonal block of the pair that begins at
         p */
      for (int e = (int) threadIdx.x; e < K / 2 * h; e += FACTOR_THREADS)
        {
          const int i = e % h, j = e / h % h, p = e / (h * h) * 2 * h;
          const T *right = t + p + h + LD * (p + h + j);
          T sum = zero<T> ();
#pragma unroll 4
          for (int l = 0; l <= j; l++)
            sum = mul_add (t[p + i + LD * (p + h + l)], right[l], sum);
          part[e] = sum;
        }
      __syncthreads ();
      for (int e = (int) threadIdx.x; e < K / 2 * h; e += FACTOR_THREADS)
        {
          const int i = e % h, j = e / h % h, p = e / (h * h) * 2 * h;
          T sum = zero<T> ();
#pragma unroll 4
          for (int l = i; l < h; l++)
            sum = mul_sub (t[p + i + LD * (p + l)], part[e - i + l], sum);
          t[p + i + LD * (p + h + j)] = sum;
        }
      __syncthreads ();
    }
}

template <typename T, int K>
static constexpr size_t
factor_bytes (void)
{
  return 2 * (size_t) (K * (K + 1)) * sizeof (T);
}

/* F of ge_cuda_two_sided_factor by one thread block.  A thread has row i = thread
   mod K of P = (V' X) T and of T' P, and the columns j0 + u STRIDE of them.  Shared
   memory: T and P.  */
template <typename T, int K>
GE_KERNEL (FACTOR_THREADS)
two_sided_factor_kernel (int count, const T *gram, const T *tau, const T *parts,
                         T *f)
{
  constexpr int EACH = K * K / FACTOR_THREADS, STRIDE = FACTOR_THREADS / K;
  constexpr int LD = K + 1;
  constexpr int ROUNDS = is_complex<T>::value ? 2 : 4; /* by registers */
  extern __shared__ __align__ (16) unsigned char factor_memory[];
  T *t = (T *) factor_memory, *p = t + K * LD;
  const int i = (int) threadIdx.x % K, j0 = (int) threadIdx.x / K;
  T sum[EACH], part[4][EACH];
  build_factor<T, K> (gram, K, tau, K, t, p);
  begin_in_turn ();
#pragma unroll
  for (int e = 0; e < 4 * EACH; e++)
    part[e / EACH][e % EACH] = zero<T> ();
    /* four sums have smaller errors than one */
#pragma unroll ROUNDS
  for (int g = 0; g < count; g += 4)
#pragma unroll
    for (int e = 0; e < 4 * EACH; e++)
      if (g + e / EACH < count)
        part[e / EACH][e % EACH] = plus (
            part[e / EACH][e % EACH],
            conjugate (
                parts[i + K * (j0 + e % EACH * STRIDE + K * (g + e / EACH))]));
#pragma unroll
  for (int u = 0; u < EACH; u++)
    sum[u]
        = plus (plus (part[0][u], part[1][u]), plus (part[2][u], part[3][u]));
#pragma unroll
  for (int u = 0; u < EACH; u++)
    {
      p[i + LD * (j0 + u * STRIDE)] = sum[u];
      sum[u] = zero<T> ();
    }
  __syncthreads ();
#pragma unroll 8
  for (int l = 0; l < K; l++)
    {
      const T x = p[i + LD * l];
#pragma unroll
      for (int u = 0; u < EACH; u++)
        sum[u] = mul_add (x, t[l + LD * (j0 + u * STRIDE)], sum[u]);
    }
  __syncthreads ();
#pragma unroll
  for (int u = 0; u < EACH; u++)
    {
      p[i + LD * (j0 + u * STRIDE)] = sum[u];
      sum[u] = zero<T> ();
    }
  __syncthreads ();
  /* T (l, i) is zero for l > i */
#pragma unroll 8
  for (int l = 0; l < K; l++)
    {
      const T x = t[l + LD * i];
#pragma unroll
      for (int u = 0; u < EACH; u++)
        sum[u] = conj_mul_add (x, p[l + LD * (j0 + u * STRIDE)], sum[u]);
    }
#pragma unroll
  for (int u = 0; u < EACH; u++)
    {
      const int j = j0 + u * STRIDE;
      f[i + 2 * K * j] = t[i + LD * j];
      f[K + i + 2 * K * j] = make_number<T> (-real_part (sum[u]) / 2,
                                             -imaginary_part (sum[u]) / 2);
    }
}

template <typename T>
gpueig_status
ge_cuda_two_sided_factor (gpueig_context *ctx, int count, const T *gram,
                          const T *tau, const T *parts, T *f)
{
  constexpr size_t bytes = factor_bytes<T, GE_FACTOR> ();
  static_assert (bytes <= GE_LEAST_SHARED, "a factor");
  GE_ALLOW_SHARED ((two_sided_factor_kernel<T, GE_FACTOR>), bytes);
  return ge_launch_in_turn (
      ctx, "two_sided_factor_kernel", two_sided_factor_kernel<T, GE_FACTOR>, 1,
      FACTOR_THREADS, bytes, 1, count, gram, tau, parts, f);
}

/* --- factors of many columns --- */

enum
{
  LEAF = 64
};

/* COUNT reflectors of order N, zero in the first SHIFT rows, in BLOCKS blocks of MOST, whose
   factors are padded with zeros to order PADDED = 64 2^j.  */
typedef struct
{
  int64_t n, shift, count, most, padded, blocks;
} reflector_blocks;

template <typename T>
static reflector_blocks
choose_blocks (int64_t n, int64_t shift, int64_t count)
{
  const int64_t most = n < LARGE              ? BLOCK_REFLECTORS
                       : is_complex<T>::value ? PLANES_BLOCK_REFLECTORS
                                              : LARGE_BLOCK_REFLECTORS;
  reflector_blocks r
      = { n, shift, count, most < count ? most : count, LEAF, 0 };
  while (r.padded < r.most)
    r.padded *= 2;
  r.blocks = (count + r.most - 1) / r.most;
  return r;
}

static int64_t
columns_of_block (const reflector_blocks *r, int64_t block)
{
  const int64_t left = r->count - block * r->most;
  return left < r->most ? left : r->most;
}

/* Diagonal block blockIdx.x, of order LEAF, of the factor of reflector block
   blockIdx.y, in shared memory.  */
template <typename T>
GE_KERNEL (FACTOR_THREADS)
leaf_kernel (reflector_blocks r, const T *gram, const T *tau, T *t)
{
  constexpr int LD = LEAF + 1;
  extern __shared__ __align__ (16) unsigned char leaf_memory[];
  T *leaf = (T *) leaf_memory, *part = leaf + LEAF * LD;
  const int64_t begin = (int64_t) blockIdx.x * LEAF;
  const int64_t first = (int64_t) blockIdx.y * r.most + begin;
  const int64_t in_block = r.most - begin, in_all = r.count - first;
  const int64_t count = in_block < in_all ? in_block : in_all;
  const size_t place = (size_t) (r.padded * r.padded) * blockIdx.y
                       + (size_t) (begin * (r.padded + 1));
  build_factor<T, LEAF> (gram + place, (int) r.padded, tau + first, (int) count,
                         leaf, part);
  for (int e = (int) threadIdx.x; e < LEAF * LEAF; e += FACTOR_THREADS)
    {
      const int i = e % LEAF, j = e / LEAF;
      t[place + i + (size_t) r.padded * j] = leaf[i + LD * j];
    }
}

/* The factors T of all reflector blocks from V' V in GRAM; T is zero on entry;
   WORK: a quarter of T.  Every launch covers all blocks: one after the other
   they would be bound by the latency of small triangular problems.  */
template <typename T>
static gpueig_status
make_factors (gpueig_context *ctx, const reflector_blocks *r, const T *gram,
              const T *tau, T *t, T *work)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t none = CUBLAS_OP_N;
  const int64_t k = r->padded, all = k * k;
  constexpr size_t bytes
      = (size_t) (LEAF * (LEAF + 1) + LEAF * LEAF / 4) * sizeof (T);
  static_assert (bytes <= GE_LEAST_SHARED, "a leaf");
  GE_ALLOW_SHARED (leaf_kernel<T>, bytes);
  GE_LAUNCH ((leaf_kernel<T>),
             dim3 ((unsigned) (k / LEAF), (unsigned) r->blocks), FACTOR_THREADS,
             bytes, *r, gram, tau, t);
  for (int64_t h = LEAF; h < k; h *= 2)
    for (int64_t p = 0; p < k; p += 2 * h)
      {
        T *t11 = t + p * (k + 1), *t12 = t11 + k * h;
        const T *g12 = gram + p * (k + 1) + k * h, *t22 = t12 + h;
        CUBLAS (ge_gemm_strided (cuda->blas, none, none, h, h, h, (R) 1, g12, k,
                                 all, t22, k, all, (R) 0, work, h, h * h,
                                 r->blocks));
        CUBLAS (ge_gemm_strided (cuda->blas, none, none, h, h, h, (R) -1, t11,
                                 k, all, work, h, h * h, (R) 0, t12, k, all,
                                 r->blocks));
      }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_reflector_factors (gpueig_context *ctx, int64_t n, int64_t count,
                           int64_t shift, const T *v, const T *tau, T **factors)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  if (count <= 0)
    return GPUEIG_OK;
  const reflector_blocks r = choose_blocks<T> (n, shift, count);
  const int64_t all = r.padded * r.padded;
  T *gram, *work;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, r.blocks * all, factors, &gram));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, r.blocks * all / 4, &work));
  GE_TRY (ge_clear (ctx, gram, r.blocks * all));
  GE_TRY (ge_clear (ctx, *factors, r.blocks * all));
  for (int64_t i = 0; i < r.blocks; i++)
    {
      const int64_t begin = i * r.most, row = begin + shift;
      const int64_t k = columns_of_block (&r, i);
      const T *x = v + row + n * begin;
      for (int64_t j = 0; j < k; j += TRIANGLE)
        {
          const int64_t end = j + TRIANGLE < k ? j + TRIANGLE : k;
          CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), CUBLAS_OP_N, end,
                           end - j, n - row, (R) 1, x, n, x + n * j, n, (R) 0,
                           gram + i * all + r.padded * j, r.padded));
        }
    }
  return make_factors<T> (ctx, &r, gram, tau, *factors, work);
}

/* Apply the reflectors V with factors T to Z, or to PLANES.  WORK: of r->most n numbers, and
   for Z as many columns more.  */
template <typename T>
static gpueig_status
apply_blocks (gpueig_context *ctx, const reflector_blocks *r, const T *v,
              const T *t, T *work, int64_t columns, int identity, T *z,
              const ge_planes<T> *planes)
{
  typedef ge_real<T> R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t adjoint = ge_adjoint<T> (), none = CUBLAS_OP_N;
  const int64_t n = r->n, all = r->padded * r->padded;
  T *vt = work, *w = vt + r->most * n;
  for (int64_t i = r->blocks - 1; i >= 0; i--)
    {
      const int64_t begin = i * r->most, row = begin + r->shift, m = n - row;
      /* of the identity H_j changes the columns from j + SHIFT on only */
      const int64_t k = columns_of_block (r, i), c = identity ? m : columns;
      const T *x = v + row + n * begin;
      if (n >= GE_STOPPABLE)
        GE_TRY (ge_cuda_check_interrupt (ctx));
      /* (V T)', T upper triangular: products with it are faster than with V T */
      for (int64_t j = 0; j < k; j += TRIANGLE)
        {
          const int64_t end = j + TRIANGLE < k ? j + TRIANGLE : k;
          CUBLAS (ge_gemm (blas, adjoint, adjoint, end - j, m, end, (R) 1,
                           t + i * all + j * r->padded, r->padded, x, n, (R) 0,
                           vt + j, k));
        }
      if (planes)
        {
          GE_TRY (ge_subtract_from_planes (ctx, row, k, x, n, vt, planes));
          continue;
        }
      T *y = z + row + (identity ? n * row : 0);
      CUBLAS (ge_large_product (blas, adjoint, none, k, c, m, (R) 1, x, n, y, n,
                                (R) 0, w, k));
      CUBLAS (ge_large_product (blas, adjoint, none, m, c, k, (R) -1, vt, k, w,
                                k, (R) 1, y, n));
    }
  return GPUEIG_OK;
}

template <typename T>
static __global__ void
identity_kernel (int64_t n, T *q)
{
  const int64_t j = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    q[j + n * j] = make_number<T> (1, 0);
}

/* Vectors are transformed as they are, not in planes.  */
template <typename T>
static bool
stays_in_place (int64_t n, int identity)
{
  return identity || n < LARGE || ! is_complex<T>::value;
}

template <typename T>
double
ge_cuda_reflectors_bytes (int64_t n, int64_t count, int64_t shift,
                          int64_t columns)
{
  if (count <= 0)
    return 0;
  const reflector_blocks r = choose_blocks<T> (n, shift, count);
  const bool plain = stays_in_place<T> (n, 0);
  const double factors = 2.25 * (double) (r.blocks * r.padded * r.padded);
  const double work = (double) (r.most * (n + plain * columns));
  return (factors + work) * sizeof (T)
         + (plain ? 0 : ge_least_planes_bytes<T> (n, r.most));
}

template <typename T>
gpueig_status
ge_cuda_apply_reflectors (gpueig_context *ctx, int64_t n, int64_t count,
                          int64_t shift, const T *v, const T *t,
                          int64_t columns, int identity, T *z)
{
  if (identity)
    {
      GE_TRY (ge_clear (ctx, z, n * n));
      GE_LAUNCH (identity_kernel<T>, ge_blocks (n, 256), 256, 0, n, z);
    }
  if (count <= 0)
    return GPUEIG_OK;
  const reflector_blocks r = choose_blocks<T> (n, shift, count);
  const bool plain = stays_in_place<T> (n, identity);
  ge_planes<T> p;
  T *work;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, r.most * (n + plain * columns), &work));
  if (plain)
    return apply_blocks<T> (ctx, &r, v, t, work, columns, identity, z, NULL);
  GE_TRY (ge_open_planes (ctx, n, r.most, columns, &p));
  for (; columns > 0; columns -= p.columns, z += n * p.columns)
    {
      p.columns = p.columns < columns ? p.columns : columns;
      GE_TRY (ge_load_planes (ctx, z, &p));
      GE_TRY (apply_blocks<T> (ctx, &r, v, t, work, 0, 0, NULL, &p));
      GE_TRY (ge_store_planes (ctx, &p, z));
    }
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_cuda_two_sided_factor)
GE_INSTANTIATE (ge_cuda_reflector_factors)
GE_INSTANTIATE (ge_cuda_reflectors_bytes)
GE_INSTANTIATE (ge_cuda_apply_reflectors)
