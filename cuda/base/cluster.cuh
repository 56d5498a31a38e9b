/* What sm_90 has to move data by: stores into the shared memory of another block of a
   cluster, and bulk copies from device memory; barriers say when they have
   arrived.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   An arrival (PTX's mbarrier) completes a phase when as many threads have arrived at
   it as it was begun with, and with them the bytes that these expected.  Phases
   alternate in parity, the first is 0.  Before its first use a thread begins it and
   all blocks of the cluster wait at cluster_barrier; no block may exit while others
   store into it, so they wait again at the end.

   Two ways to tell a block that something was stored there: stores that count their
   own bytes (store_counted; PTX's st.async) need nothing else, but each costs its
   receiver some cycles however many a warp makes at once; plain stores of a warp
   travel together, and one arrival follows them, a microsecond later.  On an H200
   the first was faster up to some 500 stores a step and receiver, the second
   from some 1000 on.

   Code for older GPUs compiles to clusters of one block, whose host code launches
   it without a cluster and which never stores to another block.  */

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
#endif

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
GE_DEVICE_INLINE void
arrive_at_block (arrival *, int)
{
}
template <typename V>
GE_DEVICE_INLINE void
store_to_block (V *, V, int)
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
publish_for_bulk_copies (void)
{
}
#elif defined GPUEIG_EMULATED
typedef struct
{
  long long bytes;
  unsigned count, pending, phase;
} arrival;

GE_DEVICE_INLINE void
complete_phase (arrival *a)
{
  if (a->pending == 0 && a->bytes == 0)
    {
      a->pending = a->count;
      a->phase++;
    }
}
GE_DEVICE_INLINE void
begin_arrivals (arrival *a, int count)
{
  a->bytes = 0;
  a->count = a->pending = (unsigned) count;
  a->phase = 0;
}
GE_DEVICE_INLINE void
wait_for_phase (arrival *a, unsigned parity)
{
  while ((*(volatile unsigned *) &a->phase & 1) == parity)
    __nanosleep (0);
}
GE_DEVICE_INLINE void
arrive_at_block (arrival *a, int rank)
{
  arrival *there
      = cooperative_groups::this_cluster ().map_shared_rank (a, rank);
  there->pending--;
  complete_phase (there);
}
template <typename V>
GE_DEVICE_INLINE void
store_to_block (V *to, V value, int rank)
{
  *cooperative_groups::this_cluster ().map_shared_rank (to, rank) = value;
}
template <typename V>
GE_DEVICE_INLINE void
store_counted (V *to, V value, arrival *a, int rank)
{
  auto cluster = cooperative_groups::this_cluster ();
  *cluster.map_shared_rank (to, rank) = value;
  arrival *there = cluster.map_shared_rank (a, rank);
  there->bytes -= (long long) sizeof (V);
  complete_phase (there);
}
GE_DEVICE_INLINE void
expect_bytes (arrival *a, unsigned bytes)
{
  a->bytes += bytes;
  a->pending--;
  complete_phase (a);
}
GE_DEVICE_INLINE void
copy_in_bulk (void *to, const void *from, unsigned bytes, arrival *a)
{
  for (unsigned i = 0; i < bytes / sizeof (float); i++)
    ((float *) to)[i] = ((const float *) from)[i];
  a->bytes -= bytes;
  complete_phase (a);
}
GE_DEVICE_INLINE void
publish_for_bulk_copies (void)
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

/* BYTES of bulk copies and counted stores belong to this phase; the thread arrives.  */
GE_DEVICE_INLINE void
expect_bytes (arrival *a, unsigned bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address (a)),
               "r"(bytes)
               : "memory");
}

GE_DEVICE_INLINE void
wait_for_phase (arrival *a, unsigned parity)
{
  asm volatile("{\n\t.reg .pred done;\n\t"
               "again:\n\t"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
               "done, [%0], %1;\n\t"
               "@!done bra again;\n\t}" ::"r"(shared_address (a)),
               "r"(parity)
               : "memory");
}

/* This thread has arrived at A in block RANK, with all that it and the threads that it
   has met before have stored there.  */
GE_DEVICE_INLINE void
arrive_at_block (arrival *a, int rank)
{
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
          shared_address_of (a, rank))
      : "memory");
}

/* VALUE to TO in block RANK; 4, 8 or 16 bytes.  */
GE_DEVICE_INLINE void
store_to_block (double2 *to, double2 value, int rank)
{
  asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(
                   shared_address_of (to, rank)),
               "d"(value.x), "d"(value.y)
               : "memory");
}
GE_DEVICE_INLINE void
store_to_block (double *to, double value, int rank)
{
  asm volatile(
      "st.shared::cluster.f64 [%0], %1;" ::"r"(shared_address_of (to, rank)),
      "d"(value)
      : "memory");
}
GE_DEVICE_INLINE void
store_to_block (float2 *to, float2 value, int rank)
{
  asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(
                   shared_address_of (to, rank)),
               "f"(value.x), "f"(value.y)
               : "memory");
}
GE_DEVICE_INLINE void
store_to_block (float *to, float value, int rank)
{
  asm volatile(
      "st.shared::cluster.f32 [%0], %1;" ::"r"(shared_address_of (to, rank)),
      "f"(value)
      : "memory");
}

/* The same with A there counting the bytes.  */
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

/* BYTES from device to shared memory of this block, where A counts them; all multiples
   of 16.  One thread calls it.  */
GE_DEVICE_INLINE void
copy_in_bulk (void *to, const void *from, unsigned bytes, arrival *a)
{
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1], %2, [%3];" ::"r"(shared_address (to)),
      "l"(from), "r"(bytes), "r"(shared_address (a))
      : "memory");
}

/* What this thread has written to device memory, before bulk copies read it.  */
GE_DEVICE_INLINE void
publish_for_bulk_copies (void)
{
  asm volatile("fence.proxy.async.global;" ::: "memory");
}
#endif

/* WARPS whole warps of a block, which have NUMBER (0 to 14) among them, wait for each
   other.  */
GE_DEVICE_INLINE void
team_barrier (int number, int warps)
{
#ifdef GPUEIG_EMULATED
  emulated_barrier (number + 1, 32 * warps);
#else
  asm volatile("bar.sync %0, %1;" ::"r"(number + 1), "r"(32 * warps)
               : "memory");
#endif
}

#endif
