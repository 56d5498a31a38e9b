/* Cooperative launches: all blocks are resident on the GPU at the same time,
   optionally grouped in thread block clusters.  Kernels have one argument.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_LAUNCH_CUH
#define GE_LAUNCH_CUH 1

#include "base/cuda.cuh"

enum
{
  GE_PORTABLE_CLUSTER = 8 /* cluster size that all GPUs with clusters support */
};

template <typename P> struct ge_resident_launch
{
  void (*kernel) (P);
  const char *name; /* for the message of a fault */
  int threads;      /* of a block */
  size_t shared;
  int64_t blocks;
  int cluster; /* blocks of a cluster; 1: none */
};

/* Let KERNEL run in clusters of SIZE blocks.  */
static inline gpueig_status
ge_allow_cluster (gpueig_context *ctx, const void *kernel, int size)
{
  if (size > GE_PORTABLE_CLUSTER)
    CU (cudaFuncSetAttribute (
        kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  return GPUEIG_OK;
}

template <typename P>
static gpueig_status
ge_cuda_set_attributes (gpueig_context *ctx, const ge_resident_launch<P> &l)
{
  GE_TRY (ge_allow_shared (ctx, (const void *) l.kernel, l.shared, l.name));
  return ge_allow_cluster (ctx, (const void *) l.kernel, l.cluster);
}

/* ATTRIBUTE has two elements and must outlive the result.  */
template <typename P>
static cudaLaunchConfig_t
ge_cuda_configuration (const ge_cuda *cuda, const ge_resident_launch<P> &l,
                       cudaLaunchAttribute *attribute)
{
  cudaLaunchConfig_t c = {};
  c.gridDim = dim3 ((unsigned) l.blocks);
  c.blockDim = dim3 ((unsigned) l.threads);
  c.dynamicSmemBytes = l.shared;
  c.stream = cuda->stream;
  c.attrs = attribute;
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  c.numAttrs = 1;
  if (l.cluster > 1)
    {
      attribute[1].id = cudaLaunchAttributeClusterDimension;
      attribute[1].val.clusterDim.x = (unsigned) l.cluster;
      attribute[1].val.clusterDim.y = attribute[1].val.clusterDim.z = 1;
      c.numAttrs = 2;
    }
  return c;
}

/* *BLOCKS: the number of blocks of L that can be resident at once, a multiple
   of the cluster size; 0 where not even one cluster can.  */
template <typename P>
static gpueig_status
ge_cuda_resident_blocks (gpueig_context *ctx, const ge_resident_launch<P> &l,
                         int64_t *blocks)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  cudaFuncAttributes own;
  int count = 0, each = 0;
  *blocks = 0;
  CU (cudaFuncGetAttributes (&own, (const void *) l.kernel));
  if ((l.cluster > 1 && ! cuda->clusters)
      || l.shared + own.sharedSizeBytes > cuda->shared_per_block)
    return GPUEIG_OK;
  GE_TRY (ge_cuda_set_attributes (ctx, l));
  CU (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, l.kernel, l.threads,
                                                     l.shared));
  *blocks = (int64_t) each * cuda->multiprocessors;
  if (l.cluster > 1)
    {
      cudaLaunchAttribute attribute[2];
      ge_resident_launch<P> one = l;
      one.blocks = l.cluster;
      const cudaLaunchConfig_t c = ge_cuda_configuration (cuda, one, attribute);
      /* an error means that this cluster size is not supported */
      if (cudaOccupancyMaxActiveClusters (&count, l.kernel, &c) != cudaSuccess)
        {
          cudaGetLastError ();
          count = 0;
        }
      /* fewer with the limit of multiprocessors that tests set */
      const int64_t clusters = *blocks / l.cluster;
      *blocks = (count < clusters ? count : clusters) * l.cluster;
    }
  return GPUEIG_OK;
}

/* A cooperative launch on the context's stream.  */
template <typename P>
static gpueig_status
ge_cuda_launch_resident (gpueig_context *ctx, const ge_resident_launch<P> &l,
                         const P &argument)
{
  cudaLaunchAttribute attribute[2];
  GE_TRY (ge_cuda_set_attributes (ctx, l));
  const cudaLaunchConfig_t c
      = ge_cuda_configuration (ge_cuda_of (ctx), l, attribute);
  ge_cuda_note (ctx, l.name);
  CU (cudaLaunchKernelEx (&c, l.kernel, argument));
  return GPUEIG_OK;
}

/* A launch of BLOCKS blocks on the context's stream, in clusters of CLUSTER blocks if it is
   not 1; IN_TURN: see ge_launch_in_turn.  */
template <typename... P, typename... A>
static gpueig_status
ge_launch_with (gpueig_context *ctx, const char *name, void (*kernel) (P...),
                int64_t blocks, int threads, size_t shared, int cluster,
                int in_turn, A... arguments)
{
  cudaLaunchAttribute attribute[2];
  cudaLaunchConfig_t c = {};
  c.gridDim = dim3 ((unsigned) blocks);
  c.blockDim = dim3 ((unsigned) threads);
  c.dynamicSmemBytes = shared;
  c.stream = ge_cuda_of (ctx)->stream;
  c.attrs = attribute;
  if (in_turn)
    {
      attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute[0].val.programmaticStreamSerializationAllowed = 1;
      c.numAttrs++;
    }
  if (cluster > 1)
    {
      attribute[c.numAttrs].id = cudaLaunchAttributeClusterDimension;
      attribute[c.numAttrs].val.clusterDim.x = (unsigned) cluster;
      attribute[c.numAttrs].val.clusterDim.y = 1;
      attribute[c.numAttrs++].val.clusterDim.z = 1;
    }
  ge_cuda_note (ctx, name);
  CU (cudaLaunchKernelEx (&c, kernel, arguments...));
  return ge_cuda_launched (ctx);
}

/* On GPUs with clusters the kernel may be loaded while the one before it runs: it begins with
   begin_in_turn (cluster.cuh).  */
template <typename... P, typename... A>
static gpueig_status
ge_launch_in_turn (gpueig_context *ctx, const char *name, void (*kernel) (P...),
                   int64_t blocks, int threads, size_t shared, int cluster,
                   A... arguments)
{
  const int clusters = ge_cuda_of (ctx)->clusters;
  return ge_launch_with (ctx, name, kernel, blocks, threads, shared,
                         clusters ? cluster : 1, clusters, arguments...);
}

#endif
