/* Qualifiers of functions in headers for both C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_INLINE
#ifdef __CUDACC__
#  define GE_INLINE static __host__ __device__ __forceinline__
#  define GE_ALWAYS_INLINE GE_INLINE
#else
#  define GE_INLINE static inline
/* To be inlined into each version of a function with target_clones.  */
#  define GE_ALWAYS_INLINE static inline __attribute__ ((always_inline))
#endif
#endif
