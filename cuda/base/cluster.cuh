/* Data movement of sm_90: stores into the shared memory of another block of a
   cluster (distributed shared memory), bulk copies from device memory, and the
   barriers (mbarrier) that signal their completion.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   An arrival is an mbarrier of PTX: a phase of it completes when the number of
   threads given to begin_arrivals have arrived and all bytes that expect_bytes
   announced have been written.  Phases have alternating parity; the first has
   parity 0.  One thread initialises it before its first use, followed by
   cluster_barrier in all blocks of the cluster.  No block may exit while others
   can still store into its shared memory, so the kernels end with
   cluster_barrier too.

   Data for another block is stored by store_counted (PTX: st.async), which counts its own
   bytes at the receiver's mbarrier.  Plain stores and an arrival after them would take
   longer, also where they are fewer: the arrival waits until all of them have been
   performed, by a fence for the whole GPU.

   For GPUs before sm_90 the functions compile to clusters of one block; host
   code then launches without the cluster attribute and no stores to other
   blocks occur.  */

#ifndef GE_CLUSTER_CUH
#define GE_CLUSTER_CUH 1

#include "base/numbers.cuh"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
GE_DEVICE_INLINE int
cluster_rank (void)
{
  return 0;
}
GE_DEVICE_INLINE int
cluster_size (void)
{
  return 1;
}
GE_DEVICE_INLINE void
cluster_barrier (void)
{
  __syncthreads ();
}
GE_DEVICE_INLINE void
cluster_arrive (void)
{
}
GE_DEVICE_INLINE void
cluster_wait (void)
{
}
template <typename V>
GE_DEVICE_INLINE V *
in_block (V *p, int)
{
  return p;
}
GE_DEVICE_INLINE void
allow_next_kernel (void)
{
}
GE_DEVICE_INLINE void
wait_for_previous_kernel (void)
{
}
#else
GE_DEVICE_INLINE int
cluster_rank (void)
{
  return (int) cooperative_groups::this_cluster ().block_rank ();
}
GE_DEVICE_INLINE int
cluster_size (void)
{
  return (int) cooperative_groups::this_cluster ().num_blocks ();
}
GE_DEVICE_INLINE void
cluster_barrier (void)
{
  cooperative_groups::this_cluster ().sync ();
}

/* The two halves of cluster_barrier, with work between them.  */
GE_DEVICE_INLINE void
cluster_arrive (void)
{
#  ifdef __CUDA_ARCH__
  cooperative_groups::this_cluster ().barrier_arrive ();
#  endif
}
GE_DEVICE_INLINE void
cluster_wait (void)
{
#  ifdef __CUDA_ARCH__
  cooperative_groups::this_cluster ().barrier_wait ();
#  else
  cluster_barrier ();
#  endif
}

/* The address that P, in this block's shared memory, has in block RANK.  */
template <typename V>
GE_DEVICE_INLINE V *
in_block (V *p, int rank)
{
  return cooperative_groups::this_cluster ().map_shared_rank (p, rank);
}

/* Programmatic dependent launch: the next kernel of the stream, if launched with
   that attribute, begins as soon as all blocks of this one have called the first
   function or ended; the second one, in the next kernel, waits for the end of
   this one.  */
GE_DEVICE_INLINE void
allow_next_kernel (void)
{
#  ifdef __CUDA_ARCH__
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#  endif
}
GE_DEVICE_INLINE void
wait_for_previous_kernel (void)
{
#  ifdef __CUDA_ARCH__
  asm volatile("griddepcontrol.wait;" ::: "memory");
#  endif
}
#endif

/* In a kernel of ge_launch_in_turn: before it there is nothing of the kernel before, after it
   all.  If the kernel before is one of these too, all that preceded that one is there from
   the start.  */
GE_DEVICE_INLINE void
begin_in_turn (void)
{
  wait_for_previous_kernel ();
  allow_next_kernel ();
}

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
typedef unsigned long long arrival;
GE_DEVICE_INLINE void
begin_arrivals (arrival *, int)
{
}
GE_DEVICE_INLINE void
wait_for_phase (arrival *, unsigned)
{
}
template <typename V>
GE_DEVICE_INLINE void
store_counted (V *, V, arrival *, int)
{
}
GE_DEVICE_INLINE void
expect_bytes (arrival *, unsigned)
{
}
GE_DEVICE_INLINE void
copy_in_bulk (void *, const void *, unsigned, arrival *)
{
}
GE_DEVICE_INLINE void
finish_reads (void)
{
}
#else
typedef unsigned long long arrival;

GE_DEVICE_INLINE unsigned
shared_address (const void *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}

GE_DEVICE_INLINE unsigned
shared_address_of (const void *p, int rank)
{
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(shared_address (p)), "r"(rank));
  return there;
}

GE_DEVICE_INLINE void
begin_arrivals (arrival *a, int count)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\t"
               "fence.mbarrier_init.release.cluster;" ::"r"(shared_address (a)),
               "r"(count)
               : "memory");
}

/* The calling thread arrives at A and announces that BYTES of bulk copies and
   counted stores belong to the current phase.  */
GE_DEVICE_INLINE void
expect_bytes (arrival *a, unsigned bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address (a)),
               "r"(bytes)
               : "memory");
}

/* Data of counted stores and bulk copies may be read after it.  There is no acquire for the
   cluster, after which stores of other blocks to device memory could be read too: it would
   cost the multiprocessor all that is in its L1 cache.  */
GE_DEVICE_INLINE void
wait_for_phase (arrival *a, unsigned parity)
{
  asm volatile("{\n\t.reg .pred done;\n\t"
               "again:\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@!done bra again;\n\t}" ::"r"(shared_address (a)),
               "r"(parity)
               : "memory");
}

/* Store VALUE at address TO of the shared memory of block RANK, whose mbarrier A counts the
   bytes.  */
GE_DEVICE_INLINE void
store_counted (double2 *to, double2 value, arrival *a, int rank)
{
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 "
      "[%0], {%1, %2}, [%3];" ::"r"(shared_address_of (to, rank)),
      "l"(__double_as_longlong (value.x)), "l"(__double_as_longlong (value.y)),
      "r"(shared_address_of (a, rank))
      : "memory");
}
GE_DEVICE_INLINE void
store_counted (float2 *to, float2 value, arrival *a, int rank)
{
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
      "[%0], {%1, %2}, [%3];" ::"r"(shared_address_of (to, rank)),
      "r"(__float_as_uint (value.x)), "r"(__float_as_uint (value.y)),
      "r"(shared_address_of (a, rank))
      : "memory");
}

/* Copy BYTES from device memory to this block's shared memory, counted at its
   mbarrier A.  Addresses and BYTES are multiples of 16.  Called by one
   thread.  */
GE_DEVICE_INLINE void
copy_in_bulk (void *to, const void *from, unsigned bytes, arrival *a)
{
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1], %2, [%3];" ::"r"(shared_address (to)),
      "l"(from), "r"(bytes), "r"(shared_address (a))
      : "memory");
}

/* Order this thread's earlier reads of shared memory before later bulk copies to it.  */
GE_DEVICE_INLINE void
finish_reads (void)
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#endif

#endif
