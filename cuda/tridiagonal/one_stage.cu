/* Householder's reduction in one launch: choice of the kernel, the number of
   blocks and the cluster size; see one_stage.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/launch.cuh"
#include "tridiagonal/one_cluster.cuh"
#include "tridiagonal/one_stage.cuh"
#include "tridiagonal/tridiagonal.cuh"

enum
{
  /* With fewer columns per block an additional block costs more in the exchange
     than it saves.  */
  LEAST_COLUMNS = 4,
  LEAST_CLUSTER = 2, /* the least order for one_cluster_kernel */
  CLUSTER = 8        /* blocks */
};

/* The kernel and its arguments.  */
template <typename T> struct one_stage_call
{
  ge_resident_launch<one_stage<T>> launch;
  one_stage<T> p;
};

/* As many clusters as are resident on the GPU at once, or as many blocks if it has no
   clusters.  */
template <typename T, int THREADS, int KEPT>
static gpueig_status
choose_blocks (gpueig_context *ctx, one_stage_call<T> *c)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t n = c->p.n;
  int64_t wanted = n / LEAST_COLUMNS > 0 ? n / LEAST_COLUMNS : 1, resident;
  for (int cluster = CLUSTER; cluster >= 1; cluster -= CLUSTER - 1)
    {
      /* an upper bound of the shared memory for any number of blocks */
      c->launch.cluster = cluster;
      c->launch.shared = cuda->shared_per_block;
      GE_TRY (ge_cuda_resident_blocks (ctx, c->launch, &resident));
      int64_t blocks = resident < wanted ? resident : wanted;
      if (blocks > cuda->multiprocessors)
        blocks = cuda->multiprocessors;
      blocks -= blocks % cluster;
      if (blocks == 0)
        continue;
      c->p.cluster = cluster;
      c->p.most_columns = (int) ((n + blocks - 1) / blocks);
      const size_t column = one_stage_ld (c->p.n) * sizeof (T);
      const size_t before
          = one_stage_bytes<T, THREADS> ((int) n, c->p.most_columns);
      if (before > cuda->shared_per_block)
        continue;
      const int64_t fit
          = (int64_t) ((cuda->shared_per_block - before) / column),
          wants = c->p.most_columns > KEPT ? c->p.most_columns - KEPT : 0;
      c->p.shared_columns = (int) (wants < fit ? wants : fit);
      c->launch.blocks = blocks;
      c->launch.shared = before + (size_t) c->p.shared_columns * column;
      return GPUEIG_OK;
    }
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "order %lld is too large for this GPU's shared memory",
                      (long long) n);
}

template <typename T, int THREADS, int ROWS, int KEPT>
static gpueig_status
run (gpueig_context *ctx, one_stage<T> p)
{
  one_stage_call<T> c;
  c.p = p;
  c.launch.kernel = one_stage_kernel<T, THREADS, ROWS, KEPT>;
  c.launch.name = "one_stage_kernel";
  c.launch.threads = THREADS;
  GE_TRY ((choose_blocks<T, THREADS, KEPT> (ctx, &c)));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * p.n, &c.p.messages));
  GE_TRY (ge_clear (ctx, c.p.messages, 2 * p.n));
  return ge_cuda_launch_resident (ctx, c.launch, c.p);
}

/* Reduction in the registers of one cluster; *LAUNCHED is zero if the GPU does
   not support such a cluster.  */
template <typename T, int COLUMNS>
static gpueig_status
run_cluster (gpueig_context *ctx, const one_stage<T> &p, int *launched)
{
  ge_resident_launch<one_cluster<T>> l;
  const one_cluster<T> c = { p.n, p.a, p.vectors, p.d, p.e, p.tau };
  int64_t resident;
  l.kernel = one_cluster_kernel<T, COLUMNS>;
  l.name = "one_cluster_kernel";
  l.threads = ONE_CLUSTER_THREADS;
  l.shared = sizeof (one_cluster_memory<T, COLUMNS>);
  l.blocks = l.cluster = ONE_CLUSTER;
  GE_TRY (ge_cuda_resident_blocks (ctx, l, &resident));
  *launched = resident >= ONE_CLUSTER;
  return *launched ? ge_cuda_launch_resident (ctx, l, c) : GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_one_stage (gpueig_context *ctx, int64_t n, T *a, int vectors,
                   ge_real<T> *d, ge_real<T> *e, T *tau)
{
  constexpr bool wide = sizeof (T) == sizeof (cuDoubleComplex),
                 single = sizeof (ge_real<T>) == sizeof (float);
  constexpr int kept = wide ? 0 : single && is_complex<T>::value ? 4 : 8;
  const int mark = ge_mark (ctx);
  T *first;
  int launched = 0;
  const one_stage<T> in
      = { (int) n, 1, 0, 0, a, NULL, vectors, d, e, tau, NULL };
  if (n >= LEAST_CLUSTER && n <= 256)
    GE_TRY ((run_cluster<T, 2> (ctx, in, &launched)));
  else if (n >= LEAST_CLUSTER && n <= 512 && ! wide)
    GE_TRY ((run_cluster < T, wide ? 2 : 4 > (ctx, in, &launched)));
  if (launched)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &first));
  GE_TRY (ge_copy (ctx, first, a, n));
  one_stage<T> p = in;
  p.first = first;
  /* By measurement: fewer threads have fewer sums to combine, and more registers.  What
     a thread cannot keep would go to device memory in every step.  */
  if (n <= 512)
    GE_TRY ((run<T, 256, 2, 0> (ctx, p)));
  else if (n <= 1024)
    GE_TRY ((run < T, 256, 4, wide ? 4 : 8 > (ctx, p)));
  else if (n <= 1536)
    GE_TRY ((run < T, single ? 512 : 256, single ? 3 : 6, kept > (ctx, p)));
  else if constexpr (! wide)
    GE_TRY ((run < T, 512, 4, sizeof (T) == 4 ? 8 : 4 > (ctx, p)));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_one_stage)
