/* Products of sparse and full matrices, by cuSPARSE but for vectors and short rows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Short rows, as of discretised differential equations, need no balance between threads, so
   that one launch takes the place of four.  Of cuSPARSE's algorithms for compressed rows those
   are taken whose results have the same bits in each run: CUSPARSE_SPMV_CSR_ALG2 and
   CUSPARSE_SPMM_CSR_ALG3.  */

#include "array/array.cuh"
#include "base/libraries.cuh"
#include "base/teams.cuh"

enum
{
  THREADS = 256,
  LANES = 4,  /* of a row where rows have more than FEW elements in the mean */
  FEW = 8,    /* the most elements of a row, in the mean, for one lane alone */
  SHORT = 64, /* the most elements of a short row */
  SHORT_MEAN = 12
};

/* --- short rows --- */

/* Each row by W lanes; the order of its sum depends on its elements alone.  */
template <typename T, typename I, int W>
GE_KERNEL (THREADS)
short_rows_kernel (ge_sparse_product p)
{
  typedef ge_real<T> R;
  const bool is_complex = sizeof (T) > sizeof (R);
  const I *starts = (const I *) p.a.starts, *indices = (const I *) p.a.indices;
  const R *values = (const R *) p.a.values, *x = (const R *) p.b;
  const int64_t step = (int64_t) gridDim.x * (THREADS / W);
  for (int64_t row = ((int64_t) blockIdx.x * THREADS + threadIdx.x) / W;
       row < p.a.rows; row += step)
    {
      R re = 0, im = 0;
      const int64_t end = starts[row + 1];
      for (int64_t e = starts[row] + threadIdx.x % W; e < end; e += W)
        {
          const int64_t k = indices[e];
          if constexpr (is_complex)
            {
              const R a = values[2 * e], b = values[2 * e + 1];
              re += a * x[2 * k] - b * x[2 * k + 1];
              im += a * x[2 * k + 1] + b * x[2 * k];
            }
          else
            re += values[e] * x[k];
        }
      re = tile_sum<W> (re);
      if constexpr (is_complex)
        im = tile_sum<W> (im);
      if (threadIdx.x % W)
        continue;
      R *y = (R *) p.c + row * (1 + is_complex);
      y[0] = re;
      if constexpr (is_complex)
        y[1] = im;
    }
}

template <typename T, typename I>
static gpueig_status
multiply_short_rows (gpueig_context *ctx, const ge_sparse_product *p)
{
  const int lanes = p->a.elements <= FEW * p->a.rows ? 1 : LANES;
  const int64_t each = THREADS / lanes, blocks = (p->a.rows + each - 1) / each;
  const unsigned grid = (unsigned) (blocks < INT32_MAX ? blocks : INT32_MAX);
  if (lanes == 1)
    GE_LAUNCH ((short_rows_kernel<T, I, 1>), grid, THREADS, 0, *p);
  else
    GE_LAUNCH ((short_rows_kernel<T, I, LANES>), grid, THREADS, 0, *p);
  return GPUEIG_OK;
}

/* --- cuSPARSE --- */

typedef struct
{
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y; /* of one column */
  cusparseDnMatDescr_t b, c; /* of several */
} descriptors;

static void
forget (const descriptors *d)
{
  if (d->a)
    cusparseDestroySpMat (d->a);
  if (d->x)
    cusparseDestroyDnVec (d->x);
  if (d->y)
    cusparseDestroyDnVec (d->y);
  if (d->b)
    cusparseDestroyDnMat (d->b);
  if (d->c)
    cusparseDestroyDnMat (d->c);
}

static gpueig_status
need_handle (gpueig_context *ctx)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  if (cuda->sparse)
    return GPUEIG_OK;
  CUSPARSE (cusparseCreate (&cuda->sparse));
  CUSPARSE (cusparseSetStream (cuda->sparse, cuda->stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
multiply_vector (gpueig_context *ctx, const ge_sparse_product *p,
                 descriptors *d)
{
  const cusparseHandle_t h = ge_cuda_of (ctx)->sparse;
  const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMVAlg_t same_bits = CUSPARSE_SPMV_CSR_ALG2;
  const cudaDataType type = cuda_type<T>::value;
  const ge_real<T> one[2] = { 1 }, zero[2] = {}; /* of T, real or complex */
  size_t bytes = 0;
  void *space;
  CUSPARSE (cusparseCreateDnVec (&d->x, p->a.columns, (void *) p->b, type));
  CUSPARSE (cusparseCreateDnVec (&d->y, p->a.rows, p->c, type));
  CUSPARSE (cusparseSpMV_bufferSize (h, as_is, one, d->a, d->x, zero, d->y,
                                     type, same_bits, &bytes));
  GE_TRY (ge_alloc (ctx, GE_DEVICE, (int64_t) bytes, 1, &space));
  CUSPARSE (cusparseSpMV (h, as_is, one, d->a, d->x, zero, d->y, type,
                          same_bits, space));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
multiply_columns (gpueig_context *ctx, const ge_sparse_product *p,
                  descriptors *d)
{
  const cusparseHandle_t h = ge_cuda_of (ctx)->sparse;
  const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpMMAlg_t same_bits = CUSPARSE_SPMM_CSR_ALG3;
  const cudaDataType type = cuda_type<T>::value;
  const ge_real<T> one[2] = { 1 }, zero[2] = {}; /* of T, real or complex */
  size_t bytes = 0;
  void *space;
  CUSPARSE (cusparseCreateDnMat (&d->b, p->a.columns, p->n, p->a.columns,
                                 (void *) p->b, type, CUSPARSE_ORDER_COL));
  CUSPARSE (cusparseCreateDnMat (&d->c, p->a.rows, p->n, p->a.rows, p->c, type,
                                 CUSPARSE_ORDER_COL));
  CUSPARSE (cusparseSpMM_bufferSize (h, as_is, as_is, one, d->a, d->b, zero,
                                     d->c, type, same_bits, &bytes));
  GE_TRY (ge_alloc (ctx, GE_DEVICE, (int64_t) bytes, 1, &space));
  CUSPARSE (cusparseSpMM (h, as_is, as_is, one, d->a, d->b, zero, d->c, type,
                          same_bits, space));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, const ge_sparse_product *p, descriptors *d)
{
  if (p->n == 1 && p->a.longest <= SHORT
      && p->a.elements <= SHORT_MEAN * p->a.rows)
    return p->a.wide ? multiply_short_rows<T, int64_t> (ctx, p)
                     : multiply_short_rows<T, int32_t> (ctx, p);
  const cusparseIndexType_t index
      = p->a.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  GE_TRY (need_handle (ctx));
  CUSPARSE (cusparseCreateCsr (&d->a, p->a.rows, p->a.columns, p->a.elements,
                               (void *) p->a.starts, (void *) p->a.indices,
                               (void *) p->a.values, index, index,
                               CUSPARSE_INDEX_BASE_ZERO, cuda_type<T>::value));
  return p->n == 1 ? multiply_vector<T> (ctx, p, d)
                   : multiply_columns<T> (ctx, p, d);
}

gpueig_status
ge_cuda_multiply_sparse (gpueig_context *ctx, const ge_sparse_product *p)
{
  descriptors d = {};
  const int mark = ge_mark (ctx);
  const gpueig_status status
      = GE_CUDA_BY_TYPE (p->type, multiply, (ctx, p, &d));
  ge_release (ctx, mark);
  forget (&d);
  return status;
}
