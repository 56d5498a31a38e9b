/* Discrete Fourier transforms by cuFFT.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The library is looked for at the first transform: without it everything else works, and
   transforms are the host's.  */

#include "array/array.cuh"

#include <cufftXt.h>
#include <stdio.h>

typedef struct
{
  decltype (&cufftCreate) create;
  decltype (&cufftDestroy) destroy;
  decltype (&cufftSetAutoAllocation) allocate;
  decltype (&cufftSetWorkArea) work;
  decltype (&cufftSetStream) stream;
  decltype (&cufftXtMakePlanMany) make;
  decltype (&cufftXtExec) exec;
} library;

/* Nonzero if the library and all its functions are found.  It is never unloaded.  */
static int
load_library (library *l)
{
  char name[40];
  (void) snprintf (name, sizeof name, "libcufft.so.%d", CUFFT_VER_MAJOR);
  void *handle = ge_open_library (name, NULL, 0);
  if (! handle)
    return 0;
#define FIND(field, symbol)                                                    \
  *(void **) &l->field = ge_library_symbol (handle, #symbol)
  FIND (create, cufftCreate);
  FIND (destroy, cufftDestroy);
  FIND (allocate, cufftSetAutoAllocation);
  FIND (work, cufftSetWorkArea);
  FIND (stream, cufftSetStream);
  FIND (make, cufftXtMakePlanMany);
  FIND (exec, cufftXtExec);
#undef FIND
  return l->create && l->destroy && l->allocate && l->work && l->stream
         && l->make && l->exec;
}

static gpueig_status
check (gpueig_context *ctx, cufftResult result, const char *call)
{
  char name[32];
  if (result == CUFFT_SUCCESS)
    return GPUEIG_OK;
  (void) snprintf (name, sizeof name, "cuFFT error %d", (int) result);
  return ge_cuda_failure (ctx, result == CUFFT_ALLOC_FAILED, name, call);
}

#define CUFFT(call) GE_TRY (check (ctx, l->call, #call))

/* A column is LEFT elements from one to the next of its own, and so many columns side by
   side; a transform of each page then.  */
static gpueig_status
transform (gpueig_context *ctx, const library *l, cufftHandle plan,
           const ge_fft *f)
{
  const cudaDataType type
      = f->type == GPUEIG_COMPLEX_DOUBLE ? CUDA_C_64F : CUDA_C_32F;
  const int rows = f->left == 1;
  long long n = f->n;
  size_t bytes = 0;
  void *space;
  CUFFT (allocate (plan, 0));
  CUFFT (make (plan, 1, &n, &n, f->left, rows ? n : 1, type, &n, f->left,
               rows ? n : 1, type, rows ? f->right : f->left, &bytes, type));
  GE_TRY (ge_alloc (ctx, GE_DEVICE, (int64_t) bytes, 1, &space));
  CUFFT (work (plan, space));
  CUFFT (stream (plan, ge_cuda_of (ctx)->stream));
  for (int64_t page = 0; page < (rows ? 1 : f->right); page++)
    {
      char *data
          = (char *) f->data
            + page * f->left * f->n * (int64_t) gpueig_scalar_size (f->type);
      CUFFT (
          exec (plan, data, data, f->inverse ? CUFFT_INVERSE : CUFFT_FORWARD));
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_fft (gpueig_context *ctx, const ge_fft *f, int *done)
{
  library found, *l = &found;
  cufftHandle plan;
  *done = load_library (l);
  if (! *done)
    return GPUEIG_OK;
  CUFFT (create (&plan));
  const int mark = ge_mark (ctx);
  const gpueig_status status = transform (ctx, l, plan, f);
  ge_release (ctx, mark);
  l->destroy (plan);
  return status;
}
