/* A program whose data stays on the GPU: eigenvectors by the C library, then a product
   with them by cuBLAS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A symmetric matrix A is copied to memory from cudaMalloc; gpueig_eig_symmetric
   leaves V and lambda beside it; cuBLAS computes A V - V diag (lambda) and its norm, the
   only number that comes back.  With the library and CUDA installed:

     cc on_device.c $(pkg-config --cflags --libs gpueig) -lcublas -lcudart -lm  */

#include <gpueig.h>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 1000
};

static void
check (int good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "on_device: %s failed\n", what);
  exit (EXIT_FAILURE);
}

static double *
on_gpu (size_t count)
{
  double *x = NULL;
  check (cudaMalloc ((void **) &x, count * sizeof *x) == cudaSuccess,
         "cudaMalloc");
  return x;
}

/* |A V - V diag (lambda)| / |A|, Frobenius norms; WORK has N^2 elements.  */
static double
residual (cublasHandle_t blas, const double *a, const double *v,
          const double *lambda, double *work)
{
  const double one = 1, minus_one = -1;
  double norm = 0, norm_a = 0;
  const int ok
      = cublasDdgmm (blas, CUBLAS_SIDE_RIGHT, N, N, v, N, lambda, 1, work, N)
            == CUBLAS_STATUS_SUCCESS
        && cublasDgemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, v,
                        N, &minus_one, work, N)
               == CUBLAS_STATUS_SUCCESS
        && cublasDnrm2 (blas, N * N, work, 1, &norm) == CUBLAS_STATUS_SUCCESS
        && cublasDnrm2 (blas, N * N, a, 1, &norm_a) == CUBLAS_STATUS_SUCCESS;
  check (ok, "cuBLAS");
  return norm / norm_a;
}

int
main (void)
{
  static double host[N * N];
  const size_t bytes = sizeof host;
  double *a = on_gpu ((size_t) N * N), *v = on_gpu ((size_t) N * N);
  double *work = on_gpu ((size_t) N * N), *lambda = on_gpu (N);
  gpueig_context *ctx;
  gpueig_info info;
  cublasHandle_t blas;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      host[i + N * j] = 1.0 / (i + j + 1) + (i == j ? i % 7 : 0);
  check (cudaMemcpy (a, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess,
         "cudaMemcpy");
  check (cublasCreate (&blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  check (gpueig_create (&ctx) == GPUEIG_OK, "gpueig_create");
  const gpueig_symmetric problem = { .type = GPUEIG_DOUBLE,
                                     .n = N,
                                     .pages = 1,
                                     .a = a,
                                     .lambda = lambda,
                                     .v = v,
                                     .place = GPUEIG_DEVICE };
  const gpueig_status status
      = gpueig_eig_symmetric (ctx, &problem, NULL, &info);
  if (status != GPUEIG_OK)
    fprintf (stderr, "%s: %s\n", gpueig_status_id (status),
             gpueig_message (ctx));
  check (status == GPUEIG_OK, "gpueig_eig_symmetric");
  const double error = residual (blas, a, v, lambda, work);
  printf ("order %d, %s on %s: residual %.2g\n", N, info.method, info.backend,
          error);
  gpueig_destroy (ctx);
  cublasDestroy (blas);
  cudaFree (a);
  cudaFree (v);
  cudaFree (work);
  cudaFree (lambda);
  return error < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
