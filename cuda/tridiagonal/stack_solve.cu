/* Stacks: which kernels reduce and solve; for small orders QL and its rotations, in as many
   rounds as the memory for rotations makes necessary; one is usual.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack.cuh"

int
ge_stack_table_size (int n)
{
  return 3 * n + 8;
}

template <typename T>
gpueig_status
ge_stack_tridiagonal (gpueig_context *ctx, const ge_stack<T> *s)
{
  if (s->n <= GE_STACK_SMALL)
    return ge_stack_small_reduce<T> (ctx, s);
  GE_TRY (ge_stack_reduce<T> (ctx, s));
  return s->v ? ge_stack_form<T> (ctx, s) : GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_solve (gpueig_context *ctx, const ge_stack<T> *s, int identity,
                int *failed)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int *counts;
  const int mark = ge_mark (ctx);
  const size_t bytes = 2 * sizeof *counts;
  *failed = 0;
  if (s->n > GE_STACK_SMALL)
    return ge_stack_divide<T> (ctx, s, identity, failed);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2, &counts));
  do
    {
      CU (cudaMemsetAsync (s->unfinished, 0, bytes, stream));
      GE_TRY (ge_stack_small_ql<T> (ctx, s));
      if (s->v)
        GE_TRY (ge_stack_small_rotate<T> (ctx, s, identity));
      CU (cudaMemcpyAsync (counts, s->unfinished, bytes, cudaMemcpyDeviceToHost,
                           stream));
      CU (cudaStreamSynchronize (stream));
      GE_TRY (ge_check_interrupt (ctx));
      *failed += counts[1];
      identity = 0;
    }
  while (counts[0] > 0);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_stack_tridiagonal (gpueig_context *,               \
                                               const ge_stack<T> *);           \
  template gpueig_status ge_stack_solve (gpueig_context *,                     \
                                         const ge_stack<T> *, int, int *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
