/* Functions compiled for several instruction sets.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   GE_CLONES (WIDE, static, void, multiply, (int64_t n, double *x), (n, x)) { ... } defines
   multiply, of which the version for the processor is called; GE_CLONES_OF if it returns a
   value, extern instead of static if a header declares it.  All versions give the same bits if
   they execute the same operations in the same order, as contraction is off.  The first word
   is a list of instruction sets:

   VECTOR  for loops that vectorise
   FMA     for recurrences in double-double, which use fma (): without a hardware
           instruction each is a call of the C library
   WIDE    for SIMD lanes with fma (), which VECTOR does not include
   FUSED   as WIDE, without the other instructions of x86-64-v3 and v4  */

#ifndef GE_CLONES_H
#define GE_CLONES_H 1

#include "base/inline.h"

#if defined __x86_64__ && defined __GNUC__
#  define GE_HAVE_CLONES 1
#else
#  define GE_HAVE_CLONES 0
#endif

/* Where the dynamic loader can pick a version, it does.  Clang before 18 gives such a
   function a name that other files do not find.  */
#if GE_HAVE_CLONES && defined __ELF__                                          \
    && (! defined __clang__ || __clang_major__ >= 18)
#  define GE_CLONES_BY_LOADER 1
#else
#  define GE_CLONES_BY_LOADER 0
#endif

#if defined __clang__ || __GNUC__ < 12
#  define GE_WIDEST "avx512f"
#  define GE_WIDER "fma"
#  define GE_HAS_WIDER "fma"
#  define GE_HAS_WIDEST "avx512f"
#else
#  define GE_WIDEST "arch=x86-64-v4"
#  define GE_WIDER "arch=x86-64-v3"
#  define GE_HAS_WIDER "x86-64-v3"
#  define GE_HAS_WIDEST "x86-64-v4"
#endif

#if ! GE_HAVE_CLONES

#  define GE_CLONES(sets, scope, type, name, parameters, arguments)            \
    scope type name parameters
#  define GE_CLONES_OF GE_CLONES

#elif GE_CLONES_BY_LOADER

#  define GE_SETS_VECTOR target_clones ("avx512f", "avx2", "default")
#  define GE_SETS_FMA target_clones ("fma", "default")
#  define GE_SETS_WIDE target_clones (GE_WIDEST, GE_WIDER, "default")
#  define GE_SETS_FUSED target_clones ("avx512f", "fma", "default")
#  define GE_CLONES(sets, scope, type, name, parameters, arguments)            \
    __attribute__ ((GE_SETS_##sets)) scope type name parameters
#  define GE_CLONES_OF GE_CLONES

#else

/* Targets of the two versions next to the usual one, and how the processor is asked for
   them.  */
#  define GE_TARGET_2_VECTOR "avx512f"
#  define GE_TARGET_1_VECTOR "avx2"
#  define GE_HAS_2_VECTOR "avx512f"
#  define GE_HAS_1_VECTOR "avx2"
#  define GE_TARGET_2_FMA "fma"
#  define GE_TARGET_1_FMA "fma"
#  define GE_HAS_2_FMA "fma"
#  define GE_HAS_1_FMA "fma"
#  define GE_TARGET_2_WIDE GE_WIDEST
#  define GE_TARGET_1_WIDE GE_WIDER
#  define GE_HAS_2_WIDE GE_HAS_WIDEST
#  define GE_HAS_1_WIDE GE_HAS_WIDER
#  define GE_TARGET_2_FUSED "avx512f"
#  define GE_TARGET_1_FUSED "fma"
#  define GE_HAS_2_FUSED "avx512f"
#  define GE_HAS_1_FUSED "fma"

#  define GE_VERSION_(name, version) name##_##version
#  define GE_VERSION(name, version) GE_VERSION_ (name, version)
/* NAME calls a version, into each of which the body is inlined.  GIVE: return, or nothing.  */
#  define GE_VERSIONS(target2, has2, target1, has1, give, scope, type, name,   \
                      parameters, arguments)                                   \
    GE_ALWAYS_INLINE type GE_VERSION (name, body) parameters;                  \
    __attribute__ ((target (target2))) static type GE_VERSION (name, version2) \
        parameters                                                             \
    {                                                                          \
      give GE_VERSION (name, body) arguments;                                  \
    }                                                                          \
    __attribute__ ((target (target1))) static type GE_VERSION (name, version1) \
        parameters                                                             \
    {                                                                          \
      give GE_VERSION (name, body) arguments;                                  \
    }                                                                          \
    static type GE_VERSION (name, version0) parameters                         \
    {                                                                          \
      give GE_VERSION (name, body) arguments;                                  \
    }                                                                          \
    scope type name parameters                                                 \
    {                                                                          \
      give (__builtin_cpu_supports (has2)   ? GE_VERSION (name, version2)      \
            : __builtin_cpu_supports (has1) ? GE_VERSION (name, version1)      \
                                            : GE_VERSION (name, version0))     \
          arguments;                                                           \
    }                                                                          \
    GE_ALWAYS_INLINE type GE_VERSION (name, body) parameters
#  define GE_NOTHING
#  define GE_CLONES(sets, ...)                                                 \
    GE_VERSIONS (GE_TARGET_2_##sets, GE_HAS_2_##sets, GE_TARGET_1_##sets,      \
                 GE_HAS_1_##sets, GE_NOTHING, __VA_ARGS__)
#  define GE_CLONES_OF(sets, ...)                                              \
    GE_VERSIONS (GE_TARGET_2_##sets, GE_HAS_2_##sets, GE_TARGET_1_##sets,      \
                 GE_HAS_1_##sets, return, __VA_ARGS__)

#endif

#endif
